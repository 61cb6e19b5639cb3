// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

// features are all that wazero can compile.
const features = api.CoreFeaturesV2 | experimental.CoreFeaturesThreads | experimental.CoreFeaturesTailCall |
	experimental.CoreFeaturesExtendedConst | experimental.CoreFeaturesExceptionHandling |
	experimental.CoreFeaturesTypedFunctionReferences

// host is a runtime with the imports test modules need.
type host struct {
	wazero.Runtime
	yields int
	budget int64
	stop   int // leaves the guest at this yield
}

func newHost(t testing.TB) *host {
	ctx := t.Context()
	h := &host{budget: 1 << 20}
	h.Runtime = wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler().WithCoreFeatures(features))
	t.Cleanup(func() { _ = h.Close(context.Background()) })
	wasi_snapshot_preview1.MustInstantiate(ctx, h)
	_, err := h.NewHostModuleBuilder(YieldModule).NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(func(_ context.Context, m api.Module, _ []uint64) {
			h.yields++
			if h.yields == h.stop {
				panic(sys.NewExitError(77))
			}
			m.ExportedGlobal(Countdown).(api.MutableGlobal).Set(uint64(h.budget))
		}), nil, nil).Export(YieldName).Instantiate(ctx)
	require.NoError(t, err)
	_, err = h.InstantiateWithConfig(ctx, hostEnv, wazero.NewModuleConfig().WithName("env"))
	require.NoError(t, err)
	return h
}

// hostEnv is a module that exports base, an i32 global of 60, and tick, a
// function that does nothing.
var hostEnv = []byte("\x00asm\x01\x00\x00\x00" +
	"\x01\x04\x01\x60\x00\x00" +
	"\x03\x02\x01\x00" +
	"\x06\x06\x01\x7f\x00\x41\x3c\x0b" +
	"\x07\x0f\x02\x04base\x03\x00\x04tick\x00\x00" +
	"\x0a\x04\x01\x02\x00\x0b")

func load(t testing.TB, name string) []byte {
	b, err := os.ReadFile(filepath.Join("testdata", name+".wasm"))
	require.NoError(t, err)
	return b
}

// instantiate makes an instance without running anything but a start section.
func (h *host) instantiate(t testing.TB, bin []byte) api.Module {
	m, err := h.InstantiateWithConfig(t.Context(), bin, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	require.NoError(t, err)
	t.Cleanup(func() { _ = m.Close(context.Background()) })
	return m
}

// leastBudget makes nearly every check yield; it is enough for the loops of
// the modules here.
const leastBudget = 512

type call struct {
	export string
	args   []uint64
	want   string // results in decimal, or the beginning of the error
}

func (c call) run(t testing.TB, m api.Module) string {
	f := m.ExportedFunction(c.export)
	require.NotNil(t, f, c.export)
	res, err := f.Call(t.Context(), c.args...)
	if err != nil {
		return strings.SplitN(err.Error(), "\n", 2)[0]
	}
	return strings.Trim(fmt.Sprint(res), "[]")
}

const trapMemory = "wasm error: out of bounds memory access"
const trapTable = "wasm error: invalid table access"

// i is a list of arguments.
func i(args ...int64) []uint64 {
	out := make([]uint64, len(args))
	for k, a := range args {
		out[k] = uint64(a)
	}
	return out
}

func TestRewrittenModuleBehavesAsTheOriginal(t *testing.T) {
	const mib = 1 << 20
	u32 := func(v int32) int64 { return int64(uint32(v)) }
	tests := []struct {
		module string
		calls  []call
	}{
		{"control", []call{
			{"sum", i(10), "45"},
			{"sum", i(100000), "704982704"},
			{"nested", i(5), "15"},
			{"nested", i(100), "1000"},
			{"table", i(10), "503"},
			{"table", i(1), "200"},
			{"factorial", i(5), "120"},
			{"factorial", i(20), "2432902008176640000"},
			{"returns", i(1), "5"},
			{"returns", i(2), "1003"},
			{"mixed", i(7), "1893"},
			{"dead", nil, "4"},
			{"once", i(0), "1"},
			{"once", i(1), "2"},
			{"fib", i(20), "6765"},
		}},
		{"bench", []call{
			{"strlen", i(1000000), "1000000"},
			{"sieve", i(100000), "9592"},
			{"collatz", i(10000), "261"},
		}},
		{"dispatch", []call{
			{"sum", i(0), "0"},
			{"sum", i(1000), "499500"},
			{"sumcall", i(1000), "499500"},
		}},
		{"bulk", []call{
			{"init", i(0, 2, 4), ""},
			{"init", i(0, 6, 4), trapMemory},
			{"drop", nil, ""},
			{"init", i(0, 0, 0), ""},
			{"init", i(0, 0, 1), trapMemory},
			{"fill", i(100, 7, 50), ""},
			{"fill", i(mib, 9, 3*mib+5), ""},
			{"fill", i(2*mib, 1, 4*mib), trapMemory},
			{"fill", i(u32(-8), 1, 16), trapMemory},
			{"fill", i(u32(-8), 1, u32(-1)), trapMemory},
			{"fill", i(80<<16, 1, 0), ""},
			{"copy", i(200, 100, 50), ""},
			{"copy", i(103, 100, 50), ""},
			{"copy", i(97, 100, 50), ""},
			{"copy", i(3, mib-100, 2*mib+77), ""},
			{"copy", i(mib, 3, 2*mib+99), ""},
			{"copy", i(5, 4, 4*mib), ""},
			{"copy", i(4, 5, 4*mib), ""},
			{"copy", i(0, 2*mib, 4*mib), trapMemory},
			{"copy", i(2*mib, 0, 4*mib), trapMemory},
			{"at", i(1), "11"},
			{"at", i(2), "10"},
			{"tinit", i(5, 0, 2), ""},
			{"at", i(5), "10"},
			{"tinit", i(9, 0, 2), trapTable},
			{"tcopy", i(3, 1, 4), ""},
			{"at", i(3), "11"},
			{"tfill", i(7, 2), ""},
			{"at", i(8), "12"},
			{"tgrow", i(6), "10"},
			{"tsize", nil, "16"},
			{"at", i(15), "11"},
			{"tgrow", i(1000), "4294967295"},
			{"edrop", nil, ""},
			{"tinit", i(5, 0, 1), trapTable},
			{"isnull", i(0), "1"},
			{"tset", i(0), ""},
			{"at", i(0), "10"},
		}},
		{"numeric", []call{
			{"sat", []uint64{api.EncodeF64(1e20)}, "2147483647"},
			{"ext", i(0x80), "18446744073709551488"},
			{"shuffle", i(5), ""},
			{"const", nil, ""},
		}},
		{"proposals", []call{
			{"count", i(100000, 1), "200001"},
			{"even", i(1000, 1), "1001"},
			{"atomic", nil, "12"},
			{"data", nil, "120"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.module, func(t *testing.T) {
			bin := load(t, tt.module)
			h := newHost(t)
			original := h.instantiate(t, bin)
			for _, form := range []loopForm{formSplit, formNoCopy, formGlobal} {
				out, _, err := Rewrite(bin, Options{form: form})
				require.NoError(t, err)
				// A small budget makes nearly every check call yield.
				for _, budget := range []int64{leastBudget, 1 << 20} {
					h.budget = budget
					rewritten, fresh := h.instantiate(t, out), h.instantiate(t, bin)
					for k, c := range tt.calls {
						want := c.run(t, fresh)
						if c.want != "" {
							require.Equal(t, c.want, want, "original, call %d of %s%v", k, c.export, c.args)
						}
						require.Equal(t, want, c.run(t, rewritten), "call %d of %s%v", k, c.export, c.args)
						if c.export == "fill" || c.export == "copy" || c.export == "init" {
							requireSameMemory(t, fresh, rewritten, "call %d of %s%v", k, c.export, c.args)
						}
					}
					requireSameMemory(t, fresh, rewritten, "at the end")
				}
			}
			_ = original
			require.Positive(t, h.yields)
		})
	}
}

func requireSameMemory(t *testing.T, a, b api.Module, msg string, args ...any) {
	if a.ExportedMemory("memory") == nil {
		require.Nil(t, b.ExportedMemory("memory"))
		return
	}
	x, ok := a.Memory().Read(0, a.Memory().Size())
	require.True(t, ok)
	y, ok := b.Memory().Read(0, b.Memory().Size())
	require.True(t, ok)
	if string(x) != string(y) {
		require.Failf(t, "memory differs", msg, args...)
	}
}

// TestYieldEndsWhatDoesNotEnd checks that code which would run on is left at a
// yield, soon: the countdown never falls far below zero.
func TestYieldEndsWhatDoesNotEnd(t *testing.T) {
	tests := []struct {
		module string
		calls  []call
	}{
		{"endless", []call{
			{"loop", nil, ""}, {"loopif", i(0), ""}, {"looptable", nil, ""}, {"loopnested", nil, ""},
			{"loopcall", nil, ""}, {"loopparam", i(1), ""}, {"tree", nil, ""}, {"recursion", i(60), ""},
			{"indirect", i(60), ""}, {"fillstorm", nil, ""}, {"copystorm", nil, ""}, {"tablestorm", nil, ""},
		}},
		{"dispatch", []call{
			{"spin", nil, ""}, {"spinvar", i(1), ""}, {"spinother", nil, ""}, {"spinif", nil, ""},
			{"spintable", nil, ""}, {"spintable2", nil, ""}, {"spinreuse", nil, ""},
		}},
		{"proposals", []call{{"spin", nil, ""}}},
	}
	for _, tt := range tests {
		bin := load(t, tt.module)
		for _, form := range []loopForm{formSplit, formNoCopy, formGlobal} {
			out, _, err := Rewrite(bin, Options{form: form})
			require.NoError(t, err)
			for _, c := range tt.calls {
				t.Run(fmt.Sprintf("%s/%s/%d", tt.module, c.export, form), func(t *testing.T) {
					h := newHost(t)
					h.stop = 20
					m := h.instantiate(t, out)
					require.Equal(t, "module closed with exit_code(77)", c.run(t, m))
					require.Equal(t, 20, h.yields)
					// An instance survives that.
					low := int64(m.ExportedGlobal(Countdown).Get())
					require.Negative(t, low)
					require.GreaterOrEqual(t, low, -int64(chunkCost))
				})
			}
		}
	}
}

func TestSnapshot(t *testing.T) {
	bin := load(t, "snapshot")
	h := newHost(t)
	original := h.instantiate(t, bin)

	out, info, err := Rewrite(bin, Options{Snapshot: true})
	require.NoError(t, err)
	require.Equal(t, []string{"wsandbox_g1", "wsandbox_g3"}, info.Globals)
	require.Equal(t, []ValType{I32, F64}, info.GlobalTypes)
	require.True(t, info.HasStart)
	require.Equal(t, 4, info.DataSegments)
	require.Equal(t, 23, info.DataBytes)

	m := h.instantiate(t, out)
	zero, _ := m.Memory().Read(0, m.Memory().Size())
	require.Equal(t, strings.Repeat("\x00", len(zero)), string(zero), "nothing is applied at instantiation")
	require.Equal(t, "5 4602678819172646912", call{"globals", nil, ""}.run(t, m))

	require.Empty(t, call{MemInit, nil, ""}.run(t, m))
	requireSameMemory(t, original, m, "after %s", MemInit)
	s, _ := m.Memory().Read(0, 70)
	require.Equal(t, "S\x00\x00\x00fiSECOND", string(s[:12]))
	require.Equal(t, "based", string(s[60:65]))
	require.Equal(t, "6 4602678819172646912", call{"globals", nil, ""}.run(t, m))

	// Segments keep their indices; active ones are gone once applied.
	require.Empty(t, call{"init", nil, ""}.run(t, m))
	s, _ = m.Memory().Read(40, 7)
	require.Equal(t, "passive", string(s))
	require.Equal(t, trapMemory, call{MemInit, nil, ""}.run(t, m))

	// The globals can be saved and put back.
	g, f := m.ExportedGlobal("wsandbox_g1").(api.MutableGlobal), m.ExportedGlobal("wsandbox_g3").(api.MutableGlobal)
	require.Equal(t, uint64(6), g.Get())
	saved := f.Get()
	require.Empty(t, call{"bump", nil, ""}.run(t, m))
	require.Equal(t, "7 4611686018427387904", call{"globals", nil, ""}.run(t, m))
	g.Set(6)
	f.Set(saved)
	require.Equal(t, "6 4602678819172646912", call{"globals", nil, ""}.run(t, m))
	require.Nil(t, m.ExportedGlobal("wsandbox_g2"))

	// Without the option nothing of it is there.
	out, info, err = Rewrite(bin, Options{})
	require.NoError(t, err)
	require.Empty(t, info.Globals)
	m = h.instantiate(t, out)
	requireSameMemory(t, original, m, "active segments")
	require.Nil(t, m.ExportedFunction(MemInit))
	require.Nil(t, m.ExportedGlobal("wsandbox_g1"))
}

func TestInfo(t *testing.T) {
	_, info, err := Rewrite(load(t, "snapshot"), Options{})
	require.NoError(t, err)
	require.Equal(t, []Import{
		{Module: "env", Name: "base", Kind: ExternGlobal},
		{Module: "env", Name: "tick", Kind: ExternFunc},
	}, info.Imports)
	require.Equal(t, []Export{
		{Name: "memory", Kind: ExternMemory},
		{Name: "load", Kind: ExternFunc, Func: FuncType{[]ValType{I32}, []ValType{I32}}},
		{Name: "init", Kind: ExternFunc},
		{Name: "globals", Kind: ExternFunc, Func: FuncType{nil, []ValType{I32, F64}}},
		{Name: "bump", Kind: ExternFunc},
	}, info.Exports)
	require.True(t, info.HasMemory)
	require.False(t, info.MemoryImported)
	require.Equal(t, uint64(1), info.MemoryMin)
	require.Equal(t, uint64(65536), info.MemoryMax)
	require.Equal(t, Features(0), info.Features)

	_, info, err = Rewrite(load(t, "proposals"), Options{})
	require.NoError(t, err)
	require.Equal(t, TailCalls|Atomics|ExtendedConst, info.Features)
}

// TestCheckPlacement pins how many checks there are: a change here is a change
// of what guests pay.
func TestCheckPlacement(t *testing.T) {
	tests := []struct {
		module        string
		loops, checks int
	}{
		{"control", 13, 14},
		{"dispatch", 9, 10},
	}
	for _, tt := range tests {
		_, info, err := Rewrite(load(t, tt.module), Options{})
		require.NoError(t, err)
		require.Equal(t, tt.loops, info.Loops, tt.module)
		require.Equal(t, tt.checks, info.Checks, tt.module)
	}
}

// TestTestdata compiles the text modules again, so that they and the binaries
// stay in step.
func TestTestdata(t *testing.T) {
	wat2wasm, err := exec.LookPath("wat2wasm")
	if err != nil {
		t.Skip("wat2wasm of wabt is not installed")
	}
	texts, err := filepath.Glob("testdata/*.wat")
	require.NoError(t, err)
	require.NotEmpty(t, texts)
	for _, text := range texts {
		out := filepath.Join(t.TempDir(), "m.wasm")
		msg, err := exec.CommandContext(t.Context(), wat2wasm, "--enable-tail-call", "--enable-threads",
			"--enable-extended-const", "-o", out, text).CombinedOutput()
		require.NoError(t, err, string(msg))
		want, err := os.ReadFile(out)
		require.NoError(t, err)
		require.Equal(t, want, load(t, strings.TrimSuffix(filepath.Base(text), ".wat")), text)
	}
}
