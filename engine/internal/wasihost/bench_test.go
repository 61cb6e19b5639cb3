// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/api"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// bench runs f on the process's goroutine with a way to make host calls.
func (g *guest) bench(b *testing.B, f func(call func(fn api.Function, stack []uint64))) {
	done := make(chan struct{})
	g.todo <- func() {
		defer close(done)
		f(func(fn api.Function, stack []uint64) {
			if err := fn.CallWithStack(g.in.c, stack); err != nil {
				b.Errorf("call: %v", err)
			}
			if stack[0] != 0 {
				b.Errorf("call: %s", abi.Errno(stack[0]).Name())
			}
		})
	}
	<-done
}

// BenchmarkHostCall measures one call from Go through WebAssembly into a host
// function and back.
func BenchmarkHostCall(b *testing.B) {
	for _, c := range []struct {
		name string
		args []uint64
	}{
		{"wasi.clock_time_get", []uint64{1, 0, 64}},
		{"ext.proc_umask", []uint64{at(-1), 64}},
		{"ext.proc_info", []uint64{0, 64}},
		{"wasi.fd_fdstat_get", []uint64{1, 64}},
		{"wasi.path_filestat_get", []uint64{3, 1, 0x100, 4, 64}},
		{"ext.path_stat", []uint64{at(abi.AtCwd), 0x200, 8, 1, 64}},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := newTestGuest(b)
			g.str(0x100, "file")
			g.str(0x200, "dir/file")
			g.bench(b, func(call func(api.Function, []uint64)) {
				f := g.in.mod.ExportedFunction(c.name)
				stack := make([]uint64, len(c.args))
				b.ReportAllocs()
				for b.Loop() {
					copy(stack, c.args)
					call(f, stack)
				}
			})
		})
	}
}

// BenchmarkFDWrite writes to a null file and, with fd_pwrite, to one in memory.
func BenchmarkFDWrite(b *testing.B) {
	for _, c := range []struct {
		name, call string
		size       uint32
	}{
		{"null/1", "wasi.fd_write", 1}, {"null/64KiB", "wasi.fd_write", 64 << 10},
		{"memory/1", "wasi.fd_pwrite", 1}, {"memory/64KiB", "wasi.fd_pwrite", 64 << 10},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := newTestGuest(b)
			args := []uint64{0, 0x40, 1, 0x50} // descriptor 0 is a null file
			if c.call == "wasi.fd_pwrite" {
				args = []uint64{g.wasiOpen("file", 0, abi.RightFDWrite|abi.RightFDSeek, 0, 0), 0x40, 1, 0, 0x50}
			}
			g.put32(0x40, 0x100, c.size)
			g.bench(b, func(call func(api.Function, []uint64)) {
				f := g.in.mod.ExportedFunction(c.call)
				stack := make([]uint64, len(args))
				b.SetBytes(int64(c.size))
				b.ReportAllocs()
				for b.Loop() {
					copy(stack, args)
					call(f, stack)
				}
			})
		})
	}
}

// BenchmarkPoll polls two ready descriptors and a clock.
func BenchmarkPoll(b *testing.B) {
	g := newTestGuest(b)
	r, w := g.pipe()
	g.write(w, "x")
	for i, s := range [][]byte{fdSub(1, abi.EventFDRead, r), fdSub(2, abi.EventFDWrite, w), clockSub(3, abi.ClockMonotonic, 1e9, 0)} {
		g.put(uint32(subsAt+i*abi.SubscriptionSize), s)
	}
	g.bench(b, func(call func(api.Function, []uint64)) {
		f := g.in.mod.ExportedFunction("wasi.poll_oneoff")
		stack := make([]uint64, 4)
		b.ReportAllocs()
		for b.Loop() {
			stack[0], stack[1], stack[2], stack[3] = subsAt, eventsAt, 3, 16
			call(f, stack)
		}
	})
	require.EqualValues(b, 2, g.u32(16))
}

// BenchmarkDispatch measures what is around a host function alone, without
// WebAssembly.
func BenchmarkDispatch(b *testing.B) {
	g := newTestGuest(b)
	h := &host{}
	for _, c := range []struct{ name string }{{"sched"}, {"umask"}} {
		b.Run(c.name, func(b *testing.B) {
			f := &hostFunc{name: "sched", call: func(*Context, memory, []uint64) error { return nil }}
			if c.name == "umask" {
				f = &hostFunc{name: "umask", args: "io", call: procUmask}
			}
			call := h.wrap(f)
			done := make(chan struct{})
			g.todo <- func() {
				defer close(done)
				var ctx context.Context = g.in.c
				stack := make([]uint64, 2)
				b.ReportAllocs()
				for b.Loop() {
					stack[0], stack[1] = at(-1), 64
					call(ctx, g.in.mod, stack)
				}
			}
			<-done
		})
	}
}
