// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package hostfs

import (
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// rootHandle is a descriptor of the directory.
type rootHandle struct {
	fd      int
	openat2 bool // Linux
}

// owner knows who the host process is.
type owner struct {
	euid, egid uint32
	groups     []int
	uid, gid   uint32 // what it appears as
}

func newOwner(opt Options) owner {
	o := owner{euid: uint32(unix.Geteuid()), egid: uint32(unix.Getegid()), uid: opt.UID, gid: opt.GID}
	// Without the list, files of the other groups appear as nobody's, which
	// errs on the side of refusing.
	o.groups, _ = unix.Getgroups()
	return o
}

func (o *owner) mapUID(uid uint32) uint32 {
	if uid == o.euid {
		return o.uid
	}
	return nobody
}

func (o *owner) mapGID(gid uint32) uint32 {
	if gid == o.egid || slices.Contains(o.groups, int(gid)) {
		return o.gid
	}
	return nobody
}

func (fs *FS) openRoot(dir string) error {
	fd, err := retry(func() (int, error) {
		return unix.Open(dir, openSearch|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return errnoOf(err)
	}
	fs.root.fd = fd
	fs.probe()
	return nil
}

func (fs *FS) closeRoot() error { return errnoOf(unix.Close(fs.root.fd)) }

// EnforcesSearch implements [vfs.SearchFS]. The host checks nothing for the
// superuser.
func (fs *FS) EnforcesSearch() bool { return fs.ids.euid != 0 }

// Traverse implements [vfs.TraverseFS].
func (fs *FS) Traverse(name string, c *vfs.Cred) error {
	if err := fs.begin(name); err != nil {
		return err
	}
	defer fs.mu.RUnlock()
	if name == "." {
		return nil
	}
	dir, _ := splitName(name)
	if fs.searched.has(dir, c) {
		return nil
	}
	gen := fs.searched.gen.Load()
	cur := fs.root.fd
	defer func() { fs.release(cur) }()
	for {
		var st unix.Stat_t
		if err := unix.Fstat(cur, &st); err != nil {
			return errnoOf(err)
		}
		s := fs.stat(&st)
		if !c.May(&s, abi.AccessExec) {
			return abi.EACCES
		}
		first, rest, more := strings.Cut(name, "/")
		if !more {
			fs.searched.add(dir, c, gen)
			return nil
		}
		next, err := openDirAt(cur, first)
		if err != nil {
			return err
		}
		fs.release(cur)
		cur, name = next, rest
	}
}

// release closes a descriptor that the walk returned, unless it is the root's.
func (fs *FS) release(fd int) {
	if fd != fs.root.fd {
		unix.Close(fd)
	}
}

// parent opens the directory of name and returns it with the last component,
// which is "." only for the root itself. The caller releases the descriptor.
func (fs *FS) parent(name string) (int, string, error) {
	dir, base := splitName(name)
	fd, err := fs.openDir(dir)
	return fd, base, err
}

// walk opens the directory name one component at a time.
func (fs *FS) walk(name string) (int, error) {
	cur := fs.root.fd
	for name != "" {
		first, rest, _ := strings.Cut(name, "/")
		next, err := openDirAt(cur, first)
		fs.release(cur)
		if err != nil {
			return -1, err
		}
		cur, name = next, rest
	}
	return cur, nil
}

// openDirAt opens the directory that the single component base names, to search
// it only: ELOOP where it is a link.
func openDirAt(dirfd int, base string) (int, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat(dirfd, base, openSearch|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err == nil {
		return fd, nil
	}
	if err == unix.ENOTDIR || err == unix.EMLINK {
		var st unix.Stat_t
		if unix.Fstatat(dirfd, base, &st, unix.AT_SYMLINK_NOFOLLOW) == nil && st.Mode&unix.S_IFMT == unix.S_IFLNK {
			return -1, abi.ELOOP
		}
		return -1, abi.ENOTDIR
	}
	return -1, errnoOf(err)
}

// retry calls f until it is not interrupted by a signal.
func retry[T any](f func() (T, error)) (T, error) {
	for {
		v, err := f()
		if err != unix.EINTR {
			return v, err
		}
	}
}
