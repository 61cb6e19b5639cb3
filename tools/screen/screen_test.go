// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPoll writes one string after the other and polls behind each.
func TestPoll(t *testing.T) {
	long := strings.Repeat("0123456789", 5)
	for _, c := range []struct {
		name  string
		write []string
		want  []string
	}{
		{"line", []string{"hi\r\n"}, []string{"hi\n"}},
		{"no newline", []string{"hi"}, []string{"hi"}},
		{"line feed keeps the column", []string{"a\nb"}, []string{"a\n b"}},
		{"grows", []string{"one ", "two", "\r\nthree"}, []string{"one ", "two", "\nthree"}},
		{"prompt", []string{"$ ", "ls\r\na\r\n$ ", ""}, []string{"$ ", "ls\na\n$ ", ""}},
		{"trailing blanks of a line that was left", []string{"a   \r\nb"}, []string{"a\nb"}},
		{"prompt that was left", []string{"$ ", "\r\nb"}, []string{"$ ", "\nb"}},
		{"blank lines", []string{"a\r\n\r\n\r\nb\r\n"}, []string{"a\n\n\nb\n"}},
		{"blank lines of their own", []string{"a\r\n", "\r\n", "b"}, []string{"a\n", "\n", "b"}},
		{"carriage return", []string{"50%\r60%\r100%\r\n"}, []string{"100%\n"}},
		{"carriage return, shorter", []string{"100 %\rok\r\n"}, []string{"ok0 %\n"}},
		{"progress seen between", []string{"\r 10%", "\r 20%", "\r100%\r\ndone\r\n"}, []string{" 10%", "\n 20%", "\n100%\ndone\n"}},
		{"progress that only grows", []string{"\r.", "\r..", "\r...\r\n"}, []string{".", ".", ".\n"}},
		{"erase line", []string{"Downloading 50%\r\x1b[KDone\r\n"}, []string{"Done\n"}},
		{"erase line first", []string{"abcdef\x1b[2K\rxy\r\n"}, []string{"xy\n"}},
		{"erase line, seen between", []string{"Downloading 50%", "\r\x1b[K", "Done\r\n"}, []string{"Downloading 50%", "\n", "Done\n"}},
		{"erase to the left", []string{"abcdef\x1b[3D\x1b[1Kx\r\n"}, []string{"   xef\n"}},
		{"backspace", []string{"ab\b \bc\r\n"}, []string{"ac\n"}},
		{"same again", []string{"ready\r", "ready\r", "ready\r\n"}, []string{"ready", "", "\n"}},
		{"line above rewritten", []string{"a: 1\r\nb: 1\r\n", "\x1b[2Aa: 2\r\n\n"}, []string{"a: 1\nb: 1\n", "a: 2\n"}},
		{"lines above rewritten, prompt below", []string{"a: 1\r\nb: 1\r\n> ", "\x1b[2A\ra: 2\r\nb: 2\r\n> x"}, []string{"a: 1\nb: 1\n> ", "\na: 2\nb: 2\n> x"}},
		{"wrapped line", []string{long + "\r\nx"}, []string{long + "\nx"}},
		{"wrapped line in parts", []string{long[:20], long[20:], "\r\n"}, []string{long[:20], long[20:], "\n"}},
		{"line as wide as the screen", []string{long[:20] + "\r\nx\r\n"}, []string{long[:20] + "\nx\n"}},
		{"blank at the margin of a wrapped line", []string{long[:19] + "  x\r\n"}, []string{long[:19] + "  x\n"}},
		{"wrapped line rewritten", []string{long[:30] + "\r", "\x1b[AX\r\n\n"}, []string{long[:30], "\nX" + long[1:30] + "\n"}},
		{"scrolled", []string{"1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7", "\r\n8"}, []string{"1\n2\n3\n4\n5\n6\n7", "\n8"}},
		{"scrolled, seen between", []string{"1\r\n2\r\n3\r\n4", "\r\n5\r\n6\r\n7\r\n8\r\n"}, []string{"1\n2\n3\n4", "\n5\n6\n7\n8\n"}},
		{"scrolled by SU", []string{"1\r\n2\x1b[1S", "\r\n3"}, []string{"1\n2", "\n\n3"}},
		{"status line below a region", []string{"\x1b[1;3r\x1b[4;1Hbar\x1b[1;1H1\r\n2\r\n3\r\n4\r\n5"}, []string{"1\n2\n3\n4\n5\nbar"}},
		{"clear", []string{"a\r\n", "\x1b[H\x1b[2Ja\r\n"}, []string{"a\n", "a\n"}},
		{"clear by home and erase below", []string{"a\r\n", "\x1b[H\x1b[Ja\r\n"}, []string{"a\n", "a\n"}},
		{"clear unseen", []string{"a\r\nb\x1b[H\x1b[2Jc"}, []string{"c"}},
		{"reset", []string{"a\x1bcb"}, []string{"b"}},
		{"erase below", []string{"a\r\nb\r\nc\x1b[2A\r\x1b[Jx\r\n"}, []string{"x\n"}},
		{"cursor addressing", []string{"\x1b[2;3Hx\x1b[1;1Hy"}, []string{"y\n  x"}},
		{"delete and insert characters", []string{"abcdef\r\x1b[2P\x1b[C\x1b[2@\r\n"}, []string{"c  def\n"}},
		{"erase characters", []string{"abcdef\r\x1b[2X\r\n"}, []string{"  cdef\n"}},
		{"insert mode", []string{"bc\r\x1b[4ha\x1b[4l\r\n"}, []string{"abc\n"}},
		{"repeat", []string{"-\x1b[4b\r\n"}, []string{"-----\n"}},
		{"insert line", []string{"a\r\nb\x1b[A\r\x1b[Lx\r\n\n"}, []string{"x\na\nb"}},
		{"delete line", []string{"a\r\nb\x1b[A\r\x1b[M"}, []string{"b"}},
		{"reverse index", []string{"b\r\x1bMa\r\n"}, []string{"a\nb"}},
		{"tab", []string{"a\tb\r\n\tc\r\n"}, []string{"a\tb\n\tc\n"}},
		{"tab over text", []string{"abc\r\tx\r\n"}, []string{"abc     x\n"}},
		{"tab that is overwritten", []string{"a\tb\r\x1b[3Cx\r\n"}, []string{"a  x    b\n"}},
		{"tab to the margin", []string{"a\t\t\t\tb\r\n"}, []string{"a\t\t\t\tb\n"}},
		{"tab at the margin", []string{long[:20] + "\tb\tc\r\n"}, []string{long[:20] + "\tb\tc\n"}},
		{"wide", []string{"日本語\r\n"}, []string{"日本語\n"}},
		{"wide, half overwritten", []string{"日本\r\x1b[Cx\r\n"}, []string{" x本\n"}},
		{"wide at the margin", []string{long[:19] + "日本\r\n"}, []string{long[:19] + "日本\n"}},
		{"combining", []string{"e\u0301a\u0300\u0323\r\n"}, []string{"e\u0301a\u0300\u0323\n"}},
		{"combining at the margin", []string{long[:19] + "e\u0301x\r\n"}, []string{long[:19] + "e\u0301x\n"}},
		{"combining on its own", []string{"\u0301a\r\n"}, []string{"a\n"}},
		{"emoji with a joiner", []string{"👩\u200d💻!\r\n"}, []string{"👩\u200d💻!\n"}},
		{"bidi control", []string{"a\u202eb\r\n"}, []string{"a<U+202E>b\n"}},
		{"bidi control at the beginning", []string{"\u202ea\r\n\u202e\r\n\x1b[5C\u202eb\r\n"}, []string{"<U+202E>a\n<U+202E>\n     <U+202E>b\n"}},
		{"bidi control erased", []string{"\u202e\x1b[2Ka\r\n"}, []string{"a\n"}},
		{"tag character", []string{"a\U000e0041b\r\n"}, []string{"a<U+E0041>b\n"}},
		{"line separator", []string{"a\u2028b\r\n"}, []string{"a<U+2028>b\n"}},
		{"split character", []string{"caf\xc3", "\xa9\r\n"}, []string{"caf", "é\n"}},
		{"invalid bytes", []string{"a\xffb\xe2\x82c\x80\r\n"}, []string{"a\ufffdb\ufffdc\ufffd\n"}},
		{"surrogate", []string{"\xed\xa0\x80\r\n"}, []string{"\ufffd\ufffd\ufffd\n"}},
		{"escape within a character", []string{"\xe2\x82\x1b[1mx\r\n"}, []string{"\ufffdx\n"}},
		{"colours", []string{"\x1b[1;31mred\x1b[0m \x1b[38;2;1;2;3mx\x1b[38:5:9my\x1b[m\r\n"}, []string{"red xy\n"}},
		{"line drawing", []string{"\x1b(0lqk\x1b(B x\r\n\x0e\x1b)0x\x0fx\r\n"}, []string{"┌─┐ x\n│x\n"}},
		{"title and link", []string{"\x1b]0;title\aa\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\\r\n"}, []string{"ab\n"}},
		{"title without end", []string{"\x1b]0;title\r\nb\r\n"}, []string{"\nb\n"}},
		{"queries", []string{"a\x1b[6n\x1b[c\x1b]11;?\a\x1bP$qm\x1b\\b\r\n"}, []string{"ab\n"}},
		{"C1 as UTF-8", []string{"a\u009b31mb\u009d0;t\u009cc\u0090$qm\u009cd\r\n"}, []string{"abcd\n"}},
		{"sequence cut by another", []string{"\x1b[3\x1b[1mx\x1b]0;a\x1b[1my\r\n"}, []string{"xy\n"}},
		{"sequence cancelled", []string{"\x1b[3\x18m\x1b]0;a\x1am\r\n"}, []string{"mm\n"}},
		{"controls within a sequence", []string{"ab\x1b[\r1mc\r\n"}, []string{"cb\n"}},
		{"sequences nobody knows", []string{"\x1b[1;2;3y\x1b[?5$z\x1b[<1;2M\x1b%G\x1b#6\x1b  a\x1b[1 2mx\r\n"}, []string{"x\n"}},
		{"no autowrap", []string{"\x1b[?7l" + long + "\x1b[?7h\r\n"}, []string{long[:19] + "9\n"}},
		{"alternate screen", []string{"$ less\r\n", "\x1b[?1049h\x1b[Hpage 1\r\n:", "\x1b[Hpage 2", "", "\x1b[?1049l$ "},
			[]string{"$ less\n", "[full screen, 4 rows, 20 columns, cursor at row 2, column 2]\npage 1\n:\n",
				"[full screen, 4 rows, 20 columns, cursor at row 1, column 7]\npage 2\n:\n", "", "$ "}},
		{"alternate screen unseen", []string{"a\r\n\x1b[?1049h\x1b[Hlast\x1b[?1049lb\r\n"},
			[]string{"a\n[full screen, 4 rows, 20 columns, cursor at row 1, column 5]\nlast\nb\n"}},
		{"alternate screen, changed at the end", []string{"\x1b[?1049h\x1b[Hpage\r\n:", "\r\x1b[K\x1b[?1049la\r\n", "\x1b[?1049h\x1b[Hpage\r\n:", "\rsaved\x1b[?1049lb\r\n"},
			[]string{"[full screen, 4 rows, 20 columns, cursor at row 2, column 2]\npage\n:\n", "a\n",
				"[full screen, 4 rows, 20 columns, cursor at row 2, column 2]\npage\n:\n", "[full screen, 4 rows, 20 columns, cursor at row 2, column 6]\nsaved\nb\n"}},
		{"alternate screen left blank", []string{"a\r\n\x1b[?1049hx\x1b[2J\x1b[?1049lb\r\n"}, []string{"a\nb\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			term := New(Options{Rows: 4, Cols: 20})
			var got []string
			for _, w := range c.write {
				n, err := term.Write([]byte(w))
				require.NoError(t, err)
				require.Equal(t, len(w), n)
				got = append(got, term.Poll().String())
			}
			require.Equal(t, c.want, got)
			require.Empty(t, term.Poll().String())
		})
	}
}

func TestNewlineMode(t *testing.T) {
	term := New(Options{Newline: true})
	_, _ = term.Write([]byte("a\nb\x1b[20l\nc\n"))
	require.Equal(t, "a\nb\nc\n", term.Poll().String())
}

func TestControls(t *testing.T) {
	in := "a\u202eb\u200d\ufe0f\u2066c\ufeff"
	for _, c := range []struct {
		rule Controls
		want string
	}{
		{ControlsEscape, "a<U+202E>b\u200d\ufe0f<U+2066>c<U+FEFF>"},
		{ControlsDrop, "ab\u200d\ufe0fc"},
		{ControlsKeep, in},
	} {
		term := New(Options{Controls: c.rule})
		_, _ = term.Write([]byte(in))
		require.Equal(t, c.want, term.Poll().String())
		require.Equal(t, c.want, Visible(in, c.rule))
	}
	require.Equal(t, "<U+001B>[6n\ta\n\ufffd<U+007F><U+0085>é", Visible("\x1b[6n\ta\n\xff\x7f\u0085é", ControlsEscape))
}

func TestFrames(t *testing.T) {
	const in = "a\r\n\x1b[?1049hpicture"
	for f, want := range map[Frames]string{
		FramesShow:   "a\n[full screen, 4 rows, 20 columns, cursor at row 2, column 8]\n\npicture\n",
		FramesNotice: "a\n[full screen, 4 rows, 20 columns, cursor at row 2, column 8]\n",
		FramesOmit:   "a\n",
	} {
		term := New(Options{Rows: 4, Cols: 20, Frames: f})
		_, _ = term.Write([]byte(in))
		require.Equal(t, want, term.Poll().String())
		_, _ = term.Write([]byte("\x1b[?1049lb"))
		require.Equal(t, "b", term.Poll().String())
	}
}

func TestReplies(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"\x1b[6n", "\x1b[1;1R"},
		{"ab\r\ncd\x1b[6n", "\x1b[2;3R"},
		{"\x1b[?6n", "\x1b[?1;1;1R"},
		{"\x1b[2;3r\x1b[?6h\x1b[6n", "\x1b[1;1R"},
		{"\x1b[5n", "\x1b[0n"},
		{"\x1b[c", "\x1b[?62;22c"}, {"\x1b[0c", "\x1b[?62;22c"}, {"\x1bZ", "\x1b[?62;22c"}, {"\x1b[1c", ""},
		{"\x1b[>c", "\x1b[>1;10;0c"}, {"\x1b[>0c", "\x1b[>1;10;0c"},
		{"\x1b[=c", "\x1bP!|00000000\x1b\\"},
		{"\x1b[>q", "\x1bP>|wsandbox\x1b\\"}, {"\x1b[>0q", "\x1bP>|wsandbox\x1b\\"},
		{"\x1b[?25$p", "\x1b[?25;1$y"}, {"\x1b[?25l\x1b[?25$p", "\x1b[?25;2$y"}, {"\x1b[?2004h\x1b[?2004$p", "\x1b[?2004;1$y"},
		{"\x1b[?12345$p", "\x1b[?12345;0$y"}, {"\x1b[4$p", "\x1b[4;2$y"}, {"\x1b[20$p", "\x1b[20;2$y"},
		{"\x1bP$qm\x1b\\", "\x1bP1$r0m\x1b\\"},
		{"\x1b[1;4;31;48;2;1;2;3m\x1bP$qm\x1b\\", "\x1bP1$r0;1;4;38;5;1;48;2;1;2;3m\x1b\\"},
		{"\x1b[2;3r\x1bP$qr\x1b\\", "\x1bP1$r2;3r\x1b\\"},
		{"\x1b[3 q\x1bP$q q\x1b\\", "\x1bP1$r3 q\x1b\\"},
		{"\x1bP$q; rm -rf\x1b\\", "\x1bP0$r\x1b\\"},
		{"\x1bP+q544e\x1b\\", "\x1bP0+r\x1b\\"},
		{"\x1b]10;?\a", "\x1b]10;rgb:e0e0/e0e0/e0e0\a"},
		{"\x1b]11;?\x1b\\", "\x1b]11;rgb:0000/0000/0000\x1b\\"},
		{"\x1b]10;?;?\a", "\x1b]10;rgb:e0e0/e0e0/e0e0\a\x1b]11;rgb:0000/0000/0000\a"},
		{"\x1b]11;#123456\a", ""},
		{"\x1b]4;1;?\a", "\x1b]4;1;rgb:cdcd/0000/0000\a"},
		{"\x1b]4;21;?;255;?\a", "\x1b]4;21;rgb:0000/0000/ffff\a\x1b]4;255;rgb:eeee/eeee/eeee\a"},
		{"\x1b]4;256;?\a", ""}, {"\x1b]4;x;?\a", ""},
		{"\x1b[18t", "\x1b[8;40;120t"}, {"\x1b[14t", "\x1b[4;640;960t"}, {"\x1b[16t", "\x1b[6;16;8t"}, {"\x1b[19t", "\x1b[9;40;120t"},
		{"\x1b]0;evil\a\x1b[21t\x1b[20t", "\x1b]l\x1b\\\x1b]L\x1b\\"},
		{"\x1b]52;c;?\a", ""}, {"\x05", ""},
		{"\x1b[?u", "\x1b[?0u"},
		{"\x1b[x", "\x1b[2;1;1;128;128;1;0x"},
		{"\u009b6n", "\x1b[1;1R"},
	} {
		term := New(Options{})
		_, _ = term.Write([]byte(c.in))
		require.Equal(t, c.want, string(term.Replies()), "%q", c.in)
		require.Empty(t, term.Replies())
	}
}

func TestSnapshot(t *testing.T) {
	term := New(Options{Rows: 3, Cols: 10})
	_, _ = term.Write([]byte("\x1b]2;my\ttitle\x1b\\a\tb\r\n\x1b[1;31mred\x1b[0m 日本  \x1b[?25l\x1b[3;2H"))
	s := term.Snapshot(true)
	require.Equal(t, Snapshot{Rows: 3, Cols: 10, Lines: []string{"a       b", "red 日本", ""}, Row: 2, Col: 1, Hidden: true, Title: "my title",
		Spans: [][]Span{nil, {{0, 3, Attr{Foreground: 1<<24 | 1, Flags: Bold}}}, nil}}, s)
	require.Nil(t, term.Snapshot(false).Spans)
}

func TestModes(t *testing.T) {
	term := New(Options{})
	_, _ = term.Write([]byte("\x1b[?1;1002;1006;1004;2004h\x1b=\x1b[?1049h"))
	m := term.Modes()
	require.True(t, m.AppCursor && m.AppKeypad && m.BracketedPaste && m.Focus && m.MouseSGR && m.Alternate)
	require.Equal(t, 1002, m.Mouse)
	_, _ = term.Write([]byte("\x1bc"))
	require.Equal(t, Modes{}, term.Modes())
}

func TestResize(t *testing.T) {
	term := New(Options{Rows: 4, Cols: 20})
	_, _ = term.Write([]byte("1\r\n2\r\nabcdefghij\r\n$ "))
	require.Equal(t, "1\n2\nabcdefghij\n$ ", term.Poll().String())
	term.Resize(2, 5)
	require.Equal(t, []string{"abcde", "$"}, term.Snapshot(false).Lines)
	require.Empty(t, term.Poll().String())
	_, _ = term.Write([]byte("x\r\ny"))
	require.Equal(t, "x\ny", term.Poll().String())
	term.Resize(3, 30)
	require.Equal(t, []string{"$ x", "y", ""}, term.Snapshot(false).Lines)
	_, _ = term.Write([]byte("\r\nz\r\nlonger than five columns"))
	require.Equal(t, "\nz\nlonger than five columns", term.Poll().String())
	term.Resize(0, 1<<30)
	rows, cols := term.Size()
	require.Equal(t, []int{1, MaxCols}, []int{rows, cols})
}

func TestResizeGivesWhatItCuts(t *testing.T) {
	term := New(Options{Rows: 4, Cols: 20})
	_, _ = term.Write([]byte("first line\r\nsecond line\r\nthird line\r\nx"))
	term.Resize(1, 3)
	require.Equal(t, "first line\nsecond line\nthird line\nx", term.Poll().String())
}

func TestCleared(t *testing.T) {
	term := New(Options{})
	_, _ = term.Write([]byte("a\r\nb\r\n"))
	_ = term.Poll()
	_, _ = term.Write([]byte("c\r\n\r\n\x1b[2J\x1b[H"))
	require.Equal(t, int64(1), term.Poll().Cleared)
	require.Zero(t, term.Poll().Cleared)
}

func TestHidden(t *testing.T) {
	term := New(Options{})
	_, _ = term.Write([]byte("\x1bPq" + strings.Repeat("x", 99999) + "\x1b\\a"))
	x := term.Poll()
	require.Equal(t, int64(100000), x.Hidden)
	require.Equal(t, "a", x.String())
}

func TestMaxText(t *testing.T) {
	term := New(Options{MaxText: 100})
	var all strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&all, "line é %d\n", i)
		fmt.Fprintf(term, "line é %d\r\n", i)
	}
	x := term.Poll()
	require.Equal(t, int64(all.Len()), int64(len(x.Head)+len(x.Tail))+x.Omitted)
	require.True(t, strings.HasPrefix(all.String(), x.Head))
	require.True(t, strings.HasSuffix(all.String(), x.Tail))
	require.LessOrEqual(t, len(x.Head)+len(x.Tail), 100)
	require.Contains(t, x.String(), fmt.Sprintf("\n[%d bytes omitted]\n", x.Omitted))
	_, _ = term.Write([]byte("more"))
	require.Equal(t, "more", term.Poll().String())
}

// TestRecordings reads what real programs wrote to a terminal of 24 rows and 80
// columns. UPDATE_RECORDINGS=1 rewrites the expected texts.
func TestRecordings(t *testing.T) {
	for _, name := range []string{"apt", "dialog", "less", "npm", "pip", "vim"} {
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(filepath.Join("testdata", name+".raw"))
			require.NoError(t, err)
			term := New(Options{Rows: 24, Cols: 80})
			_, _ = term.Write(raw)
			x := term.Poll()
			require.Zero(t, x.Omitted)
			golden := filepath.Join("testdata", name+".txt")
			if os.Getenv("UPDATE_RECORDINGS") != "" {
				require.NoError(t, os.WriteFile(golden, []byte(x.String()), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), x.String())
			require.False(t, term.Modes().Alternate)
			single := New(Options{Rows: 24, Cols: 80})
			for i := range raw {
				_, _ = single.Write(raw[i : i+1])
			}
			require.Equal(t, x, single.Poll())
		})
	}
}

// TestPlain: lines without control sequences come out as they went in, however
// they are long, cut and polled.
func TestPlain(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		term := New(Options{Rows: 1 + rnd.IntN(6), Cols: 2 + rnd.IntN(20), Newline: true})
		var in, out strings.Builder
		for range rnd.IntN(40) {
			var line strings.Builder
			for range rnd.IntN(50) {
				line.WriteRune([]rune("abc 日é.\t")[rnd.IntN(8)])
			}
			s := strings.TrimRight(line.String(), " \t") + "\n"
			in.WriteString(s)
			for len(s) > 0 {
				n := 1 + rnd.IntN(len(s))
				_, _ = term.Write([]byte(s[:n]))
				s = s[n:]
				if rnd.IntN(3) == 0 {
					out.WriteString(term.Poll().String())
				}
			}
		}
		out.WriteString(term.Poll().String())
		require.Equal(t, in.String(), out.String())
	}
}
