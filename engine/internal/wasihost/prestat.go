// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"encoding/binary"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// fdPrestatGet tells what a preopen is.
//
// # Parameters
//
//   - fd: the descriptor
//   - prestat: where the record of 8 bytes goes: tag 0 (a directory) and the
//     length of its name
//
// # Errors
//
//   - EBADF: not a preopen
//   - EFAULT
//
// WASI: fd_prestat_get.
func fdPrestatGet(c *Context, m memory, a []uint64) error {
	if c.p == nil {
		return abi.EBADF
	}
	pre, ok := c.p.Preopen(int32(a[0]))
	if !ok {
		return abi.EBADF
	}
	b, err := m.view(uint32(a[1]), 8)
	if err != nil {
		return err
	}
	clear(b)
	binary.LittleEndian.PutUint32(b[4:], uint32(len(pre.GuestPath)))
	return nil
}

// fdPrestatDirName stores the name of a preopen, without a NUL.
//
// # Parameters
//
//   - fd: the descriptor
//   - path, len: the buffer
//
// # Errors
//
//   - EBADF: not a preopen
//   - ENAMETOOLONG: the buffer is too small
//   - EFAULT
//
// WASI: fd_prestat_dir_name.
func fdPrestatDirName(c *Context, m memory, a []uint64) error {
	if c.p == nil {
		return abi.EBADF
	}
	pre, ok := c.p.Preopen(int32(a[0]))
	if !ok {
		return abi.EBADF
	}
	if uint64(len(pre.GuestPath)) > uint64(uint32(a[2])) {
		return abi.ENAMETOOLONG
	}
	b, err := m.view(uint32(a[1]), uint32(len(pre.GuestPath)))
	if err == nil {
		copy(b, pre.GuestPath)
	}
	return err
}
