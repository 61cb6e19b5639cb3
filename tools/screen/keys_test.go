// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestControlKey(t *testing.T) {
	for in, want := range map[string]string{
		"C-a": "C-a", "C-C": "C-c", "CTRL-c": "C-c", "ctrl-D": "C-d", "CTRL+z": "C-z", "C-[": "C-[",
		"C-": "", "C-ab": "", "hello": "", "CTRL+12": "", "": "", "C-\n": "", "C-é": "", "c": "",
	} {
		got, ok := ControlKey(in)
		require.Equal(t, want, got, in)
		require.Equal(t, want != "", ok, in)
	}
}

func TestKey(t *testing.T) {
	for _, c := range []struct{ name, want, app string }{
		{"ENTER", "\r", ""}, {"enter", "\r", ""}, {"TAB", "\t", ""}, {"BS", "\x7f", ""}, {"ESC", "\x1b", ""}, {"SPACE", " ", ""},
		{"UP", "\x1b[A", "\x1bOA"}, {"DOWN", "\x1b[B", "\x1bOB"}, {"LEFT", "\x1b[D", "\x1bOD"}, {"RIGHT", "\x1b[C", "\x1bOC"},
		{"HOME", "\x1b[H", "\x1bOH"}, {"END", "\x1b[F", "\x1bOF"}, {"PGUP", "\x1b[5~", ""}, {"PGDN", "\x1b[6~", ""},
		{"INS", "\x1b[2~", ""}, {"DEL", "\x1b[3~", ""}, {"F1", "\x1bOP", ""}, {"F5", "\x1b[15~", ""}, {"F12", "\x1b[24~", ""},
		{"C-C", "\x03", ""}, {"C-D", "\x04", ""}, {"CTRL-c", "\x03", ""}, {"CTRL+Z", "\x1a", ""}, {"C-[", "\x1b", ""}, {`C-\`, "\x1c", ""},
		{"C-]", "\x1d", ""}, {"C-^", "\x1e", ""}, {"C-_", "\x1f", ""}, {"C-@", "\x00", ""}, {"C-?", "\x7f", ""}, {"C-SPACE", "\x00", ""},
		{"M-x", "\x1bx", ""}, {"ALT-X", "\x1bX", ""}, {"M-é", "\x1bé", ""}, {"M-ENTER", "\x1b\r", ""}, {"M-ESC", "\x1b\x1b", ""}, {"C-M-c", "\x1b\x03", ""},
		{"S-TAB", "\x1b[Z", ""}, {"BTAB", "\x1b[Z", ""}, {"C-LEFT", "\x1b[1;5D", "\x1b[1;5D"}, {"S-UP", "\x1b[1;2A", ""}, {"C-S-F1", "\x1b[1;6P", ""},
		{"M-DEL", "\x1b[3;3~", ""}, {"S-C-F12", "\x1b[24;6~", ""},
	} {
		got, ok := Key(c.name, false)
		require.True(t, ok, c.name)
		require.Equal(t, c.want, string(got), c.name)
		got, ok = Key(c.name, true)
		require.True(t, ok, c.name)
		if c.app == "" {
			c.app = c.want
		}
		require.Equal(t, c.app, string(got), c.name)
	}
	for _, name := range []string{"", "C-", "C-ab", "C-1", "hello", "F13", "M-", "M-ab", "S-a", "C-C-LEFT", "S-ENTER", "M-\xff", "CTRL+12", "C-é"} {
		b, ok := Key(name, false)
		require.False(t, ok, "%q gives %q", name, b)
	}
	for _, n := range KeyNames() {
		_, ok := Key(n, false)
		require.True(t, ok, n)
	}
	for _, n := range []string{"ENTER", "TAB", "ESC", "UP", "DOWN"} {
		require.Contains(t, KeyNames(), n)
	}
}

func TestPaste(t *testing.T) {
	require.Equal(t, "a\rb\rc", string(Paste("a\nb\r\nc", false)))
	require.Equal(t, "\x1b[200~a\rb\x1b[201~", string(Paste("a\nb", true)))
	require.Equal(t, "\x1b[200~xy\x1b[201~", string(Paste("x\x1b[201\x1b[201~~y", true)))
}

func FuzzKey(f *testing.F) {
	for _, s := range []string{"C-a", "M-S-C-F1", "CTRL+", "ENTER", "M-é", "C-M-x", "C-M-0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		b, ok := Key(name, false)
		if ok != (len(b) > 0) || len(b) > 8 {
			t.Fatalf("%q gives %q, %v", name, b, ok)
		}
	})
}

func TestFilter(t *testing.T) {
	long := strings.Repeat("x", 3*maxString)
	for _, c := range []struct{ in, want string }{
		{"some text\x1b[6nmore text", "some textmore text"},
		{"start\x1b]11;?\aend", "startend"},
		{"start\x1b]11;?\x1b\\end", "startend"},
		{"start\x1b]0;My Window Title\aend", "start\x1b]0;My Window Title\aend"},
		{"start\x1b[cend", "startend"},
		{"start\x1b[>0cend", "startend"},
		{"start\x1bP$qsetting\x1b\\end", "startend"},
		{"normal \x1b[31mred text\x1b[0m normal", "normal \x1b[31mred text\x1b[0m normal"},
		{"a\x1b[5n\x1b[?6n\x1b[0c\x1b[=c\x1b[>c\x1b[>q\x1b[>0q\x1b[?25$p\x1b[4$p\x1b[14t\x1b[18t\x1b[21t\x1b[x\x1b[?uz", "az"},
		{"a\x1bZ\x05\u009b6n\u009d10;?\u009c\u0090$qm\u009c\u009az", "az"},
		{"a\x1bP+q544e\x1b\\\x1b]4;1;?\a\x1b]4;1;#fff;2;?\a\x1b]52;c;?\a\x1b_Gi=1,a=q;x\x1b\\z", "az"},
		{"\x1b[2J\x1b[1;1H\x1b[?25h\x1b[4 q\x1b[!p\x1b[8;40;120t\x1b[1;5r\x1b[u\x1b[s", "\x1b[2J\x1b[1;1H\x1b[?25h\x1b[4 q\x1b[!p\x1b[8;40;120t\x1b[1;5r\x1b[u\x1b[s"},
		{"\x1b]8;;http://x/?\x1b\\link\x1b]8;;\x1b\\", "\x1b]8;;http://x/?\x1b\\link\x1b]8;;\x1b\\"},
		{"\x1b]11;#fff\a\x1b]52;c;aGk=\a", "\x1b]11;#fff\a\x1b]52;c;aGk=\a"},
		{"\x1bPq sixel\x1b\\\x1b_Ga=T;x\x1b\\\x1b(0x\x1b(B\x1b7\x1b8", "\x1bPq sixel\x1b\\\x1b_Ga=T;x\x1b\\\x1b(0x\x1b(B\x1b7\x1b8"},
		{"caf\xc3\xa9 \xc2\xa9 \xff\xfe\x80 \xc2", "caf\xc3\xa9 \xc2\xa9 \xff\xfe\x80 \xc2"},
		{"\x1b[3\x1b[6nx\x1b]11;?\x1b[6ny", "\x1b[3x\x1b]11;?y"},
		{"\x1b[6\x18n\x1b[\r6nx", "\x1b[6\x18nx"},
		{"\x1b]0;" + long + "\aend", "\x1b]0;" + long + "\aend"},
		{"\x1bP" + long + "\x1b\\\x1b[6nend", "\x1bP" + long + "\x1b\\end"},
		{"\x1b[" + strings.Repeat("1;", maxString) + "mx\x1b[6n", "\x1b[" + strings.Repeat("1;", maxString) + "mx"},
		{"\x1b[31", "\x1b[31"},
	} {
		var f Filter
		got := append(f.Filter(nil, []byte(c.in)), f.Flush()...)
		require.Equal(t, c.want, string(got), "%q", c.in)
		var single []byte
		for i := range len(c.in) {
			single = f.Filter(single, []byte{c.in[i]})
		}
		single = append(single, f.Flush()...)
		require.Equal(t, c.want, string(single), "%q byte by byte", c.in)
	}
}

func TestFilterHolds(t *testing.T) {
	for _, c := range []struct {
		chunks, want []string
		flush        string
	}{
		{[]string{"prefix\x1b[", "6nsuffix"}, []string{"prefix", "suffix"}, ""},
		{[]string{"text\x1b", "[32mgreen"}, []string{"text", "\x1b[32mgreen"}, ""},
		{[]string{"text\x1b[32"}, []string{"text"}, "\x1b[32"},
		{[]string{"a\x1b]11;", "?", "\x1b", "\\b"}, []string{"a", "", "", "b"}, ""},
	} {
		var f Filter
		for i, chunk := range c.chunks {
			require.Equal(t, c.want[i], string(f.Filter(nil, []byte(chunk))), "%q", c.chunks)
		}
		require.Equal(t, c.flush, string(f.Flush()))
	}
}

func TestSanitizer(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain é 日本\r\n\t\b", "plain é 日本\r\n\t\b"},
		{"\x1b[1;31mred\x1b[m\x1b[38:2::1:2:3mx\x1b[38;5;9m", "\x1b[1;31mred\x1b[m\x1b[38:2::1:2:3mx\x1b[38;5;9m"},
		{"\x1b[2J\x1b[3;4H\x1b[K\x1b[?25l\x1b[?1049h\x1b[2;5r\x1b7\x1b8\x1b(0q\x1b(B", "\x1b[2J\x1b[3;4H\x1b[K\x1b[?25l\x1b[?1049h\x1b[2;5r\x1b7\x1b8\x1b(0q\x1b(B"},
		{"a\x1b]0;title\ab\x1b]52;c;aGk=\ac\x1b]8;;http://evil\x1b\\d\x1b]1337;File=x\ae", "abcde"},
		{"a\x1b[6n\x1b[c\x1b[>q\x1b[21t\x1bZ\x05\x1bP$qm\x1b\\\x1b]11;?\a\x1b[?25$p\x1b[5nz", "az"},
		{"a\x1b[?1000;1006;2004;1h\x1b=\x1b[8;1;1t\x1b[4i\x1b[20h\x1b[12h\x1bc\x1b[!p\x1b#3z", "az"},
		{"a\x1b[?25;1000l\x1b[?7;6hz", "a\x1b[?25l\x1b[?7h\x1b[?6hz"},
		{"\u009b31ma\u009d0;x\u009cb\u009b6nc\u0085", "\x1b[31mabc\x1bE"},
		{"a\u202eb\a\x00\x7f\xff", "a<U+202E>b\ufffd"},
	} {
		var s Sanitizer
		require.Equal(t, c.want, string(s.Sanitize(nil, []byte(c.in))), "%q", c.in)
	}
	for in, want := range map[string]string{
		"plain\r\n": "", "\x1b[31m": "\x1b[0m", "\x1b[?1049hx": "\x1b[?1049l", "\x1b[?1049hx\x1b[?1049l": "",
		"\x1b[?25l": "\x1b[4l\x1b[?5l\x1b[?7h\x1b[?25h\x1b[?2026l", "\x1b[2;3r": "\x1b7\x1b[r\x1b8",
		"\x1b(0": "\x1b(B\x1b)B\x0f", "\x1b[?6h": "\x1b[?6l\x1b[r\x1b[999H", "\x1b]0;open": "",
	} {
		var s Sanitizer
		s.Sanitize(nil, []byte(in))
		require.Equal(t, want, string(s.End(nil)), "%q", in)
		require.Empty(t, s.End(nil))
	}
}
