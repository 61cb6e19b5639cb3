// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"io"
	"sync"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// hostWriter makes an io.Writer a stream. A write of a process waits until the
// host writer has taken it, so that the outputs of processes keep their order
// across files and nothing is left over when a process has ended; but it waits
// on a wake-up, while the call itself runs on a goroutine that lives for it
// alone.
type hostWriter struct {
	w io.Writer // immutable

	mu     sync.Mutex
	space  []byte    // guarded by mu
	busy   bool      // guarded by mu: a call is under way
	err    error     // guarded by mu: why no more is taken
	closed bool      // guarded by mu
	queue  waitQueue // guarded by mu
}

// NewWriterFile makes a file that processes write w through, in the order of
// their writes. Its bytes count against [Limits].Output. An error of w reads as
// EPIPE, with SIGPIPE, from then on.
//
// A call of w.Write that blocks hangs neither a process that is to end nor
// [Kernel.Close]; its goroutine stays until the call returns. Where w has a
// method SetWriteDeadline, closing the file during a call calls it with a time
// in the past.
func NewWriterFile(w io.Writer) *OpenFile {
	return NewFile(&hostWriter{w: w}, "host:[output]", abi.OWronly)
}

func (h *hostWriter) counted() bool { return true }

func (h *hostWriter) settled() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.busy:
		return abi.EAGAIN
	case h.err != nil:
		return abi.EPIPE
	}
	return nil
}

func (h *hostWriter) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.err != nil:
		return 0, abi.EPIPE
	case h.busy:
		return 0, abi.EAGAIN
	case len(b) == 0:
		return 0, nil
	}
	n := min(len(b), hostChunk)
	if cap(h.space) < n {
		h.space = make([]byte, n)
	}
	h.busy = true
	c := h.space[:n]
	copy(c, b)
	go h.push(c)
	return n, nil
}

func (h *hostWriter) push(b []byte) {
	n, err := h.w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.busy = false
	if err != nil {
		h.err = err
		h.queue.wake(abi.PollErr, 0)
		return
	}
	h.queue.wake(abi.PollOut, PipeSize)
}

func (h *hostWriter) Read([]byte) (int, error) { return 0, abi.EBADF }

func (h *hostWriter) Ready(mask abi.PollEvents) abi.PollEvents {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.err != nil:
		return abi.PollOut&mask | abi.PollErr
	case !h.busy:
		return abi.PollOut & mask
	}
	return 0
}

func (h *hostWriter) Subscribe(m abi.PollEvents, wake func()) func() { return subscribe(h, m, wake) }

func (h *hostWriter) enlist(e *waitEntry) {
	h.mu.Lock()
	h.queue.add(e)
	h.mu.Unlock()
}

func (h *hostWriter) delist(e *waitEntry) {
	h.mu.Lock()
	h.queue.del(e)
	h.mu.Unlock()
}

func (h *hostWriter) Stat() (abi.Stat, error) { return hostStat(), nil }

func (h *hostWriter) Close() error {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return abi.EBADF
	}
	h.closed = true
	busy := h.busy
	h.mu.Unlock()
	if d, ok := h.w.(interface{ SetWriteDeadline(time.Time) error }); ok && busy {
		_ = d.SetWriteDeadline(time.Unix(1, 0))
	}
	return nil
}
