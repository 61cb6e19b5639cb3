// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package terminfo

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The expected values are those of tput of ncurses 6.4.
func TestExpand(t *testing.T) {
	for _, c := range []struct {
		term, name string
		params     []int
		want       string
	}{
		{"xterm", "clear", nil, "\x1b[H\x1b[2J"},
		{"xterm", "cup", []int{3, 4}, "\x1b[4;5H"},
		{"xterm", "cup", nil, "\x1b[1;1H"},
		{"xterm", "setaf", []int{1}, "\x1b[31m"},
		{"xterm", "bel", nil, "\a"},
		{"xterm", "kbs", nil, "\x7f"},
		{"xterm-256color", "setaf", []int{1}, "\x1b[31m"},
		{"xterm-256color", "setaf", []int{12}, "\x1b[94m"},
		{"xterm-256color", "setaf", []int{200}, "\x1b[38;5;200m"},
		{"xterm-256color", "setab", []int{200}, "\x1b[48;5;200m"},
		{"xterm-256color", "initc", []int{1, 500, 1000, 0}, "\x1b]4;1;rgb:7F/FF/00\x1b\\"},
		{"xterm-256color", "sgr", []int{1, 0, 0, 0, 0, 1, 0, 0, 0}, "\x1b(B\x1b[0;1;7m"},
		{"screen", "smso", nil, "\x1b[3m"},
		{"tmux", "smso", nil, "\x1b[7m"},
		{"tmux-256color", "setaf", []int{100}, "\x1b[38;5;100m"},
		{"vt100-am", "cup", []int{9, 9}, "\x1b[10;10H$<5>"},
		{"xterm", "ich", []int{2}, "\x1b[2@"},
		{"linux", "civis", nil, "\x1b[?25l\x1b[?1c"},
		{"ansi", "rep", []int{'x', 3}, "x\x1b[2b"},
	} {
		term, ok := Lookup(c.term)
		require.True(t, ok, c.term)
		s, ok := term.String(c.name)
		require.True(t, ok, c.name)
		var params []Param
		for _, v := range c.params {
			params = append(params, IntParam(v))
		}
		require.Equal(t, c.want, Expand(s, params...), "%s %s", c.term, c.name)
	}
	require.Equal(t, "-007|  0x2a|+3 |ab  |b", Expand("%p1%4.3d|%p2%#6x|%p3%:-+3d|%p4%:-4s|%p5%l%{96}%+%c",
		IntParam(-7), IntParam(42), IntParam(3), Param{Text: "ab"}, Param{Text: "xy"}))
	require.Equal(t, "2", Expand("%?%p1%{1}%=%t1%e%p1%{2}%=%t2%e3%;", IntParam(2)))
	require.Equal(t, "0", Expand("%p1%{0}%/%d", IntParam(2)))
}

func TestLookup(t *testing.T) {
	for _, name := range []string{"", "nosuch", "X11 terminal emulator", "80-column dumb tty"} {
		_, ok := Lookup(name)
		require.False(t, ok, name)
	}
	for _, e := range entries {
		names, _ := cut(e, ',')
		name, _ := cut(names, '|')
		term, ok := Lookup(name)
		require.True(t, ok, name)
		require.Equal(t, name, term.Name)
		for c, v := range term.text {
			want := Boolean
			switch {
			case v != "" && v[0] == '#':
				want = Number
			case v != "" && v[0] == '=':
				want = String
			}
			require.Equal(t, want, KindOf(c), "%s of %s", c, name)
		}
	}
	term, _ := Lookup("xterm")
	require.Equal(t, "xterm terminal emulator (X Window System)", term.LongName)
	require.Equal(t, 8, term.Number("colors"))
	require.Equal(t, -1, term.Number("lw"))
	require.True(t, term.Bool("am"))
	require.False(t, term.Bool("hc"))
	require.Equal(t, Unknown, KindOf("nope"))
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{"a$<5>b": "ab", "$<50/>x": "x", "$<x>": "$<x>", "$<>": "$<>", "a$": "a$", "$<5$<5>>": "$<5>"} {
		require.Equal(t, want, Plain(in), in)
	}
}

func FuzzExpand(f *testing.F) {
	for _, e := range entries {
		f.Add(e, 3, 4)
	}
	f.Add("%?%p1%t%e%;%%%'x'%{99999999999}%Pa%ga%9999.9999d%", -1, 1<<40)
	f.Fuzz(func(t *testing.T, s string, a, b int) {
		if out := Expand(s, IntParam(a), IntParam(b)); len(out) > maxOutput+2*maxWidth+len(s) {
			t.Fatalf("%d bytes", len(out))
		}
		Plain(unescape(s))
	})
}
