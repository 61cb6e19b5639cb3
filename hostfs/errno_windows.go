// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// errnoOf translates an error of the operating system or of package os.
func errnoOf(err error) error {
	if err == nil {
		return nil
	}
	if s, ok := err.(windows.NTStatus); ok {
		return errnoOfStatus(s)
	}
	var e syscall.Errno
	if !errors.As(err, &e) {
		return abi.ErrnoOf(err)
	}
	switch e {
	case 0:
		return nil
	case windows.ERROR_FILE_NOT_FOUND, windows.ERROR_PATH_NOT_FOUND, windows.ERROR_NO_MORE_FILES,
		windows.ERROR_DELETE_PENDING:
		return abi.ENOENT
	case windows.ERROR_ACCESS_DENIED, windows.ERROR_CANT_ACCESS_FILE, syscall.EACCES:
		return abi.EACCES
	case windows.ERROR_TOO_MANY_OPEN_FILES:
		return abi.EMFILE
	case windows.ERROR_INVALID_HANDLE, syscall.EBADF:
		return abi.EBADF
	case windows.ERROR_NOT_ENOUGH_MEMORY, windows.ERROR_OUTOFMEMORY, syscall.ENOMEM:
		return abi.ENOMEM
	case windows.ERROR_NOT_SAME_DEVICE, syscall.EXDEV:
		return abi.EXDEV
	case windows.ERROR_WRITE_PROTECT, syscall.EROFS:
		return abi.EROFS
	case windows.ERROR_SHARING_VIOLATION, windows.ERROR_LOCK_VIOLATION, windows.ERROR_BUSY,
		windows.ERROR_USER_MAPPED_FILE, syscall.EBUSY:
		return abi.EBUSY // another program of the host has the file
	case windows.ERROR_NOT_SUPPORTED, windows.ERROR_INVALID_FUNCTION, windows.ERROR_CALL_NOT_IMPLEMENTED,
		syscall.ENOTSUP, syscall.EWINDOWS:
		return abi.ENOTSUP
	case windows.ERROR_FILE_EXISTS, windows.ERROR_ALREADY_EXISTS, syscall.EEXIST:
		return abi.EEXIST
	case windows.ERROR_INVALID_PARAMETER, windows.ERROR_INVALID_NAME, windows.ERROR_BAD_PATHNAME,
		windows.ERROR_NEGATIVE_SEEK, windows.ERROR_NOT_A_REPARSE_POINT, syscall.EINVAL:
		return abi.EINVAL
	case windows.ERROR_NO_UNICODE_TRANSLATION, syscall.EILSEQ:
		return abi.EILSEQ
	case windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, syscall.ENOSPC:
		return abi.ENOSPC
	case windows.ERROR_DISK_QUOTA_EXCEEDED:
		return abi.EDQUOT
	case windows.ERROR_FILE_TOO_LARGE, syscall.EFBIG:
		return abi.EFBIG
	case windows.ERROR_DIR_NOT_EMPTY, syscall.ENOTEMPTY:
		return abi.ENOTEMPTY
	case windows.ERROR_FILENAME_EXCED_RANGE, syscall.ENAMETOOLONG:
		return abi.ENAMETOOLONG
	case windows.ERROR_DIRECTORY:
		return abi.ENOTDIR
	case windows.ERROR_DIRECTORY_NOT_SUPPORTED, syscall.EISDIR:
		return abi.EISDIR
	case windows.ERROR_PRIVILEGE_NOT_HELD, syscall.EPERM:
		return abi.EPERM
	case windows.ERROR_TOO_MANY_LINKS, syscall.EMLINK:
		return abi.EMLINK
	case windows.ERROR_CANT_RESOLVE_FILENAME, syscall.ELOOP:
		return abi.ELOOP
	case windows.ERROR_OPERATION_ABORTED, syscall.EINTR:
		return abi.EINTR
	case windows.ERROR_BROKEN_PIPE, windows.ERROR_NO_DATA, syscall.EPIPE:
		return abi.EPIPE
	case windows.ERROR_NOT_READY, windows.ERROR_DEV_NOT_EXIST:
		return abi.ENODEV
	}
	return abi.EIO
}

// errnoOfStatus translates a status of the kernel, first those of which Win32
// makes less.
func errnoOfStatus(s windows.NTStatus) error {
	switch s {
	case windows.STATUS_DELETE_PENDING, windows.STATUS_FILE_DELETED:
		return abi.ENOENT
	case windows.STATUS_FILE_IS_A_DIRECTORY:
		return abi.EISDIR
	case windows.STATUS_NOT_A_DIRECTORY:
		return abi.ENOTDIR
	case windows.STATUS_OBJECT_NAME_COLLISION:
		return abi.EEXIST
	case windows.STATUS_REPARSE_POINT_ENCOUNTERED, windows.STATUS_STOPPED_ON_SYMLINK:
		return abi.ELOOP
	case windows.STATUS_CANNOT_DELETE:
		return abi.EACCES
	case windows.STATUS_DIRECTORY_NOT_EMPTY:
		return abi.ENOTEMPTY
	case windows.STATUS_NOT_IMPLEMENTED, windows.STATUS_INVALID_INFO_CLASS:
		return abi.ENOTSUP
	}
	return errnoOf(s.Errno())
}
