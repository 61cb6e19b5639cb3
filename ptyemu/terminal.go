// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu

import (
	"errors"
	"sync"
	"time"
)

// Errors of a terminal.
var (
	// ErrAgain says that a call of the replica would have to wait.
	//
	// POSIX: EAGAIN.
	ErrAgain = errors.New("ptyemu: would wait")
	// ErrHungUp says that the other end is gone.
	//
	// POSIX: EIO.
	ErrHungUp = errors.New("ptyemu: hung up")
	// ErrInputClosed is returned by writes after [Master.CloseInput].
	ErrInputClosed = errors.New("ptyemu: input is closed")
)

// Events are what can be waited for.
type Events uint8

// Events of a replica.
const (
	In  Events = 1 << iota // there is input, or its end
	Out                    // there is room for output
	Hup                    // the master has hung up
)

// Options configures a [Terminal].
type Options struct {
	// Termios are the attributes; nil means [DefaultTermios].
	Termios *Termios
	// Winsize is the size.
	Winsize Winsize
	// Signal is called, one call after the other, for what the terminal
	// tells processes. It may call the terminal, but not its master nor
	// SetWinsize, which may signal. Nil drops signals.
	Signal func(Signal)
	// Now returns nanoseconds of a clock that only moves forward, for VTIME;
	// nil means the host's.
	Now func() int64
}

// Terminal is a pseudoterminal. Its methods, and those of its ends, are safe for
// concurrent use.
//
// Locks are taken in this order: the token of writing, then raising or mu, which
// are never held together. Wake functions are called with mu held, Signal with
// raising.
type Terminal struct {
	signal func(Signal) // immutable
	now    func() int64 // immutable

	// writing holds a token while a write of the master is under way, so
	// that writes do not mix.
	writing chan struct{}
	// readable and writable hold a token when the master may have something
	// to read, or can write more.
	readable, writable chan struct{}

	raising sync.Mutex // around signal; taken without mu

	mu       sync.Mutex
	d        *Discipline          // guarded by mu
	size     Winsize              // guarded by mu
	out      outputQueue          // guarded by mu
	post     []byte               // guarded by mu: space for Discipline.Output
	lastIn   int64                // guarded by mu: when input last came
	inClosed bool                 // guarded by mu: no more input
	ended    bool                 // guarded by mu: no more output
	hungUp   bool                 // guarded by mu
	waiters  map[*waiter]struct{} // guarded by mu
	lost     uint64               // guarded by mu: echo and output thrown away
}

type waiter struct {
	mask Events
	wake func(Events)
}

// New returns a terminal.
func New(o Options) *Terminal {
	tio := DefaultTermios()
	if o.Termios != nil {
		tio = *o.Termios
	}
	t := &Terminal{
		signal: o.Signal, now: o.Now, size: o.Winsize, d: NewDiscipline(tio),
		writing: make(chan struct{}, 1), readable: make(chan struct{}, 1), writable: make(chan struct{}, 1),
		waiters: make(map[*waiter]struct{}),
	}
	if t.now == nil {
		base := time.Now()
		t.now = func() int64 { return int64(time.Since(base)) }
	}
	return t
}

// Master returns the end that a person or a program stands for.
func (t *Terminal) Master() *Master { return (*Master)(t) }

// Replica returns the end that processes take for a terminal.
func (t *Terminal) Replica() *Replica { return (*Replica)(t) }

// Termios returns the attributes.
func (t *Terminal) Termios() Termios {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.d.Termios()
}

// SetTermios sets the attributes. It never waits: output is in the hands of the
// master as soon as it is written.
//
// POSIX: tcsetattr().
func (t *Terminal) SetTermios(w When, tio Termios) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.echoLocked(t.d.SetTermios(tio))
	if w == Flush {
		t.d.FlushInput()
	}
	t.lastIn = t.now()
	t.wakeLocked(In | Out)
	wake(t.writable)
}

// Winsize returns the size.
func (t *Terminal) Winsize() Winsize {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.size
}

// SetWinsize sets the size and raises [WindowChange] where it changed.
//
// POSIX: tcsetwinsize().
func (t *Terminal) SetWinsize(ws Winsize) {
	t.mu.Lock()
	changed := t.size != ws
	t.size = ws
	t.mu.Unlock()
	if changed {
		t.raise(WindowChange)
	}
}

// Lost returns how many bytes of output were thrown away: by signals, as POSIX
// has it, and echo for which there was no room.
func (t *Terminal) Lost() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lost
}

func (t *Terminal) raise(s Signal) {
	if t.signal == nil || s == 0 {
		return
	}
	t.raising.Lock()
	defer t.raising.Unlock()
	t.signal(s)
}

// keptOutput is how much output a signal leaves: natively the master has it.
const keptOutput = 4095

// echoRoom is how much echo fits behind a full queue of output: what one call of
// Discipline.Input makes at most, a line of tabs that become spaces being
// repeated.
const echoRoom = maxPost * (maxEcho + InputSize)

// inputLocked gives p to the discipline and returns how much of it was taken,
// up to one signal, which the caller raises.
//
// Preconditions: mu is held.
func (t *Terminal) inputLocked(p []byte) (int, Signal) {
	stopped := t.d.Stopped()
	n, e := t.d.Input(p)
	if e.Flush {
		t.lost += uint64(t.out.keep(keptOutput))
		wake(t.writable) // another write may wait
	}
	t.echoLocked(e.Echo)
	if n > 0 {
		t.lastIn = t.now()
		var ev Events
		if t.d.Readable() > 0 {
			ev = In
		}
		if e.Flush || stopped && !t.d.Stopped() {
			ev |= Out
		}
		t.wakeLocked(ev)
	}
	return n, e.Signal
}

// urgentLocked does what the first signal character of p, not further away than
// a full queue, does although there is no room for what is in front of it: that
// would be flushed.
//
// Preconditions: mu is held.
func (t *Terminal) urgentLocked(p []byte) (int, Signal) {
	i := t.d.Urgent(p[:min(len(p), InputSize)])
	if i < 0 {
		return 0, 0
	}
	t.d.FlushInput()
	t.d.literal = false
	n, s := t.inputLocked(p[i : i+1])
	return i + n, s
}

// echoLocked queues echo for the master.
//
// Preconditions: mu is held.
func (t *Terminal) echoLocked(b []byte) {
	if room := t.out.free() + echoRoom; len(b) > room {
		t.lost += uint64(len(b) - room)
		b = b[:room]
	}
	if len(b) > 0 {
		t.out.write(b)
		wake(t.readable)
	}
}

// wakeLocked wakes those who wait for one of ev.
//
// Preconditions: mu is held.
func (t *Terminal) wakeLocked(ev Events) {
	if ev == 0 {
		return
	}
	for w := range t.waiters {
		if m := w.mask & ev; m != 0 {
			w.wake(m)
		}
	}
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
