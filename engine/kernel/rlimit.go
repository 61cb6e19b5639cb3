// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Indexes into Process.rlim.
const (
	rlimCPU   = iota // nanoseconds
	rlimFsize        // bytes
	rlimData         // bytes
	rlimStack        // bytes; only reported
	rlimNproc
	rlimNofile
	rlimAS // bytes
	rlimits
)

type rlimit struct{ soft, hard uint64 }

// guestStack is the size reported for a guest's stack. The engine's own bound
// on call depth is what ends a recursion.
const guestStack = 8 << 20

// initialRlimits returns the limits of a process started from outside.
func (k *Kernel) initialRlimits() [rlimits]rlimit {
	both := func(v int64) rlimit {
		if v >= 1<<62 {
			return rlimit{abi.RlimInfinity, abi.RlimInfinity}
		}
		return rlimit{uint64(v), uint64(v)}
	}
	l := &k.limits
	r := [rlimits]rlimit{
		rlimCPU:    both(int64(l.CPU)),
		rlimFsize:  both(l.FileSize),
		rlimData:   both(l.Memory),
		rlimStack:  {guestStack, guestStack},
		rlimNproc:  both(int64(l.Processes)),
		rlimNofile: both(int64(l.Files)),
		rlimAS:     both(l.Memory),
	}
	if c := &r[rlimCPU]; c.hard != abi.RlimInfinity {
		c.hard += uint64(time.Second)
	}
	return r
}

// rlimIndex returns where a resource is kept: EINVAL where it is not.
func rlimIndex(r abi.Resource) (int, error) {
	switch r {
	case abi.RlimitCPU:
		return rlimCPU, nil
	case abi.RlimitFsize:
		return rlimFsize, nil
	case abi.RlimitData:
		return rlimData, nil
	case abi.RlimitStack:
		return rlimStack, nil
	case abi.RlimitNproc:
		return rlimNproc, nil
	case abi.RlimitNofile:
		return rlimNofile, nil
	case abi.RlimitAS:
		return rlimAS, nil
	}
	return 0, abi.EINVAL
}

// Getrlimit returns a limit of the caller: EINVAL for an unknown resource.
//
// POSIX: getrlimit().
func (p *Process) Getrlimit(r abi.Resource) (soft, hard uint64, err error) {
	if r == abi.RlimitCore {
		return 0, 0, nil
	}
	i, err := rlimIndex(r)
	if err != nil {
		return 0, 0, err
	}
	l := p.rlim[i]
	if i == rlimCPU {
		return nanosToSeconds(l.soft), nanosToSeconds(l.hard), nil
	}
	return l.soft, l.hard, nil
}

func nanosToSeconds(v uint64) uint64 {
	if v == abi.RlimInfinity {
		return v
	}
	return (v + 1e9 - 1) / 1e9
}

// Setrlimit sets a limit of the caller and its later children: EINVAL for an
// unknown resource and where soft is above hard, EPERM where hard is above the
// present hard limit.
//
// POSIX: setrlimit().
func (p *Process) Setrlimit(r abi.Resource, soft, hard uint64) error {
	if soft > hard {
		return abi.EINVAL
	}
	if r == abi.RlimitCore {
		if hard > 0 {
			return abi.EPERM
		}
		return nil
	}
	i, err := rlimIndex(r)
	if err != nil {
		return err
	}
	_, old, _ := p.Getrlimit(r)
	if hard > old {
		return abi.EPERM
	}
	n := rlimit{soft, hard}
	if i == rlimCPU {
		n = rlimit{secondsToNanos(soft), secondsToNanos(hard)}
	}
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	// The hard limit in nanoseconds may lie below the whole seconds shown.
	n.hard = min(n.hard, p.rlim[i].hard)
	n.soft = min(n.soft, n.hard)
	p.rlim[i] = n
	if i == rlimCPU {
		p.xcpu = clampNanos(n.soft)
		p.k.watchCPULocked(p, p.k.clock.Monotonic())
	}
	return nil
}

func secondsToNanos(v uint64) uint64 {
	if v > abi.RlimInfinity/1e9 {
		return abi.RlimInfinity
	}
	return v * 1e9
}

// refuse notes that a limit has refused the process something, in case it dies
// of it.
func (p *Process) refuse(l abi.Limit) {
	p.refused.Store(uint32(l))
	if p.job != nil {
		p.job.reached.add(l)
	}
}

// MemoryLimit returns how large the caller's linear memory may become, in
// bytes.
func (p *Process) MemoryLimit() int64 {
	return clampNanos(min(p.rlim[rlimAS].soft, p.rlim[rlimData].soft))
}

// GrowMemory accounts for delta more bytes of linear memory, or fewer. It
// reports false, and changes nothing, where a limit of the process or of the
// sandbox forbids that; a process that ends badly afterwards reports
// abi.LimitMemory. What is left is given back when the image has ended.
func (p *Process) GrowMemory(delta int64) bool {
	if delta <= 0 {
		p.memory.Add(delta)
		p.k.memory.Add(delta)
		return true
	}
	if delta > 1<<48 || p.memory.Load()+delta > p.MemoryLimit() {
		p.refuse(abi.LimitMemory)
		return false
	}
	if p.k.memory.Add(delta) > p.k.limits.TotalMemory {
		p.k.memory.Add(-delta)
		p.refuse(abi.LimitMemory)
		return false
	}
	n := p.memory.Add(delta)
	for {
		old := p.maxMemory.Load()
		if n <= old || p.maxMemory.CompareAndSwap(old, n) {
			return true
		}
	}
}

// releaseMemory gives back all linear memory.
func (p *Process) releaseMemory() { p.k.memory.Add(-p.memory.Swap(0)) }
