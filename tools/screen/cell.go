// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"slices"
	"strings"
)

// Flags of Attr.
const (
	Bold uint16 = 1 << iota
	Faint
	Italic
	Underline
	Blink
	Reverse
	Conceal
	Strike
	Overline
)

// Color is a colour of a cell: 0 the default, 1<<24 | n number n of the
// palette of 256, 2<<24 | rgb a direct colour.
type Color uint32

// Attr are the attributes of a cell.
type Attr struct {
	Foreground, Background Color
	Flags                  uint16
}

// Runes of cells that are not characters.
const (
	blank    rune = 0  // nothing was written here
	wideTail rune = -1 // right half of the character before
	tabTail  rune = -2 // covered by the tab before
)

type cell struct {
	r    rune
	attr Attr
}

// maxMarks bounds the combining characters of one cell.
const maxMarks = 8

// row is a line of a grid, and what Poll has given of it.
type row struct {
	cells []cell
	used  int            // cells from here on are zero
	marks map[int][]rune // characters without width by column, -1 for the beginning

	id      uint64
	after   uint64 // the row that this one continues, 0 if it begins a line
	wrapped bool   // the next row continues this one
	ended   bool   // the cursor went on from here by a line feed

	given bool   // text of this row was given
	shown string // that text
}

// pristine reports whether nothing has happened to the row since it was reset
// without a background.
func (r *row) pristine() bool {
	return r.used == 0 && r.marks == nil && !r.given && !r.ended && !r.wrapped && r.after == 0
}

// reset makes a row of n blank cells with the background bg.
func (r *row) reset(n int, bg Color, id uint64) {
	clear(r.cells[:r.used])
	if r.marks != nil || r.shown != "" { // pointers are written only where they must be
		r.marks, r.shown = nil, ""
	}
	r.used, r.id, r.after = 0, id, 0
	r.wrapped, r.ended, r.given = false, false, false
	if bg != 0 {
		r.erase(0, n, bg)
	}
}

// resize makes the row n cells wide.
func (r *row) resize(n int) {
	if n < len(r.cells) {
		r.split(n)
		r.used = min(r.used, n)
		for i := range r.marks {
			if i >= n {
				delete(r.marks, i)
			}
		}
	}
	c := make([]cell, n)
	copy(c, r.cells[:r.used])
	r.cells = c
}

// split makes column x a border that no character and no tab reaches over.
func (r *row) split(x int) {
	if x >= r.used || x <= 0 {
		return
	}
	switch r.cells[x].r {
	case wideTail:
		r.cells[x-1].r, r.cells[x].r = ' ', ' '
		delete(r.marks, x-1)
	case tabTail:
		for i := x; i < r.used && r.cells[i].r == tabTail; i++ {
			r.cells[i].r = blank
		}
		i := x - 1
		for ; r.cells[i].r == tabTail; i-- {
			r.cells[i].r = blank
		}
		r.cells[i].r = blank // the tab
	}
}

// erase blanks the cells of [a, b).
func (r *row) erase(a, b int, bg Color) {
	if a == 0 {
		delete(r.marks, -1)
	}
	if bg == 0 {
		b = min(b, r.used)
	}
	if a >= b {
		return
	}
	r.split(a)
	r.split(b)
	c := r.cells[a:b]
	if bg == 0 {
		clear(c)
		if b == r.used {
			r.used = a
		}
	} else {
		for i := range c {
			c[i] = cell{attr: Attr{Background: bg}}
		}
		r.used = max(r.used, b)
	}
	r.unmark(a, b)
}

func (r *row) unmark(a, b int) {
	if len(r.marks) == 0 {
		return
	}
	if b-a < len(r.marks) {
		for i := a; i < b; i++ {
			delete(r.marks, i)
		}
		return
	}
	for i := range r.marks {
		if i >= a && i < b {
			delete(r.marks, i)
		}
	}
}

// shift moves the cells of [x, end) by n columns to the right (n > 0) or left;
// those that come in are blank.
func (r *row) shift(x, end, n int, bg Color) {
	k := min(max(n, -n), end-x)
	if k == 0 {
		return
	}
	r.split(x)
	r.split(end)
	if n > 0 {
		r.split(end - k)
		copy(r.cells[x+k:end], r.cells[x:end-k])
	} else {
		r.split(x + k)
		copy(r.cells[x:end-k], r.cells[x+k:end])
	}
	if len(r.marks) > 0 {
		moved := map[int][]rune{}
		for i, m := range r.marks {
			j := i
			if i >= x && i < end {
				if n > 0 {
					j = i + k
				} else {
					j = i - k
				}
				if j < x || j >= end {
					continue
				}
			}
			moved[j] = m
		}
		r.marks = moved
	}
	if n > 0 {
		if r.used > x {
			r.used = max(r.used, min(end, r.used+k))
		}
		clear(r.cells[x : x+k])
		r.fill(x, x+k, bg)
	} else {
		clear(r.cells[end-k : end])
		r.fill(end-k, end, bg)
	}
}

func (r *row) fill(a, b int, bg Color) {
	if bg == 0 {
		return
	}
	for i := a; i < b; i++ {
		r.cells[i].attr.Background = bg
	}
	r.used = max(r.used, b)
}

// mark adds a combining character to column x.
func (r *row) mark(x int, m rune) {
	if len(r.marks[x]) >= maxMarks {
		return
	}
	if r.marks == nil {
		r.marks = map[int][]rune{}
	}
	r.marks[x] = append(r.marks[x], m)
}

// text returns what the row shows. keep is a column up to which written blanks
// at the end stay, and whole rows (wrapped ones) keep all. Tabs are given as
// such if tabs is set, as blanks otherwise.
func (r *row) text(c Controls, keep int, tabs bool) string {
	return string(r.appendText(nil, c, keep, tabs))
}

// appendText appends what text returns.
func (r *row) appendText(b []byte, c Controls, keep int, tabs bool) []byte {
	end := r.used
	if r.wrapped {
		for end > 0 && r.cells[end-1].r == blank && len(r.marks[end-1]) == 0 {
			end--
		}
	} else {
		for end > 0 {
			v := r.cells[end-1].r
			if v != blank && (end <= keep || v != ' ' && v != '\t' && v != tabTail) || len(r.marks[end-1]) > 0 {
				break
			}
			end--
		}
	}
	if end == 0 && len(r.marks) == 0 {
		return b
	}
	b = slices.Grow(b, end+8)
	for _, m := range r.marks[-1] {
		if m != '\t' { // of a terminal with one column
			b = c.appendRune(b, m)
		}
	}
	for i, v := range r.cells[:end] {
		if v.r >= ' ' && v.r < 0x7f && r.marks == nil {
			b = append(b, byte(v.r))
			continue
		}
		switch v.r {
		case wideTail:
		case tabTail:
			if !tabs {
				b = append(b, ' ')
			}
		case '\t':
			if tabs {
				b = append(b, '\t')
			} else {
				b = append(b, ' ')
			}
		case blank:
			b = append(b, ' ')
		default:
			b = c.appendRune(b, v.r)
		}
		if r.marks != nil {
			for _, m := range r.marks[i] {
				if m != '\t' {
					b = c.appendRune(b, m)
				} else if tabs {
					b = append(b, '\t')
				}
			}
		}
	}
	return b
}

// trimmed is s without what may vanish from the end of a line when the cursor
// leaves it.
func trimmed(s string) string { return strings.TrimRight(s, " \t") }
