// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import "fmt"

// CloseStdin ends the input of a session once all that was written has been
// read: a terminal gets its end-of-file character. Its error tells that there is
// no such session, or is [ErrNoStdin].
func (m *Manager) CloseStdin(id int64) error {
	s, err := m.find(id)
	switch {
	case err != nil:
		return err
	case !s.info.Stdin:
		return ErrNoStdin
	case s.info.TTY:
		return m.send(s, []byte{4})
	}
	return s.in.end()
}

func (m *Manager) closeStdinTool() *Tool {
	return &Tool{
		Name:          "close_stdin",
		Description:   "Ends the standard input of a session that was started with stdin=true, or sends the end-of-file character to a terminal.",
		InputSchema:   objectSchema(sessionProperty()),
		OutputSchema:  doneSchema(),
		NeedsApproval: m.opt.WriteApproval,
		Call: m.extension("close_stdin", func(x *extensionCall) (Result, error) {
			id := x.sessionID()
			if x.args.err != nil {
				return Result{}, x.args.err
			}
			if err := m.CloseStdin(id); err != nil {
				return Result{}, err
			}
			return done(fmt.Sprintf("Closed the input of session %d.", id)), nil
		}),
	}
}
