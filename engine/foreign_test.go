// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// TestForeignPaths runs programs of three languages that open files by all
// kinds of paths, from a working directory that is not the root.
func TestForeignPaths(t *testing.T) {
	tests := []struct {
		name  string
		build func(out string) *exec.Cmd
	}{
		{"C", func(out string) *exec.Cmd {
			return exec.Command("clang", "--target=wasm32-wasi", "-O1", "testdata/paths.c", "-o", out)
		}},
		{"Rust", func(out string) *exec.Cmd {
			return exec.Command("rustc", "--target=wasm32-wasip1", "-O", "testdata/paths.rs", "-o", out)
		}},
		{"Go", func(out string) *exec.Cmd {
			cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out, "./testdata/paths")
			cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
			return cmd
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "paths.wasm")
			cmd := tt.build(out)
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Skipf("no toolchain: %v: %.200s", err, text)
			}
			wasm, err := os.ReadFile(out)
			require.NoError(t, err)
			w := testWorld(t, testEngine(t, nil), kernel.Limits{})
			require.NoError(t, w.files.Mkdir("sub", 0o777))
			require.NoError(t, w.files.Mkdir("bin", 0o777))
			for name, text := range map[string]string{"f": "in w", "sub/f": "in sub", "bin/f": "in w/bin"} {
				f, err := w.files.Open(name, abi.OWronly|abi.OCreat, 0o644)
				require.NoError(t, err)
				_, err = f.(vfs.RegularFile).WriteAt([]byte(text), 0)
				require.NoError(t, err)
				require.NoError(t, f.Close())
			}
			path := w.addModule(t, "paths", wasm)
			want := []string{
				"f: in w", "./f: in w", "sub/f: in sub", "sub/../f: in w", "../w/f: in w", "/w/f: in w", "/w/sub/f: in sub",
				"/w/../w/f: in w", "bin/f: in w/bin", "nothing: No such file or directory", "/nothing: No such file or directory",
			}
			args := []string{path}
			for _, line := range want {
				name, _, _ := strings.Cut(line, ":")
				args = append(args, name)
			}
			r, stdout, stderr := w.run(t, args...)
			require.Empty(t, stderr)
			require.Equal(t, abi.WaitStatus(0), r.Status)
			require.Equal(t, want, strings.Split(strings.TrimSpace(stdout), "\n"))
		})
	}
}
