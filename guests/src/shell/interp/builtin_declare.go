// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"slices"
	"strings"
)

// makeLocal makes a variable local to the running function.
func (sh *Shell) makeLocal(id sym, o *declOpts) bool {
	sh.ownFrames()
	f := sh.frame
	for f != nil && f.isSource {
		f = f.prev
	}
	if f == nil || f.has(id) {
		return true
	}
	p := sh.slot(id)
	old := *p
	if old != nil && old.flags&vReadonly != 0 && !sh.isLocal(id) {
		sh.errorf(o.cmd + ": " + sh.rt.names[id] + ": readonly variable")
		return false
	}
	f.saved = append(f.saved, savedVar{id, old})
	n := &Var{gen: sh.gen, flags: vLocal}
	if old != nil {
		n.flags |= old.flags & vHook
		// A variable that was set for the call keeps its value.
		if o.inherit || sh.shopt.localvarInherit || old.flags&vTemp != 0 {
			n = old.clone(sh.gen)
			n.flags = n.flags&^vTemp | vLocal
		}
	}
	*p = n
	sh.envOK = false
	if n.flags&vHook != 0 && n.flags&vSet == 0 {
		sh.assigned(id)
	}
	return true
}

// isLocal reports whether the visible variable belongs to some function.
func (sh *Shell) isLocal(id sym) bool {
	for f := sh.frame; f != nil; f = f.prev {
		if f.has(id) {
			return true
		}
	}
	return false
}

// localOptions makes the options local to the function: local -.
func (sh *Shell) localOptions() {
	if sh.frame == nil {
		return
	}
	sh.ownFrames()
	saved := sh.opts
	sh.frame.restore = append(sh.frame.restore, func(s *Shell) {
		i := s.opts.interactive
		s.opts = saved
		s.opts.interactive = i
	})
}

// printDecl prints one variable for declare -p name.
func (sh *Shell) printDecl(o *declOpts, name string) bool {
	id, ok := sh.rt.syms[name]
	var v *Var
	if ok {
		v = sh.v(id)
	}
	if v == nil || v.flags&^vHook == 0 || o.cmd == "local" && !sh.frame.has(id) {
		sh.errorf(o.cmd + ": " + name + ": not found")
		return false
	}
	sh.print(sh.declaration(id, v) + "\n")
	return true
}

// listDecls lists variables.
func (sh *Shell) listDecls(o *declOpts) {
	var ids []sym
	for i, v := range sh.slots {
		if v == nil || v.flags&^(vHook|vLocal) == 0 {
			continue
		}
		if want := o.on &^ 0; want != 0 && v.flags&want != want {
			continue
		}
		if o.cmd == "local" && (sh.frame == nil || !sh.frame.has(sym(i))) {
			continue
		}
		ids = append(ids, sym(i))
	}
	slices.SortFunc(ids, func(a, b sym) int { return strings.Compare(sh.rt.names[a], sh.rt.names[b]) })
	for _, id := range ids {
		v := sh.v(id)
		switch {
		case sh.opts.posix && (o.cmd == "export" || o.cmd == "readonly"):
			sh.print(o.cmd + " " + sh.rt.names[id])
			if v.isSet() {
				sh.print("=" + declQuoted(v.text(sh)))
			}
			sh.print("\n")
		case o.print || o.on != 0:
			sh.print(sh.declaration(id, v) + "\n")
		case v.isSet() || v.flags&(vArray|vAssoc) != 0:
			sh.printVar(id, v)
		}
	}
	if o.on == 0 && !o.print && o.cmd != "local" && o.cmd != "export" && o.cmd != "readonly" {
		sh.listFuncs(false)
	}
}

// printVar prints a variable as set does.
func (sh *Shell) printVar(id sym, v *Var) {
	if v.flags&(vArray|vAssoc) != 0 {
		s := sh.declaration(id, v)
		if i := strings.IndexByte(s[8:], ' '); i >= 0 {
			s = s[8+i+1:]
		}
		sh.print(s + "\n")
		return
	}
	sh.print(sh.rt.names[id] + "=" + quotedIfNeeded(v.text(sh)) + "\n")
}
