// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

const sandboxExec = "/usr/bin/sandbox-exec"

type darwinProcess struct{ unixProcess }

func support() Report {
	if info, err := os.Stat(sandboxExec); err != nil || !info.Mode().IsRegular() {
		return Report{Missing: []string{"files, network, signals: " + sandboxExec + " is not there"}}
	}
	return Report{Mechanism: "seatbelt", Files: true, Network: true, Signals: true}
}

func start(c *Cmd, s *streams, begin func(native, Report) func()) error {
	path, argv := c.Path, c.argv()
	var confined Report
	if c.Confine != nil {
		paths, err := c.Confine.resolve()
		if err != nil {
			return err
		}
		confined = support()
		if err := c.Confine.require(confined); err != nil {
			return err
		}
		if confined.Files {
			confined.Network = !c.Confine.Network
			program, err := filepath.EvalSymlinks(c.Path)
			if err != nil {
				return pathError(c.Path, err)
			}
			tty := ""
			if s.console != nil {
				tty = s.console.name
			}
			profile, err := seatbelt(program, tty, paths, isDir)
			if err != nil {
				return err
			}
			path = sandboxExec
			argv = append([]string{"sandbox-exec", "-p", profile, program}, argv[1:]...)
		}
	}
	p, err := spawn(c, path, argv, s, &syscall.SysProcAttr{})
	if err != nil {
		return pathError(c.Path, err)
	}
	go begin(&darwinProcess{unixProcess{p, s.console}}, confined)()
	return nil
}

// wait waits without reaping: kqueue tells of the exit.
func (p *darwinProcess) wait() error {
	queue, err := unix.Kqueue()
	if err != nil {
		return fmt.Errorf("hostexec: wait: %w", err)
	}
	defer unix.Close(queue)
	unix.CloseOnExec(queue)
	change := []unix.Kevent_t{{Filter: unix.EVFILT_PROC, Flags: unix.EV_ADD | unix.EV_ONESHOT, Fflags: unix.NOTE_EXIT, Ident: uint64(p.process.Pid)}}
	events := make([]unix.Kevent_t, 1)
	for {
		n, err := unix.Kevent(queue, change, events, nil)
		switch {
		case err == unix.EINTR:
		case err == unix.ESRCH: // exited before
			return nil
		case err != nil:
			return fmt.Errorf("hostexec: wait: %w", err)
		case n > 0 && events[0].Flags&unix.EV_ERROR != 0 && syscall.Errno(events[0].Data) != unix.ESRCH:
			return fmt.Errorf("hostexec: wait: %w", syscall.Errno(events[0].Data))
		case n > 0:
			return nil
		}
	}
}

// killRounds bounds the search for processes that fork while they are looked
// for.
const killRounds = 1000

func (p *darwinProcess) interrupt() error { return p.kill() }

// kill kills the program's group, and what is in its session or descends from
// it, until only zombies are found.
func (p *darwinProcess) kill() error {
	root := p.process.Pid
	for range killRounds {
		all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
		if err != nil {
			return fmt.Errorf("hostexec: kill: %w", err)
		}
		in := map[int]bool{root: true}
		live := map[int]bool{}
		for grown := true; grown; {
			grown = false
			for i := range all {
				pid := int(all[i].Proc.P_pid)
				if pid <= 1 || live[pid] || all[i].Proc.P_stat == zombie {
					continue
				}
				session, _ := unix.Getsid(pid)
				if pid == root || session == root || in[int(all[i].Eproc.Ppid)] || in[int(all[i].Eproc.Pgid)] {
					in[pid], live[pid], grown = true, true, true
				}
			}
		}
		if len(live) == 0 {
			return nil
		}
		for pid := range live {
			if err := unix.Kill(pid, unix.SIGKILL); err != nil && err != unix.ESRCH {
				return fmt.Errorf("hostexec: kill: %w", err)
			}
		}
	}
	return fmt.Errorf("hostexec: kill: processes are made faster than they can be found")
}

// zombie is SZOMB of sys/proc.h.
const zombie = 5
