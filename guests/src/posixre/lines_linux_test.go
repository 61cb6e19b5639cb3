// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package posixre

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// TestFindLinesHost compares what the host finds with FindLine.
func TestFindLinesHost(t *testing.T) {
	defer func(n int) { wsys.Worth = n }(wsys.Worth)
	rng := rand.New(rand.NewPCG(5, 5))
	patterns := []string{
		"fox", "fox.*ant", "a", "", "^", "$", "^$", "^a", "b$", "x*", "[ab]+c", "(ab|ba)+$", "^(a|b)*$", `\<a`, `b\>`,
		`\bfox\b`, "a.b", "[^a]b", "é", "[é-ö]", "a.é", ".*é.*ö", "é$", `\w\W`, "aaa", "f(o|ox)", "q", "[[:alpha:]]é", "FOX", "[Ff]ox", "Kat", "f.o", "Éa", "aS", "fox (ant|x)", "a{2,3}", "b{3}", "a.*b", "(a.*b)?", "(fox|ant).*(x|c)", "  *",
	}
	words := []string{"fox", "ant", "a", "b", "c", "ab", "é", "ö", "\xff", "\xc3", "Fox", "FOX", "Kat", "kAt", "É", "ſ", "aS", " ", "x", "\n", "\n", "\n\n", "€", "f", "o"}
	for i := range 80 {
		var text strings.Builder
		for range rng.IntN(120) {
			text.WriteString(words[rng.IntN(len(words))])
		}
		if i%40 == 0 {
			text.WriteString(strings.Repeat("some longer line without much\n", 200) + "a fox and ants")
		}
		b := []byte(text.String())
		for _, p := range patterns {
			for _, flags := range []Flags{Extended | Lines, Extended | Lines | ICase, Extended | Lines | Bytes, Extended | Lines | WholeWord} {
				re, err := Compile(p, flags)
				require.NoError(t, err)
				wsys.Worth = 1 << 40
				var want []uint32
				for pos := 0; pos < len(b); {
					s, e, err := re.FindLine(b, pos)
					require.NoError(t, err)
					if s < 0 {
						break
					}
					want = append(want, uint32(s), uint32(e))
					pos = e + 1
				}
				wsys.Worth = 0
				var got []uint32
				out := make([]uint32, 2+2*rng.IntN(20))
				for pos := 0; pos < len(b); {
					n, next, err := re.FindLines(b, pos, out)
					require.NoError(t, err)
					require.Greater(t, next, pos)
					got = append(got, out[:n]...)
					pos = next
				}
				require.Equal(t, want, got, "%q %x %q", p, flags, b)
				for _, once := range []bool{false, true} {
					all := func(worth int) (l []uint32) {
						wsys.Worth = worth
						for pos := 0; pos < len(b); {
							n, next, err := re.FindAll(b, pos, once, out)
							require.NoError(t, err)
							require.Greater(t, next, pos)
							l = append(l, out[:n]...)
							pos = next
						}
						return l
					}
					require.Equal(t, all(1<<40), all(0), "%q %x once %v %q", p, flags, once, b)
				}
			}
		}
	}
}

// TestFindLinesReset makes the automaton forget its states again and again.
func TestFindLinesReset(t *testing.T) {
	re, err := Compile("(a|b|c)*(a|b)(a|b|c){16}x", Extended|Lines)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(6, 6))
	b := make([]byte, 300000)
	for i := range b {
		b[i] = "abc"[rng.IntN(3)]
		if rng.IntN(40) == 0 {
			b[i] = "\nx"[rng.IntN(2)]
		}
	}
	var want, got []uint32
	for pos := 0; ; {
		s, e, err := re.FindLine(b, pos)
		require.NoError(t, err)
		if s < 0 {
			break
		}
		want = append(want, uint32(s), uint32(e))
		pos = e + 1
	}
	out := make([]uint32, 64)
	for pos := 0; pos < len(b); {
		n, next, err := re.FindLines(b, pos, out)
		require.NoError(t, err)
		got = append(got, out[:n]...)
		pos = next
	}
	require.Equal(t, want, got)
	require.Greater(t, re.host.lines.resets, 2)

	matches := func(worth int) (l []uint32) {
		defer func(n int) { wsys.Worth = n }(wsys.Worth)
		wsys.Worth = worth
		for pos := 0; pos < len(b); {
			n, next, err := re.FindAll(b, pos, false, out)
			require.NoError(t, err)
			l = append(l, out[:n]...)
			pos = next
		}
		return l
	}
	require.Equal(t, matches(1<<40), matches(0))
}
