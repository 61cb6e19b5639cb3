// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import "strconv"

// sym is the number of a name, equal in all shells of a Runtime.
type sym = int32

type vflag uint32

const (
	vSet vflag = 1 << iota // has a value
	vStr                   // s is the value
	vNum                   // n is the value, whose text is its decimal form
	vExport
	vReadonly
	vInteger
	vLower
	vUpper
	vCapital
	vRef   // s names another variable
	vArray // arr
	vAssoc // m
	vDyn   // dyn computes it
	vHook  // an assignment has effects: Shell.assigned
	vTrace
	vLocal  // made by local
	vDecl   // declared without a value
	vFilled // an array that has been assigned
	vTemp   // set for one command

	vValue = vSet | vStr | vNum
	vPlain = vValue | vLocal | vDecl // no attribute needs a look
)

// Var is a variable. It belongs to the shell whose generation it carries; every
// other shell that sees it copies it before a write, so that a subshell is made
// by copying pointers.
type Var struct {
	gen   uint32
	flags vflag
	n     int64
	s     string
	arr   *array
	m     *assoc
	dyn   *dynVar
}

// dynVar is a variable whose value is computed, such as RANDOM.
type dynVar struct {
	get func(sh *Shell) string
	set func(sh *Shell, s string) // nil: assignments have no effect
}

// text returns the value as a string, of an array the element 0.
func (v *Var) text(sh *Shell) string {
	switch f := v.flags; {
	case f&vStr != 0:
		return v.s
	case f&vNum != 0:
		v.s = itoa(v.n)
		v.flags |= vStr
		return v.s
	case f&vDyn != 0:
		return v.dyn.get(sh)
	case f&vArray != 0:
		s, _ := v.arr.get(0)
		return s
	case f&vAssoc != 0:
		s, _ := v.m.get("0")
		return s
	}
	return ""
}

// isSet reports whether the variable has a value.
func (v *Var) isSet() bool {
	switch f := v.flags; {
	case f&(vSet|vDyn) != 0:
		return true
	case f&vArray != 0:
		_, ok := v.arr.get(0)
		return ok
	case f&vAssoc != 0:
		_, ok := v.m.get("0")
		return ok
	}
	return false
}

var smallInts = [...]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}

func itoa(n int64) string {
	if n >= 0 && n < 10 {
		return smallInts[n]
	}
	return strconv.FormatInt(n, 10)
}

// canonicalInt parses s where it is the decimal form of a number.
func canonicalInt(s string) (int64, bool) {
	if len(s) == 0 || len(s) > 18 {
		return 0, false
	}
	i := 0
	if s[0] == '-' {
		i = 1
	}
	if i == len(s) || s[i] == '0' && len(s) > 1 {
		return 0, false
	}
	n := int64(0)
	for ; i < len(s); i++ {
		c := s[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = n*10 + int64(c)
	}
	if s[0] == '-' {
		n = -n
	}
	return n, true
}

// v returns the variable of a name, or nil.
func (sh *Shell) v(id sym) *Var {
	if int(id) < len(sh.slots) {
		return sh.slots[id]
	}
	return nil
}

// slot returns the place of a variable, growing the table.
func (sh *Shell) slot(id sym) **Var {
	if int(id) >= len(sh.slots) {
		n := make([]*Var, max(len(sh.rt.names), int(id)+1)+32)
		copy(n, sh.slots)
		sh.slots = n
	}
	return &sh.slots[id]
}

// own returns the variable for writing, making it where there is none.
func (sh *Shell) own(id sym) *Var {
	p := sh.slot(id)
	v := *p
	if v == nil {
		v = &Var{gen: sh.gen}
		*p = v
		if sh.opts.allexport {
			v.flags |= vExport
		}
	} else if v.gen != sh.gen {
		v = v.clone(sh.gen)
		*p = v
	}
	return v
}

func (v *Var) clone(gen uint32) *Var {
	c := *v
	c.gen = gen
	if c.arr != nil {
		c.arr = c.arr.clone()
	}
	if c.m != nil {
		c.m = c.m.clone()
	}
	return &c
}

// get returns the text of a variable and whether it is set, following
// namerefs.
func (sh *Shell) get(id sym) (string, bool) {
	v := sh.v(id)
	if v == nil {
		return "", false
	}
	if v.flags&vRef != 0 {
		r := sh.deref(id)
		if r.sub != nil {
			return sh.element(r.id, r.sub)
		}
		if r.id < 0 {
			return "", false
		}
		if v = sh.v(r.id); v == nil {
			return "", false
		}
	}
	if !v.isSet() {
		return "", false
	}
	return v.text(sh), true
}

// getName is get by name.
func (sh *Shell) getName(name string) (string, bool) {
	if id, ok := sh.rt.syms[name]; ok {
		return sh.get(id)
	}
	return "", false
}

// target is where a nameref leads.
type target struct {
	id  sym // -1: nowhere
	sub *subscript
}

// deref follows the namerefs that start at id.
func (sh *Shell) deref(id sym) target {
	for range 100 {
		v := sh.v(id)
		if v == nil || v.flags&vRef == 0 || v.flags&vSet == 0 {
			return target{id: id}
		}
		name := v.text(sh)
		if i := indexByte(name, '['); i > 0 && name[len(name)-1] == ']' {
			base := sh.rt.intern(name[:i])
			return target{id: base, sub: sh.rt.subscriptText(name[i+1 : len(name)-1])}
		}
		next := sh.rt.intern(name)
		if next == id {
			// A reference to its own name in an outer scope.
			return target{id: id}
		}
		id = next
	}
	sh.warn(sh.rt.names[id] + ": circular name reference")
	return target{id: -1}
}

// set assigns s to a variable and reports whether it could.
func (sh *Shell) set(id sym, s string) bool {
	v := sh.v(id)
	if v != nil && v.gen == sh.gen && v.flags&^vPlain == 0 && !sh.opts.allexport {
		v.s = s
		v.flags = v.flags&^vValue | vSet | vStr
		return true
	}
	return sh.setSlow(id, s)
}

// setInt assigns a number.
func (sh *Shell) setInt(id sym, n int64) bool {
	v := sh.v(id)
	if v != nil && v.gen == sh.gen && v.flags&^vPlain == 0 && !sh.opts.allexport {
		v.n = n
		v.flags = v.flags&^vValue | vSet | vNum
		return true
	}
	return sh.setSlow(id, itoa(n))
}

func (sh *Shell) setSlow(id sym, s string) bool {
	if v := sh.v(id); v != nil {
		if v.flags&vRef != 0 {
			if v.flags&vSet == 0 {
				return sh.setRef(id, s)
			}
			t := sh.deref(id)
			if t.id < 0 {
				return false
			}
			if t.sub != nil {
				return sh.setElement(t.id, t.sub, s, false)
			}
			if t.id != id {
				return sh.set(t.id, s)
			}
		}
		if v.flags&vReadonly != 0 {
			sh.readonlyError(id)
			return false
		}
		if v.flags&vDyn != 0 {
			if v.dyn.set != nil {
				v.dyn.set(sh, s)
			}
			return true
		}
	}
	v := sh.own(id)
	s, ok := sh.attributed(v, s)
	if !ok {
		return false
	}
	switch {
	case v.flags&vArray != 0:
		v.arr.set(0, s)
	case v.flags&vAssoc != 0:
		v.m.set("0", s)
	default:
		v.s = s
		v.flags = v.flags&^vValue | vSet | vStr
	}
	if sh.opts.allexport {
		v.flags |= vExport
	}
	if v.flags&vExport != 0 {
		sh.envOK = false
	}
	if v.flags&vHook != 0 {
		sh.assigned(id)
	}
	return true
}

// attributed applies the attributes of v to a value: -i, -l, -u, -c.
func (sh *Shell) attributed(v *Var, s string) (string, bool) {
	if v.flags&(vInteger|vLower|vUpper|vCapital) == 0 {
		return s, true
	}
	if v.flags&vInteger != 0 {
		n, ok := sh.evalText(s)
		if !ok {
			return s, false
		}
		s = itoa(n)
	}
	switch {
	case v.flags&vLower != 0:
		s = lowerString(s)
	case v.flags&vUpper != 0:
		s = upperString(s)
	case v.flags&vCapital != 0:
		s = capitalString(s)
	}
	return s, true
}

// setName assigns by name.
func (sh *Shell) setName(name, s string) bool { return sh.set(sh.rt.intern(name), s) }

// setRef makes id, a nameref without target, refer to name.
func (sh *Shell) setRef(id sym, name string) bool {
	if !validRef(name) {
		sh.errorf(name + ": invalid variable name for name reference")
		return false
	}
	v := sh.own(id)
	v.s = name
	v.flags |= vSet | vStr
	return true
}

// validRef reports whether name may be what a nameref refers to.
func validRef(name string) bool {
	if i := indexByte(name, '['); i > 0 && name[len(name)-1] == ']' {
		name = name[:i]
	}
	return validName(name)
}

// unset removes a variable. It reports false for a readonly one.
func (sh *Shell) unset(id sym) bool {
	v := sh.v(id)
	if v == nil {
		return true
	}
	if v.flags&vReadonly != 0 {
		return false
	}
	if v.flags&vExport != 0 {
		sh.envOK = false
	}
	hook := v.flags&vHook != 0
	// A local of a caller uncovers what it hid.
	if v.flags&vLocal != 0 && sh.frame != nil && !sh.frame.has(id) {
		sh.ownFrames()
		for f := sh.frame.prev; f != nil; f = f.prev {
			if i := f.index(id); i >= 0 {
				sh.slots[id] = f.saved[i].v
				f.saved = append(f.saved[:i:i], f.saved[i+1:]...)
				return true
			}
		}
	}
	if hook {
		n := &Var{gen: sh.gen, flags: vHook}
		sh.slots[id] = n
		sh.assigned(id)
		return true
	}
	sh.slots[id] = nil
	return true
}

func (sh *Shell) readonlyError(id sym) {
	sh.errorf(sh.rt.names[id] + ": readonly variable")
	sh.assignFailed = true
}

func indexByte(s string, c byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return i
		}
	}
	return -1
}

// validName reports whether s is a variable's name.
func validName(s string) bool {
	if s == "" || !isNameStart(s[0]) {
		return false
	}
	for i := 1; i < len(s); i++ {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return true
}

func isNameStart(c byte) bool { return c == '_' || c|32 >= 'a' && c|32 <= 'z' }
func isDigit(c byte) bool     { return c >= '0' && c <= '9' }
func isNameByte(c byte) bool  { return isNameStart(c) || isDigit(c) }
