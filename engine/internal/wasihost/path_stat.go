// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import "github.com/wsandbox/wsandbox/engine/abi"

// pathFilestatGet describes a file.
//
// # Parameters
//
//   - fd: the directory where the path starts
//   - flags: whether to follow a last symbolic link
//   - path, len: the path
//   - stat: where the record of 64 bytes goes
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (path_filestat_get), EPERM
//   - ENOENT, ENOTDIR, ELOOP, EACCES, ENAMETOOLONG, EINVAL, EIO, EFAULT
//
// WASI: path_filestat_get.
func pathFilestatGet(c *Context, m memory, a []uint64) error {
	fd, path, err := c.pathArg(m, int32(a[0]), abi.RightPathFilestatGet, a, 2, looksUp)
	if err != nil {
		return err
	}
	f, err := follow(a[1])
	if err != nil {
		return err
	}
	st, err := c.p.StatAt(fd, path, f)
	if err != nil {
		return err
	}
	return m.putFilestat(uint32(a[4]), &st)
}

// pathFilestatSetTimes sets the times of a file.
//
// # Parameters
//
//   - fd: the directory where the path starts
//   - flags: whether to follow a last symbolic link
//   - path, len: the path
//   - atim, mtim: nanoseconds since the Unix epoch
//   - fstflags: which times to set, and whether to the time of the call
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (path_filestat_set_times), EPERM
//   - EINVAL: unknown or contradictory flags, or a time past the largest one
//   - ENOENT, ENOTDIR, ELOOP, EACCES, EROFS, ENAMETOOLONG, EIO, EFAULT
//
// WASI: path_filestat_set_times.
func pathFilestatSetTimes(c *Context, m memory, a []uint64) error {
	fd, path, err := c.pathArg(m, int32(a[0]), abi.RightPathFilestatSetTimes, a, 2, changes)
	if err != nil {
		return err
	}
	f, err := follow(a[1])
	if err != nil {
		return err
	}
	atim, mtim, err := timesOf(a[4], a[5], uint32(a[6]))
	if err != nil {
		return err
	}
	return c.p.Utimes(fd, path, atim, mtim, f)
}
