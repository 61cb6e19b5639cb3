// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfstest

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// Options says what a file system cannot do.
type Options struct {
	NoSymlink  bool // no symbolic links
	NoLink     bool // no hard links
	NoMkfifo   bool // no FIFOs
	NoPerm     bool // no permission bits beyond the owner's right to write
	FoldsCase  bool // names that differ in case are the same
	UTF8Names  bool // other names are refused
	CoarseTime bool // times are kept to a precision worse than 1 µs
	LateUnlink bool // a removed name goes only once nobody has the file open
	KeepsCase  bool // with FoldsCase: renaming to a name that differs in case does nothing
}

// Run checks a file system that can be written. New returns an empty one for each
// part of the suite.
func Run(t *testing.T, opt Options, newFS func(t *testing.T) vfs.FS) {
	for _, part := range []struct {
		name string
		run  func(s *suite)
	}{
		{"Names", (*suite).names},
		{"Open", (*suite).open},
		{"ReadWrite", (*suite).readWrite},
		{"Append", (*suite).append},
		{"Truncate", (*suite).truncate},
		{"Mkdir", (*suite).mkdir},
		{"Unlink", (*suite).unlink},
		{"UnlinkOpen", (*suite).unlinkOpen},
		{"Rmdir", (*suite).rmdir},
		{"Rename", (*suite).rename},
		{"RenameDir", (*suite).renameDir},
		{"Link", (*suite).link},
		{"Symlink", (*suite).symlink},
		{"SymlinkNeverFollowed", (*suite).symlinkNeverFollowed},
		{"Mkfifo", (*suite).mkfifo},
		{"Chmod", (*suite).chmod},
		{"Utimes", (*suite).utimes},
		{"ReadDir", (*suite).readDir},
		{"ReadDirCookies", (*suite).readDirCookies},
		{"ReadDirChanging", (*suite).readDirChanging},
		{"Closed", (*suite).closed},
		{"Concurrent", (*suite).concurrent},
		{"Statfs", (*suite).statfs},
		{"ReadOnlyView", (*suite).readOnlyView},
	} {
		t.Run(part.name, func(t *testing.T) {
			part.run(&suite{T: t, opt: opt, fs: newFS(t)})
		})
	}
}

// suite runs one part over one file system.
type suite struct {
	*testing.T
	opt Options
	fs  vfs.FS
}

// want fails unless err is the named errno, "" for none.
func (s *suite) want(errno string, err error, msg ...any) {
	s.Helper()
	got := ""
	if err != nil {
		got = abi.ErrnoOf(err).Name()
		var e abi.Errno
		require.ErrorAs(s, err, &e, msg...)
	}
	require.Equal(s, errno, got, msg...)
}

func (s *suite) mustOpen(name string, flag abi.OpenFlag) vfs.RegularFile {
	s.Helper()
	f, err := s.fs.Open(name, flag, 0o644)
	require.NoError(s, err, name)
	r, ok := f.(vfs.RegularFile)
	require.True(s, ok, "%s is no regular file but %T", name, f)
	s.Cleanup(func() { r.Close() })
	return r
}

func (s *suite) write(name, content string) {
	s.Helper()
	f, err := s.fs.Open(name, abi.OWronly|abi.OCreat|abi.OTrunc, 0o644)
	require.NoError(s, err, name)
	n, err := f.(vfs.RegularFile).WriteAt([]byte(content), 0)
	require.NoError(s, err)
	require.Equal(s, len(content), n)
	require.NoError(s, f.Close())
}

func (s *suite) read(name string) string {
	s.Helper()
	f, err := s.fs.Open(name, abi.ORdonly, 0)
	require.NoError(s, err, name)
	defer f.Close()
	st, err := f.Stat()
	require.NoError(s, err)
	b := make([]byte, st.Size+1)
	n, err := f.(vfs.RegularFile).ReadAt(b, 0)
	require.NoError(s, err)
	require.EqualValues(s, st.Size, n)
	return string(b[:n])
}

func (s *suite) lstat(name string) abi.Stat {
	s.Helper()
	st, err := s.fs.Lstat(name)
	require.NoError(s, err, name)
	return st
}

func (s *suite) mkdirs(names ...string) {
	s.Helper()
	for _, n := range names {
		require.NoError(s, s.fs.(vfs.MkdirFS).Mkdir(n, 0o755), n)
	}
}

// list reads a directory in one go and returns its names, sorted.
func (s *suite) list(name string) []string {
	s.Helper()
	f, err := s.fs.Open(name, abi.ODirectory, 0)
	require.NoError(s, err, name)
	defer f.Close()
	es, err := f.(vfs.Directory).ReadDir(nil, 0, 1<<20, false)
	require.NoError(s, err)
	return names(es)
}

func names(es []vfs.Dirent) []string {
	var out []string
	for _, e := range es {
		if e.Name != "." && e.Name != ".." {
			out = append(out, e.Name)
		}
	}
	slices.Sort(out)
	return out
}

func (s *suite) names() {
	long := strings.Repeat("n", 255)
	for _, n := range []string{"plain", "with space", "a.b.c", ".hidden", "ünï", "日本", long} {
		if len(n) == 255 && s.opt.UTF8Names {
			continue
		}
		s.write(n, n)
		require.Equal(s, n, s.read(n))
	}
	_, err := s.fs.Lstat(long + "x")
	s.want("ENAMETOOLONG", err)
	_, err = s.fs.Open(long+"x", abi.OWronly|abi.OCreat, 0o644)
	s.want("ENAMETOOLONG", err)
	for _, bad := range []string{"", "/", "/plain", "plain/", "..", "../x", "plain/..", "./plain", "a//b", "nul\x00", "x/../y"} {
		_, err := s.fs.Lstat(bad)
		require.Error(s, err, "Lstat(%q)", bad)
		_, err = s.fs.Open(bad, abi.OWronly|abi.OCreat, 0o644)
		require.Error(s, err, "Open(%q)", bad)
		require.Error(s, s.fs.(vfs.MkdirFS).Mkdir(bad, 0o755), "Mkdir(%q)", bad)
		require.Error(s, s.fs.(vfs.RemoveFS).Unlink(bad), "Unlink(%q)", bad)
		require.Error(s, s.fs.(vfs.RenameFS).Rename("plain", bad), "Rename to %q", bad)
	}
	if !s.opt.UTF8Names {
		for _, n := range []string{"\xff\xfe", "caf\u00e9", "cafe\u0301", "back\\slash", "new\nline"} {
			s.write(n, n)
			require.Equal(s, n, s.read(n))
		}
	}
	if !s.opt.FoldsCase {
		s.write("Case", "1")
		s.write("case", "2")
		require.Equal(s, "1", s.read("Case"))
	}
	_, err = s.fs.Lstat("missing")
	s.want("ENOENT", err)
	_, err = s.fs.Lstat("missing/x")
	s.want("ENOENT", err)
	_, err = s.fs.Lstat("plain/x")
	s.want("ENOTDIR", err)
	_, err = s.fs.Lstat("plain/x/y")
	s.want("ENOTDIR", err)
}

func (s *suite) open() {
	s.write("f", "data")
	s.mkdirs("d")
	tests := []struct {
		name string
		flag abi.OpenFlag
		err  string
	}{
		{"f", abi.ORdonly, ""},
		{"f", abi.OWronly, ""},
		{"f", abi.ORdwr, ""},
		{"f", abi.ORdwr | abi.OCreat, ""},
		{"f", abi.ODirectory, "ENOTDIR"},
		{"f", abi.OWronly | abi.OCreat | abi.OExcl, "EEXIST"},
		{"f/x", abi.ORdonly, "ENOTDIR"},
		{"f/x", abi.OWronly | abi.OCreat, "ENOTDIR"},
		{"d", abi.ORdonly, ""},
		{"d", abi.ODirectory, ""},
		{".", abi.ORdonly, ""},
		{".", abi.ODirectory, ""},
		{"d", abi.OWronly, "EISDIR"},
		{"d", abi.ORdwr, "EISDIR"},
		{".", abi.OWronly, "EISDIR"},
		{"d", abi.OTrunc, "EISDIR"},
		{"d", abi.ORdonly | abi.OCreat, "EISDIR"},
		{"d", abi.OWronly | abi.OCreat, "EISDIR"},
		{"d", abi.OWronly | abi.OCreat | abi.OExcl, "EEXIST"},
		{"none", abi.ORdonly, "ENOENT"},
		{"none", abi.ODirectory, "ENOENT"},
		{"none/x", abi.OWronly | abi.OCreat, "ENOENT"},
		{"d/new", abi.OWronly | abi.OCreat | abi.OExcl, ""},
		{"d/new", abi.OWronly | abi.OCreat | abi.OExcl, "EEXIST"},
	}
	for _, tt := range tests {
		f, err := s.fs.Open(tt.name, tt.flag, 0o644)
		s.want(tt.err, err, "Open(%q, %#x)", tt.name, tt.flag)
		if err != nil {
			continue
		}
		st, err := f.Stat()
		require.NoError(s, err)
		want := s.lstat(tt.name)
		require.Equal(s, want.Ino, st.Ino)
		require.Equal(s, want.Dev, st.Dev)
		require.Equal(s, want.Mode, st.Mode)
		_, isDir := f.(vfs.Directory)
		require.Equal(s, st.Mode.IsDir(), isDir)
		require.NoError(s, f.Close())
	}
	require.Equal(s, "data", s.read("f"))
	f, err := s.fs.Open("f", abi.OWronly|abi.OTrunc, 0)
	require.NoError(s, err)
	require.NoError(s, f.Close())
	require.Equal(s, "", s.read("f"))
	if !s.opt.NoPerm {
		for _, perm := range []abi.Mode{0o600, 0o644, 0o666, 0o755, 0o777, 0o400} {
			name := "perm" + string(rune('0'+perm>>6)) + string(rune('0'+perm>>3&7))
			f, err := s.fs.Open(name, abi.OWronly|abi.OCreat, perm)
			require.NoError(s, err)
			require.NoError(s, f.Close())
			require.Equal(s, abi.ModeRegular|perm, s.lstat(name).Mode)
		}
	}
}

func (s *suite) readWrite() {
	f := s.mustOpen("f", abi.ORdwr|abi.OCreat)
	b := make([]byte, 10)
	n, err := f.ReadAt(b, 0)
	require.NoError(s, err)
	require.Zero(s, n)
	n, err = f.WriteAt([]byte("hello"), 3)
	require.NoError(s, err)
	require.Equal(s, 5, n)
	n, err = f.ReadAt(b, 0)
	require.NoError(s, err)
	require.Equal(s, "\x00\x00\x00hello", string(b[:n]))
	n, err = f.ReadAt(b, 6)
	require.NoError(s, err)
	require.Equal(s, "lo", string(b[:n]))
	n, err = f.ReadAt(b, 100)
	require.NoError(s, err)
	require.Zero(s, n)
	_, err = f.ReadAt(b, -1)
	s.want("EINVAL", err)
	_, err = f.WriteAt(b, -1)
	s.want("EINVAL", err)
	n, err = f.WriteAt(nil, 1<<20)
	require.NoError(s, err)
	require.Zero(s, n)
	st, err := f.Stat()
	require.NoError(s, err)
	require.EqualValues(s, 8, st.Size)
	require.EqualValues(s, 1, st.Nlink)

	// Across the sizes at which implementations split.
	const size = 300_000
	big := make([]byte, size)
	for i := range big {
		big[i] = byte(i * 7)
	}
	n, err = f.WriteAt(big, 12345)
	require.NoError(s, err)
	require.Equal(s, size, n)
	got := make([]byte, size+20)
	n, err = f.ReadAt(got, 12345)
	require.NoError(s, err)
	require.Equal(s, size, n)
	require.Equal(s, big, got[:n])
	n, err = f.ReadAt(got[:100], 12300)
	require.NoError(s, err)
	require.Equal(s, 100, n)
	require.Equal(s, make([]byte, 45), got[:45])
	require.Equal(s, big[:55], got[45:100])

	g := s.mustOpen("f", abi.ORdonly)
	n, err = g.ReadAt(b[:5], 3)
	require.NoError(s, err)
	require.Equal(s, "hello", string(b[:n]))
}

func (s *suite) append() {
	f := s.mustOpen("f", abi.ORdwr|abi.OCreat)
	end, err := f.Append([]byte("abc"))
	require.NoError(s, err)
	require.EqualValues(s, 3, end)
	g := s.mustOpen("f", abi.OWronly)
	end, err = g.Append([]byte("de"))
	require.NoError(s, err)
	require.EqualValues(s, 5, end)
	end, err = f.Append([]byte("f"))
	require.NoError(s, err)
	require.EqualValues(s, 6, end)
	end, err = f.Append(nil)
	require.NoError(s, err)
	require.EqualValues(s, 6, end)
	_, err = f.WriteAt([]byte("X"), 1)
	require.NoError(s, err)
	require.Equal(s, "aXcdef", s.read("f"))
}

func (s *suite) truncate() {
	f := s.mustOpen("f", abi.ORdwr|abi.OCreat)
	_, err := f.WriteAt([]byte("0123456789"), 0)
	require.NoError(s, err)
	require.NoError(s, f.Truncate(4))
	require.Equal(s, "0123", s.read("f"))
	require.NoError(s, f.Truncate(8))
	require.Equal(s, "0123\x00\x00\x00\x00", s.read("f"))
	s.want("EINVAL", f.Truncate(-1))
	big := strings.Repeat("x", 200_000)
	_, err = f.WriteAt([]byte(big), 0)
	require.NoError(s, err)
	require.NoError(s, f.Truncate(70_000))
	require.NoError(s, f.Truncate(200_000))
	require.Equal(s, big[:70_000]+strings.Repeat("\x00", 130_000), s.read("f"))
	require.NoError(s, f.Truncate(1<<30)) // a hole
	b := []byte("zzz")
	n, err := f.ReadAt(b, 1<<29)
	require.NoError(s, err)
	require.Equal(s, 3, n)
	require.Equal(s, "\x00\x00\x00", string(b))
	require.NoError(s, f.Truncate(0))
	require.NoError(s, f.Sync())
	require.Equal(s, "", s.read("f"))
}

func (s *suite) mkdir() {
	m := s.fs.(vfs.MkdirFS)
	require.NoError(s, m.Mkdir("d", 0o755))
	s.want("EEXIST", m.Mkdir("d", 0o755))
	s.want("EEXIST", m.Mkdir(".", 0o755))
	s.want("ENOENT", m.Mkdir("none/d", 0o755))
	s.write("f", "")
	s.want("EEXIST", m.Mkdir("f", 0o755))
	s.want("ENOTDIR", m.Mkdir("f/d", 0o755))
	require.NoError(s, m.Mkdir("d/e", 0o755))
	st := s.lstat("d")
	require.True(s, st.Mode.IsDir())
	if !s.opt.NoPerm {
		require.NoError(s, m.Mkdir("p", 0o711))
		require.Equal(s, abi.ModeDir|0o711, s.lstat("p").Mode)
		require.NoError(s, m.Mkdir("q", 0o777))
		require.Equal(s, abi.ModeDir|0o777, s.lstat("q").Mode)
	}
	deep := "deep"
	for range 30 {
		require.NoError(s, m.Mkdir(deep, 0o755))
		deep += "/deep"
	}
	s.write(deep, "far down")
	require.Equal(s, "far down", s.read(deep))
}

func (s *suite) unlink() {
	r := s.fs.(vfs.RemoveFS)
	s.write("f", "1")
	s.mkdirs("d")
	require.NoError(s, r.Unlink("f"))
	s.want("ENOENT", r.Unlink("f"))
	s.want("EISDIR", r.Unlink("d"))
	s.want("EISDIR", r.Unlink("."))
	s.want("ENOENT", r.Unlink("d/x"))
	s.want("ENOENT", r.Unlink("none/x"))
	s.write("g", "")
	s.want("ENOTDIR", r.Unlink("g/x"))
	require.Equal(s, []string{"d", "g"}, s.list("."))
}

func (s *suite) unlinkOpen() {
	if s.opt.LateUnlink {
		s.Skip("removed names go with the last open file")
	}
	f := s.mustOpen("f", abi.ORdwr|abi.OCreat)
	_, err := f.WriteAt([]byte("alive"), 0)
	require.NoError(s, err)
	require.NoError(s, s.fs.(vfs.RemoveFS).Unlink("f"))
	_, err = s.fs.Lstat("f")
	s.want("ENOENT", err)
	s.write("f", "another")
	b := make([]byte, 10)
	n, err := f.ReadAt(b, 0)
	require.NoError(s, err)
	require.Equal(s, "alive", string(b[:n]))
	_, err = f.WriteAt([]byte("still "), 0)
	require.NoError(s, err)
	st, err := f.Stat()
	require.NoError(s, err)
	require.EqualValues(s, 6, st.Size)
	require.Zero(s, st.Nlink)
	require.Equal(s, "another", s.read("f"))
}

func (s *suite) rmdir() {
	r := s.fs.(vfs.RemoveFS)
	s.mkdirs("d", "d/e")
	s.write("f", "")
	s.want("ENOTEMPTY", r.Rmdir("d"))
	s.want("ENOTDIR", r.Rmdir("f"))
	s.want("ENOENT", r.Rmdir("x"))
	s.want("ENOTDIR", r.Rmdir("f/x"))
	require.NoError(s, r.Rmdir("d/e"))
	require.NoError(s, r.Rmdir("d"))
	s.want("EBUSY", r.Rmdir("."))
	require.Equal(s, []string{"f"}, s.list("."))
}

func (s *suite) rename() {
	r := s.fs.(vfs.RenameFS)
	s.write("a", "A")
	s.write("b", "B")
	s.mkdirs("d", "e", "full")
	s.write("full/x", "")
	ino := s.lstat("a").Ino
	require.NoError(s, r.Rename("a", "b"))
	require.Equal(s, "A", s.read("b"))
	require.Equal(s, ino, s.lstat("b").Ino)
	require.NoError(s, r.Rename("b", "d/c"))
	require.NoError(s, r.Rename("d/c", "d/c"))
	require.Equal(s, "A", s.read("d/c"))
	s.want("ENOENT", r.Rename("nope", "x"))
	s.want("ENOENT", r.Rename("d/c", "none/x"))
	s.want("ENOTDIR", r.Rename("d/c", "d/c/x"))
	s.want("EISDIR", r.Rename("d/c", "e"))
	s.write("f", "")
	s.want("ENOTDIR", r.Rename("e", "f"))
	s.want("EBUSY", r.Rename(".", "x"))
	s.want("EBUSY", r.Rename("e", "."))
	require.Equal(s, []string{"d", "e", "f", "full"}, s.list("."))
	if s.opt.FoldsCase && !s.opt.KeepsCase {
		require.NoError(s, r.Rename("f", "F"))
		require.Equal(s, []string{"F", "d", "e", "full"}, s.list("."))
	}
}

func (s *suite) renameDir() {
	r := s.fs.(vfs.RenameFS)
	s.mkdirs("d", "d/e", "empty", "full")
	s.write("full/x", "x")
	s.write("d/e/f", "f")
	require.NoError(s, r.Rename("d", "moved"))
	require.Equal(s, "f", s.read("moved/e/f"))
	s.want("EINVAL", r.Rename("moved", "moved/e/below"))
	s.want("EINVAL", r.Rename("moved", "moved/self"))
	s.want("ENOTEMPTY", r.Rename("moved", "full"))
	require.NoError(s, r.Rename("moved", "empty"))
	require.Equal(s, "f", s.read("empty/e/f"))
	require.NoError(s, r.Rename("empty/e", "top"))
	require.Equal(s, "f", s.read("top/f"))
	require.Equal(s, []string{"empty", "full", "top"}, s.list("."))
	require.Empty(s, s.list("empty"))
}

func (s *suite) link() {
	l := s.fs.(vfs.LinkFS)
	if s.opt.NoLink {
		s.write("a", "")
		s.want("ENOTSUP", l.Link("a", "b"))
		return
	}
	s.write("a", "one")
	s.mkdirs("d")
	require.NoError(s, l.Link("a", "d/b"))
	require.Equal(s, s.lstat("a").Ino, s.lstat("d/b").Ino)
	require.EqualValues(s, 2, s.lstat("a").Nlink)
	s.write("d/b", "two")
	require.Equal(s, "two", s.read("a"))
	s.want("EEXIST", l.Link("a", "d/b"))
	s.want("EEXIST", l.Link("a", "d"))
	s.want("EPERM", l.Link("d", "e"))
	s.want("ENOENT", l.Link("none", "e"))
	s.want("ENOENT", l.Link("a", "none/e"))
	s.want("ENOTDIR", l.Link("a", "a/e"))
	require.NoError(s, s.fs.(vfs.RemoveFS).Unlink("a"))
	require.Equal(s, "two", s.read("d/b"))
	require.EqualValues(s, 1, s.lstat("d/b").Nlink)
	require.NoError(s, l.Link("d/b", "again"))
	require.NoError(s, s.fs.(vfs.RenameFS).Rename("again", "d/b")) // the same file: nothing happens
	require.Equal(s, "two", s.read("again"))
	require.Equal(s, "two", s.read("d/b"))
}

func (s *suite) symlink() {
	l, ok := s.fs.(vfs.SymlinkFS)
	if s.opt.NoSymlink {
		if ok {
			s.want("ENOTSUP", l.Symlink("x", "y"))
		}
		return
	}
	r := s.fs.(vfs.ReadlinkFS)
	for i, target := range []string{"x", "/abs/olute", "../up", "with space", strings.Repeat("long/", 100)} {
		name := "l" + string(rune('0'+i))
		require.NoError(s, l.Symlink(target, name))
		got, err := r.Readlink(name)
		require.NoError(s, err)
		require.Equal(s, target, got)
		st := s.lstat(name)
		require.True(s, st.Mode.IsSymlink())
		require.EqualValues(s, len(target), st.Size)
	}
	s.write("f", "")
	_, err := r.Readlink("f")
	s.want("EINVAL", err)
	_, err = r.Readlink(".")
	s.want("EINVAL", err)
	_, err = r.Readlink("none")
	s.want("ENOENT", err)
	s.want("EEXIST", l.Symlink("x", "l0"))
	s.want("EEXIST", l.Symlink("x", "f"))
	s.want("ENOENT", l.Symlink("x", "none/l"))
	require.NoError(s, s.fs.(vfs.RenameFS).Rename("l0", "moved"))
	got, err := r.Readlink("moved")
	require.NoError(s, err)
	require.Equal(s, "x", got)
	require.NoError(s, s.fs.(vfs.RemoveFS).Unlink("moved"))
}

// symlinkNeverFollowed is the promise that the namespace builds on.
func (s *suite) symlinkNeverFollowed() {
	if s.opt.NoSymlink {
		s.Skip("no symbolic links")
	}
	l := s.fs.(vfs.SymlinkFS)
	s.mkdirs("d")
	s.write("d/f", "data")
	require.NoError(s, l.Symlink("d", "dl"))
	require.NoError(s, l.Symlink("d/f", "fl"))
	require.NoError(s, l.Symlink("d/new", "nl"))
	require.NoError(s, l.Symlink("loop", "loop"))
	for _, n := range []string{"dl", "fl", "nl", "loop"} {
		for _, flag := range []abi.OpenFlag{
			abi.ORdonly, abi.OWronly, abi.ORdwr | abi.OCreat, abi.OWronly | abi.OTrunc,
			abi.ODirectory, abi.OWronly | abi.OCreat | abi.OTrunc,
		} {
			_, err := s.fs.Open(n, flag, 0o644)
			if flag&abi.ODirectory != 0 && err != nil && abi.ErrnoOf(err) == abi.ENOTDIR {
				continue
			}
			s.want("ELOOP", err, "Open(%q, %#x)", n, flag)
		}
		_, err := s.fs.Open(n, abi.OWronly|abi.OCreat|abi.OExcl, 0o644)
		s.want("EEXIST", err)
		s.want("EEXIST", s.fs.(vfs.MkdirFS).Mkdir(n, 0o755))
		s.want("ENOTDIR", s.fs.(vfs.RemoveFS).Rmdir(n))
		s.want("ENOTSUP", s.fs.(vfs.ChmodFS).Chmod(n, 0o600))
	}
	_, err := s.fs.Lstat("dl/f")
	s.want("ELOOP", err)
	_, err = s.fs.Lstat("fl/x")
	s.want("ELOOP", err)
	_, err = s.fs.Open("dl/f", abi.ORdonly, 0)
	s.want("ELOOP", err)
	_, err = s.fs.Open("dl/n", abi.OWronly|abi.OCreat, 0o644)
	s.want("ELOOP", err)
	_, err = s.fs.Open("dl/n", abi.OWronly|abi.OCreat|abi.OExcl, 0o644)
	s.want("ELOOP", err)
	_, err = s.fs.(vfs.ReadlinkFS).Readlink("dl/f")
	s.want("ELOOP", err)
	s.want("ELOOP", s.fs.(vfs.MkdirFS).Mkdir("dl/n", 0o755))
	s.want("ELOOP", s.fs.(vfs.RemoveFS).Unlink("dl/f"))
	s.want("ELOOP", s.fs.(vfs.RemoveFS).Rmdir("dl/f"))
	s.want("ELOOP", s.fs.(vfs.RenameFS).Rename("dl/f", "x"))
	s.want("ELOOP", s.fs.(vfs.RenameFS).Rename("d/f", "dl/x"))
	s.want("ELOOP", l.Symlink("x", "dl/x"))
	s.want("ELOOP", s.fs.(vfs.ChmodFS).Chmod("dl/f", 0o600))
	s.want("ELOOP", s.fs.(vfs.UtimesFS).Utimes("dl/f", 0, 0))
	if !s.opt.NoLink {
		s.want("ELOOP", s.fs.(vfs.LinkFS).Link("dl/f", "x"))
		s.want("ELOOP", s.fs.(vfs.LinkFS).Link("d/f", "dl/x"))
		require.NoError(s, s.fs.(vfs.LinkFS).Link("fl", "copy"))
		require.True(s, s.lstat("copy").Mode.IsSymlink())
	}
	require.NoError(s, s.fs.(vfs.RenameFS).Rename("d/f", "fl"))
	require.Equal(s, "data", s.read("fl"))
	require.NoError(s, s.fs.(vfs.RemoveFS).Unlink("nl"))
	require.Empty(s, s.list("d"))
}

func (s *suite) mkfifo() {
	m, ok := s.fs.(vfs.MkfifoFS)
	if s.opt.NoMkfifo {
		if ok {
			s.want("ENOTSUP", m.Mkfifo("p", 0o644))
		}
		return
	}
	require.NoError(s, m.Mkfifo("p", 0o644))
	s.want("EEXIST", m.Mkfifo("p", 0o644))
	st := s.lstat("p")
	require.Equal(s, abi.ModeFIFO, st.Mode&abi.ModeFmt)
	f, err := s.fs.Open("p", abi.ORdwr, 0)
	require.NoError(s, err)
	got, err := f.Stat()
	require.NoError(s, err)
	require.Equal(s, st.Ino, got.Ino)
	require.Equal(s, st.Dev, got.Dev)
	require.NoError(s, f.Close())
	require.NoError(s, s.fs.(vfs.RemoveFS).Unlink("p"))
}

func (s *suite) chmod() {
	c := s.fs.(vfs.ChmodFS)
	s.write("f", "")
	s.mkdirs("d")
	s.want("ENOENT", c.Chmod("none", 0o600))
	if s.opt.NoPerm {
		return
	}
	for _, perm := range []abi.Mode{0o600, 0o755, 0o400, 0o000, 0o777, 0o644} {
		require.NoError(s, c.Chmod("f", perm))
		require.Equal(s, abi.ModeRegular|perm, s.lstat("f").Mode)
	}
	require.NoError(s, c.Chmod("d", 0o700))
	require.Equal(s, abi.ModeDir|0o700, s.lstat("d").Mode)
	require.NoError(s, c.Chmod(".", 0o750))
	require.Equal(s, abi.ModeDir|0o750, s.lstat(".").Mode)
	f := s.mustOpen("f", abi.ORdonly)
	require.NoError(s, f.(vfs.FileChmod).Chmod(0o604))
	require.Equal(s, abi.ModeRegular|0o604, s.lstat("f").Mode)
}

func (s *suite) utimes() {
	u := s.fs.(vfs.UtimesFS)
	s.write("f", "")
	const a, m = 1_000_000_000_123_456_700, 1_500_000_000_987_654_300
	want := func(name string, atim, mtim int64) {
		s.Helper()
		st := s.lstat(name)
		round := int64(1)
		if s.opt.CoarseTime {
			round = 1e9
		}
		require.Equal(s, atim/round, st.Atim/round)
		require.Equal(s, mtim/round, st.Mtim/round)
	}
	require.NoError(s, u.Utimes("f", a, m))
	want("f", a, m)
	require.NoError(s, u.Utimes("f", abi.UtimeOmit, a))
	want("f", a, a)
	require.NoError(s, u.Utimes("f", m, abi.UtimeOmit))
	want("f", m, a)
	require.NoError(s, u.Utimes("f", abi.UtimeNow, abi.UtimeNow))
	st := s.lstat("f")
	require.Greater(s, st.Mtim, int64(m))
	require.Greater(s, st.Atim, int64(m))
	f := s.mustOpen("f", abi.ORdonly)
	require.NoError(s, f.(vfs.FileUtimes).Utimes(a, m))
	if s.opt.CoarseTime || a/1000*1000 != a {
		st := s.lstat("f")
		require.Equal(s, int64(a/1000), st.Atim/1000)
		require.Equal(s, int64(m/1000), st.Mtim/1000)
	} else {
		want("f", a, m)
	}
	require.NoError(s, u.Utimes(".", a, m))
	require.Equal(s, int64(m/1000), s.lstat(".").Mtim/1000)
	s.want("ENOENT", u.Utimes("none", a, m))
	if !s.opt.NoSymlink {
		require.NoError(s, s.fs.(vfs.SymlinkFS).Symlink("f", "l"))
		require.NoError(s, u.Utimes("l", m, a))
		require.Equal(s, int64(a/1000), s.lstat("l").Mtim/1000)
		require.Equal(s, int64(m/1000), s.lstat("f").Mtim/1000)
	}
}

func (s *suite) statfs() {
	st, err := s.fs.(vfs.StatfsFS).Statfs()
	require.NoError(s, err)
	require.Positive(s, st.Bsize)
	require.GreaterOrEqual(s, st.Blocks, st.Bfree)
	require.EqualValues(s, 255, st.Namelen)
}

func (s *suite) closed() {
	f, err := s.fs.Open("f", abi.ORdwr|abi.OCreat, 0o644)
	require.NoError(s, err)
	r := f.(vfs.RegularFile)
	require.NoError(s, f.Close())
	s.want("EBADF", f.Close())
	_, err = f.Stat()
	s.want("EBADF", err)
	_, err = r.ReadAt(make([]byte, 1), 0)
	s.want("EBADF", err)
	_, err = r.WriteAt(make([]byte, 1), 0)
	s.want("EBADF", err)
	_, err = r.Append(make([]byte, 1))
	s.want("EBADF", err)
	s.want("EBADF", r.Truncate(0))
	s.want("EBADF", r.Sync())
	d, err := s.fs.Open(".", abi.ODirectory, 0)
	require.NoError(s, err)
	require.NoError(s, d.Close())
	s.want("EBADF", d.Close())
	_, err = d.(vfs.Directory).ReadDir(nil, 0, 1, false)
	s.want("EBADF", err)
}
