// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package mcpserver

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wsandbox/wsandbox/tools"
)

// Approver decides about calls: see tools.Options.Approve.
type Approver func(ctx context.Context, r tools.ApprovalRequest) (tools.Decision, error)

// maxSummary bounds, in bytes, what a user is asked to read. Nobody can approve
// what is not shown.
const maxSummary = 32 << 10

// denied is what the contract has a model read, and the beginning of all else.
const denied = "Tool execution was not approved."

// approve decides about a call: by the configured function, or by asking the
// client's user.
func (c *client) approve(ctx context.Context, r tools.ApprovalRequest) (tools.Decision, error) {
	cfg := &c.server.cfg
	var d tools.Decision
	var err error
	if cfg.Approve != nil {
		d, err = cfg.Approve(ctx, r)
	} else {
		var reason string
		reason, err = c.ask(ctx, &r)
		d.Approved = err == nil && reason == ""
		if !d.Approved && !cfg.Tools.Strict {
			d.Message = denied + " " + reason
		}
	}
	if err != nil {
		return tools.Decision{}, err
	}
	cfg.Logger.Info("approval", "session", c.serial, "tool", r.Tool, "approved", d.Approved)
	if cfg.Decided != nil {
		cfg.Decided(c.serial, r, d)
	}
	return d, nil
}

// ask asks the client's user. It returns "" where the user accepts, and why not
// otherwise. Its error is that of ctx.
func (c *client) ask(ctx context.Context, r *tools.ApprovalRequest) (reason string, err error) {
	if len(r.Summary) > maxSummary {
		return fmt.Sprintf("It is too long to be shown to the user: %d bytes, at most %d.", len(r.Summary), maxSummary), nil
	}
	asking, cancel := context.WithTimeout(ctx, c.server.cfg.ApprovalTimeout)
	defer cancel()
	answer, err := c.session.Elicit(asking, &mcp.ElicitParams{
		Mode:    "form",
		Message: "Allow " + r.Tool + " to do this in the sandbox?\n\n" + r.Summary,
		RequestedSchema: map[string]any{
			"type": "object", "properties": map[string]any{},
		},
	})
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.Is(asking.Err(), context.DeadlineExceeded):
		return "The user did not answer in time.", nil
	case err != nil:
		c.server.cfg.Logger.Warn("the user cannot be asked", "session", c.serial, "error", err)
		return "The client cannot ask its user.", nil
	case answer.Action == "accept":
		return "", nil
	case answer.Action == "decline":
		return "The user declined.", nil
	}
	return "The user did not answer.", nil
}
