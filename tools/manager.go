// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/wsandbox/wsandbox/tools/screen"
	"github.com/wsandbox/wsandbox/wasishell"
)

// ErrClosed is returned by calls of a [Manager] after Close.
var ErrClosed = errors.New("the sandbox session is closed")

// maxChunks bounds the responses whose output read_output finds.
const maxChunks = 64

// Manager makes the calls of an agent on one sandbox.
type Manager struct {
	*state
	scope Scope
}

// state is what the scopes of a manager share.
type state struct {
	// Immutable.
	backend Backend
	opt     Options
	paths   *PathPolicy
	env     [2][]string // without and with a terminal
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup // of commands

	randMu sync.Mutex // guards opt.Rand

	mu       sync.Mutex
	closed   bool
	secrets  *secretSet
	serial   uint64
	sessions map[int]*session
	active   map[*session]Process // running, in the table or not
	chunks   map[string]*chunk
	order    []string // of chunks, oldest first
}

// chunk is the output of a response.
type chunk struct {
	t        *transcript
	from, to int64
}

// New returns a manager for a sandbox, which the caller closes after it. Its
// error says what is not valid in opt.
func New(sb *wasishell.Sandbox, opt Options) (*Manager, error) {
	if sb == nil {
		return NewWithBackend(nil, opt)
	}
	return NewWithBackend(NewBackend(sb), opt)
}

// NewWithBackend is New for another backend.
func NewWithBackend(b Backend, opt Options) (*Manager, error) {
	if b == nil {
		return nil, errors.New("Shell capability is not bound to a SandboxSession") //nolint:staticcheck // the contract's text
	}
	if err := opt.check(); err != nil {
		return nil, err
	}
	paths, err := NewPathPolicy(opt.Root, opt.Grants...)
	if err != nil {
		return nil, err
	}
	var scope Scope
	if opt.Cwd != "" {
		if scope, err = NewScope(opt.Cwd); err != nil {
			return nil, err
		}
	}
	s := &state{
		backend: b, opt: opt, paths: paths, secrets: newSecretSet(opt.Secrets),
		sessions: map[int]*session{}, active: map[*session]Process{}, chunks: map[string]*chunk{},
	}
	s.env = [2][]string{environment(&opt, false), environment(&opt, true)}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return &Manager{s, scope}, nil
}

// Scoped returns a manager that shares everything with m, but whose relative
// paths start from another directory of the workspace: see [NewScope].
func (m *Manager) Scoped(cwd string) (*Manager, error) {
	scope, err := NewScope(cwd)
	if err != nil {
		return nil, err
	}
	return &Manager{m.state, scope}, nil
}

// AddSecret masks a further value in the output of commands that start from now
// on. An empty one is ignored.
func (m *Manager) AddSecret(value string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.opt.Secrets = append(m.opt.Secrets[:len(m.opt.Secrets):len(m.opt.Secrets)], value)
	m.secrets = newSecretSet(m.opt.Secrets)
}

// masks returns the values to mask.
func (m *state) masks() *secretSet {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.secrets
}

// Close ends all commands and waits for their end. Later calls find no session,
// and start none. A second Close waits as well.
func (m *Manager) Close() error {
	m.mu.Lock()
	m.closed = true
	for id := range m.sessions {
		m.removeLocked(id, true)
	}
	for _, p := range m.active {
		p.Kill()
	}
	m.mu.Unlock()
	m.cancel()
	m.running.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.chunks {
		c.t.release()
	}
	m.chunks, m.order = map[string]*chunk{}, nil
	return nil
}

// launch starts a command as a session that is not in the table yet.
func (m *state) launch(ctx context.Context, spec *Spec, command string) (*session, error) {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return nil, ErrClosed
	}
	m.serial++
	now := m.opt.Clock.Now()
	s := &session{
		info: SessionInfo{
			Serial: m.serial, Command: command, Args: spec.Args, Dir: spec.Dir, User: spec.User,
			TTY: spec.TTY, Stdin: spec.TTY || spec.Stdin, Started: now,
		},
		obs: m.opt.Observer, turn: make(chan struct{}, 1), ended: make(chan struct{}), gone: make(chan struct{}),
		lastUsed: now, mask: masker{set: m.secrets}, pending: headTail{max: m.opt.BufferBytes}, winsize: spec.Size,
		transcript: &transcript{kept: headTail{max: m.opt.KeepBytes}, refs: 1}, watchers: map[*watcher]struct{}{},
	}
	if m.opt.Strict { // nothing reads it
		s.transcript.kept.max = 0
	}
	m.running.Add(1)
	m.mu.Unlock()
	if spec.TTY {
		s.info.Size = spec.Size
	}
	fail := func(err error) (*session, error) {
		s.transcript.release()
		m.running.Done()
		return nil, err
	}
	if m.opt.OpenLog != nil {
		log, err := m.opt.OpenLog(s.info)
		if err != nil {
			return fail(fmt.Errorf("open the log: %w", err))
		}
		s.transcript.log = log
	}
	if spec.TTY {
		// In any case, as it answers what programs ask of their terminal.
		s.term = screen.New(screen.Options{Rows: int(spec.Size.Rows), Cols: int(spec.Size.Cols), MaxText: m.opt.BufferBytes})
		s.clean = !m.opt.RawOutput
		if m.opt.RawOutput && !m.opt.Strict {
			s.filter = &screen.Filter{}
		}
	}
	if s.obs != nil {
		s.obs.Started(s.info)
	}
	spec.Output = s
	p, err := m.backend.Start(m.ctx, spec)
	if err != nil {
		if s.obs != nil {
			s.obs.Exited(s.info.Serial, Exit{Code: exitCodeOf(err)})
		}
		return fail(err)
	}
	m.mu.Lock()
	m.active[s] = p
	closed := m.closed
	m.mu.Unlock()
	s.in.start(p)
	go func() {
		s.wait(p)
		m.mu.Lock()
		delete(m.active, s)
		m.mu.Unlock()
		m.running.Done()
	}()
	if closed || ctx.Err() != nil {
		p.Kill()
		<-s.ended
		s.transcript.release()
		if closed {
			return nil, ErrClosed
		}
		return nil, context.Cause(ctx)
	}
	return s, nil
}

// insert puts a session into the table.
func (m *state) insert(s *session) error {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return ErrClosed
	}
	id, err := m.drawID()
	if err != nil {
		m.mu.Unlock()
		return err
	}
	s.id = id
	var pruned Process
	if len(m.sessions) >= maxSessions {
		uses := make([]sessionUse, 0, len(m.sessions))
		for id, s := range m.sessions {
			uses = append(uses, sessionUse{id, s.lastUsed, s.hasEnded()})
		}
		if old, ok := toPrune(uses); ok {
			pruned = m.active[m.sessions[old]]
			m.removeLocked(old, true)
		}
	}
	m.sessions[id] = s
	n := len(m.sessions)
	m.mu.Unlock()
	if pruned != nil {
		pruned.Kill()
	}
	if n >= warnSessions {
		m.opt.Logf("PTY process count reached warning threshold: %d active sessions", n)
	}
	return nil
}

// drawID returns a free number.
//
// Preconditions: m.mu is held.
func (m *state) drawID() (int, error) {
	m.randMu.Lock()
	defer m.randMu.Unlock()
	return drawID(m.opt.Rand, func(id int) bool { _, ok := m.sessions[id]; return ok })
}

// removeLocked takes a session out of the table. Where that is not because its
// end was reported, the calls that wait for it find it gone.
//
// Preconditions: m.mu is held.
func (m *state) removeLocked(id int, gone bool) {
	s := m.sessions[id]
	if s == nil {
		return
	}
	delete(m.sessions, id)
	s.id = 0
	if gone {
		s.leave()
	}
	s.transcript.release()
}

// lookup returns the session with a number, or nil.
func (m *state) lookup(id int) *session {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sessions[id]
}

// process returns the process of a session, or nil once it has ended.
func (m *state) process(s *session) Process {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.active[s]
}

// chunkID draws a name for a response and remembers its output.
func (m *state) chunkID(t *transcript, from, to int64) (string, error) {
	m.randMu.Lock()
	id, err := drawChunkID(m.opt.Rand)
	m.randMu.Unlock()
	if err != nil || t == nil || from == to || m.opt.Strict {
		return id, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return id, nil
	}
	if old := m.chunks[id]; old != nil {
		old.t.release()
	} else {
		m.order = append(m.order, id)
	}
	t.hold()
	m.chunks[id] = &chunk{t, from, to}
	if len(m.order) > maxChunks {
		m.chunks[m.order[0]].t.release()
		delete(m.chunks, m.order[0])
		m.order = m.order[1:]
	}
	return id, nil
}

// since returns the seconds from a time to now.
func (m *state) since(begin time.Time) float64 { return m.opt.Clock.Now().Sub(begin).Seconds() }

var _ io.Writer = (*session)(nil)
