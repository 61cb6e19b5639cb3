// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestApproval(t *testing.T) {
	clock := &fakeClock{step: time.Millisecond}
	b := &fakeBackend{start: func(p *fakeProcess) {
		if p.spec.TTY {
			p.onWrite = func([]byte) { p.exit(0) }
			return
		}
		p.output("ran")
		p.exit(0)
	}}
	var asked []ApprovalRequest
	decision := Decision{Approved: true}
	var failure error
	m := fakeManager(t, b, Options{
		Clock: clock,
		ExecApproval: func(_ context.Context, args map[string]any, id string) (bool, error) {
			require.Equal(t, "1", id)
			return args["cmd"] != "free", failure
		},
		WriteApproval: Always,
		Approve: func(_ context.Context, r ApprovalRequest) (Decision, error) {
			asked = append(asked, r)
			clock.advance(time.Hour) // a person thinks
			return decision, nil
		},
	})
	for _, c := range []struct {
		name, args string
		decision   Decision
		summary    string
		text       string // the end of what the model reads
		isError    bool
	}{
		{"needs none", `{"cmd":"free"}`, Decision{}, "", "Output:\nran", false},
		{"approved", `{"cmd":"rm x","workdir":"a b"}`, Decision{Approved: true}, "cd '/workspace/a b' && rm x", "Output:\nran", false},
		{"denied", `{"cmd":"rm x"}`, Decision{}, "rm x", deniedText, true},
		{"denied with words", `{"cmd":"rm x"}`, Decision{Message: "Ask me later."}, "rm x", "Ask me later.", true},
		{"what hides", `{"cmd":"echo \u001b[2J\u202egpj.sh\r\u0000"}`, Decision{}, "exec_command: cmd must not contain NUL", deniedText, true},
		{"what hides, valid", `{"cmd":"echo \u001b[2J\u202egpj.sh\r\n\u00ad"}`, Decision{}, `echo \x1b[2J\u202egpj.sh\r` + "\n" + `\u00ad`, deniedText, true},
		{"not valid", `{"cmd":1}`, Decision{Approved: true}, "exec_command: cmd must be a string", "exec_command failed: cmd must be a string", true},
		{"no object", `[1]`, Decision{}, "", "exec_command failed: arguments are no JSON object: json: cannot unmarshal array into Go value of type map[string]jsontext.Value", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked, decision = nil, c.decision
			r, err := callTool(t, m, "exec_command", c.args)
			require.NoError(t, err)
			require.Equal(t, c.isError, r.IsError)
			if c.name == "no object" {
				require.Contains(t, r.Text, c.text[:len("exec_command failed: arguments are no JSON object")])
			} else {
				require.Equal(t, c.text, r.Text[len(r.Text)-len(c.text):])
			}
			if c.summary == "" {
				require.Empty(t, asked)
				return
			}
			require.Len(t, asked, 1)
			require.Equal(t, c.summary, asked[0].Summary)
			require.Equal(t, "exec_command", asked[0].Tool)
			if c.decision.Approved && !c.isError {
				require.Less(t, r.Structured.(Response).WallTimeSeconds, 1.0, "waiting for a person does not count")
			}
		})
	}

	// Input needs approvals, too, and says where it goes.
	clock.setFire(func(time.Duration) time.Duration { return 0 })
	r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "python\x1b", TTY: true})
	require.NoError(t, err)
	id := itoa(*r.SessionID)
	for _, c := range []struct{ tool, args, summary string }{
		{"write_stdin", `{"session_id":` + id + `,"chars":"rm -rf ~\n\u0003"}`, "write_stdin on session " + id + " (python\\x1b): rm -rf ~\n\\x03"},
		{"send_signal", `{"session_id":` + id + `,"signal":"INT"}`, "send_signal on session " + id + " (python\\x1b): INT"},
		{"terminate_session", `{"session_id":` + id + `}`, `terminate_session {"session_id":` + id + `} on session ` + id + " (python\\x1b)"},
		{"close_stdin", `{"session_id":1}`, "close_stdin on session 1"},
		{"resize_terminal", `{"session_id":` + id + `,"rows":2,"cols":3}`, "resize_terminal on session " + id + " (python\\x1b)"},
	} {
		asked, decision = nil, Decision{}
		r, err := callTool(t, m, c.tool, c.args)
		require.NoError(t, err)
		require.Equal(t, Result{Text: deniedText, IsError: true}, r)
		require.Len(t, asked, 1)
		require.Equal(t, c.summary, asked[0].Summary)
	}
	for _, tool := range []string{"list_sessions", "read_screen", "read_output"} {
		asked = nil
		_, err := callTool(t, m, tool, `{"session_id":`+id+`}`)
		require.NoError(t, err)
		require.Empty(t, asked, "%s changes nothing", tool)
	}
	require.Len(t, m.ListSessions(), 1, "nothing was done")

	failure = errors.New("policy is not reachable")
	got, err := callTool(t, m, "exec_command", `{"cmd":"x"}`)
	require.NoError(t, err)
	require.Equal(t, Result{Text: "exec_command failed: policy is not reachable", IsError: true}, got)

	// Without anybody to ask, what needs an approval is denied.
	m = fakeManager(t, b, Options{ExecApproval: Always})
	got, err = callTool(t, m, "exec_command", `{"cmd":"x"}`)
	require.NoError(t, err)
	require.Equal(t, Result{Text: "Tool execution was not approved.", IsError: true}, got)
}
