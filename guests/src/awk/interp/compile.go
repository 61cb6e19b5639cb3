// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strconv"

	"github.com/wsandbox/wsandbox/guests/src/awk/syntax"
	"github.com/wsandbox/wsandbox/guests/src/posixre"
)

// compiler turns the tree of a program into nodes.
type compiler struct {
	in    *interp
	funcs []*function
}

// compile compiles the program.
func (in *interp) compile() {
	c := &compiler{in: in}
	for _, f := range in.prog.Funcs {
		c.funcs = append(c.funcs, &function{name: f.Name, scalars: f.Scalars, arrays: f.Arrays})
	}
	in.funcs = c.funcs
	for i, f := range in.prog.Funcs {
		c.funcs[i].body = c.body(f.Body)
	}
	in.begin = c.rules(in.prog.Begin)
	in.end = c.rules(in.prog.End)
	in.beginFile = c.rules(in.prog.BeginFile)
	in.endFile = c.rules(in.prog.EndFile)
	in.rules = make([]rule, 0, len(in.prog.Rules))
	for _, r := range in.prog.Rules {
		in.pos = r.Pos
		cr := rule{pos: r.Pos, print: r.Print}
		if r.Pattern != nil {
			cr.pattern = c.condition(r.Pattern)
		}
		if r.Pattern2 != nil {
			cr.pattern2 = c.condition(r.Pattern2)
		}
		cr.body = c.body(r.Body)
		in.rules = append(in.rules, cr)
	}
	in.pos = 0
	in.copied = copies(in.rules)
	if rs := in.prog.Rules; len(rs) == 1 && rs[0].Pattern2 == nil {
		if re, ok := rs[0].Pattern.(*syntax.Regex); ok {
			in.onlyRegex = in.compileFlags(re.Src, posixre.Lines)
		}
	}
}

// rules joins the actions of rules.
func (c *compiler) rules(list []*syntax.Rule) body {
	var all body
	for _, r := range list {
		b := c.body(r.Body)
		all.stmts = append(all.stmts, b.stmts...)
		all.pos = append(all.pos, b.pos...)
	}
	return all
}

func (c *compiler) body(list []syntax.Stmt) body {
	var b body
	for _, s := range list {
		pos := stmtPos(s)
		if pos != 0 {
			c.in.pos = pos
		}
		b.pos = append(b.pos, c.in.pos)
		b.stmts = append(b.stmts, c.stmt(s))
	}
	return b
}

func stmtPos(s syntax.Stmt) syntax.Pos {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		return s.Pos
	case *syntax.Print:
		return s.Pos
	case *syntax.If:
		return s.Pos
	case *syntax.While:
		return s.Pos
	case *syntax.Do:
		return s.Pos
	case *syntax.For:
		return s.Pos
	case *syntax.ForIn:
		return s.Pos
	case *syntax.Exit:
		return s.Pos
	case *syntax.Return:
		return s.Pos
	case *syntax.Delete:
		return s.Pos
	case *syntax.Switch:
		return s.Pos
	}
	return 0
}

func (c *compiler) stmt(s syntax.Stmt) stmt {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		return c.effect(s.X)
	case *syntax.Print:
		return c.print(s)
	case *syntax.If:
		return &ifStmt{c.condition(s.Cond), c.body(s.Then), c.body(s.Else)}
	case *syntax.While:
		return &loop{cond: c.condition(s.Cond), body: c.body(s.Body), pos: s.Pos}
	case *syntax.Do:
		return &loop{cond: c.condition(s.Cond), body: c.body(s.Body), pos: s.Pos, do: true}
	case *syntax.For:
		l := &loop{pos: s.Pos}
		if s.Init != nil {
			l.init = c.stmt(s.Init)
		}
		if s.Cond != nil {
			l.cond = c.condition(s.Cond)
		}
		if s.Step != nil {
			l.step = c.stmt(s.Step)
		}
		l.body = c.body(s.Body)
		return l
	case *syntax.ForIn:
		f := &forIn{a: c.array(s.Array)}
		f.v, f.l = c.place(s.Var)
		f.body = c.body(s.Body)
		return f
	case *syntax.Block:
		return &blockStmt{c.body(s.Body)}
	case *syntax.Next:
		if s.File {
			return &ctlStmt{cNextFile}
		}
		return &ctlStmt{cNext}
	case *syntax.Exit:
		e := &exitStmt{}
		if s.Status != nil {
			e.x = c.value(s.Status)
		}
		return e
	case *syntax.Return:
		r := &returnStmt{}
		if s.X != nil {
			r.x = c.value(s.X)
		}
		return r
	case *syntax.Break:
		return &ctlStmt{cBreak}
	case *syntax.Continue:
		return &ctlStmt{cContinue}
	case *syntax.Delete:
		d := &deleteStmt{a: c.array(s.Array)}
		if s.Keys != nil {
			k := c.key(s.Keys)
			d.key = &k
		}
		return d
	case *syntax.Switch:
		sw := &switchStmt{x: c.value(s.X)}
		for _, k := range s.Cases {
			var l expr
			var re *regex
			switch x := k.Label.(type) {
			case nil:
			case *syntax.Regex:
				re = c.regex(x.Src)
			default:
				l = c.value(x)
			}
			sw.labels = append(sw.labels, l)
			sw.res = append(sw.res, re)
			sw.bodies = append(sw.bodies, c.body(k.Body))
		}
		return sw
	}
	c.in.fatal("statement not known")
	return nil
}

// effect compiles an expression that is a statement.
func (c *compiler) effect(x syntax.Expr) stmt {
	if g, ok := x.(*syntax.Group); ok {
		return c.effect(g.X)
	}
	if i, ok := x.(*syntax.IncDec); ok {
		x = &syntax.IncDec{X: i.X, Dec: i.Dec, Prefix: true} // the old value is not asked for
	}
	e, _ := c.expr(x)
	switch e := e.(type) {
	case *numeric:
		if st, ok := e.f.(stmt); ok {
			return st
		}
		if r, ok := e.f.(runner); ok {
			return &runStmt{r}
		}
	case *general:
		if st, ok := e.f.(stmt); ok {
			return st
		}
		if r, ok := e.f.(runner); ok {
			return &runStmt{r}
		}
	case *textual:
		if r, ok := e.f.(runner); ok {
			return &runStmt{r}
		}
	}
	return &evalStmt{e}
}

func (c *compiler) print(s *syntax.Print) stmt {
	var dest expr
	if s.Redir != 0 {
		dest = c.value(s.Dest)
	}
	if s.Format {
		return &printfStmt{format: c.value(s.Args[0]), args: c.values(s.Args[1:]), redir: s.Redir, dest: dest}
	}
	p := &printStmt{redir: s.Redir, dest: dest}
	for _, a := range s.Args {
		x, k := c.expr(a)
		p.args = append(p.args, x)
		p.kinds = append(p.kinds, k)
	}
	if len(p.args) == 1 {
		if f, ok := p.args[0].(*constField); ok {
			p.field = f.i
		}
	}
	return p
}

func (c *compiler) value(x syntax.Expr) expr {
	e, _ := c.expr(x)
	return e
}

// condition compiles an expression of which only the truth is asked for; number
// and text are the same for numbers and strings.
func (c *compiler) condition(x syntax.Expr) condition {
	e := c.value(x)
	if l, ok := e.(*logical); ok {
		return l.f
	}
	return e
}

func (c *compiler) number(x syntax.Expr) numberer { return asNumber(c.value(x)) }
func (c *compiler) text(x syntax.Expr) texter     { return asText(c.value(x)) }

func asNumber(e expr) numberer {
	if n, ok := e.(*numeric); ok {
		return n.f
	}
	return e
}

func asText(e expr) texter {
	if t, ok := e.(*textual); ok {
		return t.f
	}
	return e
}

func (c *compiler) values(list []syntax.Expr) []expr {
	l := make([]expr, len(list))
	for i, x := range list {
		l[i] = c.value(x)
	}
	return l
}

// expr compiles an expression and tells what is known of its value.
func (c *compiler) expr(x syntax.Expr) (expr, class) {
	switch x := x.(type) {
	case *syntax.Num:
		return c.constant(x.Val), isNumber
	case *syntax.Str:
		return &constStr{x.Val}, isString
	case *syntax.Regex:
		c.in.pos = x.Pos
		return &logical{&matchRecord{c.regex(x.Src)}}, isNumber
	case *syntax.Group:
		e, k := c.expr(x.X)
		return e, k
	case *syntax.Var:
		if x.Sym.Kind == syntax.Array {
			c.in.fatal("attempt to use array `" + x.Sym.Name + "' in a scalar context")
		}
		h, l := c.place(x)
		if h != nil {
			return h, mixed
		}
		switch x.Sym.Special {
		case syntax.NF, syntax.NR, syntax.FNR:
			return l, isNumber
		}
		return l, mixed
	case *syntax.Index:
		return c.element(x), mixed
	case *syntax.Field:
		_, l := c.place(x)
		return l, mixed
	case *syntax.Assign:
		return c.assign(x)
	case *syntax.Cond:
		a, ka := c.expr(x.Then)
		b, kb := c.expr(x.Else)
		if ka != kb {
			ka = mixed
		}
		return &choice{c.condition(x.If), a, b}, ka
	case *syntax.Logic:
		if x.Or {
			return &logical{&or{c.condition(x.L), c.condition(x.R)}}, isNumber
		}
		return &logical{&and{c.condition(x.L), c.condition(x.R)}}, isNumber
	case *syntax.Arith:
		l, r := c.number(x.L), c.number(x.R)
		a, ok1 := l.(*constNum)
		b, ok2 := r.(*constNum)
		if ok1 && ok2 && !((x.Op == '/' || x.Op == '%') && b.n == 0) {
			return c.constant(c.in.calc(x.Op, a.n, b.n)), isNumber
		}
		switch x.Op {
		case '+':
			return &add{l, r}, isNumber
		case '-':
			return &subtract{l, r}, isNumber
		case '*':
			return &multiply{l, r}, isNumber
		}
		return &numeric{&operation{x.Op, l, r}}, isNumber
	case *syntax.Compare:
		return &logical{c.compare(x)}, isNumber
	case *syntax.Concat:
		return &textual{&concat{c.parts(x)}}, isString
	case *syntax.Unary:
		if x.Op == '!' {
			return &logical{&not{c.condition(x.X)}}, isNumber
		}
		e := c.number(x.X)
		switch x.Op {
		case '-':
			if n, ok := e.(*constNum); ok {
				return c.constant(-n.n), isNumber
			}
			return &numeric{&negate{e}}, isNumber
		}
		return &numeric{&plus{e}}, isNumber
	case *syntax.IncDec:
		by, back := 1.0, 0.0
		if x.Dec {
			by = -1
		}
		if !x.Prefix {
			back = by
		}
		h, l := c.place(x.X)
		if g, ok := h.(*globalVar); ok {
			return &numeric{&stepGlobal{g.i, by, back}}, isNumber
		}
		if h != nil {
			return &numeric{&step{h, by, back}}, isNumber
		}
		return &numeric{&stepTo{l, by, back}}, isNumber
	case *syntax.In:
		return &logical{&membership{c.key(x.Keys), c.array(x.Array)}}, isNumber
	case *syntax.Match:
		l := c.text(x.L)
		if re, ok := x.R.(*syntax.Regex); ok {
			return &logical{&match{x.Not, l, c.regex(re.Src)}}, isNumber
		}
		return &logical{&matchDynamic{x.Not, l, c.pattern(x.R)}}, isNumber
	case *syntax.Call:
		n := &call{fn: c.funcs[x.Fn.Index]}
		for i, a := range x.Args {
			if x.Fn.Params[i].Kind == syntax.Array {
				n.arrays = append(n.arrays, c.array(a))
			} else {
				n.args = append(n.args, c.value(a))
			}
		}
		return &general{n}, mixed
	case *syntax.BuiltinCall:
		return c.builtin(x)
	case *syntax.Getline:
		g := &getline{from: x.From}
		if x.Src != nil {
			g.src = c.value(x.Src)
		}
		if x.Target != nil {
			g.v, g.l = c.place(x.Target)
		}
		return &numeric{g}, isNumber
	case *syntax.List:
		c.in.fatal("a list in parentheses is not a value")
	}
	c.in.fatal("expression not known")
	return nil, mixed
}

func (c *compiler) constant(n float64) expr {
	x := &constNum{n: n}
	if i, ok := integral(n); ok {
		x.s = strconv.FormatInt(i, 10)
	}
	return x
}

// parts returns the operands of a concatenation.
func (c *compiler) parts(x syntax.Expr) []texter {
	if k, ok := x.(*syntax.Concat); ok {
		return append(c.parts(k.L), c.text(k.R))
	}
	return []texter{c.text(x)}
}

// place compiles an lvalue: one that is a place in memory or one that is not.
func (c *compiler) place(x syntax.Expr) (holder, lvalue) {
	switch x := x.(type) {
	case *syntax.Var:
		switch {
		case x.Sym.Kind == syntax.Array:
			c.in.fatal("attempt to use array `" + x.Sym.Name + "' in a scalar context")
		case x.Sym.Special != syntax.NotSpecial:
			if x.Sym.Special == syntax.NF {
				c.in.usesFields = true
			}
			return nil, &specialVar{x.Sym.Special}
		case x.Sym.Local:
			return &localVar{x.Sym.Index}, nil
		}
		return &globalVar{x.Sym.Index}, nil
	case *syntax.Index:
		return c.element(x), nil
	case *syntax.Field:
		e := c.number(x.X)
		if n, ok := e.(*constNum); !ok || n.n != 0 {
			c.in.usesFields = true
		}
		if n, ok := e.(*constNum); ok && n.n >= 0 && n.n <= maxFields {
			return nil, &constField{int(n.n)}
		}
		return nil, &field{e}
	case *syntax.Group:
		return c.place(x.X)
	}
	c.in.fatal("assignment to what is no variable")
	return nil, nil
}

func (c *compiler) element(x *syntax.Index) *element {
	e := &element{c.array(x.Array), c.key(x.Keys), -1}
	if g, ok := e.a.(*globalArray); ok {
		e.global = g.i
	}
	return e
}

func (c *compiler) array(x syntax.Expr) arrayRef {
	switch x := x.(type) {
	case *syntax.Var:
		switch {
		case x.Sym.Kind != syntax.Array:
			c.in.fatal("attempt to use scalar `" + x.Sym.Name + "' as an array")
		case x.Sym.Local:
			return &localArray{x.Sym.Index}
		}
		return &globalArray{x.Sym.Index}
	case *syntax.Index:
		return &subArray{c.array(x.Array), c.key(x.Keys)}
	}
	c.in.fatal("attempt to use a scalar value as array")
	return nil
}

func (c *compiler) key(keys []syntax.Expr) key {
	if len(keys) == 1 {
		x, k := c.expr(keys[0])
		switch x.(type) {
		case *field, *constField:
			k = isString // most often, and otherwise just as good
		}
		return key{x, asNumber(x), asText(x), k}
	}
	j := &joined{c.values(keys)}
	return key{t: j, kind: isString}
}

// sameVar reports whether two expressions are the same plain variable.
func sameVar(x, y syntax.Expr) bool {
	a, ok1 := x.(*syntax.Var)
	b, ok2 := y.(*syntax.Var)
	return ok1 && ok2 && a.Sym == b.Sym && a.Sym.Special == syntax.NotSpecial && a.Sym.Kind != syntax.Array
}

func (c *compiler) assign(x *syntax.Assign) (expr, class) {
	h, l := c.place(x.L)
	if x.Op != '=' {
		r := c.number(x.R)
		if g, ok := h.(*globalVar); ok && x.Op == '+' {
			return &numeric{&addGlobal{g.i, r}}, isNumber
		}
		if h != nil {
			return &numeric{&update{x.Op, h, r}}, isNumber
		}
		return &numeric{&updateTo{x.Op, l, r}}, isNumber
	}
	if k, ok := x.R.(*syntax.Concat); ok && h != nil {
		// v = v ... is made longer in place.
		first := syntax.Expr(k)
		for {
			k, ok := first.(*syntax.Concat)
			if !ok {
				break
			}
			first = k.L
		}
		if sameVar(x.L, first) && !changes(k, x.L.(*syntax.Var).Sym) {
			return &textual{&extend{l: h, parts: c.parts(k)[1:]}}, isString
		}
	}
	r, k := c.expr(x.R)
	if l != nil {
		return &general{&assignTo{l, r}}, k
	}
	if k == isNumber {
		return &numeric{&assignNum{h, asNumber(r)}}, isNumber
	}
	_, elem := h.(*element)
	clone := elem
	if _, ok := r.(*constStr); ok {
		clone = false
	}
	return &general{&assign{h, r, clone, elem}}, k
}

// changes reports whether evaluating x may change the variable s: it calls
// functions, or assigns to it.
func changes(x syntax.Expr, s *syntax.Symbol) bool {
	switch x := x.(type) {
	case *syntax.Num, *syntax.Str, *syntax.Regex, *syntax.Var:
		return false
	case *syntax.Concat:
		return changes(x.L, s) || changes(x.R, s)
	case *syntax.Arith:
		return changes(x.L, s) || changes(x.R, s)
	case *syntax.Compare:
		return changes(x.L, s) || changes(x.R, s)
	case *syntax.Cond:
		return changes(x.If, s) || changes(x.Then, s) || changes(x.Else, s)
	case *syntax.Group:
		return changes(x.X, s)
	case *syntax.Field:
		return changes(x.X, s)
	case *syntax.Index:
		for _, k := range x.Keys {
			if changes(k, s) {
				return true
			}
		}
		return false
	case *syntax.BuiltinCall:
		switch x.Fn {
		case syntax.FnSubstr, syntax.FnSprintf, syntax.FnToupper, syntax.FnTolower, syntax.FnLength, syntax.FnIndex, syntax.FnInt:
			for _, a := range x.Args {
				if changes(a, s) {
					return true
				}
			}
			return false
		}
	}
	return true
}

func (c *compiler) compare(x *syntax.Compare) interface{ cond(*interp) bool } {
	l, kl := c.expr(x.L)
	r, kr := c.expr(x.R)
	if kl == isNumber && kr == isNumber {
		return &compareNums{x.Op, asNumber(l), asNumber(r)}
	}
	if kl == isString || kr == isString {
		return &compareTexts{x.Op, asText(l), asText(r)}
	}
	if kr == isNumber {
		n := &compareVar{op: x.Op, r: asNumber(r)}
		if k, ok := n.r.(*constNum); ok {
			n.known, n.n = true, k.n
		}
		switch v := l.(type) {
		case *globalVar:
			n.i = v.i
			return n
		case *localVar:
			n.i, n.local = v.i, true
			return n
		}
	}
	if n, ok := r.(*constNum); ok {
		return &compareConst{x.Op, l, n.n}
	}
	if n, ok := l.(*constNum); ok {
		op := x.Op
		switch op {
		case '<':
			op = '>'
		case '>':
			op = '<'
		case 'l':
			op = 'g'
		case 'g':
			op = 'l'
		}
		return &compareConst{op, r, n.n}
	}
	return &compare{x.Op, l, r}
}

// regex prepares a constant regular expression, whose mistakes are reported at
// once.
func (c *compiler) regex(src string) *regex {
	re := &regex{src: src}
	re.get(c.in)
	return re
}

// pattern compiles an expression that is used as a regular expression.
func (c *compiler) pattern(x syntax.Expr) *pattern {
	switch x := x.(type) {
	case *syntax.Regex:
		return &pattern{fixed: c.regex(x.Src)}
	case *syntax.Str:
		return &pattern{fixed: c.regex(x.Val)}
	case *syntax.Group:
		if s, ok := x.X.(*syntax.Str); ok {
			return c.pattern(s)
		}
	}
	return &pattern{x: c.value(x)}
}
