// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package abi

import "encoding/binary"

// Stat describes a file. Times are nanoseconds since the Unix epoch, sizes are
// bytes, Blocks counts units of 512 bytes.
//
// POSIX: struct stat.
type Stat struct {
	Dev, Ino   uint64
	Mode       Mode
	Nlink      uint32
	UID, GID   uint32
	Rdev       uint64
	Size       int64
	Blksize    uint32
	Blocks     int64
	Atim, Mtim int64
	Ctim       int64
}

// StatSize is the size in bytes of the extension's stat record.
const StatSize = 88

// Put writes the extension's stat record, little endian, into b, which must
// hold StatSize bytes.
func (s *Stat) Put(b []byte) {
	le := binary.LittleEndian
	_ = b[StatSize-1]
	le.PutUint64(b[0:], s.Dev)
	le.PutUint64(b[8:], s.Ino)
	le.PutUint32(b[16:], uint32(s.Mode))
	le.PutUint32(b[20:], s.Nlink)
	le.PutUint32(b[24:], s.UID)
	le.PutUint32(b[28:], s.GID)
	le.PutUint64(b[32:], s.Rdev)
	le.PutUint64(b[40:], uint64(s.Size))
	le.PutUint32(b[48:], s.Blksize)
	le.PutUint32(b[52:], 0)
	le.PutUint64(b[56:], uint64(s.Blocks))
	le.PutUint64(b[64:], uint64(s.Atim))
	le.PutUint64(b[72:], uint64(s.Mtim))
	le.PutUint64(b[80:], uint64(s.Ctim))
}

// Parse reads a record written by Put.
func (s *Stat) Parse(b []byte) {
	le := binary.LittleEndian
	_ = b[StatSize-1]
	s.Dev = le.Uint64(b[0:])
	s.Ino = le.Uint64(b[8:])
	s.Mode = Mode(le.Uint32(b[16:]))
	s.Nlink = le.Uint32(b[20:])
	s.UID = le.Uint32(b[24:])
	s.GID = le.Uint32(b[28:])
	s.Rdev = le.Uint64(b[32:])
	s.Size = int64(le.Uint64(b[40:]))
	s.Blksize = le.Uint32(b[48:])
	s.Blocks = int64(le.Uint64(b[56:]))
	s.Atim = int64(le.Uint64(b[64:]))
	s.Mtim = int64(le.Uint64(b[72:]))
	s.Ctim = int64(le.Uint64(b[80:]))
}

// FilestatSize is the size in bytes of a preview 1 filestat record.
const FilestatSize = 64

// PutFilestat writes s as a preview 1 filestat record.
//
// WASI: filestat.
func (s *Stat) PutFilestat(b []byte) {
	le := binary.LittleEndian
	_ = b[FilestatSize-1]
	le.PutUint64(b[0:], s.Dev)
	le.PutUint64(b[8:], s.Ino)
	le.PutUint64(b[16:], 0)
	b[16] = byte(s.Mode.Filetype())
	le.PutUint64(b[24:], uint64(s.Nlink))
	le.PutUint64(b[32:], uint64(s.Size))
	le.PutUint64(b[40:], uint64(s.Atim))
	le.PutUint64(b[48:], uint64(s.Mtim))
	le.PutUint64(b[56:], uint64(s.Ctim))
}

// Statfs describes a mounted file system; sizes are in units of Bsize bytes.
//
// POSIX: struct statvfs.
type Statfs struct {
	Bsize, Blocks, Bfree, Bavail uint64
	Files, Ffree                 uint64
	Namelen                      uint64
}

// StatfsSize is the size in bytes of the extension's statfs record.
const StatfsSize = 56

// Put writes the extension's statfs record into b.
func (s *Statfs) Put(b []byte) {
	for i, v := range [...]uint64{s.Bsize, s.Blocks, s.Bfree, s.Bavail, s.Files, s.Ffree, s.Namelen} {
		binary.LittleEndian.PutUint64(b[8*i:], v)
	}
}

// Parse reads a record written by Put.
func (s *Statfs) Parse(b []byte) {
	for i, v := range [...]*uint64{&s.Bsize, &s.Blocks, &s.Bfree, &s.Bavail, &s.Files, &s.Ffree, &s.Namelen} {
		*v = binary.LittleEndian.Uint64(b[8*i:])
	}
}
