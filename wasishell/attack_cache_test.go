// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/wasishell"
)

// TestAttackCache: the compiled programs are out of reach, even where the user
// binds a directory that holds them, such as the home directory. Who could
// change them could run anything on the host.
func TestAttackCache(t *testing.T) {
	sharedRuntime(t) // or skip
	cache := filepath.Join(t.TempDir(), "real", "cache")
	rt, err := wasishell.NewRuntime(t.Context(), wasishell.RuntimeConfig{CacheDir: cache})
	require.NoError(t, err)
	t.Cleanup(func() {
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
	})
	list := func() (names []string) {
		require.NoError(t, filepath.WalkDir(cache, func(p string, _ fs.DirEntry, err error) error {
			names = append(names, p)
			return err
		}))
		return names
	}
	home := filepath.Dir(filepath.Dir(cache))
	alias := filepath.Join(t.TempDir(), "alias")
	links := symlink(home, alias) == nil
	if !links {
		alias = home
	}
	for _, ws := range []string{home, alias, filepath.Join(home, "real")} {
		g := newTarget(t, func(c *wasishell.Config) {
			c.Runtime, c.Workspace = rt, ws
			c.Mounts = append(c.Mounts, wasishell.Mount{Host: home, Guest: "/mnt/home"})
		})
		g.ws = ws
		r := g.remote()
		require.Zero(t, r.call("sched_yield"), "compiled, and so in the cache")
		before := list()
		require.NotEmpty(t, before)
		inside := "real/cache"
		if ws == filepath.Join(home, "real") {
			inside = "cache"
		}
		dirs := []string{"/mnt/home/real/cache", inside}
		if links {
			p, n := r.path(atPath, inside)
			q, k := r.path(atPath2, "link")
			require.Zero(t, r.call("path_symlink", p, n, preopenCwd, q, k))
			dirs = append(dirs, "link")
		}
		for _, dir := range dirs {
			at := uint64(preopenCwd)
			if dir[0] == '/' {
				at, dir = preopenRoot, dir[1:]
			}
			p, n := r.path(atPath, dir)
			require.Zero(t, r.call("path_open", at, followLinks, p, n, oflagDir, 1<<14, 0, 0, atResult), dir)
			require.Zero(t, r.call("fd_readdir", uint64(r.u32(atResult)), atData, 4096, 0, atResult))
			require.EqualValues(t, 24+1+24+2, r.u32(atResult), "only . and .. are in %s", dir)
			evil, en := r.path(atPath2, dir+"/evil")
			require.Equal(t, abi.EROFS, r.call("path_open", at, followLinks, evil, en, oflagCreat, rightWrite, 0, 0, atResult))
			require.Equal(t, abi.EROFS, r.call("path_create_directory", at, evil, en))
			require.Contains(t, []abi.Errno{abi.EROFS, abi.EXDEV, abi.ENOENT, abi.EBUSY}, r.call("path_rename", at, p, n, at, evil, en))
			if dir == "link" {
				continue
			}
			other, on := r.path(atPath2, "other")
			require.Contains(t, []abi.Errno{abi.EBUSY, abi.EXDEV}, r.call("path_rename", at, p, n, preopenCwd, other, on))
			require.Contains(t, []abi.Errno{abi.EBUSY, abi.EROFS}, r.call("path_remove_directory", at, p, n))
			p, n = r.path(atPath, path.Dir(dir)) // a directory above it
			if dir != "cache" {
				require.Contains(t, []abi.Errno{abi.EBUSY, abi.EXDEV}, r.call("path_rename", at, p, n, preopenCwd, other, on))
			}
		}
		require.NoError(t, r.sess.CloseStdin())
		_ = r.sess.Wait()
		require.Equal(t, before, list())
		if links {
			require.NoError(t, os.Remove(filepath.Join(ws, "link")))
		}
	}

	// The cache itself and what is in it cannot be bound at all.
	require.NoError(t, os.MkdirAll(filepath.Join(cache, "in/side"), 0o700))
	for _, dir := range []string{cache, filepath.Join(alias, "real/cache"), filepath.Join(cache, "in"), filepath.Join(cache, "in/side")} {
		_, err := wasishell.New(t.Context(), wasishell.Config{Workspace: dir, Runtime: rt})
		require.ErrorContains(t, err, "compiled programs", dir)
	}
}

// TestAttackCacheBroken: where the cache can hold nothing, those inside are not
// told where it is, and modules run.
func TestAttackCacheBroken(t *testing.T) {
	sharedRuntime(t) // or skip
	cache := filepath.Join(t.TempDir(), "cache-of-the-host")
	rt, err := wasishell.NewRuntime(t.Context(), wasishell.RuntimeConfig{CacheDir: cache})
	require.NoError(t, err)
	t.Cleanup(func() {
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
	})
	dirs, err := filepath.Glob(filepath.Join(cache, "v*"))
	require.NoError(t, err)
	require.Len(t, dirs, 1)
	require.NoError(t, os.RemoveAll(dirs[0]))
	require.NoError(t, os.WriteFile(dirs[0], nil, 0o600)) // for the superuser too
	g := newTarget(t, func(c *wasishell.Config) { c.Runtime = rt })
	require.NoError(t, os.WriteFile(g.host("ws/m.wasm"), command(1, ""), 0o755))
	o := g.run(g.sb.Command("/workspace/m.wasm"))
	require.Equal(t, "", o.out)
	require.Equal(t, 0, o.code)
	o = g.sh("echo not")
	require.Equal(t, 126, o.code)
	require.Contains(t, o.out, "bash: cannot load the program: ")
	require.NotContains(t, o.out, "cache-of-the-host")
	require.ErrorContains(t, rt.Warm(t.Context()), "cache-of-the-host", "the host is told")
}
