// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// drainGrace is how long a read may stay without data once everything that
// could write is dead. Only a descriptor that was handed to a process outside
// the command can keep the output open then.
const drainGrace = time.Second

// Process is a running command. All methods may be called from any goroutine.
type Process struct {
	native   native
	confined Report
	outputs  []*pump
	done     chan struct{}
	killed   chan struct{} // closed by the first Kill
	killOnce sync.Once

	stdin struct {
		sync.Mutex
		w io.WriteCloser // nil: not open
	}

	drained  chan struct{} // closed when all outputs have ended
	canceled chan struct{} // closed when the context has ended

	mu       sync.Mutex // held while native signals, kills or reaps
	exited   bool
	ended    bool // reaped
	grace    *time.Timer
	problems []error

	status Status // valid once done is closed
	err    error
}

// native is what a system does for one command. The program stays unreaped until
// reap, so that its process id cannot come to mean another process meanwhile.
type native interface {
	pid() int
	wait() error                 // until the program has exited; called once
	signal(syscall.Signal) error // to the command's process group
	interrupt() error            // kills the program, and what else can be killed from any goroutine
	kill() error                 // every process of the command; only where supervise runs
	resize(Winsize) error
	endInput(w io.Writer) error // end of file on a terminal, else ErrNotTerminal
	finish()                    // after wait: lets the terminal's output end
	reap() (Status, error)      // after kill: gives back all that it holds
}

// Start starts a command. When ctx ends before the command does, the command is
// killed, after Cmd.KillGrace.
//
// Errors wrap ErrInvalid for a Cmd that cannot be started as it is written,
// ErrBatchFile, ErrConfinement, ErrUnsupported, or the system's error: one that
// matches fs.ErrNotExist for a program or directory that is not there,
// fs.ErrPermission for one that may not be used. After an error nothing runs.
func Start(ctx context.Context, c Cmd) (*Process, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	s, err := openStreams(&c)
	if err != nil {
		return nil, err
	}
	var p *Process
	err = start(&c, s, func(n native, confined Report) func() {
		p = &Process{
			native: n, confined: confined, outputs: s.outputs,
			done: make(chan struct{}), killed: make(chan struct{}), drained: make(chan struct{}), canceled: make(chan struct{}),
		}
		p.stdin.w = s.writer
		return func() { p.supervise(ctx, c.KillGrace, c.waitDelay()) }
	})
	s.closeChild()
	if err != nil {
		s.closeParent()
		return nil, err
	}
	left := new(atomic.Int32)
	left.Store(int32(len(s.outputs)))
	if len(s.outputs) == 0 {
		close(p.drained)
	}
	for _, o := range s.outputs {
		go func() {
			o.run()
			if left.Add(-1) == 0 {
				close(p.drained)
			}
		}()
	}
	if s.feed != nil {
		go feed(p, s.feed, c.Stdin)
	}
	return p, nil
}

// feed copies Cmd.Stdin to the command. It ends when the reader does or when the
// command no longer reads; a reader that blocks keeps it, but not the command.
func feed(p *Process, w io.WriteCloser, r io.Reader) {
	_, err := io.Copy(w, r)
	if err == nil {
		_ = p.closeInput(w)
		return
	}
	_ = w.Close()
}

// Pid returns the process id of the program, which is also that of its group and
// session outside Windows.
func (p *Process) Pid() int { return p.native.pid() }

// Confined reports what limits are in force for this command.
func (p *Process) Confined() Report { return p.confined }

// Done is closed when the command has ended: see the package comment.
func (p *Process) Done() <-chan struct{} { return p.done }

// Wait waits until the command has ended and returns how the program did. The
// error is nil, or joins what was not as it should be: ErrWaitDelay, the cause
// of the context that killed the command, the error of an output's Write, or a
// kill that failed. The status holds in any case. Wait can be called again.
func (p *Process) Wait() (Status, error) {
	<-p.done
	return p.status, p.err
}

// Signal sends a signal, in the host's numbers, to the process group of the
// command. On Windows SIGINT reaches a command on a terminal, as ^C; SIGKILL and
// SIGTERM kill the command. Errors wrap ErrEnded, ErrUnsupported, or the
// system's.
func (p *Process) Signal(sig syscall.Signal) error {
	if sig == syscall.SIGKILL {
		return p.Kill()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return ErrEnded
	}
	return p.native.signal(sig)
}

// Kill kills every process of the command and returns without waiting for Done.
// Killing a command that has ended does nothing.
func (p *Process) Kill() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return nil
	}
	p.killOnce.Do(func() { close(p.killed) })
	if p.exited {
		return nil // supervise is about to
	}
	return p.native.interrupt()
}

// Resize sets the size of the terminal, which tells the foreground programs with
// SIGWINCH. Without a terminal it gives ErrNotTerminal.
func (p *Process) Resize(size Winsize) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return ErrEnded
	}
	return p.native.resize(size)
}

// Write sends input to the command: to its terminal, or through the pipe that
// Cmd.OpenStdin opened. It blocks while the command does not read. Errors wrap
// ErrNoStdin, ErrEnded, or are the system's, EPIPE where the command has closed
// its input.
func (p *Process) Write(b []byte) (int, error) {
	p.stdin.Lock()
	w := p.stdin.w
	p.stdin.Unlock()
	if w == nil {
		select {
		case <-p.done:
			return 0, ErrEnded
		default:
			return 0, ErrNoStdin
		}
	}
	n, err := w.Write(b)
	if err != nil {
		select {
		case <-p.done:
			return n, ErrEnded
		default:
		}
		if errors.Is(err, os.ErrClosed) {
			return n, ErrNoStdin
		}
	}
	return n, err
}

// CloseStdin ends the command's input. On a terminal it sends the end-of-file
// character, which acts at the beginning of a line of a program that reads
// lines; Windows consoles have no end of input and give ErrUnsupported.
func (p *Process) CloseStdin() error {
	p.stdin.Lock()
	w := p.stdin.w
	p.stdin.Unlock()
	if w == nil {
		return ErrNoStdin
	}
	return p.closeInput(w)
}

func (p *Process) closeInput(w io.WriteCloser) error {
	if err := p.native.endInput(w); !errors.Is(err, ErrNotTerminal) {
		return err
	}
	p.stdin.Lock()
	if p.stdin.w == w {
		p.stdin.w = nil
	}
	p.stdin.Unlock()
	return w.Close()
}

// cancel ends the command because its context has ended.
func (p *Process) cancel(cause error, grace time.Duration) {
	p.mu.Lock()
	if p.ended {
		p.mu.Unlock()
		return
	}
	p.problems = append(p.problems, cause)
	gentle := grace > 0 && !p.exited && p.native.signal(syscall.SIGTERM) == nil
	if gentle {
		p.grace = time.AfterFunc(grace, func() { _ = p.Kill() })
	}
	p.mu.Unlock()
	close(p.canceled)
	if !gentle {
		_ = p.Kill()
	}
}

// supervise sees the command to its end. It runs on the goroutine that may call
// native.kill.
func (p *Process) supervise(ctx context.Context, grace, delay time.Duration) {
	stop := context.AfterFunc(ctx, func() { p.cancel(context.Cause(ctx), grace) })
	defer stop()
	err := p.native.wait()
	p.mu.Lock()
	p.exited = true
	p.note(err)
	p.mu.Unlock()
	p.native.finish()

	// The program is gone. Its output ends by itself unless something that it
	// left running holds it.
	var bound <-chan time.Time
	if delay > 0 {
		t := time.NewTimer(delay)
		defer t.Stop()
		bound = t.C
	}
	select {
	case <-p.drained:
	case <-p.killed:
	case <-p.canceled:
	case <-bound:
		if p.reading() {
			p.mu.Lock()
			p.note(ErrWaitDelay)
			p.mu.Unlock()
		}
	}
	p.mu.Lock()
	p.note(p.native.kill())
	p.mu.Unlock()
	p.drain()

	p.stdin.Lock()
	w := p.stdin.w
	p.stdin.w = nil
	p.stdin.Unlock()
	if w != nil {
		_ = w.Close()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, o := range p.outputs {
		if o.over.Load() { // else abandoned
			p.note(o.err)
		}
	}
	status, err := p.native.reap()
	p.note(err)
	p.ended = true
	if p.grace != nil {
		p.grace.Stop()
	}
	p.status, p.err = status, errors.Join(p.problems...)
	close(p.done)
}

// note keeps an error for Wait; p.mu is held.
func (p *Process) note(err error) {
	if err != nil {
		p.problems = append(p.problems, err)
	}
}

// reading tells whether some output has not ended although nobody keeps it from
// being read.
func (p *Process) reading() bool {
	for _, o := range p.outputs {
		if o.idle() > 0 {
			return true
		}
	}
	return false
}

// drain waits for the outputs after everything that could write is dead, and
// gives up on one that a process outside the command holds open. An output whose
// Writer is slow is waited for: nothing is lost by that.
func (p *Process) drain() {
	select {
	case <-p.drained:
		return
	default:
	}
	tick := time.NewTicker(drainGrace / 10)
	defer tick.Stop()
	for {
		select {
		case <-p.drained:
			return
		case <-tick.C:
			for _, o := range p.outputs {
				if o.idle() > drainGrace && !o.abandon() {
					return
				}
			}
		}
	}
}
