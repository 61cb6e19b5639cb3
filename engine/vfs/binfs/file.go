// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package binfs

import (
	"sync/atomic"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// file is what every open file has.
type file struct {
	fs     *FS
	i      int // index in fs.programs; -1 for the root
	closed atomic.Bool
}

// Stat implements [vfs.File].
func (f *file) Stat() (abi.Stat, error) {
	if f.closed.Load() {
		return abi.Stat{}, abi.EBADF
	}
	return f.fs.stat(f.i), nil
}

// Close implements [vfs.File].
func (f *file) Close() error {
	if f.closed.Swap(true) {
		return abi.EBADF
	}
	return nil
}

// executable is an open program.
type executable struct{ file }

// Executable implements [vfs.Executable].
func (f *executable) Executable() (guest, applet string) {
	p := &f.fs.programs[f.i]
	return p.guest, p.name
}

// ReadAt implements [vfs.RegularFile].
func (f *executable) ReadAt(p []byte, off int64) (int, error) {
	if f.closed.Load() {
		return 0, abi.EBADF
	}
	if off < 0 {
		return 0, abi.EINVAL
	}
	s := f.fs.content(f.i)
	return copy(p, s[min(off, int64(len(s))):]), nil
}

// WriteAt implements [vfs.RegularFile]: EROFS.
func (*executable) WriteAt([]byte, int64) (int, error) { return 0, abi.EROFS }

// Append implements [vfs.RegularFile]: EROFS.
func (*executable) Append([]byte) (int64, error) { return 0, abi.EROFS }

// Truncate implements [vfs.RegularFile]: EROFS.
func (*executable) Truncate(int64) error { return abi.EROFS }

// Sync implements [vfs.RegularFile].
func (*executable) Sync() error { return nil }

// dir is the open root.
type dir struct{ file }

// ReadDir implements [vfs.Directory].
func (d *dir) ReadDir(dst []vfs.Dirent, cookie uint64, n int, stat bool) ([]vfs.Dirent, error) {
	if d.closed.Load() {
		return dst, abi.EBADF
	}
	for ; n > 0 && cookie < uint64(len(d.fs.programs))+2; n-- {
		e := vfs.Dirent{Name: ".", StatOK: stat, Stat: d.fs.stat(-1)}
		switch cookie {
		case 0:
		case 1:
			e.Name = ".."
		default:
			e.Name, e.Stat = d.fs.programs[cookie-2].name, d.fs.stat(int(cookie-2))
		}
		cookie++
		e.Cookie, e.Ino, e.Mode = cookie, e.Stat.Ino, e.Stat.Mode&abi.ModeFmt
		dst = append(dst, e)
	}
	return dst, nil
}

var (
	_ vfs.RegularFile = (*executable)(nil)
	_ vfs.Executable  = (*executable)(nil)
	_ vfs.Directory   = (*dir)(nil)
)
