// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

type testOp uint8

const (
	tNone testOp = iota
	tEq
	tNe
	tIntEq
	tIntNe
	tLt
	tLe
	tGt
	tGe
	tEmpty
	tNonEmpty
)

var testOps = map[string]testOp{
	"=": tEq, "==": tEq, "!=": tNe, "-eq": tIntEq, "-ne": tIntNe, "-lt": tLt, "-le": tLe, "-gt": tGt, "-ge": tGe,
}

// test makes a command of the form [ a op b ], the commonest in loops, a node
// that needs no argument list.
func (c *compiler) test(n *simpleCmd) node {
	if n.bi == nil || len(n.assigns)+len(n.redirs) > 0 || n.name != "[" && n.name != "test" {
		return n
	}
	ws := n.words[1:]
	if n.name == "[" {
		if len(ws) == 0 || ws[len(ws)-1].kind != wLit || ws[len(ws)-1].lit != "]" {
			return n
		}
		ws = ws[:len(ws)-1]
	}
	t := &testCmd{simpleCmd: n}
	switch {
	case len(ws) == 3 && ws[1].kind == wLit && testOps[ws[1].lit] != tNone:
		t.op, t.x, t.y = testOps[ws[1].lit], ws[0], ws[2]
	case len(ws) == 2 && ws[0].kind == wLit && ws[0].lit == "-z":
		t.op, t.x = tEmpty, ws[1]
	case len(ws) == 2 && ws[0].kind == wLit && ws[0].lit == "-n":
		t.op, t.x = tNonEmpty, ws[1]
	default:
		return n
	}
	if !simpleOperand(t.x) || t.y != nil && !simpleOperand(t.y) {
		return n
	}
	return t
}

// simpleOperand reports whether a word is a constant or one parameter, whose
// expansion has no effects.
func simpleOperand(w *word) bool {
	switch w.kind {
	case wLit:
		return !w.meta && !w.brace
	case wVar, wQVar:
		return true
	}
	if len(w.parts) == 1 && w.parts[0].kind == pParam {
		e := w.parts[0].pe
		return e.op == opNone && !e.length && !e.indirect && !e.keys && e.names == 0 && e.sub == nil && e.special != '@' && e.special != '*'
	}
	return false
}

// operand evaluates a simple operand; ok is false where it is not exactly one
// field.
func (sh *Shell) operand(w *word) (s string, n int64, num, ok bool) {
	quoted := false
	switch w.kind {
	case wLit:
		return w.lit, 0, false, true
	case wVar, wQVar:
		v := sh.v(w.id)
		quoted = w.kind == wQVar
		if v == nil || v.flags&(vStr|vNum) == 0 || v.flags&vRef != 0 {
			return "", 0, false, quoted && v == nil && !sh.opts.nounset
		}
		if v.flags&vNum != 0 {
			if !quoted && !sh.ifs.dflt {
				s = v.text(sh)
				return s, v.n, true, sh.ifs.plain(s)
			}
			return "", v.n, true, true
		}
		s = v.s
	default:
		e := w.parts[0].pe
		quoted = w.parts[0].quoted
		switch {
		case e.special == '#' && sh.ifs.dflt:
			return "", int64(len(sh.params)), true, true
		case e.special == '?' && sh.ifs.dflt:
			return "", int64(sh.status), true, true
		}
		x := sh.paramValue(e)
		if !x.set {
			return "", 0, false, quoted && !sh.opts.nounset
		}
		s = x.s
	}
	return s, 0, false, quoted || sh.ifs.plain(s)
}

func (t *testCmd) exec(sh *Shell) int {
	sh.line = t.line + sh.lineShift
	if sh.opts.xtrace || sh.traps.debug != "" || sh.function(t.id) != nil || sh.disabled != nil {
		return t.simpleCmd.exec(sh)
	}
	if sh.tick() {
		return sh.status
	}
	sh.noteCommand(t.src)
	x, xn, xnum, ok := sh.operand(t.x)
	if !ok {
		return t.simpleCmd.exec(sh)
	}
	res := false
	switch t.op {
	case tEmpty, tNonEmpty:
		empty := !xnum && x == ""
		res = empty == (t.op == tEmpty)
	default:
		y, yn, ynum, ok := sh.operand(t.y)
		if !ok {
			return t.simpleCmd.exec(sh)
		}
		if t.op == tEq || t.op == tNe {
			if xnum {
				x = itoa(xn)
			}
			if ynum {
				y = itoa(yn)
			}
			res = (x == y) == (t.op == tEq)
			break
		}
		if !xnum {
			if xn, ok = canonicalInt(x); !ok {
				return t.simpleCmd.exec(sh)
			}
			t.cache(sh, t.x, xn)
		}
		if !ynum {
			if yn, ok = canonicalInt(y); !ok {
				return t.simpleCmd.exec(sh)
			}
			t.cache(sh, t.y, yn)
		}
		switch t.op {
		case tIntEq:
			res = xn == yn
		case tIntNe:
			res = xn != yn
		case tLt:
			res = xn < yn
		case tLe:
			res = xn <= yn
		case tGt:
			res = xn > yn
		case tGe:
			res = xn >= yn
		}
	}
	if res {
		sh.status = 0
		sh.pipestatus = nil
		return 0
	}
	return sh.check(1)
}

// cache notes that a variable's text is a number.
func (t *testCmd) cache(sh *Shell, w *word, n int64) {
	if w.kind == wVar || w.kind == wQVar {
		if v := sh.v(w.id); v != nil && v.flags&(vStr|vRef) == vStr {
			v.n = n
			v.flags |= vNum
		}
	}
}
