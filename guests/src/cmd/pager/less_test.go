// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pager

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/guests/src/terminfo"
)

func terminal(t testing.TB, name string) codes {
	term, ok := terminfo.Lookup(name)
	require.True(t, ok)
	return codesOf(term)
}

// rig is a pager with a terminal.
type rig struct {
	*pager
	vt *vt
}

func newRig(t testing.TB, rows, cols int, set settings, texts ...string) *rig {
	set.utf8 = true
	if set.tabs == 0 {
		set.tabs = 8
	}
	r := &rig{vt: newVT(rows, cols)}
	r.pager = newPager(terminal(t, "xterm"), rows, cols, set, func(name string) (source, error) {
		var i int
		if _, err := fmt.Sscanf(name, "file%d", &i); err != nil || i >= len(texts) {
			return nil, errors.New("No such file or directory")
		}
		return &memory{b: []byte(texts[i]), step: 1000, known: len(texts[i]) + 1}, nil
	}, never)
	for i := range texts {
		r.files = append(r.files, document{name: fmt.Sprint("file", i)})
	}
	require.True(t, r.start())
	r.first()
	r.tell()
	r.vt.write(r.take())
	return r
}

func (r *rig) send(keys string) {
	r.key([]byte(keys))
	r.vt.write(r.take())
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d line\n", i+1)
	}
	return b.String()
}

// TestKeys presses keys and looks at the screen: the first row, the last row of
// text, and the prompt.
func TestKeys(t *testing.T) {
	text := numbered(40)
	for _, c := range []struct {
		keys                string
		first, last, prompt string
	}{
		{"", "1 line", "9 line", "file0"},
		{"j", "2 line", "10 line", ":"},
		{"\r\r", "3 line", "11 line", ":"},
		{"\x1b[B\x1bOB", "3 line", "11 line", ":"},
		{" ", "10 line", "18 line", ":"},
		{"\x1b[6~", "10 line", "18 line", ":"},
		{"  b", "10 line", "18 line", ":"},
		{"5j", "6 line", "14 line", ":"},
		{"5jk", "5 line", "13 line", ":"},
		{"d", "6 line", "14 line", ":"},
		{"3dd", "7 line", "15 line", ":"},
		{"ddu", "6 line", "14 line", ":"},
		{"G", "32 line", "40 line", "(END)"},
		{"100j", "32 line", "40 line", "(END)"},
		{"Gj", "32 line", "40 line", "(END)"},
		{"Gk", "31 line", "39 line", ":"},
		{"Gg", "1 line", "9 line", ":"},
		{"20g", "20 line", "28 line", ":"},
		{"20G", "20 line", "28 line", ":"},
		{"99g", "32 line", "40 line", "Cannot seek to line number 99  (press RETURN)"},
		{"99g\r", "32 line", "40 line", "(END)"},
		{"50p", "21 line", "29 line", ":"},
		{"k", "1 line", "9 line", "file0"},
		{"/20\r", "20 line", "28 line", ":"},
		{"/2[0-9]\r", "20 line", "28 line", ":"},
		{"/^(7|9) \rn", "9 line", "17 line", ":"},
		{"/[\r", "1 line", "9 line", "Invalid pattern: Unmatched [, [^, [:, [., or [=  (press RET"},
		{"/nope\r", "1 line", "9 line", "Pattern not found  (press RETURN)"},
		{"/nope\rj", "2 line", "10 line", ":"},
		{"/1\rn", "10 line", "18 line", ":"},
		{"/1\r2n", "11 line", "19 line", ":"},
		{"/1\rnnN", "10 line", "18 line", ":"},
		{"G?1\r", "31 line", "39 line", ":"},
		{"G?3\rn", "31 line", "39 line", ":"},
		{"?9 l\r", "9 line", "17 line", ":"},
		{"n", "1 line", "9 line", "No previous regular expression  (press RETURN)"},
		{"/!line\r", "1 line", "9 line", "Pattern not found  (press RETURN)"},
		{"/\x12.\r", "1 line", "9 line", "Pattern not found  (press RETURN)"},
		{"/LINE\r", "1 line", "9 line", "Pattern not found  (press RETURN)"},
		{"-I\r/7 LINE\r", "7 line", "15 line", ":"},
		{"/30x\x7f\r", "30 line", "38 line", ":"},
		{"/x\x7f\x7f", "1 line", "9 line", "file0"},
		{"/30\x07", "1 line", "9 line", "file0"},
		{"/30", "1 line", "9 line", "/30"},
		{"12", "1 line", "9 line", ":12"},
		{"=", "1 line", "9 line", "file0 lines 1-9/40 byte 63/311 20%  (press RETURN)"},
		{"G=", "32 line", "40 line", "file0 lines 32-40/40 byte 311/311 (END)  (press RETURN)"},
		{"-m\rj", "2 line", "10 line", "22%"},
		{"-M\rj", "2 line", "10 line", "file0 lines 2-10/40 22%"},
		{"-N\r", "      1 1 line", "      9 9 line", "file0"},
		{"-N\r20g", "     20 20 line", "     28 28 line", ":"},
		{"-~", "1 line", "9 line", "There is no -~ option  (press RETURN)"},
		{"majjj'a", "1 line", "9 line", ":"},
		{"20g''", "1 line", "9 line", ":"},
		{"'x", "1 line", "9 line", "Mark not set  (press RETURN)"},
		{"'$", "32 line", "40 line", "(END)"},
		{":n", "1 line", "9 line", "No next file  (press RETURN)"},
		{":e nosuch\r", "1 line", "9 line", "nosuch: No such file or directory  (press RETURN)"},
		{"v", "1 line", "9 line", "Command not available  (press RETURN)"},
		{"h", "                   SUMMARY OF LESS COMMANDS", "                           MOVING", "HELP -- Press RETURN for more, or q when done"},
		{"jhGq", "2 line", "10 line", ":"},
		{"h/Exit\r", "  q  :q  Q  :Q  ZZ     Exit.", "", "HELP -- Press RETURN for more, or q when done"},
		{"\x1b[", "1 line", "9 line", "file0"},
		{"\x1b[99z", "1 line", "9 line", "file0"},
		{"\x1b[C", "", "", "file0"},
		{"\x1b[C\x1b[D", "1 line", "9 line", "file0"},
		{"5z", "6 line", "14 line", ":"},
		{"5zz", "11 line", "19 line", ":"},
		{"F", "32 line", "40 line", "Waiting for data... (interrupt to abort)"},
		{"Fx", "32 line", "40 line", "(END)"},
	} {
		r := newRig(t, 10, 60, settings{}, text)
		r.send(c.keys)
		lines := r.vt.lines()
		got := []string{lines[0], lines[8], lines[9]}
		if strings.HasPrefix(c.keys, "h/") || c.keys == "h" {
			got[1] = c.last
			require.Contains(t, strings.Join(lines, "\n"), c.last, "%q", c.keys)
		}
		require.Equal(t, []string{c.first, c.last, strings.TrimSpace(c.prompt)}, append(got[:2:2], strings.TrimSpace(got[2])), "%q", c.keys)
		require.Empty(t, r.vt.unknown)
		require.False(t, r.quit)
	}
}

func TestQuit(t *testing.T) {
	for _, c := range []struct {
		set  settings
		keys string
		want bool
	}{
		{settings{}, "q", true}, {settings{}, "Q", true}, {settings{}, ":q", true}, {settings{}, "ZZ", true}, {settings{}, "Zx", false},
		{settings{}, "hq", false}, {settings{}, "hqq", true}, {settings{}, "G  ", false}, {settings{quitAtEnd: true}, "     ", true},
		{settings{quitAtEnd: true}, "  ", false}, {settings{quitSecond: true}, "G ", false}, {settings{quitSecond: true}, "G  ", true},
	} {
		r := newRig(t, 10, 60, c.set, numbered(40))
		r.send(c.keys)
		require.Equal(t, c.want, r.quit, "%+v %q", c.set, c.keys)
	}
}

// The expected rows are those of less 590 at 40 columns, apart from where it
// shows the end.
func TestRows(t *testing.T) {
	const text = "a\tb\nlong 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22\n\x01ctl\nx\bx_\by bold\ncaf\xc3\xa9 \xe9\n\n\n\n\x1b[31mred\x1b[m\r\n日本\n"
	for _, c := range []struct {
		set  settings
		want []string
	}{
		{settings{}, []string{"a       b", "long 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15", " 16 17 18 19 20 21 22", "^Actl", "xy bold", "café <E9>", "", "", "", "ESC[31mredESC[m", "日本"}},
		{settings{chop: true}, []string{"a       b", "long 1 2 3 4 5 6 7 8 9 10 11 12 13 14 1>", "^Actl", "xy bold", "café <E9>", "", "", "", "ESC[31mredESC[m", "日本", "~"}},
		{settings{colors: true, squeeze: true}, []string{"a       b", "long 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15", " 16 17 18 19 20 21 22", "^Actl", "xy bold", "café <E9>", "", "red", "日本", "~", "~"}},
		{settings{numbers: true}, []string{"      1 a       b", "      2 long 1 2 3 4 5 6 7 8 9 10 11 12", "        13 14 15 16 17 18 19 20 21 22", "      3 ^Actl", "      4 xy bold", "      5 café <E9>", "      6", "      7", "      8", "      9 ESC[31mredESC[m", "     10 日本"}},
		{settings{tabs: 4}, []string{"a   b"}},
	} {
		r := newRig(t, 12, 40, c.set, text)
		require.Equal(t, c.want, r.vt.lines()[:len(c.want)], "%+v", c.set)
	}
	r := newRig(t, 12, 40, settings{colors: true}, text)
	r.fill(place{})
	r.paint()
	require.Contains(t, string(r.take()), "\x1b[1mx\x1b(B\x1b[m\x1b[4my\x1b[24m bold\n")
	r.paint()
	require.Contains(t, string(r.take()), "\x1b[31mred\x1b[m\x1b[m\n")
	r.send("/red\r")
	r.paint()
	require.Contains(t, string(r.take()), "\x1b[31m\x1b[7mred\x1b[27m\x1b[m")
}

func TestFiles(t *testing.T) {
	r := newRig(t, 6, 40, settings{}, numbered(20), "other\n", numbered(3))
	last := func() string { l := r.vt.lines(); return l[0] + "|" + l[5] }
	require.Equal(t, "1 line|file0 (file 1 of 3)", last())
	for _, c := range []struct{ keys, want string }{
		{"j", "2 line|:"},
		{":n", "other|file1 (file 2 of 3) (END) - Next: file2"},
		{":p", "2 line|file0 (file 1 of 3)"},
		{"2:n", "1 line|file2 (file 3 of 3) (END)"},
		{":x", "2 line|file0 (file 1 of 3)"},
		{":n:d", "1 line|file2 (file 2 of 2) (END)"},
		{":e file1\r", "other|file1 (file 3 of 3) (END)"},
		{":d", "1 line|file2 (file 2 of 2) (END)"},
		{":p:d:d", "1 line|Cannot remove the last file  (press RET"},
	} {
		r.send(c.keys)
		require.Equal(t, c.want, last(), c.keys)
	}
}

// TestResize checks that the top stays where it is.
func TestResize(t *testing.T) {
	r := newRig(t, 10, 60, settings{}, numbered(40))
	r.send("5j")
	r.vt = newVT(6, 20)
	r.resize(6, 20)
	r.redraw()
	r.vt.write(r.take())
	require.Equal(t, []string{"6 line", "7 line", "8 line", "9 line", "10 line", ":"}, r.vt.lines())
	r.resize(0, -3)
	require.Equal(t, 23, r.height())
}

// TestFollow lets the text grow.
func TestFollow(t *testing.T) {
	m := &memory{b: []byte(numbered(9)), step: 1000}
	r := &rig{vt: newVT(6, 50)}
	r.pager = newPager(terminal(t, "xterm"), 6, 50, settings{tabs: 8}, func(string) (source, error) { return m, nil }, never)
	r.files = []document{{name: "f"}}
	require.True(t, r.start())
	r.first()
	r.send("F")
	require.Equal(t, "9 line", r.vt.lines()[4])
	m.b = append(m.b, "more\nstill more\n"...)
	m.known = len(m.b) - 1
	r.follow()
	r.vt.write(r.take())
	require.Equal(t, []string{"8 line", "9 line", "more", "still more", "Waiting for data... (interrupt to abort)"}, r.vt.lines()[1:])
	r.abort()
	r.vt.write(r.take())
	require.Equal(t, "(END)", r.vt.lines()[5])
}

// check compares the screen with what it should show.
func (r *rig) check(t *testing.T, keys string) {
	if r.quit || r.dumb {
		return
	}
	fresh := newVT(len(r.vt.cells), len(r.vt.cells[0]))
	was := append([]place(nil), r.shown...)
	r.fill(r.top())
	r.paint()
	fresh.write(r.take())
	if !slices.Equal(was, r.shown) {
		t.Fatalf("%q: %v is shown, not %v", keys, was, r.shown)
	}
	n := r.height()
	if got, want := r.vt.lines()[:n], fresh.lines()[:n]; !slices.Equal(got, want) {
		t.Fatalf("%q:\n%s\nnot\n%s", keys, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if r.vt.row != n {
		t.Fatalf("%q: the cursor is in row %d", keys, r.vt.row)
	}
}

func FuzzKeys(f *testing.F) {
	f.Add(numbered(40), "j k b/1\rnnNG?2\rg20gdu", uint8(10), uint8(40))
	f.Add("a\tb\nx\bxy_\by\xff\xe2\x82\xac\x1b[31mred\x1b[m\n\n\n\n日本日本日本\r\n", "-S\r\x1b[C\x1b[D-N\r-R\r-s\r/e\r50p'':n:p:d", uint8(4), uint8(9))
	f.Add(strings.Repeat("long ", 100)+"\n"+numbered(3), "jjjkkG5kmajj'a--h G q\x1b[\x1b[5~F\x03", uint8(5), uint8(20))
	f.Fuzz(func(t *testing.T, text, keys string, rows, cols uint8) {
		if len(text) > 3000 || len(keys) > 60 || strings.ContainsAny(text, "\x1b") && strings.Contains(keys, "r") {
			return // -r lets the text move the cursor
		}
		r := newRig(t, max(3, int(rows%40)), max(12, int(cols%80)), settings{}, text, "x\n")
		for _, c := range []byte(keys) {
			r.send(string([]byte{c}))
			if r.set.raw {
				return
			}
			r.check(t, keys)
		}
	})
}

// BenchmarkSearch looks for the last line of 10 MB.
func BenchmarkSearch(b *testing.B) {
	text := []byte(numbered(800000))
	for b.Loop() {
		x := newText(&memory{b: text, step: 1 << 20})
		p, err := newPattern("799999 line", false, false, false, true)
		require.NoError(b, err)
		if p.forward(x, &style{tabs: 8}, 0, never) < 0 {
			b.Fatal("not found")
		}
	}
	b.SetBytes(int64(len(text)))
}
