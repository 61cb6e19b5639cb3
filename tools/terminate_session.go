// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// terminateGrace is how long a command may take to end by itself.
const terminateGrace = 500 * time.Millisecond

// TerminateSession ends a session's processes, by SIGTERM and, where that does
// not do it within half a second, by SIGKILL. It returns the rest of the output
// and the exit code, but for what a call under way returned already. Its error
// is that of ctx, or tells that there is no such session.
func (m *Manager) TerminateSession(ctx context.Context, id int64) (Response, error) {
	return m.terminate(ctx, id, m.opt.Clock.Now(), nil)
}

func (m *state) terminate(ctx context.Context, id int64, begin time.Time, maxTokens *int64) (Response, error) {
	s, err := m.find(id)
	if err != nil {
		return Response{}, err
	}
	if p := m.process(s); p != nil {
		_ = p.Signal(abi.SIGTERM) // ESRCH: it has just ended
		_ = p.Signal(abi.SIGCONT)
		if err := m.await(ctx, s, terminateGrace, nil); err != nil && !errors.Is(err, errGone{}) {
			return Response{}, err
		}
		p.Kill()
		select {
		case <-s.ended:
		case <-ctx.Done():
			return Response{}, context.Cause(ctx)
		}
	}
	r, err := m.visit(ctx, id, func(s *session) (Response, bool, error) { return m.respond(s, begin, maxTokens) })
	if gone := (*sessionError)(nil); errors.As(err, &gone) && s.hasEnded() {
		r, err = m.message(begin, s.exit.Code, "")
	}
	return r, err
}

// TerminateAll kills the processes of all sessions and empties the table. It
// does not wait, and returns how many there were.
func (m *Manager) TerminateAll() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.sessions)
	for id, s := range m.sessions {
		if p := m.active[s]; p != nil {
			p.Kill()
		}
		m.removeLocked(id, true)
	}
	return n
}

func (m *Manager) terminateTool() *Tool {
	return &Tool{
		Name:        "terminate_session",
		Description: "Ends all processes of a session and returns its last output and exit code; with all=true, ends every session.",
		InputSchema: objectSchema(
			property{"session_id", `"anyOf":[{"type":"integer"},{"type":"null"}],"default":null`, sessionIDText, false},
			property{"all", `"type":"boolean","default":false`, "Whether to end every session. Defaults to false.", false},
			property{"max_output_tokens", typeOptionalInt, maxTokensText, false},
		),
		OutputSchema:  responseSchema(),
		NeedsApproval: m.opt.WriteApproval,
		Call: m.extension("terminate_session", func(x *extensionCall) (Result, error) {
			id := x.args.number("session_id", false, true, -1<<63)
			all := x.args.flag("all", false)
			limit := x.args.number("max_output_tokens", false, true, 1)
			if !all && id == nil {
				x.args.fail("session_id", "is required")
			}
			if x.args.err != nil {
				return Result{}, x.args.err
			}
			var r Response
			var err error
			if all {
				n := m.TerminateAll()
				r, err = m.message(x.begin, 0, fmt.Sprintf("Terminated %d sessions.", n))
			} else {
				r, err = m.terminate(x.ctx, *id, x.begin, limit)
			}
			if err != nil {
				return Result{}, err
			}
			return r.result(), nil
		}),
	}
}
