// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package hostfs

import (
	"bytes"
	"encoding/binary"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// dirFile is an open directory. Cookies are the offsets that the operating
// system gives to entries, which stay valid under change.
type dirFile struct {
	file
	root bool

	// read guards what follows: the directory's entries from cookie pos on,
	// as far as they have been read.
	read sync.Mutex
	buf  []byte // nil at first
	rest []byte // of buf, not yet returned
	pos  uint64
}

var (
	_ vfs.Directory  = (*dirFile)(nil)
	_ vfs.FileChmod  = (*dirFile)(nil)
	_ vfs.FileChown  = (*dirFile)(nil)
	_ vfs.FileUtimes = (*dirFile)(nil)
)

// Layout of struct linux_dirent64.
const (
	direntOff    = 8
	direntReclen = 16
	direntType   = 18
	direntName   = 19
)

const direntBuffer = 32 << 10

// ReadDir implements [vfs.Directory].
func (f *dirFile) ReadDir(dst []vfs.Dirent, cookie uint64, n int, stat bool) ([]vfs.Dirent, error) {
	if cookie > 1<<63-1 {
		return dst, abi.EINVAL
	}
	if err := f.begin(); err != nil {
		return dst, err
	}
	defer f.mu.RUnlock()
	f.read.Lock()
	defer f.read.Unlock()
	if cookie != f.pos || cookie == 0 || f.buf == nil {
		if _, err := unix.Seek(f.fd, int64(cookie), unix.SEEK_SET); err != nil {
			return dst, errnoOf(err)
		}
		f.rest, f.pos = nil, cookie
	}
	if f.buf == nil {
		f.buf = make([]byte, direntBuffer)
	}
	for n > 0 {
		if len(f.rest) == 0 {
			m, err := retry(func() (int, error) { return unix.Getdents(f.fd, f.buf) })
			if err == unix.ENOENT {
				m = 0 // the directory has been removed
			} else if err != nil {
				return dst, errnoOf(err)
			}
			if m == 0 {
				break
			}
			f.rest = f.buf[:m]
		}
		e, ok := f.next()
		if !ok {
			return dst, abi.EIO
		}
		if stat && e.Name != ".." {
			var st unix.Stat_t
			if err := unix.Fstatat(f.fd, e.Name, &st, unix.AT_SYMLINK_NOFOLLOW); err == nil {
				e.Stat, e.StatOK = f.fs.stat(&st), true
				e.Mode = e.Stat.Mode & abi.ModeFmt
			}
		}
		dst = append(dst, e)
		n--
	}
	return dst, nil
}

// next takes an entry from the buffer.
func (f *dirFile) next() (vfs.Dirent, bool) {
	b := f.rest
	if len(b) < direntName {
		return vfs.Dirent{}, false
	}
	size := int(binary.NativeEndian.Uint16(b[direntReclen:]))
	if size < direntName || size > len(b) {
		return vfs.Dirent{}, false
	}
	f.rest = b[size:]
	name := b[direntName:size]
	if i := bytes.IndexByte(name, 0); i >= 0 {
		name = name[:i]
	}
	e := vfs.Dirent{
		Name:   string(name),
		Ino:    binary.NativeEndian.Uint64(b),
		Cookie: binary.NativeEndian.Uint64(b[direntOff:]),
		Mode:   abi.Mode(b[direntType]) << 12, // DT_ values are those of the type bits
	}
	if f.root && e.Name == ".." {
		// What lies above is nobody's business.
		var st unix.Stat_t
		if unix.Fstat(f.fd, &st) == nil {
			e.Ino = st.Ino
		}
	}
	f.pos = e.Cookie
	return e, true
}
