// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package arith

import "strings"

// maxDepth bounds the nesting of an expression.
const maxDepth = 512

// Parse parses text. An empty text is 0. It returns an *Error, or ErrDynamic
// where Options.Params is set and the text has expansions that are more than an
// operand each.
func Parse(text string, opt Options) (*Expr, error) {
	p := &parser{src: text, opt: opt, e: &Expr{}}
	p.next()
	if p.tok == tEOF && p.err == nil {
		p.e.root = &node{op: opNum}
		return p.e, nil
	}
	p.e.root = p.comma()
	if p.err == nil && p.tok != tEOF {
		if p.tok == tAssign {
			p.fail("attempted assignment to non-variable")
		} else {
			p.fail("syntax error in expression")
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return p.e, nil
}

type tokKind uint8

const (
	tEOF tokKind = iota
	tNum
	tName
	tParam
	tOp     // binary operator p.op with precedence p.prec
	tAssign // p.op is the operator or opNum
	tInc
	tDec
	tNot
	tBitNot
	tQuest
	tColon
	tComma
	tLparen
	tRparen
	tBad
)

type parser struct {
	src   string
	pos   int // behind the token
	start int
	prev  int // start of the token before
	opt   Options
	e     *Expr
	err   error
	depth int

	tok  tokKind
	op   opKind
	prec int
	num  int64
	ref  *Ref
}

func (p *parser) fail(msg string) *node {
	if p.err == nil {
		at := p.start
		if p.tok == tEOF {
			at = p.prev
		}
		p.err = &Error{msg + " (error token is \"" + strings.TrimRight(p.src[at:], " \t\n") + "\")"}
	}
	p.tok = tEOF
	return &node{}
}

func isNameStart(c byte) bool { return c == '_' || c|32 >= 'a' && c|32 <= 'z' }
func isDigit(c byte) bool     { return c >= '0' && c <= '9' }
func isNameByte(c byte) bool  { return isNameStart(c) || isDigit(c) }

func (p *parser) next() {
	if p.err != nil {
		p.tok = tEOF
		return
	}
	for p.pos < len(p.src) && (p.src[p.pos] == ' ' || p.src[p.pos] == '\t' || p.src[p.pos] == '\n' || p.src[p.pos] == '\r') {
		p.pos++
	}
	p.prev = p.start
	p.start = p.pos
	if p.pos == len(p.src) {
		p.tok = tEOF
		return
	}
	c := p.src[p.pos]
	switch {
	case isDigit(c):
		p.number()
		return
	case isNameStart(c):
		p.name()
		return
	case c == '$' && p.opt.Params:
		p.param()
		return
	}
	two := byte(0)
	if p.pos+1 < len(p.src) {
		two = p.src[p.pos+1]
	}
	set := func(n int, t tokKind, op opKind, prec int) {
		p.pos += n
		p.tok, p.op, p.prec = t, op, prec
		// An operator that may be joined with = to an assignment.
		if t == tOp && prec >= 4 && prec != 7 && prec != 8 && op != opPow && p.pos < len(p.src) && p.src[p.pos] == '=' {
			p.pos++
			p.tok = tAssign
		}
	}
	switch c {
	case '+':
		if two == '+' {
			set(2, tInc, 0, 0)
		} else {
			set(1, tOp, opAdd, 10)
		}
	case '-':
		if two == '-' {
			set(2, tDec, 0, 0)
		} else {
			set(1, tOp, opSub, 10)
		}
	case '*':
		if two == '*' {
			set(2, tOp, opPow, 12)
		} else {
			set(1, tOp, opMul, 11)
		}
	case '/':
		set(1, tOp, opDiv, 11)
	case '%':
		set(1, tOp, opMod, 11)
	case '<':
		switch two {
		case '<':
			set(2, tOp, opShl, 9)
		case '=':
			set(2, tOp, opLe, 8)
		default:
			set(1, tOp, opLt, 8)
		}
	case '>':
		switch two {
		case '>':
			set(2, tOp, opShr, 9)
		case '=':
			set(2, tOp, opGe, 8)
		default:
			set(1, tOp, opGt, 8)
		}
	case '=':
		if two == '=' {
			set(2, tOp, opEq, 7)
		} else {
			set(1, tAssign, opNum, 0)
		}
	case '!':
		if two == '=' {
			set(2, tOp, opNe, 7)
		} else {
			set(1, tNot, 0, 0)
		}
	case '&':
		if two == '&' {
			set(2, tOp, opLand, 3)
		} else {
			set(1, tOp, opAnd, 6)
		}
	case '^':
		set(1, tOp, opXor, 5)
	case '|':
		if two == '|' {
			set(2, tOp, opLor, 2)
		} else {
			set(1, tOp, opOr, 4)
		}
	case '~':
		set(1, tBitNot, 0, 0)
	case '?':
		set(1, tQuest, 0, 0)
	case ':':
		set(1, tColon, 0, 0)
	case ',':
		set(1, tComma, 0, 0)
	case '(':
		set(1, tLparen, 0, 0)
	case ')':
		set(1, tRparen, 0, 0)
	default:
		p.tok = tBad
		p.fail("syntax error: operand expected")
	}
}

func (p *parser) name() {
	i := p.pos
	for i < len(p.src) && isNameByte(p.src[i]) {
		i++
	}
	r := &Ref{Name: p.src[p.pos:i]}
	if i < len(p.src) && p.src[i] == '$' && p.opt.Params {
		p.err = ErrDynamic
	}
	if p.opt.Intern != nil {
		r.Sym = p.opt.Intern(r.Name)
	}
	if i < len(p.src) && p.src[i] == '[' {
		n := subscriptEnd(p.src[i:])
		if n == 0 {
			p.pos = i
			p.tok = tName
			p.fail("bad array subscript")
			return
		}
		r.Sub, r.HasSub = p.src[i+1:i+n-1], true
		if p.opt.Params && strings.ContainsAny(r.Sub, "$`\"'\\") {
			p.err = ErrDynamic
		}
		i += n
	}
	p.pos = i
	p.ref = r
	p.tok = tName
}

// subscriptEnd returns the length of the bracketed text at the start of s.
func subscriptEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"', '\'':
			j := strings.IndexByte(s[i+1:], s[i])
			if j >= 0 {
				i += j + 1
			}
		case '[':
			depth++
		case ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

func (p *parser) param() {
	s := p.src[p.pos:]
	name, n := "", 0
	switch {
	case len(s) < 2:
	case s[1] == '{':
		e := strings.IndexByte(s, '}')
		if e > 2 && (validName(s[2:e]) || len(s[2:e]) < 4 && allDigits(s[2:e])) {
			name, n = s[2:e], e+1
		}
	case isNameStart(s[1]):
		n = 2
		for n < len(s) && isNameByte(s[n]) {
			n++
		}
		name = s[1:n]
		if n < len(s) && s[n] == '[' {
			name = "" // $a[1] is text
		}
	case isDigit(s[1]) || s[1] == '#' || s[1] == '?' || s[1] == '!':
		name, n = s[1:2], 2
	}
	if name == "" || n < len(s) && (isNameByte(s[n]) || s[n] == '$' || s[n] == '#' || s[n] == '[' || s[n] == '"' || s[n] == '`') {
		p.err = ErrDynamic
		p.tok = tEOF
		return
	}
	p.pos += n
	p.tok = tParam
	p.num = int64(len(p.e.Params))
	p.e.Params = append(p.e.Params, name)
}

func validName(s string) bool {
	if s == "" || !isNameStart(s[0]) {
		return false
	}
	for i := range len(s) {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return true
}

func allDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

func (p *parser) number() {
	i := p.pos
	for i < len(p.src) && (isNameByte(p.src[i]) || p.src[i] == '#' || p.src[i] == '@') {
		i++
	}
	if i < len(p.src) && p.src[i] == '$' && p.opt.Params {
		p.err = ErrDynamic
		p.tok = tEOF
		return
	}
	text := p.src[p.pos:i]
	p.tok = tNum
	n, msg := Number(text)
	if msg != "" {
		p.err = &Error{msg + " (error token is \"" + text + "\")"}
		p.tok = tEOF
		return
	}
	p.num = n
	p.pos = i
}

// Number reads an integer constant: decimal, 0octal, 0xhex or base#digits with
// a base of 2 to 64. msg is empty or says what is wrong.
func Number(s string) (n int64, msg string) {
	base := int64(10)
	digits := s
	switch h := strings.IndexByte(s, '#'); {
	case h > 1 && s[0] == '0':
		return 0, "invalid number"
	case h > 0:
		base = 0
		for i := range h {
			if !isDigit(s[i]) || base > 64 {
				return 0, "invalid arithmetic base"
			}
			base = base*10 + int64(s[i]-'0')
		}
		if base < 2 || base > 64 {
			return 0, "invalid arithmetic base"
		}
		digits = s[h+1:]
		if digits == "" {
			return 0, "invalid integer constant"
		}
	case len(s) > 1 && s[0] == '0' && s[1]|32 == 'x':
		base, digits = 16, s[2:]
		if digits == "" {
			return 0, ""
		}
	case len(s) > 1 && s[0] == '0':
		base, digits = 8, s[1:]
	}
	for i := range len(digits) {
		c := digits[i]
		var d int64
		switch {
		case isDigit(c):
			d = int64(c - '0')
		case c >= 'a' && c <= 'z':
			d = int64(c-'a') + 10
		case c >= 'A' && c <= 'Z' && base <= 36:
			d = int64(c-'A') + 10
		case c >= 'A' && c <= 'Z':
			d = int64(c-'A') + 36
		case c == '@':
			d = 62
		case c == '_':
			d = 63
		default:
			return 0, "invalid number"
		}
		if d >= base {
			return 0, "value too great for base"
		}
		n = n*base + d
	}
	return n, ""
}

func (p *parser) comma() *node {
	n := p.assign()
	for p.tok == tComma {
		p.next()
		n = &node{op: opComma, a: n, b: p.assign()}
	}
	return n
}

func (p *parser) assign() *node {
	if p.depth++; p.depth > maxDepth {
		p.depth--
		return p.fail("expression recursion level exceeded")
	}
	defer func() { p.depth-- }()
	n := p.cond()
	if p.tok == tAssign {
		if n.op != opVar {
			return p.fail("attempted assignment to non-variable")
		}
		op := p.op
		p.next()
		at := p.start
		r := p.assign()
		return &node{op: opAssign, bin: op, ref: n.ref, a: r, text: p.text(at)}
	}
	return n
}

func (p *parser) cond() *node {
	n := p.binary(2)
	if p.tok != tQuest {
		return n
	}
	if p.depth++; p.depth > maxDepth {
		p.depth--
		return p.fail("expression recursion level exceeded")
	}
	defer func() { p.depth-- }()
	p.next()
	if p.tok == tEOF || p.tok == tColon {
		return p.fail("expression expected")
	}
	b := p.comma()
	if p.tok != tColon {
		return p.fail("`:' expected for conditional expression")
	}
	p.next()
	if p.tok == tEOF {
		return p.fail("expression expected")
	}
	return &node{op: opCond, a: n, b: b, c: p.cond()}
}

func (p *parser) text(from int) string {
	if from > len(p.src) {
		return ""
	}
	return strings.TrimRight(p.src[from:], " \t\n")
}

func (p *parser) binary(min int) *node {
	n := p.unary()
	for p.tok == tOp && p.prec >= min {
		op, prec := p.op, p.prec
		p.next()
		at := p.start
		var r *node
		if op == opPow {
			if p.depth++; p.depth > maxDepth {
				p.depth--
				return p.fail("expression recursion level exceeded")
			}
			r = p.binary(prec)
			p.depth--
		} else {
			r = p.binary(prec + 1)
		}
		n = fold(&node{op: op, a: n, b: r, text: p.text(at)})
	}
	return n
}

// fold computes an operation on constants that cannot fail.
func fold(n *node) *node {
	if n.a.op != opNum || n.b.op != opNum {
		return n
	}
	var v evaluator
	x := v.eval(n)
	if v.err != nil {
		return n
	}
	return &node{op: opNum, n: x}
}

func (p *parser) unary() *node {
	if p.depth++; p.depth > maxDepth {
		p.depth--
		return p.fail("expression recursion level exceeded")
	}
	defer func() { p.depth-- }()
	switch p.tok {
	case tNum:
		n := &node{op: opNum, n: p.num}
		p.next()
		if p.tok == tInc || p.tok == tDec {
			return p.fail("syntax error: operand expected")
		}
		return n
	case tParam:
		n := &node{op: opParam, n: p.num}
		p.next()
		return n
	case tName:
		n := &node{op: opVar, ref: p.ref}
		p.next()
		switch p.tok {
		case tInc:
			p.next()
			n.op = opPostInc
		case tDec:
			p.next()
			n.op = opPostDec
		}
		return n
	case tInc, tDec:
		op := opPreInc
		sign := opPlus
		if p.tok == tDec {
			op, sign = opPreDec, opNeg
		}
		p.next()
		if p.tok == tName {
			n := &node{op: op, ref: p.ref}
			p.next()
			return n
		}
		// ++1 is + +1.
		a := p.unary()
		return &node{op: sign, a: &node{op: sign, a: a}}
	case tNot:
		p.next()
		return &node{op: opNot, a: p.unary()}
	case tBitNot:
		p.next()
		return &node{op: opBitNot, a: p.unary()}
	case tOp:
		op := opNeg
		switch p.op {
		case opAdd:
			op = opPlus
		case opSub:
		default:
			return p.fail("syntax error: operand expected")
		}
		p.next()
		a := p.unary()
		if a.op == opNum {
			if op == opNeg {
				a.n = -a.n
			}
			return a
		}
		return &node{op: op, a: a}
	case tLparen:
		p.next()
		if p.tok == tRparen || p.tok == tEOF {
			return p.fail("syntax error: operand expected")
		}
		n := p.comma()
		if p.tok != tRparen {
			return p.fail("missing `)'")
		}
		p.next()
		if n.op == opVar { // (x) is no variable that can be assigned
			return &node{op: opPlus, a: n}
		}
		return n
	}
	return p.fail("syntax error: operand expected")
}
