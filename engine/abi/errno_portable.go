// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !wsandbox_guest

package abi

import (
	"errors"
	"io/fs"
)

// Is reports whether e is one of the portable errors of io/fs and errors, so
// that errors.Is(err, fs.ErrNotExist) works through every layer.
func (e Errno) Is(target error) bool {
	switch target {
	case fs.ErrNotExist:
		return e == ENOENT
	case fs.ErrExist:
		return e == EEXIST || e == ENOTEMPTY
	case fs.ErrPermission:
		return e == EACCES || e == EPERM || e == ENOTCAPABLE || e == EROFS
	case fs.ErrInvalid:
		return e == EINVAL
	case fs.ErrClosed:
		return e == EBADF
	case errors.ErrUnsupported:
		return e == ENOSYS || e == ENOTSUP
	}
	return false
}

// ErrnoOf returns the number carried by err: Success for nil, the number for an
// Errno anywhere in the chain, the nearest one for the portable errors of io/fs,
// and EIO for everything else.
func ErrnoOf(err error) Errno {
	switch e := err.(type) {
	case nil:
		return Success
	case Errno:
		return e
	}
	var e Errno
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, fs.ErrNotExist):
		return ENOENT
	case errors.Is(err, fs.ErrExist):
		return EEXIST
	case errors.Is(err, fs.ErrPermission):
		return EPERM
	case errors.Is(err, fs.ErrInvalid):
		return EINVAL
	case errors.Is(err, fs.ErrClosed):
		return EBADF
	case errors.Is(err, errors.ErrUnsupported):
		return ENOTSUP
	}
	return EIO
}
