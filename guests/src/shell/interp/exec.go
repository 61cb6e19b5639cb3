// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import "strings"

// check applies errexit and the ERR trap to the status of a command.
func (sh *Shell) check(st int) int {
	if sh.ctl >= ctlReturn { // what made the commands end has set the status
		return sh.status
	}
	sh.status = st
	sh.pipestatus = nil
	if st != 0 && sh.noErr == 0 && sh.ctl == ctlNone {
		sh.failed(st)
	}
	return st
}

func (sh *Shell) failed(st int) {
	if sh.traps.err != "" && (sh.frame == nil || sh.opts.errtrace || sh.errTrapDepth == sh.funcDepth()) {
		sh.runTrap("ERR", sh.traps.err)
	}
	if sh.opts.errexit && sh.ctl == ctlNone {
		sh.status = st
		sh.ctl = ctlExit
	}
}

// tick gives signals and other threads their turn before a command. It reports
// whether the commands must end.
func (sh *Shell) tick() bool {
	if sh.rt.attention() {
		return sh.attend()
	}
	return false
}

func (n *seqNode) exec(sh *Shell) int {
	st := 0
	for _, x := range n.list {
		st = x.exec(sh)
		if sh.ctl != ctlNone {
			return st
		}
	}
	return st
}

func (n *andOrNode) exec(sh *Shell) int {
	sh.noErr++
	st := n.x.exec(sh)
	sh.noErr--
	if sh.ctl != ctlNone || (st == 0) == n.or {
		return st
	}
	return n.y.exec(sh)
}

func (n *notNode) exec(sh *Shell) int {
	sh.noErr++
	st := n.x.exec(sh)
	sh.noErr--
	if sh.ctl != ctlNone {
		return st
	}
	if st == 0 {
		st = 1
	} else {
		st = 0
	}
	sh.status = st
	return st
}

func (n *ifNode) exec(sh *Shell) int {
	sh.noErr++
	st := n.cond.exec(sh)
	sh.noErr--
	switch {
	case sh.ctl != ctlNone:
		return st
	case st == 0:
		return n.then.exec(sh)
	case n.els != nil:
		return n.els.exec(sh)
	}
	sh.status = 0
	return 0
}

// loopEnd handles break and continue behind a loop's body. It reports whether
// the loop ends.
func (sh *Shell) loopEnd() bool {
	switch sh.ctl {
	case ctlNone:
		return false
	case ctlBreak, ctlContinue:
		if sh.ctlN > 1 {
			sh.ctlN--
			return true
		}
		stop := sh.ctl == ctlBreak
		sh.ctl = ctlNone
		return stop
	}
	return true
}

func (n *whileNode) exec(sh *Shell) int {
	sh.loops++
	depth := sh.loops
	st := 0
	for {
		sh.noErr++
		c := n.cond.exec(sh)
		sh.noErr--
		if sh.ctl != ctlNone {
			if sh.loopEnd() {
				break
			}
			continue
		}
		if (c == 0) == n.until {
			break
		}
		st = n.body.exec(sh)
		if sh.ctl != ctlNone && sh.loopEnd() {
			break
		}
		if sh.tick() {
			break
		}
	}
	sh.loops = depth - 1
	if sh.ctl == ctlNone {
		sh.status = st
	}
	return st
}

func (n *forNode) exec(sh *Shell) int {
	if n.sel {
		return n.selectLoop(sh)
	}
	sh.line = n.line + sh.lineShift
	sh.expandFailed = false
	var items []string
	base := len(sh.args)
	if n.args {
		sh.args = append(sh.args, sh.params...)
	} else if !sh.expandWords(n.words) {
		sh.args = sh.args[:base]
		return sh.check(sh.expandStatus())
	}
	items = sh.args[base:]
	sh.loops++
	st := 0
	for _, it := range items {
		if sh.opts.xtrace {
			sh.trace(n.src)
		}
		sh.noteCommand(n.src)
		if sh.traps.debug != "" {
			sh.debugTrap(n.src, sh.line)
		}
		if !sh.setLoopVar(n.id, it) {
			st = 1
			break
		}
		st = n.body.exec(sh)
		if sh.ctl != ctlNone && sh.loopEnd() {
			break
		}
		if sh.tick() {
			break
		}
	}
	sh.loops--
	sh.args = sh.args[:base]
	if sh.ctl == ctlNone {
		sh.status = st
	}
	return st
}

// setLoopVar assigns the variable of a for loop; of a nameref the target is
// replaced.
func (sh *Shell) setLoopVar(id sym, s string) bool {
	if v := sh.v(id); v != nil && v.flags&vRef != 0 {
		return sh.setRef(id, s)
	}
	if sh.set(id, s) {
		return true
	}
	if sh.opts.posix {
		sh.fail(1)
	}
	return false
}

func (n *cforNode) exec(sh *Shell) int {
	eval := func(a *arithNode) (int64, bool) {
		if a == nil {
			return 1, true
		}
		sh.line = n.line + sh.lineShift
		if sh.traps.debug != "" {
			sh.debugTrap("(("+a.text+"))", sh.line)
		}
		sh.arithPrefix = "((: "
		x, ok := sh.evalArith(a)
		sh.arithPrefix = ""
		return x, ok
	}
	if _, ok := eval(n.init); !ok {
		return sh.check(1)
	}
	sh.loops++
	st := 0
	for {
		x, ok := eval(n.cond)
		if !ok {
			st = 1
			break
		}
		if x == 0 {
			break
		}
		st = n.body.exec(sh)
		if sh.ctl != ctlNone && sh.loopEnd() {
			break
		}
		if sh.tick() {
			break
		}
		if _, ok := eval(n.post); !ok {
			st = 1
			break
		}
	}
	sh.loops--
	if sh.ctl == ctlNone {
		sh.status = st
	}
	return st
}

func (n *caseNode) exec(sh *Shell) int {
	sh.line = n.line + sh.lineShift
	if sh.tick() {
		return sh.status
	}
	sh.expandFailed = false
	sh.noteCommand(n.src)
	if sh.traps.debug != "" {
		sh.debugTrap(n.src, sh.line)
	}
	s := sh.text(n.w)
	if sh.expandFailed {
		return sh.check(sh.expandStatus())
	}
	if sh.opts.xtrace {
		sh.trace(strings.TrimSpace(n.src))
	}
	run := func(body node) int {
		if b, ok := body.(*seqNode); ok && len(b.list) == 0 {
			sh.status = 0
			return 0
		}
		return body.exec(sh)
	}
	st := 0
	for i := 0; i < len(n.items); i++ {
		it := &n.items[i]
		if !n.matches(sh, it, s) {
			if sh.expandFailed {
				return sh.check(sh.expandStatus())
			}
			continue
		}
		st = run(it.body)
		for sh.ctl == ctlNone && it.next == caseFall && i+1 < len(n.items) {
			i++
			it = &n.items[i]
			st = run(it.body)
		}
		if sh.ctl != ctlNone || it.next != caseResume {
			return st
		}
	}
	if st == 0 {
		sh.status = 0
	}
	return st
}

func (n *caseNode) matches(sh *Shell, it *caseItem, s string) bool {
	for _, p := range it.pats {
		if p.kind == wLit && !p.meta && !sh.shopt.nocasematch {
			if p.lit == s {
				return true
			}
			continue
		}
		pat := sh.pattern(p)
		if sh.expandFailed {
			return false
		}
		if sh.rt.pattern(pat, sh.matchFlags()).Match(s) {
			return true
		}
	}
	return false
}

func (n *arithCmd) exec(sh *Shell) int {
	sh.line = n.line + sh.lineShift
	if sh.tick() {
		return sh.status
	}
	sh.expandFailed = false
	if sh.opts.xtrace {
		sh.trace("(( " + trimParens(n.src) + " ))")
	}
	sh.noteCommand(n.src)
	if sh.traps.debug != "" {
		sh.debugTrap(n.src, sh.line)
	}
	sh.arithPrefix = "((: "
	x, ok := sh.evalArith(n.x)
	sh.arithPrefix = ""
	if sh.expandFailed && sh.ctl == ctlNone {
		sh.expandFailed = false
	}
	st := 1
	if ok && x != 0 {
		st = 0
	}
	return sh.check(st)
}

func trimParens(s string) string {
	for len(s) > 0 && (s[0] == '(' || s[0] == ' ') {
		s = s[1:]
	}
	for len(s) > 0 && (s[len(s)-1] == ')' || s[len(s)-1] == ' ') {
		s = s[:len(s)-1]
	}
	return s
}

func (n *letCmd) exec(sh *Shell) int {
	sh.line = n.line + sh.lineShift
	if sh.tick() {
		return sh.status
	}
	sh.expandFailed = false
	l, ok := sh.fieldsOf(n.words)
	if !ok {
		return sh.check(sh.expandStatus())
	}
	args := append([]string{"let"}, l...)
	if sh.opts.xtrace {
		sh.traceWords(args)
	}
	return sh.check(biLet(sh, args))
}

func (n *funcNode) exec(sh *Shell) int {
	sh.line = n.line + sh.lineShift
	switch {
	case n.bad != "":
		sh.errorf(n.bad)
		return sh.check(1)
	case sh.opts.posix && !sh.shArgv && isSpecial(n.fn.name):
		sh.errorf("`" + n.fn.name + "': is a special builtin")
		sh.fail(2)
		return sh.check(2)
	}
	if old := sh.function(n.fn.id); old != nil && sh.readonlyFuncs[n.fn.id] {
		sh.errorf(n.fn.name + ": readonly function")
		return sh.check(1)
	}
	f := *n.fn
	f.file = sh.source
	f.shift = sh.lineShift
	sh.setFunction(f.id, &f)
	sh.status = 0
	return 0
}

func (n *errorNode) exec(sh *Shell) int {
	sh.line = n.line + sh.lineShift
	sh.errorf(n.msg)
	sh.fail(2)
	return sh.check(2)
}

func (n *redirNode) exec(sh *Shell) int {
	sh.line = n.line + sh.lineShift
	sh.expandFailed = false
	nproc := len(sh.procs)
	undo, ok := sh.redirect(n.redirs)
	if !ok {
		sh.undo(undo)
		if sh.expandFailed {
			return sh.check(sh.expandStatus())
		}
		return sh.check(1)
	}
	procs := sh.procs[nproc:]
	sh.procs = sh.procs[:nproc:nproc]
	st := n.x.exec(sh)
	sh.procs = append(sh.procs, procs...)
	sh.undo(undo)
	sh.endProcs(nproc)
	return st
}

func (n *timeNode) exec(sh *Shell) int {
	t := sh.startTimer()
	st := 0
	if n.x != nil {
		st = n.x.exec(sh)
	}
	sh.reportTime(t, n.posix)
	return st
}

// expandStatus is the status after a failed expansion.
func (sh *Shell) expandStatus() int {
	sh.expandFailed = false
	if sh.ctl != ctlNone && sh.status != 0 {
		return sh.status
	}
	return 1
}

// funcDepth counts the active functions.
func (sh *Shell) funcDepth() int {
	n := 0
	for f := sh.frame; f != nil; f = f.prev {
		if !f.isSource {
			n++
		}
	}
	return n
}
