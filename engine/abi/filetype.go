// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package abi

// Filetype is the kind of a file.
//
// WASI: filetype.
type Filetype uint8

// File types.
const (
	FiletypeUnknown Filetype = iota
	FiletypeBlockDevice
	FiletypeCharacterDevice
	FiletypeDirectory
	FiletypeRegularFile
	FiletypeSocketDgram
	FiletypeSocketStream
	FiletypeSymbolicLink
)

// Mode is a POSIX mode: the file type and the permission bits, with the octal
// values that POSIX and Linux use.
//
// POSIX: <sys/stat.h>.
type Mode uint32

// Parts of a mode.
const (
	ModeFmt     Mode = 0o170000
	ModeSocket  Mode = 0o140000
	ModeSymlink Mode = 0o120000
	ModeRegular Mode = 0o100000
	ModeBlock   Mode = 0o060000
	ModeDir     Mode = 0o040000
	ModeChar    Mode = 0o020000
	ModeFIFO    Mode = 0o010000

	ModeSetuid Mode = 0o4000
	ModeSetgid Mode = 0o2000
	ModeSticky Mode = 0o1000
	ModePerm   Mode = 0o777
	ModeAll    Mode = 0o7777 // the bits chmod can set
)

// IsDir reports whether m is a directory's.
func (m Mode) IsDir() bool { return m&ModeFmt == ModeDir }

// IsRegular reports whether m is a regular file's.
func (m Mode) IsRegular() bool { return m&ModeFmt == ModeRegular }

// IsSymlink reports whether m is a symbolic link's.
func (m Mode) IsSymlink() bool { return m&ModeFmt == ModeSymlink }

// Perm returns the permission, set-id and sticky bits.
func (m Mode) Perm() Mode { return m & ModeAll }

// Filetype returns the WASI file type of m. A FIFO, which preview 1 has no
// number for, is FiletypeUnknown, as wasi-libc expects.
func (m Mode) Filetype() Filetype {
	switch m & ModeFmt {
	case ModeSocket:
		return FiletypeSocketStream
	case ModeSymlink:
		return FiletypeSymbolicLink
	case ModeRegular:
		return FiletypeRegularFile
	case ModeBlock:
		return FiletypeBlockDevice
	case ModeDir:
		return FiletypeDirectory
	case ModeChar:
		return FiletypeCharacterDevice
	}
	return FiletypeUnknown
}

// ModeOf returns the type bits for a WASI file type.
func ModeOf(t Filetype) Mode {
	switch t {
	case FiletypeBlockDevice:
		return ModeBlock
	case FiletypeCharacterDevice:
		return ModeChar
	case FiletypeDirectory:
		return ModeDir
	case FiletypeRegularFile:
		return ModeRegular
	case FiletypeSocketDgram, FiletypeSocketStream:
		return ModeSocket
	case FiletypeSymbolicLink:
		return ModeSymlink
	}
	return ModeFIFO
}
