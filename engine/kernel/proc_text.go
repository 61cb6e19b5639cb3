// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"fmt"
	"math"
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// The texts of procfs, in the formats of Linux (Documentation/filesystems/
// proc.rst) with the figures of the sandbox.

// clockTicks is how many units of stat's times make a second.
const clockTicks = 100

func ticks(ns int64) int64 { return ns / (1e9 / clockTicks) }

// procFacts are the facts of a process that are guarded by the kernel's lock.
type procFacts struct {
	state                    string
	ppid, pgid, sid, tpgid   PID
	pending, ignored, caught abi.SignalSet
	threads                  int
	children                 int64
	tty                      uint64 // device number of the controlling terminal
}

func (p *Process) facts() procFacts {
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	f := procFacts{
		state: "S (sleeping)", tpgid: -1,
		pending: p.pending, ignored: p.ignored, caught: p.handled, children: p.cutime, threads: 1,
	}
	switch {
	case p.ended:
		f.state = "Z (zombie)"
	case p.stopped:
		f.state = "T (stopped)"
	case p.shown().runSince.Load() != 0:
		f.state = "R (running)"
	}
	if p.parent != nil {
		f.ppid = p.parent.pid
	}
	if p.group != nil { // a process reaped meanwhile has none
		f.pgid, f.sid = p.group.id, p.group.session.id
		if s := p.group.session; s.tty != nil && s.foreground != 0 {
			f.tpgid = s.foreground
		}
		if t, ok := p.group.session.tty.(*PTY); ok {
			f.tty = t.stat.Rdev
		}
	}
	return f
}

// copyShown returns the facts guarded by Process.mu.
func (p *Process) copyShown() (comm string, umask abi.Mode, args, env []string) {
	s := p.shown()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.comm, s.umask, s.args, s.env
}

// places returns the working directory and the program file.
func (p *Process) places() (cwd, path string) {
	s := p.shown()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cwd, s.path
}

func procCmdline(t *Process) []byte {
	_, _, args, _ := t.copyShown()
	return nulTerminated(args)
}

func procEnviron(t *Process) []byte {
	_, _, _, env := t.copyShown()
	return nulTerminated(env)
}

func nulTerminated(l []string) []byte {
	var b []byte
	for _, s := range l {
		b = append(append(b, s...), 0)
	}
	return b
}

func procComm(t *Process) []byte {
	comm, _, _, _ := t.copyShown()
	return []byte(comm + "\n")
}

// sigMask is the set in the numbering of Linux's masks, where bit 0 is signal
// 1.
func sigMask(s abi.SignalSet) uint64 { return uint64(s) >> 1 }

func procStatus(t *Process) []byte {
	f := t.facts()
	comm, umask, _, _ := t.copyShown()
	mem, maxMem := t.memory.Load()>>10, t.maxMemory.Load()>>10
	var b strings.Builder
	fmt.Fprintf(&b, "Name:\t%s\nUmask:\t%04o\nState:\t%s\n", comm, uint32(umask), f.state)
	fmt.Fprintf(&b, "Tgid:\t%d\nPid:\t%d\nPPid:\t%d\n", t.pid, t.pid, f.ppid)
	fmt.Fprintf(&b, "Uid:\t%[1]d\t%[1]d\t%[1]d\t%[1]d\nGid:\t%[2]d\t%[2]d\t%[2]d\t%[2]d\n", t.cred.UID, t.cred.GID)
	fmt.Fprintf(&b, "FDSize:\t%d\nGroups:\t", t.limitsOf()[rlimNofile].soft)
	for _, g := range t.cred.Groups {
		fmt.Fprintf(&b, "%d ", g)
	}
	fmt.Fprintf(&b, "\nNSpid:\t%d\nNSpgid:\t%d\nNSsid:\t%d\n", t.pid, f.pgid, f.sid)
	fmt.Fprintf(&b, "VmPeak:\t%8d kB\nVmSize:\t%8d kB\nVmHWM:\t%8d kB\nVmRSS:\t%8d kB\n", maxMem, mem, maxMem, mem)
	fmt.Fprintf(&b, "Threads:\t%d\n", f.threads)
	fmt.Fprintf(&b, "SigPnd:\t%016x\nShdPnd:\t%016x\nSigBlk:\t%016x\nSigIgn:\t%016x\nSigCgt:\t%016x\n",
		0, sigMask(f.pending), 0, sigMask(f.ignored), sigMask(f.caught))
	return []byte(b.String())
}

func procPidStat(t *Process) []byte {
	f := t.facts()
	comm, _, _, _ := t.copyShown()
	// 52 fields; those that mean nothing here are 0.
	return fmt.Appendf(nil, "%d (%s) %s %d %d %d %d %d 0 0 0 0 0 %d 0 %d 0 20 0 %d 0 %d %d %d %d 0 0 0 0 0 %d %d 0 %d 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
		t.pid, comm, f.state[:1], f.ppid, f.pgid, f.sid, f.tty, f.tpgid,
		ticks(t.cpuTime()), ticks(f.children), f.threads, ticks(t.start-t.k.boot),
		t.memory.Load(), t.memory.Load()>>12, uint64(math.MaxUint64),
		uint32(sigMask(f.pending)), uint32(0), uint32(sigMask(f.ignored)))
}

func procStatm(t *Process) []byte {
	pages := t.memory.Load() >> 12
	return fmt.Appendf(nil, "%d %d 0 0 0 %d 0\n", pages, pages, pages)
}

func procLimits(t *Process) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%-26s%-21s%-21s%-10s\n", "Limit", "Soft Limit", "Hard Limit", "Units")
	r := t.limitsOf()
	row := func(name string, l rlimit, units string) {
		fmt.Fprintf(&b, "%-26s%-21s%-21s%-10s\n", name, limitText(l.soft), limitText(l.hard), units)
	}
	cpu := rlimit{nanosToSeconds(r[rlimCPU].soft), nanosToSeconds(r[rlimCPU].hard)}
	row("Max cpu time", cpu, "seconds")
	row("Max file size", r[rlimFsize], "bytes")
	row("Max data size", r[rlimData], "bytes")
	row("Max stack size", r[rlimStack], "bytes")
	row("Max core file size", rlimit{}, "bytes")
	row("Max processes", r[rlimNproc], "processes")
	row("Max open files", r[rlimNofile], "files")
	row("Max address space", r[rlimAS], "bytes")
	return []byte(b.String())
}

func (p *Process) limitsOf() [rlimits]rlimit {
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	return p.shown().rlim
}

func limitText(v uint64) string {
	if v == abi.RlimInfinity {
		return "unlimited"
	}
	return fmt.Sprint(v)
}

// procMeminfo shows the sandbox's limit as the machine's memory.
func procMeminfo(p *Process) []byte {
	total := p.k.limits.TotalMemory
	free := max(total-p.k.memory.Load(), 0)
	return fmt.Appendf(nil, "MemTotal:       %8d kB\nMemFree:        %8d kB\nMemAvailable:   %8d kB\nBuffers:        %8d kB\nCached:         %8d kB\nSwapTotal:      %8d kB\nSwapFree:       %8d kB\n",
		total>>10, free>>10, free>>10, 0, 0, 0, 0)
}

func procUptime(p *Process) []byte {
	up := p.k.clock.Monotonic() - p.k.boot
	return fmt.Appendf(nil, "%d.%02d 0.00\n", up/1e9, up/1e7%100)
}

func procMounts(p *Process) []byte {
	var b strings.Builder
	for _, m := range p.k.ns.Mounts() {
		mode := "rw"
		if m.ReadOnly {
			mode = "ro"
		}
		src, typ := m.Source, m.Type
		if src == "" {
			src = "none"
		}
		if typ == "" {
			typ = "none"
		}
		fmt.Fprintf(&b, "%s %s %s %s 0 0\n", mountEscape(src), mountEscape(m.Path), mountEscape(typ), mode)
	}
	return []byte(b.String())
}

// mountEscape writes what separates fields as octal numbers.
func mountEscape(s string) string {
	return strings.NewReplacer("\\", "\\134", " ", "\\040", "\t", "\\011", "\n", "\\012").Replace(s)
}

func procFilesystems(p *Process) []byte {
	var b strings.Builder
	seen := map[string]bool{"": true}
	for _, m := range p.k.ns.Mounts() {
		if !seen[m.Type] {
			seen[m.Type] = true
			fmt.Fprintf(&b, "nodev\t%s\n", m.Type)
		}
	}
	return []byte(b.String())
}

// runningProcesses counts processes that run and all there are.
func (k *Kernel) runningProcesses() (running, all int, started uint64, last PID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, p := range k.procs {
		if !p.ended && p.owner == nil && p.runSince.Load() != 0 {
			running++
		}
	}
	return running, len(k.procs), k.started, k.lastPID
}

func procLoadavg(p *Process) []byte {
	running, all, _, last := p.k.runningProcesses()
	return fmt.Appendf(nil, "%[1]d.00 %[1]d.00 %[1]d.00 %[1]d/%[2]d %[3]d\n", running, all, last)
}

func procVersion(p *Process) []byte {
	return []byte("Linux version 6.1.0-wsandbox (wsandbox) #1 SMP\n")
}

// procCPUInfo describes the one processor that a sandbox is shown.
func procCPUInfo(*Process) []byte {
	return []byte("processor\t: 0\nvendor_id\t: WebAssembly\nmodel name\t: wsandbox virtual processor\ncpu cores\t: 1\nsiblings\t: 1\n\n")
}

func procStat(p *Process) []byte {
	running, _, started, _ := p.k.runningProcesses()
	up := ticks(p.k.clock.Monotonic() - p.k.boot)
	boot := (p.k.clock.Now() - (p.k.clock.Monotonic() - p.k.boot)) / 1e9
	return fmt.Appendf(nil, "cpu  0 0 0 %[1]d 0 0 0 0 0 0\ncpu0 0 0 0 %[1]d 0 0 0 0 0 0\nctxt 0\nbtime %[2]d\nprocesses %[3]d\nprocs_running %[4]d\nprocs_blocked 0\n",
		up, boot, started, running)
}
