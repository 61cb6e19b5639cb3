// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

const testToken = "0123456789abcdef0123456789abcdef"

// listen serves a server on a port of the loopback interface and returns its
// URL and what ends it. It is ended in any case.
func listen(tb testing.TB, s *Server, opt HTTPOptions) (url string, end func() error) {
	tb.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	opt.Token = testToken
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, ln, opt) }()
	ended := false
	end = func() error {
		if ended {
			return nil
		}
		ended = true
		cancel()
		return <-served
	}
	tb.Cleanup(func() { require.NoError(tb, end()) })
	return "http://" + ln.Addr().String(), end
}

// bearer adds the token to requests.
type bearer struct{ next http.RoundTripper }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+testToken)
	return b.next.RoundTrip(r)
}

// connect connects a client over HTTP.
func connect(tb testing.TB, url string, opt *mcp.ClientOptions) (*mcp.ClientSession, *http.Transport) {
	tb.Helper()
	wire := &http.Transport{}
	tb.Cleanup(wire.CloseIdleConnections)
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, opt).Connect(context.Background(),
		&mcp.StreamableClientTransport{Endpoint: url + Endpoint, HTTPClient: &http.Client{Transport: bearer{wire}}}, nil)
	require.NoError(tb, err)
	tb.Cleanup(func() { c.Close() })
	return c, wire
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// TestHTTPGuard is the table of what does not get in.
func TestHTTPGuard(t *testing.T) {
	s := newServer(t, Config{MaxRequest: 8192})
	url, _ := listen(t, s, HTTPOptions{Origins: []string{"http://localhost:6274"}, Hosts: []string{"box.example"}})
	type header map[string]string
	for _, c := range []struct {
		name, method, path, body string
		header                   header
		host                     string
		status                   int
		message                  string // of the error
		want                     header // of the answer
	}{
		{name: "accepted", body: initialize, status: 200, want: header{"Content-Type": "text/event-stream"}},
		{name: "no token", body: initialize, header: header{"Authorization": ""}, status: 401, message: "the bearer token is missing or wrong", want: header{"Www-Authenticate": `Bearer realm="wsandbox"`}},
		{name: "wrong token", body: initialize, header: header{"Authorization": "Bearer " + strings.ToUpper(testToken)}, status: 401, message: "the bearer token is missing or wrong"},
		{name: "prefix of the token", body: initialize, header: header{"Authorization": "Bearer " + testToken[:31]}, status: 401, message: "the bearer token is missing or wrong"},
		{name: "token and more", body: initialize, header: header{"Authorization": "Bearer " + testToken + "0"}, status: 401, message: "the bearer token is missing or wrong"},
		{name: "empty token", body: initialize, header: header{"Authorization": "Bearer "}, status: 401, message: "the bearer token is missing or wrong"},
		{name: "other scheme", body: initialize, header: header{"Authorization": "Basic " + testToken}, status: 401, message: "the bearer token is missing or wrong"},
		{name: "token in the query", path: "/mcp?token=" + testToken, body: initialize, header: header{"Authorization": ""}, status: 401, message: "the bearer token is missing or wrong"},
		{name: "scheme in small letters", body: initialize, header: header{"Authorization": "bearer " + testToken}, status: 200},
		{name: "rebound name", body: initialize, host: "evil.example", status: 403, message: "the Host header names another server"},
		{name: "rebound name with port", body: initialize, host: "127.0.0.1.evil.example:8080", status: 403, message: "the Host header names another server"},
		{name: "private address", body: initialize, host: "192.168.0.1", status: 403, message: "the Host header names another server"},
		{name: "unspecified address", body: initialize, host: "0.0.0.0", status: 403, message: "the Host header names another server"},
		{name: "no host", body: initialize, host: " ", status: 400},
		{name: "localhost", body: initialize, host: "LocalHost:1", status: 200},
		{name: "IPv6 loopback", body: initialize, host: "[::1]:80", status: 200},
		{name: "known name", body: initialize, host: "Box.example:443", status: 200},
		{name: "foreign origin", body: initialize, header: header{"Origin": "https://evil.example"}, status: 403, message: "the origin is not allowed"},
		{name: "null origin", body: initialize, header: header{"Origin": "null"}, status: 403, message: "the origin is not allowed"},
		{name: "empty origin", body: initialize, header: header{"Origin": "-"}, status: 403, message: "the origin is not allowed"},
		{name: "origin of another port", body: initialize, header: header{"Origin": "http://localhost:6275"}, status: 403, message: "the origin is not allowed"},
		{name: "own origin", body: initialize, header: header{"Origin": url}, status: 403, message: "the origin is not allowed"},
		{name: "origin that is allowed", body: initialize, header: header{"Origin": "http://localhost:6274"}, status: 200, want: header{"Access-Control-Allow-Origin": "http://localhost:6274", "Vary": "Origin", "Access-Control-Expose-Headers": "Mcp-Session-Id"}},
		{name: "allowed origin without a token", body: initialize, header: header{"Origin": "http://localhost:6274", "Authorization": ""}, status: 401, message: "the bearer token is missing or wrong"},
		{name: "preflight", method: "OPTIONS", header: header{"Origin": "http://localhost:6274", "Authorization": "", "Access-Control-Request-Method": "POST"}, status: 204, want: header{"Access-Control-Allow-Methods": "GET, POST, DELETE"}},
		{name: "foreign preflight", method: "OPTIONS", header: header{"Origin": "https://evil.example", "Authorization": "", "Access-Control-Request-Method": "POST"}, status: 403, message: "the origin is not allowed", want: header{"Access-Control-Allow-Origin": ""}},
		{name: "preflight of no origin", method: "OPTIONS", header: header{"Authorization": ""}, status: 401, message: "the bearer token is missing or wrong"},
		{name: "other path", path: "/", body: initialize, status: 404, message: "not found: the endpoint is /mcp"},
		{name: "path below", path: "/mcp/x", body: initialize, status: 404, message: "not found: the endpoint is /mcp"},
		{name: "other path without a token", path: "/", header: header{"Authorization": ""}, body: initialize, status: 401, message: "the bearer token is missing or wrong"},
		{name: "method", method: "PUT", body: initialize, status: 405, message: "Method Not Allowed", want: header{"Allow": "GET, POST, DELETE"}},
		{name: "GET without a session", method: "GET", status: 400, message: "Bad Request: GET requires an Mcp-Session-Id header"},
		{name: "GET of an unknown session", method: "GET", header: header{"Mcp-Session-Id": "guess"}, status: 404, message: "session not found"},
		{name: "DELETE without a session", method: "DELETE", status: 400, message: "Bad Request: DELETE requires an Mcp-Session-Id header"},
		{name: "POST to an unknown session", body: initialize, header: header{"Mcp-Session-Id": "guess"}, status: 404, message: "session not found"},
		{name: "content type", body: initialize, header: header{"Content-Type": "text/plain"}, status: 415, message: "Content-Type must be 'application/json'"},
		{name: "accept", body: initialize, header: header{"Accept": "application/json"}, status: 400, message: "Accept must contain both 'application/json' and 'text/event-stream'"},
		{name: "empty body", status: 400, message: "POST requires a non-empty body"},
		{name: "no JSON", body: "{", status: 400},
		{name: "long body", body: `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 8192) + `"}`, status: 413, message: "the request is longer than 8192 bytes"},
		{name: "long body of unknown length", body: "chunked:" + strings.Repeat(" ", 8193), status: 413, message: "the request is longer than 8192 bytes"},
		{name: "protocol version", body: initialize, header: header{"Mcp-Protocol-Version": "1999-01-01"}, status: 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			method, path := c.method, c.path
			if method == "" {
				method = "POST"
			}
			if path == "" {
				path = "/mcp"
			}
			var body io.Reader = strings.NewReader(c.body)
			if rest, ok := strings.CutPrefix(c.body, "chunked:"); ok {
				body = io.MultiReader(strings.NewReader(rest)) // whose length net/http does not know
			}
			r, err := http.NewRequestWithContext(t.Context(), method, url+path, body)
			require.NoError(t, err)
			r.Header.Set("Authorization", "Bearer "+testToken)
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			for k, v := range c.header {
				switch v {
				case "":
					r.Header.Del(k)
				case "-":
					r.Header.Set(k, "")
				default:
					r.Header.Set(k, v)
				}
			}
			r.Host = c.host
			if c.host == " " {
				status := rawStatus(t, url, "POST /mcp HTTP/1.1\r\n\r\n")
				require.Equal(t, c.status, status)
				return
			}
			res, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			defer res.Body.Close()
			got, err := io.ReadAll(res.Body)
			require.NoError(t, err)
			require.Equal(t, c.status, res.StatusCode, string(got))
			require.Equal(t, "nosniff", res.Header.Get("X-Content-Type-Options"))
			for k, v := range c.want {
				require.Equal(t, v, res.Header.Get(k), k)
			}
			if res.StatusCode >= 400 {
				require.Equal(t, "application/json", res.Header.Get("Content-Type"))
				var e struct {
					JSONRPC string `json:"jsonrpc"`
					ID      *int   `json:"id"`
					Error   struct {
						Code    int
						Message string
					}
				}
				require.NoError(t, json.Unmarshal(got, &e), string(got))
				require.Equal(t, "2.0", e.JSONRPC)
				require.NotZero(t, e.Error.Code)
				require.NotEmpty(t, e.Error.Message)
				if c.message != "" {
					require.Equal(t, c.message, e.Error.Message)
				}
			}
			if res.Header.Get("Mcp-Session-Id") != "" {
				require.GreaterOrEqual(t, len(res.Header.Get("Mcp-Session-Id")), 26, "130 bits")
			}
		})
	}
	require.NotZero(t, s.Sessions()) // those that were accepted
}

// rawStatus sends a request that net/http would not, and returns the status.
func rawStatus(tb testing.TB, url, request string) int {
	tb.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(tb, err)
	defer conn.Close()
	_, err = io.WriteString(conn, request)
	require.NoError(tb, err)
	var buf bytes.Buffer
	_, err = io.CopyN(&buf, conn, 12)
	require.NoError(tb, err)
	n := 0
	for _, d := range buf.String()[9:] {
		n = n*10 + int(d-'0')
	}
	return n
}

func TestHTTPOptions(t *testing.T) {
	s := newServer(t, Config{})
	for _, c := range []struct {
		opt  HTTPOptions
		want string
	}{
		{HTTPOptions{}, "a token has at least 16"},
		{HTTPOptions{Token: "short"}, "a token has at least 16"},
		{HTTPOptions{Token: "0123456789 0123456789"}, "without blanks"},
		{HTTPOptions{Token: "0123456789\n0123456789"}, "printable"},
		{HTTPOptions{Token: testToken, Hosts: []string{"http://x"}}, `host "http://x"`},
		{HTTPOptions{Token: testToken, Origins: []string{"*"}}, `origin "*"`},
		{HTTPOptions{Token: testToken, Origins: []string{"http://x/path"}}, `origin "http://x/path"`},
	} {
		_, err := s.Handler(c.opt)
		require.ErrorContains(t, err, c.want)
	}
}

func TestHTTPSessions(t *testing.T) {
	rec := &recorder{}
	s := newServer(t, rec.config())
	url, end := listen(t, s, HTTPOptions{})
	a, _ := connect(t, url, nil)
	b, _ := connect(t, url, nil)
	require.NotEqual(t, a.ID(), b.ID())
	r := call(t, a, "exec_command", `{"cmd":"echo mine > /tmp/x; read line; echo got $line","stdin":true,"yield_time_ms":0}`)
	require.NotNil(t, r.SessionID, r.text)
	id := mustJSON(t, *r.SessionID)
	require.Contains(t, call(t, b, "exec_command", `{"cmd":"cat /tmp/x"}`).Output, "No such file")
	require.Contains(t, call(t, b, "write_stdin", `{"session_id":`+id+`,"chars":"x\n"}`).text, "not found")
	r = call(t, a, "write_stdin", `{"session_id":`+id+`,"chars":"hello\n"}`)
	require.Equal(t, "got hello\n", r.Output)

	// A client that goes takes its sandbox with it, also in the middle of a call.
	call(t, b, "exec_command", `{"cmd":"sleep 1000","yield_time_ms":0}`)
	require.Equal(t, 1, rec.running())
	require.NoError(t, b.Close())
	wait(t, "the end of the session", func() bool { return s.Sessions() == 1 && rec.running() == 0 })

	// The server's end ends calls under way.
	done := make(chan error, 1)
	go func() {
		_, err := a.CallTool(context.Background(), &mcp.CallToolParams{Name: "exec_command", Arguments: json.RawMessage(`{"cmd":"sleep 1000","yield_time_ms":30000}`)})
		done <- err
	}()
	wait(t, "the command", func() bool { return rec.running() == 1 })
	require.NoError(t, end())
	require.Error(t, <-done)
	require.Zero(t, rec.running())
	require.Zero(t, s.Sessions())
}

// TestHTTPDelete ends a session in the middle of a call.
func TestHTTPDelete(t *testing.T) {
	rec := &recorder{}
	s := newServer(t, rec.config())
	url, _ := listen(t, s, HTTPOptions{})
	c, _ := connect(t, url, nil)
	done := make(chan error, 1)
	go func() {
		_, err := c.CallTool(context.Background(), &mcp.CallToolParams{Name: "exec_command", Arguments: json.RawMessage(`{"cmd":"sleep 1000","yield_time_ms":30000}`)})
		done <- err
	}()
	wait(t, "the command", func() bool { return rec.running() == 1 })
	r, err := http.NewRequestWithContext(t.Context(), "DELETE", url+Endpoint, nil)
	require.NoError(t, err)
	r.Header.Set("Mcp-Session-Id", c.ID())
	res, err := (&http.Client{Transport: bearer{http.DefaultTransport}}).Do(r)
	require.NoError(t, err)
	res.Body.Close()
	require.Equal(t, 204, res.StatusCode)
	require.Error(t, <-done)
	require.Zero(t, rec.running())
	wait(t, "the end of the session", func() bool { return s.Sessions() == 0 })
}

func TestHTTPCancelAndProgress(t *testing.T) {
	rec := &recorder{}
	cfg := rec.config()
	cfg.ProgressInterval = 10 * time.Millisecond
	progress := make(chan string, 1000)
	url, _ := listen(t, newServer(t, cfg), HTTPOptions{})
	c, _ := connect(t, url, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		select {
		case progress <- r.Params.Message:
		default:
		}
	}})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := &mcp.CallToolParams{Name: "exec_command", Arguments: json.RawMessage(`{"cmd":"echo up; sleep 1000","yield_time_ms":30000}`)}
	p.SetProgressToken(7)
	done := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, p)
		done <- err
	}()
	for !strings.HasSuffix(<-progress, ", 3 bytes of output") {
	}
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	wait(t, "the command's end", func() bool { return rec.running() == 0 })
	require.Equal(t, "next\n", call(t, c, "exec_command", `{"cmd":"echo next"}`).Output)
}

func TestHTTPApproval(t *testing.T) {
	s := newServer(t, Config{Tools: alwaysAsk})
	url, _ := listen(t, s, HTTPOptions{})
	c, _ := connect(t, url, &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		if strings.HasSuffix(r.Params.Message, "echo hi") {
			return &mcp.ElicitResult{Action: "accept"}, nil
		}
		return &mcp.ElicitResult{Action: "decline"}, nil
	}})
	require.Equal(t, "hi\n", call(t, c, "exec_command", `{"cmd":"echo hi"}`).Output)
	require.Equal(t, "Tool execution was not approved. The user declined.", call(t, c, "exec_command", `{"cmd":"echo ho"}`).text)
}

// TestHTTPIdle drops a client, which does not come back.
func TestHTTPIdle(t *testing.T) {
	rec := &recorder{}
	cfg := rec.config()
	cfg.IdleTimeout = 2 * time.Second // in which the first client opens its stream
	s := newServer(t, cfg)
	url, _ := listen(t, s, HTTPOptions{})
	// This client keeps a stream open, and so stays.
	stays, _ := connect(t, url, nil)
	call(t, stays, "exec_command", `{"cmd":"sleep 1000","yield_time_ms":0}`)
	// This one sends its requests and is gone.
	id := post(t, url, "", initialize).Header.Get("Mcp-Session-Id")
	require.NotEmpty(t, id)
	res := post(t, url, id, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"exec_command","arguments":{"cmd":"sleep 1000","yield_time_ms":0}}}`)
	require.Equal(t, 200, res.StatusCode)
	wait(t, "the idle session's end", func() bool { return s.Sessions() == 1 && rec.running() == 1 })
	wait(t, "the protocol's word", func() bool {
		return post(t, url, id, `{"jsonrpc":"2.0","id":3,"method":"ping"}`).StatusCode == 404
	})
	require.Equal(t, "still here\n", call(t, stays, "exec_command", `{"cmd":"echo still here"}`).Output)
}

// post sends one message and reads the whole answer.
func post(tb testing.TB, url, session, body string) *http.Response {
	tb.Helper()
	r, err := http.NewRequestWithContext(tb.Context(), "POST", url+Endpoint, strings.NewReader(body))
	require.NoError(tb, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
		r.Header.Set("Mcp-Protocol-Version", "2025-06-18")
	}
	res, err := (&http.Client{Transport: bearer{http.DefaultTransport}}).Do(r)
	require.NoError(tb, err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	require.NoError(tb, err)
	res.Body = io.NopCloser(bytes.NewReader(b))
	return res
}

// TestHTTPManyClients lets clients use their sandboxes at once: nothing of one is
// seen by another.
func TestHTTPManyClients(t *testing.T) {
	const clients = 16
	s := newServer(t, Config{MaxSessions: clients})
	url, _ := listen(t, s, HTTPOptions{})
	var all sync.WaitGroup
	for i := range clients {
		c, _ := connect(t, url, nil)
		all.Go(func() {
			name := fmt.Sprintf("client-%d", i)
			r := call(t, c, "exec_command", `{"cmd":"echo `+name+` > /tmp/name; while read -r n; do echo \"$(cat /tmp/name) $((n * `+fmt.Sprint(i+1)+`))\"; done","stdin":true,"yield_time_ms":0}`)
			id := mustJSON(t, *r.SessionID)
			for n := range 10 {
				want := fmt.Sprintf("%s %d\n", name, n*(i+1))
				r := call(t, c, "write_stdin", `{"session_id":`+id+`,"chars":"`+fmt.Sprint(n)+`\n","yield_time_ms":250}`)
				got := r.Output
				for len(got) < len(want) {
					got += call(t, c, "wait_session", `{"session_id":`+id+`,"pattern":".","timeout_ms":10000}`).Output
					got, _, _ = strings.Cut(got, "\n[the process is still running")
				}
				if got != want {
					t.Errorf("%s: got %q, want %q", name, got, want)
				}
			}
		})
	}
	all.Wait()
	require.Equal(t, clients, s.Sessions())
}

// TestHTTPResume breaks the connection of a call and takes it up again.
func TestHTTPResume(t *testing.T) {
	rec := &recorder{}
	s := newServer(t, rec.config())
	url, _ := listen(t, s, HTTPOptions{})
	id := post(t, url, "", strings.Replace(initialize, "2025-06-18", "2025-11-25", 1)).Header.Get("Mcp-Session-Id")
	request := func(ctx context.Context, method, body, last string) *http.Response {
		r, err := http.NewRequestWithContext(ctx, method, url+Endpoint, strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Mcp-Session-Id", id)
		r.Header.Set("Mcp-Protocol-Version", "2025-11-25")
		if last != "" {
			r.Header.Set("Last-Event-ID", last)
		}
		res, err := (&http.Client{Transport: bearer{&http.Transport{}}}).Do(r)
		require.NoError(t, err)
		return res
	}
	ctx, cut := context.WithCancel(t.Context())
	res := request(ctx, "POST", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"exec_command","arguments":{"cmd":"until [ -e go ]; do sleep 0.01; done; echo done","yield_time_ms":30000}}}`, "")
	require.Equal(t, 200, res.StatusCode)
	// The first event has an identifier and nothing else.
	prime := make([]byte, 4096)
	n, err := res.Body.Read(prime)
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(prime[:n]), "id: ")
	require.True(t, ok, string(prime[:n]))
	event, _, _ := strings.Cut(rest, "\n")
	wait(t, "the command", func() bool { return rec.running() == 1 })
	cut()
	res.Body.Close()
	go post(t, url, id, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"exec_command","arguments":{"cmd":"touch go"}}}`)
	var again *http.Response
	wait(t, "the server to know that the connection is gone", func() bool {
		again = request(t.Context(), "GET", "", event)
		if again.StatusCode == http.StatusConflict {
			again.Body.Close()
			return false
		}
		return true
	})
	defer again.Body.Close()
	require.Equal(t, 200, again.StatusCode)
	b, err := io.ReadAll(again.Body)
	require.NoError(t, err)
	require.Contains(t, string(b), `"output":"done\n"`)
	require.NotContains(t, string(b), `"id":3`, "another call's answer")
}

// TestHTTPBusy fills the requests that may be under way.
func TestHTTPBusy(t *testing.T) {
	s := newServer(t, Config{MaxSessions: 1})
	h, err := s.Handler(HTTPOptions{Token: testToken})
	require.NoError(t, err)
	for range cap(h.(*guard).requests) {
		h.(*guard).requests <- struct{}{}
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	srv := &http.Server{Handler: h}
	go func() { _ = srv.Serve(ln) }()
	defer srv.Close()
	res := post(t, "http://"+ln.Addr().String(), "", initialize)
	require.Equal(t, 503, res.StatusCode)
	require.Equal(t, "1", res.Header.Get("Retry-After"))
	<-h.(*guard).requests
	require.Equal(t, 200, post(t, "http://"+ln.Addr().String(), "", initialize).StatusCode)
	res = post(t, "http://"+ln.Addr().String(), "", initialize)
	b, _ := io.ReadAll(res.Body)
	require.Contains(t, string(b), "the server has 1 client sessions, which is all it takes")
}
