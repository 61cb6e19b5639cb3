// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel/internal/pipe"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// Stat describes an open file: EBADF.
//
// POSIX: fstat().
func (p *Process) Stat(fd int32) (abi.Stat, error) {
	f, err := p.fds.get(fd)
	if err != nil {
		return abi.Stat{}, err
	}
	return f.stat(p.k)
}

// owned returns the file behind fd where the caller may change its attributes:
// EBADF, EPERM for another user's file.
func (p *Process) owned(fd int32) (*OpenFile, error) {
	f, err := p.fds.get(fd)
	if err != nil {
		return nil, err
	}
	if f.access&abi.OPath != 0 {
		return nil, abi.EBADF
	}
	if p.cred.UID != 0 {
		st, err := f.file.Stat()
		if err != nil {
			return nil, err
		}
		if st.UID != p.cred.UID {
			return nil, abi.EPERM
		}
	}
	return f, nil
}

// Fchmod changes the permission bits of an open file: EBADF, EPERM, ENOTSUP
// where the file has none.
//
// POSIX: fchmod().
func (p *Process) Fchmod(fd int32, perm abi.Mode) error {
	f, err := p.owned(fd)
	if err != nil {
		return err
	}
	if c, ok := f.file.(vfs.FileChmod); ok {
		return c.Chmod(perm & abi.ModeAll)
	}
	return abi.ENOTSUP
}

// Fchown changes the owner of an open file; ^0 keeps one: EBADF, EPERM for
// anyone but user 0 who does not keep the user or names a group that is not
// one of his, ENOTSUP.
//
// POSIX: fchown().
func (p *Process) Fchown(fd int32, uid, gid uint32) error {
	f, err := p.owned(fd)
	if err != nil {
		return err
	}
	if p.cred.UID != 0 && (uid != ^uint32(0) && uid != p.cred.UID || gid != ^uint32(0) && !p.inGroup(gid)) {
		return abi.EPERM
	}
	if c, ok := f.file.(vfs.FileChown); ok {
		return c.Chown(uid, gid)
	}
	return abi.ENOTSUP
}

func (p *Process) inGroup(gid uint32) bool {
	if gid == p.cred.GID {
		return true
	}
	for _, g := range p.cred.Groups {
		if g == gid {
			return true
		}
	}
	return false
}

// Futimes changes the times of an open file: nanoseconds, abi.UtimeNow or
// abi.UtimeOmit. EBADF, ENOTSUP, EPERM for another user's file that the caller
// may not write or where a time is given.
//
// POSIX: futimens().
func (p *Process) Futimes(fd int32, atim, mtim int64) error {
	f, err := p.fds.get(fd)
	if err != nil {
		return err
	}
	if atim != abi.UtimeNow || mtim != abi.UtimeNow || !f.writable() {
		if f, err = p.owned(fd); err != nil {
			return err
		}
	}
	if u, ok := f.file.(vfs.FileUtimes); ok {
		return u.Utimes(atim, mtim)
	}
	return abi.ENOTSUP
}

// Ftruncate sets the size of a file open for writing: EBADF, EINVAL for a
// negative size and anything but a regular file, EFBIG with SIGXFSZ.
//
// POSIX: ftruncate().
func (p *Process) Ftruncate(fd int32, size int64) error {
	f, err := p.fds.get(fd)
	switch {
	case err != nil:
		return err
	case f.access&abi.OPath != 0:
		return abi.EBADF
	case size < 0 || f.reg == nil || !f.writable():
		return abi.EINVAL
	case size > clampNanos(p.rlim[rlimFsize].soft):
		return p.tooLarge()
	}
	return f.reg.Truncate(size)
}

// Allocate makes a file at least off+n bytes long: EBADF for one not open for
// writing, EINVAL for a negative off or an n that is not positive, ESPIPE for a
// pipe, ENODEV for anything else that is no regular file, EFBIG with SIGXFSZ.
//
// POSIX: posix_fallocate().
func (p *Process) Allocate(fd int32, off, n int64) error {
	f, err := p.fds.get(fd)
	switch {
	case err != nil:
		return err
	case !f.writable():
		return abi.EBADF
	case off < 0 || n <= 0:
		return abi.EINVAL
	case f.stream != nil:
		return abi.ESPIPE
	case f.reg == nil:
		return abi.ENODEV
	case off > never-n:
		return abi.EFBIG
	case off+n > clampNanos(p.rlim[rlimFsize].soft):
		return p.tooLarge()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	st, err := f.reg.Stat()
	if err != nil || st.Size >= off+n {
		return err
	}
	return f.reg.Truncate(off + n)
}

// Fsync flushes an open file; a directory has nothing to flush here: EBADF,
// EINVAL for a stream.
//
// POSIX: fsync().
func (p *Process) Fsync(fd int32) error {
	f, err := p.fds.get(fd)
	switch {
	case err != nil:
		return err
	case f.access&abi.OPath != 0:
		return abi.EBADF
	case f.reg != nil:
		return f.reg.Sync()
	case f.dir != nil:
		return nil
	}
	return abi.EINVAL
}

// Fstatfs describes the file system of an open file: EBADF, ENOTSUP. A pipe's
// has no size.
//
// POSIX: fstatvfs().
func (p *Process) Fstatfs(fd int32) (abi.Statfs, error) {
	f, err := p.fds.get(fd)
	if err != nil {
		return abi.Statfs{}, err
	}
	if len(f.path) == 0 || f.path[0] != '/' {
		return abi.Statfs{Bsize: pipe.Buf, Namelen: 255}, nil
	}
	return p.k.ns.Statfs(vfs.At{Dir: "/", Cred: p.cred, Caller: p}, f.path)
}
