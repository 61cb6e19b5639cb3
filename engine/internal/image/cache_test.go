// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/internal/wasmbin"
)

// privateTemp returns a name for a cache directory that does not exist yet.
func privateTemp(t testing.TB) string { return filepath.Join(t.TempDir(), "cache") }

func testCache(t testing.TB, dir string) *Cache {
	t.Helper()
	c, err := OpenCache(dir, 0)
	require.NoError(t, err)
	return c
}

// tinyGuest is a guest whose initialisation stores 101 and whose main adds one
// to that and returns it.
var tinyGuest = []byte("\x00asm\x01\x00\x00\x00" +
	"\x01\x08\x02\x60\x00\x00\x60\x00\x01\x7f" + // () and () i32
	"\x03\x03\x02\x00\x01" +
	"\x05\x03\x01\x00\x01" +
	"\x07\x28\x03\x06memory\x02\x00\x0b_initialize\x00\x00\x0dwsandbox_main\x00\x01" +
	"\x0a\x21\x02\x0a\x00\x41\x00\x41\xe5\x00\x36\x02\x00\x0b" +
	"\x14\x00\x41\x00\x41\x00\x28\x02\x00\x41\x01\x6a\x36\x02\x00\x41\x00\x28\x02\x00\x0b")

// cachedRun makes a compiler over the cache directory, runs a guest twice, and
// reports whether its module was asked for.
func cachedRun(t testing.TB, dir string) (compiled bool) {
	t.Helper()
	wasm := tinyGuest
	c, err := NewCompiler(t.Context(), Options{Host: testHost{}, Cache: testCache(t, dir)})
	if errors.Is(err, ErrUnsupportedHost) {
		t.Skip(err)
	}
	require.NoError(t, err)
	img, err := c.Guest(t.Context(), "guest", Digest(wasm), func() ([]byte, error) {
		compiled = true
		return wasm, nil
	})
	require.NoError(t, err)
	mustRun(t, img, 0, 102)
	mustRun(t, img, 0, 102)
	require.NoError(t, img.Close(t.Context()))
	require.NoError(t, c.Close(t.Context()))
	return compiled
}

// cacheFiles returns the regular files of the cache below dir.
func cacheFiles(t testing.TB, dir string) (images, codes []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
		case strings.HasSuffix(path, ".image"):
			images = append(images, path)
		case d.Name() == "swept":
		default:
			codes = append(codes, path)
		}
		return err
	}))
	return images, codes
}

func TestCacheHolds(t *testing.T) {
	dir := privateTemp(t)
	require.True(t, cachedRun(t, dir))
	require.False(t, cachedRun(t, dir))
	images, codes := cacheFiles(t, dir)
	require.Len(t, images, 1)
	require.Len(t, codes, 1, "nothing temporary is left")
	if runtime.GOOS != "windows" {
		for _, f := range slices.Concat(images, codes) {
			i, err := os.Stat(f)
			require.NoError(t, err)
			require.Zero(t, i.Mode().Perm()&0o077, f)
		}
	}
}

// TestCacheCorruption damages each part of the files and expects a new start.
func TestCacheCorruption(t *testing.T) {
	dir := privateTemp(t)
	cachedRun(t, dir)
	flip := func(off func(size int64) int64) func(path string) error {
		return func(path string) error {
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			i, err := f.Stat()
			if err != nil {
				return err
			}
			var b [1]byte
			at := off(i.Size())
			if _, err := f.ReadAt(b[:], at); err != nil {
				return err
			}
			b[0] ^= 0x10
			_, err = f.WriteAt(b[:], at)
			return err
		}
	}
	at := func(n int64) func(int64) int64 { return func(int64) int64 { return n } }
	fromEnd := func(n int64) func(int64) int64 { return func(size int64) int64 { return size - n } }
	part := func(n int64) func(int64) int64 { return func(size int64) int64 { return size * n / 100 } }
	tests := []struct {
		name   string
		code   bool
		damage func(path string) error
	}{
		{"head", false, flip(at(3))},
		{"manifest offset", false, flip(at(12))},
		{"manifest length", false, flip(at(18))},
		{"stub", false, flip(at(100))},
		{"snapshot", false, flip(fromEnd(20000))},
		{"manifest", false, flip(fromEnd(20))},
		{"short entry", false, func(p string) error { return os.Truncate(p, 100) }},
		{"empty entry", false, func(p string) error { return os.Truncate(p, 0) }},
		{"entry without its end", false, func(p string) error { return os.Truncate(p, 100<<10) }},
		{"no entry", false, os.Remove},
		{"code head", true, flip(at(2))},
		{"code offsets", true, flip(at(30))},
		{"code", true, flip(part(60))},
		{"code trailer", true, flip(fromEnd(5))},
		{"short code", true, func(p string) error { return os.Truncate(p, 50) }},
		{"empty code", true, func(p string) error { return os.Truncate(p, 0) }},
		{"no code", true, os.Remove},
		{"code of a stranger", true, func(p string) error { return os.WriteFile(p, []byte(strings.Repeat("x", 5000)), 0o600) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			images, codes := cacheFiles(t, dir)
			require.Len(t, images, 1)
			require.Len(t, codes, 1)
			path := images[0]
			if tt.code {
				path = codes[0]
			}
			require.NoError(t, tt.damage(path))
			require.True(t, cachedRun(t, dir), "the module is compiled again")
			require.False(t, cachedRun(t, dir))
		})
	}
}

func TestCacheOfAnotherVersion(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "go.mod"))
	require.NoError(t, err)
	require.Contains(t, string(b), wazeroPath+" "+wazeroVersion, "wazeroVersion and the format of the cache follow go.mod")
}

// putFile makes a file, and the directories above it, that was last used at an age.
func putFile(t *testing.T, path string, size int, age time.Duration) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, make([]byte, size), 0o600))
	setAge(t, path, age)
}

func setAge(t *testing.T, path string, age time.Duration) {
	t.Helper()
	when := time.Now().Add(-age)
	require.NoError(t, os.Chtimes(path, when, when))
}

func TestCacheSweep(t *testing.T) {
	dir := privateTemp(t)
	c := testCache(t, dir)
	stale, fresh := filepath.Join(c.dir, "tmp-1"), filepath.Join(c.dir, "tmp-2")
	require.NoError(t, os.MkdirAll(filepath.Join(stale, "code"), 0o700))
	require.NoError(t, os.Mkdir(fresh, 0o700))
	setAge(t, stale, 2*staleTemp)
	old := filepath.Join(dir, "v5-0123")
	putFile(t, filepath.Join(c.dir, "a.image"), 4000, 3*time.Hour)
	putFile(t, filepath.Join(old, "code", "x", "b"), 3000, 5*time.Hour)
	putFile(t, filepath.Join(c.dir, "c.image"), 2000, time.Hour)
	putFile(t, filepath.Join(c.dir, "d.image"), 1500, 2*time.Hour)

	// Not the same day, but for a new entry.
	c, err := OpenCache(dir, 8000)
	require.NoError(t, err)
	require.DirExists(t, stale)
	setAge(t, filepath.Join(dir, "swept"), 2*sweepAfter)
	c, err = OpenCache(dir, 8000)
	require.NoError(t, err)
	require.NoDirExists(t, stale)
	require.DirExists(t, fresh)
	require.NoFileExists(t, filepath.Join(old, "code", "x", "b"), "the oldest, of another version")
	require.DirExists(t, old, "another program may be about to use it")
	require.NoFileExists(t, filepath.Join(c.dir, "a.image"), "the second oldest, as 7500 is more than three quarters")
	require.FileExists(t, filepath.Join(c.dir, "c.image"))
	require.FileExists(t, filepath.Join(c.dir, "d.image"))

	c.maxBytes = 100
	c.sweep(filepath.Join(c.dir, "d.image"))
	require.NoFileExists(t, filepath.Join(c.dir, "c.image"))
	require.FileExists(t, filepath.Join(c.dir, "d.image"), "what was just made stays")
}

// TestCacheUnused: what nobody used for a month goes, of all versions, and nothing
// that is not of a cache.
func TestCacheUnused(t *testing.T) {
	dir := privateTemp(t)
	c := testCache(t, dir)
	const long, short = UnusedFor + time.Hour, UnusedFor - time.Hour
	old, used := filepath.Join(dir, "v1-v1.12.0-2aea08988f24"), filepath.Join(dir, "v12-0123456789abcdef")
	gone := []string{
		filepath.Join(c.dir, "a.image"), filepath.Join(c.dir, "code", "w", "a"),
		filepath.Join(old, "b.image"), filepath.Join(old, "code", "w", "b"), filepath.Join(old, "code", "w-dev", "b2"),
		filepath.Join(used, "c.image"),
	}
	stays := []string{
		filepath.Join(c.dir, "d.image"), filepath.Join(c.dir, "code", "w", "d"), filepath.Join(used, "code", "w", "e"),
		filepath.Join(dir, "file"), filepath.Join(dir, "other", "f.image"), filepath.Join(dir, "v1", "g.image"), filepath.Join(dir, "vx-1", "h.image"),
	}
	for _, f := range gone {
		putFile(t, f, 10, long)
	}
	for _, f := range stays {
		age := short
		if !strings.Contains(f, "v") || strings.HasSuffix(f, "g.image") || strings.HasSuffix(f, "h.image") {
			age = 2 * long
		}
		putFile(t, f, 10, age)
	}
	setAge(t, old, long)
	c.sweep()
	for _, f := range gone {
		require.NoFileExists(t, f)
	}
	for _, f := range stays {
		require.FileExists(t, f)
	}
	require.NoDirExists(t, old)
	require.DirExists(t, used)

	// Opening is use: of the directory too, before there is anything in it.
	setAge(t, c.dir, long)
	c = testCache(t, dir)
	i, err := os.Stat(c.dir)
	require.NoError(t, err)
	require.Less(t, time.Since(i.ModTime()), touchAfter)
}

// TestCacheThatKeepsNothing: where the cache cannot be written to, modules run all
// the same, and guests are an error.
func TestCacheThatKeepsNothing(t *testing.T) {
	dir := privateTemp(t)
	cache := testCache(t, dir)
	c := testCompiler(t, Options{Cache: cache})
	module := slices.Concat([]byte("\x00asm\x01\x00\x00\x00"),
		[]byte{1, 4, 1, 0x60, 0, 0}, []byte{3, 2, 1, 0}, []byte{5, 3, 1, 0, 1},
		[]byte{7, 19, 2, 6, 'm', 'e', 'm', 'o', 'r', 'y', 2, 0, 6, '_', 's', 't', 'a', 'r', 't', 0, 0},
		[]byte{10, 4, 1, 2, 0, 0x0b},
	)
	require.NoError(t, os.RemoveAll(cache.dir))
	require.NoError(t, os.WriteFile(cache.dir, nil, 0o600)) // holds nothing, whoever the user is
	for range 2 {
		img, err := c.Module(t.Context(), "m", Digest(module), module)
		require.NoError(t, err)
		mustRun(t, img, 0, 0)
		require.NoError(t, img.Close(t.Context()))
	}
	_, err := c.Guest(t.Context(), "tiny", Digest(tinyGuest), func() ([]byte, error) { return tinyGuest, nil })
	require.ErrorContains(t, err, "image: tiny: ")
	_, err = c.Module(t.Context(), "m", Digest([]byte("x")), []byte("x"))
	require.ErrorIs(t, err, ErrModule)
}

func TestIsVersionTag(t *testing.T) {
	require.True(t, isVersionTag(versionTag()))
	for name, want := range map[string]bool{
		"v6-2aea08988f2415e4": true, "v1-v1.12.0-2aea08988f24": true, "v10-x": true,
		"": false, "v": false, "v-": false, "v6": false, "v6-": false, "6-x": false, "vx-1": false, "w6-x": false, "v 6-x": false, "tmp-1": false, "swept": false,
	} {
		require.Equal(t, want, isVersionTag(name), name)
	}
}

func TestCacheTouch(t *testing.T) {
	dir := privateTemp(t)
	cachedRun(t, dir)
	images, codes := cacheFiles(t, dir)
	long := time.Now().Add(-2 * touchAfter)
	for _, f := range slices.Concat(images, codes) {
		require.NoError(t, os.Chtimes(f, long, long))
	}
	require.False(t, cachedRun(t, dir))
	for _, f := range slices.Concat(images, codes) {
		i, err := os.Stat(f)
		require.NoError(t, err)
		require.Less(t, time.Since(i.ModTime()), touchAfter)
	}
}

// TestCacheShared fills and uses one cache from several programs at once, each
// with several compilers.
func TestCacheShared(t *testing.T) {
	if dir := os.Getenv("WSANDBOX_TEST_CACHE"); dir != "" {
		for range 20 {
			cachedRun(t, dir)
		}
		return
	}
	dir := privateTemp(t)
	exe, err := os.Executable()
	require.NoError(t, err)
	var wg sync.WaitGroup
	for n := range 3 {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 2*testTimeout)
			defer cancel()
			cmd := exec.CommandContext(ctx, exe, "-test.run=^TestCacheShared$")
			cmd.Env = append(os.Environ(), "WSANDBOX_TEST_CACHE="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("program %d: %v\n%s", n, err, out)
			}
		})
	}
	wg.Wait()
	images, codes := cacheFiles(t, dir)
	require.Len(t, images, 1)
	require.Len(t, codes, 1)
}

func TestStub(t *testing.T) {
	module := slices.Concat([]byte("\x00asm\x01\x00\x00\x00"),
		[]byte{1, 4, 1, 0x60, 0, 0},              // a type
		[]byte{3, 2, 1, 0},                       // a function
		[]byte{12, 1, 1},                         // data count
		[]byte{10, 6, 1, 4, 0, 0x01, 0x01, 0x0b}, // nop, nop
		[]byte{11, 5, 1, 1, 2, 'h', 'i'},         // passive data
		[]byte{0, 5, 4, 'n', 'a', 'm', 'e'},      // custom
	)
	want := slices.Concat(module[:21], []byte{10, 5, 1, 3, 0, 0x00, 0x0b}, module[29:36],
		[]byte{0, 18, 15}, []byte("wsandbox.moduleyz"))
	got, err := stubOf(module, "yz")
	require.NoError(t, err)
	require.Equal(t, want, got)
	for n := range len(module) {
		if _, err := stubOf(module[:n], ""); err != nil {
			require.ErrorIs(t, err, errStub)
		}
	}
}

// TestTakeData makes the same image with and without the guest's own code that
// applies its data.
func TestTakeData(t *testing.T) {
	guest := slices.Concat(tinyGuest, []byte("\x0b\x11\x02\x00\x41\x00\x0b\x02xy\x00\x41\xe4\x00\x0b\x03abc"))
	m, err := rewrite(guest, true)
	require.NoError(t, err)
	require.False(t, m.apply)
	require.Equal(t, []segment{{0, []byte("xy")}, {100, []byte("abc")}}, m.data)
	require.NotContains(t, string(m.code), "abc")
	out, _, err := wasmbin.Rewrite(guest, wasmbin.Options{Snapshot: true})
	require.NoError(t, err)
	require.Contains(t, string(out), "abc")
	c := testCompiler(t, Options{})
	var images [][]byte
	for _, m := range []*rewritten{m, {code: out, layout: m.layout, apply: true}} {
		compiled, err := compile(t.Context(), c.rt, m.code, 2)
		require.NoError(t, err)
		snap, _, err := c.initialize(t.Context(), c.rt, compiled, m)
		require.NoError(t, err)
		images = append(images, slices.Clone(snap.bytes()))
		snap.close()
		require.NoError(t, compiled.Close(t.Context()))
	}
	require.Equal(t, "abc", string(images[0][100:103]))
	require.Equal(t, byte(101), images[0][0], "_initialize runs after")
	require.True(t, slices.Equal(images[0], images[1]))

	tests := []struct {
		name string
		tail string
	}{
		{"data count", "\x0c\x01\x00"},
		{"passive", "\x0b\x03\x01\x01\x00"},
		{"offset from a global", "\x0b\x06\x01\x00\x23\x00\x0b\x00"},
		{"cut off", "\x0b\x05\x01\x00\x41\x00\x0b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, ok := takeData(slices.Concat(tinyGuest, []byte(tt.tail)), out)
			require.False(t, ok)
		})
	}
	t.Run("out of bounds", func(t *testing.T) {
		m := *m
		m.data = []segment{{wasmPage - 1, []byte("xy")}}
		compiled, err := compile(t.Context(), c.rt, m.code, 2)
		require.NoError(t, err)
		_, _, err = c.initialize(t.Context(), c.rt, compiled, &m)
		require.ErrorIs(t, err, ErrModule)
		require.NoError(t, compiled.Close(t.Context()))
	})
}

func TestSleb(t *testing.T) {
	tests := []struct {
		b    string
		want int32
		ok   bool
	}{
		{"\x00", 0, true}, {"\x3f", 63, true}, {"\x40", -64, true}, {"\xff\x00", 127, true}, {"\x80\x7f", -128, true},
		{"\xff\xff\xff\xff\x07", 1<<31 - 1, true}, {"\x80\x80\x80\x80\x78", -1 << 31, true}, {"\x80", 0, false}, {"", 0, false},
		{"\x80\x80\x80\x80\x80\x00", 0, false},
	}
	for _, tt := range tests {
		got, rest, ok := sleb32([]byte(tt.b))
		require.Equal(t, tt.ok, ok, "%x", tt.b)
		require.Equal(t, tt.want, got, "%x", tt.b)
		require.Empty(t, rest)
	}
}

func FuzzStub(f *testing.F) {
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x0a\x06\x01\x04\x00\x01\x01\x0b"))
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x0b\x05\x01\x01\x02hi"))
	f.Add(tinyGuest)
	out, _, err := wasmbin.Rewrite(tinyGuest, wasmbin.Options{Snapshot: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(out)
	f.Fuzz(func(t *testing.T, b []byte) {
		takeData(tinyGuest, b)
		takeData(b, out)
		s, err := stubOf(b, "id")
		if err != nil {
			return
		}
		again, err := stubOf(s, "id")
		if err != nil || string(again) != string(s) {
			t.Fatalf("the stub of a stub differs: %x, %x, %v", s, again, err)
		}
	})
}

func FuzzEntry(f *testing.F) {
	dir := f.TempDir()
	c := &Cache{dir: dir}
	if err := c.writeEntry("seed", manifest{Code: "x", Globals: []uint64{1}}, []byte("stub"), make([]byte, wasmPage)); err != nil {
		f.Fatal(err)
	}
	seed, err := os.ReadFile(c.entryPath("seed"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add(seed[:headSize])
	f.Fuzz(func(t *testing.T, b []byte) {
		c := &Cache{dir: t.TempDir()}
		if err := os.WriteFile(c.entryPath("k"), b, 0o600); err != nil {
			t.Fatal(err)
		}
		e, err := c.readEntry("k")
		if err == nil && e.snap != nil {
			e.snap.close()
		}
	})
}

func TestEntryRoundTrip(t *testing.T) {
	c := &Cache{dir: t.TempDir()}
	_, err := c.readEntry("k")
	require.ErrorIs(t, err, os.ErrNotExist)
	snap := patterned(5 * wasmPage)
	m := manifest{Code: "dir/name", Globals: []uint64{7, 1 << 63}, Layout: layout{Globals: []string{"a", "b"}, HasMem: true, MinPages: 5, MaxPages: 9, Warm: true}}
	for _, s := range [][]byte{snap, nil} {
		require.NoError(t, c.writeEntry("k", m, []byte("the stub"), s))
		e, err := c.readEntry("k")
		require.NoError(t, err)
		require.Equal(t, "the stub", string(e.stub))
		require.Equal(t, m.Globals, e.Globals)
		require.Equal(t, m.Layout, e.Layout)
		require.Equal(t, m.Code, e.Code)
		if s == nil {
			require.Nil(t, e.snap)
			continue
		}
		require.True(t, slices.Equal(s, e.snap.bytes()))
		e.snap.close()
	}
	left, err := filepath.Glob(filepath.Join(c.dir, "tmp-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func ExampleDigest() {
	fmt.Println(Digest(nil))
	// Output: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
}
