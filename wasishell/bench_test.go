// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"testing"

	"github.com/wsandbox/wsandbox/wasishell"
)

// warmSandbox returns a sandbox whose programs are loaded.
func warmSandbox(tb testing.TB, cfg wasishell.Config) *wasishell.Sandbox {
	tb.Helper()
	cfg.Runtime = sharedRuntime(tb)
	sb, err := wasishell.New(tb.Context(), cfg)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := sb.Close(); err != nil {
			tb.Error(err)
		}
	})
	return sb
}

// BenchmarkSpawn starts and reaps one small process through the whole library.
func BenchmarkSpawn(b *testing.B) {
	sb := warmSandbox(b, wasishell.Config{})
	for b.Loop() {
		if err := sb.Command("true").Run(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEcho runs a script of one builtin and collects its output.
func BenchmarkEcho(b *testing.B) {
	sb := warmSandbox(b, wasishell.Config{})
	for b.Loop() {
		if _, err := sb.Shell("echo hi").Output(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPipe moves data through a pipe of two processes; the unit is one
// pipeline of 10 MB.
func BenchmarkPipe(b *testing.B) {
	sb := warmSandbox(b, wasishell.Config{})
	b.SetBytes(10_000_000)
	for b.Loop() {
		if err := sb.Shell("head -c 10000000 /dev/zero | wc -c").Run(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpenClose makes and closes a sandbox.
func BenchmarkOpenClose(b *testing.B) {
	rt := sharedRuntime(b)
	for b.Loop() {
		sb, err := wasishell.New(b.Context(), wasishell.Config{Runtime: rt})
		if err != nil {
			b.Fatal(err)
		}
		if err := sb.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
