// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"encoding/binary"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// extPoll waits until one of an array of records (abi.PollFDSize bytes each) is
// ready or the timeout in nanoseconds has passed, below 0 for ever, and stores
// what is ready in the records and their number.
//
// # Errors
//
//   - EINVAL: more than 65536 entries
//   - EINTR: a handled signal
//   - EFAULT
//
// POSIX: poll().
func extPoll(c *Context, m memory, a []uint64) error {
	n := uint32(a[1])
	if n > pollMax {
		return abi.EINVAL
	}
	b, err := m.view(uint32(a[0]), n*abi.PollFDSize)
	if err == nil {
		err = m.check(uint32(a[3]), 4)
	}
	if err != nil {
		return err
	}
	e := c.poll[:0]
	for r := b; len(r) > 0; r = r[abi.PollFDSize:] {
		e = append(e, kernel.PollEntry{
			FD:     int32(binary.LittleEndian.Uint32(r)),
			Events: abi.PollEvents(binary.LittleEndian.Uint16(r[4:])),
		})
	}
	if cap(e) <= pollKeep {
		c.poll = e
	}
	ready, err := c.p.Poll(e, time.Duration(a[2]))
	if err != nil {
		return err
	}
	for i, r := range e {
		binary.LittleEndian.PutUint16(b[i*abi.PollFDSize+6:], uint16(r.Revents))
	}
	return m.putU32(uint32(a[3]), uint32(ready))
}

// extRead reads up to len bytes, waiting for the first unless flags has
// abi.IONonblock, and stores their number; 0 is the end.
//
// # Errors
//
//   - EBADF, EISDIR, EIO
//   - EAGAIN: nothing there, and the call or the description does not block
//   - EINTR: a handled signal
//   - EINVAL: unknown flags
//   - EFAULT
//
// POSIX: read().
func extRead(c *Context, m memory, a []uint64) error { return c.extIO(m, a, c.p.Read) }

// extWrite writes len bytes, waiting until all is written unless flags has
// abi.IONonblock, and stores their number.
//
// # Errors
//
//   - EBADF, EISDIR, EIO, ENOSPC, EDQUOT, EFBIG
//   - EPIPE: nobody reads; SIGPIPE comes with it
//   - EAGAIN: no space, and the call or the description does not block
//   - EINTR: a handled signal
//   - EINVAL: unknown flags
//   - EFAULT
//
// POSIX: write().
func extWrite(c *Context, m memory, a []uint64) error { return c.extIO(m, a, c.p.Write) }

func (c *Context) extIO(m memory, a []uint64, f func(int32, []byte, uint32) (int, error)) error {
	b, err := m.view(uint32(a[1]), uint32(a[2]))
	if err == nil {
		err = m.check(uint32(a[4]), 4)
	}
	if err != nil {
		return err
	}
	flags := uint32(a[3])
	if flags&^abi.IONonblock != 0 {
		return abi.EINVAL
	}
	n, err := f(int32(a[0]), b[:min(len(b), ioMax)], flags)
	if err != nil && n == 0 {
		return err
	}
	if perr := m.putU32(uint32(a[4]), uint32(n)); perr != nil {
		return perr
	}
	return err
}

// fdInfo stores abi.FDInfo of a descriptor.
//
// # Errors
//
//   - EBADF, EFAULT
func fdInfo(c *Context, m memory, a []uint64) error {
	i, err := c.p.FDInfo(int32(a[0]))
	if err != nil {
		return err
	}
	b, err := m.view(uint32(a[1]), abi.FDInfoSize)
	if err != nil {
		return err
	}
	binary.LittleEndian.PutUint32(b, uint32(i.Mode))
	binary.LittleEndian.PutUint32(b[4:], uint32(i.Flags))
	binary.LittleEndian.PutUint32(b[8:], 0)
	if i.Cloexec {
		b[8] = 1
	}
	if i.TTY {
		b[9] = 1
	}
	return nil
}

// fdSetfl sets the status flags of a description.
//
// # Errors
//
//   - EBADF
//
// POSIX: fcntl(), F_SETFL.
func fdSetfl(c *Context, _ memory, a []uint64) error {
	return c.p.Setfl(int32(a[0]), abi.OpenFlag(a[1]))
}

// putPair stores two 32-bit numbers.
func (m memory) putPair(ptr uint32, x, y int32) error {
	b, err := m.view(ptr, 8)
	if err == nil {
		binary.LittleEndian.PutUint32(b, uint32(x))
		binary.LittleEndian.PutUint32(b[4:], uint32(y))
	}
	return err
}

// fdPipe makes a pipe and stores the descriptors of its reading and writing
// end.
//
// # Errors
//
//   - EINVAL: flags other than OCloexec and ONonblock
//   - EMFILE, ENFILE, EFAULT
//
// POSIX: pipe().
func fdPipe(c *Context, m memory, a []uint64) error {
	if err := m.check(uint32(a[1]), 8); err != nil {
		return err
	}
	r, w, err := c.p.Pipe(abi.OpenFlag(a[0]))
	if err != nil {
		return err
	}
	return m.putPair(uint32(a[1]), r, w)
}

// fdDup duplicates a descriptor to the lowest free one not below another, and
// stores it.
//
// # Errors
//
//   - EBADF
//   - EINVAL: flags other than OCloexec, or the lowest is not possible
//   - EMFILE, EFAULT
//
// POSIX: fcntl(), F_DUPFD and F_DUPFD_CLOEXEC.
func fdDup(c *Context, m memory, a []uint64) error {
	if err := m.check(uint32(a[3]), 4); err != nil {
		return err
	}
	n, err := c.p.Dup(int32(a[0]), int32(a[1]), abi.OpenFlag(a[2]))
	if err != nil {
		return err
	}
	return m.putU32(uint32(a[3]), uint32(n))
}

// fdDupTo duplicates a descriptor to a given one, which is closed first.
//
// # Errors
//
//   - EBADF, EINVAL
//
// POSIX: dup2().
func fdDupTo(c *Context, _ memory, a []uint64) error {
	if int32(a[0]) != int32(a[1]) {
		c.nonblock &^= fdBit(int32(a[1]))
	}
	return c.p.DupTo(int32(a[0]), int32(a[1]), abi.OpenFlag(a[2]))
}

// fdCloexec sets or clears close-on-exec.
//
// # Errors
//
//   - EBADF
//
// POSIX: fcntl(), F_SETFD.
func fdCloexec(c *Context, _ memory, a []uint64) error {
	return c.p.Cloexec(int32(a[0]), uint32(a[1]) != 0)
}

// fdSplice copies up to a number of bytes from one descriptor to another inside
// the host and stores how many; 0 is the end.
//
// # Errors
//
//   - EINVAL: not for this pair, or a number below 0
//   - EBADF, EPIPE, ENOSPC, EAGAIN, EINTR, EIO, EFAULT
//
// Linux: splice(2), copy_file_range(2).
func fdSplice(c *Context, m memory, a []uint64) error {
	if err := m.check(uint32(a[3]), 8); err != nil {
		return err
	}
	n, err := c.p.Splice(int32(a[0]), int32(a[1]), int64(a[2]))
	if err != nil {
		return err
	}
	return m.putU64(uint32(a[3]), uint64(n))
}
