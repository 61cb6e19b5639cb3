// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/wasishell"
)

// TestHostMemory: whatever a script does, the process that it runs in stays within
// what its limits allow, and a base.
func TestHostMemory(t *testing.T) {
	if _, err := wasishell.Guests(); err != nil {
		t.Skip(err)
	}
	peak := func(u *syscall.Rusage) int64 { // in MB
		if runtime.GOOS == "linux" {
			return int64(u.Maxrss) >> 10
		}
		return int64(u.Maxrss) >> 20
	}
	var self syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &self))
	// Compiled programs, their first instances, buffers, slack of the collector.
	// A process's peak begins with that of the one that started it.
	base := max(220, peak(&self)+20)
	dir := t.TempDir()
	run := func(args ...string) (megabytes int64, stderr string, status int) {
		cmd := exec.CommandContext(t.Context(), "wsandbox", args...)
		cmd.Dir = dir
		null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // not a pipe, so that the reader costs nothing
		require.NoError(t, err)
		defer null.Close()
		var b bytes.Buffer
		cmd.Stdout, cmd.Stderr = null, &b
		_ = cmd.Run() // the status says it
		return peak(cmd.ProcessState.SysUsage().(*syscall.Rusage)), b.String(), cmd.ProcessState.ExitCode()
	}
	run("guests", "warm") // compiling takes more
	for _, c := range []struct {
		name   string
		flags  string
		script string
		more   int64 // MB that the limits allow
		status int   // -1: any
	}{
		{"nothing", "", "true", 0, 0},
		{"doubling", "--memory 64M", `x=x; while :; do x=$x$x; done`, 2 * 64, 1},
		{"braces", "--timeout 2s --memory 128M", "echo " + strings.Repeat("{a,b}", 22), 2 * 128, 124},
		{"eight at once", "--memory 64M", `for i in 1 2 3 4 5 6 7 8; do bash -c 'x=x; while :; do x=$x$x; done' & done; wait`, 9 * 64, -1},
		{"forks", "--timeout 5s", `:(){ :|:& };: ; sleep 100`, 0, -1},
		{"disk", "--disk 64M", `yes > /tmp/f; yes > /tmp/g`, 2 * 64, 1},
		{"files", "--timeout 2s --disk 64M", `cd /tmp; while : > f$((i++)); do :; done 2> /dev/null; exit 7`, 2 * 64, -1},
		{"output kept", "--json --max-output 32M", `yes & yes >&2`, 6 * 32, 153},
		{"pipes", "--timeout 2s --processes 200", `for i in {1..60}; do yes | cat > /dev/null & done; wait`, 64 + 200, 124}, // pipes, instances
		{"descriptors", "--timeout 10s", `while exec {x}< /dev/null; do :; done 2> /dev/null; for i in {1..100}; do mkfifo /tmp/p$i; done; exit 7`, 128, 7},
		{"lines without end", "--timeout 2s --memory 64M", `tr '\\0' x < /dev/zero | sort | uniq | cat`, 4 * 64, -1},
		{"input", "--timeout 2s", `cat /dev/zero | cat | cat > /dev/null`, 0, 124},
	} {
		t.Run(c.name, func(t *testing.T) {
			use, stderr, status := run(append(append([]string{"exec"}, strings.Fields(c.flags)...), c.script)...)
			require.LessOrEqual(t, use, base+c.more, "megabytes; status %d: %.300s", status, stderr)
			if c.status >= 0 {
				require.Equal(t, c.status, status, "%.300s", stderr)
			}
			require.NotContains(t, stderr, "goroutine ")
		})
	}
}
