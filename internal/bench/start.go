// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
)

// start measures the command itself, with a warm cache.
func (b *bench) start() {
	cli, err := filepath.Abs(b.cli)
	if err != nil {
		b.fail("start", err)
		return
	}
	if _, err := os.Stat(cli); err != nil {
		printOne("start", "skipped", "no "+b.cli+": run make all")
		return
	}
	sh := tool("sh")
	run := func(name string, arg ...string) func() error {
		return func() error {
			cmd := exec.Command(name, arg...)
			cmd.Dir = b.dir
			return cmd.Run()
		}
	}
	var native func() error
	if sh != "" {
		native = run(sh, "-c", "echo hi")
	}
	b.pair("wsandbox exec 'echo hi'", "sh -c", run(cli, "exec", "echo hi"), native)
	b.pair("wsandbox exec 'echo hi | cat'", "sh -c", run(cli, "exec", "echo hi | cat"), nil)
}
