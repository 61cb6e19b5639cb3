// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "github.com/wsandbox/wsandbox/engine/abi"

// Wait waits for a child of the caller (parent 0) or of a shadow process of it
// to change state and takes the report. which > 0 is a process, -1 any child, 0
// any of the parent's group, less than -1 any of that group. Ended children
// are reported always, stopped ones with WUNTRACED, continued ones with
// WCONTINUED. With WNOHANG it does not wait, and the result's PID is 0 where
// there is nothing to report.
//
// It returns EINVAL for unknown flags, ESRCH for a parent that is no shadow of
// the caller, ECHILD where no child fits, and EINTR.
//
// POSIX: waitpid().
func (p *Process) Wait(parent, which PID, flags abi.WaitFlag) (abi.WaitResult, error) {
	if flags&^(abi.WNOHANG|abi.WUNTRACED|abi.WCONTINUED) != 0 {
		return abi.WaitResult{}, abi.EINVAL
	}
	k := p.k
	for {
		k.mu.Lock()
		q, err := p.asParentLocked(parent)
		var r abi.WaitResult
		if err == nil {
			r, err = k.waitLocked(q, which, flags)
		}
		k.mu.Unlock()
		if err != nil || r.PID != 0 || flags&abi.WNOHANG != 0 {
			return r, err
		}
		// A change of state wakes the parent without enlisting.
		if err := p.sleep(never); err != nil {
			return abi.WaitResult{}, err
		}
	}
}

// waitLocked looks for a report: ECHILD where no child fits.
//
// Preconditions: k.mu is held.
func (k *Kernel) waitLocked(q *Process, which PID, flags abi.WaitFlag) (abi.WaitResult, error) {
	if which > 0 {
		c := k.procs[which]
		if c == nil || c.parent != q {
			return abi.WaitResult{}, abi.ECHILD
		}
		r, _ := k.reportLocked(q, c, flags)
		return r, nil
	}
	found := false
	for c := q.children.head; c != nil; c = c.links[linkChild].next {
		switch {
		case which == -1:
		case which == 0:
			if c.group != q.group {
				continue
			}
		case c.group.id != -which:
			continue
		}
		found = true
		if r, ok := k.reportLocked(q, c, flags); ok {
			return r, nil
		}
	}
	if !found {
		return abi.WaitResult{}, abi.ECHILD
	}
	return abi.WaitResult{}, nil
}

// reportLocked takes c's report where flags admit it.
//
// Preconditions: k.mu is held.
func (k *Kernel) reportLocked(q, c *Process, flags abi.WaitFlag) (abi.WaitResult, bool) {
	switch {
	case c.ended:
		q.cutime += c.result.Utime
		q.children.remove(c, linkChild)
		k.reapLocked(c)
		return c.result, true
	case c.event.Stopped() && flags&abi.WUNTRACED != 0,
		c.event.Continued() && flags&abi.WCONTINUED != 0:
		r := abi.WaitResult{PID: c.pid, Status: c.event, Utime: c.cpuTime() + c.cutime, Maxrss: c.maxMemory.Load()}
		c.event = 0
		return r, true
	}
	return abi.WaitResult{}, false
}

// childReady reports whether a child of p or of a shadow of it has a change of
// state to report.
func (p *Process) childReady() bool {
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	if p.children.anyReport() {
		return true
	}
	for s := p.shadows.head; s != nil; s = s.links[linkShadow].next {
		if s.children.anyReport() {
			return true
		}
	}
	return false
}

func (l *procList) anyReport() bool {
	for c := l.head; c != nil; c = c.links[linkChild].next {
		if c.ended || c.event != 0 {
			return true
		}
	}
	return false
}
