// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"sync"

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

// classes are the classes of information that give the listings, to begin and to
// go on.
var classes = [len(listings)][2]uint32{
	{windows.FileIdBothDirectoryRestartInfo, windows.FileIdBothDirectoryInfo},
	{windows.FileFullDirectoryRestartInfo, windows.FileFullDirectoryInfo},
}

// eachEntry calls f for the entries of the directory, from the first, until it
// returns false.
func eachEntry(h windows.Handle, f func(e entry) bool) error {
	b := make([]byte, 64<<10)
	read := func(class uint32) error { return windows.GetFileInformationByHandleEx(h, class, &b[0], uint32(len(b))) }
	var err error
	var i int
	for i = range classes {
		err = read(classes[i][0])
		if e := abi.ErrnoOf(errnoOf(err)); e != abi.EINVAL && e != abi.ENOTSUP {
			break
		}
	}
	for ; err == nil; err = read(classes[i][1]) {
		for off := 0; ; {
			next, e, ok := parseEntry(b[off:], listings[i])
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
