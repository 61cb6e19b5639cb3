// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package abi

import "encoding/binary"

// DirentSize is the size in bytes of a preview 1 dirent header; the name
// follows it.
//
// WASI: dirent.
const DirentSize = 24

// PutDirent writes a preview 1 dirent header: the cookie of the entry after
// this one, the inode number, the length of the name and the type.
func PutDirent(b []byte, next, ino uint64, namelen uint32, t Filetype) {
	le := binary.LittleEndian
	_ = b[DirentSize-1]
	le.PutUint64(b[0:], next)
	le.PutUint64(b[8:], ino)
	le.PutUint32(b[16:], namelen)
	le.PutUint32(b[20:], uint32(t))
}

// Flags of the extension's fd_dir_read.
const (
	// DirStat asks for a stat record behind each name.
	DirStat uint32 = 1
)

// DirentExtSize is the size in bytes of the header of an entry returned by the
// extension's fd_dir_read. The layout is: next cookie u64, inode u64, mode u32
// (type bits; complete where a stat record follows), name length u16, flags u16
// (bit 0: a stat record of StatSize bytes follows the name). Entries follow
// each other without padding; an entry is never cut.
const DirentExtSize = 24

// PutDirentExt writes the header of an extension directory entry.
func PutDirentExt(b []byte, next, ino uint64, mode Mode, namelen int, stat bool) {
	le := binary.LittleEndian
	_ = b[DirentExtSize-1]
	le.PutUint64(b[0:], next)
	le.PutUint64(b[8:], ino)
	le.PutUint32(b[16:], uint32(mode))
	le.PutUint16(b[20:], uint16(namelen))
	f := uint16(0)
	if stat {
		f = 1
	}
	le.PutUint16(b[22:], f)
}
