// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"time"
)

// WaitSessionArgs are the arguments of wait_session.
type WaitSessionArgs struct {
	SessionID int64
	// Pattern is a regular expression that the call waits for, in what no
	// call has returned and what follows, line by line. Nil waits for the
	// end of the command only.
	Pattern *regexp.Regexp
	// Timeout bounds the wait: a minute where 0, and at most
	// Options.MaxWait.
	Timeout         time.Duration
	MaxOutputTokens *int64
}

const defaultSessionWait = time.Minute

// WaitSession waits until a session's command ends or a pattern shows in its
// output, and returns the output so far. Other calls may use the session
// meanwhile. Its error is that of ctx, or tells that there is no such session.
func (m *Manager) WaitSession(ctx context.Context, x WaitSessionArgs) (Response, error) {
	return m.waitSession(ctx, &x, m.opt.Clock.Now())
}

func (m *state) waitSession(ctx context.Context, x *WaitSessionArgs, begin time.Time) (Response, error) {
	s, err := m.find(x.SessionID)
	if err != nil {
		return Response{}, err
	}
	d := x.Timeout
	if d <= 0 {
		d = defaultSessionWait
	}
	d = min(d, m.opt.MaxWait)
	var hit chan struct{}
	if x.Pattern != nil {
		w, stop := s.watch(x.Pattern)
		defer stop()
		hit = w.hit
	}
	if err := m.await(ctx, s, d, hit); errors.Is(err, errGone{}) {
		return Response{}, &sessionError{strconv.FormatInt(x.SessionID, 10)}
	} else if err != nil {
		return Response{}, err
	}
	r, err := m.visit(ctx, x.SessionID, func(s *session) (Response, bool, error) {
		return m.respond(s, begin, x.MaxOutputTokens)
	})
	if err != nil {
		return r, err
	}
	matched := false
	select {
	case <-hit:
		matched = true
	default:
	}
	if x.Pattern != nil {
		r.Matched = &matched
	}
	if r.SessionID != nil && !matched {
		r.Output += fmt.Sprintf("\n[the process is still running after %g seconds of waiting]", d.Seconds())
	}
	return r, nil
}

// Bounds of a pattern of the tool. The time that a line takes is in proportion to
// the instructions, and while a line is matched its session takes no output.
const (
	maxPattern      = 4 << 10 // bytes
	maxInstructions = 500
)

var errPattern = errors.New("it is too large")

// compilePattern is regexp.Compile for a pattern that nobody has looked at.
func compilePattern(p string) (*regexp.Regexp, error) {
	if len(p) > maxPattern {
		return nil, errPattern
	}
	re, err := syntax.Parse(p, syntax.Perl)
	if err != nil {
		return nil, err
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, err
	}
	if len(prog.Inst) > maxInstructions {
		return nil, errPattern
	}
	return regexp.Compile(p)
}

func (m *Manager) waitTool() *Tool {
	return &Tool{
		Name:        "wait_session",
		Description: "Waits until a running session exits, or until a pattern shows in its output, and returns the recent output. Use it instead of polling with write_stdin.",
		InputSchema: objectSchema(sessionProperty(),
			property{"pattern", typeOptional, "Regular expression (RE2) to wait for, line by line.", false},
			property{"timeout_ms", `"type":"integer","minimum":0,"maximum":` + strconv.FormatInt(m.opt.MaxWait.Milliseconds(), 10) + `,"default":60000`, "How long to wait (in milliseconds) at most.", false},
			property{"max_output_tokens", typeOptionalInt, maxTokensText, false}),
		OutputSchema: responseSchema(),
		Call: m.extension("wait_session", func(x *extensionCall) (Result, error) {
			w := WaitSessionArgs{SessionID: x.sessionID()}
			if p := x.args.optionalText("pattern"); p != nil && *p != "" {
				re, err := compilePattern(*p)
				if err != nil {
					x.args.fail("pattern", "is not valid: %v", err)
				}
				w.Pattern = re
			}
			if ms := x.args.number("timeout_ms", false, true, 0); ms != nil {
				w.Timeout = time.Duration(max(1, min(*ms, m.opt.MaxWait.Milliseconds()))) * time.Millisecond
			}
			w.MaxOutputTokens = x.args.number("max_output_tokens", false, true, 1)
			if x.args.err != nil {
				return Result{}, x.args.err
			}
			r, err := m.waitSession(x.ctx, &w, x.begin)
			if err != nil {
				return Result{}, err
			}
			return r.result(), nil
		}),
	}
}
