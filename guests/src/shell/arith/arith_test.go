// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package arith

import (
	"strings"
	"testing"
)

type mapEnv map[string]int64

func (m mapEnv) Load(r *Ref) (int64, error)  { return m[r.Name+r.Sub], nil }
func (m mapEnv) Store(r *Ref, n int64) error { m[r.Name+r.Sub] = n; return nil }
func (m mapEnv) Param(i int) int64           { return 7 }

func TestEval(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
		err  string
	}{
		{"", 0, ""}, {" 1 + 2*3 ", 7, ""}, {"-2**2", 4, ""}, {"2**3**2", 512, ""}, {"7/-2", -3, ""}, {"-7%3", -1, ""},
		{"1<<63", -1 << 63, ""}, {"9223372036854775807+1", -1 << 63, ""}, {"-9223372036854775808/-1", -1 << 63, ""},
		{"0x1F", 31, ""}, {"010", 8, ""}, {"2#101", 5, ""}, {"64#_@", 63*64 + 62, ""}, {"16#fF", 255, ""}, {"08", 0, `value too great for base (error token is "08")`},
		{"1/0", 0, `division by 0 (error token is "0")`}, {"1 +", 0, `syntax error: operand expected (error token is "+")`},
		{"a=5", 5, ""}, {"a+=2", 3, ""}, {"a<<=3", 8, ""}, {"a++ + ++a", 4, ""}, {"a--", 1, ""}, {"(1,2,3)", 3, ""},
		{"1?2:3", 2, ""}, {"0?2:0?3:4", 4, ""}, {"1||1/0", 1, ""}, {"0&&1/0", 0, ""}, {"0&&(a=9)", 0, ""}, {"!5", 0, ""}, {"~5", -6, ""},
		{"1<2==1", 1, ""}, {"5&3|4^1", 5, ""}, {"x[1]=4", 4, ""}, {"2 3", 0, `syntax error in expression (error token is "3")`},
		{"1=2", 0, `attempted assignment to non-variable (error token is "=2")`}, {"$x+1", 8, ""}, {"${x}*$#", 49, ""},
		{"1$x", 0, ErrDynamic.Error()}, {"$x$y", 0, ErrDynamic.Error()}, {"(1", 0, "missing `)' (error token is \"1\")"},
		{"3 > 2 ? 10 : 20", 10, ""}, {"- -1", 1, ""}, {"--1", 1, ""}, {"a*=a=3", 3, ""}, {"2**-1", 0, `exponent less than 0 (error token is "-1")`},
		{"1 >= 1 && 2 != 3", 1, ""}, {strings.Repeat("(", 3000), 0, "recursion"},
	} {
		e, err := Parse(c.text, Options{Params: true})
		var n int64
		if err == nil {
			n, err = e.Eval(mapEnv{"a": 1})
		}
		switch {
		case c.err == "" && err != nil, c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%q: error %v, want %q", c.text, err, c.err)
		case c.err == "" && n != c.want:
			t.Errorf("%q = %d, want %d", c.text, n, c.want)
		}
	}
}

func FuzzArith(f *testing.F) {
	for _, s := range []string{"1+2", "a=b?c:d", "x[1]++", "2**3", "16#ff", "((1))", "$x", "1,2", "a<<=1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if e, err := Parse(s, Options{Params: true}); err == nil {
			e.Eval(mapEnv{})
		}
	})
}

func BenchmarkEval(b *testing.B) {
	e, _ := Parse("a+1", Options{})
	env := mapEnv{"a": 1}
	b.ReportAllocs()
	for b.Loop() {
		e.Eval(env)
	}
}
