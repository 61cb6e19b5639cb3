// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package lineedit

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
)

// place is a position on the screen, relative to the start of the prompt.
type place struct{ row, col int }

// screen is what is shown of the line.
type screen struct {
	prompt string
	start  place // behind the prompt
	cells  []cell
	end    place // behind the last cell
	cursor place
	shown  bool
}

// cell is a character on the screen.
type cell struct {
	r     rune
	width int
	at    place
}

// at returns the place of the character i of the line.
func (s *screen) at(i int) place {
	if i < len(s.cells) {
		return s.cells[i].at
	}
	return s.end
}

// layout computes the places of everything.
func (s *screen) layout(prompt string, buf []rune, cols int) {
	s.prompt = prompt
	s.start = promptEnd(prompt, cols)
	s.cells = s.cells[:0:0]
	s.end = s.start
	for _, r := range buf {
		s.append(r, cols)
	}
}

func (s *screen) append(r rune, cols int) {
	c := cell{r: r, width: width(r, s.end.col), at: s.end}
	switch {
	case r == '\n':
		s.end = place{s.end.row + 1, 0}
		s.cells = append(s.cells, c)
		return
	case r < ' ' || r == 0x7f: // some characters, each of which may wrap
		n := s.end.col + c.width
		s.end = place{s.end.row + n/cols, n % cols}
		s.cells = append(s.cells, c)
		return
	case s.end.col+c.width > cols:
		c.at = place{s.end.row + 1, 0}
	}
	c.width = min(c.width, cols)
	s.end = place{c.at.row, c.at.col + c.width}
	if s.end.col >= cols {
		s.end = place{s.end.row + 1, 0}
	}
	s.cells = append(s.cells, c)
}

// width returns how many columns a character takes that is shown at col.
func width(r rune, col int) int {
	switch {
	case r == '\t':
		return 8 - col%8
	case r < ' ' || r == 0x7f:
		return 2
	case r >= invalid && r <= invalid+0xff, r >= 0x80 && r < 0xa0, r == 0x2028, r == 0x2029:
		return 1
	}
	return cmdkit.RuneWidth(r)
}

// appendCell appends what shows a character.
func appendCell(b []byte, c cell) []byte {
	r := c.r
	switch {
	case r == '\n':
		return append(b, "\x1b[K\n"...)
	case r == '\t':
		for range c.width {
			b = append(b, ' ')
		}
		return b
	case r < ' ' || r == 0x7f:
		return append(b, '^', byte(r)^0x40)
	case r >= invalid && r <= invalid+0xff, r >= 0x80 && r < 0xa0, r == 0x2028, r == 0x2029:
		return utf8.AppendRune(b, utf8.RuneError)
	}
	return utf8.AppendRune(b, r)
}

// promptEnd returns the place behind a prompt that starts in the first column.
func promptEnd(prompt string, cols int) place {
	var p place
	hidden := false
	for i := 0; i < len(prompt); {
		switch c := prompt[i]; {
		case c == 1:
			hidden = true
			i++
			continue
		case c == 2:
			hidden = false
			i++
			continue
		case hidden:
			i++
			continue
		case c == 0x1b:
			i += escapeLen(prompt[i:])
			continue
		case c == '\n':
			p = place{p.row + 1, 0}
			i++
			continue
		case c == '\r':
			p.col = 0
			i++
			continue
		case c < ' ' && c != '\t':
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(prompt[i:])
		w := min(width(r, p.col), cols)
		if r == '\t' {
			w = min(w, cols-1-p.col) // a terminal's tab does not wrap
		}
		if p.col+w > cols {
			p = place{p.row + 1, 0}
		}
		if p.col += w; p.col >= cols {
			p = place{p.row + 1, 0}
		}
		i += n
	}
	return p
}

// escapeLen returns the length of the control sequence or string at the start
// of s.
func escapeLen(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	i := 2
	switch s[1] {
	case '[':
		for i < len(s) && (s[i] < 0x40 || s[i] > 0x7e) {
			i++
		}
		return min(i+1, len(s))
	case ']', 'P', '_', '^':
		for i < len(s) {
			if s[i] == 7 {
				return i + 1
			}
			if s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
			i++
		}
	}
	return i
}

// shownPrompt returns the prompt that is to be seen.
func (e *Editor) shownPrompt() string {
	if e.search != nil {
		return e.search.prompt()
	}
	return e.prompt
}

// drawAll shows everything from the cursor on, which is at the start of a line.
func (e *Editor) drawAll() {
	s := &e.screen
	s.layout(e.shownPrompt(), e.buf, e.cols)
	for i := 0; i < len(s.prompt); i++ {
		if c := s.prompt[i]; c != 1 && c != 2 {
			e.out = append(e.out, c)
		}
	}
	s.shown = true
	s.cursor = s.start
	if s.start.col == 0 && s.start.row > 0 && s.prompt[len(s.prompt)-1] != '\n' {
		e.put(" \r") // the terminal wraps with the next character only
	}
	e.cells(0)
	e.moveTo(s.at(e.pos))
}

// draw brings the screen up to date.
func (e *Editor) draw() {
	old := e.screen
	s := &e.screen
	if p := e.shownPrompt(); p != old.prompt {
		e.up(old.cursor.row)
		e.put("\r\x1b[J")
		e.drawAll()
		return
	}
	if e.typing && len(e.buf) == len(old.cells)+1 && e.pos == len(e.buf) && old.cursor == old.end {
		s.append(e.buf[len(old.cells)], e.cols)
		e.cells(len(s.cells) - 1)
		return
	}
	s.layout(old.prompt, e.buf, e.cols)
	k := 0
	for k < len(s.cells) && k < len(old.cells) && s.cells[k] == old.cells[k] {
		k++
	}
	if k < len(s.cells) || k < len(old.cells) {
		from := s.at(k)
		if o := old.at(k); before(o, from) {
			from = o
		}
		s.cursor = old.cursor
		e.moveTo(from)
		if from != s.at(k) { // a wide character has moved to the next row
			e.put("\x1b[K")
			e.wrap(s.at(k))
		}
		e.cells(k)
		switch {
		case s.end.row < old.end.row:
			e.put("\x1b[J")
		case before(s.end, old.end) && s.end.row == old.end.row:
			e.put("\x1b[K")
		}
	} else {
		s.cursor = old.cursor
	}
	e.moveTo(s.at(e.pos))
}

func before(a, b place) bool { return a.row < b.row || a.row == b.row && a.col < b.col }

// wrap moves to the start of the row of p, which may not exist yet.
func (e *Editor) wrap(p place) {
	for e.screen.cursor.row < p.row {
		e.put("\n")
		e.screen.cursor = place{e.screen.cursor.row + 1, 0}
	}
}

// cells writes the cells from k on, where the cursor is, and leaves it at the
// end.
func (e *Editor) cells(k int) {
	s := &e.screen
	for i, c := range s.cells[k:] {
		if c.r == '\n' && c.at.col == 0 && i > 0 && s.cells[k+i-1].r != '\n' {
			e.put(" \r") // the row before is full
		}
		e.out = appendCell(e.out, c)
	}
	if k < len(s.cells) {
		// A terminal wraps with the character behind the last column only.
		if last := s.cells[len(s.cells)-1]; s.end.col == 0 && last.r != '\n' {
			e.put(" \r")
		}
	}
	s.cursor = s.end
}

// moveTo moves the cursor.
func (e *Editor) moveTo(p place) {
	c := &e.screen.cursor
	switch {
	case p.row < c.row:
		e.up(c.row - p.row)
	case p.row > c.row:
		e.put("\x1b[" + strconv.Itoa(p.row-c.row) + "B")
	}
	switch d := p.col - c.col; {
	case d == 0:
	case p.col == 0:
		e.put("\r")
	case d < 0 && d >= -4:
		e.out = append(e.out, "\b\b\b\b"[:-d]...)
	case d < 0:
		e.put("\x1b[" + strconv.Itoa(-d) + "D")
	default:
		e.put("\x1b[" + strconv.Itoa(d) + "C")
	}
	*c = p
}

func (e *Editor) up(n int) {
	if n > 0 {
		e.put("\x1b[" + strconv.Itoa(n) + "A")
	}
}

// clear clears the terminal and shows the line at its top.
func (e *Editor) clear() {
	e.put("\x1b[H\x1b[2J")
	e.screen = screen{}
	e.drawAll()
}

// below moves to a fresh line below the line.
func (e *Editor) below() {
	at := e.screen.end
	e.moveTo(at)
	if at.col > 0 || at.row == 0 {
		e.put("\n")
	}
	e.screen = screen{}
}

// columns lays words out in columns, each going down first.
func columns(words []string, cols int) []byte {
	w := 0
	for _, s := range words {
		w = max(w, cmdkit.Width(s))
	}
	w += 2
	n := max(cols/w, 1)
	rows := (len(words) + n - 1) / n
	var b []byte
	for r := range rows {
		for c := 0; c*rows+r < len(words); c++ {
			s := words[c*rows+r]
			b = append(b, s...)
			if (c+1)*rows+r < len(words) {
				b = append(b, slices.Repeat([]byte{' '}, max(w-cmdkit.Width(s), 0))...)
			}
		}
		b = append(b, '\n')
	}
	return b
}
