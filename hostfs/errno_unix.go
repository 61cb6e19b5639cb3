// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package hostfs

import (
	"errors"

	"golang.org/x/sys/unix"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// errnoOf translates an error of the operating system.
func errnoOf(err error) error {
	if err == nil {
		return nil
	}
	e, ok := err.(unix.Errno)
	if !ok && !errors.As(err, &e) {
		return abi.ErrnoOf(err)
	}
	switch e {
	case 0:
		return nil
	case unix.EACCES:
		return abi.EACCES
	case unix.EAGAIN:
		return abi.EAGAIN
	case unix.EBADF:
		return abi.EBADF
	case unix.EBUSY:
		return abi.EBUSY
	case unix.EDQUOT:
		return abi.EDQUOT
	case unix.EEXIST:
		return abi.EEXIST
	case unix.EFBIG:
		return abi.EFBIG
	case unix.EILSEQ:
		return abi.EILSEQ
	case unix.EINTR:
		return abi.EINTR
	case unix.EINVAL:
		return abi.EINVAL
	case unix.EIO:
		return abi.EIO
	case unix.EISDIR:
		return abi.EISDIR
	case unix.ELOOP:
		return abi.ELOOP
	case unix.EMFILE:
		return abi.EMFILE
	case unix.EMLINK:
		return abi.EMLINK
	case unix.ENAMETOOLONG:
		return abi.ENAMETOOLONG
	case unix.ENFILE:
		return abi.ENFILE
	case unix.ENODEV:
		return abi.ENODEV
	case unix.ENOENT:
		return abi.ENOENT
	case unix.ENOLCK:
		return abi.ENOLCK
	case unix.ENOMEM:
		return abi.ENOMEM
	case unix.ENOSPC:
		return abi.ENOSPC
	case unix.ENOSYS:
		return abi.ENOSYS
	case unix.ENOTDIR:
		return abi.ENOTDIR
	case unix.ENOTEMPTY:
		return abi.ENOTEMPTY
	case unix.EOPNOTSUPP:
		return abi.ENOTSUP
	case unix.ENXIO:
		return abi.ENXIO
	case unix.EOVERFLOW:
		return abi.EOVERFLOW
	case unix.EPERM:
		return abi.EPERM
	case unix.EPIPE:
		return abi.EPIPE
	case unix.EROFS:
		return abi.EROFS
	case unix.ESPIPE:
		return abi.ESPIPE
	case unix.ESTALE:
		return abi.ESTALE
	case unix.ETIMEDOUT:
		return abi.ETIMEDOUT
	case unix.ETXTBSY:
		return abi.ETXTBSY
	case unix.EXDEV:
		return abi.EXDEV
	}
	return abi.EIO
}
