// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import "testing"

// benchShell returns a shell for benchmarks, whose output is kept in memory.
func benchShell() *Shell {
	sh := newShell()
	sh.opts.braceexpand, sh.opts.cmdstring = true, true
	sh.shopt.defaults()
	sh.prefix, sh.name0 = "bash", "bash"
	sh.initVars([]string{"PATH=/usr/bin:/bin"})
	sh.setFD(1, &file{k: -1, mem: &capture{r: -1, w: -1}, refs: 1})
	return sh
}

func BenchmarkScript(b *testing.B) {
	for _, c := range []struct{ name, setup, text string }{
		{"loop", "", "i=0; while [ $i -lt 1000 ]; do i=$((i+1)); done"},
		{"arith", "", "for ((i=0; i<1000; i++)); do :; done"},
		{"case", "x=abc", "i=0; while ((i < 1000)); do case $x in b*) ;; abc) ((i++)) ;; esac; done"},
		{"function", "f() { return 0; }", "i=0; while [ $i -lt 1000 ]; do f $i; i=$((i+1)); done"},
		{"local", "f() { local x=$1; y=$x; }", "i=0; while [ $i -lt 1000 ]; do f $i; i=$((i+1)); done"},
		{"substitution", "f() { echo \"${1##*/}\"; }", "i=0; while [ $i -lt 100 ]; do x=$(f /a/b/c); i=$((i+1)); done"},
		{"words", "a='x y z'", "i=0; while [ $i -lt 1000 ]; do set -- $a; i=$((i+1)); done"},
	} {
		b.Run(c.name, func(b *testing.B) {
			sh := benchShell()
			sh.runText(c.setup, 0)
			b.ReportAllocs()
			for b.Loop() {
				if st := sh.runText(c.text, 0); st != 0 {
					b.Fatal(st)
				}
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	sh := benchShell()
	text := "if [ -n \"$x\" ]; then\n  for f in a b c; do\n    echo \"$f: ${x%%.*} $((1+2))\" | grep -q foo && y=$(basename \"$f\")\n  done\nfi\n"
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		sh.parseUnit(text, 0, nil)
	}
}
