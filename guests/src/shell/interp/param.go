// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// value is the result of a parameter expansion.
type value struct {
	s    string
	set  bool
	list bool // l holds the elements
	star bool // they are joined when quoted
	l    []string
	word *word // the result is the expansion of this word
}

// paramValue returns the parameter's value before any operation.
func (sh *Shell) paramValue(e *paramExp) value {
	switch {
	case e.pos >= 0:
		if e.pos > 0 && e.pos <= len(sh.params) {
			return value{s: sh.params[e.pos-1], set: true}
		}
		if e.pos == 0 {
			return value{s: sh.name0, set: true}
		}
		return value{}
	case e.special != 0:
		switch e.special {
		case '@', '*':
			return value{list: true, star: e.special == '*', l: sh.params, set: len(sh.params) > 0}
		}
		s, set := sh.special(e.special)
		return value{s: s, set: set}
	case e.sub == nil:
		s, set := sh.get(e.id)
		return value{s: s, set: set}
	case e.sub.kind == subExpr:
		s, set := sh.element(e.id, e.sub)
		return value{s: s, set: set}
	}
	l := sh.elements(e.id)
	return value{list: true, star: e.sub.kind == subStar, l: l, set: len(l) > 0}
}

// special returns a special parameter's value.
func (sh *Shell) special(c byte) (string, bool) {
	switch c {
	case '#':
		return itoa(int64(len(sh.params))), true
	case '?':
		return itoa(int64(sh.status)), true
	case '$':
		return itoa(int64(sh.rt.pid)), true
	case '!':
		if !sh.hasBg {
			return "", false
		}
		return itoa(int64(sh.lastBg)), true
	case '-':
		return sh.opts.flags(), true
	case '0':
		return sh.name0, true
	}
	return "", false
}

// elements returns all elements of an array variable.
func (sh *Shell) elements(id sym) []string {
	t := sh.deref(id)
	if t.id < 0 {
		return nil
	}
	if t.sub != nil {
		if s, ok := sh.element(t.id, t.sub); ok {
			return []string{s}
		}
		return nil
	}
	v := sh.v(t.id)
	switch {
	case v == nil:
		return nil
	case v.flags&vDyn != 0:
		if l, ok := sh.dynElements(t.id); ok {
			return l
		}
		return []string{v.text(sh)}
	case v.flags&vArray != 0:
		return slices.Clone(v.arr.vals)
	case v.flags&vAssoc != 0:
		_, l := v.m.lists()
		return l
	case v.isSet():
		return []string{v.text(sh)}
	}
	return nil
}

// keysOf returns the indices of an array variable.
func (sh *Shell) keysOf(id sym) []string {
	t := sh.deref(id)
	if t.id < 0 {
		return nil
	}
	v := sh.v(t.id)
	switch {
	case v == nil:
		return nil
	case v.flags&vDyn != 0:
		if l, ok := sh.dynElements(t.id); ok {
			k := make([]string, len(l))
			for i := range l {
				k[i] = itoa(int64(i))
			}
			return k
		}
		return []string{"0"}
	case v.flags&vArray != 0:
		k := make([]string, v.arr.len())
		for i := range k {
			k[i] = itoa(v.arr.key(i))
		}
		return k
	case v.flags&vAssoc != 0:
		k, _ := v.m.lists()
		return k
	case v.isSet():
		return []string{"0"}
	}
	return nil
}

// evalParam evaluates a parameter expansion.
func (sh *Shell) evalParam(e *paramExp, quoted bool) value {
	if e.op == opBad {
		if e.name != "" && strings.Contains(e.name, "syntax error") {
			sh.expandError(e.name)
		} else {
			sh.expandError(e.src + ": bad substitution")
		}
		return value{}
	}
	if e.names != 0 {
		return value{list: true, star: e.names == '*', l: sh.namesWith(e.name), set: true}
	}
	if e.keys {
		return value{list: true, star: e.sub.kind == subStar, l: sh.keysOf(e.id), set: true}
	}
	if e.indirect {
		return sh.indirect(e, quoted)
	}
	if e.length {
		return sh.paramLength(e)
	}
	v := sh.paramValue(e)
	if !v.set && sh.opts.nounset && e.op != opDefault && e.op != opAlt && e.op != opAssign && e.op != opError {
		if !v.list {
			sh.unbound(e.display())
			return value{}
		}
	}
	return sh.operate(e, v, quoted)
}

func (e *paramExp) display() string {
	switch {
	case e.pos >= 0:
		return itoa(int64(e.pos))
	case e.special != 0:
		return string(rune(e.special))
	case e.sub != nil:
		return e.name + "[" + e.sub.text + "]"
	}
	return e.name
}

func (sh *Shell) paramLength(e *paramExp) value {
	switch {
	case e.special == '@' || e.special == '*':
		return value{s: itoa(int64(len(sh.params))), set: true}
	case e.sub != nil && e.sub.kind != subExpr:
		return value{s: itoa(int64(sh.count(e.id))), set: true}
	}
	v := sh.paramValue(e)
	if !v.set && sh.opts.nounset {
		sh.unbound(e.display())
	}
	return value{s: itoa(int64(sh.charLen(v.s))), set: true}
}

// count returns the number of elements of a variable.
func (sh *Shell) count(id sym) int {
	if v := sh.v(id); v != nil {
		switch {
		case v.flags&vArray != 0:
			return v.arr.len()
		case v.flags&vAssoc != 0:
			return v.m.len()
		}
	}
	return len(sh.elements(id))
}

// charLen returns the length of s in characters of the locale.
func (sh *Shell) charLen(s string) int {
	if !sh.utf8 {
		return len(s)
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return utf8.RuneCountInString(s)
		}
	}
	return len(s)
}

// isNull reports whether the colon forms take v for missing.
func (v *value) isNull() bool {
	if v.list {
		return len(v.l) == 0 || len(v.l) == 1 && v.l[0] == ""
	}
	return v.s == ""
}

func (sh *Shell) operate(e *paramExp, v value, quoted bool) value {
	switch e.op {
	case opNone:
		return v
	case opDefault, opAlt, opAssign, opError:
		return sh.conditional(e, v)
	case opSlice:
		return sh.slice(e, v)
	case opTransform:
		return sh.transform(e, v, quoted)
	}
	if !v.list {
		if f := sh.stringOp(e); f != nil {
			v.s = f(v.s)
		}
		return v
	}
	f := sh.stringOp(e)
	if f == nil || sh.expandFailed {
		return v
	}
	l := make([]string, len(v.l))
	for i, s := range v.l {
		l[i] = f(s)
	}
	v.l = l
	return v
}

func (sh *Shell) conditional(e *paramExp, v value) value {
	missing := !v.set || e.colon && v.isNull()
	w := e.word
	if w == nil {
		w = emptyWord
	}
	switch e.op {
	case opDefault:
		if missing {
			return value{word: w}
		}
	case opAlt:
		if missing {
			return value{set: true, list: v.list}
		}
		return value{word: w}
	case opError:
		if missing {
			msg := sh.text(w)
			if e.word == nil || msg == "" && e.word.kind == wLit && e.word.lit == "" {
				msg = "parameter not set"
				if e.colon {
					msg = "parameter null or not set"
				}
			}
			if !sh.expandFailed {
				sh.errorf(e.display() + ": " + msg)
				sh.fatal(sh.fatalStatus())
			}
		}
	case opAssign:
		if missing {
			if e.pos >= 0 || e.special != 0 {
				sh.expandError("$" + e.display() + ": cannot assign in this way")
				return value{}
			}
			s := sh.text(w)
			ok := false
			if e.sub != nil {
				ok = sh.setElement(e.id, e.sub, s, false)
			} else {
				ok = sh.set(e.id, s)
			}
			if !ok {
				sh.fail(1)
				return value{}
			}
			return sh.paramValue(e)
		}
	}
	return v
}

var emptyWord = &word{kind: wLit}
