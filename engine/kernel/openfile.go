// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"sync"
	"sync/atomic"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel/internal/pipe"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// statusFlags are the flags of a description that Setfl can change.
const statusFlags = abi.OAppend | abi.ONonblock | abi.OSync

// OpenFile is an open file description: an open file with an offset and status
// flags, shared by the descriptors that refer to it. Methods are safe for
// concurrent use.
//
// POSIX: XBD 3.258 Open File Description.
type OpenFile struct {
	// Immutable.
	k      *Kernel // that counts it; nil for one made by the host
	file   vfs.File
	reg    vfs.RegularFile // file, or nil
	stream vfs.Stream      // file, or nil
	dir    vfs.Directory   // file, or nil
	wait   pipe.Waitable   // file, or nil
	host   hostFile        // file, or nil
	tty    Terminal        // file, or nil
	path   string          // canonical, or a label such as "pipe:[7]"
	access abi.OpenFlag    // access mode and OPath
	base   *OpenFile       // whose file it shares and keeps open, or nil

	flags atomic.Uint32 // status flags
	refs  atomic.Int32

	mu  sync.Mutex
	off int64 // guarded by mu: file offset, or directory cookie of preview 1
}

// hostFile is a stream whose other end is outside the sandbox.
type hostFile interface {
	// Counted reports whether writes count as output of the job.
	Counted() bool
	// Settled returns nil when what was written has arrived, EAGAIN while
	// it has not, and EPIPE where it will not.
	Settled() error
}

// NewFile makes a description of f with one reference, which Close gives up.
// path is the file's canonical path in the namespace, or a label. flag holds
// the access mode and status flags.
func NewFile(f vfs.File, path string, flag abi.OpenFlag) *OpenFile {
	return newOpenFile(nil, f, path, flag)
}

func newOpenFile(k *Kernel, f vfs.File, path string, flag abi.OpenFlag) *OpenFile {
	o := &OpenFile{k: k, file: f, path: path, access: flag & (abi.OAccmode | abi.OPath)}
	if flag&abi.OPath == 0 {
		switch f := f.(type) {
		case vfs.RegularFile:
			o.reg = f
		case vfs.Directory:
			o.dir = f
		case vfs.Stream:
			o.stream = f
			o.wait, _ = f.(pipe.Waitable)
			if e, ok := f.(*fifoEnd); ok {
				o.wait, _ = e.End.(pipe.Waitable)
			}
			o.host, _ = f.(hostFile)
			o.tty, _ = f.(Terminal)
		}
	}
	o.flags.Store(uint32(flag & statusFlags))
	o.refs.Store(1)
	if k != nil {
		k.openFiles.Add(1)
	}
	return o
}

// Close gives up one reference and closes the file with the last one. It
// returns the file's error then.
func (f *OpenFile) Close() error {
	n := f.refs.Add(-1)
	if n > 0 {
		return nil
	}
	if n < 0 {
		return abi.EBADF
	}
	if f.k != nil {
		f.k.openFiles.Add(-1)
	}
	if f.base != nil {
		return f.base.Close()
	}
	return f.file.Close()
}

// acquire adds a reference; the caller knows of one that stays meanwhile.
func (f *OpenFile) acquire() *OpenFile {
	f.refs.Add(1)
	return f
}

// tryAcquire adds a reference unless the last one is gone.
func (f *OpenFile) tryAcquire() bool {
	for {
		n := f.refs.Load()
		if n <= 0 {
			return false
		}
		if f.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (f *OpenFile) has(flag abi.OpenFlag) bool { return abi.OpenFlag(f.flags.Load())&flag != 0 }

func (f *OpenFile) readable() bool { return f.access&abi.OPath == 0 && f.access.Readable() }
func (f *OpenFile) writable() bool { return f.access&abi.OPath == 0 && f.access.Writable() }

// stat describes the file. A pipe gets its inode number when first asked.
func (f *OpenFile) stat(k *Kernel) (abi.Stat, error) {
	if p := pipeOf(f.file); p != nil {
		p.Number(&k.inodes)
	}
	return f.file.Stat()
}

// pipeOf returns the pipe that f is an end of, or nil.
func pipeOf(f vfs.File) *pipe.Pipe {
	if e, ok := f.(pipe.End); ok {
		return e.Pipe()
	}
	return nil
}

// checkOpenFiles reports whether n more descriptions fit: ENFILE.
func (p *Process) checkOpenFiles(n int64) error {
	if p.k.openFiles.Load()+n > int64(p.k.limits.OpenFiles) {
		p.refuse(abi.LimitFiles)
		return abi.ENFILE
	}
	return nil
}
