// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wsandbox/wsandbox/tools"
	"github.com/wsandbox/wsandbox/wasishell"
)

// ErrClosed is returned by uses of a [Server] after Close.
var ErrClosed = errors.New("the server is closed")

// versions are the protocol versions that have sessions.
var versions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// codeFull is the JSON-RPC error code of a client that is not let in.
const codeFull = -32000

// Server serves tools to any number of clients.
type Server struct {
	// Immutable.
	cfg    Config
	mcp    *mcp.Server
	events *eventStore
	own    *wasishell.Runtime // that Close closes, or nil

	mu      sync.Mutex
	closed  bool
	serial  uint64
	clients map[*mcp.ServerSession]*client
	ids     map[string]*client // of sessions over HTTP
	running sync.WaitGroup     // of clients
	rtOnce  sync.Once
	rtErr   error
}

// New returns a server. Its error says what is not valid in cfg, or that the
// programs of the sandbox cannot be loaded.
func New(ctx context.Context, cfg Config) (*Server, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, events: newEventStore(), clients: map[*mcp.ServerSession]*client{}, ids: map[string]*client{}}
	m, err := tools.NewWithBackend(describing{cfg.Sandbox.Shell}, cfg.Tools)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: cfg.Name, Version: cfg.Version, Title: "wsandbox shell"}, &mcp.ServerOptions{
		Instructions:              s.instructions(m),
		Capabilities:              &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		SupportedProtocolVersions: versions,
	})
	s.mcp.AddReceivingMiddleware(s.admitting)
	for _, t := range m.Tools() {
		s.mcp.AddTool(s.describe(&t), s.handler(t.Name))
	}
	if cfg.Sandbox.Runtime == nil {
		rt, err := wasishell.NewRuntime(ctx, wasishell.RuntimeConfig{})
		if err != nil {
			return nil, err
		}
		s.own, s.cfg.Sandbox.Runtime = rt, rt
	}
	// What is wrong with the sandbox's configuration is told now, and not to
	// the first client.
	sb, err := wasishell.New(ctx, s.cfg.Sandbox)
	if err == nil {
		err = sb.Close()
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// instructions returns the text for the system prompt of clients' models.
func (s *Server) instructions(m *tools.Manager) string {
	text := m.Instructions()
	if s.cfg.Tools.Strict {
		return text
	}
	text += "\n- Commands run in a sandbox of their own: the workspace is /workspace."
	if s.cfg.Sandbox.Mode == wasishell.ModeReadOnly {
		text += "\n- The workspace can only be read; /tmp can be written."
	}
	return text
}

// Close ends all client sessions with their sandboxes and waits for that. A
// client that does not read what it is sent is not waited for. A second Close
// waits as well.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	all := make([]*client, 0, len(s.clients))
	for _, c := range s.clients {
		all = append(all, c)
	}
	s.mu.Unlock()
	for _, c := range all {
		go func() {
			c.end() // first: what is under way is answered then
			_ = c.session.Close()
		}()
	}
	for _, c := range all {
		<-c.gone
	}
	s.running.Wait()
	if s.own != nil {
		s.rtOnce.Do(func() { s.rtErr = s.own.Close() })
	}
	return s.rtErr
}

// Sessions returns the number of client sessions.
func (s *Server) Sessions() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.clients)
}

// admitting makes a client of each session that is initialized, as far as there
// is room.
func (s *Server) admitting(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		if method == "initialize" {
			ss, ok := r.GetSession().(*mcp.ServerSession)
			if !ok {
				return nil, errors.New("no session")
			}
			if err := s.admit(ss); err != nil {
				return nil, err
			}
		}
		return next(ctx, method, r)
	}
}

func (s *Server) admit(ss *mcp.ServerSession) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.clients[ss] != nil:
		return nil
	case s.closed:
		return &jsonrpc.Error{Code: codeFull, Message: ErrClosed.Error()}
	case len(s.clients) >= s.cfg.MaxSessions:
		s.cfg.Logger.Warn("a client was turned away", "sessions", len(s.clients))
		return &jsonrpc.Error{Code: codeFull, Message: fmt.Sprintf("the server has %d client sessions, which is all it takes", len(s.clients))}
	}
	s.serial++
	c := newClient(s, ss, s.serial)
	s.clients[ss] = c
	if c.id != "" {
		s.ids[c.id] = c
	}
	s.running.Add(1)
	s.cfg.Logger.Info("client session began", "session", c.serial)
	go func() {
		defer s.running.Done()
		go func() {
			_ = ss.Wait() // its error is the client's
			c.end()
		}()
		<-c.gone
		s.mu.Lock()
		delete(s.clients, ss)
		delete(s.ids, c.id)
		s.mu.Unlock()
		s.cfg.Logger.Info("client session ended", "session", c.serial)
	}()
	return nil
}

// client returns the client of a session, or nil.
func (s *Server) client(ss *mcp.ServerSession) *client {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clients[ss]
}

// clientByID returns the client of a session over HTTP, or nil.
func (s *Server) clientByID(id string) *client {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ids[id]
}

// describing is the backend of a manager whose tools are only described.
type describing struct{ shell string }

var errDescribing = errors.New("this list of tools runs nothing")

func (d describing) Shell() string   { return d.shell }
func (describing) Interactive() bool { return true }

func (describing) Start(context.Context, *tools.Spec) (tools.Process, error) {
	return nil, errDescribing
}

func (describing) Run(context.Context, *tools.Spec, time.Duration) (tools.Completed, error) {
	return tools.Completed{}, errDescribing
}
