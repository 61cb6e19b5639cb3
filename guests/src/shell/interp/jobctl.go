// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/shell/sched"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// place says where among the process groups a child goes.
type place struct {
	pgid       int32 // 0: a job of its own, samePgrp: no job; else the job's group
	background bool  // the shell will not wait for it at once
	foreground bool  // it gets the terminal
}

// samePgrp is the group of a child that is no job, as those of substitutions.
const samePgrp = -1

// controls reports whether the shell gives each job a process group.
func (sh *Shell) controls() bool { return sh.opts.monitor && sh.level == 0 }

// group returns the group that a child is put into, or -1 where it inherits
// that of the process.
func (sh *Shell) group(at place) int32 {
	switch {
	case sh.controls() && at.pgid != samePgrp:
		return at.pgid
	case sh.pgrp != 0:
		return sh.pgrp
	}
	return -1
}

// takesTTY reports whether a job placed at at gets the terminal.
func (sh *Shell) takesTTY(at place) bool {
	return at.foreground && sh.rt.tty >= 0 && at.pgid != samePgrp && sh.controls()
}

// A front is a command line of an interactive shell with job control while it
// runs: in a thread of its own, so that it can be stopped and become a job
// whatever it consists of, while the prompt comes back.
type front struct {
	src    string
	prompt *sched.Thread
	fds    []*file // of the shell at the start
	status int
	done   bool
	job    *job // set: what was stopped
}

// runFront runs a command line as a front and returns its status. The shell
// may be another one behind it: rt.main.
func (rt *Runtime) runFront(src string, run func(sh *Shell) int) int {
	sh := rt.main
	f := &front{src: src, prompt: rt.sched.Current(), fds: append([]*file(nil), sh.fds...)}
	for _, e := range f.fds {
		if e != nil {
			e.refs++
		}
	}
	rt.front = f
	rt.sched.Go(func() {
		st := run(sh)
		if f.job == nil {
			f.status, f.done = st, true
			rt.sched.Unpark(f.prompt)
			return
		}
		sh.endThread(sh.finish(st))
	})
	rt.sched.Park()
	if rt.front == f {
		rt.front = nil
	}
	for _, e := range f.fds {
		if e != nil {
			e.release()
		}
	}
	if f.job != nil {
		m := rt.main
		m.showStopped(f.job)
		m.takeTTY(f.job, true)
		m.status = stopStatus(f.job.procs)
		return m.status
	}
	return f.status
}

// endThread is the end of a subshell that is a thread of its own.
func (sh *Shell) endThread(st int) {
	ws := abi.ExitedWith(st)
	if sh.killed != 0 {
		ws = abi.KilledBy(sh.killed)
	}
	sh.closeAll()
	p := sh.proc
	p.done, p.stop, p.status = true, false, ws
	sh.endShadow(ws)
	sh.rt.childDone()
	sh.rt.sched.WakeChildren()
}

// demote makes what the prompt runs a stopped job: the state of the shell is
// copied to a new main shell, for which the prompt goes on, and this one, that
// the running commands refer to, becomes a subshell with a process group, which
// waits here to be continued.
func (sh *Shell) demote(s abi.Signal) {
	rt := sh.rt
	f := rt.front
	pid, err := wsys.Shadow(0, 0, 0)
	if err != nil {
		sh.errorf("cannot stop: " + errText(err))
		return
	}
	m := sh.fork(true)
	m.parent, m.level, m.pid = nil, sh.level, sh.pid
	m.opts.interactive = true
	m.jobs, m.shownJobs, m.coprocs, m.traps = sh.jobs, sh.shownJobs, sh.coprocs, sh.traps
	m.pending = sh.pending
	m.closeAll()
	m.fds = append([]*file(nil), f.fds...)
	for _, e := range m.fds {
		if e != nil {
			e.refs++
		}
	}
	for _, v := range sh.temps {
		m.restoreVars(v)
	}
	for m.frame != nil {
		m.leave(m.frame)
	}
	m.forkTop, m.temps, m.subcap = nil, nil, nil
	m.depth, m.nested, m.sourced, m.noErr, m.source, m.lineShift = 0, 0, 0, 0, "", 0

	p := &proc{pid: pid, shell: sh, stop: true, status: abi.StoppedBy(s)}
	sh.parent, sh.proc = m, p
	sh.level++
	sh.shownJobs, sh.jobs, sh.coprocs = sh.jobs, nil, nil
	sh.traps = sh.traps.inherit(sh.opts.errtrace, sh.opts.functrace)
	sh.opts.interactive = false
	sh.pid, sh.shadow, sh.pgrp, sh.pending = pid, true, pid, 0
	rt.main = m
	rt.procs[pid], rt.shadows[pid] = p, sh
	// Programs it waits for were in the shell's group: they go with it.
	for _, q := range rt.procs {
		if q.front == f && !q.done && q.pid > 0 && q != p {
			if wsys.Setpgid(q.pid, pid) == nil && q.shell != nil {
				q.shell.pgrp = pid
			}
		}
	}
	f.job = m.addJob([]*proc{p}, f.src)
	f.job.pgid = pid
	wsys.ShadowStatus(pid, abi.StoppedBy(s))
	rt.sched.Unpark(f.prompt)
	sh.awaitCont()
}

// awaitCont ends the turn of a stopped subshell until it is continued, or dies.
func (sh *Shell) awaitCont() {
	for !sh.pending.Has(abi.SIGCONT) && !sh.pending.Has(abi.SIGKILL) {
		sh.parked()
		sh.rt.sched.Block(&sched.Wait{})
		sh.rt.collect()
	}
	sh.pending.Del(abi.SIGCONT)
	if sh.shadow {
		wsys.ShadowStatus(sh.pid, abi.ContinuedStatus)
		if sh.proc != nil {
			sh.proc.stop = false
		}
	}
}

// owner returns the shell whose thread this one runs in.
func (sh *Shell) owner() *Shell {
	for sh.proc == nil && sh.parent != nil {
		sh = sh.parent
	}
	return sh
}

// stopping returns a pending signal that stops the shell, or 0.
func (sh *Shell) stopping() abi.Signal {
	if sh.pending&stopSet == 0 {
		return 0
	}
	for _, s := range [...]abi.Signal{abi.SIGSTOP, abi.SIGTSTP, abi.SIGTTIN, abi.SIGTTOU} {
		if sh.pending.Has(s) {
			if s == abi.SIGSTOP || !sh.traps.ign.Has(s) && sh.traps.sig[s] == "" {
				return s
			}
		}
	}
	return 0
}

// stopSet holds the signals that stop a process.
const stopSet = wsys.SignalSet(1<<abi.SIGSTOP | 1<<abi.SIGTSTP | 1<<abi.SIGTTIN | 1<<abi.SIGTTOU)

// halt stops the thread where a signal asks its owner to.
func (sh *Shell) halt() {
	o := sh.owner()
	for {
		s := o.stopping()
		if s == 0 {
			return
		}
		o.pending.Del(s)
		o.suspend(s)
	}
}

// initJobs takes the terminal for job control. It reports whether there is one.
func (sh *Shell) initJobs() bool {
	rt := sh.rt
	if rt.tty >= 0 {
		return true
	}
	fd, err := wsys.Open(wsys.AtCwd, "/dev/tty", abi.ORdwr|abi.OCloexec, 0)
	if err != nil {
		fd = -1
		for _, n := range [...]int{2, 0, 1} {
			if f := sh.fd(n); f != nil && f.mem == nil && wsys.Isatty(f.k) {
				fd = f.k
				break
			}
		}
		if fd < 0 {
			return false
		}
	}
	if fd, err = highFD(fd); err != nil {
		return false
	}
	pgrp, err := wsys.Tcgetpgrp(fd)
	if err != nil {
		wsys.Close(fd)
		return false
	}
	if info, err := wsys.Info(0); err == nil {
		rt.pgrp = info.Pgid
	}
	if sh.opts.interactive {
		for tries := 0; pgrp != rt.pgrp; tries++ {
			// Started in the background: it stops until it is not.
			if tries == 100 || wsys.Kill(0, abi.SIGTTIN) != nil {
				wsys.Close(fd)
				return false
			}
			if pgrp, err = wsys.Tcgetpgrp(fd); err != nil {
				wsys.Close(fd)
				return false
			}
		}
		if rt.pgrp != rt.pid && wsys.Setpgid(0, 0) == nil {
			rt.oldPgrp, rt.pgrp = rt.pgrp, rt.pid
		}
	} else if pgrp != rt.pgrp {
		wsys.Close(fd)
		return false // a script in the background has no terminal to give
	}
	rt.tty = fd
	if sh.opts.interactive {
		rt.setpgrp(rt.pgrp)
	}
	rt.modes, _ = rt.ttyModes()
	return true
}

// highFD moves fd, which may be one of the shell's, out of the way of scripts.
func highFD(fd wsys.FD) (wsys.FD, error) {
	n, err := wsys.Dup(fd, 255, abi.OCloexec)
	if err != nil {
		n, err = wsys.Dup(fd, 10, abi.OCloexec)
	}
	if fd > 2 {
		wsys.Close(fd)
	}
	return n, err
}

// setpgrp gives the terminal to a group, which the shell may do from the
// background too.
func (rt *Runtime) setpgrp(pgid int32) {
	if rt.tty < 0 || pgid <= 0 {
		return
	}
	rt.ttyUnstopped(func() { wsys.Tcsetpgrp(rt.tty, pgid) })
}

func (rt *Runtime) ttyModes() (*abi.Termios, error) {
	var b [abi.TermiosSize]byte
	if err := wsys.TTYGetattr(rt.tty, b[:]); err != nil {
		return nil, err
	}
	t, err := abi.ParseTermios(b[:])
	return &t, err
}

func (rt *Runtime) setTTYModes(t *abi.Termios) {
	if t == nil {
		return
	}
	var b [abi.TermiosSize]byte
	if t.Put(b[:]) == nil {
		rt.ttyUnstopped(func() { wsys.TTYSetattr(rt.tty, abi.TCSADRAIN, b[:]) })
	}
}

// giveTTY makes a job the foreground one.
func (sh *Shell) giveTTY(j *job) {
	rt := sh.rt
	if rt.tty < 0 || j.pgid == 0 {
		return
	}
	rt.setpgrp(j.pgid)
	if j.modes != nil {
		rt.setTTYModes(j.modes)
		j.modes = nil
	}
}

// takeTTY makes the shell's group the foreground one. The terminal's modes of a
// job that did not end by itself are put back, and kept for its continuation.
func (sh *Shell) takeTTY(j *job, restore bool) {
	rt := sh.rt
	if rt.tty < 0 || !sh.controls() {
		return
	}
	rt.setpgrp(rt.pgrp)
	if !sh.opts.interactive {
		return
	}
	t, err := rt.ttyModes()
	if err != nil {
		return
	}
	if restore {
		if j != nil {
			j.modes = t
		}
		rt.setTTYModes(rt.modes)
		return
	}
	rt.modes = t
}

// mayRead stops a subshell that reads the terminal in the background: the
// kernel sees only the process that it runs in.
func (sh *Shell) mayRead(f *file) bool {
	rt := sh.rt
	if rt.tty < 0 || sh.pgrp == 0 || !f.isTTY() {
		return true
	}
	for {
		fg, err := wsys.Tcgetpgrp(rt.tty)
		if err != nil || fg == sh.pgrp {
			return true
		}
		o := sh.owner()
		if o.traps.ign.Has(abi.SIGTTIN) || !o.shadow {
			return true
		}
		wsys.Kill(-sh.pgrp, abi.SIGTTIN)
		rt.collect()
		if sh.halt(); sh.doomed() {
			return false
		}
	}
}

func (f *file) isTTY() bool {
	if f.mem != nil {
		return false
	}
	if !f.ttyProbed {
		f.ttyProbed, f.tty = true, wsys.Isatty(f.k)
	}
	return f.tty
}

// hangup sends SIGHUP to the jobs, as a shell does that has lost its terminal
// or, with huponexit, ends as a login shell.
func (sh *Shell) hangup() {
	for _, j := range sh.jobs {
		if j.done() || j.noHup || j.subst {
			continue
		}
		sh.signalJob(j, abi.SIGHUP)
		if j.stopped() {
			sh.signalJob(j, abi.SIGCONT)
		}
	}
}

// signalJob sends a signal to all of a job.
func (sh *Shell) signalJob(j *job, s abi.Signal) error {
	if j.pgid > 0 && sh.controls() && j.ownGroup {
		return wsys.Kill(-j.pgid, s)
	}
	err := error(abi.ESRCH)
	for _, p := range j.procs {
		if !p.done && p.pid > 0 {
			if e := wsys.Kill(p.pid, s); e == nil {
				err = nil
			}
		}
	}
	return err
}
