// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"encoding/binary"
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
		f, err := fs.open(p, flag, perm)
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

func (fs *FS) open(p place, flag abi.OpenFlag, perm abi.Mode) (vfs.File, error) {
	write := flag.Writable() || flag&abi.OTrunc != 0
	st, err := fs.lstatAt(p)
	if err != nil {
		if flag&abi.OCreat == 0 || abi.ErrnoOf(err) != abi.ENOENT {
			return nil, err
		}
		return fs.create(p, flag, perm)
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
		return fs.opened(p, accessList, 0)
	case flag&abi.ODirectory != 0:
		return nil, abi.ENOTDIR
	case !st.Mode.IsRegular():
		return nil, abi.ENXIO
	case write && fs.opt.ReadOnly:
		return nil, abi.EROFS
	case write && st.Mode&0o200 == 0:
		return nil, abi.EACCES // as NTFS does for everybody, and other file systems may not
	}
	access, options := openRights(flag)
	truncate := flag&abi.OTrunc != 0
	if truncate {
		access |= windows.FILE_WRITE_DATA
	}
	f, err := fs.opened(p, access, options)
	if err != nil || !truncate {
		return f, err
	}
	r, ok := f.(*regular)
	if !ok {
		err = errSwapped
	} else if err = r.Truncate(0); err == nil {
		r.writable = flag.Writable()
		return f, nil
	}
	f.Close()
	return nil, err
}

func openRights(flag abi.OpenFlag) (access, options uint32) {
	switch flag & abi.OAccmode {
	case abi.OWronly:
		access = accessWrite
	case abi.ORdwr:
		access = accessRead | accessWrite
	default:
		access = accessRead
	}
	if flag&abi.OSync != 0 {
		options |= windows.FILE_WRITE_THROUGH
	}
	return access, options
}

// create makes a regular file, which must not exist.
func (fs *FS) create(p place, flag abi.OpenFlag, perm abi.Mode) (vfs.File, error) {
	if flag&abi.ODirectory != 0 {
		return nil, abi.EINVAL
	}
	if fs.opt.ReadOnly {
		return nil, abi.EROFS
	}
	attrs := uint32(windows.FILE_ATTRIBUTE_NORMAL)
	if perm&0o200 == 0 {
		attrs = windows.FILE_ATTRIBUTE_READONLY
	}
	access, options := openRights(flag)
	h, err := p.create(access, options|windows.FILE_NON_DIRECTORY_FILE, attrs)
	if err != nil {
		if abi.ErrnoOf(err) == abi.EEXIST && flag&abi.OExcl == 0 && !windowsShortName(p.base) {
			return nil, errSwapped
		}
		return nil, err
	}
	return &regular{file: file{fs: fs, h: h}, writable: flag.Writable()}, nil
}

// opened opens the component and makes sure of what it got.
func (fs *FS) opened(p place, access, options uint32) (vfs.File, error) {
	h, err := p.open(access, options)
	if err != nil {
		return nil, err
	}
	var d windows.ByHandleFileInformation
	if err = windows.GetFileInformationByHandle(h, &d); err == nil {
		switch mode := fs.mode(h, &d); {
		case mode.IsDir() && access == accessList:
			return &dirFile{file: file{fs: fs, h: h}}, nil
		case mode.IsRegular() && access != accessList:
			if d.FileAttributes&attrReparse != 0 {
				if h, err = throughReparse(h, access, options); err != nil {
					return nil, errnoOf(err)
				}
			}
			return &regular{file: file{fs: fs, h: h}, writable: access&windows.FILE_WRITE_DATA != 0}, nil
		default:
			err = errSwapped
		}
	}
	_ = windows.CloseHandle(h)
	if err == errSwapped {
		return nil, err
	}
	return nil, errnoOf(err)
}

// throughReparse opens a file again, this time through its reparse point, which
// stands for no other file: its content is behind it, such as that of a
// compressed file. It closes h.
func throughReparse(h windows.Handle, access, options uint32) (windows.Handle, error) {
	defer windows.CloseHandle(h)
	var a, b windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(h, &a); err != nil {
		return windows.InvalidHandle, err
	}
	again, err := ntCreate(h, "", access, windows.FILE_OPEN, options, 0)
	if err != nil {
		return again, err
	}
	err = windows.GetFileInformationByHandle(again, &b)
	if err == nil && idOf(&a) != idOf(&b) {
		err = windows.ERROR_CANT_ACCESS_FILE
	}
	if err != nil {
		_ = windows.CloseHandle(again)
		return windows.InvalidHandle, err
	}
	return again, nil
}

// file is what every open file has.
type file struct {
	fs *FS
	// mu keeps Close from releasing h, whose value may be used again, under
	// an operation. Operations that need the handle's position take it for
	// writing.
	mu sync.RWMutex
	h  windows.Handle // 0 once closed
}

// begin starts an operation; the caller calls mu.RUnlock if it returned nil.
func (f *file) begin() error {
	f.mu.RLock()
	if f.h == 0 {
		f.mu.RUnlock()
		return abi.EBADF
	}
	return nil
}

// Stat implements [vfs.File].
func (f *file) Stat() (abi.Stat, error) {
	if err := f.begin(); err != nil {
		return abi.Stat{}, err
	}
	defer f.mu.RUnlock()
	return f.fs.stat(f.h)
}

// Close implements [vfs.File].
func (f *file) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.h == 0 {
		return abi.EBADF
	}
	err := windows.CloseHandle(f.h)
	f.h = 0
	return errnoOf(err)
}

// change runs op on another handle of the file, which may write attributes.
func (f *file) change(op func(h windows.Handle) error) error {
	if f.fs.opt.ReadOnly {
		return abi.EROFS
	}
	if err := f.begin(); err != nil {
		return err
	}
	defer f.mu.RUnlock()
	h, err := ntCreate(f.h, "", windows.FILE_WRITE_ATTRIBUTES|accessLook, windows.FILE_OPEN, itself, 0)
	if err != nil {
		return errnoOf(err)
	}
	defer windows.CloseHandle(h)
	return op(h)
}

// Chmod implements [vfs.FileChmod].
func (f *file) Chmod(perm abi.Mode) error {
	return f.change(func(h windows.Handle) error { return f.fs.chmod(h, perm) })
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

// Utimes implements [vfs.FileUtimes].
func (f *file) Utimes(atim, mtim int64) error {
	return f.change(func(h windows.Handle) error { return setTimes(h, atim, mtim) })
}

// regular is an open regular file.
type regular struct {
	file
	writable bool
}

var (
	_ vfs.RegularFile = (*regular)(nil)
	_ vfs.FileChmod   = (*regular)(nil)
	_ vfs.FileChown   = (*regular)(nil)
	_ vfs.FileUtimes  = (*regular)(nil)
)

// maxTransfer bounds one call of the operating system.
const maxTransfer = 1 << 30

// ReadAt implements [vfs.RegularFile].
func (f *regular) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, abi.EINVAL
	}
	if err := f.begin(); err != nil {
		return 0, err
	}
	defer f.mu.RUnlock()
	total := 0
	for total < len(p) {
		var n uint32
		at := overlapped(off + int64(total))
		err := windows.ReadFile(f.h, p[total:min(len(p), total+maxTransfer)], &n, &at)
		total += int(n)
		switch {
		case err == windows.ERROR_HANDLE_EOF, err == nil && n == 0:
			return total, nil
		case err != nil && total > 0:
			return total, nil
		case err != nil:
			return 0, errnoOf(err)
		}
	}
	return total, nil
}

func overlapped(off int64) windows.Overlapped {
	return windows.Overlapped{Offset: uint32(off), OffsetHigh: uint32(off >> 32)}
}

// WriteAt implements [vfs.RegularFile].
func (f *regular) WriteAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, abi.EINVAL
	}
	if off+int64(len(p)) < 0 {
		return 0, abi.EFBIG
	}
	if err := f.begin(); err != nil {
		return 0, err
	}
	defer f.mu.RUnlock()
	return f.write(p, func(done int) windows.Overlapped { return overlapped(off + int64(done)) })
}

func (f *regular) write(p []byte, at func(done int) windows.Overlapped) (int, error) {
	total := 0
	for total < len(p) {
		var n uint32
		o := at(total)
		err := windows.WriteFile(f.h, p[total:min(len(p), total+maxTransfer)], &n, &o)
		total += int(n)
		if err != nil {
			return total, errnoOf(err)
		}
		if n == 0 {
			return total, abi.EIO
		}
	}
	return total, nil
}

// Append implements [vfs.RegularFile]. An offset of all ones means the end of
// the file, which the operating system finds; it leaves the position behind what
// was written.
func (f *regular) Append(p []byte) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.h == 0 {
		return 0, abi.EBADF
	}
	if len(p) == 0 {
		end, err := windows.Seek(f.h, 0, 2)
		return end, errnoOf(err)
	}
	_, err := f.write(p, func(int) windows.Overlapped { return overlapped(-1) })
	if err != nil {
		return 0, err
	}
	end, err := windows.Seek(f.h, 0, 1)
	return end, errnoOf(err)
}

// Truncate implements [vfs.RegularFile].
func (f *regular) Truncate(size int64) error {
	if size < 0 {
		return abi.EINVAL
	}
	if err := f.begin(); err != nil {
		return err
	}
	defer f.mu.RUnlock()
	var b [8]byte // FILE_END_OF_FILE_INFO
	binary.LittleEndian.PutUint64(b[:], uint64(size))
	return errnoOf(windows.SetFileInformationByHandle(f.h, windows.FileEndOfFileInfo, &b[0], uint32(len(b))))
}

// Sync implements [vfs.RegularFile]. Windows refuses it for a handle that cannot
// write, which has nothing to keep.
func (f *regular) Sync() error {
	if err := f.begin(); err != nil {
		return err
	}
	defer f.mu.RUnlock()
	if !f.writable {
		return nil
	}
	return errnoOf(windows.FlushFileBuffers(f.h))
}
