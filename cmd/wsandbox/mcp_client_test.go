// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMCPClient lets the client of npm's @modelcontextprotocol/sdk use mcp and
// serve. WSANDBOX_MCP_SDK names a directory in which npm has installed it.
func TestMCPClient(t *testing.T) {
	if os.Getenv("WSANDBOX_MCP_SDK") == "" {
		t.Skip("WSANDBOX_MCP_SDK names no directory with an installed @modelcontextprotocol/sdk")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip(err)
	}
	warm(t)
	command, err := exec.LookPath("wsandbox") // which this test binary stands in for
	require.NoError(t, err)
	driver, err := filepath.Abs("../../tools/mcpserver/testdata/client.mjs")
	require.NoError(t, err)
	for _, c := range []struct {
		name   string
		passes int
		args   func(t *testing.T) (args, env []string)
	}{
		{"stdio", 9, func(t *testing.T) ([]string, []string) { return []string{t.TempDir(), command, "mcp"}, nil }},
		{"approve", 2, func(t *testing.T) ([]string, []string) {
			return []string{t.TempDir(), command, "mcp", "--approve", "all"}, nil
		}},
		{"http", 11, func(t *testing.T) ([]string, []string) {
			a, lines := startServe(t)
			t.Cleanup(func() {
				_ = a.cmd.Process.Kill() // it is not what is tested here
				_ = a.cmd.Wait()
			})
			return []string{a.url}, []string{"WSANDBOX_MCP_TOKEN=" + strings.TrimPrefix(lines[1], "wsandbox: token ")}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			args, env := c.args(t)
			cmd := exec.CommandContext(t.Context(), node, append([]string{driver, c.name}, args...)...)
			cmd.Env = append(os.Environ(), env...)
			out, err := cmd.CombinedOutput()
			t.Logf("%s", out)
			require.NoError(t, err)
			require.Len(t, regexp.MustCompile(`(?m)^ok   `).FindAll(out, -1), c.passes)
		})
	}
}
