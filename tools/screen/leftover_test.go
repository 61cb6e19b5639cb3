// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLeftover(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"text\r\n", ""},
		{"\x1b[?1049h\x1b[22;0;0t\x1b[?1h\x1b=", "\x1b[?1049l\x1b[?1l\x1b>"},
		{"\x1b[?1049h\x1b[?1h\x1b=\x1b[?1l\x1b>\x1b[?1049l", ""},
		{"\x1b[?47h\x1b[?1049l", ""},
		{"\x1b[?2004h$ ", "\x1b[?2004l"},
		{"\x1b[?1000;1006h", "\x1b[?1000l\x1b[?1006l"},
		{"\x1b[?25l\x1b[?7l", "\x1b[?7h\x1b[?25h"},
		{"\x1b[?25l\x1b[?25h", ""},
		{"\x1b[1;31mred", "\x1b[0m"},
		{"\x1b[31mred\x1b[39m", ""},
		{"\x1b[38;5;0mblack", "\x1b[0m"},
		{"\x1b[31mred\x1b[m", ""},
		{"\x1b(0q\x1b(B", ""},
		{"\x0e", "\x1b(B\x0f"},
		{"\x1b[?25l\x1b[31m\x1b[?2004h\x1b[!p", "\x1b[?2004l"},
		{"\x1b[?1049h\x1b[31m\x1bc", ""},
		{"\x1b[?25", "\x18"},
		{"\x1b]0;title", "\x18"},
		{"\x1b[25l\x1b[?9999h", ""},
	} {
		var l Leftover
		for i := range len(c.in) {
			_, err := l.Write([]byte(c.in[i : i+1]))
			require.NoError(t, err)
		}
		require.Equal(t, c.want, string(l.Reset(nil)), "%q", c.in)
		require.Empty(t, l.Reset(nil), "%q", c.in)
	}
}

func TestResetUnknown(t *testing.T) {
	require.NotContains(t, string(ResetUnknown(nil, false)), "1049")
	require.Contains(t, string(ResetUnknown(nil, true)), "\x1b[?1049l")
	for _, s := range []string{"\x18", "\x1b[?2004l", "\x1b[?1006l", "\x1b[?25h", "\x1b>", "\x1b[0m", "\x1b(B\x0f"} {
		require.Contains(t, string(ResetUnknown(nil, false)), s)
	}
}

// FuzzLeftover: what is put back leaves nothing.
func FuzzLeftover(f *testing.F) {
	for _, s := range []string{"\x1b[?1049h", "\x1b[38;2;1;2;3m\x1b=", "\x1b[?1;25;7l\x1b[", "\x1bP\x1b", "\x1b(0", "\x0e"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var l, m Leftover
		_, _ = l.Write(b)
		_, _ = m.Write(b)
		_, _ = m.Write(l.Reset(nil))
		if rest := m.Reset(nil); len(rest) > 0 {
			t.Fatalf("%q leaves %q", b, rest)
		}
	})
}

func BenchmarkLeftover(b *testing.B) {
	p := []byte("\x1b[31mred\x1b[0m and plain text of a line that is not so short\r\n")
	b.SetBytes(int64(len(p)))
	var l Leftover
	for b.Loop() {
		_, _ = l.Write(p)
	}
}
