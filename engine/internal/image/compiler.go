// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/wsandbox/wsandbox/engine/internal/wasmbin"
)

// Names of the functions that modules export for their start.
const (
	guestInit  = "_initialize"
	guestWarm  = "wsandbox_warm"
	guestMain  = "wsandbox_main"
	moduleMain = "_start"

	// startExport is the export that a start function is made. The rewriter
	// refuses modules that use such a name.
	startExport = wasmbin.GlobalPrefix + "_start"
)

var (
	// ErrUnsupportedHost is returned where the runtime has no compiler for
	// the machine. Its interpreter, a hundred times slower, is never used.
	ErrUnsupportedHost = errors.New("image: no compiler for " + runtime.GOOS + "/" + runtime.GOARCH)

	// ErrModule is wrapped by every error that is the module's own fault.
	ErrModule = errors.New("cannot execute module")
)

// features are what modules may use. Exception handling is left out as the
// runtime copies the stack at each try, threads as processes have only one.
const features = api.CoreFeaturesV2 | experimental.CoreFeaturesTailCall | experimental.CoreFeaturesExtendedConst

// refused are the constructs that the rewriter passes on and the compiler is
// not told to accept.
var refused = []struct {
	f    wasmbin.Features
	name string
}{
	{wasmbin.Atomics, "atomic instructions"},
	{wasmbin.Exceptions, "exception handling"},
	{wasmbin.TypedReferences, "typed function references"},
}

// Host is what programs import.
type Host interface {
	// Instantiate registers the host modules, among them the function yield
	// of wsandbox_v0, which calls [Yield].
	Instantiate(ctx context.Context, rt wazero.Runtime) error
	// InitContext returns the context in which an image is initialised. Its
	// Value asks parent.
	InitContext(parent context.Context) context.Context
}

// Options configures a Compiler.
type Options struct {
	Host     Host           // required
	Cache    *Cache         // nil: nothing is kept on disk
	Workers  int            // goroutines of a compilation; 0: one per processor
	Progress func(Progress) // called, one at a time per compilation, once it takes long; may be nil
	Pool     PoolOptions
}

// runtimeMu guards the creation of runtimes: the first one stores the runtime's
// own version in a global variable without a lock.
var runtimeMu sync.Mutex

// newRuntime returns a runtime whose machine code comes from and goes to dir,
// or stays in memory where dir is empty.
func newRuntime(ctx context.Context, dir string) (rt wazero.Runtime, cc wazero.CompilationCache, err error) {
	runtimeMu.Lock()
	defer runtimeMu.Unlock()
	if dir == "" {
		cc = wazero.NewCompilationCache()
	} else if cc, err = wazero.NewCompilationCacheWithDir(dir); err != nil {
		return nil, nil, fmt.Errorf("image: cache: %w", err)
	}
	defer func() {
		// The compiler panics on machines that it does not know.
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", ErrUnsupportedHost, r)
		}
	}()
	cfg := wazero.NewRuntimeConfigCompiler().WithCoreFeatures(features).
		WithCompilationCache(cc).WithDebugInfoEnabled(false)
	return wazero.NewRuntimeWithConfig(ctx, cfg), cc, nil
}

// Compiler makes images. Methods are safe for concurrent use.
type Compiler struct {
	opt  Options
	rt   wazero.Runtime
	cc   wazero.CompilationCache
	pool *Pool

	mu      sync.Mutex
	spareRT wazero.Runtime          // guarded by mu; nil: not needed so far
	spareCC wazero.CompilationCache // guarded by mu
}

// NewCompiler returns a compiler whose programs import from opt.Host. It
// returns ErrUnsupportedHost where programs cannot be compiled.
func NewCompiler(ctx context.Context, opt Options) (*Compiler, error) {
	dir := ""
	if opt.Cache != nil {
		dir = opt.Cache.codeRoot()
	}
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	// With one worker the runtime does not look whether it is cancelled.
	opt.Workers = max(opt.Workers, 2)
	rt, cc, err := newRuntime(ctx, dir)
	if err != nil {
		return nil, err
	}
	if err := opt.Host.Instantiate(ctx, rt); err != nil {
		return nil, errors.Join(err, rt.Close(ctx), cc.Close(ctx))
	}
	return &Compiler{opt: opt, rt: rt, cc: cc, pool: newPool(opt.Pool)}, nil
}

// Close ends the compiler, its idle instances and images. No instance may be
// running.
func (c *Compiler) Close(ctx context.Context) error {
	c.pool.close()
	c.mu.Lock()
	defer c.mu.Unlock()
	var err error
	if c.spareRT != nil {
		err = errors.Join(c.spareRT.Close(ctx), c.spareCC.Close(ctx))
	}
	return errors.Join(err, c.rt.Close(ctx), c.cc.Close(ctx))
}

// spare returns the runtime for what cannot be put into the cache: it keeps
// nothing on disk.
func (c *Compiler) spare(ctx context.Context) (wazero.Runtime, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.spareRT != nil {
		return c.spareRT, nil
	}
	rt, cc, err := newRuntime(ctx, "")
	if err != nil {
		return nil, err
	}
	if err := c.opt.Host.Instantiate(ctx, rt); err != nil {
		return nil, errors.Join(err, rt.Close(ctx), cc.Close(ctx))
	}
	c.spareRT, c.spareCC = rt, cc
	return rt, nil
}

// Pool returns the compiler's pool of idle instances.
func (c *Compiler) Pool() *Pool { return c.pool }

// source is a module to make an image of.
type source struct {
	name   string
	digest string                 // SHA-256 in hex
	wasm   func() ([]byte, error) // called only if the cache has no entry
	guest  bool
}

func (s *source) key() string {
	kind := "module"
	if s.guest {
		kind = "guest"
	}
	sum := sha256.Sum256([]byte(kind + " " + s.digest))
	return hex.EncodeToString(sum[:])
}

// Digest returns the digest by which modules are known.
func Digest(module []byte) string {
	sum := sha256.Sum256(module)
	return hex.EncodeToString(sum[:])
}

// Guest makes the image of a reactor that exports wsandbox_main. digest is its
// Digest, by which the cache is asked before wasm is called; where wasm then
// returns something else, that is an error.
func (c *Compiler) Guest(ctx context.Context, name, digest string, wasm func() ([]byte, error)) (*Image, error) {
	img, err := c.load(ctx, &source{name: name, digest: digest, wasm: wasm, guest: true})
	if err != nil {
		return nil, fmt.Errorf("image: %s: %w", name, err)
	}
	return img, nil
}

// Module makes the image of any WASI command, which exports _start. Errors that
// are the module's fault wrap ErrModule. Cancelling ctx ends the compilation.
func (c *Compiler) Module(ctx context.Context, name, digest string, wasm []byte) (*Image, error) {
	return c.load(ctx, &source{name: name, digest: digest, wasm: func() ([]byte, error) { return wasm, nil }})
}

func (c *Compiler) load(ctx context.Context, s *source) (*Image, error) {
	if c.opt.Cache != nil {
		img, err := c.fromCache(ctx, s)
		if err == nil || s.guest && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, errCorrupt) {
			return img, err
		}
	}
	return c.make(ctx, s)
}

// fromCache returns fs.ErrNotExist or errCorrupt where the image has to be made.
func (c *Compiler) fromCache(ctx context.Context, s *source) (*Image, error) {
	e, err := c.opt.Cache.readEntry(s.key())
	if errors.Is(err, errCorrupt) {
		c.opt.Cache.drop(s.key(), "")
	}
	if err != nil {
		return nil, err
	}
	compiled, err := c.compileStub(e.stub, e.Code)
	if err != nil {
		if e.snap != nil {
			e.snap.close()
		}
		c.opt.Cache.drop(s.key(), e.Code)
		return nil, err
	}
	return c.newImage(c.rt, s, compiled, e.Layout, e.snap, e.Globals), nil
}

// compileStub gives the stub the machine code of the cache. It returns
// errCorrupt or fs.ErrNotExist where the code is not there in full.
func (c *Compiler) compileStub(stub []byte, code string) (wazero.CompiledModule, error) {
	if err := c.opt.Cache.checkCode(code); err != nil {
		return nil, err
	}
	// Should the code be deleted in this moment, the runtime would compile
	// the stub. With more than one worker it first looks whether the context
	// is cancelled, which the way through the cache does not.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	compiled, err := c.rt.CompileModule(experimental.WithCompilationWorkers(ctx, 2), stub)
	if err != nil {
		return nil, errors.Join(errCorrupt, err)
	}
	return compiled, nil
}

// make rewrites, compiles and, for a guest, initialises the module.
func (c *Compiler) make(ctx context.Context, s *source) (_ *Image, err error) {
	wasm, err := s.wasm()
	if err != nil {
		return nil, err
	}
	if Digest(wasm) != s.digest {
		return nil, errors.New("the module does not have the digest it is known by")
	}
	p := c.startProgress(s.name, len(wasm))
	defer p.stop()
	m, err := rewrite(wasm, s.guest)
	if err != nil {
		return nil, err
	}
	rt := c.rt
	if c.opt.Cache != nil {
		err := c.makeEntry(ctx, s, p, m)
		if err == nil {
			// Another program may have deleted the entry meanwhile, for
			// the size of the cache.
			img, err := c.fromCache(ctx, s)
			if err == nil || s.guest && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, errCorrupt) {
				return img, err
			}
		} else if s.guest || ctx.Err() != nil || errors.Is(err, ErrModule) {
			return nil, err
		}
		// A module that cannot be kept, as the disk is full or the cache was
		// made ahead and is read-only, can be run all the same. Guests have
		// to be kept: to compile them each time would be slow without saying
		// why.
		if rt, err = c.spare(ctx); err != nil {
			return nil, err
		}
	}
	compiled, err := compile(ctx, rt, m.code, c.workers(s))
	if err != nil {
		return nil, err
	}
	if !s.guest {
		return c.newImage(rt, s, compiled, m.layout, nil, nil), nil
	}
	p.phase("initialize")
	snap, globals, err := c.initialize(ctx, rt, compiled, m)
	if err != nil {
		return nil, errors.Join(err, compiled.Close(ctx))
	}
	return c.newImage(rt, s, compiled, m.layout, snap, globals), nil
}

// makeEntry puts the image of a rewritten module into the cache. It works in a
// runtime and directory of its own: the machine code of the whole module is
// stored under the name that the runtime looks for when it is given the stub.
func (c *Compiler) makeEntry(ctx context.Context, s *source, p *progress, mod *rewritten) error {
	tmp, err := c.opt.Cache.tempDir()
	if err != nil {
		return fmt.Errorf("image: cache: %w", err)
	}
	defer removeTemp(tmp)
	m := manifest{Layout: mod.layout}
	var image []byte
	codeFile, err := c.compileInto(ctx, filepath.Join(tmp, "code"), mod.code, c.workers(s), func(rt wazero.Runtime, compiled wazero.CompiledModule) error {
		if !s.guest {
			return nil
		}
		p.phase("initialize")
		if err := c.opt.Host.Instantiate(ctx, rt); err != nil {
			return err
		}
		snap, globals, err := c.initialize(ctx, rt, compiled, mod)
		if err != nil {
			return err
		}
		defer snap.close()
		m.Globals, image = globals, append(image, snap.bytes()...)
		return nil
	})
	if err != nil {
		return err
	}
	p.phase("store")
	stub, err := stubOf(mod.code, s.key())
	if err != nil {
		return err
	}
	stubFile, err := c.compileInto(ctx, filepath.Join(tmp, "stub"), stub, c.workers(s), nil)
	if err != nil {
		return err
	}
	if m.Code, err = filepath.Rel(filepath.Join(tmp, "stub"), stubFile); err != nil {
		return err
	}
	if err := sealCode(codeFile); err != nil {
		return fmt.Errorf("image: cache: %w", err)
	}
	if err := os.Rename(codeFile, filepath.Join(c.opt.Cache.codeRoot(), m.Code)); err != nil {
		// Another program may have the same code open, which on some
		// systems keeps it from being replaced.
		if c.opt.Cache.checkCode(m.Code) != nil {
			return fmt.Errorf("image: cache: %w", err)
		}
	}
	if err := c.opt.Cache.writeEntry(s.key(), m, stub, image); err != nil {
		return err
	}
	c.opt.Cache.sweep(c.opt.Cache.entryPath(s.key()), filepath.Join(c.opt.Cache.codeRoot(), m.Code))
	return nil
}

// compileInto compiles the module in a runtime that stores machine code below
// dir, calls use, closes the runtime and returns the path of the code.
func (c *Compiler) compileInto(ctx context.Context, dir string, module []byte, workers int, use func(wazero.Runtime, wazero.CompiledModule) error) (path string, err error) {
	rt, cc, err := newRuntime(ctx, dir)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, rt.Close(ctx), cc.Close(ctx)) }()
	compiled, err := compile(ctx, rt, module, workers)
	if err != nil {
		return "", err
	}
	if use != nil {
		if err := use(rt, compiled); err != nil {
			return "", err
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil || len(files) != 1 {
		return "", fmt.Errorf("image: the runtime stored %d files of code", len(files))
	}
	return files[0], nil
}

func (c *Compiler) workers(s *source) int {
	if s.guest {
		return c.opt.Workers
	}
	return min(c.opt.Workers, maxModuleWorkers)
}

// compile is the runtime's CompileModule, never panicking.
func compile(ctx context.Context, rt wazero.Runtime, module []byte, workers int) (m wazero.CompiledModule, err error) {
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, fmt.Errorf("%w: compiler: %v", ErrModule, r)
		}
	}()
	m, err = rt.CompileModule(experimental.WithCompilationWorkers(ctx, workers), module)
	var disk *fs.PathError
	switch {
	case err == nil || ctx.Err() != nil:
	case errors.As(err, &disk):
		err = fmt.Errorf("image: cache: %w", err) // no fault of the module
	default:
		err = fmt.Errorf("%w: %w", ErrModule, err)
	}
	return m, err
}

// layout is what an image needs to know of its module.
type layout struct {
	Globals  []string `json:"globals"` // exports that a snapshot holds, in the order of its values
	HasMem   bool     `json:"mem"`
	MinPages uint32   `json:"min"`
	MaxPages uint32   `json:"max"`
	Warm     bool     `json:"warm"`  // a guest exports wsandbox_warm
	Start    bool     `json:"start"` // a module had a start function, now exported as startExport
}

// rewritten is a module ready to be compiled.
type rewritten struct {
	code   []byte
	layout layout
	// Of a guest: its data, unless the code applies that itself.
	data  []segment
	apply bool
}

// rewrite rewrites a module and checks that it can be run.
func rewrite(wasm []byte, guest bool) (*rewritten, error) {
	out, info, err := wasmbin.Rewrite(wasm, wasmbin.Options{Snapshot: guest})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModule, err)
	}
	for _, r := range refused {
		if info.Features&r.f != 0 {
			return nil, fmt.Errorf("%w: it uses %s, which are not supported", ErrModule, r.name)
		}
	}
	if info.MemoryImported {
		return nil, fmt.Errorf("%w: it imports its memory", ErrModule)
	}
	lay := layout{Globals: info.Globals, HasMem: info.HasMemory, MinPages: uint32(info.MemoryMin), MaxPages: uint32(info.MemoryMax)}
	exports := map[string]wasmbin.Export{}
	for _, e := range info.Exports {
		exports[e.Name] = e
	}
	is := func(name string, results ...wasmbin.ValType) bool {
		e, ok := exports[name]
		return ok && e.Kind == wasmbin.ExternFunc && len(e.Func.Params) == 0 && slices.Equal(e.Func.Results, results)
	}
	if guest {
		if !is(guestInit) || !is(guestMain, wasmbin.I32) {
			return nil, fmt.Errorf("%w: a guest must export %s() and %s() i32", ErrModule, guestInit, guestMain)
		}
		lay.Warm = is(guestWarm)
		if code, data, ok := takeData(wasm, out); ok {
			return &rewritten{code: code, layout: lay, data: data}, nil
		}
		return &rewritten{code: out, layout: lay, apply: true}, nil
	}
	if !is(moduleMain) {
		if _, ok := exports[guestInit]; ok {
			return nil, fmt.Errorf("%w: it is a reactor (a library): it has no %s function", ErrModule, moduleMain)
		}
		return nil, fmt.Errorf("%w: it is no WASI command: it has no %s function", ErrModule, moduleMain)
	}
	for _, i := range info.Imports {
		if i.Kind != wasmbin.ExternFunc {
			return nil, fmt.Errorf("%w: it imports the %s %q of %q, which is not provided", ErrModule, i.Kind, i.Name, i.Module)
		}
	}
	if lay.Start = info.HasStart; lay.Start {
		// It runs like main, as instantiation does not look after what
		// it runs.
		if out, err = exportStart(out, startExport); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrModule, err)
		}
	}
	return &rewritten{code: out, layout: lay}, nil
}
