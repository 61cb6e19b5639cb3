// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "github.com/wsandbox/wsandbox/engine/abi"

// Session is a POSIX session: the groups that share a controlling terminal.
//
// POSIX: XBD 3.319 Session.
type Session struct {
	k  *Kernel // immutable
	id PID     // immutable

	groups     int      // guarded by k.mu
	tty        Terminal // guarded by k.mu: controlling terminal, or nil
	foreground PID      // guarded by k.mu: foreground group, or 0
}

// newSessionLocked makes a session without groups; the caller adds one.
//
// Preconditions: k.mu is held.
func (k *Kernel) newSessionLocked(id PID) *Session {
	s := &Session{k: k, id: id}
	k.sessions[id] = s
	return s
}

// ID returns the session's number, which is its leader's.
func (s *Session) ID() PID { return s.id }

// Foreground returns the terminal's foreground group, or 0.
//
// POSIX: tcgetpgrp().
func (s *Session) Foreground() PID {
	s.k.mu.Lock()
	defer s.k.mu.Unlock()
	return s.foreground
}

// SignalForeground sends a signal to the foreground group, as a terminal does
// for a key or a change of size.
func (s *Session) SignalForeground(sig abi.Signal) {
	s.k.mu.Lock()
	defer s.k.mu.Unlock()
	if g := s.k.groups[s.foreground]; g != nil && g.session == s {
		s.k.signalGroupLocked(g, sig)
	}
}

// Hangup reports that the terminal's connection is gone: the session loses its
// terminal and its leader gets SIGHUP and SIGCONT; what was the foreground group
// then gets them when the leader ends.
//
// POSIX: XBD 11.1.11 Modem Disconnect.
func (s *Session) Hangup() {
	s.k.mu.Lock()
	t := s.tty
	s.tty = nil
	if p := s.k.procs[s.id]; p != nil && p.group != nil && p.group.session == s {
		s.k.sendLocked(p, abi.SIGHUP)
		s.k.sendLocked(p, abi.SIGCONT)
	}
	s.k.mu.Unlock()
	if t != nil {
		t.Attach(nil)
	}
}

// Setsid makes the caller the leader of a new session and group without a
// terminal and returns its number: EPERM where it leads a group.
//
// POSIX: setsid().
func (p *Process) Setsid() (PID, error) {
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	if p.left || p.k.groups[p.pid] != nil {
		return 0, abi.EPERM
	}
	s := p.k.newSessionLocked(p.pid)
	p.k.moveLocked(p, p.k.newGroupLocked(p.pid, s))
	return p.pid, nil
}
