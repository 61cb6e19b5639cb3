// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"io"
	"os"
	"sync"

	"golang.org/x/sys/windows"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// Open implements [vfs.FS].
func (fs *FS) Open(name string, flag abi.OpenFlag, perm abi.Mode) (vfs.File, error) {
	if err := fs.begin(name); err != nil {
		return nil, err
	}
	defer fs.mu.RUnlock()
	p, err := fs.parent(name)
	if err != nil {
		return nil, err
	}
	defer p.close()
	for range 4 {
		f, err := fs.open(p, name, flag, perm)
		if err != errSwapped {
			return f, err
		}
	}
	return nil, abi.ELOOP
}

// errSwapped says that a name changed its kind between two looks.
const errSwapped = swapped("hostfs: file was swapped")

type swapped string

func (e swapped) Error() string { return string(e) }

func (fs *FS) open(p place, name string, flag abi.OpenFlag, perm abi.Mode) (vfs.File, error) {
	write := flag.Writable() || flag&abi.OTrunc != 0
	st, err := fs.lstatAt(p.dir, p.base)
	if err != nil {
		if flag&abi.OCreat == 0 || abi.ErrnoOf(err) != abi.ENOENT {
			return nil, err
		}
		return fs.create(p, name, flag, perm)
	}
	switch {
	case flag&abi.OCreat != 0 && flag&abi.OExcl != 0:
		return nil, abi.EEXIST
	case st.Mode.IsSymlink():
		return nil, abi.ELOOP
	case st.Mode.IsDir():
		if write || flag&abi.OCreat != 0 {
			return nil, abi.EISDIR
		}
		return fs.opened(p, name, os.O_RDONLY)
	case flag&abi.ODirectory != 0:
		return nil, abi.ENOTDIR
	case !st.Mode.IsRegular():
		return nil, abi.ENXIO
	case write && fs.opt.ReadOnly:
		return nil, abi.EROFS
	}
	if flag&abi.OTrunc != 0 && !flag.Writable() {
		f, err := fs.opened(p, name, os.O_WRONLY|os.O_TRUNC)
		if err != nil {
			return nil, err
		}
		f.Close()
		flag &^= abi.OTrunc
	}
	return fs.opened(p, name, openFlags(flag))
}

func openFlags(flag abi.OpenFlag) int {
	f := os.O_RDONLY
	switch flag & abi.OAccmode {
	case abi.OWronly:
		f = os.O_WRONLY
	case abi.ORdwr:
		f = os.O_RDWR
	}
	if flag&abi.OTrunc != 0 {
		f |= os.O_TRUNC
	}
	if flag&abi.OSync != 0 {
		f |= os.O_SYNC
	}
	return f
}

// create makes a regular file, which must not exist.
func (fs *FS) create(p place, name string, flag abi.OpenFlag, perm abi.Mode) (vfs.File, error) {
	if flag&abi.ODirectory != 0 {
		return nil, abi.EINVAL
	}
	if fs.opt.ReadOnly {
		return nil, abi.EROFS
	}
	f, err := p.dir.OpenFile(p.base, openFlags(flag)|os.O_CREATE|os.O_EXCL|openReparse, os.FileMode(perm&0o200)|0o444)
	if err != nil {
		if e := errnoOf(err); e != abi.EEXIST || flag&abi.OExcl != 0 {
			return nil, e
		}
		return nil, errSwapped
	}
	return &regular{file: file{fs: fs, f: f, name: name}}, nil
}

// opened opens the component, which is never followed, and makes sure of what it
// got: opening a reparse point gives the reparse point.
func (fs *FS) opened(p place, name string, flags int) (vfs.File, error) {
	f, err := p.dir.OpenFile(p.base, flags|openReparse, 0o666)
	if err != nil {
		return nil, errnoOf(err)
	}
	st, err := fs.statHandle(windows.Handle(f.Fd()))
	switch {
	case err == nil && st.Mode.IsRegular():
		return &regular{file: file{fs: fs, f: f, name: name}}, nil
	case err == nil && st.Mode.IsDir():
		return &dirFile{file: file{fs: fs, f: f, name: name}}, nil
	case err == nil:
		err = errSwapped
	}
	f.Close()
	return nil, err
}

// file is what every open file has.
type file struct {
	fs   *FS
	f    *os.File
	name string // when it was opened; for what needs more rights than the handle has
}

// Stat implements [vfs.File].
func (f *file) Stat() (abi.Stat, error) {
	var st abi.Stat
	err := f.control(func(h windows.Handle) (err error) {
		st, err = f.fs.statHandle(h)
		return err
	})
	return st, err
}

// control runs op while the handle cannot be closed.
func (f *file) control(op func(h windows.Handle) error) error {
	c, err := f.f.SyscallConn()
	if err != nil {
		return errnoOf(err)
	}
	var operr error
	if err := c.Control(func(h uintptr) { operr = op(windows.Handle(h)) }); err != nil {
		return errnoOf(err)
	}
	return operr
}

// Close implements [vfs.File].
func (f *file) Close() error { return errnoOf(f.f.Close()) }

// Chmod implements [vfs.FileChmod].
func (f *file) Chmod(perm abi.Mode) error {
	if f.fs.opt.ReadOnly {
		return abi.EROFS
	}
	st, err := f.Stat()
	if err != nil || st.Mode.IsDir() {
		return err
	}
	return errnoOf(f.f.Chmod(os.FileMode(perm&0o200) | 0o444))
}

// Chown implements [vfs.FileChown].
func (f *file) Chown(uid, gid uint32) error {
	if f.fs.opt.ReadOnly {
		return abi.EROFS
	}
	st, err := f.Stat()
	if err != nil {
		return err
	}
	return mayChown(&st, uid, gid)
}

// Utimes implements [vfs.FileUtimes]. A handle for reading may not change times:
// then it is done by the name, where that still has the file.
func (f *file) Utimes(atim, mtim int64) error {
	if f.fs.opt.ReadOnly {
		return abi.EROFS
	}
	st, err := f.Stat()
	if err != nil {
		return err
	}
	a, m := filetimeOf(atim), filetimeOf(mtim)
	err = f.control(func(h windows.Handle) error { return errnoOf(windows.SetFileTime(h, nil, a, m)) })
	if err == nil || abi.ErrnoOf(err) != abi.EACCES {
		return err
	}
	now, lerr := f.fs.Lstat(f.name)
	if lerr != nil || now.Ino != st.Ino || now.Dev != st.Dev {
		return err
	}
	return f.fs.Utimes(f.name, atim, mtim)
}

// filetimeOf returns nil, which changes nothing, for UtimeOmit.
func filetimeOf(t int64) *windows.Filetime {
	if t == abi.UtimeOmit {
		return nil
	}
	ft := windows.NsecToFiletime(timeOf(t).UnixNano())
	return &ft
}

// regular is an open regular file.
type regular struct {
	file
	append sync.Mutex // guards the position, which only Append uses
}

var (
	_ vfs.RegularFile = (*regular)(nil)
	_ vfs.FileChmod   = (*regular)(nil)
	_ vfs.FileChown   = (*regular)(nil)
	_ vfs.FileUtimes  = (*regular)(nil)
)

// ReadAt implements [vfs.RegularFile].
func (f *regular) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, abi.EINVAL
	}
	n, err := f.f.ReadAt(p, off)
	if err == io.EOF || n > 0 {
		err = nil
	}
	return n, errnoOf(err)
}

// WriteAt implements [vfs.RegularFile].
func (f *regular) WriteAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, abi.EINVAL
	}
	n, err := f.f.WriteAt(p, off)
	return n, errnoOf(err)
}

// Append implements [vfs.RegularFile]. An offset of all ones means the end of
// the file, which the operating system finds; it leaves the position behind what
// was written.
func (f *regular) Append(p []byte) (int64, error) {
	f.append.Lock()
	defer f.append.Unlock()
	if len(p) == 0 {
		end, err := f.f.Seek(0, io.SeekEnd)
		return end, errnoOf(err)
	}
	for len(p) > 0 {
		var n uint32
		err := f.control(func(h windows.Handle) error {
			end := windows.Overlapped{Offset: ^uint32(0), OffsetHigh: ^uint32(0)}
			return errnoOf(windows.WriteFile(h, p[:min(len(p), 1<<30)], &n, &end))
		})
		if err != nil {
			return 0, err
		}
		if n == 0 {
			return 0, abi.EIO
		}
		p = p[n:]
	}
	end, err := f.f.Seek(0, io.SeekCurrent)
	return end, errnoOf(err)
}

// Truncate implements [vfs.RegularFile].
func (f *regular) Truncate(size int64) error {
	if size < 0 {
		return abi.EINVAL
	}
	return errnoOf(f.f.Truncate(size))
}

// Sync implements [vfs.RegularFile].
func (f *regular) Sync() error { return errnoOf(f.f.Sync()) }

// dirFile is an open directory. Its entries are read at cookie 0, and cookies
// are positions in what was read then.
type dirFile struct {
	file
	read    sync.Mutex
	entries []vfs.Dirent // guarded by read
}

var (
	_ vfs.Directory  = (*dirFile)(nil)
	_ vfs.FileChmod  = (*dirFile)(nil)
	_ vfs.FileChown  = (*dirFile)(nil)
	_ vfs.FileUtimes = (*dirFile)(nil)
)

// ReadDir implements [vfs.Directory]. Listings of Windows have no inode numbers:
// Dirent.Ino is 0 and StatOK false.
func (f *dirFile) ReadDir(dst []vfs.Dirent, cookie uint64, n int, _ bool) ([]vfs.Dirent, error) {
	f.read.Lock()
	defer f.read.Unlock()
	if _, err := f.Stat(); err != nil {
		return dst, err
	}
	if cookie == 0 || f.entries == nil {
		if err := f.snapshot(); err != nil {
			return dst, err
		}
	}
	for ; n > 0 && cookie < uint64(len(f.entries)); n-- {
		dst = append(dst, f.entries[cookie])
		cookie++
	}
	return dst, nil
}

func (f *dirFile) snapshot() error {
	if _, err := f.f.Seek(0, io.SeekStart); err != nil {
		return errnoOf(err)
	}
	es, err := f.f.ReadDir(-1)
	if err != nil && abi.ErrnoOf(errnoOf(err)) != abi.ENOENT { // a removed directory is empty
		return errnoOf(err)
	}
	f.entries = append(f.entries[:0:0], vfs.Dirent{Name: ".", Mode: abi.ModeDir}, vfs.Dirent{Name: "..", Mode: abi.ModeDir})
	for _, e := range es {
		f.entries = append(f.entries, vfs.Dirent{Name: e.Name(), Mode: entryMode(e.Type())})
	}
	for i := range f.entries {
		f.entries[i].Cookie = uint64(i) + 1
	}
	return nil
}
