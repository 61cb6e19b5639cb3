// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/wsandbox/wsandbox/tools/eventlog"
	"github.com/wsandbox/wsandbox/wasishell"
)

// tracer writes the event log of --trace. All methods do nothing on nil, which
// is no trace. What cannot be written does not disturb the command: close
// returns it.
type tracer struct {
	log     *eventlog.Log
	session uint64
	streams []io.Closer
	size    wasishell.Winsize // the last one recorded

	mu  sync.Mutex
	err error
}

// openTrace opens the event log in the file, "" is none.
func openTrace(file string) (*tracer, error) {
	if file == "" {
		return nil, nil
	}
	log, err := eventlog.OpenLog(file, eventlog.Options{})
	if err != nil {
		return nil, fmt.Errorf("--trace: %w", err)
	}
	return &tracer{log: log, session: log.LastSession() + 1}, nil
}

func (t *tracer) fail(err error) {
	if errors.Is(err, eventlog.ErrClosed) {
		return // input that was read after the command had ended
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		t.err = err
	}
}

func (t *tracer) append(e eventlog.Event) {
	if t == nil {
		return
	}
	e.Session = t.session
	if err := t.log.Append(e); err != nil {
		t.fail(err)
	}
}

// attach records that cmd starts in dir and sends its streams through the log.
func (t *tracer) attach(cmd *wasishell.Cmd, dir string) {
	if t == nil {
		return
	}
	if dir == "" {
		dir = "/workspace"
	}
	start := eventlog.Event{Kind: eventlog.KindStart, Dir: dir, User: cmd.User}
	out := "stdout"
	if cmd.TTY != nil {
		start.TTY, start.Rows, start.Cols = true, int(cmd.TTY.Rows), int(cmd.TTY.Cols)
		out = "terminal"
		t.size = *cmd.TTY
	}
	t.append(start)
	t.append(eventlog.Event{Kind: eventlog.KindSpawn, Args: cmd.Args, Dir: dir, User: cmd.User})

	one := cmd.Stderr == cmd.Stdout // keeps the order
	cmd.Stdout = t.output(cmd.Stdout, out)
	switch {
	case cmd.Stderr == nil:
	case one:
		cmd.Stderr = cmd.Stdout
	default:
		cmd.Stderr = t.output(cmd.Stderr, "stderr")
	}
	if cmd.Stdin != nil {
		s := t.stream(eventlog.KindInput, "")
		cmd.Stdin = &tracedReader{t, cmd.Stdin, s}
	}
}

func (t *tracer) stream(k eventlog.Kind, name string) io.Writer {
	s := t.log.Stream(t.session, k, name)
	t.streams = append(t.streams, s)
	return s
}

func (t *tracer) output(w io.Writer, name string) io.Writer {
	return &tracedWriter{t, w, t.stream(eventlog.KindOutput, name)}
}

// tracedWriter records what w takes.
type tracedWriter struct {
	t *tracer
	w io.Writer
	s io.Writer
}

func (w *tracedWriter) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	if n > 0 && n <= len(p) {
		if _, err := w.s.Write(p[:n]); err != nil {
			w.t.fail(err)
		}
	}
	return n, err
}

// SetWriteDeadline hands a deadline on: it ends a call of Write.
func (w *tracedWriter) SetWriteDeadline(t time.Time) error {
	if d, ok := w.w.(interface{ SetWriteDeadline(time.Time) error }); ok {
		return d.SetWriteDeadline(t)
	}
	return os.ErrNoDeadline
}

// tracedReader records what is read of r.
type tracedReader struct {
	t *tracer
	r io.Reader
	s io.Writer
}

func (r *tracedReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if n > 0 && n <= len(p) {
		if _, err := r.s.Write(p[:n]); err != nil {
			r.t.fail(err)
		}
	}
	return n, err
}

// SetReadDeadline hands a deadline on: it ends a call of Read where the command
// ends first.
func (r *tracedReader) SetReadDeadline(t time.Time) error {
	if d, ok := r.r.(interface{ SetReadDeadline(time.Time) error }); ok {
		return d.SetReadDeadline(t)
	}
	return os.ErrNoDeadline
}

// resize records a new size of the terminal. Calls come one at a time.
func (t *tracer) resize(ws wasishell.Winsize) {
	if t == nil || ws == t.size {
		return
	}
	t.size = ws
	t.append(eventlog.Event{Kind: eventlog.KindResize, Rows: int(ws.Rows), Cols: int(ws.Cols)})
}

// exit records the end of the command.
func (t *tracer) exit(res wasishell.Result) {
	if t == nil {
		return
	}
	t.flush()
	for _, l := range res.Reached {
		t.append(eventlog.Event{Kind: eventlog.KindLimit, Limit: l.String()})
	}
	code := res.ExitCode()
	e := eventlog.Event{Kind: eventlog.KindExit, Code: &code}
	if res.Status.Signaled() {
		e.Signal = res.Status.Signal().String()
	}
	if res.Limit != wasishell.LimitNone {
		e.Limit = res.Limit.String()
	}
	t.append(e)
}

// failed records that the command could not be started. The error may name
// places of the host, so it is not told.
func (t *tracer) failed() {
	code := exitFailure
	t.append(eventlog.Event{Kind: eventlog.KindExit, Code: &code, Reason: "could not be started"})
}

func (t *tracer) flush() {
	for _, s := range t.streams {
		if err := s.Close(); err != nil {
			t.fail(err)
		}
	}
}

// close ends the log and tells on std what could not be written.
func (t *tracer) close(std stdio) {
	if t == nil {
		return
	}
	err := t.log.Close()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil && !errors.Is(err, t.err) { // the log returns its error again
		err = errors.Join(t.err, err)
	}
	if err != nil {
		fmt.Fprintln(std.err, "wsandbox: --trace:", err)
	}
}
