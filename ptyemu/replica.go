// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu

import "time"

// Replica is the end of a terminal that processes read and write. No method
// waits: what would returns [ErrAgain].
type Replica Terminal

// enoughRoom is how much room waiters for it wait for.
const enoughRoom = OutputSize / 2

// Reading is where a read that has not ended stands. The zero value is one that
// begins.
type Reading struct {
	began bool
	start int64
}

// Read reads as a process does that does not want to wait: in canonical mode up
// to a line, else what there is. 0, nil is the end of file, and what a VMIN and
// VTIME of 0 give where there is nothing. It returns [ErrAgain].
func (r *Replica) Read(p []byte) (int, error) {
	t := (*Terminal)(r)
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.readLocked(p)
}

// readLocked implements Read.
//
// Preconditions: mu is held.
func (t *Terminal) readLocked(p []byte) (int, error) {
	if t.hungUp || len(p) == 0 {
		return 0, nil
	}
	tio := &t.d.tio
	if t.d.Readable() == 0 {
		if t.inClosed || !tio.lflag(ICANON) && tio.CC[VMIN] == 0 && tio.CC[VTIME] == 0 {
			return 0, nil
		}
		return 0, ErrAgain
	}
	n := t.d.Read(p)
	if t.d.Readable() == 0 || t.d.in.used() <= InputSize/2 {
		wake(t.writable)
	}
	return n, nil
}

// ReadWait is a step of a read that waits as VMIN and VTIME say: with
// [ErrAgain] it is to be called again, with the same p and state, when there is
// input or after the time wait, where that is not negative.
//
// POSIX: XBD 11.1.7 Non-Canonical Mode Input Processing.
func (r *Replica) ReadWait(p []byte, state *Reading) (n int, wait time.Duration, err error) {
	t := (*Terminal)(r)
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	if !state.began {
		state.began, state.start = true, now
	}
	tio := &t.d.tio
	have := t.d.Readable()
	if tio.lflag(ICANON) || t.hungUp || t.inClosed || len(p) == 0 {
		n, err = t.readLocked(p)
		return n, -1, err
	}
	least, per := int(tio.CC[VMIN]), time.Duration(tio.CC[VTIME])*time.Second/10
	var since int64
	switch {
	case have >= min(max(least, 1), len(p)):
		n, err = t.readLocked(p)
		return n, -1, err
	case per == 0 && least == 0:
		return 0, -1, nil
	case per == 0, least > 0 && have == 0:
		return 0, -1, ErrAgain
	case least == 0:
		since = state.start
	default:
		since = max(state.start, t.lastIn)
	}
	if left := per - time.Duration(now-since); left > 0 {
		return 0, left, ErrAgain
	}
	if have == 0 {
		return 0, -1, nil
	}
	n, err = t.readLocked(p)
	return n, -1, err
}

// Write writes as much of p as there is room for. It returns [ErrAgain] where
// that is nothing, or output is stopped, and [ErrHungUp].
func (r *Replica) Write(p []byte) (int, error) {
	t := (*Terminal)(r)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.hungUp || t.ended {
		return 0, ErrHungUp
	}
	if len(p) == 0 {
		return 0, nil
	}
	b, n := t.d.Output(t.post[:0], p, max(t.out.free(), 0))
	t.post = b[:0]
	if len(b) > 0 {
		t.out.write(b)
		wake(t.readable)
	}
	if n == 0 {
		return 0, ErrAgain
	}
	return n, nil
}

// Ready returns what holds now. Out holds where there is a good deal of room.
func (r *Replica) Ready() Events {
	t := (*Terminal)(r)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.hungUp {
		return In | Out | Hup
	}
	var ev Events
	tio := &t.d.tio
	least := 1
	if !tio.lflag(ICANON) && tio.CC[VTIME] == 0 {
		least = max(least, int(tio.CC[VMIN]))
	}
	if t.inClosed || t.d.Readable() >= least {
		ev |= In
	}
	if !t.d.Stopped() && t.out.free() >= enoughRoom {
		ev |= Out
	}
	return ev
}

// Buffered returns how many bytes of input can be read now.
func (r *Replica) Buffered() int {
	t := (*Terminal)(r)
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.d.Readable()
}

// Subscribe arranges for wake to be called with those of mask that may have
// begun, possibly in vain, until cancel is called. wake must not wait nor call
// the terminal. Who subscribes first and asks Ready after misses nothing.
func (r *Replica) Subscribe(mask Events, wake func(Events)) (cancel func()) {
	t := (*Terminal)(r)
	w := &waiter{mask, wake}
	t.mu.Lock()
	t.waiters[w] = struct{}{}
	t.mu.Unlock()
	return func() {
		t.mu.Lock()
		delete(t.waiters, w)
		t.mu.Unlock()
	}
}

// Close says that no process has the terminal any more: the master reads io.EOF
// behind what was written. It returns nil.
func (r *Replica) Close() error {
	t := (*Terminal)(r)
	t.mu.Lock()
	t.ended = true
	t.mu.Unlock()
	wake(t.readable)
	return nil
}
