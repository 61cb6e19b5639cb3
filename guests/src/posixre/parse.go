// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package posixre

import "unicode/utf8"

// Flags choose the syntax and the meaning of a pattern.
type Flags uint32

// Flags of [Compile]. Without any, a pattern is a basic regular expression over
// UTF-8 text in which a newline is an ordinary character.
const (
	// Extended selects extended syntax (ERE).
	Extended Flags = 1 << iota
	// Fixed takes the pattern as the string to find.
	Fixed
	// ICase ignores case.
	ICase
	// NotNewline keeps '.' and [^…] from matching a newline.
	NotNewline
	// LineAnchors lets ^ and $ match around newlines too.
	LineAnchors
	// Bytes takes every byte as a character (the C locale).
	Bytes
	// Lines takes the text as lines: nothing matches a newline, and each line
	// is as a text of its own for every anchor.
	Lines
	// ZeroLines is Lines with NUL in place of newline.
	ZeroLines
	// WholeLine accepts only matches that are whole lines (grep -x).
	WholeLine
	// WholeWord accepts only matches that neither follow nor precede a word
	// character (grep -w).
	WholeWord
	// Lenient takes operators without operand, and in extended syntax wrong
	// repetition counts, as grep does: the former match as if absent, the
	// latter literally.
	Lenient
	// ParenLiteral takes ) without ( literally in extended syntax (regcomp,
	// grep, awk).
	ParenLiteral
	// ListEscapes lets a backslash quote within brackets (awk).
	ListEscapes
	// NoBackrefs takes \1 to \9 as the digits (awk).
	NoBackrefs
	// NoGNU takes the GNU extensions as the letters (sed --posix).
	NoGNU
)

// Newline is what REG_NEWLINE and sed's M mean.
const Newline = NotNewline | LineAnchors

// Limits.
const (
	dupMax      = 0x7fff  // largest repetition count (RE_DUP_MAX)
	maxDepth    = 2000    // nested groups
	maxInsts    = 1 << 18 // instructions of one automaton
	maxLitInsts = 1 << 24 // of a set of literal strings
	maxNodes    = 1 << 20 // elements of a pattern
)

type op uint8

const (
	opEmpty op = iota
	opSet
	opCat
	opAlt
	opRepeat
	opGroup
	opBackref
	opAssert
	opNever
)

// node is an element of the parsed pattern.
type node struct {
	op       op
	n        int32 // set, group, back-reference or assertion
	min, max int32 // opRepeat; max is -1 for no limit
	sub      []*node
}

type assertion = int32

const (
	assertBOL assertion = iota
	assertEOL
	assertBegin
	assertEnd
	assertWord
	assertNotWord
	assertWordStart
	assertWordEnd
	assertNoWordBefore
	assertNoWordAfter
)

// sets numbers the symbol sets of a pattern.
type sets struct {
	list  []symset
	ids   map[string]int32
	ascii [128]int32 // of single ASCII symbols, plus one
	key   []byte
}

func (t *sets) id(s symset) int32 {
	c, one := s.single()
	if one && c < 128 && t.ascii[c] != 0 {
		return t.ascii[c] - 1
	}
	k := t.key[:0]
	for _, r := range s {
		k = append(k, byte(r.lo), byte(r.lo>>8), byte(r.lo>>16), byte(r.hi), byte(r.hi>>8), byte(r.hi>>16))
	}
	t.key = k
	id, ok := t.ids[string(k)]
	if !ok {
		if t.ids == nil {
			t.ids = make(map[string]int32)
		}
		id = int32(len(t.list))
		t.list = append(t.list, s)
		t.ids[string(k)] = id
	}
	if one && c < 128 {
		t.ascii[c] = id + 1
	}
	return id
}

type parser struct {
	flags Flags
	sets  *sets
	src   string
	pos   int
	depth int
	nodes int

	groups   int32  // opened so far
	base     int32  // groups of earlier patterns
	complete uint32 // groups that a back-reference may name here
	backrefs uint32 // groups named by back-references; bit 31 is for all from there on
	char     [256]int32
	dot      int32 // set of '.', plus one
	eol      int32 // symbol that ends a line, or -1
}

func (p *parser) ere() bool { return p.flags&Extended != 0 }

// all returns the valid symbols.
func (p *parser) all() symset {
	if p.flags&Bytes != 0 {
		return symset{{0, 0xff}}
	}
	return symset{{0, utf8.MaxRune}}
}

// without removes the symbol that ends a line.
func (p *parser) without(s symset) symset {
	if p.eol < 0 || !s.has(p.eol) {
		return s
	}
	return symset{{p.eol, p.eol}}.complement(s)
}

func (p *parser) setNode(s symset) (*node, error) {
	s = p.without(s)
	if len(s) == 0 {
		return p.node(node{op: opNever})
	}
	return p.node(node{op: opSet, n: p.sets.id(s)})
}

func (p *parser) node(n node) (*node, error) {
	p.nodes++
	if p.nodes > maxNodes {
		return nil, ErrTooBig
	}
	return &n, nil
}

// symbol decodes the symbol at s[i].
func symbol(s string, i int, bytes bool) (c int32, n int) {
	if b := s[i]; bytes || b < utf8.RuneSelf {
		return int32(b), 1
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	if r == utf8.RuneError && n <= 1 {
		return badByte + int32(s[i]), 1
	}
	return int32(r), n
}

// literal returns a node for one symbol of the pattern.
func (p *parser) literal(c int32) (*node, error) {
	if c < 256 && p.char[c] != 0 && c != p.eol {
		return p.node(node{op: opSet, n: p.char[c] - 1})
	}
	s := symset{{c, c}}
	if p.flags&ICase != 0 && c < badByte {
		s = s.fold(p.flags&Bytes != 0)
	}
	n, err := p.setNode(s)
	if err == nil && n.op == opSet && c < 256 {
		p.char[c] = n.n + 1
	}
	return n, err
}

// fixed parses the pattern as a string.
func (p *parser) fixed() (*node, error) {
	cat := &node{op: opCat}
	for p.pos < len(p.src) {
		c, n := symbol(p.src, p.pos, p.flags&Bytes != 0)
		p.pos += n
		x, err := p.literal(c)
		if err != nil {
			return nil, err
		}
		cat.sub = append(cat.sub, x)
	}
	return cat, nil
}

// peek reports whether the operator s, which is written \s in basic syntax where
// escaped is set, comes next.
func (p *parser) peek(s byte) bool {
	if p.ere() {
		return p.pos < len(p.src) && p.src[p.pos] == s
	}
	return p.pos+1 < len(p.src) && p.src[p.pos] == '\\' && p.src[p.pos+1] == s
}

func (p *parser) skip() {
	if p.ere() {
		p.pos++
	} else {
		p.pos += 2
	}
}

// peekAlt reports whether an alternation operator comes next.
func (p *parser) peekAlt() bool {
	return p.peek('|') && (p.ere() || p.flags&NoGNU == 0)
}

// alternation parses alternatives up to a closing parenthesis or the end.
func (p *parser) alternation() (*node, error) {
	before := p.complete
	done := before
	var alt *node
	for {
		p.complete = before
		n, err := p.branch()
		if err != nil {
			return nil, err
		}
		done |= p.complete
		if !p.peekAlt() {
			p.complete = done
			if alt == nil {
				return n, nil
			}
			alt.sub = append(alt.sub, n)
			return alt, nil
		}
		p.skip()
		if alt == nil {
			alt = &node{op: opAlt}
		}
		alt.sub = append(alt.sub, n)
	}
}

// branch parses a concatenation.
func (p *parser) branch() (*node, error) {
	cat := &node{op: opCat}
	// In basic syntax an asterisk is literal here, also behind ^.
	start := true
	for p.pos < len(p.src) && !p.peekAlt() {
		if p.peek(')') && (p.depth > 0 || !p.ere() || p.flags&ParenLiteral == 0) {
			if p.depth == 0 {
				return nil, ErrRightParen
			}
			break
		}
		n, err := p.piece(start)
		if err != nil {
			return nil, err
		}
		start = n != nil && n.op == opAssert
		if n != nil {
			cat.sub = append(cat.sub, n)
		}
	}
	if len(cat.sub) == 1 {
		return cat.sub[0], nil
	}
	return cat, nil
}

// dupOp returns the repetition operator that comes next, or 0: * + ? {
func (p *parser) dupOp() byte {
	if p.pos >= len(p.src) {
		return 0
	}
	c := p.src[p.pos]
	if c == '*' {
		return c
	}
	if !p.ere() {
		if c != '\\' || p.pos+1 >= len(p.src) {
			return 0
		}
		c = p.src[p.pos+1]
		if p.flags&NoGNU != 0 && c != '{' {
			return 0
		}
	}
	if c == '+' || c == '?' || c == '{' {
		return c
	}
	return 0
}

// piece parses an element and its repetitions. It returns nil for an operator
// that is skipped.
func (p *parser) piece(start bool) (*node, error) {
	if c := p.dupOp(); c != 0 {
		if p.ere() {
			if p.flags&Lenient == 0 {
				return nil, ErrOperand
			}
			p.pos++
			return nil, nil
		}
		if c == '{' && start && p.flags&Lenient == 0 {
			return nil, ErrOperand
		}
		// Nothing can be repeated here, so the character stands for itself.
		if c != '*' {
			p.pos++
		}
		p.pos++
		n, err := p.literal(int32(c))
		if err != nil {
			return nil, err
		}
		return p.repeats(n)
	}
	n, err := p.atom(start)
	if err != nil || n.op == opAssert {
		return n, err
	}
	return p.repeats(n)
}

func (p *parser) repeats(n *node) (*node, error) {
	for {
		lo, hi := int32(0), int32(-1)
		switch p.dupOp() {
		case 0:
			return n, nil
		case '*':
			p.pos++
		case '+':
			p.skip()
			lo = 1
		case '?':
			p.skip()
			hi = 1
		case '{':
			at := p.pos
			p.skip()
			var err error
			lo, hi, err = p.interval()
			if err == errLiteral {
				p.pos = at + 1
				brace, err := p.literal('{')
				if err != nil {
					return nil, err
				}
				return p.node(node{op: opCat, sub: []*node{n, brace}})
			}
			if err != nil {
				return nil, err
			}
		}
		if n.op == opRepeat && n.min <= 1 && n.max == -1 && lo <= 1 && hi == -1 {
			n.min = min(n.min, lo) // a**
			continue
		}
		var err error
		if n, err = p.node(node{op: opRepeat, min: lo, max: hi, sub: []*node{n}}); err != nil {
			return nil, err
		}
	}
}

// errLiteral says that the brace stands for itself.
const errLiteral Error = 255

// interval parses the rest of {n,m}.
func (p *parser) interval() (lo, hi int32, err error) {
	const missing, invalid = -1, -2
	var end byte // ',' or '}', 0 at the end of the pattern
	number := func() int32 {
		v := int32(missing)
		for {
			if p.pos >= len(p.src) {
				end = 0
				return invalid
			}
			if p.peek('}') {
				p.skip()
				end = '}'
				return v
			}
			c := p.src[p.pos]
			p.pos++
			switch {
			case c == ',':
				end = ','
				return v
			case c < '0' || c > '9' || v == invalid:
				v = invalid
			case v == missing:
				v = int32(c - '0')
			default:
				v = min(v*10+int32(c-'0'), dupMax+1)
			}
		}
	}
	lo = number()
	if lo == missing {
		if end != ',' {
			return 0, 0, ErrInterval
		}
		lo = 0
	}
	hi = invalid
	if lo != invalid {
		if end == '}' {
			hi = lo
		} else if hi = number(); hi >= 0 && end == ',' {
			hi = invalid
		}
	}
	switch {
	case lo == invalid || hi == invalid:
		if p.ere() && p.flags&Lenient != 0 {
			return 0, 0, errLiteral
		}
		if end == 0 {
			return 0, 0, ErrBrace
		}
		return 0, 0, ErrInterval
	case hi != missing && lo > hi:
		return 0, 0, ErrInterval
	case max(lo, hi) > dupMax:
		return 0, 0, ErrTooBig
	}
	return lo, hi, nil
}

func (p *parser) assert(a assertion) (*node, error) {
	return p.node(node{op: opAssert, n: a})
}

// caret reports whether a ^ at the current position is an anchor in basic
// syntax.
func (p *parser) caret() bool {
	s := p.src[:p.pos]
	if s == "" || p.flags&Lenient != 0 && s[len(s)-1] == '\n' {
		return true
	}
	// Behind \( or \|, whose backslash must not be quoted itself.
	if n := len(s); n < 2 || s[n-2] != '\\' || s[n-1] != '(' && (s[n-1] != '|' || p.flags&NoGNU != 0) {
		return false
	}
	k := len(s) - 2
	for k > 0 && s[k-1] == '\\' {
		k--
	}
	return (len(s)-2-k)%2 == 0
}

// dollar is caret for $.
func (p *parser) dollar() bool {
	s := p.src[p.pos+1:]
	return s == "" || len(s) > 1 && s[0] == '\\' && (s[1] == ')' || s[1] == '|' && p.flags&NoGNU == 0) ||
		p.flags&Lenient != 0 && s[0] == '\n'
}

func (p *parser) atom(start bool) (*node, error) {
	switch c := p.src[p.pos]; c {
	case '\\':
		return p.escape()
	case '[':
		p.pos++
		return p.bracket()
	case '.':
		p.pos++
		if p.dot == 0 {
			s := p.all()
			if p.flags&NotNewline != 0 {
				s = symset{{'\n', '\n'}}.complement(s)
			}
			p.dot = p.sets.id(p.without(s)) + 1
		}
		return p.node(node{op: opSet, n: p.dot - 1})
	case '^':
		if p.ere() || p.caret() {
			p.pos++
			return p.assert(assertBOL)
		}
	case '$':
		if p.ere() || p.dollar() {
			p.pos++
			return p.assert(assertEOL)
		}
	case '(':
		if p.ere() {
			return p.group()
		}
	}
	c, n := symbol(p.src, p.pos, p.flags&Bytes != 0)
	p.pos += n
	return p.literal(c)
}

func (p *parser) group() (*node, error) {
	p.skip()
	if p.depth >= maxDepth {
		return nil, ErrTooBig
	}
	p.depth++
	p.groups++
	g := p.groups
	n, err := p.alternation()
	if err != nil {
		return nil, err
	}
	if !p.peek(')') {
		return nil, ErrParen
	}
	p.skip()
	p.depth--
	if k := g - p.base; k <= 9 {
		p.complete |= 1 << k
	}
	return p.node(node{op: opGroup, n: g, sub: []*node{n}})
}

func (p *parser) escape() (*node, error) {
	if p.pos+1 >= len(p.src) {
		return nil, ErrEscape
	}
	c := p.src[p.pos+1]
	if c == '(' && !p.ere() {
		return p.group()
	}
	if c >= '1' && c <= '9' && p.flags&NoBackrefs == 0 {
		p.pos += 2
		if p.complete>>(c-'0')&1 == 0 {
			return nil, ErrBackref
		}
		g := p.base + int32(c-'0')
		p.backrefs |= 1 << min(g, 31)
		return p.node(node{op: opBackref, n: g})
	}
	if p.flags&NoGNU == 0 {
		if n, err := p.gnuEscape(c); n != nil || err != nil {
			p.pos += 2
			return n, err
		}
	}
	p.pos++
	s, n := symbol(p.src, p.pos, p.flags&Bytes != 0)
	p.pos += n
	return p.literal(s)
}

// gnuEscape returns the node for \c, or nil where it stands for c.
func (p *parser) gnuEscape(c byte) (*node, error) {
	switch c {
	case '`':
		return p.assert(assertBegin)
	case '\'':
		return p.assert(assertEnd)
	case 'b':
		return p.assert(assertWord)
	case 'B':
		return p.assert(assertNotWord)
	case '<':
		return p.assert(assertWordStart)
	case '>':
		return p.assert(assertWordEnd)
	case 'w':
		return p.setNode(wordSet(p.flags&Bytes != 0))
	case 'W':
		return p.setNode(wordSet(p.flags&Bytes != 0).complement(p.all()))
	case 's':
		return p.setNode(class("space", p.flags&Bytes != 0))
	case 'S':
		return p.setNode(class("space", p.flags&Bytes != 0).complement(p.all()))
	}
	return nil, nil
}

// wordSet returns the characters words are made of.
func wordSet(bytes bool) symset {
	return class("alnum", bytes).union(symset{{'_', '_'}})
}
