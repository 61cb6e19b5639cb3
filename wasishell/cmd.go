// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell

import (
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"
	"sync/atomic"
	"time"
)

// Cmd is a command of a [Sandbox], to be run once. Its fields are those of
// [os/exec.Cmd] where that has them.
type Cmd struct {
	// Args holds the program and its arguments. A program without a slash
	// is searched in PATH.
	Args []string
	// Path is the program's file, relative to Dir. Empty means that of Args[0].
	Path string
	// Dir is the working directory, relative to the sandbox's; it is set
	// on the process, never spliced into the command's text.
	Dir string
	// Env adds to the sandbox's environment.
	Env []string
	// User names the user of Config.Users that the command runs as: the
	// sandbox's own where empty.
	User string
	// Stdin is read as far as the command reads. Nil is an empty input.
	Stdin io.Reader
	// OpenStdin opens a pipe that Session.Write feeds and
	// Session.CloseStdin ends. Stdin must then be nil.
	OpenStdin bool
	// TTY runs the command on a terminal of the given size, which is its
	// standard input, output and error and its controlling terminal. Output
	// goes to Stdout, with a carriage return before each newline; Stderr must
	// be nil or the same. Stdin, where not nil, is typed at the terminal, and
	// Session.Write types whether or not OpenStdin is set. TERM is
	// xterm-256color unless Env says otherwise. A failing Stdout hangs the
	// terminal up: SIGHUP.
	TTY *Winsize
	// Stdout and Stderr receive the output; nil discards it. Where both
	// are the same (comparable) writer, one description serves both and
	// the order of writes is kept.
	// A failing writer gives the processes EPIPE and SIGPIPE; its error is
	// the cause of what Wait returns.
	Stdout, Stderr io.Writer
	// Timeout ends the command and all it started; 0 is none.
	Timeout time.Duration
	// Background lets what the command leaves behind, programs and shell
	// code, go on until the sandbox is closed. Otherwise they end with the
	// command.
	Background bool
	// WaitDelay is how long Wait waits for background processes to end and
	// have their output delivered, once the command has ended. What they
	// write later is dropped.
	WaitDelay time.Duration

	sb      *Sandbox
	started bool
}

// Command returns a command that runs a program.
func (s *Sandbox) Command(name string, arg ...string) *Cmd {
	return &Cmd{Args: append([]string{name}, arg...), sb: s}
}

// Shell returns a command that runs a script in the sandbox's shell. The
// arguments become $1 and on.
func (s *Sandbox) Shell(script string, arg ...string) *Cmd {
	args := []string{s.cfg.Shell, "-c", script}
	if len(arg) > 0 {
		args = append(append(args, s.cfg.Shell), arg...)
	}
	return &Cmd{Args: args, Path: "/bin/" + s.cfg.Shell, sb: s}
}

// Run runs the command and waits for its end. It returns an [*ExitError] where
// the command ran and did not exit with 0, an [*Error] where it could not be
// started, and the cause of ctx where that ended it.
func (c *Cmd) Run(ctx context.Context) error {
	s, err := c.start(ctx)
	if err != nil {
		return err
	}
	return s.Wait()
}

// maxStderr bounds the standard error that an ExitError carries.
const maxStderr = 32 << 10

// Output runs the command and returns its standard output. Where Stderr is nil,
// the end of the standard error goes into the ExitError, unless it is on a
// terminal, where both are one.
func (c *Cmd) Output(ctx context.Context) ([]byte, error) {
	if c.Stdout != nil {
		return nil, &Error{Op: "start", Subject: c.name(), Err: errors.New("Stdout is set")}
	}
	var out bytes.Buffer
	c.Stdout = &out
	var tail *tailBuffer
	if c.Stderr == nil && c.TTY == nil {
		tail = &tailBuffer{max: maxStderr}
		c.Stderr = tail
	}
	err := c.Run(ctx)
	if x := (*ExitError)(nil); tail != nil && errors.As(err, &x) {
		x.Stderr = tail.b
	}
	return out.Bytes(), err
}

// CombinedOutput runs the command and returns its standard output and error in
// the order of writing.
func (c *Cmd) CombinedOutput(ctx context.Context) ([]byte, error) {
	if c.Stdout != nil || c.Stderr != nil {
		return nil, &Error{Op: "start", Subject: c.name(), Err: errors.New("Stdout or Stderr is set")}
	}
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run(ctx)
	return out.Bytes(), err
}

func (c *Cmd) name() string {
	if len(c.Args) == 0 {
		return ""
	}
	return c.Args[0]
}

// tailBuffer keeps the last max bytes written to it.
type tailBuffer struct {
	b   []byte
	max int
}

func (t *tailBuffer) Write(p []byte) (int, error) {
	n := len(p)
	if len(p) > t.max {
		p = p[len(p)-t.max:]
	}
	if over := len(t.b) + len(p) - t.max; over > 0 {
		t.b = append(t.b[:0], t.b[over:]...)
	}
	t.b = append(t.b, p...)
	return n, nil
}

// sameWriter reports whether a and b are one writer, without panicking on
// types that cannot be compared.
func sameWriter(a, b io.Writer) bool {
	if a == nil || b == nil {
		return false
	}
	t := reflect.TypeOf(a)
	return t == reflect.TypeOf(b) && t.Comparable() && a == b
}

// gate hands output on to a writer of the caller until it is shut: what
// background processes write after the command's end is dropped.
type gate struct {
	w    io.Writer
	busy chan struct{} // holds a token while a call of w runs
	shut atomic.Bool
	err  atomic.Pointer[error] // the first one of w
}

func newGate(w io.Writer) *gate { return &gate{w: w, busy: make(chan struct{}, 1)} }

func (g *gate) Write(p []byte) (int, error) {
	g.busy <- struct{}{}
	defer func() { <-g.busy }()
	if g.shut.Load() {
		return len(p), nil
	}
	n, err := g.w.Write(p)
	if err != nil {
		g.err.CompareAndSwap(nil, &err)
	}
	return n, err
}

// stuckWrite is how long a killed command waits for a writer that does not
// return.
const stuckWrite = 50 * time.Millisecond

// close shuts the gate and waits for a call that is under way. It reports false
// where that does not return: a killed command does not wait for its reader.
func (g *gate) close() bool {
	g.shut.Store(true)
	select {
	case g.busy <- struct{}{}:
		<-g.busy
		return true
	default:
	}
	t := time.NewTimer(stuckWrite)
	defer t.Stop()
	select {
	case g.busy <- struct{}{}:
		<-g.busy
		return true
	case <-t.C:
		return false
	}
}
