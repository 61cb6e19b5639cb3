// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// The formats of Windows are compiled everywhere so that their tests run
// everywhere.

// flagRelative is SYMLINK_FLAG_RELATIVE: the target names no volume.
const flagRelative = 1

// REPARSE_DATA_BUFFER of a symbolic link: tag, length of what follows the first
// eight bytes, reserved; offset and length in bytes of the substitute and of the
// printed name in what follows the flags; flags.
const (
	reparseHeader = 8
	symlinkHeader = 20
	maxReparse    = 16 << 10 // MAXIMUM_REPARSE_DATA_BUFFER_SIZE
)

// parseSymlink returns the target in the buffer of a symbolic link: as it was
// written, which is the printed name of one with a volume.
func parseSymlink(b []byte) (string, bool) {
	if len(b) < symlinkHeader || binary.LittleEndian.Uint32(b) != tagSymlink {
		return "", false
	}
	field := func(at int) (string, bool) {
		off, size := int(binary.LittleEndian.Uint16(b[at:])), int(binary.LittleEndian.Uint16(b[at+2:]))
		names := b[symlinkHeader:]
		if off > len(names) || size > len(names)-off {
			return "", false
		}
		s := make([]uint16, size/2)
		for i := range s {
			s[i] = binary.LittleEndian.Uint16(names[off+2*i:])
		}
		return string(utf16.Decode(s)), true
	}
	if binary.LittleEndian.Uint32(b[16:])&flagRelative != 0 {
		return field(8)
	}
	if s, ok := field(12); ok && s != "" {
		return s, true
	}
	s, ok := field(8)
	return strings.TrimPrefix(s, `\??\`), ok
}

// formatSymlink makes the buffer of a link to a target without a volume.
func formatSymlink(target string) ([]byte, error) {
	name := utf16.Encode([]rune(target))
	size := 2 * len(name)
	if symlinkHeader+size > maxReparse {
		return nil, abi.ENAMETOOLONG
	}
	b := make([]byte, symlinkHeader, symlinkHeader+size)
	binary.LittleEndian.PutUint32(b, tagSymlink)
	binary.LittleEndian.PutUint16(b[4:], uint16(symlinkHeader+size-reparseHeader))
	binary.LittleEndian.PutUint16(b[10:], uint16(size)) // both names are the same
	binary.LittleEndian.PutUint16(b[14:], uint16(size))
	binary.LittleEndian.PutUint32(b[16:], flagRelative)
	for _, c := range name {
		b = binary.LittleEndian.AppendUint16(b, c)
	}
	return b, nil
}
