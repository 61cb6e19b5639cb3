// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "github.com/wsandbox/wsandbox/engine/abi"

// Exit sets the status with which the caller ends, unless a signal is already
// ending it. The caller then leaves the guest and returns from Image.Run.
//
// POSIX: _exit().
func (p *Process) Exit(st abi.WaitStatus) {
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	if p.killed == 0 && !p.exiting {
		p.exiting, p.exitStatus = true, st
	}
	p.attn.Or(attnExit)
}

// ExitSignal ends the caller as the default action of sig does, whatever it has
// set. It returns ErrExiting, nil for a signal whose default action does not
// end a process, which is then sent as by Kill with its default action, and
// EINVAL for one that does not exist.
func (p *Process) ExitSignal(sig abi.Signal) error {
	if !sig.Valid() {
		return abi.EINVAL
	}
	if quietSignals.Has(sig) {
		return nil
	}
	p.k.mu.Lock()
	if stopSignals.Has(sig) {
		if sig == abi.SIGSTOP || !p.group.orphaned(nil) {
			p.k.stopLocked(p, sig)
		}
	} else {
		p.k.killLocked(p, sig, abi.LimitNone)
	}
	p.k.mu.Unlock()
	return p.yield()
}

// Fault ends the caller by sig because its image cannot go on: a trap, with
// LimitNone, or a limit. The image then returns from Run.
func (p *Process) Fault(sig abi.Signal, l abi.Limit) {
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	p.k.killLocked(p, sig, l)
}

// exit ends p on its own goroutine, with the status that its image returned.
func (p *Process) exit(st abi.WaitStatus) {
	k := p.k
	p.pause()
	if p.timer != nil {
		p.timer.Stop()
	}
	p.fds.closeAll()
	p.releaseMemory()
	p.next = nil

	k.mu.Lock()
	switch {
	case p.exiting:
		st = p.exitStatus
	case p.killed != 0:
		st = abi.KilledBy(p.killed)
	case st.Stopped() || st.Continued():
		// No image may end in a state that is none.
		st = abi.KilledBy(abi.SIGSYS)
	}
	lim := p.limit
	if lim == abi.LimitNone && st != 0 && p.killed == 0 {
		lim = abi.Limit(p.refused.Load())
	}
	k.endShadowsLocked(p)
	var hangup Terminal
	if p.left {
		p.ended, p.stopped = true, false
		k.disownLocked(p)
		p.parent = nil
		p.group.remove(p)
	} else {
		hangup = k.endLocked(p, st, lim)
	}
	p.job.leaveLocked(p)
	k.mu.Unlock()
	if hangup != nil {
		hangup.Attach(nil)
	}
}

// endLocked makes p, which is a shadow or whose goroutine is ending, a zombie.
// It returns the terminal that has lost its session, or nil.
//
// POSIX: XSH _Exit() Consequences of Process Termination.
//
// Preconditions: k.mu is held.
func (k *Kernel) endLocked(p *Process, st abi.WaitStatus, lim abi.Limit) (hangup Terminal) {
	p.ended, p.stopped, p.event, p.pending = true, false, 0, 0
	p.result = abi.WaitResult{
		PID: p.pid, Status: st, Utime: p.cpu.Load() + p.cutime,
		Maxrss: p.maxMemory.Load(), Limit: lim,
	}
	// A leader takes the terminal with it, also one that has been hung up.
	if s := p.group.session; s.id == p.pid && (s.tty != nil || s.foreground != 0) {
		hangup, s.tty = s.tty, nil
		if g := k.groups[s.foreground]; g != nil {
			k.signalGroupLocked(g, abi.SIGHUP)
			k.signalGroupLocked(g, abi.SIGCONT)
		}
		s.foreground = 0
	}
	// Groups that p held together become orphans: its own, through its
	// parent, and those of its children.
	q := p.parent
	if q.group != p.group && q.group.session == p.group.session {
		k.orphanLocked(p.group, p)
	}
	k.disownLocked(p)
	if p.done != nil {
		close(p.done)
	}
	switch {
	case q == k.init:
		q.children.remove(p, linkChild)
		k.reapLocked(p)
	case q.owner == nil && q.ignored.Has(abi.SIGCHLD):
		// POSIX: who ignores SIGCHLD gets no zombies.
		q.children.remove(p, linkChild)
		k.reapLocked(p)
		q.wake.Wake()
	default:
		k.notifyParentLocked(p)
	}
	return hangup
}

// disownLocked gives the children of p, which has ended, to init.
//
// Preconditions: k.mu is held.
func (k *Kernel) disownLocked(p *Process) {
	for c := p.children.head; c != nil; {
		next := c.links[linkChild].next
		p.children.remove(c, linkChild)
		c.parent = k.init
		if c.ended {
			k.reapLocked(c)
		} else {
			k.init.children.push(c, linkChild)
			if c.group != p.group && c.group.session == p.group.session {
				k.orphanLocked(c.group, nil)
			}
		}
		c = next
	}
}

// orphanLocked continues and hangs up g where the end of p (or of a parent,
// where p is nil) has left it orphaned with stopped members.
//
// Preconditions: k.mu is held.
func (k *Kernel) orphanLocked(g *group, p *Process) {
	if g.hasStopped(p) && g.orphaned(p) {
		k.signalGroupLocked(g, abi.SIGHUP)
		k.signalGroupLocked(g, abi.SIGCONT)
	}
}

// reapLocked takes a zombie out of the tables. Its parent's list no longer
// holds it.
//
// Preconditions: k.mu is held.
func (k *Kernel) reapLocked(p *Process) {
	p.parent = nil
	delete(k.procs, p.pid)
	p.group.remove(p)
}
