// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"sync"
	"sync/atomic"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Sizes of a pipe in bytes.
const (
	// PipeBuf is the largest write that is atomic.
	//
	// POSIX: PIPE_BUF.
	PipeBuf = 4096
	// PipeSize is how much a pipe holds.
	PipeSize = 64 << 10
)

// pipeDev is the device number of pipes in abi.Stat.
const pipeDev = 0x77700001

type (
	pipePage  [PipeBuf]byte
	pipeBlock [PipeSize]byte
)

// pipePool recycles pipe buffers, so that an empty pipe holds none. It is
// shared by all kernels of one configuration through Kernel.pipes.
type pipePool struct {
	pages, blocks sync.Pool
	limit         int64
	used          atomic.Int64 // bytes in use
}

// pipe is a first-in first-out byte queue. Its buffer is taken from the pool
// while it holds data: a page for small amounts, else a block.
//
// POSIX: pipe().
type pipe struct {
	pool *pipePool

	mu      sync.Mutex
	page    *pipePage  // guarded by mu; at most one of page and block is set
	block   *pipeBlock // guarded by mu
	r, n    int        // guarded by mu: read position and fill
	readers int        // guarded by mu: open read descriptions
	writers int        // guarded by mu
	rgen    uint64     // guarded by mu: how often it was opened for reading
	wgen    uint64     // guarded by mu
	in      waitQueue  // guarded by mu: waiting for data
	out     waitQueue  // guarded by mu: waiting for room
	opens   waitQueue  // guarded by mu: waiting for the other end
	ino     atomic.Uint64
}

func newPipe(pool *pipePool) *pipe {
	return &pipe{pool: pool, readers: 1, writers: 1, rgen: 1, wgen: 1}
}

// bufLocked returns the buffer.
//
// Preconditions: mu is held.
func (p *pipe) bufLocked() []byte {
	switch {
	case p.block != nil:
		return p.block[:]
	case p.page != nil:
		return p.page[:]
	}
	return nil
}

// releaseLocked gives the buffer back.
//
// Preconditions: mu is held; the pipe is empty.
func (p *pipe) releaseLocked() {
	switch {
	case p.block != nil:
		p.pool.blocks.Put(p.block)
		p.pool.used.Add(-PipeSize)
		p.block = nil
	case p.page != nil:
		p.pool.pages.Put(p.page)
		p.pool.used.Add(-PipeBuf)
		p.page = nil
	}
	p.r, p.n = 0, 0
}

// roomLocked returns how many bytes fit, growing the buffer where want does
// not fit and the pool permits.
//
// Preconditions: mu is held.
func (p *pipe) roomLocked(want int) int {
	if p.block != nil {
		return PipeSize - p.n
	}
	if p.page == nil && want <= PipeBuf {
		// Never refused: the number of pipes is bounded by the number of
		// open file descriptions.
		p.pool.used.Add(PipeBuf)
		p.page, _ = p.pool.pages.Get().(*pipePage)
		if p.page == nil {
			p.page = new(pipePage)
		}
	}
	if p.page != nil && want <= PipeBuf-p.n {
		return PipeBuf - p.n
	}
	if p.pool.used.Add(PipeSize) > p.pool.limit {
		p.pool.used.Add(-PipeSize)
		if p.page == nil {
			return p.roomLocked(PipeBuf)
		}
		return PipeBuf - p.n
	}
	b, _ := p.pool.blocks.Get().(*pipeBlock)
	if b == nil {
		b = new(pipeBlock)
	}
	if p.page != nil {
		n := p.n
		copyRing(b[:n], p.page[:], p.r)
		p.releaseLocked()
		p.n = n
	}
	p.block = b
	return PipeSize - p.n
}

// copyRing fills dst from the ring from position r on.
func copyRing(dst, ring []byte, r int) {
	n := copy(dst, ring[r:])
	copy(dst[n:], ring)
}

// freeLocked returns how many bytes could be written now.
//
// Preconditions: mu is held.
func (p *pipe) freeLocked() int {
	if p.block == nil && p.page != nil && p.pool.used.Load()+PipeSize > p.pool.limit {
		return PipeBuf - p.n
	}
	return PipeSize - p.n
}

// read takes up to len(b) bytes: EAGAIN where there are none but may be later.
func (p *pipe) read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.n == 0 {
		if p.writers == 0 {
			return 0, nil
		}
		return 0, abi.EAGAIN
	}
	n := min(len(b), p.n)
	ring := p.bufLocked()
	copyRing(b[:n], ring, p.r)
	p.n -= n
	if p.n == 0 {
		p.releaseLocked()
	} else {
		p.r += n
		if p.r >= len(ring) {
			p.r -= len(ring)
		}
	}
	if p.out.head != nil {
		p.out.wake(abi.PollOut, p.freeLocked())
	}
	return n, nil
}

// write adds b, all of it or nothing up to PipeBuf and as much as fits above:
// EAGAIN, EPIPE.
func (p *pipe) write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.readers == 0 {
		return 0, abi.EPIPE
	}
	if len(b) == 0 {
		return 0, nil
	}
	room := p.roomLocked(len(b))
	n := len(b)
	if n > room {
		if n <= PipeBuf || room == 0 {
			return 0, abi.EAGAIN
		}
		n = room
	}
	ring := p.bufLocked()
	w := p.r + p.n
	if w >= len(ring) {
		w -= len(ring)
	}
	c := copy(ring[w:], b[:n])
	copy(ring, b[c:n])
	p.n += n
	p.in.wake(abi.PollIn, 0)
	return n, nil
}

// buffered returns how many bytes wait to be read.
func (p *pipe) buffered() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.n
}

// free returns how many bytes could be written now.
func (p *pipe) free() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.freeLocked()
}

func (p *pipe) readReady(mask abi.PollEvents) abi.PollEvents {
	p.mu.Lock()
	defer p.mu.Unlock()
	var e abi.PollEvents
	if p.n > 0 {
		e |= abi.PollIn & mask
	}
	if p.writers == 0 && p.wgen > 0 {
		e |= abi.PollHup
	}
	return e
}

func (p *pipe) writeReady(mask abi.PollEvents) abi.PollEvents {
	p.mu.Lock()
	defer p.mu.Unlock()
	var e abi.PollEvents
	if p.readers == 0 {
		return abi.PollOut&mask | abi.PollErr
	}
	if p.freeLocked() >= PipeBuf {
		e |= abi.PollOut & mask
	}
	return e
}

func (p *pipe) closeRead() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.readers--; p.readers == 0 {
		p.out.wake(abi.PollErr, 0)
		if p.writers == 0 {
			p.releaseLocked()
		}
	}
}

func (p *pipe) closeWrite() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.writers--; p.writers == 0 {
		p.in.wake(abi.PollHup, 0)
		if p.readers == 0 {
			p.releaseLocked()
		}
	}
}

func (p *pipe) enlist(q *waitQueue, e *waitEntry) {
	p.mu.Lock()
	q.add(e)
	p.mu.Unlock()
}

func (p *pipe) delist(q *waitQueue, e *waitEntry) {
	p.mu.Lock()
	q.del(e)
	p.mu.Unlock()
}

func (p *pipe) stat() abi.Stat {
	return abi.Stat{Dev: pipeDev, Ino: p.ino.Load(), Mode: abi.ModeFIFO | 0o600, Nlink: 1, Blksize: PipeBuf}
}
