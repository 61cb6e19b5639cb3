// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// newTestGuest starts a guest with 2 pages of memory and a confined preopen,
// descriptor 3, called "/sandbox", on the directory "/dir".
func newTestGuest(t testing.TB) *guest { return newTestGuestIn(t, nil) }

// newTestGuestIn is newTestGuest on the runtime of another world.
func newTestGuestIn(t testing.TB, shared *world) *guest {
	w := newWorld(t, worldOptions{kernel: kernel.Config{Hostname: "testhost"}, shared: shared})
	w.mkdir("dir")
	w.writeFile("dir/file", 0o644, []byte("0123456789"))
	w.writeFile("outside", 0o644, []byte("secret"))
	g := w.newGuest(2)
	g.preopen(3, "/dir", kernel.Preopen{GuestPath: "/sandbox", Beneath: true})
	return g
}

const memSize = 2 * 65536

// wasiOpen opens a path below descriptor 3.
func (g *guest) wasiOpen(path string, oflags abi.Oflags, base, inheriting abi.Rights, fdflags abi.Fdflags) uint64 {
	g.t.Helper()
	p, n := g.str(0x6000, path)
	g.ok("wasi.path_open", 3, 1, p, n, uint64(oflags), uint64(base), uint64(inheriting), uint64(fdflags), 0x6f00)
	return uint64(g.u32(0x6f00))
}

// iov puts an iovec array at 0x5000.
func (g *guest) iov(v ...uint32) (uint64, uint64) {
	g.put32(0x5000, v...)
	return 0x5000, uint64(len(v) / 2)
}

func TestArgsEnviron(t *testing.T) {
	g := newTestGuest(t)
	g.ok("wasi.args_sizes_get", 16, 20)
	require.EqualValues(t, 3, g.u32(16))
	require.EqualValues(t, len("tramp\x00one\x00\x00"), g.u32(20))
	g.ok("wasi.args_get", 0x100, 0x200)
	require.Equal(t, "tramp\x00one\x00\x00", string(g.bytes(0x200, 11)))
	require.EqualValues(t, 0x200, g.u32(0x100))
	require.EqualValues(t, 0x206, g.u32(0x104))
	require.EqualValues(t, 0x20a, g.u32(0x108))
	g.fails(abi.EFAULT, "wasi.args_get", 0x100, memSize-10)
	g.ok("wasi.args_get", 0x100, memSize-11)
	g.fails(abi.EFAULT, "wasi.args_get", memSize-11, 0x100)
	g.fails(abi.EFAULT, "wasi.args_get", 0xfffffffc, 0x100)
	g.fails(abi.EFAULT, "wasi.args_sizes_get", memSize-3, 0)
	g.ok("wasi.environ_sizes_get", 16, 20)
	require.EqualValues(t, 2, g.u32(16))
	g.ok("wasi.environ_get", 0x100, 0x200)
	require.Equal(t, "A=b\x00C=\x00", string(g.bytes(0x200, 7)))

	// The extension's form tells the length where the buffer is too small.
	g.fails(abi.ERANGE, "ext.proc_args", 0x200, 10, 16)
	require.EqualValues(t, 11, g.u32(16))
	g.ok("ext.proc_args", 0x200, 11, 16)
	require.Equal(t, "tramp\x00one\x00\x00", string(g.bytes(0x200, 11)))
	g.fails(abi.EFAULT, "ext.proc_args", memSize-10, 11, 16)
	g.fails(abi.EFAULT, "ext.proc_args", 0, 11, memSize)
}

func TestMemoryBounds(t *testing.T) {
	g := newTestGuest(t)
	for _, c := range []struct {
		name string
		args []uint64
		want abi.Errno
	}{
		{"wasi.random_get", []uint64{0, memSize}, 0},
		{"wasi.random_get", []uint64{0, memSize + 1}, abi.EFAULT},
		{"wasi.random_get", []uint64{1, memSize}, abi.EFAULT},
		{"wasi.random_get", []uint64{memSize, 0}, 0},
		{"wasi.random_get", []uint64{memSize + 1, 0}, abi.EFAULT},
		{"wasi.random_get", []uint64{0xffffffff, 0xffffffff}, abi.EFAULT},
		{"wasi.random_get", []uint64{0xffffffff, 2}, abi.EFAULT},
		{"wasi.clock_time_get", []uint64{0, 0, memSize - 8}, 0},
		{"wasi.clock_time_get", []uint64{0, 0, memSize - 7}, abi.EFAULT},
		{"wasi.clock_time_get", []uint64{0, 0, 0xfffffffc}, abi.EFAULT},
		{"wasi.clock_time_get", []uint64{4, 0, 0}, abi.EINVAL},
		{"wasi.clock_res_get", []uint64{3, 0}, 0},
		{"wasi.clock_res_get", []uint64{0xffffffff, 0}, abi.EINVAL},
		{"wasi.fd_read", []uint64{0, memSize - 7, 1, 0}, abi.EFAULT},
		{"wasi.fd_read", []uint64{0, 0, 0x20000001, 0}, abi.EINVAL}, // 8 * n overflows
		{"wasi.fd_read", []uint64{0, 0, 1025, 0}, abi.EINVAL},
		{"wasi.fd_read", []uint64{0, 0, 1024, 0}, 0},
		{"wasi.fd_read", []uint64{0, 0, 1, memSize - 3}, abi.EFAULT},
		{"wasi.fd_read", []uint64{99, memSize, 1, memSize}, abi.EBADF}, // before the pointers
		{"wasi.fd_write", []uint64{at(-1), 0, 0, 0}, abi.EBADF},
		{"wasi.fd_fdstat_get", []uint64{0, memSize - 23}, abi.EFAULT},
		{"wasi.fd_filestat_get", []uint64{3, memSize - 63}, abi.EFAULT},
		{"wasi.fd_prestat_get", []uint64{3, memSize - 7}, abi.EFAULT},
		{"wasi.fd_prestat_dir_name", []uint64{3, memSize - 7, 8}, abi.EFAULT},
		{"wasi.fd_prestat_dir_name", []uint64{3, 0, 7}, abi.ENAMETOOLONG},
		{"wasi.fd_prestat_dir_name", []uint64{3, 0, 0xffffffff}, 0},
		{"wasi.path_create_directory", []uint64{3, memSize - 1, 2}, abi.EFAULT},
		{"wasi.path_create_directory", []uint64{3, 0, 4096}, abi.ENAMETOOLONG},
		{"wasi.path_create_directory", []uint64{3, 0, 0xffffffff}, abi.EFAULT},
		{"wasi.poll_oneoff", []uint64{0, 0, 0x0aaaaaab, 0}, abi.EINVAL},
		{"wasi.poll_oneoff", []uint64{memSize - 47, 0, 1, 0}, abi.EFAULT},
		{"wasi.poll_oneoff", []uint64{0, memSize - 31, 1, 0}, abi.EFAULT},
		{"ext.poll", []uint64{0, 0x20000001, 0, 0}, abi.EINVAL},
		{"ext.proc_spawn", []uint64{0, 0xffffffff, 0}, abi.EFAULT},
		{"ext.proc_spawn", []uint64{0, memSize, 0}, abi.EINVAL},
		{"ext.accel_hash", []uint64{0, memSize - 255, 0, 0, 0}, abi.EFAULT},
		{"ext.accel_hash", []uint64{0, 0, 1, memSize, 0}, abi.EFAULT},
		{"ext.accel_index", []uint64{0, memSize, 1, memSize, 0}, abi.EFAULT},
		{"ext.sig_flag", []uint64{memSize - 3}, abi.EFAULT},
	} {
		clear(g.bytes(0, memSize))
		require.Equal(t, c.want.Name(), g.call(c.name, c.args...).Name(), "%s%v", c.name, c.args)
	}
}

func TestNoMemory(t *testing.T) {
	w := newWorld(t, worldOptions{})
	g := w.newGuest(0)
	g.fails(abi.EFAULT, "wasi.args_sizes_get", 0, 4)
	g.fails(abi.EFAULT, "wasi.fd_write", 1, 0, 0, 0)
	g.fails(abi.EFAULT, "wasi.random_get", 0, 0)
	g.fails(abi.EFAULT, "ext.proc_umask", at(-1), 0)
	g.ok("wasi.sched_yield")
	require.Equal(t, errLeft, g.call("wasi.proc_exit", 33))
	require.Equal(t, abi.ExitedWith(33), w.wait(g.p))
}

func TestReadWrite(t *testing.T) {
	g := newTestGuest(t)
	fd := g.wasiOpen("file", 0, abi.RightFDRead|abi.RightFDWrite|abi.RightFDSeek|abi.RightFDTell, 0, 0)
	iov, n := g.iov(0x100, 3, 0, 0, 0x200, 2, 0x300, 100)
	g.ok("wasi.fd_read", fd, iov, n, 16)
	require.EqualValues(t, 10, g.u32(16))
	require.Equal(t, "012", string(g.bytes(0x100, 3)))
	require.Equal(t, "34", string(g.bytes(0x200, 2)))
	require.Equal(t, "56789", string(g.bytes(0x300, 5)))
	g.ok("wasi.fd_read", fd, iov, n, 16)
	require.Zero(t, g.u32(16))

	// Buffers may overlap.
	g.put(0x100, []byte("abcdef"))
	iov, n = g.iov(0x100, 4, 0x102, 4)
	g.ok("wasi.fd_pwrite", fd, iov, n, 8, 16)
	require.EqualValues(t, 8, g.u32(16))
	g.ok("wasi.fd_seek", fd, 8, uint64(abi.SeekSet), 16)
	iov, n = g.iov(0x400, 4, 0x402, 100)
	g.ok("wasi.fd_read", fd, iov, n, 16)
	require.EqualValues(t, 8, g.u32(16))
	require.Equal(t, "abcdef", string(g.bytes(0x400, 6)))
	g.ok("wasi.fd_tell", fd, 16)
	require.EqualValues(t, 16, g.u64(16))
	require.Equal(t, "01234567abcdcdef", g.readFile("dir/file"))

	iov, n = g.iov(0x100, 8)
	g.ok("wasi.fd_pread", fd, iov, n, 12, 16)
	require.EqualValues(t, 4, g.u32(16))
	require.Equal(t, "cdef", string(g.bytes(0x100, 4)))
	g.fails(abi.EINVAL, "wasi.fd_pread", fd, iov, n, 1<<63, 16)
	g.fails(abi.EINVAL, "wasi.fd_seek", fd, 0, 3, 16)
	g.fails(abi.EINVAL, "wasi.fd_seek", fd, ^uint64(0), uint64(abi.SeekSet), 16)
	g.fails(abi.EFAULT, "wasi.fd_seek", fd, 0, 0, memSize-7)

	// One buffer out of bounds: nothing is done.
	iov, n = g.iov(0x100, 4, memSize-1, 2)
	g.fails(abi.EFAULT, "wasi.fd_pwrite", fd, iov, n, 0, 16)
	require.Equal(t, "01234567abcdcdef", g.readFile("dir/file"))

	g.ok("wasi.fd_close", fd)
	g.fails(abi.EBADF, "wasi.fd_close", fd)

	iov, n = g.iov(0x100, 4)
	g.put(0x100, []byte("out\n"))
	g.ok("wasi.fd_write", 1, iov, n, 16)
	require.Equal(t, "out\n", string(g.out.Bytes()))
	g.ok("wasi.fd_read", 0, iov, n, 16)
	require.Zero(t, g.u32(16))
}

func TestRights(t *testing.T) {
	g := newTestGuest(t)
	iov, n := g.iov(0x100, 4)

	ro := g.wasiOpen("file", 0, abi.RightFDRead, 0, 0)
	g.fails(abi.ENOTCAPABLE, "wasi.fd_seek", ro, 0, 0, 16)
	g.fails(abi.ENOTCAPABLE, "wasi.fd_tell", ro, 16)
	g.fails(abi.ENOTCAPABLE, "wasi.fd_pread", ro, iov, n, 0, 16)
	g.fails(abi.ENOTCAPABLE, "wasi.fd_filestat_get", ro, 0x200)
	g.fails(abi.ENOTCAPABLE, "wasi.fd_filestat_set_times", ro, 0, 0, 0)
	g.fails(abi.ENOTCAPABLE, "wasi.fd_advise", ro, 0, 1, 0)
	g.fails(abi.ENOTCAPABLE, "wasi.fd_sync", ro)
	g.fails(abi.ENOTCAPABLE, "wasi.fd_datasync", ro)
	g.fails(abi.ENOTCAPABLE, "wasi.fd_fdstat_set_flags", ro, 0)
	g.fails(abi.ENOTCAPABLE, "wasi.fd_fdstat_set_rights", ro, uint64(abi.RightFDRead|abi.RightFDWrite), 0)
	// Rights that cannot apply give way to what is wrong.
	g.fails(abi.EBADF, "wasi.fd_write", ro, iov, n, 16)
	g.fails(abi.EBADF, "wasi.fd_allocate", ro, 0, 1)
	g.fails(abi.EINVAL, "wasi.fd_filestat_set_size", ro, 1)
	g.fails(abi.ENOTDIR, "wasi.fd_readdir", ro, 0, 100, 0, 16)
	g.ok("wasi.fd_fdstat_get", ro, 0x200)
	require.EqualValues(t, abi.FiletypeRegularFile, g.bytes(0x200, 1)[0])
	require.Equal(t, uint64(abi.RightFDRead), g.u64(0x208))
	require.Zero(t, g.u64(0x210))
	g.ok("wasi.fd_read", ro, iov, n, 16)
	g.ok("wasi.fd_fdstat_set_rights", ro, 0, 0)
	g.fails(abi.ENOTCAPABLE, "wasi.fd_read", ro, iov, n, 16)
	// fd_tell suffices for where the offset is.
	tell := g.wasiOpen("file", 0, abi.RightFDTell, 0, 0)
	g.ok("wasi.fd_seek", tell, 0, uint64(abi.SeekCur), 16)
	g.ok("wasi.fd_tell", tell, 16)
	g.fails(abi.ENOTCAPABLE, "wasi.fd_seek", tell, 1, uint64(abi.SeekCur), 16)

	// What a directory does not pass on cannot be had through it.
	dir := g.wasiOpen(".", abi.OflagDirectory, abi.RightPathOpen|abi.RightFDSeek, abi.RightFDRead, 0)
	g.ok("wasi.fd_fdstat_get", dir, 0x200)
	require.Equal(t, uint64(abi.RightPathOpen), g.u64(0x208), "fd_seek does not apply to directories")
	require.Equal(t, uint64(abi.RightFDRead), g.u64(0x210))
	p, k := g.str(0x6000, "file")
	g.fails(abi.ENOTCAPABLE, "wasi.path_open", dir, 0, p, k, 0, uint64(abi.RightFDWrite), 0, 0, 16)
	g.fails(abi.ENOTCAPABLE, "wasi.path_open", dir, 0, p, k, 0, 0, uint64(abi.RightFDWrite), 0, 16)
	g.fails(abi.ENOTCAPABLE, "wasi.path_open", dir, 0, p, k, uint64(abi.OflagCreat), 0, 0, 0, 16)
	g.fails(abi.ENOTCAPABLE, "wasi.path_open", dir, 0, p, k, uint64(abi.OflagTrunc), 0, 0, 0, 16)
	g.ok("wasi.path_open", dir, 0, p, k, 0, uint64(abi.RightFDRead), 0, 0, 16)
	for _, c := range []struct {
		name string
		args []uint64
	}{
		{"wasi.path_create_directory", []uint64{dir, p, k}},
		{"wasi.path_filestat_get", []uint64{dir, 0, p, k, 0x200}},
		{"wasi.path_filestat_set_times", []uint64{dir, 0, p, k, 0, 0, 0}},
		{"wasi.path_link", []uint64{dir, 0, p, k, dir, p, k}},
		{"wasi.path_link", []uint64{3, 0, p, k, dir, p, k}},
		{"wasi.path_readlink", []uint64{dir, p, k, 0x200, 10, 16}},
		{"wasi.path_remove_directory", []uint64{dir, p, k}},
		{"wasi.path_rename", []uint64{dir, p, k, dir, p, k}},
		{"wasi.path_rename", []uint64{3, p, k, dir, p, k}},
		{"wasi.path_symlink", []uint64{p, k, dir, p, k}},
		{"wasi.path_unlink_file", []uint64{dir, p, k}},
		{"wasi.fd_readdir", []uint64{dir, 0x200, 100, 0, 16}},
	} {
		require.Equal(t, "ENOTCAPABLE", g.call(c.name, c.args...).Name(), c.name)
	}
	// Truncating without fd_write leaves a descriptor that cannot write.
	trunc := g.wasiOpen("file", abi.OflagTrunc, 0, 0, 0)
	require.Empty(t, g.readFile("dir/file"))
	g.fails(abi.ENOTCAPABLE, "wasi.fd_write", trunc, iov, n, 16)
}

func TestDirectoryDescriptor(t *testing.T) {
	g := newTestGuest(t)
	iov, n := g.iov(0x100, 4)
	dir := g.wasiOpen(".", abi.OflagDirectory, rightsDirectory, abi.RightsAll, 0)
	for _, fd := range []uint64{3, dir} {
		for _, c := range []struct {
			name string
			args []uint64
			want abi.Errno
		}{
			{"wasi.fd_read", []uint64{fd, iov, n, 16}, abi.EISDIR},
			{"wasi.fd_write", []uint64{fd, iov, n, 16}, abi.EBADF},
			{"wasi.fd_pread", []uint64{fd, iov, n, 0, 16}, abi.EISDIR},
			{"wasi.fd_pwrite", []uint64{fd, iov, n, 0, 16}, abi.EBADF},
			{"wasi.fd_seek", []uint64{fd, 0, 1, 16}, abi.EISDIR},
			{"wasi.fd_tell", []uint64{fd, 16}, abi.EISDIR},
			{"wasi.fd_allocate", []uint64{fd, 0, 1}, abi.EBADF},
			{"wasi.fd_filestat_set_size", []uint64{fd, 0}, abi.EINVAL},
			{"wasi.fd_advise", []uint64{fd, 0, 0, 0}, abi.EBADF},
		} {
			require.Equal(t, c.want.Name(), g.call(c.name, c.args...).Name(), "%s(%d)", c.name, fd)
		}
	}
	g.ok("wasi.fd_prestat_get", 3, 0x200)
	require.Zero(t, g.u32(0x200))
	require.EqualValues(t, len("/sandbox"), g.u32(0x204))
	g.ok("wasi.fd_prestat_dir_name", 3, 0x200, 8)
	require.Equal(t, "/sandbox", string(g.bytes(0x200, 8)))
	g.fails(abi.EBADF, "wasi.fd_prestat_get", dir, 0x200)
	g.fails(abi.EBADF, "wasi.fd_prestat_get", 99, 0x200)
	// The preopen's name moves with the descriptor.
	g.ok("wasi.fd_renumber", 3, dir)
	g.fails(abi.EBADF, "wasi.fd_prestat_get", 3, 0x200)
	g.fails(abi.EBADF, "wasi.fd_renumber", dir, 3)
	g.fails(abi.EBADF, "wasi.fd_renumber", 3, dir)
	g.fails(abi.EBADF, "wasi.fd_renumber", dir, at(-1))
	g.fails(abi.EBADF, "wasi.fd_renumber", dir, 1<<31-1)
}

func TestFileSize(t *testing.T) {
	g := newTestGuest(t)
	fd := g.wasiOpen("file", 0, rightsRegular, 0, 0)
	size := func() uint64 {
		g.ok("wasi.fd_filestat_get", fd, 0x200)
		return g.u64(0x200 + 32)
	}
	require.EqualValues(t, 10, size())
	g.ok("wasi.fd_allocate", fd, 5, 3)
	require.EqualValues(t, 10, size())
	g.ok("wasi.fd_allocate", fd, 5, 30)
	require.EqualValues(t, 35, size())
	g.fails(abi.EINVAL, "wasi.fd_allocate", fd, 5, 0)
	g.fails(abi.EINVAL, "wasi.fd_allocate", fd, 1<<63, 1)
	g.fails(abi.EFBIG, "wasi.fd_allocate", fd, 1<<63-1, 1)
	g.ok("wasi.fd_filestat_set_size", fd, 7)
	require.EqualValues(t, 7, size())
	g.fails(abi.EINVAL, "wasi.fd_filestat_set_size", fd, 1<<63)
	for advice := range uint64(6) {
		g.ok("wasi.fd_advise", fd, 0, 0, advice)
	}
	g.fails(abi.EINVAL, "wasi.fd_advise", fd, 0, 0, 6)
	g.fails(abi.EINVAL, "wasi.fd_advise", fd, 1<<63, 0, 0)
	g.ok("wasi.fd_sync", fd)
	g.ok("wasi.fd_datasync", fd)
}

func TestTimes(t *testing.T) {
	g := newTestGuest(t)
	fd := g.wasiOpen("file", 0, rightsRegular, 0, 0)
	times := func() (atim, mtim uint64) {
		g.ok("wasi.fd_filestat_get", fd, 0x200)
		return g.u64(0x200 + 40), g.u64(0x200 + 48)
	}
	g.ok("wasi.fd_filestat_set_times", fd, 100, 200, uint64(abi.FstAtim|abi.FstMtim))
	a, m := times()
	require.EqualValues(t, 100, a)
	require.EqualValues(t, 200, m)
	g.ok("wasi.fd_filestat_set_times", fd, 300, 300, uint64(abi.FstMtim))
	a, m = times()
	require.EqualValues(t, 100, a)
	require.EqualValues(t, 300, m)
	g.ok("wasi.fd_filestat_set_times", fd, 5, 5, uint64(abi.FstAtimNow))
	a, m = times()
	require.Greater(t, a, uint64(1e18))
	require.EqualValues(t, 300, m)
	g.ok("wasi.fd_filestat_set_times", fd, 5, 5, 0)
	for _, f := range []abi.Fstflags{abi.FstAtim | abi.FstAtimNow, abi.FstMtim | abi.FstMtimNow, 16, 0x8000} {
		g.fails(abi.EINVAL, "wasi.fd_filestat_set_times", fd, 0, 0, uint64(f))
	}
	g.fails(abi.EINVAL, "wasi.fd_filestat_set_times", fd, 1<<63, 0, uint64(abi.FstAtim))
	p, n := g.str(0x6000, "file")
	g.ok("wasi.path_filestat_set_times", 3, 0, p, n, 1, 2, uint64(abi.FstAtim|abi.FstMtim))
	a, m = times()
	require.EqualValues(t, 1, a)
	require.EqualValues(t, 2, m)
	g.fails(abi.EINVAL, "wasi.path_filestat_set_times", 3, 0, p, n, 1, 2, uint64(abi.FstMtim|abi.FstMtimNow))
	g.fails(abi.EINVAL, "wasi.path_filestat_set_times", 3, 2, p, n, 1, 2, 0)
}

func TestStatusFlags(t *testing.T) {
	g := newTestGuest(t)
	fd := g.wasiOpen("file", 0, rightsRegular, 0, abi.FdflagAppend|abi.FdflagDsync)
	flags := func() abi.Fdflags {
		g.ok("wasi.fd_fdstat_get", fd, 0x200)
		return abi.Fdflags(binary.LittleEndian.Uint16(g.bytes(0x202, 2)))
	}
	require.Equal(t, abi.FdflagAppend|abi.FdflagSync, flags())
	g.put(0x100, []byte("end"))
	iov, n := g.iov(0x100, 3)
	g.ok("wasi.fd_write", fd, iov, n, 16)
	require.Equal(t, "0123456789end", g.readFile("dir/file"))
	g.ok("wasi.fd_fdstat_set_flags", fd, uint64(abi.FdflagNonblock))
	require.Equal(t, abi.FdflagNonblock, flags())
	g.ok("wasi.fd_seek", fd, 0, 0, 16)
	g.ok("wasi.fd_write", fd, iov, n, 16)
	require.Equal(t, "end3456789end", g.readFile("dir/file"))
	g.fails(abi.EINVAL, "wasi.fd_fdstat_set_flags", fd, 32)
	g.fails(abi.EINVAL, "wasi.fd_fdstat_set_flags", fd, 1<<16)
	p, k := g.str(0x6000, "file")
	g.fails(abi.EINVAL, "wasi.path_open", 3, 0, p, k, 0, 0, 0, 32, 16)
	g.fails(abi.EINVAL, "wasi.path_open", 3, 0, p, k, 16, 0, 0, 0, 16)
	g.fails(abi.EINVAL, "wasi.path_open", 3, 2, p, k, 0, 0, 0, 0, 16)
	g.fails(abi.EINVAL, "wasi.path_open", 3, 0, p, k, uint64(abi.OflagCreat|abi.OflagDirectory), 0, 0, 0, 16)
}

// TestNonblock makes a descriptor non-blocking that shares its description with
// another one, which must go on waiting.
func TestNonblock(t *testing.T) {
	g := newTestGuest(t)
	iov, n := g.iov(0x100, 8)
	r, _ := g.pipe()
	g.ok("ext.fd_dup", r, 70, 0, 16)
	const high = 70 // beyond the bits that the context keeps
	for _, fd := range []uint64{r, high} {
		g.ok("wasi.fd_fdstat_set_flags", fd, uint64(abi.FdflagNonblock))
		g.fails(abi.EAGAIN, "wasi.fd_read", fd, iov, n, 16)
		g.ok("wasi.fd_fdstat_get", fd, 0x200)
		require.EqualValues(t, abi.FdflagNonblock, g.bytes(0x202, 1)[0])
		g.ok("wasi.fd_fdstat_set_flags", fd, 0)
		g.ok("wasi.fd_fdstat_get", fd, 0x200)
		require.Zero(t, g.bytes(0x202, 1)[0])
	}
	g.ok("wasi.fd_fdstat_set_flags", r, uint64(abi.FdflagNonblock))
	g.ok("ext.fd_info", high, 0x200)
	require.Zero(t, abi.OpenFlag(g.u32(0x204))&abi.ONonblock, "the description still blocks")
	// The other descriptor waits; what wakes it is the data.
	waiting := g.begin("wasi.fd_read", high, iov, n, 16)
	require.NoError(t, g.p.Signal(abi.SIGCONT))
	select {
	case e := <-waiting:
		require.Fail(t, "the call does not wait", e.Name())
	default:
	}
	require.NoError(t, g.p.Signal(abi.SIGKILL))
	require.Equal(t, errLeft, g.result(waiting))

	// The flag moves with the descriptor and goes with it.
	g = newTestGuest(t)
	r, _ = g.pipe()
	iov, n = g.iov(0x100, 8)
	g.ok("wasi.fd_fdstat_set_flags", r, uint64(abi.FdflagNonblock))
	g.ok("wasi.fd_renumber", r, 2)
	g.fails(abi.EAGAIN, "wasi.fd_read", 2, iov, n, 16)
	g.ok("wasi.fd_close", 2)
	require.Zero(t, g.in.c.nonblock)
	r, w := g.pipe()
	require.EqualValues(t, 2, r)
	g.ok("ext.fd_dup", r, 80, 0, 16)
	g.ok("wasi.fd_fdstat_set_flags", r, uint64(abi.FdflagNonblock))
	g.ok("ext.fd_dup_to", w, r, 0)
	require.Zero(t, g.in.c.nonblock)
	// One opened so is, description and all.
	fd := g.wasiOpen("file", 0, rightsRegular, 0, abi.FdflagNonblock)
	g.ok("ext.fd_info", fd, 0x200)
	require.NotZero(t, abi.OpenFlag(g.u32(0x204))&abi.ONonblock)
	g.ok("wasi.fd_fdstat_set_flags", fd, 0)
	g.ok("ext.fd_info", fd, 0x200)
	require.Zero(t, abi.OpenFlag(g.u32(0x204))&abi.ONonblock)
}

func TestSockets(t *testing.T) {
	g := newTestGuest(t)
	for _, c := range []struct {
		name string
		rest []uint64
	}{
		{"wasi.sock_accept", []uint64{0, 0}}, {"wasi.sock_recv", []uint64{0, 0, 0, 0, 0}},
		{"wasi.sock_send", []uint64{0, 0, 0, 0}}, {"wasi.sock_shutdown", []uint64{3}},
	} {
		g.fails(abi.ENOTSOCK, c.name, append([]uint64{1}, c.rest...)...)
		g.fails(abi.EBADF, c.name, append([]uint64{77}, c.rest...)...)
		g.fails(abi.EBADF, c.name, append([]uint64{at(-1)}, c.rest...)...)
	}
}

// dirent is a decoded preview 1 directory entry.
type dirent struct {
	next, ino uint64
	name      string
	namlen    uint32
	typ       abi.Filetype
}

func decodeDirents(b []byte) (l []dirent, rest int) {
	for len(b) >= abi.DirentSize {
		d := dirent{
			next: binary.LittleEndian.Uint64(b), ino: binary.LittleEndian.Uint64(b[8:]),
			namlen: binary.LittleEndian.Uint32(b[16:]), typ: abi.Filetype(b[20]),
		}
		if int(d.namlen) > len(b)-abi.DirentSize {
			break
		}
		d.name = string(b[abi.DirentSize:][:d.namlen])
		b = b[abi.DirentSize+int(d.namlen):]
		l = append(l, d)
	}
	return l, len(b)
}

func TestReaddir(t *testing.T) {
	g := newTestGuest(t)
	g.mkdir("dir/sub")
	want := map[string]abi.Filetype{
		".": abi.FiletypeDirectory, "..": abi.FiletypeDirectory,
		"file": abi.FiletypeRegularFile, "sub": abi.FiletypeDirectory, "link": abi.FiletypeSymbolicLink,
		strings.Repeat("n", 255): abi.FiletypeRegularFile,
	}
	require.NoError(t, g.fs.Symlink("file", "dir/link"))
	g.writeFile("dir/"+strings.Repeat("n", 255), 0o644, nil)
	fd := g.wasiOpen(".", abi.OflagDirectory, rightsDirectory, 0, 0)
	for _, size := range []uint32{300, 512, 4096, 100000} {
		got := map[string]abi.Filetype{}
		cookie := uint64(0)
		for range 20 {
			g.ok("wasi.fd_readdir", fd, 0x100, uint64(size), cookie, 16)
			used := g.u32(16)
			require.LessOrEqual(t, used, size)
			l, rest := decodeDirents(g.bytes(0x100, used))
			for _, d := range l {
				require.NotContains(t, got, d.name, "size %d", size)
				got[d.name] = d.typ
				cookie = d.next
			}
			if used < size {
				require.Zero(t, rest, "cut entries fill the buffer")
				break
			}
		}
		require.Equal(t, want, got, "size %d", size)
	}
	// Buffers too small for anything.
	for size := range uint64(40) {
		g.ok("wasi.fd_readdir", fd, 0x100, size, 0, 16)
		require.EqualValues(t, min(size, abi.DirentSize+1+abi.DirentSize), g.u32(16))
	}
	// Cookies that no entry has.
	for _, cookie := range []uint64{1 << 20, 1<<63 - 1, 1 << 63, ^uint64(0)} {
		e := g.call("wasi.fd_readdir", fd, 0x100, 4096, cookie, 16)
		if e == 0 {
			require.Zero(t, g.u32(16), "cookie %#x", cookie)
		} else {
			require.Equal(t, "EINVAL", e.Name(), "cookie %#x", cookie)
		}
	}
	g.fails(abi.EFAULT, "wasi.fd_readdir", fd, memSize-10, 11, 0, 16)
	g.fails(abi.EFAULT, "wasi.fd_readdir", fd, 0x100, 100, 0, memSize-3)
	// The extension never cuts entries.
	g.fails(abi.EINVAL, "ext.fd_dir_read", fd, 0x100, abi.DirentExtSize, 0, 0, 16)
	g.ok("ext.fd_dir_read", fd, 0x100, abi.DirentExtSize+1, 0, 0, 16)
	require.EqualValues(t, abi.DirentExtSize+1, g.u32(16))
	g.fails(abi.EINVAL, "ext.fd_dir_read", fd, 0x100, 1000, 0, 2, 16)
}
