// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/wsandbox/wsandbox/wasishell"
)

// runShell is "wsandbox shell".
func runShell(ctx context.Context, args []string, std stdio) int {
	if len(args) == 1 && args[0] == guardArg {
		return runGuard()
	}
	var o options
	login := false
	f := newFlags("shell", "shell [flags] [-- ARG...]\n\nAn interactive shell on this terminal. ARGs are arguments of the shell, such as --norc.", &o)
	f.StringVar(&o.shell, "shell", "bash", "`shell`: bash, or sh for POSIX mode")
	f.BoolVar(&login, "login", false, "make it a login shell, which reads its profile")
	if done, status := parse(f, args, std); done {
		return status
	}
	if o.shell != "bash" && o.shell != "sh" {
		return failJSON(&o, std, fmt.Errorf("--shell %q: want bash or sh", o.shell))
	}
	if !isTerminal(std.in) || !isTerminal(std.out) {
		return failJSON(&o, std, errors.New("shell: standard input and output must be a terminal; \"wsandbox exec\" runs scripts"))
	}
	cfg, err := o.config(os.LookupEnv)
	if err != nil {
		return failJSON(&o, std, err)
	}
	command := []string{o.shell}
	if login {
		command = append(command, "--login")
	}
	o.tty = true
	return execute(ctx, &o, cfg, append(command, append(f.Args(), "-i")...), std)
}

// defaultSize is the size of a terminal where the host has none.
var defaultSize = wasishell.Winsize{Rows: 24, Cols: 80}

// interact puts cmd on a terminal, which is the host's where standard input is
// one: that passes keys unchanged until leave is called, and its size is
// followed. Where standard input is none, cmd still gets a terminal. attach is to
// be called once cmd has been started.
func interact(cmd *wasishell.Cmd, o *options, std stdio) (attach func(*wasishell.Session), leave func(), err error) {
	if o.json {
		return nil, nil, errors.New("--tty and --json do not go together")
	}
	size := defaultSize
	cmd.Stdin, cmd.Stdout, cmd.Stderr = std.in, std.out, nil
	cmd.TTY = &size
	leave = func() {}
	var shown *terminalOutput
	if isTerminal(std.out) {
		shown = &terminalOutput{Writer: std.out}
		cmd.Stdout, o.shown = shown, shown
		leave = shown.reset
	}
	set := slices.ContainsFunc(o.env, func(e string) bool { return e == "TERM" || strings.HasPrefix(e, "TERM=") })
	if t, ok := os.LookupEnv("TERM"); ok && t != "" && !set && isTerminal(std.out) {
		cmd.Env = append([]string{"TERM=" + t}, cmd.Env...)
	}
	in, ok := std.in.(*os.File)
	if !ok || !isTerminal(std.in) {
		return func(*wasishell.Session) {}, leave, nil
	}
	out, ok := std.out.(*os.File)
	if !ok || !isTerminal(std.out) {
		out = in
	}
	if ws, ok := terminalSize(out); ok {
		size = ws
	}
	t, err := openRawTerminal(in, out)
	if err != nil {
		return nil, nil, fmt.Errorf("the terminal: %w", err)
	}
	if shown != nil {
		shown.alternate = t.alternate
	}
	stop := make(chan struct{})
	followed := make(chan struct{})
	attached := false
	attach = func(s *wasishell.Session) {
		attached = true
		go func() {
			defer close(followed)
			t.follow(stop, func(ws wasishell.Winsize) {
				_ = s.Resize(ws) // it has a terminal
				o.tracer.resize(ws)
			})
		}()
	}
	leave = sync.OnceFunc(func() {
		close(stop)
		if attached {
			<-followed
		}
		t.restore(func() {
			if shown != nil {
				shown.reset()
			}
		})
	})
	return attach, leave, nil
}
