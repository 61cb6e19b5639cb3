// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Command bench measures the sandbox beside native tools, in one run on one
// machine, and prints medians and ratios.
//
//	bench [-n RUNS] [-only REGEXP] [-cli FILE]
//
// Each pair is run in turn, sandbox then native, so that a drift of the
// machine's speed meets both. A native tool that is absent is left out.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"time"

	"github.com/wsandbox/wsandbox/wasishell"
)

// bench is the state of one run of the program.
type bench struct {
	ctx  context.Context
	rt   *wasishell.Runtime
	runs int
	only *regexp.Regexp
	cli  string
	dir  string // the data tree, on the host
	bad  bool
}

func main() {
	b := &bench{ctx: context.Background()}
	flag.IntVar(&b.runs, "n", 7, "counted runs of each side")
	only := flag.String("only", "", "measure only the lines that match this `regexp`")
	flag.StringVar(&b.cli, "cli", "bin/wsandbox", "the command, for the start time")
	flag.Parse()
	b.only = regexp.MustCompile(*only)
	if err := b.run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	if b.bad {
		os.Exit(1)
	}
}

func (b *bench) run() error {
	var err error
	if b.rt, err = wasishell.NewRuntime(b.ctx, wasishell.RuntimeConfig{}); err != nil {
		return err
	}
	defer b.rt.Close()
	if err := b.rt.Warm(b.ctx); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "wsbench"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if err := makeData(b.dir); err != nil {
		return err
	}
	fmt.Printf("%-34s %10s %10s %7s  %s\n", "what", "wsandbox", "native", "ratio", "beside")
	b.processes()
	b.workloads()
	b.latency()
	b.memory()
	b.start()
	return nil
}

// pair measures two functions in turn and prints their medians and the median
// of the ratios.
func (b *bench) pair(name, beside string, ours, native func() error) {
	if !b.only.MatchString(name) {
		return
	}
	var a, c []time.Duration
	var ratios []float64
	for i := -1; i < b.runs; i++ { // the first is the warm-up
		x, err := timed(ours)
		if err != nil {
			b.fail(name, err)
			return
		}
		y := time.Duration(0)
		if native != nil {
			if y, err = timed(native); err != nil {
				b.fail(name+" (native)", err)
				return
			}
		}
		if i < 0 {
			continue
		}
		a, c = append(a, x), append(c, y)
		if y > 0 {
			ratios = append(ratios, float64(x)/float64(y))
		}
	}
	if native == nil {
		fmt.Printf("%-34s %10s %10s %7s  %s\n", name, short(median(a)), "-", "-", beside)
		return
	}
	fmt.Printf("%-34s %10s %10s %7.3f  %s\n", name, short(median(a)), short(median(c)), median(ratios), beside)
}

func (b *bench) fail(name string, err error) {
	b.bad = true
	fmt.Printf("%-34s FAILED: %v\n", name, err)
}

func timed(f func() error) (time.Duration, error) {
	begin := time.Now()
	err := f()
	return time.Since(begin), err
}

func median[T time.Duration | float64](l []T) T {
	s := slices.Clone(l)
	slices.Sort(s)
	return s[len(s)/2]
}

func short(d time.Duration) string {
	switch {
	case d < 10*time.Microsecond:
		return fmt.Sprintf("%.2f µs", float64(d)/1e3)
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.0f µs", float64(d)/1e3)
	}
	return fmt.Sprintf("%.1f ms", float64(d)/1e6)
}

// tool returns the path of a native program, or "".
func tool(name string) string {
	p, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return p
}
