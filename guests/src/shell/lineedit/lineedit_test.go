// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package lineedit

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// vt is a terminal screen that knows what the editor sends.
type vt struct {
	cols     int
	rows     [][]string // cells; "" is the right half of a wide character
	row, col int
	wrap     bool // the last column is full: the next character wraps
	bells    int
}

func (v *vt) line() []string {
	for v.row >= len(v.rows) {
		v.rows = append(v.rows, nil)
	}
	for len(v.rows[v.row]) < v.cols {
		v.rows[v.row] = append(v.rows[v.row], " ")
	}
	return v.rows[v.row]
}

func (v *vt) write(t testing.TB, b []byte) {
	t.Helper()
	for len(b) > 0 {
		c := b[0]
		switch {
		case c == 0x1b:
			require.GreaterOrEqual(t, len(b), 3)
			require.Equal(t, byte('['), b[1])
			k := 2
			for b[k] < 0x40 {
				k++
			}
			v.control(t, string(b[2:k]), b[k])
			b = b[k+1:]
			continue
		case c == '\n':
			v.row, v.col, v.wrap = v.row+1, 0, false
			v.line()
		case c == '\r':
			v.col, v.wrap = 0, false
		case c == '\b':
			v.col, v.wrap = max(v.col-1, 0), false
		case c == 7:
			v.bells++
		default:
			r, n := utf8.DecodeRune(b)
			require.GreaterOrEqual(t, r, ' ', "control character")
			v.char(r)
			b = b[n:]
			continue
		}
		b = b[1:]
	}
}

func (v *vt) char(r rune) {
	w := width(r, 0)
	if w == 0 {
		return
	}
	if v.wrap || v.col+w > v.cols {
		v.row, v.col, v.wrap = v.row+1, 0, false
	}
	l := v.line()
	l[v.col] = string(r)
	if w == 2 && v.col+1 < v.cols {
		l[v.col+1] = ""
	}
	if v.col += w; v.col >= v.cols {
		v.col, v.wrap = v.cols-1, true
	}
}

func (v *vt) control(t testing.TB, params string, final byte) {
	n := 0
	for _, c := range params {
		if c >= '0' && c <= '9' {
			n = n*10 + int(c-'0')
		}
	}
	v.wrap = false
	switch final {
	case 'A':
		v.row = max(v.row-n, 0)
	case 'B':
		require.Less(t, v.row+n, len(v.rows), "down to a row that is not there")
		v.row += n
	case 'C':
		v.col = min(v.col+n, v.cols-1)
	case 'D':
		v.col = max(v.col-n, 0)
	case 'H':
		v.row, v.col = 0, 0
	case 'J':
		if n == 2 {
			v.rows = nil
			v.line()
			break
		}
		l := v.line()
		for i := v.col; i < v.cols; i++ {
			l[i] = " "
		}
		v.rows = v.rows[:v.row+1]
	case 'K':
		l := v.line()
		for i := v.col; i < v.cols; i++ {
			l[i] = " "
		}
	case 'm':
	case 'h', 'l':
		require.Equal(t, "?2004", params)
	default:
		t.Fatalf("unknown sequence %q %q", params, final)
	}
}

func (v *vt) text() string {
	var l []string
	for _, r := range v.rows {
		l = append(l, strings.TrimRight(strings.Join(r, ""), " "))
	}
	return strings.TrimRight(strings.Join(l, "\n"), "\n")
}

type lines []string

func (l lines) Len() int        { return len(l) }
func (l lines) At(i int) string { return l[i] }

// session types keys at an editor and shows the output on a screen.
type session struct {
	e    *Editor
	v    *vt
	last Event
}

func start(t testing.TB, e *Editor, prompt string, cols int) *session {
	s := &session{e: e, v: &vt{cols: cols}}
	s.v.write(t, e.Start(prompt, "", cols))
	return s
}

func (s *session) typed(t testing.TB, keys string) {
	for i := range len(keys) {
		out, ev := s.e.Type(keys[i])
		s.v.write(t, out)
		if s.last = ev; ev != None {
			return
		}
	}
}

func TestKeys(t *testing.T) {
	hist := lines{"echo one", "ls -l /tmp", "echo three four"}
	for _, c := range []struct{ name, keys, want string }{
		{"plain", "abc", "abc"},
		{"insert in the middle", "ac\x02b", "abc"},
		{"start and end", "b\x01a\x05c", "abc"},
		{"arrows", "ac\x1b[Db\x1b[C\x1bOD\x1bOCd", "abcd"},
		{"home and end", "b\x1b[Ha\x1b[Fc\x1bOH0\x1bOF1\x1b[1~x\x1b[4~y", "x0abc1y"},
		{"backspace", "abx\x7f\x08b", "ab"},
		{"delete", "abc\x01\x04\x1b[3~", "c"},
		{"kill to the end", "one two\x1bb\x0b", "one "},
		{"kill to the start", "one two\x1bb\x15", "two"},
		{"kill word", "ls foo-bar.txt\x17x", "ls x"},
		{"kill alphanumeric word", "foo-bar\x1b\x7fx", "foo-x"},
		{"kill word forward", "one two\x01\x1bd", " two"},
		{"yank", "one two\x17\x19\x19", "one twotwo"},
		{"kills in a row are one", "one two\x17\x17\x19", "one two"},
		{"yank pop", "a\x15b\x15\x19\x1by", "a"},
		{"transpose", "ab\x14", "ba"},
		{"transpose inside", "abc\x02\x14", "acb"},
		{"transpose words", "one two\x1bt", "two one"},
		{"words", "one two three\x1bb\x1bbX\x1bfY", "one XtwoY three"},
		{"control arrows", "one two\x1b[1;5DX\x1b[1;5DY", "one YXtwo"},
		{"case", "one two three\x01\x1bu\x1bc\x1bl", "ONE Two three"},
		{"quoted insert", "a\x16\x03\x16\x1bb", "a\x03\x1bb"},
		{"undo", "one\x17two\x1f\x1f", "one"},
		{"up", "new\x1b[A", "echo three four"},
		{"up and down keep the line", "new\x10\x10X\x0e\x0eY", "newY"},
		{"edited history line is kept", "\x10X\x10\x0e", "echo three fourX"},
		{"first and last", "new\x1b<\x1b>z", "newz"},
		{"last argument", "cat \x1b.", "cat four"},
		{"last argument again", "cat \x1b.\x1b.", "cat /tmp"},
		{"reverse search", "\x12ec", "echo three four"},
		{"reverse search again", "\x12ec\x12", "echo one"},
		{"reverse search edited", "\x12ls\x05!", "ls -l /tmp!"},
		{"reverse search given up", "x\x12ls\x07", "x"},
		{"search backspace", "\x12lsx\x7f\x05", "ls -l /tmp"},
		{"search forward", "\x12echo\x12\x13", "echo three four"},
		{"search again", "\x12ls\x05\x1b>\x12\x12", "ls -l /tmp"},
		{"utf-8", "ä\x02ö\x05ü€", "öäü€"},
		{"combining", "e\u0301x\x02\x02y", "ye\u0301x"},
		{"combining is one", "ae\u0301\x7f", "a"},
		{"bytes", "\xff\xc3x\xe4\xb8", "\xff\xc3x"},
		{"paste", "a\x1b[200~b\rc\td\x1b[201~e", "ab\nc\tde"},
		{"unknown sequence", "a\x1b[99;99zb\x1b[12~c", "abc"},
		{"kill blanks", "a   b\x02\x1b\\", "ab"},
		{"revert", "one\x1b\x7ftwo\x1br", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, cols := range []int{80, 7} {
				s := start(t, &Editor{History: hist}, "$ ", cols)
				s.typed(t, c.keys)
				require.Equal(t, None, s.last)
				require.Equal(t, c.want, s.e.Line())
			}
		})
	}
}

func TestEnd(t *testing.T) {
	for _, c := range []struct {
		keys string
		ev   Event
		line string
		seen string
	}{
		{"echo a\r", Accept, "echo a", "$ echo a"},
		{"echo a\n", Accept, "echo a", "$ echo a"},
		{"\x04", EOF, "", "$"},
		{"ab\x01\x03", Interrupt, "ab", "$ ab^C"},
		{"\x12on\r", Accept, "echo one", "$ echo one"},
	} {
		s := start(t, &Editor{History: lines{"echo one"}, Paste: true}, "$ ", 20)
		s.typed(t, c.keys)
		require.Equal(t, c.ev, s.last, "%q", c.keys)
		require.Equal(t, c.line, s.e.Line())
		require.Equal(t, c.seen, s.v.text())
		if c.ev != EOF {
			require.Equal(t, 0, s.v.col)
			require.Equal(t, 1, s.v.row)
		}
	}
}

// What is typed at the end is sent as it is, so that the record of a session
// can be read.
func TestPlainOutput(t *testing.T) {
	e := &Editor{}
	out := string(e.Start("\x01\x1b[1m\x02$ ", "", 80))
	for _, c := range []byte("echo hi\x7fi\n") {
		b, _ := e.Type(c)
		out += string(b)
	}
	require.Equal(t, "\x1b[1m$ echo hi\b\x1b[Ki\n", out)
}

func TestScreen(t *testing.T) {
	for _, c := range []struct {
		name, prompt, keys string
		cols               int
		want               string
		row, col           int
	}{
		{"wrap", "$ ", "abcdefgh", 5, "$ abc\ndefgh", 2, 0},
		{"wrap and back", "$ ", "abcd\x7f\x7f", 5, "$ ab", 0, 4},
		{"exactly full", "$ ", "abc", 5, "$ abc", 1, 0},
		{"wide", "$ ", "日本語", 7, "$ 日本\n語", 1, 2},
		{"wide moves down", "$ ", "aa日\x01b", 6, "$ baa\n日", 0, 3},
		{"prompt of two lines", "one\ntwo$ ", "ab\x01", 80, "one\ntwo$ ab", 1, 5},
		{"marks", "\x01\x1b[31m\x02$\x01\x1b[m\x02 ", "x\x01", 80, "$ x", 0, 2},
		{"colours without marks", "\x1b[31m$\x1b[m ", "x\x01", 80, "$ x", 0, 2},
		{"control characters", "$ ", "\x16\x01b\x02", 80, "$ ^Ab", 0, 4},
		{"newline", "$ ", "\x1b[200~a\nb\x1b[201~\x01", 80, "$ a\nb", 0, 2},
		{"tab", "$ ", "\x16\tx", 80, "$       x", 0, 9},
		{"search", "$ ", "\x12on", 80, "(reverse-i-search)`on': echo one", 0, 29},
		{"failed search", "$ ", "\x12zz", 80, "(failed reverse-i-search)`zz':", 0, 31},
		{"clear", "a\n$ ", "bc\x0c", 80, "a\n$ bc", 1, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := start(t, &Editor{History: lines{"echo one"}}, c.prompt, c.cols)
			s.typed(t, c.keys)
			require.Equal(t, c.want, s.v.text())
			require.Equal(t, []int{c.row, c.col}, []int{s.v.row, s.v.col})
		})
	}
}

func TestResize(t *testing.T) {
	s := start(t, &Editor{}, "$ ", 10)
	s.typed(t, "abcdefghijkl")
	require.Equal(t, "$ abcdefgh\nijkl", s.v.text())
	// A terminal that wraps again, as most do.
	s.v = &vt{cols: 20}
	s.v.write(t, []byte("$ abcdefghijkl"))
	s.v.write(t, s.e.Resize(20))
	require.Equal(t, "$ abcdefghijkl", s.v.text())
	require.Equal(t, 14, s.v.col)
	s.typed(t, "m")
	require.Equal(t, "$ abcdefghijklm", s.v.text())
}

func complete(words ...Word) func(string, int) Completion {
	return func(text string, at int) Completion {
		from := strings.LastIndexByte(text[:at], ' ') + 1
		c := Completion{From: from}
		for _, w := range words {
			if strings.HasPrefix(w.Text, text[from:at]) {
				c.Words = append(c.Words, w)
			}
		}
		return c
	}
}

func TestComplete(t *testing.T) {
	e := &Editor{Complete: complete(Word{"echo", "echo", " "}, Word{"exit", "exit", " "}, Word{"exec", "exec", " "}, Word{"dir", "dir/", "/"})}
	s := start(t, e, "$ ", 20)
	s.typed(t, "ec\t")
	require.Equal(t, "echo ", e.Line())
	s.typed(t, "d\t")
	require.Equal(t, "echo dir/", e.Line())
	s.typed(t, "\x15e\t")
	require.Equal(t, "e", e.Line())
	require.Equal(t, 1, s.v.bells)
	s.typed(t, "\t")
	require.Equal(t, "$ e\necho  exec  exit\n$ e", s.v.text())
	s.typed(t, "x\t")
	require.Equal(t, "ex", e.Line())
	s.typed(t, "e\t")
	require.Equal(t, "exec ", e.Line())
	s.typed(t, "zz\t")
	require.Equal(t, "exec zz", e.Line())

	var many []Word
	for i := range 150 {
		many = append(many, Word{Text: "w" + strings.Repeat("x", i), Show: "w"})
	}
	e = &Editor{Complete: complete(many...)}
	s = start(t, e, "$ ", 60)
	s.typed(t, "w\t\t")
	require.Contains(t, s.v.text(), "Display all 150 possibilities? (y or n)")
	s.typed(t, "n")
	require.True(t, strings.HasSuffix(s.v.text(), "\n$ w"), s.v.text())
	s.typed(t, "\t\t")
	s.typed(t, "y")
	require.True(t, strings.HasSuffix(s.v.text(), "\nw\n$ w"), s.v.text())
	require.Equal(t, "w", e.Line())
}

// The screen shows the line, whatever was typed.
func FuzzEditor(f *testing.F) {
	f.Add("abc\x01d\x0b\x19", uint8(5))
	f.Add("日本\x02語\x7f\x14", uint8(4))
	f.Add("\x1b[200~a\nb\x1b[201~\x10\x12o\x12", uint8(9))
	f.Add("e\t\t\x1b[A\x1b[3~\x16\x01\xff\xe4\xb8", uint8(20))
	f.Add("\x16\x010", uint8(2))
	f.Add("日\x7f\x1f", uint8(2))
	f.Add("\x1b[200~0\n\x1b[201~\x10", uint8(0))
	f.Add("a b c\x1bt\x1bu\x1b.\x1by\x1f\x1f", uint8(7))
	f.Fuzz(func(t *testing.T, keys string, cols uint8) {
		if len(keys) > 200 {
			return
		}
		e := &Editor{
			History:  lines{"echo one", "x\ny 日本語", "\xff"},
			Complete: complete(Word{"echo", "echo", " "}, Word{"exit", "exit", " "}),
		}
		s := start(t, e, "p$ ", 2+int(cols%40))
		for i := range len(keys) {
			s.typed(t, keys[i:i+1])
			if s.last != None {
				break
			}
			if e.question != nil || e.input.state != plain {
				continue
			}
			want := &vt{cols: s.v.cols}
			fresh := &Editor{buf: e.buf, pos: e.pos, search: e.search, prompt: e.prompt}
			fresh.setCols(s.v.cols)
			fresh.drawAll()
			want.write(t, fresh.out)
			require.True(t, strings.HasSuffix("\n"+s.v.text(), "\n"+want.text()), "after %q: %q, want %q", keys[:i+1], s.v.text(), want.text())
			require.Equal(t, want.col, s.v.col, "after %q", keys[:i+1])
			require.GreaterOrEqual(t, e.pos, 0)
			require.LessOrEqual(t, e.pos, len(e.buf))
		}
	})
}

func BenchmarkType(b *testing.B) {
	e := &Editor{}
	e.Start("$ ", "", 80)
	for b.Loop() {
		if e.Type('x'); len(e.buf) == 100_000 {
			e.Start("$ ", "", 80)
		}
	}
}
