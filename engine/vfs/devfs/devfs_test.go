// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package devfs_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
	"github.com/wsandbox/wsandbox/engine/vfs/devfs"
)

func newFS() *devfs.FS {
	return devfs.New(devfs.Options{Rand: strings.NewReader("random bytes"), Clock: func() int64 { return 42 }})
}

func open(t *testing.T, fs vfs.FS, name string) vfs.Stream {
	t.Helper()
	f, err := fs.Open(name, abi.ORdwr, 0)
	require.NoError(t, err)
	s, ok := f.(vfs.Stream)
	require.True(t, ok)
	require.Equal(t, abi.PollIn|abi.PollOut, s.Ready(abi.PollIn|abi.PollOut))
	return s
}

func TestDevices(t *testing.T) {
	fs := newFS()
	b := []byte("xxxxxx")
	null := open(t, fs, "null")
	n, err := null.Read(b)
	require.NoError(t, err)
	require.Zero(t, n)
	n, err = null.Write(b)
	require.NoError(t, err)
	require.Equal(t, 6, n)
	n, err = open(t, fs, "zero").Read(b)
	require.NoError(t, err)
	require.Equal(t, "\x00\x00\x00\x00\x00\x00", string(b[:n]))
	full := open(t, fs, "full")
	n, err = full.Read(b)
	require.NoError(t, err)
	require.Equal(t, 6, n)
	_, err = full.Write(b)
	require.Equal(t, abi.ENOSPC, err)
	_, err = full.Write(nil)
	require.NoError(t, err)
	n, err = open(t, fs, "urandom").Read(b)
	require.NoError(t, err)
	require.Equal(t, "random", string(b[:n]))
	_, err = open(t, fs, "random").Read(make([]byte, 100))
	require.Equal(t, abi.EIO, err) // the source has ended
	tty, err := fs.Open("tty", abi.ORdwr, 0)
	require.NoError(t, err)
	require.Implements(t, (*vfs.ControllingTerminal)(nil), tty)
	require.NoError(t, null.Close())
	require.Equal(t, abi.EBADF, null.Close())
}

func TestTree(t *testing.T) {
	fs := newFS()
	for name, rdev := range map[string]uint64{"null": 0x103, "zero": 0x105, "full": 0x107, "random": 0x108, "urandom": 0x109, "tty": 0x500} {
		st, err := fs.Lstat(name)
		require.NoError(t, err)
		require.Equal(t, abi.ModeChar|0o666, st.Mode, name)
		require.Equal(t, rdev, st.Rdev, name)
		require.EqualValues(t, 42, st.Mtim)
	}
	for name, want := range map[string]string{
		"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2",
	} {
		got, err := fs.Readlink(name)
		require.NoError(t, err)
		require.Equal(t, want, got)
		_, err = fs.Open(name, abi.ORdonly, 0)
		require.Equal(t, abi.ELOOP, err)
		_, err = fs.Lstat(name + "/x")
		require.Equal(t, abi.ELOOP, err)
	}
	for _, tt := range []struct {
		name string
		flag abi.OpenFlag
		err  error
	}{
		{"none", abi.ORdonly, abi.ENOENT},
		{"none", abi.OWronly | abi.OCreat, abi.EROFS},
		{"null", abi.OWronly | abi.OCreat | abi.OTrunc, nil},
		{"null", abi.OWronly | abi.OCreat | abi.OExcl, abi.EEXIST},
		{"null", abi.ODirectory, abi.ENOTDIR},
		{"null/x", abi.ORdonly, abi.ENOTDIR},
		{".", abi.ODirectory, nil},
		{".", abi.OWronly, abi.EISDIR},
	} {
		f, err := fs.Open(tt.name, tt.flag, 0)
		if tt.err != nil {
			require.Equal(t, tt.err, err, "%s %#x", tt.name, tt.flag)
			continue
		}
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	require.Equal(t, abi.EROFS, fs.Unlink("null"))
	require.Equal(t, abi.EROFS, fs.Mkdir("x", 0o755))
	require.Equal(t, abi.EEXIST, fs.Mkdir("null", 0o755))
	d, err := fs.Open(".", abi.ODirectory, 0)
	require.NoError(t, err)
	var names []string
	for cookie := uint64(0); ; {
		es, err := d.(vfs.Directory).ReadDir(nil, cookie, 1, true)
		require.NoError(t, err)
		if len(es) == 0 {
			break
		}
		names = append(names, es[0].Name)
		st, err := fs.Lstat(strings.TrimPrefix(es[0].Name, "."))
		if err == nil {
			require.Equal(t, st, es[0].Stat)
		}
		cookie = es[0].Cookie
	}
	require.Equal(t, []string{".", "..", "null", "zero", "full", "random", "urandom", "tty", "fd", "stdin", "stdout", "stderr"}, names)
}

// TestReadOnlyMount: devices of a read-only mount can be written.
func TestReadOnlyMount(t *testing.T) {
	ns, err := vfs.NewNamespace(vfs.Mount{Path: "/dev", FS: newFS(), ReadOnly: true})
	require.NoError(t, err)
	at := vfs.At{Dir: "/", Cred: &vfs.Cred{UID: 1000}}
	f, _, err := ns.Open(at, "/dev/null", abi.OWronly|abi.OCreat|abi.OTrunc, 0o644)
	require.NoError(t, err)
	n, err := f.(vfs.Stream).Write([]byte("gone"))
	require.NoError(t, err)
	require.Equal(t, 4, n)
	_, _, err = ns.Open(at, "/dev/new", abi.OWronly|abi.OCreat, 0o644)
	require.Equal(t, abi.EROFS, err)
	f, _, err = ns.Open(at, "/dev/tty", abi.ORdwr, 0)
	require.NoError(t, err)
	require.Implements(t, (*vfs.ControllingTerminal)(nil), f)
	require.NoError(t, ns.Access(at, "/dev/null", abi.AccessRead|abi.AccessWrite))
}
