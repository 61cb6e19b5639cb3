// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pipe

import (
	"sync"
	"sync/atomic"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Dev is the device number of pipes in abi.Stat.
const Dev = 0x77700001

// Pipe is a first-in first-out byte queue with any number of read and write
// ends. Its buffer is a page for small amounts, else a block.
//
// POSIX: pipe().
type Pipe struct {
	pool *Pool         // immutable
	ino  atomic.Uint64 // 0 until asked for

	mu      sync.Mutex
	page    *page  // guarded by mu; at most one of page and block is set
	block   *block // guarded by mu
	r, n    int    // guarded by mu: read position and fill
	readers int    // guarded by mu: open read ends
	writers int    // guarded by mu
	rgen    uint64 // guarded by mu: how often it was opened for reading
	wgen    uint64 // guarded by mu
	in      Queue  // guarded by mu: waiting for data
	out     Queue  // guarded by mu: waiting for room
	opens   Queue  // guarded by mu: waiting for the other end
}

// New returns the ends of a new pipe.
func New(pool *Pool) (*Reader, *Writer) {
	p := &Pipe{pool: pool, readers: 1, writers: 1, rgen: 1, wgen: 1}
	return &Reader{p: p}, &Writer{p: p}
}

// NewFIFO returns a pipe without ends; see [Pipe.Open].
func NewFIFO(pool *Pool) *Pipe { return &Pipe{pool: pool} }

// Number returns the pipe's inode number, and takes one from last when first
// asked.
func (p *Pipe) Number(last *atomic.Uint64) uint64 {
	if p.ino.Load() == 0 {
		p.ino.CompareAndSwap(0, last.Add(1))
	}
	return p.ino.Load()
}

// bufLocked returns the buffer.
//
// Preconditions: mu is held.
func (p *Pipe) bufLocked() []byte {
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
// Preconditions: mu is held.
func (p *Pipe) releaseLocked() {
	switch {
	case p.block != nil:
		p.pool.putBlock(p.block)
		p.block = nil
	case p.page != nil:
		p.pool.putPage(p.page)
		p.page = nil
	}
	p.r, p.n = 0, 0
}

// roomLocked returns how many bytes fit, growing the buffer where want does
// not fit and the pool permits.
//
// Preconditions: mu is held.
func (p *Pipe) roomLocked(want int) int {
	if p.block != nil {
		return Size - p.n
	}
	if want > Buf-p.n {
		if b := p.pool.getBlock(); b != nil {
			n := p.n
			if n > 0 {
				copyRing(b[:n], p.page[:], p.r)
			}
			p.releaseLocked()
			p.block, p.n = b, n
			return Size - n
		}
	}
	if p.page == nil {
		p.page = p.pool.getPage()
	}
	return Buf - p.n
}

// copyRing fills dst from the ring from position r on.
func copyRing(dst, ring []byte, r int) {
	n := copy(dst, ring[r:])
	copy(dst[n:], ring)
}

// freeLocked returns how many bytes could be written now.
//
// Preconditions: mu is held.
func (p *Pipe) freeLocked() int {
	if p.block == nil && p.pool.full() {
		return Buf - p.n
	}
	return Size - p.n
}

// read takes up to len(b) bytes: EAGAIN where there are none but may be later.
func (p *Pipe) read(b []byte) (int, error) {
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
	if p.n -= n; p.n == 0 {
		p.releaseLocked()
	} else if p.r += n; p.r >= len(ring) {
		p.r -= len(ring)
	}
	if p.out.head != nil {
		p.out.Wake(abi.PollOut, p.freeLocked())
	}
	return n, nil
}

// write adds b, all of it or nothing up to Buf bytes and as much as fits above:
// EAGAIN, EPIPE.
func (p *Pipe) write(b []byte) (int, error) {
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
		if n <= Buf || room == 0 {
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
	p.in.Wake(abi.PollIn, 0)
	return n, nil
}

// Buffered returns how many bytes wait to be read.
func (p *Pipe) Buffered() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.n
}

// Free returns how many bytes could be written now.
func (p *Pipe) Free() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.freeLocked()
}

func (p *Pipe) readReady(mask abi.PollEvents) abi.PollEvents {
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

func (p *Pipe) writeReady(mask abi.PollEvents) abi.PollEvents {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.readers == 0:
		return abi.PollOut&mask | abi.PollErr
	case p.freeLocked() >= Buf:
		return abi.PollOut & mask
	}
	return 0
}

func (p *Pipe) closeRead() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.readers--; p.readers == 0 {
		p.out.Wake(abi.PollErr, 0)
		if p.writers == 0 {
			p.releaseLocked()
		}
	}
}

func (p *Pipe) closeWrite() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.writers--; p.writers == 0 {
		p.in.Wake(abi.PollHup, 0)
		if p.readers == 0 {
			p.releaseLocked()
		}
	}
}

func (p *Pipe) add(q *Queue, e *Entry) {
	p.mu.Lock()
	q.Add(e)
	p.mu.Unlock()
}

func (p *Pipe) del(q *Queue, e *Entry) {
	p.mu.Lock()
	q.Del(e)
	p.mu.Unlock()
}

func (p *Pipe) stat() abi.Stat {
	return abi.Stat{Dev: Dev, Ino: p.ino.Load(), Mode: abi.ModeFIFO | 0o600, Nlink: 1, Blksize: Buf}
}
