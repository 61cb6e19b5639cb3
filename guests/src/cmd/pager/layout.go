// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pager

import (
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
)

// attr is how a character is shown.
type attr uint8

// Attributes.
const (
	standout attr = 1 << iota
	bold
	underline
)

// glyph is what takes one or two columns of the screen.
type glyph struct {
	text  string // what the terminal is sent
	esc   string // colour sequences before it, which take no column
	width uint8
	attr  attr
	off   int // of the character in the plain text
}

// style says how lines become glyphs.
type style struct {
	utf8   bool
	colors bool // -R: SGR sequences go to the terminal
	raw    bool // -r: all control characters do
	tabs   int
}

const hexDigits = "0123456789ABCDEF"

// glyphs returns what a line looks like, and its plain text, which is searched:
// without overstriking and colours.
func (s *style) glyphs(line []byte) (out []glyph, plain []byte) {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	out = make([]glyph, 0, len(line))
	plain = make([]byte, 0, len(line))
	esc := ""
	col := 0
	add := func(text string, width int, a attr, n []byte) {
		out = append(out, glyph{text, esc, uint8(width), a, len(plain)})
		plain = append(plain, n...)
		esc = ""
		col += width
	}
	for i := 0; i < len(line); {
		c := line[i]
		n := 1
		switch {
		case c == '\b' && len(out) > 0 && i+1 < len(line) && !s.raw:
			// Overstriking: x\bx is bold, _\bx and x\b_ are underlined.
			last := &out[len(out)-1]
			n = s.size(line[i+1:])
			next := string(line[i+1 : i+1+n])
			switch {
			case next == last.text && (next != "_" || last.attr&underline == 0):
				last.attr |= bold
			case last.text == "_" && last.width == 1 && n > 0:
				w := s.width(line[i+1 : i+1+n])
				if w <= 0 {
					w = 1
				}
				col += w - 1
				last.text, last.width, last.attr = next, uint8(w), last.attr|underline
				plain = append(plain[:last.off], next...)
			case next == "_":
				last.attr |= underline
			default:
				last.text = next
				plain = append(plain[:last.off], next...)
			}
			i += 1 + n
			continue
		case c == '\t':
			w := s.tabs - col%s.tabs
			at := plain
			for k := range w {
				if k == 0 {
					add(" ", 1, 0, []byte{'\t'})
				} else {
					add(" ", 1, 0, nil)
					out[len(out)-1].off = len(at)
				}
			}
		case c == 0x1b && s.colors:
			if k := sgr(line[i:]); k > 0 {
				esc += string(line[i : i+k])
				n = k
				break
			}
			add("ESC", 3, standout, line[i:i+1])
		case s.raw && (c < ' ' || c == 0x7f):
			add(string(line[i:i+1]), 0, 0, line[i:i+1])
		case c == 0x1b:
			add("ESC", 3, standout, line[i:i+1])
		case c < ' ' || c == 0x7f:
			add("^"+string(rune(c^0x40)), 2, standout, line[i:i+1])
		case c < utf8.RuneSelf:
			add(string(line[i:i+1]), 1, 0, line[i:i+1])
		default:
			n = s.size(line[i:])
			w := s.width(line[i : i+n])
			switch {
			case w < 0 && s.raw:
				add(string(line[i:i+n]), 1, 0, line[i:i+n])
			case w < 0:
				for _, c := range line[i : i+n] {
					add("<"+string(hexDigits[c>>4])+string(hexDigits[c&15])+">", 4, standout, []byte{c})
				}
			case w == 0 && len(out) > 0: // a combining character
				last := &out[len(out)-1]
				last.text += string(line[i : i+n])
				plain = append(plain, line[i:i+n]...)
			default:
				add(string(line[i:i+n]), w, 0, line[i:i+n])
			}
		}
		i += n
	}
	if esc != "" {
		out = append(out, glyph{esc: esc, off: len(plain)})
	}
	return out, plain
}

// size returns the length of the character at the start of b.
func (s *style) size(b []byte) int {
	if len(b) == 0 || !s.utf8 || b[0] < utf8.RuneSelf {
		return min(1, len(b))
	}
	_, n := utf8.DecodeRune(b)
	return n
}

// width returns how many columns a character takes, -1 where it does not print.
func (s *style) width(b []byte) int {
	if b[0] < utf8.RuneSelf {
		return 1
	}
	r, n := utf8.DecodeRune(b)
	if !s.utf8 || r == utf8.RuneError && n <= 1 || r < 0xa0 || r == 0x2028 || r == 0x2029 {
		return -1
	}
	return cmdkit.RuneWidth(r)
}

// maxSGR bounds a colour sequence.
const maxSGR = 64

// sgr returns the length of the colour sequence that b begins with, or of an
// erasure to the end of the line, which grep adds; 0 where there is none.
func sgr(b []byte) int {
	if len(b) < 3 || b[1] != '[' {
		return 0
	}
	for i := 2; i < len(b) && i < maxSGR; i++ {
		switch c := b[i]; {
		case c >= '0' && c <= '9' || c == ';' || c == ':':
		case c == 'm' || c == 'K':
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// wrap cuts glyphs into rows of at most cols columns. There is at least one row.
func wrap(g []glyph, cols int) [][]glyph {
	var rows [][]glyph
	begin, col := 0, 0
	for i := range g {
		if w := int(g[i].width); col+w > cols && i > begin && w > 0 {
			rows = append(rows, g[begin:i])
			begin, col = i, 0
		}
		col += int(g[i].width)
	}
	return append(rows, g[begin:])
}

// chop returns the glyphs between the columns left and left+cols, and whether
// there are more behind.
func chop(g []glyph, left, cols int) (row []glyph, more bool) {
	col, from := 0, 0
	for from < len(g) && col < left {
		col += int(g[from].width)
		from++
	}
	to, used := from, 0
	for to < len(g) && used+int(g[to].width) <= cols {
		used += int(g[to].width)
		to++
	}
	// A colour that was set on the left counts.
	row = g[from:to]
	if from > 0 {
		esc := ""
		for _, x := range g[:from] {
			if x.esc != "" {
				esc = x.esc
			}
		}
		if esc != "" && len(row) > 0 {
			row = append([]glyph(nil), row...)
			row[0].esc = esc + row[0].esc
		}
	}
	for _, x := range g[to:] {
		if x.width > 0 {
			return row, true
		}
	}
	return row, false
}
