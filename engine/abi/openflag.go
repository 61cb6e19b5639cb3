// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package abi

// OpenFlag holds the access mode and the open flags of the extension's
// path_open and of the file systems inside the host. The numbers are ours.
//
// POSIX: open().
type OpenFlag uint32

// Access modes (the low two bits) and open flags.
const (
	ORdonly OpenFlag = 0
	OWronly OpenFlag = 1
	ORdwr   OpenFlag = 2

	OCreat     OpenFlag = 1 << 2
	OExcl      OpenFlag = 1 << 3
	OTrunc     OpenFlag = 1 << 4
	OAppend    OpenFlag = 1 << 5
	ONonblock  OpenFlag = 1 << 6
	ODirectory OpenFlag = 1 << 7
	ONofollow  OpenFlag = 1 << 8
	OCloexec   OpenFlag = 1 << 9
	OSync      OpenFlag = 1 << 10
	OPath      OpenFlag = 1 << 11 // a location only: no read, no write

	OAccmode    OpenFlag = 3
	OpenFlagAll OpenFlag = 1<<12 - 1
)

// Readable reports whether the access mode permits reading.
func (f OpenFlag) Readable() bool { a := f & OAccmode; return a == ORdonly || a == ORdwr }

// Writable reports whether the access mode permits writing.
func (f OpenFlag) Writable() bool { a := f & OAccmode; return a == OWronly || a == ORdwr }
