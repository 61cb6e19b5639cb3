// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package posixre

type instOp uint8

const (
	iSym     instOp = iota // a symbol of column arg
	iSet                   // a symbol of set arg
	iSplit                 // out, or else arg
	iAssert                // assertion arg
	iSave                  // position to slot arg
	iMark                  // position to slot arg, where a turn of a repetition begins
	iCheck                 // the turn marked in slot arg was not empty
	iBackref               // the text of group arg
	iMatch
	iFail
	iTrie // one of the edges of trie out
)

type inst struct {
	op       instOp
	out, arg int32
}

// prog is a program of instructions. A deterministic automaton uses programs
// without iSave, iMark, iCheck and iBackref.
type prog struct {
	inst    []inst
	start   int32
	asserts bool
	slots   int32   // including those of marks
	marks   int32   // the first slot of a mark
	exits   []int32 // where an empty turn continues, by mark
	tries   [][]edge
}

// edge leads on from a node of a trie; the edges of a node are sorted by column.
type edge struct{ col, out int32 }

// edges returns the edges of a node for a column.
func (p *prog) edges(trie, col int32) []edge {
	t := p.tries[trie]
	lo, hi := 0, len(t)
	for lo < hi {
		m := (lo + hi) / 2
		if t[m].col < col {
			lo = m + 1
		} else {
			hi = m
		}
	}
	n := lo
	for n < len(t) && t[n].col == col {
		n++
	}
	return t[lo:n]
}

// compiler turns trees into programs.
type compiler struct {
	sets    *sets
	abc     *alphabet
	setBits [][]uint64 // by set
	any     int32      // the set of all symbols, for patterns with back-references
	limit   int

	prog    *prog
	reverse bool
	capture bool
	max     int
	full    bool
}

// compile returns the program for n: reversed, or with captures, which excludes
// the other.
func (c *compiler) compile(n *node, reverse, capture bool, groups int32) (*prog, error) {
	c.prog = &prog{slots: 2 * (groups + 1), marks: 2 * (groups + 1)}
	c.reverse, c.capture, c.full = reverse, capture, false
	c.max = c.limit
	if c.max == 0 {
		c.max = maxInsts
	}
	end := c.emit(iMatch, 0, 0)
	c.prog.start = c.node(n, end)
	if c.full {
		return nil, ErrTooBig
	}
	return c.prog, nil
}

func (c *compiler) emit(o instOp, out, arg int32) int32 {
	if len(c.prog.inst) >= c.max {
		c.full = true
		return 0
	}
	c.prog.inst = append(c.prog.inst, inst{o, out, arg})
	return int32(len(c.prog.inst) - 1)
}

func (c *compiler) symbol(set, next int32) int32 {
	if k, ok := c.abc.one(c.sets.list[set]); ok {
		return c.emit(iSym, next, k)
	}
	if c.setBits[set] == nil {
		c.setBits[set] = c.abc.bits(c.sets.list[set])
	}
	return c.emit(iSet, next, set)
}

// node emits n so that it continues at next and returns where it begins.
func (c *compiler) node(n *node, next int32) int32 {
	if c.full {
		return 0
	}
	switch n.op {
	case opSet:
		return c.symbol(n.n, next)
	case opCat:
		for i := range n.sub {
			if !c.reverse {
				i = len(n.sub) - 1 - i
			}
			next = c.node(n.sub[i], next)
		}
		return next
	case opAlt:
		if !c.capture {
			if lits := literals(n.sub); lits != nil {
				return c.trie(lits, next)
			}
		}
		at := c.node(n.sub[len(n.sub)-1], next)
		for i := len(n.sub) - 2; i >= 0 && !c.full; i-- {
			at = c.emit(iSplit, c.node(n.sub[i], next), at)
		}
		return at
	case opGroup:
		if c.capture {
			next = c.emit(iSave, next, 2*n.n+1)
		}
		next = c.node(n.sub[0], next)
		if c.capture {
			next = c.emit(iSave, next, 2*n.n)
		}
		return next
	case opRepeat:
		return c.repeat(n, next)
	case opBackref:
		if c.capture {
			return c.emit(iBackref, next, n.n)
		}
		// The automata filter with a pattern that matches more.
		at := c.emit(iSplit, 0, next)
		any := c.symbol(c.any, at)
		if !c.full {
			c.prog.inst[at].out = any
		}
		return at
	case opAssert:
		c.prog.asserts = true
		return c.emit(iAssert, next, n.n)
	case opNever:
		return c.emit(iFail, 0, 0)
	}
	return next
}

func (c *compiler) repeat(n *node, next int32) int32 {
	body := n.sub[0]
	marked := c.capture && nullable(body)
	// turn emits an optional turn that continues at again.
	turn := func(again int32) int32 {
		if !marked {
			return c.node(body, again)
		}
		slot := c.prog.slots
		c.prog.slots++
		c.prog.exits = append(c.prog.exits, next)
		return c.emit(iMark, c.node(body, c.emit(iCheck, again, slot)), slot)
	}
	at := next
	if n.max < 0 {
		at = c.emit(iSplit, 0, next)
		first := turn(at)
		if c.full {
			return 0
		}
		c.prog.inst[at].out = first
	} else {
		for i := n.min; i < n.max && !c.full; i++ {
			at = c.emit(iSplit, turn(at), next)
		}
	}
	for i := int32(0); i < n.min && !c.full; i++ {
		at = c.node(body, at)
	}
	return at
}

// nullable reports whether n can match the empty string.
func nullable(n *node) bool {
	switch n.op {
	case opSet, opNever:
		return false
	case opCat:
		for _, s := range n.sub {
			if !nullable(s) {
				return false
			}
		}
	case opAlt:
		for _, s := range n.sub {
			if nullable(s) {
				return true
			}
		}
		return false
	case opGroup:
		return nullable(n.sub[0])
	case opRepeat:
		return n.min == 0 || nullable(n.sub[0])
	}
	return true
}

// literals returns the alternatives as strings of sets where all of them are
// and there are enough for a trie to pay off.
func literals(alts []*node) [][]int32 {
	if len(alts) < 4 {
		return nil
	}
	out := make([][]int32, 0, len(alts))
	for _, a := range alts {
		switch a.op {
		case opSet:
			out = append(out, []int32{a.n})
		case opCat:
			s := make([]int32, 0, len(a.sub))
			for _, x := range a.sub {
				if x.op != opSet {
					return nil
				}
				s = append(s, x.n)
			}
			out = append(out, s)
		default:
			return nil
		}
	}
	return out
}

// trie emits alternatives with common beginnings shared, so that the number of
// threads does not grow with the number of strings.
func (c *compiler) trie(lits [][]int32, next int32) int32 {
	c.max = max(c.max, maxLitInsts)
	if c.reverse {
		for _, s := range lits {
			for i, k := 0, len(s)-1; i < k; i, k = i+1, k-1 {
				s[i], s[k] = s[k], s[i]
			}
		}
	}
	sortLiterals(lits)
	return c.trieNode(lits, 0, next)
}

func (c *compiler) trieNode(lits [][]int32, depth int, next int32) int32 {
	if len(lits) == 1 {
		at := next
		for i := len(lits[0]) - 1; i >= depth && !c.full; i-- {
			at = c.symbol(lits[0][i], at)
		}
		return at
	}
	// A node is one instruction however many edges it has, so that the states
	// of an automaton stay small.
	var edges []edge
	ends := false
	single := true
	first := int32(-1)
	for i := 0; i < len(lits) && !c.full; {
		if len(lits[i]) == depth {
			ends = true
			i++
			continue
		}
		set := lits[i][depth]
		k := i + 1
		for k < len(lits) && lits[k][depth] == set {
			k++
		}
		out := c.trieNode(lits[i:k], depth+1, next)
		single = single && (first < 0 || first == set)
		first = set
		if col, ok := c.abc.one(c.sets.list[set]); ok {
			edges = append(edges, edge{col, out})
		} else {
			if c.setBits[set] == nil {
				c.setBits[set] = c.abc.bits(c.sets.list[set])
			}
			for col := int32(0); col < c.abc.columns; col++ {
				if c.setBits[set][col/64]>>(col%64)&1 != 0 {
					edges = append(edges, edge{col, out})
				}
			}
		}
		i = k
	}
	if c.full {
		return 0
	}
	var at int32
	switch {
	case len(edges) == 0:
		return next
	case single:
		at = c.symbol(first, edges[0].out)
	default:
		for gap := len(edges) / 2; gap > 0; gap /= 2 {
			for i := gap; i < len(edges); i++ {
				for k := i; k >= gap && edges[k].col < edges[k-gap].col; k -= gap {
					edges[k], edges[k-gap] = edges[k-gap], edges[k]
				}
			}
		}
		c.prog.tries = append(c.prog.tries, edges)
		at = c.emit(iTrie, int32(len(c.prog.tries)-1), 0)
	}
	if ends {
		at = c.emit(iSplit, next, at)
	}
	return at
}

func lessLiteral(a, b []int32) bool {
	for i, x := range a {
		if i >= len(b) {
			return false
		}
		if x != b[i] {
			return x < b[i]
		}
	}
	return len(a) < len(b)
}

// sortLiterals sorts by heap sort, which needs no recursion and no package.
func sortLiterals(s [][]int32) {
	down := func(i, n int) {
		for {
			k := 2*i + 1
			if k >= n {
				return
			}
			if k+1 < n && lessLiteral(s[k], s[k+1]) {
				k++
			}
			if !lessLiteral(s[i], s[k]) {
				return
			}
			s[i], s[k] = s[k], s[i]
			i = k
		}
	}
	for i := len(s)/2 - 1; i >= 0; i-- {
		down(i, len(s))
	}
	for n := len(s) - 1; n > 0; n-- {
		s[0], s[n] = s[n], s[0]
		down(0, n)
	}
}
