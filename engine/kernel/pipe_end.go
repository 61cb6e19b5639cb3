// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"sync/atomic"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

var (
	_ vfs.Stream = (*pipeReader)(nil)
	_ vfs.Stream = (*pipeWriter)(nil)
	_ vfs.Stream = (*pipeBoth)(nil)
	_ waitable   = (*pipeReader)(nil)
	_ waitable   = (*pipeWriter)(nil)
)

// pipeReader is the read end of a pipe.
type pipeReader struct {
	p      *pipe
	closed atomic.Bool
}

func (e *pipeReader) Read(b []byte) (int, error)                     { return e.p.read(b) }
func (e *pipeReader) Write([]byte) (int, error)                      { return 0, abi.EBADF }
func (e *pipeReader) Ready(mask abi.PollEvents) abi.PollEvents       { return e.p.readReady(mask) }
func (e *pipeReader) Subscribe(m abi.PollEvents, wake func()) func() { return subscribe(e, m, wake) }
func (e *pipeReader) Stat() (abi.Stat, error)                        { return e.p.stat(), nil }
func (e *pipeReader) enlist(w *waitEntry)                            { e.p.enlist(&e.p.in, w) }
func (e *pipeReader) delist(w *waitEntry)                            { e.p.delist(&e.p.in, w) }

func (e *pipeReader) Close() error {
	if e.closed.Swap(true) {
		return abi.EBADF
	}
	e.p.closeRead()
	return nil
}

// pipeWriter is the write end of a pipe.
type pipeWriter struct {
	p      *pipe
	closed atomic.Bool
}

func (e *pipeWriter) Read([]byte) (int, error)                       { return 0, abi.EBADF }
func (e *pipeWriter) Write(b []byte) (int, error)                    { return e.p.write(b) }
func (e *pipeWriter) Ready(mask abi.PollEvents) abi.PollEvents       { return e.p.writeReady(mask) }
func (e *pipeWriter) Subscribe(m abi.PollEvents, wake func()) func() { return subscribe(e, m, wake) }
func (e *pipeWriter) Stat() (abi.Stat, error)                        { return e.p.stat(), nil }
func (e *pipeWriter) enlist(w *waitEntry)                            { e.p.enlist(&e.p.out, w) }
func (e *pipeWriter) delist(w *waitEntry)                            { e.p.delist(&e.p.out, w) }

func (e *pipeWriter) Close() error {
	if e.closed.Swap(true) {
		return abi.EBADF
	}
	e.p.closeWrite()
	return nil
}

// pipeBoth is a FIFO opened for reading and writing.
type pipeBoth struct {
	p      *pipe
	closed atomic.Bool
}

func (e *pipeBoth) Read(b []byte) (int, error)  { return e.p.read(b) }
func (e *pipeBoth) Write(b []byte) (int, error) { return e.p.write(b) }
func (e *pipeBoth) Stat() (abi.Stat, error)     { return e.p.stat(), nil }

func (e *pipeBoth) Ready(mask abi.PollEvents) abi.PollEvents {
	return e.p.readReady(mask)&mask | e.p.writeReady(mask)&mask
}

func (e *pipeBoth) Subscribe(m abi.PollEvents, wake func()) func() {
	in := &waitEntry{fn: wake, mask: m}
	out := &waitEntry{fn: wake, mask: m, need: PipeBuf}
	e.p.enlist(&e.p.in, in)
	e.p.enlist(&e.p.out, out)
	return func() {
		e.p.delist(&e.p.in, in)
		e.p.delist(&e.p.out, out)
	}
}

func (e *pipeBoth) Close() error {
	if e.closed.Swap(true) {
		return abi.EBADF
	}
	e.p.closeRead()
	e.p.closeWrite()
	return nil
}
