// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package hostexec

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// spawn starts the program in a session of its own, with its three descriptors
// and no other.
func spawn(c *Cmd, path string, argv []string, s *streams, attr *syscall.SysProcAttr) (*os.Process, error) {
	attr.Setsid = true
	if s.console != nil {
		attr.Setctty, attr.Ctty = true, 0
	}
	env := c.Env
	if env == nil {
		env = []string{} // nil means that of this process to os.StartProcess
	}
	defer defaultSignals()()
	files, err := onlyThese(s.child)
	if err != nil {
		return nil, err
	}
	return os.StartProcess(path, argv, &os.ProcAttr{Dir: c.Dir, Env: env, Files: files, Sys: attr})
}

// onlyThese adds to the three files a nil for every descriptor of this process
// that would survive the exec. Descriptors that Go opens never do; those that
// this process was started with, or that foreign code has opened, may. A nil is
// closed in the child.
func onlyThese(three [3]*os.File) ([]*os.File, error) {
	files := three[:]
	dir, err := unix.Open("/dev/fd", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open descriptors: %w", err)
	}
	defer unix.Close(dir)
	var buf [4096]byte
	var names [128]string
	for {
		n, err := unix.ReadDirent(dir, buf[:])
		if err != nil {
			return nil, fmt.Errorf("open descriptors: %w", err)
		}
		if n <= 0 {
			return files, nil
		}
		for rest := buf[:n]; len(rest) > 0; {
			used, _, found := unix.ParseDirent(rest, -1, names[:0])
			if used <= 0 {
				break
			}
			rest = rest[used:]
			for _, name := range found {
				fd, err := strconv.Atoi(name)
				if err != nil || fd < len(files) || fd == dir {
					continue
				}
				if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
					for len(files) <= fd {
						files = append(files, nil)
					}
				}
			}
		}
	}
}

var ignoring sync.Mutex

// defaultSignals makes the signals that this process ignores default in what is
// started until the returned function is called: an ignored signal stays ignored
// across an exec, one with a handler does not (POSIX.1-2024 exec). What arrives
// meanwhile is discarded, which is what ignoring it does.
func defaultSignals() (restore func()) {
	var sigs []os.Signal
	for i := syscall.Signal(1); i < 32; i++ {
		if i != syscall.SIGKILL && i != syscall.SIGSTOP && signal.Ignored(i) {
			sigs = append(sigs, i)
		}
	}
	if len(sigs) == 0 {
		return func() {}
	}
	ignoring.Lock()
	discard := make(chan os.Signal, 1)
	signal.Notify(discard, sigs...)
	return func() {
		signal.Ignore(sigs...)
		ignoring.Unlock()
	}
}

// unixProcess has what Linux and macOS do alike.
type unixProcess struct {
	process *os.Process
	console *console
}

func (p *unixProcess) pid() int { return p.process.Pid }

func (p *unixProcess) reap() (Status, error) {
	state, err := p.process.Wait()
	if err != nil {
		return Status{}, fmt.Errorf("hostexec: wait: %w", err)
	}
	ws := state.Sys().(syscall.WaitStatus)
	if ws.Signaled() {
		return Status{Signaled: true, Signal: ws.Signal(), Core: ws.CoreDump()}, nil
	}
	return Status{Exited: true, Code: ws.ExitStatus()}, nil
}

func (p *unixProcess) signal(sig syscall.Signal) error {
	if err := syscall.Kill(-p.process.Pid, sig); err != nil {
		if err == syscall.ESRCH {
			return ErrEnded
		}
		return fmt.Errorf("hostexec: signal: %w", err)
	}
	return nil
}

func (p *unixProcess) resize(size Winsize) error {
	if p.console == nil {
		return ErrNotTerminal
	}
	return p.console.resize(size)
}

func (p *unixProcess) endInput(w io.Writer) error {
	if p.console == nil {
		return ErrNotTerminal
	}
	return p.console.endInput(w)
}

func (p *unixProcess) finish() {}

func signalName(sig syscall.Signal) string { return unix.SignalName(sig) }
