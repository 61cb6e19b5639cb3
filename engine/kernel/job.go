// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"sync/atomic"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// StartOptions modifies [Kernel.Start].
type StartOptions struct {
	// Timeout ends the whole job after this wall time: SIGKILL, and
	// abi.LimitWall as the reason. 0 means none.
	Timeout time.Duration
	// KillOrphans ends what is left of the job when its first process
	// ends. Without it, background processes live on until they end, the
	// job is killed or the kernel is closed.
	KillOrphans bool
	// Terminal becomes the controlling terminal of the new session, and
	// the process's group its foreground group.
	Terminal Terminal
	// Cred is the user of the job's processes: that of Config where nil.
	Cred *vfs.Cred
}

// Job is everything that one [Kernel.Start] brought about: its process and all
// descendants, whatever groups and sessions they have moved to and whoever has
// adopted them. A process cannot leave its job.
type Job struct {
	k       *Kernel // immutable
	orphans bool    // immutable: descendants may outlive the first process
	done    chan struct{}
	output  atomic.Int64
	reached limitSet

	members procList   // guarded by k.mu: running processes, no shadows
	killed  abi.Signal // guarded by k.mu: later members are ended by it at once
	limit   abi.Limit  // guarded by k.mu: why
	strikes int        // guarded by k.mu: processes refused since there was room
	timer   Timer      // guarded by k.mu
}

func newJob(k *Kernel, o *StartOptions) *Job {
	j := &Job{k: k, orphans: !o.KillOrphans, done: make(chan struct{})}
	if o.Timeout > 0 {
		j.timer = k.clock.NewTimer(func() { j.KillLimit(abi.SIGKILL, abi.LimitWall) })
	}
	return j
}

// Kill ends every process of the job by sig, as if its action were the default
// one and that were to end the process, and whatever it still starts. It does
// not wait; see Done.
func (j *Job) Kill(sig abi.Signal) { j.KillLimit(sig, abi.LimitNone) }

// KillLimit is Kill with a reason that wait results and Reached report.
func (j *Job) KillLimit(sig abi.Signal, l abi.Limit) {
	j.k.mu.Lock()
	defer j.k.mu.Unlock()
	j.killLocked(sig, l)
}

// killLocked implements KillLimit.
//
// Preconditions: k.mu is held.
func (j *Job) killLocked(sig abi.Signal, l abi.Limit) {
	if j.members.n == 0 {
		return // it is over, and so no limit has ended it
	}
	if l != abi.LimitNone {
		j.reached.add(l)
	}
	if j.killed == 0 {
		j.killed, j.limit = sig, l
	}
	for p := j.members.head; p != nil; p = p.links[linkJob].next {
		j.k.killLocked(p, sig, l)
	}
}

// Signal sends a signal to every process of the job as kill(2) would.
func (j *Job) Signal(sig abi.Signal) error {
	if !sig.Valid() {
		return abi.EINVAL
	}
	j.k.mu.Lock()
	defer j.k.mu.Unlock()
	if j.members.n == 0 {
		return abi.ESRCH
	}
	for p := j.members.head; p != nil; p = p.links[linkJob].next {
		j.k.sendLocked(p, sig)
		if p.left {
			for s := p.shadows.head; s != nil; s = s.links[linkShadow].next {
				j.k.sendLocked(s, sig)
			}
		}
	}
	return nil
}

// Done returns a channel that is closed when the job's last process has ended.
func (j *Job) Done() <-chan struct{} { return j.done }

// Reached returns the limits that processes of the job have run into so far,
// whether they died of them or not.
func (j *Job) Reached() LimitSet { return j.reached.load() }

// Output returns how many bytes the job has written to host-side files.
func (j *Job) Output() int64 { return j.output.Load() }

// PIDs returns the numbers of the job's running processes, oldest first.
func (j *Job) PIDs() []PID {
	j.k.mu.Lock()
	defer j.k.mu.Unlock()
	out := make([]PID, 0, j.members.n)
	for p := j.members.head; p != nil; p = p.links[linkJob].next {
		out = append(out, p.pid)
	}
	return out
}

// joinLocked adds a process.
//
// Preconditions: k.mu is held.
func (j *Job) joinLocked(p *Process) {
	p.job = j
	j.members.push(p, linkJob)
	j.k.jobs[j] = struct{}{}
	if j.killed != 0 {
		j.k.killLocked(p, j.killed, j.limit)
	}
}

// leaveLocked takes an ended process out.
//
// Preconditions: k.mu is held.
func (j *Job) leaveLocked(p *Process) {
	j.members.remove(p, linkJob)
	if j.members.n > 0 {
		if p.leader && !j.orphans {
			j.killLocked(abi.SIGKILL, abi.LimitNone)
		}
		return
	}
	if j.timer != nil {
		j.timer.Stop()
	}
	delete(j.k.jobs, j)
	close(j.done)
}

// takeOutput accounts for n bytes of output and returns how many of them are
// within the limit. Where fewer, the job is ended.
func (j *Job) takeOutput(n int) int {
	max := j.k.limits.Output
	used := j.output.Add(int64(n))
	if used <= max {
		return n
	}
	over := used - max
	j.output.Add(-min(over, int64(n)))
	j.KillLimit(abi.SIGXFSZ, abi.LimitOutput)
	return int(int64(n) - min(over, int64(n)))
}

// returnOutput gives back what takeOutput took and was not written.
func (j *Job) returnOutput(n int) { j.output.Add(-int64(n)) }
