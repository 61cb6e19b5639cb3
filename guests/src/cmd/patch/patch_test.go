// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package patch

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
)

// FuzzParse takes anything as a patch and applies what it finds.
func FuzzParse(f *testing.F) {
	f.Add("--- a\t2020\n+++ b\n@@ -1,3 +1,4 @@ fn\n a\n-b\n+c\n+d\n e\n\\ No newline at end of file\n", "a\nb\ne")
	f.Add("diff --git a/x b/y\nrename from x\nrename to y\n@@ -0,0 +1 @@\n+x\n@@ -1 +0,0 @@\n-x\n", "")
	f.Add("@@ -99999999999,1 +1 @@\n", "x\n")
	f.Fuzz(func(t *testing.T, patch, file string) {
		if len(patch) > 4000 || len(file) > 4000 {
			return
		}
		p := newParser([]byte(patch))
		for d := p.next(); d != nil; d = p.next() {
			for _, spaces := range []bool{false, true} {
				x := &target{lines: split([]byte(file)), spaces: spaces}
				for i := range d.hunks {
					h := &d.hunks[i]
					r := h.reversed()
					if len(r.same) != len(r.new) || len(h.same) != len(h.new) {
						t.Fatal("context is lost")
					}
					for fuzz := 0; fuzz <= min(2, max(h.prefix, h.suffix)); fuzz++ {
						if at := x.locate(h, fuzz); at > 0 {
							x.apply(h, at, fuzz)
							break
						}
					}
				}
				x.result()
			}
		}
	})
}

func TestLocate(t *testing.T) {
	file := strings.Repeat("a\nb\nc\n", 10)
	parse := func(patch string) *hunk {
		d := newParser([]byte(patch)).next()
		require.NotNil(t, d)
		return &d.hunks[0]
	}
	for _, c := range []struct {
		name, patch string
		fuzz, want  int
	}{
		{"exact", "@@ -4,3 +4,3 @@\n a\n-b\n+x\n c\n", 0, 4},
		{"nearest", "@@ -9,3 +9,3 @@\n a\n-b\n+x\n c\n", 0, 10},
		{"not there", "@@ -4,3 +4,3 @@\n a\n-y\n+x\n c\n", 0, 0},
		{"context is wrong", "@@ -4,3 +4,3 @@\n y\n-b\n+x\n y\n", 0, 0},
		{"context is wrong, fuzz", "@@ -4,3 +4,3 @@\n y\n-b\n+x\n y\n", 1, 4},
		{"only at the start", "@@ -1,2 +1,2 @@\n-b\n+x\n c\n", 0, 0},
		{"at the start", "@@ -1,2 +1,2 @@\n-a\n+x\n b\n", 0, 1},
		{"at the end", "@@ -20,2 +20,2 @@\n b\n-c\n+x\n", 0, 29},
		{"nothing old", "@@ -3,0 +4 @@\n+x\n", 0, 4},
		{"new file that is there", "@@ -0,0 +1 @@\n+x\n", 0, 0},
		{"behind the end", "@@ -31,0 +32 @@\n+x\n", 0, 0},
	} {
		require.Equal(t, c.want, (&target{lines: split([]byte(file))}).locate(parse(c.patch), c.fuzz), c.name)
	}
}

func TestStripped(t *testing.T) {
	for _, c := range []struct {
		name  string
		strip int
		want  string
	}{
		{"a/b/c", -1, "c"}, {"a/b/c", 0, "a/b/c"}, {"a/b/c", 1, "b/c"}, {"a//b", 1, "b"}, {"a/b", 2, ""}, {"/etc/x", 0, ""}, {"/etc/x", 1, "etc/x"},
		{"../x", 0, ""}, {"a/../x", 0, ""}, {"a/..", 0, ""}, {"..x/y", 0, "..x/y"}, {"/dev/null", 0, ""}, {"", 0, ""}, {"..", -1, ""},
	} {
		p := &patcher{p: cmdkit.New("patch", nil, nil, -1, -1, -1), strip: c.strip}
		require.Equal(t, c.want, p.stripped(c.name), "%s -p%d", c.name, c.strip)
	}
}

func TestNames(t *testing.T) {
	a, b := gitNames([]byte("a/x y b/x y"))
	require.Equal(t, []string{"a/x y", "b/x y"}, []string{a, b})
	n, s := nameOf([]byte("a b\t2020-01-01"))
	require.Equal(t, []string{"a b", "\t2020-01-01"}, []string{n, s})
	n, _ = nameOf([]byte(`"a\tb\303\251"`))
	require.Equal(t, "a\tbé", n)
	require.True(t, epoch("\t1970-01-01 00:00:00.000000000 +0000"))
	require.False(t, epoch("\t2026-01-01 00:00:00.000000000 +0000"))
}
