// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package grep

import (
	"math"
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// batch puts the output of many lines together.
type batch struct {
	pieces []uint32 // of the text, and of alt
	alt    []byte   // prefixes and ends
	total  int

	// Ends of lines found ahead, counted from base, and how far that is.
	ends, room        []uint32
	base, upto, limit int
}

// batchFlush is how many bytes of output are put together at least.
const batchFlush = 32 << 10

// batches reports whether whole lines are all that is printed, each with the
// same kind of prefix.
func (g *grep) batches() bool {
	return !g.quiet && g.list == listNone && !g.count && !g.in.silent && !g.onlyMatching &&
		g.color == nil && g.before < 0 && g.after < 0 && g.max == math.MaxInt64 && !g.alignTabs
}

// piece appends text[s:e].
func (k *batch) piece(s, e int) {
	if n := len(k.pieces); n > 0 && k.pieces[n-2]+k.pieces[n-1] == uint32(s) && k.pieces[n-2]&abi.GatherAlt == 0 {
		k.pieces[n-1] += uint32(e - s)
	} else {
		k.pieces = append(k.pieces, uint32(s), uint32(e-s))
	}
	k.total += e - s
}

// extra appends what has been appended to alt since it had n bytes.
func (k *batch) extra(n int) {
	k.pieces = append(k.pieces, uint32(n)|abi.GatherAlt, uint32(len(k.alt)-n))
	k.total += len(k.alt) - n
}

func (g *grep) flushBatch() {
	k := &g.batch
	g.out.Gather(g.buf, k.alt, k.pieces, k.total)
	k.pieces, k.alt, k.total = k.pieces[:0], k.alt[:0], 0
}

// selectLines appends the lines of buf[s:e], whole ones, to the output. The
// caller has counted up to there in in.lines where line numbers are wanted.
func (g *grep) selectLines(s, e int) {
	k, in := &g.batch, &g.in
	if s == e {
		return
	}
	g.matched, g.printed = true, true
	in.matches++ // that there are some is all that counts
	in.last = in.base + int64(e)
	if !g.withName && !g.lineNumber && !g.byteOffset {
		k.piece(s, e)
	} else {
		for s < e {
			next := g.nextLine(s, e)
			n := len(k.alt)
			if g.withName {
				k.alt = append(k.alt, in.name...)
				if g.nullName {
					k.alt = append(k.alt, 0)
				} else {
					k.alt = append(k.alt, ':')
				}
			}
			if g.lineNumber {
				in.lines++
				k.alt = append(strconv.AppendInt(k.alt, in.lines, 10), ':')
			}
			if g.byteOffset {
				k.alt = append(strconv.AppendInt(k.alt, in.base+int64(s), 10), ':')
			}
			k.extra(n)
			k.piece(s, next)
			s = next
		}
	}
	if g.buf[e-1] != g.eol {
		k.alt = append(k.alt, g.eol)
		k.extra(len(k.alt) - 1)
	}
	if k.total >= batchFlush {
		g.flushBatch()
	}
}

// passLines counts the lines of buf[s:e] where line numbers are wanted.
func (g *grep) passLines(s, e int) {
	if !g.lineNumber {
		return
	}
	for s < e {
		s = g.nextLine(s, e)
		g.in.lines++
	}
}

// nextLine returns where the line behind the one at s begins, at most limit.
// Ends are looked for ahead; s does not move back.
func (g *grep) nextLine(s, limit int) int {
	k := &g.batch
	for {
		for len(k.ends) > 0 {
			if e := k.base + int(k.ends[0]) + 1; e > s {
				return e
			}
			k.ends = k.ends[1:]
		}
		if k.upto >= k.limit {
			return limit
		}
		if k.room == nil {
			k.room = make([]uint32, 2*linesAhead)
		}
		k.base = max(s, k.upto)
		n := wsys.Positions(g.buf[k.base:k.limit], g.eol, g.eol, k.room)
		k.ends, k.upto = k.room[:n], k.limit
		if n == len(k.room) {
			k.upto = k.base + int(k.room[n-1]) + 1
		}
	}
}

// batchLines prints the selected lines of buf[pos:limit], whole ones. It reports
// false where they must be printed one by one.
func (g *grep) batchLines(pos, limit int) bool {
	in := &g.in
	if limit-pos <= wsys.Worth || !g.batches() || !g.valid(g.buf[pos:limit]) {
		return false
	}
	b := g.buf[:limit]
	g.countTo(pos)
	g.batch.ends, g.batch.upto, g.batch.limit = nil, pos, limit
	for pos < limit && !g.p.WriteFailed() {
		s, e, err := g.find(b, pos)
		if err != nil {
			g.fileError(in.name, abi.ENOMEM)
			in.done = true
			break
		}
		next := limit
		if s < 0 {
			s = limit
		} else {
			next = min(e+1, limit)
		}
		if g.invert {
			g.selectLines(pos, s)
			g.passLines(s, next)
		} else {
			g.passLines(pos, s)
			g.selectLines(s, next)
		}
		pos = next
	}
	in.counted = limit
	g.flushBatch()
	return true
}

// batchParts prints the matches of a literal string in buf[pos:limit], whole
// lines. It reports false where they must be printed one by one.
func (g *grep) batchParts(pos, limit int) bool {
	in, k := &g.in, &g.batch
	if limit-pos <= wsys.Worth || !g.onlyMatching || g.invert || g.withName || g.lineNumber || g.byteOffset || g.quiet ||
		g.list != listNone || g.count || in.silent || g.color != nil || g.before >= 0 || g.after >= 0 || g.max != math.MaxInt64 || g.alignTabs {
		return false
	}
	lit, exact := g.re.Literal()
	if !exact || !g.valid([]byte(lit)) {
		return false
	}
	if k.room == nil {
		k.room = make([]uint32, 2*linesAhead)
	}
	needle := []byte(lit)
	for pos < limit && !g.p.WriteFailed() {
		n := wsys.Find(g.buf[pos:limit], needle, abi.FindAll, g.eol, k.room)
		if n == 0 {
			break
		}
		g.matched, g.printed = true, true
		in.matches++
		k.alt = append(append(k.alt, needle...), g.eol)
		for range n {
			k.pieces = append(k.pieces, abi.GatherAlt, uint32(len(k.alt)))
		}
		k.total = n * len(k.alt)
		g.flushBatch()
		if n < len(k.room) {
			break
		}
		pos += int(k.room[n-1]) + len(needle)
	}
	return true
}
