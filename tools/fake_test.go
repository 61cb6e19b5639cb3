// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
)

type testContext = context.Context

func itoa(n int) string { return strconv.Itoa(n) }

func sprintf(f string, a ...any) string { return fmt.Sprintf(f, a...) }

// fakeClock is a clock that only tests move.
type fakeClock struct {
	mu   sync.Mutex
	now  time.Time
	step time.Duration                     // that each look takes
	fire func(time.Duration) time.Duration // lets a timer fire at once; nil: never. It returns what passes.
}

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.now
	c.now = c.now.Add(c.step)
	return t
}

func (c *fakeClock) advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	c.mu.Unlock()
}

func (c *fakeClock) setFire(f func(time.Duration) time.Duration) {
	c.mu.Lock()
	c.fire = f
	c.mu.Unlock()
}

func (c *fakeClock) Timer(d time.Duration) (<-chan time.Time, func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch := make(chan time.Time, 1)
	if c.fire != nil {
		c.now = c.now.Add(c.fire(d))
		ch <- c.now
	}
	return ch, func() {}
}

// fakeBackend runs nothing: tests say what its commands do.
type fakeBackend struct {
	oneShot  bool
	startErr error
	start    func(*fakeProcess)
	run      func(*Spec) (Completed, error)
	last     *Spec
	timeout  time.Duration
	proc     *fakeProcess
}

func (b *fakeBackend) Shell() string     { return "sh" }
func (b *fakeBackend) Interactive() bool { return !b.oneShot }

func (b *fakeBackend) Start(ctx context.Context, s *Spec) (Process, error) {
	b.last = s
	if b.startErr != nil {
		return nil, b.startErr
	}
	p := &fakeProcess{spec: s, done: make(chan struct{})}
	b.proc = p
	context.AfterFunc(ctx, p.Kill)
	if b.start != nil {
		b.start(p)
	}
	return p, nil
}

func (b *fakeBackend) Run(_ context.Context, s *Spec, timeout time.Duration) (Completed, error) {
	b.last, b.timeout = s, timeout
	return b.run(s)
}

// fakeProcess is a command of a fakeBackend.
type fakeProcess struct {
	spec       *Spec
	onWrite    func([]byte)
	writeErr   error
	onWriteErr func()

	mu     sync.Mutex
	code   int
	killed bool
	eof    bool
	once   sync.Once
	done   chan struct{}
}

func (p *fakeProcess) output(s string) { _, _ = p.spec.Output.Write([]byte(s)) }

func (p *fakeProcess) setExit(code int) {
	p.mu.Lock()
	p.code = code
	p.mu.Unlock()
}

func (p *fakeProcess) exit(code int) {
	p.once.Do(func() {
		p.setExit(code)
		close(p.done)
	})
}

func (p *fakeProcess) wasKilled() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.killed
}

func (p *fakeProcess) PID() int { return 2 }

func (p *fakeProcess) Write(b []byte) (int, error) {
	if p.writeErr != nil {
		if p.onWriteErr != nil {
			p.onWriteErr()
		}
		return 0, p.writeErr
	}
	if p.onWrite != nil {
		p.onWrite(b)
	}
	return len(b), nil
}

func (p *fakeProcess) CloseStdin() error {
	p.mu.Lock()
	p.eof = true
	p.mu.Unlock()
	return nil
}

func (p *fakeProcess) Resize(Winsize) error {
	if !p.spec.TTY {
		return ErrNoTerminal
	}
	return nil
}

func (p *fakeProcess) Signal(sig abi.Signal) error {
	select {
	case <-p.done:
		return abi.ESRCH
	default:
	}
	if sig == abi.SIGTERM {
		p.exit(-int(sig))
	}
	return nil
}

func (p *fakeProcess) Kill() {
	p.mu.Lock()
	p.killed = true
	p.mu.Unlock()
	p.exit(-9)
}

func (p *fakeProcess) Done() <-chan struct{} { return p.done }

func (p *fakeProcess) Exit() Exit {
	<-p.done
	p.mu.Lock()
	defer p.mu.Unlock()
	return Exit{Code: p.code}
}

var errNoTool = errors.New("no such tool")

// fakeManager returns a manager of a fakeBackend.
func fakeManager(tb testing.TB, b Backend, opt Options) *Manager {
	tb.Helper()
	m, err := NewWithBackend(b, opt)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, m.Close()) })
	return m
}

// callTool calls a tool by its name.
func callTool(tb testing.TB, m *Manager, name, args string) (Result, error) {
	tb.Helper()
	for _, t := range m.Tools() {
		if t.Name == name {
			return t.Call(tb.Context(), Call{ID: "1", Args: json.RawMessage(args)})
		}
	}
	return Result{}, errNoTool
}

// idBytes returns random bytes that make drawID return id.
func idBytes(id int) []byte {
	const n = endID - firstID
	x := (uint64(id-firstID)<<32 + n - 1) / n
	return binary.LittleEndian.AppendUint32(nil, uint32(x)+1)
}
