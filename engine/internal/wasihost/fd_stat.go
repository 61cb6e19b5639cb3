// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"math"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// fdFilestatGet describes an open file.
//
// # Parameters
//
//   - fd: the descriptor
//   - stat: where the record of 64 bytes goes
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (fd_filestat_get), EIO, EFAULT
//
// # Notes
//
// A FIFO has the type unknown, as preview 1 has no number for it.
//
// WASI: fd_filestat_get.
func fdFilestatGet(c *Context, m memory, a []uint64) error {
	fd := int32(a[0])
	st := abi.Stat{Mode: abi.ModeChar, Nlink: 1}
	if c.p == nil {
		if err := c.boot.stdio(fd); err != nil {
			return err
		}
	} else {
		err := c.need(fd, abi.RightFDFilestatGet)
		if err == nil {
			st, err = c.p.Stat(fd)
		}
		if err != nil {
			return err
		}
	}
	return m.putFilestat(uint32(a[1]), &st)
}

func (m memory) putFilestat(ptr uint32, st *abi.Stat) error {
	b, err := m.view(ptr, abi.FilestatSize)
	if err == nil {
		st.PutFilestat(b)
	}
	return err
}

// fdFilestatSetSize sets the size of an open file.
//
// # Parameters
//
//   - fd: the descriptor
//   - size: the size in bytes
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (fd_filestat_set_size), EIO, ENOSPC
//   - EINVAL: past the largest size, or no regular file
//   - EFBIG: past the limit of the process
//
// WASI: fd_filestat_set_size.
func fdFilestatSetSize(c *Context, _ memory, a []uint64) error {
	if err := c.need(int32(a[0]), abi.RightFDFilestatSetSize); err != nil {
		return err
	}
	n, err := offset(a[1])
	if err != nil {
		return err
	}
	return c.p.Ftruncate(int32(a[0]), n)
}

// fdFilestatSetTimes sets the times of an open file.
//
// # Parameters
//
//   - fd: the descriptor
//   - atim, mtim: nanoseconds since the Unix epoch
//   - flags: which times to set, and whether to the time of the call
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (fd_filestat_set_times), EPERM, EROFS, EIO
//   - EINVAL: unknown or contradictory flags, or a time past the largest one
//
// WASI: fd_filestat_set_times.
func fdFilestatSetTimes(c *Context, _ memory, a []uint64) error {
	if err := c.need(int32(a[0]), abi.RightFDFilestatSetTimes); err != nil {
		return err
	}
	atim, mtim, err := timesOf(a[1], a[2], uint32(a[3]))
	if err != nil {
		return err
	}
	return c.p.Futimes(int32(a[0]), atim, mtim)
}

// timesOf returns the times to set, with abi.UtimeNow and abi.UtimeOmit.
func timesOf(atim, mtim uint64, flags uint32) (at, mt int64, err error) {
	one := func(v uint64, set, now abi.Fstflags) int64 {
		f := abi.Fstflags(flags)
		switch {
		case f&(set|now) == set|now, f&set != 0 && v > math.MaxInt64:
			err = abi.EINVAL
		case f&now != 0:
			return abi.UtimeNow
		case f&set != 0:
			return int64(v)
		}
		return abi.UtimeOmit
	}
	if flags&^uint32(abi.FstAtim|abi.FstAtimNow|abi.FstMtim|abi.FstMtimNow) != 0 {
		return 0, 0, abi.EINVAL
	}
	at = one(atim, abi.FstAtim, abi.FstAtimNow)
	mt = one(mtim, abi.FstMtim, abi.FstMtimNow)
	return at, mt, err
}
