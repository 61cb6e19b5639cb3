// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel/internal/pipe"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// Read reads up to len(b) bytes at the file offset, waiting for the first ones
// of a stream unless flags hold abi.IONonblock or the description ONonblock.
// 0, nil is the end.
//
// It returns EBADF for a descriptor not open for reading, EISDIR, EAGAIN,
// EINTR, EIO for a terminal that a background process may not read, and what
// the file system returns.
//
// POSIX: read().
func (p *Process) Read(fd int32, b []byte, flags uint32) (int, error) {
	f, err := p.fds.get(fd)
	if err != nil {
		return 0, err
	}
	return p.readFile(f, b, flags&abi.IONonblock != 0)
}

func (p *Process) readFile(f *OpenFile, b []byte, nonblock bool) (int, error) {
	if !f.readable() {
		return 0, abi.EBADF
	}
	switch {
	case f.reg != nil:
		f.mu.Lock()
		n, err := f.reg.ReadAt(b, f.off)
		f.off += int64(n)
		f.mu.Unlock()
		if n > 0 {
			err = nil
		}
		return n, err
	case f.stream == nil:
		if f.dir != nil {
			return 0, abi.EISDIR
		}
		return 0, abi.EBADF
	}
	if t, ok := f.tty.(timedReader); ok && !nonblock && !f.has(abi.ONonblock) {
		return p.readTimed(f, t, b)
	}
	n, err := p.readStream(f, b)
	if err != abi.EAGAIN || nonblock || f.has(abi.ONonblock) {
		return n, err
	}
	return n, p.block(f, abi.PollIn, 0, never, func() (err error) {
		n, err = p.readStream(f, b)
		return err
	})
}

// readStream reads what there is: EAGAIN where there is nothing.
func (p *Process) readStream(f *OpenFile, b []byte) (int, error) {
	if f.tty != nil {
		if err := p.checkBackground(f.tty, abi.SIGTTIN); err != nil {
			return 0, err
		}
	}
	return f.stream.Read(b)
}

// block waits until try returns something else than EAGAIN and returns that. f
// is a stream; need is the room that a writer waits for.
func (p *Process) block(f *OpenFile, mask abi.PollEvents, need int, deadline int64, try func() error) error {
	if f.wait != nil {
		p.entry.Mask, p.entry.Need = mask|abi.PollErr|abi.PollHup, need
		f.wait.Enlist(&p.entry)
		defer f.wait.Delist(&p.entry)
	} else {
		defer f.stream.Subscribe(mask, p.wake.Wake)()
	}
	for {
		if err := try(); err != abi.EAGAIN {
			return err
		}
		if err := p.sleep(deadline); err != nil {
			return err
		}
	}
}

// Write writes b at the file offset, or at the end with OAppend. It waits until
// all of it is written, unless flags hold abi.IONonblock or the description
// ONonblock; a signal or an error behind the first byte cuts it short without
// an error. Up to PipeBuf bytes go into a pipe in one piece.
//
// It returns EBADF for a descriptor not open for writing, EPIPE with SIGPIPE,
// EFBIG with SIGXFSZ, EAGAIN, EINTR, EIO for a terminal that a background
// process may not write, and what the file system returns, such as ENOSPC.
//
// POSIX: write().
func (p *Process) Write(fd int32, b []byte, flags uint32) (int, error) {
	f, err := p.fds.get(fd)
	if err != nil {
		return 0, err
	}
	return p.writeFile(f, b, flags&abi.IONonblock != 0)
}

func (p *Process) writeFile(f *OpenFile, b []byte, nonblock bool) (int, error) {
	if !f.writable() {
		return 0, abi.EBADF
	}
	switch {
	case f.reg != nil:
		return p.writeRegular(f, b)
	case f.stream == nil:
		return 0, abi.EBADF
	}
	if f.tty != nil && f.tty.Tostop() {
		if err := p.checkBackground(f.tty, abi.SIGTTOU); err != nil {
			return 0, err
		}
	}
	if f.host != nil && f.host.Counted() {
		return p.writeCounted(f, b, nonblock)
	}
	return p.writeStream(f, b, nonblock)
}

// writeCounted writes to a host-side file within the job's output limit.
func (p *Process) writeCounted(f *OpenFile, b []byte, nonblock bool) (int, error) {
	if p.job == nil {
		return p.writeStream(f, b, nonblock)
	}
	allowed := p.job.takeOutput(len(b))
	if allowed == 0 && len(b) > 0 {
		return 0, ErrExiting
	}
	n, err := p.writeStream(f, b[:allowed], nonblock)
	p.job.returnOutput(allowed - n)
	return n, err
}

func (p *Process) writeStream(f *OpenFile, b []byte, nonblock bool) (int, error) {
	nonblock = nonblock || f.has(abi.ONonblock)
	n, err := f.stream.Write(b)
	if err == nil && n == len(b) && (f.host == nil || f.host.Settled() == nil) {
		return n, nil
	}
	if !nonblock && (err == nil || err == abi.EAGAIN) {
		need := pipe.Buf
		if len(b) <= pipe.Buf {
			need = len(b) // in one piece
		}
		err = p.block(f, abi.PollOut, need, never, func() error {
			for n < len(b) {
				m, err := f.stream.Write(b[n:])
				n += m
				if err != nil {
					return err
				}
				if m == 0 {
					return abi.EAGAIN
				}
			}
			if f.host == nil {
				return nil
			}
			err := f.host.Settled()
			if err != nil && err != abi.EAGAIN {
				n = 0
			}
			return err
		})
	}
	if err == abi.EPIPE {
		if e := p.raise(abi.SIGPIPE); e != nil {
			return n, e
		}
	}
	if n > 0 && err != ErrExiting {
		return n, nil
	}
	return n, err
}

// writeRegular writes to a regular file at its shared offset.
func (p *Process) writeRegular(f *OpenFile, b []byte) (int, error) {
	f.mu.Lock()
	n, err, fault := p.writeRegularLocked(f, b)
	f.mu.Unlock()
	if fault {
		return 0, p.tooLarge()
	}
	if n > 0 && f.has(abi.OSync) {
		if e := f.reg.Sync(); e != nil {
			return n, e
		}
	}
	if n > 0 {
		err = nil
	}
	return n, p.noSpace(err)
}

// noSpace notes that a file system is full, in case the process dies of it.
func (p *Process) noSpace(err error) error {
	if err == abi.ENOSPC {
		p.refuse(abi.LimitDisk)
	}
	return err
}

// writeRegularLocked writes as much of b as the file size limit permits, and
// reports true where that is nothing.
//
// Preconditions: f.mu is held.
func (p *Process) writeRegularLocked(f *OpenFile, b []byte) (n int, err error, fault bool) {
	max := clampNanos(p.rlim[rlimFsize].soft)
	if f.has(abi.OAppend) {
		if max != never {
			st, err := f.reg.Stat()
			if err != nil {
				return 0, err, false
			}
			if b, fault = within(b, st.Size, max); fault {
				return 0, nil, true
			}
		}
		end, err := f.reg.Append(b)
		if err != nil {
			return 0, err, false
		}
		f.off = end
		return len(b), nil, false
	}
	if b, fault = within(b, f.off, max); fault {
		return 0, nil, true
	}
	n, err = f.reg.WriteAt(b, f.off)
	f.off += int64(n)
	return n, err, false
}

// within cuts b, to be written at off, at the file size max. It reports true
// where not even one byte fits.
func within(b []byte, off, max int64) ([]byte, bool) {
	if len(b) == 0 {
		return b, false
	}
	if off >= max {
		return nil, true
	}
	if int64(len(b)) > max-off {
		b = b[:max-off]
	}
	return b, false
}

// tooLarge is what passing the file size limit brings: SIGXFSZ and EFBIG.
//
// POSIX: RLIMIT_FSIZE.
func (p *Process) tooLarge() error {
	p.refuse(abi.LimitFileSize)
	p.k.mu.Lock()
	if p.handled.Has(abi.SIGXFSZ) || p.ignored.Has(abi.SIGXFSZ) {
		p.k.sendLocked(p, abi.SIGXFSZ)
	} else {
		p.k.killLocked(p, abi.SIGXFSZ, abi.LimitFileSize)
	}
	p.k.mu.Unlock()
	if err := p.leaving(); err != nil {
		return err
	}
	return abi.EFBIG
}

// Readv reads into several buffers as one Read does.
//
// POSIX: readv().
func (p *Process) Readv(fd int32, iov [][]byte, flags uint32) (int, error) {
	total := 0
	for i, b := range iov {
		if len(b) == 0 && len(iov) > 1 {
			continue
		}
		n, err := p.Read(fd, b, flags)
		total += n
		if total > 0 {
			// Having data, the rest must not wait.
			flags |= abi.IONonblock
			err = nonFatal(err)
		}
		if err != nil || n < len(b) || i == len(iov)-1 {
			return total, err
		}
	}
	return total, nil
}

// nonFatal drops an error that came behind data.
func nonFatal(err error) error {
	if err == ErrExiting {
		return err
	}
	return nil
}

// Writev writes several buffers as one Write of their concatenation does up to
// PipeBuf bytes, and otherwise one after the other.
//
// POSIX: writev().
func (p *Process) Writev(fd int32, iov [][]byte, flags uint32) (int, error) {
	size := 0
	for _, b := range iov {
		size += len(b)
	}
	switch {
	case len(iov) == 1:
		return p.Write(fd, iov[0], flags)
	case size <= pipe.Buf:
		var page [pipe.Buf]byte
		n := 0
		for _, b := range iov {
			n += copy(page[n:], b)
		}
		return p.Write(fd, page[:n], flags)
	}
	total := 0
	for _, b := range iov {
		if len(b) == 0 {
			continue
		}
		n, err := p.Write(fd, b, flags)
		total += n
		if total > 0 {
			err = nonFatal(err)
		}
		if err != nil || n < len(b) {
			return total, err
		}
	}
	return total, nil
}

// regular returns the regular file behind fd for positioned access: EBADF,
// EISDIR, ESPIPE.
func (p *Process) regular(fd int32, write bool) (*OpenFile, error) {
	f, err := p.fds.get(fd)
	switch {
	case err != nil:
		return nil, err
	case write && !f.writable() || !write && !f.readable():
		return nil, abi.EBADF
	case f.reg != nil:
		return f, nil
	case f.dir != nil:
		return nil, abi.EISDIR
	}
	return nil, abi.ESPIPE
}

// Pread reads at off without moving the file offset: EBADF, EISDIR, ESPIPE,
// EINVAL for a negative offset.
//
// POSIX: pread().
func (p *Process) Pread(fd int32, b []byte, off int64) (int, error) {
	f, err := p.regular(fd, false)
	if err != nil {
		return 0, err
	}
	if off < 0 {
		return 0, abi.EINVAL
	}
	return f.reg.ReadAt(b, off)
}

// Pwrite writes at off without moving the file offset, also with OAppend:
// EBADF, ESPIPE, EINVAL for a negative offset, EFBIG with SIGXFSZ.
//
// POSIX: pwrite().
func (p *Process) Pwrite(fd int32, b []byte, off int64) (int, error) {
	f, err := p.regular(fd, true)
	if err != nil {
		return 0, err
	}
	if off < 0 {
		return 0, abi.EINVAL
	}
	b, fault := within(b, off, clampNanos(p.rlim[rlimFsize].soft))
	if fault {
		return 0, p.tooLarge()
	}
	n, err := f.reg.WriteAt(b, off)
	if n > 0 && f.has(abi.OSync) {
		if e := f.reg.Sync(); e != nil {
			return n, e
		}
	}
	if n > 0 {
		err = nil
	}
	return n, p.noSpace(err)
}

// Seek moves the file offset and returns the new one: EBADF, ESPIPE for
// anything but a regular file, EINVAL for an unknown whence or an offset that
// would be negative, EOVERFLOW. The offset of a directory is not for seeking.
//
// POSIX: lseek().
func (p *Process) Seek(fd int32, off int64, whence abi.Whence) (int64, error) {
	f, err := p.fds.get(fd)
	switch {
	case err != nil:
		return 0, err
	case f.access&abi.OPath != 0:
		return 0, abi.EBADF
	case f.dir != nil && off == 0 && whence != abi.SeekEnd:
		return 0, nil
	case f.reg == nil:
		return 0, abi.ESPIPE
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var base int64
	switch whence {
	case abi.SeekSet:
	case abi.SeekCur:
		base = f.off
	case abi.SeekEnd:
		st, err := f.reg.Stat()
		if err != nil {
			return 0, err
		}
		base = st.Size
	default:
		return 0, abi.EINVAL
	}
	if off > 0 && base > never-off {
		return 0, abi.EOVERFLOW
	}
	if base+off < 0 {
		return 0, abi.EINVAL
	}
	f.off = base + off
	return f.off, nil
}

// Tell returns the file offset: EBADF, ESPIPE.
//
// WASI: fd_tell.
func (p *Process) Tell(fd int32) (int64, error) { return p.Seek(fd, 0, abi.SeekCur) }

// ReadDir appends up to n entries behind cookie (0: the start) to dst: EBADF,
// ENOTDIR. None is the end. "." and ".." are included.
//
// POSIX: readdir().
func (p *Process) ReadDir(fd int32, dst []vfs.Dirent, cookie uint64, n int, stat bool) ([]vfs.Dirent, error) {
	f, err := p.fds.get(fd)
	switch {
	case err != nil:
		return dst, err
	case f.access&abi.OPath != 0:
		return dst, abi.EBADF
	case f.dir == nil:
		return dst, abi.ENOTDIR
	}
	return f.dir.ReadDir(dst, cookie, n, stat)
}
