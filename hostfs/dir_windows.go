// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"encoding/binary"
	"sync"
	"unicode/utf16"

	"golang.org/x/sys/windows"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

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

// ReadDir implements [vfs.Directory]. StatOK is never set: a listing of Windows
// has no number of links, and the size of a file that is being written to is
// out of date in it.
func (f *dirFile) ReadDir(dst []vfs.Dirent, cookie uint64, n int, _ bool) ([]vfs.Dirent, error) {
	if err := f.begin(); err != nil {
		return dst, err
	}
	defer f.mu.RUnlock()
	f.read.Lock()
	defer f.read.Unlock()
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
	f.entries = f.entries[:0]
	add := func(name string, ino uint64, mode abi.Mode) {
		f.entries = append(f.entries, vfs.Dirent{Name: name, Cookie: uint64(len(f.entries)) + 1, Ino: ino, Mode: mode})
	}
	add(".", 0, abi.ModeDir)
	add("..", 0, abi.ModeDir)
	err := eachEntry(f.h, func(e entry) bool {
		if e.name != "." && e.name != ".." {
			add(e.name, e.ino, e.mode&abi.ModeFmt)
		}
		return true
	})
	if abi.ErrnoOf(err) == abi.ENOENT { // a removed directory is empty
		return nil
	}
	return err
}

// entry is one of a listing.
type entry struct {
	name string
	ino  uint64 // 0 where the file system has none
	mode abi.Mode
}

// listing says how to read one.
type listing struct {
	restart, next uint32 // classes of information
	name          int    // where the name begins
	id            int    // where the inode number is, 0 for nowhere
}

// Listings, the better one first: FILE_ID_BOTH_DIR_INFO, and FILE_FULL_DIR_INFO
// for file systems without numbers. Up to the size of extended attributes, in
// whose place reparse points have their tag, they are the same.
var listings = [...]listing{
	{windows.FileIdBothDirectoryRestartInfo, windows.FileIdBothDirectoryInfo, 104, 96},
	{windows.FileFullDirectoryRestartInfo, windows.FileFullDirectoryInfo, 68, 0},
}

// eachEntry calls f for the entries of the directory, from the first, until it
// returns false.
func eachEntry(h windows.Handle, f func(e entry) bool) error {
	var l listing
	b := make([]byte, 64<<10)
	read := func(class uint32) error { return windows.GetFileInformationByHandleEx(h, class, &b[0], uint32(len(b))) }
	var err error
	for _, l = range listings {
		err = read(l.restart)
		if e := abi.ErrnoOf(errnoOf(err)); e != abi.EINVAL && e != abi.ENOTSUP {
			break
		}
	}
	for ; err == nil; err = read(l.next) {
		for off := 0; ; {
			next, e, ok := parseEntry(b[off:], l)
			if !ok {
				return abi.EIO
			}
			if !f(e) {
				return nil
			}
			if next == 0 {
				break
			}
			off += next
		}
	}
	if err == windows.ERROR_NO_MORE_FILES {
		return nil
	}
	return errnoOf(err)
}

// parseEntry returns the first entry in b and how far on the next begins, 0 for
// the last.
func parseEntry(b []byte, l listing) (next int, e entry, ok bool) {
	if len(b) < l.name {
		return 0, e, false
	}
	next = int(binary.LittleEndian.Uint32(b))
	size := int(binary.LittleEndian.Uint32(b[60:]))
	if next < 0 || next >= len(b) || size < 0 || size > len(b)-l.name {
		return 0, e, false
	}
	attrs := binary.LittleEndian.Uint32(b[56:])
	tag := uint32(0)
	if attrs&windows.FILE_ATTRIBUTE_REPARSE_POINT != 0 {
		tag = binary.LittleEndian.Uint32(b[64:])
	}
	e.mode = modeOf(attrs, tag)
	if l.id != 0 {
		e.ino = binary.LittleEndian.Uint64(b[l.id:])
	}
	name := make([]uint16, size/2)
	for i := range name {
		name[i] = binary.LittleEndian.Uint16(b[l.name+2*i:])
	}
	e.name = string(utf16.Decode(name))
	return next, e, true
}
