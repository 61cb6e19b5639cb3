// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/guests/src/shell/arith"
	"github.com/wsandbox/wsandbox/guests/src/shell/source"
	"mvdan.cc/sh/v3/syntax"
)

func (c *compiler) param(x *syntax.ParamExp, quoted bool) part {
	src := c.text(x.Pos(), x.End())
	bad := func() part {
		return part{kind: pParam, quoted: quoted, pe: &paramExp{op: opBad, src: src}}
	}
	if x.Param == nil || x.Flags != nil || x.Width || x.IsSet || x.NestedParam != nil || len(x.Modifiers) > 0 {
		return bad()
	}
	name := x.Param.Value
	e := &paramExp{name: name, pos: -1, src: src, line: c.lineOf(x.Pos()), length: x.Length, indirect: x.Excl}
	switch {
	case validName(name):
		e.id = c.rt.intern(name)
		if x.Short && x.Index == nil {
			return part{kind: pVar, quoted: quoted, id: e.id}
		}
	case name == "0":
		e.special = '0'
	case len(name) > 0 && isDigit(name[0]):
		n := 0
		for i := range len(name) {
			n = n*10 + int(name[i]-'0')
			if n > 1<<20 {
				break
			}
		}
		e.pos = n
	case len(name) == 1 && strings.IndexByte("@*#?-$!", name[0]) >= 0:
		e.special = name[0]
	default:
		return bad()
	}
	at := int(x.Param.End().Offset())
	if x.Index != nil {
		if e.special != 0 || e.pos >= 0 {
			return bad()
		}
		e.sub, at = c.subscriptEnd(at)
	}
	if x.Names != 0 {
		e.indirect, e.names = false, '*'
		if x.Names == syntax.NamesPrefixWords {
			e.names = '@'
		}
		return part{kind: pParam, quoted: quoted, pe: e}
	}
	if e.indirect && e.sub != nil && e.sub.kind != subExpr && x.Exp == nil && x.Slice == nil && x.Repl == nil {
		e.indirect, e.keys = false, true
	}
	switch {
	case x.Slice != nil:
		e.op = opSlice
		text := ""
		if end := int(x.Rbrace.Offset()); at < end && c.src[at] == ':' {
			text = c.src[at+1 : end]
		}
		off, ln, has := splitSlice(text)
		e.off = c.arith(off)
		if has {
			e.ln = c.arith(ln)
		}
	case x.Repl != nil:
		e.op, e.long = opReplace, x.Repl.All
		orig, with := x.Repl.Orig, x.Repl.With
		if e.long && with != nil && (orig == nil || len(orig.Parts) == 0) {
			// ${x////y}: the pattern is a slash.
			slash := &syntax.Lit{Value: "/"}
			orig = &syntax.Word{Parts: []syntax.WordPart{slash}}
			if len(with.Parts) > 0 {
				if l, ok := with.Parts[0].(*syntax.Lit); ok && strings.HasPrefix(l.Value, "/") {
					k := *l
					k.Value = l.Value[1:]
					parts := append([]syntax.WordPart{&k}, with.Parts[1:]...)
					if k.Value == "" {
						parts = parts[1:]
					}
					with = &syntax.Word{Parts: parts}
				}
			}
		}
		e.word = c.word(orig, ctxPattern)
		if with != nil {
			e.repl = c.word(with, ctxPattern)
		}
		if !e.long {
			e.word, e.anchor = c.anchor(e.word)
		}
	case x.Exp != nil:
		c.expansion(e, x.Exp, quoted)
	}
	if e.op == opNone && !e.length && !e.indirect && !e.keys && e.sub == nil && e.special == 0 && e.pos < 0 {
		return part{kind: pVar, quoted: quoted, id: e.id}
	}
	return part{kind: pParam, quoted: quoted, pe: e}
}

// anchor takes a leading unquoted # or % off the pattern of ${x/...}.
func (c *compiler) anchor(w *word) (*word, byte) {
	if len(w.parts) == 0 || w.parts[0].kind != pLit || w.parts[0].quoted || w.parts[0].lit == "" {
		return w, 0
	}
	a := w.parts[0].lit[0]
	if a != '#' && a != '%' {
		return w, 0
	}
	n := &word{parts: append([]part(nil), w.parts...)}
	n.parts[0].lit = n.parts[0].lit[1:]
	if n.parts[0].lit == "" {
		n.parts = n.parts[1:]
	}
	n.finish()
	return n, a
}

func (c *compiler) expansion(e *paramExp, x *syntax.Expansion, quoted bool) {
	// In "${x:-word}" the word is quoted too; a pattern has quoting of its own.
	ctx := ctxText
	if quoted {
		ctx = ctxDquote
	}
	switch x.Op {
	case syntax.AlternateUnsetOrNull, syntax.DefaultUnsetOrNull, syntax.ErrorUnsetOrNull, syntax.AssignUnsetOrNull:
		e.colon = true
	}
	switch x.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		e.op = opAlt
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull:
		e.op = opDefault
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		e.op = opError
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		e.op = opAssign
	case syntax.RemSmallSuffix:
		e.op, ctx = opRemSuffix, ctxPattern
	case syntax.RemLargeSuffix:
		e.op, e.long, ctx = opRemSuffix, true, ctxPattern
	case syntax.RemSmallPrefix:
		e.op, ctx = opRemPrefix, ctxPattern
	case syntax.RemLargePrefix:
		e.op, e.long, ctx = opRemPrefix, true, ctxPattern
	case syntax.UpperFirst:
		e.op, ctx = opCaseUp, ctxPattern
	case syntax.UpperAll:
		e.op, e.long, ctx = opCaseUp, true, ctxPattern
	case syntax.LowerFirst:
		e.op, ctx = opCaseDown, ctxPattern
	case syntax.LowerAll:
		e.op, e.long, ctx = opCaseDown, true, ctxPattern
	case syntax.OtherParamOps:
		e.op = opTransform
		if l := x.Word.Lit(); len(l) == 1 && strings.IndexByte("UuLQEPAKak", l[0]) >= 0 {
			e.transf = l[0]
		} else {
			e.op = opBad
		}
		return
	default:
		e.op = opBad
		return
	}
	if x.Word != nil {
		if ctx == ctxDquote {
			// Double quotes inside switch quoting off for tildes only; the
			// parts stay quoted.
			w := &word{}
			c.parts(w, x.Word.Parts, true, false, true)
			if len(w.parts) == 0 {
				w.add(part{kind: pLit, quoted: true})
			}
			w.finish()
			e.word = w
		} else {
			e.word = c.word(x.Word, ctx)
		}
	}
}

// splitSlice splits "offset:length" at the colon that belongs to no ?:.
func splitSlice(s string) (off, ln string, has bool) {
	depth, quest := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\'', '"':
			if j := strings.IndexByte(s[i+1:], s[i]); j >= 0 {
				i += j + 1
			}
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			depth--
		case '?':
			if depth == 0 {
				quest++
			}
		case ':':
			if depth != 0 {
				continue
			}
			if quest > 0 {
				quest--
				continue
			}
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

// subscript compiles the bracketed text at offset at.
func (c *compiler) subscript(at int) *subscript {
	s, _ := c.subscriptEnd(at)
	return s
}

func (c *compiler) subscriptEnd(at int) (*subscript, int) {
	if at >= len(c.src) || c.src[at] != '[' {
		return &subscript{text: "0"}, at
	}
	n := source.Bracket(c.src[at:])
	if n == 0 {
		return &subscript{text: "0"}, at
	}
	return c.rt.subscriptText(c.src[at+1 : at+n-1]), at + n
}

// subscriptText returns the subscript of a text; equal texts share one.
func (rt *Runtime) subscriptText(text string) *subscript {
	if s, ok := rt.subs[text]; ok {
		return s
	}
	if len(rt.subs) >= 1024 {
		clear(rt.subs)
	}
	s := &subscript{text: text}
	switch text {
	case "@":
		s.kind = subAt
	case "*":
		s.kind = subStar
	}
	rt.subs[text] = s
	return s
}

// arith compiles an arithmetic text.
func (c *compiler) arith(text string) *arithNode {
	n := &arithNode{text: text}
	opt := arith.Options{Intern: c.rt.intern, Params: true}
	if !strings.ContainsAny(text, "\"'\\`") {
		e, err := arith.Parse(text, opt)
		if err == nil {
			n.expr = e
			for _, p := range e.Params {
				n.params = append(n.params, c.rt.paramRef(p))
			}
			if len(e.Params) == 0 {
				return n
			}
		} else if err != arith.ErrDynamic && strings.IndexByte(text, '$') < 0 {
			n.err = err
			return n
		}
	}
	n.dyn = c.sh.parseArith(text, c.line)
	return n
}

func (rt *Runtime) paramRef(name string) paramRef {
	switch {
	case validName(name):
		return paramRef{id: rt.intern(name), pos: -1}
	case isDigit(name[0]):
		n := 0
		for i := range len(name) {
			n = n*10 + int(name[i]-'0')
		}
		return paramRef{id: -1, pos: n}
	}
	return paramRef{id: -1, pos: -1, special: name[0]}
}
