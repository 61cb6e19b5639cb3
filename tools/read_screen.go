// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"fmt"
	"strings"
)

// ScreenText is what a session's terminal shows.
type ScreenText struct {
	Rows int `json:"rows"`
	Cols int `json:"cols"`
	// CursorRow and CursorCol are the cursor's position, from 1.
	CursorRow int `json:"cursor_row"`
	CursorCol int `json:"cursor_col"`
	// Alternate tells that a program has taken the whole screen.
	Alternate bool `json:"alternate"`
	// Output has a line for each row, without blanks at the end of lines and
	// without empty lines at the end.
	Output string `json:"output"`
}

// Text returns the screen as a model reads it.
func (s *ScreenText) Text() string {
	alt := ""
	if s.Alternate {
		alt = ", alternate screen"
	}
	return fmt.Sprintf("Screen: %d rows of %d columns, cursor in row %d, column %d%s\nOutput:\n%s",
		s.Rows, s.Cols, s.CursorRow, s.CursorCol, alt, s.Output)
}

// ReadScreen returns what a session's terminal shows. Output stays for the next
// call. Its error tells that there is no such session, or is [ErrNoTerminal].
func (m *Manager) ReadScreen(id int64) (ScreenText, error) {
	s, err := m.find(id)
	if err != nil {
		return ScreenText{}, err
	}
	if s.term == nil {
		return ScreenText{}, ErrNoTerminal
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	shot := s.term.Snapshot(false)
	return ScreenText{
		Rows: shot.Rows, Cols: shot.Cols, CursorRow: shot.Row + 1, CursorCol: shot.Col + 1, Alternate: shot.Alternate,
		Output: strings.TrimRight(strings.Join(shot.Lines, "\n"), "\n"),
	}, nil
}

func (m *Manager) readScreenTool() *Tool {
	return &Tool{
		Name:        "read_screen",
		Description: "Returns what the terminal of a session shows, with the position of the cursor.",
		InputSchema: objectSchema(sessionProperty()),
		OutputSchema: objectSchema(
			property{"rows", typeID, "Number of rows.", true}, property{"cols", typeID, "Number of columns.", true},
			property{"cursor_row", typeID, "Row of the cursor, from 1.", true}, property{"cursor_col", typeID, "Column of the cursor, from 1.", true},
			property{"alternate", `"type":"boolean"`, "Whether a program has taken the whole screen.", true},
			property{"output", typeText, "The rows.", true}),
		ReadOnly: true,
		Call: m.extension("read_screen", func(x *extensionCall) (Result, error) {
			id := x.sessionID()
			if x.args.err != nil {
				return Result{}, x.args.err
			}
			s, err := m.ReadScreen(id)
			if err != nil {
				return Result{}, err
			}
			return Result{Text: s.Text(), Structured: s}, nil
		}),
	}
}
