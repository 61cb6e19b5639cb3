// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import "unsafe"

// textOf returns b as a string. Nothing may write to b any more.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// bytesOf returns the bytes of s, which must not be written to.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// isText reports whether s is all of b, not only equal to it.
func isText(s string, b []byte) bool {
	return len(s) == len(b) && len(s) > 0 && unsafe.StringData(s) == unsafe.SliceData(b)
}

// hashOf mixes the bytes of s, eight at a time.
func hashOf(s string) uint32 {
	const m = 0x9e3779b97f4a7c15
	n := len(s)
	h := uint64(n) * m
	p := unsafe.Pointer(unsafe.StringData(s))
	for ; n >= 8; n -= 8 {
		h = (h ^ *(*uint64)(p)) * m
		h ^= h >> 32
		p = unsafe.Add(p, 8)
	}
	if n >= 4 {
		h = (h ^ uint64(*(*uint32)(p))) * m
		h ^= h >> 32
		p = unsafe.Add(p, 4)
		n -= 4
	}
	for ; n > 0; n-- {
		h = (h ^ uint64(*(*byte)(p))) * m
		h ^= h >> 32
		p = unsafe.Add(p, 1)
	}
	return uint32(h ^ h>>29)
}

// ascii reports whether all of s is ASCII.
func ascii(s string) bool {
	n := len(s)
	p := unsafe.Pointer(unsafe.StringData(s))
	for ; n >= 8; n -= 8 {
		if *(*uint64)(p)&0x8080808080808080 != 0 {
			return false
		}
		p = unsafe.Add(p, 8)
	}
	for ; n > 0; n-- {
		if *(*byte)(p) >= 0x80 {
			return false
		}
		p = unsafe.Add(p, 1)
	}
	return true
}
