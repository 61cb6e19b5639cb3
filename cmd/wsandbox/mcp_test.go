// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/tools/eventlog"
	"github.com/wsandbox/wsandbox/wasishell"
)

// agent is a running "wsandbox mcp" or "wsandbox serve" with a client.
type agent struct {
	*mcp.ClientSession
	cmd    *exec.Cmd
	stderr bytes.Buffer // of mcp
	url    string       // of serve
	log    io.Reader    // of serve: the rest of standard error
}

// warmed tells once that the programs of the sandbox are compiled.
var warmed = sync.OnceValue(func() error {
	rt, err := wasishell.NewRuntime(context.Background(), wasishell.RuntimeConfig{})
	if err != nil {
		return err
	}
	return errors.Join(rt.Warm(context.Background()), rt.Close())
})

// warm compiles the programs of the sandbox ahead, so that what a call returns
// in its window does not depend on that. It skips where there are none.
func warm(t *testing.T) {
	t.Helper()
	if _, err := wasishell.Guests(); err != nil {
		t.Skip(err)
	}
	require.NoError(t, warmed())
}

func agentCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	warm(t)
	cmd := exec.CommandContext(t.Context(), "wsandbox", args...)
	cmd.Dir = t.TempDir()
	return cmd
}

// startMCP starts "wsandbox mcp". Its streams are pipes of the test, which so
// sees all that is printed.
func startMCP(t *testing.T, args ...string) (a *agent, hangUp func()) {
	t.Helper()
	a = &agent{cmd: agentCommand(t, append([]string{"mcp"}, args...)...)}
	a.cmd.Stderr = &a.stderr
	in, err := a.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := a.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, a.cmd.Start())
	a.ClientSession, err = mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.IOTransport{Reader: out, Writer: in}, nil)
	require.NoError(t, err, &a.stderr)
	return a, func() { in.Close() }
}

// withToken adds a token to requests.
type withToken string

func (k withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(k))
	return http.DefaultTransport.RoundTrip(r)
}

// startServe starts "wsandbox serve" and returns the lines that it printed.
func startServe(t *testing.T, args ...string) (a *agent, lines []string) {
	t.Helper()
	a = &agent{cmd: agentCommand(t, append([]string{"serve"}, args...)...)}
	stderr, err := a.cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, a.cmd.Start())
	r := bufio.NewReader(stderr)
	for range 2 {
		l, err := r.ReadString('\n')
		require.NoError(t, err, lines)
		lines = append(lines, strings.TrimSpace(l))
	}
	url, ok := strings.CutPrefix(lines[0], "wsandbox: serving on ")
	require.True(t, ok, lines)
	a.url, a.log = url, r
	return a, lines
}

// connect connects a client.
func (a *agent) connect(t *testing.T, token string) {
	t.Helper()
	var err error
	a.ClientSession, err = mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: a.url, HTTPClient: &http.Client{Transport: withToken(token)}, MaxRetries: -1,
	}, nil)
	require.NoError(t, err)
}

// call returns the structured content of a call.
func (a *agent) call(t *testing.T, name, args string) map[string]any {
	t.Helper()
	r, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(args)})
	require.NoError(t, err)
	require.False(t, r.IsError, r.Content)
	return r.StructuredContent.(map[string]any)
}

// under starts a call that does not return by itself, and waits until its
// command runs, as a file of the workspace shows.
func (a *agent) under(t *testing.T) (done chan error) {
	t.Helper()
	done = make(chan error, 1)
	go func() {
		_, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: "exec_command", Arguments: json.RawMessage(`{"cmd":"touch up; while :; do :; done","yield_time_ms":30000}`)})
		done <- err
	}()
	up := filepath.Join(a.cmd.Dir, "up")
	for {
		if _, err := os.Stat(up); err == nil {
			return done
		}
		runtime.Gosched()
	}
}

func TestMCPCommand(t *testing.T) {
	a, hangUp := startMCP(t, "--trace", "trace.jsonl", "--secret", "PATH")
	require.Equal(t, "hi\n", a.call(t, "exec_command", `{"cmd":"echo hi"}`)["output"])
	r := a.call(t, "exec_command", `{"cmd":"read x; echo got $x","stdin":true,"yield_time_ms":0}`)
	id := r["session_id"]
	b, err := json.Marshal(map[string]any{"session_id": id, "chars": "there\n"})
	require.NoError(t, err)
	require.Equal(t, "got there\n", a.call(t, "write_stdin", string(b))["output"])
	path, err := json.Marshal("printf %s '" + os.Getenv("PATH") + "'")
	require.NoError(t, err)
	if !strings.Contains(os.Getenv("PATH"), "'") {
		require.Equal(t, "<secret-hidden>", a.call(t, "exec_command", `{"cmd":`+string(path)+`}`)["output"])
	}
	hangUp()
	require.NoError(t, a.cmd.Wait())
	require.Empty(t, a.stderr.String())

	var kinds []string
	exits := map[uint64]int{}
	for _, e := range a.traced(t) {
		require.NotContains(t, strings.Join(e.Args, " ")+string(e.Data), os.Getenv("PATH"))
		if e.Session <= 2 {
			kinds = append(kinds, string(e.Kind)+":"+string(e.Data))
			if e.Code != nil {
				exits[e.Session] = *e.Code
			}
		}
	}
	require.Equal(t, []string{"start:", "spawn:", "output:hi\n", "exit:", "start:", "spawn:", "input:there\n", "output:got there\n", "exit:"}, kinds)
	require.Equal(t, map[uint64]int{1: 0, 2: 0}, exits)
}

// traced returns the events of trace.jsonl.
func (a *agent) traced(t *testing.T) (all []eventlog.Event) {
	t.Helper()
	f, err := os.Open(filepath.Join(a.cmd.Dir, "trace.jsonl"))
	require.NoError(t, err)
	defer f.Close()
	rec, err := eventlog.NewRecord(f, "trace.jsonl")
	require.NoError(t, err)
	for {
		fr, err := rec.Next()
		if err == io.EOF {
			return all
		}
		require.NoError(t, err)
		all = append(all, *fr.Event)
	}
}

func TestMCPCommandApproval(t *testing.T) {
	a, hangUp := startMCP(t, "--trace", "trace.jsonl", "--approve", "commands")
	r, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: "exec_command", Arguments: json.RawMessage(`{"cmd":"echo hi"}`)})
	require.NoError(t, err)
	require.True(t, r.IsError)
	hangUp()
	require.NoError(t, a.cmd.Wait())
	events := a.traced(t)
	require.Len(t, events, 1)
	require.Equal(t, eventlog.KindDecision, events[0].Kind)
	require.Equal(t, "exec_command: echo hi", events[0].Subject)
	require.False(t, *events[0].Allowed)
	require.Equal(t, "Tool execution was not approved. The client cannot ask its user.", events[0].Reason)
}

func TestMCPCommandEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(t *testing.T, a *agent, hangUp func())
	}{
		{"end of input", func(_ *testing.T, _ *agent, hangUp func()) { hangUp() }},
		{"SIGTERM", func(t *testing.T, a *agent, _ func()) { require.NoError(t, a.cmd.Process.Signal(syscall.SIGTERM)) }},
		{"SIGINT", func(t *testing.T, a *agent, _ func()) { require.NoError(t, a.cmd.Process.Signal(os.Interrupt)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.HasPrefix(c.name, "SIG") {
				t.Skip("Windows has no such signals")
			}
			a, hangUp := startMCP(t)
			done := a.under(t)
			c.end(t, a, hangUp)
			require.NoError(t, a.cmd.Wait(), &a.stderr)
			require.Error(t, <-done)
			require.Empty(t, a.stderr.String())
		})
	}
}

func TestServeCommand(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "token")
	fromFile := func([]string) string {
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		return strings.TrimSpace(string(b))
	}
	random := func(lines []string) string {
		k, ok := strings.CutPrefix(lines[1], "wsandbox: token ")
		require.True(t, ok, lines)
		require.GreaterOrEqual(t, len(k), 26, "130 bits")
		return k
	}
	for _, c := range []struct {
		name  string
		token func([]string) string
		args  []string
	}{
		{"random token", random, nil},
		{"new file", fromFile, []string{"--token-file", file, "--addr", "0"}},
		{"same file again", fromFile, []string{"--token-file", file, "--addr", "localhost:0"}},
		{"any address", fromFile, []string{"--token-file", file, "--addr", "0.0.0.0:0", "--allow-remote"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, _ := os.ReadFile(file) // not there at first
			a, lines := startServe(t, c.args...)
			a.connect(t, c.token(lines))
			require.Equal(t, "hi\n", a.call(t, "exec_command", `{"cmd":"echo hi"}`)["output"])
			res, err := http.Post(a.url, "application/json", strings.NewReader("{}"))
			require.NoError(t, err)
			res.Body.Close()
			require.Equal(t, 401, res.StatusCode)
			if runtime.GOOS == "windows" {
				require.NoError(t, a.cmd.Process.Kill())
				_ = a.cmd.Wait() // killed
				return
			}
			if c.args != nil {
				st, err := os.Stat(file)
				require.NoError(t, err)
				require.Equal(t, os.FileMode(0o600), st.Mode())
			}
			if len(before) > 0 {
				require.Equal(t, string(before), fromFile(nil)+"\n")
			}
			done := a.under(t)
			require.NoError(t, a.cmd.Process.Signal(syscall.SIGTERM))
			rest, err := io.ReadAll(a.log)
			require.NoError(t, err)
			require.NoError(t, a.cmd.Wait())
			require.NotContains(t, string(rest), "ERROR")
			require.Error(t, <-done)
		})
	}
}
