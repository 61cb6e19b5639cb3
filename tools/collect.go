// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"context"
	"math"
	"time"
)

// errGone is the result of waiting for a session that was taken away.
type errGone struct{}

func (errGone) Error() string { return "the session is gone" }

// takeTurn waits until no other call reads from the session.
func (s *session) takeTurn(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	default:
	}
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-s.gone:
		return errGone{}
	}
}

func (s *session) giveTurn() { <-s.turn }

// await waits until the window is over, the command has ended or done is closed.
// Its error is that of ctx, or errGone.
func (m *state) await(ctx context.Context, s *session, window time.Duration, done <-chan struct{}) error {
	if s.hasEnded() {
		return given(ctx)
	}
	c, stop := m.opt.Clock.Timer(window)
	defer stop()
	select {
	case <-s.ended:
	case <-c:
	case <-done:
	case <-s.gone:
		return errGone{}
	case <-ctx.Done():
	}
	return given(ctx)
}

// given returns the cause of ctx where the caller has given up: it would get
// output that no other call can have.
func given(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// respond takes the output of a session into a response. It tells whether the
// command has ended, which is so once: the caller takes the session out of the
// table.
//
// Preconditions: the caller has the session's turn.
func (m *state) respond(s *session, begin time.Time, maxTokens *int64) (r Response, ended bool, err error) {
	// In this order: what has ended writes no more.
	ended = s.hasEnded()
	d := s.drain(ended)
	text := d.head
	if d.omitted > 0 {
		text += omittedNote(d.omitted) + d.tail
	}
	r.OmittedBytes = d.omitted
	m.fit(&r, text, d.omitted, maxTokens)
	t := s.transcript
	if s.clean {
		// The transcript is that of what was written.
		t = &transcript{kept: headTail{max: m.opt.KeepBytes}}
		if r.OriginalTokenCount != nil {
			t.write([]byte(text))
		}
		d.from, d.to = 0, t.total()
	}
	if r.ChunkID, err = m.chunkID(t, d.from, d.to); err != nil {
		return r, ended, err
	}
	if ended {
		r.ExitCode = &s.exit.Code
		m.noteLimit(&r, s.exit)
	} else {
		r.UnsentBytes = s.in.unsent()
		if r.UnsentBytes > 0 && !m.opt.Strict {
			r.Output += "\n[" + bytesText(r.UnsentBytes) + " of input wait until the process reads them]"
		}
	}
	r.WallTimeSeconds = m.since(begin)
	return r, ended, nil
}

// noteLimit tells of a limit that ended a command.
func (m *state) noteLimit(r *Response, e Exit) {
	if r.Limit = e.Limit; e.Limit != "" && !m.opt.Strict {
		r.Output += "\n[the command reached a limit of the sandbox: " + e.Limit + "]"
	}
}

// fit puts text into the response, cut to the number of tokens asked for.
func (m *state) fit(r *Response, text string, omitted int64, maxTokens *int64) {
	r.Output = text
	limit := int64(m.opt.MaxOutputTokens)
	if maxTokens != nil && (limit == 0 || *maxTokens < limit) {
		limit = *maxTokens
	} else if limit == 0 {
		limit = -1
	}
	count := 0
	if limit >= 0 {
		r.Output, count = Truncate(text, int(min(limit, 1<<30)))
	}
	if omitted > 0 {
		count = Tokens(len(text) - len(omittedNote(omitted)) + int(min(omitted, math.MaxInt32)))
	}
	if count > 0 {
		r.OriginalTokenCount = &count
	}
}
