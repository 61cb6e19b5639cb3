// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/wasishell"
)

// NewBackend returns the backend that runs commands in a sandbox.
func NewBackend(sb *wasishell.Sandbox) Backend { return &sandboxBackend{sb} }

type sandboxBackend struct{ sb *wasishell.Sandbox }

func (b *sandboxBackend) Shell() string { return b.sb.Shell("").Args[0] }

func (b *sandboxBackend) Interactive() bool { return true }

func (b *sandboxBackend) command(s *Spec) *wasishell.Cmd {
	cmd := b.sb.Command(s.Args[0], s.Args[1:]...)
	cmd.Dir, cmd.Env = s.Dir, s.Env
	cmd.User = s.User
	cmd.Background, cmd.Timeout = s.Background, s.Timeout
	if s.Background {
		cmd.WaitDelay = s.Drain
	}
	return cmd
}

func (b *sandboxBackend) Start(ctx context.Context, s *Spec) (Process, error) {
	cmd := b.command(s)
	cmd.Stdout, cmd.Stderr = s.Output, s.Output
	if s.TTY {
		cmd.TTY = &wasishell.Winsize{Rows: s.Size.Rows, Cols: s.Size.Cols}
	} else {
		cmd.OpenStdin = s.Stdin
	}
	sess, err := cmd.Start(ctx)
	if err != nil {
		return nil, err
	}
	return &sandboxProcess{sess}, nil
}

func (b *sandboxBackend) Run(ctx context.Context, s *Spec, timeout time.Duration) (Completed, error) {
	cmd := b.command(s)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	// The timer is not the command's Timeout, so that 0 is one.
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, ErrTimeout)
	defer cancel()
	sess, err := cmd.Start(ctx)
	if err != nil {
		return Completed{}, err
	}
	if err := sess.Wait(); errors.Is(err, ErrTimeout) {
		return Completed{}, ErrTimeout
	}
	return Completed{Stdout: out.Bytes(), Stderr: errs.Bytes(), Exit: exitOf(sess.Result())}, nil
}

// exitOf tells how a command of a sandbox ended.
func exitOf(r wasishell.Result) (e Exit) {
	e.Code = r.Status.ExitStatus()
	if r.Status.Signaled() {
		e.Code = -int(r.Status.Signal())
	}
	if r.Limit != wasishell.LimitNone {
		e.Limit = r.Limit.String()
	}
	return e
}

// sandboxProcess is a session of a sandbox.
type sandboxProcess struct{ *wasishell.Session }

func (p *sandboxProcess) Write(b []byte) (int, error) {
	n, err := p.Session.Write(b)
	if errors.Is(err, wasishell.ErrStdinClosed) {
		err = ErrNoStdin
	}
	return n, err
}

func (p *sandboxProcess) CloseStdin() error {
	if err := p.Session.CloseStdin(); errors.Is(err, wasishell.ErrStdinClosed) {
		return ErrNoStdin
	} else if err != nil {
		return err
	}
	return nil
}

func (p *sandboxProcess) Signal(sig abi.Signal) error { return p.Session.Signal(sig) }

func (p *sandboxProcess) Resize(w Winsize) error {
	err := p.Session.Resize(wasishell.Winsize{Rows: w.Rows, Cols: w.Cols})
	if errors.Is(err, wasishell.ErrNoTerminal) {
		return ErrNoTerminal
	}
	return err
}

func (p *sandboxProcess) Exit() Exit { return exitOf(p.Result()) }
