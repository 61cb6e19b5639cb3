// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/shell/sched"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// proc is a child: a program, or a subshell that runs as a thread.
type proc struct {
	pid    int32 // 0: a thread without a pid
	shell  *Shell
	done   bool
	stop   bool
	status wsys.WaitStatus
	front  *front // set: part of the shell's own group
	src    string // of a stage of a pipeline
}

// job is a background list or a coprocess.
type job struct {
	id       int
	procs    []*proc
	src      string
	pgid     int32
	notified bool
	noHup    bool
	waited   bool
	subst    bool // a process substitution
	ownGroup bool
	told     bool         // that it is stopped
	order    int          // when it was started or stopped last
	modes    *abi.Termios // of the terminal, when it was stopped
}

func (j *job) done() bool {
	for _, p := range j.procs {
		if !p.done {
			return false
		}
	}
	return true
}

func (j *job) last() *proc { return j.procs[len(j.procs)-1] }

func (j *job) stopped() bool {
	for _, p := range j.procs {
		if p.stop && !p.done {
			return true
		}
	}
	return false
}

// state returns the text that jobs shows.
func (j *job) state() string {
	switch {
	case j.done():
		st := j.last().status
		switch {
		case st.Signaled():
			return st.Signal().Description()
		case st.ExitStatus() != 0:
			return "Exit " + itoa(int64(st.ExitStatus()))
		}
		return "Done"
	case j.stopped():
		return "Stopped"
	}
	return "Running"
}

// reap notes the state changes of all children.
func (rt *Runtime) reap() {
	flags := abi.WNOHANG
	if rt.main.opts.monitor {
		flags |= abi.WUNTRACED | abi.WCONTINUED
	}
	for len(rt.procs) > 0 {
		r, err := wsys.Wait(0, -1, flags)
		if err != nil || r.PID == 0 {
			return
		}
		rt.changed(r)
	}
}

func (rt *Runtime) changed(r wsys.WaitResult) {
	p := rt.procs[r.PID]
	if p == nil {
		return
	}
	switch {
	case r.Status.Stopped():
		p.stop, p.status = true, r.Status
	case r.Status.Continued():
		p.stop = false
	default:
		if p.shell == nil {
			p.done, p.status = true, r.Status
		}
		p.stop = false
		delete(rt.procs, r.PID)
		rt.childDone()
	}
	// The child may be that of another thread, which waits in the scheduler:
	// the kernel does not tell of this change again.
	rt.sched.WakeChildren()
}

// childDone counts an ended child for the CHLD trap.
func (rt *Runtime) childDone() {
	if rt.main.traps.sig[abi.SIGCHLD] != "" {
		rt.main.pending.Add(abi.SIGCHLD)
		rt.pend = true
	}
}

// await waits until p has ended. With signals, a trap may end the wait early.
func (sh *Shell) await(p *proc, signals bool) bool {
	for !p.done {
		if p.stop && sh.opts.monitor {
			return false
		}
		if p.shell == nil && sh.rt.sched.Solo() && sh.rt.wanted == 0 && (sh.subcap == nil || sh.subcap.r < 0) && !sh.opts.monitor {
			r, err := wsys.Wait(0, p.pid, 0)
			switch {
			case err == nil:
				sh.rt.changed(r)
			case err == abi.EINTR:
				sh.rt.collect()
			default:
				p.done, p.status = true, abi.ExitedWith(127)
				delete(sh.rt.procs, p.pid)
			}
			continue
		}
		sh.rt.reap()
		if p.done || p.stop {
			continue
		}
		w := sched.Wait{Child: true}
		sh.block(&w)
		sh.rt.reap()
		sh.rt.collect()
		if sh.doomed() {
			sh.deliver()
			return false
		}
		if signals && sh.trapPending() {
			return false
		}
	}
	return true
}

// awaitJob waits until the processes have ended. It returns false where the
// shell must end, or, in a shell that controls jobs, where those that have not
// ended are stopped.
func (sh *Shell) awaitJob(ps []*proc) bool {
	if !sh.controls() {
		for _, p := range ps {
			if !sh.await(p, false) {
				return false
			}
		}
		return true
	}
	for {
		switch running, stopped := countProcs(ps); {
		case running > 0:
		case stopped > 0:
			return false
		default:
			return true
		}
		sh.rt.reap()
		if running, _ := countProcs(ps); running == 0 {
			continue
		}
		w := sched.Wait{Child: true}
		sh.block(&w)
		sh.rt.reap()
		sh.rt.collect()
		if sh.doomed() {
			sh.deliver()
			if sh.ctl != ctlNone {
				return false
			}
		}
	}
}

// stopStatus is the exit status that stands for stopped processes.
func stopStatus(ps []*proc) int {
	st := abi.SIGTSTP
	for _, p := range ps {
		if !p.done && p.stop && p.status.Stopped() {
			st = p.status.StopSignal()
		}
	}
	return 128 + int(st)
}

func countProcs(ps []*proc) (running, stopped int) {
	for _, p := range ps {
		switch {
		case p.done:
		case p.stop:
			stopped++
		default:
			running++
		}
	}
	return running, stopped
}

// foreground waits for the program of a simple command and returns its status.
func (sh *Shell) foreground(p *proc, args []string) int {
	src := sh.cmdStr
	if sh.inTrap > 0 {
		src = strings.Join(args, " ")
	}
	ps := []*proc{p}
	if st, ok := sh.waitJob(nil, ps, p.pid, src); !ok {
		return st
	}
	sh.reportSignal(p, args, false)
	return p.status.ShellStatus()
}

// waitJob waits for the processes of a foreground job, whose entry in the table
// is j where it has one. It returns the status and false where there is nothing
// more to do: the job was stopped, or the shell must end.
func (sh *Shell) waitJob(j *job, ps []*proc, pgid int32, src string) (int, bool) {
	sh.waiting = ps
	if sh.controls() {
		sh.waitGroup = pgid
	}
	ok := sh.awaitJob(ps)
	sh.waiting, sh.waitGroup = nil, 0
	if !ok {
		if _, stopped := countProcs(ps); stopped == 0 || sh.ctl != ctlNone || !sh.controls() {
			sh.takeTTY(nil, true)
			return sh.status, false
		}
		if j == nil {
			j = sh.addJob(ps, src)
			j.pgid, j.ownGroup = pgid, true
		}
		sh.takeTTY(j, true)
		sh.showStopped(j)
		if sh.loops > 0 {
			sh.ctl, sh.ctlN = ctlBreak, sh.loops
		}
		sh.status = stopStatus(ps)
		return sh.status, false
	}
	if c := sh.subcap; c != nil && c.r >= 0 {
		c.drain()
	}
	st := ps[len(ps)-1].status
	sh.takeTTY(nil, st.Signaled())
	if sh.opts.interactive && sh.controls() && st.Signaled() && st.Signal() == abi.SIGINT {
		// The terminal has told the job, and perhaps the shell while it was
		// handing the terminal over; the commands around it end too.
		sh.rt.collect()
		sh.pending.Del(abi.SIGINT)
		sh.write(2, []byte("\n"))
		switch {
		case sh.traps.sig[abi.SIGINT] == "":
			sh.status = 128 + int(abi.SIGINT)
			sh.ctl, sh.ctlN = ctlAbort, sh.status
			return sh.status, false
		case sh.loops > 0:
			sh.runTrap(abi.SIGINT.Name(), sh.traps.sig[abi.SIGINT])
		}
	}
	return 0, true
}

// showStarted tells of a job in the background.
func (sh *Shell) showStarted(j *job) {
	if sh.opts.interactive && sh.level == 0 {
		sh.write(2, []byte("["+itoa(int64(j.id))+"] "+itoa(int64(j.last().pid))+"\n"))
	}
}

// showStopped tells that a job has been stopped.
func (sh *Shell) showStopped(j *job) {
	sh.rt.stops++
	j.told, j.notified, j.order = true, false, sh.rt.stops
	if sh.opts.interactive {
		sh.write(2, []byte("\n"+sh.jobLine(j, false)))
	}
}

// jobLine describes a job as jobs and the prompt do.
func (sh *Shell) jobLine(j *job, long bool) string {
	cur, prev := sh.current()
	mark := " "
	switch j {
	case cur:
		mark = "+"
	case prev:
		mark = "-"
	}
	st, src := j.state(), j.src
	if st == "Running" {
		src += " &"
	}
	s := "[" + itoa(int64(j.id)) + "]" + mark + " "
	if !long {
		return s + " " + padRight(st, 24) + src + "\n"
	}
	for _, p := range j.procs {
		if p.src == "" || len(j.procs) == 1 {
			return s + itoa(int64(j.last().pid)) + " " + padRight(st, 24) + src + "\n"
		}
	}
	for i, p := range j.procs {
		if i == 0 {
			s += itoa(int64(p.pid)) + " " + padRight(st, 24)
		} else {
			s += "     " + itoa(int64(p.pid)) + " " + padRight("", 22) + "| "
		}
		s += p.src
		if i == len(j.procs)-1 && j.state() == "Running" {
			s += " &"
		}
		s += "\n"
	}
	return s
}

func padLeft(s string, n int) string { return strings.Repeat(" ", max(n-len(s), 0)) + s }

// reportSignal tells that a signal ended a program the shell waited for, as the
// shells do for all but SIGINT and SIGPIPE. bash says less of SIGTERM, which is
// how programs are asked to end: one word, and nothing where background is set.
func (sh *Shell) reportSignal(p *proc, args []string, background bool) {
	st := p.status
	if !st.Signaled() || p.shell != nil {
		return
	}
	s := st.Signal()
	switch {
	case s == abi.SIGINT || s == abi.SIGPIPE:
	case sh.opts.interactive || sh.opts.posix && sh.subcap == nil:
		sh.write(2, []byte(s.Description()+"\n"))
	case sh.subcap != nil || s == abi.SIGTERM && background:
	case s == abi.SIGTERM:
		sh.write(2, []byte(s.Description()+"\n"))
	default:
		pid := itoa(int64(p.pid))
		pid = strings.Repeat(" ", max(5-len(pid), 0)) + pid
		sh.write(2, []byte(sh.messagePrefix()+pid+" "+padRight(s.Description(), 24)+strings.Join(args, " ")+"\n"))
	}
}

func (sh *Shell) addJob(ps []*proc, src string) *job {
	id := 1
	for _, j := range sh.jobs {
		if !j.forgotten() && j.id >= id {
			id = j.id + 1
		}
	}
	// Old ended jobs are dropped so that a long-lived shell does not grow.
	if len(sh.jobs) > 256 {
		var keep []*job
		for i, j := range sh.jobs {
			if !j.done() || i >= len(sh.jobs)-64 {
				keep = append(keep, j)
			}
		}
		sh.jobs = keep
	}
	sh.rt.stops++
	j := &job{id: id, procs: ps, src: src, order: sh.rt.stops}
	sh.jobs = append(sh.jobs, j)
	return j
}

// forgotten reports whether jobs no longer shows the job; wait still knows its
// status.
func (j *job) forgotten() bool { return j.notified && j.done() || j.waited }

// current returns the jobs %+ and %-: stopped ones first, then the newest.
func (sh *Shell) current() (cur, prev *job) {
	before := func(a, b *job) bool { // a is preferred
		if b == nil || a.stopped() != b.stopped() {
			return b == nil || a.stopped()
		}
		return a.order > b.order
	}
	list := sh.jobs
	if len(list) == 0 {
		list = sh.shownJobs
	}
	for _, j := range list {
		switch {
		case j.forgotten() || j.subst:
		case before(j, cur):
			cur, prev = j, cur
		case before(j, prev):
			prev = j
		}
	}
	return cur, prev
}

// findJob resolves a job specification. It returns nil and a message.
func (sh *Shell) findJob(spec string) (*job, string) {
	cur, prev := sh.current()
	s := strings.TrimPrefix(spec, "%")
	switch s {
	case "", "%", "+":
		if cur == nil {
			return nil, spec + ": no such job"
		}
		return cur, ""
	case "-":
		if prev == nil {
			prev = cur
		}
		if prev == nil {
			return nil, spec + ": no such job"
		}
		return prev, ""
	}
	if n, ok := canonicalInt(s); ok {
		for i := len(sh.jobs) - 1; i >= 0; i-- {
			if j := sh.jobs[i]; j.id == int(n) && !j.waited {
				return j, ""
			}
		}
		return nil, spec + ": no such job"
	}
	var found *job
	for _, j := range sh.jobs {
		hit := strings.HasPrefix(j.src, s)
		if s[0] == '?' {
			hit = strings.Contains(j.src, s[1:])
		}
		if hit && !j.forgotten() {
			if found != nil {
				return nil, s + ": ambiguous job spec"
			}
			found = j
		}
	}
	if found == nil {
		return nil, spec + ": no such job"
	}
	return found, ""
}

// jobOf returns the job with a process of the given pid.
func (sh *Shell) jobOf(pid int32) (*job, *proc) {
	for i := len(sh.jobs) - 1; i >= 0; i-- {
		for _, p := range sh.jobs[i].procs {
			if p.pid == pid {
				return sh.jobs[i], p
			}
		}
	}
	return nil, nil
}

// launch runs body in a subshell of its own beside this shell. The child's
// descriptors have been set. What would be a fork natively is a process of the
// kernel too: it has a pid, and
// counts: at says where. It returns nil where there are too many processes; the shell then
// ends.
func (sh *Shell) launch(c *Shell, body node, at place) *proc {
	pgid := sh.group(at)
	flags := abi.SpawnFlag(0)
	if sh.takesTTY(at) {
		flags |= abi.SpawnForeground
	}
	rt := sh.rt
	pid, err := wsys.Shadow(0, pgid, flags)
	if err == abi.EAGAIN {
		rt.reap() // zombies count
		pid, err = wsys.Shadow(0, pgid, flags)
	}
	if err != nil {
		c.closeAll()
		sh.forkFailed(err)
		return nil
	}
	p := &proc{pid: pid, shell: c}
	c.pid = pid
	c.shadow = true
	switch {
	case pgid > 0:
		c.pgrp = pgid
	case pgid == 0:
		c.pgrp = pid
	default:
		p.front = rt.front
	}
	rt.procs[pid] = p
	rt.shadows[pid] = c
	c.proc = p
	c.depth, c.nested = 0, 0
	rt.sched.Go(func() { c.endThread(c.subshell(body)) })
	return p
}

// forkFailed reports that no process can be made and ends the shell, as bash
// does; but at once, where bash tries again for some seconds.
func (sh *Shell) forkFailed(err error) int {
	sh.errorf("fork: " + errText(err))
	sh.ctl = ctlExit
	sh.status = forkStatus
	return forkStatus
}

// forkStatus is the exit status of a shell that cannot make a process.
const forkStatus = 254

// endShadow reports the end of a subshell that has a pid.
func (sh *Shell) endShadow(ws wsys.WaitStatus) {
	if sh.shadow {
		delete(sh.rt.shadows, sh.pid)
		wsys.ShadowStatus(sh.pid, ws)
		sh.shadow = false
	}
}

// bashPID returns the pid of the shell, making one for a subshell.
func (sh *Shell) bashPID() int32 {
	if sh.pid == 0 {
		if pid, err := wsys.Shadow(0, -1, 0); err == nil {
			sh.pid = pid
			sh.shadow = true
			sh.rt.shadows[pid] = sh
			sh.rt.procs[pid] = &proc{pid: pid, shell: sh}
		}
	}
	return sh.pid
}
