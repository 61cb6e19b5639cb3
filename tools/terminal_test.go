// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// TestExitWakes: a call returns when its command ends. The clock's timers never
// fire.
func TestExitWakes(t *testing.T) {
	m := newManager(t, Options{Clock: &fakeClock{}})
	for _, tty := range []bool{false, true} {
		for _, cmd := range []string{"sleep 0.05; echo end", "sleep 1000 & echo end", "(sleep 1000; :) & echo end; exit 0", "exec 3>&1; sleep 1000 >&3 & echo end"} {
			r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: cmd, TTY: tty})
			require.NoError(t, err)
			require.Equal(t, 0, *r.ExitCode)
			require.Equal(t, "end\n", r.Output, cmd)
		}
	}
}

// TestTerminalTail: all that is written before the end arrives, in order.
func TestTerminalTail(t *testing.T) {
	var want strings.Builder
	for i := 1; i <= 20000; i++ {
		want.WriteString(itoa(i) + "\n")
	}
	for _, raw := range []bool{false, true} {
		m := newManager(t, Options{RawOutput: raw})
		r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "seq 20000", TTY: true, YieldTimeMS: long})
		require.NoError(t, err)
		require.Equal(t, want.String(), strings.ReplaceAll(r.Output, "\r", ""))
	}
}

// TestTerminalInjection is K1 of the list of attacks: what a hostile program
// writes to its terminal neither reaches the text nor hides what follows.
func TestTerminalInjection(t *testing.T) {
	m := newManager(t, Options{})
	for _, c := range []struct{ name, bytes, shows string }{
		{"clipboard", `\033]52;c;cm0gLXJmIH4=\007`, ""},
		{"title", `\033]0;rm -rf ~\007\033]2;x\033\\`, ""},
		{"link", `\033]8;;http://evil\033\\text\033]8;;\033\\`, "text"},
		{"device control", `\033P+q544e\033\\\033_payload\033\\\033^x\033\\`, ""},
		{"rewritten line", `safe\r\033[2Kevil`, "evil"},
		{"cursor position", `\033[6n\033[c\033[>c\033[5n\033]11;?\007`, ""},
		{"reset", `before\033c`, ""},
		{"eight bits", "a\\302\\233" + "31mb", "ab"},
		{"colours", `\033[31;1mred\033[0m`, "red"},
		{"alternate screen", `\033[?1049hhidden\033[?1049l`, ""},
		{"broken sequences", `\033[999999999999;;;;:::m\033[\033]\033P\033\\`, ""},
		{"bidirectional", "\\342\\200\\256gpj.sh", "gpj.sh"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "stty -echo; printf '" + c.bytes + "'; printf '\\nafter\\n'", TTY: true, YieldTimeMS: long})
			require.NoError(t, err)
			require.Contains(t, r.Output, c.shows)
			require.Contains(t, r.Output, "after\n")
			require.NotContains(t, r.Output, "payload")
			require.NotContains(t, r.Output, "rm -rf")
			require.Less(t, strings.IndexFunc(r.Output, func(r rune) bool {
				return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
			}), 0, "%q", r.Output)
		})
	}
	// What does not end swallows no output of the next command.
	for _, open := range []string{`\033]0;never`, `\033P`, `\033[3`, `\302`} {
		r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "printf '" + open + "'", TTY: true, YieldTimeMS: long})
		require.NoError(t, err)
		require.Equal(t, 0, *r.ExitCode)
		r, err = m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "echo next", TTY: true, YieldTimeMS: long})
		require.NoError(t, err)
		require.Equal(t, "next\n", r.Output)
	}
}

// TestHostileTerminal: random bytes neither break nor grow the terminal, and the
// text of them is text.
func TestHostileTerminal(t *testing.T) {
	m := newManager(t, Options{BufferBytes: 100000})
	r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "head -c 2000000 /dev/urandom; printf '\\033c\\nend\\n'", TTY: true, YieldTimeMS: long})
	require.NoError(t, err)
	for r.SessionID != nil { // a slow machine
		r = write(t, m, int64(*r.SessionID), "")
	}
	require.Equal(t, 0, *r.ExitCode)
	require.True(t, utf8.ValidString(r.Output))
	require.NotContains(t, r.Output, "\x1b")
	require.LessOrEqual(t, len(r.Output), 100100)
	require.Contains(t, r.Output, "end")
}

// TestInteractivePrograms: programs that read a terminal answer each line.
func TestInteractivePrograms(t *testing.T) {
	m := newManager(t, Options{})
	for _, c := range []struct{ cmd, in, out string }{
		{"cat", "one\n", "one\none\n"},
		{"sed s/a/b/", "aaa\n", "aaa\nbaa\n"},
		{`awk '{ print "<" $1 ">" }'`, "x y\n", "x y\n<x>\n"},
		{"tr a b", "aaa\n", "aaa\nbbb\n"},
		{"grep -o x", "axb\n", "axb\nx\n"},
		{"sh", "echo $((6*7))\n", "42"},
		{"bash -i", "echo $((6*7))\n", "42"},
	} {
		t.Run(c.cmd, func(t *testing.T) {
			id := start(t, m, ExecCommandArgs{Cmd: c.cmd, TTY: true})
			for range 3 {
				drive(t, m, id, c.in, c.out)
			}
			write(t, m, id, "\x04")
			waitFor(t, "its end", func() bool {
				r, err := m.WaitSession(t.Context(), WaitSessionArgs{SessionID: id})
				return err != nil || r.ExitCode != nil
			})
		})
	}
}

// TestResizeRaces changes the size while a program writes and others look.
func TestResizeRaces(t *testing.T) {
	m := newManager(t, Options{})
	id := start(t, m, ExecCommandArgs{Cmd: "trap : WINCH; i=0; while read -t 0 x || [ $i -lt 3000 ]; do i=$((i+1)); echo $i; stty size; done; read y", TTY: true})
	var wg sync.WaitGroup
	for k := range 4 {
		wg.Go(func() {
			for i := range 50 {
				if err := m.ResizeTerminal(id, Winsize{uint16(1 + (i*7+k)%60), uint16(1 + (i*13+k)%150)}); err != nil {
					t.Error(err)
				}
				if _, err := m.ReadScreen(id); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	require.NoError(t, m.ResizeTerminal(id, Winsize{12, 34}))
	s, err := m.ReadScreen(id)
	require.NoError(t, err)
	require.Equal(t, []int{12, 34}, []int{s.Rows, s.Cols})
	_, err = m.TerminateSession(t.Context(), id)
	require.NoError(t, err)
}
