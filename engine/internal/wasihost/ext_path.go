// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"math"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

func (m memory) putStat(ptr uint32, st *abi.Stat) error {
	b, err := m.view(ptr, abi.StatSize)
	if err == nil {
		st.Put(b)
	}
	return err
}

func (m memory) putStatfs(ptr uint32, st *abi.Statfs) error {
	b, err := m.view(ptr, abi.StatfsSize)
	if err == nil {
		st.Put(b)
	}
	return err
}

// fdStat stores abi.Stat of an open file.
//
// # Errors
//
//   - EBADF, EIO, EFAULT
//
// POSIX: fstat().
func fdStat(c *Context, m memory, a []uint64) error {
	st, err := c.p.Stat(int32(a[0]))
	if err != nil {
		return err
	}
	return m.putStat(uint32(a[1]), &st)
}

// fdChmod changes the permission bits of an open file.
//
// # Errors
//
//   - EBADF, EPERM, EROFS, ENOTSUP, EIO
//
// POSIX: fchmod().
func fdChmod(c *Context, _ memory, a []uint64) error {
	return c.p.Fchmod(int32(a[0]), abi.Mode(a[1]).Perm())
}

// fdChown changes the owner and group of an open file; -1 keeps one.
//
// # Errors
//
//   - EBADF, EPERM, EROFS, ENOTSUP, EIO
//
// POSIX: fchown().
func fdChown(c *Context, _ memory, a []uint64) error {
	return c.p.Fchown(int32(a[0]), uint32(a[1]), uint32(a[2]))
}

// fdUtimes changes the times of an open file: nanoseconds, abi.UtimeNow or
// abi.UtimeOmit.
//
// # Errors
//
//   - EBADF, EPERM, EACCES, EROFS, ENOTSUP, EIO
//
// POSIX: futimens().
func fdUtimes(c *Context, _ memory, a []uint64) error {
	return c.p.Futimes(int32(a[0]), int64(a[1]), int64(a[2]))
}

// fdDirRead stores whole entries of a directory behind a cookie, in the layout
// of abi.PutDirentExt, and the number of bytes; 0 is the end.
//
// # Errors
//
//   - EBADF, ENOTDIR, EIO
//   - EINVAL: unknown flags, or the buffer is too small for the next entry
//   - EFAULT
//
// POSIX: posix_getdents().
func fdDirRead(c *Context, m memory, a []uint64) error {
	buf, err := m.view(uint32(a[1]), uint32(a[2]))
	if err == nil {
		err = m.check(uint32(a[5]), 4)
	}
	if err != nil {
		return err
	}
	flags := uint32(a[4])
	if flags&^abi.DirStat != 0 {
		return abi.EINVAL
	}
	header := abi.DirentExtSize
	if flags&abi.DirStat != 0 {
		header += abi.StatSize
	}
	small := false
	used, err := c.dirents(int32(a[0]), len(buf), a[3], header, flags&abi.DirStat != 0, func(used int, d *vfs.Dirent) int {
		b := buf[used:]
		n := abi.DirentExtSize + len(d.Name)
		if d.StatOK {
			n += abi.StatSize
		}
		if n > len(b) || len(d.Name) > math.MaxUint16 {
			small = used == 0
			return 0
		}
		abi.PutDirentExt(b, d.Cookie, d.Ino, d.Mode, len(d.Name), d.StatOK)
		copy(b[abi.DirentExtSize:], d.Name)
		if d.StatOK {
			d.Stat.Put(b[abi.DirentExtSize+len(d.Name):])
		}
		return n
	})
	if err != nil {
		return err
	}
	if small {
		return abi.EINVAL
	}
	return m.putU32(uint32(a[5]), uint32(used))
}

// fdStatfs stores abi.Statfs of the file system of an open file.
//
// # Errors
//
//   - EBADF, EIO, ENOTSUP, EFAULT
//
// POSIX: fstatvfs().
func fdStatfs(c *Context, m memory, a []uint64) error {
	st, err := c.p.Fstatfs(int32(a[0]))
	if err != nil {
		return err
	}
	return m.putStatfs(uint32(a[1]), &st)
}

// extOpen opens a file (abi.OpenFlag, permission bits) and stores its
// descriptor.
//
// # Errors
//
//   - EBADF, EINVAL: unknown flags
//   - ENOENT, ENOTDIR, EISDIR, EEXIST, ELOOP, EACCES, EROFS, ENAMETOOLONG,
//     EMFILE, ENFILE, ENXIO, ENOSPC, EPERM, EIO, EFAULT
//   - EINTR: a handled signal while a FIFO waited for its other end
//
// POSIX: openat().
func extOpen(c *Context, m memory, a []uint64) error {
	path, err := m.path(uint32(a[1]), uint32(a[2]))
	if err == nil {
		err = m.check(uint32(a[5]), 4)
	}
	if err != nil {
		return err
	}
	flag := abi.OpenFlag(a[3])
	if flag&^abi.OpenFlagAll != 0 || flag&abi.OAccmode == abi.OAccmode {
		return abi.EINVAL
	}
	fd, err := c.p.Open(int32(a[0]), path, flag, abi.Mode(a[4]).Perm())
	if err != nil {
		return err
	}
	return m.putU32(uint32(a[5]), uint32(fd))
}

// pathStat stores abi.Stat of the named file.
//
// # Errors
//
//   - EBADF, ENOENT, ENOTDIR, ELOOP, EACCES, ENAMETOOLONG, EINVAL, EPERM, EIO,
//     EFAULT
//
// POSIX: fstatat().
func pathStat(c *Context, m memory, a []uint64) error {
	path, err := m.path(uint32(a[1]), uint32(a[2]))
	if err != nil {
		return err
	}
	f, err := follow(a[3])
	if err != nil {
		return err
	}
	st, err := c.p.StatAt(int32(a[0]), path, f)
	if err != nil {
		return err
	}
	return m.putStat(uint32(a[4]), &st)
}

// pathAccess checks permissions of the named file.
//
// # Errors
//
//   - EACCES, EROFS: not permitted
//   - EINVAL: an unknown mode
//   - EBADF, ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, EPERM, EIO, EFAULT
//
// POSIX: faccessat().
func pathAccess(c *Context, m memory, a []uint64) error {
	path, err := m.path(uint32(a[1]), uint32(a[2]))
	if err != nil {
		return err
	}
	mode := uint32(a[3])
	if mode&^(abi.AccessRead|abi.AccessWrite|abi.AccessExec) != 0 {
		return abi.EINVAL
	}
	return c.p.Access(int32(a[0]), path, mode)
}

// pathMkdir makes a directory.
//
// # Errors
//
//   - those of path_create_directory but ENOTCAPABLE
//
// POSIX: mkdirat().
func pathMkdir(c *Context, m memory, a []uint64) error {
	path, err := m.path(uint32(a[1]), uint32(a[2]))
	if err != nil {
		return err
	}
	return c.p.Mkdir(int32(a[0]), path, abi.Mode(a[3]).Perm())
}

// pathMkfifo makes a FIFO.
//
// # Errors
//
//   - those of path_mkdir; ENOTSUP where the file system has none
//
// POSIX: mkfifoat().
func pathMkfifo(c *Context, m memory, a []uint64) error {
	path, err := m.path(uint32(a[1]), uint32(a[2]))
	if err != nil {
		return err
	}
	return c.p.Mkfifo(int32(a[0]), path, abi.Mode(a[3]).Perm())
}

// pathUnlink removes a name that is not a directory's.
//
// # Errors
//
//   - those of path_unlink_file but ENOTCAPABLE
//
// POSIX: unlinkat().
func pathUnlink(c *Context, m memory, a []uint64) error {
	path, err := m.path(uint32(a[1]), uint32(a[2]))
	if err != nil {
		return err
	}
	return c.p.Unlink(int32(a[0]), path)
}

// pathRmdir removes an empty directory.
//
// # Errors
//
//   - those of path_remove_directory but ENOTCAPABLE
//
// POSIX: unlinkat(), AT_REMOVEDIR.
func pathRmdir(c *Context, m memory, a []uint64) error {
	path, err := m.path(uint32(a[1]), uint32(a[2]))
	if err != nil {
		return err
	}
	return c.p.Rmdir(int32(a[0]), path)
}

// paths returns the two paths of an operation.
func (m memory) paths(p, n, q, k uint64) (from, to string, err error) {
	if from, err = m.path(uint32(p), uint32(n)); err == nil {
		to, err = m.path(uint32(q), uint32(k))
	}
	return from, to, err
}

// extRename renames a file or directory.
//
// # Errors
//
//   - those of the preview 1 path_rename but ENOTCAPABLE
//
// POSIX: renameat().
func extRename(c *Context, m memory, a []uint64) error {
	from, to, err := m.paths(a[1], a[2], a[4], a[5])
	if err != nil {
		return err
	}
	return c.p.Rename(int32(a[0]), from, int32(a[3]), to)
}

// extLink makes a hard link.
//
// # Errors
//
//   - those of the preview 1 path_link but ENOTCAPABLE
//
// POSIX: linkat().
func extLink(c *Context, m memory, a []uint64) error {
	from, to, err := m.paths(a[1], a[2], a[4], a[5])
	if err != nil {
		return err
	}
	f, err := follow(a[6])
	if err != nil {
		return err
	}
	return c.p.Link(int32(a[0]), from, int32(a[3]), to, f)
}

// extSymlink makes a symbolic link.
//
// # Errors
//
//   - those of the preview 1 path_symlink but ENOTCAPABLE
//
// POSIX: symlinkat().
func extSymlink(c *Context, m memory, a []uint64) error {
	target, path, err := m.paths(a[0], a[1], a[3], a[4])
	if err != nil {
		return err
	}
	return c.p.Symlink(target, int32(a[2]), path)
}

// extReadlink stores the target of a symbolic link.
//
// # Errors
//
//   - ERANGE: the buffer is too small
//   - EINVAL: not a symbolic link
//   - EBADF, ENOENT, ENOTDIR, ELOOP, EACCES, ENAMETOOLONG, EPERM, EIO, EFAULT
//
// POSIX: readlinkat().
func extReadlink(c *Context, m memory, a []uint64) error {
	path, err := m.path(uint32(a[1]), uint32(a[2]))
	if err != nil {
		return err
	}
	s, err := c.p.Readlink(int32(a[0]), path)
	if err != nil {
		return err
	}
	return m.putText(uint32(a[3]), uint32(a[4]), uint32(a[5]), s)
}

// pathChmod changes the permission bits of the named file.
//
// # Errors
//
//   - EPERM: not the owner, or the path leads out
//   - ENOTSUP: a symbolic link, or the file system has none
//   - EBADF, ENOENT, ENOTDIR, ELOOP, EACCES, EROFS, ENAMETOOLONG, EINVAL, EIO,
//     EFAULT
//
// POSIX: fchmodat().
func pathChmod(c *Context, m memory, a []uint64) error {
	path, err := m.path(uint32(a[1]), uint32(a[2]))
	if err != nil {
		return err
	}
	f, err := follow(a[3])
	if err != nil {
		return err
	}
	return c.p.Chmod(int32(a[0]), path, abi.Mode(a[4]).Perm(), f)
}

// pathChown changes the owner and group of the named file; -1 keeps one.
//
// # Errors
//
//   - those of path_chmod
//
// POSIX: fchownat().
func pathChown(c *Context, m memory, a []uint64) error {
	path, err := m.path(uint32(a[1]), uint32(a[2]))
	if err != nil {
		return err
	}
	f, err := follow(a[3])
	if err != nil {
		return err
	}
	return c.p.Chown(int32(a[0]), path, uint32(a[4]), uint32(a[5]), f)
}

// pathUtimes changes the times of the named file: nanoseconds, abi.UtimeNow or
// abi.UtimeOmit.
//
// # Errors
//
//   - those of path_chmod
//
// POSIX: utimensat().
func pathUtimes(c *Context, m memory, a []uint64) error {
	path, err := m.path(uint32(a[1]), uint32(a[2]))
	if err != nil {
		return err
	}
	f, err := follow(a[3])
	if err != nil {
		return err
	}
	return c.p.Utimes(int32(a[0]), path, int64(a[4]), int64(a[5]), f)
}

// pathStatfs stores abi.Statfs of the file system of the named file.
//
// # Errors
//
//   - those of path_stat; ENOTSUP
//
// POSIX: statvfs().
func pathStatfs(c *Context, m memory, a []uint64) error {
	path, err := m.path(uint32(a[1]), uint32(a[2]))
	if err != nil {
		return err
	}
	st, err := c.p.StatfsAt(int32(a[0]), path)
	if err != nil {
		return err
	}
	return m.putStatfs(uint32(a[3]), &st)
}

// pathRealpath stores the absolute path of the named file, without symbolic
// links, "." and "..".
//
// # Errors
//
//   - ERANGE: the buffer is too small
//   - those of path_stat
//
// POSIX: realpath().
func pathRealpath(c *Context, m memory, a []uint64) error {
	path, err := m.path(uint32(a[1]), uint32(a[2]))
	if err != nil {
		return err
	}
	s, err := c.p.Realpath(int32(a[0]), path)
	if err != nil {
		return err
	}
	return m.putText(uint32(a[3]), uint32(a[4]), uint32(a[5]), s)
}
