// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu

import (
	"context"
	"io"
)

// Master is the end of a terminal that a person or a program stands for. One
// goroutine at a time may read; writes are done one after the other.
type Master Terminal

var _ io.ReadWriteCloser = (*Master)(nil)

// Write is WriteContext without a context.
func (m *Master) Write(p []byte) (int, error) { return m.WriteContext(context.Background(), p) }

// WriteContext types p, waiting while processes do not read what was typed
// before, or echo has no room. It returns [ErrHungUp], [ErrInputClosed], and the
// cause of ctx when that is done first, with the number of bytes typed.
//
// A signal character does not wait for the room that bytes in front of it need:
// it takes effect and those bytes, which it would flush, are dropped; also where
// another write is waiting.
func (m *Master) WriteContext(ctx context.Context, p []byte) (n int, err error) {
	t := (*Terminal)(m)
	select {
	case t.writing <- struct{}{}:
	default:
		if n, err = m.urgent(p); err != nil {
			return n, err
		}
		select {
		case t.writing <- struct{}{}:
		case <-ctx.Done():
			return n, context.Cause(ctx)
		}
	}
	defer func() { <-t.writing }()
	for n < len(p) {
		t.mu.Lock()
		if err := t.inputErrLocked(); err != nil {
			t.mu.Unlock()
			return n, err
		}
		k, s := 0, Signal(0)
		if t.out.free() > 0 || !t.d.tio.lflag(ECHO|ECHONL) {
			k, s = t.inputLocked(p[n:])
		}
		if k == 0 {
			k, s = t.urgentLocked(p[n:])
		}
		t.mu.Unlock()
		t.raise(s)
		if n += k; k > 0 {
			continue
		}
		select {
		case <-t.writable:
		case <-ctx.Done():
			return n, context.Cause(ctx)
		}
	}
	return n, nil
}

// TryWrite types as much of p as it can without waiting, as WriteContext does:
// 0, nil where that is nothing. Echo for which there is no room is lost. It
// returns [ErrHungUp] and [ErrInputClosed].
func (m *Master) TryWrite(p []byte) (n int, err error) {
	t := (*Terminal)(m)
	select {
	case t.writing <- struct{}{}:
		defer func() { <-t.writing }()
	default:
		return m.urgent(p)
	}
	for n < len(p) {
		t.mu.Lock()
		if err := t.inputErrLocked(); err != nil {
			t.mu.Unlock()
			return n, err
		}
		k, s := t.inputLocked(p[n:])
		if k == 0 {
			k, s = t.urgentLocked(p[n:])
		}
		t.mu.Unlock()
		t.raise(s)
		if n += k; k == 0 {
			break
		}
	}
	return n, nil
}

// urgent types p up to its first signal character, if it has one.
func (m *Master) urgent(p []byte) (int, error) {
	t := (*Terminal)(m)
	t.mu.Lock()
	if err := t.inputErrLocked(); err != nil {
		t.mu.Unlock()
		return 0, err
	}
	n, s := t.urgentLocked(p)
	t.mu.Unlock()
	t.raise(s)
	return n, nil
}

// inputErrLocked returns why no input is taken.
//
// Preconditions: mu is held.
func (t *Terminal) inputErrLocked() error {
	switch {
	case t.hungUp:
		return ErrHungUp
	case t.inClosed:
		return ErrInputClosed
	}
	return nil
}

// CloseInput ends the input, behind writes that are under way. Processes read
// what was typed, also of a line without an end, and from then on the end of
// file, where natively each end-of-file character is read once. It returns
// [ErrHungUp], [ErrInputClosed], and the cause of ctx.
func (m *Master) CloseInput(ctx context.Context) error {
	t := (*Terminal)(m)
	select {
	case t.writing <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-t.writing }()
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.inputErrLocked(); err != nil {
		return err
	}
	t.inClosed = true
	t.d.EndInput()
	t.wakeLocked(In)
	return nil
}

// Read is ReadContext without a context.
func (m *Master) Read(p []byte) (int, error) { return m.ReadContext(context.Background(), p) }

// ReadContext reads output, waiting for the first byte. It returns io.EOF when
// there is no more and processes can write none, and the cause of ctx when that
// is done first.
func (m *Master) ReadContext(ctx context.Context, p []byte) (int, error) {
	t := (*Terminal)(m)
	if len(p) == 0 {
		return 0, nil
	}
	for {
		t.mu.Lock()
		if t.out.n > 0 {
			before := t.out.free()
			n := t.out.read(p)
			if after := t.out.free(); before < enoughRoom && after >= enoughRoom && !t.d.Stopped() {
				t.wakeLocked(Out)
			}
			t.mu.Unlock()
			wake(t.writable)
			return n, nil
		}
		ended := t.ended || t.hungUp
		t.mu.Unlock()
		if ended {
			wake(t.readable) // for the next call
			return 0, io.EOF
		}
		select {
		case <-t.readable:
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}
}

// Buffered returns how many bytes of output can be read now.
func (m *Master) Buffered() int {
	t := (*Terminal)(m)
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.out.n
}

// HangUp ends the connection: [HangUp] is raised, processes read the end of
// file and cannot write any more, input that was not read is dropped. Output
// that was written before can still be read. A second call does nothing.
//
// POSIX: XBD 11.1.11 Modem Disconnect.
func (m *Master) HangUp() { m.hangUp(false) }

// Close is HangUp, and drops the output as well. It returns nil.
func (m *Master) Close() error {
	m.hangUp(true)
	return nil
}

func (m *Master) hangUp(drop bool) {
	t := (*Terminal)(m)
	t.mu.Lock()
	first := !t.hungUp
	t.hungUp = true
	if drop {
		t.out = outputQueue{}
	}
	if first {
		t.d.FlushInput()
		t.wakeLocked(In | Out | Hup)
	}
	t.mu.Unlock()
	wake(t.readable)
	wake(t.writable)
	if first {
		t.raise(HangUp)
	}
}
