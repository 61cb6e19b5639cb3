// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Processor time is the time in which a process is not blocked, by the
// sandbox's monotonic clock. On a host with more running processes than
// processors it includes waiting for one; it never misses any. All of it counts
// as user time.

// pause marks the process blocked.
func (p *Process) pause() {
	since := p.runSince.Load()
	if since == 0 {
		return
	}
	p.runSince.Store(0)
	p.cpu.Add(p.k.clock.Monotonic() + 1 - since)
}

// resume marks the process running.
func (p *Process) resume() { p.runSince.Store(p.k.clock.Monotonic() + 1) }

// cpuTime returns the processor time used so far in nanoseconds.
func (p *Process) cpuTime() int64 {
	t := p.cpu.Load()
	if since := p.runSince.Load(); since != 0 {
		t += max(p.k.clock.Monotonic()+1-since, 0)
	}
	return t
}

// Times returns the processor times of the caller and of its reaped children,
// in nanoseconds.
//
// POSIX: times().
func (p *Process) Times() (utime, stime, cutime, cstime int64) {
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	return p.cpuTime(), 0, p.cutime, 0
}

// minCPUCheck keeps the checks of a process that nears its limit apart.
const minCPUCheck = 10 * time.Millisecond

// watchCPULocked makes sure that p's processor time is looked at before it can
// have passed its limit.
//
// Preconditions: k.mu is held.
func (k *Kernel) watchCPULocked(p *Process, now int64) {
	left := p.cpuLeft()
	if left == never {
		return
	}
	d := max(left, int64(minCPUCheck))
	if k.cpuNext != 0 && k.cpuNext <= now+d {
		return
	}
	k.cpuNext = now + d
	k.cpuTimer.Reset(time.Duration(d))
}

// cpuLeft returns the processor time that p may use until something happens.
func (p *Process) cpuLeft() int64 {
	r := &p.rlim[rlimCPU]
	if r.soft == abi.RlimInfinity {
		return never
	}
	at := min(clampNanos(r.hard), p.xcpu)
	return at - p.cpuTime()
}

// clampNanos converts a limit in nanoseconds to a time.
func clampNanos(v uint64) int64 {
	if v > uint64(never) {
		return never
	}
	return int64(v)
}

// checkCPU is called by the timer: it ends what has used up its time and
// arranges for the next look.
func (k *Kernel) checkCPU() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cpuNext = 0
	if k.closed {
		return
	}
	now := k.clock.Monotonic()
	for j := range k.jobs {
		for p := j.members.head; p != nil; p = p.links[linkJob].next {
			if p.ended || p.killed != 0 {
				continue
			}
			k.checkCPULocked(p)
			if p.killed == 0 {
				k.watchCPULocked(p, now)
			}
		}
	}
}

// checkCPULocked applies p's limit.
//
// POSIX: RLIMIT_CPU.
//
// Preconditions: k.mu is held.
func (k *Kernel) checkCPULocked(p *Process) {
	r := &p.rlim[rlimCPU]
	if r.soft == abi.RlimInfinity {
		return
	}
	used := p.cpuTime()
	switch {
	case used >= clampNanos(r.hard):
		k.killLocked(p, abi.SIGKILL, abi.LimitCPU)
	case used >= p.xcpu:
		p.xcpu = used + int64(time.Second)
		if p.handled.Has(abi.SIGXCPU) || p.ignored.Has(abi.SIGXCPU) {
			p.refuse(abi.LimitCPU)
			k.sendLocked(p, abi.SIGXCPU)
		} else {
			k.killLocked(p, abi.SIGXCPU, abi.LimitCPU)
		}
	}
}
