// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"time"

	"golang.org/x/sys/windows"
	"golang.org/x/term"

	"github.com/wsandbox/wsandbox/wasishell"
)

// rawTerminal is the console while it passes keys unchanged.
type rawTerminal struct {
	in, out *os.File
	cooked  *term.State
	mode    uint32 // of the output
	changed bool
}

// openRawTerminal makes the console in raw, and has out obey control sequences.
func openRawTerminal(in, out *os.File) (*rawTerminal, error) {
	t := &rawTerminal{in: in, out: out}
	var err error
	if t.cooked, err = term.MakeRaw(int(in.Fd())); err != nil {
		return nil, err
	}
	h := windows.Handle(out.Fd())
	if err := windows.GetConsoleMode(h, &t.mode); err == nil {
		want := t.mode | windows.ENABLE_PROCESSED_OUTPUT | windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING | windows.DISABLE_NEWLINE_AUTO_RETURN
		t.changed = windows.SetConsoleMode(h, want) == nil
	}
	return t, nil
}

// alternate is of other systems, whose guard is told.
func (t *rawTerminal) alternate(bool) {}

// restore has reset put back what the output switched, while the console obeys
// control sequences, and then puts the console's modes back.
func (t *rawTerminal) restore(reset func()) {
	reset()
	_ = term.Restore(int(t.in.Fd()), t.cooked) // nothing better can be done
	if t.changed {
		_ = windows.SetConsoleMode(windows.Handle(t.out.Fd()), t.mode) // likewise
	}
}

// sizeInterval is how often the size of the console is looked at, which tells of
// changes by its input only.
const sizeInterval = 250 * time.Millisecond

// follow calls resized with the size of the console whenever that changes, until
// stop is closed.
func (t *rawTerminal) follow(stop <-chan struct{}, resized func(wasishell.Winsize)) {
	tick := time.NewTicker(sizeInterval)
	defer tick.Stop()
	var last wasishell.Winsize
	for {
		if ws, ok := terminalSize(t.out); ok && ws != last {
			last = ws
			resized(ws)
		}
		select {
		case <-stop:
			return
		case <-tick.C:
		}
	}
}

// guardArg is of other systems: the console's modes end with the program that
// set them where the shell before it sets its own.
const guardArg = "--terminal-guard"

func runGuard() int { return exitFailure }
