// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
	"github.com/wsandbox/wsandbox/engine/vfs/memfs"
)

const secret = "the secret outside"

// jail is a workspace with something to steal next to it:
//
//	outside/secret  outside/dir/inner  outside/empty/
//	ws/file  ws/dir/inner  ws/links…
//
// The workspace is mounted at /ws of a namespace whose root is in memory and has
// files with the names of outside, at the places where links out of the
// workspace lead inside the sandbox.
type jail struct {
	*testing.T
	base, ws string // host paths
	fs       *FS
	ns       *vfs.Namespace
	at       vfs.At
	before   []string
}

func newJail(t *testing.T, opt Options) *jail {
	t.Helper()
	j := &jail{T: t, base: t.TempDir()}
	j.ws = filepath.Join(j.base, "ws")
	for _, d := range []string{"ws/dir/sub", "outside/dir", "outside/empty"} {
		require.NoError(t, os.MkdirAll(filepath.Join(j.base, filepath.FromSlash(d)), 0o755))
	}
	for name, content := range map[string]string{
		"outside/secret": secret, "outside/dir/inner": secret, "ws/file": "in file", "ws/dir/inner": "in inner",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(j.base, filepath.FromSlash(name)), []byte(content), 0o644))
	}
	j.fs = openTest(t, j.ws, opt)
	root := memfs.New(memfs.Options{UID: 1000, GID: 1000}) // its root is not the guest's to write
	require.NoError(t, root.Add(memfs.Entry{Name: "etc/passwd", Mode: 0o644, Data: "inside passwd"}))
	ns, err := vfs.NewNamespace(vfs.Mount{Path: "/", FS: root}, vfs.Mount{Path: "/ws", FS: j.fs})
	require.NoError(t, err)
	j.ns, j.at = ns, vfs.At{Dir: "/ws", Cred: &vfs.Cred{UID: 1000, GID: 1000}}
	j.before = j.outside()
	return j
}

// hostLink makes a symbolic link in the workspace as the host would.
func (j *jail) hostLink(target, name string) {
	j.Helper()
	link := filepath.Join(j.ws, filepath.FromSlash(name))
	if err := os.Symlink(target, link); err != nil {
		j.Skipf("symlink: %v", err)
	}
	if _, err := os.Readlink(link); err != nil && onWine {
		j.Skip("Wine 8 pretends to make symbolic links")
	}
}

// outside lists everything outside the workspace with content, mode and time of
// modification.
func (j *jail) outside() []string {
	j.Helper()
	var out []string
	err := filepath.Walk(filepath.Join(j.base, "outside"), func(p string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		content := ""
		if info.Mode().IsRegular() {
			b, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			content = string(b)
		}
		out = append(out, fmt.Sprintf("%s %v %v %s", p, info.Mode(), info.ModTime().UnixNano(), content))
		return nil
	})
	require.NoError(j, err)
	es, err := os.ReadDir(j.base)
	require.NoError(j, err)
	for _, e := range es {
		out = append(out, e.Name())
	}
	return out
}

// intact fails where anything outside has changed.
func (j *jail) intact() {
	j.Helper()
	require.Equal(j, j.before, j.outside())
}

// attack does everything that can be done with a path, none of which may reach
// outside. It returns the errors by name of the operation.
func (j *jail) attack(path string) map[string]error {
	j.Helper()
	got := map[string]error{}
	at := j.at
	check := func(op string, f vfs.File, err error) {
		got[op] = err
		if err != nil {
			j.noHostPath(err)
			return
		}
		defer f.Close()
		if r, ok := f.(vfs.RegularFile); ok {
			b := make([]byte, 100)
			n, err := r.ReadAt(b, 0)
			if err == nil && strings.Contains(string(b[:n]), secret) {
				j.Errorf("%s(%q) read the secret", op, path)
			}
			if op == "write" || op == "creat" {
				_, _ = r.WriteAt([]byte("overwritten"), 0)
			}
			if op == "append" {
				_, _ = r.Append([]byte("appended"))
			}
		}
		if d, ok := f.(vfs.Directory); ok {
			es, err := d.ReadDir(nil, 0, 100, true)
			require.NoError(j, err)
			for _, e := range es {
				if e.Name == "empty" || e.StatOK && e.Stat.Mode.IsRegular() && e.Stat.Size == int64(len(secret)) {
					j.Errorf("%s(%q) lists %q", op, path, e.Name)
				}
			}
		}
	}
	for op, flag := range map[string]abi.OpenFlag{
		"read": abi.ORdonly, "write": abi.OWronly, "append": abi.OWronly | abi.OAppend,
		"trunc": abi.OWronly | abi.OTrunc, "readtrunc": abi.OTrunc, "creat": abi.ORdwr | abi.OCreat,
		"excl": abi.OWronly | abi.OCreat | abi.OExcl, "dir": abi.ODirectory, "nofollow": abi.ONofollow,
		"path": abi.OPath,
	} {
		f, _, err := j.ns.Open(at, path, flag, 0o644)
		check(op, f, err)
	}
	record := func(op string, err error) {
		got[op] = err
		j.noHostPath(err)
	}
	st, err := j.ns.Stat(at, path, true)
	record("stat", err)
	if err == nil && st.Size == int64(len(secret)) {
		j.Errorf("stat(%q) sees the secret", path)
	}
	record("access", j.ns.Access(at, path, abi.AccessRead))
	record("chmod", j.ns.Chmod(at, path, 0o600, true))
	record("utimes", j.ns.Utimes(at, path, 1e9, 1e9, true))
	record("chown", j.ns.Chown(at, path, 1000, 1000, true))
	record("link", j.ns.Link(at, path, at, "stolen", true))
	if f, _, err := j.ns.Open(at, "stolen", abi.ORdonly, 0); err == nil {
		check("stolen", f, nil)
		_ = j.ns.Unlink(at, "stolen")
	}
	record("mkdir", j.ns.Mkdir(at, path+"/made", 0o755))
	record("mkfifo", j.ns.Mkfifo(at, path+"/fifo", 0o644))
	record("symlink", j.ns.Symlink("x", at, path+"/made-link"))
	f, _, err := j.ns.Open(at, path+"/made-file", abi.OWronly|abi.OCreat, 0o644)
	check("creat below", f, err)
	record("rename out", j.ns.Rename(at, "file", at, path+"/moved"))
	if err := got["rename out"]; err == nil {
		_ = j.ns.Rename(at, path+"/moved", at, "file")
	}
	record("rename in", j.ns.Rename(at, path+"/secret", at, "stolen2"))
	record("unlink", j.ns.Unlink(at, path+"/secret"))
	record("rmdir", j.ns.Rmdir(at, path+"/empty"))
	_, err = j.ns.Readlink(at, path+"/secret")
	record("readlink", err)
	_, err = j.ns.Realpath(at, path)
	record("realpath", err)
	j.intact()
	for _, d := range []string{"", "dir", "dir/sub"} { // where the path stayed inside
		require.NoError(j, os.Chmod(filepath.Join(j.ws, filepath.FromSlash(d)), 0o755))
	}
	return got
}

// noHostPath fails where an error is more than a bare number.
func (j *jail) noHostPath(err error) {
	j.Helper()
	if err == nil {
		return
	}
	if _, ok := err.(abi.Errno); !ok {
		j.Errorf("error is %T (%v), not a bare abi.Errno", err, err)
	}
	if strings.Contains(err.Error(), j.base) {
		j.Errorf("error tells a host path: %v", err)
	}
}

func eachWalk(t *testing.T, f func(t *testing.T, opt Options)) {
	t.Run("default", func(t *testing.T) { f(t, Options{}) })
	if runtime.GOOS == "linux" {
		t.Run("walk", func(t *testing.T) { f(t, Options{noOpenat2: true}) })
	}
}

// TestEscapeDotDot: every way to write "..".
func TestEscapeDotDot(t *testing.T) {
	eachWalk(t, func(t *testing.T, opt Options) {
		j := newJail(t, opt)
		for _, p := range []string{
			"../outside/secret", "../../outside/secret", "dir/../../outside/secret", "dir/sub/../../../outside/secret",
			"./../outside/secret", ".//..//outside//secret", "dir/./../../outside/secret", "..", "../", "../.", "../..",
			"../outside", "../outside/", "../outside/dir/.", "/../outside/secret", "/ws/../outside/secret", "/ws/../../outside",
			"/outside/secret", "file/../../outside/secret", "missing/../../outside/secret", j.base + "/outside/secret",
			"..\\outside\\secret", "dir\\..\\..\\outside\\secret", "...", ".../x", "\xff/../../outside/secret",
			"%2e%2e/outside/secret", "..%2foutside",
		} {
			got := j.attack(p)
			if p != "..\\outside\\secret" && p != "dir\\..\\..\\outside\\secret" {
				continue
			}
			// A backslash is a byte of a name, or refused where the host would
			// take it for a separator.
			if runtime.GOOS == "windows" {
				require.Error(t, got["creat"])
			}
		}
		// Directly against the file system, past the namespace.
		for _, p := range []string{
			"..", "../outside/secret", "dir/../../outside/secret", "/etc/passwd", "./../outside", "dir/..", "dir/../..", "",
			"/", "//", ".//file", "dir/", "file\x00", "./file",
		} {
			_, err := j.fs.Lstat(p)
			require.Error(t, err, "Lstat(%q)", p)
			_, err = j.fs.Open(p, abi.OWronly|abi.OCreat, 0o644)
			require.Error(t, err, "Open(%q)", p)
			_, err = j.fs.Readlink(p)
			require.Error(t, err, "Readlink(%q)", p)
			for _, err := range []error{
				j.fs.Mkdir(p, 0o755), j.fs.Mkfifo(p, 0o644), j.fs.Unlink(p), j.fs.Rmdir(p), j.fs.Rename(p, "x"),
				j.fs.Rename("file", p), j.fs.Link(p, "x"), j.fs.Link("file", p), j.fs.Symlink("x", p),
				j.fs.Chmod(p, 0o777), j.fs.Chown(p, 1000, 1000), j.fs.Utimes(p, 1, 1),
				j.fs.Traverse(p, j.at.Cred),
			} {
				require.Error(t, err, "%q", p)
				j.noHostPath(err)
			}
		}
		j.intact()
		require.FileExists(t, filepath.Join(j.ws, "file"))
	})
}

// TestEscapeHostLinks: links that the host made, of every shape.
func TestEscapeHostLinks(t *testing.T) {
	eachWalk(t, func(t *testing.T, opt Options) {
		j := newJail(t, opt)
		links := map[string]string{
			"abs-file":      filepath.Join(j.base, "outside", "secret"),
			"abs-dir":       filepath.Join(j.base, "outside"),
			"abs-base":      j.base,
			"rel-file":      "../outside/secret",
			"rel-dir":       "../outside",
			"rel-dir-slash": "../outside/",
			"rel-up":        "..",
			"rel-upup":      "../..",
			"abs-root":      "/",
			"dir/up":        "../../outside",
			"dir/sub/up":    "../../../outside/dir",
			"chain1":        "rel-dir",
			"chain2":        "./chain1/../outside/secret",
			"chain3":        "dir/up/secret",
			"via-self":      "dir/../../outside/secret",
			"loop1":         "loop2",
			"loop2":         "loop1",
			"dangling-out":  "../outside/created",
			"dangling-abs":  filepath.Join(j.base, "outside", "created"),
			"dangling-deep": "../outside/dir/created/deep",
			"dot-link":      "./../outside",
			"slash-link":    "../outside//secret",
		}
		for name, target := range links {
			j.hostLink(target, name)
		}
		for name := range links {
			for _, suffix := range []string{"", "/", "/.", "//", "/secret", "/dir/inner", "/../outside/secret", "/.."} {
				j.attack(name + suffix)
			}
			st, err := j.ns.Stat(j.at, name, false)
			require.NoError(t, err, name)
			require.True(t, st.Mode.IsSymlink(), name)
			_, err = j.ns.Readlink(j.at, name)
			require.NoError(t, err, name)
		}
		for name := range links {
			for _, op := range []error{
				must(j.fs.Open(name, abi.ORdonly, 0)), must(j.fs.Open(name, abi.OWronly|abi.OCreat, 0o644)),
				must(j.fs.Open(name+"/secret", abi.ORdonly, 0)), must(j.fs.Open(name+"/new", abi.OWronly|abi.OCreat, 0o644)),
				j.fs.Mkdir(name+"/new", 0o755), j.fs.Unlink(name + "/secret"), j.fs.Rename("file", name+"/x"),
				j.fs.Link(name+"/secret", "x"), j.fs.Link("file", name+"/x"), j.fs.Symlink("x", name+"/x"),
				j.fs.Chmod(name, 0o777), j.fs.Chmod(name+"/secret", 0o777), j.fs.Utimes(name+"/secret", 1, 1),
			} {
				require.Error(t, op, name)
			}
			j.intact()
		}
		// rm and mv of the links themselves work.
		require.NoError(t, j.ns.Rename(j.at, "abs-file", j.at, "dir/moved"))
		require.NoError(t, j.ns.Unlink(j.at, "dir/moved"))
		for name := range links {
			if name != "abs-file" {
				require.NoError(t, j.ns.Unlink(j.at, name), name)
			}
		}
		j.intact()
	})
}

func must(f vfs.File, err error) error {
	if err == nil {
		f.Close()
	}
	return err
}

// TestEscapeGuestLinks: links that the guest makes.
func TestEscapeGuestLinks(t *testing.T) {
	eachWalk(t, func(t *testing.T, opt Options) {
		j := newJail(t, opt)
		for i, target := range []string{
			"../outside", "../outside/", "../outside/secret", "../outside/secret/", j.base + "/outside", j.base + "/outside/secret",
			"../../../../../../../../.." + j.base + "/outside", "dir/../../outside", "..", "../", ".", "../outside/new",
			"dir/sub/../../../outside/dir", "/proc/self/root" + j.base + "/outside", "/proc/self/cwd/../outside",
			"/dev/fd/0", "l0/../outside",
		} {
			name := fmt.Sprintf("l%d", i)
			if err := j.ns.Symlink(target, j.at, name); err != nil {
				if runtime.GOOS == "windows" {
					t.Skipf("symlink: %v", err)
				}
				require.NoError(t, err)
			}
			for _, suffix := range []string{"", "/", "/.", "/secret", "/../outside"} {
				j.attack(name + suffix)
			}
			j.attack("dir/../" + name)
		}
		// A link to a guest-absolute path stays inside.
		require.NoError(t, j.ns.Symlink("/etc/passwd", j.at, "passwd"))
		f, abs, err := j.ns.Open(j.at, "passwd", abi.ORdonly, 0)
		require.NoError(t, err)
		require.Equal(t, "/etc/passwd", abs)
		b := make([]byte, 100)
		n, err := f.(vfs.RegularFile).ReadAt(b, 0)
		require.NoError(t, err)
		require.Equal(t, "inside passwd", string(b[:n]))
		require.NoError(t, f.Close())
	})
}

// TestEscapeCreateThroughDangling: O_CREAT through a dangling link makes the file
// where the link leads inside the sandbox, or nothing.
func TestEscapeCreateThroughDangling(t *testing.T) {
	eachWalk(t, func(t *testing.T, opt Options) {
		j := newJail(t, opt)
		j.hostLink("../outside/created", "out")
		j.hostLink("dir/created", "in")
		_, _, err := j.ns.Open(j.at, "out", abi.OWronly|abi.OCreat, 0o644)
		require.Equal(t, abi.ENOENT, err) // there is no /outside in the sandbox
		f, abs, err := j.ns.Open(j.at, "in", abi.OWronly|abi.OCreat, 0o644)
		require.NoError(t, err)
		require.Equal(t, "/ws/dir/created", abs)
		require.NoError(t, f.Close())
		require.FileExists(t, filepath.Join(j.ws, "dir", "created"))
		_, _, err = j.ns.Open(j.at, "in", abi.OWronly|abi.OCreat|abi.OExcl, 0o644)
		require.Equal(t, abi.EEXIST, err)
		j.intact()
	})
}

// TestLinksInsideWork: what package managers and git make must go on working.
func TestLinksInsideWork(t *testing.T) {
	eachWalk(t, func(t *testing.T, opt Options) {
		j := newJail(t, opt)
		write := func(name, content string) {
			t.Helper()
			p := filepath.Join(j.ws, filepath.FromSlash(name))
			require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
			require.NoError(t, os.WriteFile(p, []byte(content), 0o755))
		}
		write("node_modules/.pnpm/left@1.0.0/node_modules/left/index.js", "left")
		write("node_modules/.pnpm/right@2.0.0/node_modules/right/bin/cli.js", "right")
		require.NoError(t, os.MkdirAll(filepath.Join(j.ws, "node_modules/.bin"), 0o755))
		j.hostLink(".pnpm/left@1.0.0/node_modules/left", "node_modules/left")
		j.hostLink(".pnpm/right@2.0.0/node_modules/right", "node_modules/right")
		j.hostLink("../../left@1.0.0/node_modules/left", "node_modules/.pnpm/right@2.0.0/node_modules/left")
		j.hostLink("../right/bin/cli.js", "node_modules/.bin/right")
		require.NoError(t, os.MkdirAll(filepath.Join(j.ws, "a/b/c"), 0o755))
		j.hostLink("../../../node_modules", "a/b/c/up3")
		for name, want := range map[string]string{
			"node_modules/left/index.js":                                     "left",
			"node_modules/right/../../node_modules/left/index.js":            "left",
			"node_modules/right/bin/cli.js":                                  "right",
			"node_modules/.bin/right":                                        "right",
			"node_modules/.pnpm/right@2.0.0/node_modules/left/index.js":      "left",
			"a/b/c/up3/left/index.js":                                        "left",
			"a/b/c/up3/.pnpm/../left/index.js":                               "left",
			"/ws/a/b/c/up3/.bin/right":                                       "right",
			"a/b/c/up3/.pnpm/right@2.0.0/node_modules/left/../left/index.js": "left",
		} {
			f, _, err := j.ns.Open(j.at, name, abi.ORdonly, 0)
			require.NoError(t, err, name)
			b := make([]byte, 10)
			n, err := f.(vfs.RegularFile).ReadAt(b, 0)
			require.NoError(t, err)
			require.Equal(t, want, string(b[:n]), name)
			require.NoError(t, f.Close())
		}
		got, err := j.ns.Realpath(j.at, "node_modules/.bin/right")
		require.NoError(t, err)
		require.Equal(t, "/ws/node_modules/.pnpm/right@2.0.0/node_modules/right/bin/cli.js", got)
	})
}

// TestEscapePreopen: a WASI preopen of a directory is a jail of its own.
func TestEscapePreopen(t *testing.T) {
	j := newJail(t, Options{})
	j.at = vfs.At{Dir: "/ws/dir", Beneath: true, Cred: j.at.Cred}
	j.hostLink("../file", "dir/up-file")
	j.hostLink("sub/../../file", "dir/hidden-up")
	j.hostLink("/ws/file", "dir/abs")
	j.hostLink("sub/../inner", "dir/within")
	for _, tt := range []struct {
		path string
		err  abi.Errno
	}{
		{"/ws/dir/inner", abi.EPERM}, {"/etc/passwd", abi.EPERM}, {"..", abi.EPERM}, {"../file", abi.EPERM},
		{"sub/../../file", abi.EPERM}, {"sub/../..", abi.EPERM}, {"./../dir/inner", abi.EPERM}, {"up-file", abi.EPERM},
		{"hidden-up", abi.EPERM}, {"abs", abi.EPERM}, {"sub/../up-file", abi.EPERM},
	} {
		_, _, err := j.ns.Open(j.at, tt.path, abi.ORdonly, 0)
		require.Equal(t, tt.err, err, tt.path)
		_, err = j.ns.Stat(j.at, tt.path, true)
		require.Equal(t, tt.err, err, tt.path)
		_, _, err = j.ns.Open(j.at, tt.path, abi.OWronly|abi.OCreat, 0o644)
		require.Equal(t, tt.err, err, tt.path)
	}
	for _, p := range []string{"inner", "within", "sub/../inner", "./inner", "sub/.././inner"} {
		f, abs, err := j.ns.Open(j.at, p, abi.ORdonly, 0)
		require.NoError(t, err, p)
		require.Equal(t, "/ws/dir/inner", abs)
		require.NoError(t, f.Close())
	}
	require.Equal(t, abi.EPERM, j.ns.Rename(j.at, "inner", j.at, "../stolen"))
	require.Equal(t, abi.EPERM, j.ns.Link(j.at, "../file", j.at, "x", true))
	require.Equal(t, abi.EPERM, j.ns.Link(j.at, "inner", j.at, "../x", true))
	require.Equal(t, abi.EPERM, j.ns.Mkdir(j.at, "../x", 0o755))
	require.Equal(t, abi.EPERM, j.ns.Unlink(j.at, "../file"))
	j.intact()
}

// TestEscapeMounts: nothing passes from a read-only into a writable mount.
func TestEscapeMounts(t *testing.T) {
	j := newJail(t, Options{})
	ro := openTest(t, filepath.Join(j.base, "outside"), Options{})
	ns, err := vfs.NewNamespace(
		vfs.Mount{Path: "/ws", FS: j.fs},
		vfs.Mount{Path: "/ro", FS: ro, ReadOnly: true},
		vfs.Mount{Path: "/ws2", FS: j.fs, ReadOnly: true},
	)
	require.NoError(t, err)
	at := j.at
	require.Equal(t, abi.EXDEV, ns.Link(at, "/ro/secret", at, "/ws/x", true))
	require.Equal(t, abi.EROFS, ns.Link(at, "/ws/file", at, "/ro/x", true))
	require.Equal(t, abi.EXDEV, ns.Rename(at, "/ro/secret", at, "/ws/x"))
	require.Equal(t, abi.EXDEV, ns.Rename(at, "/ws/file", at, "/ro/x"))
	require.Equal(t, abi.EXDEV, ns.Link(at, "/ws2/file", at, "/ws/x", true))
	require.Equal(t, abi.EXDEV, ns.Rename(at, "/ws2/file", at, "/ws/x"))
	require.Equal(t, abi.EROFS, ns.Rename(at, "/ro/secret", at, "/ro/x"))
	require.Equal(t, abi.EBUSY, ns.Rename(at, "/ws", at, "/x"))
	require.Equal(t, abi.EBUSY, ns.Rename(at, "/ws/file", at, "/ro"))
	require.Equal(t, abi.EBUSY, ns.Rmdir(at, "/ro"))
	require.Equal(t, abi.EINVAL, ns.Rename(at, "/ws/dir/.", at, "/ws/x"))
	require.Equal(t, abi.EINVAL, ns.Rename(at, "/ws/dir/..", at, "/ws/x"))
	require.Equal(t, abi.EINVAL, ns.Rename(at, "/ws/dir", at, "/ws/dir/sub/x"))
	for _, p := range []string{"/ro/secret", "/ws2/file"} {
		for _, flag := range []abi.OpenFlag{abi.OTrunc, abi.OWronly, abi.ORdwr, abi.OWronly | abi.OTrunc, abi.OWronly | abi.OAppend, abi.OWronly | abi.OCreat} {
			_, _, err := ns.Open(at, p, flag, 0o644)
			require.Equal(t, abi.EROFS, err, "%s %#x", p, flag)
		}
		require.Equal(t, abi.EROFS, ns.Chmod(at, p, 0o777, true))
		require.Equal(t, abi.EROFS, ns.Chown(at, p, 1000, 1000, true))
		require.Equal(t, abi.EROFS, ns.Utimes(at, p, 1, 1, true))
		require.Equal(t, abi.EROFS, ns.Unlink(at, p))
		f, _, err := ns.Open(at, p, abi.ORdonly, 0)
		require.NoError(t, err)
		_, err = f.(vfs.RegularFile).WriteAt([]byte("x"), 0)
		require.Error(t, err)
		require.Error(t, f.(vfs.RegularFile).Truncate(0))
		if c, ok := f.(vfs.FileChmod); ok {
			require.Equal(t, abi.EROFS, c.Chmod(0o777))
		}
		if c, ok := f.(vfs.FileUtimes); ok {
			require.Equal(t, abi.EROFS, c.Utimes(1, 1))
		}
		require.NoError(t, f.Close())
	}
	require.Equal(t, abi.EROFS, ns.Mkdir(at, "/ro/x", 0o755))
	require.Equal(t, abi.EROFS, ns.Symlink("x", at, "/ro/x"))
	require.Equal(t, abi.EROFS, ns.Rmdir(at, "/ro/empty"))
	j.intact()
}

// TestEscapeLongNames: no length makes the host see another name.
func TestEscapeLongNames(t *testing.T) {
	eachWalk(t, func(t *testing.T, opt Options) {
		j := newJail(t, opt)
		_, err := j.ns.Stat(j.at, strings.Repeat("a", 256), true)
		require.Equal(t, abi.ENAMETOOLONG, err)
		_, err = j.ns.Stat(j.at, strings.Repeat("a/", 2048), true)
		require.Equal(t, abi.ENAMETOOLONG, err)
		_, err = j.ns.Stat(j.at, "file\x00/../../outside/secret", true)
		require.Equal(t, abi.EINVAL, err)
		_, err = j.ns.Stat(j.at, "", true)
		require.Equal(t, abi.ENOENT, err)
		require.Equal(t, abi.EINVAL, j.ns.Symlink("../outside\x00", j.at, "x"))
		if runtime.GOOS != "linux" {
			return
		}
		// Deeper than any one name of the operating system reaches.
		at := j.at
		at.Dir = "/ws"
		for range 40 {
			name := strings.Repeat("d", 250)
			require.NoError(t, j.ns.Mkdir(at, name, 0o755))
			at.Dir += "/" + name
		}
		f, _, err := j.ns.Open(at, "bottom", abi.OWronly|abi.OCreat, 0o644)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		require.NoError(t, j.ns.Chmod(at, "bottom", 0o600, true))
		st, err := j.ns.Stat(at, "bottom", true)
		require.NoError(t, err)
		require.Equal(t, abi.ModeRegular|0o600, st.Mode)
		require.NoError(t, j.ns.Unlink(at, "bottom"))
		for range 40 {
			i := strings.LastIndexByte(at.Dir, '/')
			name := at.Dir[i+1:]
			at.Dir = at.Dir[:i]
			require.NoError(t, j.ns.Rmdir(at, name))
		}
		j.intact()
	})
}

// TestHardLinkByHost documents that a hard link which the host made is a file of
// the workspace like any other.
func TestHardLinkByHost(t *testing.T) {
	j := newJail(t, Options{})
	require.NoError(t, os.WriteFile(filepath.Join(j.base, "shared"), []byte("shared"), 0o644))
	if err := os.Link(filepath.Join(j.base, "shared"), filepath.Join(j.ws, "shared")); err != nil {
		t.Skipf("link: %v", err)
	}
	f, _, err := j.ns.Open(j.at, "shared", abi.ORdonly, 0)
	require.NoError(t, err)
	st, err := f.Stat()
	require.NoError(t, err)
	require.EqualValues(t, 2, st.Nlink)
	require.NoError(t, f.Close())
}
