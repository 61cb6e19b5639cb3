// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/wasishell"
)

// keptOutput is how many bytes of each stream --json keeps at the most.
const keptOutput = 16 << 20

// jsonReport collects what --json prints.
type jsonReport struct {
	stdout, stderr boundedBuffer
}

// boundedBuffer keeps the first max bytes written to it and counts the rest.
type boundedBuffer struct {
	b       []byte
	max     int
	dropped int64
}

func (w *boundedBuffer) Write(p []byte) (int, error) {
	keep := min(len(p), w.max-len(w.b))
	w.b = append(w.b, p[:keep]...)
	w.dropped += int64(len(p) - keep)
	return len(p), nil
}

func newReport(limit int64) *jsonReport {
	n := keptOutput
	if limit > 0 {
		n = int(min(limit, 1<<30))
	}
	return &jsonReport{stdout: boundedBuffer{max: n}, stderr: boundedBuffer{max: n}}
}

// result is the object that --json prints. Text that is not UTF-8 goes into the
// base64 field instead.
type result struct {
	ExitCode      int      `json:"exit_code"`
	Signal        string   `json:"signal,omitempty"`
	Limit         string   `json:"limit,omitempty"`
	Reached       []string `json:"limits_reached,omitempty"`
	TimedOut      bool     `json:"timed_out,omitempty"`
	Error         string   `json:"error,omitempty"`
	Stdout        string   `json:"stdout"`
	StdoutBase64  string   `json:"stdout_base64,omitempty"`
	StdoutDropped int64    `json:"stdout_dropped_bytes,omitempty"`
	Stderr        string   `json:"stderr"`
	StderrBase64  string   `json:"stderr_base64,omitempty"`
	StderrDropped int64    `json:"stderr_dropped_bytes,omitempty"`
	WallSeconds   float64  `json:"wall_seconds"`
	CPUSeconds    float64  `json:"cpu_seconds"`
	MaxMemory     int64    `json:"max_memory_bytes"`
}

func text(b []byte) (plain, encoded string) {
	if utf8.Valid(b) {
		return string(b), ""
	}
	return "", base64.StdEncoding.EncodeToString(b)
}

func (r *jsonReport) print(std stdio, res wasishell.Result, status int, timedOut bool) int {
	out := result{
		ExitCode: status, TimedOut: timedOut,
		StdoutDropped: r.stdout.dropped, StderrDropped: r.stderr.dropped,
		WallSeconds: seconds(res.Wall), CPUSeconds: seconds(res.CPU),
		MaxMemory: res.MaxMemory,
	}
	if res.Status.Signaled() {
		out.Signal = res.Status.Signal().String()
	}
	if res.Limit != wasishell.LimitNone {
		out.Limit = res.Limit.String()
	}
	for _, l := range res.Reached {
		out.Reached = append(out.Reached, l.String())
	}
	out.Stdout, out.StdoutBase64 = text(r.stdout.b)
	out.Stderr, out.StderrBase64 = text(r.stderr.b)
	return printJSON(std, out, status)
}

// seconds returns d in seconds, to the microsecond, as the number that is printed
// shortest.
func seconds(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e6 }

func printJSON(std stdio, v result, status int) int {
	enc := json.NewEncoder(std.out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fail(std, fmt.Errorf("write the result: %w", err))
	}
	return status
}

// failJSON reports an error of wsandbox itself, as an object with --json.
func failJSON(o *options, std stdio, err error) int {
	status := exitFailure
	if x := (*wasishell.Error)(nil); errors.As(err, &x) {
		status = x.ExitCode()
	}
	if errors.Is(err, wasishell.ErrNoCacheDir) {
		err = fmt.Errorf("%w; --cache-dir DIR names one, --cache-dir off does without", err)
	}
	if o.json {
		return printJSON(std, result{ExitCode: status, Error: err.Error()}, status)
	}
	fmt.Fprintln(std.err, "wsandbox:", err)
	return status
}

// wantsJSON reports whether --json is among the flags of a command line that
// cannot be parsed.
func wantsJSON(args []string) bool {
	for _, a := range args {
		name, value, given := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(a, "-"), "-"), "=")
		switch {
		case a == "--" || a == "-":
			return false
		case name == "json" && a[0] == '-':
			on, err := strconv.ParseBool(value)
			return !given || err == nil && on
		}
	}
	return false
}
