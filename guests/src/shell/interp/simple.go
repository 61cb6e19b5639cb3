// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import "strings"

// Bounds of nesting. Measured in WebAssembly, the stack holds more than twice
// as many functions, and a subshell takes some kilobytes.
const (
	maxDepth  = 4000 // functions, eval, source and traps within each other
	maxNested = 500  // subshells and substitutions that wait for each other
)

func (n *simpleCmd) exec(sh *Shell) int {
	sh.line = n.line + sh.lineShift
	if sh.tick() {
		return sh.status
	}
	last := sh.noFork
	sh.noFork = false
	sh.expandFailed, sh.didSubst = false, false
	sh.noteCommand(n.src)
	if sh.traps.debug != "" && sh.debugTrap(n.src, sh.line) {
		return sh.status
	}
	base, nproc := len(sh.args), len(sh.procs)
	if !sh.expandWords(n.words) {
		sh.args = sh.args[:base]
		sh.endProcs(nproc)
		return sh.check(sh.expandStatus())
	}
	var decls []declValue
	if n.decl != nil {
		var ok bool
		if decls, ok = sh.expandDecl(n.decl); !ok {
			sh.args = sh.args[:base]
			return sh.check(sh.expandStatus())
		}
	}
	args := sh.args[base:len(sh.args):len(sh.args)]
	st := 0
	switch {
	case len(args) == 0:
		st = sh.nullCommand(n.assigns, n.redirs)
	default:
		st = sh.command(n, args, decls, last)
	}
	sh.args = sh.args[:base]
	if len(sh.procs) > nproc {
		sh.endProcs(nproc)
	}
	return sh.check(st)
}

// exec of an assignment without a command.
func (n *assignCmd) exec(sh *Shell) int {
	sh.line = n.line + sh.lineShift
	if sh.tick() {
		return sh.status
	}
	sh.expandFailed, sh.didSubst = false, false
	sh.noteCommand(n.src)
	if sh.traps.debug != "" && sh.debugTrap(n.src, sh.line) {
		return sh.status
	}
	if len(n.redirs) == 0 && !sh.opts.xtrace {
		for _, a := range n.assigns {
			if !sh.assign(a) {
				return sh.check(sh.assignError())
			}
		}
		if sh.didSubst {
			return sh.check(sh.substStat)
		}
		sh.status = 0
		sh.pipestatus = nil
		return 0
	}
	return sh.check(sh.nullCommand(n.assigns, n.redirs))
}

// assignError is what follows a failed assignment without a command.
func (sh *Shell) assignError() int {
	if sh.ctl == ctlNone {
		sh.fail(1)
	}
	return sh.expandStatus()
}

// nullCommand runs a command that has no name: redirections and assignments.
func (sh *Shell) nullCommand(assigns []*assign, redirs []*redir) int {
	nproc := len(sh.procs)
	for _, a := range assigns {
		if !sh.assign(a) {
			return sh.assignError()
		}
		if sh.opts.xtrace {
			sh.traceAssign(a)
		}
	}
	if len(redirs) > 0 {
		undo, ok := sh.redirect(redirs)
		sh.undo(undo)
		if !ok {
			if sh.expandFailed {
				return sh.expandStatus()
			}
			return 1
		}
	}
	sh.endProcs(nproc)
	if sh.didSubst {
		return sh.substStat
	}
	return 0
}

// assign runs one assignment.
func (sh *Shell) assign(a *assign) bool {
	switch {
	case a.arr != nil:
		if a.sub != nil {
			sh.errorf(a.name + "[" + a.sub.text + "]: cannot assign list to array member")
			return false
		}
		return sh.assignArray(a.id, a.arr, a.append)
	case a.sub != nil:
		s := sh.text(a.val)
		return !sh.expandFailed && sh.setElement(a.id, a.sub, s, a.append)
	case a.append:
		s := sh.text(a.val)
		return !sh.expandFailed && sh.appendVar(a.id, s)
	}
	w := a.val
	if w.kind == wLit {
		return sh.set(a.id, w.lit)
	}
	if len(w.parts) == 1 && w.parts[0].kind == pArith {
		n, ok := sh.evalArith(w.parts[0].ar)
		if !ok {
			sh.arithFailed()
			return false
		}
		return sh.setInt(a.id, n)
	}
	s := sh.text(w)
	return !sh.expandFailed && sh.set(a.id, s)
}

// appendVar assigns name+=value.
func (sh *Shell) appendVar(id sym, s string) bool {
	t := sh.deref(id)
	if t.id < 0 {
		return false
	}
	if t.sub != nil {
		return sh.setElement(t.id, t.sub, s, true)
	}
	v := sh.v(t.id)
	if v == nil {
		return sh.set(t.id, s)
	}
	if v.flags&vArray != 0 {
		return sh.setElement(t.id, sh.rt.subscriptText("0"), s, true)
	}
	if v.flags&vAssoc != 0 {
		return sh.setElement(t.id, sh.rt.subscriptText("0"), s, true)
	}
	if v.flags&vInteger != 0 {
		x, ok := sh.evalText(v.text(sh))
		if !ok {
			return false
		}
		y, ok := sh.evalText(s)
		if !ok {
			return false
		}
		return sh.setInt(t.id, x+y)
	}
	old := v.text(sh)
	if len(old)+len(s) > maxString {
		sh.errorf(sh.rt.names[t.id] + ": value too long")
		return false
	}
	return sh.set(t.id, old+s)
}

// command runs a command with a name.
func (sh *Shell) command(n *simpleCmd, args []string, decls []declValue, last bool) int {
	name := args[0]
	id, bi := n.id, n.bi
	if n.name == "" || n.name != name {
		bi = builtins[name]
		var ok bool
		if id, ok = sh.rt.syms[name]; !ok {
			id = -1
		}
	}
	var fn *function
	if id >= 0 {
		fn = sh.function(id)
	}
	if bi != nil {
		if sh.disabled != nil && sh.disabled[name] {
			bi = nil
		} else if fn != nil && sh.opts.posix && bi.special {
			fn = nil
		}
	}
	if len(args) > 0 {
		sh.lastArg = args[len(args)-1]
	}
	if n.assigns == nil && n.redirs == nil && !sh.opts.xtrace && n.decl == nil {
		switch {
		case fn != nil:
			return sh.call(fn, args)
		case bi != nil:
			st := bi.run(sh, args)
			if len(sh.out) > 0 {
				st = sh.flush(name, st)
			}
			if bi.special && st != 0 && sh.opts.posix {
				sh.specialFailed(bi, st)
			}
			return st
		case (sh.opts.monitor || !sh.shArgv) && strings.HasPrefix(name, "%"):
			return sh.flush("fg", biFg(sh, []string{"fg", name}))
		}
		return sh.external(args, nil, last)
	}
	return sh.fullCommand(n, args, decls, fn, bi, last)
}

// specialFailed ends a POSIX shell after an error of a special builtin.
func (sh *Shell) specialFailed(bi *builtin, st int) {
	if sh.usageError && !sh.opts.interactive && sh.ctl == ctlNone {
		sh.fail(st)
	}
	sh.usageError = false
}

// fullCommand runs a command with assignments or redirections, or traced.
func (sh *Shell) fullCommand(n *simpleCmd, args []string, decls []declValue, fn *function, bi *builtin, last bool) int {
	special := fn == nil && bi != nil && bi.special
	keep := special && sh.opts.posix
	if sh.opts.xtrace && n.decl == nil {
		sh.traceCommand(n.assigns, args)
	} else if sh.opts.xtrace {
		sh.traceDecl(args, decls)
	}
	undo, ok := sh.redirect(n.redirs)
	if !ok {
		sh.undo(undo)
		if sh.expandFailed {
			return sh.expandStatus()
		}
		if special && sh.opts.posix && !sh.opts.interactive {
			sh.fail(1)
		}
		return 1
	}
	var temp []savedVar
	failed := false
	for _, a := range n.assigns {
		if keep {
			ok = sh.assign(a)
		} else {
			ok = sh.tempAssign(a, &temp)
			if !ok && !sh.expandFailed && !sh.opts.posix {
				continue // bash runs the command without the assignment
			}
		}
		if !ok {
			failed = true
			break
		}
	}
	if failed {
		sh.restoreVars(temp)
		sh.undo(undo)
		st := 1
		if sh.expandFailed || sh.opts.posix {
			st = sh.assignError()
		}
		return st
	}
	if len(temp) > 0 {
		sh.temps = append(sh.temps, temp)
	}
	st := 0
	switch {
	case fn != nil:
		st = sh.call(fn, args)
	case bi != nil && isExec(args):
		// Its redirections stay.
		sh.keepRedirs(undo)
		undo = nil
		st = bi.run(sh, args)
		st = sh.flush(args[0], st)
	case bi != nil:
		if decls != nil || n.decl != nil {
			st = sh.runDecl(args[0], decls)
		} else {
			st = bi.run(sh, args)
		}
		st = sh.flush(args[0], st)
		if special && st != 0 && sh.opts.posix {
			sh.specialFailed(bi, st)
		}
	case (sh.opts.monitor || !sh.shArgv) && strings.HasPrefix(args[0], "%"):
		st = sh.flush("fg", biFg(sh, []string{"fg", args[0]}))
	default:
		st = sh.external(args, n.assigns, last && len(undo) == 0)
	}
	if len(temp) > 0 {
		sh.temps = sh.temps[:len(sh.temps)-1]
	}
	sh.restoreVars(temp)
	sh.undo(undo)
	return st
}

// isExec reports whether a command is exec without a program.
func isExec(args []string) bool {
	for len(args) > 0 && args[0] == "command" {
		args = args[1:]
	}
	return len(args) == 1 && args[0] == "exec" || len(args) == 2 && args[0] == "exec" && args[1] == "--"
}

// tempAssign sets a variable for the time of a command and exports it.
func (sh *Shell) tempAssign(a *assign, saved *[]savedVar) bool {
	if a.arr != nil {
		sh.errorf(a.name + ": cannot assign an array in front of a command")
		return false
	}
	s := sh.text(a.val)
	if sh.expandFailed {
		return false
	}
	p := sh.slot(a.id)
	old := *p
	if old != nil && old.flags&vReadonly != 0 {
		sh.readonlyError(a.id)
		return false
	}
	if a.append && old != nil {
		s = old.text(sh) + s
	}
	*saved = append(*saved, savedVar{a.id, old})
	v := &Var{gen: sh.gen, flags: vSet | vStr | vExport | vTemp, s: s}
	if old != nil {
		v.flags |= old.flags & vHook
		if old.flags&vInteger != 0 {
			v.flags |= vInteger
			v.s, _ = sh.attributed(v, s)
		}
		if old.flags&vDyn != 0 {
			v.flags &^= vHook
		}
	}
	*p = v
	sh.envOK = false
	if v.flags&vHook != 0 {
		sh.assigned(a.id)
	}
	return true
}

func (sh *Shell) restoreVars(saved []savedVar) {
	for i := len(saved) - 1; i >= 0; i-- {
		s := saved[i]
		hook := false
		if cur := sh.slots[s.id]; cur != nil {
			hook = cur.flags&vHook != 0
		}
		if s.v != nil {
			hook = hook || s.v.flags&vHook != 0
		}
		sh.slots[s.id] = s.v
		sh.envOK = false
		if hook {
			sh.assigned(s.id)
		}
	}
}

// call runs a function.
func (sh *Shell) call(fn *function, args []string) int {
	if sh.depth++; sh.depth > maxDepth {
		sh.depth--
		sh.errorf(fn.name + ": maximum function nesting level exceeded (" + itoa(maxDepth) + ")")
		sh.fail(1)
		return 1
	}
	var f *frame
	if n := len(sh.frames); n > 0 {
		f = sh.frames[n-1]
		sh.frames = sh.frames[:n-1]
	} else {
		f = &frame{}
	}
	*f = frame{prev: sh.frame, fn: fn, name: fn.name, callLine: sh.line, source: fn.file, caller: sh.source, params: sh.params, loops: sh.loops, saved: f.saved[:0], shift: sh.lineShift}
	sh.frame = f
	sh.params = args[1:]
	sh.loops = 0
	sh.source = fn.file
	sh.lineShift = fn.shift
	debug := sh.traps.debug
	ret := sh.traps.ret
	if !sh.opts.functrace && !fn.trace {
		sh.traps.debug, sh.traps.ret = "", ""
	}
	st := 0
	if len(fn.redirs) > 0 {
		undo, ok := sh.redirect(fn.redirs)
		if !ok {
			st = 1
		} else {
			st = fn.body.exec(sh)
		}
		sh.undo(undo)
	} else {
		st = fn.body.exec(sh)
	}
	if sh.ctl == ctlReturn {
		sh.ctl = ctlNone
		st = sh.status
	}
	if sh.traps.ret != "" && sh.ctl != ctlExit {
		sh.status = st
		sh.runTrap("RETURN", sh.traps.ret)
	}
	if !sh.opts.functrace && !fn.trace {
		if sh.traps.debug == "" {
			sh.traps.debug = debug
		}
		if sh.traps.ret == "" {
			sh.traps.ret = ret
		}
	}
	sh.leave(f)
	sh.frames = append(sh.frames, f)
	sh.depth--
	return st
}

// leave ends the activation of a function.
func (sh *Shell) leave(f *frame) {
	if len(f.saved) > 0 {
		sh.restoreVars(f.saved)
	}
	for _, r := range f.restore {
		r(sh)
	}
	sh.frame = f.prev
	sh.params = f.params
	sh.loops = f.loops
	sh.source = f.caller
	sh.line = f.callLine
	sh.lineShift = f.shift
}
