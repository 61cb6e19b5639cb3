// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import "strings"

// key returns the key a subscript stands for in an associative array.
func (sh *Shell) key(s *subscript) string {
	if s.lit {
		return s.keyS
	}
	if s.key == nil {
		if !strings.ContainsAny(s.text, "\\'\"$`~") {
			s.lit, s.keyS = true, s.text
			return s.keyS
		}
		s.key = sh.parseText(s.text, sh.line)
	}
	return sh.text(s.key)
}

// index evaluates a subscript as an index of an array whose end is given.
func (sh *Shell) index(id sym, s *subscript, end int64) (int64, bool) {
	if s.ar == nil {
		c := &compiler{sh: sh, rt: sh.rt}
		s.ar = c.arith(s.text)
	}
	n, ok := sh.evalArith(s.ar)
	if !ok {
		sh.arithFailed()
		return 0, false
	}
	if n < 0 {
		n += end
		if n < 0 {
			sh.errorf(sh.rt.names[id] + "[" + s.text + "]: bad array subscript")
			return 0, false
		}
	}
	return n, true
}

// element returns an array element.
func (sh *Shell) element(id sym, s *subscript) (string, bool) {
	t := sh.deref(id)
	if t.id < 0 || t.sub != nil {
		return "", false
	}
	id = t.id
	v := sh.v(id)
	if v == nil {
		// The subscript is evaluated for its errors and effects.
		if s.kind == subExpr {
			sh.index(id, s, 1<<62)
		}
		return "", false
	}
	if s.kind != subExpr {
		l := sh.elements(id)
		return joinStrings(l, " "), len(l) > 0
	}
	if v.flags&vAssoc != 0 {
		return v.m.get(sh.key(s))
	}
	if v.flags&vDyn != 0 {
		if l, ok := sh.dynElements(id); ok {
			n, ok := sh.index(id, s, int64(len(l)))
			if !ok || n >= int64(len(l)) {
				return "", false
			}
			return l[n], true
		}
	}
	end := int64(1)
	if v.flags&vArray != 0 {
		end = v.arr.end()
	}
	n, ok := sh.index(id, s, end)
	if !ok {
		return "", false
	}
	// Evaluating the subscript may have changed the variable.
	if v = sh.v(id); v == nil {
		return "", false
	}
	if v.flags&vArray != 0 {
		return v.arr.get(n)
	}
	if n == 0 && v.isSet() {
		return v.text(sh), true
	}
	return "", false
}

// setElement assigns an array element, making the variable an array.
func (sh *Shell) setElement(id sym, s *subscript, val string, appendTo bool) bool {
	t := sh.deref(id)
	if t.id < 0 {
		return false
	}
	id = t.id
	v := sh.v(id)
	if v != nil && v.flags&vReadonly != 0 {
		sh.readonlyError(id)
		return false
	}
	if v != nil && v.flags&vDyn != 0 {
		return true
	}
	if v != nil && v.flags&vAssoc != 0 {
		k := s.text
		if s.kind == subExpr {
			k = sh.key(s)
		}
		if k == "" {
			sh.errorf(sh.rt.names[id] + "[" + s.text + "]: bad array subscript")
			return false
		}
		v = sh.own(id)
		old, _ := v.m.get(k)
		val, ok := sh.combined(v, old, val, appendTo)
		if !ok {
			return false
		}
		v.m.set(k, val)
		v.flags |= vFilled
		return true
	}
	if s.kind != subExpr || s.text == "" {
		sh.errorf(sh.rt.names[id] + "[" + s.text + "]: bad array subscript")
		return false
	}
	end := int64(1)
	if v != nil && v.flags&vArray != 0 {
		end = v.arr.end()
	} else if v == nil || !v.isSet() {
		end = 0
	}
	n, ok := sh.index(id, s, end)
	if !ok {
		return false
	}
	v = sh.own(id)
	v.toArray()
	old, _ := v.arr.get(n)
	if val, ok = sh.combined(v, old, val, appendTo); !ok {
		return false
	}
	v.arr.set(n, val)
	v.flags |= vFilled
	sh.envOK = sh.envOK && v.flags&vExport == 0
	return true
}

// combined applies += and the attributes to a new value.
func (sh *Shell) combined(v *Var, old, val string, appendTo bool) (string, bool) {
	if appendTo {
		if v.flags&vInteger != 0 {
			a, ok := sh.evalText(old)
			if !ok {
				return "", false
			}
			b, ok := sh.evalText(val)
			if !ok {
				return "", false
			}
			return itoa(a + b), true
		}
		val = old + val
	}
	return sh.attributed(v, val)
}

// toArray makes a variable an indexed array, its value the element 0.
func (v *Var) toArray() {
	if v.flags&vArray != 0 {
		return
	}
	a := &array{}
	if v.flags&vSet != 0 {
		s := v.s
		if v.flags&vStr == 0 {
			s = itoa(v.n)
		}
		a.set(0, s)
	}
	if v.flags&vSet != 0 {
		v.flags |= vFilled
	}
	v.arr = a
	v.s = ""
	v.flags = v.flags&^vValue | vArray
}

// toAssoc makes a variable an associative array.
func (v *Var) toAssoc() {
	if v.flags&vAssoc != 0 {
		return
	}
	m := newAssoc()
	if v.flags&vSet != 0 {
		s := v.s
		if v.flags&vStr == 0 {
			s = itoa(v.n)
		}
		m.set("0", s)
	}
	v.m = m
	v.s = ""
	v.flags = v.flags&^vValue | vAssoc
}

// unsetElement removes an element.
func (sh *Shell) unsetElement(id sym, s *subscript) bool {
	t := sh.deref(id)
	if t.id < 0 {
		return false
	}
	id = t.id
	v := sh.v(id)
	if v == nil {
		return true
	}
	if v.flags&vReadonly != 0 {
		sh.errorf("unset: " + sh.rt.names[id] + ": cannot unset: readonly variable")
		return false
	}
	switch {
	case v.flags&vAssoc != 0:
		k := s.text
		if s.kind == subExpr {
			k = sh.key(s)
		}
		v = sh.own(id)
		v.m.del(k)
		return true
	case s.kind != subExpr:
		if v.flags&vArray != 0 {
			v = sh.own(id)
			v.arr = &array{}
			return true
		}
		return sh.unset(id)
	case v.flags&vArray != 0:
		n, ok := sh.index(id, s, v.arr.end())
		if !ok {
			return false
		}
		v = sh.own(id)
		v.arr.del(n)
		return true
	}
	n, ok := sh.index(id, s, 1)
	if !ok {
		return false
	}
	if n != 0 {
		sh.errorf("unset: " + sh.rt.names[id] + ": not an array variable")
		return false
	}
	return sh.unset(id)
}

// assignArray assigns a compound value name=(...).
func (sh *Shell) assignArray(id sym, lit *arrayLit, appendTo bool) bool {
	t := sh.deref(id)
	if t.id < 0 {
		return false
	}
	id = t.id
	if v := sh.v(id); v != nil && v.flags&vReadonly != 0 {
		sh.readonlyError(id)
		return false
	} else if v != nil && v.flags&vDyn != 0 {
		return true
	}
	// The elements are expanded before the old value goes.
	type item struct {
		sub    *subscript
		val    string
		append bool
	}
	var items []item
	for _, el := range lit.elems {
		if el.sub != nil {
			items = append(items, item{el.sub, sh.text(el.val), el.append})
			if sh.expandFailed {
				return false
			}
			continue
		}
		l, ok := sh.fieldsOf([]*word{el.val})
		if !ok {
			return false
		}
		for _, s := range l {
			items = append(items, item{val: s})
		}
	}
	v := sh.own(id)
	isAssoc := v.flags&vAssoc != 0
	switch {
	case isAssoc && !appendTo:
		v.m = newAssoc()
	case isAssoc:
	case !appendTo:
		v.arr = &array{}
		v.s = ""
		v.flags = v.flags&^vValue | vArray
	default:
		v.toArray()
	}
	v.flags |= vFilled
	sh.envOK = false
	if isAssoc {
		return sh.fillAssoc(id, v, len(items), func(i int) (*subscript, string, bool) {
			return items[i].sub, items[i].val, items[i].append
		})
	}
	next := v.arr.end()
	for _, it := range items {
		if it.sub != nil {
			if it.sub.text == "" || it.sub.kind != subExpr {
				sh.errorf("[" + it.sub.text + "]=" + it.val + ": bad array subscript")
				continue
			}
			n, ok := sh.index(id, it.sub, v.arr.end())
			if !ok {
				return false
			}
			next = n
		}
		old, _ := v.arr.get(next)
		s, ok := sh.combined(v, old, it.val, it.append)
		if !ok {
			return false
		}
		v.arr.set(next, s)
		next++
	}
	if v.flags&vHook != 0 {
		sh.assigned(id)
	}
	return true
}

func (sh *Shell) fillAssoc(id sym, v *Var, n int, at func(int) (*subscript, string, bool)) bool {
	pairs := true
	if n > 0 {
		first, _, _ := at(0)
		pairs = first == nil
	}
	for i := 0; i < n; i++ {
		sub, val, app := at(i)
		key := val
		if sub != nil {
			key = sh.key(sub)
			if sub.kind != subExpr {
				key = sub.text
			}
		} else if !pairs {
			sh.errorf(sh.rt.names[id] + ": " + val + ": must use subscript when assigning associative array")
			continue
		} else {
			// A list of alternating keys and values.
			val = ""
			if i+1 < n {
				if s2, v2, _ := at(i + 1); s2 == nil {
					val = v2
					i++
				}
			}
		}
		if key == "" {
			sh.errorf(sh.rt.names[id] + ": bad array subscript")
			continue
		}
		old, _ := v.m.get(key)
		s, ok := sh.combined(v, old, val, app)
		if !ok {
			return false
		}
		v.m.set(key, s)
	}
	return true
}
