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
	sb, err := wasishell.New(ctx, cfg)
	if err != nil {
		return failJSON(o, std, err)
	}
	defer sb.Close()

	cmd := sb.Command(command[0], command[1:]...)
	cmd.Timeout = o.timeout
	cmd.Stdin = std.in
	var report *jsonReport
	if o.json {
		report = newReport(cfg.Limits.Output)
		cmd.Stdout, cmd.Stderr = &report.stdout, &report.stderr
	} else {
		cmd.Stdout, cmd.Stderr = std.out, std.err
		if sameStream(std.out, std.err) {
			cmd.Stderr = cmd.Stdout // one description keeps the order
		}
	}

	sess, err := cmd.Start(ctx)
	if err != nil {
		return failJSON(o, std, err)
	}
	stop := forwardSignals(sess)
	waitErr := sess.Wait()
	stop()
	res := sess.Result()

	status := res.ExitCode()
	timedOut := res.Limit == wasishell.LimitWall
	if timedOut {
		status = exitTimeout
	}
	if report != nil {
		return report.print(std, res, status, timedOut)
	}
	switch x := (*wasishell.ExitError)(nil); {
	case timedOut:
		fmt.Fprintf(std.err, "wsandbox: timed out after %v\n", o.timeout)
	case res.Limit != wasishell.LimitNone:
		fmt.Fprintf(std.err, "wsandbox: limit reached: %v\n", res.Limit)
	case waitErr != nil && !errors.As(waitErr, &x):
		return fail(std, waitErr)
	case x != nil && x.Err != nil:
		fmt.Fprintln(std.err, "wsandbox:", x.Err)
	}
	return status
}

// forwardSignals hands the signals of a terminal and of a supervisor to the
// programs inside: the second interrupt, or the end of the grace after a
// termination, kills them.
func forwardSignals(sess *wasishell.Session) (stop func()) {
	ch := make(chan os.Signal, 4)
	done := make(chan struct{})
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM)
	go func() {
		interrupts := 0
		var late <-chan time.Time
		for {
			select {
			case <-done:
				return
			case <-late:
				sess.Kill()
			case s := <-ch:
				if s != os.Interrupt {
					_ = sess.Signal(wasishell.SIGTERM) // it may have ended meanwhile
					late = time.After(grace)
					continue
				}
				if interrupts++; interrupts > 1 {
					sess.Kill()
					continue
				}
				_ = sess.Signal(wasishell.SIGINT) // it may have ended meanwhile
			}
		}
	}()
	return func() {
		signal.Stop(ch)
		close(done)
	}
}
