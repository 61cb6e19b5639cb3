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

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNameByte(c byte) bool { return isNameStart(c) || isDigit(c) }

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
