// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sed

import (
	"bytes"
	"math"

	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// prepareCount decides whether every command of the script waits for the number
// of a line, or the last one, so that those in between can be passed.
func (s *sed) prepareCount() {
	inside := 0 // up to here commands run only where the block does
	var waits []*command
	for i, c := range s.prog {
		if i < inside || c.name == ':' {
			continue
		}
		if c.bang || c.a1 == nil || c.a1.kind != addrLast && (c.a1.kind != addrLine || c.a1.n == 0) {
			return
		}
		if c.name == '{' {
			inside = c.jump
		}
		waits = append(waits, c)
	}
	if !s.unbuffered {
		s.waits = waits
	}
}

// count passes buffered lines that no command waits for. It returns true.
func (s *sed) count() bool {
	if s.waits == nil || !s.in.open || s.in.r.slow {
		return true
	}
	next, last := int64(math.MaxInt64), 0
	for _, c := range s.waits {
		switch {
		case c.active:
			return true
		case c.a1.kind == addrLast:
			last = 1
		case c.a1.n > s.line:
			next = min(next, c.a1.n)
		case c.a2 != nil && !c.closed:
			return true
		}
	}
	r := &s.in.r
	for {
		b := r.bufs[r.cur][r.r:r.w]
		if len(b) <= wsys.Worth || next == s.line+1 {
			return true
		}
		n := wsys.CountByte(b, s.eol) - last // the last one may be the last of all
		if n <= 0 {
			if r.more() {
				continue
			}
			return true
		}
		size := 0
		if want := next - 1 - s.line; int64(n) > want {
			n = int(want)
			size = s.linesSize(b, n)
		} else {
			size = bytes.LastIndexByte(b, s.eol) + 1
			if last > 0 {
				size = bytes.LastIndexByte(b[:size-1], s.eol) + 1
			}
		}
		s.flushAppended()
		if !s.quiet {
			s.writeRaw(s.out, b[:size])
		}
		s.line += int64(n)
		s.replaced = false
		r.r += size
		if s.out == s.stdout && s.p.WriteFailed() || !r.more() {
			return true
		}
	}
}

// linesSize returns how many bytes the first n lines of b are, which has as
// many.
func (s *sed) linesSize(b []byte, n int) int {
	size := 0
	for n > 0 {
		room := s.gather.room()
		k := wsys.Positions(b[size:], s.eol, s.eol, room[:min(n, len(room))])
		n -= k
		size += int(room[k-1]) + 1
	}
	return size
}

// end returns where the next line ends, -1 where that is not in the buffer. It
// looks ahead.
func (r *reader) end(eol byte) int {
	for len(r.ends) > 0 {
		if k := r.base + int(r.ends[0]); k >= r.r {
			return k
		}
		r.ends = r.ends[1:]
	}
	b := r.bufs[r.cur][r.r:r.w]
	if len(b) <= wsys.Worth {
		if k := bytes.IndexByte(b, eol); k >= 0 {
			return r.r + k
		}
		return -1
	}
	if r.room == nil {
		r.room = make([]uint32, foundAhead)
	}
	n := wsys.Positions(b, eol, eol, r.room)
	if n == 0 {
		return -1
	}
	r.base, r.ends = r.r, r.room[:n]
	return r.base + int(r.ends[0])
}
