// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostio

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel/internal/pipe"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// chunk is how much is read from or written to a host stream at once.
const chunk = 32 << 10

var (
	_ vfs.Stream    = (*Reader)(nil)
	_ pipe.Waitable = (*Reader)(nil)
)

// Reader makes an io.Reader a [vfs.Stream]. It reads ahead of nobody: the host
// reader is asked only when a process wants data and there is none, on a
// goroutine that lives for that one call.
type Reader struct {
	r    io.Reader // immutable
	sync bool      // immutable: reading never blocks

	mu     sync.Mutex
	buf    []byte     // guarded by mu: what has been read and not taken
	space  []byte     // guarded by mu: the array behind buf
	busy   bool       // guarded by mu: a call is under way
	err    error      // guarded by mu: how the stream has ended
	closed bool       // guarded by mu
	queue  pipe.Queue // guarded by mu
}

// NewReader returns the stream of r. Closing it during a call of r.Read ends
// the call where r has deadlines; else the call goes on alone, and what it
// brings is dropped.
func NewReader(r io.Reader) *Reader {
	h := &Reader{r: r}
	switch r.(type) {
	case *bytes.Reader, *bytes.Buffer, *strings.Reader:
		h.sync = true
	}
	return h
}

// Counted reports that reading is no output.
func (h *Reader) Counted() bool { return false }

// Settled returns nil: a reader has nothing under way to wait for.
func (h *Reader) Settled() error { return nil }

// Read implements [vfs.Stream]. Without data it starts a call and returns EAGAIN.
func (h *Reader) Read(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(b) == 0 {
		return 0, nil
	}
	if len(h.buf) == 0 && h.err == nil && h.sync {
		n, err := h.r.Read(b)
		h.err = err
		if n > 0 || err == nil {
			return n, nil
		}
	}
	switch {
	case len(h.buf) > 0:
		n := copy(b, h.buf)
		h.buf = h.buf[n:]
		return n, nil
	case h.err == io.EOF:
		return 0, nil
	case h.err != nil:
		return 0, abi.EIO
	}
	h.fetchLocked()
	return 0, abi.EAGAIN
}

// fetchLocked starts a call unless one is under way.
//
// Preconditions: mu is held; there is no data.
func (h *Reader) fetchLocked() {
	if h.busy || h.closed {
		return
	}
	h.busy = true
	if h.space == nil {
		h.space = make([]byte, chunk)
	}
	go h.fetch(h.space)
}

// errCount is the error of a reader that breaks io.Reader's contract.
var errCount = errors.New("hostio: read a number of bytes that is not possible")

func (h *Reader) fetch(space []byte) {
	n, err := h.r.Read(space)
	if n < 0 || n > len(space) {
		n, err = 0, errCount
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.busy = false
	if h.closed {
		return
	}
	if n > 0 {
		h.buf = space[:n]
	} else if err == nil {
		// Nothing and no error: io.Reader permits that. Ask again when
		// asked again.
		h.queue.Wake(abi.PollIn, 0)
		return
	}
	h.err = err
	h.queue.Wake(abi.PollIn, 0)
}

// Write returns EBADF.
func (h *Reader) Write([]byte) (int, error) { return 0, abi.EBADF }

// Ready implements [vfs.Poller]. Asked for PollIn without data, it starts a call.
func (h *Reader) Ready(mask abi.PollEvents) abi.PollEvents {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case len(h.buf) > 0 || h.sync:
		return abi.PollIn & mask
	case h.err != nil:
		return abi.PollIn&mask | abi.PollHup
	case mask&abi.PollIn != 0:
		h.fetchLocked()
	}
	return 0
}

// Subscribe implements [vfs.Poller].
func (h *Reader) Subscribe(m abi.PollEvents, wake func()) func() { return pipe.Subscribe(h, m, wake) }

// Enlist implements [pipe.Waitable].
func (h *Reader) Enlist(e *pipe.Entry) {
	h.mu.Lock()
	h.queue.Add(e)
	h.mu.Unlock()
}

// Delist implements [pipe.Waitable].
func (h *Reader) Delist(e *pipe.Entry) {
	h.mu.Lock()
	h.queue.Del(e)
	h.mu.Unlock()
}

// Buffered returns how many bytes can be read now.
func (h *Reader) Buffered() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.buf)
}

// Stat implements [vfs.File].
func (h *Reader) Stat() (abi.Stat, error) { return Stat(), nil }

// Close implements [vfs.File].
func (h *Reader) Close() error {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return abi.EBADF
	}
	h.closed = true
	busy := h.busy
	h.buf, h.space = nil, nil
	h.mu.Unlock()
	if d, ok := h.r.(interface{ SetReadDeadline(time.Time) error }); ok && busy {
		// Only to end the call under way; a reader that cannot do it says
		// so and keeps its goroutine.
		_ = d.SetReadDeadline(time.Unix(1, 0))
	}
	return nil
}
