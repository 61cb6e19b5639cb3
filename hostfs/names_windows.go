// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"encoding/binary"
	"strings"
	"time"

	"golang.org/x/sys/windows"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Classes of NtSetInformationFile, from <wdm.h>.
const (
	fileRenameInformation        = 10
	fileLinkInformation          = 11
	fileDispositionInformation   = 13
	fileDispositionInformationEx = 64 // Windows 10
	fileRenameInformationEx      = 65 // Windows 10
)

// do runs op where name is. The root gives atRoot.
func (fs *FS) do(name string, atRoot error, op func(p place) error) error {
	if err := fs.beginWrite(name); err != nil {
		return err
	}
	defer fs.mu.RUnlock()
	if name == "." && atRoot != nil {
		return atRoot
	}
	p, err := fs.parent(name)
	if err != nil {
		return err
	}
	defer p.close()
	return op(p)
}

// do2 is do for two names.
func (fs *FS) do2(from, to string, atRoot error, op func(src, dst place) error) error {
	if err := fs.beginWrite(from, to); err != nil {
		return err
	}
	defer fs.mu.RUnlock()
	if from == "." || to == "." {
		return atRoot
	}
	src, err := fs.parent(from)
	if err != nil {
		return err
	}
	defer src.close()
	dst, err := fs.parent(to)
	if err != nil {
		return err
	}
	defer dst.close()
	return op(src, dst)
}

// create makes the file or directory that the component names: EEXIST where
// there is one, EBUSY where the last is not quite gone.
func (p place) create(access, options, attrs uint32) (windows.Handle, error) {
	h, err := ntCreate(p.dir, p.base, access, windows.FILE_CREATE, options|itself, attrs)
	if err == windows.STATUS_DELETE_PENDING {
		return h, abi.EBUSY
	}
	return h, errnoOf(err)
}

// Mkdir implements [vfs.MkdirFS].
func (fs *FS) Mkdir(name string, _ abi.Mode) error {
	return fs.do(name, abi.EEXIST, func(p place) error {
		h, err := p.create(accessLook, windows.FILE_DIRECTORY_FILE, windows.FILE_ATTRIBUTE_NORMAL)
		if err != nil {
			return err
		}
		return errnoOf(windows.CloseHandle(h))
	})
}

// Mkfifo implements [vfs.MkfifoFS]: ENOTSUP, as Windows has none.
func (fs *FS) Mkfifo(string, abi.Mode) error {
	if fs.opt.ReadOnly {
		return abi.EROFS
	}
	return abi.ENOTSUP
}

// Unlink implements [vfs.RemoveFS].
func (fs *FS) Unlink(name string) error {
	return fs.do(name, abi.EISDIR, func(p place) error { return fs.removeAt(p, false) })
}

// Rmdir implements [vfs.RemoveFS].
func (fs *FS) Rmdir(name string) error {
	return fs.do(name, abi.EBUSY, func(p place) error { return fs.removeAt(p, true) })
}

func (fs *FS) removeAt(p place, dir bool) error {
	h, err := p.open(windows.DELETE|accessLook, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	st, err := fs.stat(h)
	switch {
	case err != nil:
		return err
	case dir && !st.Mode.IsDir():
		return abi.ENOTDIR
	case !dir && st.Mode.IsDir():
		return abi.EISDIR
	}
	return errnoOf(remove(h))
}

// remove deletes an open file. As POSIX has it the name goes at once, whoever
// has the file open, where the file system knows how; elsewhere with the last
// handle.
func remove(h windows.Handle) error {
	flags := binary.LittleEndian.AppendUint32(nil, windows.FILE_DISPOSITION_DELETE|
		windows.FILE_DISPOSITION_POSIX_SEMANTICS|windows.FILE_DISPOSITION_IGNORE_READONLY_ATTRIBUTE)
	err := ntSet(h, fileDispositionInformationEx, flags)
	if !unknownToFS(err) {
		return err
	}
	err = ntSet(h, fileDispositionInformation, []byte{1})
	if err == windows.STATUS_CANNOT_DELETE && setReadOnly(h, false) == nil {
		err = ntSet(h, fileDispositionInformation, []byte{1})
	}
	return err
}

// unknownToFS reports whether err says that the file system does not know a
// class of information or a flag.
func unknownToFS(err error) bool {
	switch err {
	case windows.STATUS_INVALID_INFO_CLASS, windows.STATUS_INVALID_PARAMETER, windows.STATUS_NOT_SUPPORTED,
		windows.STATUS_NOT_IMPLEMENTED, windows.STATUS_INVALID_DEVICE_REQUEST:
		return true
	}
	return false
}

// Rename implements [vfs.RenameFS]. Windows does not replace a directory: an
// empty one is removed first.
func (fs *FS) Rename(from, to string) error {
	return fs.do2(from, to, abi.EBUSY, func(src, dst place) error {
		h, err := src.open(windows.DELETE|accessLook, 0)
		if err != nil {
			return err
		}
		defer windows.CloseHandle(h)
		st, err := fs.stat(h)
		if err != nil {
			return err
		}
		if st.Mode.IsDir() && len(to) > len(from) && to[len(from)] == '/' && strings.EqualFold(to[:len(from)], from) {
			return abi.EINVAL
		}
		old, err := fs.lstatAt(dst)
		switch {
		case err != nil && abi.ErrnoOf(err) != abi.ENOENT:
			return err
		case err != nil:
		case old.Dev == st.Dev && old.Ino == st.Ino:
			if !strings.EqualFold(from, to) {
				return nil // two links to one file; otherwise the case changes
			}
		case st.Mode.IsDir() && !old.Mode.IsDir():
			return abi.ENOTDIR
		case !st.Mode.IsDir() && old.Mode.IsDir():
			return abi.EISDIR
		case old.Mode.IsDir():
			if err := fs.removeAt(dst, true); err != nil {
				return err
			}
		}
		return errnoOf(rename(h, dst))
	})
}

// rename gives an open file another name, which is taken away from whatever has
// it now.
func rename(h windows.Handle, dst place) error {
	err := ntSetName(h, fileRenameInformationEx, windows.FILE_RENAME_REPLACE_IF_EXISTS|
		windows.FILE_RENAME_POSIX_SEMANTICS|windows.FILE_RENAME_IGNORE_READONLY_ATTRIBUTE, dst.dir, dst.base)
	if !unknownToFS(err) {
		return err
	}
	return ntSetName(h, fileRenameInformation, 1, dst.dir, dst.base)
}

// Link implements [vfs.LinkFS].
func (fs *FS) Link(from, to string) error {
	return fs.do2(from, to, abi.EPERM, func(src, dst place) error {
		h, err := src.open(windows.FILE_WRITE_ATTRIBUTES|accessLook, 0)
		if err != nil {
			return err
		}
		defer windows.CloseHandle(h)
		st, err := fs.stat(h)
		if err != nil {
			return err
		}
		if _, err := fs.lstatAt(dst); err == nil {
			return abi.EEXIST
		}
		if st.Mode.IsDir() {
			return abi.EPERM
		}
		return errnoOf(ntSetName(h, fileLinkInformation, 0, dst.dir, dst.base))
	})
}

// Chmod implements [vfs.ChmodFS]. Windows keeps the owner's permission to write,
// of files only.
func (fs *FS) Chmod(name string, perm abi.Mode) error {
	return fs.do(name, nil, func(p place) error {
		h, err := p.open(windows.FILE_WRITE_ATTRIBUTES|accessLook, 0)
		if err != nil {
			return err
		}
		defer windows.CloseHandle(h)
		return fs.chmod(h, perm)
	})
}

// chmod needs a handle for writing attributes.
func (fs *FS) chmod(h windows.Handle, perm abi.Mode) error {
	st, err := fs.stat(h)
	switch {
	case err != nil:
		return err
	case st.Mode.IsSymlink():
		return abi.ENOTSUP
	case st.Mode.IsDir():
		return nil
	}
	return errnoOf(setReadOnly(h, perm&0o200 == 0))
}

// FILE_BASIC_INFO: times of creation, access, modification and change, and
// attributes. Zero changes nothing.
const basicInfoSize = 40

func setReadOnly(h windows.Handle, readOnly bool) error {
	var d windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(h, &d); err != nil {
		return err
	}
	attrs := d.FileAttributes &^ (windows.FILE_ATTRIBUTE_READONLY | windows.FILE_ATTRIBUTE_NORMAL)
	if readOnly {
		attrs |= windows.FILE_ATTRIBUTE_READONLY
	}
	if attrs == 0 {
		attrs = windows.FILE_ATTRIBUTE_NORMAL
	}
	var b [basicInfoSize]byte
	binary.LittleEndian.PutUint32(b[32:], attrs)
	return windows.SetFileInformationByHandle(h, windows.FileBasicInfo, &b[0], uint32(len(b)))
}

// Utimes implements [vfs.UtimesFS]; EINVAL for times before 1601.
func (fs *FS) Utimes(name string, atim, mtim int64) error {
	return fs.do(name, nil, func(p place) error {
		h, err := p.open(windows.FILE_WRITE_ATTRIBUTES, 0)
		if err != nil {
			return err
		}
		defer windows.CloseHandle(h)
		return setTimes(h, atim, mtim)
	})
}

// setTimes needs a handle that nothing is written through afterwards: writing
// through one that was used to set a time does not change the time.
func setTimes(h windows.Handle, atim, mtim int64) error {
	var b [basicInfoSize]byte
	for i, t := range [...]int64{atim, mtim} {
		ft, err := filetime(t)
		if err != nil {
			return err
		}
		binary.LittleEndian.PutUint64(b[8+8*i:], uint64(ft))
	}
	return errnoOf(windows.SetFileInformationByHandle(h, windows.FileBasicInfo, &b[0], uint32(len(b))))
}

// filetime makes a time of Windows, counted in 100 ns since 1601; 0, which
// changes nothing, for UtimeOmit.
func filetime(t int64) (int64, error) {
	const epoch = 116444736000000000
	switch t {
	case abi.UtimeOmit:
		return 0, nil
	case abi.UtimeNow:
		t = time.Now().UnixNano()
	}
	ft := t / 100
	if t%100 < 0 {
		ft--
	}
	ft += epoch
	if ft <= 0 {
		return 0, abi.EINVAL
	}
	return ft, nil
}

// Chown implements [vfs.ChownFS]: EPERM unless nothing is to change.
func (fs *FS) Chown(name string, uid, gid uint32) error {
	return fs.do(name, nil, func(p place) error {
		st, err := fs.lstatAt(p)
		if err != nil {
			return err
		}
		return mayChown(&st, uid, gid)
	})
}
