// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"
)

// Tools returns the tools in order: exec_command, write_stdin, and the
// extensions where Options.Strict is not set, after Options.Configure has had
// its say. Their calls ask for approvals, and turn failures into text.
func (m *Manager) Tools() []Tool {
	set := ToolSet{ExecCommand: m.execTool(), Scope: m.scope}
	if m.backend.Interactive() {
		set.WriteStdin = m.writeTool()
		if !m.opt.Strict {
			set.Extensions = m.extensions()
		}
	}
	if m.opt.Configure != nil {
		m.opt.Configure(&set)
	}
	var list []Tool
	for _, t := range append([]*Tool{set.ExecCommand, set.WriteStdin}, set.Extensions...) {
		if t != nil && t.Call != nil {
			own := *t
			own.Call = m.guarded(own)
			list = append(list, own)
		}
	}
	return list
}

func (m *Manager) execTool() *Tool {
	return &Tool{
		Name:          "exec_command",
		Description:   "Runs a command in a PTY, returning output or a session ID for ongoing interaction.",
		InputSchema:   execCommandSchema(m.opt.Strict),
		OutputSchema:  responseSchema(),
		NeedsApproval: m.opt.ExecApproval,
		Call: func(ctx context.Context, c Call) (Result, error) {
			begin := m.opt.Clock.Now()
			x, err := m.parseExecCommand(parseArguments(c.Args))
			if err != nil {
				return m.failed(ctx, begin, "exec_command", err)
			}
			r, err := m.execCommand(ctx, &x, begin)
			if err != nil {
				return m.failed(ctx, begin, "exec_command", err)
			}
			return r.result(), nil
		},
	}
}

func (m *Manager) writeTool() *Tool {
	return &Tool{
		Name:          "write_stdin",
		Description:   "Writes characters to an existing unified exec session and returns recent output.",
		InputSchema:   writeStdinSchema(),
		OutputSchema:  responseSchema(),
		NeedsApproval: m.opt.WriteApproval,
		Call: func(ctx context.Context, c Call) (Result, error) {
			begin := m.opt.Clock.Now()
			x, err := parseWriteStdin(parseArguments(c.Args))
			if err != nil {
				return m.failed(ctx, begin, "write_stdin", err)
			}
			r, err := m.writeStdin(ctx, &x, begin)
			if err != nil {
				return m.failed(ctx, begin, "write_stdin", err)
			}
			return r.result(), nil
		},
	}
}

// result returns the response as that of a tool.
func (r Response) result() Result { return Result{Text: r.Text(), Structured: r} }

// failed makes of an error the result of a tool.
func (m *Manager) failed(ctx context.Context, begin time.Time, tool string, err error) (Result, error) {
	var r Response
	gone := (*sessionError)(nil)
	switch {
	case errors.As(err, &gone):
		r, err = m.message(begin, 1, tool+" failed: "+err.Error())
	case errors.Is(err, ErrNoStdin):
		r, err = m.message(begin, 1, noStdinText)
	default:
		r, err = m.failure(ctx, begin, tool, err)
	}
	if err != nil {
		return Result{}, err
	}
	return Result{Text: r.Text(), Structured: r, IsError: true}, nil
}

// guarded returns a tool's call behind its approvals.
func (m *Manager) guarded(t Tool) func(context.Context, Call) (Result, error) {
	return func(ctx context.Context, c Call) (Result, error) {
		denied, err := m.denied(ctx, &t, &c)
		switch {
		case err != nil && (m.opt.RaiseErrors || ctx.Err() != nil):
			return Result{}, err
		case err != nil:
			return Result{Text: m.masks().text(decode([]byte(t.Name + " failed: " + err.Error()))), IsError: true}, nil
		case denied != "":
			return Result{Text: denied, IsError: true}, nil
		}
		r, err := t.Call(ctx, c)
		if err != nil && !m.opt.RaiseErrors && ctx.Err() == nil { // of a tool that Configure put there
			return Result{Text: m.masks().text(decode([]byte(t.Name + " failed: " + err.Error()))), IsError: true}, nil
		}
		return r, err
	}
}

// denied returns why a call may not go on, as a text for the model, or "".
func (m *Manager) denied(ctx context.Context, t *Tool, c *Call) (string, error) {
	if t.NeedsApproval == nil {
		return "", nil
	}
	args := map[string]any{}
	if len(c.Args) > 0 && (json.Unmarshal(c.Args, &args) != nil || args == nil) {
		return "", &ArgumentError{What: "are no JSON object"}
	}
	needed, err := t.NeedsApproval(ctx, args, c.ID)
	if err != nil || !needed {
		return "", err
	}
	if m.opt.Approve == nil {
		return deniedText, nil
	}
	d, err := m.opt.Approve(ctx, ApprovalRequest{CallID: c.ID, Tool: t.Name, Args: args, Summary: m.summary(t, c)})
	switch {
	case err != nil:
		return "", err
	case d.Approved:
		return "", nil
	case d.Message != "":
		return d.Message, nil
	}
	return deniedText, nil
}

// summary says what a call will do.
func (m *Manager) summary(t *Tool, c *Call) string {
	a := parseArguments(c.Args)
	if t.Name == "exec_command" {
		x, err := m.parseExecCommand(a)
		if err == nil {
			var dir string
			if dir, err = m.workdir(x.Workdir); err == nil {
				return visible(displayCommand(dir, x.Cmd))
			}
		}
		return visible(t.Name + ": " + err.Error())
	}
	text := t.Name
	switch t.Name {
	case "write_stdin", "send_signal", "close_stdin", "resize_terminal":
	default: // all of it
		text += " " + visible(string(c.Args))
	}
	if id := a.number("session_id", false, true, -1<<63); id != nil {
		text += " on session " + strconv.FormatInt(*id, 10)
		if s, err := m.find(*id); err == nil {
			text += " (" + visible(displayCommand(s.info.Dir, s.info.Command)) + ")"
		}
	}
	for _, name := range []string{"chars", "signal"} {
		if s := a.optionalText(name); s != nil {
			text += ": " + visible(*s)
		}
	}
	return text
}
