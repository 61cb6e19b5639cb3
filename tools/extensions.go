// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"context"
	"time"
)

// extensions returns the tools beside the contract's.
func (m *Manager) extensions() []*Tool {
	return []*Tool{
		m.listTool(), m.waitTool(), m.terminateTool(), m.signalTool(),
		m.closeStdinTool(), m.resizeTool(), m.readOutputTool(), m.readScreenTool(),
	}
}

// extensionCall is a call of an extension.
type extensionCall struct {
	ctx   context.Context
	begin time.Time
	args  *arguments
}

// sessionID returns the argument that most extensions have.
func (x *extensionCall) sessionID() int64 {
	if id := x.args.number("session_id", true, false, -1<<63); id != nil {
		return *id
	}
	return 0
}

// extension returns the call of an extension. Failures become text.
func (m *Manager) extension(name string, f func(*extensionCall) (Result, error)) func(context.Context, Call) (Result, error) {
	return func(ctx context.Context, c Call) (Result, error) {
		x := &extensionCall{ctx, m.opt.Clock.Now(), parseArguments(c.Args)}
		var r Result
		err := x.args.err
		if err == nil {
			r, err = f(x)
		}
		if err != nil {
			return m.failed(ctx, x.begin, name, err)
		}
		return r, nil
	}
}

// done is the result of an action.
func done(text string) Result {
	return Result{Text: text, Structured: map[string]any{"result": text}}
}

// doneSchema is the schema of done's structured value.
func doneSchema() []byte {
	return objectSchema(property{"result", typeText, "What was done.", true})
}

// sessionProperty is the parameter that most extensions have.
func sessionProperty() property { return property{"session_id", typeID, sessionIDText, true} }
