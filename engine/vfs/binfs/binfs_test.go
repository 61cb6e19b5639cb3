// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package binfs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
	"github.com/wsandbox/wsandbox/engine/vfs/binfs"
)

func newFS(t *testing.T) *binfs.FS {
	t.Helper()
	fs, err := binfs.New("/bin", map[string]string{"sh": "sh", "cat": "coreutils", "[": "coreutils"}, func() int64 { return 42 })
	require.NoError(t, err)
	return fs
}

func TestPrograms(t *testing.T) {
	fs := newFS(t)
	st, err := fs.Lstat("cat")
	require.NoError(t, err)
	require.Equal(t, abi.ModeRegular|0o755, st.Mode)
	const script = "#!/bin/sh\nexec '/bin/cat' \"$@\"\n"
	require.EqualValues(t, len(script), st.Size)
	require.EqualValues(t, 42, st.Mtim)

	for _, ro := range []bool{false, true} {
		ns, err := vfs.NewNamespace(vfs.Mount{Path: "/bin", FS: fs, ReadOnly: ro})
		require.NoError(t, err)
		at := vfs.At{Dir: "/", Cred: &vfs.Cred{UID: 1000}}
		require.NoError(t, ns.Access(at, "bin/cat", abi.AccessExec|abi.AccessRead))
		f, abs, err := ns.Open(at, "bin/cat", abi.ORdonly, 0)
		require.NoError(t, err)
		require.Equal(t, "/bin/cat", abs)
		guest, applet := f.(vfs.Executable).Executable()
		require.Equal(t, "coreutils", guest)
		require.Equal(t, "cat", applet)
		b := make([]byte, 100)
		n, err := f.(vfs.RegularFile).ReadAt(b, 0)
		require.NoError(t, err)
		require.Equal(t, script, string(b[:n]))
		n, err = f.(vfs.RegularFile).ReadAt(b, 25)
		require.NoError(t, err)
		require.Equal(t, script[25:], string(b[:n]))
		n, err = f.(vfs.RegularFile).ReadAt(b, 1<<40)
		require.NoError(t, err)
		require.Zero(t, n)
		require.NoError(t, f.Close())
		_, _, err = ns.Open(at, "bin/cat", abi.OWronly, 0)
		require.Contains(t, []error{abi.EROFS, abi.EACCES}, err)
		_, _, err = ns.Open(at, "bin/new", abi.OWronly|abi.OCreat, 0o755)
		require.Contains(t, []error{abi.EROFS, abi.EACCES}, err)
		_, _, err = ns.Open(at, "bin/cat/x", abi.ORdonly, 0)
		require.Equal(t, abi.ENOTDIR, err)
		require.Error(t, ns.Unlink(at, "bin/cat"))
	}
}

func TestListing(t *testing.T) {
	d, err := newFS(t).Open(".", abi.ODirectory, 0)
	require.NoError(t, err)
	es, err := d.(vfs.Directory).ReadDir(nil, 0, 100, true)
	require.NoError(t, err)
	var names []string
	for _, e := range es {
		names = append(names, e.Name)
		require.True(t, e.StatOK)
	}
	require.Equal(t, []string{".", "..", "[", "cat", "sh"}, names)
	es, err = d.(vfs.Directory).ReadDir(nil, es[2].Cookie, 1, false)
	require.NoError(t, err)
	require.Equal(t, "cat", es[0].Name)
}

func TestNewErrors(t *testing.T) {
	for _, m := range []map[string]string{{"": "g"}, {"a/b": "g"}, {"..": "g"}, {"a\x00": "g"}, {"a": ""}} {
		_, err := binfs.New("/bin", m, nil)
		require.ErrorIs(t, err, abi.EINVAL)
	}
	for _, dir := range []string{"", "bin", "/b\nin", "/b\x00in"} {
		_, err := binfs.New(dir, nil, nil)
		require.ErrorIs(t, err, abi.EINVAL)
	}
}

// TestScript: what a shell makes of the content is the program's path.
func TestScript(t *testing.T) {
	for _, c := range []struct{ dir, name, want string }{
		{"/usr/bin", "ls", "#!/usr/bin/sh\nexec '/usr/bin/ls' \"$@\"\n"},
		{"/usr/bin/", "[", "#!/usr/bin/sh\nexec '/usr/bin/[' \"$@\"\n"},
		{"/o'b", "x", "#!/o'b/sh\nexec '/o'\\''b/x' \"$@\"\n"},
		{"/", "it's $x", "#!/sh\nexec '/it'\\''s $x' \"$@\"\n"},
	} {
		fs, err := binfs.New(c.dir, map[string]string{c.name: "g"}, nil)
		require.NoError(t, err)
		f, err := fs.Open(c.name, abi.ORdonly, 0)
		require.NoError(t, err)
		b := make([]byte, 100)
		n, err := f.(vfs.RegularFile).ReadAt(b, 0)
		require.NoError(t, err)
		require.Equal(t, c.want, string(b[:n]))
		st, err := fs.Lstat(c.name)
		require.NoError(t, err)
		require.EqualValues(t, len(c.want), st.Size)
	}
}
