// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package accel

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// words returns how many numbers out has room for.
func words(out []byte) int { return len(out) / 4 }

func put(out []byte, i int, v uint32) { binary.LittleEndian.PutUint32(out[4*i:], v) }

// Positions stores the offsets of the bytes of b that are c1 or c2, each base
// larger, in ascending order, until out is full. It returns how many.
func Positions(out, b []byte, c1, c2 byte, base uint32) int {
	room := words(out)
	n := 0
	if c1 == c2 {
		for i := 0; n < room; n++ {
			k := bytes.IndexByte(b[i:], c1)
			if k < 0 {
				break
			}
			put(out, n, base+uint32(i+k))
			i += k + 1
		}
		return n
	}
	const low7, ones = 0x7f7f7f7f7f7f7f7f, 0x0101010101010101
	x1, x2 := uint64(c1)*ones, uint64(c2)*ones
	i := 0
	for ; len(b)-i >= 8 && room-n >= 8; i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		p, q := w^x1, w^x2
		// The high bit of each byte that is zero in p or in q.
		m := ^((p&low7 + low7 | p) & (q&low7 + low7 | q)) &^ low7
		for ; m != 0; m &= m - 1 {
			put(out, n, base+uint32(i+bits.TrailingZeros64(m)/8))
			n++
		}
	}
	for ; i < len(b) && n < room; i++ {
		if b[i] == c1 || b[i] == c2 {
			put(out, n, base+uint32(i))
			n++
		}
	}
	return n
}

// Finder looks for Needle in Text in one of the abi.Find modes and stores what
// the mode says in Out, until that is full.
type Finder struct {
	Text, Needle []byte
	Mode         uint32
	Fold         bool // Needle is in lower case and stands for all cases of ASCII letters
	EOL          byte // ends a line
	Out          []byte

	N   int // how many numbers are stored
	Pos int // where to go on

	find needle
	line int // where a line begins that holds or precedes Pos
}

// Run looks at about limit bytes and reports whether there is more to do. An
// empty needle is never found.
func (f *Finder) Run(limit int) (more bool) {
	if f.find.s == nil {
		f.find = newNeedle(f.Needle, f.Fold)
	}
	each := 1
	if f.Mode == abi.FindLines {
		each = 2
	}
	stop := len(f.Text)
	if len(f.Text)-f.Pos > limit {
		stop = f.Pos + limit
	}
	for len(f.Needle) > 0 && f.Pos < stop {
		if words(f.Out)-f.N < each {
			return false
		}
		// A match may reach behind stop.
		end := min(len(f.Text), stop+len(f.Needle)-1)
		k := f.find.index(f.Text[f.Pos:end])
		if k < 0 {
			f.Pos = stop
			return stop < len(f.Text)
		}
		at := f.Pos + k
		if f.Mode == abi.FindAll {
			put(f.Out, f.N, uint32(at))
			f.N++
			f.Pos = at + len(f.Needle)
			continue
		}
		end = len(f.Text)
		if k := bytes.IndexByte(f.Text[at:], f.EOL); k >= 0 {
			end = at + k
		}
		if f.Mode == abi.FindLines {
			f.line += bytes.LastIndexByte(f.Text[f.line:at], f.EOL) + 1
			put(f.Out, f.N, uint32(f.line))
			put(f.Out, f.N+1, uint32(end))
		} else {
			put(f.Out, f.N, uint32(at))
		}
		f.N += each
		f.Pos = end + 1
		f.line = min(f.Pos, len(f.Text))
	}
	return len(f.Needle) > 0 && f.Pos < len(f.Text)
}

// Split stores for each line of b the offsets of its first k delimiters and of
// its end, eol, each base larger. Where a line has fewer delimiters, the offset
// of its end stands for them. Only lines that have an end count, and only as
// many as there is room for. It returns how many numbers it stored, always a
// multiple of k+1, and how many bytes the lines are.
func Split(out, b []byte, delim, eol byte, k int, base uint32) (n, size int) {
	const low7, ones = 0x7f7f7f7f7f7f7f7f, 0x0101010101010101
	x1, x2 := uint64(delim)*ones, uint64(eol)*ones
	for k >= 0 && words(out)-n > k {
		end, fields := -1, 0
		for i := size; i < len(b) && end < 0; i += 8 {
			if fields == k {
				if e := bytes.IndexByte(b[i:], eol); e >= 0 {
					end = i + e
				}
				break
			}
			var w uint64
			if len(b)-i >= 8 {
				w = binary.LittleEndian.Uint64(b[i:])
			} else {
				var rest [8]byte
				for r := copy(rest[:], b[i:]); r < 8; r++ {
					rest[r] = ^delim // is neither, or cut off below
				}
				w = binary.LittleEndian.Uint64(rest[:])
			}
			p, q := w^x1, w^x2
			m := ^((p&low7 + low7 | p) & (q&low7 + low7 | q)) &^ low7
			for ; m != 0 && end < 0; m &= m - 1 {
				at := i + bits.TrailingZeros64(m)/8
				switch {
				case at >= len(b):
					m = 0x80
				case b[at] == eol:
					end = at
				case fields < k:
					put(out, n+fields, base+uint32(at))
					fields++
				}
			}
		}
		if end < 0 {
			break
		}
		for ; fields <= k; fields++ {
			put(out, n+fields, base+uint32(end))
		}
		n += k + 1
		size = end + 1
	}
	return n, size
}

// ValidUTF8 returns how many bytes at the start of b are valid UTF-8. A
// character that is cut off at the end is not.
func ValidUTF8(b []byte) int {
	i := 0
	for i < len(b) {
		if len(b)-i >= 8 && binary.LittleEndian.Uint64(b[i:])&0x8080808080808080 == 0 {
			i += 8
			continue
		}
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 {
			break
		}
		i += n
	}
	return i
}

// Runs returns how many runs of bytes b has that are in set, which has 256
// entries. in says whether the byte before b is, and is returned for the last.
func Runs(b, set []byte, in bool) (int, bool) {
	if len(set) < 256 {
		return 0, in
	}
	var t [256]uint8
	for i := range t {
		if set[i] != 0 {
			t[i] = 1
		}
	}
	prev := uint8(0)
	if in {
		prev = 1
	}
	n := 0
	for _, c := range b {
		x := t[c]
		n += int(x &^ prev)
		prev = x
	}
	return n, prev != 0
}

// Translate replaces each byte c of b in place as table says, which has 256
// entries of 16 bits: the byte to put there in the low bits, abi.TranslateDrop
// to leave it out, abi.TranslateSqueeze to leave the result out where it equals
// the one before. prev is that one at the start, -1 if there is none. It
// returns the new length and the last result. A table that is too short
// changes nothing.
func Translate(b, table []byte, prev int32) (int, int32) {
	if len(table) < 512 {
		return len(b), prev
	}
	var t [256]uint16
	all := uint16(0)
	for i := range t {
		t[i] = binary.LittleEndian.Uint16(table[2*i:])
		all |= t[i]
	}
	if all < 256 {
		if len(b) == 0 {
			return 0, prev
		}
		var to [256]byte
		for i := range to {
			to[i] = byte(t[i])
		}
		s := b
		for ; len(s) >= 8; s = s[8:] {
			s[0], s[1], s[2], s[3] = to[s[0]], to[s[1]], to[s[2]], to[s[3]]
			s[4], s[5], s[6], s[7] = to[s[4]], to[s[5]], to[s[6]], to[s[7]]
		}
		for i, c := range s {
			s[i] = to[c]
		}
		return len(b), int32(b[len(b)-1])
	}
	n := 0
	for _, c := range b {
		e := t[c]
		if e&abi.TranslateDrop != 0 || e&abi.TranslateSqueeze != 0 && int32(byte(e)) == prev {
			continue
		}
		prev = int32(byte(e))
		b[n] = byte(e)
		n++
	}
	return n, prev
}

// Gather copies pieces one behind the other to dst. A piece is an offset and a
// length in src, or in alt where the offset has abi.GatherAlt set. It returns
// how many bytes it copied and how many pieces, fewer than all where dst is
// full or limit bytes are exceeded. ok is false at a piece that is out of
// bounds.
func Gather(dst, src, alt, pieces []byte, limit int) (n, done int, ok bool) {
	for ; len(pieces) >= 8 && n < limit; pieces = pieces[8:] {
		off, l := binary.LittleEndian.Uint32(pieces), binary.LittleEndian.Uint32(pieces[4:])
		from := src
		if off&abi.GatherAlt != 0 {
			from, off = alt, off&^abi.GatherAlt
		}
		if uint64(off)+uint64(l) > uint64(len(from)) {
			return n, done, false
		}
		if uint64(l) > uint64(len(dst)-n) {
			return n, done, true
		}
		n += copy(dst[n:], from[off:off+l])
		done++
	}
	return n, done, true
}
