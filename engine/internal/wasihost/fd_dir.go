// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// direntChunk is the most entries that are asked of a directory at once.
const direntChunk = 256

// fdReaddir stores entries of a directory that follow a cookie.
//
// # Parameters
//
//   - fd: the directory
//   - buf, len: the buffer, filled with entries until it is full, the last one
//     cut short; a buffer that is not full means the end of the directory
//   - cookie: 0 for the start, or the cookie of the entry to go on behind
//   - used: where the number of bytes goes
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (fd_readdir), ENOTDIR, EIO
//   - EFAULT
//
// WASI: fd_readdir.
func fdReaddir(c *Context, m memory, a []uint64) error {
	fd, cookie := int32(a[0]), a[3]
	if err := c.need(fd, abi.RightFDReaddir); err != nil {
		return err
	}
	buf, err := m.view(uint32(a[1]), uint32(a[2]))
	if err == nil {
		err = m.check(uint32(a[4]), 4)
	}
	if err != nil {
		return err
	}
	used, err := c.dirents(fd, len(buf), cookie, abi.DirentSize, false, func(used int, d *vfs.Dirent) int {
		var h [abi.DirentSize]byte
		abi.PutDirent(h[:], d.Cookie, d.Ino, uint32(len(d.Name)), filetypeOf(d.Mode))
		n := copy(buf[used:], h[:])
		return n + copy(buf[used+n:], d.Name)
	})
	if err != nil {
		return err
	}
	return m.putU32(uint32(a[4]), uint32(used))
}

// filetypeOf is Mode.Filetype, but unknown where the directory does not say.
func filetypeOf(m abi.Mode) abi.Filetype {
	if m&abi.ModeFmt == 0 {
		return abi.FiletypeUnknown
	}
	return m.Filetype()
}

// dirents hands entries behind cookie to put, which stores one and returns how
// many bytes it took, until it takes none or size bytes are used. header is the
// least size of an entry.
func (c *Context) dirents(fd int32, size int, cookie uint64, header int, stat bool, put func(used int, d *vfs.Dirent) int) (int, error) {
	used := 0
	for {
		// Names are longer than one byte as a rule, so this asks for
		// rather more than fits, but for few entries in a small buffer.
		want := min((size-used)/(header+8)+1, direntChunk)
		l, err := c.p.ReadDir(fd, c.dirent[:0], cookie, want, stat)
		if err != nil {
			if used > 0 && err != kernel.ErrExiting {
				return used, nil
			}
			return 0, err
		}
		if cap(l) <= 2*direntChunk {
			c.dirent = l[:0]
		}
		if len(l) == 0 {
			return used, nil
		}
		for i := range l {
			n := put(used, &l[i])
			used += n
			if n == 0 || used == size {
				return used, nil
			}
			cookie = l[i].Cookie
		}
		if err := c.p.Yield(); err != nil {
			return 0, err
		}
	}
}
