// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pager

import (
	"strings"
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
)

// vt is as much of a terminal as the tests need: it keeps what is on the
// screen. Attributes are dropped.
type vt struct {
	cells    [][]string
	row, col int
	pending  bool // the last column is filled: the next character wraps
	unknown  string
}

func newVT(rows, cols int) *vt {
	v := &vt{cells: make([][]string, rows)}
	for i := range v.cells {
		v.cells[i] = make([]string, cols)
	}
	return v
}

func (v *vt) blank() []string { return make([]string, len(v.cells[0])) }

func (v *vt) down() {
	if v.row+1 < len(v.cells) {
		v.row++
		return
	}
	v.cells = append(v.cells[1:], v.blank())
}

// write takes what a terminal would be sent, newlines being carriage return and
// newline.
func (v *vt) write(b []byte) {
	for len(b) > 0 {
		n := 1
		switch c := b[0]; {
		case c == '\r':
			v.col, v.pending = 0, false
		case c == '\n':
			v.col, v.pending = 0, false
			v.down()
		case c == '\a':
		case c == 0x1b:
			n = v.escape(b)
		default:
			_, n = utf8.DecodeRune(b)
			v.char(string(b[:n]))
		}
		b = b[n:]
	}
}

func (v *vt) char(s string) {
	w := cmdkit.Width(s)
	if w == 0 {
		if v.col > 0 {
			v.cells[v.row][v.col-1] += s
		}
		return
	}
	cols := len(v.cells[0])
	if v.pending || v.col+w > cols {
		v.col, v.pending = 0, false
		v.down()
	}
	v.cells[v.row][v.col] = s
	for i := 1; i < w; i++ {
		v.cells[v.row][v.col+i] = "\x00"
	}
	v.col += w
	if v.col == cols {
		v.col, v.pending = cols-1, true
	}
}

func (v *vt) escape(b []byte) int {
	if len(b) < 2 {
		return len(b)
	}
	switch b[1] {
	case 'M':
		v.pending = false
		if v.row > 0 {
			v.row--
		} else {
			v.cells = append([][]string{v.blank()}, v.cells[:len(v.cells)-1]...)
		}
		return 2
	case '(', ')':
		return min(3, len(b))
	case '=', '>', '7', '8':
		return 2
	case '[':
	default:
		v.unknown += string(b[:2])
		return 2
	}
	i := 2
	for i < len(b) && b[i] < '@' {
		i++
	}
	if i == len(b) {
		return i
	}
	args := strings.Split(string(b[2:i]), ";")
	num := func(k int) int {
		n := 0
		if k < len(args) {
			for _, c := range args[k] {
				n = n*10 + int(c-'0')
			}
		}
		return max(1, n)
	}
	switch b[i] {
	case 'H':
		v.row, v.col, v.pending = min(num(0), len(v.cells))-1, min(num(1), len(v.cells[0]))-1, false
	case 'J':
		if args[0] == "2" {
			for k := range v.cells {
				v.cells[k] = v.blank()
			}
		}
	case 'K':
		for k := v.col; k < len(v.cells[0]); k++ {
			v.cells[v.row][k] = ""
		}
	case 'm', 'h', 'l', 't':
	default:
		v.unknown += string(b[:i+1])
	}
	return i + 1
}

// lines returns the rows without blanks at their ends.
func (v *vt) lines() []string {
	out := make([]string, len(v.cells))
	for i, r := range v.cells {
		var s strings.Builder
		for _, c := range r {
			switch c {
			case "":
				s.WriteByte(' ')
			case "\x00":
			default:
				s.WriteString(c)
			}
		}
		out[i] = strings.TrimRight(s.String(), " ")
	}
	return out
}
