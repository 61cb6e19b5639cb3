// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"reflect"
	"testing"
)

// quickSeeds are texts that quickStmts knows.
var quickSeeds = []string{
	"echo hi", ":", "ls -la /tmp", "cd src && ls -la | head -n 5", "grep -rn 'a b' . | sort -u", "echo \"x $HOME y\" >out 2>&1",
	"cat <in >>out", "a; b\n\n c ;d\n", "false || true && echo $? \"$@\" $#", "[ -f \"$x\" ] && echo yes", "find . -name '*.go' -o -name \"*.md\"",
	"echo a=b c= =d ~/x !x", "echo x$y.z'q'\"w\"", "ls *.go ?x", "printf '%s\\n' a\tb", "sort -k2,2n <f|uniq -c|sort -rn|head",
	"echo 12 2>/dev/null", "echo a 2 >f", "test 1 -lt 2", "echo \"\" ''", "x/y.sh -a", "a |b ||c", "echo a>b", "echo 1>b 2>&-", "git log --format=%h",
}

// TestQuick compares quickStmts with the parser.
func TestQuick(t *testing.T) {
	known := 0
	for _, text := range quickSeeds {
		if checkQuick(t, text) {
			known++
		}
	}
	if known < len(quickSeeds)-2 {
		t.Errorf("only %d of %d texts are known", known, len(quickSeeds))
	}
	for _, text := range []string{
		"", " ", "# c", "a &", "a; ;", ";", "a |& b", "a=b", "a=b c", "if a; then b; fi", "f() { :; }", "(a)", "{ a; }", "! a", "a\\\nb", "`a`",
		"$(a)", "${a}", "a <<x\nx", "a <<<b", "echo é", "[[ a ]]", "export a=b", "time a", "'unclosed", "\"unclosed", "a 'x\ny'", "$x", "a &&",
		"a | | b", "a >", "a ;; b", "a > >b", "a >(b)", "let x=1", "a[1]=2", "a$x[1]", "echo a(b)", "a\x00b", "{a,b}", "a;&b", "a && # b",
	} {
		if checkQuick(t, text) {
			switch text {
			default:
				t.Errorf("%q is taken", text)
			}
		}
	}
}

func checkQuick(t *testing.T, text string) bool {
	t.Helper()
	got, ok := quickStmts(text)
	if !ok {
		return false
	}
	want, err := slowStmts(text)
	if err != nil {
		t.Errorf("%q: the parser says %v", text, err)
	} else if !reflect.DeepEqual(got, want) {
		t.Errorf("%q: differs from the parser's tree", text)
	}
	return true
}

func FuzzQuick(f *testing.F) {
	for _, s := range quickSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { checkQuick(t, text) })
}

// BenchmarkQuick compares the two ways to read one short command.
func BenchmarkQuick(b *testing.B) {
	const text = "cd src && grep -rn \"$x\" . | head -n 5"
	b.Run("quick", func(b *testing.B) {
		for b.Loop() {
			if _, ok := quickStmts(text); !ok {
				b.Fatal("not known")
			}
		}
	})
	b.Run("parser", func(b *testing.B) {
		for b.Loop() {
			if _, err := slowStmts(text); err != nil {
				b.Fatal(err)
			}
		}
	})
}
