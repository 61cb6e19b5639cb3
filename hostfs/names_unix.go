// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package hostfs

import (
	"golang.org/x/sys/unix"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// checkHostName refuses what the operating system would misread: nothing.
func checkHostName(string) error { return nil }

// do runs op on the parent directory of name and its last component. The root
// gives atRoot.
func (fs *FS) do(name string, atRoot error, op func(dir int, base string) error) error {
	if err := fs.beginWrite(name); err != nil {
		return err
	}
	defer fs.mu.RUnlock()
	if name == "." {
		return atRoot
	}
	dir, base, err := fs.parent(name)
	if err != nil {
		return err
	}
	defer fs.release(dir)
	_, err = retry(func() (int, error) { return 0, op(dir, base) })
	return errnoOf(err)
}

// Readlink implements [vfs.ReadlinkFS].
func (fs *FS) Readlink(name string) (string, error) {
	if err := fs.begin(name); err != nil {
		return "", err
	}
	defer fs.mu.RUnlock()
	if name == "." {
		return "", abi.EINVAL
	}
	dir, base, err := fs.parent(name)
	if err != nil {
		return "", err
	}
	defer fs.release(dir)
	var small [256]byte
	for b := small[:]; ; b = make([]byte, 4*len(b)) {
		n, err := unix.Readlinkat(dir, base, b)
		switch {
		case err != nil:
			return "", errnoOf(err)
		case n < len(b):
			return string(b[:n]), nil
		case n > 1<<16:
			return "", abi.ENAMETOOLONG
		}
	}
}

// Mkdir implements [vfs.MkdirFS].
func (fs *FS) Mkdir(name string, perm abi.Mode) error {
	perm &= abi.ModePerm
	return fs.do(name, abi.EEXIST, func(dir int, base string) error {
		if err := unix.Mkdirat(dir, base, uint32(perm)); err != nil {
			return err
		}
		return fs.fixPerm(dir, base, perm)
	})
}

// fixPerm gives a file just made the permission bits that were asked for, where
// the umask of the host process has taken some.
func (fs *FS) fixPerm(dir int, base string, perm abi.Mode) error {
	var st unix.Stat_t
	if err := unix.Fstatat(dir, base, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return err
	}
	if abi.Mode(st.Mode)&abi.ModePerm == perm {
		return nil
	}
	return chmodAt(dir, base, &st, perm)
}

// Mkfifo implements [vfs.MkfifoFS]: ENOSPC once too many FIFOs have been made.
func (fs *FS) Mkfifo(name string, perm abi.Mode) error {
	perm &= abi.ModePerm
	return fs.do(name, abi.EEXIST, func(dir int, base string) error {
		if !fs.fifos.room() {
			return unix.ENOSPC
		}
		if err := mkfifoAt(dir, base, uint32(perm)); err != nil {
			return err
		}
		var st unix.Stat_t
		if err := unix.Fstatat(dir, base, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			return err
		}
		if st.Mode&unix.S_IFMT == unix.S_IFIFO {
			fs.fifos.add(fifoOf(&st))
		}
		return fs.fixPerm(dir, base, perm)
	})
}

func fifoOf(st *unix.Stat_t) fifoID { return fifoID{dev: uint64(st.Dev), ino: st.Ino} }

// Unlink implements [vfs.RemoveFS].
func (fs *FS) Unlink(name string) error {
	return fs.do(name, abi.EISDIR, func(dir int, base string) error {
		var st unix.Stat_t
		if unix.Fstatat(dir, base, &st, unix.AT_SYMLINK_NOFOLLOW) == nil {
			switch st.Mode & unix.S_IFMT {
			case unix.S_IFDIR:
				return unix.EISDIR // POSIX says EPERM, and macOS lets the superuser do it
			case unix.S_IFIFO:
				if st.Nlink == 1 {
					defer fs.fifos.remove(fifoOf(&st))
				}
			}
		}
		return unix.Unlinkat(dir, base, 0)
	})
}

// Rmdir implements [vfs.RemoveFS].
func (fs *FS) Rmdir(name string) error {
	defer fs.searched.changed()
	return fs.do(name, abi.EBUSY, func(dir int, base string) error {
		err := unix.Unlinkat(dir, base, unix.AT_REMOVEDIR)
		if err == unix.EEXIST {
			err = unix.ENOTEMPTY
		}
		return err
	})
}

// Rename implements [vfs.RenameFS].
func (fs *FS) Rename(from, to string) error {
	defer fs.searched.changed()
	return fs.do2(from, to, abi.EBUSY, func(fromDir int, from string, toDir int, to string) error {
		err := renameAt(fromDir, from, toDir, to)
		if err == unix.EEXIST {
			err = unix.ENOTEMPTY
		}
		return err
	})
}

// Link implements [vfs.LinkFS].
func (fs *FS) Link(from, to string) error {
	return fs.do2(from, to, abi.EPERM, func(fromDir int, from string, toDir int, to string) error {
		return unix.Linkat(fromDir, from, toDir, to, 0)
	})
}

// do2 is do for two names.
func (fs *FS) do2(from, to string, atRoot error, op func(fromDir int, from string, toDir int, to string) error) error {
	if err := fs.beginWrite(from, to); err != nil {
		return err
	}
	defer fs.mu.RUnlock()
	if from == "." || to == "." {
		return atRoot
	}
	fromDir, fromBase, err := fs.parent(from)
	if err != nil {
		return err
	}
	defer fs.release(fromDir)
	toDir, toBase, err := fs.parent(to)
	if err != nil {
		return err
	}
	defer fs.release(toDir)
	_, err = retry(func() (int, error) { return 0, op(fromDir, fromBase, toDir, toBase) })
	return errnoOf(err)
}

// Symlink implements [vfs.SymlinkFS].
func (fs *FS) Symlink(target, name string) error {
	for i := 0; i < len(target); i++ {
		if target[i] == 0 {
			return abi.EINVAL
		}
	}
	return fs.do(name, abi.EEXIST, func(dir int, base string) error {
		return unix.Symlinkat(target, dir, base)
	})
}

// Chmod implements [vfs.ChmodFS].
func (fs *FS) Chmod(name string, perm abi.Mode) error {
	defer fs.searched.changed()
	if name == "." {
		f, err := fs.Open(".", abi.ODirectory, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		if fs.opt.ReadOnly {
			return abi.EROFS
		}
		return f.(*dirFile).Chmod(perm)
	}
	return fs.do(name, nil, func(dir int, base string) error {
		var st unix.Stat_t
		if err := unix.Fstatat(dir, base, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			return err
		}
		if st.Mode&unix.S_IFMT == unix.S_IFLNK {
			return unix.ENOTSUP
		}
		return chmodAt(dir, base, &st, perm)
	})
}

// settable returns the bits that chmod may set on a file: the set-id and sticky
// bits of a directory stay as the host made them, and are never set.
func settable(st *unix.Stat_t, perm abi.Mode) uint32 {
	perm &= abi.ModePerm
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		perm |= abi.Mode(st.Mode) & (abi.ModeAll &^ abi.ModePerm)
	}
	return uint32(perm)
}

// chmodAt changes the permission bits of what base names, described by st and no
// link. A link that has taken its place is not followed.
func chmodAt(dir int, base string, st *unix.Stat_t, perm abi.Mode) error {
	mode := settable(st, perm)
	err := unix.Fchmodat(dir, base, mode, unix.AT_SYMLINK_NOFOLLOW)
	if err != unix.EOPNOTSUPP && err != unix.ENOSYS && err != unix.EPERM {
		return err
	}
	// Before Linux 6.6, or under a filter that does not know fchmodat2: by
	// descriptor, which needs a file that can be opened.
	kind := st.Mode & unix.S_IFMT
	if kind != unix.S_IFREG && kind != unix.S_IFDIR {
		return err
	}
	fd, oerr := retry(func() (int, error) {
		return unix.Openat(dir, base, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if oerr == unix.EACCES && kind == unix.S_IFREG {
		fd, oerr = retry(func() (int, error) {
			return unix.Openat(dir, base, unix.O_WRONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		})
	}
	if oerr == unix.EACCES {
		return chmodUnreadable(dir, base, kind, mode)
	}
	if oerr != nil {
		return oerr
	}
	defer unix.Close(fd)
	return unix.Fchmod(fd, mode)
}

// Chown implements [vfs.ChownFS]. The sandbox's one user cannot give files away:
// EPERM unless nothing is to change.
func (fs *FS) Chown(name string, uid, gid uint32) error {
	if err := fs.beginWrite(name); err != nil {
		return err
	}
	defer fs.mu.RUnlock()
	var st unix.Stat_t
	if err := fs.lstat(name, &st); err != nil {
		return err
	}
	s := fs.stat(&st)
	return mayChown(&s, uid, gid)
}

// Utimes implements [vfs.UtimesFS].
func (fs *FS) Utimes(name string, atim, mtim int64) error {
	ts := timespecs(atim, mtim)
	if name == "." {
		f, err := fs.Open(".", abi.ODirectory, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		return f.(*dirFile).Utimes(atim, mtim)
	}
	return fs.do(name, nil, func(dir int, base string) error {
		return unix.UtimesNanoAt(dir, base, ts[:], unix.AT_SYMLINK_NOFOLLOW)
	})
}

func timespecs(atim, mtim int64) [2]unix.Timespec {
	var ts [2]unix.Timespec
	for i, t := range [...]int64{atim, mtim} {
		switch t {
		case abi.UtimeNow:
			ts[i].Nsec = utimeNow
		case abi.UtimeOmit:
			ts[i].Nsec = utimeOmit
		default:
			ts[i] = unix.NsecToTimespec(t)
		}
	}
	return ts
}
