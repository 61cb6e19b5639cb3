// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package lineedit

import "slices"

func (e *Editor) histLen() int {
	if e.History == nil {
		return 0
	}
	return e.History.Len()
}

// histLine returns the line i of the history as it has been edited, or the
// edited line itself behind the last.
func (e *Editor) histLine(i int) []rune {
	if r, ok := e.edits[i]; ok {
		return r
	}
	if i < e.histLen() {
		return runes(e.History.At(i))
	}
	return nil
}

// history moves up and down in the history.
func (e *Editor) history(by int) { e.historyTo(e.histAt + by) }

// historyTo shows the line i of the history. What has been changed of the line
// shown is kept until the line is done.
func (e *Editor) historyTo(i int) {
	e.forget()
	e.typing = false
	if i < 0 || i > e.histLen() || i == e.histAt {
		if i != e.histAt {
			e.bell()
		}
		return
	}
	e.keep()
	e.histAt = i
	e.buf = slices.Clone(e.histLine(i))
	e.pos = len(e.buf)
	e.undo = nil
	e.draw()
}

// keep notes the text of the line that is shown.
func (e *Editor) keep() {
	if e.edits == nil {
		e.edits = map[int][]rune{}
	}
	e.edits[e.histAt] = slices.Clone(e.buf)
}
