// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
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

	mu    sync.Mutex // held while native signals or reaps
	ended bool       // reaped

	status Status // valid once done is closed
	err    error
}

// native is what a system does for one command. The program stays unreaped until
// reap, so that its process id cannot come to mean another process meanwhile.
type native interface {
	pid() int
	wait() error                 // until the program has exited; called once
	signal(syscall.Signal) error // to the command's process group
	kill() error                 // every process of the command
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
	n, confined, err := start(&c, s)
	s.closeChild()
	if err != nil {
		s.closeParent()
		return nil, err
	}
	p := &Process{native: n, confined: confined, done: make(chan struct{}), killed: make(chan struct{})}
	p.stdin.w = s.writer
	for _, o := range s.outputs {
		o.done = make(chan struct{})
		p.outputs = append(p.outputs, o)
		go o.run()
	}
	if s.feed != nil {
		go feed(p, s.feed, c.Stdin)
	}
	go p.supervise(ctx, c.KillGrace, c.waitDelay())
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
	return p.native.kill()
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

func (p *Process) supervise(ctx context.Context, grace, delay time.Duration) {
	exited := make(chan error, 1)
	go func() { exited <- p.native.wait() }()
	var problems []error
	ended := ctx.Done()
	var patience <-chan time.Time
	cancel := func() {
		ended = nil
		problems = append(problems, context.Cause(ctx))
	}
	for running := true; running; {
		select {
		case err := <-exited:
			if err != nil {
				problems = append(problems, err)
			}
			running = false
		case <-ended:
			cancel()
			if grace > 0 && p.Signal(syscall.SIGTERM) == nil {
				t := time.NewTimer(grace)
				defer t.Stop()
				patience = t.C
				continue
			}
			_ = p.Kill()
		case <-patience:
			_ = p.Kill()
		}
	}
	p.native.finish()

	// The program is gone. Its output ends by itself unless something that it
	// left running holds it.
	drained := make(chan struct{})
	go func() {
		for _, o := range p.outputs {
			<-o.done
		}
		close(drained)
	}()
	var bound <-chan time.Time
	if delay > 0 {
		t := time.NewTimer(delay)
		defer t.Stop()
		bound = t.C
	}
	for waiting := true; waiting; {
		select {
		case <-drained:
			waiting = false
		case <-bound:
			bound = nil
			if p.reading() {
				problems = append(problems, ErrWaitDelay)
			}
			waiting = false
		case <-p.killed:
			waiting = false
		case <-ended:
			cancel()
			waiting = false
		}
	}
	p.mu.Lock()
	if err := p.native.kill(); err != nil {
		problems = append(problems, err)
	}
	p.mu.Unlock()
	p.drain(drained)
	for _, o := range p.outputs {
		select {
		case <-o.done:
			if o.err != nil {
				problems = append(problems, o.err)
			}
		default: // abandoned
		}
	}
	p.stdin.Lock()
	w := p.stdin.w
	p.stdin.w = nil
	p.stdin.Unlock()

	if w != nil {
		_ = w.Close()
	}
	p.mu.Lock()
	status, err := p.native.reap()
	p.ended = true
	p.mu.Unlock()
	if err != nil {
		problems = append(problems, err)
	}
	p.status, p.err = status, errors.Join(problems...)
	close(p.done)
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
func (p *Process) drain(drained <-chan struct{}) {
	tick := time.NewTicker(drainGrace / 10)
	defer tick.Stop()
	for {
		select {
		case <-drained:
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
