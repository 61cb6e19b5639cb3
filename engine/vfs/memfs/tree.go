// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package memfs

import (
	"fmt"
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Entry describes a file that [FS.Add] makes.
type Entry struct {
	Name     string   // as in [vfs.FS]: clean, without a leading slash
	Mode     abi.Mode // type and permission bits; no type means a regular file
	UID, GID uint32
	Data     string // of a regular file
	Target   string // of a symbolic link
	Mtim     int64  // nanoseconds; 0 means now
}

// Add makes the files and the directories above them that are missing (mode
// 0755, owned by user 0), in order. It is for building trees from Go: unlike
// the file system's other methods it sets the owner. It stops at the first
// error, which names the entry and wraps an abi.Errno: EEXIST where a name is
// taken (a directory may be added again), EINVAL for a type that cannot be made.
func (fs *FS) Add(entries ...Entry) error {
	for i := range entries {
		if err := fs.addEntry(&entries[i]); err != nil {
			return fmt.Errorf("memfs: add %q: %w", entries[i].Name, err)
		}
	}
	return nil
}

// Allow sets how many bytes and files may come on top of what is there, in place
// of [Options.MaxBytes] and [Options.MaxInodes]: what a tree was built with is
// not its users' use. Negative numbers count as 0. It is called before the file
// system is shared.
func (fs *FS) Allow(bytes, inodes int64) {
	const most = 1 << 60 // sums stay in range
	fs.opt.MaxBytes = fs.bytes.Load() + min(max(bytes, 0), most)
	fs.opt.MaxInodes = fs.files.Load() + min(max(inodes, 0), most)
}

func (fs *FS) addEntry(e *Entry) error {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for i, c := range e.Name {
		if c != '/' {
			continue
		}
		if _, err := fs.find(e.Name[:i]); err == nil {
			continue
		}
		d, err := fs.create(e.Name[:i], abi.ModeDir|0o755, 0)
		if err != nil {
			return err
		}
		d.uid, d.gid = 0, 0
	}
	mode := e.Mode
	if mode&abi.ModeFmt == 0 {
		mode |= abi.ModeRegular
	}
	var n *inode
	var err error
	switch mode & abi.ModeFmt {
	case abi.ModeDir:
		if n, err = fs.find(e.Name); err == nil && n.dir == nil {
			return abi.EEXIST
		} else if err == nil {
			n.chmod(mode)
			break
		}
		n, err = fs.create(e.Name, mode, 0)
	case abi.ModeRegular, abi.ModeFIFO:
		n, err = fs.create(e.Name, mode, 0)
	case abi.ModeSymlink:
		if n, err = fs.create(e.Name, mode|0o777, int64(len(e.Target))); err == nil {
			n.target, n.size = strings.Clone(e.Target), int64(len(e.Target))
		}
	default:
		return abi.EINVAL
	}
	if err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.uid, n.gid = e.UID, e.GID
	if e.Data != "" && mode.IsRegular() {
		if _, err := n.write([]byte(e.Data), 0); err != nil {
			return err
		}
	}
	if e.Mtim != 0 {
		n.mtim = e.Mtim
		n.atim.Store(e.Mtim)
	}
	return nil
}
