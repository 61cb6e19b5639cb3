// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"
)

// setNamed assigns to a name that may have a subscript.
func (sh *Shell) setNamed(name, s string) bool {
	if i := strings.IndexByte(name, '['); i > 0 && name[len(name)-1] == ']' {
		return sh.setElement(sh.rt.intern(name[:i]), sh.rt.subscriptText(name[i+1:len(name)-1]), s, false)
	}
	return sh.setName(name, s)
}

// setArray makes a variable an indexed array of the given elements.
func (sh *Shell) setArray(id sym, l []string) bool {
	t := sh.deref(id)
	if t.id < 0 {
		return false
	}
	if v := sh.v(t.id); v != nil && v.flags&vReadonly != 0 {
		sh.readonlyError(t.id)
		return false
	} else if v != nil && v.flags&vAssoc != 0 {
		sh.errorf(sh.rt.names[t.id] + ": cannot convert associative to indexed array")
		return false
	}
	v := sh.own(t.id)
	v.arr = &array{vals: l}
	v.s = ""
	v.flags = v.flags&^vValue | vArray | vFilled
	for i := range l {
		s, ok := sh.attributed(v, l[i])
		if !ok {
			return false
		}
		l[i] = s
	}
	return true
}

func biMapfile(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "d:n:O:s:tu:C:c:")
	if !ok {
		return 2
	}
	num := func(c byte, dflt int64) (int64, bool) {
		s, ok := f.arg[c]
		if !ok {
			return dflt, true
		}
		n, ok := canonicalInt(s)
		if !ok || n < 0 {
			sh.errorf(args[0] + ": " + s + ": invalid number")
		}
		return n, ok && n >= 0
	}
	count, ok1 := num('n', 0)
	origin, ok2 := num('O', 0)
	skip, ok3 := num('s', 0)
	fd, ok4 := num('u', 0)
	quantum, ok5 := num('c', 5000)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 {
		return 1
	}
	if sh.fd(int(fd)) == nil {
		return sh.builtinError(args[0], itoa(fd)+": invalid file descriptor: Bad file descriptor")
	}
	name := "MAPFILE"
	if len(rest) > 0 {
		name = rest[0]
	}
	if !validName(name) {
		return sh.builtinError(args[0], "`"+name+"': not a valid identifier")
	}
	id := sh.rt.intern(name)
	delim := byte('\n')
	if d, ok := f.arg['d']; ok {
		delim = 0
		if d != "" {
			delim = d[0]
		}
	}
	if v := sh.v(sh.deref(id).id); v != nil && v.flags&vAssoc != 0 {
		return sh.builtinError(args[0], name+": not an indexed array")
	}
	if !f.on['O'] {
		if !sh.setArray(id, nil) {
			return 1
		}
	}
	r := sh.newReader(int(fd))
	at := origin
	for n := int64(0); count == 0 || n < count+skip; n++ {
		line, _, got := r.record(delim, true, -1, false)
		if !got && len(line) == 0 {
			break
		}
		if n < skip {
			if !got {
				break
			}
			continue
		}
		if got && !f.on['t'] && delim != 0 {
			line = append(line, delim)
		}
		if cb, ok := f.arg['C']; ok && (n-skip+1)%max(quantum, 1) == 0 {
			sh.evalString(cb + " " + itoa(at) + " " + singleQuoted(string(line)))
		}
		t := sh.own(sh.deref(id).id)
		t.toArray()
		t.arr.set(at, string(line))
		at++
		if !got || sh.ctl != ctlNone {
			break
		}
	}
	return 0
}

// evalString runs a text as eval does.
func (sh *Shell) evalString(text string) int {
	return biEval(sh, []string{"eval", text})
}
