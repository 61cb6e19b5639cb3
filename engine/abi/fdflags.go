// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package abi

// Fdflags are the status flags of an open file description.
//
// WASI: fdflags.
type Fdflags uint16

// Status flags.
const (
	FdflagAppend Fdflags = 1 << iota
	FdflagDsync
	FdflagNonblock
	FdflagRsync
	FdflagSync

	fdflagsAll = FdflagSync<<1 - 1
)

// Valid reports whether f has no bit outside preview 1.
func (f Fdflags) Valid() bool { return f&^fdflagsAll == 0 }

// Oflags are the open flags of path_open.
//
// WASI: oflags.
type Oflags uint16

// Open flags of path_open.
const (
	OflagCreat Oflags = 1 << iota
	OflagDirectory
	OflagExcl
	OflagTrunc

	oflagsAll = OflagTrunc<<1 - 1
)

// Valid reports whether f has no bit outside preview 1.
func (f Oflags) Valid() bool { return f&^oflagsAll == 0 }

// Lookupflags say how a path is resolved. The zero value does not follow a
// final symbolic link.
//
// WASI: lookupflags.
type Lookupflags uint32

// SymlinkFollow follows a symbolic link in the last component.
const SymlinkFollow Lookupflags = 1

// Fstflags say which times fd_filestat_set_times and
// path_filestat_set_times change.
//
// WASI: fstflags.
type Fstflags uint16

// Time selection flags.
const (
	FstAtim Fstflags = 1 << iota
	FstAtimNow
	FstMtim
	FstMtimNow
)

// Whence is the base of a seek.
//
// WASI: whence.
type Whence uint8

// Bases of fd_seek.
const (
	SeekSet Whence = iota
	SeekCur
	SeekEnd
)
