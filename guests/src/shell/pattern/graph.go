// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pattern

import "strings"

// graph is the pattern as a non-deterministic automaton. A run visits each
// pair of node and position at most once.
type graph struct {
	p     *Pattern
	nodes []gnode
	start int
	seen  []uint64
	stack []gstate
}

type gstate struct{ node, pos int }

type gcode uint8

const (
	gAccept gcode = iota
	gLit
	gAny
	gSet
	gLoop  // any character and stay, or go on
	gSplit // to each of alts
	gNot   // !(list)
)

type gnode struct {
	code gcode
	lit  string
	set  *set
	next int
	alts []int
	sub  *graph
}

type want uint8

const (
	wantWhole want = iota
	wantLongest
	wantShortest
)

func (p *Pattern) graph() *graph {
	if p.g == nil {
		p.g = p.build(p.ops)
	}
	return p.g
}

func (p *Pattern) build(ops []op) *graph {
	g := &graph{p: p}
	end := g.add(gnode{code: gAccept})
	g.start = g.seq(ops, end)
	return g
}

func (g *graph) add(n gnode) int {
	g.nodes = append(g.nodes, n)
	return len(g.nodes) - 1
}

// seq adds the nodes of ops, leading to next, and returns the first.
func (g *graph) seq(ops []op, next int) int {
	for i := len(ops) - 1; i >= 0; i-- {
		o := &ops[i]
		switch o.code {
		case opLit:
			next = g.add(gnode{code: gLit, lit: o.lit, next: next})
		case opAny:
			next = g.add(gnode{code: gAny, next: next})
		case opSet:
			next = g.add(gnode{code: gSet, set: o.set, next: next})
		case opStar:
			next = g.add(gnode{code: gLoop, next: next})
		case opGroup:
			next = g.group(o, next)
		}
	}
	return next
}

func (g *graph) group(o *op, next int) int {
	switch o.kind {
	case '!':
		return g.add(gnode{code: gNot, next: next, sub: g.p.build([]op{{code: opGroup, kind: '@', alts: o.alts}})})
	case '*', '+':
		loop := g.add(gnode{code: gSplit})
		var alts []int
		for _, a := range o.alts {
			alts = append(alts, g.seq(a, loop))
		}
		g.nodes[loop].alts = append([]int{next}, alts...)
		if o.kind == '*' {
			return loop
		}
		return g.add(gnode{code: gSplit, alts: alts})
	}
	var alts []int
	for _, a := range o.alts {
		alts = append(alts, g.seq(a, next))
	}
	if o.kind == '?' {
		alts = append(alts, next)
	}
	return g.add(gnode{code: gSplit, alts: alts})
}

// run matches s from pos on and returns the end of the wanted match.
func (g *graph) run(s string, pos int, w want) (int, bool) {
	best, ok := -1, false
	g.visit(s, pos, func(end int) bool {
		switch w {
		case wantWhole:
			if end == len(s) {
				best, ok = end, true
				return false
			}
		case wantLongest:
			if end > best {
				best, ok = end, true
			}
			return best < len(s)
		case wantShortest:
			if !ok || end < best {
				best, ok = end, true
			}
			return best > pos
		}
		return true
	})
	return best, ok
}

// visit calls accept for every end of a match from pos on until it returns
// false.
func (g *graph) visit(s string, pos int, accept func(end int) bool) {
	width := len(s) + 1 - pos
	need := (width*len(g.nodes) + 63) / 64
	if cap(g.seen) < need {
		g.seen = make([]uint64, need)
	} else {
		g.seen = g.seen[:need]
		clear(g.seen)
	}
	seen := g.seen
	nocase := g.p.flags&NoCase != 0
	stack := append(g.stack[:0], gstate{g.start, pos})
	for len(stack) > 0 {
		st := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		bit := st.node*width + st.pos - pos
		if seen[bit>>6]>>(bit&63)&1 != 0 {
			continue
		}
		seen[bit>>6] |= 1 << (bit & 63)
		n := &g.nodes[st.node]
		switch n.code {
		case gAccept:
			if !accept(st.pos) {
				g.stack = stack[:0]
				return
			}
		case gLit:
			if strings.HasPrefix(s[st.pos:], n.lit) {
				stack = append(stack, gstate{n.next, st.pos + len(n.lit)})
			}
		case gAny:
			if st.pos < len(s) {
				_, k := g.p.char(s[st.pos:])
				stack = append(stack, gstate{n.next, st.pos + k})
			}
		case gSet:
			if st.pos < len(s) {
				if r, k := g.p.char(s[st.pos:]); n.set.has(r, nocase) {
					stack = append(stack, gstate{n.next, st.pos + k})
				}
			}
		case gLoop:
			stack = append(stack, gstate{n.next, st.pos})
			if st.pos < len(s) {
				_, k := g.p.char(s[st.pos:])
				stack = append(stack, gstate{st.node, st.pos + k})
			}
		case gSplit:
			for _, a := range n.alts {
				stack = append(stack, gstate{a, st.pos})
			}
		case gNot:
			ends := make([]bool, len(s)+1-st.pos)
			n.sub.visit(s, st.pos, func(end int) bool {
				ends[end-st.pos] = true
				return true
			})
			for k := st.pos; ; {
				if !ends[k-st.pos] {
					stack = append(stack, gstate{n.next, k})
				}
				if k == len(s) {
					break
				}
				_, c := g.p.char(s[k:])
				k += c
			}
		}
	}
	g.stack = stack[:0]
}
