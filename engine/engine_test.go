// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/internal/image"
	"github.com/wsandbox/wsandbox/engine/kernel"
	"github.com/wsandbox/wsandbox/engine/vfs"
	"github.com/wsandbox/wsandbox/engine/vfs/binfs"
	"github.com/wsandbox/wsandbox/engine/vfs/memfs"
)

// testTimeout bounds what is waited for.
const testTimeout = 3 * time.Minute

// testGuest returns guests/src/internal/enginetest, built once.
func testGuest(t testing.TB) []byte {
	t.Helper()
	b, err := buildGuest()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("no go command to build the guest with")
	}
	require.NoError(t, err)
	return b
}

var buildGuest = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "wsandbox-test-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "guest.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-buildmode=c-shared", "-ldflags=-s -w", "-o", out, "./internal/enginetest")
	cmd.Dir = filepath.Join("..", "guests", "src")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	return os.ReadFile(out)
})

// sharedCache is a cache directory for all tests, so that the guest is compiled
// once.
var sharedCache = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "wsandbox-test-") })

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := sharedCache(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

func testEngine(t testing.TB, change func(*Config)) *Engine {
	t.Helper()
	wasm := testGuest(t)
	dir, err := sharedCache()
	require.NoError(t, err)
	cfg := Config{
		Programs: []Program{{Name: "test", Applets: []string{"test"}, Digest: image.Digest(wasm), Wasm: func() ([]byte, error) { return wasm, nil }}},
		CacheDir: dir,
	}
	if change != nil {
		change(&cfg)
	}
	e, err := New(t.Context(), cfg)
	if errors.Is(err, ErrUnsupportedHost) {
		t.Skip(err)
	}
	require.NoError(t, err)
	if change == nil {
		// The first time this compiles, for which tests do not wait.
		require.NoError(t, e.Warm(t.Context()))
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
		defer cancel()
		require.NoError(t, e.Close(ctx))
	})
	return e
}

// world is a kernel with the test program at /bin/test and an empty directory
// /w.
type world struct {
	*kernel.Kernel
	files *memfs.FS
}

func testWorld(t testing.TB, e *Engine, limits kernel.Limits) *world {
	t.Helper()
	w := newWorld(t, e, limits)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	return w
}

func newWorld(t testing.TB, e *Engine, limits kernel.Limits) *world {
	t.Helper()
	bin, err := binfs.New("/bin", map[string]string{"test": "test"}, nil)
	require.NoError(t, err)
	files := memfs.New(memfs.Options{RootMode: 0o777})
	ns, err := vfs.NewNamespace(vfs.Mount{Path: "/bin", FS: bin, ReadOnly: true}, vfs.Mount{Path: "/w", FS: files})
	require.NoError(t, err)
	k, err := kernel.New(kernel.Config{Runner: e, Namespace: ns, Limits: limits})
	require.NoError(t, err)
	return &world{k, files}
}

// addModule stores an executable file.
func (w *world) addModule(t testing.TB, name string, wasm []byte) string {
	t.Helper()
	f, err := w.files.Open(name, abi.OWronly|abi.OCreat, 0o755)
	require.NoError(t, err)
	_, err = f.(vfs.RegularFile).WriteAt(wasm, 0)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	return "/w/" + name
}

// start starts args with no input and outputs that are collected.
func (w *world) start(t testing.TB, args ...string) (p *kernel.Process, stdout, stderr *kernel.Collector) {
	t.Helper()
	stdout, stderr = kernel.NewCollector(1<<20), kernel.NewCollector(1<<20)
	in, out, err := kernel.NewNullFile(), stdout.File(), stderr.File()
	p, e := w.Start(&abi.SpawnSpec{Path: args[0], Args: args, Dir: "/w", Env: []string{"A=b", "PWD=/w"}, Umask: -1}, []*kernel.OpenFile{in, out, err}, kernel.StartOptions{})
	require.NoError(t, e)
	for _, f := range []*kernel.OpenFile{in, out, err} {
		require.NoError(t, f.Close())
	}
	return p, stdout, stderr
}

func wait(t testing.TB, p *kernel.Process) abi.WaitResult {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(testTimeout):
		t.Fatal("the process does not end")
	}
	return p.Result()
}

// run runs args to its end.
func (w *world) run(t testing.TB, args ...string) (r abi.WaitResult, stdout, stderr string) {
	t.Helper()
	p, out, err := w.start(t, args...)
	r = wait(t, p)
	return r, string(out.Bytes()), string(err.Bytes())
}

func TestPrograms(t *testing.T) {
	w := testWorld(t, testEngine(t, nil), kernel.Limits{})
	tests := []struct {
		name   string
		args   []string
		stdout string
		status abi.WaitStatus
	}{
		{"true", []string{"true"}, "", 0},
		{"echo", []string{"echo", "one", "two"}, "one\ntwo\n", 0},
		{"env", []string{"env"}, "A=b\nPWD=/w\n/w\n", 0},
		{"exit", []string{"exit", "7"}, "", abi.ExitedWith(7)},
		{"goroutines", []string{"goroutines"}, "1225\n", 0},
		{"time", []string{"time"}, "0\n", 0},
		{"spawn", []string{"spawn", "50", "/bin/test", "true"}, "", 0},
		{"pipe", []string{"pipe", "/bin/test", "echo", "through a pipe"}, "through a pipe\n", 0},
		{"exec", []string{"exec", "/bin/test", "echo", "after exec"}, "after exec\n", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for range 3 {
				r, stdout, stderr := w.run(t, append([]string{"/bin/test"}, tt.args...)...)
				require.Equal(t, tt.status, r.Status, "stderr: %s", stderr)
				require.Equal(t, tt.stdout, stdout)
				require.Empty(t, stderr)
			}
		})
	}
}

func TestProgramFaults(t *testing.T) {
	w := testWorld(t, testEngine(t, nil), kernel.Limits{Memory: 64 << 20})
	tests := []struct {
		name   string
		signal abi.Signal
		limit  abi.Limit
		stderr []string
	}{
		{"panic", abi.SIGABRT, abi.LimitNone, []string{"panic: on purpose", "test: Aborted: unreachable\n"}},
		{"allocate", abi.SIGABRT, abi.LimitMemory, []string{"out of memory", "test: Aborted: unreachable\n"}},
		{"recurse", abi.SIGSEGV, abi.LimitStack, []string{"test: Segmentation fault: stack overflow\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, _, stderr := w.run(t, "/bin/test", tt.name)
			t.Logf("%.300q", stderr)
			require.Equal(t, abi.KilledBy(tt.signal), r.Status)
			require.Equal(t, tt.limit, r.Limit)
			for _, s := range tt.stderr {
				require.Contains(t, stderr, s)
			}
			// The next process is none the worse.
			r, stdout, _ := w.run(t, "/bin/test", "echo", "still here")
			require.Equal(t, abi.WaitStatus(0), r.Status)
			require.Equal(t, "still here\n", stdout)
		})
	}
}

func TestKillLoop(t *testing.T) {
	w := testWorld(t, testEngine(t, nil), kernel.Limits{})
	p, stdout, _ := w.start(t, "/bin/test", "loop")
	require.Eventually(t, func() bool { return len(stdout.Bytes()) > 0 }, testTimeout, time.Millisecond)
	require.NoError(t, p.Signal(abi.SIGKILL))
	require.Equal(t, abi.KilledBy(abi.SIGKILL), wait(t, p).Status)
}

func TestClose(t *testing.T) {
	e := testEngine(t, nil)
	w := newWorld(t, e, kernel.Limits{})
	p, stdout, _ := w.start(t, "/bin/test", "loop")
	require.Eventually(t, func() bool { return len(stdout.Bytes()) > 0 }, testTimeout, time.Millisecond)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("impatient"))
	require.ErrorContains(t, e.Close(ctx), "impatient", "a process is running")
	r, _, _ := w.run(t, "/bin/test", "true")
	require.Equal(t, abi.KilledBy(abi.SIGKILL), r.Status, "no process starts any more")
	require.NoError(t, w.Close())
	require.Equal(t, abi.KilledBy(abi.SIGKILL), wait(t, p).Status)
	require.NoError(t, e.Close(t.Context()))
	require.NoError(t, e.Close(t.Context()), "again")
	require.ErrorIs(t, e.Warm(t.Context()), ErrClosed)
}

func TestWarm(t *testing.T) {
	var mu sync.Mutex
	var events []ProgressEvent
	calls := 0
	dir := filepath.Join(t.TempDir(), "cache")
	change := func(c *Config) {
		c.CacheDir = dir
		wasm := c.Programs[0].Wasm
		c.Programs[0].Wasm = func() ([]byte, error) { calls++; return wasm() }
		c.Progress = func(p ProgressEvent) {
			mu.Lock()
			defer mu.Unlock()
			events = append(events, p)
		}
	}
	e := testEngine(t, change)
	require.NoError(t, e.Warm(t.Context()))
	require.NoError(t, e.Warm(t.Context(), "test"))
	require.ErrorIs(t, e.Warm(t.Context(), "nothing"), abi.ENOENT)
	require.Equal(t, 1, calls)
	if len(events) > 0 { // where it took long
		last := events[len(events)-1]
		require.True(t, last.Done)
		require.Equal(t, "test", last.Name)
		require.Equal(t, len(testGuest(t)), last.Bytes)
		require.Greater(t, last.Elapsed, 500*time.Millisecond)
		require.Equal(t, "compile", events[0].Phase)
	}
	require.NoError(t, e.Close(t.Context()))
	events = nil
	e = testEngine(t, change)
	require.NoError(t, e.Warm(t.Context()))
	require.Equal(t, 1, calls, "the cache knows the module by its digest")
	r, stdout, _ := testWorld(t, e, kernel.Limits{}).run(t, "/bin/test", "echo", "cached")
	require.Equal(t, abi.WaitStatus(0), r.Status)
	require.Equal(t, "cached\n", stdout)
}

func TestProgramErrors(t *testing.T) {
	wasm := testGuest(t)
	tests := []struct {
		name    string
		program Program
		want    string
	}{
		{"no module", Program{Digest: image.Digest(nil), Wasm: func() ([]byte, error) { return nil, nil }}, "not a WebAssembly module"},
		{"error", Program{Digest: "x", Wasm: func() ([]byte, error) { return nil, errors.New("no such thing") }}, "no such thing"},
		{"digest", Program{Digest: "x", Wasm: func() ([]byte, error) { return wasm, nil }}, "digest"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := testEngine(t, func(c *Config) {
				tt.program.Name = "test"
				c.Programs = []Program{tt.program}
			})
			require.ErrorContains(t, e.Warm(t.Context()), tt.want)
			r, _, stderr := testWorld(t, e, kernel.Limits{}).run(t, "/bin/test")
			require.Equal(t, abi.ExitedWith(126), r.Status)
			require.Contains(t, stderr, tt.want)
			require.True(t, strings.HasPrefix(stderr, "test: "), stderr)
		})
	}
}

func TestConcurrency(t *testing.T) {
	e := testEngine(t, func(c *Config) { c.Limits.IdleInstances = 3 })
	before := runtime.NumGoroutine()
	var wg sync.WaitGroup
	for n := range 4 {
		w := newWorld(t, e, kernel.Limits{})
		wg.Go(func() {
			for i := range 50 {
				text := fmt.Sprintf("%d %d", n, i)
				p, stdout, _ := w.start(t, "/bin/test", "pipe", "/bin/test", "echo", text)
				<-p.Done()
				if p.Result().Status != 0 || !bytes.Equal(stdout.Bytes(), []byte(text+"\n")) {
					t.Errorf("%s: status %v, output %q", text, p.Result().Status, stdout.Bytes())
				}
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	requireGoroutines(t, before)
}

// requireGoroutines waits until there are no more than n goroutines.
func requireGoroutines(t testing.TB, n int) {
	t.Helper()
	for end := time.Now().Add(testTimeout); runtime.NumGoroutine() > n; runtime.Gosched() {
		if time.Now().After(end) {
			buf := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, want %d:\n%s", runtime.NumGoroutine(), n, buf[:runtime.Stack(buf, true)])
		}
	}
}

// panicFS is a file system with a defect.
type panicFS struct{ *memfs.FS }

func (panicFS) Open(string, abi.OpenFlag, abi.Mode) (vfs.File, error) { panic("a defect of the host") }

// TestHostPanic has a host function panic: that process dies, nothing else.
func TestHostPanic(t *testing.T) {
	var trace syncBuffer
	e := testEngine(t, func(c *Config) { c.Trace = &trace })
	bin, err := binfs.New("/bin", map[string]string{"test": "test"}, nil)
	require.NoError(t, err)
	ns, err := vfs.NewNamespace(vfs.Mount{Path: "/bin", FS: bin, ReadOnly: true},
		vfs.Mount{Path: "/bad", FS: panicFS{memfs.New(memfs.Options{})}}, vfs.Mount{Path: "/w", FS: memfs.New(memfs.Options{})})
	require.NoError(t, err)
	k, err := kernel.New(kernel.Config{Runner: e, Namespace: ns})
	require.NoError(t, err)
	w := &world{Kernel: k}
	defer func() { require.NoError(t, w.Close()) }()
	r, _, stderr := w.run(t, "/bin/test", "open", "/bad/file")
	require.Equal(t, abi.KilledBy(abi.SIGSYS), r.Status)
	require.Equal(t, "test: Bad system call: a defect of the host\n", stderr)
	require.Contains(t, trace.String(), "panic in a host function: a defect of the host")
	r, stdout, _ := w.run(t, "/bin/test", "echo", "alive")
	require.Equal(t, abi.WaitStatus(0), r.Status)
	require.Equal(t, "alive\n", stdout)
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// TestSandboxesLeaveNothing opens and closes kernels on one engine, and engines.
func TestSandboxesLeaveNothing(t *testing.T) {
	e := testEngine(t, nil)
	hello := hello("hi\n")
	cycle := func(e *Engine) {
		w := newWorld(t, e, kernel.Limits{})
		r, stdout, _ := w.run(t, "/bin/test", "pipe", "/bin/test", "echo", "x")
		require.Equal(t, abi.WaitStatus(0), r.Status)
		require.Equal(t, "x\n", stdout)
		path := w.addModule(t, "hello", hello)
		r, stdout, _ = w.run(t, path)
		require.Equal(t, abi.WaitStatus(0), r.Status)
		require.Equal(t, "hi\n", stdout)
		p, stdout2, _ := w.start(t, "/bin/test", "loop")
		require.NoError(t, w.Close())
		require.Equal(t, abi.KilledBy(abi.SIGKILL), wait(t, p).Status)
		_ = stdout2
	}
	engineCycle := func() {
		e := testEngine(t, nil)
		cycle(e)
		require.NoError(t, e.Close(t.Context()))
	}
	cycle(e)
	engineCycle()
	settle := func() {
		for range 3 { // machine code is unmapped by finalizers
			runtime.GC()
		}
	}
	settle()
	goroutines, maps, fds := runtime.NumGoroutine(), count(t, "/proc/self/maps"), count(t, "/proc/self/fd")
	cycles := 1000
	if testing.Short() {
		cycles = 50
	}
	for n := range cycles {
		cycle(e)
		if n%50 == 0 {
			engineCycle()
		}
	}
	for end := time.Now().Add(testTimeout); ; settle() {
		g, m, f := runtime.NumGoroutine(), count(t, "/proc/self/maps"), count(t, "/proc/self/fd")
		if g <= goroutines && m <= maps+20 && f <= fds {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("goroutines %d, were %d; mappings %d, were %d; descriptors %d, were %d", g, goroutines, m, maps, f, fds)
		}
	}
}

// count returns the number of lines of a file or entries of a directory, 0 where
// there is none such.
func count(t testing.TB, path string) int {
	t.Helper()
	if d, err := os.ReadDir(path); err == nil {
		return len(d)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	return bytes.Count(b, []byte("\n"))
}

// BenchmarkSpawn starts and reaps a process that does nothing.
func BenchmarkSpawn(b *testing.B) {
	w := testWorld(b, testEngine(b, nil), kernel.Limits{})
	w.run(b, "/bin/test", "true")
	null := kernel.NewNullFile()
	files := []*kernel.OpenFile{null, null, null}
	spec := &abi.SpawnSpec{Path: "/bin/test", Args: []string{"test", "true"}, Dir: "/w", Umask: -1}
	for b.Loop() {
		p, err := w.Start(spec, files, kernel.StartOptions{})
		require.NoError(b, err)
		<-p.Done()
		if p.Result().Status != 0 {
			b.Fatal(p.Result())
		}
	}
}

// BenchmarkSpawnInside has a process start and reap others.
func BenchmarkSpawnInside(b *testing.B) {
	w := testWorld(b, testEngine(b, nil), kernel.Limits{})
	b.ResetTimer()
	r, _, stderr := w.run(b, "/bin/test", "spawn", fmt.Sprint(b.N), "/bin/test", "true")
	require.Equal(b, abi.WaitStatus(0), r.Status, stderr)
}

// BenchmarkModule runs a module that prints a line.
func BenchmarkModule(b *testing.B) {
	w := testWorld(b, testEngine(b, nil), kernel.Limits{})
	path := w.addModule(b, "hello", hello("hi\n"))
	for b.Loop() {
		r, _, _ := w.run(b, path)
		require.Equal(b, abi.WaitStatus(0), r.Status)
	}
}

// BenchmarkColdStart opens an engine with a warm cache, runs one process and
// closes it.
func BenchmarkColdStart(b *testing.B) {
	require.NoError(b, testEngine(b, nil).Warm(b.Context()))
	for b.Loop() {
		e := testEngine(b, nil)
		w := newWorld(b, e, kernel.Limits{})
		r, _, _ := w.run(b, "/bin/test", "echo", "hi")
		require.Equal(b, abi.WaitStatus(0), r.Status)
		require.NoError(b, w.Close())
		require.NoError(b, e.Close(b.Context()))
	}
}
