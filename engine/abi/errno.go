// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package abi

// Errno is an error number. Its values are those of $errno in
// wasi_snapshot_preview1, so that the WASI edge is an identity.
//
// Functions return it as an error and return nil for success: a typed Errno(0)
// inside an error interface is not nil.
//
// WASI: errno.
type Errno uint16

// Error numbers, in WASI order.
const (
	// Success is never returned as an error.
	Success         Errno = iota
	E2BIG                 // argument list too long
	EACCES                // permission denied
	EADDRINUSE            // address already in use
	EADDRNOTAVAIL         // cannot assign requested address
	EAFNOSUPPORT          // address family not supported by protocol
	EAGAIN                // resource temporarily unavailable
	EALREADY              // operation already in progress
	EBADF                 // bad file descriptor
	EBADMSG               // bad message
	EBUSY                 // device or resource busy
	ECANCELED             // operation canceled
	ECHILD                // no child processes
	ECONNABORTED          // software caused connection abort
	ECONNREFUSED          // connection refused
	ECONNRESET            // connection reset by peer
	EDEADLK               // resource deadlock avoided
	EDESTADDRREQ          // destination address required
	EDOM                  // numerical argument out of domain
	EDQUOT                // disk quota exceeded
	EEXIST                // file exists
	EFAULT                // bad address
	EFBIG                 // file too large
	EHOSTUNREACH          // no route to host
	EIDRM                 // identifier removed
	EILSEQ                // invalid or incomplete multibyte or wide character
	EINPROGRESS           // operation now in progress
	EINTR                 // interrupted system call
	EINVAL                // invalid argument
	EIO                   // input/output error
	EISCONN               // transport endpoint is already connected
	EISDIR                // is a directory
	ELOOP                 // too many levels of symbolic links
	EMFILE                // too many open files
	EMLINK                // too many links
	EMSGSIZE              // message too long
	EMULTIHOP             // multihop attempted
	ENAMETOOLONG          // file name too long
	ENETDOWN              // network is down
	ENETRESET             // network dropped connection on reset
	ENETUNREACH           // network is unreachable
	ENFILE                // too many open files in system
	ENOBUFS               // no buffer space available
	ENODEV                // no such device
	ENOENT                // no such file or directory
	ENOEXEC               // exec format error
	ENOLCK                // no locks available
	ENOLINK               // link has been severed
	ENOMEM                // cannot allocate memory
	ENOMSG                // no message of desired type
	ENOPROTOOPT           // protocol not available
	ENOSPC                // no space left on device
	ENOSYS                // function not implemented
	ENOTCONN              // transport endpoint is not connected
	ENOTDIR               // not a directory
	ENOTEMPTY             // directory not empty
	ENOTRECOVERABLE       // state not recoverable
	ENOTSOCK              // socket operation on non-socket
	ENOTSUP               // operation not supported
	ENOTTY                // inappropriate ioctl for device
	ENXIO                 // no such device or address
	EOVERFLOW             // value too large for defined data type
	EOWNERDEAD            // owner died
	EPERM                 // operation not permitted
	EPIPE                 // broken pipe
	EPROTO                // protocol error
	EPROTONOSUPPORT       // protocol not supported
	EPROTOTYPE            // protocol wrong type for socket
	ERANGE                // numerical result out of range
	EROFS                 // read-only file system
	ESPIPE                // illegal seek
	ESRCH                 // no such process
	ESTALE                // stale file handle
	ETIMEDOUT             // connection timed out
	ETXTBSY               // text file busy
	EXDEV                 // invalid cross-device link
	ENOTCAPABLE           // capabilities insufficient
)

// Error returns the wording of strerror(3) in the C locale of glibc, with a
// lower-case first letter.
func (e Errno) Error() string {
	if int(e) < len(errnoText) {
		return errnoText[e]
	}
	return "unknown error"
}

// Strerror returns the wording of strerror(3) exactly, as commands print it
// ("No such file or directory").
func (e Errno) Strerror() string {
	s := e.Error()
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}

// Name returns the symbolic name, such as "ENOENT".
func (e Errno) Name() string {
	if int(e) < len(errnoName) {
		return errnoName[e]
	}
	return "EUNKNOWN"
}
