// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package mcpserver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/tools"
)

// FuzzRun feeds a server anything: it ends with its input, says nothing but JSON
// and keeps nothing.
func FuzzRun(f *testing.F) {
	const begin = initialize + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	for _, s := range []string{
		"", "\n", "{}\n", "[]\n", "null\n", "1\n", `"x"`,
		initialize,
		begin + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n",
		begin + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"exec_command","arguments":{"cmd":"x"},"_meta":{"progressToken":1}}}` + "\n",
		begin + `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"exec_command","arguments":null}}` + "\n",
		begin + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"write_stdin","arguments":{"session_id":1e400}}}` + "\n",
		begin + `{"jsonrpc":"2.0","id":2,"method":"tools/call"}` + "\n",
		begin + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}` + "\n",
		begin + `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]` + "\n",
		begin + `{"jsonrpc":"2.0","id":9,"result":{}}` + "\n",
		begin + initialize + "\n",
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}` + "\n",
	} {
		f.Add([]byte(s))
	}
	s, err := New(context.Background(), Config{
		MaxRequest: 1 << 16,
		Sandbox:    sandboxConfig(f),
		Tools: tools.Options{Configure: func(set *tools.ToolSet) {
			set.Extensions = nil
			for _, t := range []*tools.Tool{set.ExecCommand, set.WriteStdin} {
				t.Call = func(context.Context, tools.Call) (tools.Result, error) { return tools.Result{Text: "ran"}, nil }
			}
		}},
	})
	require.NoError(f, err)
	f.Cleanup(func() { require.NoError(f, s.Close()) })
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		_ = s.Run(t.Context(), bytes.NewReader(in), &out) // whatever the input deserves
		for d := json.NewDecoder(&out); ; {
			var m map[string]any
			err := d.Decode(&m)
			if err == io.EOF {
				break
			}
			if err != nil || m["jsonrpc"] != "2.0" {
				t.Fatalf("%v in %q", err, out.Bytes())
			}
		}
		wait(t, "the end of the session", func() bool { return s.Sessions() == 0 })
	})
}

// FuzzGuard checks that only the token, a known name and no foreign page get in.
func FuzzGuard(f *testing.F) {
	for _, c := range [][4]string{
		{"localhost:1", "", "Bearer " + testToken, "/mcp"},
		{"127.0.0.1", "http://ok:1", "bearer  " + testToken, "/mcp"},
		{"evil", "null", "Bearer", "/"},
		{"[::1", "http://ok:1.evil", "Bearer " + testToken + "\x00", "/mcp?"},
		{"127.0.0.1.evil:80", "HTTP://OK:1", testToken, "//mcp"},
		{"[::ffff:127.0.0.1]:9", "", "Basic " + testToken, "/mcp/"},
	} {
		f.Add(c[0], c[1], c[2], c[3])
	}
	s := &Server{}
	require.NoError(f, s.cfg.check())
	f.Fuzz(func(t *testing.T, host, origin, auth, path string) {
		passed := false
		g := &guard{
			token: sha256.Sum256([]byte(testToken)), hosts: []string{"box"}, origins: []string{"http://ok:1"}, requests: make(chan struct{}, 1), server: s,
			next: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { passed = true }),
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host, r.URL.Path = host, path
		r.Header = http.Header{"Authorization": {auth}}
		if origin != "" {
			r.Header["Origin"] = []string{origin}
		}
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		name := strings.ToLower(hostOnly(host))
		ip := net.ParseIP(name)
		scheme, token, _ := strings.Cut(auth, " ")
		want := (name == "localhost" || name == "box" || ip != nil && ip.IsLoopback()) &&
			(origin == "" || strings.EqualFold(origin, "http://ok:1")) &&
			strings.EqualFold(scheme, "bearer") && strings.TrimLeft(token, " ") == testToken && path == Endpoint
		if passed != want {
			t.Fatalf("host %q, origin %q, authorization %q, path %q: passed %v", host, origin, auth, path, passed)
		}
		if !passed && (w.Code < 400 || !json.Valid(w.Body.Bytes())) {
			t.Fatalf("status %d with %q", w.Code, w.Body)
		}
		if len(g.requests) != 0 {
			t.Fatal("the request is still counted")
		}
	})
}

// BenchmarkCall is a whole call of exec_command, from the client and back.
func BenchmarkCall(b *testing.B) {
	s := newServer(b, Config{})
	run := func(b *testing.B, c *mcp.ClientSession) {
		p := &mcp.CallToolParams{Name: "exec_command", Arguments: json.RawMessage(`{"cmd":"echo hi"}`)}
		for b.Loop() {
			r, err := c.CallTool(b.Context(), p)
			if err != nil || r.IsError {
				b.Fatal(err, r)
			}
		}
	}
	b.Run("streams", func(b *testing.B) { run(b, dial(b, s, nil).ClientSession) })
	b.Run("HTTP", func(b *testing.B) {
		url, _ := listen(b, newServer(b, Config{}), HTTPOptions{})
		c, _ := connect(b, url, nil)
		run(b, c)
	})
}
