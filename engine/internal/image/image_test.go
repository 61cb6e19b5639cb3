// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Commands of testdata/guest.
const (
	cmdCount int32 = iota
	cmdGarbage
	cmdThreads
	cmdTimers
	cmdPanic
	cmdExit
	cmdGrow
	cmdLoop
	cmdRecurse
	cmdNil
	cmdTime
	cmdAllocate
	cmdWarm
)

// testTimeout bounds what is waited for.
const testTimeout = time.Minute

// testGuest returns testdata/guest, built once.
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
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-buildmode=c-shared", "-ldflags=-s -w", "-o", out, "./testdata/guest")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	return os.ReadFile(out)
})

// sharedCache is a cache for all tests of the guest, which is compiled once.
func sharedCache(t testing.TB) *Cache {
	t.Helper()
	dir, err := sharedCacheDir()
	require.NoError(t, err)
	return testCache(t, dir)
}

var sharedCacheDir = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "wsandbox-test-") })

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := sharedCacheDir(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// process is the context that test programs are called with.
type process struct {
	context.Context
	command int32
	kill    atomic.Bool
	yields  atomic.Int64
}

// testHost serves WASI with the runtime's own functions.
type testHost struct{ wall time.Time }

func (h testHost) Instantiate(ctx context.Context, rt wazero.Runtime) error {
	b := rt.NewHostModuleBuilder(wasi_snapshot_preview1.ModuleName)
	wasi_snapshot_preview1.NewFunctionExporter().ExportFunctions(b)
	b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(_ context.Context, _ api.Module, s []uint64) {
		panic(sys.NewExitError(uint32(s[0])))
	}), []api.ValueType{api.ValueTypeI32}, nil).Export("proc_exit")
	b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(_ context.Context, m api.Module, s []uint64) {
		now := h.wall
		if now.IsZero() {
			now = time.Now()
		}
		m.Memory().WriteUint64Le(uint32(s[2]), uint64(now.UnixNano()))
		s[0] = 0
	}), []api.ValueType{api.ValueTypeI32, api.ValueTypeI64, api.ValueTypeI32}, []api.ValueType{api.ValueTypeI32}).Export("clock_time_get")
	if _, err := b.Instantiate(ctx); err != nil {
		return err
	}
	b = rt.NewHostModuleBuilder("wsandbox_v0")
	b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, _ api.Module, _ []uint64) {
		if p, ok := ctx.(*process); ok {
			p.yields.Add(1)
			if p.kill.Load() {
				panic(sys.NewExitError(137))
			}
		}
		Yield(ctx)
	}), nil, nil).Export("yield")
	if _, err := b.Instantiate(ctx); err != nil {
		return err
	}
	b = rt.NewHostModuleBuilder("test")
	b.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(ctx context.Context, s []uint64) {
		s[0] = uint64(ctx.(*process).command)
	}), nil, []api.ValueType{api.ValueTypeI32}).Export("command")
	b.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(context.Context, []uint64) {
		panic("host bug")
	}), nil, nil).Export("panic")
	_, err := b.Instantiate(ctx)
	return err
}

func (h testHost) InitContext(parent context.Context) context.Context { return parent }

func testCompiler(t testing.TB, o Options) *Compiler {
	t.Helper()
	if o.Host == nil {
		o.Host = testHost{}
	}
	c, err := NewCompiler(t.Context(), o)
	if errors.Is(err, ErrUnsupportedHost) {
		t.Skip(err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close(context.Background())) })
	return c
}

func guestImage(t testing.TB, c *Compiler) *Image {
	t.Helper()
	wasm := testGuest(t)
	img, err := c.Guest(t.Context(), "guest", Digest(wasm), func() ([]byte, error) { return wasm, nil })
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, img.Close(context.Background())) })
	return img
}

func grantAll(int64) bool { return true }

// run runs one process and returns its status: of main, or of its exit.
func run(img *Image, command int32, grant func(int64) bool) (int32, error) {
	i, err := img.Get(grant)
	if err != nil {
		return 0, err
	}
	defer i.Release()
	status, err := i.Call(&process{Context: i.Context(), command: command})
	if exit, ok := err.(*sys.ExitError); ok {
		return int32(exit.ExitCode()), nil
	}
	return status, err
}

func mustRun(t testing.TB, img *Image, command, want int32) {
	t.Helper()
	got, err := run(img, command, grantAll)
	if err != nil {
		t.Fatalf("command %d: %v", command, err)
	}
	if got != want {
		t.Fatalf("command %d: status %d, want %d", command, got, want)
	}
}

// caches runs a test with and without a cache on disk.
func caches(t *testing.T, f func(t *testing.T, c *Compiler, img *Image)) {
	for _, disk := range []bool{false, true} {
		t.Run(map[bool]string{false: "memory", true: "disk"}[disk], func(t *testing.T) {
			var o Options
			if disk {
				o.Cache = sharedCache(t)
			}
			c := testCompiler(t, o)
			f(t, c, guestImage(t, c))
		})
	}
}

func TestGuestRunsFresh(t *testing.T) {
	caches(t, func(t *testing.T, c *Compiler, img *Image) {
		mustRun(t, img, cmdWarm, 1)
		for n := range 2000 {
			switch n % 20 {
			case 1:
				mustRun(t, img, cmdGarbage, 53)
			case 2:
				mustRun(t, img, cmdThreads, 190)
			case 3:
				mustRun(t, img, cmdTimers, 0)
			case 5:
				mustRun(t, img, cmdExit, 3)
			case 7:
				mustRun(t, img, cmdTime, 1)
			case 9:
				if n%100 == 9 { // once in 100, as it is slow
					_, err := run(img, cmdPanic, grantAll)
					require.ErrorContains(t, err, "unreachable")
				}
			}
			mustRun(t, img, cmdCount, 102)
		}
	})
}

func TestGuestFaults(t *testing.T) {
	c := testCompiler(t, Options{Cache: sharedCache(t), Pool: PoolOptions{Reserve: 256 << 20}})
	img := guestImage(t, c)
	tests := []struct {
		name    string
		command int32
		want    Fault
	}{
		{"panic", cmdPanic, Fault{Signal: abi.SIGILL, Reason: "unreachable"}},
		{"nil", cmdNil, Fault{Signal: abi.SIGILL, Reason: "unreachable"}},
		{"out of memory", cmdAllocate, Fault{Signal: abi.SIGILL, Reason: "unreachable"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c.pool.Trim()
			_, err := run(img, tt.command, grantAll)
			require.Error(t, err)
			require.Equal(t, tt.want, FaultOf(err))
			n, _ := c.pool.Idle()
			require.Zero(t, n, "the instance is dropped")
			mustRun(t, img, cmdCount, 102)
		})
	}
}

func TestFaultOf(t *testing.T) {
	trap := func(s string) error { return fmt.Errorf("wasm error: %w\nwasm stack trace:\n\t.f()", errors.New(s)) }
	tests := []struct {
		err  error
		want Fault
	}{
		{trap("out of bounds memory access"), Fault{Signal: abi.SIGSEGV, Reason: "out of bounds memory access"}},
		{trap("unreachable"), Fault{Signal: abi.SIGILL, Reason: "unreachable"}},
		{fmt.Errorf("%w (recovered by wazero)\nwasm stack trace:", errStack), Fault{Signal: abi.SIGSEGV, Limit: abi.LimitStack, Reason: "stack overflow"}},
		{trap("integer overflow"), Fault{Signal: abi.SIGFPE, Reason: "integer overflow"}},
		{fmt.Errorf("start function[0] failed: %w", trap("unreachable")), Fault{Signal: abi.SIGILL, Reason: "unreachable"}},
		{errors.New("stack overflow"), Fault{Signal: abi.SIGSEGV, Limit: abi.LimitStack, Reason: "stack overflow"}},
		{fmt.Errorf("%w (recovered by wazero)\nwasm stack trace:", errors.New("index out of range")), Fault{Signal: abi.SIGSYS, Reason: "index out of range", Host: true}},
		{errors.New("x\nwasm error: unreachable (recovered by wazero)"), Fault{Reason: "x"}},
		{fmt.Errorf("start: %w", ErrMemory), Fault{Signal: abi.SIGKILL, Limit: abi.LimitMemory, Reason: "out of memory"}},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, FaultOf(tt.err), "%q", tt.err)
	}
}

func TestGuestGrows(t *testing.T) {
	c := testCompiler(t, Options{Cache: sharedCache(t)})
	img := guestImage(t, c)
	var asked, granted int64
	grant := func(d int64) bool {
		asked += d
		granted++
		return true
	}
	status, err := run(img, cmdGrow, grant)
	require.NoError(t, err)
	require.Equal(t, int32(7), status)
	require.GreaterOrEqual(t, asked, img.MemorySize()+64<<20)
	require.Less(t, asked, img.MemorySize()+80<<20)
	n, _ := c.pool.Idle()
	require.Zero(t, n, "a memory that grew is dropped")
	mustRun(t, img, cmdCount, 102)

	// What it starts with is asked for as well.
	_, err = run(img, cmdCount, func(int64) bool { return false })
	require.ErrorIs(t, err, ErrMemory)

	// A refusal lets the guest go on; Go gives up then.
	first := true
	_, err = run(img, cmdGrow, func(int64) bool { defer func() { first = false }(); return first })
	require.ErrorContains(t, err, "unreachable")
	mustRun(t, img, cmdCount, 102)
}

// TestStackIsCharged has a program recurse and looks at what it is charged.
func TestStackIsCharged(t *testing.T) {
	c := testCompiler(t, Options{})
	// A start function, which calls itself without end.
	m := slices.Concat([]byte("\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x05\x03\x01\x00\x01"),
		[]byte("\x07\x0a\x01\x06_start\x00\x00\x08\x01\x00\x0a\x06\x01\x04\x00\x10\x00\x0b"))
	img, err := c.Module(t.Context(), "m", Digest(m), m)
	require.NoError(t, err)
	defer func() { require.NoError(t, img.Close(t.Context())) }()
	require.True(t, img.layout.Start)
	var total int64
	_, err = run(img, 0, func(d int64) bool { total += d; return true })
	require.Equal(t, Fault{Signal: abi.SIGSEGV, Limit: abi.LimitStack, Reason: "stack overflow"}, FaultOf(err))
	require.NotErrorIs(t, err, errStack, "the runtime's own limit")
	require.Greater(t, total, int64(20<<20), "most of the stack is accounted for")
	total = 0
	_, err = run(img, 0, func(d int64) bool { total += d; return total < 4<<20 })
	require.ErrorIs(t, err, errStack)
	require.Less(t, total, int64(32<<20))
}

func TestGuestIsReproducible(t *testing.T) {
	c := testCompiler(t, Options{Host: testHost{wall: time.Unix(1e9, 0)}})
	img := guestImage(t, c)
	m, err := rewrite(testGuest(t), true)
	require.NoError(t, err)
	require.False(t, m.apply)
	again, globals, err := c.initialize(t.Context(), c.rt, img.compiled, m)
	require.NoError(t, err)
	defer again.close()
	require.True(t, slices.Equal(again.bytes(), img.snap.bytes()), "two images of one module differ")
	require.Equal(t, globals, img.globals)
}

func TestGuestIsKilled(t *testing.T) {
	c := testCompiler(t, Options{Cache: sharedCache(t)})
	img := guestImage(t, c)
	for range 5 {
		i, err := img.Get(grantAll)
		require.NoError(t, err)
		p := &process{Context: i.Context(), command: cmdLoop}
		done := make(chan error)
		go func() {
			_, err := i.Call(p)
			done <- err
		}()
		require.Eventually(t, func() bool { return p.yields.Load() > 3 }, testTimeout, 100*time.Microsecond)
		p.kill.Store(true)
		select {
		case err := <-done:
			var exit *sys.ExitError
			require.ErrorAs(t, err, &exit)
			require.Equal(t, uint32(137), exit.ExitCode())
		case <-time.After(testTimeout):
			t.Fatal("the guest loops on")
		}
		i.Release()
		mustRun(t, img, cmdCount, 102)
	}
}

func TestGuestRefused(t *testing.T) {
	c := testCompiler(t, Options{})
	replace := func(old, new string) []byte {
		require.Equal(t, len(old), len(new))
		require.Equal(t, 1, bytes.Count(tinyGuest, []byte(old)))
		return bytes.Replace(tinyGuest, []byte(old), []byte(new), 1)
	}
	loop := replace("\x41\x00\x41\xe5\x00\x36\x02\x00\x0b", "\x01\x01\x03\x40\x0c\x00\x0b\x01\x0b")
	tests := []struct {
		name string
		wasm []byte
		want string
	}{
		{"no main", replace("wsandbox_main", "wsandbox_man_"), "must export"},
		{"no initialize", replace("_initialize", "_initialise"), "must export"},
		{"trap", replace("\x41\x00\x41\xe5\x00\x36\x02\x00\x0b", "\x00\x01\x01\x01\x01\x01\x01\x01\x0b"), "_initialize: wasm error: unreachable"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := c.Guest(t.Context(), "tiny", Digest(tt.wasm), func() ([]byte, error) { return tt.wasm, nil })
			require.ErrorContains(t, err, tt.want)
		})
	}
	t.Run("loop", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			time.AfterFunc(20*time.Millisecond, cancel)
		}()
		_, err := c.Guest(ctx, "tiny", Digest(loop), func() ([]byte, error) { return loop, nil })
		require.ErrorIs(t, err, context.Canceled)
	})
}

// TestNothingLeaks makes and closes compilers over one cache, and counts what
// is left.
func TestNothingLeaks(t *testing.T) {
	dir := privateTemp(t)
	cachedRun(t, dir)
	settle := func() {
		// The runtime unmaps machine code in finalizers.
		for range 3 {
			runtime.GC()
		}
	}
	settle()
	goroutines, fds, maps := runtime.NumGoroutine(), descriptors(t), mappings(t)
	cycles := 1000
	if testing.Short() {
		cycles = 50
	}
	for range cycles {
		cachedRun(t, dir)
	}
	settle()
	end := time.Now().Add(testTimeout)
	for runtime.NumGoroutine() > goroutines || descriptors(t) > fds || mappings(t) > maps+20 {
		if time.Now().After(end) {
			t.Fatalf("goroutines %d, were %d; descriptors %d, were %d; mappings %d, were %d",
				runtime.NumGoroutine(), goroutines, descriptors(t), fds, mappings(t), maps)
		}
		settle()
	}
}

// spin runs the guest's endless loop in n processes until the test ends.
func spin(t testing.TB, img *Image, n int) []*process {
	var wg sync.WaitGroup
	var all []*process
	for range n {
		i, err := img.Get(grantAll)
		require.NoError(t, err)
		p := &process{Context: i.Context(), command: cmdLoop}
		all = append(all, p)
		wg.Go(func() {
			_, _ = i.Call(p)
			i.Release()
		})
	}
	t.Cleanup(func() {
		for _, p := range all {
			p.kill.Store(true)
		}
		wg.Wait()
	})
	return all
}

// BenchmarkGCWhileSpinning is how long a collection of the host takes while two
// guests are in tight loops.
func BenchmarkGCWhileSpinning(b *testing.B) {
	img := guestImage(b, testCompiler(b, Options{Cache: sharedCache(b)}))
	spin(b, img, 2)
	var worst time.Duration
	for b.Loop() {
		begin := time.Now()
		runtime.GC()
		worst = max(worst, time.Since(begin))
	}
	b.ReportMetric(float64(worst.Microseconds()), "worst-µs")
}

// BenchmarkGCWhileGoSpins is the same with loops in Go, to compare with.
func BenchmarkGCWhileGoSpins(b *testing.B) {
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for n := 0; !stop.Load(); n++ {
				_ = n
			}
		})
	}
	var worst time.Duration
	for b.Loop() {
		begin := time.Now()
		runtime.GC()
		worst = max(worst, time.Since(begin))
	}
	stop.Store(true)
	wg.Wait()
	b.ReportMetric(float64(worst.Microseconds()), "worst-µs")
}

// BenchmarkKill is how long it takes from the wish to end a tight loop to its
// end.
func BenchmarkKill(b *testing.B) {
	img := guestImage(b, testCompiler(b, Options{Cache: sharedCache(b)}))
	var worst, sum time.Duration
	n := 0
	for b.Loop() {
		i, err := img.Get(grantAll)
		require.NoError(b, err)
		p := &process{Context: i.Context(), command: cmdLoop}
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = i.Call(p)
		}()
		for p.yields.Load() < 10 {
			runtime.Gosched()
		}
		begin := time.Now()
		p.kill.Store(true)
		<-done
		took := time.Since(begin)
		worst, sum, n = max(worst, took), sum+took, n+1
		i.Release()
	}
	b.ReportMetric(float64(sum.Microseconds())/float64(n), "kill-µs")
	b.ReportMetric(float64(worst.Microseconds()), "worst-µs")
}

// BenchmarkSlice is the time between two yields of a tight loop.
func BenchmarkSlice(b *testing.B) {
	img := guestImage(b, testCompiler(b, Options{Cache: sharedCache(b)}))
	p := spin(b, img, 1)[0]
	begin, first := time.Now(), p.yields.Load()
	for b.Loop() {
		<-time.After(10 * time.Millisecond)
	}
	b.ReportMetric(float64(time.Since(begin).Microseconds())/float64(p.yields.Load()-first), "slice-µs")
}

func BenchmarkRun(b *testing.B) {
	c := testCompiler(b, Options{Cache: sharedCache(b)})
	img := guestImage(b, c)
	b.Run("pooled", func(b *testing.B) {
		for b.Loop() {
			mustRun(b, img, cmdCount, 102)
		}
	})
	b.Run("cloned", func(b *testing.B) {
		for b.Loop() {
			c.pool.Trim()
			mustRun(b, img, cmdCount, 102)
		}
	})
}

func BenchmarkColdStart(b *testing.B) {
	wasm := testGuest(b)
	dir := privateTemp(b)
	load := func() {
		c, err := NewCompiler(b.Context(), Options{Host: testHost{}, Cache: testCache(b, dir)})
		require.NoError(b, err)
		img, err := c.Guest(b.Context(), "guest", Digest(wasm), func() ([]byte, error) { return wasm, nil })
		require.NoError(b, err)
		mustRun(b, img, cmdCount, 102)
		require.NoError(b, img.Close(b.Context()))
		require.NoError(b, c.Close(b.Context()))
	}
	load()
	for b.Loop() {
		load()
	}
}
