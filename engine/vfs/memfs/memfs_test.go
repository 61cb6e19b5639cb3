// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package memfs_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
	"github.com/wsandbox/wsandbox/engine/vfs/memfs"
	"github.com/wsandbox/wsandbox/engine/vfs/vfstest"
)

func TestConformance(t *testing.T) {
	vfstest.Run(t, vfstest.Options{}, func(*testing.T) vfs.FS { return memfs.New(memfs.Options{}) })
}

func create(t testing.TB, fs *memfs.FS, name string) vfs.RegularFile {
	t.Helper()
	f, err := fs.Open(name, abi.ORdwr|abi.OCreat, 0o644)
	require.NoError(t, err)
	return f.(vfs.RegularFile)
}

func TestMaxBytes(t *testing.T) {
	fs := memfs.New(memfs.Options{MaxBytes: 1 << 20})
	free := func() uint64 {
		st, err := fs.Statfs()
		require.NoError(t, err)
		return st.Bfree * st.Bsize
	}
	start := free()
	f := create(t, fs, "f")
	data := make([]byte, 100_000)
	var total int
	var err error
	for range 20 {
		var n int
		n, err = f.WriteAt(data, int64(total))
		total += n
		if err != nil {
			break
		}
	}
	require.Equal(t, abi.ENOSPC, err)
	require.Greater(t, total, 900_000)
	require.LessOrEqual(t, total, 1<<20)
	st, err := f.Stat()
	require.NoError(t, err)
	require.EqualValues(t, total, st.Size) // what was written before is there
	_, err = f.Append(data)
	require.Equal(t, abi.ENOSPC, err)

	// Removing the name gives nothing back while the file is open.
	require.NoError(t, fs.Unlink("f"))
	require.Less(t, free(), uint64(100_000))
	require.NoError(t, f.Close())
	require.Equal(t, start, free())

	// Names are charged too.
	for i := 0; ; i++ {
		if err = fs.Mkdir(fmt.Sprintf("%0200d", i), 0o755); err != nil {
			require.Less(t, i, 4000)
			break
		}
	}
	require.Equal(t, abi.ENOSPC, err)
	_, err = fs.Open("another", abi.OWronly|abi.OCreat, 0o644)
	require.Equal(t, abi.ENOSPC, err)
	require.Equal(t, abi.ENOSPC, fs.Symlink(strings.Repeat("t", 4000), "l"))
	require.NoError(t, fs.Rmdir(fmt.Sprintf("%0200d", 0)))
	require.NoError(t, fs.Mkdir("fits", 0o755))
}

// TestAllow: what a tree was built with does not count.
func TestAllow(t *testing.T) {
	tests := []struct {
		bytes, inodes int64
		files         int // of 512 bytes that fit
	}{
		{10 << 10, 1 << 10, 11}, // 512, 256, 128 and the name each
		{1 << 20, 3, 3},
		{0, 5, 0}, {-1, 5, 0}, {1 << 20, 0, 0}, {1 << 20, -5, 0},
		{math.MaxInt64, math.MaxInt64, 100},
	}
	for _, tt := range tests {
		fs := memfs.New(memfs.Options{MaxBytes: math.MaxInt64, MaxInodes: math.MaxInt64})
		require.NoError(t, fs.Add(memfs.Entry{Name: "a/b/big", Data: strings.Repeat("x", 2<<20)}, memfs.Entry{Name: "l", Mode: abi.ModeSymlink, Target: "a"}))
		fs.Allow(tt.bytes, tt.inodes)
		n := 0
		for ; n < 100; n++ {
			f, err := fs.Open(fmt.Sprint("f", n), abi.OWronly|abi.OCreat, 0o644)
			if err == nil {
				_, err = f.(vfs.RegularFile).WriteAt(make([]byte, 512), 0)
			}
			if err != nil {
				require.Equal(t, abi.ENOSPC, err)
				break
			}
		}
		require.Equal(t, tt.files, n, "%+v", tt)
		st, err := fs.Statfs()
		require.NoError(t, err)
		require.GreaterOrEqual(t, st.Blocks, st.Bfree)
	}
}

// TestPartialWrite: POSIX write(): as many bytes as there is room for are written.
func TestPartialWrite(t *testing.T) {
	for _, room := range []int{0, 600, 5000, 70_000, 200_000} {
		fs := memfs.New(memfs.Options{})
		f := create(t, fs, "f")
		fs.Allow(int64(room), 10)
		n, err := f.WriteAt(make([]byte, 300_000), 0)
		require.Equal(t, abi.ENOSPC, err)
		require.LessOrEqual(t, n, room)
		require.Greater(t, n, room-1024)
		st, err := f.Stat()
		require.NoError(t, err)
		require.EqualValues(t, n, st.Size)
	}
}

func TestMaxInodes(t *testing.T) {
	fs := memfs.New(memfs.Options{MaxInodes: 5})
	for i := range 4 { // and the root
		require.NoError(t, fs.Mkdir(fmt.Sprint(i), 0o755))
	}
	require.Equal(t, abi.ENOSPC, fs.Mkdir("x", 0o755))
	st, err := fs.Statfs()
	require.NoError(t, err)
	require.Zero(t, st.Ffree)
	require.NoError(t, fs.Rmdir("0"))
	require.NoError(t, fs.Mkfifo("x", 0o644))
	require.NoError(t, fs.Rename("x", "y"))
	require.NoError(t, fs.Rename("1", "2"))
	require.NoError(t, fs.Mkdir("again", 0o755))
}

func TestMaxFileSize(t *testing.T) {
	fs := memfs.New(memfs.Options{MaxFileSize: 1000})
	f := create(t, fs, "f")
	require.Equal(t, abi.EFBIG, f.Truncate(1001))
	require.NoError(t, f.Truncate(1000))
	n, err := f.WriteAt([]byte("abc"), 998)
	require.Equal(t, abi.EFBIG, err)
	require.Equal(t, 2, n)
	n, err = f.WriteAt([]byte("abc"), 1000)
	require.Equal(t, abi.EFBIG, err)
	require.Zero(t, n)
	_, err = f.WriteAt([]byte("abc"), 1<<63-2)
	require.Equal(t, abi.EFBIG, err)
	_, err = f.Append([]byte("x"))
	require.Equal(t, abi.EFBIG, err)
}

// TestSparse: a hole costs nothing.
func TestSparse(t *testing.T) {
	fs := memfs.New(memfs.Options{MaxBytes: 1 << 20})
	f := create(t, fs, "f")
	require.NoError(t, f.Truncate(1<<40))
	_, err := f.WriteAt([]byte("end"), 1<<40-3)
	require.NoError(t, err)
	st, err := f.Stat()
	require.NoError(t, err)
	require.Equal(t, int64(1<<40), st.Size)
	require.Less(t, st.Blocks, int64(300))
	b := make([]byte, 6)
	n, err := f.ReadAt(b, 1<<40-6)
	require.NoError(t, err)
	require.Equal(t, "\x00\x00\x00end", string(b[:n]))
	require.NoError(t, f.Truncate(10))
	st, err = f.Stat()
	require.NoError(t, err)
	require.Zero(t, st.Blocks)
}

func TestClockAndOwner(t *testing.T) {
	now := int64(1_000)
	fs := memfs.New(memfs.Options{Clock: func() int64 { return now }, UID: 7, GID: 8})
	stat := func(name string) abi.Stat {
		st, err := fs.Lstat(name)
		require.NoError(t, err)
		return st
	}
	f := create(t, fs, "f")
	st := stat("f")
	require.Equal(t, [3]int64{1000, 1000, 1000}, [3]int64{st.Atim, st.Mtim, st.Ctim})
	require.EqualValues(t, 7, st.UID)
	require.EqualValues(t, 8, st.GID)
	now = 2000
	_, err := f.WriteAt([]byte("x"), 0)
	require.NoError(t, err)
	now = 3000
	_, err = f.ReadAt(make([]byte, 1), 0)
	require.NoError(t, err)
	st = stat("f")
	require.Equal(t, [3]int64{3000, 2000, 2000}, [3]int64{st.Atim, st.Mtim, st.Ctim})
	now = 4000
	require.NoError(t, fs.Chmod("f", 0o600))
	st = stat("f")
	require.Equal(t, [3]int64{3000, 2000, 4000}, [3]int64{st.Atim, st.Mtim, st.Ctim})
	now = 5000
	require.NoError(t, fs.Link("f", "g"))
	require.EqualValues(t, 5000, stat("f").Ctim)
	require.EqualValues(t, 5000, stat(".").Mtim)
	now = 6000
	require.NoError(t, fs.Unlink("g"))
	require.EqualValues(t, 6000, stat("f").Ctim)
	require.EqualValues(t, 6000, stat(".").Mtim)

	// A directory with the set-group-ID bit hands its group down.
	require.NoError(t, fs.Add(memfs.Entry{Name: "d", Mode: abi.ModeDir | abi.ModeSetgid | 0o777, GID: 99}))
	require.NoError(t, fs.Mkdir("d/e", 0o755))
	require.EqualValues(t, 99, stat("d/e").GID)
	require.Equal(t, abi.ModeDir|abi.ModeSetgid|0o755, stat("d/e").Mode)
}

// TestDeterminism: equal calls give equal numbers and listings.
func TestDeterminism(t *testing.T) {
	build := func() []vfs.Dirent {
		fs := memfs.New(memfs.Options{Clock: func() int64 { return 1 }})
		for _, n := range []string{"z", "a", "m"} {
			create(t, fs, n).Close()
		}
		require.NoError(t, fs.Unlink("a"))
		require.NoError(t, fs.Mkdir("a", 0o755))
		d, err := fs.Open(".", abi.ODirectory, 0)
		require.NoError(t, err)
		es, err := d.(vfs.Directory).ReadDir(nil, 0, 100, true)
		require.NoError(t, err)
		return es
	}
	first := build()
	require.Equal(t, first, build())
	var got []string
	for _, e := range first {
		got = append(got, e.Name)
	}
	require.Equal(t, []string{".", "..", "z", "m", "a"}, got)
}

func TestAdd(t *testing.T) {
	fs := memfs.New(memfs.Options{UID: 1000, GID: 1000})
	require.NoError(t, fs.Add(
		memfs.Entry{Name: "etc/passwd", Mode: 0o644, Data: "root\n", Mtim: 5},
		memfs.Entry{Name: "home/user", Mode: abi.ModeDir | 0o700, UID: 1000, GID: 1000},
		memfs.Entry{Name: "home", Mode: abi.ModeDir | 0o711},
		memfs.Entry{Name: "bin", Mode: abi.ModeSymlink, Target: "usr/bin"},
	))
	for name, want := range map[string]struct {
		mode abi.Mode
		uid  uint32
		size int64
	}{
		"etc":        {abi.ModeDir | 0o755, 0, 4096},
		"etc/passwd": {abi.ModeRegular | 0o644, 0, 5},
		"home":       {abi.ModeDir | 0o711, 0, 4096},
		"home/user":  {abi.ModeDir | 0o700, 1000, 4096},
		"bin":        {abi.ModeSymlink | 0o777, 0, 7},
	} {
		st, err := fs.Lstat(name)
		require.NoError(t, err)
		require.Equal(t, want.mode, st.Mode, name)
		require.Equal(t, want.uid, st.UID, name)
		require.Equal(t, want.size, st.Size, name)
	}
	require.ErrorIs(t, fs.Add(memfs.Entry{Name: "etc/passwd"}), abi.EEXIST)
	require.ErrorIs(t, fs.Add(memfs.Entry{Name: "x", Mode: abi.ModeChar}), abi.EINVAL)
	require.ErrorIs(t, fs.Add(memfs.Entry{Name: "etc/passwd/x"}), abi.ENOTDIR)
	require.ErrorIs(t, fs.Add(memfs.Entry{Name: "../x"}), abi.EINVAL)
}

func TestTraverse(t *testing.T) {
	fs := memfs.New(memfs.Options{UID: 1000})
	require.NoError(t, fs.Add(
		memfs.Entry{Name: "open/x", Mode: 0o644},
		memfs.Entry{Name: "shut", Mode: abi.ModeDir | 0o600, UID: 1000},
		memfs.Entry{Name: "shut/x", Mode: 0o644},
		memfs.Entry{Name: "l", Mode: abi.ModeSymlink, Target: "open"},
	))
	c := &vfs.Cred{UID: 1000}
	require.NoError(t, fs.Traverse(".", c))
	require.NoError(t, fs.Traverse("open/x", c))
	require.NoError(t, fs.Traverse("shut", c))
	require.Equal(t, abi.EACCES, fs.Traverse("shut/x", c))
	require.NoError(t, fs.Traverse("shut/x", &vfs.Cred{}))
	require.Equal(t, abi.ELOOP, fs.Traverse("l/x", c))
	require.Equal(t, abi.ENOENT, fs.Traverse("none/x", c))
	require.Equal(t, abi.ENOTDIR, fs.Traverse("open/x/y", c))
	require.NoError(t, fs.Chmod(".", 0o600))
	require.Equal(t, abi.EACCES, fs.Traverse("open", c))
}

func FuzzWrite(f *testing.F) {
	f.Add([]byte{0, 1, 2, 200, 7, 9, 3, 3, 3, 128, 64, 1})
	f.Fuzz(func(t *testing.T, ops []byte) {
		fs := memfs.New(memfs.Options{MaxFileSize: 1 << 20})
		g := create(t, fs, "f")
		var model []byte
		for i := 0; i+3 < len(ops); i += 4 {
			off := int(ops[i])<<9 | int(ops[i+1])
			n := int(ops[i+2]) << 8
			switch ops[i+3] % 4 {
			case 0:
				require.NoError(t, g.Truncate(int64(off)))
				if off < len(model) {
					model = model[:off]
				} else {
					model = append(model, make([]byte, off-len(model))...)
				}
				continue
			case 1:
				off = len(model)
				n = min(n, 1<<20-off)
				end, err := g.Append(fill(n, byte(i)))
				require.NoError(t, err)
				require.EqualValues(t, off+n, end)
			default:
				_, err := g.WriteAt(fill(n, byte(i)), int64(off))
				require.NoError(t, err)
			}
			if n > 0 && off+n > len(model) {
				model = append(model, make([]byte, off+n-len(model))...)
			}
			copy(model[min(off, len(model)):], fill(n, byte(i)))
		}
		got := make([]byte, len(model)+10)
		n, err := g.ReadAt(got, 0)
		require.NoError(t, err)
		require.Equal(t, string(model), string(got[:n]))
	})
}

func fill(n int, b byte) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = b | 1
	}
	return p
}

func BenchmarkReadAt(b *testing.B) {
	fs := memfs.New(memfs.Options{})
	f := create(b, fs, "f")
	buf := make([]byte, 64<<10)
	for i := range 160 {
		if _, err := f.WriteAt(buf, int64(i*len(buf))); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(160 * int64(len(buf)))
	for b.Loop() {
		for i := range 160 {
			if _, err := f.ReadAt(buf, int64(i*len(buf))); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkCreateUnlink(b *testing.B) {
	fs := memfs.New(memfs.Options{})
	b.ReportAllocs()
	for b.Loop() {
		create(b, fs, "f").Close()
		if err := fs.Unlink("f"); err != nil {
			b.Fatal(err)
		}
	}
}

// TestManyEntries: a directory of a million names is read in parts, and while names
// come and go none that stays is lost or seen twice.
func TestManyEntries(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 20_000
	}
	fs := memfs.New(memfs.Options{MaxBytes: 1 << 40})
	require.NoError(t, fs.Mkdir("d", 0o755))
	file := ""
	for i := range n {
		name := fmt.Sprintf("d/%07d", i)
		if i%50_000 == 0 { // as many links as an inode may have
			require.NoError(t, create(t, fs, name).Close())
			file = name
			continue
		}
		require.NoError(t, fs.Link(file, name))
	}
	f, err := fs.Open("d", abi.ODirectory, 0)
	require.NoError(t, err)
	defer f.Close()
	seen := make([]bool, n)
	var cookie uint64
	for round := 0; ; round++ {
		es, err := f.(vfs.Directory).ReadDir(nil, cookie, 1000, round%2 == 0)
		require.NoError(t, err)
		if len(es) == 0 {
			break
		}
		for _, e := range es {
			cookie = e.Cookie
			if e.Name == "." || e.Name == ".." || e.Name[0] == 'n' {
				continue
			}
			i, err := strconv.Atoi(e.Name)
			require.NoError(t, err)
			require.False(t, seen[i], "%d is seen twice", i)
			seen[i] = true
			if i%3 == 0 {
				require.NoError(t, fs.Unlink("d/"+e.Name))
			}
		}
		if round < 50 {
			require.NoError(t, fs.Mkdir(fmt.Sprint("d/new", round), 0o755))
		}
	}
	for i, ok := range seen {
		if !ok {
			t.Fatalf("%d was not seen", i)
		}
	}
}
