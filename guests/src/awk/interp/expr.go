// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"math"
	"strings"

	"github.com/wsandbox/wsandbox/guests/src/awk/syntax"
	"github.com/wsandbox/wsandbox/guests/src/posixre"
)

// expr is a compiled expression: it gives its value as its user wants it.
type expr interface {
	num(in *interp) float64
	str(in *interp) string
	val(in *interp) value
	cond(in *interp) bool
}

// lvalue is an expression that can be assigned to.
type lvalue interface {
	expr
	set(in *interp, v value)
}

// holder is an lvalue that is a place in memory. The pointer is valid until
// something else is evaluated.
type holder interface {
	expr
	cell(in *interp) *value
}

// What a node uses of another: the conversions between are left out where the
// other has what is wanted.
type (
	condition interface{ cond(in *interp) bool }
	numberer  interface{ num(in *interp) float64 }
	texter    interface{ str(in *interp) string }
)

// class is what is known of an expression's value beforehand.
type class uint8

const (
	mixed    class = iota
	isNumber       // a number
	isString       // a string
)

// The methods below come in groups of four; those that are not the node's own
// way convert.

type constNum struct {
	n float64
	s string // of an integer
}

func (x *constNum) num(*interp) float64 { return x.n }
func (x *constNum) str(in *interp) string {
	if x.s != "" {
		return x.s
	}
	return in.numText(x.n)
}
func (x *constNum) val(*interp) value { return numValue(x.n) }
func (x *constNum) cond(*interp) bool { return x.n != 0 }

type constStr struct{ s string }

func (x *constStr) num(*interp) float64 { return toNum(x.s) }
func (x *constStr) str(*interp) string  { return x.s }
func (x *constStr) val(*interp) value   { return strValue(x.s) }
func (x *constStr) cond(*interp) bool   { return x.s != "" }

// numeric makes an expr of what has only a number.
type numeric struct {
	f interface{ num(in *interp) float64 }
}

func (x *numeric) num(in *interp) float64 { return x.f.num(in) }
func (x *numeric) str(in *interp) string  { return in.numText(x.f.num(in)) }
func (x *numeric) val(in *interp) value   { return numValue(x.f.num(in)) }
func (x *numeric) cond(in *interp) bool   { return x.f.num(in) != 0 }

// logical makes an expr of what has only a truth.
type logical struct {
	f interface{ cond(in *interp) bool }
}

func (x *logical) num(in *interp) float64 {
	if x.f.cond(in) {
		return 1
	}
	return 0
}
func (x *logical) str(in *interp) string {
	if x.f.cond(in) {
		return "1"
	}
	return "0"
}
func (x *logical) val(in *interp) value { return numValue(x.num(in)) }
func (x *logical) cond(in *interp) bool { return x.f.cond(in) }

// textual makes an expr of what has only a string.
type textual struct {
	f interface{ str(in *interp) string }
}

func (x *textual) num(in *interp) float64 { return toNum(x.f.str(in)) }
func (x *textual) str(in *interp) string  { return x.f.str(in) }
func (x *textual) val(in *interp) value   { return strValue(x.f.str(in)) }
func (x *textual) cond(in *interp) bool   { return x.f.str(in) != "" }

// general makes an expr of what has only a value.
type general struct {
	f interface{ val(in *interp) value }
}

func (x *general) num(in *interp) float64 { v := x.f.val(in); return v.num() }
func (x *general) str(in *interp) string  { v := x.f.val(in); return in.text(&v) }
func (x *general) val(in *interp) value   { return x.f.val(in) }
func (x *general) cond(in *interp) bool   { v := x.f.val(in); return v.cond() }

// run evaluates for the effect only.
func (x *general) run(in *interp) {
	if r, ok := x.f.(runner); ok {
		r.run(in)
		return
	}
	x.f.val(in)
}

// runner is an expression that need not give its value.
type runner interface{ run(in *interp) }

type globalVar struct{ i int }

func (x *globalVar) cell(in *interp) *value { return &in.globals[x.i] }
func (x *globalVar) num(in *interp) float64 {
	v := &in.globals[x.i]
	if v.k == kNum {
		return v.n
	}
	v.resolve()
	return v.num()
}
func (x *globalVar) str(in *interp) string { return in.text(&in.globals[x.i]) }
func (x *globalVar) val(in *interp) value  { return in.globals[x.i] }
func (x *globalVar) cond(in *interp) bool  { return in.globals[x.i].cond() }

type localVar struct{ i int }

func (x *localVar) cell(in *interp) *value { return &in.stack[in.fp+x.i] }
func (x *localVar) num(in *interp) float64 {
	v := &in.stack[in.fp+x.i]
	if v.k == kNum {
		return v.n
	}
	v.resolve()
	return v.num()
}
func (x *localVar) str(in *interp) string { return in.text(&in.stack[in.fp+x.i]) }
func (x *localVar) val(in *interp) value  { return in.stack[in.fp+x.i] }
func (x *localVar) cond(in *interp) bool  { return in.stack[in.fp+x.i].cond() }

type specialVar struct{ id syntax.Special }

func (x *specialVar) num(in *interp) float64 {
	switch x.id {
	case syntax.NF:
		return float64(in.fieldCount())
	case syntax.NR:
		return in.nr
	case syntax.FNR:
		return in.fnr
	}
	return in.special[x.id].num()
}
func (x *specialVar) str(in *interp) string { v := in.getSpecial(x.id); return in.text(&v) }
func (x *specialVar) val(in *interp) value  { return in.getSpecial(x.id) }
func (x *specialVar) cond(in *interp) bool  { v := in.getSpecial(x.id); return v.cond() }
func (x *specialVar) set(in *interp, v value) {
	in.setSpecial(x.id, v)
}

// constField is $n.
type constField struct{ i int }

func (x *constField) num(in *interp) float64 {
	if r := &in.rec; x.i <= r.n && x.i > 0 && !r.owned {
		n, _ := number(r.text[r.pos[2*x.i-2]:r.pos[2*x.i-1]])
		return n
	}
	if in.rec.owned {
		v := in.fieldValue(x.i)
		return v.num()
	}
	if x.i == 0 {
		return toNum(in.field0())
	}
	return toNum(in.fieldText(x.i))
}
func (x *constField) str(in *interp) string {
	r := &in.rec
	if x.i == 0 {
		if r.stale {
			in.rebuild()
		}
		return r.text
	}
	if x.i <= r.n && !r.owned {
		return r.text[r.pos[2*x.i-2]:r.pos[2*x.i-1]]
	}
	return in.fieldText(x.i)
}
func (x *constField) val(in *interp) value    { return in.fieldValue(x.i) }
func (x *constField) cond(in *interp) bool    { v := in.fieldValue(x.i); return v.cond() }
func (x *constField) set(in *interp, v value) { in.setField(x.i, v) }

// field is $x.
type field struct{ x numberer }

func (x *field) index(in *interp) int {
	n := x.x.num(in)
	if n != n || n <= -1 {
		in.fatal("attempt to access field " + in.numText(math.Trunc(n)))
	}
	if n > maxFields {
		return maxFields + 1
	}
	return int(n)
}
func (x *field) num(in *interp) float64 { v := in.fieldValue(x.index(in)); return v.num() }
func (x *field) str(in *interp) string {
	if i := x.index(in); i != 0 {
		if r := &in.rec; i <= r.n && !r.owned {
			return r.text[r.pos[2*i-2]:r.pos[2*i-1]]
		}
		return in.fieldText(i)
	}
	return in.field0()
}
func (x *field) val(in *interp) value    { return in.fieldValue(x.index(in)) }
func (x *field) cond(in *interp) bool    { v := in.fieldValue(x.index(in)); return v.cond() }
func (x *field) set(in *interp, v value) { in.setField(x.index(in), v) }

// arrayRef gives an array.
type arrayRef interface{ array(in *interp) *array }

type globalArray struct{ i int }

func (x *globalArray) array(in *interp) *array { return in.arrays[x.i] }

type localArray struct{ i int }

func (x *localArray) array(in *interp) *array {
	p := &in.astack[in.afp+x.i]
	if *p == nil {
		*p = new(array)
	}
	return *p
}

// subArray is an element that is an array.
type subArray struct {
	a   arrayRef
	key key
}

func (x *subArray) array(in *interp) *array {
	a := x.a.array(in) // first: it may need the room for a key
	return a.sub(in, x.key.key(in))
}

// key gives the key of an element: valid until the next is asked for.
type key struct {
	x    expr
	n    numberer
	t    texter
	kind class
}

func (k *key) key(in *interp) string {
	var n float64
	switch k.kind {
	case isString:
		return k.t.str(in)
	case isNumber:
		n = k.n.num(in)
	default:
		v := k.x.val(in)
		if v.k != kNum {
			return v.s
		}
		n = v.n
	}
	if i, ok := integral(n); ok {
		b := appendInt(in.keyRoom[:0], int(i))
		return textOf(b)
	}
	return in.numText(n)
}

// joined is a key of several parts.
type joined struct{ parts []expr }

func (x *joined) str(in *interp) string {
	start := len(in.buf)
	for i, p := range x.parts {
		s := p.str(in)
		if i > 0 {
			in.buf = append(in.buf, in.subsep...)
		}
		in.buf = append(in.buf, s...)
	}
	s := in.newText(in.buf[start:])
	in.buf = in.buf[:start]
	return s
}

type element struct {
	a      arrayRef
	key    key
	global int // number of a global array, or -1
}

func (x *element) cell(in *interp) *value {
	var a *array
	if x.global >= 0 {
		a = in.arrays[x.global]
	} else {
		a = x.a.array(in) // first: it may need the room for a key
	}
	var k string
	if x.key.kind == isString {
		k = x.key.t.str(in)
	} else {
		k = x.key.key(in)
	}
	h := hashOf(k)
	if len(a.index) > 0 {
		mask := uint32(len(a.index) - 1)
		for i := h & mask; ; i = (i + 1) & mask {
			n := a.index[i]
			if n == 0 {
				break
			}
			if e := &a.entries[n-1]; e.hash == h && e.key == k && !e.dead {
				return &e.val
			}
		}
	}
	return a.add(in, k, h, false)
}

// scalar returns the element, which must not be an array.
func (x *element) scalar(in *interp) *value {
	v := x.cell(in)
	if v.k == kArray {
		in.fatal("attempt to use an array in a scalar context")
	}
	return v
}
func (x *element) num(in *interp) float64 {
	v := x.scalar(in)
	if v.k == kInput {
		v.resolve()
	}
	return v.num()
}
func (x *element) str(in *interp) string { return in.text(x.scalar(in)) }
func (x *element) val(in *interp) value  { return *x.scalar(in) }
func (x *element) cond(in *interp) bool  { return x.scalar(in).cond() }

// membership is k in a.
type membership struct {
	key key
	a   arrayRef
}

func (x *membership) cond(in *interp) bool {
	a := x.a.array(in)
	k := x.key.key(in)
	return a.find(k, hashOf(k)) >= 0
}

// assign is l = r.
type assign struct {
	l     holder
	r     expr
	clone bool // what is stored may be a piece of something larger
	check bool // the place may be an array
}

func (x *assign) run(in *interp)      { x.val(in) }
func (x *assign) exec(in *interp) ctl { x.val(in); return cNone }
func (x *assign) val(in *interp) value {
	v := x.r.val(in)
	if x.clone && v.k != kNum {
		in.roomFor(len(v.s))
		v.s = strings.Clone(v.s)
	}
	c := x.l.cell(in)
	if x.check && c.k == kArray {
		in.fatal("attempt to use an array in a scalar context")
	}
	*c = v
	return v
}

// assignNum is l = r where r is a number.
type assignNum struct {
	l holder
	r numberer
}

func (x *assignNum) run(in *interp)      { x.num(in) }
func (x *assignNum) exec(in *interp) ctl { x.num(in); return cNone }
func (x *assignNum) num(in *interp) float64 {
	n := x.r.num(in)
	c := x.l.cell(in)
	if c.k == kNum {
		c.n = n
	} else {
		in.holdsNum(c)
		c.setNum(n)
	}
	return n
}

// holdsNum checks that a place is not an array.
func (in *interp) holdsNum(c *value) {
	if c.k == kArray {
		in.fatal("attempt to use an array in a scalar context")
	}
}

// assignTo is l = r where l is not a place in memory.
type assignTo struct {
	l lvalue
	r expr
}

func (x *assignTo) run(in *interp) { x.val(in) }
func (x *assignTo) val(in *interp) value {
	v := x.r.val(in)
	x.l.set(in, v)
	return v
}

// extend is v = v parts...: what is added goes behind the string where that is
// the one made here before.
type extend struct {
	l     holder
	parts []texter
	b     []byte
}

func (x *extend) run(in *interp) { x.str(in) }
func (x *extend) str(in *interp) string {
	start := len(in.buf)
	for _, p := range x.parts {
		in.buf = in.appendValue(in.buf, p)
	}
	c := x.l.cell(in)
	old := in.text(c)
	add := in.buf[start:]
	if !isText(old, x.b) {
		n := len(old) + len(add)
		in.roomFor(n)
		x.b = append(make([]byte, 0, n+n/4), old...)
	} else if len(add) > cap(x.b)-len(x.b) {
		n := len(x.b) + len(add)
		in.roomFor(2 * n)
		x.b = append(make([]byte, 0, 2*n), x.b...)
	}
	x.b = append(x.b, add...)
	in.buf = in.buf[:start]
	s := textOf(x.b)
	*c = strValue(s)
	return s
}

// calc does an operation that may fail.
func (in *interp) calc(op byte, a, b float64) float64 {
	switch op {
	case '+':
		return a + b
	case '-':
		return a - b
	case '*':
		return a * b
	case '/':
		if b == 0 {
			in.fatal("division by zero attempted")
		}
		return a / b
	case '%':
		if b == 0 {
			in.fatal("division by zero attempted in `%'")
		}
		return mod(a, b)
	}
	return power(a, b)
}

func mod(a, b float64) float64 {
	if i, ok := integral(a); ok {
		if j, ok := integral(b); ok {
			if m := i % j; m != 0 || i > 0 {
				return float64(m)
			}
		}
	}
	return math.Mod(a, b)
}

func power(a, b float64) float64 {
	if b == float64(int(b)) && b >= 0 && b < 64 {
		r := 1.0
		for n := int(b); n > 0; n >>= 1 {
			if n&1 != 0 {
				r *= a
			}
			a *= a
		}
		return r
	}
	return math.Pow(a, b)
}

// update is l op= r.
type update struct {
	op byte
	l  holder
	r  numberer
}

func (x *update) run(in *interp)      { x.num(in) }
func (x *update) exec(in *interp) ctl { x.num(in); return cNone }
func (x *update) num(in *interp) float64 {
	n := x.r.num(in)
	c := x.l.cell(in)
	if c.k == kNum {
		if x.op == '+' {
			c.n += n
			return c.n
		}
		c.n = in.calc(x.op, c.n, n)
		return c.n
	}
	in.holdsNum(c)
	n = in.calc(x.op, c.num(), n)
	c.setNum(n)
	return n
}

// updateTo is update where l is not a place in memory.
type updateTo struct {
	op byte
	l  lvalue
	r  numberer
}

func (x *updateTo) run(in *interp) { x.num(in) }
func (x *updateTo) num(in *interp) float64 {
	n := x.r.num(in)
	l := in.located(x.l)
	n = in.calc(x.op, l.num(in), n)
	l.set(in, numValue(n))
	return n
}

// step is l++ and its like: by is added, and back is what that takes from the
// result.
type step struct {
	l        holder
	by, back float64
}

func (x *step) run(in *interp) { x.num(in) }
func (x *step) exec(in *interp) ctl {
	c := x.l.cell(in)
	if c.k == kNum {
		c.n += x.by
		return cNone
	}
	in.holdsNum(c)
	c.setNum(c.num() + x.by)
	return cNone
}
func (x *step) num(in *interp) float64 {
	c := x.l.cell(in)
	if c.k == kNum {
		c.n += x.by
		return c.n - x.back
	}
	in.holdsNum(c)
	n := c.num()
	c.setNum(n + x.by)
	return n + x.by - x.back
}

// addGlobal is update for += and a global variable.
type addGlobal struct {
	i int
	r numberer
}

func (x *addGlobal) run(in *interp) { x.exec(in) }
func (x *addGlobal) exec(in *interp) ctl {
	n := x.r.num(in)
	v := &in.globals[x.i]
	if v.k == kNum {
		v.n += n
		return cNone
	}
	v.setNum(v.num() + n)
	return cNone
}
func (x *addGlobal) num(in *interp) float64 {
	x.exec(in)
	return in.globals[x.i].n
}

// stepGlobal is step for a global variable.
type stepGlobal struct {
	i        int
	by, back float64
}

func (x *stepGlobal) run(in *interp) { x.exec(in) }
func (x *stepGlobal) exec(in *interp) ctl {
	v := &in.globals[x.i]
	if v.k == kNum {
		v.n += x.by
		return cNone
	}
	v.setNum(v.num() + x.by)
	return cNone
}
func (x *stepGlobal) num(in *interp) float64 {
	x.exec(in)
	return in.globals[x.i].n - x.back
}

// located returns l with its index known, so that it is evaluated once. It is
// valid until the next call.
func (in *interp) located(l lvalue) lvalue {
	if f, ok := l.(*field); ok {
		in.place.i = f.index(in)
		return &in.place
	}
	return l
}

type stepTo struct {
	l        lvalue
	by, back float64
}

func (x *stepTo) run(in *interp) { x.num(in) }
func (x *stepTo) num(in *interp) float64 {
	l := in.located(x.l)
	n := l.num(in) + x.by
	l.set(in, numValue(n))
	return n - x.back
}

// run of a numeric node is that of what it holds.
func (x *numeric) run(in *interp) { x.f.num(in) }
func (x *textual) run(in *interp) { x.f.str(in) }

type add struct{ l, r numberer }

func (x *add) num(in *interp) float64 { return x.l.num(in) + x.r.num(in) }
func (x *add) str(in *interp) string  { return in.numText(x.num(in)) }
func (x *add) val(in *interp) value   { return numValue(x.num(in)) }
func (x *add) cond(in *interp) bool   { return x.num(in) != 0 }

type subtract struct{ l, r numberer }

func (x *subtract) num(in *interp) float64 { return x.l.num(in) - x.r.num(in) }
func (x *subtract) str(in *interp) string  { return in.numText(x.num(in)) }
func (x *subtract) val(in *interp) value   { return numValue(x.num(in)) }
func (x *subtract) cond(in *interp) bool   { return x.num(in) != 0 }

type multiply struct{ l, r numberer }

func (x *multiply) num(in *interp) float64 { return x.l.num(in) * x.r.num(in) }
func (x *multiply) str(in *interp) string  { return in.numText(x.num(in)) }
func (x *multiply) val(in *interp) value   { return numValue(x.num(in)) }
func (x *multiply) cond(in *interp) bool   { return x.num(in) != 0 }

// operation is any other operation on numbers.
type operation struct {
	op   byte
	l, r numberer
}

func (x *operation) num(in *interp) float64 {
	a := x.l.num(in)
	return in.calc(x.op, a, x.r.num(in))
}

type negate struct{ x numberer }

func (x *negate) num(in *interp) float64 { return -x.x.num(in) }

type plus struct{ x numberer }

func (x *plus) num(in *interp) float64 { return x.x.num(in) }

type not struct{ x condition }

func (x *not) cond(in *interp) bool { return !x.x.cond(in) }

type and struct{ l, r condition }

func (x *and) cond(in *interp) bool { return x.l.cond(in) && x.r.cond(in) }

type or struct{ l, r condition }

func (x *or) cond(in *interp) bool { return x.l.cond(in) || x.r.cond(in) }

type choice struct {
	c    condition
	a, b expr
}

func (x *choice) num(in *interp) float64 {
	if x.c.cond(in) {
		return x.a.num(in)
	}
	return x.b.num(in)
}
func (x *choice) str(in *interp) string {
	if x.c.cond(in) {
		return x.a.str(in)
	}
	return x.b.str(in)
}
func (x *choice) val(in *interp) value {
	if x.c.cond(in) {
		return x.a.val(in)
	}
	return x.b.val(in)
}
func (x *choice) cond(in *interp) bool {
	if x.c.cond(in) {
		return x.a.cond(in)
	}
	return x.b.cond(in)
}
func (x *choice) run(in *interp) { x.val(in) }

// relation tells whether the result c of a comparison is what op asks for.
func relation(op byte, c int) bool {
	switch op {
	case '<':
		return c == -1
	case 'l':
		return c == -1 || c == 0
	case '=':
		return c == 0
	case '!':
		return c != 0
	case 'g':
		return c == 0 || c == 1
	}
	return c == 1
}

// numRelation is relation of two numbers.
func numRelation(op byte, a, b float64) bool {
	switch op {
	case '<':
		return a < b
	case 'l':
		return a <= b
	case '=':
		return a == b
	case '!':
		return a != b
	case 'g':
		return a >= b
	}
	return a > b
}

// compare compares values whose kinds show when they are there.
type compare struct {
	op   byte
	l, r expr
}

func (x *compare) cond(in *interp) bool {
	a := x.l.val(in)
	b := x.r.val(in)
	return relation(x.op, in.compare(&a, &b))
}

// compareConst compares with a constant number.
type compareConst struct {
	op byte
	l  expr
	n  float64
}

func (x *compareConst) cond(in *interp) bool {
	a := x.l.val(in)
	if a.k == kInput {
		a.resolve()
	}
	if a.k == kStr {
		return relation(x.op, in.compareText(a.s, in.numText(x.n)))
	}
	return relation(x.op, compareNum(a.num(), x.n))
}

// compareVar compares a plain variable with a number.
type compareVar struct {
	op    byte
	local bool
	known bool // r is n
	i     int
	n     float64
	r     numberer
}

func (x *compareVar) cond(in *interp) bool {
	var v *value
	if x.local {
		v = &in.stack[in.fp+x.i]
	} else {
		v = &in.globals[x.i]
	}
	if v.k == kNum {
		a := v.n
		b := x.n
		if !x.known {
			b = x.r.num(in)
		}
		return numRelation(x.op, a, b)
	}
	a := *v
	b := numValue(x.r.num(in))
	return relation(x.op, in.compare(&a, &b))
}

type compareNums struct {
	op   byte
	l, r numberer
}

func (x *compareNums) cond(in *interp) bool {
	a := x.l.num(in)
	b := x.r.num(in)
	return numRelation(x.op, a, b)
}

type compareTexts struct {
	op   byte
	l, r texter
}

func (x *compareTexts) cond(in *interp) bool {
	a := x.l.str(in)
	b := x.r.str(in)
	if !in.ignoreCase {
		switch x.op {
		case '=':
			return a == b
		case '!':
			return a != b
		}
	}
	return relation(x.op, in.compareText(a, b))
}

type concat struct{ parts []texter }

func (x *concat) str(in *interp) string {
	start := len(in.buf)
	for _, p := range x.parts {
		in.buf = in.appendValue(in.buf, p)
	}
	in.roomFor(len(in.buf) - start)
	s := in.newText(in.buf[start:])
	in.buf = in.buf[:start]
	return s
}

// appendValue appends the string of p. What b holds when p is evaluated is
// in.buf, which p may use and grow above its length.
func (in *interp) appendValue(b []byte, p texter) []byte {
	s := p.str(in)
	b = in.buf[:len(b)]
	if len(s) > cap(b)-len(b) {
		in.roomFor(2 * (len(b) + len(s)))
	}
	return append(b, s...)
}

// match is s ~ re with a constant regular expression.
type match struct {
	not bool
	s   texter
	re  *regex
}

func (x *match) cond(in *interp) bool {
	s := x.s.str(in)
	return x.re.get(in).Match(bytesOf(s)) != x.not
}

// matchRecord is /re/ alone.
type matchRecord struct{ re *regex }

func (x *matchRecord) cond(in *interp) bool {
	return x.re.get(in).Match(bytesOf(in.field0()))
}

// pattern is an expression used as a regular expression.
type pattern struct {
	fixed *regex
	x     expr
	last  string
	re    *posixre.Regexp
	fold  bool
}

func (x *pattern) get(in *interp) *posixre.Regexp {
	if x.fixed != nil {
		return x.fixed.get(in)
	}
	s := x.x.str(in)
	if x.re == nil || s != x.last || x.fold != in.ignoreCase {
		x.re, x.last, x.fold = in.dynamic(s), strings.Clone(s), in.ignoreCase
	}
	return x.re
}

type matchDynamic struct {
	not bool
	s   texter
	p   *pattern
}

func (x *matchDynamic) cond(in *interp) bool {
	s := x.s.str(in)
	return x.p.get(in).Match(bytesOf(s)) != x.not
}

// call is a call of a function of the program.
type call struct {
	fn     *function
	args   []expr     // scalars, in order
	arrays []arrayRef // arrays, in order
}

// function is a compiled function.
type function struct {
	name    string
	scalars int
	arrays  int
	body    body
}

const (
	maxCalls = 10000
)

func (x *call) run(in *interp) { x.val(in) }
func (x *call) val(in *interp) value {
	base, abase := len(in.stack), len(in.astack)
	for _, a := range x.args {
		v := a.val(in)
		in.stack = append(in.stack, v)
	}
	for _, a := range x.arrays {
		p := a.array(in)
		in.astack = append(in.astack, p)
	}
	fn := x.fn
	for n := fn.scalars - len(x.args); n > 0; n-- {
		in.stack = append(in.stack, value{})
	}
	for n := fn.arrays - len(x.arrays); n > 0; n-- {
		in.astack = append(in.astack, nil)
	}
	if in.depth++; in.depth > maxCalls {
		in.fatal("function `" + fn.name + "': calls nested too deeply (" + itoa(maxCalls) + ")")
	}
	in.tick()
	fp, afp, pos := in.fp, in.afp, in.pos
	in.fp, in.afp = base, abase
	c := fn.body.exec(in)
	in.fp, in.afp, in.pos = fp, afp, pos
	in.depth--
	in.stack, in.astack = in.stack[:base], in.astack[:abase]
	if c == cReturn {
		v := in.ret
		in.ret = value{}
		return v
	}
	if c != cNone {
		panic(unwind(c))
	}
	return value{}
}

// unwind is what next and exit in functions throw.
type unwind ctl
