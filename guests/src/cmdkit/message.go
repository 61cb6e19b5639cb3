// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package cmdkit

import "github.com/wsandbox/wsandbox/engine/abi"

// Strerror returns the wording of strerror(3) for an error of wsys.
func Strerror(err error) string { return abi.ErrnoOf(err).Strerror() }

// Warn writes "NAME: parts" and a newline to standard error, in one write,
// after flushing standard output as GNU's error() does. It returns 1.
func (p *Proc) Warn(parts ...string) int {
	p.Stdout.Flush()
	n := len(p.Name) + 3
	for _, s := range parts {
		n += len(s)
	}
	b := make([]byte, 0, n)
	b = append(b, p.Name...)
	b = append(b, ": "...)
	for _, s := range parts {
		b = append(b, s...)
	}
	b = append(b, '\n')
	p.Stderr.Write(b)
	p.failed = true
	return 1
}

// Errno is Warn with ": " and the error's wording at the end. It returns 1.
func (p *Proc) Errno(err error, parts ...string) int {
	return p.Warn(append(append(make([]string, 0, len(parts)+2), parts...), ": ", Strerror(err))...)
}

// FileErrno reports an error about a file as "NAME: file: wording", the file
// quoted only where a shell would need it. It returns 1.
func (p *Proc) FileErrno(err error, file string) int { return p.Errno(err, QuoteF(file)) }

// Failed reports whether a message was written by Warn, Errno or FileErrno.
func (p *Proc) Failed() bool { return p.failed }

// TryHelp writes "Try 'NAME --help' for more information." to standard error
// and returns status.
func (p *Proc) TryHelp(status int) int {
	p.Stdout.Flush()
	p.Stderr.WriteString("Try '" + p.Name + " --help' for more information.\n")
	return status
}

// UsageError is Warn followed by TryHelp.
func (p *Proc) UsageError(status int, parts ...string) int {
	p.Warn(parts...)
	return p.TryHelp(status)
}

// MissingOperand writes "missing operand", or with after "missing operand after
// 'after'", and TryHelp.
func (p *Proc) MissingOperand(status int, after ...string) int {
	if len(after) > 0 {
		return p.UsageError(status, "missing operand after ", Quote(after[len(after)-1]))
	}
	return p.UsageError(status, "missing operand")
}

// ExtraOperand writes "extra operand 'op'" and TryHelp.
func (p *Proc) ExtraOperand(status int, op string) int {
	return p.UsageError(status, "extra operand ", Quote(op))
}

// ExtraOperandAF is ExtraOperand with the quotes of a shell.
func (p *Proc) ExtraOperandAF(status int, op string) int {
	return p.UsageError(status, "extra operand ", QuoteAF(op))
}
