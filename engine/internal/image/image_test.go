// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
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
	cmd := exec.Command("go", "build", "-trimpath", "-buildmode=c-shared", "-ldflags=-s -w", "-o", out, "./testdata/guest")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	return os.ReadFile(out)
})

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
	b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, m api.Module, _ []uint64) {
		if p, ok := ctx.(*process); ok {
			p.yields.Add(1)
			if p.kill.Load() {
				panic(sys.NewExitError(137))
			}
		}
		Yield(ctx, m)
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
				o.Cache = testCache(t, privateTemp(t))
			}
			c := testCompiler(t, o)
			f(t, c, guestImage(t, c))
		})
	}
}

func TestGuestRunsFresh(t *testing.T) {
	caches(t, func(t *testing.T, c *Compiler, img *Image) {
		const turns = 2000
		mustRun(t, img, cmdWarm, 1)
		for n := range turns {
			switch n % 8 {
			case 1:
				mustRun(t, img, cmdGarbage, 53)
			case 2:
				mustRun(t, img, cmdThreads, 190)
			case 3:
				mustRun(t, img, cmdTimers, 0)
			case 4:
				_, err := run(img, cmdPanic, grantAll)
				require.ErrorContains(t, err, "unreachable")
			case 5:
				mustRun(t, img, cmdExit, 3)
			case 6:
				_, err := run(img, cmdNil, grantAll)
				require.ErrorContains(t, err, "unreachable")
			case 7:
				mustRun(t, img, cmdTime, 1)
			}
			mustRun(t, img, cmdCount, 102)
		}
	})
}

func BenchmarkRun(b *testing.B) {
	c := testCompiler(b, Options{Cache: testCache(b, privateTemp(b))})
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
