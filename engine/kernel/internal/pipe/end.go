// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pipe

import (
	"sync/atomic"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// End is an end of a pipe, a stream that never blocks.
type End interface {
	vfs.Stream
	Pipe() *Pipe
}

var (
	_ End      = (*Reader)(nil)
	_ End      = (*Writer)(nil)
	_ End      = (*Both)(nil)
	_ Waitable = (*Reader)(nil)
	_ Waitable = (*Writer)(nil)
)

// Reader is a read end.
type Reader struct {
	p      *Pipe
	closed atomic.Bool
}

// Pipe returns the pipe.
func (e *Reader) Pipe() *Pipe { return e.p }

// Read implements [vfs.Stream].
func (e *Reader) Read(b []byte) (int, error) { return e.p.read(b) }

// Write returns EBADF.
func (e *Reader) Write([]byte) (int, error) { return 0, abi.EBADF }

// Ready implements [vfs.Poller].
func (e *Reader) Ready(mask abi.PollEvents) abi.PollEvents { return e.p.readReady(mask) }

// Subscribe implements [vfs.Poller].
func (e *Reader) Subscribe(m abi.PollEvents, wake func()) func() { return Subscribe(e, m, wake) }

// Stat implements [vfs.File].
func (e *Reader) Stat() (abi.Stat, error) { return e.p.stat(), nil }

// Enlist implements [Waitable].
func (e *Reader) Enlist(w *Entry) { e.p.add(&e.p.in, w) }

// Delist implements [Waitable].
func (e *Reader) Delist(w *Entry) { e.p.del(&e.p.in, w) }

// Close implements [vfs.File]. With the last read end, writers get EPIPE.
func (e *Reader) Close() error {
	if e.closed.Swap(true) {
		return abi.EBADF
	}
	e.p.closeRead()
	return nil
}

// Writer is a write end.
type Writer struct {
	p      *Pipe
	closed atomic.Bool
}

// Pipe returns the pipe.
func (e *Writer) Pipe() *Pipe { return e.p }

// Read returns EBADF.
func (e *Writer) Read([]byte) (int, error) { return 0, abi.EBADF }

// Write implements [vfs.Stream]: EPIPE where nobody can read. Up to Buf bytes
// are written whole or not at all.
func (e *Writer) Write(b []byte) (int, error) { return e.p.write(b) }

// Ready implements [vfs.Poller]. A pipe can be written when Buf bytes fit.
func (e *Writer) Ready(mask abi.PollEvents) abi.PollEvents { return e.p.writeReady(mask) }

// Subscribe implements [vfs.Poller].
func (e *Writer) Subscribe(m abi.PollEvents, wake func()) func() { return Subscribe(e, m, wake) }

// Stat implements [vfs.File].
func (e *Writer) Stat() (abi.Stat, error) { return e.p.stat(), nil }

// Enlist implements [Waitable].
func (e *Writer) Enlist(w *Entry) { e.p.add(&e.p.out, w) }

// Delist implements [Waitable].
func (e *Writer) Delist(w *Entry) { e.p.del(&e.p.out, w) }

// Close implements [vfs.File]. With the last write end, readers get the end of
// input behind what the pipe holds.
func (e *Writer) Close() error {
	if e.closed.Swap(true) {
		return abi.EBADF
	}
	e.p.closeWrite()
	return nil
}

// Both is a read end and a write end: a FIFO opened for both.
type Both struct {
	p      *Pipe
	closed atomic.Bool
}

// Pipe returns the pipe.
func (e *Both) Pipe() *Pipe { return e.p }

// Read implements [vfs.Stream].
func (e *Both) Read(b []byte) (int, error) { return e.p.read(b) }

// Write implements [vfs.Stream].
func (e *Both) Write(b []byte) (int, error) { return e.p.write(b) }

// Stat implements [vfs.File].
func (e *Both) Stat() (abi.Stat, error) { return e.p.stat(), nil }

// Ready implements [vfs.Poller].
func (e *Both) Ready(mask abi.PollEvents) abi.PollEvents {
	return e.p.readReady(mask)&mask | e.p.writeReady(mask)&mask
}

// Subscribe implements [vfs.Poller].
func (e *Both) Subscribe(m abi.PollEvents, wake func()) func() {
	in := &Entry{Fn: wake, Mask: m}
	out := &Entry{Fn: wake, Mask: m, Need: Buf}
	e.p.add(&e.p.in, in)
	e.p.add(&e.p.out, out)
	return func() {
		e.p.del(&e.p.in, in)
		e.p.del(&e.p.out, out)
	}
}

// Close implements [vfs.File].
func (e *Both) Close() error {
	if e.closed.Swap(true) {
		return abi.EBADF
	}
	e.p.closeRead()
	e.p.closeWrite()
	return nil
}
