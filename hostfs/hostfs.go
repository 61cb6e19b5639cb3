// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"fmt"
	"sync"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// Options configures a file system.
type Options struct {
	// ReadOnly makes every modification give EROFS. Use it together with
	// vfs.Mount.ReadOnly where the directory must not change, whoever asks.
	ReadOnly bool
	// UID and GID stand for the host process's user and groups; 0 means 1000.
	UID, GID uint32
	// noOpenat2 makes the component walk of Linux testable.
	noOpenat2 bool
}

// nobody owns what the host process does not.
const nobody = 65534

// devOffset keeps the device numbers of the host apart from those of the file
// systems that the sandbox makes up.
const devOffset = 1 << 16

// FS is a directory of the host. It is safe for concurrent use.
type FS struct {
	opt Options
	ids owner

	// mu keeps Close from releasing the root under an operation.
	mu     sync.RWMutex
	root   rootHandle
	closed bool

	fifos    fifoSet
	searched searchCache
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
	_ vfs.UtimesFS   = (*FS)(nil)
	_ vfs.StatfsFS   = (*FS)(nil)
	_ vfs.SearchFS   = (*FS)(nil)
	_ vfs.TraverseFS = (*FS)(nil)
	_ vfs.FoldFS     = (*FS)(nil)
)

// Open binds the host directory dir, whose own name may contain symbolic links:
// the file system is what they lead to now, and stays so when they change. The
// error names dir and wraps an abi.Errno.
func Open(dir string, opt Options) (*FS, error) {
	if opt.UID == 0 {
		opt.UID = 1000
	}
	if opt.GID == 0 {
		opt.GID = 1000
	}
	fs := &FS{opt: opt, ids: newOwner(opt)}
	if err := fs.openRoot(dir); err != nil {
		return nil, fmt.Errorf("hostfs: open %s: %w", dir, err)
	}
	return fs, nil
}

// Close releases the directory; open files stay usable. Later operations, and a
// second Close, return EBADF.
func (fs *FS) Close() error {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.closed {
		return abi.EBADF
	}
	fs.closed = true
	return fs.closeRoot()
}

// begin starts an operation on the names given. The caller calls fs.mu.RUnlock
// once done, if begin returned nil.
func (fs *FS) begin(names ...string) error {
	for _, n := range names {
		if err := checkName(n); err != nil {
			return err
		}
		if err := checkHostName(n); err != nil {
			return err
		}
	}
	fs.mu.RLock()
	if fs.closed {
		fs.mu.RUnlock()
		return abi.EBADF
	}
	return nil
}

// beginWrite is begin for an operation that modifies.
func (fs *FS) beginWrite(names ...string) error {
	if fs.opt.ReadOnly {
		return abi.EROFS
	}
	return fs.begin(names...)
}

// mayChown refuses to change an owner: the sandbox's one user cannot give files
// away.
func mayChown(st *abi.Stat, uid, gid uint32) error {
	if (uid == ^uint32(0) || uid == st.UID) && (gid == ^uint32(0) || gid == st.GID) {
		return nil
	}
	return abi.EPERM
}

// fifoID identifies a file of the host.
type fifoID struct{ dev, ino uint64 }

// maxFifos bounds what is remembered of FIFOs made by guests.
const maxFifos = 1 << 12

// fifoSet remembers the FIFOs made through a file system.
type fifoSet struct {
	mu  sync.Mutex
	ids map[fifoID]struct{}
}

func (s *fifoSet) room() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.ids) < maxFifos
}

func (s *fifoSet) add(id fifoID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ids == nil {
		s.ids = make(map[fifoID]struct{})
	}
	s.ids[id] = struct{}{}
}

func (s *fifoSet) has(id fifoID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.ids[id]
	return ok
}

func (s *fifoSet) remove(id fifoID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.ids, id)
}
