// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package mcpserver

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wsandbox/wsandbox/tools"
	"github.com/wsandbox/wsandbox/wasishell"
)

// errEnded is the cause of calls that end with their session.
var errEnded = errors.New("the client session has ended")

// client is a client session with its sandbox.
type client struct {
	server  *Server
	session *mcp.ServerSession
	id      string // of a session over HTTP, or empty
	serial  uint64
	meter   *meter
	calls   atomic.Int64 // under way

	ctx    context.Context // until the end
	cancel context.CancelCauseFunc
	once   sync.Once
	gone   chan struct{} // closed when nothing is left of it

	mu      sync.Mutex
	ended   bool
	sandbox *wasishell.Sandbox
	manager *tools.Manager
	tools   map[string]tools.Tool

	idle struct {
		mu    sync.Mutex
		uses  int // requests under way
		timer *time.Timer
	}
}

func newClient(s *Server, ss *mcp.ServerSession, serial uint64) *client {
	c := &client{server: s, session: ss, id: ss.ID(), serial: serial, gone: make(chan struct{})}
	c.meter = newMeter()
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	return c
}

// open makes the sandbox, the first time.
func (c *client) open() (map[string]tools.Tool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ended:
		return nil, errEnded
	case c.tools != nil:
		return c.tools, nil
	}
	cfg := &c.server.cfg
	if cfg.NewObserver != nil {
		c.meter.next = cfg.NewObserver(c.serial)
	}
	sb, err := wasishell.New(c.ctx, cfg.Sandbox)
	if err != nil {
		return nil, err
	}
	opt := cfg.Tools
	opt.Observer = c.meter
	opt.Approve = c.approve
	m, err := tools.New(sb, opt)
	if err != nil {
		return nil, errors.Join(err, sb.Close())
	}
	c.sandbox, c.manager, c.tools = sb, m, map[string]tools.Tool{}
	for _, t := range m.Tools() {
		c.tools[t.Name] = t
	}
	return c.tools, nil
}

// end closes the sandbox and waits for that. The calls under way end.
func (c *client) end() {
	c.once.Do(func() {
		defer close(c.gone)
		c.cancel(errEnded)
		c.idle.mu.Lock()
		if c.idle.timer != nil {
			c.idle.timer.Stop()
		}
		c.idle.mu.Unlock()
		c.mu.Lock()
		c.ended = true
		m, sb := c.manager, c.sandbox
		c.mu.Unlock()
		if sb == nil {
			return
		}
		if err := errors.Join(m.Close(), sb.Close()); err != nil {
			c.server.cfg.Logger.Error("a sandbox was not closed cleanly", "session", c.serial, "error", err)
		}
	})
	<-c.gone
}

// use tells that a request of the client begins; the function returned, that it
// has ended.
func (c *client) use() (done func()) {
	c.idle.mu.Lock()
	defer c.idle.mu.Unlock()
	c.idle.uses++
	if c.idle.timer != nil {
		c.idle.timer.Stop()
	}
	return c.rest
}

// rest ends what use began. Where no request is left, the time begins after
// which the client counts as gone.
func (c *client) rest() {
	c.idle.mu.Lock()
	defer c.idle.mu.Unlock()
	c.idle.uses--
	if c.idle.uses == 0 && c.ctx.Err() == nil {
		c.idle.timer = time.AfterFunc(c.server.cfg.IdleTimeout, c.expire)
	}
}

func (c *client) expire() {
	c.idle.mu.Lock()
	busy := c.idle.uses > 0
	c.idle.mu.Unlock()
	if busy {
		return
	}
	c.server.cfg.Logger.Info("client session was idle", "session", c.serial)
	c.end()
	_ = c.session.Close() // there is nobody to tell
}
