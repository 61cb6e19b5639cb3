// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// TestConfined tries to leave a confined preopen.
func TestConfined(t *testing.T) {
	g := newTestGuest(t)
	g.mkdir("dir/sub")
	require.NoError(t, g.fs.Symlink("../outside", "dir/up"))
	require.NoError(t, g.fs.Symlink("/outside", "dir/abs"))
	require.NoError(t, g.fs.Symlink("..", "dir/parent"))
	require.NoError(t, g.fs.Symlink("../../outside", "dir/sub/far"))
	sub := g.wasiOpen("sub", abi.OflagDirectory, rightsDirectory, abi.RightsAll, 0)
	rights := uint64(abi.RightFDRead)
	for _, c := range []struct {
		fd   uint64
		path string
		want abi.Errno
	}{
		{3, "/outside", abi.EPERM},
		{3, "/dir/file", abi.EPERM},
		{3, "..", abi.EPERM},
		{3, "../outside", abi.EPERM},
		{3, "sub/../../outside", abi.EPERM},
		{3, "up", abi.EPERM},
		{3, "abs", abi.EPERM},
		{3, "parent/outside", abi.EPERM},
		{3, "sub/far", abi.EPERM},
		{sub, "../../outside", abi.EPERM},
		{sub, "../file", abi.EPERM}, // not even to where it came from
		{sub, "far", abi.EPERM},
		{3, "sub/../file", 0},
		{3, "./././file", 0},
		{3, "file/", abi.ENOTDIR},
		{3, "file/x", abi.ENOTDIR},
		{3, "", abi.ENOENT},
		{3, "fi\x00le", abi.EINVAL},
		{3, "file\x00", abi.EINVAL},
		{3, strings.Repeat("a", 256), abi.ENAMETOOLONG},
		{3, strings.Repeat("a/", 2048), abi.ENAMETOOLONG},
		{99, "file", abi.EBADF},
		{at(-1), "file", abi.EBADF},
		{at(-2), "file", abi.EBADF},
	} {
		p, n := g.str(0x8000, c.path)
		require.Equal(t, c.want.Name(), g.call("wasi.path_open", c.fd, 1, p, n, 0, rights, 0, 0, 16).Name(), "open %q", c.path)
		if c.want == abi.EPERM {
			q, k := g.str(0xa000, "new")
			require.Equal(t, "EPERM", g.call("wasi.path_filestat_get", c.fd, 1, p, n, 0x200).Name(), "stat %q", c.path)
			require.NotEqual(t, "SUCCESS", g.call("wasi.path_create_directory", c.fd, p, n).Name(), "mkdir %q", c.path)
			require.Equal(t, "EPERM", g.call("wasi.path_filestat_set_times", c.fd, 1, p, n, 0, 0, 5).Name(), "utimes %q", c.path)
			require.Equal(t, "EPERM", g.call("wasi.path_link", c.fd, 1, p, n, 3, q, k).Name(), "link %q", c.path)
		}
	}
	for _, path := range []string{"../outside", "/outside", "parent/outside"} {
		p, n := g.str(0x8000, path)
		q, k := g.str(0xa000, "new")
		f, j := g.str(0xb000, "file")
		g.fails(abi.EPERM, "wasi.path_unlink_file", 3, p, n)
		g.fails(abi.EPERM, "wasi.path_rename", 3, p, n, 3, q, k)
		g.fails(abi.EPERM, "wasi.path_rename", 3, f, j, 3, p, n)
		g.fails(abi.EPERM, "wasi.path_link", 3, 0, f, j, 3, p, n)
		g.fails(abi.EPERM, "wasi.path_symlink", f, j, 3, p, n)
		g.fails(abi.EPERM, "wasi.path_remove_directory", 3, p, n)
		g.fails(abi.EPERM, "wasi.path_readlink", 3, p, n, 0x200, 10, 16)
	}
	// Absolute targets make no sense to a confined program.
	p, n := g.str(0x8000, "/file")
	q, k := g.str(0xa000, "new")
	g.fails(abi.EPERM, "wasi.path_symlink", p, n, 3, q, k)
	require.Equal(t, "secret", g.readFile("outside"))
	_, err := g.fs.Lstat("dir/new")
	require.ErrorIs(t, err, abi.ENOENT)
}

// TestUnconfined uses a preopen that may be left, as foreign programs get.
func TestUnconfined(t *testing.T) {
	g := newTestGuest(t)
	g.preopen(4, "/dir", kernel.Preopen{GuestPath: "."})
	p, n := g.str(0x8000, "../outside")
	g.ok("wasi.path_filestat_get", 4, 0, p, n, 0x200)
	require.EqualValues(t, 6, g.u64(0x200+32))
	p, n = g.str(0x8000, "/outside")
	q, k := g.str(0xa000, "new")
	g.ok("wasi.path_symlink", p, n, 4, q, k)
	g.ok("wasi.path_readlink", 4, q, k, 0x200, 100, 16)
	require.Equal(t, "/outside", string(g.bytes(0x200, g.u32(16))))
}

// TestWorkingDirectory uses the two preopens of foreign programs as wasi-libc
// does, which passes "/tmp/x" and "tmp/x" alike.
func TestWorkingDirectory(t *testing.T) {
	g := newTestGuest(t)
	g.mkdir("tmp")
	g.writeFile("tmp/there", 0o644, []byte("root"))
	g.mkdir("both")
	g.writeFile("both/root", 0o644, nil)
	g.mkdir("dir/both")
	g.writeFile("dir/both/cwd", 0o644, nil)
	g.preopen(3, "/", kernel.Preopen{GuestPath: "/"})
	g.preopen(4, "/dir", kernel.Preopen{GuestPath: "."})
	stat := func(path string) string {
		p, n := g.str(0x8000, path)
		return g.call("wasi.path_filestat_get", 4, 1, p, n, 0x200).Name()
	}
	for path, want := range map[string]string{
		"file":                 "SUCCESS", // in the working directory
		"./file":               "SUCCESS",
		"tmp/there":            "SUCCESS", // "tmp" is in the root only
		"./tmp/there":          "SUCCESS",
		"tmp":                  "SUCCESS",
		"tmp/../outside":       "SUCCESS",
		"outside":              "SUCCESS",
		"both/cwd":             "SUCCESS", // in both: the working directory wins
		"both/root":            "ENOENT",
		"tmp/missing":          "ENOENT",
		"none/x":               "ENOENT",
		"../outside":           "SUCCESS",
		"../dir/file":          "SUCCESS",
		".":                    "SUCCESS",
		strings.Repeat("/", 3): "SUCCESS", // the kernel's root
	} {
		require.Equal(t, want, stat(path), "stat %q", path)
	}
	create := func(path string) {
		p, n := g.str(0x8000, path)
		g.ok("wasi.path_open", 4, 0, p, n, uint64(abi.OflagCreat), uint64(abi.RightFDWrite), 0, 0, 16)
	}
	exists := func(name string) bool { _, err := g.fs.Lstat(name); return err == nil }
	create("tmp/new")
	require.True(t, exists("tmp/new"))
	create("outside") // one component: made where the program is
	require.True(t, exists("dir/outside"))
	p, n := g.str(0x8000, "tmp")
	g.fails(abi.ENOENT, "wasi.path_remove_directory", 4, p, n)
	g.ok("wasi.path_create_directory", 4, p, n)
	require.True(t, exists("dir/tmp"))
	// Now "tmp" is that of the working directory.
	p, n = g.str(0x8000, "tmp/new")
	g.fails(abi.ENOENT, "wasi.path_unlink_file", 4, p, n)
	require.True(t, exists("tmp/new"))
	// Only "." is special, and only with "/" beside it.
	p, n = g.str(0x8000, "both/root")
	g.ok("wasi.path_filestat_get", 3, 0, p, n, 0x200)
	g.ok("wasi.fd_close", 3)
	require.Equal(t, "ENOENT", stat("there"))
	g.preopen(3, "/tmp", kernel.Preopen{GuestPath: "/", Beneath: true})
	require.Equal(t, "ENOENT", stat("there"))
}

func TestPathOperations(t *testing.T) {
	g := newTestGuest(t)
	path := func(s string) (uint64, uint64) { return g.str(0x8000, s) }
	other := func(s string) (uint64, uint64) { return g.str(0xa000, s) }

	d, n := path("made")
	g.ok("wasi.path_create_directory", 3, d, n)
	g.fails(abi.EEXIST, "wasi.path_create_directory", 3, d, n)
	g.ok("wasi.path_filestat_get", 3, 0, d, n, 0x200)
	require.EqualValues(t, abi.FiletypeDirectory, g.bytes(0x210, 1)[0])
	g.fails(abi.EISDIR, "wasi.path_unlink_file", 3, d, n)
	q, k := other("file")
	g.fails(abi.ENOTDIR, "wasi.path_remove_directory", 3, q, k)
	g.ok("wasi.path_remove_directory", 3, d, n)
	g.fails(abi.ENOENT, "wasi.path_remove_directory", 3, d, n)

	d, n = path("hard")
	g.ok("wasi.path_link", 3, 0, q, k, 3, d, n)
	g.fails(abi.EEXIST, "wasi.path_link", 3, 0, q, k, 3, d, n)
	g.fails(abi.EINVAL, "wasi.path_link", 3, 2, q, k, 3, d, n)
	g.ok("wasi.path_filestat_get", 3, 0, d, n, 0x200)
	require.EqualValues(t, 2, g.u64(0x200+24))
	g.ok("wasi.path_rename", 3, d, n, 3, q, k) // both names of one file
	g.ok("wasi.path_unlink_file", 3, d, n)

	d, n = path("soft")
	q, k = other("target")
	g.ok("wasi.path_symlink", q, k, 3, d, n)
	clear(g.bytes(0x200, 16))
	g.ok("wasi.path_readlink", 3, d, n, 0x200, 4, 16)
	require.EqualValues(t, 4, g.u32(16))
	require.Equal(t, "targ\x00", string(g.bytes(0x200, 5)), "cut short")
	g.ok("wasi.path_readlink", 3, d, n, 0x200, 0, 16)
	require.Zero(t, g.u32(16))
	g.ok("wasi.path_readlink", 3, d, n, 0x200, 100, 16)
	require.Equal(t, "target", string(g.bytes(0x200, g.u32(16))))
	g.fails(abi.EFAULT, "wasi.path_readlink", 3, d, n, memSize-3, 4, 16)
	g.ok("wasi.path_filestat_get", 3, 0, d, n, 0x200)
	require.EqualValues(t, abi.FiletypeSymbolicLink, g.bytes(0x210, 1)[0])
	g.fails(abi.ENOENT, "wasi.path_filestat_get", 3, 1, d, n, 0x200)
	g.fails(abi.ELOOP, "wasi.path_open", 3, 0, d, n, 0, 0, 0, 0, 16)
	g.fails(abi.ENOENT, "wasi.path_open", 3, 1, d, n, 0, 0, 0, 0, 16)
	// The extension tells the whole length.
	g.fails(abi.ERANGE, "ext.path_readlink", 3, d, n, 0x200, 4, 16)
	require.EqualValues(t, 6, g.u32(16))

	d, n = path("excl")
	g.ok("wasi.path_open", 3, 0, d, n, uint64(abi.OflagCreat|abi.OflagExcl), 0, 0, 0, 16)
	g.fails(abi.EEXIST, "wasi.path_open", 3, 0, d, n, uint64(abi.OflagCreat|abi.OflagExcl), 0, 0, 0, 16)
	st, err := g.fs.Lstat("dir/excl")
	require.NoError(t, err)
	require.Equal(t, abi.ModeRegular|0o644, st.Mode)

	// A file is no directory to start from.
	file := g.u32(16)
	g.fails(abi.ENOTDIR, "wasi.path_open", uint64(file), 0, d, n, 0, 0, 0, 0, 16)
	g.fails(abi.ENOTDIR, "wasi.path_open", uint64(file), 0, d, n, 0, uint64(abi.RightFDRead), 0, 0, 16)
	g.fails(abi.ENOTDIR, "wasi.path_open", 0, 0, d, n, 0, 0, 0, 0, 16)

	// A result that cannot be stored leaves nothing open.
	before := g.u32(16)
	d, n = path("file")
	g.fails(abi.EFAULT, "wasi.path_open", 3, 0, d, n, 0, 0, 0, 0, memSize-3)
	g.ok("wasi.path_open", 3, 0, d, n, 0, 0, 0, 0, 16)
	require.Equal(t, before+1, g.u32(16))
}
