// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"bytes"
	"context"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/api"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

func TestExit(t *testing.T) {
	for _, c := range []struct {
		name string
		args []uint64
		want abi.WaitStatus
	}{
		{"wasi.proc_exit", []uint64{0}, abi.ExitedWith(0)},
		{"wasi.proc_exit", []uint64{255}, abi.ExitedWith(255)},
		{"wasi.proc_exit", []uint64{0xffffff01}, abi.ExitedWith(1)},
		{"wasi.proc_raise", []uint64{15}, abi.KilledBy(abi.SIGTERM)},
		{"wasi.proc_raise", []uint64{6}, abi.KilledBy(abi.SIGABRT)},
		{"wasi.proc_raise", []uint64{24}, abi.KilledBy(abi.SIGXFSZ)}, // of preview 1's numbers
		{"wasi.proc_raise", []uint64{30}, abi.KilledBy(abi.SIGSYS)},
		{"ext.proc_exit_signal", []uint64{uint64(abi.SIGHUP)}, abi.KilledBy(abi.SIGHUP)},
	} {
		g := newTestGuest(t)
		require.Equal(t, errLeft, g.call(c.name, c.args...), c.name)
		require.Equal(t, c.want, g.wait(g.p), "%s%v", c.name, c.args)
	}
	g := newTestGuest(t)
	g.ok("wasi.proc_raise", 0)
	g.ok("wasi.proc_raise", 16) // SIGCHLD is ignored
	g.fails(abi.EINVAL, "wasi.proc_raise", 31)
	g.fails(abi.EINVAL, "wasi.proc_raise", 1<<31)
	g.fails(abi.EINVAL, "ext.proc_exit_signal", 0)
	g.fails(abi.EINVAL, "ext.proc_exit_signal", 256+9)
	g.fails(abi.EINVAL, "ext.proc_kill", 1, 256+9)
}

// TestKilledInCall kills a process in a call that waits and in one that works.
func TestKilledInCall(t *testing.T) {
	g := newTestGuest(t)
	r, _ := g.pipe()
	iov, n := g.iov(0x100, 4)
	c := g.begin("wasi.fd_read", r, iov, n, 16)
	require.NoError(t, g.p.Signal(abi.SIGKILL))
	require.Equal(t, errLeft, g.result(c))
	require.Equal(t, abi.KilledBy(abi.SIGKILL), g.wait(g.p))

	g = newTestGuest(t)
	require.NoError(t, g.p.Signal(abi.SIGTERM))
	require.Equal(t, errLeft, g.call("wasi.random_get", 0, memSize))
	require.Equal(t, abi.KilledBy(abi.SIGTERM), g.wait(g.p))

	// At a yield point.
	g = newTestGuest(t)
	g.ok("ext.yield")
	require.NoError(t, g.p.Signal(abi.SIGTERM))
	require.Equal(t, errLeft, g.call("ext.yield"))
}

// TestStopped stops and resumes a process at its next call.
func TestStopped(t *testing.T) {
	g := newTestGuest(t)
	require.NoError(t, g.p.Signal(abi.SIGSTOP))
	c := g.begin("wasi.sched_yield")
	select {
	case <-c:
		require.Fail(t, "a stopped process runs")
	default:
	}
	require.NoError(t, g.p.Signal(abi.SIGCONT))
	require.Zero(t, g.result(c))
}

func TestYieldCallback(t *testing.T) {
	var got []*kernel.Process
	var mods []api.Module
	w := newWorld(t, worldOptions{host: Config{Yield: func(c *Context, mod api.Module) {
		got, mods = append(got, c.Process()), append(mods, mod)
	}}})
	g := w.newGuest(1)
	g.ok("ext.yield")
	require.Equal(t, []*kernel.Process{g.p}, got)
	require.Equal(t, g.in.mod.Memory(), mods[0].Memory())
	// Signals show at yields.
	g.ok("ext.sig_action", uint64(abi.SIGUSR1), uint64(abi.SigHandle))
	g.ok("ext.sig_flag", 0x40)
	g.put32(0x40, 0x80000000)
	require.NoError(t, g.p.Signal(abi.SIGUSR1))
	g.ok("ext.yield")
	require.Equal(t, 0x80000000|abi.SigFlagSignal, g.u32(0x40))
	g.ok("ext.sig_flag", 0)
	g.put32(0x40, 0)
	require.NoError(t, g.p.Signal(abi.SIGUSR1))
	g.ok("ext.yield")
	require.Zero(t, g.u32(0x40))
}

// TestInit runs functions without a process.
func TestInit(t *testing.T) {
	w := newWorld(t, worldOptions{})
	code, err := w.rt.CompileModule(context.Background(), trampolines(2))
	require.NoError(t, err)
	var first []byte
	for range 2 {
		c := NewInitContext()
		mod, err := w.instantiate(c, code)
		require.NoError(t, err)
		m := mod.Memory()
		call := func(name string, args ...uint64) abi.Errno {
			r, err := mod.ExportedFunction(name).Call(c, args...)
			require.NoError(t, err)
			if len(r) == 0 {
				return 0
			}
			return abi.Errno(r[0])
		}
		u32 := func(p uint32) uint32 { v, _ := m.ReadUint32Le(p); return v }
		u64 := func(p uint32) uint64 { v, _ := m.ReadUint64Le(p); return v }

		require.Zero(t, call("wasi.args_sizes_get", 0, 4))
		require.Zero(t, u32(0))
		require.Zero(t, call("wasi.environ_sizes_get", 0, 4))
		require.EqualValues(t, 1, u32(0), "variables for the run time of Go")
		require.Zero(t, call("ext.proc_environ", 0, 0, 4))
		require.Zero(t, u32(4))
		require.Zero(t, call("wasi.clock_time_get", 0, 0, 8))
		require.EqualValues(t, bootEpoch, u64(8))
		require.Zero(t, call("wasi.clock_res_get", 1, 8))
		require.Equal(t, abi.EINVAL, call("wasi.clock_res_get", 9, 8))
		require.Equal(t, abi.EBADF, call("wasi.fd_prestat_get", 3, 0))
		for fd := range uint64(3) {
			require.Zero(t, call("wasi.fd_fdstat_get", fd, 0x100))
			b, _ := m.ReadByte(0x100)
			require.EqualValues(t, abi.FiletypeCharacterDevice, b)
			require.Zero(t, call("wasi.fd_fdstat_set_flags", fd, 4))
			require.Zero(t, call("wasi.fd_filestat_get", fd, 0x100))
		}
		require.Equal(t, abi.EBADF, call("wasi.fd_fdstat_get", 3, 0x100))
		m.WriteUint32Le(0x200, 0x300)
		m.WriteUint32Le(0x204, 10)
		require.Zero(t, call("wasi.fd_write", 2, 0x200, 1, 0))
		require.EqualValues(t, 10, u32(0))
		require.Zero(t, call("wasi.fd_read", 0, 0x200, 1, 0))
		require.Zero(t, u32(0))
		require.Equal(t, abi.EBADF, call("wasi.fd_write", 3, 0x200, 1, 0))

		// A sleep takes no time, but the clocks move.
		m.Write(0x400, clockSub(1, abi.ClockMonotonic, 3600e9, 0))
		require.Zero(t, call("wasi.poll_oneoff", 0x400, 0x500, 1, 0))
		require.EqualValues(t, 1, u32(0))
		require.Zero(t, call("wasi.clock_time_get", 0, 0, 8))
		require.EqualValues(t, bootEpoch+3600e9, u64(8))
		m.Write(0x400, clockSub(1, abi.ClockMonotonic, ^uint64(0), 0))
		for range 5 {
			require.Zero(t, call("wasi.poll_oneoff", 0x400, 0x500, 1, 0))
		}
		require.Zero(t, call("wasi.sched_yield"))
		require.Zero(t, call("ext.yield"))

		require.Zero(t, call("wasi.random_get", 0x1000, 1000))
		r, _ := m.Read(0x1000, 1000)
		require.NotEqual(t, make([]byte, 1000), r)
		if first != nil {
			require.Equal(t, first, r, "random numbers are always the same")
		}
		first = bytes.Clone(r)

		// The rest needs a process.
		for _, l := range []struct {
			prefix string
			funcs  []hostFunc
		}{{"wasi.", preview1()}, {"ext.", extension()}} {
			for _, f := range l.funcs {
				if !f.init {
					require.Equal(t, abi.ENOSYS, call(l.prefix+f.name, make([]uint64, len(f.signature()))...), f.name)
				}
			}
		}
		require.NoError(t, mod.Close(context.Background()))
	}
}

func TestContextIsRequired(t *testing.T) {
	w := newWorld(t, worldOptions{})
	code, err := w.rt.CompileModule(context.Background(), trampolines(1))
	require.NoError(t, err)
	mod, err := w.instantiate(context.Background(), code)
	require.NoError(t, err)
	_, err = mod.ExportedFunction("wasi.sched_yield").Call(context.Background())
	require.ErrorContains(t, err, "without a wasihost.Context")
}

func TestContextReset(t *testing.T) {
	type key struct{}
	c := NewInitContext()
	require.Nil(t, c.Value(key{}))
	c.SetParent(context.WithValue(context.Background(), key{}, 1))
	require.Equal(t, 1, c.Value(key{}))
	c.sigFlag = 4
	p := new(kernel.Process)
	c.Reset(p)
	require.Same(t, p, c.Process())
	require.Nil(t, c.boot)
	require.Nil(t, c.Value(key{}))
	require.Zero(t, c.sigFlag)
}

// TestBoundedMemory asks for much in every place that takes a length.
func TestBoundedMemory(t *testing.T) {
	w := newWorld(t, worldOptions{})
	w.mkdir("dir")
	for i := range 300 {
		w.writeFile("dir/entry"+strconv.Itoa(i), 0o644, nil)
	}
	const pages, size = 512, 512 * 65536
	g := w.newGuest(pages)
	dir := g.open("dir", abi.ORdonly|abi.ODirectory)
	g.put32(0, 1) // the version of a SpawnSpec
	for i := range uint32(iovMax) {
		g.put32(0x10000+8*i, 0x20000, size-0x20000)
	}
	for _, c := range []struct {
		name string
		want abi.Errno
		args []uint64
	}{
		{"wasi.random_get", 0, []uint64{0x20000, size - 0x20000}},
		{"wasi.fd_readdir", 0, []uint64{dir, 0x20000, size - 0x20000, 0, 16}},
		{"ext.fd_dir_read", 0, []uint64{dir, 0x20000, size - 0x20000, 0, 1, 16}},
		{"wasi.fd_read", 0, []uint64{0, 0x10000, iovMax, 16}},
		{"wasi.fd_write", 0, []uint64{0, 0x10000, iovMax, 16}},
		{"ext.fd_read", 0, []uint64{0, 0x20000, size - 0x20000, 0, 16}},
		{"wasi.poll_oneoff", 0, []uint64{0x10000, 0x800000, pollMax, 16}},
		{"ext.poll", 0, []uint64{0x10000, pollMax, 0, 16}},
		{"wasi.path_open", abi.ENAMETOOLONG, []uint64{dir, 0, 0x20000, size - 0x20000, 0, 0, 0, 0, 16}},
		{"ext.path_symlink", abi.ENAMETOOLONG, []uint64{0x20000, size - 0x20000, dir, 0x20000, size - 0x20000}},
		{"ext.proc_spawn", abi.E2BIG, []uint64{0x20000, size - 0x20000, 16}},
		{"ext.proc_args", 0, []uint64{0x20000, size - 0x20000, 16}},
		{"ext.accel_index", 0, []uint64{0x20000, size - 0x20000, 0x20000, size - 0x20000, 16}},
		{"ext.accel_hash", 0, []uint64{0, 0x1000, 0x20000, size - 0x20000, 1}},
	} {
		var before, after runtime.MemStats
		clear(g.bytes(0x1000, abi.HashStateSize))
		runtime.ReadMemStats(&before)
		require.Equal(t, c.want.Name(), g.call(c.name, c.args...).Name(), c.name)
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8<<20), c.name)
	}
	for _, b := range g.in.c.iov[:cap(g.in.c.iov)] {
		require.Nil(t, b, "the context keeps a view of memory")
	}
}

func TestTrace(t *testing.T) {
	trace := &lines{}
	w := newWorld(t, worldOptions{host: Config{Trace: trace}})
	g := w.newGuest(2)
	p, n := g.str(0x100, "no such \"file\"")
	g.fails(abi.ENOENT, "ext.path_open", at(abi.AtCwd), p, n, uint64(abi.OWronly), 0o644, 0x10)
	g.ok("wasi.sched_yield")
	g.ok("ext.fd_dup", 1, 7, 0, 0x10)
	g.fails(abi.EFAULT, "ext.path_access", at(abi.AtCwd), memSize, 4, 0)
	require.Equal(t, errLeft, g.call("wasi.proc_exit", 3))
	w.wait(g.p)
	require.Equal(t, `2 path_open(-1, "no such \"file\"", 1, 420, 0x10) = 44 ENOENT
2 sched_yield() = 0
2 fd_dup(1, 7, 0, 0x10) = 0 -> 7
2 path_access(-1, 0x20000, 0) = 21 EFAULT
2 proc_exit(3) = ?
`, trace.String())
}
