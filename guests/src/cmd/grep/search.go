// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package grep

import (
	"math"
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// Sizes of the buffer: what small files need, so that few pages are used, and
// what pays off for large ones.
const (
	smallBuffer = 64 << 10
	largeBuffer = 256 << 10
	maxLine     = 1 << 30
)

var staticBuffer [smallBuffer]byte

// input is the file being searched.
type input struct {
	fd   wsys.FD
	name string

	base    int64 // offset in the file of buf[0]
	counted int   // lines up to here in buf are in lines
	lines   int64
	last    int64 // offset behind the last printed line, -1 before any
	pending int   // lines of context still to print
	left    int64 // selected lines that may still come
	matches int64
	binary  bool // a null byte has been met, or text that is not valid
	silent  bool // do not print lines (binary)
	invalid bool // a line was not printed because it is not valid text
	done    bool
	end     int64 // offset behind the last selected line
}

// search searches an open file and reports whether to stop altogether. It does
// not close the file. regular says that a short read is the end of the file.
func (g *grep) search(fd wsys.FD, name string, regular bool) (stop bool) {
	in := &g.in
	*in = input{fd: fd, name: name, last: -1, left: g.max}
	if g.outRegular && !g.quiet && g.list == listNone && !g.count && g.max > 1 {
		if st, err := wsys.Fstat(fd); err == nil && st.Mode.IsRegular() && st.Dev == g.outDev && st.Ino == g.outIno {
			g.status = trouble
			if !g.suppress {
				g.p.Warn(name, ": input file is also the output")
			}
			return false
		}
	}
	if g.buf == nil {
		g.buf = staticBuffer[:]
	}
	keep, beg, end := 0, 0, 0 // context kept for -B, lines to search, what is read
	eof := false
	for !eof && !in.done {
		// Make room behind what is kept.
		if keep > 0 {
			copy(g.buf, g.buf[keep:end])
			in.base += int64(keep)
			in.counted -= keep
			beg -= keep
			end -= keep
			keep = 0
		}
		if end > len(g.buf)/2 {
			if len(g.buf) >= maxLine {
				g.fileError(name, abi.ENOMEM)
				return false
			}
			b := make([]byte, max(2*len(g.buf), largeBuffer))
			copy(b, g.buf[:end])
			g.buf = b
		}
		n, err := wsys.Read(fd, g.buf[end:])
		if err == abi.EINTR {
			continue
		}
		if err != nil {
			if err == abi.EISDIR && g.dirs == dirSkip {
				return false
			}
			g.fileError(name, err)
			if (g.count && g.list == listNone || g.list == listOthers) && err == abi.EISDIR {
				g.finish()
			}
			return false
		}
		full := n == len(g.buf)-end
		chunk := g.buf[end : end+n]
		end += n
		eof = n == 0 || regular && !full
		if g.eol != 0 && g.binary != binaryText && n > 0 && !in.binary {
			if indexByte(chunk, 0) >= 0 {
				in.binary = true
				if g.binary == binaryWithoutMatch {
					return false
				}
				in.silent = true
				chunk = g.buf[beg:end]
			}
		}
		if in.binary && in.silent {
			// Null bytes of binary files end lines.
			zap(chunk)
		}
		if full && len(g.buf) < largeBuffer {
			b := make([]byte, largeBuffer)
			copy(b, g.buf[:end])
			g.buf = b
		}
		limit := end
		if !eof {
			// What was there before ends within a line.
			k := lastIndexByte(g.buf[end-n:end], g.eol)
			if k < 0 {
				continue
			}
			limit = end - n + k + 1
		}
		g.lines(beg, limit)
		beg = limit
		keep = beg
		if g.before > 0 && !in.done {
			keep = g.contextStart(beg)
		}
		if (g.lineNumber) && !in.done {
			g.countTo(keep)
		}
		if g.p.WriteFailed() {
			return true
		}
	}
	g.finish()
	return g.quiet && g.matched
}

func zap(b []byte) {
	for i, c := range b {
		if c == 0 {
			b[i] = '\n'
		}
	}
}

// contextStart returns the start of the lines before at that may be printed as
// context of a later match.
func (g *grep) contextStart(at int) int {
	in := &g.in
	floor := 0
	if in.last > in.base {
		floor = int(in.last - in.base)
	}
	for n := g.before; n > 0 && at > floor; n-- {
		at = lastIndexByte(g.buf[:at-1], g.eol) + 1
	}
	return max(at, floor)
}

// lines searches the lines buf[pos:limit].
func (g *grep) lines(pos, limit int) {
	in := &g.in
	b := g.buf[:limit]
	if g.count && g.max == math.MaxInt64 && pos < limit {
		g.countLines(b[pos:])
		return
	}
	g.found, g.searched = nil, pos
	if g.batchParts(pos, limit) || g.batchLines(pos, limit) {
		return
	}
	for pos < limit && !in.done {
		if in.left == 0 {
			g.trailing(pos, limit)
			if in.pending == 0 {
				in.done = true
			}
			return
		}
		s, e, err := g.find(b, pos)
		if err != nil {
			g.fileError(in.name, abi.ENOMEM)
			in.done = true
			return
		}
		next := limit
		if s < 0 {
			s = limit
		} else {
			next = min(e+1, limit)
		}
		if !g.invert {
			g.trailing(pos, s)
			if s < limit {
				g.match(s, next)
			}
			pos = next
			continue
		}
		if g.plain() && s > pos && g.valid(b[pos:s]) {
			g.matched = true
			in.matches++
			g.out.Write(b[pos:s])
			if b[s-1] != g.eol {
				g.out.WriteByte(g.eol)
			}
		} else {
			for pos < s && in.left > 0 && !in.done {
				k := g.lineEnd(pos, limit)
				g.match(pos, k)
				pos = k
			}
			if pos < s {
				continue
			}
		}
		g.trailing(s, next)
		pos = next
	}
	if in.left == 0 && in.pending == 0 {
		in.done = true
	}
}

// countLines counts the selected lines of b.
func (g *grep) countLines(b []byte) {
	in := &g.in
	k, err := g.re.CountLines(b)
	if err != nil {
		g.fileError(in.name, abi.ENOMEM)
		in.done = true
		return
	}
	n := int64(k)
	if g.invert {
		n = int64(countByte(b, g.eol)) - n
		if b[len(b)-1] != g.eol {
			n++
		}
	}
	in.matches += n
	if n > 0 {
		g.matched = true
	}
}

// plain reports whether selected lines are printed as they are, without end.
func (g *grep) plain() bool {
	return !g.quiet && g.list == listNone && !g.count && !g.in.silent && !g.onlyMatching &&
		!g.withName && !g.lineNumber && !g.byteOffset && g.color == nil &&
		g.before < 0 && g.after < 0 && g.max == math.MaxInt64
}

// valid reports whether lines can be printed as text.
func (g *grep) valid(b []byte) bool {
	switch {
	case !g.utf8 || g.binary == binaryText || g.eol == 0:
		return true
	case len(b) > wsys.Worth:
		return wsys.ValidUTF8(b) == len(b)
	}
	return utf8.Valid(b)
}

// lineEnd returns the end of the line at pos, behind its delimiter.
func (g *grep) lineEnd(pos, limit int) int {
	if k := indexByte(g.buf[pos:limit], g.eol); k >= 0 {
		return pos + k + 1
	}
	return limit
}

// trailing prints lines of buf[pos:limit], which are not selected, as context of
// a match before.
func (g *grep) trailing(pos, limit int) {
	for g.in.pending > 0 && pos < limit && !g.in.done {
		e := g.lineEnd(pos, limit)
		g.in.pending--
		g.print(pos, e, '-')
		pos = e
	}
}

// match handles the selected line buf[s:e].
func (g *grep) match(s, e int) {
	in := &g.in
	g.matched = true
	in.matches++
	in.left--
	in.end = in.base + int64(e)
	if g.quiet || g.list != listNone {
		in.done = true
		return
	}
	if g.count {
		in.done = in.left == 0
		return
	}
	if in.silent {
		in.done = true
		return
	}
	if g.before > 0 {
		for p := g.contextStart(s); p < s && !in.done; {
			q := g.lineEnd(p, s)
			g.print(p, q, '-')
			p = q
		}
	}
	if in.done {
		return
	}
	g.print(s, e, ':')
	if g.after > 0 {
		in.pending = g.after
	}
}

// finish prints what is printed once for a file.
func (g *grep) finish() {
	in := &g.in
	if g.quiet {
		return
	}
	switch {
	case g.list != listNone:
		if (in.matches > 0) == (g.list == listMatching) {
			g.name(in.name)
			if g.nullName {
				g.out.WriteByte(0)
			} else {
				g.out.WriteByte('\n')
			}
		}
	case g.count:
		if g.withName {
			g.name(in.name)
			if g.nullName {
				g.out.WriteByte(0)
			} else {
				g.sep(':')
			}
		}
		g.number(in.matches, 0)
		g.out.WriteByte('\n')
	case g.binary == binaryFile && (in.silent && in.matches > 0 || in.invalid):
		g.p.Warn(in.name, ": binary file matches")
	}
	// What another program reads from the same file begins behind the last
	// selected line.
	if in.left == 0 && in.fd == g.p.Stdin.FD {
		wsys.Seek(in.fd, in.end, abi.SeekSet)
	}
}
