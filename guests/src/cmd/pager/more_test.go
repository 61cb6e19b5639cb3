// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pager

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// moreRig is more with a terminal.
type moreRig struct {
	*more
	vt *vt
}

func newMoreRig(t testing.TB, rows, cols int, set moreSettings, texts ...string) *moreRig {
	set.utf8 = true
	r := &moreRig{vt: newVT(rows, cols)}
	var names []string
	for i := range texts {
		names = append(names, fmt.Sprint("file", i))
	}
	r.more = newMore(terminal(t, "xterm"), rows, cols, set, names, func(name string) (source, error) {
		var i int
		fmt.Sscanf(name, "file%d", &i)
		if texts[i] == "missing" {
			return nil, errors.New("No such file or directory")
		}
		return &memory{b: []byte(texts[i]), step: 1000, known: len(texts[i]) + 1}, nil
	}, never)
	r.err = func(name string, err error) { r.put(moreError(name, err)) }
	r.start()
	r.vt.write(r.take())
	return r
}

func (r *moreRig) send(keys string) {
	r.key([]byte(keys))
	r.vt.write(r.take())
}

// TestMoreKeys looks at the first and the last row of the screen. The expected
// values are those of util-linux 2.38 but for the end of the text.
func TestMoreKeys(t *testing.T) {
	text := numbered(40)
	for _, c := range []struct {
		set         moreSettings
		keys        string
		first, last string
		quit        bool
	}{
		{moreSettings{}, "", "1 line", "--More--(20%)", false},
		{moreSettings{}, " ", "10 line", "--More--(43%)", false},
		{moreSettings{}, "\r", "2 line", "--More--(22%)", false},
		{moreSettings{}, "3\r\r", "7 line", "--More--(35%)", false},
		{moreSettings{}, "d", "5 line", "--More--(30%)", false},
		{moreSettings{}, "2d.", "5 line", "--More--(30%)", false},
		{moreSettings{}, " b", "1 line", "--More--(20%)", false},
		{moreSettings{}, "s", "11 line", "--More--(45%)", false},
		{moreSettings{}, "/22\r", "20 line", "--More--(69%)", false},
		{moreSettings{}, "/3\x7f22\r", "20 line", "--More--(69%)", false},
		{moreSettings{}, "/22\r'", "10 line", "--More--(43%)", false},
		{moreSettings{}, "/nope\r", "1 line", "Pattern not found", false},
		{moreSettings{}, "n", "1 line", "No previous regular expression", false},
		{moreSettings{}, "=", "1 line", "9", false},
		{moreSettings{}, ":f", "1 line", "\"file0\" line 9", false},
		{moreSettings{}, "x", "1 line", "--More--(20%)", false},
		{moreSettings{help: true}, "x", "1 line", "[Press 'h' for instructions.]", false},
		{moreSettings{help: true}, "", "1 line", "--More--(20%)[Press space to continue, 'q' to quit.]", false},
		{moreSettings{lines: 4}, " ", "1 line", "--More--(18%)", false},
		{moreSettings{forBegin: "5"}, "", "5 line", "--More--(30%)", false},
		{moreSettings{forBegin: "/22"}, "", "20 line", "--More--(69%)", false},
		{moreSettings{}, "    ", "32 line", "(END)", false},
		{moreSettings{}, "     ", "32 line", "", true},
		{moreSettings{atEnd: true}, "    ", "32 line", "", true},
		{moreSettings{}, "q", "1 line", "", true},
		{moreSettings{}, ":q", "1 line", "", true},
		{moreSettings{}, ":n", "1 line", "", true},
	} {
		r := newMoreRig(t, 10, 70, c.set, text)
		r.send(c.keys)
		lines := r.vt.lines()
		last := lines[len(lines)-1]
		if c.set.lines > 0 {
			last = lines[8]
		}
		require.Equal(t, []any{c.first, c.last, c.quit}, []any{lines[0], last, r.quit}, "%+v %q", c.set, c.keys)
	}
}

func TestMoreFiles(t *testing.T) {
	r := newMoreRig(t, 10, 40, moreSettings{}, "a\nb\n", "missing", numbered(20))
	require.Equal(t, []string{"::::::::::::::", "file0", "::::::::::::::", "a", "b", "--More--(Next file: file1)"}, r.vt.lines()[:6])
	r.send(" ")
	require.Equal(t, []string{"::::::::::::::", "1 line", "2 line", "3 line", "4 line", "5 line", "6 line", "--More--(27%)"}, r.vt.lines()[2:])
	r.send(":p")
	require.Equal(t, []string{"...Skipping to file file0", "", "::::::::::::::", "file0", "::::::::::::::", "a", "b", "--More--(Next file: file2)"}, r.vt.lines()[2:])
	r = newMoreRig(t, 10, 40, moreSettings{}, "missing")
	require.True(t, r.quit)
}

func FuzzMore(f *testing.F) {
	f.Add(numbered(40), " b/1\rn'=:f.d3\rshz", uint8(10), uint8(40))
	f.Add("a\tb\nx\bx\xff\x1b[31mred\n\n\n日本\r\n", ":n:p\x0c5bf9999s", uint8(4), uint8(9))
	f.Fuzz(func(t *testing.T, text, keys string, rows, cols uint8) {
		if len(text) > 3000 || len(keys) > 60 {
			return
		}
		r := newMoreRig(t, max(3, int(rows%40)), max(12, int(cols%80)), moreSettings{squeeze: cols&1 == 0}, text, "x\n")
		for i := range keys {
			r.send(keys[i : i+1])
		}
		if !strings.Contains(text, "\x1b") && r.vt.unknown != "" {
			t.Fatalf("%q", r.vt.unknown)
		}
	})
}
