// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// Session is a running command. Its methods are safe for concurrent use.
type Session struct {
	proc  *kernel.Process
	gates []*gate
	outs  []*kernel.OpenFile // held to see that all output has arrived
	begin int64
	clock kernel.Clock
	delay time.Duration
	stays bool        // processes may outlive the command
	stop  func() bool // detaches from the context
	ctx   context.Context

	term *terminal // or nil

	inMu sync.Mutex
	in   *kernel.PipeWriter // nil: not open

	waitOnce sync.Once
	waitErr  error
	result   Result
	ended    chan struct{}
}

// Start starts the command. ctx ends it: all its processes get SIGKILL.
func (c *Cmd) Start(ctx context.Context) (*Session, error) {
	s, err := c.start(ctx)
	if err != nil {
		return nil, err
	}
	go func() { // so that Done and Wait do not depend on a caller
		_ = s.Wait()
		close(s.ended)
	}()
	return s, nil
}

// start is Start for a caller that calls Wait, and not Done.
func (c *Cmd) start(ctx context.Context) (*Session, error) {
	fail := func(err error) (*Session, error) {
		return nil, &Error{Op: "start", Subject: c.name(), Err: err}
	}
	switch {
	case c.sb == nil:
		return fail(errors.New("no sandbox: use Sandbox.Command or Sandbox.Shell"))
	case c.started:
		return fail(ErrStarted)
	case len(c.Args) == 0 || c.Args[0] == "":
		return fail(errors.New("no program"))
	case c.OpenStdin && c.Stdin != nil:
		return fail(errors.New("Stdin and OpenStdin are both set"))
	case c.TTY != nil && c.Stderr != nil && !sameWriter(c.Stdout, c.Stderr):
		return fail(errors.New("a terminal has one output, Stdout: Stderr is set"))
	}
	for _, a := range append([]string{c.Path, c.Dir}, c.Args...) {
		if strings.ContainsRune(a, 0) {
			return fail(errors.New("NUL in an argument"))
		}
	}
	if err := checkEnv(c.Env); err != nil {
		return fail(err)
	}
	if err := ctx.Err(); err != nil {
		return fail(context.Cause(ctx))
	}
	c.started = true
	sb := c.sb
	if err := sb.enter(); err != nil {
		return fail(err)
	}
	defer sb.leave()

	dir := sb.cfg.Dir
	if c.Dir != "" {
		dir = c.Dir
		if !path.IsAbs(dir) {
			dir = path.Join(sb.cfg.Dir, dir)
		}
	}
	cred, own, err := sb.account(c.User)
	if err != nil {
		return fail(err)
	}
	env := mergeEnv(sb.env, own)
	if c.TTY != nil && !sets(sb.cfg.Env, "TERM") {
		env = mergeEnv(env, []string{terminalEnv})
	}
	env = mergeEnv(env, c.Env)
	env = mergeEnv(env, []string{"PWD=" + dir})
	if err := sb.checkDir(dir, cred); err != nil {
		return fail(&dirError{dir, err})
	}
	file := c.Path
	if file == "" {
		if file, err = sb.lookPath(c.Args[0], dir, env, cred); err != nil {
			return fail(err)
		}
	}

	s := &Session{clock: sb.kernel.Clock(), delay: c.WaitDelay, stays: c.Background, ctx: ctx, ended: make(chan struct{})}
	var files []*kernel.OpenFile // the process takes references of its own
	defer func() {
		for _, f := range files {
			_ = f.Close()
		}
	}()
	keep := func(f *kernel.OpenFile) *kernel.OpenFile {
		files = append(files, f)
		return f
	}
	output := func(w io.Writer) *kernel.OpenFile {
		if w == nil {
			return keep(kernel.NewNullFile())
		}
		g := newGate(w)
		f := kernel.NewWriterFile(g)
		s.gates, s.outs = append(s.gates, g), append(s.outs, f)
		return f
	}
	var stdin, stdout, stderr *kernel.OpenFile
	opt := kernel.StartOptions{Timeout: c.Timeout, KillOrphans: !c.Background, Cred: cred}
	if c.TTY != nil {
		s.term = sb.newTerminal(c, cred)
		if g := s.term.gate; g != nil {
			s.gates = append(s.gates, g)
		}
		stdin, stdout, stderr = s.term.file, s.term.file, s.term.file
		opt.Terminal = s.term.pty
	} else {
		switch {
		case c.OpenStdin:
			stdin, s.in = kernel.NewInputPipe()
		case c.Stdin != nil:
			stdin = kernel.NewReaderFile(c.Stdin)
		default:
			stdin = kernel.NewNullFile()
		}
		keep(stdin)
		stdout = output(c.Stdout)
		stderr = stdout
		if !sameWriter(c.Stdout, c.Stderr) {
			stderr = output(c.Stderr)
		}
	}

	s.begin = s.clock.Monotonic()
	s.proc, err = sb.kernel.Start(
		&abi.SpawnSpec{Path: file, Dir: dir, Args: c.Args, Env: env, Umask: -1},
		[]*kernel.OpenFile{stdin, stdout, stderr},
		opt,
	)
	if err != nil {
		if s.term != nil {
			s.term.discard()
		}
		if s.in != nil {
			_ = s.in.Close()
		}
		s.closeOuts()
		return fail(startError(err))
	}
	if s.term != nil {
		s.term.start()
	}
	s.stop = context.AfterFunc(ctx, func() { s.proc.Job().Kill(abi.SIGKILL) })
	return s, nil
}

func startError(err error) error {
	switch abi.ErrnoOf(err) {
	case abi.ENOENT:
		return ErrNotFound
	case abi.EACCES, abi.ENOEXEC, abi.EISDIR:
		return fmt.Errorf("%w: %w", ErrNotExecutable, err)
	}
	if errors.Is(err, kernel.ErrClosed) {
		return ErrClosed
	}
	return err
}

func (s *Session) closeOuts() {
	for _, f := range s.outs {
		_ = f.Close() // the last reference of a host-side file cannot fail
	}
	s.outs = nil
}

// checkDir reports why a command cannot start in a directory.
func (s *Sandbox) checkDir(dir string, cred *vfs.Cred) error {
	at := vfs.At{Dir: "/", Cred: cred}
	st, err := s.ns.Stat(at, dir, true)
	if err != nil {
		return err
	}
	if !st.Mode.IsDir() {
		return abi.ENOTDIR
	}
	return s.ns.Access(at, dir, abi.AccessExec)
}

// dirError says why a command cannot start in a directory. It is [ErrNoDir].
type dirError struct {
	dir string
	err error
}

func (e *dirError) Error() string { return fmt.Sprintf("working directory %q: %v", e.dir, e.err) }

func (e *dirError) Unwrap() []error { return []error{ErrNoDir, e.err} }

// lookPath finds a program as execvp does.
func (s *Sandbox) lookPath(name, dir string, env []string, cred *vfs.Cred) (string, error) {
	if strings.Contains(name, "/") {
		return name, nil
	}
	search := ""
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, "PATH="); ok {
			search = v
		}
	}
	at := vfs.At{Dir: dir, Cred: cred}
	denied := false
	for _, d := range strings.Split(search, ":") {
		if d == "" {
			d = "."
		}
		p := d + "/" + name
		st, err := s.ns.Stat(at, p, true)
		if err != nil || st.Mode.IsDir() {
			continue
		}
		if s.ns.Access(at, p, abi.AccessExec) == nil {
			return p, nil
		}
		denied = true
	}
	if denied {
		return "", ErrNotExecutable
	}
	return "", ErrNotFound
}

// PID returns the process number inside the sandbox.
func (s *Session) PID() int { return int(s.proc.PID()) }

// Done is closed when the command has ended and its output has been delivered.
func (s *Session) Done() <-chan struct{} { return s.ended }

// Signal sends a signal to every process of the command: ESRCH where it has
// ended, EINVAL.
func (s *Session) Signal(sig abi.Signal) error { return s.proc.Job().Signal(sig) }

// Kill ends every process of the command.
func (s *Session) Kill() { s.proc.Job().Kill(abi.SIGKILL) }

// Write is WriteContext without a context.
func (s *Session) Write(p []byte) (int, error) { return s.WriteContext(context.Background(), p) }

// WriteContext writes to the command's standard input, waiting while the pipe is
// full, or types p at its terminal, waiting while processes do not read what was
// typed before. A signal character such as ^C never waits. It returns
// [ErrStdinClosed] where neither OpenStdin nor TTY was set or CloseStdin was
// called, EPIPE where the command reads no more, and the cause of ctx where that
// is done first, with the number of bytes written.
func (s *Session) WriteContext(ctx context.Context, p []byte) (int, error) {
	if s.term != nil {
		return s.term.write(ctx, p)
	}
	s.inMu.Lock()
	in := s.in
	s.inMu.Unlock()
	if in == nil {
		return 0, ErrStdinClosed
	}
	return in.WriteContext(ctx, p)
}

// CloseStdin ends the command's standard input. At a terminal what was typed of
// a line can then be read without its end, and behind it every read is the end
// of file; a ^D that is written is an end of file once, as the start of a line.
// It waits for writes under way, and returns [ErrStdinClosed] where stdin is not
// open, and at a terminal EPIPE where the command has ended.
func (s *Session) CloseStdin() error {
	if s.term != nil {
		return inputError(s.term.pty.Master().CloseInput(context.Background()))
	}
	s.inMu.Lock()
	in := s.in
	s.in = nil
	s.inMu.Unlock()
	if in == nil {
		return ErrStdinClosed
	}
	return in.Close()
}

// Wait waits until the command has ended and its output has been delivered. Its
// result is that of [Cmd.Run]; where a writer failed and the command exited
// with 0 nevertheless, an [*Error] with the writer's.
func (s *Session) Wait() error {
	s.waitOnce.Do(func() { s.waitErr = s.wait() })
	return s.waitErr
}

// Result describes the command; it waits for its end.
func (s *Session) Result() Result {
	_ = s.Wait()
	return s.result
}

func (s *Session) wait() error {
	<-s.proc.Done()
	res := s.proc.Result()
	s.result = Result{
		Status: res.Status, Limit: res.Limit, MaxMemory: res.Maxrss,
		Wall: time.Duration(s.clock.Monotonic() - s.begin),
		CPU:  time.Duration(res.Utime + res.Stime),
	}
	if s.term == nil {
		_ = s.CloseStdin() // ErrStdinClosed where there is none
	}
	if s.delay > 0 {
		t := time.NewTimer(s.delay)
		select {
		case <-s.proc.Job().Done():
		case <-t.C:
		}
		t.Stop()
	}
	if !s.stays {
		// They are being killed: a matter of milliseconds.
		<-s.proc.Job().Done()
	}
	// A command that ended by itself waits for its reader, a killed one hardly.
	patience := s.ctx.Done()
	if res.Status.Signaled() || res.Limit != abi.LimitNone {
		grace := make(chan struct{})
		t := time.AfterFunc(stuckWrite, func() { close(grace) })
		defer t.Stop()
		patience = grace
	}
	s.result.Reached = s.proc.Job().Reached().Limits()
	for _, f := range s.outs {
		_ = f.Settle(patience) // the gates tell what did not arrive
	}
	s.closeOuts()
	if s.term != nil {
		s.term.finish(patience)
	}
	stuck := false
	var failed error
	for _, g := range s.gates {
		stuck = !g.close() || stuck
		if err := g.err.Load(); err != nil && failed == nil {
			failed = *err
		}
	}
	s.stop()
	if s.ctx.Err() != nil && res.Status.Signaled() {
		return context.Cause(s.ctx)
	}
	if res.Status != abi.ExitedWith(0) || res.Limit != abi.LimitNone {
		return &ExitError{Status: res.Status, Limit: res.Limit, Err: failed}
	}
	switch {
	case stuck:
		return &Error{Op: "wait", Err: ErrOutputStuck}
	case failed != nil:
		return &Error{Op: "output", Err: failed}
	}
	return nil
}
