// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"context"
	"errors"
	"strconv"
	"time"
)

// WriteStdinArgs are the arguments of write_stdin. Nil pointers stand for the
// defaults.
type WriteStdinArgs struct {
	SessionID int64
	// Chars is sent as it is; empty only waits for output.
	Chars string
	// YieldTimeMS is the window in milliseconds: 250 where nil, and at
	// least 5000 where Chars is empty.
	YieldTimeMS *int64
	// MaxOutputTokens bounds the output returned: nil does not.
	MaxOutputTokens *int64
}

// errNotInteractive is the contract's.
var errNotInteractive = errors.New("write_stdin is not available for non-PTY sandboxes")

// noStdinText is what a model reads that writes to a command without input.
const noStdinText = "stdin is not available for this process. Start the command with `tty=true` in `exec_command` before using `write_stdin`."

// parseWriteStdin decodes the arguments of write_stdin. Its error is an
// [*ArgumentError].
func parseWriteStdin(a *arguments) (x WriteStdinArgs, err error) {
	if id := a.number("session_id", true, false, -1<<63); id != nil {
		x.SessionID = *id
	}
	x.Chars = a.text("chars", false)
	x.YieldTimeMS = a.number("yield_time_ms", false, false, 0)
	x.MaxOutputTokens = a.number("max_output_tokens", false, true, 1)
	return x, a.err
}

func (x *WriteStdinArgs) check() error {
	switch {
	case x.YieldTimeMS != nil && *x.YieldTimeMS < 0:
		return &ArgumentError{"yield_time_ms", "must be at least 0"}
	case x.MaxOutputTokens != nil && *x.MaxOutputTokens < 1:
		return &ArgumentError{"max_output_tokens", "must be at least 1"}
	}
	return nil
}

// WriteStdin sends input to a session and returns its output up to the end of
// the window or of the command, whichever is first. The input waits until the
// command reads it, and the call does not.
//
// Where ctx is done before that, its cause is returned, and the output is left
// to the next call. Every other failure is a response with the failure as its
// output, or an error with Options.RaiseErrors, but for those that the contract
// has as text.
func (m *Manager) WriteStdin(ctx context.Context, x WriteStdinArgs) (Response, error) {
	begin := m.opt.Clock.Now()
	r, err := m.writeStdin(ctx, &x, begin)
	if err == nil {
		return r, nil
	}
	gone := (*sessionError)(nil)
	switch {
	case errors.As(err, &gone):
		return m.message(begin, 1, "write_stdin failed: "+err.Error())
	case errors.Is(err, ErrNoStdin):
		return m.message(begin, 1, noStdinText)
	}
	return m.failure(ctx, begin, "write_stdin", err)
}

func (m *state) writeStdin(ctx context.Context, x *WriteStdinArgs, begin time.Time) (Response, error) {
	if err := x.check(); err != nil {
		return Response{}, err
	}
	if !m.backend.Interactive() {
		return Response{}, errNotInteractive
	}
	return m.visit(ctx, x.SessionID, func(s *session) (Response, bool, error) {
		if x.Chars != "" {
			if err := m.send(s, []byte(x.Chars)); err != nil {
				return Response{}, false, err
			}
			if err := m.await(ctx, s, writePause, nil); err != nil {
				return Response{}, false, err
			}
			if err := s.in.failure(); err != nil {
				return Response{}, false, err
			}
		}
		if err := m.await(ctx, s, writeYield(x.YieldTimeMS, x.Chars == ""), nil); err != nil {
			return Response{}, false, err
		}
		return m.respond(s, begin, x.MaxOutputTokens)
	})
}

// find returns the session with a number. Its error is a [*sessionError].
func (m *state) find(id int64) (*session, error) {
	if int64(int(id)) == id {
		if s := m.lookup(int(id)); s != nil {
			return s, nil
		}
	}
	return nil, &sessionError{strconv.FormatInt(id, 10)}
}

// visit calls f with the turn of a session, and takes its response to the table.
func (m *state) visit(ctx context.Context, id int64, f func(*session) (Response, bool, error)) (Response, error) {
	s, err := m.find(id)
	if err != nil {
		return Response{}, err
	}
	notFound := &sessionError{strconv.FormatInt(id, 10)}
	if err := s.takeTurn(ctx); errors.Is(err, errGone{}) {
		return Response{}, notFound
	} else if err != nil {
		return Response{}, err
	}
	defer s.giveTurn()
	if m.lookup(int(id)) != s { // its end was reported to the call before
		return Response{}, notFound
	}
	r, ended, err := f(s)
	if errors.Is(err, errGone{}) {
		return Response{}, notFound
	} else if err != nil {
		return Response{}, err
	}
	m.settle(s, &r, ended)
	if r.SessionID == nil && !ended {
		return Response{}, notFound
	}
	m.mu.Lock()
	s.lastUsed = m.opt.Clock.Now()
	m.mu.Unlock()
	return r, nil
}

// send gives input to a session.
func (m *state) send(s *session, p []byte) error {
	if !s.info.Stdin {
		return ErrNoStdin
	}
	if err := s.in.add(p, m.opt.MaxInput); err != nil {
		return err
	}
	if s.obs != nil {
		s.mu.Lock()
		if !s.over {
			s.obs.Input(s.info.Serial, p)
		}
		s.mu.Unlock()
	}
	return nil
}
