// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What bash 5.2 makes of the lines behind this history.
func TestExpandHistory(t *testing.T) {
	hist := []string{"echo one two three", "ls -l /usr/share/doc.txt", "x='a b' y; z | w"}
	for _, c := range []struct {
		in, out, msg string
		print        bool
	}{
		{in: "plain", out: "plain"},
		{in: "!!", out: hist[2]},
		{in: "a !! b", out: "a " + hist[2] + " b"},
		{in: "!1", out: hist[0]},
		{in: "!-2", out: hist[1]},
		{in: "!ec:2", out: "two"},
		{in: "!ec:1-2", out: "one two"},
		{in: "!ec:2*", out: "two three"},
		{in: "!ec:2-", out: "two"},
		{in: "!ec:0", out: "echo"},
		{in: "!ec^ !ec$ !ec:*", out: "one three one two three"},
		{in: "!ls:$:h", out: "/usr/share"},
		{in: "!ls:$:t:r", out: "doc"},
		{in: "!ls:$:e", out: ".txt"},
		{in: "!ls:s/l/L/", out: "Ls -l /usr/share/doc.txt"},
		{in: "!ls:gs/s/S/", out: "lS -l /uSr/Share/doc.txt"},
		{in: "!ls:s/ls/&&/", out: "lsls -l /usr/share/doc.txt"},
		{in: "!?share?:p", out: hist[1], print: true},
		{in: "!!:q", out: `'x='\''a b'\'' y; z | w'`},
		{in: "!!:$", out: "w"},
		{in: "!!:0", out: "x='a b'"},
		{in: "^z^q^", out: "x='a b' y; q | w"},
		{in: "'!!' \\!!", out: "'!!' \\!!"},
		{in: "a! b", out: "a! b"},
		{in: "! true", out: "! true"},
		{in: "[[ a != b ]]", out: "[[ a != b ]]"},
		{in: "echo $! ${!x} [!a]", out: "echo $! ${!x} [!a]"},
		{in: "a b !#:1", out: "a b b"},
		{in: "!nosuch", msg: "!nosuch: event not found"},
		{in: "!99", msg: "!99: event not found"},
		{in: "!ec:9", msg: "!ec:9: bad word specifier"},
		{in: "!!:s/nope/x/", msg: ":s/nope/x/: substitution failed"},
	} {
		sh := benchShell()
		for _, l := range hist {
			sh.rt.hist.list = append(sh.rt.hist.list, histLine{text: l})
		}
		out, print, msg := sh.expandHistory(c.in)
		require.Equal(t, c.msg, msg, c.in)
		if msg == "" {
			require.Equal(t, c.out, out, c.in)
		}
		require.Equal(t, c.print, print, c.in)
	}
}

func FuzzExpandHistory(f *testing.F) {
	for _, s := range []string{"!!", "!-1:s/a/b/:p", "^a^b^:h", "!?x?:2-$", "!#:0*", "'!' \"!\" \\!", "!!:gs/o/oo/:&", "!:", "!{", "^", "!#$"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 100 {
			return
		}
		sh := benchShell()
		sh.rt.hist.list = []histLine{{text: "echo foo 'bar baz'"}, {text: "a|b"}}
		out, _, msg := sh.expandHistory(s)
		if !strings.ContainsAny(s, "!^") {
			require.Equal(t, s, out)
			require.Empty(t, msg)
		}
		lastWord(s)
	})
}

func TestLastWord(t *testing.T) {
	for _, c := range []struct {
		line    string
		from    int
		text    string
		command bool
		name    string
	}{
		{"", 0, "", true, ""},
		{"ec", 0, "ec", true, ""},
		{"echo ", 5, "", false, "echo"},
		{"echo a\\ b", 5, "a b", false, "echo"},
		{"echo 'a b", 5, "a b", false, "echo"},
		{"echo \"a\\\"b", 5, "a\"b", false, "echo"},
		{"a; b", 3, "b", true, ""},
		{"a | if b", 7, "b", true, ""},
		{"x=1 ec", 4, "ec", true, ""},
		{"x=/us", 2, "/us", false, ""},
		{"cat >fi", 5, "fi", false, "cat"},
		{"cat 2> fi", 7, "fi", false, "cat"},
		{"echo $(ca", 7, "ca", true, ""},
		{"ls --color=au", 11, "au", false, "ls"},
		{"ls --color=auto fi", 16, "fi", false, "ls"},
		{"sudo ec", 5, "ec", true, ""},
	} {
		p := lastWord(c.line)
		require.Equal(t, []any{c.from, c.text, c.command, c.name}, []any{p.from, p.text, p.command, p.name}, "%q", c.line)
	}
}

func TestCompletions(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []string{"plain.txt", "with space", "dir/inner", ".hidden", "it's", "prog"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, n)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, n), nil, 0o644))
	}
	require.NoError(t, os.Chmod(filepath.Join(dir, "prog"), 0o755))
	sh := benchShell()
	sh.cwd = dir
	sh.setName("PATH", dir)
	sh.setName("HOME", dir)
	sh.setName("COMPLETION_A", "1")
	for _, c := range []struct{ line, want string }{
		{"cat pl", "plain.txt "},
		{"cat wi", "with\\ space "},
		{"cat 'wi", "'with space' "},
		{"cat \"wi", "\"with space\" "},
		{"cat it", "it\\'s "},
		{"cat di", "dir/"},
		{"cat dir/", "dir/inner "},
		{"cat ~/pl", "~/plain.txt "},
		{"cat $HOME/pl", "$HOME/plain.txt "},
		{"cat .h", ".hidden "},
		{"cat zz", ""},
		{"cd d", "dir/"},
		{"cd p", ""},
		{"pro", "prog "},
		{"./pr", "./prog "},
		{"echo $COMPLETION_", "$COMPLETION_A "},
		{"echo \"${COMPLETION_", "${COMPLETION_A}"},
		{"x=pl", "plain.txt "},
		{"cat <pl", "plain.txt "},
		{"unali", "unalias "},
	} {
		var got []string
		for _, w := range sh.completions(c.line).Words {
			got = append(got, w.Text+w.End)
		}
		require.Equal(t, c.want, strings.Join(got, ","), c.line)
	}
	for _, l := range []string{"cat $(touch made)/", "cat \"$(touch made)/", "cat `touch made`/x", "$(touch made)/"} {
		sh.completions(l)
	}
	require.NoFileExists(t, filepath.Join(dir, "made"))
}

func TestPromptEscapes(t *testing.T) {
	sh := benchShell()
	sh.base, sh.cwd = "bash", "/home/user/src"
	sh.setName("HOME", "/home/user")
	sh.setName("USER", "me")
	sh.rt.hist.list = make([]histLine, 4)
	for _, c := range []struct{ in, want string }{
		{`\u:\w `, "me:~/src "},
		{`\W \s-\v`, "src bash-5.2"},
		{`\[\e[1m\]x\n\\`, "\x1b[1mx\n\\"},
		{`\! \# \j`, "5 1 0"},
		{`\101\040\x`, "A \\x"},
		{`$((1+1))$HOME`, "2/home/user"},
	} {
		require.Equal(t, c.want, sh.prompt(c.in), c.in)
	}
	sh.rt.marks = true
	require.Equal(t, "\x01\x1b[1m\x02x", sh.prompt(`\[\e[1m\]x`))
}
