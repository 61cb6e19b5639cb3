// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"
)

// declValue is an expanded argument of declare and its kin.
type declValue struct {
	word   string // an option or a name
	name   string
	sub    *subscript
	hasVal bool
	append bool
	val    string
	arr    *arrayLit
}

// expandDecl expands the arguments of a declaration command.
func (sh *Shell) expandDecl(d *declArgs) ([]declValue, bool) {
	out := make([]declValue, 0, len(d.args))
	for _, a := range d.args {
		if a.asg == nil {
			l, ok := sh.fieldsOf([]*word{a.w})
			if !ok {
				return nil, false
			}
			for _, s := range l {
				out = append(out, sh.declWord(s))
			}
			continue
		}
		v := declValue{name: a.asg.name, sub: a.asg.sub, hasVal: true, append: a.asg.append, arr: a.asg.arr}
		v.word = v.name
		if v.arr == nil {
			v.val = sh.text(a.asg.val)
			if sh.expandFailed {
				return nil, false
			}
		}
		out = append(out, v)
	}
	return out, true
}

// declWord reads an argument that came from an expansion.
func (sh *Shell) declWord(s string) declValue {
	v := declValue{word: s}
	if s == "" || s[0] == '-' || s[0] == '+' {
		return v
	}
	name := s
	if i := strings.IndexByte(s, '='); i > 0 {
		name, v.val, v.hasVal = s[:i], s[i+1:], true
		if strings.HasSuffix(name, "+") {
			name, v.append = name[:len(name)-1], true
		}
	}
	if i := strings.IndexByte(name, '['); i > 0 && strings.HasSuffix(name, "]") {
		v.sub = sh.rt.subscriptText(name[i+1 : len(name)-1])
		name = name[:i]
	}
	v.name = name
	return v
}

func biDeclare(sh *Shell, args []string) int {
	var vals []declValue
	for _, a := range args[1:] {
		vals = append(vals, sh.declWord(a))
	}
	return sh.runDecl(args[0], vals)
}

// declOpts are the attributes a declaration sets and clears.
type declOpts struct {
	cmd                 string
	on, off             vflag
	print, funcs, names bool
	global, local       bool
	inherit             bool
	unexport            bool
}

func (sh *Shell) runDecl(cmd string, vals []declValue) int {
	o := declOpts{cmd: cmd}
	switch cmd {
	case "export":
		o.on = vExport
	case "readonly":
		o.on = vReadonly
	case "local":
		if sh.funcDepth() == 0 {
			return sh.builtinError("local", "can only be used in a function")
		}
		o.local = true
	default:
		o.local = sh.funcDepth() > 0
	}
	i := 0
opts:
	for ; i < len(vals); i++ {
		w := vals[i].word
		if w == "--" {
			i++
			break
		}
		if len(w) < 2 || w[0] != '-' && w[0] != '+' || vals[i].hasVal && vals[i].name != "" {
			if w == "-" && cmd == "local" {
				sh.localOptions()
				continue
			}
			break opts
		}
		for _, c := range []byte(w[1:]) {
			if !o.flag(c, w[0] == '+') {
				return sh.usageErr(cmd, w[:1]+string(rune(c))+": invalid option")
			}
		}
	}
	if o.global {
		o.local = false
	}
	vals = vals[i:]
	if o.funcs {
		return sh.declFuncs(&o, vals)
	}
	if len(vals) == 0 {
		if !o.unexport {
			sh.listDecls(&o)
		}
		return 0
	}
	st := 0
	for _, v := range vals {
		if o.print && cmd != "export" && cmd != "readonly" {
			if !sh.printDecl(&o, v.word) {
				st = 1
			}
			continue
		}
		if !sh.declare1(&o, v) {
			st = 1
			if sh.expandFailed {
				return sh.expandStatus()
			}
		}
	}
	return st
}

func (o *declOpts) flag(c byte, off bool) bool {
	f := vflag(0)
	switch c {
	case 'a':
		f = vArray
	case 'A':
		f = vAssoc
	case 'i':
		f = vInteger
	case 'l':
		f = vLower
	case 'u':
		f = vUpper
	case 'c':
		f = vCapital
	case 'r':
		f = vReadonly
	case 'x':
		f = vExport
	case 't':
		f = vTrace
	case 'n':
		if o.cmd == "export" {
			o.unexport = true
			o.on &^= vExport
			o.off |= vExport
			return true
		}
		f = vRef
	case 'p':
		o.print = true
	case 'f':
		o.funcs = true
	case 'F':
		o.funcs, o.names = true, true
	case 'g':
		o.global = true
	case 'I':
		o.inherit = true
	default:
		return false
	}
	if (o.cmd == "export" || o.cmd == "readonly") && strings.IndexByte("aAfnp", c) < 0 {
		return false
	}
	if off {
		o.off |= f
	} else {
		o.on |= f
	}
	return true
}

// declare1 declares one variable.
func (sh *Shell) declare1(o *declOpts, v declValue) bool {
	if !validName(v.name) || v.sub != nil && (o.on&vRef != 0 || o.cmd == "export" || o.cmd == "readonly") {
		sh.usageError = builtins[o.cmd].special && sh.shArgv
		sh.errorf(o.cmd + ": `" + strings.TrimSuffix(v.word+"="+v.val, "="+v.val) + eqValue(v) + "': not a valid identifier")
		return false
	}
	id := sh.rt.intern(v.name)
	if o.on&vRef == 0 && o.off&vRef == 0 && !o.local {
		if t := sh.deref(id); t.id >= 0 && t.sub == nil {
			id = t.id
		}
	}
	if o.local {
		if !sh.makeLocal(id, o) {
			return false
		}
	}
	old := sh.v(id)
	if old != nil && old.flags&vReadonly != 0 && (v.hasVal || o.off&vReadonly != 0 || o.on&(vArray|vAssoc) != 0 && o.on&(vArray|vAssoc)&old.flags == 0) {
		sh.errorf(msgCmd(o.cmd) + v.name + ": readonly variable")
		sh.usageError = builtins[o.cmd].special
		return false
	}
	if old != nil && old.flags&vDyn != 0 {
		if v.hasVal {
			return sh.set(id, v.val)
		}
		if o.on&^vExport == 0 && o.off == 0 {
			return true
		}
	}
	restore := sh.useGlobal(id, o)
	ok := sh.declareVar(o, id, v)
	restore()
	return ok
}

func msgCmd(cmd string) string {
	if cmd == "export" || cmd == "readonly" {
		return ""
	}
	return cmd + ": "
}

func eqValue(v declValue) string {
	if !v.hasVal || strings.IndexByte(v.word, '=') >= 0 {
		return ""
	}
	return "=" + v.val
}

// useGlobal makes the global variable visible for declare -g and returns what
// undoes that.
func (sh *Shell) useGlobal(id sym, o *declOpts) func() {
	if !o.global {
		return func() {}
	}
	sh.ownFrames()
	var at *savedVar
	for f := sh.frame; f != nil; f = f.prev {
		if i := f.index(id); i >= 0 {
			at = &f.saved[i]
		}
	}
	if at == nil {
		return func() {}
	}
	p := sh.slot(id)
	visible := *p
	*p = at.v
	return func() {
		p := sh.slot(id)
		at.v = *p
		*p = visible
	}
}

func (sh *Shell) declareVar(o *declOpts, id sym, v declValue) bool {
	x := sh.own(id)
	name := sh.rt.names[id]
	switch {
	case o.on&vAssoc != 0 && x.flags&vArray != 0:
		sh.errorf(o.cmd + ": " + name + ": cannot convert indexed to associative array")
		return false
	case o.on&vArray != 0 && x.flags&vAssoc != 0:
		sh.errorf(o.cmd + ": " + name + ": cannot convert associative to indexed array")
		return false
	case o.off&(vArray|vAssoc)&x.flags != 0:
		sh.errorf(o.cmd + ": " + name + ": cannot destroy array variables in this way")
		return false
	}
	if o.on&vAssoc != 0 {
		x.toAssoc()
	} else if o.on&vArray != 0 || v.sub != nil && x.flags&vAssoc == 0 && !v.hasVal {
		x.toArray()
	}
	attr := o.on & (vInteger | vLower | vUpper | vCapital | vTrace)
	if attr&(vLower|vUpper|vCapital) != 0 {
		x.flags &^= vLower | vUpper | vCapital
	}
	x.flags |= attr
	x.flags &^= o.off & (vInteger | vLower | vUpper | vCapital | vTrace | vExport)
	if attr != 0 && x.flags&vNum != 0 && x.flags&vStr == 0 {
		x.text(sh)
	}
	if o.off&vRef != 0 {
		x.flags &^= vRef
	}
	sh.envOK = false
	ok := true
	switch {
	case o.on&vRef != 0:
		ok = sh.declareRef(o, id, x, v)
	case v.arr != nil:
		if v.sub != nil {
			sh.errorf(name + "[" + v.sub.text + "]: cannot assign list to array member")
			return false
		}
		ok = sh.assignArray(id, v.arr, v.append)
	case v.hasVal && v.sub != nil:
		ok = sh.setElement(id, v.sub, v.val, v.append)
	case v.hasVal && (x.flags&(vArray|vAssoc) != 0) && strings.HasPrefix(v.val, "(") && strings.HasSuffix(v.val, ")"):
		ok = sh.assignText(id, v.val, v.append)
	case v.hasVal && v.append:
		ok = sh.appendVar(id, v.val)
	case v.hasVal:
		ok = sh.set(id, v.val)
	}
	if !ok {
		return false
	}
	x = sh.own(id)
	x.flags |= vDecl | o.on&(vReadonly|vExport)
	if o.on&vExport != 0 && x.flags&vRef != 0 {
		x.flags &^= vExport
	}
	return true
}

func (sh *Shell) declareRef(o *declOpts, id sym, x *Var, v declValue) bool {
	name := sh.rt.names[id]
	if x.flags&(vArray|vAssoc) != 0 {
		sh.errorf(o.cmd + ": " + name + ": reference variable cannot be an array")
		return false
	}
	if !v.hasVal {
		if x.flags&vSet != 0 && !validRef(x.text(sh)) {
			sh.errorf(o.cmd + ": `" + x.text(sh) + "': invalid variable name for name reference")
			return false
		}
		if x.flags&vSet != 0 {
			x.text(sh)
			x.flags &^= vNum
		}
		x.flags |= vRef
		return true
	}
	if !validRef(v.val) {
		sh.errorf(o.cmd + ": `" + v.val + "': invalid variable name for name reference")
		return false
	}
	if v.val == name && !o.local {
		sh.errorf(o.cmd + ": " + name + ": nameref variable self references not allowed")
		return false
	}
	if v.val == name {
		sh.warn("warning: " + name + ": circular name reference")
	}
	x.flags = x.flags&^vValue | vRef | vSet | vStr
	x.s = v.val
	return true
}

// assignText assigns an array from a text such as "(1 2)".
func (sh *Shell) assignText(id sym, text string, app bool) bool {
	u := sh.parse(sh.rt.names[id]+"="+text, 0)
	if u.after != nil || len(u.list) != 1 {
		sh.errorf("syntax error in array value: " + text)
		return false
	}
	a, ok := u.list[0].n.(*assignCmd)
	if !ok || len(a.assigns) != 1 || a.assigns[0].arr == nil {
		return sh.set(id, text)
	}
	return sh.assignArray(id, a.assigns[0].arr, app)
}
