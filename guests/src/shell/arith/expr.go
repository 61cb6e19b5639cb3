// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package arith

import "errors"

// Ref is a variable in an expression.
type Ref struct {
	Name   string
	Sym    int32 // what Options.Intern returned for Name
	Sub    string
	HasSub bool
	Aux    any // for the Env: the compiled subscript
}

// Env gives an evaluation its variables.
type Env interface {
	// Load returns a variable's value.
	Load(r *Ref) (int64, error)
	// Store assigns a variable.
	Store(r *Ref, n int64) error
	// Param returns the value of the i-th parameter of Expr.Params.
	Param(i int) int64
}

// Options say how a text is parsed.
type Options struct {
	// Intern returns the number that stands for a variable's name. May be nil.
	Intern func(name string) int32
	// Params permits $name, ${name}, $1, $# and the like as operands. Without
	// it a $ is a syntax error.
	Params bool
}

// Error is an error in an expression. Its text is what follows the expression
// in the shell's message.
type Error struct{ Msg string }

func (e *Error) Error() string { return e.Msg }

// ErrDynamic says that a text needs textual expansion before it can be parsed.
var ErrDynamic = errors.New("expression depends on textual expansion")

// Expr is a parsed expression.
type Expr struct {
	root   *node
	Params []string // names of the parameters used as operands, without $
}

type opKind uint8

const (
	opNum opKind = iota
	opVar
	opParam
	opNeg
	opPlus
	opNot
	opBitNot
	opPreInc
	opPreDec
	opPostInc
	opPostDec
	opAdd
	opSub
	opMul
	opDiv
	opMod
	opPow
	opShl
	opShr
	opLt
	opLe
	opGt
	opGe
	opEq
	opNe
	opAnd
	opXor
	opOr
	opLand
	opLor
	opCond
	opComma
	opAssign // op is n.bin, opNum for plain =
)

type node struct {
	op      opKind
	bin     opKind
	n       int64
	ref     *Ref
	a, b, c *node
	text    string // of the right operand, for messages
}

// Const returns the value of an expression without variables.
func (e *Expr) Const() (int64, bool) {
	if e.root.op == opNum {
		return e.root.n, true
	}
	return 0, false
}

// Eval computes the value. Errors are *Error or what the Env returned.
func (e *Expr) Eval(env Env) (int64, error) {
	v := evaluator{env: env}
	n := v.eval(e.root)
	return n, v.err
}

type evaluator struct {
	env Env
	err error
}

func (v *evaluator) fail(msg, token string) int64 {
	if v.err == nil {
		v.err = &Error{msg + " (error token is \"" + token + "\")"}
	}
	return 0
}

func (v *evaluator) load(r *Ref) int64 {
	n, err := v.env.Load(r)
	if err != nil && v.err == nil {
		v.err = err
	}
	return n
}

func (v *evaluator) store(r *Ref, n int64) int64 {
	if v.err == nil {
		v.err = v.env.Store(r, n)
	}
	return n
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (v *evaluator) eval(n *node) int64 {
	if v.err != nil {
		return 0
	}
	switch n.op {
	case opNum:
		return n.n
	case opVar:
		return v.load(n.ref)
	case opParam:
		return v.env.Param(int(n.n))
	case opNeg:
		return -v.eval(n.a)
	case opPlus:
		return v.eval(n.a)
	case opNot:
		return truth(v.eval(n.a) == 0)
	case opBitNot:
		return ^v.eval(n.a)
	case opPreInc:
		return v.store(n.ref, v.load(n.ref)+1)
	case opPreDec:
		return v.store(n.ref, v.load(n.ref)-1)
	case opPostInc:
		x := v.load(n.ref)
		v.store(n.ref, x+1)
		return x
	case opPostDec:
		x := v.load(n.ref)
		v.store(n.ref, x-1)
		return x
	case opLand:
		return truth(v.eval(n.a) != 0 && v.eval(n.b) != 0)
	case opLor:
		return truth(v.eval(n.a) != 0 || v.eval(n.b) != 0)
	case opCond:
		if v.eval(n.a) != 0 {
			return v.eval(n.b)
		}
		if v.err != nil {
			return 0
		}
		return v.eval(n.c)
	case opComma:
		v.eval(n.a)
		return v.eval(n.b)
	case opAssign:
		if n.bin == opNum {
			return v.store(n.ref, v.eval(n.a))
		}
		x := v.load(n.ref)
		y := v.eval(n.a)
		return v.store(n.ref, v.binary(n.bin, x, y, n.text))
	}
	x := v.eval(n.a)
	return v.binary(n.op, x, v.eval(n.b), n.text)
}

func (v *evaluator) binary(op opKind, x, y int64, text string) int64 {
	if v.err != nil {
		return 0
	}
	switch op {
	case opAdd:
		return x + y
	case opSub:
		return x - y
	case opMul:
		return x * y
	case opDiv, opMod:
		if y == 0 {
			return v.fail("division by 0", text)
		}
		if y == -1 { // the quotient of the smallest number would trap
			if op == opMod {
				return 0
			}
			return -x
		}
		if op == opMod {
			return x % y
		}
		return x / y
	case opPow:
		if y < 0 {
			return v.fail("exponent less than 0", text)
		}
		r := int64(1)
		for ; y > 0; y >>= 1 {
			if y&1 != 0 {
				r *= x
			}
			x *= x
		}
		return r
	case opShl:
		return x << uint(y&63)
	case opShr:
		return x >> uint(y&63)
	case opLt:
		return truth(x < y)
	case opLe:
		return truth(x <= y)
	case opGt:
		return truth(x > y)
	case opGe:
		return truth(x >= y)
	case opEq:
		return truth(x == y)
	case opNe:
		return truth(x != y)
	case opAnd:
		return x & y
	case opXor:
		return x ^ y
	}
	return x | y
}
