// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build wsandbox_guest

package abi

// Guest images are built with the tag wsandbox_guest: only what wsys returns is
// an error there, and leaving io/fs out takes packages time and syscall, and 300
// kilobytes, out of every image.

// ErrnoOf returns the number carried by err: Success for nil, and EIO for what
// is no Errno.
func ErrnoOf(err error) Errno {
	switch e := err.(type) {
	case nil:
		return Success
	case Errno:
		return e
	}
	return EIO
}
