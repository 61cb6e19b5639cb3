// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

func TestModules(t *testing.T) {
	table := func(limits ...byte) [][]byte { return [][]byte{cat([]byte{0x70}, limits)} }
	tests := []struct {
		name   string
		wasm   []byte
		status abi.WaitStatus
		limit  abi.Limit
		stdout string
		stderr string
	}{
		{name: "hello", wasm: hello("hello\n"), stdout: "hello\n"},
		{name: "exit", wasm: command(parts{}, i32(3), call(funcExit)), status: abi.ExitedWith(3)},
		{name: "start function prints too", stdout: "xx", wasm: command(parts{
			start: true, data: [][]byte{data(0, "\x10\x00\x00\x00\x01\x00\x00\x00"), data(16, "x")},
		}, printIovec())},

		// Traps.
		{name: "unreachable", wasm: command(parts{}, op(0x00)),
			status: abi.KilledBy(abi.SIGILL), stderr: "prog: Illegal instruction: unreachable\n"},
		{name: "out of bounds", wasm: command(parts{}, i32(-4), op(0x28, 2, 0, 0x1a)),
			status: abi.KilledBy(abi.SIGSEGV), stderr: "prog: Segmentation fault: out of bounds memory access\n"},
		{name: "division by zero", wasm: command(parts{}, i32(1), i32(0), op(0x6d, 0x1a)),
			status: abi.KilledBy(abi.SIGFPE), stderr: "prog: Floating point exception: integer divide by zero\n"},
		{name: "division overflow", wasm: command(parts{}, i32(-1<<31), i32(-1), op(0x6d, 0x1a)),
			status: abi.KilledBy(abi.SIGFPE), stderr: "prog: Floating point exception: integer overflow\n"},
		{name: "no integer", wasm: command(parts{}, op(0x43, 0, 0, 0xc0, 0x7f, 0xa8, 0x1a)),
			status: abi.KilledBy(abi.SIGFPE), stderr: "prog: Floating point exception: invalid conversion to integer\n"},
		{name: "empty table entry", wasm: command(parts{tables: table(0, 1)}, i32(0), op(0x11, 0, 0)),
			status: abi.KilledBy(abi.SIGSEGV), stderr: "prog: Segmentation fault: invalid table access\n"},
		{name: "recursion", wasm: command(parts{}, call(funcStart)),
			status: abi.KilledBy(abi.SIGSEGV), limit: abi.LimitStack, stderr: "prog: Segmentation fault: stack overflow\n"},
		{name: "trap in the start function", wasm: command(parts{start: true}, op(0x00)),
			status: abi.KilledBy(abi.SIGILL), stderr: "prog: Illegal instruction: unreachable\n"},
		{name: "exit in the start function", wasm: command(parts{start: true}, i32(4), call(funcExit)), status: abi.ExitedWith(4)},

		// Memory.
		{name: "grow", wasm: command(parts{}, i32(10), op(0x40, 0), i32(1), op(0x47), exitIf(1), op(0x3f, 0), i32(11), op(0x47), exitIf(2))},
		{name: "grow beyond the limit", wasm: command(parts{}, i32(1024), op(0x40, 0), i32(-1), op(0x47), exitIf(1))},
		{name: "grow beyond the maximum", wasm: command(parts{memory: []byte{1, 1, 2}}, i32(2), op(0x40, 0), i32(-1), op(0x47), exitIf(1))},
		{name: "too large", wasm: command(parts{memory: cat([]byte{0}, uleb(1025))}),
			status: abi.KilledBy(abi.SIGKILL), limit: abi.LimitMemory, stderr: "prog: Killed: out of memory\n"},
		{name: "4 GiB", wasm: command(parts{memory: cat([]byte{0}, uleb(65536))}),
			status: abi.KilledBy(abi.SIGKILL), limit: abi.LimitMemory, stderr: "prog: Killed: out of memory\n"},
		{name: "large maximum", wasm: command(parts{memory: cat([]byte{1}, uleb(1), uleb(65536))})},
		{name: "table that wants to grow", wasm: command(parts{tables: table(0, 1)},
			op(0xd0, 0x70), i32(1<<30), op(0xfc, 15, 0), i32(-1), op(0x47), exitIf(1))},

		// What cannot be run.
		{name: "no such function", wasm: command(parts{imports: [][]byte{importFunc("wasi_snapshot_preview1", "fd_fly", 0)}}),
			status: abi.ExitedWith(126), stderr: "prog: cannot execute module: \"fd_fly\" is not exported in module \"wasi_snapshot_preview1\"\n"},
		{name: "no such module", wasm: command(parts{imports: [][]byte{importFunc("env", "f", 0)}}),
			status: abi.ExitedWith(126), stderr: "prog: cannot execute module: module[env] not instantiated\n"},
		{name: "wrong type", wasm: command(parts{imports: [][]byte{importFunc("wasi_snapshot_preview1", "fd_close", 0)}}),
			status: abi.ExitedWith(126), stderr: "signature mismatch"},
		{name: "no _start", wasm: command(parts{noStart: true}),
			status: abi.ExitedWith(126), stderr: "prog: cannot execute module: it is no WASI command: it has no _start function\n"},
		{name: "reactor", wasm: command(parts{noStart: true, exports: [][]byte{export("_initialize", 0, funcStart)}}),
			status: abi.ExitedWith(126), stderr: "prog: cannot execute module: it is a reactor (a library): it has no _start function\n"},
		{name: "_start is no function", wasm: command(parts{noStart: true, exports: [][]byte{export("_start", 2, 0)}}),
			status: abi.ExitedWith(126), stderr: "no _start function\n"},
		{name: "own name", wasm: command(parts{exports: [][]byte{export("wsandbox_countdown", 0, funcStart)}}),
			status: abi.ExitedWith(126), stderr: "reserved name"},
		{name: "empty", wasm: module0(), status: abi.ExitedWith(126), stderr: "no _start function\n"},
		{name: "cut off", wasm: hello("x")[:60], status: abi.ExitedWith(126), stderr: "malformed"},
		{name: "wrong types inside", wasm: command(parts{}, i32(1), op(0x42, 0, 0x6a, 0x1a)),
			status: abi.ExitedWith(126), stderr: "prog: cannot execute module: invalid function"},
		{name: "huge table", wasm: command(parts{tables: [][]byte{cat([]byte{0x70, 0}, uleb(1<<30))}}),
			status: abi.ExitedWith(126), stderr: "limit exceeded"},
		{name: "data out of bounds", wasm: command(parts{data: [][]byte{data(65535, "xy")}}),
			status: abi.ExitedWith(126), stderr: "prog: cannot execute module: data[0]: out of bounds memory access\n"},
		{name: "huge custom section", wasm: command(parts{custom: make([]byte, 1<<20)})},
		{name: "imported memory", wasm: module0(section(1, functype("", "")),
			section(2, cat(sized([]byte("env")), sized([]byte("memory")), []byte{2, 0, 1})), section(3, uleb(0)), section(7, export("_start", 0, 0)), section(10, code())),
			status: abi.ExitedWith(126), stderr: "it imports its memory"},
		{name: "atomics", wasm: command(parts{}, op(0xfe, 3, 0)), status: abi.ExitedWith(126), stderr: "not supported"},
		{name: "imported global", wasm: module0(section(1, functype("", "")),
			section(2, cat(sized([]byte("env")), sized([]byte("g")), []byte{3, 0x7f, 0})), section(3, uleb(0)), section(7, export("_start", 0, 0)), section(10, code())),
			status: abi.ExitedWith(126), stderr: "it imports the global \"g\" of \"env\""},
	}
	for _, disk := range []bool{true, false} {
		e := testEngine(t, func(c *Config) {
			if !disk {
				c.CacheDir = ""
			}
		})
		w := testWorld(t, e, kernel.Limits{Memory: 64 << 20})
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				path := w.addModule(t, "prog", tt.wasm)
				defer func() { require.NoError(t, w.files.Unlink("prog")) }()
				for range 2 {
					r, stdout, stderr := w.run(t, path)
					require.Equal(t, tt.stdout, stdout)
					if tt.stderr == "" {
						require.Empty(t, stderr)
					}
					require.Contains(t, stderr, tt.stderr)
					require.Equal(t, tt.status, r.Status)
					require.Equal(t, tt.limit, r.Limit)
				}
			})
		}
	}
}

func TestNoModule(t *testing.T) {
	w := testWorld(t, testEngine(t, func(c *Config) { c.Limits.Module = 1 << 20 }), kernel.Limits{})
	tests := []struct {
		name string
		wasm []byte
		want abi.Errno
	}{
		{"head only", []byte("\x00asm"), abi.ENOEXEC},
		{"version 2", []byte("\x00asm\x02\x00\x00\x00"), abi.ENOEXEC},
		{"component", []byte("\x00asm\x0d\x00\x01\x00"), abi.ENOEXEC},
		{"too large", append(module0(), make([]byte, 1<<20)...), abi.ENOMEM},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := w.addModule(t, tt.name, tt.wasm)
			_, err := w.Start(&abi.SpawnSpec{Path: path, Args: []string{path}, Dir: "/w", Umask: -1}, nil, kernel.StartOptions{})
			require.ErrorIs(t, err, tt.want)
		})
	}
}

// TestKillModules kills what runs without end, in every way.
func TestKillModules(t *testing.T) {
	// f(n) calls f(n-1) twice, on the stack: a tree of calls without a loop.
	tree := code(call(funcStart+2), call(funcStart+2))
	funcs := [][]byte{tree}
	for n := 2; n < 60; n++ {
		funcs = append(funcs, code(call(funcStart+n+1), call(funcStart+n+1)))
	}
	funcs = append(funcs, code())
	bulk := cat(i32(0), i32(7), i32(16<<20), op(0xfc, 11, 0)) // memory.fill
	tests := []struct {
		name string
		wasm []byte
	}{
		{"loop", command(parts{}, forever())},
		{"loop in the start function", command(parts{start: true}, forever())},
		{"tree of calls", command(parts{funcs: funcs}, call(funcStart+1))},
		{"bulk memory", command(parts{memory: cat([]byte{0}, uleb(256))}, op(0x03, 0x40), bulk, bulk, op(0x0c, 0, 0x0b))},
		{"calls of the host", command(parts{}, op(0x03, 0x40), i32(99), i32(0), i32(0), i32(0), call(funcWrite), op(0x1a, 0x0c, 0, 0x0b))},
	}
	w := testWorld(t, testEngine(t, nil), kernel.Limits{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := w.addModule(t, tt.name, tt.wasm)
			p, _, _ := w.start(t, path)
			require.Eventually(t, func() bool {
				r, err := w.Process(p.PID())
				return err && r == p
			}, testTimeout, time.Millisecond)
			// Let it get into its loop, which nothing outside shows.
			for end := time.Now().Add(50 * time.Millisecond); time.Now().Before(end); {
				require.Zero(t, p.Result().Status)
			}
			require.NoError(t, p.Signal(abi.SIGKILL))
			require.Equal(t, abi.KilledBy(abi.SIGKILL), wait(t, p).Status)
		})
	}
}

// TestKillCompilation kills a process whose program is still being compiled.
func TestKillCompilation(t *testing.T) {
	w := testWorld(t, testEngine(t, func(c *Config) { c.CacheDir = "" }), kernel.Limits{})
	var funcs [][]byte
	for range 20000 {
		b := cat(i32(1), op(0x1a))
		for n := range 40 {
			b = cat(b, i32(n), i32(8), op(0x36, 2, 0))
		}
		funcs = append(funcs, code(b))
	}
	path := w.addModule(t, "large", command(parts{funcs: funcs}, forever()))
	p, _, _ := w.start(t, path)
	require.NoError(t, p.Signal(abi.SIGKILL))
	begin := time.Now()
	require.Equal(t, abi.KilledBy(abi.SIGKILL), wait(t, p).Status)
	t.Logf("killed after %v", time.Since(begin))
	require.NoError(t, w.Close())
}
