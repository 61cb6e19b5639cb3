// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fnmatch

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		flags         Flags
		want          bool
	}{
		{"", "", 0, true},
		{"", "a", 0, false},
		{"*", "", 0, true},
		{"*", "a/b", 0, true},
		{"*", "a/b", Pathname, false},
		{"*/b", "a/b", Pathname, true},
		{"a*", "ab/c", Pathname, false},
		{"a*", "ab/c", Pathname | LeadingDir, true},
		{"a", "a/c", LeadingDir, true},
		{"a", "ab/c", LeadingDir, false},
		{"*.go", "x.go", 0, true},
		{"*.go", ".go", Period, false},
		{".*", ".go", Period, true},
		{"?x", ".x", Period, false},
		{"[.]x", ".x", Period, false},
		{"[.]x", ".x", 0, true},
		{"a/*", "a/.x", Period, true},
		{"a/*", "a/.x", Period | Pathname, false},
		{"*a*b*c*", "xxaxxbxxcxx", 0, true},
		{"*a*b*c", "abcabcab", 0, false},
		{"?", "é", 0, true},
		{"?", "\xff", 0, true},
		{"??", "é", 0, false},
		{"[a-c]", "b", 0, true},
		{"[!a-c]", "b", 0, false},
		{"[^a-c]", "d", 0, true},
		{"[]a]", "]", 0, true},
		{"[!]a]", "b", 0, true},
		{"[a", "[a", 0, true},
		{"[a", "a", 0, false},
		{"[[:digit:][:upper:]]", "Q", 0, true},
		{"[[:digit:]]", "q", 0, false},
		{"[[.-.]]", "-", 0, true},
		{"[[=a=]b]", "a", 0, true},
		{"[a-]", "-", 0, true},
		{"[\\]]", "]", 0, true},
		{"[\\]]", "\\]", NoEscape, true},
		{"\\*", "*", 0, true},
		{"\\*", "x", 0, false},
		{"\\*", "\\x", NoEscape, true},
		{"a\\", "a\\", 0, false},
		{"ABC", "abc", Casefold, true},
		{"[A-C]", "b", Casefold, true},
		{"É", "é", Casefold, true},
		{"[à-ü]", "é", 0, true},
		{"[/]", "/", Pathname, false},
		{"?", "/", Pathname, false},
		{"/", "/", Pathname, true},
	} {
		require.Equal(t, c.want, Match(c.pattern, c.name, c.flags), "Match(%q, %q, %d)", c.pattern, c.name, c.flags)
	}
}

// A pattern of many stars must not take exponential time.
func TestMatchStars(t *testing.T) {
	require.False(t, Match(strings.Repeat("a*", 200)+"b", strings.Repeat("a", 5000), 0))
}

func FuzzMatch(f *testing.F) {
	for _, s := range [][2]string{{"*.go", "a.go"}, {"[!a-z]?\\*", "1x*"}, {"[[:alpha:]-]*b", "-ab"}, {"[]", "[]"}, {"[[.a.]", "[a"}} {
		f.Add(s[0], s[1])
	}
	find, err := exec.LookPath("bash")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		got := Match(pattern, name, 0)
		for fl := Flags(0); fl < 32; fl++ {
			Match(pattern, name, fl)
		}
		if err != nil || len(name) > 50 || len(pattern) > 50 || !plain(pattern) || !plain(name) {
			return
		}
		cmd := exec.Command(find, "-c", `case $2 in $1) exit 0;; esac; exit 1`, "sh", pattern, name)
		cmd.Env = []string{"LC_ALL=C"}
		want := cmd.Run() == nil
		require.Equal(t, want, got, "Match(%q, %q)", pattern, name)
	})
}

// plain keeps the comparison to what programs agree on: ASCII letters and the
// special characters without unclosed brackets.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if !(s[i] >= 'a' && s[i] <= 'z' || strings.IndexByte("*?.", s[i]) >= 0) {
			return false
		}
	}
	return true
}
