// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pager

import (
	"bytes"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// maxPiece is where lines are cut: one that is longer counts as several, which
// begin at multiples of it.
const maxPiece = 64 << 10

// cutOf returns where the piece that begins at off is cut at the latest.
func cutOf(off int64) int64 { return (off+maxPiece-1)/maxPiece*maxPiece + maxPiece }

// text is a source in lines.
type text struct {
	src  source
	buf  []byte // a window of the source
	base int64  // its offset
	err  error  // what stopped the last reading: EINTR, or trouble

	marks []lineMark // line numbers that are known, ascending
}

// lineMark says how many newlines there are before an offset.
type lineMark struct {
	off   int64
	lines int64
}

func newText(src source) *text {
	return &text{src: src, marks: []lineMark{{}}}
}

// window makes the bytes from off on be in the buffer, at least one more than
// have, and returns them. They end early at the end of the text, or where
// reading failed (see err).
func (t *text) window(off int64, have int) []byte {
	t.err = nil
	end := t.base + int64(len(t.buf))
	if off < t.base || off > end {
		t.base, t.buf = off, t.buf[:0]
	}
	from := int(off - t.base)
	if len(t.buf)-from > have {
		return t.buf[from:]
	}
	if from > 2*maxPiece { // what is before is rarely needed again
		n := copy(t.buf, t.buf[from-maxPiece:])
		t.buf = t.buf[:n]
		t.base += int64(from - maxPiece)
		from = maxPiece
	}
	if cap(t.buf)-len(t.buf) < maxPiece {
		t.buf = append(make([]byte, 0, 2*len(t.buf)+2*maxPiece), t.buf...)
	}
	free := t.buf[len(t.buf):cap(t.buf)]
	n, err := t.src.read(free[:maxPiece], t.base+int64(len(t.buf)))
	t.buf = t.buf[:len(t.buf)+n]
	t.err = err
	return t.buf[from:]
}

// next returns the line at off, which begins there, without its newline, and
// where the next one begins. ok is false at the end.
func (t *text) next(off int64) (line []byte, next int64, ok bool) {
	most := int(cutOf(off) - off)
	seen := 0
	for {
		b := t.window(off, seen)
		stop := len(b) <= seen // nothing more
		if i := bytes.IndexByte(b[min(seen, len(b)):], '\n'); i >= 0 && seen+i < most {
			i += seen
			return b[:i], off + int64(i) + 1, true
		}
		if len(b) >= most {
			return b[:most], off + int64(most), true
		}
		if stop {
			return b, off + int64(len(b)), len(b) > 0
		}
		seen = len(b)
	}
}

// prev returns where the line before the one that begins at off begins. ok is
// false at the start.
func (t *text) prev(off int64) (start int64, ok bool) {
	if off <= 0 {
		return 0, false
	}
	if n := int(off - t.base); n > 0 && n <= len(t.buf) {
		// The usual case: it is in the window.
		if i := bytes.LastIndexByte(t.buf[:n-1], '\n'); i >= 0 && n-i < maxPiece {
			return t.base + int64(i) + 1, true
		}
	}
	from := max(0, off-4*maxPiece)
	n := int(off - from)
	b := t.window(from, 0)
	for len(b) < n {
		k := len(b)
		if b = t.window(from, k); len(b) <= k {
			return from, true // the text became shorter
		}
	}
	i := bytes.LastIndexByte(b[:n-1], '\n')
	if i < 0 && from > 0 {
		// A long line: the piece before begins at a multiple.
		return (off - 1) / maxPiece * maxPiece, true
	}
	start = from + int64(i) + 1
	for cut := cutOf(start); cut < off; cut = cutOf(start) {
		start = cut
	}
	return start, true
}

// lineStart returns where the line that has the offset begins.
func (t *text) lineStart(off int64) int64 {
	if off <= 0 {
		return 0
	}
	// Searching backwards from behind a line finds its start.
	s, _ := t.prev(off + 1)
	for {
		_, next, ok := t.next(s)
		if !ok || next > off {
			return s
		}
		s = next
	}
}

// atEnd reports whether there is no text at off, as far as one knows without
// waiting.
func (t *text) atEnd(off int64) bool {
	n, complete := t.src.size()
	if off < n {
		return false
	}
	if !complete {
		t.src.grow()
		n, complete = t.src.size()
	}
	return off >= n && complete
}

// all reads the text to its end and returns its size. stop is asked now and
// then whether to give up.
func (t *text) all(stop func() bool) int64 {
	var b [4096]byte
	for {
		n, complete := t.src.size()
		if complete || stop() {
			return n
		}
		if k, err := t.src.read(b[:], n); err != nil && err != abi.EINTR || k == 0 && err == nil {
			n, _ = t.src.size()
			return n
		}
	}
}

// markEvery is the least distance of line marks.
const markEvery = 256 << 10

// mark remembers a line number.
func (t *text) mark(off, lines int64) {
	if last := t.marks[len(t.marks)-1]; off >= last.off+markEvery {
		t.marks = append(t.marks, lineMark{off, lines})
	}
}

// before returns the last mark that is not behind what after says.
func (t *text) before(after func(m lineMark) bool) lineMark {
	lo, hi := 0, len(t.marks)
	for hi-lo > 1 {
		if m := (lo + hi) / 2; after(t.marks[m]) {
			hi = m
		} else {
			lo = m
		}
	}
	return t.marks[lo]
}

// number returns the number of the line that begins at off, from 1, or 0 where
// stop said to give up.
func (t *text) number(off int64, stop func() bool) int64 {
	m := t.before(func(m lineMark) bool { return m.off > off })
	for m.off < off {
		if stop() {
			return 0
		}
		b := t.window(m.off, 0)
		if len(b) == 0 {
			break
		}
		if int64(len(b)) > off-m.off {
			b = b[:off-m.off]
		}
		m.off += int64(len(b))
		m.lines += int64(wsys.CountByte(b, '\n'))
		t.mark(m.off, m.lines)
	}
	return m.lines + 1
}

// offset returns where the line of a number begins, the last one where there
// are fewer; found says which.
func (t *text) offset(number int64, stop func() bool) (off int64, found bool) {
	want := number - 1 // newlines before it
	if want <= 0 {
		return 0, true
	}
	m := t.before(func(m lineMark) bool { return m.lines >= want })
	for m.lines < want {
		if stop() {
			return t.lineStart(m.off), false
		}
		b := t.window(m.off, 0)
		if len(b) == 0 {
			s, _ := t.prev(m.off)
			return s, false
		}
		n := int64(wsys.CountByte(b, '\n'))
		if m.lines+n < want {
			m.off += int64(len(b))
			m.lines += n
			t.mark(m.off, m.lines)
			continue
		}
		for m.lines < want {
			i := bytes.IndexByte(b, '\n') + 1
			b = b[i:]
			m.off += int64(i)
			m.lines++
		}
	}
	if len(t.window(m.off, 0)) == 0 && m.off > 0 {
		s, _ := t.prev(m.off)
		return s, false
	}
	return m.off, true
}
