// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build darwin

package hostfs

import "golang.org/x/sys/unix"

// openSearch opens a directory for searching only. Versions of macOS that do not
// know it open the directory for reading.
const openSearch = unix.O_SEARCH

func (fs *FS) probe() {}

// openDir opens the directory name for searching only.
func (fs *FS) openDir(name string) (int, error) {
	if name == "." {
		return fs.root.fd, nil
	}
	return fs.walk(name)
}

// openAt opens name with the flags of the operating system. The last component
// is never followed.
func (fs *FS) openAt(name string, flags int, perm uint32) (int, error) {
	dir, base, err := fs.parent(name)
	if err != nil {
		return -1, err
	}
	defer fs.release(dir)
	fd, err := retry(func() (int, error) {
		return unix.Openat(dir, base, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC, perm)
	})
	return fd, errnoOf(err)
}

// lstat describes name.
func (fs *FS) lstat(name string, st *unix.Stat_t) error {
	if name == "." {
		return errnoOf(unix.Fstat(fs.root.fd, st))
	}
	dir, base, err := fs.parent(name)
	if err != nil {
		return err
	}
	defer fs.release(dir)
	return errnoOf(unix.Fstatat(dir, base, st, unix.AT_SYMLINK_NOFOLLOW))
}

// mkfifoAt is missing: mkfifoat came with macOS 13 and is not in x/sys.
func mkfifoAt(int, string, uint32) error { return unix.ENOTSUP }

// renameAt renames without following.
func renameAt(fromDir int, from string, toDir int, to string) error {
	return unix.Renameat(fromDir, from, toDir, to)
}

// FoldsCase implements [vfs.FoldFS]. The usual file systems of macOS ignore
// case; taking one that does not for one that does only makes the namespace
// careful about names next to mount points.
func (fs *FS) FoldsCase() bool { return true }

// chmodUnreadable is not needed: macOS has fchmodat with AT_SYMLINK_NOFOLLOW.
func chmodUnreadable(int, string, uint16, uint32) error { return unix.EACCES }
