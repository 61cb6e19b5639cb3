// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"fmt"

	"github.com/wsandbox/wsandbox/tools/screen"
)

// Bounds of the size of a terminal: those of what read_screen shows.
const (
	maxRows = screen.MaxRows
	maxCols = screen.MaxCols
)

// check reports a size that no terminal has.
func (w Winsize) check() error {
	if w.Rows == 0 || w.Rows > maxRows || w.Cols == 0 || w.Cols > maxCols {
		return &ArgumentError{"rows and cols", fmt.Sprintf("must be from 1 to %d and to %d", maxRows, maxCols)}
	}
	return nil
}

// ResizeTerminal sets the size of a session's terminal; its programs get
// SIGWINCH. Its error tells that there is no such session, or is
// [ErrNoTerminal].
func (m *Manager) ResizeTerminal(id int64, size Winsize) error {
	if err := size.check(); err != nil {
		return err
	}
	s, err := m.find(id)
	if err != nil {
		return err
	}
	if s.term == nil {
		return ErrNoTerminal
	}
	s.mu.Lock()
	s.winsize = size
	s.term.Resize(int(size.Rows), int(size.Cols))
	if s.obs != nil && !s.over {
		s.obs.Resized(s.info.Serial, size)
	}
	s.mu.Unlock()
	if p := m.process(s); p != nil {
		return p.Resize(size)
	}
	return nil
}

func (m *Manager) resizeTool() *Tool {
	return &Tool{
		Name:        "resize_terminal",
		Description: "Sets the size of a session's terminal.",
		InputSchema: objectSchema(sessionProperty(),
			property{"rows", fmt.Sprintf(`"type":"integer","minimum":1,"maximum":%d`, maxRows), "Number of rows.", true},
			property{"cols", fmt.Sprintf(`"type":"integer","minimum":1,"maximum":%d`, maxCols), "Number of columns.", true}),
		OutputSchema:  doneSchema(),
		NeedsApproval: m.opt.WriteApproval,
		Call: m.extension("resize_terminal", func(x *extensionCall) (Result, error) {
			id := x.sessionID()
			rows, cols := x.args.number("rows", true, false, 1), x.args.number("cols", true, false, 1)
			if x.args.err != nil {
				return Result{}, x.args.err
			}
			size := Winsize{Rows: uint16(min(*rows, maxRows+1)), Cols: uint16(min(*cols, maxCols+1))}
			if err := m.ResizeTerminal(id, size); err != nil {
				return Result{}, err
			}
			return done(fmt.Sprintf("The terminal of session %d has %d rows of %d columns.", id, size.Rows, size.Cols)), nil
		}),
	}
}
