// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package main

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTerminalIsPutBack: what a program switched on is off when wsandbox has ended
// it, and what it switched off itself is left alone.
func TestTerminalIsPutBack(t *testing.T) {
	const on = `printf '\033[?1049h\033[?1h\033=\033[?25l\033[31mup\n'; `
	const off = "\x1b[?1049l\x1b[?1l\x1b[?25h\x1b>\x1b[0m"
	for _, c := range []struct {
		name   string
		args   []string
		end    func(p *person)
		want   string
		status int
	}{
		{"timeout", []string{"--timeout", "3s", on + "sleep 1000"}, func(*person) {}, off + "\r\nwsandbox: timed out after 3s\r\n", 124},
		{"terminated", []string{on + "sleep 1000"}, func(p *person) { _ = p.cmd.Process.Signal(syscall.SIGTERM) }, off, 143},
		{"hung up", []string{on + "sleep 1000"}, func(p *person) { _ = p.cmd.Process.Signal(syscall.SIGHUP) }, off, 129},
		{"killed", []string{on + "sleep 1000"}, func(p *person) { _ = p.cmd.Process.Kill() }, "\x18\x1b[?1049l\x1b[?2004l\x1b[?1l", -1},
		{"its own end", []string{on + "printf '\\033[?1049l\\033[?1l\\033>\\033[?25h\\033[mdone\n'"}, func(*person) {}, "\x1b[mdone\r\n", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := sit(t, 24, 80, append([]string{"exec", "--tty"}, c.args...)...)
			p.expect("up\r\n")
			c.end(p)
			p.expect(c.want)
			require.Equal(t, c.status, p.ends())
			p.restored()
			if c.status == 0 {
				p.mu.Lock()
				defer p.mu.Unlock()
				require.Empty(t, string(p.seen[p.from:]))
			}
		})
	}
}
