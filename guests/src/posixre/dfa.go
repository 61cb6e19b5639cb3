// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package posixre

import "github.com/wsandbox/wsandbox/engine/abi"

// dfa is a deterministic automaton that is built while it runs. A state is the
// set of instructions that wait for the next symbol, together with what
// assertions need to know about the symbol before.
//
// Whether a state holds a match is known only one symbol later, when assertions
// can look at both sides; so it is a property of the transition's target.
type dfa struct {
	re      *Regexp
	prog    *prog
	reverse bool // runs towards the start of the text
	search  bool // a match may begin at any position
	// ordered keeps threads that began earlier apart from later ones, which
	// end with the first match: the last match seen is the leftmost-longest.
	ordered bool

	// trans has a row of 256 for each state: what a byte leads to. An entry is 0
	// where that is not known yet, the offset of the target's row, or the negated
	// offset of a target that needs attention (see state). The entries of bytes
	// that begin longer symbols stay 0. cols has the same by column, with which
	// symbols are looked up first.
	trans  []int32
	cols   []int32
	flags  []uint8 // of the states, for the host: abi.DFAMatched and others
	states []state
	index  map[string]int32
	starts [8]int32 // by facts
	size   int      // bytes held by states
	resets int

	scan  bool // leave the start state by searching for a candidate
	skips yield
	stop  int // where forward stopped reading

	// scratch
	cur, succ set32
	stack     []int32
	list      []int32
	key       []byte
}

// state is a row's data.
type state struct {
	list    []int32 // sorted; groups of an ordered automaton end with -1
	facts   uint8   // of the symbol before
	matched bool    // a match ended before the symbol that led here
	found   bool    // so one did at some time (ordered)
	dead    bool
	start   bool // nothing is under way, and scan is set
}

// skipWorth is how many bytes a search for a candidate must skip on average to
// be faster than the automaton.
const skipWorth = scanWorth / 2

// Limits in bytes of what an automaton remembers; the second one is for large
// sets of strings, which have many states.
const (
	maxStates     = 4 << 20
	maxTrieStates = 32 << 20
)

// set32 is a set of small integers that is cheap to empty.
type set32 struct{ sparse, dense []int32 }

func (s *set32) reset(n int) {
	if len(s.sparse) < n {
		s.sparse = make([]int32, n)
		s.dense = make([]int32, 0, n)
	}
	s.dense = s.dense[:0]
}

func (s *set32) add(x int32) bool {
	if k := s.sparse[x]; int(k) < len(s.dense) && s.dense[k] == x {
		return false
	}
	s.sparse[x] = int32(len(s.dense))
	s.dense = append(s.dense, x)
	return true
}

// deadState is the state nothing leads out of.
const deadState = 256

func (d *dfa) reset() {
	n := int(d.re.abc.columns)
	d.trans = append(d.trans[:0], make([]int32, 2*256)...)
	d.cols = append(d.cols[:0], make([]int32, 2*n)...)
	d.states = append(d.states[:0], state{}, state{dead: true})
	if d.index == nil {
		d.index = make(map[string]int32)
	} else {
		clear(d.index)
	}
	for i := deadState; i < len(d.trans); i++ {
		d.trans[i] = -deadState
	}
	for i := n; i < len(d.cols); i++ {
		d.cols[i] = -deadState
	}
	d.flags = append(d.flags[:0], 0, uint8(abi.DFADead))
	d.starts = [8]int32{}
	d.size = 0
	d.resets++
}

func (d *dfa) row(s int32) *state { return &d.states[s>>8] }

// next returns what column col leads to from state s, as an entry of trans.
func (d *dfa) next(s, col int32) int32 {
	if t := d.cols[(s>>8)*d.re.abc.columns+col]; t != 0 {
		return t
	}
	return d.step(s, col)
}

// start returns the state before any symbol, where the symbol before has the
// given facts.
func (d *dfa) start(facts uint8) int32 {
	if d.states == nil {
		d.reset()
	}
	if !d.prog.asserts {
		facts = 0
	}
	if s := d.starts[facts]; s != 0 {
		return s
	}
	d.cur.reset(len(d.prog.inst))
	d.succ.reset(len(d.prog.inst))
	d.list = d.list[:0]
	d.begin()
	s := d.state(facts, false, false)
	if s < 0 {
		s = -s
	}
	d.starts[facts] = s
	return s
}

// begin adds the threads of a match that begins here to list.
func (d *dfa) begin() {
	from := len(d.list)
	d.follow(d.prog.start)
	d.endGroup(from)
}

func (d *dfa) endGroup(from int) {
	if len(d.list) == from {
		return
	}
	if d.ordered {
		sort32(d.list[from:])
		d.list = append(d.list, -1)
	}
}

// follow adds what pc leads to without a symbol and without assertions to list.
func (d *dfa) follow(pc int32) {
	d.stack = append(d.stack[:0], pc)
	for len(d.stack) > 0 {
		pc := d.stack[len(d.stack)-1]
		d.stack = d.stack[:len(d.stack)-1]
		if !d.succ.add(pc) {
			continue
		}
		switch in := &d.prog.inst[pc]; in.op {
		case iSplit:
			d.stack = append(d.stack, in.arg, in.out)
		case iFail:
		default:
			d.list = append(d.list, pc)
		}
	}
}

func sort32(s []int32) {
	if len(s) <= 12 {
		for i := 1; i < len(s); i++ {
			for k := i; k > 0 && s[k] < s[k-1]; k-- {
				s[k], s[k-1] = s[k-1], s[k]
			}
		}
		return
	}
	for gap := len(s) * 4 / 9; ; gap = gap * 4 / 9 {
		if gap < 1 {
			gap = 1
		}
		for i := gap; i < len(s); i++ {
			x := s[i]
			k := i
			for ; k >= gap && s[k-gap] > x; k -= gap {
				s[k] = s[k-gap]
			}
			s[k] = x
		}
		if gap == 1 {
			return
		}
	}
}

// state returns the state for list as an entry of trans.
func (d *dfa) state(facts uint8, matched, found bool) int32 {
	if !d.ordered {
		sort32(d.list)
	}
	if len(d.list) == 0 && !matched {
		return -deadState
	}
	k := append(d.key[:0], facts)
	if matched {
		k[0] |= 0x10
	}
	if found {
		k[0] |= 0x20
	}
	for _, pc := range d.list {
		k = append(k, byte(pc), byte(pc>>8), byte(pc>>16), byte(pc>>24))
	}
	d.key = k
	if s, ok := d.index[string(k)]; ok {
		return s
	}
	cols := d.re.abc.columns
	if d.size > maxStates && (len(d.prog.tries) < 64 || d.size > maxTrieStates) {
		d.reset()
	}
	d.size += 8*len(d.list) + 4*int(cols) + 1024 + 128
	s := int32(len(d.trans))
	d.trans = append(d.trans, zeroRow[:]...)
	d.cols = append(d.cols, make([]int32, cols)...)
	st := state{facts: facts, matched: matched, found: found}
	st.list = append(st.list, d.list...)
	st.start = d.scan && !found && d.isStart()
	d.states = append(d.states, st)
	f := uint32(0)
	if matched {
		f |= abi.DFAMatched
	}
	if len(st.list) == 0 {
		f |= abi.DFADead
	}
	d.flags = append(d.flags, uint8(f))
	if matched || st.start {
		s = -s
	}
	d.index[string(k)] = s
	return s
}

var zeroRow [256]int32

// isStart reports whether list holds only the threads that begin.
func (d *dfa) isStart() bool {
	n := len(d.list)
	if d.ordered {
		n--
	}
	if n < 0 {
		return false
	}
	d.succ.reset(len(d.prog.inst))
	keep := len(d.list)
	d.follow(d.prog.start)
	begin := d.list[keep:]
	d.list = d.list[:keep]
	if len(begin) != n {
		return false
	}
	sort32(begin)
	for i, pc := range begin {
		if d.list[i] != pc {
			return false
		}
	}
	return true
}

// holds reports whether an assertion holds between symbols with the facts l on
// the left and r on the right.
func holds(a assertion, l, r uint8) bool {
	switch a {
	case assertBOL:
		return l&factLine != 0
	case assertEOL:
		return r&factLine != 0
	case assertBegin:
		return l&factEdge != 0
	case assertEnd:
		return r&factEdge != 0
	case assertWord:
		return (l^r)&factWord != 0
	case assertNotWord:
		return (l^r)&factWord == 0
	case assertWordStart:
		return l&factWord == 0 && r&factWord != 0
	case assertWordEnd:
		return l&factWord != 0 && r&factWord == 0
	case assertNoWordBefore:
		return l&factWord == 0
	}
	return r&factWord == 0
}

// step computes the transition of state s for a column and returns it as an
// entry of trans. The states may have been dropped before: trans and starts are
// to be loaded again.
func (d *dfa) step(s, col int32) int32 {
	p := d.prog
	abc := d.re.abc
	from := d.row(s)
	list, found := from.list, from.found
	before, after := from.facts, abc.facts[col]
	if d.reverse {
		before, after = after, before
	}
	d.cur.reset(len(p.inst))
	d.succ.reset(len(p.inst))
	d.list = d.list[:0]
	matched := false
	for i := 0; i < len(list) && !matched; {
		group := len(d.list)
		// The threads of this group, with assertions followed where they hold.
		first := len(d.cur.dense)
		for ; i < len(list) && list[i] >= 0; i++ {
			d.cur.add(list[i])
		}
		i++
		for k := first; k < len(d.cur.dense); k++ {
			pc := d.cur.dense[k]
			in := &p.inst[pc]
			switch in.op {
			case iAssert:
				if holds(in.arg, before, after) {
					d.cur.add(in.out)
				}
			case iSplit:
				d.cur.add(in.out)
				d.cur.add(in.arg)
			case iMatch:
				matched = true
			}
		}
		if col == abc.end || col == abc.endNotEOL {
			continue
		}
		for _, pc := range d.cur.dense[first:] {
			in := &p.inst[pc]
			switch in.op {
			case iSym:
				if in.arg == col {
					d.follow(in.out)
				}
			case iTrie:
				for _, e := range p.edges(in.out, col) {
					d.follow(e.out)
				}
			case iSet:
				if d.re.setBits[in.arg][col/64]>>(col%64)&1 != 0 {
					d.follow(in.out)
				}
			}
		}
		d.endGroup(group)
	}
	found = d.ordered && (found || matched)
	if d.search && !found && col != abc.end && col != abc.endNotEOL {
		d.begin()
	}
	facts := uint8(0)
	if p.asserts {
		facts = abc.facts[col]
	}
	resets := d.resets
	t := d.state(facts, matched, found)
	if d.resets == resets {
		d.cols[(s>>8)*abc.columns+col] = t
	}
	return t
}

// runMode says what forward looks for.
type runMode uint8

const (
	runLongest runMode = iota // the end of the last match that counts
	runFirst                  // the end of the match that ends first
	runCount                  // the number of lines with matches
)

// forward runs from b[i] in state from to the end of b and returns what mode
// says, or -1.
func (d *dfa) forward(b []byte, i int, from int32, mode runMode, end int32) int {
	last := -1
	tr := d.trans
	s := int(from)
	count := 0
	for i < len(b) {
		var t int32
		for {
			if i+8 > len(b) {
				if t = tr[s+int(b[i])]; t <= 0 {
					break
				}
				s = int(t)
				i++
				if i == len(b) {
					break
				}
				continue
			}
			p := b[i : i+8 : i+8]
			if t = tr[s+int(p[0])]; t <= 0 {
				break
			}
			s = int(t)
			if t = tr[s+int(p[1])]; t <= 0 {
				i++
				break
			}
			s = int(t)
			if t = tr[s+int(p[2])]; t <= 0 {
				i += 2
				break
			}
			s = int(t)
			if t = tr[s+int(p[3])]; t <= 0 {
				i += 3
				break
			}
			s = int(t)
			if t = tr[s+int(p[4])]; t <= 0 {
				i += 4
				break
			}
			s = int(t)
			if t = tr[s+int(p[5])]; t <= 0 {
				i += 5
				break
			}
			s = int(t)
			if t = tr[s+int(p[6])]; t <= 0 {
				i += 6
				break
			}
			s = int(t)
			if t = tr[s+int(p[7])]; t <= 0 {
				i += 7
				break
			}
			s = int(t)
			i += 8
			if i == len(b) {
				break
			}
		}
		if t > 0 {
			break // the end
		}
		// t belongs to b[i], which is not consumed yet.
		n := 1
		if t == 0 {
			var col int32
			abc := d.re.abc
			c := b[i]
			if col = int32(abc.byteClass[c]); col == abc.multi && !abc.bytes {
				col, n = abc.next(b, i)
				t = d.next(int32(s), col)
			} else {
				resets := d.resets
				if t = d.next(int32(s), col); resets == d.resets {
					d.trans[s+int(c)] = t
				}
			}
			tr = d.trans
			if t > 0 {
				s = int(t)
				i += n
				continue
			}
		}
		s = int(-t)
		st := &d.states[s>>8]
		if st.matched {
			switch mode {
			case runLongest:
				last = i
			case runFirst:
				d.stop = i
				return i
			default:
				// On with the next line.
				count++
				k := indexByte(b[i:], byte(d.re.eol))
				if k < 0 || i+k+1 == len(b) {
					return count
				}
				i += k + 1
				s = int(d.start(factEdge | factLine))
				tr = d.trans
				continue
			}
		}
		if st.dead || len(st.list) == 0 {
			d.stop = i
			if mode == runCount {
				return count
			}
			return last
		}
		i += n
		if st.start && d.scan {
			k := d.re.candidate(b, i)
			if k < 0 {
				d.worth(len(b) - i)
				d.stop = len(b)
				if mode == runCount {
					return count
				}
				return last
			}
			d.worth(k - i)
			i = k
			f := uint8(0)
			if d.prog.asserts {
				f = d.re.factsBefore(b, i)
			}
			s = int(d.start(f))
			tr = d.trans
		}
	}
	d.stop = len(b)
	if t := d.next(int32(s), end); t < 0 && d.row(-t).matched {
		last = len(b)
		// Behind the end of the last line there is no line.
		if mode == runCount && len(b) > 0 && b[len(b)-1] != byte(d.re.eol) {
			count++
		}
	}
	if mode == runCount {
		return count
	}
	return last
}

// worth notes how far a search for a candidate went and gives the searching up
// where it does not save time.
func (d *dfa) worth(n int) {
	y := &d.skips
	y.tries++
	y.skipped += n
	if y.tries < 64 {
		return
	}
	if y.skipped < y.tries*skipWorth {
		d.scan = false
		d.reset()
	}
	y.tries, y.skipped = 0, 0
}

// backward runs from b[i] in state s down to b[from] and returns where the
// longest match begins, or -1.
func (d *dfa) backward(b []byte, from, i int, s int32, edge uint8) int {
	abc := d.re.abc
	last := -1
	for i > from {
		col, n := abc.prev(b, from, i)
		t := d.next(s, col)
		if t > 0 {
			s = t
			i -= n
			continue
		}
		s = -t
		st := d.row(s)
		if st.matched {
			last = i
		}
		if st.dead || len(st.list) == 0 {
			return last
		}
		i -= n
	}
	// What is before b[from] is only looked at.
	if d.stepFacts(s, edge) {
		last = from
	}
	return last
}

// stepFacts reports whether state s holds a match where the next symbol has the
// given facts.
func (d *dfa) stepFacts(s int32, next uint8) bool {
	p := d.prog
	st := d.row(s)
	before, after := st.facts, next
	if d.reverse {
		before, after = after, before
	}
	d.cur.reset(len(p.inst))
	for _, pc := range st.list {
		if pc >= 0 {
			d.cur.add(pc)
		}
	}
	for k := 0; k < len(d.cur.dense); k++ {
		in := &p.inst[d.cur.dense[k]]
		switch in.op {
		case iAssert:
			if holds(in.arg, before, after) {
				d.cur.add(in.out)
			}
		case iSplit:
			d.cur.add(in.out)
			d.cur.add(in.arg)
		case iMatch:
			return true
		}
	}
	return false
}
