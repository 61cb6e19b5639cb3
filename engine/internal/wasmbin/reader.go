// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

import (
	"fmt"
	"unicode/utf8"
)

// reader decodes a part of a module. The first failure is kept in err and every
// later read returns zero without moving, so that callers may check once after
// several reads; loops driven by decoded counts check in every turn.
type reader struct {
	mod     []byte // the whole module, for offsets
	pos     int
	end     int
	section string
	err     *Error
}

func (r *reader) fail(why Reason, at int, format string, args ...any) {
	if r.err == nil {
		r.err = &Error{Reason: why, Section: r.section, Offset: at, Message: fmt.Sprintf(format, args...)}
		r.pos = r.end
	}
}

func (r *reader) left() int { return r.end - r.pos }

func (r *reader) byte() byte {
	if r.pos >= r.end {
		r.fail(Malformed, r.pos, "unexpected end")
		return 0
	}
	b := r.mod[r.pos]
	r.pos++
	return b
}

// bytes returns the next n bytes, which alias the module.
func (r *reader) bytes(n int) []byte {
	if n < 0 || n > r.left() {
		r.fail(Malformed, r.pos, "length %d exceeds the %d bytes left", n, r.left())
		return nil
	}
	b := r.mod[r.pos : r.pos+n : r.pos+n]
	r.pos += n
	return b
}

// u32 reads an unsigned LEB128 number of at most 32 bits.
func (r *reader) u32() uint32 {
	if r.pos < r.end {
		if b := r.mod[r.pos]; b < 0x80 {
			r.pos++
			return uint32(b)
		}
	}
	at := r.pos
	var v uint32
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		if r.err != nil {
			return 0
		}
		if shift == 28 && b > 0x0f {
			break
		}
		v |= uint32(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
	r.fail(Malformed, at, "number exceeds 32 bits")
	return 0
}

// signed reads a signed LEB128 number of at most bits bits.
func (r *reader) signed(bits int) int64 {
	at := r.pos
	var v int64
	for shift := 0; shift < bits; shift += 7 {
		b := r.byte()
		if r.err != nil {
			return 0
		}
		v |= int64(b&0x7f) << shift
		if b >= 0x80 {
			continue
		}
		if used := bits - shift; used < 7 {
			// The bits that do not fit must repeat the sign.
			if ext := int8(b<<1) >> used; ext != 0 && ext != -1 {
				break
			}
		}
		if shift+7 < 64 && b&0x40 != 0 {
			v |= -1 << (shift + 7)
		}
		return v
	}
	r.fail(Malformed, at, "number exceeds %d bits", bits)
	return 0
}

// count reads the length of a vector whose entries take at least min bytes
// each, so that no count is larger than the input could hold.
func (r *reader) count(what string, min int) int {
	at := r.pos
	n := r.u32()
	if r.err == nil && uint64(n)*uint64(min) > uint64(r.left()) {
		r.fail(Malformed, at, "%d %s cannot fit in the %d bytes left", n, what, r.left())
		return 0
	}
	return int(n)
}

// name reads a vector of bytes that must be UTF-8.
func (r *reader) name() string {
	n := r.count("bytes of a name", 1)
	at := r.pos
	b := r.bytes(n)
	if r.err == nil && !utf8.Valid(b) {
		r.fail(Malformed, at, "name is not valid UTF-8")
	}
	return string(b)
}

// sub returns a reader of the next n bytes and skips them.
func (r *reader) sub(n int) reader {
	s := *r
	r.bytes(n)
	s.end = s.pos + n
	if r.err != nil {
		s.err, s.end = r.err, s.pos
	}
	return s
}
