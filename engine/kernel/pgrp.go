// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "github.com/wsandbox/wsandbox/engine/abi"

// group is a process group. It lives as long as it has members, zombies
// included. It is guarded by Kernel.mu.
//
// POSIX: XBD 3.269 Process Group.
type group struct {
	k       *Kernel
	id      PID
	session *Session
	members procList
}

// newGroupLocked makes an empty group; the caller adds a member.
//
// Preconditions: k.mu is held.
func (k *Kernel) newGroupLocked(id PID, s *Session) *group {
	g := &group{k: k, id: id, session: s}
	k.groups[id] = g
	s.groups++
	return g
}

func (g *group) add(p *Process) {
	p.group = g
	g.members.push(p, linkGroup)
}

// remove takes p out, and the group and its session away with their last
// member.
func (g *group) remove(p *Process) {
	g.members.remove(p, linkGroup)
	p.group = nil
	g.drop()
}

// drop forgets the group, and its session, where it has no members left.
func (g *group) drop() {
	if g.members.n > 0 {
		return
	}
	delete(g.k.groups, g.id)
	if g.session.foreground == g.id {
		g.session.foreground = 0
	}
	if g.session.groups--; g.session.groups == 0 {
		delete(g.k.sessions, g.session.id)
	}
}

// moveLocked moves p from its group to g, whose session may be another one.
//
// Preconditions: k.mu is held.
func (k *Kernel) moveLocked(p *Process, g *group) {
	old := p.group
	old.members.remove(p, linkGroup)
	g.add(p)
	// Only now: the old group may have been the session's last.
	old.drop()
}

// orphaned reports whether no member but except has a parent in another group
// of the same session, who could continue it.
//
// POSIX: XBD 3.245 Orphaned Process Group.
func (g *group) orphaned(except *Process) bool {
	for p := g.members.head; p != nil; p = p.links[linkGroup].next {
		if p == except || p.ended {
			continue
		}
		q := p.parent
		if q != nil && q.group != nil && q.group != g && q.group.session == g.session && !q.ended && !q.left {
			return false
		}
	}
	return true
}

// hasStopped reports whether a member but except is stopped.
func (g *group) hasStopped(except *Process) bool {
	for p := g.members.head; p != nil; p = p.links[linkGroup].next {
		if p != except && !p.ended && p.stopped {
			return true
		}
	}
	return false
}

// Setpgid moves a process, which is the caller (0), a shadow of it, or a child
// of one of these that has not called Exec, into a group of the same session;
// pgid 0 means a group of its own.
//
// It returns EINVAL for a negative pgid, ESRCH for any other process, EACCES
// for a child that has called Exec, and EPERM for a session leader, a process of
// another session or a group that is not of this session.
//
// Deviation: Spawn does not count as Exec here, so that a shell can still place
// a child it has just spawned.
//
// POSIX: setpgid().
func (p *Process) Setpgid(pid, pgid PID) error {
	if pgid < 0 {
		return abi.EINVAL
	}
	k := p.k
	k.mu.Lock()
	defer k.mu.Unlock()
	t := p
	if p.left && (pid == 0 || pid == p.pid) {
		return abi.ESRCH
	}
	if pid != 0 && pid != p.pid {
		t = k.procs[pid]
		if t == nil || t.ended || !p.isOwn(t) {
			return abi.ESRCH
		}
		if t.execed && t.owner == nil {
			return abi.EACCES
		}
	}
	s := t.group.session
	if s != p.group.session || s.id == t.pid {
		return abi.EPERM
	}
	if pgid == 0 {
		pgid = t.pid
	}
	g := k.groups[pgid]
	switch {
	case g == t.group && g != nil:
		return nil
	case g == nil && pgid == t.pid:
		g = k.newGroupLocked(pgid, s)
	case g == nil || g.session != s:
		return abi.EPERM
	}
	k.moveLocked(t, g)
	return nil
}

// isOwn reports whether t is a shadow of p or a child of p or of such a shadow.
func (p *Process) isOwn(t *Process) bool {
	if t.owner == p || t.parent == p {
		return true
	}
	return t.parent != nil && t.parent.owner == p
}
