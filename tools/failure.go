// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"context"
	"errors"
	"time"

	"github.com/wsandbox/wsandbox/wasishell"
)

// exitCodeOf returns the exit code that stands for an error: what a shell
// reports for a command that could not be started, else 1.
func exitCodeOf(err error) int {
	if e := (*wasishell.Error)(nil); errors.As(err, &e) {
		return e.ExitCode()
	}
	return 1
}

// failure makes of an error what a call returns: a response with the error as
// its output and a code, or the error itself where it is to be raised or
// because the caller gave up.
func (m *state) failure(ctx context.Context, begin time.Time, tool string, err error) (Response, error) {
	if m.opt.RaiseErrors || ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return Response{}, err
	}
	return m.message(begin, exitCodeOf(err), tool+" failed: "+err.Error())
}

// message returns a response that says something of its own.
func (m *state) message(begin time.Time, code int, text string) (r Response, err error) {
	if r.ChunkID, err = m.chunkID(nil, 0, 0); err != nil {
		return r, err
	}
	r.ExitCode, r.Output = &code, decode([]byte(m.masks().text(text)))
	r.WallTimeSeconds = m.since(begin)
	return r, nil
}

// sessionError reports a session that is not there. Its text is the contract's.
type sessionError struct{ id string }

func (e *sessionError) Error() string { return "PTY session not found: " + e.id }

// Code returns the error code that clients know.
func (*sessionError) Code() string { return "pty_session_not_found" }
