// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"

	"github.com/wsandbox/wsandbox/tools/screen"
	"github.com/wsandbox/wsandbox/wasishell"
)

// rawTerminal is the host's terminal while it passes keys unchanged. A process
// beside this one, the guard, restores it however this one ends.
type rawTerminal struct {
	in, out *os.File
	cooked  *term.State
	alive   *os.File // the guard acts when this is closed by the end of the process
}

// openRawTerminal makes the terminal in raw.
func openRawTerminal(in, out *os.File) (*rawTerminal, error) {
	t := &rawTerminal{in: in, out: out}
	var err error
	if t.alive, err = startGuard(in, out); err != nil {
		return nil, err
	}
	if t.cooked, err = term.MakeRaw(int(in.Fd())); err != nil {
		t.alive.Close()
		return nil, err
	}
	return t, nil
}

// restore puts the terminal's modes back, and has reset do so with what the
// output switched.
func (t *rawTerminal) restore(reset func()) {
	err := term.Restore(int(t.in.Fd()), t.cooked)
	reset()
	if err == nil {
		_, _ = t.alive.Write([]byte{guardQuit}) // nothing is left to do for the guard
	}
	t.alive.Close()
}

// alternate notes for the guard whether the terminal shows its alternate screen.
func (t *rawTerminal) alternate(on bool) {
	b := []byte{guardPrimary}
	if on {
		b[0] = guardAlternate
	}
	_, _ = t.alive.Write(b) // without the guard, nobody needs it
}

// follow calls resized with the size of the terminal whenever that changes, until
// stop is closed. A stop of this process leaves the terminal as it was found.
func (t *rawTerminal) follow(stop <-chan struct{}, resized func(wasishell.Winsize)) {
	ch := make(chan os.Signal, 4)
	signal.Notify(ch, syscall.SIGWINCH, syscall.SIGTSTP)
	defer signal.Stop(ch)
	tell := func() {
		if ws, ok := terminalSize(t.out); ok {
			resized(ws)
		}
	}
	tell() // it may have changed since
	for {
		select {
		case <-stop:
			return
		case s := <-ch:
			if s == syscall.SIGTSTP {
				_ = term.Restore(int(t.in.Fd()), t.cooked)          // or it stays raw
				_ = syscall.Kill(syscall.Getpid(), syscall.SIGSTOP) // cannot fail
				_, _ = term.MakeRaw(int(t.in.Fd()))                 // or the keys stay cooked
			}
			tell()
		}
	}
}

// guardArg makes "wsandbox shell" the guard of a terminal.
const guardArg = "--terminal-guard"

// What the guard is told.
const (
	guardQuit      = 'q' // all is put back
	guardAlternate = 'a' // the terminal shows its alternate screen
	guardPrimary   = 'p' // it does not
)

// startGuard starts the guard of the terminal in, of which out is the output, and
// returns what keeps it waiting. It has noted the modes when startGuard returns.
func startGuard(in, out *os.File) (*os.File, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	alive, keep, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer alive.Close()
	ready, done, err := os.Pipe()
	if err != nil {
		keep.Close()
		return nil, err
	}
	defer ready.Close()
	p, err := os.StartProcess(exe, []string{os.Args[0], "shell", guardArg}, &os.ProcAttr{
		Env:   os.Environ(),
		Files: []*os.File{alive, done, nil, in, out},
		// The keys of the terminal are not for it.
		Sys: &syscall.SysProcAttr{Setpgid: true},
	})
	done.Close()
	if err != nil {
		keep.Close()
		return nil, err
	}
	go func() { _, _ = p.Wait() }() // how it ends does not matter
	if _, err := io.ReadFull(ready, make([]byte, 1)); err != nil {
		keep.Close()
		return nil, err
	}
	return keep, nil
}

// runGuard notes the modes of the terminal at descriptor 3, says so, and puts
// them back when its standard input ends without guardQuit, and at descriptor 4
// what the output may have switched.
func runGuard() int {
	signal.Ignore(syscall.SIGTTOU, syscall.SIGTTIN, syscall.SIGTSTP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	state, err := term.GetState(3)
	if err != nil {
		return exitFailure
	}
	if _, err := os.Stdout.Write([]byte{'r'}); err != nil {
		return exitFailure
	}
	os.Stdout.Close()
	alternate := false
	for b := make([]byte, 1); ; {
		n, err := os.Stdin.Read(b)
		if n == 0 || err != nil {
			break
		}
		switch b[0] {
		case guardQuit:
			return 0
		case guardAlternate, guardPrimary:
			alternate = b[0] == guardAlternate
		}
	}
	if term.Restore(3, state) != nil {
		return exitFailure
	}
	if term.IsTerminal(4) {
		out := os.NewFile(4, "terminal")
		if _, err := out.Write(screen.ResetUnknown(nil, alternate)); err != nil {
			return exitFailure
		}
	}
	return 0
}
