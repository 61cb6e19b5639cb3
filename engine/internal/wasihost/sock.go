// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import "github.com/wsandbox/wsandbox/engine/abi"

// notSocket serves sock_accept, sock_recv, sock_send and sock_shutdown: there
// are no sockets.
//
// # Errors
//
//   - EBADF: the descriptor is not open
//   - ENOTSOCK: it is
//
// WASI: sock_accept, sock_recv, sock_send, sock_shutdown.
func notSocket(c *Context, _ memory, a []uint64) error {
	if _, err := c.p.FDInfo(int32(a[0])); err != nil {
		return err
	}
	return abi.ENOTSOCK
}
