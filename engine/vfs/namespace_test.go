// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
	"github.com/wsandbox/wsandbox/engine/vfs/memfs"
)

var user = &vfs.Cred{UID: 1000, GID: 1000}

func atRoot(dir string) vfs.At { return vfs.At{Dir: dir, Cred: user} }

// newTree returns a namespace of three memory file systems with
//
//	/dir/file  /dir/sub/  /dir/locked/x (0700, user 0)  /file
//	/rel -> dir/file  /abs -> /dir/file  /dirlink -> dir  /loop -> loop
//	/dangling -> dir/new  /chain40 … /chain1 -> file
//	/ro (read-only): f, d/, link -> f
//	/mnt/deep (mount; /mnt is in no file system): g
func newTree(t *testing.T) *vfs.Namespace {
	t.Helper()
	clock := func() int64 { return 1_000_000_000 }
	root := memfs.New(memfs.Options{UID: 1000, GID: 1000, RootUID: 1000, RootGID: 1000, Clock: clock})
	require.NoError(t, root.Add(
		memfs.Entry{Name: "dir", Mode: abi.ModeDir | 0o755, UID: 1000, GID: 1000},
		memfs.Entry{Name: "dir/file", Mode: 0o644, UID: 1000, GID: 1000, Data: "in file"},
		memfs.Entry{Name: "dir/sub", Mode: abi.ModeDir | 0o755, UID: 1000, GID: 1000},
		memfs.Entry{Name: "dir/locked", Mode: abi.ModeDir | 0o700},
		memfs.Entry{Name: "dir/locked/x", Mode: 0o644},
		memfs.Entry{Name: "file", Mode: 0o644, UID: 1000, GID: 1000},
		memfs.Entry{Name: "secret", Mode: 0o600},
		memfs.Entry{Name: "readable", Mode: 0o644},
		memfs.Entry{Name: "sticky", Mode: abi.ModeDir | abi.ModeSticky | 0o777},
		memfs.Entry{Name: "sticky/theirs", Mode: 0o666},
		memfs.Entry{Name: "fifo", Mode: abi.ModeFIFO | 0o666},
		memfs.Entry{Name: "rel", Mode: abi.ModeSymlink, Target: "dir/file"},
		memfs.Entry{Name: "abs", Mode: abi.ModeSymlink, Target: "/dir/file"},
		memfs.Entry{Name: "dirlink", Mode: abi.ModeSymlink, Target: "dir"},
		memfs.Entry{Name: "slashlink", Mode: abi.ModeSymlink, Target: "dir/"},
		memfs.Entry{Name: "fileslash", Mode: abi.ModeSymlink, Target: "file/"},
		memfs.Entry{Name: "loop", Mode: abi.ModeSymlink, Target: "loop"},
		memfs.Entry{Name: "dangling", Mode: abi.ModeSymlink, Target: "dir/new"},
		memfs.Entry{Name: "tomount", Mode: abi.ModeSymlink, Target: "mnt/deep/g"},
		memfs.Entry{Name: "dir/up", Mode: abi.ModeSymlink, Target: "../../../../file"},
	))
	prev := "file"
	for i := 1; i <= 41; i++ {
		name := "chain" + string(rune('0'+i/10)) + string(rune('0'+i%10))
		require.NoError(t, root.Add(memfs.Entry{Name: name, Mode: abi.ModeSymlink, Target: prev}))
		prev = name
	}
	ro := memfs.New(memfs.Options{Dev: 2, UID: 1000, GID: 1000, RootUID: 1000, RootGID: 1000, Clock: clock})
	require.NoError(t, ro.Add(
		memfs.Entry{Name: "f", Mode: 0o644, UID: 1000, GID: 1000, Data: "ro"},
		memfs.Entry{Name: "d", Mode: abi.ModeDir | 0o755, UID: 1000, GID: 1000},
		memfs.Entry{Name: "link", Mode: abi.ModeSymlink, Target: "f"},
		memfs.Entry{Name: "out", Mode: abi.ModeSymlink, Target: "../file"},
	))
	deep := memfs.New(memfs.Options{Dev: 3, UID: 1000, GID: 1000, RootUID: 1000, RootGID: 1000, Clock: clock})
	require.NoError(t, deep.Add(memfs.Entry{Name: "g", Mode: 0o644, UID: 1000, GID: 1000}))
	ns, err := vfs.NewNamespace(
		vfs.Mount{Path: "/mnt/deep", FS: deep},
		vfs.Mount{Path: "/", FS: root},
		vfs.Mount{Path: "/ro", FS: ro, ReadOnly: true},
	)
	require.NoError(t, err)
	return ns
}

func errnoName(err error) string {
	if err == nil {
		return ""
	}
	return abi.ErrnoOf(err).Name()
}

func TestRealpath(t *testing.T) {
	ns := newTree(t)
	long := strings.Repeat("a", 255)
	tests := []struct{ dir, path, want, err string }{
		{"/", "/", "/", ""},
		{"/", "//", "/", ""},
		{"/", ".", "/", ""},
		{"/", "..", "/", ""},
		{"/", "/../..", "/", ""},
		{"/", "dir", "/dir", ""},
		{"/", "dir/", "/dir", ""},
		{"/", "dir/.", "/dir", ""},
		{"/", "dir//sub", "/dir/sub", ""},
		{"/", "./dir/./file", "/dir/file", ""},
		{"/dir", "file", "/dir/file", ""},
		{"/dir", "../file", "/file", ""},
		{"/dir", "../../dir/file", "/dir/file", ""},
		{"/dir/sub", "..", "/dir", ""},
		{"/dir", "sub/../file", "/dir/file", ""},
		{"/", "dir/file/", "", "ENOTDIR"},
		{"/", "dir/file/.", "", "ENOTDIR"},
		{"/", "dir/file/..", "", "ENOTDIR"},
		{"/", "dir/file/x", "", "ENOTDIR"},
		{"/", "nope/..", "", "ENOENT"},
		{"/", "nope", "", "ENOENT"},
		{"/", "nope/x", "", "ENOENT"},
		{"/", "rel", "/dir/file", ""},
		{"/", "abs", "/dir/file", ""},
		{"/dir/sub", "/abs", "/dir/file", ""},
		{"/", "dirlink/file", "/dir/file", ""},
		{"/", "dirlink/", "/dir", ""},
		{"/", "dirlink/..", "/", ""},
		{"/", "dirlink/sub/../..", "/", ""},
		{"/", "slashlink", "/dir", ""},
		{"/", "fileslash", "", "ENOTDIR"},
		{"/", "rel/", "", "ENOTDIR"},
		{"/", "loop", "", "ELOOP"},
		{"/", "loop/x", "", "ELOOP"},
		{"/", "dangling", "", "ENOENT"},
		{"/", "dir/up", "/file", ""},
		{"/", "chain40", "/file", ""},
		{"/", "chain41", "", "ELOOP"},
		{"/", "mnt", "/mnt", ""},
		{"/", "mnt/deep", "/mnt/deep", ""},
		{"/", "mnt/deep/..", "/mnt", ""},
		{"/mnt/deep", "../../file", "/file", ""},
		{"/", "tomount", "/mnt/deep/g", ""},
		{"/", "ro/out", "/file", ""},
		{"/", "ro/link", "/ro/f", ""},
		{"/", "dir/locked/x", "", "EACCES"},
		{"/", "dir/locked", "/dir/locked", ""},
		{"/dir/locked", "x", "", "EACCES"},
		{"/dir/locked", "../file", "/dir/file", ""}, // leading ".." is taken off the canonical cwd
		{"/", "", "", "ENOENT"},
		{"/", "a\x00b", "", "EINVAL"},
		{"/", long, "", "ENOENT"},
		{"/", long + "a", "", "ENAMETOOLONG"},
		{"/", strings.Repeat("./", 2047) + ".", "/", ""},
		{"/", strings.Repeat("./", 2048), "", "ENAMETOOLONG"},
		{"/gone", "x", "", "ENOENT"},
		{"/gone", "..", "/", ""},
		{"/dirlink", "file", "/dir/file", ""}, // the cwd was renamed and replaced by a link
	}
	for _, tt := range tests {
		t.Run(tt.dir+":"+tt.path[:min(len(tt.path), 40)], func(t *testing.T) {
			got, err := ns.Realpath(atRoot(tt.dir), tt.path)
			require.Equal(t, tt.err, errnoName(err))
			require.Equal(t, tt.want, got)
		})
	}
}

func TestNewNamespace(t *testing.T) {
	fs := memfs.New(memfs.Options{})
	for _, m := range [][]vfs.Mount{
		{{Path: "", FS: fs}},
		{{Path: "a", FS: fs}},
		{{Path: "/a/", FS: fs}},
		{{Path: "/a/../b", FS: fs}},
		{{Path: "/a//b", FS: fs}},
		{{Path: "/"}},
		{{Path: "/a", FS: fs}, {Path: "/a", FS: fs}},
	} {
		_, err := vfs.NewNamespace(m...)
		require.Error(t, err, "%v", m)
	}
	ns, err := vfs.NewNamespace()
	require.NoError(t, err)
	st, err := ns.Stat(atRoot("/"), "/", true)
	require.NoError(t, err)
	require.True(t, st.Mode.IsDir())
	require.Equal(t, "EROFS", errnoName(ns.Mkdir(atRoot("/"), "x", 0o755)))
}
