// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"encoding/binary"
	"unicode/utf16"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// entry is one of a listing.
type entry struct {
	name string
	ino  uint64 // 0 where the file system has none
	mode abi.Mode
}

// listing is a format of the entries of a directory.
type listing struct {
	name int // where the name begins
	id   int // where the inode number is, 0 for nowhere
}

// listings are FILE_ID_BOTH_DIR_INFO and, for file systems without numbers,
// FILE_FULL_DIR_INFO. Up to the size of extended attributes, in whose place
// reparse points have their tag, they are the same.
var listings = [...]listing{{name: 104, id: 96}, {name: 68}}

// parseEntry returns the first entry in b and how far on the next begins, 0 for
// the last.
func parseEntry(b []byte, l listing) (next int, e entry, ok bool) {
	if len(b) < l.name {
		return 0, e, false
	}
	next = int(binary.LittleEndian.Uint32(b))
	size := int(binary.LittleEndian.Uint32(b[60:]))
	if next < 0 || next >= len(b) || size < 0 || size > len(b)-l.name {
		return 0, e, false
	}
	attrs := binary.LittleEndian.Uint32(b[56:])
	tag := uint32(0)
	if attrs&attrReparse != 0 {
		tag = binary.LittleEndian.Uint32(b[64:])
	}
	e.mode = modeOf(attrs, tag)
	if l.id != 0 {
		e.ino = binary.LittleEndian.Uint64(b[l.id:])
	}
	name := make([]uint16, size/2)
	for i := range name {
		name[i] = binary.LittleEndian.Uint16(b[l.name+2*i:])
	}
	e.name = string(utf16.Decode(name))
	return next, e, true
}
