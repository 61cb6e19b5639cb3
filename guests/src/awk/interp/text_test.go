// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASCII(t *testing.T) {
	for n := range 40 {
		s := strings.Repeat("a", n)
		require.True(t, ascii(s))
		for i := range n {
			require.False(t, ascii(s[:i]+"\x80"+s[i+1:]), "%d of %d", i, n)
		}
	}
}

func TestHash(t *testing.T) {
	seen := map[uint32]string{}
	clashes := 0
	for i := range 20000 {
		s := strconv.Itoa(i)
		// What is behind a string does not count.
		require.Equal(t, hashOf(s), hashOf((s + "xyzxyzxyz")[:len(s)]))
		h := hashOf(s)
		if _, ok := seen[h]; ok {
			clashes++
		}
		seen[h] = s
	}
	require.Less(t, clashes, 10)
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		s     string
		n     float64
		whole bool
	}{
		{"", 0, false}, {" ", 0, false}, {"12", 12, true}, {" -12 ", -12, true}, {"+.5", 0.5, true}, {"5.", 5, true}, {".", 0, false},
		{"1e3", 1000, true}, {"1e", 1, false}, {"1e+", 1, false}, {"1E-2x", 0.01, false}, {"0x10", 0, false}, {"- 1", 0, false},
		{"inf", 0, false}, {"+inf", math.Inf(1), true}, {"-INF", math.Inf(-1), true}, {"+info", 0, false}, {"nan", 0, false},
		{"123456789012345678901234567890", 123456789012345678901234567890, true}, {"0.1", 0.1, true}, {"1e400", math.Inf(1), true},
		{"1e-400", 0, true}, {"9007199254740993", 9007199254740992, true}, {"3.141592653589793238462643", math.Pi, true},
		{"0000000000000000000000000012", 12, true}, {"0.00000000000000000000000012", 12e-26, true}, {"1\x00", 1, false},
	} {
		require.Equal(t, c.n, toNum(c.s), "%q", c.s)
		n, ok := looksNumeric(c.s)
		require.Equal(t, c.whole, ok, "%q", c.s)
		if ok {
			require.Equal(t, c.n, n, "%q", c.s)
		}
	}
	_, ok := looksNumeric("+nan")
	require.True(t, ok)
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{"12", "-1.5e10", ".5", "1e-300", "123456789012345678", "99999999999999999999e-5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, end := number(s)
		if end == 0 {
			return
		}
		want, _ := strconv.ParseFloat(strings.TrimLeft(s[:end], " \t\n\v\f\r"), 64)
		if n != want && (n == n || want == want) {
			t.Fatalf("%q: %v, not %v", s[:end], n, want)
		}
	})
}

func TestTranslate(t *testing.T) {
	for in, want := range map[string]string{
		`a+`: `a+`, `+a`: `\+a`, `(*a)`: `(\*a)`, `a|?`: `a|\?`, `\.x`: `\.x`, `\n\t`: "\n\t", `\/`: `/`, `\052`: `\*`, `\x2b`: `\+`, `\y`: `\b`, `\B`: `\B`,
		`a{2}`: `a{2}`, `a{x`: `a\{x`, `{`: `\{`, `[\]a]`: `[\]a]`, `[]a]`: `[]a]`, `[^]a]`: `[^]a]`, `[a\-z]`: `[a\-z]`, `[[:alpha:]\n]`: "[[:alpha:]\n]",
		`[\\]`: `[\\]`, `a\`: `a\\`, `^*`: `^*`, `\"`: `"`,
	} {
		require.Equal(t, want, translate(in, true), in)
	}
}
