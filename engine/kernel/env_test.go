// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
	"github.com/wsandbox/wsandbox/engine/vfs"
	"github.com/wsandbox/wsandbox/engine/vfs/devfs"
	"github.com/wsandbox/wsandbox/engine/vfs/memfs"
)

// waitLimit is how long a test waits for something that must happen.
const waitLimit = 20 * time.Second

// body is the program of a test process.
type body func(p *kernel.Process) abi.WaitStatus

// Run runs the body on a goroutine of its own, so that a failed require, which
// ends the goroutine, ends only the test process: with status 99.
func (b body) Run(p *kernel.Process) abi.WaitStatus {
	done := make(chan abi.WaitStatus, 1)
	go func() {
		st := abi.ExitedWith(99)
		defer func() { done <- st }()
		st = b(p)
	}()
	return <-done
}

// bin is a directory of test programs and their Runner.
type bin struct {
	mu    sync.Mutex
	progs map[string]body
	// images are programs without the extra goroutine; set before use.
	images map[string]kernel.Image
}

func (b *bin) set(name string, f body) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.progs[name] = f
}

func (b *bin) get(name string) (kernel.Image, error) {
	if i := b.images[name]; i != nil {
		return i, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if f := b.progs[name]; f != nil {
		return f, nil
	}
	return nil, abi.ENOENT
}

func (b *bin) LoadGuest(guest, applet string) (kernel.Image, error) { return b.get(applet) }

func (b *bin) LoadModule(f vfs.RegularFile, path string) (kernel.Image, error) {
	head := make([]byte, 64)
	n, err := f.ReadAt(head, 0)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSpace(string(head[4:n]))
	if name == "broken" {
		return nil, abi.ENOEXEC
	}
	return b.get(name)
}

func (b *bin) Lstat(name string) (abi.Stat, error) {
	if name == "." {
		return abi.Stat{Mode: abi.ModeDir | 0o755, Ino: 1, Dev: 99}, nil
	}
	if _, err := b.get(name); err != nil {
		return abi.Stat{}, err
	}
	return abi.Stat{Mode: abi.ModeRegular | 0o755, Ino: 2, Dev: 99}, nil
}

func (b *bin) Open(name string, flag abi.OpenFlag, perm abi.Mode) (vfs.File, error) {
	if _, err := b.Lstat(name); err != nil {
		return nil, err
	}
	return binFile{b, name}, nil
}

type binFile struct {
	b    *bin
	name string
}

func (f binFile) Stat() (abi.Stat, error)            { return f.b.Lstat(f.name) }
func (f binFile) Close() error                       { return nil }
func (f binFile) Executable() (guest, applet string) { return "test", f.name }
func (f binFile) ReadAt([]byte, int64) (int, error)  { return 0, nil }
func (f binFile) WriteAt([]byte, int64) (int, error) { return 0, abi.EROFS }
func (f binFile) Append([]byte) (int64, error)       { return 0, abi.EROFS }
func (f binFile) Truncate(int64) error               { return abi.EROFS }
func (f binFile) Sync() error                        { return nil }

// env is a kernel with a memory file system at "/", programs in /bin, /dev and
// /proc.
type env struct {
	t   testing.TB
	k   *kernel.Kernel
	fs  *memfs.FS
	bin *bin
	ns  *vfs.Namespace
}

func newEnv(t testing.TB, limits kernel.Limits) *env {
	t.Helper()
	e := newEnvOpen(t, limits)
	t.Cleanup(func() { e.k.Close() })
	return e
}

func newEnvOpen(t testing.TB, limits kernel.Limits) *env {
	e := &env{t: t, bin: &bin{progs: make(map[string]body)}}
	e.fs = memfs.New(memfs.Options{UID: 1000, GID: 1000, RootUID: 1000, RootGID: 1000})
	ns, err := vfs.NewNamespace(
		vfs.Mount{Path: "/", FS: e.fs, Source: "memory", Type: "memfs"},
		vfs.Mount{Path: "/bin", FS: e.bin, ReadOnly: true, Source: "bin", Type: "binfs"},
		vfs.Mount{Path: "/dev", FS: devfs.New(devfs.Options{}), Source: "dev", Type: "devfs"},
		vfs.Mount{Path: "/proc", FS: kernel.NewProcFS(), ReadOnly: true, Source: "proc", Type: "proc"},
	)
	require.NoError(t, err)
	e.ns = ns
	e.k, err = kernel.New(kernel.Config{Runner: e.bin, Namespace: ns, Limits: limits})
	require.NoError(t, err)
	return e
}

func spec(name string, args ...string) *abi.SpawnSpec {
	return &abi.SpawnSpec{Path: "/bin/" + name, Args: append([]string{name}, args...), Umask: -1}
}

// start starts f as a process of its own job.
func (e *env) start(f body, opt kernel.StartOptions, files ...*kernel.OpenFile) *kernel.Process {
	e.t.Helper()
	e.bin.set("main", f)
	p, err := e.k.Start(spec("main"), files, opt)
	require.NoError(e.t, err)
	return p
}

// run runs f to its end and returns the result.
func (e *env) run(f body, files ...*kernel.OpenFile) abi.WaitResult {
	e.t.Helper()
	return e.wait(e.start(f, kernel.StartOptions{}, files...))
}

func (e *env) wait(p *kernel.Process) abi.WaitResult {
	e.t.Helper()
	select {
	case <-p.Done():
	case <-time.After(waitLimit):
		buf := make([]byte, 1<<20)
		e.t.Fatalf("process %d has not ended\n%s", p.PID(), buf[:runtime.Stack(buf, true)])
	}
	return p.Result()
}

// ok runs a body that must end with status 0.
func (e *env) ok(f func(p *kernel.Process), files ...*kernel.OpenFile) {
	e.t.Helper()
	r := e.run(func(p *kernel.Process) abi.WaitStatus {
		f(p)
		return 0
	}, files...)
	require.Equal(e.t, abi.ExitedWith(0), r.Status, "status of the test process")
}

// spawn starts name as a child of p.
func (e *env) spawn(p *kernel.Process, name string, f body) kernel.PID {
	e.t.Helper()
	e.bin.set(name, f)
	pid, err := p.Spawn(spec(name))
	require.NoError(e.t, err)
	return pid
}

// reap waits for a child of p.
func (e *env) reap(p *kernel.Process, pid kernel.PID) abi.WaitResult {
	e.t.Helper()
	r, err := p.Wait(0, pid, 0)
	require.NoError(e.t, err)
	return r
}

func exits(code int) body {
	return func(*kernel.Process) abi.WaitStatus { return abi.ExitedWith(code) }
}

// spin runs until the kernel ends it.
func spin(p *kernel.Process) abi.WaitStatus {
	for p.Yield() == nil {
		runtime.Gosched()
	}
	return 0
}

// blocks sleeps until the kernel ends it.
func blocks(p *kernel.Process) abi.WaitStatus {
	for {
		if _, err := p.Poll(nil, -1); err == kernel.ErrExiting {
			return 0
		}
	}
}

// eventually waits for a condition.
func eventually(t testing.TB, what string, f func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	limit := time.After(waitLimit)
	for !f() {
		select {
		case <-tick.C:
		case <-limit:
			buf := make([]byte, 1<<20)
			t.Fatalf("never: %s\n%s", what, buf[:runtime.Stack(buf, true)])
		}
	}
}

// goroutines checks that f leaves no goroutine behind.
func goroutines(t *testing.T, f func()) {
	t.Helper()
	before := runtime.NumGoroutine()
	f()
	eventually(t, "goroutines are gone", func() bool { return runtime.NumGoroutine() <= before })
}
