// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pager

import (
	"strconv"

	"github.com/wsandbox/wsandbox/guests/src/terminfo"
)

// codes are the sequences of a terminal that are used.
type codes struct {
	clear, home, el, ri                                                string
	smso, rmso, bold, smul, rmul, sgr0, smcup, rmcup, smkx, rmkx, bell string
	cup                                                                string
	wraps                                                              bool // a full row moves the cursor on
	dumb                                                               bool // the cursor cannot be moved
}

// codesOf takes the sequences out of a description; nil is a dumb terminal.
func codesOf(t *terminfo.Terminal) codes {
	var c codes
	c.bell = "\a"
	if t == nil {
		c.dumb = true
		return c
	}
	for _, x := range [...]struct {
		to   *string
		name string
	}{
		{&c.clear, "clear"}, {&c.home, "home"}, {&c.el, "el"}, {&c.ri, "ri"}, {&c.smso, "smso"}, {&c.rmso, "rmso"},
		{&c.bold, "bold"}, {&c.smul, "smul"}, {&c.rmul, "rmul"}, {&c.sgr0, "sgr0"}, {&c.smcup, "smcup"}, {&c.rmcup, "rmcup"},
		{&c.smkx, "smkx"}, {&c.rmkx, "rmkx"}, {&c.cup, "cup"},
	} {
		s, _ := t.String(x.name)
		*x.to = terminfo.Plain(s)
	}
	c.wraps = t.Bool("am") && !t.Bool("xenl")
	c.dumb = c.cup == "" || c.clear == "" || c.el == ""
	return c
}

// place is a row of the text: a line and which of its rows.
type place struct {
	line int64
	row  int
}

// before reports whether a stands before b.
func (a place) before(b place) bool { return a.line < b.line || a.line == b.line && a.row < b.row }

// laid is a line in rows.
type laid struct {
	rows  [][]glyph
	more  bool // -S: there is text behind the row
	next  int64
	ok    bool // there is such a line
	blank bool // without any text
}

// view is a window on a text.
type view struct {
	style
	codes
	text       *text
	rows, cols int // of the terminal
	chop       bool
	numbers    bool
	squeeze    bool // of several blank lines one is shown
	left       int  // columns that are not shown, with chop
	found      *pattern
	hide       bool // matches are not shown
	interrupt  func() bool

	shown []place // on the screen; fewer than height at the end
	cache map[int64]*laid
	out   []byte
}

// height is the number of rows of text.
func (v *view) height() int { return max(1, v.rows-1) }

const (
	gutter   = 8 // columns of a line number and the space behind it
	maxCache = 256
)

// width is the number of columns of text.
func (v *view) width() int {
	w := v.cols
	if v.numbers {
		w -= gutter
	}
	return max(2, w)
}

// forget drops what depends on options, size and text.
func (v *view) forget() { v.cache = nil }

// lay returns the rows of the line at off.
func (v *view) lay(off int64) *laid {
	if l := v.cache[off]; l != nil {
		return l
	}
	line, next, ok := v.text.next(off)
	l := &laid{next: next, ok: ok, blank: ok && len(line) == 0}
	if !ok {
		return l
	}
	g, plain := v.glyphs(line)
	if v.found != nil && !v.hide {
		for _, r := range v.found.ranges(plain) {
			for i := range g {
				if g[i].width > 0 && g[i].off >= r[0] && g[i].off < r[1] {
					g[i].attr ^= standout
				}
			}
		}
	}
	if v.chop {
		row, more := chop(g, v.left, v.width())
		if more {
			row, _ = chop(g, v.left, v.width()-1)
		}
		l.rows, l.more = [][]glyph{row}, more
	} else {
		l.rows = wrap(g, v.width())
	}
	if n, complete := v.text.src.size(); next < n || complete && next == n && v.text.err == nil || len(line) > 0 && int(next-off) > len(line) {
		if v.cache == nil || len(v.cache) >= maxCache {
			v.cache = make(map[int64]*laid, maxCache)
		}
		v.cache[off] = l
	}
	return l
}

// after returns the place behind p; ok is false at the end.
func (v *view) after(p place) (place, bool) {
	l := v.lay(p.line)
	if p.row+1 < len(l.rows) {
		return place{p.line, p.row + 1}, true
	}
	if !l.ok {
		return p, false
	}
	next := v.lay(l.next)
	at := l.next
	if v.squeeze && l.blank {
		for next.blank && !v.interrupt() {
			at = next.next
			next = v.lay(at)
		}
	}
	return place{at, 0}, next.ok
}

// prior returns the place before p; ok is false at the start.
func (v *view) prior(p place) (place, bool) {
	if p.row > 0 {
		return place{p.line, p.row - 1}, true
	}
	s, ok := v.text.prev(p.line)
	if !ok {
		return p, false
	}
	s = v.unsqueezed(s)
	return place{s, max(0, len(v.lay(s).rows)-1)}, true
}

// unsqueezed returns the line that is shown for the one at off: of several blank
// ones the first.
func (v *view) unsqueezed(off int64) int64 {
	for v.squeeze && v.lay(off).blank && !v.interrupt() {
		before, ok := v.text.prev(off)
		if !ok || !v.lay(before).blank {
			break
		}
		off = before
	}
	return off
}

// top is the first place shown.
func (v *view) top() place {
	if len(v.shown) == 0 {
		return place{}
	}
	return v.shown[0]
}

// end returns the offset behind what is shown.
func (v *view) end() int64 {
	if len(v.shown) == 0 {
		return 0
	}
	last := v.shown[len(v.shown)-1]
	l := v.lay(last.line)
	if last.row+1 < len(l.rows) {
		return last.line
	}
	return l.next
}

// atEnd reports whether the end of the text is on the screen.
func (v *view) atEnd() bool {
	if len(v.shown) == 0 {
		return v.text.atEnd(0)
	}
	last := v.shown[len(v.shown)-1]
	l := v.lay(last.line)
	return last.row+1 >= len(l.rows) && v.text.atEnd(l.next)
}

// fill sets what is shown so that top is the first row, if there is such a
// row, or as far down as the text allows.
func (v *view) fill(top place) {
	v.shown = v.shown[:0]
	top.line = v.unsqueezed(top.line)
	l := v.lay(top.line)
	if !l.ok {
		p, ok := v.prior(place{top.line, 0})
		if !ok {
			return
		}
		top = p
		l = v.lay(top.line)
	}
	if top.row >= len(l.rows) {
		top.row = len(l.rows) - 1
	}
	v.shown = append(v.shown, top)
	for len(v.shown) < v.height() && !v.interrupt() {
		p, ok := v.after(v.shown[len(v.shown)-1])
		if !ok {
			break
		}
		v.shown = append(v.shown, p)
	}
	for len(v.shown) < v.height() && v.text.err == nil {
		p, ok := v.prior(v.shown[0])
		if !ok {
			break
		}
		v.shown = append([]place{p}, v.shown...)
	}
}

// bottom returns the top place with which the end of the text is on the screen.
func (v *view) bottom() place {
	n := v.text.all(v.interrupt)
	s, ok := v.text.prev(n)
	if !ok {
		return place{}
	}
	return place{s, max(0, len(v.lay(s).rows)-1)}
}

func (v *view) put(s string) { v.out = append(v.out, s...) }

// moveTo puts the cursor at the start of a row of the screen.
func (v *view) moveTo(row int) {
	v.put(terminfo.Expand(v.cup, terminfo.IntParam(row), terminfo.IntParam(0)))
}

// sent keeps track of the attributes of the terminal.
type sent struct {
	attr   attr
	colors bool
}

func (v *view) attributes(s *sent, a attr) {
	if a == s.attr {
		return
	}
	if s.attr&bold != 0 && a&bold == 0 {
		v.put(v.sgr0)
		s.attr, s.colors = 0, false
	}
	if s.attr&standout != 0 && a&standout == 0 {
		v.put(v.rmso)
	}
	if s.attr&underline != 0 && a&underline == 0 {
		v.put(v.rmul)
	}
	if a&standout != 0 && s.attr&standout == 0 {
		v.put(v.smso)
	}
	if a&bold != 0 && s.attr&bold == 0 {
		v.put(v.bold)
	}
	if a&underline != 0 && s.attr&underline == 0 {
		v.put(v.smul)
	}
	s.attr = a
}

// row writes one row of text. The cursor is at its start and moves to the next
// row.
func (v *view) row(p place) {
	l := v.lay(p.line)
	if v.numbers {
		if p.row == 0 {
			n := strconv.FormatInt(v.text.number(p.line, v.interrupt), 10)
			for i := len(n); i < gutter-1; i++ {
				v.put(" ")
			}
			v.put(n + " ")
		} else {
			v.put("        ")
		}
	}
	var s sent
	used := 0
	if p.row < len(l.rows) {
		if p.row > 0 { // colours go on from the row before
			for _, r := range l.rows[:p.row] {
				for i := range r {
					if r[i].esc != "" {
						v.put(r[i].esc)
						s.colors = true
					}
				}
			}
		}
		for _, g := range l.rows[p.row] {
			if g.esc != "" {
				v.attributes(&s, 0)
				v.put(g.esc)
				s.colors = true
			}
			v.attributes(&s, g.attr)
			v.put(g.text)
			used += int(g.width)
		}
	}
	if l.more {
		v.attributes(&s, standout)
		v.put(">")
		used++
	}
	v.attributes(&s, 0)
	if s.colors {
		v.put("\x1b[m")
	}
	if v.numbers {
		used += gutter
	}
	if used < v.cols || !v.wraps {
		v.put("\n")
	}
}

// paint draws the whole screen but the last row, where the cursor is left.
func (v *view) paint() {
	if v.dumb {
		v.put("\n")
	} else {
		v.put(v.clear)
	}
	v.rest(v.shown)
}

// rest draws rows, and the mark of rows behind the end.
func (v *view) rest(rows []place) {
	for _, p := range rows {
		v.row(p)
	}
	for i := len(v.shown); i < v.height(); i++ {
		v.put(v.bold + "~")
		if v.bold != "" {
			v.put(v.sgr0)
		}
		v.put("\n")
	}
}

// show moves to another top place, by scrolling where that is shorter.
func (v *view) show(top place) {
	old := append([]place(nil), v.shown...)
	v.fill(top)
	v.scroll(old)
}

// scroll draws what is shown where old is on the screen.
func (v *view) scroll(old []place) {
	if len(old) < v.height() || len(v.shown) < v.height() || v.dumb && v.top().before(old[0]) {
		v.paint()
		return
	}
	switch a, b := old[0], v.top(); {
	case a == b:
		v.line("")
	case a.before(b):
		for n := range old {
			if old[n] != b {
				continue
			}
			v.line("")
			v.rest(v.shown[len(old)-n:])
			return
		}
		if next, ok := v.after(old[len(old)-1]); ok && next == b {
			v.line("")
			v.rest(v.shown)
			return
		}
		v.paint()
	default:
		for n := range v.shown {
			if v.shown[n] != a {
				continue
			}
			if v.ri == "" || v.home == "" {
				break
			}
			v.line("")
			for i := n - 1; i >= 0; i-- {
				v.put(v.home + v.ri)
				v.row(v.shown[i])
			}
			v.moveTo(v.rows - 1)
			v.line("")
			return
		}
		v.paint()
	}
}

// line replaces the last row, where the cursor is.
func (v *view) line(s string) {
	v.put("\r" + v.el)
	if v.el == "" {
		v.put("\n")
	}
	v.put(s)
}
