// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/wasishell"
)

// TestTerminalLess drives less over a pipe and over a file: keys come from
// /dev/tty, whatever standard input is.
func TestTerminalLess(t *testing.T) {
	sb := newTTYSandbox(t)
	c := sb.Shell("seq 100 | sed 's/$/ line/' | less; stty size; echo done")
	c.TTY = &wasishell.Winsize{Rows: 10, Cols: 40}
	s := startTTY(t, c)
	s.out.has(t, "9 line\r\n")
	s.out.has(t, ":")
	s.typed(" ")
	s.out.has(t, "18 line\r\n")
	s.typed("/5[0-9]\r")
	s.out.has(t, "58\x1b[27m line\r\n")
	s.typed("G")
	s.out.has(t, "100 line\r\n")
	s.out.has(t, "(END)")
	require.NoError(t, s.Resize(wasishell.Winsize{Rows: 6, Cols: 30}))
	s.out.until(t, "a new screen", func(o string) bool {
		_, after, _ := strings.Cut(o, "(END)")
		return strings.Contains(after, "96 line\r\n")
	})
	s.typed("q")
	s.out.has(t, "6 30\r\ndone\r\n")
	require.NoError(t, s.wait())
}

// TestTerminalLessStops: a stopped less leaves the terminal as it was found, and
// comes back; a signal that ends it does so, with the terminal put back.
func TestTerminalLessStops(t *testing.T) {
	const enter, leave = "\x1b[?1049h", "\x1b[?1049l"
	sb := newTTYSandbox(t)
	c := sb.Command("bash", "--norc", "-i")
	c.Env = []string{"PS1=$ ", "TERM=xterm"}
	s := startTTY(t, c)
	// next waits for part behind what was waited for before, and returns what came first.
	from := 0
	next := func(part string) (before string) {
		s.out.until(t, part, func(o string) bool {
			before, _, _ = strings.Cut(o[from:], part)
			return strings.Contains(o[from:], part)
		})
		from += len(before) + len(part)
		return before
	}
	next("$ ")
	s.typed("seq 100 >/tmp/f; stty -g >/tmp/before; less /tmp/f\n")
	require.Contains(t, next("\x1b[7m"), enter)
	next("\x1b[27m") // the prompt
	s.typed("\x1a")
	require.Contains(t, next("Stopped"), leave)
	next("$ ")
	s.typed("stty -g >/tmp/after; cmp /tmp/before /tmp/after && echo same$((1))\n")
	next("same1")
	next("$ ")
	s.typed("fg\n")
	next(enter)
	require.Contains(t, next("\x1b[7m"), "23")
	next("\x1b[27m")
	s.typed("\x1a")
	again := next("Stopped")
	require.Contains(t, again, leave)
	require.NotContains(t, again, "22\r\n", "painted once")
	next("$ ")
	s.typed("kill %1; while jobs >/tmp/j; grep -q 'Stopped\\|Running' /tmp/j; do :; done; cat /tmp/j\n")
	require.NotContains(t, next("Exit 15  "), enter)
	s.typed("less /tmp/f & wait; fg\n")
	next(enter)
	next("\x1b[27m")
	s.typed("q")
	require.NotContains(t, next(leave), enter, "painted once")
	s.typed("less /tmp/f; echo hung$((1)) $?\n")
	next(enter)
	out, err := sb.Shell(`for p in /proc/[0-9]*; do read -r n <$p/comm; if test "$n" = less; then kill -HUP ${p#/proc/}; fi; done`).CombinedOutput(t.Context())
	require.NoError(t, err, "%s", out)
	require.Contains(t, next("hung1 129"), leave)
	s.typed("exit 0\n")
	require.NoError(t, s.wait())
}

// TestTerminalMore pages through a file.
func TestTerminalMore(t *testing.T) {
	sb := newTTYSandbox(t)
	c := sb.Shell("seq 20 >/tmp/f; more /tmp/f; echo done")
	c.TTY = &wasishell.Winsize{Rows: 6, Cols: 40}
	s := startTTY(t, c)
	s.out.has(t, "--More--(19%)")
	s.typed("\r")
	s.out.has(t, "\r\x1b[K6\r\n")
	s.typed("q")
	s.out.has(t, "done\r\n")
	require.NoError(t, s.wait())
}

// TestTerminalPagerTypeahead: a pager takes no more keys than it acts on, and
// leaves what is typed behind them to the next program.
func TestTerminalPagerTypeahead(t *testing.T) {
	for _, pager := range []string{"less", "more"} {
		sb := newTTYSandbox(t)
		s := startTTY(t, sb.Shell("seq 100 >/tmp/f; "+pager+" /tmp/f; IFS= read -r x; echo got $x"))
		s.out.has(t, "22\r\n")
		s.out.has(t, "\x1b[27m") // the prompt
		s.typed("qhello\n")
		s.out.has(t, "got hello\r\n")
		require.NoError(t, s.wait())
	}
}

// TestTerminalStty changes modes and reads them back.
func TestTerminalStty(t *testing.T) {
	sb := newTTYSandbox(t)
	s := startTTY(t, sb.Shell("a=$(stty -g); stty -echo intr ^X cols 77; stty; stty size; stty $a; stty -a | head -n 1; tput cols; tput -T xterm setaf 1 | od -An -c"))
	require.NoError(t, s.wait())
	out := s.out.String()
	require.Contains(t, out, "speed 38400 baud; line = 0;\r\nintr = ^X;\r\n")
	require.Contains(t, out, "-echo\r\n")
	require.Contains(t, out, "24 77\r\n")
	require.Contains(t, out, "speed 38400 baud; rows 24; columns 77; line = 0;\r\n77\r\n")
	require.Contains(t, out, "033   [   3   1   m")
}
