// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Backend runs commands: see [NewBackend] for that of a sandbox.
type Backend interface {
	// Shell is the program that runs scripts by default.
	Shell() string
	// Interactive reports whether Start works: whether commands can go on
	// while nobody waits for them.
	Interactive() bool
	// Start starts a command, which ends when ctx does. Its error is a
	// [*TransportError] where the command cannot have begun.
	Start(ctx context.Context, s *Spec) (Process, error)
	// Run runs a command to its end, or to ErrTimeout.
	Run(ctx context.Context, s *Spec, timeout time.Duration) (Completed, error)
}

// Spec describes a command for a [Backend].
type Spec struct {
	Args []string
	Dir  string   // absolute path inside; empty is the sandbox's default
	Env  []string // added to the sandbox's
	User string   // empty is the sandbox's
	// TTY gives the command a terminal of Size.
	TTY  bool
	Size Winsize
	// Stdin keeps a pipe open as standard input. Otherwise, without a
	// terminal, it is empty.
	Stdin bool
	// Output takes standard output and error in the order of writing. Its
	// Write does not block or fail.
	Output io.Writer
	// Background and Drain are those of [Options].
	Background bool
	Drain      time.Duration
	// Timeout ends the command: 0 is none.
	Timeout time.Duration
}

// Process is a command that a [Backend] started.
type Process interface {
	// PID is its number inside the sandbox.
	PID() int
	// Write writes to the terminal or the pipe, and waits while that is
	// full. It returns [ErrNoStdin] where there is neither.
	Write(p []byte) (int, error)
	// CloseStdin ends the input: of a terminal, as its end-of-file
	// character at the beginning of a line does.
	CloseStdin() error
	// Resize sets the terminal's size.
	Resize(size Winsize) error
	// Signal sends a signal to all processes of the command.
	Signal(sig abi.Signal) error
	// Kill ends all processes of the command. It does not wait.
	Kill()
	// Done is closed when the command has ended and all its output has
	// been written.
	Done() <-chan struct{}
	// Exit tells how it ended. It waits for that.
	Exit() Exit
}

// Completed is the result of [Backend].Run.
type Completed struct {
	Stdout, Stderr []byte
	Exit           Exit
}

// Errors of backends.
var (
	// ErrNoStdin is returned for input to a command that has none.
	ErrNoStdin = errors.New("stdin is not available for this process")
	// ErrTimeout is returned where a command took too long.
	ErrTimeout = errors.New("timed out")
	// ErrNoTerminal is returned for the size of what is no terminal.
	ErrNoTerminal = errors.New("the process has no terminal")
)

// TransportError reports that a backend could not be reached.
type TransportError struct {
	// RetrySafe tells that the command has not begun.
	RetrySafe bool
	Err       error
}

// Code returns the error code that clients know.
func (*TransportError) Code() string { return "exec_transport_error" }

func (e *TransportError) Error() string {
	if e.Err == nil {
		return "exec transport error"
	}
	return "exec transport error: " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *TransportError) Unwrap() error { return e.Err }
