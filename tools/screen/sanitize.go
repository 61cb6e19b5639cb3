// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"strconv"
	"unicode/utf8"
)

// Sanitizer makes a stream harmless that is shown on a person's terminal:
// a recording of a hostile program. Text, colours, cursor movement, erasing,
// scrolling and the alternate screen pass. Everything that could make the
// terminal type (queries), change what lies outside the screen (title,
// clipboard, links, window, fonts, printer) or change its input (mouse, paste
// and keyboard modes) is left out, and so is what nobody knows. Characters that
// hide are treated by Controls. The zero value is ready for use.
type Sanitizer struct {
	Controls Controls
	parser   parser
	out      []byte
	changed  changes
}

// changes are what a stream has done to the terminal that must be undone.
type changes struct {
	colours, charset, margins, origin, alternate, modes bool
}

// Sanitize appends to dst what is shown of p and returns it. An incomplete
// sequence or character at the end is kept for the next call.
func (s *Sanitizer) Sanitize(dst, p []byte) []byte {
	s.out = dst
	s.parser.write(p, (*sanitizing)(s))
	dst = s.out
	s.out = nil
	return dst
}

// End appends what puts the terminal back as far as the stream changed it:
// primary screen, modes, margins, colours, character set. It moves the cursor
// only where the stream had set the origin mode. What was incomplete is
// forgotten.
func (s *Sanitizer) End(dst []byte) []byte {
	c := s.changed
	s.parser, s.changed = parser{}, changes{}
	if c.alternate {
		dst = append(dst, "\x1b[?1049l"...)
	}
	if c.modes {
		dst = append(dst, "\x1b[4l\x1b[?5l\x1b[?7h\x1b[?25h\x1b[?2026l"...)
	}
	if c.origin { // resetting it moves the cursor
		dst = append(dst, "\x1b[?6l\x1b[r\x1b[999H"...)
	} else if c.margins { // so does this
		dst = append(dst, "\x1b7\x1b[r\x1b8"...)
	}
	if c.colours {
		dst = append(dst, "\x1b[0m"...)
	}
	if c.charset {
		dst = append(dst, "\x1b(B\x1b)B\x0f"...)
	}
	return dst
}

// sanitizing writes what it is handed in one form.
type sanitizing Sanitizer

func (s *sanitizing) text(p []byte) { s.out = append(s.out, p...) }

func (s *sanitizing) char(r rune) {
	if hiding(r) {
		s.out = s.Controls.appendRune(s.out, r)
		return
	}
	s.out = utf8.AppendRune(s.out, r)
}

func (s *sanitizing) control(c byte) {
	switch c {
	case '\b', '\t', '\n', '\v', '\f', '\r':
		s.out = append(s.out, c)
	case 0x0e, 0x0f:
		s.changed.charset = true
		s.out = append(s.out, c)
	case 0x84, 0x85, 0x88, 0x8d:
		s.out = append(s.out, 0x1b, c-0x40)
	}
}

func (s *sanitizing) escape(q *sequence) {
	switch {
	case q.ni == 0:
		switch q.final {
		case '7', '8', 'D', 'E', 'H', 'M':
			s.out = append(s.out, 0x1b, q.final)
		}
	case q.ni == 1 && (q.inter[0] == '(' || q.inter[0] == ')'):
		if q.final == '0' || q.final == 'B' {
			s.changed.charset = true
			s.out = append(s.out, 0x1b, q.inter[0], q.final)
		}
	}
}

func (s *sanitizing) csi(q *sequence) {
	if q.ni > 0 {
		return
	}
	switch q.final {
	case 'm':
		s.changed.colours = true
	case 'r':
		s.changed.margins = true
	}
	switch q.private {
	case 0:
		switch q.final {
		case '@', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'P', 'S', 'X', 'Z', '`', 'a', 'b', 'd', 'e', 'f', 'g', 'm', 'r', 'u':
			s.write(q)
		case 'T', 's':
			if q.n <= 1 { // with more it is another function
				s.write(q)
			}
		case 'h', 'l':
			for i := range q.n {
				if q.value(i) == 4 {
					s.mode("\x1b[", 4, q.final)
				}
			}
		}
	case '?':
		switch q.final {
		case 'J', 'K':
			s.write(q)
		case 'h', 'l':
			for i := range q.n {
				switch v := q.value(i); v {
				case 5, 6, 7, 25, 47, 1047, 1048, 1049, 2026:
					s.mode("\x1b[?", v, q.final)
				}
			}
		}
	}
}

func (s *sanitizing) mode(prefix string, n int, final byte) {
	switch {
	case len(prefix) < 3:
		s.changed.modes = true
	case n == 6:
		s.changed.origin = s.changed.origin || final == 'h'
	case n == 47, n == 1047, n == 1049:
		s.changed.alternate = final == 'h'
	default:
		s.changed.modes = true
	}
	s.out = append(strconv.AppendInt(append(s.out, prefix...), int64(n), 10), final)
}

func (s *sanitizing) write(q *sequence) {
	s.out = append(s.out, 0x1b, '[')
	if q.private != 0 {
		s.out = append(s.out, q.private)
	}
	for i := range q.n {
		if i > 0 {
			sep := byte(';')
			if q.sub[i] {
				sep = ':'
			}
			s.out = append(s.out, sep)
		}
		if q.params[i] >= 0 {
			s.out = strconv.AppendInt(s.out, int64(q.params[i]), 10)
		}
	}
	s.out = append(s.out, q.final)
}

func (s *sanitizing) str(controlString) {}
