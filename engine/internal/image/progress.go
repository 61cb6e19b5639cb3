// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"sync"
	"time"
)

// Progress tells how the making of an image goes.
type Progress struct {
	Name    string        // of the guest, or path of the module
	Phase   string        // "compile", "initialize" or "store"
	Elapsed time.Duration // since the beginning
	Bytes   int           // size of the module
	Done    bool          // the last one for this image
}

// How long it takes until a compilation is reported, and how often it then is.
const (
	progressAfter = 500 * time.Millisecond
	progressEvery = 250 * time.Millisecond
)

// progress reports one compilation.
type progress struct {
	report func(Progress)
	begin  time.Time
	end    chan struct{}
	done   sync.WaitGroup

	mu  sync.Mutex
	now Progress // guarded by mu
}

func (c *Compiler) startProgress(name string, size int) *progress {
	p := &progress{report: c.opt.Progress, begin: time.Now(), end: make(chan struct{})}
	p.now = Progress{Name: name, Phase: "compile", Bytes: size}
	if p.report != nil {
		p.done.Go(p.run)
	}
	return p
}

func (p *progress) run() {
	t := time.NewTimer(progressAfter)
	defer t.Stop()
	for told := false; ; told = true {
		select {
		case <-p.end:
			if told {
				p.tell(true)
			}
			return
		case <-t.C:
			p.tell(false)
			t.Reset(progressEvery)
		}
	}
}

func (p *progress) tell(done bool) {
	p.mu.Lock()
	now := p.now
	p.mu.Unlock()
	now.Elapsed, now.Done = time.Since(p.begin), done
	p.report(now)
}

func (p *progress) phase(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.Phase = name
}

// stop ends the reports, with a last one where there were others.
func (p *progress) stop() {
	close(p.end)
	p.done.Wait()
}
