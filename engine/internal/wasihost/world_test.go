// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
	"github.com/wsandbox/wsandbox/engine/vfs"
	"github.com/wsandbox/wsandbox/engine/vfs/memfs"
)

// testTimeout bounds every wait of a test.
const testTimeout = 20 * time.Second

// world is a kernel over a file system in memory, whose programs run on a
// runtime with the host modules.
type world struct {
	t    testing.TB
	rt   wazero.Runtime
	fs   *memfs.FS
	k    *kernel.Kernel
	mu   sync.Mutex
	code map[string]wazero.CompiledModule
	// run replaces how the program file of a path is run.
	run map[string]func(p *kernel.Process, code wazero.CompiledModule) abi.WaitStatus
	// prepare is called in each process before its program.
	prepare func(p *kernel.Process)
}

type worldOptions struct {
	host   Config
	kernel kernel.Config
	// shared is a world whose runtime to use.
	shared *world
}

func newWorld(t testing.TB, opt worldOptions) *world {
	t.Helper()
	w := &world{
		t:    t,
		fs:   memfs.New(memfs.Options{UID: 1000, GID: 1000, RootUID: 1000, RootGID: 1000}),
		code: map[string]wazero.CompiledModule{},
		run:  map[string]func(*kernel.Process, wazero.CompiledModule) abi.WaitStatus{},
	}
	if opt.shared != nil {
		w.rt, w.code = opt.shared.rt, opt.shared.code
	} else {
		ctx := context.Background()
		w.rt = wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithMemoryLimitPages(4096))
		require.NoError(t, Instantiate(ctx, w.rt, opt.host))
		t.Cleanup(func() { require.NoError(t, w.rt.Close(ctx)) })
	}
	ns, err := vfs.NewNamespace(vfs.Mount{Path: "/", FS: w.fs})
	require.NoError(t, err)
	opt.kernel.Runner, opt.kernel.Namespace = w, ns
	w.k, err = kernel.New(opt.kernel)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.k.Close()) })
	return w
}

func (w *world) mkdir(name string) {
	w.t.Helper()
	require.NoError(w.t, w.fs.Mkdir(name, 0o755))
}

func (w *world) writeFile(name string, perm abi.Mode, content []byte) {
	w.t.Helper()
	f, err := w.fs.Open(name, abi.OWronly|abi.OCreat|abi.OTrunc, perm)
	require.NoError(w.t, err)
	_, err = f.(vfs.RegularFile).WriteAt(content, 0)
	require.NoError(w.t, err)
	require.NoError(w.t, f.Close())
}

func (w *world) readFile(name string) string {
	w.t.Helper()
	f, err := w.fs.Open(name, abi.ORdonly, 0)
	require.NoError(w.t, err)
	defer f.Close()
	st, err := f.Stat()
	require.NoError(w.t, err)
	b := make([]byte, st.Size)
	n, err := f.(vfs.RegularFile).ReadAt(b, 0)
	require.NoError(w.t, err)
	return string(b[:n])
}

// LoadGuest implements kernel.Runner: there are none.
func (w *world) LoadGuest(string, string) (kernel.Image, error) { return nil, abi.ENOENT }

// LoadModule implements kernel.Runner.
func (w *world) LoadModule(f vfs.RegularFile, path string) (kernel.Image, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	code, ok := w.code[path]
	if !ok {
		st, err := f.Stat()
		if err != nil {
			return nil, err
		}
		b := make([]byte, st.Size)
		if _, err = f.ReadAt(b, 0); err != nil {
			return nil, err
		}
		if code, err = w.rt.CompileModule(context.Background(), b); err != nil {
			w.t.Logf("%s: %v", path, err)
			return nil, abi.ENOEXEC
		}
		w.code[path] = code
	}
	run := w.run[path]
	if run == nil {
		run = w.runCommand
	}
	return image(func(p *kernel.Process) abi.WaitStatus {
		if w.prepare != nil {
			w.prepare(p)
		}
		return run(p, code)
	}), nil
}

type image func(p *kernel.Process) abi.WaitStatus

func (i image) Run(p *kernel.Process) abi.WaitStatus { return i(p) }

func (w *world) instantiate(ctx context.Context, code wazero.CompiledModule) (api.Module, error) {
	return w.rt.InstantiateModule(ctx, code, wazero.NewModuleConfig().WithName("").WithStartFunctions())
}

// runCommand runs a command or a reactor with wsandbox_main.
func (w *world) runCommand(p *kernel.Process, code wazero.CompiledModule) abi.WaitStatus {
	c := NewContext(p)
	mod, err := w.instantiate(c, code)
	if err != nil {
		w.t.Errorf("instantiate: %v", err)
		return abi.KilledBy(abi.SIGABRT)
	}
	defer mod.Close(context.Background())
	var res []uint64
	if start := mod.ExportedFunction("_start"); start != nil {
		_, err = start.Call(c)
	} else {
		if _, err = mod.ExportedFunction("_initialize").Call(NewInitContext()); err == nil {
			res, err = mod.ExportedFunction("wsandbox_main").Call(c)
		}
	}
	var exit *sys.ExitError
	switch {
	case err == nil && len(res) > 0:
		return abi.ExitedWith(int(int32(res[0])))
	case err == nil, errors.As(err, &exit):
		return abi.ExitedWith(0)
	}
	w.t.Logf("trap: %v", err)
	return abi.KilledBy(abi.SIGSEGV)
}

// start starts a program with files as its standard descriptors.
func (w *world) start(s *abi.SpawnSpec, files ...*kernel.OpenFile) *kernel.Process {
	w.t.Helper()
	if s.Dir == "" {
		s.Dir = "/"
	}
	if s.Umask == 0 {
		s.Umask = 0o022
	}
	p, err := w.k.Start(s, files, kernel.StartOptions{})
	require.NoError(w.t, err)
	return p
}

// wait waits for the end of a process.
func (w *world) wait(p *kernel.Process) abi.WaitStatus {
	w.t.Helper()
	select {
	case <-p.Done():
	case <-time.After(testTimeout):
		require.Fail(w.t, "the process goes on")
	}
	return p.Result().Status
}

// guest is a process whose program is under the test's control: it makes host
// calls when it is told to.
type guest struct {
	*world
	p      *kernel.Process
	in     *instance
	todo   chan func()
	ended  chan struct{}
	out    *kernel.Collector
	status abi.WaitStatus
}

// instance is what the process's goroutine runs.
type instance struct {
	c   *Context
	mod api.Module
	p   *kernel.Process
}

// newGuest starts one in w with memory of the given pages. Its standard input
// is empty and its output collected.
func (w *world) newGuest(pages uint64) *guest {
	w.t.Helper()
	w.writeFile("tramp", 0o755, trampolines(pages))
	g := &guest{world: w, todo: make(chan func()), ended: make(chan struct{}), out: kernel.NewCollector(1 << 20)}
	up := make(chan struct{})
	w.run["/tramp"] = func(p *kernel.Process, code wazero.CompiledModule) abi.WaitStatus {
		defer close(g.ended)
		g.in = &instance{c: NewContext(p), p: p}
		mod, err := w.instantiate(g.in.c, code)
		g.in.mod = mod
		close(up)
		if err != nil {
			w.t.Errorf("instantiate: %v", err)
			return abi.KilledBy(abi.SIGABRT)
		}
		defer mod.Close(context.Background())
		for f := range g.todo {
			if f == nil {
				break
			}
			f()
		}
		return g.status
	}
	null, out := kernel.NewNullFile(), g.out.File()
	g.p = w.start(&abi.SpawnSpec{Path: "/tramp", Args: []string{"tramp", "one", ""}, Env: []string{"A=b", "C="}}, null, out, out)
	require.NoError(w.t, null.Close())
	require.NoError(w.t, out.Close())
	select {
	case <-up:
	case <-time.After(testTimeout):
		require.Fail(w.t, "the guest does not start")
	}
	w.t.Cleanup(func() {
		select {
		case <-g.ended:
		case g.todo <- nil:
		}
	})
	return g
}

// errLeft is what a host call ends with that left the guest.
const errLeft abi.Errno = 999

// begin makes a host call and returns where its result will come.
func (g *guest) begin(name string, args ...uint64) <-chan abi.Errno {
	res := make(chan abi.Errno, 1)
	g.todo <- func() {
		f := g.in.mod.ExportedFunction(name)
		if f == nil {
			g.t.Errorf("no function %s", name)
			res <- errLeft
			return
		}
		r, err := f.Call(g.in.c, args...)
		var exit *sys.ExitError
		switch {
		case errors.As(err, &exit):
			go func() { g.todo <- nil }()
			res <- errLeft
		case err != nil:
			g.t.Errorf("%s: %v", name, err)
			res <- errLeft
		case len(r) == 0:
			res <- 0
		default:
			res <- abi.Errno(r[0])
		}
	}
	return res
}

// result waits for a begun call.
func (g *guest) result(c <-chan abi.Errno) abi.Errno {
	g.t.Helper()
	select {
	case e := <-c:
		return e
	case <-time.After(testTimeout):
		require.Fail(g.t, "the call does not return")
		return 0
	}
}

// call makes a host call.
func (g *guest) call(name string, args ...uint64) abi.Errno {
	g.t.Helper()
	return g.result(g.begin(name, args...))
}

// ok makes a host call that must succeed.
func (g *guest) ok(name string, args ...uint64) {
	g.t.Helper()
	require.Equal(g.t, "SUCCESS", g.call(name, args...).Name(), name)
}

// fails makes a host call that must give an errno.
func (g *guest) fails(want abi.Errno, name string, args ...uint64) {
	g.t.Helper()
	require.Equal(g.t, want.Name(), g.call(name, args...).Name(), name)
}

func (g *guest) u32(ptr uint32) uint32 {
	v, ok := g.in.mod.Memory().ReadUint32Le(ptr)
	require.True(g.t, ok)
	return v
}

func (g *guest) u64(ptr uint32) uint64 {
	v, ok := g.in.mod.Memory().ReadUint64Le(ptr)
	require.True(g.t, ok)
	return v
}

func (g *guest) put32(ptr uint32, vals ...uint32) {
	for i, v := range vals {
		require.True(g.t, g.in.mod.Memory().WriteUint32Le(ptr+4*uint32(i), v))
	}
}

func (g *guest) put(ptr uint32, b []byte) {
	require.True(g.t, g.in.mod.Memory().Write(ptr, b))
}

func (g *guest) bytes(ptr, n uint32) []byte {
	b, ok := g.in.mod.Memory().Read(ptr, n)
	require.True(g.t, ok)
	return b
}

// str puts s at ptr and returns the two arguments that pass it.
func (g *guest) str(ptr uint32, s string) (uint64, uint64) {
	g.put(ptr, []byte(s))
	return uint64(ptr), uint64(len(s))
}

// open opens a file through the extension.
func (g *guest) open(path string, flag abi.OpenFlag) uint64 {
	g.t.Helper()
	p, n := g.str(0x7000, path)
	g.ok("ext.path_open", at(abi.AtCwd), p, n, uint64(flag), 0o644, 0x7f00)
	return uint64(g.u32(0x7f00))
}

// preopen installs a preopen.
func (g *guest) preopen(fd int32, dir string, pre kernel.Preopen) {
	g.t.Helper()
	done := make(chan error, 1)
	g.todo <- func() { done <- g.p.InstallPreopen(fd, dir, pre) }
	require.NoError(g.t, <-done)
}

func at(fd int32) uint64 { return uint64(uint32(fd)) }

// lines collects what is written to it, safe for concurrent use.
type lines struct {
	mu sync.Mutex
	b  []byte
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b = append(l.b, p...)
	return len(p), nil
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.b)
}

var _ io.Writer = (*lines)(nil)
