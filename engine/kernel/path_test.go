// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

func TestPaths(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		const cwd = abi.AtCwd
		require.Equal(t, uint32(0o22), p.Umask(0o27))
		require.NoError(t, p.Mkdir(cwd, "d", 0o1777))
		st, err := p.StatAt(cwd, "d", true)
		require.NoError(t, err)
		require.Equal(t, abi.ModeDir|0o1750, st.Mode)
		d, err := p.Open(cwd, "d", abi.ODirectory, 0)
		require.NoError(t, err)
		f, err := p.Open(d, "f", abi.OCreat|abi.OWronly|abi.OExcl, 0o666)
		require.NoError(t, err)
		_, err = p.Open(d, "f", abi.OCreat|abi.OWronly|abi.OExcl, 0o666)
		require.Equal(t, abi.EEXIST, err)
		require.NoError(t, p.Close(f))
		require.NoError(t, p.Symlink("f", d, "l"))
		target, err := p.Readlink(d, "l")
		require.NoError(t, err)
		require.Equal(t, "f", target)
		require.NoError(t, p.Link(d, "f", cwd, "/g", false))
		require.NoError(t, p.Chmod(cwd, "/g", 0o600, true))
		require.NoError(t, p.Utimes(d, "f", 1e9, 2e9, true))
		st, err = p.StatAt(d, "l", true)
		require.NoError(t, err)
		require.Equal(t, []int64{1e9, 2e9}, []int64{st.Atim, st.Mtim})
		require.Equal(t, abi.ModeRegular|0o600, st.Mode)
		require.Equal(t, uint32(2), st.Nlink)
		require.NoError(t, p.Access(d, "l", abi.AccessRead|abi.AccessWrite))
		require.Equal(t, abi.EACCES, p.Access(d, "l", abi.AccessExec))
		require.Equal(t, abi.EINVAL, p.Access(d, "l", 8))
		require.Equal(t, abi.EPERM, p.Chown(d, "f", 0, 0, true))
		require.NoError(t, p.Rename(d, "f", cwd, "h"))
		_, err = p.StatAt(d, "l", true)
		require.Equal(t, abi.ENOENT, err)
		abs, err := p.Realpath(d, "../d/../h")
		require.NoError(t, err)
		require.Equal(t, "/h", abs)
		_, err = p.StatfsAt(cwd, "h")
		require.NoError(t, err)
		require.Equal(t, abi.ENOTDIR, p.Rmdir(cwd, "h"))
		require.Equal(t, abi.ENOTEMPTY, p.Rmdir(cwd, "d"))
		require.NoError(t, p.Unlink(d, "l"))

		// The working directory.
		require.NoError(t, p.Symlink("d", cwd, "dl"))
		require.NoError(t, p.Chdir("dl"))
		wd, err := p.Getcwd()
		require.NoError(t, err)
		require.Equal(t, "/d", wd)
		require.NoError(t, p.Chdir(".."))
		require.NoError(t, p.Fchdir(d))
		require.Equal(t, abi.ENOTDIR, p.Chdir("/h"))
		require.Equal(t, abi.ENOENT, p.Chdir("/none"))
		require.NoError(t, p.Rmdir(cwd, "/d"))
		_, err = p.Getcwd()
		require.Equal(t, abi.ENOENT, err)
		require.NoError(t, p.Chdir("/"))
		require.NoError(t, p.Mkdir(cwd, "/locked", 0))
		require.Equal(t, abi.EACCES, p.Chdir("/locked"))

		long := strings.Repeat("x/", 2048)
		for name, err := range map[string]error{"": abi.ENOENT, long: abi.ENAMETOOLONG, "a\x00b": abi.EINVAL} {
			_, got := p.Open(cwd, name, 0, 0)
			require.Equal(t, err, got)
			_, got = p.StatAt(cwd, name, true)
			require.Equal(t, err, got)
			require.Equal(t, err, p.Mkdir(cwd, name, 0))
			require.Equal(t, err, p.Mkfifo(cwd, name, 0))
			require.Equal(t, err, p.Unlink(cwd, name))
			require.Equal(t, err, p.Rename(cwd, name, cwd, "/q"))
			require.Equal(t, err, p.Rename(cwd, "/h", cwd, name))
			require.Equal(t, err, p.Link(cwd, "/h", cwd, name, false))
			require.Equal(t, err, p.Symlink(name, cwd, "/q"))
			require.Equal(t, err, p.Symlink("/q", cwd, name))
			require.Equal(t, err, p.Chdir(name))
			_, got = p.Spawn(&abi.SpawnSpec{Path: name, Umask: -1})
			require.Equal(t, err, got)
		}
	})
}

func TestStdoutByName(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	c := kernel.NewCollector(100)
	e.ok(func(p *kernel.Process) {
		for _, name := range []string{"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"} {
			fd, err := p.Open(abi.AtCwd, name, abi.OWronly|abi.OCreat|abi.OTrunc, 0o666)
			require.NoError(t, err, name)
			_, err = p.Write(fd, []byte(name+"\n"), 0)
			require.NoError(t, err)
			require.NoError(t, p.Close(fd))
		}
	}, nil, c.File())
	require.Equal(t, "/dev/stdout\n/dev/fd/1\n/proc/self/fd/1\n", string(c.Bytes()))
}

func TestDiskLimitIsReported(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	r := e.run(func(p *kernel.Process) abi.WaitStatus {
		fd, err := p.Open(abi.AtCwd, "/dev/full", abi.OWronly, 0)
		require.NoError(t, err)
		_, err = p.Write(fd, []byte("x"), 0)
		require.Equal(t, abi.ENOSPC, err)
		return abi.ExitedWith(1)
	})
	require.Equal(t, abi.LimitNone, r.Limit, "a device is no file system")
}
