// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"sync"
	"sync/atomic"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel/internal/pipe"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// Process is a process of the sandbox: one with an image, a shadow process, or
// init. See the package comment for which methods are for whom.
type Process struct {
	// Immutable.
	k      *Kernel
	pid    PID
	cred   *vfs.Cred
	owner  *Process // of a shadow process: whose image runs it; else nil
	wake   pipe.Waker
	start  int64 // monotonic
	leader bool  // the first process of its job

	attn     atomic.Uint32 // attn bits: what the next yield must notice
	flagBits atomic.Uint32 // abi.SigFlag bits not yet taken

	cpu        atomic.Int64 // nanoseconds run until runSince
	runSince   atomic.Int64 // monotonic time plus one, 0 while blocked
	memory     atomic.Int64 // bytes of linear memory
	maxMemory  atomic.Int64
	refused    atomic.Uint32  // abi.Limit: the last limit that refused something
	exitStatus abi.WaitStatus // of Exit; own goroutine
	next       Image          // of Exec; own goroutine
	behind     func()         // of Behind; own goroutine
	entry      pipe.Entry     // own goroutine
	timer      Timer          // own goroutine; nil until needed
	deaf       bool           // own goroutine: handled signals do not interrupt

	fds fdTable

	// Guarded by k.mu.
	links    [linkKinds]procLink
	parent   *Process // nil for init and once reaped
	children procList
	shadows  procList
	group    *group
	job      *Job
	ignored  abi.SignalSet
	handled  abi.SignalSet
	pending  abi.SignalSet
	killed   abi.Signal // the signal that ends it, or 0
	limit    abi.Limit  // why it is killed
	exiting  bool       // Exit was called: nothing else can change the status
	stopped  bool
	execed   bool
	struck   bool            // it was refused a process
	ended    bool            // a zombie, or reaped
	left     bool            // it has reported its end and runs its shadows on
	event    abi.WaitStatus  // stop or continue not yet reported, or 0
	result   abi.WaitResult  // once ended
	cutime   int64           // of reaped children, ns
	rlim     [rlimits]rlimit // also read by its own goroutine, which alone writes
	xcpu     int64           // CPU time of the next SIGXCPU
	done     chan struct{}   // nil until asked for

	mu    sync.Mutex
	cwd   string   // guarded by mu for others; own goroutine writes
	umask abi.Mode // likewise
	path  string   // likewise: canonical name of the program file
	comm  string   // likewise
	args  []string // likewise
	env   []string // likewise
}

// PID returns the process's number.
func (p *Process) PID() PID { return p.pid }

// Kernel returns the kernel that the process lives in.
func (p *Process) Kernel() *Kernel { return p.k }

// Job returns the job of the process; nil for init.
func (p *Process) Job() *Job { return p.job }

// Done returns a channel that is closed when the process has ended, its
// descriptors are closed and its result is known. Of one whose shadows run on
// (see ShadowStatus) the descriptors may still be open.
func (p *Process) Done() <-chan struct{} {
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	if p.done == nil {
		p.done = make(chan struct{})
		if p.ended || p.left {
			close(p.done)
		}
	}
	return p.done
}

// Result returns how the process ended and what it used. Before Done it is the
// zero value.
func (p *Process) Result() abi.WaitResult {
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	return p.result
}

// Args returns the arguments, which the caller must not change.
func (p *Process) Args() []string { return p.args }

// Environ returns the environment as "name=value" strings, which the caller
// must not change.
func (p *Process) Environ() []string { return p.env }

// Path returns the canonical name of the program file, behind any "#!".
func (p *Process) Path() string { return p.path }

// Hostname returns the sandbox's host name.
func (p *Process) Hostname() string { return p.k.hostname }

// Umask sets the file mode creation mask to the permission bits of mask, or
// only asks where mask is negative, and returns the old one.
//
// POSIX: umask().
func (p *Process) Umask(mask int32) (old uint32) {
	old = uint32(p.umask)
	if mask >= 0 {
		p.mu.Lock()
		p.umask = abi.Mode(mask) & abi.ModePerm
		p.mu.Unlock()
	}
	return old
}

// Info describes a process, 0 being the caller: ESRCH.
func (p *Process) Info(pid PID) (abi.ProcInfo, error) {
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	t := p
	if pid != 0 {
		t = p.k.procs[pid]
		if t == nil {
			return abi.ProcInfo{}, abi.ESRCH
		}
	}
	i := abi.ProcInfo{
		PID: t.pid, Pgid: t.group.id, Sid: t.group.session.id,
		UID: t.cred.UID, GID: t.cred.GID, EUID: t.cred.UID, EGID: t.cred.GID,
		Ignored: t.ignored,
	}
	switch {
	case t.parent == nil:
	case t.parent.left:
		i.PPID = p.k.init.pid
	default:
		i.PPID = t.parent.pid
	}
	if t == p {
		i.Inherited = p.fds.inherited()
	}
	return i, nil
}

// Clock returns the time of a clock in nanoseconds: EINVAL for an unknown one.
//
// POSIX: clock_gettime().
func (p *Process) Clock(id abi.ClockID) (int64, error) {
	switch id {
	case abi.ClockRealtime:
		return p.k.clock.Now(), nil
	case abi.ClockMonotonic:
		return p.k.clock.Monotonic(), nil
	case abi.ClockProcessCPU, abi.ClockThreadCPU:
		return p.cpuTime(), nil
	}
	return 0, abi.EINVAL
}

// ClockRes returns the resolution of a clock in nanoseconds: EINVAL for an
// unknown one.
func (p *Process) ClockRes(id abi.ClockID) (int64, error) {
	if id > abi.ClockThreadCPU {
		return 0, abi.EINVAL
	}
	return 1, nil
}

// Random fills b with random bytes: EIO where the source fails.
func (p *Process) Random(b []byte) error { return p.k.random(b) }
