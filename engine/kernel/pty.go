// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel/internal/pipe"
	"github.com/wsandbox/wsandbox/engine/vfs"
	"github.com/wsandbox/wsandbox/ptyemu"
)

var (
	_ Terminal      = (*PTY)(nil)
	_ pipe.Waitable = (*PTY)(nil)
	_ hostFile      = (*PTY)(nil)
	_ timedReader   = (*PTY)(nil)
)

// PTYOptions configures a [PTY].
type PTYOptions struct {
	// Termios are the attributes; nil means abi.DefaultTermios.
	Termios *abi.Termios
	// Winsize is the size.
	Winsize Winsize
	// Number tells terminals apart: the minor part of the device number.
	Number uint8
	// UID and GID own the terminal.
	UID, GID uint32
	// Clock is for VTIME; nil means [SystemClock].
	Clock Clock
}

// PTY is an emulated pseudoterminal whose master is on the host. It is a
// [Terminal]: what is typed at its master raises signals in the session that it
// controls. What processes write to it counts as output of their job.
type PTY struct {
	term    *ptyemu.Terminal // immutable
	stat    abi.Stat         // immutable
	session atomic.Pointer[Session]

	mu    sync.Mutex
	queue pipe.Queue // guarded by mu
}

// NewPTY returns a terminal and the description of its replica for processes,
// with one reference, which the caller closes. Once all references are closed,
// the master reads io.EOF behind what was written.
func NewPTY(o PTYOptions) (*PTY, *OpenFile) {
	t := &PTY{stat: abi.Stat{
		Dev: ttyDev, Ino: uint64(o.Number) + 3, Mode: abi.ModeChar | 0o620, Nlink: 1,
		UID: o.UID, GID: o.GID, Rdev: ttyMajor<<8 | uint64(o.Number), Blksize: 1024,
	}}
	if o.Clock == nil {
		o.Clock = SystemClock()
	}
	po := ptyemu.Options{Winsize: ptyemu.Winsize(o.Winsize), Signal: t.raise, Now: o.Clock.Monotonic}
	if o.Termios != nil {
		tio := ptyemu.Termios(*o.Termios)
		po.Termios = &tio
	}
	t.term = ptyemu.New(po)
	// For as long as the terminal lives.
	t.term.Replica().Subscribe(ptyemu.In|ptyemu.Out|ptyemu.Hup, t.ready)
	return t, NewFile(t, "/dev/tty", abi.ORdwr)
}

// Master returns the end on the host.
func (t *PTY) Master() *ptyemu.Master { return t.term.Master() }

// raise passes a signal of the terminal on to the session.
func (t *PTY) raise(sig ptyemu.Signal) {
	s := t.session.Load()
	if s == nil {
		return
	}
	switch sig {
	case ptyemu.Interrupt:
		s.SignalForeground(abi.SIGINT)
	case ptyemu.Quit:
		s.SignalForeground(abi.SIGQUIT)
	case ptyemu.Suspend:
		s.SignalForeground(abi.SIGTSTP)
	case ptyemu.WindowChange:
		s.SignalForeground(abi.SIGWINCH)
	case ptyemu.HangUp:
		s.Hangup()
	}
}

// ready wakes sleepers.
func (t *PTY) ready(ev ptyemu.Events) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if ev&ptyemu.In != 0 {
		t.queue.Wake(abi.PollIn, 0)
	}
	if ev&ptyemu.Out != 0 {
		t.queue.Wake(abi.PollOut, pipe.Size)
	}
	if ev&ptyemu.Hup != 0 {
		t.queue.Wake(abi.PollHup|abi.PollErr, 0)
	}
}

// ttyErr is the error number of a terminal's error.
func ttyErr(err error) error {
	switch err {
	case nil:
		return nil
	case ptyemu.ErrAgain:
		return abi.EAGAIN
	}
	return abi.EIO
}

// Read implements [vfs.Stream]. After a hang-up it reads the end of file.
func (t *PTY) Read(b []byte) (int, error) {
	n, err := t.term.Replica().Read(b)
	return n, ttyErr(err)
}

// ReadWait implements timedReader.
func (t *PTY) ReadWait(b []byte, r *ptyemu.Reading) (int, time.Duration, error) {
	n, wait, err := t.term.Replica().ReadWait(b, r)
	return n, wait, ttyErr(err)
}

// Write implements [vfs.Stream]: EIO after a hang-up.
func (t *PTY) Write(b []byte) (int, error) {
	n, err := t.term.Replica().Write(b)
	return n, ttyErr(err)
}

// Ready implements [vfs.Poller].
func (t *PTY) Ready(mask abi.PollEvents) abi.PollEvents {
	var out abi.PollEvents
	ev := t.term.Replica().Ready()
	if ev&ptyemu.In != 0 {
		out |= abi.PollIn
	}
	if ev&ptyemu.Out != 0 {
		out |= abi.PollOut
	}
	out &= mask
	if ev&ptyemu.Hup != 0 {
		out |= abi.PollHup | abi.PollErr
	}
	return out
}

// Subscribe implements [vfs.Poller].
func (t *PTY) Subscribe(m abi.PollEvents, wake func()) func() { return pipe.Subscribe(t, m, wake) }

// Enlist implements [pipe.Waitable].
func (t *PTY) Enlist(e *pipe.Entry) {
	t.mu.Lock()
	t.queue.Add(e)
	t.mu.Unlock()
}

// Delist implements [pipe.Waitable].
func (t *PTY) Delist(e *pipe.Entry) {
	t.mu.Lock()
	t.queue.Del(e)
	t.mu.Unlock()
}

// Counted reports that writing is output.
func (t *PTY) Counted() bool { return true }

// Settled returns nil: what is written is in the hands of the master.
func (t *PTY) Settled() error { return nil }

// Buffered returns how many bytes of input can be read now.
func (t *PTY) Buffered() int { return t.term.Replica().Buffered() }

// The device number of a terminal has the major part that Linux gives to
// pseudoterminals; they are a file system of their own.
const (
	ttyMajor = 136
	ttyDev   = 0x77700002
)

// Stat implements [vfs.File].
func (t *PTY) Stat() (abi.Stat, error) { return t.stat, nil }

// Close implements [vfs.File].
func (t *PTY) Close() error { return t.term.Replica().Close() }

// Getattr implements [Terminal].
func (t *PTY) Getattr(b []byte) error {
	if t.hungUp() {
		return abi.EIO
	}
	tio := abi.Termios(t.term.Termios())
	return tio.Put(b)
}

// Setattr implements [Terminal].
func (t *PTY) Setattr(when int, b []byte) error {
	if when < abi.TCSANOW || when > abi.TCSAFLUSH {
		return abi.EINVAL
	}
	tio, err := abi.ParseTermios(b)
	if err != nil {
		return err
	}
	if t.hungUp() {
		return abi.EIO
	}
	t.term.SetTermios(ptyemu.When(when), ptyemu.Termios(tio))
	return nil
}

func (t *PTY) hungUp() bool { return t.term.Replica().Ready()&ptyemu.Hup != 0 }

// Winsize implements [Terminal].
func (t *PTY) Winsize() Winsize { return Winsize(t.term.Winsize()) }

// SetWinsize implements [Terminal].
func (t *PTY) SetWinsize(ws Winsize) { t.term.SetWinsize(ptyemu.Winsize(ws)) }

// Tostop implements [Terminal].
func (t *PTY) Tostop() bool { return t.term.Termios().Lflag&abi.TOSTOP != 0 }

// Attach implements [Terminal].
func (t *PTY) Attach(s *Session) { t.session.Store(s) }

// reopenedPTY is a further description of a terminal, which does not end its
// output when it is closed.
type reopenedPTY struct{ *PTY }

var (
	_ pipe.Waitable = reopenedPTY{}
	_ hostFile      = reopenedPTY{}
	_ vfs.Stream    = reopenedPTY{}
)

func (reopenedPTY) Close() error { return nil }
