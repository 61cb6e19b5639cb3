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

// rootHandle is the directory as an os.Root.
type rootHandle struct {
	*os.Root
	path string // absolute; for asking about the volume only
}

// owner says who files belong to: Windows knows users that have no number, and
// what they may do is left to it.
type owner struct{ uid, gid uint32 }

func newOwner(opt Options) owner { return owner{uid: opt.UID, gid: opt.GID} }

func (fs *FS) openRoot(dir string) error {
	path, err := filepath.Abs(dir)
	if err != nil {
		return errnoOf(err)
	}
	r, err := os.OpenRoot(path)
	if err != nil {
		return errnoOf(err)
	}
	fs.root = rootHandle{Root: r, path: path}
	return nil
}

func (fs *FS) closeRoot() error { return errnoOf(fs.root.Close()) }

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

// place is an open directory and a single component in it, "." only for the
// root. No operation on it follows a link at the component.
type place struct {
	dir  *os.Root
	base string
	root *os.Root // not to be closed
}

func (p place) close() {
	if p.dir != p.root {
		p.dir.Close()
	}
}

// parent opens the directory of name one component at a time, each after a look
// that it is a directory and no reparse point. A component that is swapped for a
// link behind the look is resolved by os.Root, which stays below the directory
// that holds it.
func (fs *FS) parent(name string) (place, error) {
	p := place{dir: fs.root.Root, root: fs.root.Root}
	dir, base := splitName(name)
	p.base = base
	for dir != "." && dir != "" {
		first, rest, _ := strings.Cut(dir, "/")
		next, err := fs.openDirAt(p.dir, first)
		p.close()
		if err != nil {
			return place{}, err
		}
		p.dir, dir = next, rest
	}
	if err := longName(p.dir, base); err != nil {
		p.close()
		return place{}, err
	}
	return p, nil
}

func (fs *FS) openDirAt(dir *os.Root, base string) (*os.Root, error) {
	if err := longName(dir, base); err != nil {
		return nil, err
	}
	st, err := fs.lstatAt(dir, base)
	switch {
	case err != nil:
		return nil, err
	case st.Mode.IsSymlink():
		return nil, abi.ELOOP
	case !st.Mode.IsDir():
		return nil, abi.ENOTDIR
	}
	r, err := dir.OpenRoot(base)
	return r, errnoOf(err)
}

// longName makes sure that base, where it looks like a short name of another
// file, is the name that the directory lists: ENOENT where it is not.
func longName(dir *os.Root, base string) error {
	if !windowsShortName(base) {
		return nil
	}
	if _, err := dir.Lstat(base); err != nil {
		return nil // the operation will say
	}
	if _, err := listed(dir, base); err != nil {
		return abi.ENOENT
	}
	return nil
}

// listed finds base in the listing of dir.
func listed(dir *os.Root, base string) (os.DirEntry, error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, errnoOf(err)
	}
	defer f.Close()
	es, err := f.ReadDir(-1)
	if err != nil {
		return nil, errnoOf(err)
	}
	for _, e := range es {
		if strings.EqualFold(e.Name(), base) {
			return e, nil
		}
	}
	return nil, abi.ENOENT
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
