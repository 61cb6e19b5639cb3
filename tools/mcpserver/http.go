// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package mcpserver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Endpoint is the path of the protocol's endpoint over HTTP.
const Endpoint = "/mcp"

// sessionHeader names the session of a request.
const sessionHeader = "Mcp-Session-Id"

// minToken is the least number of characters of a token.
const minToken = 16

// Times and sizes of requests.
const (
	maxHeader     = 32 << 10
	headerTimeout = 10 * time.Second
	bodyTimeout   = 30 * time.Second
	writeTimeout  = 30 * time.Second
	keepAlive     = 2 * time.Minute
	shutdownGrace = 5 * time.Second
	// requestsPerSession bounds the requests at once, times the number of
	// sessions.
	requestsPerSession = 16
)

// HTTPOptions say who may use a server over HTTP.
type HTTPOptions struct {
	// Token is what each request must bring as "Authorization: Bearer
	// TOKEN": at least 16 printable characters without blanks.
	Token string
	// Hosts are further names, without a port, that the server is called by
	// in the Host header. Names and addresses of the loopback interface
	// always hold.
	Hosts []string
	// Origins are the web origins, such as "http://localhost:6274", whose
	// pages may use the server. Requests of all others are refused. Programs
	// that are no browsers send none.
	Origins []string
}

// guard decides about requests before they reach the protocol.
type guard struct {
	token    [sha256.Size]byte
	hosts    []string
	origins  []string
	requests chan struct{} // a token for each request under way
	server   *Server
	next     http.Handler
}

// Handler returns the handler of the endpoint and of everything else, which is
// not found. Its error says what is not valid in opt.
//
// Refusals are JSON-RPC errors without an id, with status 401 (token), 403 (Host
// or Origin), 404 (path, session), 405 (method), 413 (size) and 503 (too much at
// once).
func (s *Server) Handler(opt HTTPOptions) (http.Handler, error) {
	if len(opt.Token) < minToken || strings.IndexFunc(opt.Token, func(r rune) bool { return r <= ' ' || r > '~' }) >= 0 {
		return nil, fmt.Errorf("mcpserver: a token has at least %d printable characters without blanks", minToken)
	}
	g := &guard{token: sha256.Sum256([]byte(opt.Token)), server: s, requests: make(chan struct{}, s.cfg.MaxSessions*requestsPerSession)}
	for _, h := range opt.Hosts {
		if h == "" || strings.ContainsAny(h, "/@ ") {
			return nil, fmt.Errorf("mcpserver: host %q is not a name or an address", h)
		}
		g.hosts = append(g.hosts, hostOnly(strings.ToLower(h)))
	}
	for _, o := range opt.Origins {
		u, err := url.Parse(o)
		if err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != o {
			return nil, fmt.Errorf("mcpserver: origin %q: want SCHEME://HOST[:PORT]", o)
		}
		g.origins = append(g.origins, strings.ToLower(o))
	}
	g.next = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &mcp.StreamableHTTPOptions{
		EventStore:                 s.events,
		MaxRequestBodyBytes:        int64(s.cfg.MaxRequest),
		DisableLocalhostProtection: true, // the guard knows more names
	})
	return g, nil
}

func (g *guard) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w := &responseWriter{ResponseWriter: rw, control: http.NewResponseController(rw)}
	defer w.finish()
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	if !g.knowsHost(r.Host) {
		g.refuse(w, r, http.StatusForbidden, "the Host header names another server")
		return
	}
	if !g.allowOrigin(w, r) {
		return
	}
	if !g.authorized(r) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="wsandbox"`)
		g.refuse(w, r, http.StatusUnauthorized, "the bearer token is missing or wrong")
		return
	}
	if r.URL.Path != Endpoint {
		g.refuse(w, r, http.StatusNotFound, "not found: the endpoint is "+Endpoint)
		return
	}
	select {
	case g.requests <- struct{}{}:
		defer func() { <-g.requests }()
	default:
		w.Header().Set("Retry-After", "1")
		g.refuse(w, r, http.StatusServiceUnavailable, "too many requests at once")
		return
	}
	if r.Method == http.MethodPost && !g.readBody(w, r) {
		return
	}
	if id := r.Header.Get(sessionHeader); id != "" {
		if c := g.server.clientByID(id); c != nil {
			defer c.use()()
			if r.Method == http.MethodDelete {
				c.end() // ends the calls under way, which the protocol waits for
			}
		}
	}
	g.next.ServeHTTP(w, r)
	if r.Method == http.MethodPost && r.Header.Get(sessionHeader) == "" {
		// From now on a session that was begun counts as idle.
		if c := g.server.clientByID(w.Header().Get(sessionHeader)); c != nil {
			c.use()()
		}
	}
}

// refuse answers a request that does not reach the protocol.
func (g *guard) refuse(w http.ResponseWriter, r *http.Request, status int, why string) {
	g.server.cfg.Logger.Warn("request refused", "status", status, "why", why, "remote", r.RemoteAddr, "method", r.Method)
	writeError(w, status, why)
}

// hostOnly returns a Host header without its port and brackets.
func hostOnly(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.Trim(host, "[]")
}

// knowsHost tells whether the server may be called by a name. A page that makes
// its own name point to this machine is told apart by it.
func (g *guard) knowsHost(host string) bool {
	host = strings.ToLower(hostOnly(host))
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		return true
	}
	return host == "localhost" || slices.Contains(g.hosts, host)
}

// allowOrigin decides about the Origin header, and answers what a browser asks
// ahead. It tells whether the request goes on.
func (g *guard) allowOrigin(w http.ResponseWriter, r *http.Request) bool {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	w.Header().Add("Vary", "Origin")
	if len(origins) > 1 || !slices.Contains(g.origins, strings.ToLower(origins[0])) {
		g.refuse(w, r, http.StatusForbidden, "the origin is not allowed")
		return false
	}
	w.Header().Set("Access-Control-Allow-Origin", origins[0])
	w.Header().Set("Access-Control-Expose-Headers", sessionHeader)
	if r.Method != http.MethodOptions {
		return true
	}
	w.Header().Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	w.Header().Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Protocol-Version, "+sessionHeader)
	w.WriteHeader(http.StatusNoContent)
	return false
}

// authorized checks the token in a time that does not depend on it.
func (g *guard) authorized(r *http.Request) bool {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return false
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	sum := sha256.Sum256([]byte(strings.TrimLeft(token, " ")))
	return subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1 && ok && strings.EqualFold(scheme, "Bearer")
}

// readBody reads a request's body in bounded time. It tells whether the request
// goes on.
func (g *guard) readBody(w *responseWriter, r *http.Request) bool {
	limit := int64(g.server.cfg.MaxRequest)
	if r.ContentLength > limit {
		g.refuse(w, r, http.StatusRequestEntityTooLarge, fmt.Sprintf("the request is longer than %d bytes", limit))
		return false
	}
	_ = w.control.SetReadDeadline(time.Now().Add(bodyTimeout)) // not every writer has one
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	_ = w.control.SetReadDeadline(time.Time{})
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		g.refuse(w, r, http.StatusRequestEntityTooLarge, fmt.Sprintf("the request is longer than %d bytes", limit))
		return false
	case err != nil:
		g.refuse(w, r, http.StatusBadRequest, "the request's body cannot be read")
		return false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	return true
}

// writeError answers with a JSON-RPC error without an id.
func writeError(w http.ResponseWriter, status int, message string) {
	body, _ := json.Marshal(map[string]any{ // strings and numbers
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": codeFull, "message": message},
	})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may have gone
}

// Serve serves HTTP on ln, which it closes, until ctx ends, and then ends all
// client sessions: the server is closed. It returns nil then, and an error where
// ln fails or opt is not valid.
func (s *Server) Serve(ctx context.Context, ln net.Listener, opt HTTPOptions) error {
	handler, err := s.Handler(opt)
	if err != nil {
		return errors.Join(err, ln.Close())
	}
	srv := &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTimeout, IdleTimeout: keepAlive, MaxHeaderBytes: maxHeader,
		DisableGeneralOptionsHandler: true,
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()
	select {
	case err = <-failed:
		return errors.Join(err, s.Close())
	case <-ctx.Done():
	}
	err = s.Close()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownGrace)
	defer cancel()
	if srv.Shutdown(grace) != nil { // a client holds its connection
		_ = srv.Close() // the listener is closed already
	}
	<-failed
	return err
}
