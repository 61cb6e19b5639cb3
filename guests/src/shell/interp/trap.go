// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"sync/atomic"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// traps are the actions of trap. An empty text is no action; ignoring is kept
// beside.
type traps struct {
	exit, err, debug, ret string
	sig                   [abi.NSIG]string
	ign                   wsys.SignalSet // ignored
	ignExit               bool
	shown                 *traps // what trap -p shows in a subshell until one is set
}

// inherit returns the traps of a subshell: ignored signals stay ignored, all
// others have their default action.
//
// POSIX: XCU 2.13 Shell Execution Environment.
func (t *traps) inherit(errtrace, functrace bool) traps {
	n := traps{ign: t.ign}
	if errtrace {
		n.err = t.err
	}
	if functrace {
		n.debug, n.ret = t.debug, t.ret
	}
	if t.exit != "" || t.err != "" || t.sig != [abi.NSIG]string{} || t.debug != "" || t.ret != "" {
		c := *t
		c.shown = nil
		n.shown = &c
	} else if t.shown != nil {
		n.shown = t.shown
	}
	return n
}

// background sets the dispositions of an asynchronous list.
func (t *traps) background(monitor bool) {
	if !monitor {
		t.ign.Add(abi.SIGINT)
		t.ign.Add(abi.SIGQUIT)
	}
}

func (t *traps) ignored(s abi.Signal) bool  { return t.ign.Has(s) }
func (t *traps) ignoredSet() wsys.SignalSet { return t.ign }

// collect takes pending signals from the kernel.
func (rt *Runtime) collect() {
	for {
		old := atomic.LoadUint32(&flagWord)
		if old == 0 {
			return
		}
		if atomic.CompareAndSwapUint32(&flagWord, old, 0) {
			if old&abi.SigFlagSignal == 0 {
				return
			}
			break
		}
	}
	if s := wsys.SigPending(0); s != 0 {
		s &= rt.wanted // SIGPIPE is taken and dropped where no trap wants it
		if rt.main.opts.interactive {
			s = rt.main.heeded(s)
		}
		if s != 0 {
			rt.main.pending |= s
			rt.pend = true
			rt.wakeFor(rt.main)
		}
	}
	for pid, sh := range rt.shadows {
		if s := wsys.SigPending(pid); s != 0 {
			sh.signal(s)
		}
	}
}

// signal makes signals pending for a shell.
func (sh *Shell) signal(s wsys.SignalSet) {
	sh.pending |= s
	sh.rt.pend = true
	sh.rt.wakeFor(sh)
}

// wakeFor wakes the thread a shell waits in.
func (rt *Runtime) wakeFor(sh *Shell) {
	if sh.thread != nil {
		rt.sched.Wake(sh.thread)
	}
}

// attend handles signals and lets other threads run. It reports whether the
// commands of the shell must end.
func (sh *Shell) attend() bool {
	sh.rt.collect()
	if sh.rt.pend {
		sh.deliver()
	}
	if sh.rt.sched.Busy() && sh.ctl == ctlNone {
		sh.rt.sched.Yield()
		sh.rt.collect()
		if sh.rt.pend {
			sh.deliver()
		}
	}
	return sh.ctl != ctlNone
}

// deliver handles the pending signals of this shell.
func (sh *Shell) deliver() {
	sh.halt()
	if sh.inTrap > 8 {
		return
	}
	for sh.pending != 0 {
		for s := abi.Signal(1); s < abi.NSIG; s++ {
			if !sh.pending.Has(s) {
				continue
			}
			sh.pending.Del(s)
			sh.take(s)
			if sh.ctl == ctlExit {
				return
			}
		}
	}
	// A subshell that runs inside another one ends with it.
	for p := sh.parent; p != nil && sh.proc == nil; p = p.parent {
		if p.fatalPending() {
			sh.ctl = ctlExit
			sh.status = 143
			for _, q := range sh.waiting {
				if !q.done && q.pid > 0 {
					wsys.Kill(q.pid, abi.SIGTERM)
				}
			}
			return
		}
		if p.proc != nil {
			break
		}
	}
	sh.rt.pend = sh.rt.anyPending()
}

func (rt *Runtime) anyPending() bool {
	if rt.main.pending != 0 {
		return true
	}
	for _, s := range rt.shadows {
		if s.pending != 0 {
			return true
		}
	}
	return false
}

// take performs the action of one signal.
func (sh *Shell) take(s abi.Signal) {
	switch {
	case sh.traps.ign.Has(s) && s != abi.SIGKILL && s != abi.SIGSTOP:
	case sh.traps.sig[s] != "":
		st := sh.status
		sh.runTrap(s.Name(), sh.traps.sig[s])
		if sh.ctl == ctlNone {
			sh.status = st
		}
		sh.trapped = s
	case s == abi.SIGCHLD || s == abi.SIGURG || s == abi.SIGWINCH || s == abi.SIGCONT:
	case s == abi.SIGSTOP || s == abi.SIGTSTP || s == abi.SIGTTIN || s == abi.SIGTTOU:
		sh.suspend(s)
	case sh.opts.interactive && sh == sh.rt.main && s == abi.SIGINT && sh.waitGroup > 0:
		wsys.Kill(-sh.waitGroup, s) // as in suspend
	case sh.opts.interactive && sh == sh.rt.main && s == abi.SIGINT:
		if sh.rt.front != nil {
			sh.write(2, []byte("\n"))
		}
		sh.status = 130
		sh.ctl, sh.ctlN = ctlAbort, 130
	case sh.opts.interactive && sh == sh.rt.main && s == abi.SIGHUP:
		sh.hangup()
		sh.rt.hist.save(sh)
		sh.die(s)
	default:
		sh.die(s)
	}
}

// suspend stops what runs: a subshell with a pid until it is continued, the
// commands of a prompt as a new job. A prompt itself is not stopped.
func (sh *Shell) suspend(s abi.Signal) {
	switch {
	case sh == sh.rt.main && sh.waitGroup > 0:
		// The key came before the job had the terminal.
		wsys.Kill(-sh.waitGroup, s)
	case sh == sh.rt.main:
		if sh.opts.interactive && sh.opts.monitor && sh.rt.front != nil {
			sh.demote(s)
		}
	case sh.shadow:
		wsys.ShadowStatus(sh.pid, abi.StoppedBy(s))
		sh.awaitCont()
	}
}

// heeded returns those of s that an interactive shell does not ignore.
func (sh *Shell) heeded(s wsys.SignalSet) wsys.SignalSet {
	for _, n := range [...]abi.Signal{abi.SIGTERM, abi.SIGQUIT, abi.SIGTTIN, abi.SIGTTOU, abi.SIGTSTP, abi.SIGWINCH} {
		if !s.Has(n) || sh.traps.sig[n] != "" {
			continue
		}
		if n == abi.SIGWINCH {
			sh.rt.resized = true
			sh.rt.wakeFor(sh)
		}
		if n != abi.SIGTSTP || sh.rt.front == nil {
			s.Del(n)
		}
	}
	return s
}

// interactiveSet holds the signals that an interactive shell handles.
const interactiveSet = stopSet&^(1<<abi.SIGSTOP) | 1<<abi.SIGINT | 1<<abi.SIGQUIT | 1<<abi.SIGTERM | 1<<abi.SIGHUP | 1<<abi.SIGWINCH

// initSignals sets what an interactive shell does with signals.
func (sh *Shell) initSignals() {
	for s := abi.Signal(1); s < abi.NSIG; s++ {
		if interactiveSet.Has(s) && !sh.traps.ign.Has(s) {
			sh.rt.wanted.Add(s)
			wsys.SigAction(s, abi.SigHandle)
		}
	}
}

// die ends the shell as the default action of a signal does.
func (sh *Shell) die(s abi.Signal) {
	if sh == sh.rt.main {
		sh.rt.restoreModes()
		wsys.DieBy(s)
	}
	sh.killed = s
	sh.ctl = ctlExit
	sh.status = 128 + int(s)
	if sh.proc == nil {
		return
	}
	for _, p := range sh.waiting {
		if !p.done && p.pid > 0 && s != abi.SIGPIPE {
			wsys.Kill(p.pid, s)
		}
	}
}

// doomed reports whether a pending signal will end the shell or one it runs
// within.
func (sh *Shell) doomed() bool {
	for p := sh; p != nil; p = p.parent {
		if p.fatalPending() {
			return true
		}
		if p.proc != nil {
			break
		}
	}
	return false
}

// fatalPending reports whether a pending signal will end the shell.
func (sh *Shell) fatalPending() bool {
	for s := abi.Signal(1); sh.pending != 0 && s < abi.NSIG; s++ {
		if sh.pending.Has(s) && (!sh.traps.ign.Has(s) && sh.traps.sig[s] == "" || s == abi.SIGKILL) {
			switch s {
			case abi.SIGCHLD, abi.SIGURG, abi.SIGWINCH, abi.SIGCONT, abi.SIGSTOP, abi.SIGTSTP, abi.SIGTTIN, abi.SIGTTOU:
				continue
			}
			return true
		}
	}
	return sh.killed != 0
}

// trapPending reports whether a pending signal has a trap.
func (sh *Shell) trapPending() bool {
	for s := abi.Signal(1); sh.pending != 0 && s < abi.NSIG; s++ {
		if sh.pending.Has(s) && sh.traps.sig[s] != "" {
			return true
		}
	}
	return false
}

// interrupted serves signals within long expansions and reports whether to
// stop.
func (sh *Shell) interrupted() bool {
	if !sh.rt.attention() {
		return false
	}
	sh.rt.collect()
	if sh.fatalPending() {
		sh.deliver()
		return sh.ctl != ctlNone
	}
	return false
}

// runTrap runs the commands of a trap.
func (sh *Shell) runTrap(name, text string) {
	if sh.depth++; sh.depth > maxDepth {
		sh.depth--
		return
	}
	st, ps, line, last, failed := sh.status, sh.pipestatus, sh.line, sh.lastArg, sh.expandFailed
	ctl, n := sh.ctl, sh.ctlN
	sh.ctl = ctlNone
	sh.inTrap++
	noErr := sh.noErr
	switch name {
	case "ERR":
		t := sh.traps.err
		sh.traps.err = ""
		defer func() {
			if sh.traps.err == "" && !sh.errReset {
				sh.traps.err = t
			}
			sh.errReset = false
		}()
	case "DEBUG":
		t := sh.traps.debug
		sh.traps.debug = ""
		defer func() {
			if sh.traps.debug == "" {
				sh.traps.debug = t
			}
		}()
	case "RETURN":
		t := sh.traps.ret
		sh.traps.ret = ""
		defer func() {
			if sh.traps.ret == "" {
				sh.traps.ret = t
			}
		}()
	}
	base := sh.lineBase
	trapLine := max(line-1, 0)
	if name == "EXIT" {
		trapLine = 0
	}
	sh.trapStatus = st
	u := sh.parse(text, 0)
	sh.lineShift, trapLine = trapLine, sh.lineShift
	res := sh.runUnit(u)
	sh.lineShift = trapLine
	sh.lineBase = base
	sh.inTrap--
	sh.noErr = noErr
	sh.depth--
	sh.trapResult = res
	switch sh.ctl {
	case ctlExit:
		return
	case ctlReturn:
		if sh.frame != nil && name != "EXIT" {
			return // return in a trap leaves the function
		}
		sh.ctl = ctlNone
	case ctlBreak, ctlContinue:
		if sh.loops > 0 {
			return
		}
		sh.ctl = ctlNone
	case ctlAbort:
		return
	}
	sh.ctl, sh.ctlN = ctl, n
	if name != "EXIT" {
		sh.status, sh.pipestatus = st, ps
	}
	sh.line, sh.lastArg, sh.expandFailed = line, last, failed
}

// noteCommand keeps the text of a command for BASH_COMMAND, which in a trap is
// that of the interrupted command.
func (sh *Shell) noteCommand(src string) {
	if sh.inTrap == 0 {
		sh.cmdStr = src
	}
}

// debugTrap runs the DEBUG trap before a command. With extdebug a failure skips
// the command.
func (sh *Shell) debugTrap(src string, line int32) bool {
	if sh.inTrap > 0 {
		return false
	}
	sh.cmdStr = src
	st := sh.status
	sh.line = line
	sh.runTrap("DEBUG", sh.traps.debug)
	if sh.ctl != ctlNone {
		return true
	}
	if sh.shopt.extdebug && sh.trapResult != 0 {
		sh.status = sh.trapResult
		return true
	}
	sh.status = st
	return false
}

// setTrap sets the action of a signal number or a name such as EXIT.
func (sh *Shell) setTrap(name string, sig abi.Signal, action string, ignore, reset bool) {
	sh.traps.shown = nil
	switch name {
	case "EXIT":
		sh.traps.exit, sh.traps.ignExit = action, ignore
		return
	case "ERR":
		sh.traps.err = action
		sh.errTrapDepth = sh.funcDepth()
		sh.errReset = action == ""
		return
	case "DEBUG":
		sh.traps.debug = action
		return
	case "RETURN":
		sh.traps.ret = action
		return
	}
	if sh.rt.info.Ignored.Has(sig) && !sh.opts.interactive {
		return // POSIX: trap has no effect on signals ignored at the start
	}
	sh.traps.sig[sig] = action
	sh.traps.ign.Del(sig)
	if ignore {
		sh.traps.ign.Add(sig)
	}
	if sig == abi.SIGKILL || sig == abi.SIGSTOP || sh != sh.rt.main {
		return
	}
	switch {
	case sig == abi.SIGCHLD:
		// Ended children are counted by the shell itself.
	case ignore:
		sh.rt.wanted.Del(sig)
		wsys.SigAction(sig, abi.SigIgnore)
	case action != "" || sig == abi.SIGPIPE:
		if sig == abi.SIGPIPE && action == "" {
			sh.rt.wanted.Del(sig)
			wsys.SigAction(sig, abi.SigHandle)
			return
		}
		sh.rt.wanted.Add(sig)
		wsys.SigAction(sig, abi.SigHandle)
	case sh.opts.interactive && interactiveSet.Has(sig):
		sh.rt.wanted.Add(sig)
		wsys.SigAction(sig, abi.SigHandle)
	default:
		sh.rt.wanted.Del(sig)
		wsys.SigAction(sig, abi.SigDefault)
	}
}
