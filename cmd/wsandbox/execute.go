// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/wsandbox/wsandbox/wasishell"
)

// grace is how long the programs inside may go on after SIGTERM.
const grace = 2 * time.Second

// execute runs command in a new sandbox and returns the exit status.
func execute(ctx context.Context, o *options, cfg wasishell.Config, command []string, std stdio) int {
	rt, err := newRuntime(ctx, o, std)
	if err != nil {
		return failJSON(o, std, err)
	}
	defer rt.Close()
	cfg.Runtime = rt
	if o.tty && isTerminal(std.in) {
		// Later the terminal is the programs', and no place for the news of it.
		if err := rt.Warm(ctx); err != nil {
			return failJSON(o, std, err)
		}
	}
	sb, err := wasishell.New(ctx, cfg)
	if err != nil {
		return failJSON(o, std, err)
	}
	defer sb.Close()

	tr, err := openTrace(o.trace)
	if err != nil {
		return failJSON(o, std, err)
	}
	defer tr.close(std)
	o.tracer = tr

	cmd := sb.Command(command[0], command[1:]...)
	if o.shell != "" {
		cmd.Path = "/bin/" + o.shell // whatever PATH is
	}
	cmd.Timeout = o.timeout
	cmd.Stdin = std.in
	var report *jsonReport
	attach, leave := func(*wasishell.Session) {}, func() {}
	if o.tty {
		if attach, leave, err = interact(cmd, o, std); err != nil {
			return failJSON(o, std, err)
		}
		defer leave() // also where something panics
	} else if o.json {
		report = newReport(cfg.Limits.Output)
		cmd.Stdout, cmd.Stderr = &report.stdout, &report.stderr
	} else {
		cmd.Stdout, cmd.Stderr = std.out, std.err
		if sameStream(std.out, std.err) {
			cmd.Stderr = cmd.Stdout // one description keeps the order
		}
	}

	tr.attach(cmd, cfg.Dir)

	// A reader that goes away is told to the programs inside, as by a pipe of
	// theirs, and not by the end of this process: traps run.
	signal.Ignore(syscall.SIGPIPE)
	caught := catchSignals()
	defer signal.Stop(caught)
	sess, err := cmd.Start(ctx)
	if err != nil {
		tr.failed()
		return failJSON(o, std, err)
	}
	attach(sess)
	stop := forwardSignals(caught, sess, o.tty)
	waitErr := sess.Wait()
	terminated := stop()
	leave()
	res := sess.Result()
	tr.exit(res)

	status := res.ExitCode()
	if o.tty && terminated && status == 128+int(syscall.SIGHUP) {
		status = 128 + int(syscall.SIGTERM) // which became the hangup
	}
	timedOut := res.Limit == wasishell.LimitWall
	if timedOut {
		status = exitTimeout
	}
	if report != nil {
		return report.print(std, res, status, timedOut)
	}
	if o.shown != nil && (timedOut || res.Limit != wasishell.LimitNone) {
		o.shown.endLine()
	}
	switch x := (*wasishell.ExitError)(nil); {
	case timedOut:
		fmt.Fprintf(std.err, "wsandbox: timed out after %v\n", o.timeout)
	case res.Limit != wasishell.LimitNone:
		fmt.Fprintf(std.err, "wsandbox: limit reached: %v\n", res.Limit)
	case waitErr != nil && !errors.As(waitErr, &x):
		if isBrokenPipe(waitErr) || o.tty && errors.Is(waitErr, syscall.EIO) {
			return status // the programs were told
		}
		return fail(std, waitErr)
	case x != nil && x.Err != nil && !isBrokenPipe(x.Err):
		fmt.Fprintln(std.err, "wsandbox:", x.Err)
	}
	return status
}

// forwarded are the signals that are handed on to the programs inside.
var forwarded = []os.Signal{os.Interrupt, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP}

// catchSignals keeps the signals to forward from ending this process. What it was
// started to ignore it goes on to ignore.
func catchSignals() chan os.Signal {
	ch := make(chan os.Signal, 4)
	for _, s := range forwarded {
		if !signal.Ignored(s) {
			signal.Notify(ch, s)
		}
	}
	return ch
}

// forwardSignals hands the signals of a terminal and of a supervisor to the
// programs inside: the second one from the keyboard, or the end of the grace
// after a termination or hangup, kills them.
//
// On a terminal, whose keys arrive as keys, a hangup and a termination hang the
// terminal inside up: a shell there would ignore the latter.
//
// stop ends this and reports whether a termination was handed on.
func forwardSignals(ch <-chan os.Signal, sess *wasishell.Session, tty bool) (stop func() (terminated bool)) {
	done, ended := make(chan struct{}), make(chan struct{})
	terminated := false
	go func() {
		defer close(ended)
		keys := 0
		var late <-chan time.Time
		for {
			select {
			case <-done:
				return
			case <-late:
				sess.Kill()
			case s := <-ch:
				inside := wasishell.SIGTERM
				switch s {
				case os.Interrupt:
					inside, keys = wasishell.SIGINT, keys+1
				case syscall.SIGQUIT:
					inside, keys = wasishell.SIGQUIT, keys+1
				case syscall.SIGHUP:
					inside = wasishell.SIGHUP
				default:
					terminated = true
				}
				switch {
				case keys > 1:
					sess.Kill()
					continue
				case keys == 0:
					late = time.After(grace)
				}
				if tty && (inside == wasishell.SIGHUP || inside == wasishell.SIGTERM) {
					_ = sess.HangUp() // it has a terminal
					continue
				}
				_ = sess.Signal(inside) // it may have ended meanwhile
			}
		}
	}()
	return func() bool {
		close(done)
		<-ended
		return terminated
	}
}
