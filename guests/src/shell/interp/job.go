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
		p.stop = true
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
		if p.done {
			break
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

// foreground waits for the processes of a command and returns its status.
func (sh *Shell) foreground(ps []*proc, args []string) int {
	sh.waiting = ps
	for _, p := range ps {
		if !sh.await(p, false) {
			if p.stop {
				j := sh.addJob(ps, strings.Join(args, " "))
				j.notified = true
				return 128 + int(abi.SIGTSTP)
			}
			sh.waiting = nil
			return sh.status
		}
	}
	sh.waiting = nil
	if c := sh.subcap; c != nil && c.r >= 0 {
		c.drain()
	}
	st := ps[len(ps)-1].status
	sh.reportSignal(ps[len(ps)-1], args, false)
	return st.ShellStatus()
}

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
	j := &job{id: id, procs: ps, src: src}
	sh.jobs = append(sh.jobs, j)
	return j
}

// forgotten reports whether jobs no longer shows the job; wait still knows its
// status.
func (j *job) forgotten() bool { return j.notified && j.done() || j.waited }

// current returns the jobs %+ and %-.
func (sh *Shell) current() (cur, prev *job) {
	for i := len(sh.jobs) - 1; i >= 0; i-- {
		j := sh.jobs[i]
		if j.forgotten() {
			continue
		}
		if cur == nil {
			cur = j
		} else {
			return cur, j
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
// kernel too: it has a pid, in the group pgid where the shell controls jobs, and
// counts. It returns nil where there are too many processes; the shell then
// ends.
func (sh *Shell) launch(c *Shell, body node, pgid int32) *proc {
	if !sh.opts.monitor || sh.level > 0 {
		pgid = -1
	}
	rt := sh.rt
	pid, err := wsys.Shadow(0, pgid, 0)
	if err == abi.EAGAIN {
		rt.reap() // zombies count
		pid, err = wsys.Shadow(0, pgid, 0)
	}
	if err != nil {
		c.closeAll()
		sh.forkFailed(err)
		return nil
	}
	p := &proc{pid: pid, shell: c}
	c.pid = pid
	c.shadow = true
	rt.procs[pid] = p
	rt.shadows[pid] = c
	c.proc = p
	c.depth, c.nested = 0, 0
	rt.sched.Go(func() {
		st := c.subshell(body)
		ws := abi.ExitedWith(st)
		if c.killed != 0 {
			ws = abi.KilledBy(c.killed)
		}
		c.closeAll()
		p.done, p.status = true, ws
		c.endShadow(ws)
		rt.childDone()
		rt.sched.WakeChildren()
	})
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
