// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build darwin

package hostfs

import (
	"io"
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// dirFile is an open directory. Its names are read at cookie 0, and cookies are
// positions in what was read then: the offsets of the operating system do not
// survive changes.
type dirFile struct {
	file
	root bool

	read  sync.Mutex
	names []string // guarded by read
}

var (
	_ vfs.Directory  = (*dirFile)(nil)
	_ vfs.FileChmod  = (*dirFile)(nil)
	_ vfs.FileChown  = (*dirFile)(nil)
	_ vfs.FileUtimes = (*dirFile)(nil)
)

// ReadDir implements [vfs.Directory].
func (f *dirFile) ReadDir(dst []vfs.Dirent, cookie uint64, n int, stat bool) ([]vfs.Dirent, error) {
	if err := f.begin(); err != nil {
		return dst, err
	}
	defer f.mu.RUnlock()
	f.read.Lock()
	defer f.read.Unlock()
	if cookie == 0 || f.names == nil {
		if err := f.snapshot(); err != nil {
			return dst, err
		}
	}
	for ; n > 0 && cookie < uint64(len(f.names)); n-- {
		e := vfs.Dirent{Name: f.names[cookie], Cookie: cookie + 1}
		cookie++
		name := e.Name
		if name == ".." && f.root {
			name = "." // what lies above is nobody's business
		}
		var st unix.Stat_t
		switch err := unix.Fstatat(f.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); {
		case err == unix.ENOENT:
			n++ // removed meanwhile
			continue
		case err == nil:
			s := f.fs.stat(&st)
			e.Ino, e.Mode = s.Ino, s.Mode&abi.ModeFmt
			if stat && e.Name != ".." {
				e.Stat, e.StatOK = s, true
			}
		}
		dst = append(dst, e)
	}
	return dst, nil
}

// snapshot reads the names.
func (f *dirFile) snapshot() error {
	fd, err := retry(func() (int, error) {
		return unix.Openat(f.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
	if err == unix.ENOENT { // a removed directory is empty
		f.names = []string{".", ".."}
		return nil
	}
	if err != nil {
		return errnoOf(err)
	}
	d := os.NewFile(uintptr(fd), ".")
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil && err != io.EOF {
		return errnoOf(err)
	}
	f.names = append([]string{".", ".."}, names...)
	return nil
}
