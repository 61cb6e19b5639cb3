// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"container/list"
	"context"
	"errors"
	"sync"
)

// ErrClosed is returned once a compiler or module set is closed.
var ErrClosed = errors.New("image: closed")

// maxCompiling is how many modules are compiled at the same time, and
// maxModuleWorkers with how many goroutines each. A hostile module can make each
// of these need 400 MB.
const (
	maxCompiling     = 1
	maxModuleWorkers = 4
)

// Modules holds the compiled modules that processes run, and some of those that
// they ran last. Each module is compiled once, however many processes wait for
// it, and a compilation that nobody waits for any longer is cancelled.
type Modules struct {
	c        *Compiler
	maxCount int
	maxBytes int64
	slots    chan struct{}
	work     sync.WaitGroup

	mu     sync.Mutex
	closed bool               // guarded by mu
	byID   map[string]*module // guarded by mu
	unused *list.List         // of *module; guarded by mu; the longest unused first
	bytes  int64              // guarded by mu; of the modules in unused
}

// module is guarded by Modules.mu but for ready, which closes when img and err
// are final.
type module struct {
	digest string
	size   int64
	users  int
	cancel context.CancelFunc
	ready  chan struct{}
	img    *Image
	err    error
	elem   *list.Element // in unused
}

// NewModules returns an empty set that keeps up to maxCount unused modules of
// up to maxBytes together.
func NewModules(c *Compiler, maxCount int, maxBytes int64) *Modules {
	return &Modules{
		c: c, maxCount: maxCount, maxBytes: maxBytes,
		slots: make(chan struct{}, maxCompiling),
		byID:  map[string]*module{}, unused: list.New(),
	}
}

// Acquire returns the image of a module of the given digest and size, compiled if
// need be, which stays until release is called. load is called for the module
// when its turn to be compiled comes, or not at all; its error is returned. wait
// is called to wait for the channel to be closed; its error ends the waiting and
// is returned.
func (s *Modules) Acquire(name, digest string, size int64, load func() ([]byte, error), wait func(<-chan struct{}) error) (img *Image, release func(), err error) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil, nil, ErrClosed
	}
	m := s.byID[digest]
	if m == nil {
		ctx, cancel := context.WithCancel(context.Background())
		m = &module{digest: digest, size: size, cancel: cancel, ready: make(chan struct{})}
		s.byID[digest] = m
		s.work.Go(func() { s.compile(ctx, m, name, load) })
	}
	if m.elem != nil {
		s.unused.Remove(m.elem)
		m.elem = nil
		s.bytes -= m.size
	}
	m.users++
	s.mu.Unlock()

	if err := wait(m.ready); err != nil {
		s.release(m)
		return nil, nil, err
	}
	if m.err != nil {
		s.release(m)
		return nil, nil, m.err
	}
	return m.img, sync.OnceFunc(func() { s.release(m) }), nil
}

func (s *Modules) compile(ctx context.Context, m *module, name string, load func() ([]byte, error)) {
	defer close(m.ready)
	defer m.cancel()
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		m.err = context.Cause(ctx)
		return
	}
	wasm, err := load()
	if err != nil {
		m.err = err
		return
	}
	m.img, m.err = s.c.Module(ctx, name, m.digest, wasm)
}

// release ends one use.
func (s *Modules) release(m *module) {
	s.mu.Lock()
	m.users--
	var out []*module
	if m.users == 0 {
		select {
		case <-m.ready:
		default:
			// Nobody waits: end the compilation. Who asks again gets
			// a new one.
			m.cancel()
			delete(s.byID, m.digest)
			s.work.Go(func() {
				<-m.ready
				closeModules([]*module{m})
			})
			s.mu.Unlock()
			return
		}
		if m.err != nil {
			if s.byID[m.digest] == m {
				delete(s.byID, m.digest)
			}
		} else {
			m.elem = s.unused.PushBack(m)
			s.bytes += m.size
			out = s.trim(s.closed)
		}
	}
	s.mu.Unlock()
	closeModules(out)
}

// trim takes out unused modules beyond the limits, or all.
//
// Preconditions: s.mu is held.
func (s *Modules) trim(all bool) (out []*module) {
	for s.unused.Len() > 0 && (all || s.unused.Len() > s.maxCount || s.bytes > s.maxBytes) {
		m := s.unused.Remove(s.unused.Front()).(*module)
		m.elem = nil
		s.bytes -= m.size
		if s.byID[m.digest] == m {
			delete(s.byID, m.digest)
		}
		out = append(out, m)
	}
	return out
}

func closeModules(l []*module) {
	for _, m := range l {
		if m.img != nil {
			_ = m.img.Close(context.Background())
		}
	}
}

// Close drops all modules and waits for compilations to end. No module may be
// in use.
func (s *Modules) Close() {
	s.mu.Lock()
	s.closed = true
	out := s.trim(true)
	for _, m := range s.byID {
		m.cancel()
	}
	s.mu.Unlock()
	closeModules(out)
	s.work.Wait()
}
