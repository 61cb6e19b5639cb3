// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"errors"
	"strings"

	"github.com/wsandbox/wsandbox/guests/src/shell/arith"
)

// maxArithDepth bounds variables whose values are expressions of variables.
const maxArithDepth = 512

// arithEnv gives expressions the variables of a shell.
type arithEnv struct {
	sh     *Shell
	params [8]int64
	more   []int64
}

// errReported is an error whose message has been written.
var errReported = errors.New("reported")

// evalArith evaluates an expression. On an error it writes the message and
// returns false.
func (sh *Shell) evalArith(a *arithNode) (int64, bool) {
	if a.expr != nil {
		if len(a.params) == 0 {
			if n, ok := a.expr.Const(); ok {
				return n, true
			}
			n, err := a.expr.Eval(sh.arEnv())
			if err != nil {
				sh.arithError(a.text, err)
				return 0, false
			}
			return n, true
		}
		if n, ok, done := sh.evalParams(a); done {
			return n, ok
		}
	}
	if a.dyn == nil {
		sh.arithError(a.text, a.err)
		return 0, false
	}
	text := sh.text(a.dyn)
	if sh.expandFailed {
		return 0, false
	}
	return sh.evalText(text)
}

func (sh *Shell) arEnv() *arithEnv {
	if sh.env0 == nil || sh.env0.sh != sh {
		sh.env0 = &arithEnv{sh: sh}
	}
	return sh.env0
}

// evalParams evaluates an expression whose $ operands are all numbers; done is
// false where one is not.
func (sh *Shell) evalParams(a *arithNode) (n int64, ok, done bool) {
	env := arithEnv{sh: sh}
	for i, p := range a.params {
		var x int64
		switch {
		case p.id >= 0:
			v := sh.v(p.id)
			if v == nil || v.flags&vRef != 0 {
				return 0, false, false
			}
			if v.flags&vNum != 0 {
				x = v.n
				break
			}
			if x, ok = canonicalInt(v.text(sh)); !ok {
				return 0, false, false
			}
		case p.pos > 0:
			if p.pos > len(sh.params) {
				return 0, false, false
			}
			if x, ok = canonicalInt(sh.params[p.pos-1]); !ok {
				return 0, false, false
			}
		case p.special == '#':
			x = int64(len(sh.params))
		case p.special == '?':
			x = int64(sh.status)
		default:
			s, _ := sh.special(p.special)
			if p.pos == 0 {
				s = sh.name0
			}
			if x, ok = canonicalInt(s); !ok {
				return 0, false, false
			}
		}
		if x < 0 {
			return 0, false, false // a sign is text: -$x with x=-1 is --1
		}
		if i < len(env.params) {
			env.params[i] = x
		} else {
			env.more = append(env.more, x)
		}
	}
	n, err := a.expr.Eval(&env)
	if err != nil {
		if a.dyn != nil && err != errReported {
			sh.arithError(sh.text(a.dyn), err)
		} else {
			sh.arithError(a.text, err)
		}
		return 0, false, true
	}
	return n, true, true
}

func (sh *Shell) arithError(text string, err error) {
	if err == errReported || err == nil {
		return
	}
	sh.errorf(sh.arithPrefix + strings.Trim(text, " \t\n") + ": " + err.Error())
}

// evalText evaluates a text that has been expanded.
func (sh *Shell) evalText(text string) (int64, bool) {
	if n, ok := canonicalInt(text); ok {
		return n, true
	}
	a := sh.rt.texts[text]
	if a == nil {
		a = &arithNode{text: text}
		a.expr, a.err = arith.Parse(text, arith.Options{Intern: sh.rt.intern})
		if a.err != nil {
			a.expr = nil
		}
		if len(sh.rt.texts) >= 256 {
			clear(sh.rt.texts)
		}
		sh.rt.texts[text] = a
	}
	if a.expr == nil {
		sh.arithError(text, a.err)
		return 0, false
	}
	if sh.depth++; sh.depth > maxDepth {
		sh.depth--
		sh.errorf(text + ": expression recursion level exceeded")
		return 0, false
	}
	n, err := a.expr.Eval(sh.arEnv())
	sh.depth--
	if err != nil {
		sh.arithError(text, err)
		return 0, false
	}
	return n, true
}

// Load implements arith.Env.
func (e *arithEnv) Load(r *arith.Ref) (int64, error) {
	sh := e.sh
	if !r.HasSub {
		v := sh.v(r.Sym)
		if v != nil && v.flags&vNum != 0 {
			return v.n, nil
		}
		if v != nil && v.flags&(vStr|vRef) == vStr {
			if n, ok := canonicalInt(v.s); ok {
				v.n = n
				v.flags |= vNum
				return n, nil
			}
		}
		s, set := sh.get(r.Sym)
		if !set && sh.opts.nounset {
			sh.unbound(r.Name)
			return 0, errReported
		}
		return e.number(s)
	}
	s, set := sh.element(r.Sym, e.sub(r))
	if sh.expandFailed {
		return 0, errReported
	}
	if !set && sh.opts.nounset {
		sh.unbound(r.Name + "[" + r.Sub + "]")
		return 0, errReported
	}
	return e.number(s)
}

func (e *arithEnv) number(s string) (int64, error) {
	if n, ok := canonicalInt(s); ok {
		return n, nil
	}
	if strings.TrimSpace(s) == "" {
		return 0, nil
	}
	sh := e.sh
	if sh.arithDepth++; sh.arithDepth > maxArithDepth {
		sh.arithDepth = 0
		sh.errorf(s + ": expression recursion level exceeded (error token is \"" + s + "\")")
		return 0, errReported
	}
	n, ok := sh.evalText(s)
	if sh.arithDepth > 0 {
		sh.arithDepth--
	}
	if !ok {
		return 0, errReported
	}
	return n, nil
}

func (e *arithEnv) sub(r *arith.Ref) *subscript {
	if s, ok := r.Aux.(*subscript); ok {
		return s
	}
	s := e.sh.rt.subscriptText(r.Sub)
	r.Aux = s
	return s
}

// Store implements arith.Env.
func (e *arithEnv) Store(r *arith.Ref, n int64) error {
	sh := e.sh
	ok := false
	if r.HasSub {
		ok = sh.setElement(r.Sym, e.sub(r), itoa(n), false)
	} else {
		ok = sh.setInt(r.Sym, n)
	}
	if !ok {
		return errReported
	}
	return nil
}

// Param implements arith.Env.
func (e *arithEnv) Param(i int) int64 {
	if i < len(e.params) {
		return e.params[i]
	}
	return e.more[i-len(e.params)]
}
