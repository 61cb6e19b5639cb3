// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"encoding/binary"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// ttyGetattr stores the attributes of a terminal: abi.Termios.
//
// # Errors
//
//   - EBADF, ENOTTY, EFAULT
//
// POSIX: tcgetattr().
func ttyGetattr(c *Context, m memory, a []uint64) error {
	b, err := m.view(uint32(a[1]), abi.TermiosSize)
	if err != nil {
		return err
	}
	return c.p.TTYGetattr(int32(a[0]), b)
}

// ttySetattr sets the attributes of a terminal: now (0), after output (1), or
// after output and throwing away input (2).
//
// # Errors
//
//   - EBADF, ENOTTY, EINVAL, EINTR, EFAULT
//
// POSIX: tcsetattr().
func ttySetattr(c *Context, m memory, a []uint64) error {
	b, err := m.view(uint32(a[2]), abi.TermiosSize)
	if err != nil {
		return err
	}
	return c.p.TTYSetattr(int32(a[0]), int(int32(a[1])), b)
}

// ttyGetwinsize stores the size of a terminal: rows, columns and both in
// pixels, 16 bits each.
//
// # Errors
//
//   - EBADF, ENOTTY, EFAULT
//
// POSIX: tcgetwinsize().
func ttyGetwinsize(c *Context, m memory, a []uint64) error {
	ws, err := c.p.TTYGetwinsize(int32(a[0]))
	if err != nil {
		return err
	}
	b, err := m.view(uint32(a[1]), 8)
	if err != nil {
		return err
	}
	for i, v := range [...]uint16{ws.Rows, ws.Cols, ws.Xpixel, ws.Ypixel} {
		binary.LittleEndian.PutUint16(b[2*i:], v)
	}
	return nil
}

// ttySetwinsize sets the size of a terminal, in the layout of tty_getwinsize.
//
// # Errors
//
//   - EBADF, ENOTTY, EFAULT
//
// POSIX: tcsetwinsize().
func ttySetwinsize(c *Context, m memory, a []uint64) error {
	b, err := m.view(uint32(a[1]), 8)
	if err != nil {
		return err
	}
	u := func(i int) uint16 { return binary.LittleEndian.Uint16(b[2*i:]) }
	return c.p.TTYSetwinsize(int32(a[0]), kernel.Winsize{Rows: u(0), Cols: u(1), Xpixel: u(2), Ypixel: u(3)})
}

// ttyGetpgrp stores the foreground process group of a terminal.
//
// # Errors
//
//   - EBADF, ENOTTY, EFAULT
//
// POSIX: tcgetpgrp().
func ttyGetpgrp(c *Context, m memory, a []uint64) error {
	g, err := c.p.TTYGetpgrp(int32(a[0]))
	if err != nil {
		return err
	}
	return m.putU32(uint32(a[1]), uint32(g))
}

// ttySetpgrp sets the foreground process group of a terminal.
//
// # Errors
//
//   - EBADF, ENOTTY, EPERM, EINVAL, EINTR
//
// POSIX: tcsetpgrp().
func ttySetpgrp(c *Context, _ memory, a []uint64) error {
	return c.p.TTYSetpgrp(int32(a[0]), int32(a[1]))
}
