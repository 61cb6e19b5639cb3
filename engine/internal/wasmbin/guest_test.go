// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/api"
)

// buildGuest compiles testdata/guest as a reactor. It is built once.
var buildGuest = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "wasmbin")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	out := filepath.Join(dir, "guest.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-buildmode=c-shared", "-o", out, "guest.go")
	cmd.Dir = filepath.Join("testdata", "guest")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=", "GOWORK=off")
	if msg, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, msg)
	}
	return os.ReadFile(out)
})

func guest(t testing.TB) []byte {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not installed")
	}
	if testing.Short() {
		t.Skip("compiling a Go guest takes seconds")
	}
	bin, err := buildGuest()
	require.NoError(t, err)
	return bin
}

// guestCalls are the exports of the guest that take a number and return one.
var guestCalls = []struct {
	export string
	small  uint64 // argument for comparing results
	large  uint64 // argument for measuring
}{
	{"hash", 3, 5},
	{"sorted", 2000, 10000},
	{"counted", 5000, 50000},
	{"looped", 10000, 1000000},
	{"lines", 2, 50},
	{"trees", 2, 10},
	{"fib", 15, 22},
	{"panics", 10, 100},
	{"concurrent", 50, 1000},
}

func TestGoGuest(t *testing.T) {
	bin := guest(t)
	plain, info, err := Rewrite(bin, Options{})
	require.NoError(t, err)
	require.Positive(t, info.Loops)
	snap, snapInfo, err := Rewrite(bin, Options{Snapshot: true})
	require.NoError(t, err)
	require.Len(t, snapInfo.Globals, len(snapInfo.GlobalTypes))
	require.Contains(t, snapInfo.GlobalTypes, I32) // the stack pointer

	h := newHost(t)
	original := h.instantiate(t, bin)
	require.Empty(t, call{"_initialize", nil, ""}.run(t, original))
	rewritten := h.instantiate(t, plain)
	require.Empty(t, call{"_initialize", nil, ""}.run(t, rewritten))
	image := h.instantiate(t, snap)
	require.Empty(t, call{MemInit, nil, ""}.run(t, image))
	require.Empty(t, call{"_initialize", nil, ""}.run(t, image))

	// A clone gets memory and globals of the image and runs nothing.
	clone := h.instantiate(t, snap)
	grow := image.Memory().Size()/65536 - clone.Memory().Size()/65536
	_, ok := clone.Memory().Grow(grow)
	require.True(t, ok)
	mem, ok := image.Memory().Read(0, image.Memory().Size())
	require.True(t, ok)
	require.True(t, clone.Memory().Write(0, mem))
	for _, g := range snapInfo.Globals {
		clone.ExportedGlobal(g).(api.MutableGlobal).Set(image.ExportedGlobal(g).Get())
	}

	for _, c := range guestCalls {
		one := call{c.export, []uint64{c.small}, ""}
		want := one.run(t, original)
		require.Regexp(t, `^\d+$`, want, c.export)
		require.Equal(t, want, one.run(t, rewritten), c.export)
		require.Equal(t, want, one.run(t, image), c.export)
		require.Equal(t, want, one.run(t, clone), c.export)
	}
	require.Positive(t, h.yields)

	// A loop of the guest's is left at a yield.
	h.stop = h.yields + 10
	require.Equal(t, "module closed with exit_code(77)", call{"forever", i(0), ""}.run(t, clone))
	require.Equal(t, h.stop, h.yields)
}

// TestRewriteIsDeterministic: artefacts are compared byte by byte.
func TestRewriteIsDeterministic(t *testing.T) {
	bin := guest(t)
	a, _, err := Rewrite(bin, Options{Snapshot: true})
	require.NoError(t, err)
	c, _, err := Rewrite(bin, Options{Snapshot: true})
	require.NoError(t, err)
	require.True(t, bytes.Equal(a, c))
}

func BenchmarkRewrite(b *testing.B) {
	bin := guest(b)
	b.SetBytes(int64(len(bin)))
	b.ReportAllocs()
	for b.Loop() {
		_, _, err := Rewrite(bin, Options{Snapshot: true})
		require.NoError(b, err)
	}
}

// BenchmarkGuest compares the Go guest's workloads rewritten and as they are.
func BenchmarkGuest(b *testing.B) {
	bin := guest(b)
	for _, c := range guestCalls {
		benchmarkPair(b, bin, c.export, "_initialize", c.large)
	}
}

// BenchmarkLoop compares tight loops and recursion, the worst cases.
func BenchmarkLoop(b *testing.B) {
	benchmarkPair(b, load(b, "control"), "sum", "", 1000000)
	benchmarkPair(b, load(b, "control"), "fib", "", 22)
	benchmarkPair(b, load(b, "dispatch"), "sumcall", "", 1000000)
	benchmarkPair(b, load(b, "bench"), "strlen", "", 1000000)
	benchmarkPair(b, load(b, "bench"), "sieve", "", 1000000)
	benchmarkPair(b, load(b, "bench"), "collatz", "", 10000)
}

// benchmarkPair runs a module as it is and rewritten in turns, so that what
// else the machine does meets both alike, and reports the ratio of the best
// times.
func benchmarkPair(b *testing.B, bin []byte, export, init string, arg uint64) {
	b.Run(export, func(b *testing.B) {
		out, _, err := Rewrite(bin, Options{})
		require.NoError(b, err)
		h := newHost(b)
		var f [2]api.Function
		for k, v := range [...][]byte{bin, out} {
			m := h.instantiate(b, v)
			if init != "" {
				_, err = m.ExportedFunction(init).Call(b.Context())
				require.NoError(b, err)
			}
			f[k] = m.ExportedFunction(export)
		}
		var best [2]time.Duration
		for b.Loop() {
			for k := range f {
				start := time.Now()
				_, err := f[k].Call(b.Context(), arg)
				d := time.Since(start)
				require.NoError(b, err)
				if best[k] == 0 || d < best[k] {
					best[k] = d
				}
			}
		}
		b.ReportMetric(float64(best[0])/1e6, "plain-ms")
		b.ReportMetric(float64(best[1])/float64(best[0]), "ratio")
	})
}
