// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/tools/eventlog"
)

// TestTraceTerminal: the event log of a shell on a terminal has what was typed
// and shown, and the sizes.
func TestTraceTerminal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "events.log")
	p := sit(t, 24, 80, append(append([]string{shellArgs[0]}, "--trace", file), shellArgs[1:]...)...)
	p.expect("$ ")
	p.typed("trap 'echo \"size $(stty size)\"' WINCH; echo ready\n")
	p.expect("\r\nready\r\n$ ")
	require.NoError(t, pty.Setsize(p.master, &pty.Winsize{Rows: 31, Cols: 91}))
	p.expect("size 31 91\r\n")
	p.typed("exit 3\n")
	require.Equal(t, 3, p.ends())

	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	rec, err := eventlog.NewRecord(f, file)
	require.NoError(t, err)
	var kinds []eventlog.Kind
	var typed, shown strings.Builder
	for {
		frame, err := rec.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch e := frame.Event; e.Kind {
		case eventlog.KindInput:
			typed.Write(e.Data)
			continue
		case eventlog.KindOutput:
			require.Equal(t, "terminal", e.Stream)
			shown.Write(e.Data)
			continue
		case eventlog.KindStart:
			require.Equal(t, []int{24, 80}, []int{e.Rows, e.Cols})
			require.True(t, e.TTY)
		case eventlog.KindResize:
			require.Equal(t, []int{31, 91}, []int{e.Rows, e.Cols})
		case eventlog.KindExit:
			require.Equal(t, 3, *e.Code)
		}
		kinds = append(kinds, frame.Event.Kind)
	}
	require.Equal(t, []eventlog.Kind{eventlog.KindStart, eventlog.KindSpawn, eventlog.KindResize, eventlog.KindExit}, kinds)
	require.Equal(t, "trap 'echo \"size $(stty size)\"' WINCH; echo ready\nexit 3\n", typed.String())
	require.Contains(t, shown.String(), "size 31 91\r\n")
}

// fullDisk takes a number of writes.
type fullDisk int

func (d *fullDisk) Write(p []byte) (int, error) {
	if *d--; *d < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

// TestTraceError: what cannot be written is told once.
func TestTraceError(t *testing.T) {
	disk := fullDisk(1) // the header
	log, err := eventlog.New(&disk, eventlog.Options{})
	require.NoError(t, err)
	tr := &tracer{log: log}
	tr.append(eventlog.Event{Kind: eventlog.KindSpawn})
	tr.append(eventlog.Event{Kind: eventlog.KindExit})
	var told strings.Builder
	tr.close(stdio{err: &told})
	require.Equal(t, "wsandbox: --trace: event log: full\n", told.String())
}
