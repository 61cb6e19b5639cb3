// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wsandbox/wsandbox/tools"
	"github.com/wsandbox/wsandbox/wasishell"
)

// describe returns what clients are told about a tool.
func (s *Server) describe(t *tools.Tool) *mcp.Tool {
	no := false
	d := &mcp.Tool{
		Name: t.Name, Description: t.Description, InputSchema: t.InputSchema,
		Annotations: &mcp.ToolAnnotations{
			Title: title(t.Name), ReadOnlyHint: t.ReadOnly,
			OpenWorldHint: &no, // there is no network
		},
	}
	if len(t.OutputSchema) > 0 {
		d.OutputSchema = t.OutputSchema
	}
	if !t.ReadOnly {
		destructive := s.destructive(t.Name)
		d.Annotations.DestructiveHint = &destructive
	}
	return d
}

// destructive tells whether a tool may destroy anything outside the sandbox's
// memory, or a command that the model has started.
func (s *Server) destructive(name string) bool {
	switch name {
	case "exec_command", "write_stdin":
		return s.cfg.Sandbox.Mode != wasishell.ModeReadOnly
	case "close_stdin", "resize_terminal", "wait_session":
		return false
	}
	return true
}

// title makes a title of a tool's name.
func title(name string) string {
	words := strings.ReplaceAll(name, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// callArgs are the arguments of calls that the server itself looks at.
type callArgs struct {
	Cmd       string `json:"cmd"`
	SessionID int    `json:"session_id"`
}

// handler returns the handler of a tool's calls.
func (s *Server) handler(name string) mcp.ToolHandler {
	return func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		c := s.client(r.Session)
		if c == nil {
			return nil, errEnded
		}
		if n := c.calls.Add(1); n > int64(s.cfg.MaxCalls) {
			c.calls.Add(-1)
			return failure(fmt.Sprintf("%s failed: %d calls are under way, which is all a session may have", name, n-1)), nil
		}
		defer c.calls.Add(-1)
		list, err := c.open()
		if err != nil {
			if errors.Is(err, errEnded) {
				return nil, err
			}
			s.cfg.Logger.Error("a sandbox cannot be made", "session", c.serial, "error", err)
			return failure(name + " failed: the sandbox cannot be made"), nil
		}
		t, ok := list[name]
		if !ok {
			return nil, fmt.Errorf("tool %q is not there in this session", name)
		}
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		defer context.AfterFunc(c.ctx, func() { cancel(errEnded) })()
		return c.call(ctx, &t, r)
	}
}

// call runs a tool.
func (c *client) call(ctx context.Context, t *tools.Tool, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args callArgs
	_ = json.Unmarshal(r.Params.Arguments, &args) // the tool says what is wrong with them
	var measured *tally
	switch {
	case t.Name == "exec_command":
		measured = c.meter.expect(args.Cmd)
		defer c.meter.unexpect(measured)
	default:
		measured = c.meter.of(args.SessionID)
	}
	if token := r.Params.GetProgressToken(); token != nil {
		defer c.report(ctx, token, measured)()
	}
	res, err := t.Call(ctx, tools.Call{ID: callID(r), Args: r.Params.Arguments})
	if err != nil {
		return nil, err
	}
	if x, ok := res.Structured.(tools.Response); ok && x.SessionID != nil && t.Name == "exec_command" {
		c.meter.name(*x.SessionID, measured)
	}
	out := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.ToValidUTF8(res.Text, "\uFFFD")}}, IsError: res.IsError}
	if res.Structured != nil {
		out.StructuredContent = res.Structured
	}
	return out, nil
}

// callID names a call for approvals: some clients send the model's name for it.
func callID(r *mcp.CallToolRequest) string {
	for _, key := range []string{"claudecode/toolUseId", "toolCallId", "callId"} {
		if id, ok := r.Params.Meta[key].(string); ok && len(id) <= 256 {
			return id
		}
	}
	return ""
}

// failure is the result of a call that never reached its tool.
func failure(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: true}
}
