// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"fmt"
	"hash/fnv"
	"io"
	"strings"
	"unicode/utf8"
)

// Text is what one Poll gives.
type Text struct {
	Head    string // the text, or its beginning where the middle was dropped
	Tail    string // its end where the middle was dropped
	Omitted int64  // bytes dropped between Head and Tail
	Cleared int64  // lines that were erased or deleted before any Poll gave them
	Hidden  int64  // bytes in control strings (titles, pictures), which are not text
}

// String returns the text. Where the middle was dropped a line states how much.
func (t Text) String() string {
	if t.Omitted == 0 {
		return t.Head + t.Tail
	}
	nl := ""
	if t.Head != "" && !strings.HasSuffix(t.Head, "\n") {
		nl = "\n"
	}
	return fmt.Sprintf("%s%s[%d bytes omitted]\n%s", t.Head, nl, t.Omitted, t.Tail)
}

// Poll returns the text that is new since the last Poll. The package comment
// says how lines that change are given.
func (t *Terminal) Poll() Text {
	t.sync()
	if t.mode.Alternate {
		t.frame(false)
	}
	head, tail, omitted := t.out.take()
	x := Text{Head: head, Tail: tail, Omitted: omitted, Cleared: t.cleared, Hidden: t.parser.hidden}
	t.cleared, t.parser.hidden, t.frames = 0, 0, 0
	return x
}

// sync gives the rows of the primary screen.
func (t *Terminal) sync() {
	for y, r := range t.primary.rows {
		keep := -1
		if y == t.cur.y && !t.mode.Alternate {
			keep = t.cur.x
			if t.cur.wrap {
				keep++
			}
		}
		t.give(r, keep)
	}
}

// finish gives a row that leaves the screen and will not change any more.
func (t *Terminal) finish(r *row) {
	if !r.ended && r.used == 0 && len(r.marks) == 0 && !r.given {
		return
	}
	r.ended = true
	if r.given {
		t.give(r, -1)
		return
	}
	if !t.joins(r) {
		t.endLine()
	}
	t.scratch = r.appendText(t.scratch[:0], t.opt.Controls, -1, true)
	t.out.add(t.scratch)
	t.mid, t.open, t.wraps = true, r.id, r.wrapped
	if !r.wrapped {
		t.endLine()
	}
}

// joins reports whether r continues the line in which the text ends.
func (t *Terminal) joins(r *row) bool {
	return t.mid && t.wraps && r.after != 0 && t.open == r.after
}

// forget is for a row that is erased or deleted.
func (t *Terminal) forget(r *row) {
	if r.used == 0 {
		return
	}
	if s := trimmed(t.rowText(r, 0)); s != "" && (!r.given || s != trimmed(r.shown)) {
		t.cleared++
	}
}

func (t *Terminal) rowText(r *row, keep int) string { return r.text(t.opt.Controls, keep, true) }

// give adds to the text what is new of the row r. keep is the column of the
// cursor if it is in the row, -1 otherwise.
func (t *Terminal) give(r *row, keep int) {
	here := t.mid && t.open == r.id
	joins := t.joins(r)
	if r.used == 0 && len(r.marks) == 0 && !r.given && !r.ended && !joins {
		return
	}
	s := t.rowText(r, keep)
	switch {
	case here && len(s) >= len(r.shown) && s[:len(r.shown)] == r.shown:
		t.out.add([]byte(s[len(r.shown):]))
	case here && trimmed(s) == trimmed(r.shown):
		s = r.shown
	case here:
		t.endLine()
		if s == "" {
			r.given, r.shown = false, ""
			return
		}
		t.out.add([]byte(s))
	case r.given && !joins && trimmed(s) == trimmed(r.shown):
		return
	case r.given && !joins && s == "":
		r.shown = ""
		return
	case s == "" && !r.ended && !joins:
		return
	default:
		if !joins {
			t.endLine()
		}
		t.out.add([]byte(s))
	}
	again := r.given && !here
	r.given, r.shown = true, s
	t.mid, t.open, t.wraps = true, r.id, r.wrapped
	if !r.wrapped && (r.ended || again && keep < 0) {
		t.endLine()
	}
}

// endLine ends the line that is open.
func (t *Terminal) endLine() {
	if t.mid {
		t.out.add([]byte{'\n'})
		t.mid = false
	}
}

// frame gives the picture of the alternate screen if it differs from the last
// one given. At the end, when the program leaves the screen, only the lines that
// differ are given, if there was one before.
func (t *Terminal) frame(end bool) {
	if t.opt.Frames == FramesOmit {
		return
	}
	var lines []string
	h := fnv.New64a()
	last := 0
	for i, r := range t.alternate.rows {
		s := trimmed(r.text(t.opt.Controls, 0, false))
		lines = append(lines, s)
		if s != "" {
			last = i + 1
		}
		_, _ = io.WriteString(h, s)
		_, _ = io.WriteString(h, "\n")
	}
	fmt.Fprintf(h, "%d;%d", t.cur.y, t.cur.x)
	if last == 0 && end || h.Sum64() == t.frameHash {
		return
	}
	t.frameHash = h.Sum64()
	before := t.frameLines
	t.frameLines = lines
	if end && before != nil {
		var news []string
		for i, s := range lines {
			if s != "" && (i >= len(before) || s != before[i]) {
				news = append(news, s)
			}
		}
		lines, last = news, len(news)
		if last == 0 {
			return
		}
	}
	t.frames++
	t.endLine()
	t.out.add(fmt.Appendf(nil, "[full screen, %d rows, %d columns, cursor at row %d, column %d]\n", t.rows, t.cols, t.cur.y+1, t.cur.x+1))
	if t.opt.Frames == FramesShow {
		for _, s := range lines[:last] {
			t.out.add([]byte(s + "\n"))
		}
	}
}

// headTail keeps the first and the last max/2 bytes that were added.
type headTail struct {
	max     int
	head    []byte
	tail    []byte
	omitted int64
}

func (b *headTail) add(s []byte) {
	half := b.max / 2
	if len(b.tail) == 0 && b.omitted == 0 {
		if n := half - len(b.head); n >= len(s) {
			b.head = append(b.head, s...)
			return
		} else if n > 0 {
			for n > 0 && !utf8.RuneStart(s[n]) {
				n--
			}
			b.head = append(b.head, s[:n]...)
			s = s[n:]
		}
	}
	b.tail = append(b.tail, s...)
	if len(b.tail) > 2*half+4096 {
		b.trim()
	}
}

// trim cuts the tail to its bound, at a character.
func (b *headTail) trim() {
	n := len(b.tail) - (b.max - b.max/2)
	if n <= 0 {
		return
	}
	for n < len(b.tail) && !utf8.RuneStart(b.tail[n]) {
		n++
	}
	b.omitted += int64(n)
	b.tail = b.tail[:copy(b.tail, b.tail[n:])]
}

func (b *headTail) take() (head, tail string, omitted int64) {
	b.trim()
	head, tail, omitted = string(b.head), string(b.tail), b.omitted
	if omitted == 0 {
		head, tail = head+tail, ""
	}
	*b = headTail{max: b.max, head: b.head[:0]}
	if cap(b.head) > 64<<10 {
		b.head = nil
	}
	return head, tail, omitted
}
