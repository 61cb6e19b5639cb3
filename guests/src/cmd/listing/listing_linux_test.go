// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit/cmdtest"
)

// The order is that of GNU ls -v and sort -V.
func TestCompareVersions(t *testing.T) {
	want := []string{"", ".", "..", ".0", ".A", ".a~", ".a", "0", "9", "A", "Z", "a~", "a", "a.b~", "a.b", "a.bc~", "a.bc", "a+", "a.+", "b1.2.9", "b1.2.10", "x1.0.tar.gz", "x10.tar.gz", "z"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, compareVersions)
	require.Equal(t, want, got)
	require.NotZero(t, compareVersions("a1", "a01"))
	require.Equal(t, compareVersions("a1", "a01"), -compareVersions("a01", "a1"))
}

func FuzzCompareVersions(f *testing.F) {
	f.Add("a1.tar.gz", "a10.tar.gz", "a~")
	f.Add(".x", "x01", "x1")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		x, y, z := compareVersions(a, b), compareVersions(b, c), compareVersions(a, c)
		if (x < 0) != (compareVersions(b, a) > 0) {
			t.Fatalf("%q %q: not antisymmetric", a, b)
		}
		if x < 0 && y < 0 && z >= 0 {
			t.Fatalf("%q %q %q: not transitive", a, b, c)
		}
	})
}

func FuzzStatFormat(f *testing.F) {
	for _, s := range []string{"%10.3Y|%-5s|%#a", "%Hd%Ld\\x41\\101\\", "%", "%5%", "%+010s%.Y%q"} {
		f.Add(s)
	}
	dir := f.TempDir()
	require.NoError(f, os.WriteFile(filepath.Join(dir, "x"), []byte("x"), 0o644))
	f.Fuzz(func(t *testing.T, format string) {
		if len(format) > 100 {
			return
		}
		for _, args := range [][]string{{"--printf=" + format, dir}, {"-c", format, dir + "/x"}, {"-f", "-c", format, dir}} {
			p := cmdkit.New("stat", args, cmdtest.Env, -1, -1, -1)
			p.Run(Stat)
		}
	})
}

func TestTree(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("r/a/b", 0o755))
	require.NoError(t, os.Mkdir("r/c", 0o755))
	for _, f := range []string{"r/a/b/x.go", "r/a/y.c", "r/.h", "r/z"} {
		require.NoError(t, os.WriteFile(f, []byte("12345"), 0o644))
	}
	require.NoError(t, os.Symlink("a", "r/l"))
	require.NoError(t, os.Symlink("nope", "r/o"))
	for _, c := range []struct{ args, want string }{
		{"r", "r\n├── a\n│\u00a0\u00a0 ├── b\n│\u00a0\u00a0 │\u00a0\u00a0 └── x.go\n│\u00a0\u00a0 └── y.c\n├── c\n├── l -> a\n├── o -> nope\n└── z\n\n5 directories, 4 files\n"},
		{"--charset=ascii r/a", "r/a\n|-- b\n|   `-- x.go\n`-- y.c\n\n2 directories, 2 files\n"},
		{"-aL 1 --noreport r", "r\n├── .h\n├── a\n├── c\n├── l -> a\n├── o -> nope\n└── z\n"},
		{"-d --noreport r", "r\n├── a\n│\u00a0\u00a0 └── b\n├── c\n└── l -> a\n"},
		{"-P *.go --prune --noreport r", "r\n└── a\n    └── b\n        └── x.go\n"},
		{"-I b|*.c|l|o --noreport r", "r\n├── a\n├── c\n└── z\n"},
		{"-fi --noreport r/a", "r/a\nr/a/b\nr/a/b/x.go\nr/a/y.c\n"},
		{"-sF --noreport r/a/b", "[       4096]  r/a/b/\n└── [          5]  x.go\n"},
		{"-l --noreport r", "r\n├── a\n│\u00a0\u00a0 ├── b\n│\u00a0\u00a0 │\u00a0\u00a0 └── x.go\n│\u00a0\u00a0 └── y.c\n├── c\n├── l -> a\n│\u00a0\u00a0 ├── b\n│\u00a0\u00a0 │\u00a0\u00a0 └── x.go\n│\u00a0\u00a0 └── y.c\n├── o -> nope\n└── z\n"},
		{"--dirsfirst -r --noreport r/a", "r/a\n├── b\n│\u00a0\u00a0 └── x.go\n└── y.c\n"},
		{"nope", "nope  [error opening dir]\n\n0 directories, 0 files\n"},
	} {
		env := []string{"LC_ALL=C.UTF-8"}
		got := cmdtest.Run(t, Tree, "", "tree", strings.Fields(c.args), env...)
		if c.args[0] == '-' && strings.HasPrefix(c.args, "-sF") && !strings.Contains(got.Stdout, " 4096]") {
			continue // the size of a directory is the file system's affair
		}
		require.Equal(t, c.want, got.Stdout, c.args)
	}
}

func BenchmarkDu(b *testing.B) {
	b.Chdir(b.TempDir())
	for i := range 100 {
		dir := filepath.Join("d", strings.Repeat("x", i+1))
		require.NoError(b, os.MkdirAll(dir, 0o755))
		for k := range 100 {
			require.NoError(b, os.WriteFile(filepath.Join(dir, strings.Repeat("f", k+1)), nil, 0o644))
		}
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	require.NoError(b, err)
	defer null.Close()
	fd := int32(null.Fd())
	for b.Loop() {
		if st := cmdkit.New("du", []string{"-s", "d"}, cmdtest.Env, fd, fd, fd).Run(Du); st != 0 {
			b.Fatal(st)
		}
	}
}
