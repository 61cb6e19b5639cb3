// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package hostfs

import (
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// openSearch opens a directory for searching only.
const openSearch = unix.O_PATH

// resolveBeneath makes openat2 refuse every way out.
const resolveBeneath = unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS

// maxOpenPath bounds the names given to one openat2, which takes 4095 bytes.
const maxOpenPath = 4000

// maxRaces bounds how often openat2 is tried again after the kernel gave up on
// a race. It does so only where a name contains "..", which ours do not.
const maxRaces = 64

// probe finds out whether openat2 can be used: Linux 5.6, and not forbidden by a
// seccomp filter.
func (fs *FS) probe() {
	if fs.opt.noOpenat2 {
		return
	}
	fd, err := openat2(fs.root.fd, ".", unix.O_PATH|unix.O_DIRECTORY, 0)
	if err == nil {
		unix.Close(fd)
		fs.root.openat2 = true
	}
}

func openat2(dirfd int, name string, flags int, perm uint32) (int, error) {
	how := unix.OpenHow{Flags: uint64(flags | unix.O_CLOEXEC), Mode: uint64(perm), Resolve: resolveBeneath}
	for range maxRaces {
		fd, err := unix.Openat2(dirfd, name, &how)
		if err != unix.EAGAIN && err != unix.EINTR {
			return fd, err
		}
	}
	return -1, unix.EBUSY
}

// openDir opens the directory name for searching only.
func (fs *FS) openDir(name string) (int, error) {
	if name == "." {
		return fs.root.fd, nil
	}
	if !fs.root.openat2 {
		return fs.walk(name)
	}
	cur := fs.root.fd
	for {
		part, rest := name, ""
		if len(name) > maxOpenPath {
			i := strings.LastIndexByte(name[:maxOpenPath], '/')
			part, rest = name[:i], name[i+1:] // components have at most 255 bytes
		}
		next, err := openat2(cur, part, unix.O_PATH|unix.O_DIRECTORY, 0)
		fs.release(cur)
		if err != nil {
			return -1, openat2Errno(err)
		}
		if rest == "" {
			return next, nil
		}
		cur, name = next, rest
	}
}

// openAt opens name with the flags of the operating system. The last component
// is never followed.
func (fs *FS) openAt(name string, flags int, perm uint32) (int, error) {
	if fs.root.openat2 && len(name) <= maxOpenPath {
		fd, err := openat2(fs.root.fd, name, flags|unix.O_NOFOLLOW, perm)
		return fd, openat2Errno(err)
	}
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

// openat2Errno translates an error of openat2. EXDEV, "would leave", cannot
// arise from the names that pass checkName, but must never look like a rename's.
func openat2Errno(err error) error {
	if err == unix.EXDEV {
		return abi.EPERM
	}
	return errnoOf(err)
}

// lstat describes name.
func (fs *FS) lstat(name string, st *unix.Stat_t) error {
	if name == "." {
		return errnoOf(unix.Fstat(fs.root.fd, st))
	}
	if fs.root.openat2 && len(name) <= maxOpenPath && strings.IndexByte(name, '/') >= 0 {
		fd, err := openat2(fs.root.fd, name, unix.O_PATH|unix.O_NOFOLLOW, 0)
		if err != nil {
			return openat2Errno(err)
		}
		err = unix.Fstat(fd, st)
		unix.Close(fd)
		return errnoOf(err)
	}
	dir, base, err := fs.parent(name)
	if err != nil {
		return err
	}
	defer fs.release(dir)
	return errnoOf(unix.Fstatat(dir, base, st, unix.AT_SYMLINK_NOFOLLOW))
}

// mkfifoAt makes a FIFO.
func mkfifoAt(dir int, base string, perm uint32) error {
	return unix.Mknodat(dir, base, unix.S_IFIFO|perm, 0)
}

// renameAt renames without following.
func renameAt(fromDir int, from string, toDir int, to string) error {
	return unix.Renameat2(fromDir, from, toDir, to, 0)
}

// FoldsCase implements [vfs.FoldFS].
func (fs *FS) FoldsCase() bool { return false }

// chmodUnreadable changes the mode of a file that cannot be opened where
// fchmodat2 is missing, by the name that /proc gives to a handle of it.
func chmodUnreadable(dir int, base string, kind, mode uint32) error {
	fd, err := retry(func() (int, error) {
		return unix.Openat(dir, base, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT != kind {
		return unix.ELOOP
	}
	err = unix.Fchmodat(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(fd), mode, 0)
	if err == unix.ENOENT || err == unix.ENOTDIR {
		err = unix.EACCES // no /proc
	}
	return err
}
