// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package accel

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
)

func numbers(b []byte, n int) []int {
	l := []int{}
	for i := range n {
		l = append(l, int(int32(binary.LittleEndian.Uint32(b[4*i:]))))
	}
	return l
}

func encode(v ...int) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return b
}

func TestPositions(t *testing.T) {
	out := make([]byte, 4*100)
	n := Positions(out, []byte("a b\nc  d e f g h\n"), ' ', '\n', 10)
	require.Equal(t, []int{11, 13, 15, 16, 18, 20, 22, 24, 26}, numbers(out, n))
	n = Positions(out, []byte("a b\nc\n\n"), '\n', '\n', 0)
	require.Equal(t, []int{3, 5, 6}, numbers(out, n))
	require.Equal(t, 2, Positions(out[:11], []byte("xxxxxxxxxxxx"), 'x', 'y', 0))
	require.Zero(t, Positions(nil, []byte("xxx"), 'x', 'x', 0))
	require.Zero(t, Positions(out, nil, 'x', 'y', 0))

	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		b := make([]byte, rng.IntN(200))
		for i := range b {
			b[i] = "ab\x80\x00\xff\x7f"[rng.IntN(6)]
		}
		c1, c2 := "ab\x80\x00\xff\x7f\x81"[rng.IntN(7)], "ab\x80\x00\xff\x7f\x01"[rng.IntN(7)]
		want := []int{}
		room := rng.IntN(100)
		for i, c := range b {
			if (c == c1 || c == c2) && len(want) < room {
				want = append(want, i)
			}
		}
		n := Positions(out[:4*room], b, c1, c2, 0)
		require.Equal(t, want, numbers(out, n), "%q %q %q", b, c1, c2)
	}
}

func TestFinder(t *testing.T) {
	text := []byte("one fox two fox\nnothing\nfox\nlast fox fox")
	for _, tc := range []struct {
		mode   uint32
		needle string
		want   []int
	}{
		{abi.FindAll, "fox", []int{4, 12, 24, 33, 37}},
		{abi.FindOnce, "fox", []int{4, 24, 33}},
		{abi.FindLines, "fox", []int{0, 15, 24, 27, 28, 40}},
		{abi.FindLines, "x\nn", []int{0, 15}},
		{abi.FindAll, "", []int{}},
		{abi.FindAll, "absent", []int{}},
		{abi.FindAll, string(text) + "!", []int{}},
	} {
		for limit := 1; limit < 50; limit++ {
			for room := range 8 {
				out := make([]byte, 4*room)
				var got []int
				f := Finder{Text: text, Needle: []byte(tc.needle), Mode: tc.mode, EOL: '\n', Out: out}
				for f.Run(limit) {
				}
				got = numbers(out, f.N)
				each := 1
				if tc.mode == abi.FindLines {
					each = 2
				}
				require.Equal(t, tc.want[:min(len(tc.want), room/each*each)], got, "%q limit %d room %d", tc.needle, limit, room)
			}
		}
	}
}

func TestFold(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for range 5000 {
		b := make([]byte, rng.IntN(60))
		for i := range b {
			b[i] = "abAB[{`@kK \xe1\xc1"[rng.IntN(13)]
		}
		s := make([]byte, 1+rng.IntN(3))
		for i := range s {
			s[i] = "ab[{`@k \xe1"[rng.IntN(9)]
		}
		want := -1
		for i := 0; i+len(s) <= len(b) && want < 0; i++ {
			same := true
			for k, c := range s {
				x := b[i+k]
				if x >= 'A' && x <= 'Z' {
					x += 32
				}
				same = same && x == c
			}
			if same {
				want = i
			}
		}
		n := newNeedle(s, true)
		require.Equal(t, want, n.index(b), "%q in %q", s, b)
	}
}

func TestSplit(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 3000 {
		b := make([]byte, rng.IntN(100))
		for i := range b {
			b[i] = "ab  \n\xdf\x20"[rng.IntN(7)]
		}
		k := rng.IntN(5)
		room := rng.IntN(40)
		want := []int{}
		size := 0
		delim := byte(' ')
		if rng.IntN(10) == 0 {
			delim = '\n'
		}
		for i := 0; room-len(want) > k; {
			e := bytes.IndexByte(b[i:], '\n')
			if e < 0 {
				break
			}
			fields := 0
			for j := i; j < i+e && fields < k; j++ {
				if b[j] == delim {
					want = append(want, j+7)
					fields++
				}
			}
			for ; fields <= k; fields++ {
				want = append(want, i+e+7)
			}
			i += e + 1
			size = i
		}
		out := make([]byte, 4*room)
		n, got := Split(out, b, delim, '\n', k, 7)
		require.Equal(t, want, numbers(out, n), "%q k %d room %d", b, k, room)
		require.Equal(t, size, got)
	}
	n, size := Split(make([]byte, 100), []byte("a\n"), ' ', '\n', -1, 0)
	require.Zero(t, n+size)
}

func TestValidUTF8(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "plain text, long enough": 23, "é€": 5, "éx\xffabc": 3, "abcdefgh\xe2\x82": 8, "\xed\xa0\x80": 0, "\ufffdx": 4, "12345678é12345678\xc0\x80": 18,
	} {
		require.Equal(t, want, ValidUTF8([]byte(s)), "%q", s)
	}
}

func TestRuns(t *testing.T) {
	set := make([]byte, 256)
	for c := 'a'; c <= 'z'; c++ {
		set[c] = 1
	}
	n, in := Runs([]byte("two words, and a third"), set, false)
	require.Equal(t, 5, n)
	require.True(t, in)
	n, in = Runs([]byte("rd one "), set, true)
	require.Equal(t, 1, n)
	require.False(t, in)
	n, in = Runs(nil, set, true)
	require.Zero(t, n)
	require.True(t, in)
	n, _ = Runs([]byte("abc"), set[:255], true)
	require.Zero(t, n)
}

func TestTranslate(t *testing.T) {
	table := make([]byte, 512)
	set := func(c byte, v uint16) { binary.LittleEndian.PutUint16(table[2*int(c):], v) }
	for i := range 256 {
		set(byte(i), uint16(i))
	}
	b := []byte("hello, hello, world")
	for c := byte('a'); c <= 'z'; c++ {
		set(c, uint16(c-32))
	}
	n, prev := Translate(b, table, -1)
	require.Equal(t, "HELLO, HELLO, WORLD", string(b[:n]))
	require.Equal(t, int32('D'), prev)
	set('L', 'L'|abi.TranslateSqueeze)
	set(' ', ' '|abi.TranslateDrop)
	n, prev = Translate(b, table, 'H')
	require.Equal(t, "HELO,HELO,WORLD", string(b[:n]))
	require.Equal(t, int32('D'), prev)
	b = []byte("LL")
	n, _ = Translate(b, table, 'L')
	require.Zero(t, n)
	n, prev = Translate(nil, table, 7)
	require.Zero(t, n)
	require.Equal(t, int32(7), prev)
	n, _ = Translate([]byte("ab"), table[:511], 7)
	require.Equal(t, 2, n)
}

func TestGather(t *testing.T) {
	dst := make([]byte, 10)
	src, alt := []byte("hello"), []byte("WORLD")
	n, done, ok := Gather(dst, src, alt, encode(1, 2, 0|1<<31, 3, 4, 1, 0, 0), 100)
	require.True(t, ok)
	require.Equal(t, 4, done)
	require.Equal(t, "elWORo", string(dst[:n]))
	for _, bad := range [][]byte{encode(0, 6), encode(6, 0), encode(5, 1), encode(1<<31, 6), encode(-1, -1), encode(0, -1)} {
		_, _, ok = Gather(dst, src, alt, bad, 100)
		require.False(t, ok, "%x", bad)
	}
	n, done, ok = Gather(dst[:3], src, alt, encode(0, 2, 0, 2), 100)
	require.True(t, ok)
	require.Equal(t, []int{2, 1}, []int{n, done})
	_, done, _ = Gather(dst, src, alt, encode(0, 2, 0, 2), 1)
	require.Equal(t, 1, done)
}

type table struct{ a Automaton }

// newTable builds the automaton that searches for any of the words, by sets of
// positions. A match is known one symbol later.
func newTable(words []string) *table {
	const cols = 256
	t := &table{}
	index := map[string]int{}
	var rows [][]int
	type pos struct{ w, i int }
	var sets [][]pos
	var state func(set []pos, matched bool) int
	state = func(set []pos, matched bool) int {
		var key strings.Builder
		for _, p := range set {
			key.WriteByte(byte(p.w))
			key.WriteByte(byte(p.i))
		}
		if matched {
			key.WriteByte('!')
		}
		if s, ok := index[key.String()]; ok {
			return s
		}
		s := len(rows)
		index[key.String()] = s
		row := make([]int, cols)
		f := byte(0)
		if matched {
			f = byte(abi.DFAMatched)
		}
		t.a.Flags = append(t.a.Flags, f)
		rows = append(rows, row)
		sets = append(sets, set)
		return s
	}
	rows = append(rows, make([]int, cols))
	t.a.Flags = append(t.a.Flags, 0)
	sets = append(sets, nil)
	var begin []pos
	for w := range words {
		begin = append(begin, pos{w, 0})
	}
	start := state(begin, false)
	for s := 1; s < len(rows); s++ {
		for c := range 256 {
			var next []pos
			matched := false
			for _, p := range sets[s] {
				if p.i == len(words[p.w]) {
					matched = true
				} else if int(words[p.w][p.i]) == c {
					next = append(next, pos{p.w, p.i + 1})
				}
			}
			next = append(next, begin...)
			v := state(next, matched) * cols
			if matched {
				v = -v
			}
			rows[s][c] = v
		}
	}
	for _, r := range rows {
		t.a.Wide = append(t.a.Wide, encode(r...)...)
	}
	t.a.Classes = make([]byte, 256)
	for i := range 256 {
		t.a.Classes[i] = byte(i)
	}
	t.a.Trans = make([]byte, len(t.a.Wide))
	t.a.Multi, t.a.Columns = 256, cols
	t.a.Start = uint32(start * cols)
	return t
}

func TestAutomatonLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	words := []string{"abc", "ca", "bb"}
	re := regexp.MustCompile("abc|ca|bb")
	for run := range 3000 {
		b := make([]byte, rng.IntN(300))
		if run%50 == 0 {
			b = make([]byte, 5000) // long enough to skip
		}
		for i := range b {
			b[i] = "abcxxxxxxx\n"[rng.IntN(11)]
		}
		var want []int
		for i := 0; i < len(b); {
			e := len(b)
			if k := bytes.IndexByte(b[i:], '\n'); k >= 0 {
				e = i + k
			}
			if e < len(b) && re.Match(b[i:e]) { // the last needs a column for the end
				want = append(want, i, e)
			}
			i = e + 1
		}
		tab := newTable(words)
		a := tab.a
		a.Text, a.Mode, a.EOL = b, abi.DFALines, '\n'
		if run%2 == 0 {
			// With "b", which is in two of the words: the lines with "ca" only are not found.
			a.Needle = []byte("b")
			tab = newTable([]string{"abc", "bb"})
			a.Trans, a.Wide, a.Flags, a.Start = tab.a.Trans, tab.a.Wide, tab.a.Flags, tab.a.Start
			want = nil
			re := regexp.MustCompile("abc|bb")
			for i := 0; i < len(b); {
				e := len(b)
				if k := bytes.IndexByte(b[i:], '\n'); k >= 0 {
					e = i + k
				}
				if e < len(b) && re.Match(b[i:e]) {
					want = append(want, i, e)
				}
				i = e + 1
			}
		}
		room := 2 + 2*rng.IntN(40)
		limit := 1 + rng.IntN(100)
		got := []int(nil)
		for {
			out := make([]byte, 4*room)
			a.Out = out
			a.Begin()
			reason, more := a.Run(limit)
			for more {
				reason, more = a.Run(limit)
			}
			for _, v := range numbers(out, a.N) {
				if k := bytes.LastIndexByte(b, '\n'); len(got) > 0 && len(got)%2 == 0 && v > k {
					break // the last line
				}
				got = append(got, v)
			}
			if reason != abi.DFAFull {
				require.Equal(t, abi.DFAEnd, reason)
				break
			}
		}
		if n := len(got); n > 0 && got[n-1] == len(b) {
			got = got[:n-2]
		}
		if len(got) == 0 {
			got = nil
		}
		require.Equal(t, want, got, "%q", b)
	}
}

func TestAutomatonFirst(t *testing.T) {
	tab := newTable([]string{"abc"})
	a := tab.a
	a.Text = []byte("xx abxabc!")
	a.State = a.Start
	a.Begin()
	reason, more := a.Run(1 << 20)
	require.False(t, more)
	require.Equal(t, abi.DFAMatch, reason)
	require.Equal(t, 9, a.Pos)
	// What is not known is left to the caller.
	a = tab.a
	a.Text, a.State = []byte("xxab"), a.Start
	clear(a.Trans)
	clear(a.Wide[4*(int(a.Start)+'a'):][:4])
	a.Begin()
	reason, _ = a.Run(1 << 20)
	require.Equal(t, abi.DFAUnknown, reason)
	require.Equal(t, 2, a.Pos)
	require.Equal(t, a.Start, a.State)
}

func TestAutomatonMatches(t *testing.T) {
	// b(a|ba)*, longest, from state 256 on: 512 has seen b, 768 ba, 1024 bb.
	row := func(a, b, other int) []int { return []int{a, b, other} }
	dead := -256
	wide := [][]int{row(0, 0, 0), row(dead, dead, dead), row(dead, 3*256, dead), row(-4*256, -5*256, -6*256), row(-4*256, -5*256, -6*256), row(4*256, dead, dead), row(dead, dead, dead)}
	a := Automaton{Columns: 3, Multi: 9, Classes: make([]byte, 256), Flags: []byte{0, byte(abi.DFADead), 0, 0, byte(abi.DFAMatched), byte(abi.DFAMatched), byte(abi.DFAMatched | abi.DFADead)}}
	for i := range a.Classes {
		a.Classes[i] = 2
	}
	a.Classes['a'], a.Classes['b'] = 0, 1
	for _, r := range wide {
		a.Wide = append(a.Wide, encode(r...)...)
	}
	a.Trans = make([]byte, 256*4*len(wide))
	for _, tc := range []struct {
		mode uint32
		text string
		want []int
	}{
		{abi.DFAMatches, "xbaabax bb\nab\n", []int{1, 6, 8, 9, 9, 10, 12, 13}},
		{abi.DFAMatchesOnce, "xbaabax bb\nab\n", []int{1, 6, 12, 13}},
		{abi.DFAMatches, "xx\n", []int{}},
	} {
		for limit := 1; limit < 20; limit++ {
			m := a
			m.Text, m.Mode, m.EOL, m.Start, m.Inner, m.Out = []byte(tc.text), tc.mode, '\n', 512, 512, make([]byte, 80)
			m.Begin()
			reason, more := m.Run(limit)
			for more {
				reason, more = m.Run(limit)
			}
			require.Equal(t, abi.DFAEnd, reason)
			require.Equal(t, tc.want, numbers(m.Out, m.N), "%q", tc.text)
		}
	}
}

// FuzzAutomaton runs tables that are not automata at all.
func FuzzAutomaton(f *testing.F) {
	f.Add([]byte("abc"), []byte("text text"), []byte("e"), uint32(2), uint32(3), uint32(1), uint32(0), uint32(0))
	f.Add(encode(1, 2, -3, 4, 0), []byte("\xe2\x82\xac\xff\xe2"), []byte(""), uint32(0), uint32(4), uint32(1), uint32(1), uint32(1))
	f.Fuzz(func(t *testing.T, trans, text, needle []byte, multi, columns, start, state, mode uint32) {
		a := Automaton{Trans: trans, Classes: make([]byte, 256), Text: text, Needle: needle, Multi: multi, Columns: columns, Wide: trans, Flags: text,
			Start: start, State: state, Mode: mode % 6, Inner: columns, EOL: 't', Out: make([]byte, 32)}
		for i := range a.Classes {
			a.Classes[i] = byte(i) % 5
		}
		a.Low, a.Class = trans, text
		a.Begin()
		for i := 0; ; i++ {
			if _, more := a.Run(3); !more {
				break
			}
			if i > len(text)+1 {
				t.Fatal("no progress")
			}
		}
		// Over itself.
		a.Out, a.Trans, a.Pos = text, text, 0
		a.Begin()
		a.Run(1 << 20)
	})
}

func BenchmarkPositions(b *testing.B) {
	text := []byte(strings.Repeat("some words of a line that is long\n", 2000))
	out := make([]byte, 4*len(text))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Positions(out, text, ' ', '\n', 0)
	}
}

func BenchmarkAutomaton(b *testing.B) {
	text := []byte(strings.Repeat("some words of a line that is long\n", 2000))
	for _, bc := range []struct{ name, word string }{{"rare", "zzz"}, {"frequent", "some x"}} {
		b.Run(bc.name, func(b *testing.B) {
			tab := newTable([]string{bc.word})
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				a := tab.a
				a.Text, a.State = text, a.Start
				a.Begin()
				a.Run(1 << 30)
			}
		})
	}
}
