// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/windows"
)

// killedCode is the exit code of a process that was killed here, as a shell
// counts SIGKILL.
const killedCode = 128 + uint32(syscall.SIGKILL)

type windowsProcess struct {
	handle  windows.Handle
	id      uint32
	job     windows.Handle
	console *console
	killed  bool // before it had exited; guarded by Process.mu
}

func support() Report {
	return Report{Tree: true, Missing: []string{"files, network, signals: Windows has no confinement for a child beyond its job object"}}
}

func start(c *Cmd, s *streams, begin func(native, Report) func()) (err error) {
	var confined Report
	if c.Confine != nil {
		if _, err := c.Confine.resolve(); err != nil {
			return err
		}
		if err := c.Confine.require(support()); err != nil {
			return err
		}
		confined.Missing = support().Missing
	}
	confined.Tree = true
	line, err := commandLine(c.argv())
	if err != nil {
		return err
	}
	job, err := newJob()
	if err != nil {
		return fmt.Errorf("hostexec: %w", err)
	}
	defer func() {
		if err != nil {
			_ = windows.CloseHandle(job)
		}
	}()
	p := &windowsProcess{job: job, console: s.console}
	if s.console != nil {
		p.handle, p.id, err = spawn(c.Path, line, c.Dir, c.Env, job, s.console.handle, [3]windows.Handle{})
		if err != nil {
			return pathError(c.Path, err)
		}
		go begin(p, confined)()
		return nil
	}
	var three [3]windows.Handle
	defer func() {
		for i, h := range three {
			if h != 0 && (i != 2 || h != three[1]) {
				_ = windows.CloseHandle(h)
			}
		}
	}()
	for i, f := range s.child {
		if i == 2 && f == s.child[1] {
			three[2] = three[1]
			continue
		}
		if three[i], err = inheritable(f); err != nil {
			return fmt.Errorf("hostexec: %w", err)
		}
	}
	p.handle, p.id, err = spawn(c.Path, line, c.Dir, c.Env, job, 0, three)
	runtime.KeepAlive(s)
	if err != nil {
		return pathError(c.Path, err)
	}
	go begin(p, confined)()
	return nil
}

func inheritable(f *os.File) (windows.Handle, error) {
	self := windows.CurrentProcess()
	var h windows.Handle
	err := windows.DuplicateHandle(self, windows.Handle(f.Fd()), self, &h, 0, true, windows.DUPLICATE_SAME_ACCESS)
	return h, os.NewSyscallError("DuplicateHandle", err)
}

func (p *windowsProcess) pid() int { return int(p.id) }

func (p *windowsProcess) wait() error {
	if _, err := windows.WaitForSingleObject(p.handle, windows.INFINITE); err != nil {
		return fmt.Errorf("hostexec: wait: %w", err)
	}
	return nil
}

func (p *windowsProcess) exited() bool {
	event, err := windows.WaitForSingleObject(p.handle, 0)
	return err == nil && event == windows.WAIT_OBJECT_0
}

func (p *windowsProcess) signal(sig syscall.Signal) error {
	switch {
	case sig == syscall.SIGTERM:
		return p.kill()
	case sig == syscall.SIGINT && p.console != nil:
		_, err := p.console.in.Write([]byte{3})
		return err
	}
	return fmt.Errorf("%w: signal %d", ErrUnsupported, sig)
}

func (p *windowsProcess) interrupt() error { return p.kill() }

func (p *windowsProcess) kill() error {
	if !p.exited() {
		p.killed = true
	}
	if err := windows.TerminateJobObject(p.job, killedCode); err != nil {
		return fmt.Errorf("hostexec: kill: %w", err)
	}
	return nil
}

func (p *windowsProcess) resize(size Winsize) error {
	if p.console == nil {
		return ErrNotTerminal
	}
	return p.console.resize(size)
}

func (p *windowsProcess) endInput(io.Writer) error {
	if p.console == nil {
		return ErrNotTerminal
	}
	return fmt.Errorf("%w: end of input of a console", ErrUnsupported)
}

func (p *windowsProcess) finish() {
	if p.console != nil {
		p.console.close()
	}
}

func (p *windowsProcess) reap() (Status, error) {
	defer windows.CloseHandle(p.job)
	defer windows.CloseHandle(p.handle)
	if !p.exited() { // TerminateJobObject does not wait
		if err := p.wait(); err != nil {
			return Status{}, err
		}
	}
	var code uint32
	if err := windows.GetExitCodeProcess(p.handle, &code); err != nil {
		return Status{}, fmt.Errorf("hostexec: exit code: %w", err)
	}
	if p.killed && code == killedCode {
		return Status{Signaled: true, Signal: syscall.SIGKILL}, nil
	}
	return Status{Exited: true, Code: int(code)}, nil
}

// console is a pseudo console with the pipes' ends on this side.
type console struct {
	handle windows.Handle
	in     *os.File

	mu     sync.Mutex
	closed bool
}

// These stand for a size of zero, which a console cannot have.
const defaultRows, defaultCols = 24, 80

func coord(size Winsize) windows.Coord {
	if size.Rows == 0 {
		size.Rows = defaultRows
	}
	if size.Cols == 0 {
		size.Cols = defaultCols
	}
	return windows.Coord{X: int16(min(size.Cols, 1<<15-1)), Y: int16(min(size.Rows, 1<<15-1))}
}

func openConsole(size Winsize) (*console, io.WriteCloser, *os.File, error) {
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		return nil, nil, nil, fmt.Errorf("hostexec: terminal: %w", err)
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		_ = inRead.Close()
		_ = inWrite.Close()
		return nil, nil, nil, fmt.Errorf("hostexec: terminal: %w", err)
	}
	t := &console{in: inWrite}
	err = windows.CreatePseudoConsole(coord(size), windows.Handle(inRead.Fd()), windows.Handle(outWrite.Fd()), 0, &t.handle)
	// The console has duplicates of its own.
	_ = inRead.Close()
	_ = outWrite.Close()
	if err != nil {
		_ = inWrite.Close()
		_ = outRead.Close()
		return nil, nil, nil, fmt.Errorf("hostexec: terminal: %w", err)
	}
	return t, inWrite, outRead, nil
}

func (t *console) tty() *os.File { return nil }

func (t *console) resize(size Winsize) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return ErrEnded
	}
	if err := windows.ResizePseudoConsole(t.handle, coord(size)); err != nil {
		return fmt.Errorf("hostexec: terminal: %w", err)
	}
	return nil
}

// close closes the console on a goroutine of its own and returns at once:
// ClosePseudoConsole may wait until the last output has been read, and only its
// return ends the output. The reader therefore goes on until the pipe is broken
// and must not be the one that closes (microsoft/terminal#17489).
func (t *console) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.closed = true
		go windows.ClosePseudoConsole(t.handle)
	}
}

// endOfTerminal tells the end of a console's output: the console has closed.
func endOfTerminal(err error) bool { return errors.Is(err, windows.ERROR_BROKEN_PIPE) }

func signalName(sig syscall.Signal) string {
	if sig == syscall.SIGKILL {
		return "SIGKILL"
	}
	return ""
}
