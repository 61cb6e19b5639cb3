// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package posixre

// Regexp is a compiled pattern together with the automata it has built so far.
// It must not be used by two goroutines at the same time; see [Regexp.Copy].
type Regexp struct {
	source string
	flags  Flags
	tree   *node
	groups int32
	eol    int32 // symbol that ends a line, or -1

	sets    *sets
	abc     *alphabet
	setBits [][]uint64
	comp    compiler

	backrefs uint32
	anchored bool   // a match begins at the start of the text
	exact    bool   // the pattern is the literal prefix
	prefix   []byte // what a match begins with
	must     []byte // what a match contains
	folded   []byte // what a match contains, in lower case, where that is longer
	// foldedExact says that folded in all its cases is the pattern.
	foldedExact bool
	width       int // of every match in bytes, or -1

	test    *dfa // is there a match
	long    *dfa // where does the leftmost-longest end
	fixed   *dfa // where does the longest that begins here end
	back    *dfa // where does it begin
	capture *prog
	bt      backtracker
	words   bool // assertions look at word characters
	host    hostRun
	room    []uint32

	// first tells the bytes a match can begin with; nil where it may be empty.
	first      *[256]uint8
	firstKnown bool

	scan yield // of searches for the prefix
	line yield // of searches for must in FindLine
	edge uint8 // facts of the start of the text
	end  int32 // column of its end
}

// yield notes how far searches for a literal went lately, which tells whether
// they save time.
type yield struct {
	tries, skipped int
	poor           int // how many more searches to do without
}

// note records that a search skipped n bytes and reports whether to go on
// searching that way.
func (y *yield) note(n int) bool {
	y.tries++
	y.skipped += n
	if y.tries < 32 {
		return true
	}
	ok := y.skipped >= y.tries*scanWorth
	y.tries, y.skipped = 0, 0
	if !ok {
		y.poor = 4096
	}
	return ok
}

// use reports whether to search for the literal.
func (y *yield) use() bool {
	if y.poor > 0 {
		y.poor--
		return false
	}
	return true
}

// maxAttempts is how many candidates are tried one by one.
const maxAttempts = 8

// short is the length of texts that the automaton has read before a search for
// a literal has begun.
func short(b []byte, pos int) bool { return len(b)-pos < scanWorth }

// ExecFlags say what the ends of a text are.
type ExecFlags uint8

// Flags of a search.
const (
	NotBOL ExecFlags = 1 << iota // ^ does not match at the start of the text
	NotEOL                       // $ does not match at its end
)

// Compile parses a pattern. Its error is an [Error].
func Compile(pattern string, flags Flags) (*Regexp, error) {
	return CompileSet([]string{pattern}, flags)
}

// CompileSet is Compile for a pattern that matches where any of several does.
// Back-references count the groups of their own pattern.
func CompileSet(patterns []string, flags Flags) (*Regexp, error) {
	re := &Regexp{flags: flags, sets: &sets{}, eol: -1, width: -1}
	switch {
	case flags&Lines != 0:
		re.eol = '\n'
	case flags&ZeroLines != 0:
		re.eol = 0
	}
	if len(patterns) > 0 {
		re.source = patterns[0]
	}
	p := parser{flags: flags, sets: re.sets, eol: re.eol}
	alts := make([]*node, 0, len(patterns))
	for _, s := range patterns {
		n, err := p.pattern(s)
		if err != nil {
			return nil, err
		}
		alts = append(alts, n)
	}
	switch len(alts) {
	case 0:
		re.tree = &node{op: opNever}
	case 1:
		re.tree = alts[0]
	default:
		re.tree = &node{op: opAlt, sub: alts}
	}
	re.groups, re.backrefs = p.groups, p.backrefs
	if flags&WholeWord != 0 {
		re.tree = &node{op: opCat, sub: []*node{
			{op: opAssert, n: assertNoWordBefore}, re.tree, {op: opAssert, n: assertNoWordAfter}}}
	}
	if flags&WholeLine != 0 {
		re.tree = &node{op: opCat, sub: []*node{
			{op: opAssert, n: assertBOL}, re.tree, {op: opAssert, n: assertEOL}}}
	}
	re.analyse()
	return re, re.prepare()
}

// pattern parses one whole pattern.
func (p *parser) pattern(s string) (*node, error) {
	p.src, p.pos, p.complete, p.depth = s, 0, 0, 0
	if p.flags&Fixed != 0 {
		return p.fixed()
	}
	p.base = p.groups
	return p.alternation()
}

// Copy returns a Regexp for the same pattern that shares nothing that changes.
func (re *Regexp) Copy() *Regexp {
	c := *re
	abc := *re.abc
	c.abc = &abc
	c.comp.abc = &abc
	c.setBits = append([][]uint64(nil), re.setBits...)
	c.comp.setBits = c.setBits
	c.test, c.long, c.fixed, c.back, c.host = nil, nil, nil, nil, hostRun{}
	c.room = nil
	c.bt = backtracker{}
	return &c
}

// Source returns what the Regexp was compiled from: the pattern, the first of
// several, and the flags.
func (re *Regexp) Source() (pattern string, flags Flags) { return re.source, re.flags }

// NumSubexp returns the number of groups.
func (re *Regexp) NumSubexp() int { return int(re.groups) }

// Literal returns the string that is all the pattern matches, if there is one.
func (re *Regexp) Literal() (string, bool) { return string(re.prefix), re.exact }

// HasBackrefs reports whether the pattern has back-references, so that searches
// may be slow and may fail.
func (re *Regexp) HasBackrefs() bool { return re.backrefs != 0 }

// prepare makes the alphabet and checks the size of the program.
func (re *Regexp) prepare() error {
	var words, lines bool
	asserts := false
	walk(re.tree, func(n *node) {
		if n.op != opAssert {
			return
		}
		asserts = true
		switch n.n {
		case assertBOL, assertEOL, assertBegin, assertEnd:
			lines = true
		default:
			words = true
		}
	})
	bytes := re.flags&Bytes != 0
	var extra []symset
	var word symset
	eol := re.eol
	if eol < 0 && re.flags&LineAnchors != 0 {
		eol = '\n'
	}
	if lines && eol >= 0 {
		extra = append(extra, symset{{eol, eol}})
	} else if asserts && re.eol >= 0 {
		extra = append(extra, symset{{eol, eol}})
	}
	re.words = words
	if words {
		word = wordSet(bytes)
		extra = append(extra, word)
	}
	if re.backrefs != 0 {
		any := symset{{0, maxSymbol}}
		if bytes {
			any = symset{{0, 0xff}}
		}
		if re.eol >= 0 {
			any = symset{{re.eol, re.eol}}.complement(any)
		}
		re.comp.any = re.sets.id(any)
	}
	re.abc = newAlphabet(re.sets, extra, bytes)
	re.setBits = make([][]uint64, len(re.sets.list))
	re.abc.setFacts(word, factWord)
	re.abc.facts[re.abc.end] = factEdge | factLine
	re.abc.facts[re.abc.endNotEOL] = factEdge
	switch {
	case asserts && re.eol >= 0:
		re.abc.setFacts(symset{{re.eol, re.eol}}, factEdge|factLine)
	case lines && eol >= 0:
		re.abc.setFacts(symset{{eol, eol}}, factLine)
	}
	re.comp.sets, re.comp.abc, re.comp.setBits = re.sets, re.abc, re.setBits
	switch {
	case re.exact:
		// Most often found without an automaton.
		re.firstKnown = true
		re.first = new([256]uint8)
		re.first[re.prefix[0]] = 1
		return nil
	case re.anchored && re.backrefs == 0:
		return re.need(&re.fixed, false, false, false)
	}
	return re.need(&re.test, false, true, false)
}

// need makes an automaton that is not there yet.
func (re *Regexp) need(d **dfa, reverse, search, ordered bool) error {
	if *d != nil {
		return nil
	}
	var p *prog
	for _, o := range []*dfa{re.test, re.long, re.fixed} {
		if o != nil && !reverse {
			p = o.prog // they run the same program
		}
	}
	if p == nil {
		var err error
		if p, err = re.comp.compile(re.tree, reverse, false, re.groups); err != nil {
			return err
		}
	}
	if re.first == nil && !re.firstKnown && !reverse {
		re.firstKnown = true
		re.first = re.firstBytes(p)
	}
	*d = &dfa{re: re, prog: p, reverse: reverse, search: search, ordered: ordered,
		scan: search && (len(re.prefix) > 0 || re.first != nil)}
	return nil
}

// enter sets what the ends of the text are.
func (re *Regexp) enter(flags ExecFlags) {
	re.edge = factEdge | factLine
	if flags&NotBOL != 0 {
		re.edge = factEdge
	}
	re.end = re.abc.end
	if flags&NotEOL != 0 {
		re.end = re.abc.endNotEOL
	}
}

// factsBefore returns the facts of the symbol before b[i].
func (re *Regexp) factsBefore(b []byte, i int) uint8 {
	if i == 0 {
		return re.edge
	}
	col, _ := re.abc.prev(b, 0, i)
	return re.abc.facts[col]
}

// factsAfter returns the facts of the symbol at b[i].
func (re *Regexp) factsAfter(b []byte, i int) uint8 {
	if i == len(b) {
		return re.abc.facts[re.end]
	}
	col, _ := re.abc.next(b, i)
	return re.abc.facts[col]
}

// prefixAt returns where the literal prefix is found next from b[i] on, or -1.
func (re *Regexp) prefixAt(b []byte, i int) int {
	k := index(b[i:], re.prefix)
	if k < 0 {
		return k
	}
	return i + k
}

// candidate returns the next position from b[i] on where a match can begin, or
// -1.
func (re *Regexp) candidate(b []byte, i int) int {
	if len(re.prefix) > 0 && !short(b, i) && re.scan.use() {
		k := re.prefixAt(b, i)
		if k < 0 {
			re.scan.note(len(b) - i)
		} else {
			re.scan.note(k - i)
		}
		return k
	}
	first := re.first
	if first == nil {
		return i
	}
	for i+4 <= len(b) {
		p := b[i : i+4 : i+4]
		if first[p[0]]|first[p[1]]|first[p[2]]|first[p[3]] != 0 {
			break
		}
		i += 4
	}
	for i < len(b) {
		if first[b[i]] != 0 {
			return i
		}
		i++
	}
	return -1
}

// firstBytes returns the bytes that can begin a match of p, or nil where a match
// can be empty.
func (re *Regexp) firstBytes(p *prog) *[256]uint8 {
	var seen, cols set32
	seen.reset(len(p.inst))
	cols.reset(int(re.abc.columns))
	seen.add(p.start)
	for i := 0; i < len(seen.dense); i++ {
		switch in := &p.inst[seen.dense[i]]; in.op {
		case iSplit:
			seen.add(in.out)
			seen.add(in.arg)
		case iAssert:
			seen.add(in.out)
		case iMatch:
			return nil
		case iSym:
			cols.add(in.arg)
		case iTrie:
			for _, e := range p.tries[in.out] {
				cols.add(e.col)
			}
		case iSet:
			for c := int32(0); c < re.abc.columns; c++ {
				if re.setBits[in.arg][c/64]>>(c%64)&1 != 0 {
					cols.add(c)
				}
			}
		}
	}
	f := new([256]uint8)
	for b := range f {
		c := int32(re.abc.byteClass[b])
		if c == re.abc.multi && !re.abc.bytes && b >= 0x80 {
			f[b] = 1 // to be decoded
		} else if k := cols.sparse[c]; int(k) < len(cols.dense) && cols.dense[k] == c {
			f[b] = 1
		}
	}
	return f
}

// Match reports whether b contains a match. A search with back-references that
// ends at its limit counts as none; use [Regexp.Find] to tell.
func (re *Regexp) Match(b []byte) bool {
	if re.exact && !short(b, 0) {
		return index(b, re.prefix) >= 0
	}
	if re.exact && len(re.prefix) > len(b) {
		return false
	}
	re.enter(0)
	if !re.matchFrom(b) {
		return false
	}
	if re.backrefs == 0 {
		return true
	}
	ok, _ := re.Find(b, 0, 0, nil)
	return ok
}

// matchFrom reports whether b contains a match, back-references matching
// anything.
func (re *Regexp) matchFrom(b []byte) bool {
	d := re.test
	if re.anchored && re.backrefs == 0 {
		d = re.fixed
	} else if d == nil && re.need(&re.test, false, true, false) == nil {
		d = re.test
	}
	return re.firstEnd(d, b, 0) >= 0
}

// firstEnd returns where the match that ends first from b[i] on ends, or -1.
func (re *Regexp) firstEnd(d *dfa, b []byte, i int) int {
	if d.scan {
		if i = re.candidate(b, i); i < 0 {
			return -1
		}
	}
	return d.forward(b, i, d.start(re.factsBefore(b, i)), runFirst, re.end)
}

// Find searches b from pos on for the leftmost-longest match. loc receives the
// bounds as pairs of offsets into b: of the match, then of as many groups as
// there is room for, -1 for a group without part in it. What is before pos is
// looked at by assertions. The error is ErrTooComplex or ErrTooBig; without
// back-references it is nil for every pattern that does not repeat groups
// thousands of times.
func (re *Regexp) Find(b []byte, pos int, flags ExecFlags, loc []int) (bool, error) {
	if pos > len(b) {
		return false, nil
	}
	if re.backrefs != 0 {
		re.enter(flags)
		return re.findBackref(b, pos, loc)
	}
	if re.exact && re.groups == 0 && !short(b, pos) && re.scan.use() {
		k := index(b[pos:], re.prefix)
		if k < 0 {
			re.scan.note(len(b) - pos)
		} else {
			re.scan.note(k)
		}
		if k < 0 {
			return false, nil
		}
		re.store(loc, nil, pos+k, pos+k+len(re.prefix))
		return true, nil
	}
	re.enter(flags)
	s, e, err := re.bounds(b, pos)
	if s < 0 || err != nil {
		return false, err
	}
	if re.groups > 0 && len(loc) > 2 {
		return true, re.captures(b, s, e, loc)
	}
	re.store(loc, nil, s, e)
	return true, nil
}

// FindAt is Find for the longest match that begins at pos.
func (re *Regexp) FindAt(b []byte, pos int, flags ExecFlags, loc []int) (bool, error) {
	if pos > len(b) {
		return false, nil
	}
	re.enter(flags)
	if re.backrefs != 0 {
		if err := re.backtrack(); err != nil {
			return false, err
		}
		re.bt.steps = 0
		e, err := re.longestAt(b, pos)
		if err != nil || e < 0 {
			return false, err
		}
		re.store(loc, re.bt.best, pos, e)
		return true, nil
	}
	if err := re.need(&re.fixed, false, false, false); err != nil {
		return false, err
	}
	e := re.fixed.forward(b, pos, re.fixed.start(re.factsBefore(b, pos)), runLongest, re.end)
	if e < 0 {
		return false, nil
	}
	if re.groups > 0 && len(loc) > 2 {
		return true, re.captures(b, pos, e, loc)
	}
	re.store(loc, nil, pos, e)
	return true, nil
}

// store fills loc with the bounds of a match and of its groups.
func (re *Regexp) store(loc, groups []int, s, e int) {
	for i := range loc {
		loc[i] = -1
	}
	copy(loc, groups)
	if len(loc) > 1 {
		loc[0], loc[1] = s, e
	}
}

// bounds returns the bounds of the leftmost-longest match, or -1.
func (re *Regexp) bounds(b []byte, pos int) (int, int, error) {
	if re.anchored {
		if pos > 0 {
			return -1, -1, nil
		}
		if err := re.need(&re.fixed, false, false, false); err != nil {
			return -1, -1, err
		}
		e := re.fixed.forward(b, 0, re.fixed.start(re.edge), runLongest, re.end)
		if e < 0 {
			return -1, -1, nil
		}
		return 0, e, nil
	}
	if re.exact {
		n := len(re.prefix)
		for {
			if pos = re.candidate(b, pos); pos < 0 || n > len(b)-pos {
				return -1, -1, nil
			}
			if n == 1 || string(b[pos:pos+n]) == string(re.prefix) {
				return pos, pos + n, nil
			}
			pos++
		}
	}
	if err := re.need(&re.fixed, false, false, false); err != nil {
		return -1, -1, err
	}
	// Most often a match begins at the first or second candidate. Attempts must
	// not go far, though, lest the time grow with the square of the length.
	attempts := maxAttempts
	if re.first == nil {
		attempts = 1
	}
	for ; attempts > 0; attempts-- {
		if pos = re.candidate(b, pos); pos < 0 {
			return -1, -1, nil
		}
		f := uint8(0)
		if re.fixed.prog.asserts {
			f = re.factsBefore(b, pos)
		}
		if e := re.fixed.forward(b, pos, re.fixed.start(f), runLongest, re.end); e >= 0 {
			return pos, e, nil
		}
		if pos == len(b) {
			return -1, -1, nil
		}
		far := re.fixed.stop-pos > 32
		_, w := re.abc.next(b, pos)
		pos += w
		if far {
			break
		}
	}
	if err := re.need(&re.long, false, true, true); err != nil {
		return -1, -1, err
	}
	before := re.factsBefore(b, pos)
	e := re.long.forward(b, pos, re.long.start(before), runLongest, re.end)
	if e < 0 {
		return -1, -1, nil
	}
	if re.width >= 0 {
		return e - re.width, e, nil
	}
	if err := re.need(&re.back, true, false, false); err != nil {
		return -1, -1, err
	}
	s := re.back.backward(b, pos, e, re.back.start(re.factsAfter(b, e)), before)
	return s, e, nil
}

// CountLines returns how many lines of b contain a match, as repeated calls of
// [Regexp.FindLine] would tell.
func (re *Regexp) CountLines(b []byte) (int, error) {
	n := 0
	pos := 0
	if re.backrefs == 0 && hostWorth(len(b)) {
		if re.room == nil {
			re.room = make([]uint32, 2048)
		}
		for pos < len(b) {
			k, next, err := re.hostLines(b, pos, re.room)
			if err != nil {
				return 0, err
			}
			n += k / 2
			pos = next
		}
		return n, nil
	}
	if re.backrefs == 0 && (len(re.must) == 0 || re.line.poor > 0) {
		if err := re.need(&re.test, false, true, false); err != nil {
			return 0, err
		}
		if len(re.must) > 0 {
			re.line.poor = max(re.line.poor-len(b)>>8, 1)
			re.line.use()
		}
		re.enter(0)
		d := re.test
		if len(b) == 0 {
			return 0, nil
		}
		return d.forward(b, 0, d.start(re.edge), runCount, re.end), nil
	}
	for {
		s, e, err := re.FindLine(b, pos)
		if err != nil || s < 0 {
			return n, err
		}
		n++
		pos = e + 1
	}
}

// FindLine searches b, which consists of whole lines of which only the last may
// lack its end, from pos, the start of a line, for a line that contains a match.
// It returns the line's bounds without the byte that ends it, or -1, -1. The
// pattern must have been compiled with Lines or ZeroLines. The error is as for
// [Regexp.Find].
func (re *Regexp) FindLine(b []byte, pos int) (start, end int, err error) {
	eol := byte(re.eol)
	re.enter(0)
	for pos < len(b) {
		var at int
		literal := len(re.must) > 0 && re.line.use()
		if literal {
			at = index(b[pos:], re.must)
			if at < 0 {
				return -1, -1, nil
			}
			re.line.note(at)
			at += pos
		} else {
			if err := re.need(&re.test, false, true, false); err != nil {
				return -1, -1, err
			}
			if at = re.firstEnd(re.test, b, pos); at < 0 {
				return -1, -1, nil
			}
		}
		start = lastIndexByte(b[pos:at], eol) + 1 + pos
		if start == len(b) {
			return -1, -1, nil // behind the last line
		}
		end = indexByte(b[at:], eol)
		if end < 0 {
			end = len(b)
		} else {
			end += at
		}
		if re.exact {
			return start, end, nil
		}
		line := b[start:end]
		if !literal || re.firstEnd(re.test, line, 0) >= 0 {
			if re.backrefs == 0 {
				return start, end, nil
			}
			ok, err := re.Find(line, 0, 0, nil)
			if ok || err != nil {
				return start, end, err
			}
		}
		pos = end + 1
	}
	return -1, -1, nil
}
