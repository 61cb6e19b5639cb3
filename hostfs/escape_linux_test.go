// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package hostfs

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// raceTime is how long each race is run.
const raceTime = 1500 * time.Millisecond

// TestEscapeSwapRace lets a directory and a link to the outside trade places as
// fast as it goes while every operation is tried through the name.
func TestEscapeSwapRace(t *testing.T) {
	eachWalk(t, func(t *testing.T, opt Options) {
		j := newJail(t, opt)
		at := j.at
		j.hostLink("../outside", "evil")
		require.NoError(t, os.MkdirAll(filepath.Join(j.ws, "good", "dir"), 0o755))
		require.NoError(t, os.MkdirAll(filepath.Join(j.ws, "good", "empty"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(j.ws, "good", "secret"), []byte("harmless"), 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(j.ws, "good", "dir", "inner"), []byte("harmless"), 0o644))
		require.NoError(t, os.Rename(filepath.Join(j.ws, "good"), filepath.Join(j.ws, "x")))

		var stop atomic.Bool
		var swaps, reads atomic.Int64
		var wg sync.WaitGroup
		wg.Go(func() {
			x, evil := filepath.Join(j.ws, "x"), filepath.Join(j.ws, "evil")
			for !stop.Load() {
				if err := unix.Renameat2(unix.AT_FDCWD, x, unix.AT_FDCWD, evil, unix.RENAME_EXCHANGE); err != nil {
					t.Errorf("exchange: %v", err)
					return
				}
				swaps.Add(1)
			}
		})
		look := func(f vfs.File, err error) {
			if err != nil {
				return
			}
			defer f.Close()
			if r, ok := f.(vfs.RegularFile); ok {
				b := make([]byte, 64)
				if n, err := r.ReadAt(b, 0); err == nil && strings.Contains(string(b[:n]), secret) {
					t.Error("the secret was read")
				}
				reads.Add(1)
			}
			if d, ok := f.(vfs.Directory); ok {
				es, _ := d.ReadDir(nil, 0, 100, true)
				for _, e := range es {
					if e.StatOK && e.Stat.Mode.IsRegular() && e.Stat.Size == int64(len(secret)) {
						t.Error("the outside was listed")
					}
				}
			}
		}
		outsideIno := map[uint64]bool{}
		for _, p := range []string{"outside", "outside/secret", "outside/dir", "outside/dir/inner", "outside/empty"} {
			var st unix.Stat_t
			require.NoError(t, unix.Lstat(filepath.Join(j.base, p), &st))
			outsideIno[st.Ino] = true
		}
		workers := []func(i int){
			func(int) {
				f, _, err := j.ns.Open(at, "x/secret", abi.ORdonly, 0)
				look(f, err)
				f, _, err = j.ns.Open(at, "x/dir/inner", abi.ORdwr, 0)
				look(f, err)
				f, _, err = j.ns.Open(at, "x", abi.ODirectory, 0)
				look(f, err)
				f, err = j.fs.Open("x/secret", abi.ORdonly, 0)
				look(f, err)
			},
			func(i int) {
				f, _, err := j.ns.Open(at, "x/secret", abi.OWronly|abi.OCreat|abi.OTrunc, 0o644)
				if err == nil {
					_, _ = f.(vfs.RegularFile).WriteAt([]byte("written"), 0)
					f.Close()
				}
				f, err = j.fs.Open("x/dir/new", abi.OWronly|abi.OCreat|abi.OExcl, 0o644)
				if err == nil {
					_, _ = f.(vfs.RegularFile).Append([]byte("written"))
					f.Close()
				}
				_ = j.ns.Mkdir(at, fmt.Sprintf("x/d%d", i), 0o755)
				_ = j.ns.Rmdir(at, fmt.Sprintf("x/d%d", i))
				_ = j.ns.Chmod(at, "x/secret", 0o600, true)
				_ = j.fs.Chmod("x/dir", 0o711)
				_ = j.ns.Utimes(at, "x/secret", 1e9, 1e9, true)
				_ = j.fs.Utimes("x/dir/inner", 1e9, 1e9)
				_ = j.ns.Symlink("t", at, "x/link")
				_ = j.ns.Unlink(at, "x/link")
				_ = j.fs.Unlink("x/dir/new")
				_ = j.ns.Rename(at, "x/secret", at, "x/secret2")
				_ = j.ns.Rename(at, "x/secret2", at, "x/secret")
				_ = j.fs.Rename("x/dir/inner", "x/dir/inner2")
				_ = j.fs.Rename("x/dir/inner2", "x/dir/inner")
				_ = j.ns.Rmdir(at, "x/empty")
				_ = j.ns.Mkdir(at, "x/empty", 0o755)
				_ = j.ns.Link(at, "x/secret", at, "x/hard", true)
				_ = j.ns.Unlink(at, "x/hard")
			},
			func(int) {
				for _, p := range []string{"x", "x/", "x/secret", "x/dir/inner", "x/../x/dir", "x/dir/../secret"} {
					st, err := j.ns.Stat(at, p, true)
					if err == nil && outsideIno[st.Ino] {
						t.Errorf("stat(%q) saw the outside", p)
					}
					_, err = j.ns.Realpath(at, p)
					if err == nil {
						continue
					}
					if _, ok := err.(abi.Errno); !ok {
						t.Errorf("error %T", err)
					}
				}
				st, err := j.fs.Lstat("x/dir/inner")
				if err == nil && outsideIno[st.Ino] {
					t.Error("lstat saw the outside")
				}
			},
		}
		deadline := time.Now().Add(raceTime)
		for _, w := range workers {
			wg.Go(func() {
				for i := 0; time.Now().Before(deadline); i++ {
					w(i)
				}
			})
		}
		wg.Go(func() {
			for time.Now().Before(deadline) {
				_, _ = j.fs.Lstat("x")
			}
			stop.Store(true)
		})
		wg.Wait()
		require.Greater(t, swaps.Load(), int64(100), "the race did not take place")
		require.Positive(t, reads.Load())
		j.intact()
	})
}

// TestEscapeParentRenameRace renames a directory above the one in use, which
// makes ".." and the walk see two places.
func TestEscapeParentRenameRace(t *testing.T) {
	eachWalk(t, func(t *testing.T, opt Options) {
		j := newJail(t, opt)
		require.NoError(t, os.MkdirAll(filepath.Join(j.ws, "a/b/c/d"), 0o755))
		require.NoError(t, os.MkdirAll(filepath.Join(j.ws, "z"), 0o755))
		deadline := time.Now().Add(raceTime)
		var wg sync.WaitGroup
		var moves int
		wg.Go(func() {
			for time.Now().Before(deadline) {
				if os.Rename(filepath.Join(j.ws, "a/b/c"), filepath.Join(j.ws, "z/c")) == nil {
					moves++
				}
				_ = os.Rename(filepath.Join(j.ws, "z/c"), filepath.Join(j.ws, "a/b/c"))
			}
		})
		for range 2 {
			wg.Go(func() {
				for time.Now().Before(deadline) {
					for _, p := range []string{
						"a/b/c/d/../../../../../outside/secret", "a/b/c/../../../../outside/secret",
						"a/b/c/d/../../../../../../outside/secret", "z/c/d/../../../../outside/secret",
					} {
						if f, _, err := j.ns.Open(j.at, p, abi.ORdonly, 0); err == nil {
							f.Close()
							t.Errorf("Open(%q) succeeded", p)
						}
					}
					f, err := j.fs.Open("a/b/c/d/f", abi.OWronly|abi.OCreat, 0o644)
					if err == nil {
						f.Close()
					}
				}
			})
		}
		wg.Wait()
		require.Greater(t, moves, 100)
		j.intact()
	})
}

// TestEscapeRootReplaced: the root stays what it was when the host puts something
// else in its place.
func TestEscapeRootReplaced(t *testing.T) {
	eachWalk(t, func(t *testing.T, opt Options) {
		j := newJail(t, opt)
		require.NoError(t, os.Rename(j.ws, j.ws+"-moved"))
		require.NoError(t, os.Symlink("outside", j.ws))
		f, err := j.fs.Open("file", abi.ORdonly, 0)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		_, err = j.fs.Lstat("secret")
		require.Equal(t, abi.ENOENT, err)
	})
}

// TestSpecialFiles: FIFOs, sockets and devices of the host are not opened, and
// trying to takes no time.
func TestSpecialFiles(t *testing.T) {
	eachWalk(t, func(t *testing.T, opt Options) {
		j := newJail(t, opt)
		require.NoError(t, unix.Mkfifo(filepath.Join(j.ws, "fifo"), 0o666))
		names := []string{"fifo"}
		if l, err := net.Listen("unix", filepath.Join(j.ws, "sock")); err == nil {
			defer l.Close()
			names = append(names, "sock")
		}
		if unix.Mknod(filepath.Join(j.ws, "dev"), unix.S_IFCHR|0o666, int(unix.Mkdev(1, 5))) == nil {
			names = append(names, "dev")
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			for _, n := range names {
				for _, flag := range []abi.OpenFlag{
					abi.ORdonly, abi.OWronly, abi.ORdwr, abi.OWronly | abi.OTrunc, abi.OWronly | abi.OCreat, abi.ONonblock,
				} {
					_, _, err := j.ns.Open(j.at, n, flag, 0o644)
					if err != abi.ENXIO {
						t.Errorf("Open(%q, %#x) = %v, want ENXIO", n, flag, err)
					}
				}
				if err := j.ns.Chmod(j.at, n, 0o600, true); err != nil {
					t.Errorf("Chmod(%q) = %v", n, err)
				}
			}
		}()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatal("opening a special file hangs")
		}
		for _, n := range names {
			st, err := j.ns.Stat(j.at, n, true)
			require.NoError(t, err)
			require.Equal(t, abi.Mode(0o600), st.Mode.Perm())
			require.NoError(t, j.ns.Unlink(j.at, n))
		}

		// A FIFO of the guest's own is for the kernel to serve.
		require.NoError(t, j.ns.Mkfifo(j.at, "mine", 0o644))
		f, _, err := j.ns.Open(j.at, "mine", abi.OWronly, 0)
		require.NoError(t, err)
		_, ok := f.(vfs.RegularFile)
		require.False(t, ok)
		require.NoError(t, f.Close())
		require.NoError(t, j.ns.Unlink(j.at, "mine"))
		require.NoError(t, unix.Mkfifo(filepath.Join(j.ws, "mine"), 0o666))
	})
}

// TestSetIDBits: no way to make a set-user-ID file.
func TestSetIDBits(t *testing.T) {
	eachWalk(t, func(t *testing.T, opt Options) {
		j := newJail(t, opt)
		require.NoError(t, j.ns.Chmod(j.at, "file", 0o7755, true))
		f, _, err := j.ns.Open(j.at, "new", abi.OWronly|abi.OCreat, 0o7777)
		require.NoError(t, err)
		require.NoError(t, f.(vfs.FileChmod).Chmod(0o7777))
		require.NoError(t, f.Close())
		require.NoError(t, j.ns.Mkdir(j.at, "newdir", 0o7777))
		require.NoError(t, j.ns.Mkfifo(j.at, "newfifo", 0o7777))
		for _, n := range []string{"file", "new", "newdir", "newfifo"} {
			var st unix.Stat_t
			require.NoError(t, unix.Lstat(filepath.Join(j.ws, n), &st))
			require.Zero(t, st.Mode&0o7000, n)
		}
		// What the host has set on a directory stays.
		require.NoError(t, os.Chmod(filepath.Join(j.ws, "dir"), 0o755|os.ModeSetgid|os.ModeSticky))
		require.NoError(t, j.ns.Chmod(j.at, "dir", 0o700, true))
		var st unix.Stat_t
		require.NoError(t, unix.Lstat(filepath.Join(j.ws, "dir"), &st))
		require.EqualValues(t, 0o3700, st.Mode&0o7777)
	})
}

// TestUmask: the umask of the host process takes nothing away.
func TestUmask(t *testing.T) {
	j := newJail(t, Options{})
	old := unix.Umask(0o077)
	defer unix.Umask(old)
	f, _, err := j.ns.Open(j.at, "new", abi.OWronly|abi.OCreat, 0o666)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.NoError(t, j.ns.Mkdir(j.at, "newdir", 0o777))
	for n, want := range map[string]abi.Mode{"new": abi.ModeRegular | 0o666, "newdir": abi.ModeDir | 0o777} {
		st, err := j.ns.Stat(j.at, n, false)
		require.NoError(t, err)
		require.Equal(t, want, st.Mode)
	}
}

// TestOwners: the host process's files are the sandbox user's, others nobody's.
func TestOwners(t *testing.T) {
	j := newJail(t, Options{})
	st, err := j.fs.Lstat("file")
	require.NoError(t, err)
	require.EqualValues(t, 1000, st.UID)
	require.EqualValues(t, 1000, st.GID)
	require.NoError(t, j.ns.Chown(j.at, "file", 1000, 1000, true))
	require.Equal(t, abi.EPERM, j.ns.Chown(j.at, "file", 0, ^uint32(0), true))
	if os.Geteuid() != 0 {
		return
	}
	require.NoError(t, os.Chown(filepath.Join(j.ws, "file"), 12345, 12345))
	st, err = j.fs.Lstat("file")
	require.NoError(t, err)
	require.EqualValues(t, nobody, st.UID)
	require.EqualValues(t, nobody, st.GID)

	// Although the host would let the superuser, the namespace refuses.
	require.NoError(t, os.Chmod(filepath.Join(j.ws, "file"), 0o600))
	_, _, err = j.ns.Open(j.at, "file", abi.ORdonly, 0)
	require.Equal(t, abi.EACCES, err)
	require.Equal(t, abi.EPERM, j.ns.Chmod(j.at, "file", 0o644, true))
	require.NoError(t, os.Chmod(filepath.Join(j.ws, "dir"), 0o000))
	_, err = j.ns.Stat(j.at, "dir/inner", true)
	require.Equal(t, abi.EACCES, err)
	_, _, err = j.ns.Open(j.at, "dir/new", abi.OWronly|abi.OCreat, 0o644)
	require.Equal(t, abi.EACCES, err)
}

// TestSearchForgotten: what the guest changes is noticed at once.
func TestSearchForgotten(t *testing.T) {
	j := newJail(t, Options{})
	for range 3 {
		_, err := j.ns.Stat(j.at, "dir/sub/..", true)
		require.NoError(t, err)
		_, err = j.ns.Stat(j.at, "dir/inner", true)
		require.NoError(t, err)
		require.NoError(t, j.ns.Chmod(j.at, "dir", 0o600, true))
		_, err = j.ns.Stat(j.at, "dir/inner", true)
		require.Equal(t, abi.EACCES, err)
		require.NoError(t, j.ns.Chmod(j.at, "dir", 0o700, true))
	}
	require.NoError(t, j.ns.Mkdir(j.at, "shut", 0o600))
	_, err := j.ns.Stat(j.at, "dir/inner", true)
	require.NoError(t, err)
	require.NoError(t, j.ns.Rename(j.at, "dir", j.at, "moved"))
	require.NoError(t, j.ns.Rename(j.at, "shut", j.at, "dir"))
	_, err = j.ns.Stat(j.at, "dir/inner", true)
	require.Equal(t, abi.EACCES, err)
}

// TestDirectoryAboveIsUnknown: ".." of the root tells nothing about the host.
func TestDirectoryAboveIsUnknown(t *testing.T) {
	j := newJail(t, Options{})
	f, err := j.fs.Open(".", abi.ODirectory, 0)
	require.NoError(t, err)
	defer f.Close()
	es, err := f.(vfs.Directory).ReadDir(nil, 0, 100, true)
	require.NoError(t, err)
	root, err := j.fs.Lstat(".")
	require.NoError(t, err)
	for _, e := range es {
		if e.Name == ".." {
			require.False(t, e.StatOK)
			require.Equal(t, root.Ino, e.Ino)
		}
	}
}

// TestClose: nothing works after Close but the files that are open.
func TestClose(t *testing.T) {
	fs, err := Open(t.TempDir(), Options{})
	require.NoError(t, err)
	f, err := fs.Open("f", abi.ORdwr|abi.OCreat, 0o644)
	require.NoError(t, err)
	require.NoError(t, fs.Close())
	require.Equal(t, abi.EBADF, fs.Close())
	_, err = fs.Lstat("f")
	require.Equal(t, abi.EBADF, err)
	_, err = fs.Open("f", abi.ORdonly, 0)
	require.Equal(t, abi.EBADF, err)
	require.Equal(t, abi.EBADF, fs.Mkdir("d", 0o755))
	_, err = f.(vfs.RegularFile).WriteAt([]byte("x"), 0)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

// TestNoDescriptorLeaks counts descriptors over every kind of failure.
func TestNoDescriptorLeaks(t *testing.T) {
	eachWalk(t, func(t *testing.T, opt Options) {
		j := newJail(t, opt)
		j.hostLink("../outside", "evil")
		require.NoError(t, unix.Mkfifo(filepath.Join(j.ws, "dir/fifo"), 0o666))
		count := func() int {
			es, err := os.ReadDir("/proc/self/fd")
			require.NoError(t, err)
			return len(es)
		}
		before := count()
		for range 50 {
			for _, p := range []string{"evil", "evil/secret", "dir/fifo", "dir/none/x", "dir/inner/x", "dir", "file", "dir/sub/../inner"} {
				for _, flag := range []abi.OpenFlag{abi.ORdonly, abi.OWronly, abi.ODirectory, abi.OWronly | abi.OCreat, abi.OWronly | abi.OCreat | abi.OExcl} {
					if f, _, err := j.ns.Open(j.at, p, flag, 0o644); err == nil {
						require.NoError(t, f.Close())
					}
				}
				_, _ = j.ns.Stat(j.at, p, true)
				_ = j.ns.Mkdir(j.at, p+"/x", 0o755)
				_ = j.ns.Rmdir(j.at, p+"/x")
				_ = j.ns.Rename(j.at, p+"/x", j.at, "dir/sub/none/y")
				_ = j.ns.Link(j.at, p, j.at, "dir/sub/none/y", true)
				_, _ = j.ns.Readlink(j.at, p)
				_ = j.ns.Chmod(j.at, p, 0o755, true)
			}
		}
		require.Equal(t, before, count())
		j.intact()
	})
}
