// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// hostChunk is how much is read from or written to a host stream at once.
const hostChunk = 32 << 10

// hostReader makes an io.Reader a stream. It reads ahead of nobody: the host
// reader is asked only when a process wants data and there is none, on a
// goroutine that lives for that one call.
type hostReader struct {
	r    io.Reader // immutable
	sync bool      // immutable: reading never blocks

	mu     sync.Mutex
	buf    []byte    // guarded by mu: what has been read and not taken
	space  []byte    // guarded by mu: the array behind buf
	busy   bool      // guarded by mu: a call is under way
	err    error     // guarded by mu: how the stream has ended
	closed bool      // guarded by mu
	queue  waitQueue // guarded by mu
}

// NewReaderFile makes a file that processes read r through. r is read by one
// goroutine at a time and only when a process asks for data, so that what no
// process reads stays in r. An error of r other than io.EOF reads as EIO.
//
// A call of r.Read that blocks does not hang a process: waiting for it is
// interruptible as for a pipe. It does not hang [Kernel.Close] either, but its
// goroutine stays until the call returns; what it then brings is dropped. Where r
// has a method SetReadDeadline, as files and connections have, closing the file
// calls it with a time in the past, which ends the call. A *bytes.Reader,
// *bytes.Buffer or *strings.Reader is read without a goroutine.
func NewReaderFile(r io.Reader) *OpenFile {
	h := &hostReader{r: r}
	switch r.(type) {
	case *bytes.Reader, *bytes.Buffer, *strings.Reader:
		h.sync = true
	}
	return NewFile(h, "host:[input]", abi.ORdonly)
}

func (h *hostReader) counted() bool  { return false }
func (h *hostReader) settled() error { return nil }

func (h *hostReader) Read(b []byte) (int, error) {
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
func (h *hostReader) fetchLocked() {
	if h.busy || h.closed {
		return
	}
	h.busy = true
	if h.space == nil {
		h.space = make([]byte, hostChunk)
	}
	go h.fetch(h.space)
}

func (h *hostReader) fetch(space []byte) {
	n, err := h.r.Read(space)
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
		h.queue.wake(abi.PollIn, 0)
		return
	}
	h.err = err
	h.queue.wake(abi.PollIn, 0)
}

func (h *hostReader) Write([]byte) (int, error) { return 0, abi.EBADF }

func (h *hostReader) Ready(mask abi.PollEvents) abi.PollEvents {
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

func (h *hostReader) Subscribe(m abi.PollEvents, wake func()) func() { return subscribe(h, m, wake) }

func (h *hostReader) enlist(e *waitEntry) {
	h.mu.Lock()
	h.queue.add(e)
	h.mu.Unlock()
}

func (h *hostReader) delist(e *waitEntry) {
	h.mu.Lock()
	h.queue.del(e)
	h.mu.Unlock()
}

func (h *hostReader) buffered() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.buf)
}

func (h *hostReader) Stat() (abi.Stat, error) { return hostStat(), nil }

func (h *hostReader) Close() error {
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

// hostStat describes a host stream: to processes it is a pipe.
func hostStat() abi.Stat {
	return abi.Stat{Dev: pipeDev, Ino: 1, Mode: abi.ModeFIFO | 0o600, Nlink: 1, Blksize: PipeBuf}
}
