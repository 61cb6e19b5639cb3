// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package cmdkit

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// Func is a command. It returns the exit status.
type Func func(p *Proc) int

// Proc is one run of a command: what its arguments, environment and standard
// streams are.
type Proc struct {
	Name   string   // as in messages: argument zero
	Args   []string // the arguments behind it
	Stdin  *Reader
	Stdout *Writer
	Stderr *Writer // unbuffered: every call writes

	env    []string
	hasEnv bool
	failed bool

	lostOutput int // status of a failed write; 0 where the command has no other than 1
}

// The buffers of the process's own streams. Only pages that are really used
// become dirty.
var (
	stdinBuf  [64 << 10]byte
	stdoutBuf [64 << 10]byte
)

// Main runs the command f as the process's program: it flushes standard output
// afterwards and reports a failed write as GNU's close_stdout does. It returns
// the exit status.
func Main(name string, args []string, f Func) int {
	p := &Proc{
		Name:   name,
		Args:   args,
		Stdin:  &Reader{FD: wsys.Stdin, buf: stdinBuf[:]},
		Stdout: &Writer{FD: wsys.Stdout, buf: stdoutBuf[:], lazyTTY: true},
		Stderr: &Writer{FD: wsys.Stderr},
	}
	return p.Run(f)
}

// New returns a Proc over other descriptors and an explicit environment, for
// tests and for programs that run a command inside themselves.
func New(name string, args, env []string, stdin, stdout, stderr wsys.FD) *Proc {
	return &Proc{
		Name: name, Args: args, env: env, hasEnv: true,
		Stdin:  NewReader(stdin),
		Stdout: NewWriter(stdout),
		Stderr: &Writer{FD: stderr},
	}
}

// Run calls f, flushes standard output and returns the status: f's own, or that
// of the command's [Syntax] after the message "NAME: write error: …" where
// output was lost. Where the syntax has none it is 1, and f's own goes first.
func (p *Proc) Run(f Func) int {
	st := f(p)
	p.Stdout.Flush()
	if err := p.Stdout.Err; err != nil && err != errReported {
		p.Stdout.Err = errReported
		p.Errno(err, "write error")
		switch {
		case p.lostOutput != 0:
			st = p.lostOutput
		case st == 0:
			st = 1
		}
	}
	return st
}

// WriteFailed reports whether writing standard output has failed, in which case
// a command that would produce output without end must return.
func (p *Proc) WriteFailed() bool { return p.Stdout.Err != nil }

// Environ returns the environment as NAME=value strings. Do not change it.
func (p *Proc) Environ() []string {
	if !p.hasEnv {
		p.env, p.hasEnv = wsys.Environ(), true
	}
	return p.env
}

// LookupEnv returns the value of an environment variable and whether it is set.
func (p *Proc) LookupEnv(name string) (string, bool) {
	for _, kv := range p.Environ() {
		if len(kv) > len(name) && kv[len(name)] == '=' && kv[:len(name)] == name {
			return kv[len(name)+1:], true
		}
	}
	return "", false
}

// Getenv returns the value of an environment variable, or "".
func (p *Proc) Getenv(name string) string {
	v, _ := p.LookupEnv(name)
	return v
}

// Open opens a file for reading; "-" is standard input. The caller closes it
// with [Proc.CloseInput].
func (p *Proc) Open(name string) (wsys.FD, error) {
	if name == "-" {
		return p.Stdin.FD, nil
	}
	return wsys.Open(wsys.AtCwd, name, abi.ORdonly|abi.OCloexec, 0)
}

// CloseInput closes what Open returned, unless it is standard input.
func (p *Proc) CloseInput(fd wsys.FD) {
	if fd != p.Stdin.FD {
		wsys.Close(fd)
	}
}
