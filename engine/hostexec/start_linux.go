// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"fmt"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// linuxProcess is a command whose program was forked by a thread of its own, the
// keeper. The thread is in the command's Landlock domain, if there is one, which
// confines the program without confining this process, and it lives as long as
// the program, whose death signal is bound to it (golang/go#27505).
type linuxProcess struct {
	unixProcess
	thread int    // the keeper's thread id, where it is in a domain, else 0
	marker uint64 // the command's mark without a domain
}

func start(c *Cmd, s *streams, begin func(native, Report) func()) error {
	abi := landlockABI()
	k := &keeper{cmd: c, streams: s, rules: -1}
	var confined Report
	switch {
	case c.Confine != nil:
		paths, err := c.Confine.resolve()
		if err != nil {
			return err
		}
		confined = report(abi, seccompArch != 0, c.Confine.Network)
		if err := c.Confine.require(confined); err != nil {
			return err
		}
		if confined.Files {
			if k.rules, err = fileRules(abi, c.Path, s.ttyName(), paths); err != nil {
				return err
			}
		}
		if confined.Network {
			k.filter = noSockets(confined.Files && abi >= abiUnix)
		}
	case !c.Privileges && abi >= abiScope:
		rules, err := signalScope()
		if err != nil {
			return err
		}
		k.rules, confined = rules, Report{ABI: abi, Signals: true, Tree: true}
	}
	k.confined = confined
	k.started = make(chan error, 1)
	onThread(func() { k.run(begin) })
	err := <-k.started
	if k.rules >= 0 {
		k.rules.close()
	}
	return err
}

func (s *streams) ttyName() string {
	if s.console == nil {
		return ""
	}
	return s.console.name
}

// onThread calls f on an operating-system thread that runs nothing else until f
// returns, and is not the main one: what a thread takes on stays with it, and the
// main thread, which cannot end, stands for the process where others look at it.
func onThread(f func()) {
	go func() {
		runtime.LockOSThread()
		if unix.Gettid() != os.Getpid() {
			f() // unlocks, or takes the thread with it
			return
		}
		locked := make(chan struct{})
		go func() {
			runtime.LockOSThread()
			close(locked)
			f()
		}()
		<-locked
		runtime.UnlockOSThread()
	}()
}

type keeper struct {
	cmd      *Cmd
	streams  *streams
	rules    ruleset // -1: none
	filter   []unix.SockFilter
	confined Report
	started  chan error
}

// run forks the program and supervises the command. A thread that has been
// restricted is not given back: it ends with the goroutine.
func (k *keeper) run(begin func(native, Report) func()) {
	if k.rules < 0 && k.filter == nil {
		defer runtime.UnlockOSThread()
	}
	if err := k.restrict(); err != nil {
		k.started <- err
		return
	}
	process, err := spawn(k.cmd, k.cmd.Path, k.cmd.argv(), k.streams, &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL})
	if err != nil {
		k.started <- pathError(k.cmd.Path, err)
		return
	}
	p := &linuxProcess{unixProcess: unixProcess{process, k.streams.console}}
	if k.confined.Tree {
		p.thread = unix.Gettid()
	} else {
		p.marker = mark(process.Pid)
	}
	supervise := begin(p, k.confined)
	k.started <- nil
	supervise()
}

func (k *keeper) restrict() error {
	if k.rules < 0 && k.filter == nil {
		return nil
	}
	if k.cmd.Confine != nil {
		if err := dropCapabilities(); err != nil {
			return err
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("%w: no_new_privs: %w", ErrConfinement, err)
	}
	if k.rules >= 0 {
		if err := landlockRestrict(int(k.rules)); err != nil {
			return fmt.Errorf("%w: landlock_restrict_self: %w", ErrConfinement, err)
		}
	}
	if k.filter != nil {
		if err := seccompFilter(k.filter); err != nil {
			return fmt.Errorf("%w: seccomp: %w", ErrConfinement, err)
		}
	}
	return nil
}

// killDomain kills every process of the Landlock domain that the calling thread
// is in. kill(-1) sends to every process but init and the caller's own that may
// be signaled, which the domain's scope narrows to those in it. The kernel walks
// the processes under the lock that a fork needs to add one, and a fork with
// SIGKILL pending fails, so one call gets them all.
//
// Outside a domain the same call would end the user's session. So before it, the
// thread must be the one that was restricted, and what every process may do
// outside a domain must be refused: a signal 0 to init for a privileged one, to
// the parent for any.
func killDomain(thread int) error {
	if unix.Gettid() != thread {
		return fmt.Errorf("hostexec: kill: on the wrong thread")
	}
	for _, pid := range []int{1, os.Getppid()} {
		if pid > 0 && unix.Kill(pid, 0) == nil {
			return fmt.Errorf("hostexec: kill: signals are not scoped")
		}
	}
	if err := unix.Kill(-1, unix.SIGKILL); err != nil && err != unix.ESRCH {
		return fmt.Errorf("hostexec: kill: %w", err)
	}
	return nil
}

func (p *linuxProcess) wait() error {
	for {
		err := unix.Waitid(unix.P_PID, p.process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err == nil {
			return nil
		}
		if err != unix.EINTR {
			return fmt.Errorf("hostexec: wait: %w", err)
		}
	}
}

// interrupt kills the program and its group. The rest of a domain goes when the
// keeper, which waits for the program, has seen it exit.
func (p *linuxProcess) interrupt() error {
	if p.thread == 0 {
		return p.kill()
	}
	for _, pid := range []int{-p.process.Pid, p.process.Pid} { // not reaped yet
		if err := unix.Kill(pid, unix.SIGKILL); err != nil && err != unix.ESRCH {
			return fmt.Errorf("hostexec: kill: %w", err)
		}
	}
	return nil
}

func (p *linuxProcess) kill() error {
	if p.thread == 0 {
		return killMarked(p.process.Pid, p.marker)
	}
	return killDomain(p.thread)
}
