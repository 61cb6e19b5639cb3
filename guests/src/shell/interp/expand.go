// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"github.com/wsandbox/wsandbox/guests/src/shell/pattern"
)

// ifsTable classifies bytes for word expansion.
type ifsTable struct {
	class [256]uint8
	first string // the separator of "$*"
	dflt  bool   // space, tab, newline
}

const (
	chSpace uint8 = 1 << iota // IFS white space
	chDelim                   // other IFS character
	chGlob                    // special in patterns
	chBack
)

func (t *ifsTable) init(ifs string, set bool) {
	t.class = [256]uint8{}
	t.dflt = !set || ifs == " \t\n"
	if !set {
		ifs = " \t\n"
	}
	for i := range len(ifs) {
		switch c := ifs[i]; c {
		case ' ', '\t', '\n':
			t.class[c] |= chSpace
		default:
			t.class[c] |= chDelim
		}
	}
	t.first = ifs
	if ifs != "" {
		t.first = ifs[:runeLen(ifs)]
	}
	for _, c := range "*?[" {
		t.class[c] |= chGlob
	}
	t.class['('] |= chGlob
	t.class['\\'] |= chBack
}

// plain reports whether an unquoted expansion of s is one field as it is.
func (t *ifsTable) plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if t.class[s[i]] != 0 {
			return false
		}
	}
	return s != ""
}

// fields builds the fields of words.
type fields struct {
	sh    *Shell
	out   []string
	buf   []byte
	spans []int // quoted parts of buf with special characters: from, to, ...
	any   bool  // the field exists even when empty
	glob  bool  // an unquoted special character
	ws    bool  // the last field was ended by white space, nothing since
}

// expandWords appends the fields of words to sh.args and reports false where an
// expansion failed.
func (sh *Shell) expandWords(ws []*word) bool {
	for _, w := range ws {
		switch w.kind {
		case wLit:
			if !w.meta && !w.brace {
				sh.args = append(sh.args, w.lit)
				continue
			}
		case wVar:
			v := sh.v(w.id)
			if v != nil && v.flags&(vStr|vNum) != 0 && v.flags&vRef == 0 {
				if s := v.text(sh); sh.ifs.plain(s) {
					sh.args = append(sh.args, s)
					continue
				}
			}
		case wQVar:
			v := sh.v(w.id)
			if v != nil && v.flags&(vStr|vNum) != 0 && v.flags&vRef == 0 {
				sh.args = append(sh.args, v.text(sh))
				continue
			}
		}
		if !sh.expandWord(w) {
			return false
		}
	}
	return true
}

func (sh *Shell) expandWord(w *word) bool {
	f := &sh.fieldsRec
	nested := sh.fieldsBusy
	if nested {
		f = &fields{}
	}
	sh.fieldsBusy = true
	f.sh = sh
	f.out = sh.args
	f.buf, f.spans = f.buf[:0], f.spans[:0]
	f.any, f.glob, f.ws = false, false, false
	sh.args = nil // nested expansions build their own list
	ok := true
	if w.brace {
		ok = f.braced(w.parts)
	} else {
		f.parts(w.parts, false)
		f.end(false)
	}
	sh.args = f.out
	f.out = nil
	sh.fieldsBusy = nested
	return ok && !sh.expandFailed
}

// end finishes the current field, which is made even when empty where force is
// set.
func (f *fields) end(force bool) {
	if len(f.buf) == 0 && !f.any && !force {
		return
	}
	if f.glob && !f.sh.opts.noglob {
		pat := f.pattern()
		if pattern.HasMeta(pat, f.sh.patFlags()) {
			f.out = f.sh.glob(f.out, pat, string(f.buf))
			f.reset()
			return
		}
	}
	f.out = append(f.out, string(f.buf))
	f.reset()
}

func (f *fields) reset() {
	f.buf, f.spans = f.buf[:0], f.spans[:0]
	f.any, f.glob = false, false
}

// pattern returns the field as a pattern, its quoted parts escaped.
func (f *fields) pattern() string {
	var b []byte
	at := 0
	for i := 0; i < len(f.spans); i += 2 {
		b = append(b, f.buf[at:f.spans[i]]...)
		b = pattern.AppendEscaped(b, string(f.buf[f.spans[i]:f.spans[i+1]]))
		at = f.spans[i+1]
	}
	return string(append(b, f.buf[at:]...))
}

func (f *fields) quoted(s string) {
	f.any, f.ws = true, false
	if s == "" {
		return
	}
	n := len(f.buf)
	if n+len(s) > maxString {
		f.sh.expandError("expansion: result too long")
		return
	}
	f.buf = append(f.buf, s...)
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '*', '?', '[', ']', '\\', '(', ')', '|', '!', '+', '@', '-', '^':
			if k := len(f.spans); k > 0 && f.spans[k-1] == n {
				f.spans[k-1] = len(f.buf)
			} else {
				f.spans = append(f.spans, n, len(f.buf))
			}
			return
		}
	}
}

// split adds the result of an unquoted expansion.
//
// POSIX: XCU 2.6.5 Field Splitting.
func (f *fields) split(s string) {
	cl := &f.sh.ifs.class
	for i := 0; i < len(s); {
		j := i
		for j < len(s) {
			c := cl[s[j]]
			if c&(chSpace|chDelim) != 0 {
				break
			}
			if c&chGlob != 0 {
				f.glob = true
			}
			j++
		}
		if j > i {
			if len(f.buf)+j-i > maxString {
				f.sh.expandError("expansion: result too long")
				return
			}
			f.buf = append(f.buf, s[i:j]...)
			f.ws = false
			i = j
			if i == len(s) {
				return
			}
		}
		// A delimiter: white space, with at most one other character.
		hard := false
		for i < len(s) && cl[s[i]]&chSpace != 0 {
			i++
		}
		space := i > j
		if i < len(s) && cl[s[i]]&chDelim != 0 && cl[s[i]]&chSpace == 0 {
			hard = true
			i++
			for i < len(s) && cl[s[i]]&chSpace != 0 {
				i++
				space = true
			}
		}
		had := len(f.buf) > 0 || f.any
		switch {
		case hard && !had && f.ws:
			f.ws = false // belongs to the white space before
		case hard:
			f.end(true)
			f.ws = false
		case had:
			f.end(false)
			f.ws = space
		}
	}
}

// list adds the elements of $@ or an array.
func (f *fields) list(l []string, quoted, star bool) {
	if quoted && star {
		f.quoted(joinStrings(l, f.sh.ifs.first))
		return
	}
	if !quoted && !f.sh.ifs.dflt && f.sh.ifs.first != "" && f.sh.ifs.class[f.sh.ifs.first[0]]&chSpace == 0 {
		// Empty elements count where a separator is no white space.
		f.split(joinStrings(l, f.sh.ifs.first))
		return
	}
	for i, s := range l {
		if i > 0 {
			f.end(quoted)
		}
		if quoted {
			f.quoted(s)
		} else {
			f.split(s)
		}
	}
}

// parts adds the parts of a word. splitLit says that unquoted literal text is
// the result of an expansion, as in ${x:-a b}.
func (f *fields) parts(ps []part, splitLit bool) {
	sh := f.sh
	for i := range ps {
		p := &ps[i]
		if sh.expandFailed || sh.ctl == ctlExit {
			return
		}
		switch p.kind {
		case pLit:
			switch {
			case p.quoted:
				f.quoted(p.lit)
			case splitLit:
				f.split(p.lit)
			default:
				f.buf = append(f.buf, p.lit...)
				f.glob = f.glob || p.meta
				f.ws = false
			}
		case pVar:
			s, set := sh.get(p.id)
			if !set {
				if sh.opts.nounset {
					sh.unbound(sh.rt.names[p.id])
					return
				}
				if p.quoted {
					f.any = true
				}
				continue
			}
			if p.quoted {
				f.quoted(s)
			} else {
				f.split(s)
			}
		case pParam:
			f.param(p)
		case pCmd:
			s := sh.substitute(p.cmd)
			if p.quoted {
				f.quoted(s)
			} else {
				f.split(s)
			}
		case pArith:
			n, ok := sh.evalArith(p.ar)
			if !ok {
				sh.arithFailed()
				return
			}
			if s := itoa(n); p.quoted {
				f.quoted(s)
			} else {
				f.split(s)
			}
		case pTilde:
			f.quoted(sh.tilde(p.lit))
		case pProc:
			f.quoted(sh.procSubst(p.cmd))
		}
	}
}

func (f *fields) param(p *part) {
	sh := f.sh
	e := p.pe
	v := sh.evalParam(e, p.quoted)
	if sh.expandFailed {
		return
	}
	if v.word != nil {
		if p.quoted {
			f.any = f.any || !hasList(v.word)
		}
		f.parts(v.word.partsFor(), !p.quoted)
		return
	}
	switch {
	case v.list:
		f.list(v.l, p.quoted, v.star)
	case p.quoted:
		f.quoted(v.s)
	default:
		f.split(v.s)
	}
}

// hasList reports whether a word may make no field at all, as "$@" does.
func hasList(w *word) bool {
	for i := range w.parts {
		if w.parts[i].kind == pParam {
			if e := w.parts[i].pe; e.special == '@' || e.sub != nil && e.sub.kind == subAt {
				return true
			}
		}
	}
	return false
}

// partsFor returns the parts also of a word made by hand.
func (w *word) partsFor() []part {
	if len(w.parts) == 0 && w.kind == wLit && w.lit != "" {
		return []part{{kind: pLit, lit: w.lit, meta: w.meta}}
	}
	return w.parts
}

// braced expands the braces of a word and adds the fields of each result.
func (f *fields) braced(ps []part) bool {
	if braceCount(ps) > maxBraces {
		f.sh.expandError("brace expansion: too many words")
		return false
	}
	return f.brace(nil, ps)
}

func (f *fields) brace(prefix, ps []part) bool {
	for i := range ps {
		if ps[i].kind != pBrace {
			continue
		}
		head := append(prefix[:len(prefix):len(prefix)], ps[:i]...)
		rest := ps[i+1:]
		br := ps[i].br
		if br.alts != nil {
			for _, a := range br.alts {
				all := append(a[:len(a):len(a)], rest...)
				if !f.brace(head, all) {
					return false
				}
			}
			return true
		}
		n := br.steps()
		for k := int64(0); k < n; k++ {
			if k&1023 == 1023 && f.sh.interrupted() {
				return false
			}
			if len(head) == 0 && len(rest) == 0 {
				f.out = append(f.out, br.item(k))
				continue
			}
			one := append(head[:len(head):len(head)], part{kind: pLit, lit: br.item(k)})
			if !f.brace(one, rest) {
				return false
			}
		}
		return true
	}
	all := append(prefix[:len(prefix):len(prefix)], ps...)
	var w word
	for _, p := range all {
		w.add(p)
	}
	tildes(&w, false)
	f.parts(w.parts, false)
	f.end(false)
	return !f.sh.expandFailed
}
