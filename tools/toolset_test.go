// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestToolsGolden holds what clients see of the tools: WSANDBOX_UPDATE=1 writes
// it anew.
func TestToolsGolden(t *testing.T) {
	for _, c := range []struct {
		name string
		opt  Options
	}{{"strict", Options{Strict: true}}, {"extended", Options{}}} {
		t.Run(c.name, func(t *testing.T) {
			m := fakeManager(t, &fakeBackend{}, c.opt)
			type golden struct {
				Name, Description string
				Input, Output     json.RawMessage
				ReadOnly          bool
			}
			var list []golden
			for _, tool := range m.Tools() {
				require.False(t, tool.Strict)
				require.Nil(t, tool.NeedsApproval)
				list = append(list, golden{tool.Name, tool.Description, tool.InputSchema, tool.OutputSchema, tool.ReadOnly})
			}
			var got bytes.Buffer
			e := json.NewEncoder(&got)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			require.NoError(t, e.Encode(map[string]any{"instructions": m.Instructions(), "tools": list}))
			file := filepath.Join("testdata", "tools_"+c.name+".json")
			if os.Getenv("WSANDBOX_UPDATE") != "" {
				require.NoError(t, os.WriteFile(file, got.Bytes(), 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))), got.String())
		})
	}
}

// TestContractSurface holds the strings of the contract.
func TestContractSurface(t *testing.T) {
	m := fakeManager(t, &fakeBackend{}, Options{Strict: true})
	list := m.Tools()
	require.Len(t, list, 2)
	var schema struct {
		Type       string
		Required   []string
		Properties map[string]struct {
			Description string
			Default     any
			Minimum     *int
			MinLength   int
		}
	}
	require.Equal(t, "Runs a command in a PTY, returning output or a session ID for ongoing interaction.", list[0].Description)
	require.NoError(t, json.Unmarshal(list[0].InputSchema, &schema))
	require.Equal(t, []string{"cmd"}, schema.Required)
	require.Equal(t, 1, schema.Properties["cmd"].MinLength)
	for name, want := range map[string]struct {
		text     string
		fallback any
	}{
		"cmd":               {"Shell command to execute.", nil},
		"workdir":           {"Optional working directory to run the command in; defaults to the turn cwd.", nil},
		"shell":             {"Shell binary to launch. Defaults to the user's default shell.", nil},
		"login":             {"Whether to run the shell with -l/-i semantics. Defaults to true.", true},
		"tty":               {"Whether to allocate a TTY for the command. Defaults to false (plain pipes); set to true to open a PTY and access TTY process.", false},
		"yield_time_ms":     {"How long to wait (in milliseconds) for output before yielding.", 10000.0},
		"max_output_tokens": {"Maximum number of tokens to return. Excess output will be truncated.", nil},
	} {
		require.Equal(t, want.text, schema.Properties[name].Description)
		require.Equal(t, want.fallback, schema.Properties[name].Default)
	}
	require.Len(t, schema.Properties, 7)
	schema.Properties = nil
	require.Equal(t, "Writes characters to an existing unified exec session and returns recent output.", list[1].Description)
	require.NoError(t, json.Unmarshal(list[1].InputSchema, &schema))
	require.Equal(t, []string{"session_id"}, schema.Required)
	require.Equal(t, "Identifier of the running unified exec session.", schema.Properties["session_id"].Description)
	require.Equal(t, "Bytes to write to stdin (may be empty to poll).", schema.Properties["chars"].Description)
	require.Equal(t, "", schema.Properties["chars"].Default)
	require.Equal(t, 250.0, schema.Properties["yield_time_ms"].Default)
	require.Equal(t, 0, *schema.Properties["yield_time_ms"].Minimum)
	require.Len(t, schema.Properties, 4)
	require.Equal(t, "When using the shell:\n"+
		"- Use `exec_command` for shell execution.\n"+
		"- If available, use `write_stdin` to interact with or poll running sessions.\n"+
		"- To interrupt a long-running process via `write_stdin`, start it with `tty=true` and send Ctrl-C (`\\u0003`).\n"+
		"- Prefer `rg` and `rg --files` for text/file discovery when available.\n"+
		"- Avoid using Python scripts just to print large file chunks.", m.Instructions())
}

// TestConfigure: the hook changes, replaces and removes tools, and sees the
// scope.
func TestConfigure(t *testing.T) {
	b := &fakeBackend{start: func(p *fakeProcess) { p.exit(0) }}
	m := fakeManager(t, b, Options{Cwd: "a/b", Configure: func(s *ToolSet) {
		require.Equal(t, "a/b", s.Scope.Dir())
		require.Len(t, s.Extensions, 8)
		inner := s.ExecCommand.Call
		s.ExecCommand.Description = "mine"
		s.ExecCommand.Call = func(ctx testContext, c Call) (Result, error) {
			r, err := inner(ctx, c)
			r.Text = "[" + r.Text + "]"
			return r, err
		}
		s.WriteStdin = nil
		s.Extensions = append(s.Extensions[:1], &Tool{Name: "own", Call: func(testContext, Call) (Result, error) { return Result{}, errNoTool }})
	}})
	list := m.Tools()
	require.Len(t, list, 3)
	require.Equal(t, "mine", list[0].Description)
	r, err := callTool(t, m, "exec_command", `{"cmd":"x"}`)
	require.NoError(t, err)
	require.Equal(t, "[", r.Text[:1])
	require.Equal(t, "/workspace/a/b", b.last.Dir)
	r, err = callTool(t, m, "own", "")
	require.NoError(t, err)
	require.True(t, r.IsError)
	require.Equal(t, "own failed: no such tool", r.Text)
}

func TestOptionsCheck(t *testing.T) {
	for _, c := range []struct {
		opt  Options
		want string
	}{
		{Options{Cwd: "/abs"}, "sandbox.cwd must be workspace-relative"},
		{Options{Root: "rel"}, "sandbox workspace root must be absolute"},
		{Options{Grants: []Grant{{Path: "/"}}}, "sandbox path grant path must not be filesystem root"},
		{Options{BufferBytes: -1}, "tools: Options.BufferBytes is negative"},
		{Options{Timeout: -1}, "tools: Options.Timeout is negative"},
		{Options{Secrets: []string{""}}, "tools: Options.Secrets has an empty value"},
		{Options{Size: Winsize{Rows: 3}}, "tools: Options.Size: rows and cols must be from 1 to 500 and to 1000"},
		{Options{Size: Winsize{Rows: 501, Cols: 80}}, "tools: Options.Size: rows and cols must be from 1 to 500 and to 1000"},
	} {
		_, err := NewWithBackend(&fakeBackend{}, c.opt)
		require.EqualError(t, err, c.want)
	}
}

func TestArguments(t *testing.T) {
	m := fakeManager(t, &fakeBackend{}, Options{})
	for _, c := range []struct{ args, want string }{
		{``, "cmd is required"},
		{`null`, "cmd is required"},
		{`[]`, "arguments are no JSON object"},
		{`{"cmd":"x"`, "arguments are no JSON object"},
		{`{"cmd":null}`, "cmd must be a string"},
		{`{"cmd":""}`, "cmd must not be empty"},
		{`{"cmd":"x","tty":1}`, "tty must be true or false"},
		{`{"cmd":"x","tty":null}`, "tty must be true or false"},
		{`{"cmd":"x","workdir":3}`, "workdir must be a string"},
		{`{"cmd":"x","yield_time_ms":"5"}`, "yield_time_ms must be an integer"},
		{`{"cmd":"x","yield_time_ms":1.5}`, "yield_time_ms must be an integer"},
		{`{"cmd":"x","yield_time_ms":null}`, "yield_time_ms must be an integer"},
		{`{"cmd":"x","yield_time_ms":true}`, "yield_time_ms must be an integer"},
		{`{"cmd":"x","max_output_tokens":-1}`, "max_output_tokens must be at least 1"},
		{`{"cmd":"x","unknown":{"a":[]},"workdir":null,"shell":null,"max_output_tokens":null}`, ""},
		{`{"cmd":"x","yield_time_ms":250.0}`, ""},
		{`{"cmd":"x","yield_time_ms":1e400}`, ""},
		{`{"cmd":"x","yield_time_ms":99999999999999999999999}`, ""},
	} {
		_, err := m.parseExecCommand(parseArguments(json.RawMessage(c.args)))
		if c.want == "" {
			require.NoError(t, err, c.args)
		} else {
			require.ErrorContains(t, err, c.want, c.args)
		}
	}
}
