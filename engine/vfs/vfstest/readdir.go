// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfstest

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

func (s *suite) openDir(name string) vfs.Directory {
	s.Helper()
	f, err := s.fs.Open(name, abi.ODirectory, 0)
	require.NoError(s, err)
	s.Cleanup(func() { f.Close() })
	return f.(vfs.Directory)
}

func (s *suite) readDir() {
	s.mkdirs("d", "d/sub")
	s.write("d/f", "12345")
	if !s.opt.NoSymlink {
		require.NoError(s, s.fs.(vfs.SymlinkFS).Symlink("f", "d/l"))
	}
	d := s.openDir("d")
	for _, stat := range []bool{false, true} {
		es, err := d.ReadDir(nil, 0, 100, stat)
		require.NoError(s, err)
		seen := map[string]bool{}
		for _, e := range es {
			require.False(s, seen[e.Name], "%q twice", e.Name)
			seen[e.Name] = true
			if e.Name == "." || e.Name == ".." {
				continue
			}
			st := s.lstat("d/" + e.Name)
			if e.Ino != 0 {
				require.Equal(s, st.Ino, e.Ino, e.Name)
			}
			if e.Mode != 0 {
				require.Equal(s, st.Mode&abi.ModeFmt, e.Mode, e.Name)
			}
			if e.StatOK {
				require.True(s, stat)
				st.Atim, e.Stat.Atim = 0, 0
				require.Equal(s, st, e.Stat, e.Name)
			}
		}
		require.True(s, seen["."])
		require.True(s, seen[".."])
		require.True(s, seen["f"])
		require.True(s, seen["sub"])
	}
	es, err := d.ReadDir(nil, 0, 0, false)
	require.NoError(s, err)
	require.Empty(s, es)
	prefix := []vfs.Dirent{{Name: "kept"}}
	es, err = d.ReadDir(prefix, 0, 1, false)
	require.NoError(s, err)
	require.Len(s, es, 2)
	require.Equal(s, "kept", es[0].Name)

	// A removed directory has no entries and no errors.
	gone := s.openDir("d/sub")
	require.NoError(s, s.fs.(vfs.RemoveFS).Rmdir("d/sub"))
	es, err = gone.ReadDir(nil, 0, 100, true)
	require.NoError(s, err)
	require.Empty(s, names(es))
}

// readDirCookies reads with every step width and restarts at every cookie.
func (s *suite) readDirCookies() {
	s.mkdirs("d")
	var want []string
	for i := range 300 {
		n := "entry-with-a-longer-name-" + strconv.Itoa(i)
		s.write("d/"+n, "")
		want = append(want, n)
	}
	slices.Sort(want)
	d := s.openDir("d")
	for _, step := range []int{1, 2, 7, 100, 1000} {
		var all []vfs.Dirent
		cookie := uint64(0)
		for {
			es, err := d.ReadDir(nil, cookie, step, false)
			require.NoError(s, err)
			if len(es) == 0 {
				break
			}
			require.LessOrEqual(s, len(es), step)
			all = append(all, es...)
			cookie = es[len(es)-1].Cookie
		}
		require.Equal(s, want, names(all), "step %d", step)
	}
	all, err := d.ReadDir(nil, 0, 1000, false)
	require.NoError(s, err)
	for i := 0; i < len(all)-1; i += 13 {
		es, err := d.ReadDir(nil, all[i].Cookie, 1, false)
		require.NoError(s, err)
		require.Equal(s, all[i+1].Name, es[0].Name)
	}
	// Hostile cookies give an error or some entries, and no panic.
	for _, c := range []uint64{1 << 62, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
		_, _ = d.ReadDir(nil, c, 10, true)
	}
}

// readDirChanging removes and makes entries while a reader goes on: what is
// there throughout is seen exactly once.
func (s *suite) readDirChanging() {
	s.mkdirs("d")
	const n = 400
	for i := range n {
		s.write(fmt.Sprintf("d/keep%03d", i), "")
		s.write(fmt.Sprintf("d/drop%03d", i), "")
	}
	d := s.openDir("d")
	seen := map[string]int{}
	cookie, round := uint64(0), 0
	for {
		es, err := d.ReadDir(nil, cookie, 10, false)
		require.NoError(s, err)
		if len(es) == 0 {
			break
		}
		cookie = es[len(es)-1].Cookie
		for _, e := range es {
			seen[e.Name]++
		}
		for i := round * 7; i < min(n, round*7+7); i++ {
			require.NoError(s, s.fs.(vfs.RemoveFS).Unlink(fmt.Sprintf("d/drop%03d", i)))
		}
		if round < 50 {
			s.write(fmt.Sprintf("d/new%03d", round), "")
		}
		round++
		require.Less(s, round, 10*n, "the listing has no end")
	}
	for i := range n {
		require.Equal(s, 1, seen[fmt.Sprintf("keep%03d", i)], "keep%03d", i)
	}
	for name, times := range seen {
		require.Equal(s, 1, times, name)
	}
}

func (s *suite) concurrent() {
	s.mkdirs("d")
	f := s.mustOpen("log", abi.ORdwr|abi.OCreat)
	var wg sync.WaitGroup
	const workers, rounds = 4, 50
	for w := range workers {
		wg.Go(func() {
			for i := range rounds {
				name := fmt.Sprintf("d/w%d-%d", w, i)
				g, err := s.fs.Open(name, abi.ORdwr|abi.OCreat|abi.OExcl, 0o644)
				if err != nil {
					s.Errorf("Open(%q) = %v", name, err)
					return
				}
				if _, err := g.(vfs.RegularFile).WriteAt([]byte(name), 0); err != nil {
					s.Errorf("WriteAt: %v", err)
				}
				g.Close()
				if err := s.fs.(vfs.RenameFS).Rename(name, name+"x"); err != nil {
					s.Errorf("Rename(%q) = %v", name, err)
				}
				if i%2 == 0 {
					if err := s.fs.(vfs.RemoveFS).Unlink(name + "x"); err != nil {
						s.Errorf("Unlink = %v", err)
					}
				}
				if _, err := f.Append([]byte("line\n")); err != nil {
					s.Errorf("Append = %v", err)
				}
			}
		})
	}
	wg.Go(func() {
		d, err := s.fs.Open("d", abi.ODirectory, 0)
		if err != nil {
			s.Errorf("Open = %v", err)
			return
		}
		defer d.Close()
		for range 20 {
			if _, err := d.(vfs.Directory).ReadDir(nil, 0, 1000, true); err != nil {
				s.Errorf("ReadDir = %v", err)
			}
		}
	})
	wg.Wait()
	require.Len(s, s.list("d"), workers*rounds/2)
	require.EqualValues(s, workers*rounds*5, s.lstat("log").Size)
}

func (s *suite) readOnlyView() {
	s.mkdirs("d")
	s.write("f", "data")
	s.write("d/g", "")
	if !s.opt.NoSymlink {
		require.NoError(s, s.fs.(vfs.SymlinkFS).Symlink("f", "l"))
	}
	CheckReadOnly(s.T, vfs.ReadOnly(s.fs))
}

// CheckReadOnly checks that nothing changes in fsys, which holds the regular file
// f with the content "data", the directory d with the file d/g, and perhaps the
// symbolic link l to f.
func CheckReadOnly(t *testing.T, fsys vfs.FS) {
	s := &suite{T: t, fs: fsys}
	before := [...]abi.Stat{s.lstat("f"), s.lstat("d"), s.lstat("d/g"), s.lstat(".")}
	for _, tt := range []struct {
		name string
		flag abi.OpenFlag
		err  string
	}{
		{"f", abi.OWronly, "EROFS"},
		{"f", abi.ORdwr, "EROFS"},
		{"f", abi.OTrunc, "EROFS"},
		{"f", abi.OWronly | abi.OTrunc, "EROFS"},
		{"f", abi.OWronly | abi.OCreat, "EROFS"},
		{"f", abi.OWronly | abi.OCreat | abi.OExcl, "EEXIST"},
		{"f", abi.OCreat, ""},
		{"new", abi.OCreat, "EROFS"},
		{"new", abi.OWronly | abi.OCreat, "EROFS"},
		{"new", abi.OWronly, "ENOENT"},
		{"none/new", abi.OWronly | abi.OCreat, "ENOENT"},
		{"f/new", abi.OWronly | abi.OCreat, "ENOTDIR"},
		{"d", abi.OWronly, "EISDIR"},
		{"d", abi.ODirectory, ""},
	} {
		f, err := fsys.Open(tt.name, tt.flag, 0o644)
		s.want(tt.err, err, "Open(%q, %#x)", tt.name, tt.flag)
		if err == nil {
			require.NoError(t, f.Close())
		}
	}
	for _, op := range []struct {
		name string
		err  error
	}{
		{"mkdir", fsys.(vfs.MkdirFS).Mkdir("x", 0o755)},
		{"mkfifo", fsys.(vfs.MkfifoFS).Mkfifo("x", 0o755)},
		{"unlink", fsys.(vfs.RemoveFS).Unlink("f")},
		{"rmdir", fsys.(vfs.RemoveFS).Rmdir("d")},
		{"rename", fsys.(vfs.RenameFS).Rename("f", "x")},
		{"link", fsys.(vfs.LinkFS).Link("f", "x")},
		{"symlink", fsys.(vfs.SymlinkFS).Symlink("f", "x")},
		{"chmod", fsys.(vfs.ChmodFS).Chmod("f", 0o777)},
		{"chown", fsys.(vfs.ChownFS).Chown("f", 1000, 1000)},
		{"utimes", fsys.(vfs.UtimesFS).Utimes("f", 1, 1)},
		{"chmod root", fsys.(vfs.ChmodFS).Chmod(".", 0o777)},
		{"utimes root", fsys.(vfs.UtimesFS).Utimes(".", 1, 1)},
	} {
		s.want("EROFS", op.err, op.name)
	}
	for _, name := range []string{"f", "d"} {
		f, err := fsys.Open(name, abi.ORdonly, 0)
		require.NoError(t, err)
		if c, ok := f.(vfs.FileChmod); ok {
			s.want("EROFS", c.Chmod(0o777), name)
		}
		if c, ok := f.(vfs.FileChown); ok {
			s.want("EROFS", c.Chown(1000, 1000), name)
		}
		if c, ok := f.(vfs.FileUtimes); ok {
			s.want("EROFS", c.Utimes(1, 1), name)
		}
		if r, ok := f.(vfs.RegularFile); ok {
			_, err = r.WriteAt([]byte("x"), 0)
			require.Error(t, err)
			_, err = r.Append([]byte("x"))
			require.Error(t, err)
			require.Error(t, r.Truncate(0))
		}
		require.NoError(t, f.Close())
	}
	require.Equal(t, "data", s.read("f"))
	after := [...]abi.Stat{s.lstat("f"), s.lstat("d"), s.lstat("d/g"), s.lstat(".")}
	for i := range before {
		before[i].Atim, after[i].Atim = 0, 0
	}
	require.Equal(t, before, after)
}
