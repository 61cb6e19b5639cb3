// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package textio

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
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

// outOfRange is what GNU adds to the message on a number that is one but too
// small.
func outOfRange(e cmdkit.NumError) string {
	if e == cmdkit.NumOK {
		return ": Numerical result out of range"
	}
	return ""
}
