// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"slices"
	"sync"
	"time"
)

// PoolOptions bounds what idle instances hold.
type PoolOptions struct {
	Instances int           // at most so many idle ones; 0: 64; negative: none
	Bytes     int64         // of private pages in idle ones; 0: 64 MiB
	Idle      time.Duration // an instance not used for so long is dropped; 0: 30 s
	Reserve   uint64        // addresses of one memory in bytes; 0: 4 GiB
}

// instanceBytes is about what an instance holds beside its private pages.
const instanceBytes = 128 << 10

// Pool keeps the idle instances of all images of a compiler. It has no
// goroutine of its own: a timer runs while there are idle instances.
type Pool struct {
	opt PoolOptions

	mu     sync.Mutex
	closed bool        // guarded by mu
	idle   []*Instance // guarded by mu; the longest idle first
	bytes  int64       // guarded by mu; what they hold
	timer  *time.Timer // guarded by mu; nil while there are none
}

func newPool(o PoolOptions) *Pool {
	if o.Instances == 0 {
		o.Instances = 64
	}
	if o.Bytes == 0 {
		o.Bytes = 64 << 20
	}
	if o.Idle == 0 {
		o.Idle = 30 * time.Second
	}
	if o.Reserve == 0 {
		o.Reserve = 4 << 30
	}
	return &Pool{opt: o}
}

// take returns the instance of img that was used last, or nil.
func (p *Pool) take(img *Image) *Instance {
	p.mu.Lock()
	defer p.mu.Unlock()
	for n := len(p.idle) - 1; n >= 0; n-- {
		if i := p.idle[n]; i.img == img {
			p.remove(n)
			return i
		}
	}
	return nil
}

// remove takes an instance out.
//
// Preconditions: p.mu is held.
func (p *Pool) remove(n int) {
	p.bytes -= p.idle[n].holds()
	p.idle = slices.Delete(p.idle, n, n+1)
}

func (i *Instance) holds() int64 { return int64(i.resident) + instanceBytes }

// put resets an instance and keeps it, or drops it and others where that is too
// much.
func (p *Pool) put(i *Instance) {
	if p.opt.Instances < 0 || i.reset() != nil {
		i.close()
		return
	}
	i.idleSince = time.Now()
	p.mu.Lock()
	if p.closed || i.img.closed {
		p.mu.Unlock()
		i.close()
		return
	}
	p.idle = append(p.idle, i)
	p.bytes += i.holds()
	var out []*Instance
	for len(p.idle) > p.opt.Instances || p.bytes > p.opt.Bytes && len(p.idle) > 1 {
		out = append(out, p.idle[0])
		p.remove(0)
	}
	if p.timer == nil {
		p.timer = time.AfterFunc(p.opt.Idle, p.expire)
	}
	p.mu.Unlock()
	closeAll(out)
}

// expire drops what was idle for too long.
func (p *Pool) expire() {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return
	}
	now := time.Now()
	n := 0
	for n < len(p.idle) && now.Sub(p.idle[n].idleSince) >= p.opt.Idle {
		n++
	}
	out := slices.Clone(p.idle[:n])
	for range n {
		p.remove(0)
	}
	p.timer = nil
	if len(p.idle) > 0 {
		p.timer = time.AfterFunc(p.opt.Idle-now.Sub(p.idle[0].idleSince), p.expire)
	}
	p.mu.Unlock()
	closeAll(out)
}

// Idle returns the number of idle instances and the bytes they hold.
func (p *Pool) Idle() (instances int, bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.idle), p.bytes
}

// Trim drops all idle instances.
func (p *Pool) Trim() {
	p.mu.Lock()
	out := p.idle
	p.idle, p.bytes = nil, 0
	p.mu.Unlock()
	closeAll(out)
}

// dropImage drops the idle instances of img and keeps it from getting others.
func (p *Pool) dropImage(img *Image) {
	p.mu.Lock()
	img.closed = true
	var out []*Instance
	for n := len(p.idle) - 1; n >= 0; n-- {
		if p.idle[n].img == img {
			out = append(out, p.idle[n])
			p.remove(n)
		}
	}
	p.mu.Unlock()
	closeAll(out)
}

func (p *Pool) close() {
	p.mu.Lock()
	p.closed = true
	if p.timer != nil {
		p.timer.Stop()
	}
	p.mu.Unlock()
	p.Trim()
}

func closeAll(l []*Instance) {
	for _, i := range l {
		i.close()
	}
}
