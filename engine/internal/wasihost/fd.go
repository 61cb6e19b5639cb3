// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"encoding/binary"
	"math"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// offset returns a file offset or size: EINVAL past the largest one.
func offset(v uint64) (int64, error) {
	if v > math.MaxInt64 {
		return 0, abi.EINVAL
	}
	return int64(v), nil
}

// ioFlags returns the flags for reading and writing fd.
func (c *Context) ioFlags(fd int32) uint32 {
	if c.nonblock&fdBit(fd) != 0 {
		return abi.IONonblock
	}
	return 0
}

// fdBit returns the bit of fd in Context.nonblock, none for a high one.
func fdBit(fd int32) uint64 { return 1 << uint32(fd) }

// fdRead reads into several buffers, waiting for the first byte.
//
// # Parameters
//
//   - fd: the descriptor
//   - iovs, n: array of buffers
//   - nread: where the number of bytes goes; 0 is the end
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (fd_read), EISDIR, EIO
//   - EAGAIN: nothing there and the description does not block
//   - EINTR: a handled signal
//   - EINVAL: more than 1024 buffers
//   - EFAULT
//
// WASI: fd_read.
func fdRead(c *Context, m memory, a []uint64) error {
	fd := int32(a[0])
	if c.p == nil {
		if err := c.boot.stdio(fd); err != nil {
			return err
		}
		return m.putU32(uint32(a[3]), 0)
	}
	if err := c.need(fd, abi.RightFDRead); err != nil {
		return err
	}
	iov, err := c.iovec(m, uint32(a[1]), uint32(a[2]))
	if err == nil {
		err = m.check(uint32(a[3]), 4)
	}
	if err != nil {
		return err
	}
	n, err := c.p.Readv(fd, iov, c.ioFlags(fd))
	if err != nil {
		return err
	}
	return m.putU32(uint32(a[3]), uint32(n))
}

// fdWrite writes several buffers, waiting until all is written.
//
// # Parameters
//
//   - fd: the descriptor
//   - iovs, n: array of buffers
//   - nwritten: where the number of bytes goes; it is lower than asked only
//     after an error or signal, or where the description does not block
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (fd_write), EISDIR, EIO, ENOSPC, EDQUOT, EFBIG
//   - EPIPE: nobody reads; SIGPIPE comes with it
//   - EAGAIN: no space and the description does not block
//   - EINTR: a handled signal
//   - EINVAL: more than 1024 buffers
//   - EFAULT
//
// WASI: fd_write.
func fdWrite(c *Context, m memory, a []uint64) error {
	fd := int32(a[0])
	if c.p == nil {
		if err := c.boot.stdio(fd); err != nil {
			return err
		}
	} else if err := c.need(fd, abi.RightFDWrite); err != nil {
		return err
	}
	iov, err := c.iovec(m, uint32(a[1]), uint32(a[2]))
	if err == nil {
		err = m.check(uint32(a[3]), 4)
	}
	if err != nil {
		return err
	}
	n := 0
	if c.p == nil {
		for _, b := range iov {
			n += len(b)
		}
	} else if fd == 2 && c.words != nil {
		n, err = c.words.write(c, iov)
	} else {
		n, err = c.p.Writev(fd, iov, c.ioFlags(fd))
	}
	if err != nil {
		return err
	}
	return m.putU32(uint32(a[3]), uint32(n))
}

// fdPread is fdRead at an offset, which stays apart from the description's.
//
// # Parameters
//
//   - fd, iovs, n, nread: as in fd_read
//   - offset: where to read
//
// # Errors
//
//   - those of fd_read; ENOTCAPABLE also for a missing fd_seek
//   - EINVAL: the offset passes the largest one
//   - ESPIPE: the descriptor has no offsets
//
// WASI: fd_pread.
func fdPread(c *Context, m memory, a []uint64) error {
	return c.positioned(m, a, abi.RightFDRead|abi.RightFDSeek, c.p.Pread)
}

// fdPwrite is fdWrite at an offset, which stays apart from the description's.
//
// # Parameters
//
//   - fd, iovs, n, nwritten: as in fd_write
//   - offset: where to write
//
// # Errors
//
//   - those of fd_write; ENOTCAPABLE also for a missing fd_seek
//   - EINVAL: the offset passes the largest one
//   - ESPIPE: the descriptor has no offsets
//
// WASI: fd_pwrite.
func fdPwrite(c *Context, m memory, a []uint64) error {
	return c.positioned(m, a, abi.RightFDWrite|abi.RightFDSeek, c.p.Pwrite)
}

func (c *Context) positioned(m memory, a []uint64, rights abi.Rights, f func(int32, []byte, int64) (int, error)) error {
	fd := int32(a[0])
	if err := c.need(fd, rights); err != nil {
		return err
	}
	iov, err := c.iovec(m, uint32(a[1]), uint32(a[2]))
	if err == nil {
		err = m.check(uint32(a[4]), 4)
	}
	if err != nil {
		return err
	}
	off, err := offset(a[3])
	if err != nil {
		return err
	}
	total := 0
	if len(iov) == 0 {
		// Still finds what is wrong with the descriptor.
		if _, err = f(fd, nil, off); err != nil {
			return err
		}
	}
	for _, b := range iov {
		if off > math.MaxInt64-int64(len(b)) {
			if total == 0 {
				return abi.EINVAL
			}
			break
		}
		n, err := f(fd, b, off)
		total += n
		off += int64(n)
		if err != nil {
			if total == 0 || err == kernel.ErrExiting {
				return err
			}
			break
		}
		if n < len(b) {
			break
		}
	}
	return m.putU32(uint32(a[4]), uint32(total))
}

// fdSeek moves the offset of a description.
//
// # Parameters
//
//   - fd: the descriptor
//   - offset, whence: the new offset and its base
//   - newoffset: where the resulting offset goes, 64 bits
//
// # Errors
//
//   - EBADF, EISDIR, ENOTCAPABLE (fd_seek; fd_tell suffices for where it
//     would not move)
//   - EINVAL: an unknown base, or a result below zero or past the largest
//     offset
//   - ESPIPE: the descriptor has no offsets
//   - EFAULT
//
// WASI: fd_seek.
func fdSeek(c *Context, m memory, a []uint64) error {
	fd, off, whence := int32(a[0]), int64(a[1]), uint32(a[2])
	if err := c.needSeek(fd, off == 0 && whence == uint32(abi.SeekCur)); err != nil {
		return err
	}
	if whence > uint32(abi.SeekEnd) {
		return abi.EINVAL
	}
	if err := m.check(uint32(a[3]), 8); err != nil {
		return err
	}
	n, err := c.p.Seek(fd, off, abi.Whence(whence))
	if err != nil {
		return err
	}
	return m.putU64(uint32(a[3]), uint64(n))
}

// fdTell stores the offset of a description.
//
// # Parameters
//
//   - fd: the descriptor
//   - offset: where the offset goes, 64 bits
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (fd_tell), ESPIPE, EFAULT
//
// WASI: fd_tell.
func fdTell(c *Context, m memory, a []uint64) error {
	if err := c.needSeek(int32(a[0]), true); err != nil {
		return err
	}
	n, err := c.p.Tell(int32(a[0]))
	if err != nil {
		return err
	}
	return m.putU64(uint32(a[1]), uint64(n))
}

// fdClose closes a descriptor.
//
// # Parameters
//
//   - fd: the descriptor
//
// # Errors
//
//   - EBADF
//   - EIO: what was written before could not be kept; the descriptor is closed
//
// WASI: fd_close.
func fdClose(c *Context, _ memory, a []uint64) error {
	if c.p == nil {
		return c.boot.stdio(int32(a[0]))
	}
	c.nonblock &^= fdBit(int32(a[0]))
	return c.p.Close(int32(a[0]))
}

// fdRenumber moves a descriptor over another open one, which is closed.
//
// # Parameters
//
//   - fd: the descriptor to move
//   - to: the number to move it to
//
// # Errors
//
//   - EBADF: one of them is not open
//
// WASI: fd_renumber.
func fdRenumber(c *Context, _ memory, a []uint64) error {
	fd, to := int32(a[0]), int32(a[1])
	if err := c.p.Renumber(fd, to); err != nil {
		return err
	}
	if fd != to {
		was := c.nonblock&fdBit(fd) != 0
		c.nonblock &^= fdBit(fd) | fdBit(to)
		if was {
			c.setNonblock(to)
		}
	}
	return nil
}

// fdSync flushes a file.
//
// # Parameters
//
//   - fd: the descriptor
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (fd_sync), EIO
//   - EINVAL: the descriptor has nothing to flush
//
// WASI: fd_sync.
func fdSync(c *Context, _ memory, a []uint64) error {
	if err := c.need(int32(a[0]), abi.RightFDSync); err != nil {
		return err
	}
	return c.p.Fsync(int32(a[0]))
}

// fdDatasync is fdSync by the right fd_datasync. It flushes the metadata as
// well.
//
// WASI: fd_datasync.
func fdDatasync(c *Context, _ memory, a []uint64) error {
	if err := c.need(int32(a[0]), abi.RightFDDatasync); err != nil {
		return err
	}
	return c.p.Fsync(int32(a[0]))
}

// adviceMax is the last advice of fd_advise: noreuse.
const adviceMax = 5

// fdAdvise takes advice on how a file will be read, and does nothing with it.
//
// # Parameters
//
//   - fd: the descriptor
//   - offset, len: the part of the file; a len of 0 reaches to the end
//   - advice: the advice
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (fd_advise)
//   - ESPIPE: the descriptor has no offsets
//   - EINVAL: an unknown advice, or an offset or length past the largest one
//
// WASI: fd_advise.
func fdAdvise(c *Context, _ memory, a []uint64) error {
	fd := int32(a[0])
	if err := c.need(fd, abi.RightFDAdvise); err != nil {
		return err
	}
	if _, err := offset(a[1]); err != nil {
		return err
	}
	if _, err := offset(a[2]); err != nil {
		return err
	}
	if uint32(a[3]) > adviceMax {
		return abi.EINVAL
	}
	info, err := c.p.FDInfo(fd)
	switch {
	case err != nil:
		return err
	case info.Mode.IsDir():
		return abi.EBADF
	case !info.Mode.IsRegular():
		return abi.ESPIPE
	}
	return nil
}

// fdAllocate makes a file at least offset+len bytes long.
//
// # Parameters
//
//   - fd: the descriptor
//   - offset, len: the part of the file to provide for
//
// # Errors
//
//   - EBADF: not open, or not for writing
//   - ENOTCAPABLE (fd_allocate)
//   - EINVAL: the length is 0, or one of them past the largest offset
//   - EFBIG, ENOSPC
//   - ESPIPE, ENODEV: not a regular file
//
// WASI: fd_allocate.
func fdAllocate(c *Context, _ memory, a []uint64) error {
	if err := c.need(int32(a[0]), abi.RightFDAllocate); err != nil {
		return err
	}
	off, err := offset(a[1])
	if err != nil {
		return err
	}
	n, err := offset(a[2])
	if err != nil || n == 0 {
		return abi.EINVAL
	}
	if off > math.MaxInt64-n {
		return abi.EFBIG
	}
	return c.p.Allocate(int32(a[0]), off, n)
}

// fdstatSize is the size of a preview 1 fdstat record.
//
// WASI: fdstat.
const fdstatSize = 24

// fdFdstatGet stores the type, status flags and rights of a descriptor.
//
// # Parameters
//
//   - fd: the descriptor
//   - stat: where the record of 24 bytes goes
//
// # Errors
//
//   - EBADF, EFAULT
//
// # Notes
//
// A description that was opened with any of dsync, rsync and sync reports sync.
//
// WASI: fd_fdstat_get.
func fdFdstatGet(c *Context, m memory, a []uint64) error {
	fd := int32(a[0])
	var (
		info             abi.FDInfo
		base, inheriting abi.Rights
		err              error
	)
	if c.p == nil {
		if err = c.boot.stdio(fd); err != nil {
			return err
		}
		info.Mode, base = abi.ModeChar, abi.RightsAll
	} else {
		if info, err = c.p.FDInfo(fd); err != nil {
			return err
		}
		if base, inheriting, err = c.p.Rights(fd); err != nil {
			return err
		}
		b, i := applicable(&info)
		base, inheriting = base&b, inheriting&i
		if c.ioFlags(fd) != 0 {
			info.Flags |= abi.ONonblock
		}
	}
	b, err := m.view(uint32(a[1]), fdstatSize)
	if err != nil {
		return err
	}
	clear(b)
	b[0] = byte(info.Mode.Filetype())
	binary.LittleEndian.PutUint16(b[2:], uint16(fdflagsOf(info.Flags)))
	binary.LittleEndian.PutUint64(b[8:], uint64(base))
	binary.LittleEndian.PutUint64(b[16:], uint64(inheriting))
	return nil
}

// fdflagsOf returns the preview 1 form of status flags.
func fdflagsOf(f abi.OpenFlag) (g abi.Fdflags) {
	if f&abi.OAppend != 0 {
		g |= abi.FdflagAppend
	}
	if f&abi.ONonblock != 0 {
		g |= abi.FdflagNonblock
	}
	if f&abi.OSync != 0 {
		g |= abi.FdflagSync
	}
	return g
}

// openFlagOf returns the status flags for preview 1's: EINVAL for unknown ones.
func openFlagOf(flags uint32) (f abi.OpenFlag, err error) {
	g := abi.Fdflags(flags)
	if flags > 0xffff || !g.Valid() {
		return 0, abi.EINVAL
	}
	if g&abi.FdflagAppend != 0 {
		f |= abi.OAppend
	}
	if g&abi.FdflagNonblock != 0 {
		f |= abi.ONonblock
	}
	if g&(abi.FdflagSync|abi.FdflagDsync|abi.FdflagRsync) != 0 {
		f |= abi.OSync
	}
	return f, nil
}

// fdFdstatSetFlags sets the status flags of a descriptor.
//
// # Parameters
//
//   - fd: the descriptor
//   - flags: all flags as they shall be
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (fd_fdstat_set_flags)
//   - EINVAL: an unknown flag
//
// # Notes
//
// Deviation: where the description blocks, the nonblock flag belongs to the
// descriptor. Go's runtime sets it on the standard descriptors, which a program
// shares with the shell and with other programs that count on waiting.
//
// WASI: fd_fdstat_set_flags.
func fdFdstatSetFlags(c *Context, _ memory, a []uint64) error {
	fd := int32(a[0])
	if c.p == nil {
		return c.boot.stdio(fd)
	}
	if err := c.need(fd, abi.RightFDFdstatSetFlags); err != nil {
		return err
	}
	f, err := openFlagOf(uint32(a[1]))
	if err != nil {
		return err
	}
	info, err := c.p.FDInfo(fd)
	if err != nil {
		return err
	}
	c.nonblock &^= fdBit(fd)
	own := f&abi.ONonblock != 0 && info.Flags&abi.ONonblock == 0
	if own {
		f &^= abi.ONonblock
	}
	if err = c.p.Setfl(fd, f); err == nil && own {
		c.setNonblock(fd)
	}
	return err
}

// setNonblock makes fd non-blocking for this program.
func (c *Context) setNonblock(fd int32) {
	if bit := fdBit(fd); bit != 0 {
		c.nonblock |= bit
		return
	}
	// There is no bit for one that high, which the program opened itself.
	if info, err := c.p.FDInfo(fd); err == nil {
		c.p.Setfl(fd, info.Flags&(abi.OAppend|abi.OSync)|abi.ONonblock)
	}
}

// fdFdstatSetRights takes rights away from a descriptor.
//
// # Parameters
//
//   - fd: the descriptor
//   - base, inheriting: the rights to keep
//
// # Errors
//
//   - EBADF
//   - ENOTCAPABLE: a right that the descriptor does not have
//
// WASI: fd_fdstat_set_rights.
func fdFdstatSetRights(c *Context, _ memory, a []uint64) error {
	fd, base, inheriting := int32(a[0]), abi.Rights(a[1]), abi.Rights(a[2])
	info, err := c.p.FDInfo(fd)
	if err != nil {
		return err
	}
	if b, i := applicable(&info); !b.Has(base) || !i.Has(inheriting) {
		return abi.ENOTCAPABLE
	}
	return c.p.SetRights(fd, base, inheriting)
}
