// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pipe

import (
	"sync"
	"sync/atomic"
)

// Sizes in bytes.
const (
	// Buf is the largest write that is atomic.
	//
	// POSIX: PIPE_BUF.
	Buf = 4096
	// Size is how much a pipe holds.
	Size = 64 << 10
)

type (
	page  [Buf]byte
	block [Size]byte
)

// Pool recycles the buffers of pipes and bounds their memory. Methods are safe
// for concurrent use.
type Pool struct {
	pages, blocks sync.Pool
	limit         int64 // immutable
	used          atomic.Int64
}

// NewPool returns a pool that lends at most limit bytes as blocks. Past it,
// pipes get by with one page each, which is never refused.
func NewPool(limit int64) *Pool { return &Pool{limit: limit} }

// Used returns how many bytes are lent.
func (p *Pool) Used() int64 { return p.used.Load() }

func (p *Pool) getPage() *page {
	p.used.Add(Buf)
	if b, ok := p.pages.Get().(*page); ok {
		return b
	}
	return new(page)
}

func (p *Pool) putPage(b *page) {
	p.pages.Put(b)
	p.used.Add(-Buf)
}

// getBlock returns nil past the limit.
func (p *Pool) getBlock() *block {
	if p.used.Add(Size) > p.limit {
		p.used.Add(-Size)
		return nil
	}
	if b, ok := p.blocks.Get().(*block); ok {
		return b
	}
	return new(block)
}

func (p *Pool) putBlock(b *block) {
	p.blocks.Put(b)
	p.used.Add(-Size)
}

// full reports whether getBlock would return nil now.
func (p *Pool) full() bool { return p.used.Load()+Size > p.limit }
