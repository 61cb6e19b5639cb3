// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package posixre

import "unicode/utf8"

// Facts about one side of a position, for assertions.
const (
	factEdge uint8 = 1 << iota // the text, or the line with Lines, ends there
	factLine                   // a line ends there
	factWord                   // a word character is there
)

// alphabet divides the symbols into the classes a pattern can tell apart. The
// classes of the symbols below 0x80 (below 0x100 in single-byte text) come
// first, then the three columns below, then the other classes.
type alphabet struct {
	bytes   bool
	columns int32 // of a transition table
	// Columns that are no class: the first byte of a symbol that must be
	// decoded, the end of the text, and the end of the text where $ does not
	// match.
	multi, end, endNotEOL int32

	byteClass [256]uint8
	low       []int32 // lowest symbols of the intervals
	class     []int32 // their classes
	facts     []uint8 // by column

	near [0x800 - 0x80]uint16 // classes of two-byte symbols plus one, as they are met
}

func newAlphabet(t *sets, extra []symset, bytes bool) *alphabet {
	a := &alphabet{bytes: bytes}
	last := maxSymbol
	if bytes {
		last = 0xff
	}
	cuts := symset{{0, 0}, {0x80, 0x80}}
	all := [2][]symset{t.list, extra}
	for _, list := range all {
		for _, s := range list {
			for _, r := range s {
				cuts = append(cuts, span{r.lo, 0}, span{r.hi + 1, 0})
			}
		}
	}
	sortSpans(cuts)
	for _, c := range cuts {
		if n := len(a.low); c.lo <= last && (n == 0 || a.low[n-1] != c.lo) {
			a.low = append(a.low, c.lo)
		}
	}
	// Intervals are in the same class where the same sets hold them.
	cls := make([]int32, len(a.low))
	classes := int32(1)
	in := make([]bool, len(a.low))
	for _, list := range all {
		for _, s := range list {
			if _, one := s.single(); one {
				continue
			}
			clear(in)
			for _, r := range s {
				for i := a.interval(r.lo); i < len(a.low) && a.low[i] <= r.hi; i++ {
					in[i] = true
				}
			}
			split := make([]int32, 2*classes)
			next := int32(0)
			for i, c := range cls {
				k := 2 * c
				if in[i] {
					k++
				}
				if split[k] == 0 {
					next++
					split[k] = next
				}
				cls[i] = split[k] - 1
			}
			classes = next
		}
	}
	for _, list := range all {
		for _, s := range list {
			if c, one := s.single(); one && c <= last {
				cls[a.interval(c)] = classes
				classes++
			}
		}
	}
	// Number the classes in the order of their first symbols, leaving room for
	// the columns.
	number := make([]int32, classes)
	next := int32(0)
	limit := int32(0x80)
	if bytes {
		limit = 0x100
	}
	columns := false
	a.class = cls
	for i, c := range cls {
		if a.low[i] >= limit && !columns {
			columns = true
			a.multi, a.end, a.endNotEOL = next, next+1, next+2
			next += 3
		}
		if number[c] == 0 {
			next++
			number[c] = next
		}
		cls[i] = number[c] - 1
	}
	if !columns {
		a.multi, a.end, a.endNotEOL = next, next+1, next+2
		next += 3
	}
	a.columns = next
	for b := int32(0); b < 256; b++ {
		if b < limit {
			a.byteClass[b] = uint8(cls[a.interval(b)])
		} else {
			a.byteClass[b] = uint8(a.multi)
		}
	}
	a.facts = make([]uint8, a.columns)
	return a
}

// interval returns the index of the interval that holds c.
func (a *alphabet) interval(c int32) int {
	lo, hi := 0, len(a.low)
	for lo+1 < hi {
		m := (lo + hi) / 2
		if a.low[m] <= c {
			lo = m
		} else {
			hi = m
		}
	}
	return lo
}

// bits returns the columns of the classes in s as a bit set.
func (a *alphabet) bits(s symset) []uint64 {
	b := make([]uint64, (a.columns+63)/64)
	for _, r := range s {
		for i := a.interval(r.lo); i < len(a.low) && a.low[i] <= r.hi; i++ {
			c := a.class[i]
			b[c/64] |= 1 << (c % 64)
		}
	}
	return b
}

// one returns the column of the class of the only member of s where that class
// has no other member.
func (a *alphabet) one(s symset) (int32, bool) {
	c, ok := s.single()
	if !ok {
		return 0, false
	}
	return a.class[a.interval(c)], true
}

// setFacts gives a fact to the symbols of s.
func (a *alphabet) setFacts(s symset, f uint8) {
	for _, r := range s {
		for i := a.interval(r.lo); i < len(a.low) && a.low[i] <= r.hi; i++ {
			a.facts[a.class[i]] |= f
		}
	}
}

// of returns the column of a symbol.
func (a *alphabet) of(c int32) int32 {
	if c >= 0x80 && c < 0x800 && !a.bytes {
		p := &a.near[c-0x80]
		if *p == 0 {
			k := a.class[a.interval(c)]
			if k >= 0xffff {
				return k
			}
			*p = uint16(k + 1)
		}
		return int32(*p) - 1
	}
	return a.class[a.interval(c)]
}

// next returns the column and the length of the symbol at b[i].
func (a *alphabet) next(b []byte, i int) (int32, int) {
	if k := int32(a.byteClass[b[i]]); k != a.multi {
		return k, 1
	}
	r, n := utf8.DecodeRune(b[i:])
	if r == utf8.RuneError && n <= 1 {
		return a.of(badByte + int32(b[i])), 1
	}
	return a.of(int32(r)), n
}

// prev returns the column and the length of the symbol before b[i], which does
// not begin before b[from].
func (a *alphabet) prev(b []byte, from, i int) (int32, int) {
	if k := int32(a.byteClass[b[i-1]]); k != a.multi {
		return k, 1
	}
	r, n := utf8.DecodeLastRune(b[from:i])
	if r == utf8.RuneError && n <= 1 {
		return a.of(badByte + int32(b[i-1])), 1
	}
	return a.of(int32(r)), n
}
