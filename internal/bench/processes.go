// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os/exec"
)

// perRun is how many processes one measured run starts.
const perRun = 50

// processes compares starting and reaping one small process.
func (b *bench) processes() {
	truePath, sh := tool("true"), tool("sh")
	sb, err := b.sandbox()
	if err != nil {
		b.fail("process", err)
		return
	}
	defer sb.Close()
	many := func(f func() error) func() error {
		return func() error {
			for range perRun {
				if err := f(); err != nil {
					return err
				}
			}
			return nil
		}
	}
	if truePath != "" {
		b.pair("spawn true, reap (x50)", "posix_spawn of "+truePath,
			many(func() error { return sb.Command("true").Run(b.ctx) }),
			many(func() error { return exec.Command(truePath).Run() }))
	}
	if sh != "" {
		b.pair("exec echo hi (x50)", "sh -c",
			many(func() error { _, err := sb.Shell("echo hi").Output(b.ctx); return err }),
			many(func() error { _, err := exec.Command(sh, "-c", "echo hi").Output(); return err }))
	}
}
