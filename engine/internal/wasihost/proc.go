// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"github.com/tetratelabs/wazero/sys"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// procExit ends the process. It does not return.
//
// # Parameters
//
//   - code: the exit status, of which the low eight bits are kept
//
// WASI: proc_exit.
func procExit(c *Context, _ memory, a []uint64) error {
	if c.p == nil {
		panic(sys.NewExitError(uint32(a[0])))
	}
	c.p.Exit(abi.ExitedWith(int(uint32(a[0]))))
	unwind()
	return nil
}

// procRaise sends a signal to the process itself.
//
// # Parameters
//
//   - sig: the signal, in the numbers of preview 1; 0 does nothing
//
// # Errors
//
//   - EINVAL: no such signal
//
// # Notes
//
// Preview 1 leaves out SIGSTKFLT, so that its numbers are one below those of
// Linux from SIGCHLD on. A signal that ends or stops the process does so before
// the call returns.
//
// WASI: proc_raise.
func procRaise(c *Context, _ memory, a []uint64) error {
	n := uint32(a[0])
	switch {
	case n == 0:
		return nil
	case n >= uint32(abi.NSIG)-1:
		return abi.EINVAL
	case n >= uint32(abi.SIGSTKFLT):
		n++
	}
	info, err := c.p.Info(0)
	if err != nil {
		return err
	}
	return c.p.Kill(info.PID, abi.Signal(n))
}
