// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"

	"github.com/wsandbox/wsandbox/wasishell"
)

// workload is a script that both sides run in the data tree. The output must be
// equal unless differs says why it is not.
type workload struct {
	name, script string
	differs      bool
}

var workloads = []workload{
	{name: "echo_hi", script: "echo hi"},
	{name: "cat_grep_wc", script: "cat big.txt | head -n 20000 | grep fox | wc -l"},
	{name: "loop_100k", script: "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo $i"},
	{name: "seq_sort_tail", script: "seq 1 100000 | sort -rn | tail -n 1"},
	{name: "grep_10mb_count", script: "grep -c fox big.txt"},
	{name: "grep_10mb_regex", script: "grep -cE 'fox.*(warning|error) [a-z]+' big.txt"},
	{name: "grep_10mb_icase", script: "grep -ci 'foo bar' big.txt"},
	{name: "wc_10mb", script: "wc big.txt"},
	{name: "wc_l_10mb", script: "wc -l big.txt"},
	{name: "cut_10mb", script: "cut -d' ' -f2,4 big.txt | tail -n 1"},
	{name: "tr_10mb", script: "tr a-z A-Z < big.txt | tail -n 1"},
	{name: "sed_10mb", script: "sed 's/fox/cat/g' big.txt | tail -n 1"},
	{name: "sort_10mb", script: "sort big.txt | tail -n 1"},
	{name: "sort_n_10mb", script: "sort -n big.txt | tail -n 1"},
	{name: "sha256_10mb", script: "sha256sum big.txt"},
	{name: "find_10k", script: "find tree -type f | wc -l"},
	{name: "find_name_10k", script: "find tree -name '*7.go' | wc -l"},
	{name: "grep_r_10k", script: "grep -rl 'kernel process' tree | wc -l"},
	{name: "fork_100_cmds", script: "i=0; while [ $i -lt 100 ]; do /bin/true; i=$((i+1)); done"},
	{name: "subst_100", script: "i=0; while [ $i -lt 100 ]; do x=$(basename /a/b/c.txt .txt); i=$((i+1)); done; echo $x"},
	{name: "write_1000_files", script: "mkdir w; i=0; while [ $i -lt 1000 ]; do echo $i > w/$i; i=$((i+1)); done; ls w | wc -l; rm -r w"},
	{name: "pipe_100mb", script: "head -c 100000000 /dev/zero | cat | wc -c"},
}

// workloads compares whole scripts: through a warm sandbox, and a native shell
// that is started for each.
func (b *bench) workloads() {
	for _, sh := range []string{"bash", "dash"} {
		path := tool(sh)
		for _, w := range workloads {
			name := w.name
			if sh == "dash" {
				name += "/dash"
			}
			if path == "" || !b.only.MatchString(name) {
				continue
			}
			sb, err := b.sandbox()
			if err != nil {
				b.fail(name, err)
				continue
			}
			var ours, native []byte
			b.pair(name, sh,
				func() (err error) { ours, err = sb.Shell(w.script).Output(b.ctx); return },
				func() (err error) { native, err = b.native(path, w.script); return })
			if !bytes.Equal(ours, native) {
				b.fail(name, fmt.Errorf("output differs: %.60q, native %.60q", ours, native))
			}
			_ = sb.Close()
		}
	}
}

func (b *bench) sandbox() (*wasishell.Sandbox, error) {
	return wasishell.New(b.ctx, wasishell.Config{Workspace: b.dir, Runtime: b.rt})
}

func (b *bench) native(shell, script string) ([]byte, error) {
	cmd := exec.Command(shell, "-c", script)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	return cmd.Output()
}
