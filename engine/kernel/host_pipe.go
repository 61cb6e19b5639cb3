// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"context"
	"io"
	"sync/atomic"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel/internal/pipe"
)

// Sizes of a pipe in bytes.
const (
	// PipeBuf is the largest write that is atomic.
	//
	// POSIX: PIPE_BUF.
	PipeBuf = pipe.Buf
	// PipeSize is how much a pipe holds.
	PipeSize = pipe.Size
)

// hostPipe makes a pipe between the host and a sandbox. There are as many as
// the host makes, so their memory needs no bound.
func hostPipe() (*pipe.Reader, *pipe.Writer) { return pipe.New(pipe.NewPool(1 << 62)) }

// NewInputPipe makes a pipe that the host writes and processes read. Each side
// closes its own end; processes read the end of input once the host's is
// closed.
func NewInputPipe() (*OpenFile, *PipeWriter) {
	r, w := hostPipe()
	return NewFile(r, "pipe", abi.ORdonly), &PipeWriter{end: w, w: pipe.NewWaker()}
}

// NewOutputPipe makes a pipe that processes write and the host reads. The host
// reads io.EOF once every reference to the file is closed: the caller's own
// and those of all processes that hold it. Bytes written to it count against
// [Limits].Output.
func NewOutputPipe() (*OpenFile, *PipeReader) {
	r, w := hostPipe()
	return NewFile(&hostPipeWriter{w}, "pipe", abi.OWronly), &PipeReader{end: r, w: pipe.NewWaker()}
}

// hostPipeWriter is the write end of a pipe that the host reads.
type hostPipeWriter struct{ *pipe.Writer }

func (*hostPipeWriter) Counted() bool  { return true }
func (*hostPipeWriter) Settled() error { return nil }

// PipeReader is the host's read end of a pipe. One goroutine at a time may
// read; Close may be called during a Read.
type PipeReader struct {
	end    *pipe.Reader
	w      pipe.Waker
	entry  pipe.Entry
	closed atomic.Bool
}

var _ io.ReadCloser = (*PipeReader)(nil)

// Read is ReadContext without a context.
func (r *PipeReader) Read(b []byte) (int, error) { return r.ReadContext(context.Background(), b) }

// ReadContext reads up to len(b) bytes, waiting for the first. It returns
// io.EOF at the end, io.ErrClosedPipe after Close, and the context's cause when
// that is done first.
func (r *PipeReader) ReadContext(ctx context.Context, b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	r.entry.W, r.entry.Mask = r.w, abi.PollIn|abi.PollHup|abi.PollErr
	queued := false
	for {
		if r.closed.Load() {
			return 0, io.ErrClosedPipe
		}
		n, err := r.end.Read(b)
		switch {
		case n > 0:
			return n, nil
		case err == nil:
			return 0, io.EOF
		case err != abi.EAGAIN:
			return 0, err
		}
		if !queued {
			queued = true
			r.end.Enlist(&r.entry)
			defer r.end.Delist(&r.entry)
			continue
		}
		select {
		case <-r.w.C():
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}
}

// Close closes the end: a Read under way returns, and processes that write get
// EPIPE. A second call returns io.ErrClosedPipe.
func (r *PipeReader) Close() error {
	if r.closed.Swap(true) {
		return io.ErrClosedPipe
	}
	err := r.end.Close()
	r.w.Wake()
	return err
}

// PipeWriter is the host's write end of a pipe. One goroutine at a time may
// write; Close may be called during a Write.
type PipeWriter struct {
	end    *pipe.Writer
	w      pipe.Waker
	entry  pipe.Entry
	closed atomic.Bool
}

var _ io.WriteCloser = (*PipeWriter)(nil)

// Write is WriteContext without a context.
func (w *PipeWriter) Write(b []byte) (int, error) { return w.WriteContext(context.Background(), b) }

// WriteContext writes all of b, waiting for room. It returns abi.EPIPE when no
// process can read any more, io.ErrClosedPipe after Close, and the context's
// cause when that is done first, with the number of bytes written.
func (w *PipeWriter) WriteContext(ctx context.Context, b []byte) (int, error) {
	w.entry.W, w.entry.Mask, w.entry.Need = w.w, abi.PollOut|abi.PollErr, min(len(b), pipe.Buf)
	queued := false
	n := 0
	for {
		if w.closed.Load() {
			return n, io.ErrClosedPipe
		}
		m, err := w.end.Write(b[n:])
		n += m
		switch {
		case err != nil && err != abi.EAGAIN:
			return n, err
		case n == len(b):
			return n, nil
		case err == nil:
			continue
		}
		if !queued {
			queued = true
			w.end.Enlist(&w.entry)
			defer w.end.Delist(&w.entry)
			continue
		}
		select {
		case <-w.w.C():
		case <-ctx.Done():
			return n, context.Cause(ctx)
		}
	}
}

// Close closes the end: processes read the end of input behind what was
// written. A second call returns io.ErrClosedPipe.
func (w *PipeWriter) Close() error {
	if w.closed.Swap(true) {
		return io.ErrClosedPipe
	}
	err := w.end.Close()
	w.w.Wake()
	return err
}
