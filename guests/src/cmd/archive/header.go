// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"math"
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// blockSize is the unit of a tar archive, recordSize what is written at once.
const (
	blockSize  = 512
	recordSize = 20 * blockSize
)

// Types of members.
const (
	typeFile     = '0'
	typeFileOld  = 0
	typeLink     = '1'
	typeSymlink  = '2'
	typeChar     = '3'
	typeBlock    = '4'
	typeDir      = '5'
	typeFIFO     = '6'
	typeCont     = '7'
	typeLongName = 'L' // GNU: the name of the next member
	typeLongLink = 'K'
	typePax      = 'x'
	typePaxAll   = 'g'
)

// header is the head of a member.
type header struct {
	name, link   string
	mode         uint32 // permission bits
	uid, gid     uint32
	user, group  string
	size         int64
	mtime        int64 // seconds
	kind         byte
	major, minor uint32
}

// dir reports whether it is a directory: old archives say so in the name.
func (h *header) dir() bool {
	n := len(h.name)
	return h.kind == typeDir || (h.kind == typeFile || h.kind == typeFileOld) && n > 0 && h.name[n-1] == '/'
}

// data returns how many bytes follow the head.
func (h *header) data() int64 {
	switch h.kind {
	case typeLink, typeSymlink, typeChar, typeBlock, typeDir, typeFIFO:
		return 0
	}
	return h.size
}

// fileMode returns the mode with the type, as listings show it.
func (h *header) fileMode() abi.Mode {
	m := abi.Mode(h.mode & 0o7777)
	switch {
	case h.kind == typeSymlink:
		return m | abi.ModeSymlink
	case h.kind == typeChar:
		return m | abi.ModeChar
	case h.kind == typeBlock:
		return m | abi.ModeBlock
	case h.kind == typeFIFO:
		return m | abi.ModeFIFO
	case h.dir():
		return m | abi.ModeDir
	}
	return m | abi.ModeRegular
}

// cString returns the text before the first NUL.
func cString(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}

// parseNumber parses a field: octal digits with blanks and NULs around, or
// binary where its first bit is set. ok is false for anything else.
func parseNumber(b []byte) (v int64, ok bool) {
	if len(b) > 0 && b[0]&0x80 != 0 {
		v = int64(b[0] & 0x3f)
		if b[0]&0x40 != 0 { // negative
			v |= -64
		}
		for _, c := range b[1:] {
			if v > math.MaxInt64>>8 || v < math.MinInt64>>8 {
				return 0, false
			}
			v = v<<8 | int64(c)
		}
		return v, true
	}
	i := 0
	for i < len(b) && b[i] == ' ' {
		i++
	}
	for i < len(b) && b[i] >= '0' && b[i] <= '7' {
		if v > math.MaxInt64>>3 {
			return 0, false
		}
		v = v<<3 | int64(b[i]-'0')
		i++
	}
	return v, i == len(b) || b[i] == 0 || b[i] == ' '
}

// checksums returns the sums of a block, its own field taken as blanks: of
// unsigned bytes, and of signed ones as some old programs have it.
func checksums(b []byte) (unsigned, signed int64) {
	for i, c := range b[:blockSize] {
		if i >= 148 && i < 156 {
			c = ' '
		}
		unsigned += int64(c)
		signed += int64(int8(c))
	}
	return
}

// zeroBlock reports whether a block is the mark of the end.
func zeroBlock(b []byte) bool {
	for _, c := range b[:blockSize] {
		if c != 0 {
			return false
		}
	}
	return true
}

// maxMember bounds the size of a member, so that sums with it stay in range.
const maxMember = 1 << 62

// parseHeader parses a block of 512 bytes. It reports false for one that is no
// head of a member.
func parseHeader(b []byte) (h header, ok bool) {
	sum, good := parseNumber(b[148:156])
	if u, s := checksums(b); !good || sum != u && sum != s {
		return h, false
	}
	h.name = cString(b[:100])
	h.kind = b[156]
	h.link = cString(b[157:257])
	field := func(from, to int) int64 {
		v, good := parseNumber(b[from:to])
		ok = ok && good
		return v
	}
	ok = true
	h.mode = uint32(field(100, 108)) & 0o7777
	h.uid, h.gid = uint32(field(108, 116)), uint32(field(116, 124))
	h.size = field(124, 136)
	h.mtime = field(136, 148)
	if string(b[257:262]) == "ustar" {
		h.user, h.group = cString(b[265:297]), cString(b[297:329])
		major, _ := parseNumber(b[329:337])
		minor, _ := parseNumber(b[337:345])
		h.major, h.minor = uint32(major), uint32(minor)
		if b[262] == 0 { // POSIX: the beginning of a long name
			if p := cString(b[345:500]); p != "" {
				h.name = p + "/" + h.name
			}
		}
	}
	return h, ok && h.size >= 0 && h.size <= maxMember
}

// putNumber writes a field of n bytes: octal digits and NUL, or binary where
// those do not suffice.
func putNumber(b []byte, v int64) {
	n := len(b) - 1
	s := strconv.FormatInt(v, 8)
	if v >= 0 && len(s) <= n {
		for i := range n {
			b[i] = '0'
		}
		copy(b[n-len(s):n], s)
		b[n] = 0
		return
	}
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = byte(v)
		v >>= 8
	}
	b[0] |= 0x80
}

// put appends the head in the format of GNU tar, with those of long names before
// it.
func (h *header) put(dst []byte) []byte {
	for _, l := range [...]struct {
		text string
		kind byte
	}{{h.link, typeLongLink}, {h.name, typeLongName}} {
		if len(l.text) > 100 {
			long := header{name: "././@LongLink", kind: l.kind, size: int64(len(l.text)) + 1, mode: 0o644, user: "root", group: "root"}
			dst = long.block(dst)
			dst = append(dst, l.text...)
			dst = pad(append(dst, 0))
		}
	}
	return h.block(dst)
}

// pad fills up the last block.
func pad(dst []byte) []byte {
	for len(dst)%blockSize != 0 {
		dst = append(dst, 0)
	}
	return dst
}

func (h *header) block(dst []byte) []byte {
	var b [blockSize]byte
	copy(b[:100], h.name)
	putNumber(b[100:108], int64(h.mode))
	putNumber(b[108:116], int64(h.uid))
	putNumber(b[116:124], int64(h.gid))
	putNumber(b[124:136], h.size)
	putNumber(b[136:148], h.mtime)
	b[156] = h.kind
	copy(b[157:257], h.link)
	copy(b[257:265], "ustar  \x00")
	copy(b[265:296], h.user)
	copy(b[297:328], h.group)
	if h.kind == typeChar || h.kind == typeBlock {
		putNumber(b[329:337], int64(h.major))
		putNumber(b[337:345], int64(h.minor))
	}
	sum, _ := checksums(b[:])
	putNumber(b[148:155], sum)
	b[155] = ' '
	return append(dst, b[:]...)
}

// applyPax takes over what the records of a POSIX extended head say.
//
// POSIX: pax, "pax Extended Header".
func (h *header) applyPax(b []byte) bool {
	for len(b) > 0 {
		i := 0
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			i++
		}
		n, err := strconv.Atoi(string(b[:i]))
		if err != nil || n <= i+1 || n > len(b) || b[i] != ' ' || b[n-1] != '\n' {
			return false
		}
		record := b[i+1 : n-1]
		b = b[n:]
		k := 0
		for k < len(record) && record[k] != '=' {
			k++
		}
		if k == len(record) {
			return false
		}
		key, value := string(record[:k]), string(record[k+1:])
		number := func(to *int64) {
			whole := value
			for i := range len(value) {
				if value[i] == '.' {
					whole = value[:i]
					break
				}
			}
			if v, err := strconv.ParseInt(whole, 10, 64); err == nil {
				*to = v
			}
		}
		switch key {
		case "path":
			h.name = value
		case "linkpath":
			h.link = value
		case "uname":
			h.user = value
		case "gname":
			h.group = value
		case "size":
			v := h.size
			if number(&v); v < 0 || v > maxMember {
				return false
			}
			h.size = v
		case "mtime":
			number(&h.mtime)
		case "uid", "gid":
			var v int64
			number(&v)
			if key == "uid" {
				h.uid = uint32(v)
			} else {
				h.gid = uint32(v)
			}
		}
	}
	return true
}
