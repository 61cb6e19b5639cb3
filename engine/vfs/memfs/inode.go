// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package memfs

import (
	"sync"
	"sync/atomic"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// inode is a file of any kind.
type inode struct {
	fs     *FS
	ino    uint64     // immutable
	kind   abi.Mode   // type bits; immutable
	dir    *directory // not nil for a directory; guarded by fs.mu
	parent *inode     // of a directory; guarded by fs.mu
	target string     // of a symbolic link; set before it is seen
	atim   atomic.Int64

	// mu guards what follows.
	mu         sync.RWMutex
	perm       abi.Mode
	uid, gid   uint32
	nlink      uint32 // changes under fs.mu as well
	opens      int
	mtim, ctim int64
	size       int64
	data       chunks
	charged    int64 // bytes
}

func (n *inode) attr() abi.Stat {
	n.mu.RLock()
	defer n.mu.RUnlock()
	st := abi.Stat{
		Dev: n.fs.opt.Dev, Ino: n.ino, Mode: n.kind | n.perm, Nlink: n.nlink, UID: n.uid, GID: n.gid,
		Size: n.size, Blksize: blockSize, Blocks: (n.data.bytes + 511) / 512,
		Atim: n.atim.Load(), Mtim: n.mtim, Ctim: n.ctim,
	}
	if n.dir != nil {
		st.Size = blockSize
	}
	return st
}

// searchable reports whether c may search the directory.
func (n *inode) searchable(c *vfs.Cred) bool {
	n.mu.RLock()
	st := abi.Stat{Mode: n.kind | n.perm, UID: n.uid, GID: n.gid}
	n.mu.RUnlock()
	return c.May(&st, abi.AccessExec)
}

// addLinks changes the link count. The caller holds fs.mu.
func (n *inode) addLinks(d int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.nlink = uint32(int(n.nlink) + d)
	n.ctim = n.fs.opt.Clock()
	n.release()
}

// release gives back what the inode was charged once nothing reaches it. The
// caller holds mu.
func (n *inode) release() {
	if n.nlink > 0 || n.opens > 0 || n.charged == 0 {
		return
	}
	n.fs.charge(-n.charged)
	n.fs.files.Add(-1)
	n.charged = 0
	n.data = chunks{}
}

// touch marks the content as changed.
func (n *inode) touch() {
	n.mu.Lock()
	n.mtim = n.fs.opt.Clock()
	n.ctim = n.mtim
	n.mu.Unlock()
}

// changed marks the attributes as changed.
func (n *inode) changed() {
	n.mu.Lock()
	n.ctim = n.fs.opt.Clock()
	n.mu.Unlock()
}

// accessed moves the time of last access as Linux does with relatime: where it
// is not after the last change, or a day old.
func (n *inode) accessed() {
	now, old := n.fs.opt.Clock(), n.atim.Load()
	n.mu.RLock()
	stale := old <= n.mtim || old <= n.ctim || now-old >= 24*3600*1e9
	n.mu.RUnlock()
	if stale {
		n.atim.Store(now)
	}
}

func (n *inode) chmod(perm abi.Mode) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.perm = perm.Perm()
	n.ctim = n.fs.opt.Clock()
	return nil
}

// own sets the owner of a new file.
func (n *inode) own(uid, gid uint32) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.uid = uid
	if gid != ^uint32(0) {
		n.gid = gid
	}
}

func (n *inode) chown(uid, gid uint32) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if uid != ^uint32(0) {
		n.uid = uid
	}
	if gid != ^uint32(0) {
		n.gid = gid
	}
	if n.kind.IsRegular() && (uid != ^uint32(0) || gid != ^uint32(0)) {
		n.perm &^= abi.ModeSetuid
		if n.perm&0o010 != 0 {
			n.perm &^= abi.ModeSetgid
		}
	}
	n.ctim = n.fs.opt.Clock()
	return nil
}

func (n *inode) utimes(atim, mtim int64) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.fs.opt.Clock()
	switch atim {
	case abi.UtimeOmit:
	case abi.UtimeNow:
		n.atim.Store(now)
	default:
		n.atim.Store(atim)
	}
	switch mtim {
	case abi.UtimeOmit:
	case abi.UtimeNow:
		n.mtim = now
	default:
		n.mtim = mtim
	}
	n.ctim = now
	return nil
}
