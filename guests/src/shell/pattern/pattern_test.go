// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"strings"
	"testing"
	"time"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pat, s string
		want   bool
	}{
		{"", "", true}, {"", "a", false}, {"a", "a", true}, {"*", "", true}, {"*", "abc", true},
		{"a*c", "abbc", true}, {"a*c", "abb", false}, {"?", "é", true}, {"??", "é", false},
		{"[a-c]x", "bx", true}, {"[!a-c]x", "bx", false}, {"[^a]", "b", true}, {"[]a]", "]", true},
		{"[a\\]b]", "]", true}, {"[[:digit:]]*", "1a", true}, {"[[:alpha:][:digit:]]", "-", false},
		{"[a", "[a", true}, {"\\*", "*", true}, {"\\*", "a", false}, {"a\\", "a\\", true},
		{"*a*b*", "xxaxxbxx", true}, {"*a*b", "xxaxxbx", false}, {"[a-]", "-", true}, {"[--0]", ".", true},
		{"@(a|b)", "b", true}, {"@(a|b)", "c", false}, {"+(ab)", "ababab", true}, {"+(ab)", "", false},
		{"*(a|b)c", "abac", true}, {"?(a)b", "b", true}, {"!(a|b)", "c", true}, {"!(a|b)", "a", false},
		{"!(*.o)", "x.c", true}, {"!(*.o)", "x.o", false}, {"a!(b)c", "axc", true}, {"a!(b)c", "abc", false},
		{"*(a|@(b|c)d)", "abdcd", true}, {"@(a", "@(a", true}, {"[[.a.]]", "a", true}, {"[[=b=]]", "b", true},
		{"[é-ü]", "ö", true}, {"[[:upper:]]", "Ä", true}, {"+([0-9])", "123", true}, {"+([0-9])", "12a", false},
	} {
		if got := Match(c.pat, c.s, ExtGlob); got != c.want {
			t.Errorf("Match(%q, %q) = %v, want %v", c.pat, c.s, got, c.want)
		}
	}
	if !Match("aBc*", "AbCd", NoCase) || !Match("[a-c]", "B", NoCase) {
		t.Error("NoCase")
	}
}

func TestParts(t *testing.T) {
	for _, c := range []struct {
		pat, s                 string
		sp, lp, ss, ls, fs, fe int // shortest, longest prefix; suffix starts; find; -1: none
	}{
		{"*/", "/a/b/c", 1, 5, -1, -1, 0, 5},
		{".*", "a.b.c", -1, -1, 3, 1, 1, 5},
		{"*b", "abab", 2, 4, 3, 0, 0, 4},
		{"a?", "abab", 2, 2, 2, 2, 0, 2},
		{"[0-9]", "1a2", 1, 1, 2, 2, 0, 1},
		{"b", "abc", -1, -1, -1, -1, 1, 2},
		{"*", "ab", 0, 2, 2, 0, 0, 2},
		{"+(a)", "aab", 1, 2, -1, -1, 0, 2},
		{"a*b*", "axbxb", 3, 5, 0, 0, 0, 5},
	} {
		p := Compile(c.pat, ExtGlob)
		get := func(n int, ok bool) int {
			if !ok {
				return -1
			}
			return n
		}
		got := [6]int{get(p.Prefix(c.s, false)), get(p.Prefix(c.s, true)), get(p.Suffix(c.s, false)), get(p.Suffix(c.s, true))}
		s, e, ok := p.Find(c.s, 0)
		got[4], got[5] = get(s, ok), get(e, ok)
		if want := [6]int{c.sp, c.lp, c.ss, c.ls, c.fs, c.fe}; got != want {
			t.Errorf("%q in %q = %v, want %v", c.pat, c.s, got, want)
		}
	}
}

// A hostile pattern must end in polynomial time.
func TestMatchBomb(t *testing.T) {
	done := make(chan bool)
	go func() {
		s := strings.Repeat("a", 300)
		Match(strings.Repeat("*(a|aa)", 20)+"b", s, ExtGlob)
		Match(strings.Repeat("*a", 100)+"b", s, 0)
		Match("!(!(!(*a*a*a*b)))b", s, ExtGlob)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("the matcher hangs")
	}
}

func FuzzPattern(f *testing.F) {
	for _, s := range []string{"a*b", "[a-z]", "!(a|b*)", "[[:alpha:]]", "\\", "[", "+(a", "?(*)", "[!]a]"} {
		f.Add(s, "abc")
	}
	f.Fuzz(func(t *testing.T, pat, s string) {
		if len(pat) > 40 || len(s) > 40 {
			return
		}
		p := Compile(pat, ExtGlob)
		m := p.Match(s)
		n, ok := p.Prefix(s, true)
		if m && (!ok || n != len(s)) {
			t.Fatalf("%q matches all of %q, but its longest prefix is %d, %v", pat, s, n, ok)
		}
		if ok && !p.Match(s[:n]) {
			t.Fatalf("%q: prefix %q does not match", pat, s[:n])
		}
		if !Match(Escape(s), s, ExtGlob) {
			t.Fatalf("Escape(%q) does not match it", s)
		}
		HasMeta(pat, ExtGlob)
	})
}
