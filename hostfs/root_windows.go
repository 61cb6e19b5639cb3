// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// rootHandle is a handle of the directory.
type rootHandle struct {
	h    windows.Handle
	id   fileID
	path string // absolute; for asking about the volume only
}

// owner says who files belong to: Windows knows users that have no number, and
// what they may do is left to it.
type owner struct{ uid, gid uint32 }

func newOwner(opt Options) owner { return owner{uid: opt.UID, gid: opt.GID} }

// Rights to open with.
const (
	accessLook   = windows.FILE_READ_ATTRIBUTES // never refused because others have the file open
	accessSearch = windows.FILE_READ_ATTRIBUTES | windows.FILE_TRAVERSE
	accessList   = accessSearch | windows.FILE_LIST_DIRECTORY
	accessRead   = windows.FILE_GENERIC_READ
	accessWrite  = windows.FILE_GENERIC_WRITE | windows.FILE_READ_ATTRIBUTES
)

// itself opens a reparse point and not what it leads to.
const itself = windows.FILE_OPEN_REPARSE_POINT

func (fs *FS) openRoot(dir string) error {
	path, err := filepath.Abs(dir)
	if err != nil {
		return errnoOf(err)
	}
	f, err := os.Open(path)
	if err != nil {
		return errnoOf(err)
	}
	defer f.Close()
	// Package os does not let others rename or delete what it has open.
	h, err := ntCreate(windows.Handle(f.Fd()), "", accessSearch, windows.FILE_OPEN, windows.FILE_DIRECTORY_FILE, 0)
	if err != nil {
		return errnoOf(err)
	}
	var d windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(h, &d); err != nil {
		_ = windows.CloseHandle(h)
		return errnoOf(err)
	}
	fs.root = rootHandle{h: h, id: idOf(&d), path: path}
	return nil
}

func (fs *FS) closeRoot() error { return errnoOf(windows.CloseHandle(fs.root.h)) }

// checkHostName refuses what Windows would misread.
func checkHostName(name string) error { return checkWindowsName(name) }

// FoldsCase implements [vfs.FoldFS].
func (fs *FS) FoldsCase() bool { return true }

// EnforcesSearch implements [vfs.SearchFS].
func (fs *FS) EnforcesSearch() bool { return true }

// Traverse implements [vfs.TraverseFS]. Windows enforces what there is to
// enforce.
func (fs *FS) Traverse(name string, _ *vfs.Cred) error {
	if err := fs.begin(name); err != nil {
		return err
	}
	defer fs.mu.RUnlock()
	p, err := fs.parent(name)
	if err != nil {
		return err
	}
	p.close()
	return nil
}

// place is an open directory and a single component in it, "" only for the root
// itself.
type place struct {
	dir  windows.Handle
	base string
	root windows.Handle // not to be closed
}

func (p place) close() {
	if p.dir != p.root {
		_ = windows.CloseHandle(p.dir)
	}
}

// open opens what the component names, and never what a reparse point leads to.
func (p place) open(access, options uint32) (windows.Handle, error) {
	h, err := ntCreate(p.dir, p.base, access, windows.FILE_OPEN, options|itself, 0)
	if err != nil {
		return h, errnoOf(err)
	}
	if windowsShortName(p.base) && !listed(p.dir, p.base) {
		_ = windows.CloseHandle(h)
		return windows.InvalidHandle, abi.ENOENT
	}
	return h, nil
}

// parent opens the directory of name one component at a time and looks at each
// through its handle, so that nothing can be swapped behind the look.
func (fs *FS) parent(name string) (place, error) {
	p := place{dir: fs.root.h, root: fs.root.h}
	if name == "." {
		return p, nil
	}
	for {
		first, rest, more := strings.Cut(name, "/")
		p.base = first
		if !more {
			return p, nil
		}
		next, err := p.open(accessSearch, 0)
		p.close()
		if err != nil {
			return place{}, err
		}
		p.dir, name = next, rest
		var d windows.ByHandleFileInformation
		if err := windows.GetFileInformationByHandle(next, &d); err != nil {
			p.close()
			return place{}, errnoOf(err)
		}
		switch mode := fs.mode(next, &d); {
		case mode.IsSymlink():
			p.close()
			return place{}, abi.ELOOP
		case !mode.IsDir():
			p.close()
			return place{}, abi.ENOTDIR
		}
	}
}

// listed reports whether the directory lists base, in any case: a name that
// looks like the short name of another file is taken only where it is not.
func listed(dir windows.Handle, base string) bool {
	h, err := ntCreate(dir, "", accessList, windows.FILE_OPEN, windows.FILE_DIRECTORY_FILE, 0)
	if err != nil {
		return false
	}
	defer windows.CloseHandle(h)
	found := false
	err = eachEntry(h, func(e entry) bool {
		found = strings.EqualFold(e.name, base)
		return !found
	})
	return err == nil && found
}

// Statfs implements [vfs.StatfsFS].
func (fs *FS) Statfs() (abi.Statfs, error) {
	if err := fs.begin(); err != nil {
		return abi.Statfs{}, err
	}
	defer fs.mu.RUnlock()
	path, err := windows.UTF16PtrFromString(fs.root.path)
	if err != nil {
		return abi.Statfs{}, abi.EINVAL
	}
	var avail, total, free uint64
	if err := windows.GetDiskFreeSpaceEx(path, &avail, &total, &free); err != nil {
		return abi.Statfs{}, errnoOf(err)
	}
	const block = 4096
	return abi.Statfs{Bsize: block, Blocks: total / block, Bfree: free / block, Bavail: avail / block, Namelen: 255}, nil
}
