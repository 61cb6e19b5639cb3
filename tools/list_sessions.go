// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// SessionStatus describes a session of the table.
type SessionStatus struct {
	SessionID int    `json:"session_id"`
	Command   string `json:"command"`
	Dir       string `json:"dir,omitempty"`
	PID       int    `json:"pid,omitempty"` // inside the sandbox, while it runs
	TTY       bool   `json:"tty"`
	Stdin     bool   `json:"stdin"`
	Running   bool   `json:"running"`
	// ExitCode is that of a command whose end no call has reported yet.
	ExitCode *int `json:"exit_code,omitempty"`
	// AgeSeconds is the time since the start, IdleSeconds since the last
	// call.
	AgeSeconds  float64 `json:"age_seconds"`
	IdleSeconds float64 `json:"idle_seconds"`
	// UnreadBytes is the output that no call has returned, UnsentBytes the
	// input that the command has not taken.
	UnreadBytes int64 `json:"unread_bytes"`
	UnsentBytes int64 `json:"unsent_bytes"`
}

// ListSessions returns the sessions of the table, the last used first.
func (m *Manager) ListSessions() []SessionStatus {
	type entry struct {
		s    *session
		p    Process
		stat SessionStatus
	}
	m.mu.Lock()
	now := m.opt.Clock.Now()
	list := make([]entry, 0, len(m.sessions))
	for id, s := range m.sessions {
		list = append(list, entry{s, m.active[s], SessionStatus{
			SessionID: id, Command: s.info.Command, Dir: s.info.Dir, TTY: s.info.TTY, Stdin: s.info.Stdin,
			AgeSeconds: now.Sub(s.info.Started).Seconds(), IdleSeconds: now.Sub(s.lastUsed).Seconds(),
		}})
	}
	m.mu.Unlock()
	out := make([]SessionStatus, 0, len(list))
	for _, e := range list {
		st := e.stat
		st.UnsentBytes = e.s.in.unsent()
		if st.Running = !e.s.hasEnded(); !st.Running {
			st.ExitCode = &e.s.exit.Code
		} else if e.p != nil {
			st.PID = e.p.PID()
		}
		e.s.mu.Lock()
		st.UnreadBytes = e.s.fresh
		e.s.mu.Unlock()
		out = append(out, st)
	}
	slices.SortFunc(out, func(a, b SessionStatus) int {
		return cmp.Or(cmp.Compare(a.IdleSeconds, b.IdleSeconds), cmp.Compare(a.SessionID, b.SessionID))
	})
	return out
}

// maxListed bounds the characters shown of a command.
const maxListed = 200

func listText(list []SessionStatus) string {
	if len(list) == 0 {
		return "No sessions."
	}
	var b strings.Builder
	for _, s := range list {
		state := "running"
		if s.ExitCode != nil {
			state = fmt.Sprintf("exited with code %d", *s.ExitCode)
		}
		kind := "pipe"
		if s.TTY {
			kind = "tty"
		}
		cmd := []rune(visible(strings.Join(strings.Fields(s.Command), " ")))
		if len(cmd) > maxListed {
			cmd = append(cmd[:maxListed-1], '…')
		}
		fmt.Fprintf(&b, "Session %d: %s, %s, started %.1f s ago, idle %.1f s, %s unread: %s\n",
			s.SessionID, state, kind, s.AgeSeconds, s.IdleSeconds, bytesText(s.UnreadBytes), string(cmd))
	}
	return b.String()
}

func (m *Manager) listTool() *Tool {
	return &Tool{
		Name:         "list_sessions",
		Description:  "Lists the sessions that exec_command started and that are running, or whose exit was not reported yet.",
		InputSchema:  objectSchema(),
		OutputSchema: objectSchema(property{"sessions", `"type":"array","items":{"type":"object"}`, "The sessions, the last used first.", true}),
		ReadOnly:     true,
		Call: m.extension("list_sessions", func(x *extensionCall) (Result, error) {
			list, masks := m.ListSessions(), m.masks()
			for i := range list {
				list[i].Command = masks.text(list[i].Command)
			}
			return Result{Text: masks.text(listText(list)), Structured: map[string]any{"sessions": list}}, nil
		}),
	}
}
