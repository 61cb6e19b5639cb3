// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/wasishell"
)

// TestForeignREPL drives interactive programs that know nothing of the sandbox,
// at a terminal and over a plain pipe.
func TestForeignREPL(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(out string) *exec.Cmd
	}{
		{"C", func(out string) *exec.Cmd {
			return exec.Command("clang", "--target=wasm32-wasi", "-O1", "testdata/repl.c", "-o", out)
		}},
		{"Rust", func(out string) *exec.Cmd {
			return exec.Command("rustc", "--target=wasm32-wasip1", "-O", "testdata/repl.rs", "-o", out)
		}},
		{"Go", func(out string) *exec.Cmd {
			cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, "./testdata/repl")
			cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
			return cmd
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if text, err := c.build(filepath.Join(dir, "repl.wasm")).CombinedOutput(); err != nil {
				t.Skipf("no toolchain: %v: %.200s", err, text)
			}
			m, err := New(newSandbox(t, wasishell.Config{Workspace: dir}), Options{})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, m.Close()) })

			begin := func() int64 {
				r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "./repl.wasm", TTY: true, YieldTimeMS: ptr(0)})
				require.NoError(t, err)
				require.NotNil(t, r.SessionID, r.Text())
				untilAfter(t, m, int64(*r.SessionID), r.Output, "> ")
				return int64(*r.SessionID)
			}
			id := begin()
			for _, step := range [][2]string{
				{"40\n", "40\nsum 40\n> "}, {"2\n", "2\nsum 42\n> "}, {"x\n", "x\nno number\n> "}, {"3\x7f5\n", "5\nsum 47\n> "},
				{"9\x15-5\n", "-5\nsum 42\n> "},
			} {
				out := drive(t, m, id, step[0], step[1])
				require.True(t, strings.HasSuffix(out, step[1]), "%q", out)
			}
			r := write(t, m, id, "\x04")
			for r.ExitCode == nil {
				r, err = m.WaitSession(t.Context(), WaitSessionArgs{SessionID: id})
				require.NoError(t, err)
			}
			require.Equal(t, 42, *r.ExitCode)

			// ^C ends it, and what a program printed before stays.
			id = begin()
			r = write(t, m, id, "\x03")
			for r.ExitCode == nil {
				r, err = m.WaitSession(t.Context(), WaitSessionArgs{SessionID: id})
				require.NoError(t, err)
			}
			require.Equal(t, -2, *r.ExitCode)

			id = start(t, m, ExecCommandArgs{Cmd: "./repl.wasm", Stdin: true})
			drive(t, m, id, "1\n", "sum 1\n")
		})
	}
}
