// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs

import "github.com/wsandbox/wsandbox/engine/abi"

// FS is the least that a mount must do. Names are clean and relative to the
// file system's root, which is ".". Implementations are safe for concurrent
// use.
//
// Every method returns ENOENT where a component is missing, ENOTDIR where an
// intermediate component is not a directory, ELOOP where an intermediate
// component is a symbolic link, ENAMETOOLONG for a component of more than 255
// bytes, EILSEQ or EINVAL for a name that the file system cannot hold, and EIO
// for what has no better number.
type FS interface {
	// Open opens the named file. A symbolic link in the last component gives
	// ELOOP (with OCreat|OExcl, EEXIST). A directory opened for writing gives
	// EISDIR; ODirectory on anything else ENOTDIR; OCreat|OExcl on an
	// existing name EEXIST; write access, OTrunc or the creation of a file
	// on a read-only file system EROFS, except for devices and FIFOs. With
	// OCreat a new file gets the permission bits perm, already masked. A
	// FIFO, socket or device that the file system does not serve gives ENXIO
	// and never blocks. OAppend, ONonblock and OCloexec are the caller's
	// business and ignored.
	Open(name string, flag abi.OpenFlag, perm abi.Mode) (File, error)

	// Lstat describes the named file, and never what a link points to.
	Lstat(name string) (abi.Stat, error)
}

// The following interfaces are optional. Where one is missing, the namespace
// returns ENOTSUP (EROFS on a read-only mount).
type (
	// ReadlinkFS reads symbolic links: EINVAL where name is not one.
	ReadlinkFS interface {
		Readlink(name string) (string, error)
	}
	// MkdirFS makes directories: EEXIST where name exists in any form.
	MkdirFS interface {
		Mkdir(name string, perm abi.Mode) error
	}
	// MkfifoFS makes FIFOs: EEXIST where name exists in any form.
	MkfifoFS interface {
		Mkfifo(name string, perm abi.Mode) error
	}
	// RemoveFS removes names. Unlink gives EISDIR for a directory, Rmdir
	// ENOTDIR for anything else and ENOTEMPTY for a directory with entries.
	RemoveFS interface {
		Unlink(name string) error
		Rmdir(name string) error
	}
	// RenameFS renames within the file system with the replacement rules of
	// POSIX rename(): EISDIR, ENOTDIR, ENOTEMPTY, and EINVAL where to lies
	// below from.
	RenameFS interface {
		Rename(from, to string) error
	}
	// LinkFS makes hard links: EEXIST, and EPERM for a directory.
	LinkFS interface {
		Link(from, to string) error
	}
	// SymlinkFS makes symbolic links. The target is stored as given.
	SymlinkFS interface {
		Symlink(target, name string) error
	}
	// ChmodFS changes permission bits; a symbolic link gives ENOTSUP.
	ChmodFS interface {
		Chmod(name string, perm abi.Mode) error
	}
	// ChownFS changes the owner and group; ^0 keeps one.
	ChownFS interface {
		Chown(name string, uid, gid uint32) error
	}
	// OwnerFS gives a file that was just made to who made it. Owner returns
	// the user whom files belong to without that. Own sets the owner, and the
	// group unless the directory has handed down its own.
	OwnerFS interface {
		Owner() (uid uint32)
		Own(name string, uid, gid uint32) error
	}
	// UtimesFS changes times (nanoseconds, abi.UtimeNow, abi.UtimeOmit),
	// of a symbolic link itself where name is one.
	UtimesFS interface {
		Utimes(name string, atim, mtim int64) error
	}
	// StatfsFS describes the file system.
	StatfsFS interface {
		Statfs() (abi.Statfs, error)
	}
	// CallerFS is a file system whose content depends on who looks, such as
	// /proc. ForCaller returns the view for At.Caller.
	CallerFS interface {
		FS
		ForCaller(caller any) FS
	}
	// SearchFS reports that the operating system below enforces the search
	// permission of directories for the user [HostUID], so that the
	// namespace need not look at each one.
	SearchFS interface {
		EnforcesSearch() bool
	}
	// TraverseFS checks the search permission of every directory on the way
	// to name, the root included and name itself not, for c. Besides EACCES
	// it gives the errors of [FS]. With it the namespace needs one operation
	// where it would describe each directory.
	TraverseFS interface {
		Traverse(name string, c *Cred) error
	}
	// FoldFS reports that the file system takes names that differ in case
	// for the same file.
	FoldFS interface {
		FoldsCase() bool
	}
	// JumpFS has symbolic links that lead to an open file and not to a name,
	// such as those of /proc/self/fd. Jumps reports whether name is one of
	// them, and OpenLink opens what it leads to; with OPath the result need
	// serve only Stat. Lstat and Readlink show such links as usual.
	JumpFS interface {
		Jumps(name string) bool
		OpenLink(name string, flag abi.OpenFlag) (File, error)
	}
)
