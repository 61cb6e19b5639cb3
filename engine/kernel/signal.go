// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "github.com/wsandbox/wsandbox/engine/abi"

// Sets of signals.
const (
	uncatchable = abi.SignalSet(1<<abi.SIGKILL | 1<<abi.SIGSTOP)
	stopSignals = abi.SignalSet(1<<abi.SIGSTOP | 1<<abi.SIGTSTP | 1<<abi.SIGTTIN | 1<<abi.SIGTTOU)
	// Signals whose default action is to do nothing.
	quietSignals = abi.SignalSet(1<<abi.SIGCHLD | 1<<abi.SIGCONT | 1<<abi.SIGURG | 1<<abi.SIGWINCH)
)

// Kill sends a signal; sig 0 only tests. pid > 0 is a process, 0 the caller's
// group, -1 every process but init and the caller, less than -1 a group.
// Init is never reached.
//
// It returns EINVAL for a signal that does not exist, ESRCH where there is no
// such process or group, and EPERM for init and for processes of another user
// alone, unless the caller is user 0.
//
// POSIX: kill().
func (p *Process) Kill(pid PID, sig abi.Signal) error {
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	return p.k.signalLocked(p, pid, sig)
}

// Signal sends a signal from outside the sandbox, as kill(2) does: EINVAL,
// ESRCH where the process has ended.
func (p *Process) Signal(sig abi.Signal) error {
	if sig != 0 && !sig.Valid() {
		return abi.EINVAL
	}
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	if p.ended {
		return abi.ESRCH
	}
	if sig != 0 {
		p.k.sendLocked(p, sig)
	}
	return nil
}

// signalLocked implements kill(2) for from, where nil is init.
//
// Preconditions: k.mu is held.
func (k *Kernel) signalLocked(from *Process, pid PID, sig abi.Signal) error {
	if sig != 0 && !sig.Valid() {
		return abi.EINVAL
	}
	switch {
	case pid == 1:
		return abi.EPERM
	case pid > 0:
		t := k.procs[pid]
		if t == nil {
			return abi.ESRCH
		}
		if !from.mayKill(t) {
			return abi.EPERM
		}
		if sig != 0 {
			k.sendLocked(t, sig)
		}
		return nil
	case pid == -1:
		var err error = abi.ESRCH
		for _, t := range k.procs {
			if t == k.init || t == from || t.ended {
				continue
			}
			if !from.mayKill(t) {
				if err != nil {
					err = abi.EPERM
				}
				continue
			}
			err = nil
			if sig != 0 {
				k.sendLocked(t, sig)
			}
		}
		return err
	}
	var g *group
	if pid == 0 {
		g = from.group
	} else if pid > -1<<31 {
		g = k.groups[-pid]
	}
	switch {
	case g == nil:
		return abi.ESRCH
	case g == k.init.group:
		return abi.EPERM
	case g.members.head != nil && !from.mayKill(g.members.head): // a group has one user
		return abi.EPERM
	case sig != 0:
		k.signalGroupLocked(g, sig)
	}
	return nil
}

// mayKill reports whether p, where nil is init, may send signals to t.
func (p *Process) mayKill(t *Process) bool {
	return p == nil || p.cred.UID == 0 || p.cred.UID == t.cred.UID
}

// signalGroupLocked sends a signal to every member of a group.
//
// Preconditions: k.mu is held.
func (k *Kernel) signalGroupLocked(g *group, sig abi.Signal) {
	for p := g.members.head; p != nil; p = p.links[linkGroup].next {
		k.sendLocked(p, sig)
	}
}

// sendLocked generates a signal for p and delivers it: every signal is either
// acted upon at once or kept for the guest to poll.
//
// POSIX: XSH 2.4 Signal Concepts.
//
// Preconditions: k.mu is held; sig is valid.
func (k *Kernel) sendLocked(p *Process, sig abi.Signal) {
	if p.ended || p.left || p == k.init {
		return
	}
	if p.owner != nil {
		// Only its owner knows what a shadow does with a signal.
		if sig == abi.SIGCHLD {
			return
		}
		p.pending.Add(sig)
		p.owner.notifySignal()
		return
	}
	switch {
	case sig == abi.SIGKILL:
		k.killLocked(p, sig, abi.LimitNone)
		return
	case sig == abi.SIGCONT:
		p.pending &^= stopSignals
		k.continueLocked(p)
	case stopSignals.Has(sig):
		p.pending.Del(abi.SIGCONT)
	}
	switch {
	case p.ignored.Has(sig):
	case p.handled.Has(sig):
		p.pending.Add(sig)
		p.notifySignal()
	case quietSignals.Has(sig):
	case sig == abi.SIGSTOP:
		k.stopLocked(p, sig)
	case stopSignals.Has(sig):
		// Nobody could continue an orphaned group.
		if !p.group.orphaned(nil) {
			k.stopLocked(p, sig)
		}
	default:
		k.killLocked(p, sig, abi.LimitNone)
	}
}

// killLocked ends p by sig, whatever its action. A death already under way
// keeps its reason.
//
// Preconditions: k.mu is held; p is no shadow.
func (k *Kernel) killLocked(p *Process, sig abi.Signal, l abi.Limit) {
	if p.ended || p == k.init {
		return
	}
	if p.killed == 0 && !p.exiting {
		p.killed, p.limit = sig, l
		if l != abi.LimitNone {
			p.job.reached.add(l)
		}
	}
	p.stopped = false
	p.attn.And(^attnStop)
	p.attn.Or(attnFatal)
	p.wake.Wake()
}

// stopLocked stops p, which comes to rest at its next system call or yield.
//
// Preconditions: k.mu is held.
func (k *Kernel) stopLocked(p *Process, sig abi.Signal) {
	if p.stopped || p.killed != 0 || p.exiting {
		return
	}
	p.stopped = true
	p.attn.Or(attnStop)
	p.wake.Wake()
	p.event = abi.StoppedBy(sig)
	k.notifyParentLocked(p)
}

// continueLocked resumes p.
//
// Preconditions: k.mu is held.
func (k *Kernel) continueLocked(p *Process) {
	if !p.stopped {
		return
	}
	p.stopped = false
	p.attn.And(^attnStop)
	p.wake.Wake()
	p.event = abi.ContinuedStatus
	k.notifyParentLocked(p)
}

// notifyParentLocked tells p's parent of a change of state.
//
// Preconditions: k.mu is held.
func (k *Kernel) notifyParentLocked(p *Process) {
	q := p.parent
	if q == nil || q == k.init {
		return
	}
	o := q
	if q.owner != nil {
		o = q.owner
	}
	o.flagBits.Or(abi.SigFlagChild)
	o.wake.Wake()
	k.sendLocked(q, abi.SIGCHLD)
}

// notifySignal tells a process that a signal is pending for it or a shadow.
func (p *Process) notifySignal() {
	p.flagBits.Or(abi.SigFlagSignal)
	p.attn.Or(attnSignal)
	p.wake.Wake()
}

// SigAction sets what the caller does with a signal: EINVAL for one that does
// not exist, and for another action than the default one on SIGKILL and
// SIGSTOP. Where the signal is not to be handled any more, it is no longer
// pending either.
//
// POSIX: sigaction().
func (p *Process) SigAction(sig abi.Signal, a abi.SigAction) error {
	if !sig.Valid() || a > abi.SigHandle || uncatchable.Has(sig) && a != abi.SigDefault {
		return abi.EINVAL
	}
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	p.ignored.Del(sig)
	p.handled.Del(sig)
	switch a {
	case abi.SigIgnore:
		p.ignored.Add(sig)
	case abi.SigHandle:
		p.handled.Add(sig)
	}
	if a != abi.SigHandle {
		p.pending.Del(sig)
		p.settlePendingLocked()
	}
	return nil
}

// SigPending takes the pending handled signals of the caller (0) or a shadow of
// it: ESRCH for any other process. Every signal sent to a shadow is reported,
// also those that would end or stop a process.
//
// POSIX: sigpending().
func (p *Process) SigPending(pid PID) (abi.SignalSet, error) {
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	t := p
	if pid != 0 && pid != p.pid {
		t = p.k.procs[pid]
		if t == nil || t.owner != p {
			return 0, abi.ESRCH
		}
	}
	s := t.pending
	t.pending = 0
	p.settlePendingLocked()
	return s, nil
}

// settlePendingLocked clears the attention bit where nothing is pending.
//
// Preconditions: k.mu is held.
func (p *Process) settlePendingLocked() {
	if p.pending != 0 {
		return
	}
	for s := p.shadows.head; s != nil; s = s.links[linkShadow].next {
		if s.pending != 0 {
			return
		}
	}
	p.attn.And(^attnSignal)
}

// FlagBits takes the abi.SigFlag bits that have been set since the last call.
func (p *Process) FlagBits() uint32 {
	if p.flagBits.Load() == 0 {
		return 0
	}
	return p.flagBits.Swap(0)
}

// raise sends a signal to the caller itself. It returns ErrExiting where that
// ends it.
func (p *Process) raise(sig abi.Signal) error {
	p.k.mu.Lock()
	p.k.sendLocked(p, sig)
	p.k.mu.Unlock()
	return p.leaving()
}
