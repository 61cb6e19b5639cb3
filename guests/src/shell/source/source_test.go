// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"strings"
	"testing"
)

func TestMask(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"echo $((a $op b))", "echo $((0      ))"},
		{"(( x $y 1 ))", "((0       ))"},
		{"h[a/b]=1", "h[0  ]=1"},
		{"h=([a b]=1 [c]=2)", "h=([0  ]=1 [0]=2)"},
		{"echo ${h[a b]} ${x:$a$b} ${h[@]}", "echo ${h[0  ]} ${x:0   } ${h[@]}"},
		{"echo '$((a b))' \"$((a b))\"", "echo '$((a b))' \"$((0  ))\""},
		{"((a) || (b))", "( (a) || (b))"},
		{"x=$((echo a) | cat)", "x=$( (echo a) | cat)"},
		{"cat <<E\n$((a b))\nE\necho $((c d))", "cat <<E\n$((0  ))\nE\necho $((0  ))"},
		{"cat <<'E'\n$((a b))\nE\n", "cat <<'E'\n$((a b))\nE\n"},
		{"case x in a) echo $((1 2));; esac", "case x in a) echo $((0  ));; esac"},
		{"echo $(case x in (a) h[b c]=1;; esac)", "echo $(case x in (a) h[0  ]=1;; esac)"},
		{"# it's $((a b))\necho", "# it's $((a b))\necho"},
		{"! ! true", "    true"},
		{"echo ${x!} ${} ${#x:-1} ${x:-$((a b))} ${x@Z} ${x@Q} ${!x@}", "echo $(: ) $() $(:    ) ${x:-$((0  ))} $(:  ) ${x@Q} ${!x@}"},
		{"x=`((a) | (b))` \"`y`\"", "x=`0          ` \"`0`\""},
		{"let x=1*2 # no", "lEt x=1*2 # no"},
		{"echo ${x#\\}} ${y:-'}'} $((1 2))", "echo ${x#\\}} ${y:-'}'} $((0  ))"},
		{"$((1\n2))", "$((0\n ))"},
	} {
		if _, got, _ := Prepare(c.in, Options{Mask: true}); got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.in, got, c.want)
		}
	}
}

func TestAlias(t *testing.T) {
	al := map[string]string{"ll": "ls -l", "e": "echo ", "x": "y z", "ls": "ls -F", "i": "if true; then", "a": "b", "b": "a"}
	f := func(n string) (string, bool) { v, ok := al[n]; return v, ok }
	for _, c := range []struct{ in, want string }{
		{"ll; x", "ls -F -l; y z"},
		{"echo ll", "echo ll"},
		{"e x x", "echo  y z x"},
		{"\\ll 'll'", "\\ll 'll'"},
		{"i echo; fi", "if true; then echo; fi"},
		{"a | $(ll)", "a | $(ls -F -l)"},
		{"v=1 ll", "v=1 ls -F -l"},
		{"if ll; then x; fi", "if ls -F -l; then y z; fi"},
	} {
		got, _, edits := Prepare(c.in, Options{Alias: f})
		if o := Original(edits, len(got)); o != len(c.in) {
			t.Errorf("%q: the end is %d in the original, want %d", c.in, o, len(c.in))
		}
		if got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.in, got, c.want)
		}
	}
}

func TestJoin(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a &\\\n& b", "a && b"},
		{"echo 'a\\\nb' # c\\\nd", "echo 'a\\\nb' # c\\\nd"},
		{"cat <<'E'\na\\\nE\n", "cat <<'E'\na\\\nE\n"},
		{"a\\\\\nb", "a\\\\\nb"},
	} {
		if got := Join(c.in); got != c.want {
			t.Errorf("Join(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzPrepare(f *testing.F) {
	for _, s := range []string{"echo $((a b))", "cat <<E\n$(x\nE", "((a)", "${x[", "case x in a)", "`", "a=([1]=", "e x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		src, masked, edits := Prepare(s, Options{Mask: true, Alias: func(n string) (string, bool) { return "x y", n == "e" }})
		if Original(edits, len(src)) != len(s) {
			t.Fatalf("%q: %v", s, edits)
		}
		if len(src) != len(masked) || strings.Count(src, "\n") != strings.Count(masked, "\n") {
			t.Fatalf("%q: %q, %q", s, src, masked)
		}
	})
}
