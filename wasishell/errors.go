// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell

import (
	"errors"
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Errors that [Error] wraps.
var (
	// ErrClosed is returned for a sandbox or runtime after Close.
	ErrClosed = errors.New("closed")
	// ErrNotFound is returned where no program has the given name.
	ErrNotFound = errors.New("command not found")
	// ErrNotExecutable is returned where a program exists but cannot run.
	ErrNotExecutable = errors.New("cannot execute")
	// ErrNoCacheDir is returned by NewRuntime where RuntimeConfig.CacheDir is
	// empty and the user has no cache directory, as where HOME is not set.
	ErrNoCacheDir = errors.New("no directory for compiled programs")
	// ErrNoDir is returned where a command cannot start in its directory.
	ErrNoDir = errors.New("no such working directory")
	// ErrNoUser is returned for a user that Config.Users does not have.
	ErrNoUser = errors.New("no such user")
	// ErrStarted is returned for a Cmd that was started before.
	ErrStarted = errors.New("already started")
	// ErrOutputStuck is returned by Wait where Stdout or Stderr is inside a
	// Write that does not return. That call may still be running.
	ErrOutputStuck = errors.New("a write to Stdout or Stderr does not return")
	// ErrStdinClosed is returned by Session.Write where stdin is not open.
	ErrStdinClosed = errors.New("stdin is closed: set Cmd.OpenStdin to write to it")
	// ErrNoTerminal is returned for a command that does not run on one.
	ErrNoTerminal = errors.New("the command has no terminal: set Cmd.TTY")
)

// Error is the error of an operation on a sandbox. Its text is
// "op subject: cause".
type Error struct {
	Op      string // "open", "start", "mount", …
	Subject string // command, path or name, as the caller gave it
	Err     error
}

func (e *Error) Error() string {
	if e.Subject == "" {
		return e.Op + ": " + e.Err.Error()
	}
	return e.Op + " " + e.Subject + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ExitCode returns the status a shell would report for the error: 127 where
// the program was not found, 126 where it could not run, else 125.
func (e *Error) ExitCode() int {
	switch {
	case errors.Is(e.Err, ErrNotFound):
		return 127
	case errors.Is(e.Err, ErrNotExecutable):
		return 126
	}
	return 125
}

// ExitError reports that a command ran and did not exit with 0.
type ExitError struct {
	Status abi.WaitStatus
	// Limit is the limit that ended the command, or abi.LimitNone.
	Limit abi.Limit
	// Stderr is the end of the command's standard error where [Cmd.Output]
	// collected it.
	Stderr []byte
	// Err is the error of [Cmd.Stdout] or [Cmd.Stderr] that the command ran
	// into, if any.
	Err error
}

// Unwrap returns e.Err.
func (e *ExitError) Unwrap() error { return e.Err }

// ExitCode returns the exit status, or 128 plus the signal that ended the
// command.
func (e *ExitError) ExitCode() int { return e.Status.ShellStatus() }

func (e *ExitError) Error() string {
	var s string
	if e.Status.Exited() {
		s = "exit status " + strconv.Itoa(e.Status.ExitStatus())
	} else {
		s = "signal: " + e.Status.Signal().Description()
	}
	if e.Limit != abi.LimitNone {
		s += " (limit reached: " + e.Limit.String() + ")"
	}
	if e.Err != nil {
		s += " (output: " + e.Err.Error() + ")"
	}
	return s
}
