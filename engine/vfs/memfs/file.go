// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package memfs

import (
	"sync/atomic"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// handle is what every open file has.
type handle struct {
	n      *inode
	counts bool // n.opens counts this
	closed atomic.Bool
}

// Stat implements [vfs.File].
func (f *handle) Stat() (abi.Stat, error) {
	if f.closed.Load() {
		return abi.Stat{}, abi.EBADF
	}
	return f.n.attr(), nil
}

// Close implements [vfs.File].
func (f *handle) Close() error {
	if f.closed.Swap(true) {
		return abi.EBADF
	}
	if f.counts {
		f.n.mu.Lock()
		f.n.opens--
		f.n.release()
		f.n.mu.Unlock()
	}
	return nil
}

// Chmod implements [vfs.FileChmod].
func (f *handle) Chmod(perm abi.Mode) error {
	if f.closed.Load() {
		return abi.EBADF
	}
	return f.n.chmod(perm)
}

// Chown implements [vfs.FileChown].
func (f *handle) Chown(uid, gid uint32) error {
	if f.closed.Load() {
		return abi.EBADF
	}
	return f.n.chown(uid, gid)
}

// Utimes implements [vfs.FileUtimes].
func (f *handle) Utimes(atim, mtim int64) error {
	if f.closed.Load() {
		return abi.EBADF
	}
	return f.n.utimes(atim, mtim)
}

// regular is an open regular file.
type regular struct{ handle }

var (
	_ vfs.RegularFile = (*regular)(nil)
	_ vfs.FileChmod   = (*regular)(nil)
	_ vfs.FileChown   = (*regular)(nil)
	_ vfs.FileUtimes  = (*regular)(nil)
)

func (n *inode) open() *regular {
	n.mu.Lock()
	n.opens++
	n.mu.Unlock()
	return &regular{handle{n: n, counts: true}}
}

// ReadAt implements [vfs.RegularFile].
func (f *regular) ReadAt(p []byte, off int64) (int, error) {
	if f.closed.Load() {
		return 0, abi.EBADF
	}
	if off < 0 {
		return 0, abi.EINVAL
	}
	n := f.n
	n.mu.RLock()
	if off >= n.size {
		p = nil
	} else if int64(len(p)) > n.size-off {
		p = p[:n.size-off]
	}
	n.data.read(p, off)
	n.mu.RUnlock()
	n.accessed()
	return len(p), nil
}

// WriteAt implements [vfs.RegularFile]. Where space runs out it returns how many
// bytes were written before, with ENOSPC.
func (f *regular) WriteAt(p []byte, off int64) (int, error) {
	if f.closed.Load() {
		return 0, abi.EBADF
	}
	if off < 0 {
		return 0, abi.EINVAL
	}
	f.n.mu.Lock()
	defer f.n.mu.Unlock()
	return f.n.write(p, off)
}

// Append implements [vfs.RegularFile].
func (f *regular) Append(p []byte) (int64, error) {
	if f.closed.Load() {
		return 0, abi.EBADF
	}
	f.n.mu.Lock()
	defer f.n.mu.Unlock()
	n, err := f.n.write(p, f.n.size)
	if n == 0 && err != nil {
		return 0, err
	}
	return f.n.size, err
}

// write stores p at off. The caller holds mu.
func (n *inode) write(p []byte, off int64) (int, error) {
	limit := n.fs.opt.MaxFileSize
	if len(p) == 0 {
		return 0, nil
	}
	if off >= limit {
		return 0, abi.EFBIG
	}
	var short error
	if int64(len(p)) > limit-off {
		p, short = p[:limit-off], abi.EFBIG
	}
	done, err := n.data.write(p, off, n.charge)
	if done > 0 {
		n.size = max(n.size, off+int64(done))
		n.mtim = n.fs.opt.Clock()
		n.ctim = n.mtim
		n.perm &^= abi.ModeSetuid
	}
	if err == nil {
		err = short
	}
	return done, err
}

// charge charges bytes to the inode. The caller holds mu.
func (n *inode) charge(b int64) error {
	if err := n.fs.charge(b); err != nil {
		return err
	}
	n.charged += b
	return nil
}

// Truncate implements [vfs.RegularFile].
func (f *regular) Truncate(size int64) error {
	if f.closed.Load() {
		return abi.EBADF
	}
	return f.n.truncate(size)
}

func (n *inode) truncate(size int64) error {
	if size < 0 {
		return abi.EINVAL
	}
	if size > n.fs.opt.MaxFileSize {
		return abi.EFBIG
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if size < n.size {
		n.charge(-n.data.truncate(size))
	}
	n.size = size
	n.mtim = n.fs.opt.Clock()
	n.ctim = n.mtim
	return nil
}

// Sync implements [vfs.RegularFile].
func (f *regular) Sync() error {
	if f.closed.Load() {
		return abi.EBADF
	}
	return nil
}
