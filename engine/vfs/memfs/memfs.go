// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package memfs

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// Options configures a file system. The zero value is usable.
type Options struct {
	// MaxBytes bounds the memory in use; 0 means 512 MiB. What exceeds it
	// gives ENOSPC.
	MaxBytes int64
	// MaxInodes bounds the number of files; 0 means 1 << 18 (ENOSPC).
	MaxInodes int64
	// MaxFileSize bounds the size of one file, holes included; 0 means
	// 16 TiB (EFBIG).
	MaxFileSize int64
	// Clock returns nanoseconds since the Unix epoch; nil means the system's
	// clock.
	Clock func() int64
	// UID and GID own what is made through the file system.
	UID, GID uint32
	// RootMode holds the permission bits of the root; 0 means 0755.
	RootMode abi.Mode
	// RootUID and RootGID own the root.
	RootUID, RootGID uint32
	// Dev is the device number; 0 means 1. Programs take files with the same
	// device and inode number for the same file, so file systems of one
	// namespace should differ here.
	Dev uint64
}

// What is charged besides data. The figures approximate the memory that the
// structures take.
const (
	inodeCost = 256
	entryCost = 128 // and the name
)

const (
	blockSize = 4096
	maxLinks  = 1 << 16
	maxName   = 255
)

// FS is a file system in memory. It implements every optional interface of
// package vfs that concerns names.
type FS struct {
	opt   Options
	bytes atomic.Int64 // charged
	files atomic.Int64 // inodes in use

	// mu guards the shape of the tree: entries, parents, link counts and
	// nextIno. It is taken before the mutex of any inode.
	mu      sync.RWMutex
	root    *inode
	nextIno uint64
}

var (
	_ vfs.FS         = (*FS)(nil)
	_ vfs.ReadlinkFS = (*FS)(nil)
	_ vfs.MkdirFS    = (*FS)(nil)
	_ vfs.MkfifoFS   = (*FS)(nil)
	_ vfs.RemoveFS   = (*FS)(nil)
	_ vfs.RenameFS   = (*FS)(nil)
	_ vfs.LinkFS     = (*FS)(nil)
	_ vfs.SymlinkFS  = (*FS)(nil)
	_ vfs.ChmodFS    = (*FS)(nil)
	_ vfs.ChownFS    = (*FS)(nil)
	_ vfs.OwnerFS    = (*FS)(nil)
	_ vfs.UtimesFS   = (*FS)(nil)
	_ vfs.StatfsFS   = (*FS)(nil)
	_ vfs.TraverseFS = (*FS)(nil)
)

// New returns an empty file system.
func New(opt Options) *FS {
	if opt.MaxBytes <= 0 {
		opt.MaxBytes = 512 << 20
	}
	if opt.MaxInodes <= 0 {
		opt.MaxInodes = 1 << 18
	}
	if opt.MaxFileSize <= 0 {
		opt.MaxFileSize = 16 << 40
	}
	if opt.Clock == nil {
		opt.Clock = func() int64 { return time.Now().UnixNano() }
	}
	if opt.RootMode == 0 {
		opt.RootMode = 0o755
	}
	if opt.Dev == 0 {
		opt.Dev = 1
	}
	fs := &FS{opt: opt, nextIno: 1}
	fs.root = fs.newInode(abi.ModeDir|opt.RootMode.Perm(), opt.RootUID, opt.RootGID)
	fs.root.parent = fs.root
	fs.root.nlink = 2
	fs.files.Store(1)
	return fs
}

// newInode makes an inode that is not charged yet. The caller holds mu.
func (fs *FS) newInode(mode abi.Mode, uid, gid uint32) *inode {
	now := fs.opt.Clock()
	n := &inode{fs: fs, ino: fs.nextIno, kind: mode & abi.ModeFmt, perm: mode.Perm(), uid: uid, gid: gid, mtim: now, ctim: now}
	n.atim.Store(now)
	fs.nextIno++
	if mode.IsDir() {
		n.dir = &directory{names: make(map[string]*entry), next: firstCookie}
	}
	return n
}

// charge takes n bytes: ENOSPC where they are not there.
func (fs *FS) charge(n int64) error {
	if fs.bytes.Add(n) > fs.opt.MaxBytes && n > 0 {
		fs.bytes.Add(-n)
		return abi.ENOSPC
	}
	return nil
}

// find returns the inode of name, link or not. The caller holds mu.
func (fs *FS) find(name string) (*inode, error) {
	if name == "." {
		return fs.root, nil
	}
	dir, base, err := fs.lookup(name, nil)
	if err != nil {
		return nil, err
	}
	e := dir.dir.names[base]
	if e == nil {
		return nil, abi.ENOENT
	}
	return e.node, nil
}

// lookup returns the directory of name and the last component. With c not nil it
// checks the search permission of each directory. The caller holds mu.
func (fs *FS) lookup(name string, c *vfs.Cred) (*inode, string, error) {
	dir := fs.root
	for {
		if c != nil {
			if !dir.searchable(c) {
				return nil, "", abi.EACCES
			}
		}
		first, rest, more := strings.Cut(name, "/")
		if len(first) > maxName {
			return nil, "", abi.ENAMETOOLONG
		}
		if first == "" || first == "." || first == ".." || strings.IndexByte(first, 0) >= 0 {
			return nil, "", abi.EINVAL // not a clean name: a mistake of the caller
		}
		if !more {
			return dir, first, nil
		}
		e := dir.dir.names[first]
		switch {
		case e == nil:
			return nil, "", abi.ENOENT
		case e.node.kind.IsSymlink():
			return nil, "", abi.ELOOP
		case e.node.dir == nil:
			return nil, "", abi.ENOTDIR
		}
		dir, name = e.node, rest
	}
}

// Traverse implements [vfs.TraverseFS].
func (fs *FS) Traverse(name string, c *vfs.Cred) error {
	fs.mu.RLock()
	defer fs.mu.RUnlock()
	if name == "." {
		return nil
	}
	_, _, err := fs.lookup(name, c)
	return err
}

// Open implements [vfs.FS].
func (fs *FS) Open(name string, flag abi.OpenFlag, perm abi.Mode) (vfs.File, error) {
	fs.mu.RLock()
	n, err := fs.find(name)
	if err == nil {
		defer fs.mu.RUnlock()
		return fs.open(n, flag)
	}
	fs.mu.RUnlock()
	if flag&abi.OCreat == 0 || abi.ErrnoOf(err) != abi.ENOENT {
		return nil, err
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if n, err := fs.find(name); err == nil {
		return fs.open(n, flag)
	}
	if flag&abi.ODirectory != 0 {
		return nil, abi.EINVAL
	}
	n, err = fs.create(name, abi.ModeRegular|perm.Perm(), 0)
	if err != nil {
		return nil, err
	}
	return n.open(), nil
}

// open opens an inode found by name. The caller holds mu, so that the inode
// cannot lose its last name before it counts as open.
func (fs *FS) open(n *inode, flag abi.OpenFlag) (vfs.File, error) {
	if flag&abi.OCreat != 0 && flag&abi.OExcl != 0 {
		return nil, abi.EEXIST
	}
	write := flag.Writable() || flag&abi.OTrunc != 0
	switch n.kind {
	case abi.ModeSymlink:
		return nil, abi.ELOOP
	case abi.ModeDir:
		if write || flag&abi.OCreat != 0 {
			return nil, abi.EISDIR
		}
		return &dirFile{handle{n: n}}, nil
	}
	if flag&abi.ODirectory != 0 {
		return nil, abi.ENOTDIR
	}
	if n.kind.IsRegular() {
		if flag&abi.OTrunc != 0 {
			if err := n.truncate(0); err != nil {
				return nil, err
			}
		}
		return n.open(), nil
	}
	return &handle{n: n}, nil // a FIFO: the kernel attaches a pipe
}

// create makes a new inode under name and charges extra bytes to it. The caller
// holds mu.
func (fs *FS) create(name string, mode abi.Mode, extra int64) (*inode, error) {
	if name == "." {
		return nil, abi.EEXIST
	}
	dir, base, err := fs.lookup(name, nil)
	if err != nil {
		return nil, err
	}
	if dir.dir.names[base] != nil {
		return nil, abi.EEXIST
	}
	if dir.nlink == 0 {
		return nil, abi.ENOENT
	}
	if fs.files.Add(1) > fs.opt.MaxInodes {
		fs.files.Add(-1)
		return nil, abi.ENOSPC
	}
	if err := fs.charge(inodeCost + extra); err != nil {
		fs.files.Add(-1)
		return nil, err
	}
	gid := fs.opt.GID
	d := dir.attr()
	if d.Mode&abi.ModeSetgid != 0 {
		gid = d.GID
		if mode.IsDir() {
			mode |= abi.ModeSetgid
		}
	}
	n := fs.newInode(mode, fs.opt.UID, gid)
	n.charged = inodeCost + extra
	if err := dir.add(base, n); err != nil {
		fs.charge(-n.charged)
		fs.files.Add(-1)
		return nil, err
	}
	n.nlink = 1
	if mode.IsDir() {
		n.nlink, n.parent = 2, dir
		dir.addLinks(1)
	}
	return n, nil
}

// Lstat implements [vfs.FS].
func (fs *FS) Lstat(name string) (abi.Stat, error) {
	fs.mu.RLock()
	defer fs.mu.RUnlock()
	n, err := fs.find(name)
	if err != nil {
		return abi.Stat{}, err
	}
	return n.attr(), nil
}

// Readlink implements [vfs.ReadlinkFS].
func (fs *FS) Readlink(name string) (string, error) {
	fs.mu.RLock()
	defer fs.mu.RUnlock()
	n, err := fs.find(name)
	if err != nil {
		return "", err
	}
	if !n.kind.IsSymlink() {
		return "", abi.EINVAL
	}
	return n.target, nil
}

// Statfs implements [vfs.StatfsFS].
func (fs *FS) Statfs() (abi.Statfs, error) {
	total := uint64(fs.opt.MaxBytes) / blockSize
	free := uint64(max(fs.opt.MaxBytes-fs.bytes.Load(), 0)) / blockSize
	return abi.Statfs{
		Bsize: blockSize, Blocks: total, Bfree: free, Bavail: free,
		Files: uint64(fs.opt.MaxInodes), Ffree: uint64(max(fs.opt.MaxInodes-fs.files.Load(), 0)),
		Namelen: maxName,
	}, nil
}
