// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sed

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// gatherer collects pieces of a text, and of another one, for the host to copy.
type gatherer struct {
	found  []uint32 // matches or lines that the host has found
	pieces []uint32
	total  int
}

// foundAhead is how many matches or lines the host looks for at a time.
const foundAhead = 1024

func (g *gatherer) room() []uint32 {
	if g.found == nil {
		g.found = make([]uint32, 2*foundAhead)
	}
	return g.found
}

// piece adds the bytes from to to; with abi.GatherAlt in both, of the other text.
func (g *gatherer) piece(from, to uint32) {
	if from != to {
		g.pieces = append(g.pieces, from, to-from)
		g.total += int(to - from)
	}
}

// appendTo appends the pieces of src and alt to dst and forgets them.
func (g *gatherer) appendTo(dst, src, alt []byte) []byte {
	n := len(dst)
	if cap(dst)-n < g.total {
		dst = append(make([]byte, 0, 2*n+g.total), dst...)
	}
	dst = dst[:n+g.total]
	wsys.Gather(dst[n:], src, alt, g.pieces)
	g.pieces, g.total = g.pieces[:0], 0
	return dst
}

// subAll is subPass where the host finds the matches and copies the text. What
// replaces them is collected in the other text.
func (s *sed) subAll(dst, b []byte, p *pass) []byte {
	g, u := &s.gather, p.sub
	alt := s.alt[:0]
	constant := u.groups == 0 && !u.whole
	if constant {
		u.loc[0], u.loc[1] = 0, 0
		alt = s.expand(alt, u, b)
	}
	copied, last := 0, -1
	for pos := 0; pos < len(b); {
		n, next, err := p.re.FindAll(b, pos, !u.global, g.room())
		if err != nil {
			s.fatal(exitPanic, "regex: ", err.Error())
		}
		for found := g.found[:n]; len(found) > 0; found = found[2:] {
			from, to := int(found[0]), int(found[1])
			if from == to && from == last {
				continue
			}
			last = to
			g.piece(uint32(copied), uint32(from))
			copied = to
			if constant {
				g.piece(abi.GatherAlt, abi.GatherAlt|uint32(len(alt)))
				continue
			}
			u.loc[0], u.loc[1] = from, to
			if u.groups > 0 {
				if _, err := p.re.FindAt(b, from, 0, u.loc); err != nil {
					s.fatal(exitPanic, "regex: ", err.Error())
				}
			}
			k := len(alt)
			alt = s.expand(alt, u, b)
			g.piece(abi.GatherAlt|uint32(k), abi.GatherAlt|uint32(len(alt)))
		}
		pos = next
		dst = g.appendTo(dst, b, alt)
		if !constant {
			alt = alt[:0]
		}
	}
	s.alt = alt
	g.piece(uint32(copied), uint32(len(b)))
	return g.appendTo(dst, b, nil)
}

// selectLines appends the lines of b with a match, or those without, to dst.
func (s *sed) selectLines(dst, b []byte, p *pass) []byte {
	g := &s.gather
	for pos := 0; pos < len(b); {
		n, next, err := p.re.FindLines(b, pos, g.room())
		if err != nil {
			s.fatal(exitPanic, "regex: ", err.Error())
		}
		for found := g.found[:n]; len(found) > 0; found = found[2:] {
			from, to := found[0], found[1]+1 // every line has its end here
			if p.keep {
				g.piece(from, to)
			} else {
				g.piece(uint32(pos), from)
			}
			pos = int(to)
		}
		if !p.keep {
			g.piece(uint32(pos), uint32(next))
		}
		pos = next
		dst = g.appendTo(dst, b, nil)
	}
	return dst
}
