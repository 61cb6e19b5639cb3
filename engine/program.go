// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"sync"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/internal/image"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// program is a built-in program, the image of all processes that run it.
type program struct {
	*Program
	e *Engine

	mu      sync.Mutex
	loading *loading // guarded by mu; nil until needed and after a failure
}

// loading is one attempt to load a program. img and err are final once ready is
// closed.
type loading struct {
	ready chan struct{}
	img   *image.Image
	err   error
}

var _ kernel.Image = (*program)(nil)

// load returns the program's image, which is made by the first call. wait waits
// for the channel; its error is returned. A failure is not kept: the next call
// tries again.
func (p *program) load(wait func(<-chan struct{}) error) (*image.Image, error) {
	p.mu.Lock()
	l := p.loading
	if l == nil {
		if err := p.e.enter(); err != nil {
			p.mu.Unlock()
			return nil, err
		}
		l = &loading{ready: make(chan struct{})}
		p.loading = l
		go p.make(l)
	}
	p.mu.Unlock()
	if err := wait(l.ready); err != nil {
		return nil, err
	}
	return l.img, l.err
}

// make does not end with the process that asked for the program: others will
// want it.
func (p *program) make(l *loading) {
	defer p.e.leave()
	l.img, l.err = p.e.compiler.Guest(p.e.ctx, p.Name, p.Digest, p.Wasm)
	if l.err != nil {
		p.mu.Lock()
		p.loading = nil
		p.mu.Unlock()
	}
	close(l.ready)
}

// close releases the image. Nothing uses it any more.
func (p *program) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.loading == nil || p.loading.img == nil {
		return nil
	}
	return p.loading.img.Close(context.Background())
}

// Run implements [kernel.Image].
func (p *program) Run(proc *kernel.Process) abi.WaitStatus {
	if err := p.e.enter(); err != nil {
		return p.e.refuse(proc, err)
	}
	img, err := p.load(proc.WaitFor)
	if err != nil {
		p.e.leave()
		return p.e.refuse(proc, err)
	}
	return p.e.run(proc, img, true, p.e.leave)
}
