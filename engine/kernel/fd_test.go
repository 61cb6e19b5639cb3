// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

func TestDescriptorAbuse(t *testing.T) {
	e := newEnv(t, kernel.Limits{Files: 64})
	bad := []int32{-1, -2, -1 << 31, 1<<31 - 1, 64, 63, 5, 1 << 20}
	e.ok(func(p *kernel.Process) {
		r, _, err := p.Pipe(0)
		require.NoError(t, err)
		b := make([]byte, 1)
		for _, fd := range bad {
			for name, f := range map[string]func() error{
				"read":      func() error { _, err := p.Read(fd, b, 0); return err },
				"write":     func() error { _, err := p.Write(fd, b, 0); return err },
				"pread":     func() error { _, err := p.Pread(fd, b, 0); return err },
				"pwrite":    func() error { _, err := p.Pwrite(fd, b, 0); return err },
				"seek":      func() error { _, err := p.Seek(fd, 0, 0); return err },
				"close":     func() error { return p.Close(fd) },
				"dup":       func() error { _, err := p.Dup(fd, 0, 0); return err },
				"dup to":    func() error { return p.DupTo(fd, 3, 0) },
				"renumber":  func() error { return p.Renumber(fd, r) },
				"renumber2": func() error { return p.Renumber(r, fd) },
				"renumber3": func() error { return p.Renumber(fd, fd) },
				"info":      func() error { _, err := p.FDInfo(fd); return err },
				"setfl":     func() error { return p.Setfl(fd, 0) },
				"cloexec":   func() error { return p.Cloexec(fd, true) },
				"stat":      func() error { _, err := p.Stat(fd); return err },
				"chmod":     func() error { return p.Fchmod(fd, 0) },
				"chown":     func() error { return p.Fchown(fd, 0, 0) },
				"utimes":    func() error { return p.Futimes(fd, 0, 0) },
				"truncate":  func() error { return p.Ftruncate(fd, 0) },
				"allocate":  func() error { return p.Allocate(fd, 0, 1) },
				"sync":      func() error { return p.Fsync(fd) },
				"readdir":   func() error { _, err := p.ReadDir(fd, nil, 0, 1, false); return err },
				"splice":    func() error { _, err := p.Splice(fd, 1, 1); return err },
				"splice2":   func() error { _, err := p.Splice(0, fd, 1); return err },
				"statfs":    func() error { _, err := p.Fstatfs(fd); return err },
				"fchdir":    func() error { return p.Fchdir(fd) },
				"rights":    func() error { _, _, err := p.Rights(fd); return err },
				"setrights": func() error { return p.SetRights(fd, 0, 0) },
				"buffered":  func() error { _, err := p.Buffered(fd); return err },
				"tty":       func() error { _, err := p.TTYGetpgrp(fd); return err },
			} {
				require.Equal(t, abi.EBADF, f(), "%s %d", name, fd)
			}
			if fd != -1 {
				_, err = p.Open(fd, "x", 0, 0)
				require.Equal(t, abi.EBADF, err)
			}
			_, ok := p.Preopen(fd)
			require.False(t, ok)
		}
		for _, fd := range []int32{-1, -1 << 31, 64, 1<<31 - 1} {
			require.Equal(t, abi.EBADF, p.DupTo(r, fd, 0), "dup to %d", fd)
			_, err = p.Dup(r, fd, 0)
			require.Equal(t, abi.EINVAL, err, "dup from %d on", fd)
			require.Equal(t, abi.EBADF, p.InstallPreopen(fd, "/", kernel.Preopen{}))
			s := spec("main")
			s.Actions = []abi.FDAction{{FD: fd, Src: r}}
			_, err = p.Spawn(s)
			require.Equal(t, abi.EBADF, err)
			if fd != -1 {
				s.Actions = []abi.FDAction{{FD: 5, Src: fd}}
				_, err = p.Spawn(s)
				require.Equal(t, abi.EBADF, err)
			}
		}
	})
}

func TestDescriptorsAreLowestFirst(t *testing.T) {
	e := newEnv(t, kernel.Limits{Files: 20})
	e.ok(func(p *kernel.Process) {
		for want := range int32(20) {
			fd, err := p.Open(abi.AtCwd, "/", 0, 0)
			require.NoError(t, err)
			require.Equal(t, want, fd)
		}
		_, err := p.Open(abi.AtCwd, "/", 0, 0)
		require.Equal(t, abi.EMFILE, err)
		_, err = p.Dup(0, 0, 0)
		require.Equal(t, abi.EMFILE, err)
		_, _, err = p.Pipe(0)
		require.Equal(t, abi.EMFILE, err)
		require.NoError(t, p.Close(19))
		_, _, err = p.Pipe(0)
		require.Equal(t, abi.EMFILE, err, "only one free")
		require.NoError(t, p.Close(7))
		require.NoError(t, p.Close(3))
		fd, err := p.Dup(0, 4, abi.OCloexec)
		require.NoError(t, err)
		require.Equal(t, int32(7), fd)
		i, err := p.FDInfo(fd)
		require.NoError(t, err)
		require.True(t, i.Cloexec)
		fd, err = p.Dup(0, 0, 0)
		require.NoError(t, err)
		require.Equal(t, int32(3), fd)
		require.NoError(t, p.Renumber(3, 7))
		_, err = p.FDInfo(3)
		require.Equal(t, abi.EBADF, err)
		require.NoError(t, p.Renumber(7, 7))
		fd, err = p.Dup(0, 0, 0)
		require.NoError(t, err)
		require.Equal(t, int32(3), fd)
		require.True(t, p.Job().Reached().Has(abi.LimitFiles))
	})
}

func TestSpawnActions(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		open := func(path string) int32 {
			fd, err := p.Open(abi.AtCwd, path, abi.OCreat|abi.ORdwr|abi.OCloexec, 0o600)
			require.NoError(t, err)
			return fd
		}
		a, b := open("/a"), open("/b")
		c, err := p.Dup(a, 0, 0)
		require.NoError(t, err)
		ino := func(p *kernel.Process, fd int32) uint64 {
			st, err := p.Stat(fd)
			if err != nil {
				require.Equal(t, abi.EBADF, err)
				return 0
			}
			return st.Ino
		}
		ia, ib := ino(p, a), ino(p, b)
		for _, tt := range []struct {
			name    string
			flags   abi.SpawnFlag
			actions []abi.FDAction
			want    []uint64
		}{
			{"inherit", 0, nil, []uint64{0, 0, ia, 0}},
			{"nothing", abi.SpawnNoInherit, nil, []uint64{0, 0, 0, 0}},
			{"swap", 0, []abi.FDAction{{FD: a, Src: b}, {FD: b, Src: a}}, []uint64{ib, ia, ia, 0}},
			{"close", 0, []abi.FDAction{{FD: c, Src: -1}, {FD: 50, Src: -1}}, []uint64{0, 0, 0, 0}},
			{"keep cloexec one", 0, []abi.FDAction{{FD: a, Src: a}}, []uint64{ia, 0, ia, 0}},
			{"far", 0, []abi.FDAction{{FD: 900, Src: b}, {FD: 3, Src: b}, {FD: 3, Src: -1}}, []uint64{0, 0, ia, 0}},
		} {
			e.bin.set("child", func(k *kernel.Process) abi.WaitStatus {
				got := []uint64{ino(k, 0), ino(k, 1), ino(k, 2), ino(k, 3)}
				require.Equal(t, tt.want, got, tt.name)
				if tt.name == "far" {
					require.Equal(t, ib, ino(k, 900))
				}
				return 0
			})
			s := spec("child")
			s.Flags, s.Actions = tt.flags, tt.actions
			pid, err := p.Spawn(s)
			require.NoError(t, err)
			require.Equal(t, abi.ExitedWith(0), e.reap(p, pid).Status)
		}
	})
	require.Zero(t, e.k.OpenFiles(), "every description is closed")
}

func TestDescriptionIsShared(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		fd, err := p.Open(abi.AtCwd, "/f", abi.OCreat|abi.ORdwr, 0o600)
		require.NoError(t, err)
		d, err := p.Dup(fd, 0, 0)
		require.NoError(t, err)
		_, err = p.Write(fd, []byte("0123456789"), 0)
		require.NoError(t, err)
		off, err := p.Tell(d)
		require.NoError(t, err)
		require.Equal(t, int64(10), off)
		_, err = p.Seek(d, 2, abi.SeekSet)
		require.NoError(t, err)
		buf := make([]byte, 3)
		_, err = p.Read(fd, buf, 0)
		require.NoError(t, err)
		require.Equal(t, "234", string(buf))
		require.NoError(t, p.Setfl(d, abi.OAppend))
		i, err := p.FDInfo(fd)
		require.NoError(t, err)
		require.Equal(t, abi.ORdwr|abi.OAppend, i.Flags)
		require.Equal(t, abi.ModeRegular, i.Mode)
		_, err = p.Write(fd, []byte("ab"), 0)
		require.NoError(t, err)
		off, err = p.Tell(d)
		require.NoError(t, err)
		require.Equal(t, int64(12), off)
		require.Equal(t, abi.EINVAL, p.Setfl(d, abi.OTrunc))

		// A child shares it, and what it writes moves the offset here.
		pid := e.spawn(p, "child", func(c *kernel.Process) abi.WaitStatus {
			_, err := c.Write(fd, []byte("child"), 0)
			require.NoError(t, err)
			return 0
		})
		e.reap(p, pid)
		off, err = p.Tell(d)
		require.NoError(t, err)
		require.Equal(t, int64(17), off)

		// Positioned access leaves the offset alone.
		n, err := p.Pwrite(fd, []byte("X"), 0)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		n, err = p.Pread(fd, buf, 16)
		require.NoError(t, err)
		require.Equal(t, "d", string(buf[:n]))
		_, err = p.Pread(fd, buf, -1)
		require.Equal(t, abi.EINVAL, err)

		for _, tt := range []struct {
			off    int64
			whence abi.Whence
			want   int64
			err    error
		}{
			{0, abi.SeekEnd, 17, nil},
			{-20, abi.SeekEnd, 0, abi.EINVAL},
			{-1, abi.SeekSet, 0, abi.EINVAL},
			{1<<63 - 1, abi.SeekEnd, 0, abi.EOVERFLOW},
			{-1 << 63, abi.SeekCur, 0, abi.EINVAL},
			{0, 3, 0, abi.EINVAL},
			{100, abi.SeekSet, 100, nil},
		} {
			off, err := p.Seek(fd, tt.off, tt.whence)
			require.Equal(t, tt.err, err, "%+v", tt)
			require.Equal(t, tt.want, off, "%+v", tt)
		}
		n, err = p.Read(fd, buf, 0)
		require.NoError(t, err)
		require.Zero(t, n)
	})
}

func TestAppendIsAtomic(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	const writers, each = 4, 100
	e.ok(func(p *kernel.Process) {
		e.bin.set("append", func(c *kernel.Process) abi.WaitStatus {
			fd, err := c.Open(abi.AtCwd, "/log", abi.OCreat|abi.OWronly|abi.OAppend, 0o600)
			require.NoError(t, err)
			for range each {
				_, err := c.Write(fd, []byte{byte(c.PID()), byte(c.PID()), byte(c.PID()), '\n'}, 0)
				require.NoError(t, err)
			}
			return 0
		})
		for range writers {
			_, err := p.Spawn(spec("append"))
			require.NoError(t, err)
		}
		for range writers {
			_, err := p.Wait(0, -1, 0)
			require.NoError(t, err)
		}
		fd, err := p.Open(abi.AtCwd, "/log", 0, 0)
		require.NoError(t, err)
		b := make([]byte, 4*writers*each+1)
		n, err := p.Read(fd, b, 0)
		require.NoError(t, err)
		require.Equal(t, 4*writers*each, n)
		for i := 0; i < n; i += 4 {
			require.Equal(t, []byte{b[i], b[i], b[i], '\n'}, b[i:i+4])
		}
	})
}

func TestRightsAndPreopens(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		require.NoError(t, p.Mkdir(abi.AtCwd, "/d", 0o700))
		require.NoError(t, p.Mkdir(abi.AtCwd, "/d/sub", 0o700))
		require.Equal(t, abi.ENOENT, p.InstallPreopen(3, "/none", kernel.Preopen{}))
		require.NoError(t, p.InstallPreopen(3, "/d", kernel.Preopen{GuestPath: ".", Beneath: true}))
		pre, ok := p.Preopen(3)
		require.True(t, ok)
		require.Equal(t, kernel.Preopen{GuestPath: ".", Beneath: true}, pre)
		for _, path := range []string{"..", "../other", "/", "/d", "sub/../.."} {
			_, err := p.Open(3, path, 0, 0)
			require.Equal(t, abi.EPERM, err, path)
		}
		sub, err := p.Open(3, "sub", abi.ODirectory, 0)
		require.NoError(t, err)
		_, err = p.Open(sub, "..", 0, 0)
		require.Equal(t, abi.EPERM, err, "what is opened beneath stays beneath")
		dup, err := p.Dup(sub, 0, 0)
		require.NoError(t, err)
		_, err = p.Open(dup, "..", 0, 0)
		require.Equal(t, abi.EPERM, err)
		_, ok = p.Preopen(sub)
		require.False(t, ok)

		base, inh, err := p.Rights(3)
		require.NoError(t, err)
		require.Equal(t, abi.RightsAll, base)
		require.Equal(t, abi.RightsAll, inh)
		require.NoError(t, p.SetRights(3, abi.RightPathOpen, abi.RightFDRead))
		require.Equal(t, abi.ENOTCAPABLE, p.SetRights(3, abi.RightPathOpen|abi.RightFDSync, 0))
		require.NoError(t, p.Renumber(3, dup))
		base, inh, err = p.Rights(dup)
		require.NoError(t, err)
		require.Equal(t, []abi.Rights{abi.RightPathOpen, abi.RightFDRead}, []abi.Rights{base, inh})
		_, ok = p.Preopen(dup)
		require.True(t, ok, "renumbering moves a preopen")
	})
}

func TestFileAttributes(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		fd, err := p.Open(abi.AtCwd, "/f", abi.OCreat|abi.ORdwr, 0o666)
		require.NoError(t, err)
		st, err := p.Stat(fd)
		require.NoError(t, err)
		require.Equal(t, abi.ModeRegular|0o644, st.Mode, "masked")
		require.NoError(t, p.Fchmod(fd, 0o600))
		require.NoError(t, p.Futimes(fd, 5e9, abi.UtimeOmit))
		require.NoError(t, p.Fchown(fd, ^uint32(0), 1000))
		require.Equal(t, abi.EPERM, p.Fchown(fd, 0, ^uint32(0)))
		require.Equal(t, abi.EPERM, p.Fchown(fd, ^uint32(0), 0))
		require.NoError(t, p.Ftruncate(fd, 100))
		require.NoError(t, p.Allocate(fd, 50, 10))
		require.NoError(t, p.Allocate(fd, 150, 50))
		st, err = p.Stat(fd)
		require.NoError(t, err)
		require.Equal(t, int64(200), st.Size)
		require.Equal(t, abi.ModeRegular|0o600, st.Mode)
		require.Equal(t, int64(5e9), st.Atim)
		require.Equal(t, abi.EINVAL, p.Ftruncate(fd, -1))
		require.Equal(t, abi.EINVAL, p.Allocate(fd, 0, 0))
		require.Equal(t, abi.EFBIG, p.Allocate(fd, 1<<62, 1<<62))
		require.NoError(t, p.Fsync(fd))
		fs, err := p.Fstatfs(fd)
		require.NoError(t, err)
		require.NotZero(t, fs.Blocks)
		ro, err := p.Open(abi.AtCwd, "/f", 0, 0)
		require.NoError(t, err)
		require.Equal(t, abi.EINVAL, p.Ftruncate(ro, 0))
		_, err = p.Write(ro, []byte("x"), 0)
		require.Equal(t, abi.EBADF, err)
		loc, err := p.Open(abi.AtCwd, "/f", abi.OPath, 0)
		require.NoError(t, err)
		_, err = p.Read(loc, make([]byte, 1), 0)
		require.Equal(t, abi.EBADF, err)
		_, err = p.Stat(loc)
		require.NoError(t, err)
		_, err = p.Open(abi.AtCwd, "/f", 3, 0)
		require.Equal(t, abi.EINVAL, err)
		d, err := p.Open(abi.AtCwd, "/", 0, 0)
		require.NoError(t, err)
		_, err = p.Read(d, make([]byte, 1), 0)
		require.Equal(t, abi.EISDIR, err)
		_, err = p.StatAt(fd, "x", true)
		require.Equal(t, abi.ENOTDIR, err)
	})
}

func TestVectors(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		r, w, err := p.Pipe(0)
		require.NoError(t, err)
		n, err := p.Writev(w, [][]byte{[]byte("ab"), nil, []byte("cde")}, 0)
		require.NoError(t, err)
		require.Equal(t, 5, n)
		x, y := make([]byte, 3), make([]byte, 10)
		n, err = p.Readv(r, [][]byte{x, nil, y}, 0)
		require.NoError(t, err)
		require.Equal(t, 5, n)
		require.Equal(t, "abcde", string(x)+string(y[:2]))
		n, err = p.Writev(w, [][]byte{make([]byte, 5000), make([]byte, 5000)}, 0)
		require.NoError(t, err)
		require.Equal(t, 10000, n)
		n, err = p.Writev(w, nil, 0)
		require.NoError(t, err)
		require.Zero(t, n)
		n, err = p.Readv(r, nil, 0)
		require.NoError(t, err)
		require.Zero(t, n)
	})
}
