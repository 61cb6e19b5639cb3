// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/wsandbox/wsandbox/wasishell"
)

func printOne(name, value, beside string) {
	fmt.Printf("%-34s %10s %10s %7s  %s\n", name, value, "-", "-", beside)
}

// memory measures what an idle shell session holds resident.
func (b *bench) memory() {
	const name, sessions = "resident memory of an idle shell", 50
	if !b.only.MatchString(name) {
		return
	}
	sb, err := wasishell.New(b.ctx, wasishell.Config{Runtime: b.rt})
	if err != nil {
		b.fail(name, err)
		return
	}
	defer sb.Close()
	before, ok := resident()
	if !ok {
		printOne(name, "unknown", "needs /proc/self/status")
		return
	}
	for range sessions {
		c := sb.Command("bash", "-s")
		c.OpenStdin = true
		s, err := c.Start(b.ctx)
		if err != nil {
			b.fail(name, err)
			return
		}
		if _, err := s.Write([]byte("x=1\n")); err != nil {
			b.fail(name, err)
			return
		}
	}
	if _, err := sb.Command("sleep", "0.5").Output(b.ctx); err != nil {
		b.fail(name, err)
	}
	after, _ := resident()
	printOne(name, fmt.Sprintf("%.2f MB", float64(after-before)/sessions/1e6), fmt.Sprintf("mean of %d", sessions))
}

// resident returns the resident memory of this process in bytes, collected.
func resident() (int64, bool) {
	runtime.GC()
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, err := strconv.ParseInt(strings.Fields(v)[0], 10, 64)
			return n << 10, err == nil
		}
	}
	return 0, false
}
