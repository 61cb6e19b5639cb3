// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"encoding/binary"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// openReparse opens a reparse point itself.
const openReparse = windows.FILE_FLAG_OPEN_REPARSE_POINT

// Reparse tags of files that stand for themselves.
const (
	tagAFUnix      = 0x80000023
	tagDedup       = 0x80000013
	reparseUnknown = 0
)

// Lstat implements [vfs.FS].
func (fs *FS) Lstat(name string) (abi.Stat, error) {
	if err := fs.begin(name); err != nil {
		return abi.Stat{}, err
	}
	defer fs.mu.RUnlock()
	p, err := fs.parent(name)
	if err != nil {
		return abi.Stat{}, err
	}
	defer p.close()
	return fs.lstatAt(p.dir, p.base)
}

// lstatAt describes the single component base, which is never followed.
func (fs *FS) lstatAt(dir *os.Root, base string) (abi.Stat, error) {
	f, err := dir.OpenFile(base, os.O_RDONLY|openReparse, 0)
	if err == nil {
		defer f.Close()
		st, err := fs.statHandle(windows.Handle(f.Fd()))
		if err == nil && st.Mode.IsSymlink() {
			if target, err := readlinkAt(dir, base); err == nil {
				st.Size = int64(len(target))
			}
		}
		return st, err
	}
	switch e := errnoOf(err); e {
	case abi.EBUSY, abi.EACCES:
		// Someone has it for himself; its directory still tells the most.
		if d, derr := listed(dir, base); derr == nil {
			if st, serr := fs.statEntry(d); serr == nil {
				return st, nil
			}
		}
		return abi.Stat{}, e
	default:
		return abi.Stat{}, e
	}
}

// statHandle describes an open file.
func (fs *FS) statHandle(h windows.Handle) (abi.Stat, error) {
	var d windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(h, &d); err != nil {
		return abi.Stat{}, errnoOf(err)
	}
	tag := uint32(reparseUnknown)
	if d.FileAttributes&windows.FILE_ATTRIBUTE_REPARSE_POINT != 0 {
		// FILE_ATTRIBUTE_TAG_INFO: attributes and tag.
		var b [8]byte
		if err := windows.GetFileInformationByHandleEx(h, windows.FileAttributeTagInfo, &b[0], uint32(len(b))); err == nil {
			tag = binary.LittleEndian.Uint32(b[4:])
		}
	}
	st := abi.Stat{
		Dev:     uint64(d.VolumeSerialNumber) + devOffset,
		Ino:     uint64(d.FileIndexHigh)<<32 | uint64(d.FileIndexLow),
		Mode:    modeOf(d.FileAttributes, tag),
		Nlink:   d.NumberOfLinks,
		UID:     fs.ids.uid,
		GID:     fs.ids.gid,
		Size:    int64(d.FileSizeHigh)<<32 | int64(d.FileSizeLow),
		Blksize: 4096,
		Atim:    d.LastAccessTime.Nanoseconds(),
		Mtim:    d.LastWriteTime.Nanoseconds(),
		Ctim:    d.LastWriteTime.Nanoseconds(),
	}
	st.Blocks = (st.Size + 511) / 512
	return st, nil
}

// statEntry describes an entry of a listing, which has no inode number.
func (fs *FS) statEntry(d os.DirEntry) (abi.Stat, error) {
	info, err := d.Info()
	if err != nil {
		return abi.Stat{}, errnoOf(err)
	}
	t := info.ModTime().UnixNano()
	st := abi.Stat{
		Mode: entryMode(info.Mode()) | 0o755, Nlink: 1, UID: fs.ids.uid, GID: fs.ids.gid,
		Size: info.Size(), Blksize: 4096, Atim: t, Mtim: t, Ctim: t,
	}
	st.Blocks = (st.Size + 511) / 512
	return st, nil
}

// modeOf makes a mode of attributes. Windows keeps no permission to execute, so
// that every file has it. Reparse points other than deduplicated files and
// sockets are links, although only symbolic links can be read.
func modeOf(attrs, tag uint32) abi.Mode {
	if attrs&windows.FILE_ATTRIBUTE_REPARSE_POINT != 0 {
		switch tag {
		case tagAFUnix:
			return abi.ModeSocket | 0o755
		case tagDedup:
		default:
			return abi.ModeSymlink | 0o777
		}
	}
	switch {
	case attrs&windows.FILE_ATTRIBUTE_DIRECTORY != 0:
		return abi.ModeDir | 0o755
	case attrs&windows.FILE_ATTRIBUTE_READONLY != 0:
		return abi.ModeRegular | 0o555
	}
	return abi.ModeRegular | 0o755
}

// entryMode returns the type bits for a mode of package os.
func entryMode(m os.FileMode) abi.Mode {
	switch {
	case m&(os.ModeSymlink|os.ModeIrregular) != 0:
		return abi.ModeSymlink
	case m&os.ModeSocket != 0:
		return abi.ModeSocket
	case m.IsDir():
		return abi.ModeDir
	}
	return abi.ModeRegular
}

// Readlink implements [vfs.ReadlinkFS]. Junctions, mount points and other reparse
// points give EACCES.
func (fs *FS) Readlink(name string) (string, error) {
	if err := fs.begin(name); err != nil {
		return "", err
	}
	defer fs.mu.RUnlock()
	p, err := fs.parent(name)
	if err != nil {
		return "", err
	}
	defer p.close()
	st, err := fs.lstatAt(p.dir, p.base)
	if err != nil {
		return "", err
	}
	if !st.Mode.IsSymlink() {
		return "", abi.EINVAL
	}
	return readlinkAt(p.dir, p.base)
}

func readlinkAt(dir *os.Root, base string) (string, error) {
	info, err := dir.Lstat(base)
	if err != nil {
		return "", errnoOf(err)
	}
	if info.Mode()&os.ModeSymlink == 0 {
		return "", abi.EACCES
	}
	target, err := dir.Readlink(base)
	if err != nil {
		return "", errnoOf(err)
	}
	return filepath.ToSlash(target), nil
}
