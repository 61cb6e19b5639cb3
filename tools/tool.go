// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"context"
	"encoding/json"
)

// Tool is one call that a model can make.
type Tool struct {
	Name        string
	Description string
	// InputSchema and OutputSchema are JSON schemas, of the arguments and of
	// Result.Structured. Strict tells that no other keys are accepted: false,
	// as unknown ones are ignored.
	InputSchema  json.RawMessage
	OutputSchema json.RawMessage
	Strict       bool
	// ReadOnly tells that the call changes nothing.
	ReadOnly bool
	// NeedsApproval tells which calls need one: nil none.
	NeedsApproval NeedsApproval
	// Call runs the tool. The tools that [Manager.Tools] returns ask for
	// approvals themselves, and return an error only where ctx is done or
	// Options.RaiseErrors is set.
	Call func(ctx context.Context, c Call) (Result, error)
}

// Call is a call of a [Tool].
type Call struct {
	// ID is the caller's name for the call, for approvals.
	ID string
	// Args is a JSON object; nothing is an empty one.
	Args json.RawMessage
}

// Result is what a [Tool] returns.
type Result struct {
	// Text is for the model.
	Text string
	// Structured is the same as a value that encoding/json encodes
	// according to the tool's OutputSchema, nil where the call failed.
	Structured any
	// IsError tells that the call itself failed: arguments, a session that
	// is not there, a denial. A command that fails is no error.
	IsError bool
}

// ToolSet is what [Options].Configure may change.
type ToolSet struct {
	// ExecCommand and WriteStdin are the contract's tools. WriteStdin is
	// nil where the backend has no sessions. Setting one to nil removes it.
	ExecCommand, WriteStdin *Tool
	// Extensions are the further tools, none in strict mode.
	Extensions []*Tool
	// Scope is where relative paths start.
	Scope Scope
}
