// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"cmp"
	"crypto/rand"
	"errors"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel/internal/pipe"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// ErrClosed is returned by methods of a [Kernel] after Close.
var ErrClosed = errors.New("kernel: closed")

// Kernel holds the processes of one sandbox. Its methods are safe for
// concurrent use.
type Kernel struct {
	// Immutable.
	runner   Runner
	ns       *vfs.Namespace
	clock    Clock
	hostname string
	cred     *vfs.Cred
	limits   Limits
	boot     int64 // Clock.Monotonic at New
	init     *Process
	pipes    *pipe.Pool
	fifos    fifoTable
	splices  splicePool

	randMu sync.Mutex
	rand   io.Reader // guarded by randMu

	openFiles atomic.Int64  // open file descriptions
	memory    atomic.Int64  // linear memory in use
	inodes    atomic.Uint64 // last inode number of a pipe

	mu       sync.Mutex
	closed   bool              // guarded by mu
	lastPID  PID               // guarded by mu
	procs    map[PID]*Process  // guarded by mu: zombies included
	groups   map[PID]*group    // guarded by mu
	sessions map[PID]*Session  // guarded by mu
	jobs     map[*Job]struct{} // guarded by mu: those with members
	started  uint64            // guarded by mu: processes ever
	cpuTimer Timer             // guarded by mu
	cpuNext  int64             // guarded by mu: when cpuTimer fires, 0 for never

	running sync.WaitGroup // goroutines of processes
}

// New returns a kernel without processes but init, which has no goroutine. An
// error says which required field of cfg is missing.
func New(cfg Config) (*Kernel, error) {
	switch {
	case cfg.Runner == nil:
		return nil, errors.New("kernel: Config.Runner is nil")
	case cfg.Namespace == nil:
		return nil, errors.New("kernel: Config.Namespace is nil")
	}
	k := &Kernel{
		runner:   cfg.Runner,
		ns:       cfg.Namespace,
		clock:    cfg.Clock,
		hostname: cmp.Or(cfg.Hostname, "sandbox"),
		cred:     cfg.Cred,
		limits:   cfg.Limits.withDefaults(),
		rand:     cfg.Rand,
		procs:    make(map[PID]*Process),
		groups:   make(map[PID]*group),
		sessions: make(map[PID]*Session),
		jobs:     make(map[*Job]struct{}),
	}
	if k.clock == nil {
		k.clock = SystemClock()
	}
	if k.rand == nil {
		k.rand = rand.Reader
	}
	if k.cred == nil {
		k.cred = &vfs.Cred{UID: 1000, GID: 1000}
	}
	k.boot = k.clock.Monotonic()
	k.pipes = pipe.NewPool(k.limits.PipeBytes)
	k.cpuTimer = k.clock.NewTimer(k.checkCPU)
	k.makeInit()
	return k, nil
}

// makeInit makes process 1, which only owns orphans.
func (k *Kernel) makeInit() {
	k.mu.Lock()
	defer k.mu.Unlock()
	p := &Process{k: k, pid: 1, cred: k.cred, wake: pipe.NewWaker(), start: k.boot}
	p.cwd, p.umask, p.comm, p.args = "/", 0o022, "init", []string{"init"}
	p.rlim = k.initialRlimits()
	k.init, k.lastPID = p, 1
	k.procs[1] = p
	s := k.newSessionLocked(1)
	k.newGroupLocked(1, s).add(p)
}

// Close ends every process and waits until their goroutines have ended. A
// second call waits for the first. It returns nil.
//
// It does not wait for a read or write of a host stream that blocks: see
// [NewReaderFile].
func (k *Kernel) Close() error {
	k.mu.Lock()
	if !k.closed {
		k.closed = true
		for j := range k.jobs {
			for p := j.members.head; p != nil; p = p.links[linkJob].next {
				k.killLocked(p, abi.SIGKILL, abi.LimitNone)
			}
		}
	}
	k.mu.Unlock()
	k.running.Wait()
	k.mu.Lock()
	k.cpuTimer.Stop()
	for j := range k.jobs {
		if j.timer != nil {
			j.timer.Stop()
		}
	}
	k.mu.Unlock()
	return nil
}

// Limits returns the limits in force, with the defaults filled in.
func (k *Kernel) Limits() Limits { return k.limits }

// Namespace returns the namespace.
func (k *Kernel) Namespace() *vfs.Namespace { return k.ns }

// Clock returns the clock.
func (k *Kernel) Clock() Clock { return k.clock }

// Hostname returns the host name.
func (k *Kernel) Hostname() string { return k.hostname }

// Process returns the process with the given number, zombies included.
func (k *Kernel) Process(pid PID) (*Process, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p, ok := k.procs[pid]
	return p, ok
}

// PIDs returns the numbers of all processes, init and zombies included, in
// ascending order.
func (k *Kernel) PIDs() []PID {
	k.mu.Lock()
	defer k.mu.Unlock()
	out := make([]PID, 0, len(k.procs))
	for pid := range k.procs {
		out = append(out, pid)
	}
	slices.Sort(out)
	return out
}

// Kill sends a signal as init would: pid > 0 is a process, -1 every process but
// init, less than -1 a group; 0 is EINVAL. ESRCH where there is none, EPERM for
// init, EINVAL for a signal that does not exist.
func (k *Kernel) Kill(pid PID, sig abi.Signal) error {
	if pid == 0 {
		return abi.EINVAL
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.signalLocked(nil, pid, sig)
}

// Uptime returns how long the kernel has been there.
func (k *Kernel) Uptime() time.Duration { return time.Duration(k.clock.Monotonic() - k.boot) }

// random fills b.
func (k *Kernel) random(b []byte) error {
	k.randMu.Lock()
	defer k.randMu.Unlock()
	if _, err := io.ReadFull(k.rand, b); err != nil {
		return abi.EIO
	}
	return nil
}
