// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"encoding/binary"

	"golang.org/x/sys/windows"

	"github.com/wsandbox/wsandbox/engine/abi"
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
	return fs.lstatAt(p)
}

func (fs *FS) lstatAt(p place) (abi.Stat, error) {
	h, err := p.open(accessLook, 0)
	if err != nil {
		return abi.Stat{}, err
	}
	defer windows.CloseHandle(h)
	return fs.stat(h)
}

// stat describes an open file. What NTFS calls the index is its inode number;
// the time of the last change of attributes is taken to be that of the last
// modification.
func (fs *FS) stat(h windows.Handle) (abi.Stat, error) {
	var d windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(h, &d); err != nil {
		return abi.Stat{}, errnoOf(err)
	}
	st := abi.Stat{
		Dev:     uint64(d.VolumeSerialNumber) + devOffset,
		Ino:     uint64(d.FileIndexHigh)<<32 | uint64(d.FileIndexLow),
		Mode:    fs.mode(h, &d),
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
	// FILE_STANDARD_INFO: allocated size, size, links, and whether the file
	// goes with its last handle.
	var b [24]byte
	if err := windows.GetFileInformationByHandleEx(h, windows.FileStandardInfo, &b[0], uint32(len(b))); err == nil {
		st.Blocks = int64(binary.LittleEndian.Uint64(b[:])+511) / 512
		if b[20] != 0 {
			st.Nlink = 0
		}
	}
	if st.Mode.IsSymlink() {
		if target, err := readlink(h); err == nil {
			st.Size = int64(len(target))
		}
	}
	if st.Mode.IsDir() {
		st.Nlink = max(st.Nlink, 1)
	}
	return st, nil
}

// mode returns the mode of an open file. The root is a directory also where it
// is marked as a place that another volume is mounted at, as Wine does.
func (fs *FS) mode(h windows.Handle, d *windows.ByHandleFileInformation) abi.Mode {
	attrs := d.FileAttributes
	if attrs&attrReparse != 0 && idOf(d) == fs.root.id {
		attrs &^= attrReparse
	}
	return modeOf(attrs, tagOf(h, attrs))
}

// idOf identifies a file of the host.
func idOf(d *windows.ByHandleFileInformation) fileID {
	return fileID{volume: d.VolumeSerialNumber, index: uint64(d.FileIndexHigh)<<32 | uint64(d.FileIndexLow)}
}

type fileID struct {
	volume uint32
	index  uint64
}

// tagOf returns the tag of a reparse point, and 0 for other files.
func tagOf(h windows.Handle, attrs uint32) uint32 {
	if attrs&attrReparse == 0 {
		return 0
	}
	// FILE_ATTRIBUTE_TAG_INFO: attributes and tag.
	var b [8]byte
	if err := windows.GetFileInformationByHandleEx(h, windows.FileAttributeTagInfo, &b[0], uint32(len(b))); err != nil {
		return tagSurrogate // unknown: not to be followed
	}
	return binary.LittleEndian.Uint32(b[4:])
}
