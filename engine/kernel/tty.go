// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
	"github.com/wsandbox/wsandbox/ptyemu"
)

// Winsize is the size of a terminal.
//
// POSIX: struct winsize.
type Winsize struct{ Rows, Cols, Xpixel, Ypixel uint16 }

// Terminal is a terminal's replica end: what descriptors 0, 1 and 2 of an
// interactive process are. A file that implements it is a terminal to the
// kernel, which adds job control: the controlling session, the foreground
// group, SIGTTIN and SIGTTOU. The terminal raises the signals of its line
// discipline itself, with [Session.SignalForeground].
type Terminal interface {
	vfs.Stream
	// Getattr fills b with the encoded attributes: EINVAL for a short b.
	Getattr(b []byte) error
	// Setattr sets the attributes (when is 0 now, 1 drain, 2 flush):
	// EINVAL.
	Setattr(when int, b []byte) error
	// Winsize returns the size.
	Winsize() Winsize
	// SetWinsize sets the size, with SIGWINCH to the foreground group where
	// it changed.
	SetWinsize(ws Winsize)
	// Tostop reports whether output of a background group raises SIGTTOU.
	Tostop() bool
	// Attach tells the terminal the session it controls, nil for none.
	// It is called without locks.
	Attach(s *Session)
}

// openTTY opens /dev/tty: the controlling terminal, or ENXIO where there is
// none.
//
// POSIX: XBD 10.1 /dev/tty.
func (p *Process) openTTY(abs string, flag abi.OpenFlag) (*OpenFile, error) {
	p.k.mu.Lock()
	t := p.group.session.tty
	p.k.mu.Unlock()
	if t == nil {
		return nil, abi.ENXIO
	}
	var again vfs.File = keepOpen{t}
	if pty, ok := t.(*PTY); ok {
		again = reopenedPTY{pty}
	}
	o := newOpenFile(p.k, again, abs, flag)
	if o.tty != nil {
		o.tty = t // which it is to be compared with
	}
	return o, nil
}

// keepOpen is a terminal that outlives a description of it.
type keepOpen struct{ Terminal }

func (keepOpen) Close() error { return nil }

// checkBackground applies job control to an access of tty by the caller: where
// tty is its controlling terminal and it is not in the foreground, its group
// gets sig, and the call fails with EINTR to be tried again, or with EIO where
// the signal would do nothing. With SIGTTOU ignored or handled elsewhere the
// access goes through.
//
// POSIX: XBD 11.1.4 Terminal Access Control.
func (p *Process) checkBackground(tty Terminal, sig abi.Signal) error {
	for {
		p.k.mu.Lock()
		s := p.group.session
		if s.tty != tty || s.foreground == 0 || p.inGroupLocked(s.foreground) {
			p.k.mu.Unlock()
			return nil
		}
		if p.ignored.Has(sig) {
			p.k.mu.Unlock()
			if sig == abi.SIGTTOU {
				return nil
			}
			return abi.EIO
		}
		if p.left || p.group.orphaned(nil) {
			p.k.mu.Unlock()
			return abi.EIO
		}
		p.k.signalGroupLocked(p.group, sig)
		p.k.mu.Unlock()
		if err := p.yield(); err != nil {
			return err
		}
		if p.attn.Load()&attnSignal != 0 {
			return abi.EINTR
		}
	}
}

// timedReader is a terminal whose reads wait for a number of bytes, or for a
// time, as its attributes say.
type timedReader interface {
	// ReadWait is a step of a read: EAGAIN where it is to be called again
	// when there is input, or after the time wait, unless that is negative.
	ReadWait(b []byte, state *ptyemu.Reading) (n int, wait time.Duration, err error)
}

// readTimed reads from the terminal f, whose file is t, as long as its
// attributes say.
func (p *Process) readTimed(f *OpenFile, t timedReader, b []byte) (n int, err error) {
	var state ptyemu.Reading
	wait := time.Duration(-1)
	step := func() error {
		if err := p.checkBackground(f.tty, abi.SIGTTIN); err != nil {
			return err
		}
		n, wait, err = t.ReadWait(b, &state)
		return err
	}
	if err := step(); err != abi.EAGAIN {
		return n, err
	}
	p.entry.Mask = abi.PollIn | abi.PollErr | abi.PollHup
	f.wait.Enlist(&p.entry)
	defer f.wait.Delist(&p.entry)
	for {
		if err := step(); err != abi.EAGAIN {
			return n, err
		}
		if err := p.sleep(p.deadline(wait)); err != nil && err != abi.ETIMEDOUT {
			return 0, err
		}
	}
}

// inGroupLocked reports whether p, or a shadow whose code it runs, is in the
// group id. Which of them makes a call only p knows, and answers for.
//
// Preconditions: k.mu is held.
func (p *Process) inGroupLocked(id PID) bool {
	if p.group.id == id && !p.left {
		return true
	}
	for s := p.shadows.head; s != nil; s = s.links[linkShadow].next {
		if s.group.id == id {
			return true
		}
	}
	return false
}

// terminal returns the terminal behind fd: EBADF, ENOTTY.
func (p *Process) terminal(fd int32) (Terminal, error) {
	f, err := p.fds.get(fd)
	if err != nil {
		return nil, err
	}
	if f.tty == nil {
		return nil, abi.ENOTTY
	}
	return f.tty, nil
}

// TTYGetattr fills b with the attributes of the terminal fd: EBADF, ENOTTY.
//
// POSIX: tcgetattr().
func (p *Process) TTYGetattr(fd int32, b []byte) error {
	t, err := p.terminal(fd)
	if err != nil {
		return err
	}
	return t.Getattr(b)
}

// TTYSetattr sets the attributes of the terminal fd: EBADF, ENOTTY, EINVAL,
// EINTR and EIO for a background process.
//
// POSIX: tcsetattr().
func (p *Process) TTYSetattr(fd int32, when int, b []byte) error {
	t, err := p.terminal(fd)
	if err != nil {
		return err
	}
	if err := p.checkBackground(t, abi.SIGTTOU); err != nil {
		return err
	}
	return t.Setattr(when, b)
}

// TTYGetwinsize returns the size of the terminal fd: EBADF, ENOTTY.
func (p *Process) TTYGetwinsize(fd int32) (Winsize, error) {
	t, err := p.terminal(fd)
	if err != nil {
		return Winsize{}, err
	}
	return t.Winsize(), nil
}

// TTYSetwinsize sets the size of the terminal fd, with SIGWINCH to the
// foreground group where it changed: EBADF, ENOTTY.
func (p *Process) TTYSetwinsize(fd int32, ws Winsize) error {
	t, err := p.terminal(fd)
	if err != nil {
		return err
	}
	t.SetWinsize(ws)
	return nil
}

// TTYGetpgrp returns the foreground group of the terminal fd: EBADF, ENOTTY for
// anything but the caller's controlling terminal. Without a foreground group it
// returns a number that no group has.
//
// POSIX: tcgetpgrp().
func (p *Process) TTYGetpgrp(fd int32) (PID, error) {
	t, err := p.terminal(fd)
	if err != nil {
		return 0, err
	}
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	s := p.group.session
	if s.tty != t {
		return 0, abi.ENOTTY
	}
	if s.foreground == 0 {
		return maxPID + 1, nil
	}
	return s.foreground, nil
}

// TTYSetpgrp makes pgid the foreground group of the terminal fd: EBADF, ENOTTY
// for anything but the caller's controlling terminal, EINVAL, EPERM for a group
// that is not of the session, EINTR and EIO for a background process.
//
// POSIX: tcsetpgrp().
func (p *Process) TTYSetpgrp(fd int32, pgid PID) error {
	t, err := p.terminal(fd)
	if err != nil {
		return err
	}
	if pgid <= 0 {
		return abi.EINVAL
	}
	p.k.mu.Lock()
	mine := p.group.session.tty == t
	p.k.mu.Unlock()
	if !mine {
		return abi.ENOTTY
	}
	if err := p.checkBackground(t, abi.SIGTTOU); err != nil {
		return err
	}
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	s := p.group.session
	g := p.k.groups[pgid]
	switch {
	case s.tty != t:
		return abi.ENOTTY
	case g == nil || g.session != s:
		return abi.EPERM
	}
	s.foreground = pgid
	return nil
}
