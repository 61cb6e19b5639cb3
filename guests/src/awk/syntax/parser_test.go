// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// show writes an expression with all its parentheses.
func show(x Expr) string {
	list := func(l []Expr) string {
		s := make([]string, len(l))
		for i, e := range l {
			s[i] = show(e)
		}
		return strings.Join(s, ", ")
	}
	switch x := x.(type) {
	case *Num:
		if x.Val == 2 {
			return "2"
		}
		return "1"
	case *Str:
		return `"` + x.Val + `"`
	case *Regex:
		return "/" + x.Src + "/"
	case *Var:
		return x.Sym.Name
	case *Index:
		return show(x.Array) + "[" + list(x.Keys) + "]"
	case *Field:
		return "$" + show(x.X)
	case *Assign:
		op := string(rune(x.Op))
		if x.Op != '=' {
			op += "="
		}
		return "(" + show(x.L) + " " + op + " " + show(x.R) + ")"
	case *Cond:
		return "(" + show(x.If) + " ? " + show(x.Then) + " : " + show(x.Else) + ")"
	case *Logic:
		if x.Or {
			return "(" + show(x.L) + " || " + show(x.R) + ")"
		}
		return "(" + show(x.L) + " && " + show(x.R) + ")"
	case *Arith:
		return "(" + show(x.L) + " " + string(rune(x.Op)) + " " + show(x.R) + ")"
	case *Compare:
		return "(" + show(x.L) + " " + string(rune(x.Op)) + " " + show(x.R) + ")"
	case *Concat:
		return "(" + show(x.L) + " . " + show(x.R) + ")"
	case *Unary:
		return "(" + string(rune(x.Op)) + show(x.X) + ")"
	case *IncDec:
		op := "++"
		if x.Dec {
			op = "--"
		}
		if x.Prefix {
			return "(" + op + show(x.X) + ")"
		}
		return "(" + show(x.X) + op + ")"
	case *Group:
		return show(x.X)
	case *In:
		return "(" + list(x.Keys) + " in " + show(x.Array) + ")"
	case *Match:
		op := " ~ "
		if x.Not {
			op = " !~ "
		}
		return "(" + show(x.L) + op + show(x.R) + ")"
	case *Call:
		return x.Fn.Name + "(" + list(x.Args) + ")"
	case *BuiltinCall:
		return x.Fn.String() + "(" + list(x.Args) + ")"
	case *Getline:
		s := "getline"
		if x.Target != nil {
			s += " " + show(x.Target)
		}
		switch x.From {
		case '<':
			s += " < " + show(x.Src)
		case '|':
			s = show(x.Src) + " | " + s
		}
		return "(" + s + ")"
	}
	return "?"
}

func TestPrecedence(t *testing.T) {
	for _, c := range [][2]string{
		{`a = b = 1`, `(a = (b = 1))`},
		{`a ? b : c ? d : e`, `(a ? b : (c ? d : e))`},
		{`a || b && c`, `(a || (b && c))`},
		{`a && b = 1`, `(a && (b = 1))`},
		{`a in x && (b, c) in x`, `((a in x) && (b, c in x))`},
		{`a ~ b ~ c`, `((a ~ b) ~ c)`},
		{`! a ~ b`, `((!a) ~ b)`},
		{`a !~ /x/`, `(a !~ /x/)`},
		{`a b c`, `((a . b) . c)`},
		{`a < b c`, `(a < (b . c))`},
		{`a " " -1`, `(a . (" " - 1))`},
		{`a - -1`, `(a - (-1))`},
		{`a + b * c`, `(a + (b * c))`},
		{`a - b - c`, `((a - b) - c)`},
		{`a % b / c`, `((a % b) / c)`},
		{`-a ^ 2`, `(-(a ^ 2))`},
		{`a ^ b ^ c`, `(a ^ (b ^ c))`},
		{`a ** -b`, `(a ^ (-b))`},
		{`!a + b`, `((!a) + b)`},
		{`$a++`, `($a++)`},
		{`$++a`, `$(++a)`},
		{`$a[1]`, `$a[1]`},
		{`$NF - 1`, `($NF - 1)`},
		{`$$a++`, `$($a++)`},
		{`$-a`, `$(-a)`},
		{`++a[1] + b--`, `((++a[1]) + (b--))`},
		{`a ++b`, `((a++) . b)`},
		{`a / b / c`, `((a / b) / c)`},
		{`/a/ ~ 1`, `(/a/ ~ 1)`},
		{`a = /=/`, `(a = /=/)`},
		{`"c" | getline > 1`, `(("c" | getline) > 1)`},
		{`"a" "b" | getline x`, `(("a" . "b") | getline x)`},
		{`"c" | getline x + 1`, `(("c" | getline x) + 1)`},
		{`getline < "f" "g"`, `((getline < "f") . "g")`},
		{`(getline x < "f") > 1`, `((getline x < "f") > 1)`},
		{`getline a[1]`, `(getline a[1])`},
		{`length + 1`, `(length() + 1)`},
		{`length(a) b`, `(length(a) . b)`},
		{`substr(a, 1, 2) f(b)`, `(substr(a, 1, 2) . f(b))`},
		{`a[b, c]`, `a[b, c]`},
		{`a[1][b]`, `a[1][b]`},
	} {
		p, err := Parse([]Source{{Text: "BEGIN { zz = (" + c[0] + ") }\nfunction f(x) { return x }"}})
		require.NoError(t, err, c[0])
		got := show(p.Begin[0].Body[0].(*ExprStmt).X.(*Assign).R)
		require.Equal(t, c[1], got, c[0])
	}
}

func TestErrors(t *testing.T) {
	for _, c := range [][2]string{
		{"BEGIN { print 1", "cmd. line:1: BEGIN { print 1\ncmd. line:1:                ^ unexpected newline or end of string"},
		{"BEGIN {\n\tx = = 1\n}", "cmd. line:2: \tx = = 1\ncmd. line:2: \t    ^ syntax error"},
		{"{ x = \"abc }", "cmd. line:1: { x = \"abc }\ncmd. line:1:       ^ unterminated string"},
		{"/abc", "cmd. line:1: /abc\ncmd. line:1: ^ unterminated regexp"},
		{"BEGIN { f() }", "cmd. line:1: fatal: function `f' not defined"},
		{"function f(a) {}\nBEGIN { f(1, 2) }", "cmd. line:2: fatal: function `f' called with more arguments than declared"},
		{"function f(a) { a[1] }\nBEGIN { f(1) }", "cmd. line:2: fatal: attempt to use scalar parameter `a' as an array"},
		{"BEGIN { x = 1\nx[1] = 2 }", "cmd. line:2: fatal: attempt to use scalar `x' as an array"},
		{"BEGIN { next_ = @ }", "cmd. line:1: BEGIN { next_ = @ }\ncmd. line:1:                 ^ syntax error at `@'"},
		{"BEGIN { print substr(1) }", "cmd. line:1: wrong number of arguments of `substr'"},
		{"function NF() {}", "cmd. line:1: function NF() {}\ncmd. line:1:          ^ function `NF': cannot use a special variable as a function"},
		{"BEGIN { switch (1) { default: ; default: ; } }", "cmd. line:1: BEGIN { switch (1) { default: ; default: ; } }\ncmd. line:1:                                 ^ duplicate `default' in switch body"},
	} {
		_, err := Parse([]Source{{Text: c[0]}})
		require.Error(t, err, c[0])
		require.Equal(t, c[1], err.Error(), c[0])
	}
	_, err := Parse([]Source{{Text: "BEGIN {}"}, {Name: "lib.awk", Text: "\n\n}"}})
	require.EqualError(t, err, "lib.awk:3: }\nlib.awk:3: ^ syntax error")
	for _, src := range []string{
		"BEGIN { x = " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000) + " }",
		"BEGIN " + strings.Repeat("{", 5000) + strings.Repeat("}", 5000),
		"BEGIN { x = " + strings.Repeat("- ", 5000) + "1 }",
		"BEGIN { x = " + strings.Repeat("$", 5000) + "1 }",
		"BEGIN { x = " + strings.Repeat("2^", 5000) + "1 }",
		"BEGIN { x = " + strings.Repeat("a[", 5000) + "1" + strings.Repeat("]", 5000) + " }",
		"BEGIN { " + strings.Repeat("if (1) ", 5000) + "x }",
		"BEGIN { x = " + strings.Repeat("a = ", 5000) + "1 }",
	} {
		_, err := Parse([]Source{{Text: src}})
		require.ErrorContains(t, err, "nested too deeply", src[:40])
	}
}

func TestLongExpressions(t *testing.T) {
	for _, part := range []string{"a ", "1 + ", "1 * ", "a || ", "a && ", "a ~ ", "a < ", `"c" | getline `} {
		_, err := Parse([]Source{{Text: "BEGIN { x = " + strings.Repeat(part, 5000) + "1 }"}})
		require.ErrorContains(t, err, "expression too long", part)
		require.Less(t, len(err.Error()), 1000)
	}
}

func TestKinds(t *testing.T) {
	// What is an array only shows in the functions that it is passed to.
	p, err := Parse([]Source{{Text: `
BEGIN { f(a, b); g(c) }
function f(x, y) { h(x); y++ }
function g(z) { f(z, 1) }
function h(u) { u[1] = 1 }`}})
	require.NoError(t, err)
	var names []string
	for _, s := range p.Arrays {
		names = append(names, s.Name)
	}
	require.Equal(t, []string{"a", "c"}, names)
	require.Len(t, p.Scalars, 1)
}

func TestUnescape(t *testing.T) {
	for in, want := range map[string]string{
		`a\tb`: "a\tb", `\101\x42\u43`: "ABC", `\/\"\\`: `/"\`, `\q`: "q", `\`: `\`, `\x`: "x", `\u20ac`: "€", `\1234`: "S4",
	} {
		require.Equal(t, want, Unescape(in), in)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`BEGIN { FS = ":" } /x/, /y/ { print $1, $NF > "f" } END { printf("%s\n", a[1, 2]) | "sort" }`,
		`function f(a, b) { return a[b] } { if (x in y) delete y[x]; else while (i++ < 3) do { x = x "y" } while (0); for (k in y) ; for (;;) break }`,
		"{ switch ($1) { case /a/: case 1: next; default: exit 1 } getline < \"x\"; \"c\" | getline v; $$0++ }\n# c\n",
		`/[/]]/ { gsub(/\//, "\/\x41\\"); x = a ? b : c; a[1][2] = -2 ** 3; print (1, 2) in z, (1)(2) }`,
		"BEGINFILE { nextfile } ENDFILE { } @", "{", "\"", "/", "a[", "1e", "\\\r\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := Parse([]Source{{Text: s}})
		if err != nil {
			if _, ok := err.(*Error); !ok || err.Error() == "" {
				t.Fatalf("error %#v", err)
			}
			return
		}
		for i, v := range p.Scalars {
			if v.Index != i || v.Kind != Scalar {
				t.Fatalf("scalar %+v at %d", v, i)
			}
		}
	})
}
