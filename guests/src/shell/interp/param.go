// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/shell/pattern"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
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
		if !v.list || e.special == 0 && false {
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

// stringOp returns the function that an operation applies to each value.
func (sh *Shell) stringOp(e *paramExp) func(string) string {
	switch e.op {
	case opRemPrefix, opRemSuffix:
		pat := sh.pattern(e.word)
		if pat == "" {
			return nil
		}
		p := sh.rt.pattern(pat, sh.patFlags())
		if e.op == opRemPrefix {
			return func(s string) string {
				if n, ok := p.Prefix(s, e.long); ok {
					return s[n:]
				}
				return s
			}
		}
		return func(s string) string {
			if n, ok := p.Suffix(s, e.long); ok {
				return s[:n]
			}
			return s
		}
	case opReplace:
		return sh.replaceOp(e)
	case opCaseUp, opCaseDown, opCaseTog:
		var p *pattern.Pattern
		if e.word != nil {
			if pat := sh.pattern(e.word); pat != "" {
				p = sh.rt.pattern(pat, sh.patFlags())
			}
		}
		return func(s string) string { return changeCase(s, e.op, e.long, p) }
	}
	return nil
}

func (sh *Shell) replaceOp(e *paramExp) func(string) string {
	flags := sh.patFlags()
	if sh.shopt.nocasematch {
		flags |= pattern.NoCase
	}
	p := sh.rt.pattern(sh.pattern(e.word), flags)
	rep := ""
	amp := false
	if e.repl != nil {
		// An unquoted & stands for the match, a quoted one for itself.
		if sh.shopt.patsubReplacement {
			rep, amp = sh.replacement(e.repl)
		} else {
			rep = sh.text(e.repl)
		}
	}
	put := func(b []byte, match string) []byte {
		if !amp {
			return append(b, rep...)
		}
		for i := 0; i < len(rep); i++ {
			switch {
			case rep[i] == '\\' && i+1 < len(rep) && (rep[i+1] == '&' || rep[i+1] == '\\'):
				i++
				b = append(b, rep[i])
			case rep[i] == '&':
				b = append(b, match...)
			default:
				b = append(b, rep[i])
			}
		}
		return b
	}
	return func(s string) string {
		switch e.anchor {
		case '#':
			if n, ok := p.Prefix(s, true); ok {
				return string(put(nil, s[:n])) + s[n:]
			}
			return s
		case '%':
			if n, ok := p.Suffix(s, true); ok {
				return s[:n] + string(put(nil, s[n:]))
			}
			return s
		}
		var b []byte
		at := 0
		for at <= len(s) {
			from, to, ok := p.Find(s, at)
			if !ok {
				break
			}
			if to == from { // an empty match replaces nothing but the empty value
				if s == "" {
					return string(put(nil, ""))
				}
				if from == len(s) {
					break
				}
				b = append(b, s[at:from+1]...)
				at = from + 1
				continue
			}
			b = append(b, s[at:from]...)
			b = put(b, s[from:to])
			at = to
			if !e.long {
				break
			}
			if len(b) > maxString {
				sh.expandError("replacement: result too long")
				return ""
			}
		}
		if at == 0 {
			return s
		}
		return string(append(b, s[at:]...))
	}
}

// maxString bounds what one expansion may build; limitStrings lowers it to what
// fits into the process's memory.
var maxString = 256 << 20

func limitStrings() {
	if soft, _, err := wsys.Getrlimit(abi.RlimitAS); err == nil && soft/8 < uint64(maxString) {
		maxString = max(int(soft/8), 1<<20)
	}
}

// replacement expands the replacement of ${x/...}; amp says that it has an
// active &. Quoted & are escaped then.
func (sh *Shell) replacement(w *word) (string, bool) {
	if w.kind == wLit && len(w.parts) <= 1 {
		quoted := len(w.parts) == 1 && w.parts[0].quoted
		return w.lit, !quoted && strings.IndexByte(w.lit, '&') >= 0
	}
	base := len(sh.buf)
	amp := false
	ps := w.partsFor()
	for i := range ps {
		at := len(sh.buf)
		sh.appendText(ps[i:i+1], false)
		s := string(sh.buf[at:])
		if ps[i].quoted {
			if strings.ContainsAny(s, "&\\") {
				sh.buf = sh.buf[:at]
				for k := range len(s) {
					if s[k] == '&' || s[k] == '\\' {
						sh.buf = append(sh.buf, '\\')
					}
					sh.buf = append(sh.buf, s[k])
				}
			}
		} else {
			amp = amp || strings.IndexByte(s, '&') >= 0
		}
	}
	s := string(sh.buf[base:])
	sh.buf = sh.buf[:base]
	if !amp && strings.IndexByte(s, '\\') >= 0 {
		return sh.text(w), false
	}
	return s, amp
}

func (sh *Shell) slice(e *paramExp, v value) value {
	off, ok := sh.evalArith(e.off)
	if !ok {
		sh.arithFailed()
		return value{}
	}
	ln, has := int64(0), e.ln != nil
	if has {
		if ln, ok = sh.evalArith(e.ln); !ok {
			sh.arithFailed()
			return value{}
		}
	}
	if !v.list {
		n := int64(sh.charLen(v.s))
		if off < 0 {
			off += n
		}
		if off < 0 || off > n {
			return value{set: v.set}
		}
		end := n
		if has {
			if ln < 0 {
				end = n + ln
				if end < off {
					sh.expandError(strings.TrimSpace(e.ln.text) + ": substring expression < 0")
					return value{}
				}
			} else {
				end = min(n, off+ln)
			}
		}
		v.s = sh.substr(v.s, int(off), int(end))
		return v
	}
	l := v.l
	if has && ln < 0 {
		sh.expandError(strings.TrimSpace(e.ln.text) + ": substring expression < 0")
		return value{}
	}
	switch {
	case e.special != 0:
		// $0 counts as the element 0.
		l = append([]string{sh.name0}, l...)
		if off < 0 {
			off += int64(len(l))
		}
	default:
		// The offset is an index, which matters in arrays with holes.
		if a := sh.v(sh.deref(e.id).id); a != nil && a.flags&vArray != 0 {
			if off < 0 {
				off += a.arr.end()
			}
			if off >= 0 {
				p := 0
				for p < a.arr.len() && a.arr.key(p) < off {
					p++
				}
				off = int64(p)
			}
		} else if off < 0 {
			off += int64(len(l))
		}
	}
	if off < 0 || off > int64(len(l)) {
		v.l, v.set = nil, false
		return v
	}
	l = l[off:]
	if has && ln < int64(len(l)) {
		l = l[:ln]
	}
	v.l, v.set = l, len(l) > 0
	return v
}

// substr returns the characters from..to of s.
func (sh *Shell) substr(s string, from, to int) string {
	if len(s) == sh.charLen(s) {
		return s[from:to]
	}
	i, k := 0, 0
	start := 0
	for ; k < to; k++ {
		if k == from {
			start = i
		}
		i += runeLen(s[i:])
	}
	if from == to {
		return ""
	}
	return s[start:i]
}

func runeLen(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// indirect expands ${!name}.
func (sh *Shell) indirect(e *paramExp, quoted bool) value {
	// Of a nameref the name it refers to is wanted.
	if e.sub == nil && e.special == 0 && e.pos < 0 {
		if v := sh.v(e.id); v != nil && v.flags&vRef != 0 {
			return value{s: v.s, set: v.flags&vSet != 0}
		}
	}
	plain := *e
	plain.indirect, plain.op, plain.length = false, opNone, false
	v := sh.paramValue(&plain)
	name := v.s
	if v.list {
		name = joinStrings(v.l, " ")
	}
	if !v.set && e.special == 0 && e.pos < 0 {
		sh.expandError(e.name + ": invalid indirect expansion")
		return value{}
	}
	if !v.set || name == "" {
		if e.op == opDefault || e.op == opAlt || e.op == opAssign || e.op == opError {
			return sh.conditional(e, value{})
		}
		if !v.set && e.special == 0 {
			sh.expandError(e.name + ": invalid indirect expansion")
		} else {
			sh.expandError(name + ": invalid variable name")
		}
		return value{}
	}
	t := *e
	t.indirect, t.special, t.pos, t.sub, t.id = false, 0, -1, nil, 0
	t.name = name
	switch {
	case validName(name):
		t.id = sh.rt.intern(name)
	case isDigit(name[0]):
		n, ok := canonicalInt(name)
		if !ok {
			sh.expandError(name + ": invalid variable name")
			return value{}
		}
		t.pos = int(n)
	case len(name) == 1 && strings.IndexByte("@*#?-$!", name[0]) >= 0:
		t.special = name[0]
	default:
		i := strings.IndexByte(name, '[')
		if i <= 0 || name[len(name)-1] != ']' || !validName(name[:i]) {
			sh.expandError(name + ": invalid variable name")
			return value{}
		}
		t.name = name[:i]
		t.id = sh.rt.intern(name[:i])
		t.sub = sh.rt.subscriptText(name[i+1 : len(name)-1])
	}
	return sh.evalParam(&t, quoted)
}

// namesWith returns the sorted names of set variables with a prefix.
func (sh *Shell) namesWith(prefix string) []string {
	var l []string
	for i, v := range sh.slots {
		if v != nil && strings.HasPrefix(sh.rt.names[i], prefix) && v.flags&(vSet|vArray|vAssoc|vDyn) != 0 {
			l = append(l, sh.rt.names[i])
		}
	}
	slices.Sort(l)
	return l
}
