// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"slices"
	"strings"
	"unicode/utf8"
)

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
