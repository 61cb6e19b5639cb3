// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "github.com/wsandbox/wsandbox/engine/abi"

// A shadow process has a number, a parent, a group and a wait status but no
// image: its owner runs it, as a shell runs a subshell inside its own instance,
// and reports its states. It may be the parent of processes and of other
// shadows of its owner. Signals sent to it become pending at the owner
// ([Process.SigPending]); it does nothing by itself and ends with its owner.

// Shadow makes a shadow process, a child of the caller (parent 0) or of
// another shadow of it, and returns its number. pgid is -1 to inherit the
// parent's group, 0 for a new one, else a group of the session.
//
// It returns EINVAL for another pgid or flag than SpawnForeground, ESRCH for a
// parent that is no shadow of the caller, EPERM for a group that is not of the
// session, and EAGAIN where there are too many processes.
func (p *Process) Shadow(parent, pgid PID, flags abi.SpawnFlag) (PID, error) {
	if flags&^abi.SpawnForeground != 0 || pgid < -1 {
		return 0, abi.EINVAL
	}
	k := p.k
	k.mu.Lock()
	defer k.mu.Unlock()
	q, err := p.asParentLocked(parent)
	if err != nil {
		return 0, err
	}
	pid, err := k.admitLocked(p, true)
	if err != nil {
		return 0, err
	}
	if pgid >= 0 {
		flags |= abi.SpawnSetpgid
	} else {
		pgid = 0
	}
	g, err := k.placeLocked(q, pid, flags, pgid)
	if err != nil {
		return 0, err
	}
	s := &Process{
		k: k, pid: pid, cred: p.cred, owner: p,
		cwd: p.cwd, umask: p.umask, path: p.path, comm: p.comm, args: p.args,
	}
	k.enterLocked(s, q, g, p.job)
	return pid, nil
}

// ShadowStatus reports that a shadow process of the caller has stopped,
// continued or ended: ESRCH for any other process and one that has ended.
//
// With pid 0 the caller itself has ended for all others, with status st, and its
// image only runs its shadows on: as if these were processes of their own. It is
// ended with the last of them. It keeps its children and descriptors, but has no
// number any more, and no signal reaches it. It returns EINVAL for a status that
// is no end, and EPERM without a running shadow, a second time, and where the
// job ends with its first process, which the caller is.
func (p *Process) ShadowStatus(pid PID, st abi.WaitStatus) error {
	if pid == 0 {
		return p.leave(st)
	}
	k := p.k
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.procs[pid]
	if s == nil || s.owner != p || s.ended {
		return abi.ESRCH
	}
	switch {
	case st.Stopped():
		s.stopped, s.event = true, st
		k.notifyParentLocked(s)
	case st.Continued():
		s.stopped, s.event = false, st
		k.notifyParentLocked(s)
	default:
		k.endShadowLocked(s, st)
		p.settlePendingLocked()
	}
	return nil
}

// endShadowLocked makes a shadow a zombie.
//
// Preconditions: k.mu is held.
func (k *Kernel) endShadowLocked(s *Process, st abi.WaitStatus) {
	o := s.owner
	o.shadows.remove(s, linkShadow)
	// A shadow leads no session, so no terminal can lose one.
	k.endLocked(s, st, abi.LimitNone)
	if o.left && o.shadows.head == nil {
		k.killLocked(o, abi.SIGKILL, abi.LimitNone) // or who is not counted would live on
	}
}

// leave implements ShadowStatus for the caller. A zombie takes its place.
func (p *Process) leave(st abi.WaitStatus) error {
	if !st.Exited() && !st.Signaled() {
		return abi.EINVAL
	}
	k := p.k
	k.mu.Lock()
	if p.left || p.shadows.head == nil || p.leader && !p.job.orphans || p.killed != 0 || p.exiting {
		k.mu.Unlock()
		return abi.EPERM
	}
	z := &Process{
		k: k, pid: p.pid, cred: p.cred, start: p.start, job: p.job, cutime: p.cutime, wake: p.wake,
		cwd: p.cwd, umask: p.umask, path: p.path, comm: p.comm, args: p.args, rlim: p.rlim,
	}
	z.cpu.Store(p.cpuTime())
	z.maxMemory.Store(p.maxMemory.Load())
	k.procs[p.pid] = z
	q := p.parent
	q.children.remove(p, linkChild)
	q.children.push(z, linkChild)
	z.parent, p.parent = q, k.init
	p.group.add(z)
	p.left, p.pending = true, 0
	hangup := k.endLocked(z, st, abi.LimitNone)
	p.result = z.result
	if p.done != nil {
		close(p.done)
	}
	p.settlePendingLocked()
	k.mu.Unlock()
	if hangup != nil {
		hangup.Attach(nil)
	}
	return nil
}

// endShadowsLocked ends the shadows of p, which is ending or loses its image.
//
// Preconditions: k.mu is held.
func (k *Kernel) endShadowsLocked(p *Process) {
	for p.shadows.head != nil {
		k.endShadowLocked(p.shadows.head, abi.KilledBy(abi.SIGKILL))
	}
}
