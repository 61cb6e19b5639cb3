// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostio

import (
	"io"
	"sync"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel/internal/pipe"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

var (
	_ vfs.Stream    = (*Writer)(nil)
	_ pipe.Waitable = (*Writer)(nil)
)

// Writer makes an io.Writer a [vfs.Stream]. A write of a process waits until the
// host writer has taken it, so that the outputs of processes keep their order
// across files and nothing is left over when a process has ended; but it waits
// on a wake-up, while the call itself runs on a goroutine that lives for it
// alone.
type Writer struct {
	w io.Writer // immutable

	mu     sync.Mutex
	space  []byte     // guarded by mu
	busy   bool       // guarded by mu: a call is under way
	err    error      // guarded by mu: why no more is taken
	closed bool       // guarded by mu
	queue  pipe.Queue // guarded by mu
}

// NewWriter returns the stream of w. Closing it during a call of w.Write ends
// the call where w has deadlines; else the call goes on alone.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Counted reports that writing is output.
func (h *Writer) Counted() bool { return true }

// Settled returns nil when the host has taken everything, EAGAIN while it has
// not, and EPIPE where it will not.
func (h *Writer) Settled() error {
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

// Write implements [vfs.Stream]. It starts a call with at most a chunk of b: EAGAIN
// while one is under way, EPIPE once one has failed.
func (h *Writer) Write(b []byte) (int, error) {
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
	n := min(len(b), chunk)
	if cap(h.space) < n {
		h.space = make([]byte, n)
	}
	h.busy = true
	c := h.space[:n]
	copy(c, b)
	go h.push(c)
	return n, nil
}

func (h *Writer) push(b []byte) {
	n, err := h.w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.busy = false
	if err != nil {
		h.err = err
		h.queue.Wake(abi.PollErr, 0)
		return
	}
	h.queue.Wake(abi.PollOut, pipe.Size)
}

// Read returns EBADF.
func (h *Writer) Read([]byte) (int, error) { return 0, abi.EBADF }

// Ready implements [vfs.Poller].
func (h *Writer) Ready(mask abi.PollEvents) abi.PollEvents {
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

// Subscribe implements [vfs.Poller].
func (h *Writer) Subscribe(m abi.PollEvents, wake func()) func() { return pipe.Subscribe(h, m, wake) }

// Enlist implements [pipe.Waitable].
func (h *Writer) Enlist(e *pipe.Entry) {
	h.mu.Lock()
	h.queue.Add(e)
	h.mu.Unlock()
}

// Delist implements [pipe.Waitable].
func (h *Writer) Delist(e *pipe.Entry) {
	h.mu.Lock()
	h.queue.Del(e)
	h.mu.Unlock()
}

// Stat implements [vfs.File].
func (h *Writer) Stat() (abi.Stat, error) { return Stat(), nil }

// Close implements [vfs.File].
func (h *Writer) Close() error {
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
