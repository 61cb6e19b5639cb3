// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package textio

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// each opens the operands in turn ("-", and no operand, are standard input) and
// calls f with a reader of each. Files that cannot be opened or read are
// reported; the result is 1 after any failure, else 0.
func each(p *cmdkit.Proc, operands []string, f func(name string, r *cmdkit.Reader) bool) int {
	if len(operands) == 0 {
		operands = []string{"-"}
	}
	status := 0
	for _, name := range operands {
		fd, err := p.Open(name)
		if err != nil {
			status = p.FileErrno(err, name)
			continue
		}
		r := p.Stdin
		if fd != p.Stdin.FD {
			r = &file
			if file.Buffered() == 0 && !fileUsed {
				file, fileUsed = *cmdkit.NewReader(fd), true
			}
			r.Reset(fd)
		}
		goOn := f(name, r)
		if r.Err != nil {
			status = p.FileErrno(r.Err, name)
			r.Err = nil
		}
		p.CloseInput(fd)
		if !goOn || p.WriteFailed() {
			break
		}
	}
	return status
}

// file reads one named file after the other with one buffer.
var (
	file     cmdkit.Reader
	fileUsed bool
)

// sameFile reports whether two descriptors are one file.
func sameFile(a, b *abi.Stat) bool { return a.Ino == b.Ino && a.Dev == b.Dev }

// copyAll copies all of fd to standard output, inside the kernel where it can.
func copyAll(p *cmdkit.Proc, r *cmdkit.Reader) {
	p.Stdout.Flush()
	for r.Buffered() == 0 && p.Stdout.Err == nil {
		n, err := wsys.Splice(r.FD, p.Stdout.FD, 1<<40)
		if err == nil && n == 0 {
			return
		}
		if err == abi.EINTR {
			continue
		}
		if err != nil {
			break // copy by hand: reading and writing tell whose error it is
		}
	}
	for p.Stdout.Err == nil {
		b := r.Chunk()
		if len(b) == 0 {
			return
		}
		p.Stdout.Write(b)
		p.Stdout.Flush()
	}
}
