// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import "strings"

// transform evaluates ${name@op}.
func (sh *Shell) transform(e *paramExp, v value, quoted bool) value {
	op := e.transf
	switch op {
	case 'A':
		return sh.assignForm(e, v)
	case 'a':
		return sh.attributeForm(e, v)
	case 'K', 'k':
		if e.sub != nil && e.sub.kind != subExpr {
			keys, vals := sh.keysOf(e.id), sh.elements(e.id)
			if op == 'k' {
				l := make([]string, 0, 2*len(keys))
				for i := range keys {
					l = append(l, keys[i], vals[i])
				}
				v.l = l
				return v
			}
			var b strings.Builder
			isAssoc := false
			if x := sh.v(sh.deref(e.id).id); x != nil {
				isAssoc = x.flags&vAssoc != 0
			}
			for i := range keys {
				if i > 0 {
					b.WriteByte(' ')
				}
				if isAssoc {
					b.WriteString(declKey(keys[i]))
				} else {
					b.WriteString(keys[i])
				}
				b.WriteByte(' ')
				b.WriteString(declQuoted(vals[i]))
			}
			return value{s: b.String(), set: true}
		}
		op = 'Q'
	}
	f := func(s string) string {
		switch op {
		case 'U':
			return upperString(s)
		case 'u':
			return changeCase(s, opCaseUp, false, nil)
		case 'L':
			return lowerString(s)
		case 'Q':
			return singleQuoted(s)
		case 'E':
			return ansiC(s)
		case 'P':
			return sh.prompt(s)
		}
		return s
	}
	if !v.list {
		if v.set {
			v.s = f(v.s)
		}
		return v
	}
	l := make([]string, len(v.l))
	for i, s := range v.l {
		l[i] = f(s)
	}
	v.l = l
	return v
}

// assignForm evaluates ${name@A}: a command that makes the variable anew.
func (sh *Shell) assignForm(e *paramExp, v value) value {
	if e.special == '@' || e.special == '*' {
		var b strings.Builder
		b.WriteString("set --")
		for _, s := range v.l {
			b.WriteByte(' ')
			b.WriteString(singleQuoted(s))
		}
		return value{s: b.String(), set: true}
	}
	if e.special != 0 || e.pos >= 0 {
		return value{}
	}
	t := sh.deref(e.id)
	if t.id < 0 {
		return value{}
	}
	x := sh.v(t.id)
	if x == nil {
		return value{}
	}
	name := sh.rt.names[t.id]
	if x.flags&(vArray|vAssoc) != 0 && e.sub != nil && e.sub.kind != subExpr {
		return value{s: sh.declaration(t.id, x), set: true}
	}
	if !v.set && x.flags&(vArray|vAssoc) == 0 && x.flags&^(vLocal|vValue) == 0 {
		return value{}
	}
	s := ""
	if fl := attrFlags(x); fl != "" {
		s = "declare -" + fl + " "
	}
	s += name
	if v.set {
		s += "=" + singleQuoted(v.s)
	}
	return value{s: s, set: true}
}

func (sh *Shell) attributeForm(e *paramExp, v value) value {
	if e.special != 0 || e.pos >= 0 {
		return value{set: true}
	}
	x := sh.v(sh.deref(e.id).id)
	s := ""
	if x != nil {
		s = attrFlags(x)
	}
	if v.list {
		l := make([]string, len(v.l))
		for i := range l {
			l[i] = s
		}
		v.l = l
		return v
	}
	return value{s: s, set: true}
}

// attrFlags returns the letters of a variable's attributes in bash's order.
func attrFlags(v *Var) string {
	b := make([]byte, 0, 8)
	for _, a := range [...]struct {
		f vflag
		c byte
	}{{vArray, 'a'}, {vAssoc, 'A'}, {vInteger, 'i'}, {vRef, 'n'}, {vReadonly, 'r'}, {vTrace, 't'}, {vExport, 'x'}, {vCapital, 'c'}, {vLower, 'l'}, {vUpper, 'u'}} {
		if v.flags&a.f != 0 {
			b = append(b, a.c)
		}
	}
	return string(b)
}

// declKey quotes a key of an associative array where it must be.
func declKey(k string) string {
	if k == "" || strings.ContainsAny(k, " \t\n'\"\\$`|&;()<>*?[]{}!^~#@=") || hasControl(k) {
		return declQuoted(k)
	}
	return k
}

// declaration returns the declare command that makes a variable.
func (sh *Shell) declaration(id sym, v *Var) string {
	var b strings.Builder
	b.WriteString("declare -")
	if fl := attrFlags(v); fl != "" {
		b.WriteString(fl)
	} else {
		b.WriteByte('-')
	}
	b.WriteByte(' ')
	b.WriteString(sh.rt.names[id])
	switch {
	case v.flags&vDyn != 0 && v.flags&vArray == 0:
		b.WriteString("=" + declQuoted(v.text(sh)))
	case v.flags&(vArray|vAssoc) != 0:
		keys, vals := sh.keysOf(id), sh.elements(id)
		if v.flags&(vFilled|vDyn) == 0 && len(keys) == 0 {
			break
		}
		b.WriteString("=(")
		for i := range keys {
			if i > 0 {
				b.WriteByte(' ')
			}
			if v.flags&vAssoc != 0 {
				b.WriteString("[" + declKey(keys[i]) + "]=" + declQuoted(vals[i]))
			} else {
				b.WriteString("[" + keys[i] + "]=" + declQuoted(vals[i]))
			}
		}
		if v.flags&vAssoc != 0 && len(keys) > 0 {
			b.WriteByte(' ')
		}
		b.WriteByte(')')
	case v.isSet():
		b.WriteString("=" + declQuoted(v.text(sh)))
	}
	return b.String()
}
