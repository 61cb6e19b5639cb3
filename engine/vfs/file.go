// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs

import "github.com/wsandbox/wsandbox/engine/abi"

// File is an open file. Methods are safe for concurrent use. A file is at least
// one of [RegularFile], [Stream] and [Directory], or a FIFO or location that
// serves only Stat.
type File interface {
	Stat() (abi.Stat, error)
	// Close releases the file. A second Close returns EBADF.
	Close() error
}

// RegularFile is a file with offsets. It has no cursor: that belongs to the
// open file description.
type RegularFile interface {
	File
	// ReadAt reads up to len(p) bytes at off. It returns 0, nil at and past
	// the end (unlike io.ReaderAt there is no io.EOF), and may return fewer
	// bytes than asked only at the end.
	ReadAt(p []byte, off int64) (int, error)
	// WriteAt writes all of p at off, extending the file with zeros where
	// needed: EFBIG past the largest size, ENOSPC, EDQUOT.
	WriteAt(p []byte, off int64) (int, error)
	// Append writes all of p at the end in one step and returns the offset
	// behind it.
	Append(p []byte) (end int64, err error)
	Truncate(size int64) error
	Sync() error
}

// Stream is a file without offsets: a pipe end, a terminal, a device. Read and
// Write never block: they return EAGAIN where they would.
type Stream interface {
	File
	Poller
	// Read returns 0, nil at the end of input.
	Read(p []byte) (int, error)
	Write(p []byte) (int, error)
}

// Directory is an open directory.
type Directory interface {
	File
	// ReadDir appends up to n entries that follow cookie to dst. Cookie 0
	// starts; the cookie of an entry continues behind it. Entries include
	// "." and "..". Cookies stay valid while entries come and go: an entry
	// present throughout is returned exactly once. With stat, Dirent.Stat is
	// filled where that is cheaper than one Lstat a name; StatOK says so.
	// An empty result is the end.
	ReadDir(dst []Dirent, cookie uint64, n int, stat bool) ([]Dirent, error)
}

// Dirent is an entry of a directory.
type Dirent struct {
	Name   string
	Cookie uint64   // of the position behind this entry
	Ino    uint64   // 0 where unknown
	Mode   abi.Mode // type bits; 0 where unknown
	StatOK bool
	Stat   abi.Stat
}

// The following interfaces are optional; ENOTSUP where missing.
type (
	// FileChmod changes an open file's permission bits.
	FileChmod interface {
		Chmod(perm abi.Mode) error
	}
	// FileChown changes an open file's owner.
	FileChown interface {
		Chown(uid, gid uint32) error
	}
	// FileUtimes changes an open file's times.
	FileUtimes interface {
		Utimes(atim, mtim int64) error
	}
	// Executable is a file that stands for a built-in program. Guest is the
	// image's name and Applet what it is to run as.
	Executable interface {
		Executable() (guest, applet string)
	}
	// ControllingTerminal is a file that stands for the controlling terminal
	// of whoever opens it, as /dev/tty does. It serves only Stat: the kernel
	// puts the terminal in its place, or fails with ENXIO where the process
	// has none.
	ControllingTerminal interface {
		File
		ControllingTerminal()
	}
)
