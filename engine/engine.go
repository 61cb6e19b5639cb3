// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/internal/image"
	"github.com/wsandbox/wsandbox/engine/internal/wasihost"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// Engine runs programs. Methods are safe for concurrent use.
type Engine struct {
	cfg      Config
	trace    io.Writer // nil, or safe for concurrent use
	compiler *image.Compiler
	modules  *image.Modules
	pending  atomic.Int64 // bytes of modules held by processes that do not run yet
	programs map[string]*program
	contexts sync.Pool // of *wasihost.Context
	stop     context.CancelFunc
	ctx      context.Context // of compilations; ended by stop

	mu      sync.Mutex
	closing bool          // guarded by mu
	running int           // guarded by mu; processes and compilations
	drained chan struct{} // guarded by mu; closed when closing and running is 0
	closed  chan struct{} // guarded by mu; not nil once somebody closes; closed at the end
	err     error         // of closing; read after closed
}

var _ kernel.Runner = (*Engine)(nil)

// New returns an engine. It returns ErrUnsupportedHost, ErrCacheDir, an error
// of the cache directory, and an error for two programs of the same name.
func New(ctx context.Context, cfg Config) (*Engine, error) {
	cfg.Programs = slices.Clone(cfg.Programs)
	cfg.Limits = cfg.Limits.withDefaults()
	e := &Engine{cfg: cfg, programs: map[string]*program{}}
	for i := range cfg.Programs {
		p := &cfg.Programs[i]
		if p.Name == "" || p.Wasm == nil || e.programs[p.Name] != nil {
			return nil, fmt.Errorf("engine: program %q: missing or twice", p.Name)
		}
		e.programs[p.Name] = &program{e: e, Program: p}
	}
	opt := image.Options{
		Workers: cfg.Limits.Workers,
		Pool: image.PoolOptions{
			Instances: cfg.Limits.IdleInstances, Bytes: cfg.Limits.IdleBytes, Idle: cfg.Limits.IdleTime,
			Reserve: uint64(cfg.Limits.Memory),
		},
	}
	if cfg.CacheDir != "" {
		c, err := image.OpenCache(cfg.CacheDir, cfg.Limits.CacheBytes)
		if err != nil {
			return nil, openError(err)
		}
		opt.Cache = c
	}
	if cfg.Progress != nil {
		opt.Progress = func(p image.Progress) { cfg.Progress(ProgressEvent(p)) }
	}
	if cfg.Trace != nil {
		e.trace = &lockedWriter{w: cfg.Trace}
	}
	opt.Host = host{trace: e.trace}
	c, err := image.NewCompiler(ctx, opt)
	if err != nil {
		return nil, openError(err)
	}
	e.compiler = c
	e.modules = image.NewModules(c, cfg.Limits.Modules, cfg.Limits.ModulesBytes)
	e.contexts.New = func() any { return wasihost.NewContext(nil) }
	e.ctx, e.stop = context.WithCancel(context.WithoutCancel(ctx))
	return e, nil
}

// openError makes errors of package image those of this package.
func openError(err error) error {
	switch {
	case errors.Is(err, image.ErrCacheDir):
		return fmt.Errorf("%w: %w", ErrCacheDir, err)
	case errors.Is(err, image.ErrUnsupportedHost):
		return fmt.Errorf("%w: %w", ErrUnsupportedHost, err)
	}
	return fmt.Errorf("engine: %w", err)
}

// Programs returns the built-in programs in the order they were given.
func (e *Engine) Programs() []Program { return slices.Clone(e.cfg.Programs) }

// Warm compiles and initialises the named built-in programs, or all without
// names, and so fills the cache. It returns fs.ErrNotExist (as abi.ENOENT) for a
// name that there is not, ErrClosed, and the error of the first that fails.
func (e *Engine) Warm(ctx context.Context, names ...string) error {
	if err := e.enter(); err != nil {
		return err
	}
	defer e.leave()
	if len(names) == 0 {
		for i := range e.cfg.Programs {
			names = append(names, e.cfg.Programs[i].Name)
		}
	}
	for _, name := range names {
		p := e.programs[name]
		if p == nil {
			return fmt.Errorf("engine: program %q: %w", name, abi.ENOENT)
		}
		_, err := p.load(func(ready <-chan struct{}) error {
			select {
			case <-ready:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
		if err != nil {
			return fmt.Errorf("engine: %w", err)
		}
	}
	return nil
}

// Close waits for the processes of the engine to end, which closing their
// kernels makes them do, and releases everything. It returns the cause of ctx
// where that ends first; the engine then closes as soon as it can. No process
// starts after Close is called. Further calls wait as well.
func (e *Engine) Close(ctx context.Context) error {
	e.mu.Lock()
	e.closing = true
	if e.closed == nil {
		e.closed, e.drained = make(chan struct{}), make(chan struct{})
		if e.running == 0 {
			close(e.drained)
		}
		e.stop()
		go e.close()
	}
	closed := e.closed
	e.mu.Unlock()
	select {
	case <-closed:
		return e.err
	case <-ctx.Done():
		return fmt.Errorf("engine: close: %w", context.Cause(ctx))
	}
}

func (e *Engine) close() {
	<-e.drained
	e.modules.Close()
	var errs []error
	for _, p := range e.programs {
		errs = append(errs, p.close())
	}
	errs = append(errs, e.compiler.Close(context.Background()))
	e.err = errors.Join(errs...)
	close(e.closed)
}

// enter counts something that uses the engine, until leave. It returns ErrClosed
// once the engine is being closed.
func (e *Engine) enter() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closing {
		return ErrClosed
	}
	e.running++
	return nil
}

func (e *Engine) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.running--; e.running == 0 && e.drained != nil {
		close(e.drained)
	}
}

// LoadGuest implements [kernel.Runner]. The program is compiled, if it was not
// yet, when it runs.
func (e *Engine) LoadGuest(guest, _ string) (kernel.Image, error) {
	p := e.programs[guest]
	if p == nil {
		return nil, abi.ENOENT
	}
	return p, nil
}

// lockedWriter serialises writes.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer // guarded by mu
}

func (l *lockedWriter) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}
