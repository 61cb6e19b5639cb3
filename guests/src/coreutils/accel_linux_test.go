// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAccelerated runs commands over random text with the host's accelerators
// for everything, for what is worth it, and for nothing: the output must be the
// same.
func TestAccelerated(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	words := strings.Fields("fox ant error warning a b the Foo FOX é ö € \xff 12 7 -3 foxfox x:y:z :: errors")
	for i, size := range []int{4, 300, 8000} {
		var text strings.Builder
		for range size {
			switch rng.IntN(8) {
			case 0:
				text.WriteByte('\n')
			case 1:
				text.WriteString("  ")
			case 2:
				text.WriteByte(":\t\n\x00"[rng.IntN(3+i%2)])
			default:
				text.WriteString(words[rng.IntN(len(words)-i%2)])
				text.WriteByte(' ')
			}
		}
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "f"), []byte(text.String()), 0o644))
		var bins [3]string
		for k, worth := range []string{"0", "192", "1000000000000"} {
			bins[k] = binary(t, worth)
		}
		for _, script := range []string{
			"cut -d' ' -f2,4 f", "cut -d: -f1 f", "cut -d: -f2- f", "cut -sd: -f2-3,5 f", "cut -c2-4,7 f", "cut -d' ' -f3-,1 --output-delimiter=+- f",
			"cut -d' ' --complement -f2 f", "cut -b3 f", "cut -zd: -f1 f", "cut -d' ' -f70,80 f", "cut -f1 f",
			"tr a-z A-Z <f", "tr -d ' :' <f", "tr -s ' \\n' <f", "tr -cs a-z '\\n' <f", "tr -ds a-e ' ' <f",
			"grep -c fox f", "grep fox f", "grep -n fox f", "grep -vn fox f", "grep -v fox f", "grep -bH error f", "grep -o fox f", "grep -io fox f",
			"grep -c 'f.*x' f", "grep -E '(fox|ant) .*(error|x)' f", "grep -i foo f", "grep -w fox f", "grep -x 'a *' f", "grep -nvi Fox f", "grep -a -n é f",
			"grep -m3 fox f", "grep -l fox f", "grep -L fox f", "grep -C1 warning f", "grep -ac '' f", "grep -n '^$' f", "grep -ano . f", "grep -e fox -e ant f", "grep -F -e fox -e ant f",
			"grep -z fox f | od -c", "grep --color=always fox f", "LC_ALL=C.UTF-8 grep -n 'a.*é' f", "LC_ALL=C.UTF-8 grep fox f", "LC_ALL=C.UTF-8 grep -oi 'É' f",
			"sed s/fox/cat/ f", "sed s/fox/cat/g f", "sed -n s/fox/cat/p f", "sed 's/f\\(o\\)x/<\\1>/2' f", "sed '/ant/d' f", "sed -n '/ant/=' f", "sed 's/$/!/' f", "sed s/a*/x/g f",
			"sed -e s/fox/cat/g -e s/cat/dog/ f", "sed '3,5s/a/b/g;$d' f", "sed 's/fox/&&/g;s/ant/\\n/' f", "sed -n '$=' f", "sed s/fox/cat/gw/dev/stdout f", "sed -z s/a/b/g f",
			"sed 1d f", "sed 5q f", "sed -n 7p f", "sed '$d' f", "sed -n '$p' f", "sed '3,5d' f", "sed '2{p;d}' f", "sed '40,$d' f", "sed '0~3d' f", "sed -n '5,9p;20q' f", "sed '3,/fox/d' f",
			"sed -s '$=' f f", "sed -n '$=' f f", "sed '2!d' f", "sed '100r f' f", "sed '$a end' f", "sed -e 3p -e '$!N;P;D' f", "sed 'y/abc/xyz/;7i x' f", "sed -n '2,4!p' f", "sed '5,+2s/o/0/g' f",
			"sort f", "sort -n f", "sort -k2 f", "sort -k2,2 -k1r f", "sort -r -k2 f", "sort -k3b,4 -s f", "sort -k2f f", "sort -t: -k2r f", "sort -u -k2,2 f", "sort -t: -k2,2 -u f", "sort -r f", "sort -f f", "sort f | uniq -c", "uniq f", "uniq -ci f", "wc f", "wc -w f", "wc -l f", "wc -mL f",
			"head -n 7 f", "tail -n 7 f", "head -n -7 f", "tail -n +7 f", "head -c 99 f", "tail -n 3 <f | cat", "cat f | tail -n 40", "nl f", "cat -n f", "cat -A f", "cat -s f", "cat -bs f f", "cat -ns f f", "cat -b f", "paste f f", "join f f",
			"comm f f", "sort f >s; comm s f", "expand f", "expand -t 3,/4 f", "unexpand -a f", "fold -w 7 f", "fold -s -w 30 f", "fold -b -w 3 f", "join s f", "join -t: -a1 -e X -o 0,1.2,2.1 s s", "diff f s", "diff -u -w f s", "od -t x1z -w7 f", "split -l 3 f q && cat q*", "tac f", "tac -s: f", "tac f f", "printf 'a\\n\\nb' | cat f - | tac", "rev f", "od -c f", "seq 3000", "seq 995 2000", "seq -w 1 2500", "seq 1 1", "seq -s, 999 3001", "seq -5 1500",
			"xargs -n3 <f", "expr match \"$(head -n 1 f)\" '.*fox'",
		} {
			var want string
			for k, bin := range bins {
				var out bytes.Buffer
				c := exec.Command("/bin/sh", "-c", script)
				c.Dir = dir
				c.Env = []string{"PATH=" + bin, "LC_ALL=C"}
				c.Stdout, c.Stderr = &out, &out
				if err := c.Run(); err != nil {
					out.WriteString(err.Error())
				}
				if k == 0 {
					want = out.String()
				} else if got := out.String(); got != want {
					t.Errorf("%s: size %d, variant %d: %.300q, not %.300q", script, size, k, got, want)
				}
			}
		}
	}
}
