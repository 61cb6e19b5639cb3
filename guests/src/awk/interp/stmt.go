// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/awk/syntax"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
)

// ctl is how a statement ended.
type ctl uint8

const (
	cNone ctl = iota
	cBreak
	cContinue
	cNext
	cNextFile
	cExit
	cReturn
)

type stmt interface{ exec(in *interp) ctl }

// body is a list of statements and their places.
type body struct {
	stmts []stmt
	pos   []syntax.Pos
}

func (b *body) exec(in *interp) ctl {
	if len(b.stmts) == 1 {
		in.pos = b.pos[0]
		return b.stmts[0].exec(in)
	}
	for i, s := range b.stmts {
		in.pos = b.pos[i]
		if c := s.exec(in); c != cNone {
			return c
		}
	}
	return cNone
}

// tick counts a turn of a loop.
func (in *interp) tick() {
	if in.steps--; in.steps == 0 {
		in.fatal("too many steps")
	}
}

type runStmt struct{ x runner }

func (s *runStmt) exec(in *interp) ctl {
	s.x.run(in)
	return cNone
}

type evalStmt struct{ x expr }

func (s *evalStmt) exec(in *interp) ctl {
	s.x.val(in)
	return cNone
}

type ctlStmt struct{ c ctl }

func (s *ctlStmt) exec(*interp) ctl { return s.c }

type ifStmt struct {
	cond condition
	a, b body
}

func (s *ifStmt) exec(in *interp) ctl {
	if s.cond.cond(in) {
		return s.a.exec(in)
	}
	if len(s.b.stmts) == 0 {
		return cNone
	}
	return s.b.exec(in)
}

// loop is while, do and for.
type loop struct {
	init stmt
	cond condition // nil: forever
	step stmt
	body body
	pos  syntax.Pos
	do   bool
}

func (s *loop) exec(in *interp) ctl {
	if s.init != nil {
		s.init.exec(in)
	}
	for first := s.do; ; first = false {
		if !first && s.cond != nil {
			in.pos = s.pos
			if !s.cond.cond(in) {
				return cNone
			}
		}
		if in.steps--; in.steps == 0 {
			in.steps++
			in.tick()
		}
		var c ctl
		if len(s.body.stmts) == 1 {
			in.pos = s.body.pos[0]
			c = s.body.stmts[0].exec(in)
		} else {
			c = s.body.exec(in)
		}
		if c != cNone && c != cContinue {
			if c == cBreak {
				return cNone
			}
			return c
		}
		if s.step != nil {
			s.step.exec(in)
		}
	}
}

type forIn struct {
	v    holder
	l    lvalue // in place of v
	a    arrayRef
	body body
}

func (s *forIn) exec(in *interp) ctl {
	a := s.a.array(in)
	keys := in.sortedKeys(a)
	for _, k := range keys {
		in.tick()
		if s.v != nil {
			*s.v.cell(in) = inputKey(k)
		} else {
			s.l.set(in, inputKey(k))
		}
		switch c := s.body.exec(in); c {
		case cNone, cContinue:
		case cBreak:
			return cNone
		default:
			return c
		}
	}
	return cNone
}

// inputKey is the value of a key: a string.
func inputKey(k string) value { return strValue(k) }

type blockStmt struct{ body body }

func (s *blockStmt) exec(in *interp) ctl { return s.body.exec(in) }

type exitStmt struct{ x expr }

func (s *exitStmt) exec(in *interp) ctl {
	if s.x != nil {
		in.exitStatus = int(int64(s.x.num(in)))
	}
	return cExit
}

type returnStmt struct{ x expr }

func (s *returnStmt) exec(in *interp) ctl {
	if s.x != nil {
		v := s.x.val(in) // which may return itself
		in.ret = v
	} else {
		in.ret = value{}
	}
	return cReturn
}

type deleteStmt struct {
	a   arrayRef
	key *key
}

func (s *deleteStmt) exec(in *interp) ctl {
	a := s.a.array(in)
	if s.key == nil {
		a.clear()
	} else {
		a.remove(s.key.key(in))
	}
	return cNone
}

type switchStmt struct {
	x      expr
	labels []expr // nil is default
	res    []*regex
	bodies []body
}

func (s *switchStmt) exec(in *interp) ctl {
	v := s.x.val(in)
	v.resolve()
	at := -1
	for i, l := range s.labels {
		switch {
		case s.res[i] != nil:
			if !s.res[i].get(in).Match(bytesOf(in.text(&v))) {
				continue
			}
		case l == nil:
			continue
		default:
			w := l.val(in)
			if w.k == kNum && v.k != kNum && v.k != kNumText && v.k != kUninit || w.k == kStr && v.k == kNum || in.compare(&v, &w) != 0 {
				continue
			}
		}
		at = i
		break
	}
	if at < 0 {
		for i := range s.labels {
			if s.labels[i] == nil && s.res[i] == nil {
				at = i
			}
		}
	}
	for ; at >= 0 && at < len(s.bodies); at++ {
		switch c := s.bodies[at].exec(in); c {
		case cNone:
		case cBreak:
			return cNone
		default:
			return c
		}
	}
	return cNone
}

type printStmt struct {
	args  []expr
	kinds []class
	redir byte
	dest  expr
	field int // the only argument is this field
}

func (s *printStmt) exec(in *interp) ctl {
	if s.redir == 0 && in.ttyKnown {
		if s.field > 0 && !in.rec.owned {
			w := &in.stdout
			t := in.fieldText(s.field)
			if n := len(t) + len(in.ors); n <= cap(w.buf)-len(w.buf) && !w.now && w.err == nil {
				w.buf = append(append(w.buf, t...), in.ors...)
				return cNone
			}
		}
		w := &in.stdout
		switch len(s.args) {
		case 0:
			w.str(in.field0())
		case 1:
			in.print(w, s.args[0], s.kinds[0])
		default:
			in.printAll(w, s)
		}
		w.str(in.ors)
		if w.now || w.err != nil {
			in.printed(w, s.redir)
		}
		return cNone
	}
	// What is printed is evaluated before the output is opened.
	start := len(in.buf)
	if len(s.args) == 0 {
		in.buf = append(in.buf, in.field0()...)
	}
	for i, x := range s.args {
		v := x.val(in)
		if i > 0 {
			in.buf = append(in.buf, in.ofs...)
		}
		if v.k == kNum {
			in.buf = in.appendNum(in.buf, v.n, &in.outFmt)
		} else {
			in.buf = append(in.buf, v.s...)
		}
	}
	in.buf = append(in.buf, in.ors...)
	in.emit(start, s.redir, s.dest)
	return cNone
}

// emit sends in.buf[start:] to a redirection.
func (in *interp) emit(start int, redir byte, dest expr) {
	w := &in.stdout
	if redir != 0 {
		w = in.output(redir, dest.str(in))
	} else {
		in.stdoutTTY()
	}
	if w.now && w != &in.stdout {
		in.stdout.flush() // so that both come in order
	}
	w.str(textOf(in.buf[start:]))
	in.buf = in.buf[:start]
	in.printed(w, redir)
}

// print writes one value.
func (in *interp) print(w *writer, x expr, kind class) {
	if f, ok := x.(*constField); ok && !in.rec.owned {
		w.str(f.str(in))
		return
	}
	switch kind {
	case isString:
		w.str(x.str(in))
		return
	case isNumber:
		in.printNum(w, x.num(in))
		return
	}
	v := x.val(in)
	if v.k == kNum {
		in.printNum(w, v.n)
	} else {
		w.str(v.s)
	}
}

func (in *interp) printNum(w *writer, n float64) {
	if _, ok := integral(n); ok || in.outFmt.prec >= 0 && in.outFmt.prec < 100 {
		w.space(400)
		w.buf = in.appendNum(w.buf, n, &in.outFmt)
		return
	}
	w.str(textOf(in.appendNum(nil, n, &in.outFmt)))
}

// printAll writes several values. One that prints itself must not come between.
func (in *interp) printAll(w *writer, s *printStmt) {
	if len(w.buf) > cap(w.buf)-4096 {
		w.flush()
	}
	if !simple(s) {
		start := len(in.buf)
		for i, x := range s.args {
			v := x.val(in)
			if i > 0 {
				in.buf = append(in.buf, in.ofs...)
			}
			if v.k == kNum {
				in.buf = in.appendNum(in.buf, v.n, &in.outFmt)
			} else {
				in.buf = append(in.buf, v.s...)
			}
		}
		w.str(textOf(in.buf[start:]))
		in.buf = in.buf[:start]
		return
	}
	for i, x := range s.args {
		if i > 0 {
			w.str(in.ofs)
		}
		in.print(w, x, s.kinds[i])
	}
}

// simple reports whether the arguments have no effects, nor look at what an
// earlier one may have changed.
func simple(s *printStmt) bool {
	for _, x := range s.args {
		switch x.(type) {
		case *constField, *constNum, *constStr, *globalVar, *localVar, *specialVar:
		default:
			return false
		}
	}
	return true
}

// printed looks after a print whether there was an error, and writes through to
// terminals.
func (in *interp) printed(w *writer, redir byte) {
	if w.now {
		w.flush()
	}
	if w.err != nil {
		in.writeFailed(w, redir)
	}
}

func (in *interp) writeFailed(w *writer, redir byte) {
	err := w.err
	if w == &in.stdout {
		in.lost = err
		panic(unwind(cExit))
	}
	if err == abi.EPIPE && redir == '|' {
		return // the command has ended: what it does not want is lost
	}
	in.fatal("write error: " + cmdkit.Strerror(err))
}

type printfStmt struct {
	f      formatter
	format expr
	args   []expr
	redir  byte
	dest   expr
}

func (s *printfStmt) exec(in *interp) ctl {
	f := s.format.str(in)
	start := len(in.buf)
	s.f.format(in, f, s.args)
	in.emit(start, s.redir, s.dest)
	return cNone
}

// rule is a pattern with its action.
type rule struct {
	pattern  condition // nil: always
	pattern2 condition
	inRange  bool
	print    bool
	body     body
	pos      syntax.Pos
}

// apply runs the rule for the record.
func (r *rule) apply(in *interp) ctl {
	in.pos = r.pos
	switch {
	case r.pattern2 != nil:
		if !r.inRange {
			if !r.pattern.cond(in) {
				return cNone
			}
			r.inRange = true
		}
		if r.pattern2.cond(in) {
			r.inRange = false
		}
	case r.pattern != nil:
		if in.matched {
			in.matched = false
		} else if !r.pattern.cond(in) {
			return cNone
		}
	}
	if r.print {
		in.stdoutTTY()
		in.stdout.str(in.field0())
		in.stdout.str(in.ors)
		in.printed(&in.stdout, 0)
		return cNone
	}
	return r.body.exec(in)
}
