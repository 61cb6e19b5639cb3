// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package posixre

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// The errors are those of GNU sed 4.9 (flags 0 and Extended), of grep 3.8
// (Lenient) and of bash 5.2 (ParenLiteral).
var errorCases = []struct {
	pattern string
	flags   Flags
	err     error
}{
	{`\(a`, 0, ErrParen},
	{`a\)`, 0, ErrRightParen},
	{`(a`, Extended, ErrParen},
	{`a)`, Extended, ErrRightParen},
	{`a)`, Extended | ParenLiteral, nil},
	{`(a))`, Extended, ErrRightParen},
	{`[a`, 0, ErrBracket},
	{`[]`, 0, ErrBracket},
	{`[[:alpha:`, 0, ErrBracket},
	{`[[:foo:]]`, 0, ErrClass},
	{`[[.ab.]]`, 0, ErrCollate},
	{`[b-a]`, 0, ErrRange},
	{`[a-c-e]`, 0, ErrRange},
	{`[[:digit:]-z]`, 0, ErrRange},
	{`[:space:]`, Lenient, ErrClassBracket},
	{`[:space:]`, 0, nil},
	{`a\`, 0, ErrEscape},
	{`\(a\)\2`, 0, ErrBackref},
	{`\(a\1\)`, 0, ErrBackref},
	{`(a)|b\1`, Extended, ErrBackref},
	{`a\{1`, 0, ErrBrace},
	{`a\{1a\}`, 0, ErrInterval},
	{`a\{2,1\}`, 0, ErrInterval},
	{`a\{32768\}`, 0, ErrTooBig},
	{`a\{32767\}`, 0, nil},
	{`a{1`, Extended, ErrBrace},
	{`a{1`, Extended | Lenient, nil},
	{`a{}`, Extended | Lenient, ErrInterval},
	{`*a`, 0, nil},
	{`*a`, Extended, ErrOperand},
	{`a|*b`, Extended, ErrOperand},
	{`a|*b`, Extended | Lenient, nil},
	{`^*`, Extended, ErrOperand},
	{`^*`, 0, nil},
	{`\{1\}a`, 0, ErrOperand},
	{`((a{1,255}){1,255}){1,255}`, Extended, ErrTooBig},
	{`(((((a{1,99}){1,99}){1,99}){1,99}){1,99}){1,99}`, Extended, ErrTooBig},
	{strings.Repeat("(", 5000), Extended, ErrTooBig},
	{strings.Repeat("(", 1000) + strings.Repeat(")", 1000), Extended, nil},
}

func TestCompileErrors(t *testing.T) {
	for _, c := range errorCases {
		_, err := Compile(c.pattern, c.flags)
		if c.err == nil {
			require.NoError(t, err, "%.40q", c.pattern)
			continue
		}
		require.Equal(t, c.err, err, "%.40q", c.pattern)
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		pattern string
		flags   Flags
		text    string
		pos     int
		exec    ExecFlags
		want    string
	}{
		{`a*`, 0, "baac", 0, 0, "0,0"},
		{`aa*`, 0, "baac", 0, 0, "1,3"},
		{`^a`, 0, "aa", 1, 0, ""},
		{`^a`, 0, "aa", 0, NotBOL, ""},
		{`a$`, 0, "a", 0, NotEOL, ""},
		{"\\`a", 0, "a", 0, NotBOL, "0,1"},
		{`^b`, Newline, "a\nb", 0, 0, "2,3"},
		{`^b`, 0, "a\nb", 0, 0, ""},
		{`a.b`, Newline, "a\nb", 0, 0, ""},
		{`a.b`, 0, "a\nb", 0, 0, "0,3"},
		{`a[^x]b`, NotNewline, "a\nb", 0, 0, ""},
		{`\(a*\)\(b\)\?`, 0, "aac", 0, 0, "0,2 0,2 -"},
		{`(a|ab)(c|bcd)(d*)`, Extended, "abcd", 0, 0, "0,4 0,1 1,4 4,4"},
		{`((a)|(b))*`, Extended, "ab", 0, 0, "0,2 1,2 0,1 1,2"},
		{`(foo|foobar)(bar)?`, Extended, "foobar", 0, 0, "0,6 0,3 3,6"},
		{`.`, 0, "é", 0, 0, "0,2"},
		{`.`, Bytes, "é", 0, 0, "0,1"},
		{`.`, 0, "\xffa", 0, 0, "1,2"},
		{"\xff", 0, "a\xff", 0, 0, "1,2"},
		{`é`, ICase, "É", 0, 0, "0,2"},
		{`[^a]`, ICase, "Aab", 0, 0, "2,3"},
		{`[[:upper:]]`, ICase, "a", 0, 0, "0,1"},
		{`k`, ICase, "\u212a", 0, 0, "0,3"},
		{`\(.\)\1`, ICase, "xaA", 0, 0, "1,3 1,2"},
		{`\<b`, 0, "ab b", 0, 0, "3,4"},
		{`o\>`, 0, "oo o", 0, 0, "1,2"},
		{`foo`, WholeWord, "afoo foo", 0, 0, "5,8"},
		{`foo`, WholeLine, "foo ", 0, 0, ""},
		{`a.c`, Fixed, "abca.c", 0, 0, "3,6"},
		{`a+`, Extended | NoGNU, "caa", 0, 0, "1,3"},
		{`a\+`, NoGNU, "aa+", 0, 0, "1,3"},
		{`[\]]`, ListEscapes | Extended, "a]", 0, 0, "1,2"},
		{`\1`, NoBackrefs, "a1", 0, 0, "1,2"},
	} {
		re, err := Compile(c.pattern, c.flags)
		require.NoError(t, err, c.pattern)
		loc := make([]int, 2*re.NumSubexp()+2)
		for range 2 { // built, and from the cache
			ok, err := re.Find([]byte(c.text), c.pos, c.exec, loc)
			require.NoError(t, err)
			got := ""
			for i := 0; ok && i < len(loc); i += 2 {
				s := "-"
				if loc[i] >= 0 {
					s = strconv.Itoa(loc[i]) + "," + strconv.Itoa(loc[i+1])
				}
				got += " " + s
			}
			require.Equal(t, c.want, strings.TrimPrefix(got, " "), "%q in %q", c.pattern, c.text)
		}
	}
}

func TestFindLine(t *testing.T) {
	text := []byte("one\ntwo\n\nthree\nfour")
	for _, c := range []struct {
		patterns []string
		flags    Flags
		want     []string
	}{
		{[]string{"o"}, 0, []string{"one", "two", "four"}},
		{[]string{"^t"}, 0, []string{"two", "three"}},
		{[]string{"r$"}, 0, []string{"four"}},
		{[]string{"e$"}, 0, []string{"one", "three"}},
		{[]string{"^$"}, 0, []string{""}},
		{[]string{""}, 0, []string{"one", "two", "", "three", "four"}},
		{[]string{"o.*t"}, 0, nil},
		{[]string{"[^x]two"}, 0, nil},
		{[]string{"two", "four", "six", "three", "seven"}, Fixed, []string{"two", "three", "four"}},
		{[]string{"two", "fou"}, WholeLine, []string{"two"}},
		{[]string{`\(.\)\1`, `^\(t\)w`}, 0, []string{"two", "three"}},
		{[]string{"TWO"}, ICase, []string{"two"}},
		{nil, 0, nil},
	} {
		re, err := CompileSet(c.patterns, c.flags|Lines)
		require.NoError(t, err)
		var got []string
		for pos := 0; ; {
			s, e, err := re.FindLine(text, pos)
			require.NoError(t, err)
			if s < 0 {
				break
			}
			got = append(got, string(text[s:e]))
			pos = e + 1
		}
		require.Equal(t, c.want, got, "%q", c.patterns)
		n, err := re.CountLines(text)
		require.NoError(t, err)
		require.Equal(t, len(c.want), n, "%q", c.patterns)
	}
}

// TestLinear holds the number of states, and with it the time, to the length of
// the text for patterns on which backtracking takes exponential time.
func TestLinear(t *testing.T) {
	text := bytes.Repeat([]byte("a"), 200_000)
	for _, pattern := range []string{"(a*)*b", "(a|a)*b", "(a|aa)+$b", "((a*)*)*b", "(a?){50}a{50}b"} {
		re, err := Compile(pattern, Extended)
		require.NoError(t, err)
		require.False(t, re.Match(text), pattern)
		loc := make([]int, 2*re.NumSubexp()+2)
		ok, err := re.Find(append(text, 'b'), 0, 0, loc)
		require.NoError(t, err)
		require.Equal(t, !strings.Contains(pattern, "$"), ok)
	}
}

func TestTooComplex(t *testing.T) {
	re, err := Compile(`^(.*)(.*)(.*)(.*)(.*)x\5\4\3\2\1y`, Extended)
	require.NoError(t, err)
	_, err = re.Find([]byte(strings.Repeat("a", 300)+"x"+strings.Repeat("a", 300)+"zy"), 0, 0, nil)
	require.Equal(t, ErrTooComplex, err)
}

// TestCacheLimit runs an automaton whose states do not fit into the cache.
func TestCacheLimit(t *testing.T) {
	re, err := Compile("(a|b)*a(a|b){13}c", Extended)
	require.NoError(t, err)
	var text []byte
	x := uint32(1)
	for range 300_000 {
		x = x*1664525 + 1013904223
		text = append(text, 'a'+byte(x>>30&1))
	}
	require.False(t, re.Match(text))
	require.Positive(t, re.test.resets)
	text = append(text, "abbbbbbbbbbbbbc"...)
	require.True(t, re.Match(text))
}

func FuzzCompile(f *testing.F) {
	for _, c := range errorCases {
		f.Add(c.pattern, "abc", uint32(c.flags))
	}
	f.Add(`\(a*\)*\1`, "aaaa", uint32(0))
	f.Add("[[=a=][.-.]-z]", "\xff\xc3\xa9é", uint32(Extended|ICase))
	f.Fuzz(func(t *testing.T, pattern, text string, flags uint32) {
		if len(pattern) > 200 || len(text) > 200 {
			return
		}
		fl := Flags(flags) & (1<<15 - 1)
		re, err := Compile(pattern, fl)
		if err != nil {
			return
		}
		loc := make([]int, 2*re.NumSubexp()+2)
		ok, err := re.Find([]byte(text), 0, 0, loc)
		if err != nil {
			return
		}
		if ok != re.Match([]byte(text)) {
			t.Fatalf("%q %#x in %q: Find %v", pattern, fl, text, ok)
		}
		if !ok {
			return
		}
		for i := 0; i < len(loc); i += 2 {
			if s, e := loc[i], loc[i+1]; s > e || s < -1 || e > len(text) || (s < 0) != (e < 0) {
				t.Fatalf("%q %#x in %q: %v", pattern, fl, text, loc)
			}
		}
		// The same bounds must come from a search that begins there.
		if utf8.ValidString(text) {
			at := []int{0, 0}
			if ok, err := re.FindAt([]byte(text), loc[0], 0, at); err == nil && (!ok || at[1] != loc[1]) {
				t.Fatalf("%q %#x in %q: %v, FindAt %v", pattern, fl, text, loc[:2], at)
			}
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	text := bytes.Repeat([]byte("the quick brown fox jumps over the lazy dog\n"), 1000)
	for _, pattern := range []string{"zebra", "[a-z]*x[a-z]*q", "(fox|dog)s", "^lazy"} {
		b.Run(pattern, func(b *testing.B) {
			re, err := Compile(pattern, Extended|Lines)
			require.NoError(b, err)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if s, _, _ := re.FindLine(text, 0); s >= 0 {
					b.Fatal("matched")
				}
			}
		})
	}
}

func BenchmarkCaptures(b *testing.B) {
	re, err := Compile(`([a-z]+) ([a-z]+).*dog`, Extended)
	require.NoError(b, err)
	text := []byte("the quick brown fox jumps over the lazy dog")
	loc := make([]int, 6)
	for b.Loop() {
		if ok, _ := re.Find(text, 0, 0, loc); !ok {
			b.Fatal("no match")
		}
	}
}
