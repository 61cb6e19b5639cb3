// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
	"github.com/wsandbox/wsandbox/engine/vfs"
	"github.com/wsandbox/wsandbox/ptyemu"
)

// Winsize is the size of a terminal in characters and in pixels.
type Winsize = ptyemu.Winsize

// terminalEnv is TERM on a terminal, unless the caller says otherwise.
const terminalEnv = "TERM=xterm-256color"

// sets reports whether env has a variable.
func sets(env []string, name string) bool {
	return slices.ContainsFunc(env, func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
}

// terminal is the host's side of a command's terminal.
type terminal struct {
	pty    *kernel.PTY
	file   *kernel.OpenFile   // held so that the terminal stays open until the end
	gate   *gate              // nil: output is discarded
	done   chan struct{}      // closed when all output has been delivered
	cancel context.CancelFunc // ends the copying of input
	ctx    context.Context
	stdin  io.Reader // or nil
}

func (s *Sandbox) newTerminal(c *Cmd, cred *vfs.Cred) *terminal {
	t := &terminal{done: make(chan struct{}), stdin: c.Stdin}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	t.pty, t.file = kernel.NewPTY(kernel.PTYOptions{
		Winsize: kernel.Winsize(*c.TTY), Number: uint8(s.terminals.Add(1) - 1), Clock: s.kernel.Clock(),
		UID: cred.UID, GID: cred.GID,
	})
	if c.Stdout != nil {
		t.gate = newGate(c.Stdout)
	}
	return t
}

// start starts copying.
func (t *terminal) start() {
	go t.deliver()
	if t.stdin != nil {
		go t.feed()
	}
}

// discard releases a terminal that was not started.
func (t *terminal) discard() {
	t.cancel()
	_ = t.pty.Master().Close() // returns nil
	_ = t.file.Close()         // likewise
}

// deliverSize is how much output is handed on at once.
const deliverSize = 32 << 10

// deliver hands the output on. A writer that fails hangs the terminal up.
func (t *terminal) deliver() {
	defer close(t.done)
	m := t.pty.Master()
	b := make([]byte, deliverSize)
	for {
		n, err := m.Read(b)
		if err != nil {
			return // io.EOF
		}
		if t.gate == nil {
			continue
		}
		if k, err := t.gate.Write(b[:n]); err != nil || k < n {
			if err == nil {
				err = io.ErrShortWrite
				t.gate.err.CompareAndSwap(nil, &err)
			}
			_ = m.Close() // returns nil
			return
		}
	}
}

// feed types what Cmd.Stdin brings. Its end, or an error, ends the input.
func (t *terminal) feed() {
	m := t.pty.Master()
	b := make([]byte, 4096)
	for t.ctx.Err() == nil {
		n, err := t.stdin.Read(b)
		if n > 0 {
			if _, err := m.WriteContext(t.ctx, b[:n]); err != nil {
				return
			}
		}
		if err != nil {
			_ = m.CloseInput(t.ctx) // hung up: there is nothing to end
			return
		}
	}
}

// finish ends the terminal behind the output that has been written, and waits
// until that is delivered, or for as long as patience is open.
func (t *terminal) finish(patience <-chan struct{}) {
	t.cancel()
	if d, ok := t.stdin.(interface{ SetReadDeadline(time.Time) error }); ok {
		_ = d.SetReadDeadline(time.Unix(1, 0)) // ends a Read where it can
	}
	m := t.pty.Master()
	m.HangUp()
	_ = t.file.Close() // the terminal's Close returns nil
	select {
	case <-t.done:
	case <-patience:
		_ = m.Close() // returns nil
	}
}

// write types p.
func (t *terminal) write(ctx context.Context, p []byte) (int, error) {
	n, err := t.pty.Master().WriteContext(ctx, p)
	return n, inputError(err)
}

// inputError is the error of Session.Write for one of a terminal.
func inputError(err error) error {
	switch {
	case errors.Is(err, ptyemu.ErrInputClosed):
		return ErrStdinClosed
	case errors.Is(err, ptyemu.ErrHungUp):
		return abi.EPIPE
	}
	return err
}

// Resize sets the size of the command's terminal; processes in the foreground
// get SIGWINCH where it changed. It returns [ErrNoTerminal] where Cmd.TTY was
// nil.
func (s *Session) Resize(ws Winsize) error {
	if s.term == nil {
		return ErrNoTerminal
	}
	s.term.pty.SetWinsize(kernel.Winsize(ws))
	return nil
}

// HangUp ends the connection of the command's terminal, as closing the window
// does: the session's leader gets SIGHUP, and processes read the end of file and
// cannot write any more. It returns [ErrNoTerminal] where Cmd.TTY was nil.
func (s *Session) HangUp() error {
	if s.term == nil {
		return ErrNoTerminal
	}
	s.term.pty.Master().HangUp()
	return nil
}
