// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/wasishell"
)

// ExecCommandArgs are the arguments of exec_command. Nil pointers stand for the
// defaults.
type ExecCommandArgs struct {
	// Cmd is the script that the shell runs.
	Cmd string
	// Workdir is the directory it starts in: relative to the scope, or an
	// absolute path of the workspace or a grant. Nil, or what is blank, is
	// the scope's directory.
	Workdir *string
	// Shell names one of Options.Shells; nil is the sandbox's shell.
	Shell *string
	// Login makes a shell that the call names a login shell: nil does. The
	// sandbox's own shell is none.
	Login *bool
	// TTY gives the command a terminal.
	TTY bool
	// YieldTimeMS is the window in milliseconds: 10000 where nil.
	YieldTimeMS *int64
	// MaxOutputTokens bounds the output returned: nil does not.
	MaxOutputTokens *int64
	// Stdin keeps standard input open as a pipe, for write_stdin and
	// close_stdin. An extension.
	Stdin bool
}

// fallbackNotice tells that a command ran without a session.
const fallbackNotice = "PTY transport failed before the interactive session opened; fell back to one-shot exec."

// parseExecCommand decodes the arguments of exec_command. Its error is an
// [*ArgumentError].
func (m *Manager) parseExecCommand(a *arguments) (x ExecCommandArgs, err error) {
	x.Cmd = a.text("cmd", true)
	x.Workdir = a.optionalText("workdir")
	x.Shell = a.optionalText("shell")
	login := a.flag("login", true)
	x.Login = &login
	x.TTY = a.flag("tty", false)
	x.YieldTimeMS = a.number("yield_time_ms", false, false, 0)
	x.MaxOutputTokens = a.number("max_output_tokens", false, true, 1)
	if !m.opt.Strict {
		x.Stdin = a.flag("stdin", false)
	}
	if a.err == nil {
		a.err = x.check()
	}
	return x, a.err
}

// check repeats the schema for callers that do not come through JSON.
func (x *ExecCommandArgs) check() error {
	switch {
	case x.Cmd == "":
		return &ArgumentError{"cmd", "must not be empty"}
	case x.YieldTimeMS != nil && *x.YieldTimeMS < 0:
		return &ArgumentError{"yield_time_ms", "must be at least 0"}
	case x.MaxOutputTokens != nil && *x.MaxOutputTokens < 1:
		return &ArgumentError{"max_output_tokens", "must be at least 1"}
	case strings.ContainsRune(x.Cmd, 0):
		return &ArgumentError{"cmd", "must not contain NUL"}
	}
	return nil
}

// workdir returns the directory that a call names as an absolute path, "" where
// it names none and the scope does not either.
func (m *Manager) workdir(name *string) (string, error) {
	p := ""
	if name != nil {
		p = *name
	}
	if strings.TrimSpace(p) == "" {
		if m.scope.Dir() == "" {
			return "", nil
		}
		p = "."
	}
	if hasDrive(p) {
		return m.paths.Normalize(p, false)
	}
	return m.paths.Normalize(m.scope.Anchor(strings.ReplaceAll(p, "\\", "/")), false)
}

// shellArgs returns the command line that runs a script.
func (m *state) shellArgs(x *ExecCommandArgs) ([]string, error) {
	if x.Shell == nil {
		// Its start files are empty, and so login has no effect.
		return []string{m.backend.Shell(), "-c", x.Cmd}, nil
	}
	name := *x.Shell
	base := path.Base(name)
	dir := strings.TrimSuffix(name, base)
	if !slices.Contains(m.opt.Shells, base) || dir != "" && dir != "/bin/" && dir != "/usr/bin/" {
		return nil, &shellError{name, m.opt.Shells}
	}
	flag := "-lc"
	if x.Login != nil && !*x.Login {
		flag = "-c"
	}
	return []string{name, flag, x.Cmd}, nil
}

// shellError reports a shell that the sandbox does not have.
type shellError struct {
	name string
	have []string
}

func (e *shellError) Error() string {
	return fmt.Sprintf("shell %q is not a shell of the sandbox, which runs no programs of the host: use %s", e.name, strings.Join(e.have, " or "))
}

// spec describes the command of a call.
func (m *Manager) spec(x *ExecCommandArgs) (*Spec, error) {
	if err := x.check(); err != nil {
		return nil, err
	}
	dir, err := m.workdir(x.Workdir)
	if err != nil {
		return nil, err
	}
	args, err := m.shellArgs(x)
	if err != nil {
		return nil, err
	}
	s := &Spec{
		Args: args, Dir: dir, Env: m.env[0], User: m.opt.User, TTY: x.TTY, Size: m.opt.Size, Stdin: x.Stdin,
		Background: m.opt.Background, Drain: m.opt.Drain, Timeout: m.opt.Timeout,
	}
	if x.TTY {
		s.Env = m.env[1]
	}
	return s, nil
}

// ExecCommand runs a command until it ends or its window does, whichever is
// first. In the latter case the response has a session for [Manager.WriteStdin].
//
// Where ctx is done before that, its cause is returned, and the command is
// killed or kept as Options.KeepCancelled says. Every other failure is a
// response with the failure as its output, or an error with
// Options.RaiseErrors.
func (m *Manager) ExecCommand(ctx context.Context, x ExecCommandArgs) (Response, error) {
	begin := m.opt.Clock.Now()
	r, err := m.execCommand(ctx, &x, begin)
	if err != nil {
		return m.failure(ctx, begin, "exec_command", err)
	}
	return r, nil
}

func (m *Manager) execCommand(ctx context.Context, x *ExecCommandArgs, begin time.Time) (Response, error) {
	spec, err := m.spec(x)
	if err != nil {
		return Response{}, err
	}
	if err := ctx.Err(); err != nil {
		return Response{}, context.Cause(ctx)
	}
	if !m.backend.Interactive() {
		return m.oneShot(ctx, spec, x, begin, "")
	}
	s, err := m.launch(ctx, spec, x.Cmd)
	if err != nil {
		t := (*TransportError)(nil)
		switch {
		case errors.Is(err, ErrTimeout):
			return m.timedOut(x, begin)
		case errors.As(err, &t) && t.RetrySafe && !x.TTY:
			return m.oneShot(ctx, spec, x, begin, fallbackNotice)
		}
		if errors.Is(err, wasishell.ErrNoDir) && !m.opt.RaiseErrors {
			return m.message(begin, 1, noDirText(spec.Dir, err)) // as "cd" would say it
		}
		return Response{}, err
	}
	s.turn <- struct{}{} // which is free
	defer s.giveTurn()
	if err := m.await(ctx, s, execYield(x.YieldTimeMS), nil); err != nil {
		return Response{}, m.abandon(s, err)
	}
	if !s.hasEnded() {
		if err := m.insert(s); err != nil {
			return Response{}, m.abandon(s, err)
		}
	}
	r, ended, err := m.respond(s, begin, x.MaxOutputTokens)
	if err != nil {
		return r, err
	}
	m.settle(s, &r, ended)
	if r.SessionID == nil && !ended { // it had to make room at once
		select {
		case <-s.ended:
			r.ExitCode = &s.exit.Code
		case <-ctx.Done():
			return Response{}, context.Cause(ctx)
		}
	}
	return r, nil
}

// noDirText says, as a shell does, why a command cannot start in a directory.
func noDirText(dir string, err error) string {
	text := abi.ErrnoOf(err).Error()
	return "cd: " + dir + ": " + strings.ToUpper(text[:1]) + text[1:] + "\n"
}

// settle gives a response the number of its session, or takes a session whose
// end it reports out of the table.
func (m *state) settle(s *session, r *Response, ended bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case !ended && s.id != 0:
		id := s.id
		r.SessionID = &id
	case ended && s.id != 0:
		m.removeLocked(s.id, false)
	case ended:
		s.transcript.release()
	}
}

// abandon is for a command whose first call is given up because of err.
func (m *state) abandon(s *session, err error) error {
	if m.opt.KeepCancelled && !errors.Is(err, ErrClosed) && m.insert(s) == nil {
		return err
	}
	if p := m.process(s); p != nil {
		p.Kill()
	}
	s.transcript.release()
	return err
}

// timedOut is the response to a command that took too long.
func (m *state) timedOut(x *ExecCommandArgs, begin time.Time) (Response, error) {
	ms := int64(defaultExecYield / time.Millisecond)
	if x.YieldTimeMS != nil {
		ms = *x.YieldTimeMS
	}
	r, err := m.message(begin, 0, fmt.Sprintf("Command timed out after %.3f seconds.", float64(ms)/1000))
	r.ExitCode = nil
	return r, err
}

// oneShot runs a command to its end, or to that of the time it may take: the
// window as it was asked for.
func (m *state) oneShot(ctx context.Context, spec *Spec, x *ExecCommandArgs, begin time.Time, notice string) (Response, error) {
	timeout := defaultExecYield
	if x.YieldTimeMS != nil {
		timeout = time.Duration(min(*x.YieldTimeMS, int64(1<<62)/int64(time.Millisecond))) * time.Millisecond
	}
	c, err := m.backend.Run(ctx, spec, timeout)
	switch {
	case errors.Is(err, ErrTimeout) || errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return m.timedOut(x, begin)
	case err != nil:
		return Response{}, err
	}
	var r Response
	if r.ChunkID, err = m.chunkID(nil, 0, 0); err != nil {
		return r, err
	}
	m.fit(&r, m.masks().text(mergeStreams(c.Stdout, c.Stderr)), 0, x.MaxOutputTokens)
	if notice != "" {
		if r.Output != "" {
			notice += "\n"
		}
		r.Output = notice + r.Output
	}
	code := c.Exit.Code
	r.ExitCode = &code
	m.noteLimit(&r, c.Exit)
	r.WallTimeSeconds = m.since(begin)
	return r, nil
}
