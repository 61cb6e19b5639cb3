// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import "github.com/wsandbox/wsandbox/engine/abi"

// Attributes of files, from <winnt.h>.
const (
	attrReadOnly  = 0x001
	attrDirectory = 0x010
	attrReparse   = 0x400
)

// Tags of reparse points, from <ntifs.h>.
const (
	tagSymlink   = 0xa000000c
	tagSocket    = 0x80000023
	tagFIFO      = 0x80000024 // of the Subsystem for Linux, as are the next two
	tagChar      = 0x80000025
	tagBlock     = 0x80000026
	tagSurrogate = 0x20000000 // set where the file stands for another one
)

// modeOf makes a mode of attributes and a tag. Windows keeps no permission to
// execute, so that every file has it. Whatever stands for another file is a
// link, although only symbolic links can be read; other reparse points, such as
// compressed files and those of cloud storage, are what they look like.
func modeOf(attrs, tag uint32) abi.Mode {
	if attrs&attrReparse != 0 {
		switch {
		case tag&tagSurrogate != 0 || tag == 0:
			return abi.ModeSymlink | 0o777
		case tag == tagSocket:
			return abi.ModeSocket | 0o755
		case tag == tagFIFO:
			return abi.ModeFIFO | 0o755
		case tag == tagChar:
			return abi.ModeChar | 0o755
		case tag == tagBlock:
			return abi.ModeBlock | 0o755
		}
	}
	switch {
	case attrs&attrDirectory != 0:
		return abi.ModeDir | 0o755
	case attrs&attrReadOnly != 0:
		return abi.ModeRegular | 0o555
	}
	return abi.ModeRegular | 0o755
}
