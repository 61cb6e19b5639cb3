// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

type condOp uint8

const (
	cAnd condOp = iota
	cOr
	cNot
	cWord
	cUnary
	cMatch
	cNoMatch
	cRegex
	cBefore
	cAfter
	cArith // numeric comparison, in op
	cFile  // -nt -ot -ef, in op
	cBad
)

// condExpr is an expression of [[ ]].
type condExpr struct {
	kind condOp
	op   string
	x, y *condExpr
	a, b *word
}

func (c *compiler) cond(t syntax.TestExpr) *condExpr {
	switch x := t.(type) {
	case *syntax.ParenTest:
		return c.cond(x.X)
	case *syntax.Word:
		return &condExpr{kind: cWord, a: c.word(x, ctxText)}
	case *syntax.UnaryTest:
		if x.Op == syntax.TsNot {
			return &condExpr{kind: cNot, x: c.cond(x.X)}
		}
		w, ok := x.X.(*syntax.Word)
		if !ok {
			return &condExpr{kind: cBad}
		}
		op := x.Op.String()
		return &condExpr{kind: cUnary, op: op, a: c.word(w, ctxText)}
	case *syntax.BinaryTest:
		switch x.Op {
		case syntax.AndTest:
			return &condExpr{kind: cAnd, x: c.cond(x.X), y: c.cond(x.Y)}
		case syntax.OrTest:
			return &condExpr{kind: cOr, x: c.cond(x.X), y: c.cond(x.Y)}
		}
		a, okA := x.X.(*syntax.Word)
		b, okB := x.Y.(*syntax.Word)
		if !okA || !okB {
			return &condExpr{kind: cBad}
		}
		e := &condExpr{op: x.Op.String(), a: c.word(a, ctxText)}
		switch x.Op {
		case syntax.TsMatch, syntax.TsMatchShort:
			e.kind = cMatch
		case syntax.TsNoMatch:
			e.kind = cNoMatch
		case syntax.TsReMatch:
			e.kind = cRegex
			e.b = c.regexWord(b)
			return e
		case syntax.TsBefore:
			e.kind = cBefore
		case syntax.TsAfter:
			e.kind = cAfter
		case syntax.TsNewer, syntax.TsOlder, syntax.TsDevIno:
			e.kind = cFile
		default:
			e.kind = cArith
		}
		e.b = c.word(b, ctxText)
		return e
	}
	return &condExpr{kind: cBad}
}

// regexWord compiles the right side of =~: a backslash quotes for the regular
// expression too.
func (c *compiler) regexWord(w *syntax.Word) *word { return c.word(w, ctxText) }

func (n *condNode) exec(sh *Shell) int {
	sh.line = n.line + sh.lineShift
	if sh.tick() {
		return sh.status
	}
	sh.expandFailed = false
	sh.noteCommand(n.src)
	if sh.traps.debug != "" {
		sh.debugTrap(n.src, sh.line)
	}
	ok, bad := sh.evalCond(n.x)
	if sh.expandFailed {
		return sh.check(sh.expandStatus())
	}
	switch {
	case bad:
		return sh.check(2)
	case ok:
		sh.status = 0
		return 0
	}
	return sh.check(1)
}

// evalCond evaluates an expression; bad says that it could not.
func (sh *Shell) evalCond(e *condExpr) (ok, bad bool) {
	switch e.kind {
	case cAnd:
		if ok, bad = sh.evalCond(e.x); !ok || bad {
			return ok, bad
		}
		return sh.evalCond(e.y)
	case cOr:
		if ok, bad = sh.evalCond(e.x); ok || bad {
			return ok, bad
		}
		return sh.evalCond(e.y)
	case cNot:
		ok, bad = sh.evalCond(e.x)
		return !ok, bad
	case cWord:
		s := sh.text(e.a)
		sh.traceCond("-n", s, "")
		return s != "", false
	case cUnary:
		s := sh.text(e.a)
		if sh.expandFailed {
			return false, true
		}
		sh.traceCond(e.op, s, "")
		return sh.unaryTest(e.op, s, true)
	case cBad:
		sh.errorf("conditional expression: syntax error")
		return false, true
	}
	a := sh.text(e.a)
	if sh.expandFailed {
		return false, true
	}
	switch e.kind {
	case cMatch, cNoMatch:
		res := false
		if e.b.kind == wLit && !e.b.meta && !sh.shopt.nocasematch {
			res = a == e.b.lit
			sh.traceCond(e.op, a, e.b.lit)
		} else {
			pat := sh.pattern(e.b)
			if sh.expandFailed {
				return false, true
			}
			sh.traceCond(e.op, a, pat)
			res = sh.rt.pattern(pat, sh.matchFlags()).Match(a)
		}
		return res == (e.kind == cMatch), false
	case cRegex:
		re := sh.regexText(e.b)
		if sh.expandFailed {
			return false, true
		}
		sh.traceCond(e.op, a, re)
		return sh.regexMatch(a, re)
	}
	b := sh.text(e.b)
	if sh.expandFailed {
		return false, true
	}
	sh.traceCond(e.op, a, b)
	switch e.kind {
	case cBefore:
		return a < b, false
	case cAfter:
		return a > b, false
	case cFile:
		return sh.fileCompare(e.op, a, b), false
	}
	x, ok1 := sh.evalCondNumber(a)
	if !ok1 {
		return false, false
	}
	y, ok2 := sh.evalCondNumber(b)
	if !ok2 {
		return false, false
	}
	return compareInts(e.op, x, y), false
}

func (sh *Shell) evalCondNumber(s string) (int64, bool) {
	sh.arithPrefix = "[[: "
	if strings.ContainsAny(s, "$`\"") {
		c := &compiler{sh: sh, rt: sh.rt}
		n, ok := sh.evalArith(c.arith(s))
		sh.arithPrefix = ""
		return n, ok
	}
	n, ok := sh.evalText(s)
	sh.arithPrefix = ""
	return n, ok
}

func compareInts(op string, x, y int64) bool {
	switch op {
	case "-eq":
		return x == y
	case "-ne":
		return x != y
	case "-lt":
		return x < y
	case "-le":
		return x <= y
	case "-gt":
		return x > y
	case "-ge":
		return x >= y
	}
	return false
}

// regexText expands the right side of =~ to a regular expression in which
// quoted text is literal.
func (sh *Shell) regexText(w *word) string {
	if w.kind == wVar {
		return sh.text(w)
	}
	base := len(sh.buf)
	ps := w.partsFor()
	for i := range ps {
		at := len(sh.buf)
		sh.appendText(ps[i:i+1], false)
		if ps[i].quoted {
			s := string(sh.buf[at:])
			sh.buf = sh.buf[:at]
			for k := range len(s) {
				if strings.IndexByte(`\.[]*+?{}()|^$`, s[k]) >= 0 {
					sh.buf = append(sh.buf, '\\')
				}
				sh.buf = append(sh.buf, s[k])
			}
		}
	}
	s := string(sh.buf[base:])
	sh.buf = sh.buf[:base]
	return s
}
