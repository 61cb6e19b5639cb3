// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

var (
	// ErrUnsupported is what this system cannot do at all.
	ErrUnsupported = errors.New("hostexec: not supported on this system")
	// ErrInvalid is a Cmd that cannot be started as it is written.
	ErrInvalid = errors.New("hostexec: invalid command")
	// ErrBatchFile is a Windows batch file: cmd.exe would parse its arguments a
	// second time by rules that no quoting satisfies (CVE-2024-24576).
	ErrBatchFile = errors.New("hostexec: batch files are not run")
	// ErrConfinement is a required confinement that cannot be had.
	ErrConfinement = errors.New("hostexec: the required confinement is not available")
	// ErrWaitDelay tells that a process which the program had left running held
	// its output open longer than Cmd.WaitDelay.
	ErrWaitDelay = errors.New("hostexec: output held open by a process left running")
	// ErrNoStdin is a Write to a command whose input is not open for it.
	ErrNoStdin = errors.New("hostexec: input of the command is not open")
	// ErrNotTerminal is a Resize of a command that runs on pipes.
	ErrNotTerminal = errors.New("hostexec: the command has no terminal")
	// ErrEnded is a signal or a Write to a command that has ended.
	ErrEnded = errors.New("hostexec: the command has ended")
)

// DefaultWaitDelay is how long output may stay open after the program's exit
// where Cmd.WaitDelay is zero.
const DefaultWaitDelay = 2 * time.Second

// Limits of a Cmd, far above what the systems take.
const (
	maxArgs     = 1 << 16
	maxArgBytes = 8 << 20
)

// Winsize is the size of a terminal in character cells.
type Winsize struct{ Rows, Cols uint16 }

// Cmd describes one program start. It is not changed and may be used again.
type Cmd struct {
	// Path is the program: absolute, and the very file, as LookPath returns it.
	// No search is made and no extension is tried.
	Path string
	// Args is the argument list with the program's name as its first; empty
	// stands for Path alone.
	Args []string
	// Dir is the working directory, absolute.
	Dir string
	// Env is the whole environment as NAME=value; nil is the empty environment.
	// Environ builds one.
	Env []string

	// Stdin is read for the command's input; nil is end of file at once. With
	// OpenStdin it must be nil: input then comes from Process.Write and ends
	// with Process.CloseStdin. On a terminal Process.Write always works.
	Stdin     io.Reader
	OpenStdin bool
	// Stdout and Stderr receive output; nil discards it. The same value for both
	// makes them one pipe, in the order written. On a terminal everything goes
	// to Stdout, and Stderr must be nil or the same. A Write that fails closes
	// the pipe, as a reader's exit does. An *os.File is handed over as it is.
	Stdout, Stderr io.Writer

	// Winsize puts the command on a terminal of this size; nil: on pipes.
	Winsize *Winsize

	// Confine limits the command; nil leaves it what the user may do.
	Confine *Confinement
	// Privileges lets set-user-ID programs gain privileges (sudo, ping). The
	// processes of the command are then found by search, see the package
	// comment. It cannot be had together with Confine.
	Privileges bool

	// KillGrace is the time between SIGTERM and SIGKILL when the context ends;
	// zero kills at once. Windows has no SIGTERM and kills at once.
	KillGrace time.Duration
	// WaitDelay bounds how long output may stay open after the program's exit;
	// then what it left running is killed. Zero is DefaultWaitDelay, a negative
	// value waits without a bound.
	WaitDelay time.Duration
}

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalid, fmt.Sprintf(format, args...))
}

func (c *Cmd) argv() []string {
	if len(c.Args) == 0 {
		return []string{c.Path}
	}
	return c.Args
}

func (c *Cmd) waitDelay() time.Duration {
	if c.WaitDelay == 0 {
		return DefaultWaitDelay
	}
	return c.WaitDelay
}

func (c *Cmd) check() error {
	if !filepath.IsAbs(c.Path) || strings.IndexByte(c.Path, 0) >= 0 {
		return invalid("program path %q is not absolute", c.Path)
	}
	if runtime.GOOS == "windows" && isBatch(c.Path) {
		return fmt.Errorf("%w: %s", ErrBatchFile, c.Path)
	}
	if !filepath.IsAbs(c.Dir) || strings.IndexByte(c.Dir, 0) >= 0 {
		return invalid("directory %q is not absolute", c.Dir)
	}
	if len(c.Args)+len(c.Env) > maxArgs {
		return invalid("more than %d arguments and environment variables", maxArgs)
	}
	total := 0
	for _, a := range c.Args {
		if strings.IndexByte(a, 0) >= 0 {
			return invalid("argument %q has a NUL byte", a)
		}
		total += len(a) + 1
	}
	seen := make(map[string]struct{}, len(c.Env))
	for _, e := range c.Env {
		name, value, ok := strings.Cut(e, "=")
		if !ok {
			return invalid("environment entry %q has no value", e)
		}
		if err := checkVariable(name, value); err != nil {
			return err
		}
		key := foldName(name, runtime.GOOS == "windows")
		if _, dup := seen[key]; dup {
			return invalid("environment variable %s is there twice", name)
		}
		seen[key] = struct{}{}
		total += len(e) + 1
	}
	if total > maxArgBytes {
		return invalid("arguments and environment of more than %d bytes", maxArgBytes)
	}
	if c.OpenStdin && c.Stdin != nil {
		return invalid("both Stdin and OpenStdin")
	}
	if c.Winsize != nil && c.Stderr != nil && !sameWriter(c.Stdout, c.Stderr) {
		return invalid("a terminal has one output")
	}
	if c.Privileges && c.Confine != nil {
		return invalid("Privileges and Confine exclude each other")
	}
	if c.KillGrace < 0 {
		return invalid("negative KillGrace")
	}
	return nil
}

// sameWriter compares without panicking on values that cannot be compared.
func sameWriter(a, b io.Writer) (same bool) {
	defer func() { _ = recover() }()
	return a != nil && a == b
}
