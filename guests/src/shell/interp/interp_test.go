// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// eval runs a text in a fresh shell whose output is kept in memory.
func eval(text string) (out string, status int) {
	sh := benchShell()
	st := sh.runText(text, 0)
	st = sh.finish(st)
	return string(sh.fds[1].mem.buf), st
}

func TestNesting(t *testing.T) {
	for name, text := range map[string]string{
		"function":     "f() { f; }; f",
		"eval":         "x='eval \"$x\"'; eval \"$x\"",
		"substitution": "f() { x=$(f); }; f",
		"subshell":     "f() { (f); }; f",
		"arithmetic":   "a=b b=a; echo $((a))",
		"nameref":      "declare -n r=q q=r; echo $r",
		"trap":         "trap 'f' EXIT; f() { f; }; f",
		"parentheses":  "echo $((" + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000) + "))",
	} {
		t.Run(name, func(t *testing.T) {
			eval(text) // must come back
		})
	}
}

func TestBounds(t *testing.T) {
	old := maxString
	maxString = 1 << 20
	defer func() { maxString = old }()
	for _, text := range []string{
		"echo {1..100000000}", "echo {1..10000}{1..10000}", "x=aaaaaaaa; while :; do x=$x$x; done", "x=aaaaaaaa; while :; do set -- \"$x$x\"; x=$1; done",
		"printf '%99999999d' 1", "printf -v x '%*d' 9999999999 1", "x=aaaa; while :; do x=${x//a/aaaa}; done", "x=aaaa; while :; do x+=$x; done",
	} {
		_, st := eval(text)
		require.NotZero(t, st, text)
	}
}

func TestMessages(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"\nnosuchcommand", "bash: line 2: nosuchcommand: command not found\n"},
		{"f() {\n cd /nosuch\n}\nf", "bash: line 2: cd: /nosuch: No such file or directory\n"},
		{"readonly x=1; x=2", "bash: line 1: x: readonly variable\n"},
		{"echo $((1/0))", "bash: line 1: 1/0: division by 0 (error token is \"0\")\n"},
		{"echo a\nif", "bash: line 2: syntax error: unexpected end of file (`if` must be followed by a statement list)\n"},
		{"echo a\n)", "bash: line 2: syntax error near unexpected token `)' (`)` can only be used to close a subshell)\n"},
		{": ${u:?is missing}", "bash: line 1: u: is missing\n"},
		{"shopt nosuch", "bash: line 1: shopt: nosuch: invalid shell option name\n"},
		{"${|x;}", "bash: line 1: ${|x;}: bad substitution\n"},
	} {
		sh := benchShell()
		m := &capture{r: -1, w: -1}
		sh.setFD(2, &file{k: -1, mem: m, refs: 1})
		sh.runText(c.text, 0)
		require.Equal(t, c.want, string(m.buf), c.text)
	}
}

// Variables of a subshell are its own, whichever side writes first.
func TestSubshellVariables(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"x=1; (x=2; echo $x); echo $x", "2\n1\n"},
		{"a=(1 2); (a[0]=9; echo ${a[@]}); echo ${a[@]}", "9 2\n1 2\n"},
		{"declare -A m=([k]=v); (m[k]=w; m[n]=x); echo ${#m[@]} ${m[k]}", "1 v\n"},
		{"f() { local x=l; (x=s); echo $x; }; x=g; f; echo $x", "l\ng\n"},
		{"i=0; $(i=5); i=$((i+1)); echo $i", "1\n"},
		{"set -- a; (set -- b c; shift); echo $# $1", "1 a\n"},
		{"f() { echo 1; }; (f() { echo 2; }; f); f", "2\n1\n"},
		{"x=1; y=$(x=2; echo $(x=3; echo $x)$x)$x; echo $y", "321\n"},
		{"cd /; (cd /tmp); pwd; umask 022; (umask 077); umask", "/\n0022\n"},
	} {
		out, _ := eval(c.text)
		require.Equal(t, c.want, out, c.text)
	}
}

func FuzzParseCompile(f *testing.F) {
	for _, c := range []string{
		"echo $((a b)) ${x[", "f() { x; }; f", "cat <<E\n$x\nE", "case x in a) ;; esac", "${x//a/b}", "a=([b c]=1)", "((a) | b)", "`x \\`y\\``",
		"{a,b{1..3}}", "let x=1", "[[ a =~ b ]]", "x=$(<f)", "for ((;;)); do :; done", "\xff'\xfe'", "! ! x", "coproc x", "${x:1:2}", "${!x@}", "alias a='b c'",
	} {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 500 {
			return
		}
		sh := benchShell()
		sh.aliases = map[string]string{"a": "b c ", "b": "a"}
		sh.shopt.expandAliases = true
		u := sh.parseUnit(s, 0, func(n string) (string, bool) { v, ok := sh.aliases[n]; return v, ok })
		u.asNode()
		for i := range u.list {
			u.rest(i)
		}
	})
}

// The words of a script are expanded without running anything.
func FuzzExpand(f *testing.F) {
	for _, c := range []string{"a*b", "$x\"$y\"", "${x#a}", "{1..3}", "~/x", "${x:1:2}", "\\*", "${x/a/b}", "$'a'", "${x@Q}", "${#x}", "$((1+1))", "[a-z]"} {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 200 || strings.ContainsAny(s, "`<>&|;") || strings.Contains(s, "$(") && !strings.Contains(s, "$((") {
			return
		}
		sh := benchShell()
		sh.opts.noglob = true
		sh.setFD(2, &file{k: -1, mem: &capture{r: -1, w: -1}, refs: 1})
		sh.setName("x", "a b*c")
		ws, msg := sh.parseWords(s, 1)
		if msg != "" {
			return
		}
		for _, w := range ws {
			for i := range w.parts {
				if w.parts[i].kind == pCmd || w.parts[i].kind == pProc {
					return
				}
			}
		}
		sh.fieldsOf(ws)
	})
}
