// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"errors"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// ErrExiting is returned by system calls and by [Process.Yield] when the
// process must end: the caller leaves the guest and returns from Image.Run.
var ErrExiting = errors.New("kernel: process is exiting")

// Bits of Process.attn.
const (
	attnFatal  uint32 = 1 << iota // a fatal signal
	attnExit                      // Exit was called
	attnExec                      // Exec has set a new image
	attnStop                      // stopped by a signal
	attnSignal                    // a handled signal is pending for it or a shadow

	attnLeave = attnFatal | attnExit | attnExec
)

// Yield lets the kernel have its way with a running process: it waits while the
// process is stopped, and returns ErrExiting when it must end. With nothing to
// do it costs one atomic load.
func (p *Process) Yield() error {
	if p.attn.Load()&^attnSignal == 0 {
		return nil
	}
	return p.yield()
}

func (p *Process) yield() error {
	for {
		switch a := p.attn.Load(); {
		case a&attnLeave != 0:
			return ErrExiting
		case a&attnStop == 0:
			return nil
		}
		p.pause()
		<-p.wake.C()
		p.resume()
	}
}

// leaving returns ErrExiting where the process must end.
func (p *Process) leaving() error {
	if p.attn.Load()&attnLeave != 0 {
		return ErrExiting
	}
	return nil
}

// interrupted returns what ends a system call that waits.
func (p *Process) interrupted() error {
	a := p.attn.Load()
	switch {
	case a == 0:
		return nil
	case a&attnLeave != 0:
		return ErrExiting
	case a&attnStop != 0:
		if err := p.yield(); err != nil {
			return err
		}
		if p.deaf || p.attn.Load()&attnSignal == 0 {
			// Tokens may have been taken: have the caller look again.
			p.wake.Wake()
			return nil
		}
	}
	if p.attn.Load()&attnSignal != 0 && !p.deaf {
		return abi.EINTR
	}
	return nil
}

// never is the deadline of a sleep without one.
const never int64 = 1<<63 - 1

// sleep waits for the next wake-up, at most until the monotonic time deadline.
// It returns nil when the caller should look again, ETIMEDOUT when the deadline
// has passed, EINTR or ErrExiting. The caller has enlisted with what it waits
// for and found that it must wait.
func (p *Process) sleep(deadline int64) error {
	if err := p.interrupted(); err != nil {
		return err
	}
	select {
	case <-p.wake.C():
		return p.interrupted()
	default:
	}
	if deadline != never {
		d := deadline - p.k.clock.Monotonic()
		if d <= 0 {
			return abi.ETIMEDOUT
		}
		if p.timer == nil {
			p.timer = p.k.clock.NewTimer(p.wake.Wake)
		}
		p.timer.Reset(time.Duration(d))
		defer p.timer.Stop()
	}
	p.pause()
	<-p.wake.C()
	p.resume()
	return p.interrupted()
}

// WaitFor waits until ready is closed, for a Runner that prepares an image. None
// of it counts as processor time of the process. It returns ErrExiting.
func (p *Process) WaitFor(ready <-chan struct{}) error {
	for {
		if err := p.yield(); err != nil {
			return err
		}
		p.pause()
		select {
		case <-ready:
			p.resume()
			return p.leaving()
		case <-p.wake.C():
			p.resume()
		}
	}
}

// deadline returns the monotonic time d from now; a negative d means never.
func (p *Process) deadline(d time.Duration) int64 {
	if d < 0 {
		return never
	}
	now := p.k.clock.Monotonic()
	if int64(d) > never-1-now {
		return never
	}
	return now + int64(d)
}
