// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package memfs

import "github.com/wsandbox/wsandbox/engine/abi"

// Mkdir implements [vfs.MkdirFS].
func (fs *FS) Mkdir(name string, perm abi.Mode) error {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	_, err := fs.create(name, abi.ModeDir|perm.Perm(), 0)
	return err
}

// Mkfifo implements [vfs.MkfifoFS]. Opening the FIFO gives a file that serves
// only Stat: pipes are the kernel's.
func (fs *FS) Mkfifo(name string, perm abi.Mode) error {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	_, err := fs.create(name, abi.ModeFIFO|perm.Perm(), 0)
	return err
}

// Symlink implements [vfs.SymlinkFS].
func (fs *FS) Symlink(target, name string) error {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	n, err := fs.create(name, abi.ModeSymlink|0o777, int64(len(target)))
	if err != nil {
		return err
	}
	n.target = target
	n.size = int64(len(target))
	return nil
}

// Link implements [vfs.LinkFS].
func (fs *FS) Link(from, to string) error {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	n, err := fs.find(from)
	if err != nil {
		return err
	}
	if n.dir != nil {
		return abi.EPERM
	}
	if to == "." {
		return abi.EEXIST
	}
	dir, base, err := fs.lookup(to, nil)
	if err != nil {
		return err
	}
	if dir.dir.names[base] != nil {
		return abi.EEXIST
	}
	if n.nlink >= maxLinks {
		return abi.EMLINK
	}
	if err := dir.add(base, n); err != nil {
		return err
	}
	n.addLinks(1)
	return nil
}

// Unlink implements [vfs.RemoveFS].
func (fs *FS) Unlink(name string) error {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if name == "." {
		return abi.EISDIR
	}
	dir, base, err := fs.lookup(name, nil)
	if err != nil {
		return err
	}
	e := dir.dir.names[base]
	if e == nil {
		return abi.ENOENT
	}
	if e.node.dir != nil {
		return abi.EISDIR
	}
	dir.remove(e)
	e.node.addLinks(-1)
	return nil
}

// Rmdir implements [vfs.RemoveFS].
func (fs *FS) Rmdir(name string) error {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if name == "." {
		return abi.EBUSY
	}
	dir, base, err := fs.lookup(name, nil)
	if err != nil {
		return err
	}
	e := dir.dir.names[base]
	switch {
	case e == nil:
		return abi.ENOENT
	case e.node.dir == nil:
		return abi.ENOTDIR
	case len(e.node.dir.names) > 0:
		return abi.ENOTEMPTY
	}
	dir.remove(e)
	dir.addLinks(-1)
	e.node.addLinks(-2)
	return nil
}

// Rename implements [vfs.RenameFS].
func (fs *FS) Rename(from, to string) error {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if from == "." || to == "." {
		return abi.EBUSY
	}
	sdir, sbase, err := fs.lookup(from, nil)
	if err != nil {
		return err
	}
	ddir, dbase, err := fs.lookup(to, nil)
	if err != nil {
		return err
	}
	se := sdir.dir.names[sbase]
	if se == nil {
		return abi.ENOENT
	}
	n := se.node
	if n.dir != nil && fs.within(ddir, n) {
		return abi.EINVAL
	}
	de := ddir.dir.names[dbase]
	if de != nil {
		old := de.node
		switch {
		case old == n:
			return nil // POSIX: names of the same file stay as they are
		case old.dir != nil && fs.within(sdir, old):
			return abi.ENOTEMPTY // from itself is in there
		case n.dir != nil && old.dir == nil:
			return abi.ENOTDIR
		case n.dir == nil && old.dir != nil:
			return abi.EISDIR
		case old.dir != nil && len(old.dir.names) > 0:
			return abi.ENOTEMPTY
		}
		// The entry keeps its place, so that a reader of the directory sees
		// the name exactly once.
		de.node = n
		ddir.touch()
		if old.dir != nil {
			ddir.addLinks(-1)
			old.addLinks(-2)
		} else {
			old.addLinks(-1)
		}
	} else if err := ddir.add(dbase, n); err != nil {
		return err
	}
	sdir.remove(se)
	if n.dir != nil && sdir != ddir {
		sdir.addLinks(-1)
		ddir.addLinks(1)
		n.parent = ddir
	}
	n.changed()
	return nil
}

// Chmod implements [vfs.ChmodFS].
func (fs *FS) Chmod(name string, perm abi.Mode) error {
	fs.mu.RLock()
	defer fs.mu.RUnlock()
	n, err := fs.find(name)
	if err != nil {
		return err
	}
	if n.kind.IsSymlink() {
		return abi.ENOTSUP
	}
	return n.chmod(perm)
}

// Chown implements [vfs.ChownFS].
func (fs *FS) Chown(name string, uid, gid uint32) error {
	fs.mu.RLock()
	defer fs.mu.RUnlock()
	n, err := fs.find(name)
	if err != nil {
		return err
	}
	return n.chown(uid, gid)
}

// Owner implements [vfs.OwnerFS].
func (fs *FS) Owner() uint32 { return fs.opt.UID }

// Own implements [vfs.OwnerFS].
func (fs *FS) Own(name string, uid, gid uint32) error {
	fs.mu.RLock()
	defer fs.mu.RUnlock()
	dir, base, err := fs.lookup(name, nil)
	if err != nil {
		return err
	}
	e := dir.dir.names[base]
	if e == nil {
		return abi.ENOENT
	}
	if dir.attr().Mode&abi.ModeSetgid != 0 {
		gid = ^uint32(0)
	}
	e.node.own(uid, gid)
	return nil
}

// Utimes implements [vfs.UtimesFS].
func (fs *FS) Utimes(name string, atim, mtim int64) error {
	fs.mu.RLock()
	defer fs.mu.RUnlock()
	n, err := fs.find(name)
	if err != nil {
		return err
	}
	return n.utimes(atim, mtim)
}

// within reports whether dir is top or lies below it. The caller holds mu.
func (fs *FS) within(dir, top *inode) bool {
	for ; dir != top; dir = dir.parent {
		if dir == fs.root {
			return false
		}
	}
	return true
}
