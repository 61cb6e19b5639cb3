// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package screen

import "strconv"

// Leftover notes what a stream, which a terminal obeys, has switched on and not
// off again, so that the terminal can be put back where the programs do not. It
// keeps a bounded state, whatever the stream. The zero value is ready for use.
type Leftover struct {
	parser  parser
	private [len(restored)]bool
	attr    Attr
	keypad  bool
	charset bool
}

// restored are the private modes that are put back, and how a terminal has them
// by itself. The first three are of the alternate screen.
var restored = [...]struct {
	mode int
	on   bool
}{
	{1049, false}, {1047, false}, {47, false}, // alternate screen
	{2004, false},                                                          // bracketed paste
	{1, false},                                                             // application cursor keys
	{9, false}, {1000, false}, {1001, false}, {1002, false}, {1003, false}, // mouse
	{1004, false}, {1005, false}, {1006, false}, {1015, false}, {1016, false}, // focus, coordinates of the mouse
	{5, false}, {7, true}, {25, true}, {2026, false}, // reverse, wrap, cursor, held output
}

// Write notes what p switches. It never fails.
func (l *Leftover) Write(p []byte) (int, error) {
	l.parser.write(p, (*leftover)(l))
	return len(p), nil
}

// Reset appends to dst what switches off again what is left on, nothing where
// nothing is, and forgets it. It first ends a sequence that was cut off.
func (l *Leftover) Reset(dst []byte) []byte {
	if l.parser.state != stateGround {
		dst = append(dst, '\x18') // CAN
	}
	for i, r := range restored {
		if l.private[i] {
			dst = append(strconv.AppendInt(append(dst, "\x1b[?"...), int64(r.mode), 10), final(r.on))
		}
	}
	if l.keypad {
		dst = append(dst, "\x1b>"...)
	}
	if l.attr != (Attr{}) {
		dst = append(dst, "\x1b[0m"...)
	}
	if l.charset {
		dst = append(dst, "\x1b(B\x0f"...)
	}
	*l = Leftover{}
	return dst
}

// Alternate reports whether the alternate screen is left on.
func (l *Leftover) Alternate() bool { return l.private[0] || l.private[1] || l.private[2] }

// ResetUnknown appends to dst what switches off all that Leftover knows, for where
// nothing is known of the stream but whether it left the alternate screen on:
// leaving that without having entered it would move the cursor.
func ResetUnknown(dst []byte, alternate bool) []byte {
	l := Leftover{keypad: true, charset: true, attr: Attr{Flags: Bold}}
	for i := range l.private {
		l.private[i] = i > 2
	}
	l.private[0] = alternate
	return l.Reset(append(dst, '\x18')) // CAN: a sequence may be cut off
}

func final(on bool) byte {
	if on {
		return 'h'
	}
	return 'l'
}

// leftover takes what the parser finds.
type leftover Leftover

func (l *leftover) text([]byte)       {}
func (l *leftover) char(rune)         {}
func (l *leftover) str(controlString) {}

func (l *leftover) control(c byte) {
	switch c {
	case 0x0e:
		l.charset = true
	case 0x0f:
		l.charset = false
	}
}

func (l *leftover) escape(q *sequence) {
	switch {
	case q.is(0, "") && q.final == '=':
		l.keypad = true
	case q.is(0, "") && q.final == '>':
		l.keypad = false
	case q.is(0, "") && q.final == 'c': // full reset
		p := l.parser
		*l = leftover{parser: p}
	case q.is(0, "("):
		l.charset = q.final != 'B'
	}
}

func (l *leftover) csi(q *sequence) {
	switch {
	case q.is(0, "") && q.final == 'm':
		l.attr.apply(q)
	case q.is(0, "!") && q.final == 'p': // soft reset
		l.attr, l.keypad, l.charset = Attr{}, false, false
		for i, r := range restored {
			switch r.mode {
			case 1, 7, 25:
				l.private[i] = false
			}
		}
	case q.is('?', "") && (q.final == 'h' || q.final == 'l'):
		for i := range q.n {
			for k, r := range restored {
				if q.value(i) == r.mode {
					l.private[k] = (q.final == 'h') != r.on
				}
			}
			switch q.value(i) {
			case 47, 1047, 1049: // they leave each other's screen
				if q.final == 'l' {
					l.private[0], l.private[1], l.private[2] = false, false, false
				}
			}
		}
	}
}
