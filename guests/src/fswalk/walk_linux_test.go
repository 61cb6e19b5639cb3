// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fswalk

import (
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

func walk(w *Walker, root string, prune string) []string {
	names := [...]string{"file", "dir", "post", "cycle", "unreadable", "missing"}
	var l []string
	w.Start(root)
	for {
		e := w.Next()
		if e == nil {
			return l
		}
		l = append(l, names[e.Kind]+" "+strconv.Itoa(e.Depth)+" "+e.Path())
		if e.Kind == Dir && e.Base() == prune {
			w.Skip()
		}
	}
}

func TestWalk(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("d/a/b", 0o755))
	require.NoError(t, os.WriteFile("d/f", nil, 0o644))
	require.NoError(t, os.WriteFile("d/a/g", nil, 0o644))
	require.NoError(t, os.Symlink("..", "d/a/up"))
	require.NoError(t, os.Symlink("nowhere", "d/a/b/bad"))
	require.NoError(t, os.Symlink("d/a", "l"))
	for _, c := range []struct {
		root   string
		follow Follow
		prune  string
		want   []string
	}{
		{"d", FollowNone, "", []string{"dir 0 d", "dir 1 d/a", "dir 2 d/a/b", "file 1 d/f", "file 2 d/a/g", "file 2 d/a/up", "file 3 d/a/b/bad", "post 0 d", "post 1 d/a", "post 2 d/a/b"}},
		{"d/", FollowNone, "a", []string{"dir 0 d/", "dir 1 d/a", "file 1 d/f", "post 0 d/"}},
		{"l", FollowNone, "", []string{"file 0 l"}},
		{"l", FollowRoots, "b", []string{"dir 0 l", "dir 1 l/b", "file 1 l/g", "file 1 l/up", "post 0 l"}},
		{"d", FollowAll, "b", []string{"cycle 2 d/a/up", "dir 0 d", "dir 1 d/a", "dir 2 d/a/b", "file 1 d/f", "file 2 d/a/g", "post 0 d", "post 1 d/a"}},
		{"nope", FollowNone, "", []string{"missing 0 nope"}},
		{"d/f", FollowAll, "", []string{"file 0 d/f"}},
	} {
		for _, stat := range []bool{false, true} {
			w := &Walker{Follow: c.follow, Stat: stat}
			got := walk(w, c.root, c.prune)
			sort.Strings(got)
			require.Equal(t, c.want, got, "%s %d", c.root, c.follow)
		}
	}
}

func TestWalkUnreadable(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("d/a", 0o755))
	w := &Walker{}
	w.Start("d")
	var got []string
	for e := w.Next(); e != nil; e = w.Next() {
		got = append(got, strconv.Itoa(int(e.Kind))+e.Path())
		if e.Path() == "d/a" && e.Kind == Dir {
			require.NoError(t, os.Remove("d/a")) // it is gone before it is opened
		}
	}
	require.Equal(t, []string{"1d", "1d/a", "4d/a", "2d/a", "2d"}, got)
}

// Depth is bounded neither by descriptors nor by the length of a path.
func TestWalkDeep(t *testing.T) {
	t.Chdir(t.TempDir())
	const depth = 400
	name := strings.Repeat("n", 20)
	top, err := os.Getwd()
	require.NoError(t, err)
	for range depth {
		require.NoError(t, syscall.Mkdir(name, 0o755))
		require.NoError(t, syscall.Mknod("f", syscall.S_IFREG|0o644, 0))
		require.NoError(t, syscall.Chdir(name))
	}
	require.NoError(t, os.Chdir(top))
	before, err := filepath.Glob("/proc/self/fd/*")
	require.NoError(t, err)
	w := &Walker{}
	w.Start(".")
	dirs, files := 0, 0
	for e := w.Next(); e != nil; e = w.Next() {
		switch e.Kind {
		case Post:
			dirs++
			if e.Depth > 0 {
				require.NoError(t, wsys.Rmdir(e.Dir, e.Name))
			}
		case File:
			files++
			require.NoError(t, wsys.Unlink(e.Dir, e.Name))
		case Unreadable, Missing, Cycle:
			t.Fatal(e.Kind, e.Err)
		}
	}
	require.Equal(t, depth+1, dirs)
	require.Equal(t, depth, files)
	after, err := filepath.Glob("/proc/self/fd/*")
	require.NoError(t, err)
	require.Len(t, after, len(before))
}
