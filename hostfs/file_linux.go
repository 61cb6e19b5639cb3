// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package hostfs

import "golang.org/x/sys/unix"

const (
	utimeNow  = unix.UTIME_NOW
	utimeOmit = unix.UTIME_OMIT
)

// appendAll appends p. pwritev2 with RWF_APPEND (Linux 4.16) needs no change of
// the descriptor's flags; offset -1 makes it move the position.
func appendAll(fd int, p []byte) (int, error) {
	if len(p) == 0 {
		_, err := unix.Seek(fd, 0, unix.SEEK_END)
		return 0, errnoOf(err)
	}
	_, err := retry(func() (int, error) {
		n, err := unix.Pwritev2(fd, [][]byte{p[:min(len(p), maxIO)]}, -1, unix.RWF_APPEND)
		if err == nil {
			p = p[n:]
		}
		return n, err
	})
	switch err {
	case nil:
		if len(p) == 0 {
			return 0, nil
		}
		return appendAll(fd, p)
	case unix.EOPNOTSUPP, unix.ENOSYS, unix.EPERM:
		return appendSlow(fd, p)
	}
	return 0, errnoOf(err)
}
