// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
	"github.com/wsandbox/wsandbox/engine/vfs/memfs"
)

func TestOpen(t *testing.T) {
	const (
		creat = abi.OWronly | abi.OCreat
		excl  = creat | abi.OExcl
	)
	tests := []struct {
		path string
		flag abi.OpenFlag
		abs  string
		err  string
	}{
		{"dir/file", abi.ORdonly, "/dir/file", ""},
		{"rel", abi.ORdwr, "/dir/file", ""},
		{"rel", abi.ONofollow, "", "ELOOP"},
		{"rel/", abi.ONofollow, "", "ENOTDIR"},
		{"dirlink", abi.ONofollow, "", "ELOOP"},
		{"dirlink/", abi.ONofollow, "/dir", ""},
		{"dirlink/file", abi.ONofollow, "/dir/file", ""},
		{"dirlink", abi.ONofollow | abi.ODirectory, "", "ENOTDIR"},
		{"dirlink", abi.ODirectory, "/dir", ""},
		{"rel", abi.ONofollow | abi.OPath, "/rel", ""},
		{"rel", abi.OPath, "/dir/file", ""},
		{"rel", abi.OPath | abi.ODirectory, "", "ENOTDIR"},
		{"nope", abi.OPath, "", "ENOENT"},
		{"dir", abi.OWronly, "", "EISDIR"},
		{"dir", creat, "", "EISDIR"},
		{"dir", excl, "", "EEXIST"},
		{"dir/", abi.ORdonly, "/dir", ""},
		{"file/", abi.ORdonly, "", "ENOTDIR"},
		{"file/", creat, "", "EISDIR"},
		{"newfile/", creat, "", "EISDIR"},
		{"nope/newfile", creat, "", "ENOENT"},
		{"file/newfile", creat, "", "ENOTDIR"},
		{"file", abi.ODirectory, "", "ENOTDIR"},
		{"file", abi.ODirectory | abi.OCreat, "", "EINVAL"},
		{"file", abi.OAccmode, "", "EINVAL"},
		{"file", 1 << 20, "", "EINVAL"},
		{"dangling", abi.ORdonly, "", "ENOENT"},
		{"dangling", excl, "", "EEXIST"},
		{"dangling", creat | abi.ONofollow, "", "ELOOP"},
		{"loop", creat, "", "ELOOP"},
		{"chain40", abi.ORdonly, "/file", ""},
		{"chain41", abi.ORdonly, "", "ELOOP"},
		{"fifo", abi.ORdonly, "/fifo", ""},
		{".", abi.ORdonly, "/", ""},
		{".", creat, "", "EISDIR"},
		{".", excl, "", "EEXIST"},
		{"mnt", abi.ORdonly, "/mnt", ""},
		{"mnt", abi.OWronly, "", "EISDIR"},
		{"mnt/deep", abi.ODirectory, "/mnt/deep", ""},
		{"mnt/deep/g", abi.ORdwr, "/mnt/deep/g", ""},
		{"mnt/new", creat, "", "ENOENT"}, // /mnt exists by decree only
		{"tomount", abi.ORdonly, "/mnt/deep/g", ""},
		{"ro/f", abi.ORdonly, "/ro/f", ""},
		{"ro/f", abi.OWronly, "", "EROFS"},
		{"ro/f", abi.OTrunc, "", "EROFS"},
		{"ro/f", creat, "", "EROFS"},
		{"ro/f", excl, "", "EEXIST"},
		{"ro/f", abi.OCreat, "/ro/f", ""},
		{"ro/new", creat, "", "EROFS"},
		{"ro/new", excl, "", "EROFS"},
		{"ro/nope/new", creat, "", "ENOENT"},
		{"ro/d", abi.OWronly, "", "EISDIR"},
		{"ro/link", abi.OWronly, "", "EROFS"},
		{"ro/out", abi.OWronly, "/file", ""},
		// Permissions.
		{"secret", abi.ORdonly, "", "EACCES"},
		{"readable", abi.ORdonly, "/readable", ""},
		{"readable", abi.OWronly, "", "EACCES"},
		{"readable", abi.OTrunc, "", "EACCES"},
		{"readable", creat, "", "EACCES"},
		{"readable", excl, "", "EEXIST"},
		{"dir/locked", abi.ORdonly, "", "EACCES"},
		{"dir/locked/x", abi.ORdonly, "", "EACCES"},
		{"dir/locked/new", creat, "", "EACCES"},
		{"dir/locked/../file", abi.ORdonly, "", "EACCES"},
	}
	ns := newTree(t)
	for _, tt := range tests {
		f, abs, err := ns.Open(atRoot("/"), tt.path, tt.flag, 0o644)
		require.Equal(t, tt.err, errnoName(err), "Open(%q, %#x)", tt.path, tt.flag)
		if err != nil {
			require.Nil(t, f)
			continue
		}
		require.Equal(t, tt.abs, abs, "Open(%q, %#x)", tt.path, tt.flag)
		_, err = f.Stat()
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}

	// O_CREAT makes the file where a dangling link leads.
	f, abs, err := ns.Open(atRoot("/"), "dangling", creat, 0o640)
	require.NoError(t, err)
	require.Equal(t, "/dir/new", abs)
	require.NoError(t, f.Close())
	st, err := ns.Stat(atRoot("/"), "dir/new", false)
	require.NoError(t, err)
	require.Equal(t, abi.ModeRegular|0o640, st.Mode)

	// A new file may be open for writing although its mode forbids it.
	f, _, err = ns.Open(atRoot("/"), "dir/readonly", abi.ORdwr|abi.OCreat, 0o400)
	require.NoError(t, err)
	_, err = f.(vfs.RegularFile).WriteAt([]byte("x"), 0)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	_, _, err = ns.Open(atRoot("/"), "dir/readonly", abi.OWronly, 0)
	require.Equal(t, "EACCES", errnoName(err))
}

// TestTruncNeedsPermission: a refused O_TRUNC leaves the content alone.
func TestTruncNeedsPermission(t *testing.T) {
	ns := newTree(t)
	root := vfs.At{Dir: "/", Cred: &vfs.Cred{}}
	require.NoError(t, ns.Chmod(root, "dir/file", 0o444, true))
	require.NoError(t, ns.Chown(root, "dir/file", 0, 0, true))
	for _, flag := range []abi.OpenFlag{abi.OTrunc, abi.OWronly | abi.OTrunc, abi.ORdwr | abi.OTrunc | abi.OCreat} {
		_, _, err := ns.Open(atRoot("/"), "dir/file", flag, 0)
		require.Equal(t, "EACCES", errnoName(err))
	}
	st, err := ns.Stat(root, "dir/file", true)
	require.NoError(t, err)
	require.EqualValues(t, 7, st.Size)
	require.NoError(t, ns.Chown(root, "dir/file", 1000, 1000, true))
	require.NoError(t, ns.Chmod(root, "dir/file", 0o644, true))
	f, _, err := ns.Open(atRoot("/"), "dir/file", abi.OTrunc, 0)
	require.NoError(t, err)
	st, err = f.Stat()
	require.NoError(t, err)
	require.Zero(t, st.Size)
	require.NoError(t, f.Close())
}

func TestChanges(t *testing.T) {
	at := atRoot("/")
	root := vfs.At{Dir: "/", Cred: &vfs.Cred{}}
	tests := []struct {
		name string
		do   func(ns *vfs.Namespace) error
		err  string
	}{
		{"mkdir", func(ns *vfs.Namespace) error { return ns.Mkdir(at, "new", 0o755) }, ""},
		{"mkdir slash", func(ns *vfs.Namespace) error { return ns.Mkdir(at, "new/", 0o755) }, ""},
		{"mkdir dot", func(ns *vfs.Namespace) error { return ns.Mkdir(at, ".", 0o755) }, "EEXIST"},
		{"mkdir dotdot", func(ns *vfs.Namespace) error { return ns.Mkdir(at, "dir/..", 0o755) }, "EEXIST"},
		{"mkdir missing dot", func(ns *vfs.Namespace) error { return ns.Mkdir(at, "new/.", 0o755) }, "ENOENT"},
		{"mkdir root", func(ns *vfs.Namespace) error { return ns.Mkdir(at, "/", 0o755) }, "EEXIST"},
		{"mkdir mount", func(ns *vfs.Namespace) error { return ns.Mkdir(at, "mnt", 0o755) }, "EEXIST"},
		{"mkdir through link", func(ns *vfs.Namespace) error { return ns.Mkdir(at, "dirlink/new", 0o755) }, ""},
		{"mkdir at link", func(ns *vfs.Namespace) error { return ns.Mkdir(at, "dangling", 0o755) }, "EEXIST"},
		{"mkdir at link slash", func(ns *vfs.Namespace) error { return ns.Mkdir(at, "dangling/", 0o755) }, "EEXIST"},
		{"mkdir read-only", func(ns *vfs.Namespace) error { return ns.Mkdir(at, "ro/new", 0o755) }, "EROFS"},
		{"mkdir read-only exists", func(ns *vfs.Namespace) error { return ns.Mkdir(at, "ro/d", 0o755) }, "EEXIST"},
		{"mkdir read-only missing", func(ns *vfs.Namespace) error { return ns.Mkdir(at, "ro/x/y", 0o755) }, "ENOENT"},
		{"mkdir locked", func(ns *vfs.Namespace) error { return ns.Mkdir(at, "dir/locked/x", 0o755) }, "EACCES"},
		{"mkfifo", func(ns *vfs.Namespace) error { return ns.Mkfifo(at, "new", 0o644) }, ""},
		{"mkfifo slash", func(ns *vfs.Namespace) error { return ns.Mkfifo(at, "new/", 0o644) }, "ENOENT"},
		{"symlink", func(ns *vfs.Namespace) error { return ns.Symlink("any", at, "new") }, ""},
		{"symlink slash", func(ns *vfs.Namespace) error { return ns.Symlink("any", at, "new/") }, "ENOENT"},
		{"symlink slash exists", func(ns *vfs.Namespace) error { return ns.Symlink("any", at, "dir/") }, "EEXIST"},
		{"symlink empty", func(ns *vfs.Namespace) error { return ns.Symlink("", at, "new") }, "ENOENT"},
		{"symlink NUL", func(ns *vfs.Namespace) error { return ns.Symlink("a\x00", at, "new") }, "EINVAL"},
		{"unlink", func(ns *vfs.Namespace) error { return ns.Unlink(at, "file") }, ""},
		{"unlink link", func(ns *vfs.Namespace) error { return ns.Unlink(at, "rel") }, ""},
		{"unlink link slash", func(ns *vfs.Namespace) error { return ns.Unlink(at, "rel/") }, "ENOTDIR"},
		{"unlink slash", func(ns *vfs.Namespace) error { return ns.Unlink(at, "file/") }, "ENOTDIR"},
		{"unlink dir slash", func(ns *vfs.Namespace) error { return ns.Unlink(at, "dir/") }, "EISDIR"},
		{"unlink dot", func(ns *vfs.Namespace) error { return ns.Unlink(at, ".") }, "EISDIR"},
		{"unlink mount", func(ns *vfs.Namespace) error { return ns.Unlink(at, "ro") }, "EBUSY"},
		{"unlink read-only", func(ns *vfs.Namespace) error { return ns.Unlink(at, "ro/f") }, "EROFS"},
		{"unlink read-only missing", func(ns *vfs.Namespace) error { return ns.Unlink(at, "ro/none") }, "EROFS"},
		{"unlink locked", func(ns *vfs.Namespace) error { return ns.Unlink(at, "dir/locked/x") }, "EACCES"},
		{"unlink sticky theirs", func(ns *vfs.Namespace) error { return ns.Unlink(at, "sticky/theirs") }, "EPERM"},
		{"rename sticky theirs", func(ns *vfs.Namespace) error { return ns.Rename(at, "sticky/theirs", at, "sticky/x") }, "EPERM"},
		{"rename onto sticky theirs", func(ns *vfs.Namespace) error { return ns.Rename(at, "file", at, "sticky/theirs") }, "EPERM"},
		{"rename into sticky", func(ns *vfs.Namespace) error { return ns.Rename(at, "file", at, "sticky/mine") }, ""},
		{"unlink sticky by root", func(ns *vfs.Namespace) error { return ns.Unlink(root, "sticky/theirs") }, ""},
		{"rmdir", func(ns *vfs.Namespace) error { return ns.Rmdir(at, "dir/sub") }, ""},
		{"rmdir slash", func(ns *vfs.Namespace) error { return ns.Rmdir(at, "dir/sub/") }, ""},
		{"rmdir link slash", func(ns *vfs.Namespace) error { return ns.Rmdir(at, "dirlink/") }, "ENOTDIR"},
		{"rmdir dot", func(ns *vfs.Namespace) error { return ns.Rmdir(at, "dir/sub/.") }, "EINVAL"},
		{"rmdir dotdot", func(ns *vfs.Namespace) error { return ns.Rmdir(at, "dir/sub/..") }, "EINVAL"},
		{"rmdir root", func(ns *vfs.Namespace) error { return ns.Rmdir(at, "/") }, "EBUSY"},
		{"rmdir mount", func(ns *vfs.Namespace) error { return ns.Rmdir(at, "mnt/deep") }, "EBUSY"},
		{"rmdir above mount", func(ns *vfs.Namespace) error { return ns.Rmdir(at, "mnt") }, "EBUSY"},
		{"rename", func(ns *vfs.Namespace) error { return ns.Rename(at, "file", at, "dir/x") }, ""},
		{"rename links stay links", func(ns *vfs.Namespace) error { return ns.Rename(at, "rel", at, "abs") }, ""},
		{"rename dir slash", func(ns *vfs.Namespace) error { return ns.Rename(at, "dir/sub/", at, "x/") }, ""},
		{"rename file slash", func(ns *vfs.Namespace) error { return ns.Rename(at, "file/", at, "x") }, "ENOTDIR"},
		{"rename file to slash", func(ns *vfs.Namespace) error { return ns.Rename(at, "file", at, "x/") }, "ENOTDIR"},
		{"rename link slash", func(ns *vfs.Namespace) error { return ns.Rename(at, "dirlink/", at, "x") }, "ENOTDIR"},
		{"rename dot", func(ns *vfs.Namespace) error { return ns.Rename(at, "dir/.", at, "x") }, "EINVAL"},
		{"rename to dotdot", func(ns *vfs.Namespace) error { return ns.Rename(at, "dir", at, "dir/..") }, "EINVAL"},
		{"rename below itself", func(ns *vfs.Namespace) error { return ns.Rename(at, "dir", at, "dir/sub/x") }, "EINVAL"},
		{"rename mount", func(ns *vfs.Namespace) error { return ns.Rename(at, "mnt", at, "x") }, "EBUSY"},
		{"rename onto mount", func(ns *vfs.Namespace) error { return ns.Rename(at, "dir", at, "ro") }, "EBUSY"},
		{"rename across", func(ns *vfs.Namespace) error { return ns.Rename(at, "file", at, "mnt/deep/x") }, "EXDEV"},
		{"rename across missing", func(ns *vfs.Namespace) error { return ns.Rename(at, "none", at, "mnt/deep/x") }, "ENOENT"},
		{"rename read-only", func(ns *vfs.Namespace) error { return ns.Rename(at, "ro/f", at, "ro/g") }, "EROFS"},
		{"link", func(ns *vfs.Namespace) error { return ns.Link(at, "file", at, "x", false) }, ""},
		{"link follows", func(ns *vfs.Namespace) error { return ns.Link(at, "rel", at, "x", true) }, ""},
		{"link across", func(ns *vfs.Namespace) error { return ns.Link(at, "file", at, "mnt/deep/x", false) }, "EXDEV"},
		{"link from read-only", func(ns *vfs.Namespace) error { return ns.Link(at, "ro/f", at, "x", false) }, "EXDEV"},
		{"link to read-only", func(ns *vfs.Namespace) error { return ns.Link(at, "file", at, "ro/x", false) }, "EROFS"},
		{"link dir", func(ns *vfs.Namespace) error { return ns.Link(at, "dir", at, "x", false) }, "EPERM"},
		{"link theirs", func(ns *vfs.Namespace) error { return ns.Link(at, "secret", at, "x", false) }, "EPERM"},
		{"link theirs writable", func(ns *vfs.Namespace) error { return ns.Link(at, "sticky/theirs", at, "x", false) }, ""},
		{"chmod", func(ns *vfs.Namespace) error { return ns.Chmod(at, "rel", 0o600, true) }, ""},
		{"chmod link", func(ns *vfs.Namespace) error { return ns.Chmod(at, "rel", 0o600, false) }, "ENOTSUP"},
		{"chmod theirs", func(ns *vfs.Namespace) error { return ns.Chmod(at, "readable", 0o600, true) }, "EPERM"},
		{"chmod read-only", func(ns *vfs.Namespace) error { return ns.Chmod(at, "ro/f", 0o600, true) }, "EROFS"},
		{"chmod slash", func(ns *vfs.Namespace) error { return ns.Chmod(at, "file/", 0o600, true) }, "ENOTDIR"},
		{"chown self", func(ns *vfs.Namespace) error { return ns.Chown(at, "file", 1000, 1000, true) }, ""},
		{"chown away", func(ns *vfs.Namespace) error { return ns.Chown(at, "file", 0, ^uint32(0), true) }, "EPERM"},
		{"chown by root", func(ns *vfs.Namespace) error { return ns.Chown(root, "file", 0, 0, true) }, ""},
		{"utimes", func(ns *vfs.Namespace) error { return ns.Utimes(at, "file", 1, 2, true) }, ""},
		{"utimes theirs", func(ns *vfs.Namespace) error { return ns.Utimes(at, "sticky/theirs", 1, 2, true) }, "EPERM"},
		{"touch theirs writable", func(ns *vfs.Namespace) error {
			return ns.Utimes(at, "sticky/theirs", abi.UtimeNow, abi.UtimeNow, true)
		}, ""},
		{"touch theirs", func(ns *vfs.Namespace) error {
			return ns.Utimes(at, "readable", abi.UtimeNow, abi.UtimeNow, true)
		}, "EACCES"},
		{"utimes read-only", func(ns *vfs.Namespace) error { return ns.Utimes(at, "ro/f", 1, 2, true) }, "EROFS"},
		{"access", func(ns *vfs.Namespace) error { return ns.Access(at, "rel", abi.AccessRead|abi.AccessWrite) }, ""},
		{"access exec", func(ns *vfs.Namespace) error { return ns.Access(at, "rel", abi.AccessExec) }, "EACCES"},
		{"access read-only", func(ns *vfs.Namespace) error { return ns.Access(at, "ro/f", abi.AccessWrite) }, "EROFS"},
		{"access bad", func(ns *vfs.Namespace) error { return ns.Access(at, "file", 8) }, "EINVAL"},
		{"access missing", func(ns *vfs.Namespace) error { return ns.Access(at, "none", 0) }, "ENOENT"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.err, errnoName(tt.do(newTree(t))))
		})
	}
}

func readAll(t *testing.T, ns *vfs.Namespace, path string, step int) []string {
	t.Helper()
	f, _, err := ns.Open(atRoot("/"), path, abi.ODirectory, 0)
	require.NoError(t, err)
	defer f.Close()
	var out []string
	cookie := uint64(0)
	for {
		es, err := f.(vfs.Directory).ReadDir(nil, cookie, step, true)
		require.NoError(t, err)
		if len(es) == 0 {
			return out
		}
		for _, e := range es {
			out = append(out, e.Name)
			require.True(t, e.StatOK)
			if e.Name != "." && e.Name != ".." {
				st, err := ns.Stat(atRoot("/"), path+"/"+e.Name, false)
				require.NoError(t, err)
				st.Atim, e.Stat.Atim = 0, 0
				require.Equal(t, st, e.Stat, e.Name)
			}
		}
		cookie = es[len(es)-1].Cookie
	}
}

// TestReadDirMounts: mount points appear once, whatever is below them.
func TestReadDirMounts(t *testing.T) {
	base := memfs.New(memfs.Options{})
	require.NoError(t, base.Add(
		memfs.Entry{Name: "ws/file"}, memfs.Entry{Name: "ws/.git", Mode: abi.ModeRegular | 0o644},
		memfs.Entry{Name: "ws/a"}, memfs.Entry{Name: "ws/z"},
	))
	m := memfs.New(memfs.Options{Dev: 2})
	ns, err := vfs.NewNamespace(
		vfs.Mount{Path: "/", FS: base}, vfs.Mount{Path: "/ws/.git", FS: m, ReadOnly: true},
		vfs.Mount{Path: "/ws/made/up/there", FS: m},
	)
	require.NoError(t, err)
	for _, step := range []int{1, 2, 3, 100} {
		got := readAll(t, ns, "/ws", step)
		slices.Sort(got)
		require.Equal(t, []string{".", "..", ".git", "a", "file", "made", "z"}, got)
	}
	at := atRoot("/")
	st, err := ns.Stat(at, "/ws/.git", true)
	require.NoError(t, err)
	require.True(t, st.Mode.IsDir())
	require.EqualValues(t, 2, st.Dev)
	f, _, err := ns.Open(at, "/ws/made", abi.ODirectory, 0)
	require.NoError(t, err)
	es, err := f.(vfs.Directory).ReadDir(nil, 0, 10, false)
	require.NoError(t, err)
	require.Len(t, es, 3)
	require.Equal(t, "up", es[2].Name)
	require.NoError(t, f.Close())
	for _, p := range []string{"/ws/made", "/ws/made/up", "/ws/made/up/", "/ws/made/../made/up/there", "/ws/made/up/there/.."} {
		st, err := ns.Stat(at, p, true)
		require.NoError(t, err, p)
		require.True(t, st.Mode.IsDir(), p)
	}
	require.Equal(t, []string{".", "..", "there"}, readAll(t, ns, "/ws/made/up", 1))
	require.Equal(t, "EBUSY", errnoName(ns.Rename(vfs.At{Dir: "/", Cred: &vfs.Cred{}}, "ws", at, "moved")))
}

// foldFS is a file system that ignores case, as far as mounts are concerned.
type foldFS struct{ *memfs.FS }

func (foldFS) FoldsCase() bool { return true }

// TestFoldedMount: another spelling does not get past a mount.
func TestFoldedMount(t *testing.T) {
	base := memfs.New(memfs.Options{UID: 1000, RootUID: 1000})
	git := memfs.New(memfs.Options{Dev: 2})
	require.NoError(t, git.Add(memfs.Entry{Name: "config", Mode: 0o644}))
	ns, err := vfs.NewNamespace(
		vfs.Mount{Path: "/", FS: memfs.New(memfs.Options{Dev: 3})},
		vfs.Mount{Path: "/ws", FS: foldFS{base}},
		vfs.Mount{Path: "/ws/.git", FS: git, ReadOnly: true},
	)
	require.NoError(t, err)
	at := atRoot("/ws")
	for _, name := range []string{".git", ".GIT", ".Git", ".g\u0131t"} {
		p, err := ns.Realpath(at, name+"/config")
		if name == ".g\u0131t" { // a dotless i is another letter
			require.Equal(t, "ENOENT", errnoName(err))
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, "/ws/.git/config", p)
		require.Equal(t, "EROFS", errnoName(ns.Mkdir(at, name+"/x", 0o755)))
		require.Equal(t, "EEXIST", errnoName(ns.Mkdir(at, name, 0o755)))
		require.Equal(t, "EBUSY", errnoName(ns.Rmdir(at, name)))
		require.Equal(t, "EROFS", errnoName(ns.Chmod(at, name+"/config", 0o777, true)))
	}
	_, err = ns.Stat(at, "/WS/x", true)
	require.Equal(t, "ENOENT", errnoName(err))
}

// TestGroups: group permissions count for every group of the caller.
func TestGroups(t *testing.T) {
	fs := memfs.New(memfs.Options{})
	require.NoError(t, fs.Add(memfs.Entry{Name: "f", Mode: 0o040, GID: 7}, memfs.Entry{Name: "own", Mode: 0o044, UID: 1000, GID: 7}))
	ns, err := vfs.NewNamespace(vfs.Mount{Path: "/", FS: fs})
	require.NoError(t, err)
	at := vfs.At{Dir: "/", Cred: &vfs.Cred{UID: 1000, GID: 1000}}
	require.Equal(t, "EACCES", errnoName(ns.Access(at, "f", abi.AccessRead)))
	at.Cred = &vfs.Cred{UID: 1000, GID: 1000, Groups: []uint32{5, 7}}
	require.NoError(t, ns.Access(at, "f", abi.AccessRead))
	require.Equal(t, "EACCES", errnoName(ns.Access(at, "own", abi.AccessRead))) // the owner's bits alone count
	at.Cred = &vfs.Cred{}
	require.NoError(t, ns.Access(at, "f", abi.AccessRead|abi.AccessWrite))
	require.Equal(t, "EACCES", errnoName(ns.Access(at, "f", abi.AccessExec)))
}

// jumpFS has a link "fd" to an open file.
type jumpFS struct {
	*memfs.FS
	to vfs.File
}

func (j jumpFS) Jumps(name string) bool { return name == "fd" }

func (j jumpFS) OpenLink(string, abi.OpenFlag) (vfs.File, error) { return keepOpen{j.to}, nil }

type keepOpen struct{ vfs.File }

func (keepOpen) Close() error { return nil }

func TestJump(t *testing.T) {
	fs := memfs.New(memfs.Options{})
	require.NoError(t, fs.Add(
		memfs.Entry{Name: "fd", Mode: abi.ModeSymlink, Target: "pipe:[1]"},
		memfs.Entry{Name: "to", Mode: abi.ModeSymlink, Target: "fd"},
		memfs.Entry{Name: "other", Mode: abi.ModeRegular | 0o644, Data: "12345"},
	))
	to, err := fs.Open("other", abi.ORdonly, 0)
	require.NoError(t, err)
	for _, ro := range []bool{false, true} {
		ns, err := vfs.NewNamespace(vfs.Mount{Path: "/", FS: jumpFS{fs, to}, ReadOnly: ro})
		require.NoError(t, err)
		for _, p := range []string{"fd", "to", "/to"} {
			f, _, err := ns.Open(atRoot("/"), p, abi.ORdonly, 0)
			require.NoError(t, err)
			st, err := f.Stat()
			require.NoError(t, err)
			require.EqualValues(t, 5, st.Size)
			st, err = ns.Stat(atRoot("/"), p, true)
			require.NoError(t, err)
			require.EqualValues(t, 5, st.Size)
			st, err = ns.Stat(atRoot("/"), p, false)
			require.NoError(t, err)
			require.True(t, st.Mode.IsSymlink())
		}
		target, err := ns.Readlink(atRoot("/"), "fd")
		require.NoError(t, err)
		require.Equal(t, "pipe:[1]", target)
		_, err = ns.Stat(atRoot("/"), "fd/x", true)
		require.Equal(t, "ENOENT", errnoName(err))
	}
}

func FuzzPath(f *testing.F) {
	for _, p := range []string{"", "/", "//", "a", "/a/./b/", "../..", "dir/../file", "rel/", "loop", "a\x00", "chain40/..", "./.", "dirlink/..//./file"} {
		f.Add(p, "/dir")
	}
	f.Add("x", "")
	f.Add("x", "relative")
	ns := newFuzzTree(f)
	f.Fuzz(func(t *testing.T, path, dir string) {
		for _, beneath := range []bool{false, true} {
			at := vfs.At{Dir: dir, Beneath: beneath, Cred: user}
			abs, err := ns.Realpath(at, path)
			if err != nil {
				if _, ok := err.(abi.Errno); !ok {
					t.Fatalf("Realpath(%q, %q): %T", dir, path, err)
				}
				continue
			}
			again, err := ns.Realpath(vfs.At{Dir: "/", Cred: user}, abs)
			if err != nil || again != abs {
				t.Fatalf("Realpath(%q) = %q, %v", abs, again, err)
			}
			if beneath && abs != dir && dir != "/" && !hasPrefix(abs, dir+"/") {
				t.Fatalf("Realpath(%q) leaves %q: %q", path, dir, abs)
			}
		}
	})
}

func hasPrefix(s, p string) bool { return len(s) >= len(p) && s[:len(p)] == p }

func newFuzzTree(f *testing.F) *vfs.Namespace {
	fs := memfs.New(memfs.Options{})
	if err := fs.Add(
		memfs.Entry{Name: "dir/file"}, memfs.Entry{Name: "dir/sub", Mode: abi.ModeDir | 0o755}, memfs.Entry{Name: "file"},
		memfs.Entry{Name: "rel", Mode: abi.ModeSymlink, Target: "dir/file"},
		memfs.Entry{Name: "dirlink", Mode: abi.ModeSymlink, Target: "/dir/"},
		memfs.Entry{Name: "dir/up", Mode: abi.ModeSymlink, Target: "../dir/.."},
		memfs.Entry{Name: "loop", Mode: abi.ModeSymlink, Target: "loop"},
	); err != nil {
		f.Fatal(err)
	}
	ns, err := vfs.NewNamespace(vfs.Mount{Path: "/", FS: fs}, vfs.Mount{Path: "/m/n", FS: fs, ReadOnly: true})
	if err != nil {
		f.Fatal(err)
	}
	return ns
}

func BenchmarkWalk(b *testing.B) {
	fs := memfs.New(memfs.Options{})
	if err := fs.Add(
		memfs.Entry{Name: "a/b/c/d/file", Mode: 0o644},
		memfs.Entry{Name: "a/b/link", Mode: abi.ModeSymlink, Target: "c/d"},
	); err != nil {
		b.Fatal(err)
	}
	ns, err := vfs.NewNamespace(vfs.Mount{Path: "/", FS: fs})
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range []string{"a/b/c/d/file", "/a/b/c/d/file", "a/b/link/file", "a/../a/b/c/d/file"} {
		b.Run(p, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ns.Stat(vfs.At{Dir: "/", Cred: user}, p, true); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
