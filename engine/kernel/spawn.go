// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"runtime"
	"slices"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel/internal/pipe"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// Start starts a process as a child of init, in a session and group of its own
// and as the first of a new [Job]. Element i of files becomes descriptor i; nil
// leaves it closed. The process takes references of its own to files: the
// caller closes its own with [OpenFile.Close], before or after the process has
// ended.
//
// s is read as for [Process.Spawn], from directory "/" where s.Dir is relative
// or empty; its Flags, Pgid, PPID and Actions must be zero: EINVAL. Else it
// returns the errors of Spawn, and ErrClosed.
func (k *Kernel) Start(s *abi.SpawnSpec, files []*OpenFile, opt StartOptions) (*Process, error) {
	if s.Flags != 0 || s.Pgid != 0 || s.PPID != 0 || len(s.Actions) != 0 || len(files) > k.limits.Files {
		return nil, abi.EINVAL
	}
	own := *s
	own.Args, own.Env = slices.Clone(s.Args), slices.Clone(s.Env)
	s = &own
	as := k.init
	if opt.Cred != nil { // init, as another user
		as = &Process{k: k, pid: k.init.pid, cred: opt.Cred, wake: k.init.wake, cwd: k.init.cwd, umask: k.init.umask, rlim: k.init.rlim}
	}
	dir, err := as.childDir(s.Dir)
	if err != nil {
		return nil, err
	}
	prog, err := as.load(s, dir)
	if err != nil {
		return nil, err
	}
	c := as.newChild(s, prog, dir)
	c.leader = true
	c.fds.init(files)
	k.mu.Lock()
	pid, err := k.admitLocked(k.init, false)
	if err != nil {
		k.mu.Unlock()
		c.fds.closeAll()
		return nil, err
	}
	c.pid = pid
	j := newJob(k, &opt)
	session := k.newSessionLocked(pid)
	if opt.Terminal != nil {
		session.tty, session.foreground = opt.Terminal, pid
	}
	k.enterLocked(c, k.init, k.newGroupLocked(pid, session), j)
	k.mu.Unlock()
	if opt.Terminal != nil {
		opt.Terminal.Attach(session)
	}
	if j.timer != nil {
		j.timer.Reset(opt.Timeout)
	}
	go c.run(prog.image)
	return c, nil
}

// Spawn starts a child of the caller, or of a shadow process of it where
// s.PPID names one, and returns its number.
//
// The child inherits the descriptors without close-on-exec, working directory,
// umask, limits and ignored signals; s.Ignored are ignored as well, and
// handled signals get their default action. s.Path is resolved against s.Dir.
//
// It returns what opening and loading the program returns (see package abi for
// the numbers: ENOENT, EACCES, ENOEXEC, ELOOP, E2BIG, ENOMEM, …), EBADF for an
// action that names a closed descriptor, EMFILE for one past the limit, ESRCH
// for a PPID that is no shadow of the caller, EPERM for a group that is not of
// the session, and EAGAIN where there are too many processes. SpawnForeground
// does nothing where the session has no terminal.
//
// POSIX: posix_spawn().
func (p *Process) Spawn(s *abi.SpawnSpec) (PID, error) {
	if err := p.leaving(); err != nil {
		return 0, err
	}
	dir, err := p.childDir(s.Dir)
	if err != nil {
		return 0, err
	}
	prog, err := p.load(s, dir)
	if err != nil {
		return 0, err
	}
	c := p.newChild(s, prog, dir)
	if err := p.fds.childTable(&c.fds, s, p.maxFD()); err != nil {
		if err == abi.EMFILE {
			p.refuse(abi.LimitFiles)
		}
		return 0, err
	}
	pid, err := p.k.enterChild(c, p, s)
	if err != nil {
		c.fds.closeAll()
		return 0, err
	}
	go c.run(prog.image)
	return pid, nil
}

// childDir returns the working directory of a child: ENOENT, ENOTDIR, EACCES.
func (p *Process) childDir(dir string) (string, error) {
	if dir == "" {
		return p.cwd, nil
	}
	return p.directory(vfs.At{Dir: p.cwd, Cred: p.cred, Caller: p}, dir)
}

// newChild makes a process that nobody knows yet.
func (p *Process) newChild(s *abi.SpawnSpec, prog program, dir string) *Process {
	c := &Process{
		k: p.k, cred: p.cred, wake: pipe.NewWaker(),
		cwd: dir, umask: p.umask, path: prog.path, comm: commOf(prog.path), args: prog.args, env: s.Env,
		ignored: (p.ignored | s.Ignored) &^ uncatchable & (1<<abi.NSIG - 2),
		rlim:    p.rlim,
	}
	c.xcpu = clampNanos(c.rlim[rlimCPU].soft)
	c.entry.W = c.wake
	if s.Umask >= 0 {
		c.umask = abi.Mode(s.Umask) & abi.ModePerm
	}
	return c
}

// enterChild puts c into the tables as a child of p or of its shadow.
func (k *Kernel) enterChild(c, p *Process, s *abi.SpawnSpec) (PID, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	parent, err := p.asParentLocked(s.PPID)
	if err != nil {
		return 0, err
	}
	pid, err := k.admitLocked(p, false)
	if err != nil {
		return 0, err
	}
	g, err := k.placeLocked(parent, pid, s.Flags, s.Pgid)
	if err != nil {
		return 0, err
	}
	c.pid = pid
	k.enterLocked(c, parent, g, p.job)
	return pid, nil
}

// asParentLocked returns the process that pid, 0 or a shadow of p, names:
// ESRCH.
//
// Preconditions: k.mu is held.
func (p *Process) asParentLocked(pid PID) (*Process, error) {
	if pid == 0 || pid == p.pid {
		return p, nil
	}
	t := p.k.procs[pid]
	if t == nil || t.owner != p || t.ended {
		return nil, abi.ESRCH
	}
	return t, nil
}

// admitLocked returns a number for one more process started by p, or a shadow
// of it: EAGAIN, ErrClosed, ErrExiting.
//
// Preconditions: k.mu is held.
func (k *Kernel) admitLocked(p *Process, shadow bool) (PID, error) {
	switch {
	case k.closed && p == k.init:
		return 0, ErrClosed
	case k.closed:
		return 0, ErrExiting
	case len(k.procs)-1 >= k.limits.Processes || uint64(len(k.procs)-1) >= p.rlim[rlimNproc].soft:
		p.refuse(abi.LimitProcesses)
		k.strikeLocked(p, shadow)
		return 0, abi.EAGAIN
	}
	if p.job != nil && len(k.procs)-1 <= k.limits.Processes/2 {
		p.job.strikes = 0
	}
	return k.allocPIDLocked()
}

// minStrikes bounds from below how many refusals a job survives.
const minStrikes = 64

// strikeLocked ends p's job where its processes multiply without end: natively
// they would go on for ever, each taking the place of one that has ended. Who
// waits and tries again is refused often but is one process, and counts once;
// subshells of a shell, which are shadows, end when they are refused.
//
// Preconditions: k.mu is held.
func (k *Kernel) strikeLocked(p *Process, shadow bool) {
	if p.job == nil || p.struck && !shadow {
		return
	}
	p.struck = true
	if p.job.strikes++; p.job.strikes > max(k.limits.Processes, minStrikes) {
		p.job.killLocked(abi.SIGKILL, abi.LimitProcesses)
	}
}

// placeLocked returns the group that flags ask for.
//
// Preconditions: k.mu is held.
func (k *Kernel) placeLocked(parent *Process, pid PID, flags abi.SpawnFlag, pgid PID) (*group, error) {
	s := parent.group.session
	g := parent.group
	switch {
	case flags&abi.SpawnSetsid != 0:
		return k.newGroupLocked(pid, k.newSessionLocked(pid)), nil
	case flags&abi.SpawnSetpgid == 0:
	case pgid < 0:
		return nil, abi.EINVAL
	case pgid == 0 || pgid == pid:
		g = k.newGroupLocked(pid, s)
	default:
		g = k.groups[pgid]
		if g == nil || g.session != s {
			return nil, abi.EPERM
		}
	}
	if flags&abi.SpawnForeground != 0 && s.tty != nil {
		s.foreground = g.id
	}
	return g, nil
}

// enterLocked puts c, which has a number, into the tables and lets it run.
//
// Preconditions: k.mu is held; the kernel is not closed.
func (k *Kernel) enterLocked(c, parent *Process, g *group, j *Job) {
	now := k.clock.Monotonic()
	c.start = now
	k.started++
	k.procs[c.pid] = c
	c.parent = parent
	parent.children.push(c, linkChild)
	g.add(c)
	if c.owner != nil {
		c.job = j
		c.owner.shadows.push(c, linkShadow)
		return
	}
	k.running.Add(1)
	j.joinLocked(c)
	k.watchCPULocked(c, now)
}

// run is the goroutine of a process.
func (p *Process) run(img Image) {
	defer p.k.running.Done()
	p.resume()
	var st abi.WaitStatus
	for p.yield() == nil {
		st = img.Run(p)
		p.releaseMemory()
		if p.attn.Load()&(attnFatal|attnExit) != 0 || p.next == nil {
			break
		}
		p.tidy()
		img, p.next = p.next, nil
		p.attn.And(^attnExec)
	}
	p.exit(st)
	if p.behind != nil {
		runtime.Gosched() // to who waits for the process
		p.tidy()
	}
}

// Behind has f called on the goroutine of the process, which calls Behind, when
// its image has run and who waits for the process knows of its end: for work that
// nobody needs to wait for. [Kernel.Close] does wait for it.
func (p *Process) Behind(f func()) { p.behind = f }

// tidy does what Behind has put off.
func (p *Process) tidy() {
	if f := p.behind; f != nil {
		p.behind = nil
		f()
	}
}
