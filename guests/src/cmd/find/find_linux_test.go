// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package find

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit/cmdtest"
)

func makeTree(t testing.TB, dirs, files int) {
	for i := range dirs {
		dir := filepath.Join(fmt.Sprint("d", i%7), fmt.Sprint("e", i))
		require.NoError(t, os.MkdirAll(dir, 0o755))
		for k := range files {
			name := filepath.Join(dir, fmt.Sprintf("f%d.%s", k, []string{"go", "txt", "c"}[k%3]))
			require.NoError(t, os.WriteFile(name, make([]byte, k), 0o644))
		}
	}
}

// Whatever the order of evaluation, find must say what GNU find says of a real
// tree.
func TestTree(t *testing.T) {
	if v, ok := cmdtest.Native(t, "", "find", []string{"--version"}); !ok || !strings.Contains(v.Stdout, "GNU") {
		t.Skip("no GNU find to compare with")
	}
	t.Chdir(t.TempDir())
	makeTree(t, 20, 30)
	for _, expr := range []string{
		"-name *.go", "-size +10c -name *.c", "-name *.c -size +10c", "-type f -size -5c -o -name e1*", "-depth", "-maxdepth 2 -printf %P|%d|%y|%s\\n",
		"! -name *.go -type f -newer d0", "-path */e1/* -prune -o -print", "( -name f1.* -o -name f2.* ) -printf %f:%h\\n", "-regex .*/f[0-3]\\.\\(go\\|c\\)",
		"-empty", "-links +1 -type d", "-perm -444 -name f0*", "-mindepth 3 -type f -size 7c -o -size 8c",
	} {
		args := append([]string{"."}, strings.Fields(expr)...)
		got := cmdtest.Run(t, Find, "", "find", args)
		want, _ := cmdtest.Native(t, "", "find", args)
		for _, s := range []*string{&got.Stdout, &want.Stdout} {
			l := strings.Split(*s, "\n")
			sort.Strings(l)
			*s = strings.Join(l, "\n")
		}
		require.Equal(t, want, got, expr)
	}
}

func TestEmacsSyntax(t *testing.T) {
	for in, want := range map[string]string{
		`\(a\|b\)c`: `(a|b)c`, `a(b)|c{2}`: `a\(b\)\|c\{2\}`, `[^]()]\.x`: `[^]()]\.x`, `a\`: `a\`, `[[:alpha:](]+`: `[[:alpha:](]+`, `[(`: `[(`,
	} {
		require.Equal(t, want, fromEmacs(in), in)
	}
}

// The tests and actions of the fuzzed expressions do not touch the machine.
func FuzzExpression(f *testing.F) {
	for _, s := range []string{
		"( -name x -o ! -type f ) -a -size +1k , -true", "-mtime +1.5 -newermt 2020-01-01 -perm /u+w", "-printf %10p%T@\\n%%\\101", "-regex .*\\(a\\|b\\)",
		"-exec echo {} + -o -quit", "! ! ( ( -false ) )", "-printf %", "-type f,d -links -2 -inum 5", "-daystart -amin 3",
	} {
		f.Add(s)
	}
	dir := f.TempDir()
	require.NoError(f, os.WriteFile(filepath.Join(dir, "x"), []byte("x"), 0o644))
	f.Fuzz(func(t *testing.T, s string) {
		var args []string
		for _, a := range strings.Fields(s) {
			switch {
			case strings.HasPrefix(a, "-exec"), strings.HasPrefix(a, "-ok"), strings.HasPrefix(a, "-f"), a == "-delete", a == "-newer", a == "-L":
				a = "-true"
			}
			args = append(args, a)
		}
		if len(args) > 200 {
			return
		}
		p := cmdkit.New("find", append([]string{dir}, append([]string{"-true"}, args...)...), cmdtest.Env, -1, -1, -1)
		p.Run(Find)
	})
}

func BenchmarkFind(b *testing.B) {
	b.Chdir(b.TempDir())
	makeTree(b, 100, 100)
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	require.NoError(b, err)
	defer null.Close()
	fd := int32(null.Fd())
	for _, c := range []struct{ name, expr string }{{"name", "-name *.go"}, {"size", "-size +10c"}, {"print", "-print"}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				p := cmdkit.New("find", append([]string{"."}, strings.Fields(c.expr)...), cmdtest.Env, fd, fd, fd)
				if st := p.Run(Find); st != 0 {
					b.Fatal(st)
				}
			}
		})
	}
	if path, err := exec.LookPath("find"); err == nil {
		b.Run("native", func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, exec.Command(path, ".", "-name", "*.go").Run())
			}
		})
	}
}
