// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/tools"
	"github.com/wsandbox/wsandbox/wasishell"
)

// limit is how long a test waits for what must happen.
const limit = 2 * time.Minute

// shared is one runtime for all tests of the package: compiling is the dear part.
var shared struct {
	once sync.Once
	rt   *wasishell.Runtime
	err  error
}

func TestMain(m *testing.M) {
	status := m.Run()
	if shared.rt != nil {
		if err := shared.rt.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "close the runtime:", err)
			status = 1
		}
	}
	os.Exit(status)
}

// sharedRuntime returns the runtime, or skips where no guests are embedded.
func sharedRuntime(tb testing.TB) *wasishell.Runtime {
	tb.Helper()
	if _, err := wasishell.Guests(); err != nil {
		tb.Skip(err)
	}
	shared.once.Do(func() {
		shared.rt, shared.err = wasishell.NewRuntime(context.Background(), wasishell.RuntimeConfig{})
		if shared.err == nil {
			shared.err = shared.rt.Warm(context.Background())
		}
	})
	if shared.err != nil {
		tb.Fatal(shared.err)
	}
	return shared.rt
}

// newServer returns a server with the shared runtime.
func newServer(tb testing.TB, cfg Config) *Server {
	tb.Helper()
	cfg.Sandbox.Runtime = sharedRuntime(tb)
	s, err := New(tb.Context(), cfg)
	require.NoError(tb, err)
	tb.Cleanup(func() {
		require.NoError(tb, s.Close())
		require.Zero(tb, s.Sessions())
	})
	return s
}

// wire is a connection of a client over a pair of streams.
type wire struct {
	*mcp.ClientSession
	ended chan error // of Run
	hang  func()     // closes the server's input
}

// dial connects a client to a server.
func dial(tb testing.TB, s *Server, opt *mcp.ClientOptions) *wire {
	tb.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	w := &wire{ended: make(chan error, 1), hang: func() { fromClient.Close() }}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		w.ended <- s.Run(ctx, toServer, fromServer)
		fromServer.Close()
	}()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opt)
	var err error
	w.ClientSession, err = c.Connect(ctx, &mcp.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	require.NoError(tb, err)
	tb.Cleanup(func() {
		w.ClientSession.Close()
		toServer.Close()
		cancel()
	})
	return w
}

// result is what a tool answered.
type result struct {
	tools.Response
	text    string
	isError bool
}

// call calls a tool.
func call(tb testing.TB, c *mcp.ClientSession, name, args string) result {
	tb.Helper()
	r, err := c.CallTool(tb.Context(), &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(args)})
	require.NoError(tb, err)
	return decoded(tb, r)
}

func decoded(tb testing.TB, r *mcp.CallToolResult) result {
	tb.Helper()
	require.Len(tb, r.Content, 1)
	out := result{text: r.Content[0].(*mcp.TextContent).Text, isError: r.IsError}
	if r.StructuredContent != nil {
		b, err := json.Marshal(r.StructuredContent)
		require.NoError(tb, err)
		require.NoError(tb, json.Unmarshal(b, &out.Response))
	}
	return out
}

// quote returns a JSON string.
func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// wait waits for a condition.
func wait(tb testing.TB, what string, ok func() bool) {
	tb.Helper()
	require.Eventually(tb, ok, limit, 5*time.Millisecond, what)
}

// goroutines returns the stacks of the goroutines that run this module's code or
// the protocol's.
func goroutines() []string {
	buf := make([]byte, 4<<20)
	var own []string
	for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if !strings.Contains(g, "testing.") && (strings.Contains(g, "wsandbox/tools") || strings.Contains(g, "go-sdk/") || strings.Contains(g, "engine/kernel")) {
			own = append(own, g)
		}
	}
	return own
}

// alwaysAsk are options with which each command needs an approval.
var alwaysAsk = tools.Options{ExecApproval: tools.Always}

// sandboxConfig returns the configuration of sandboxes with the shared runtime.
func sandboxConfig(tb testing.TB) wasishell.Config {
	tb.Helper()
	return wasishell.Config{Runtime: sharedRuntime(tb)}
}
