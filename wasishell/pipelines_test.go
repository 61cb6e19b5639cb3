// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/wsandbox/wsandbox/wasishell"
)

// nativeTools are what the pipelines need natively, with GNU's behaviour.
var nativeTools = []string{"bash", "sed", "grep", "find", "sort", "xargs", "tsort", "comm", "join", "nl", "tac", "rev", "split", "diff", "sha256sum"}

// TestPipelines compares each pipeline of testdata/pipelines.txt, run over this
// source tree, with the native tools: output, messages and status.
func TestPipelines(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the native side is GNU's")
	}
	for _, name := range nativeTools {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("native %s is missing", name)
		}
	}
	list, err := os.ReadFile("../testdata/pipelines.txt")
	if err != nil {
		t.Fatal(err)
	}
	// A copy of the tree, so that what other tests write is not seen.
	tree := t.TempDir()
	for _, name := range []string{"LICENSE", "README.md", "go.mod", "go.sum"} {
		b, err := os.ReadFile("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(tree+"/"+name, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(tree+"/engine", os.DirFS("../engine")); err != nil {
		t.Fatal(err)
	}
	sb := warmSandbox(t, wasishell.Config{Workspace: tree})
	count := 0
	for line := range strings.Lines(string(list)) {
		script := strings.TrimSuffix(line, "\n")
		if script == "" || script[0] == '#' {
			continue
		}
		count++
		t.Run("", func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, "bash", "-c", script)
			cmd.Dir = tree
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC", "HOME=/"}
			want, err := cmd.CombinedOutput()
			wantStatus := cmd.ProcessState.ExitCode()
			if err != nil && wantStatus < 0 {
				t.Fatal(err)
			}
			got, err := sb.Shell(script).CombinedOutput(ctx)
			status := 0
			if x := (*wasishell.ExitError)(nil); errors.As(err, &x) {
				status = x.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) || status != wantStatus {
				t.Errorf("%s\n got %.2000q, status %d\nwant %.2000q, status %d", script, got, status, want, wantStatus)
			}
		})
	}
	if count < 31 {
		t.Errorf("only %d pipelines", count)
	}
}
