// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

var fuzzSeeds = []string{
	"hi\r\n", "50%\r60%\r\x1b[Kdone\r\n", "\x1b[2;7r\x1b[5ST2L\x1b[4M", "0\x1b8@\x1b[3P", "\x1b[?1049hx\x1b[6n\x1b[?1049l",
	"日本語\x1b[D\x1b[1P\x1b[2@", "e\u0301\u0301\u200d\u202e", "\x1bP$q\"p\x1b\\\x1b]0;t\a\x1b]4;1;?\a", "\x1b[99999999999b\x1b[2147483647S",
	"a\tb\r\x1b[3Cx\x1b[3g\t\t", "\xff\xe2\x82\x1b[", "\u009b6n\u009d0;x\u009c", "\x1b#8\x1b[2J\x1b[1J\x1bc", "\x1b[4h\x1b[?7l\x1b[?6hxyz",
	"\x1b[2;3r\x1b[3H\x1bM\x1bD\x1bE\x1b[L\x1b[M\x1b[T\x1b[S", "\x1b(0lqk\x0ex\x0f", "\x1b[38;2;1;2;3;48:5:7;58:2::1:2:3m\x1b[44m\x1b[K\x1b[X", "a\x1b[s\x1b[5Cb\x1b[uc\x1b7\x1b8",
}

// state is everything that a Terminal tells.
type state struct {
	text     Text
	replies  string
	snapshot Snapshot
	modes    Modes
}

func observe(t *Terminal) state {
	return state{t.Poll(), string(t.Replies()), t.Snapshot(true), t.Modes()}
}

// FuzzTerminal checks that no bytes panic, that the results do not depend on
// how they are cut, and that what is shown is clean and bounded.
func FuzzTerminal(f *testing.F) {
	recordings, err := filepath.Glob("testdata/*.raw")
	require.NoError(f, err)
	for _, name := range recordings {
		b, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(b[:min(len(b), 1<<12)], uint64(7), uint8(80), uint8(24))
	}
	for i, s := range fuzzSeeds {
		f.Add([]byte(s), uint64(i), uint8(5+i), uint8(3+i%4))
	}
	f.Fuzz(func(t *testing.T, b []byte, seed uint64, cols, rows uint8) {
		if len(b) > 1<<12 {
			return
		}
		o := Options{Rows: int(rows % 8), Cols: int(cols % 32), MaxText: 2048}
		whole, cut := New(o), New(o)
		rnd := rand.New(rand.NewPCG(seed, 1))
		half := 0
		if len(b) > 0 {
			half = rnd.IntN(len(b) + 1)
		}
		for _, part := range [][]byte{b[:half], b[half:]} {
			_, _ = whole.Write(part)
			for len(part) > 0 {
				n := 1 + rnd.IntN(min(len(part), 7))
				_, _ = cut.Write(part[:n])
				part = part[n:]
			}
			a, c := observe(whole), observe(cut)
			require.Equal(t, a, c)
			checkText(t, a.text.String())
			if len(a.replies) > maxReplies || len(a.text.Head)+len(a.text.Tail) > o.MaxText {
				t.Fatalf("%d bytes of replies, %d of text", len(a.replies), len(a.text.Head)+len(a.text.Tail))
			}
			for _, l := range a.snapshot.Lines {
				checkText(t, l)
				if strings.ContainsAny(l, "\n\t") {
					t.Fatalf("line of the screen %q", l)
				}
			}
			if s := a.snapshot; s.Row < 0 || s.Row >= s.Rows || s.Col < 0 || s.Col >= s.Cols {
				t.Fatalf("cursor at %d, %d of %d, %d", s.Row, s.Col, s.Rows, s.Cols)
			}
			checkGrid(t, whole)
			x, y := 1+rnd.IntN(30), 1+rnd.IntN(8)
			whole.Resize(y, x)
			cut.Resize(y, x)
			checkGrid(t, whole)
		}
		if again := whole.Poll(); again.String() != "" && !strings.HasPrefix(again.String(), "[full screen") {
			// A resize may change what the screen shows, but gives no line twice.
			checkText(t, again.String())
		}
	})
}

func checkText(t *testing.T, s string) {
	if !utf8.ValidString(s) || Visible(s, ControlsEscape) != strings.ToValidUTF8(s, "") {
		t.Fatalf("text is not clean: %q", s)
	}
}

// checkGrid checks what the code takes for granted about rows.
func checkGrid(t *testing.T, term *Terminal) {
	for _, g := range []grid{term.primary, term.alternate} {
		if g.rows != nil {
			require.Len(t, g.rows, term.rows)
		}
		seen := map[*row]bool{}
		for _, r := range g.rows {
			require.False(t, seen[r])
			seen[r] = true
			require.Len(t, r.cells, term.cols)
			for x, c := range r.cells {
				if x >= r.used {
					require.Zero(t, c)
				}
				switch c.r {
				case wideTail:
					require.Positive(t, x)
					require.Positive(t, r.cells[x-1].r)
				case tabTail:
					require.Positive(t, x)
					require.Contains(t, []rune{'\t', tabTail}, r.cells[x-1].r)
				}
				for _, m := range r.marks[x] {
					require.True(t, c.r > 0 || hiding(m))
				}
			}
		}
	}
}

func FuzzFilter(f *testing.F) {
	for i, s := range fuzzSeeds {
		f.Add([]byte(s), uint64(i))
	}
	f.Fuzz(func(t *testing.T, b []byte, seed uint64) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var whole, cut Filter
		want := append(whole.Filter(nil, b), whole.Flush()...)
		var got []byte
		for rest := b; len(rest) > 0; {
			n := 1 + rnd.IntN(min(len(rest), 7))
			got = cut.Filter(got, rest[:n])
			if len(cut.held) > maxString+16 {
				t.Fatalf("%d bytes held", len(cut.held))
			}
			rest = rest[n:]
		}
		got = append(got, cut.Flush()...)
		require.Equal(t, string(want), string(got))
		if len(want) > len(b) {
			t.Fatalf("%q became %q", b, want)
		}
	})
}

func FuzzSanitizer(f *testing.F) {
	for i, s := range fuzzSeeds {
		f.Add([]byte(s), uint64(i))
	}
	f.Fuzz(func(t *testing.T, b []byte, seed uint64) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var whole, cut Sanitizer
		want := whole.Sanitize(nil, b)
		var got []byte
		for rest := b; len(rest) > 0; {
			n := 1 + rnd.IntN(min(len(rest), 7))
			got = cut.Sanitize(got, rest[:n])
			rest = rest[n:]
		}
		require.Equal(t, string(want), string(got))
		want = whole.End(want)
		// What comes out asks nothing and is not changed when cleaned again.
		term := New(Options{})
		_, _ = term.Write(want)
		if r := term.Replies(); len(r) > 0 {
			t.Fatalf("%q became %q, which is answered by %q", b, want, r)
		}
		if term.Title() != "" || term.Modes().Mouse != 0 || term.Modes().BracketedPaste || term.Modes().AppCursor || term.Modes().Alternate {
			t.Fatalf("%q leaves %+v", want, term.Modes())
		}
		var again Sanitizer
		if second := again.Sanitize(nil, want); string(second) != string(want) {
			t.Fatalf("%q became %q, then %q", b, want, second)
		}
	})
}

// TestBounds writes what could make an emulator grow or hang.
func TestBounds(t *testing.T) {
	size := 1 << 20
	if testing.Short() {
		size = 1 << 15
	}
	for name, unit := range map[string]string{
		"title":       "\x1b]0;" + strings.Repeat("x", size),
		"dcs":         "\x1bP" + strings.Repeat("q", size),
		"combining":   "e" + strings.Repeat("\u0301", size/2),
		"marks":       strings.Repeat("e\u0301\u0301\u0301\u0301", size/9),
		"parameters":  "\x1b[" + strings.Repeat("1;", size/2) + "m",
		"digits":      "\x1b[" + strings.Repeat("9", size) + "b",
		"private":     "\x1b[" + strings.Repeat("?", size),
		"inter":       "\x1b" + strings.Repeat("(", size),
		"lines":       strings.Repeat("x\n", size/2),
		"queries":     strings.Repeat("\x1b[6n\x1b[c", size/7),
		"scroll":      strings.Repeat("\x1b[65535S\x1b[65535T", size/18),
		"repeat":      "a" + strings.Repeat("\x1b[65535b", size/8),
		"alternate":   strings.Repeat("\x1b[?47hx\x1b[?47l", size/13),
		"clear":       strings.Repeat("x\x1b[2J", size/5),
		"fill, clear": strings.Repeat("\x1b#8\x1b[2J", size/70),
		"escape":      strings.Repeat("\x1b", size),
		"incomplete":  strings.Repeat("\xe2\x82", size/2),
	} {
		t.Run(name, func(t *testing.T) {
			before := heap()
			term := New(Options{})
			_, _ = term.Write([]byte(unit))
			if grown := heap() - before; grown > 16<<20 {
				t.Errorf("%d bytes are kept", grown)
			}
			x := term.Poll()
			require.LessOrEqual(t, len(x.Head)+len(x.Tail), DefaultMaxText)
			require.LessOrEqual(t, len(term.Title()), maxTitle)
			runtime.KeepAlive(unit)
		})
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func benchmark(b *testing.B, s string) {
	in := []byte(strings.Repeat(s, 1+(64<<10)/len(s)))
	term := New(Options{})
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		_, _ = term.Write(in)
		_ = term.Poll()
	}
}

func BenchmarkTerminal(b *testing.B) {
	for name, s := range map[string]string{
		"plain":    "the quick brown fox jumps over the lazy dog, and then it rests a while\r\n",
		"coloured": "\x1b[32mok\x1b[0m  github.com/foo/bar 0.012s some text here\r\n",
		"progress": "\r 42% [================>                       ] 12.3 MB/s\x1b[K",
		"wide":     "日本語のテキストです。日本語のテキストです。\r\n",
		"clear":    "\x1b[H\x1b[2Jx",
	} {
		b.Run(name, func(b *testing.B) { benchmark(b, s) })
	}
}

func BenchmarkFilter(b *testing.B) {
	in := []byte(strings.Repeat("\x1b[32mok\x1b[0m  github.com/foo/bar 0.012s some text here\r\n", 1000))
	var f Filter
	b.SetBytes(int64(len(in)))
	out := make([]byte, 0, len(in))
	for b.Loop() {
		out = f.Filter(out[:0], in)
	}
}
