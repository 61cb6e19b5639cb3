// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package accel

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// needle is a string to look for.
type needle struct {
	s    []byte
	fold bool // s is in lower case, and the case of ASCII letters does not matter
	rare int  // index of the byte of s that is likely to be the rarest in text
}

// frequent are the bytes that are common in text, the most common ones first.
const frequent = " etaoinshrdlcumwfgypbvkjxqz"

func newNeedle(s []byte, fold bool) needle {
	n := needle{s: s, fold: fold}
	best := -1
	for i, c := range s {
		r := bytes.IndexByte([]byte(frequent), c)
		if r < 0 {
			r = len(frequent)
			if c >= '0' && c <= '9' || c >= utf8Lead {
				r = 10
			}
		}
		if r > best {
			best, n.rare = r, i
		}
		if i == 255 {
			break
		}
	}
	return n
}

// utf8Lead is the first byte that is part of a longer character.
const utf8Lead = 0x80

func letter(c byte) bool { return c >= 'a' && c <= 'z' }

// index returns the offset of the first occurrence in b, or -1.
func (n *needle) index(b []byte) int {
	if !n.fold || len(n.s) == 0 {
		return bytes.Index(b, n.s)
	}
	c := n.s[n.rare]
	last := len(b) - len(n.s) // where an occurrence can begin at most
	if last < 0 {
		return -1
	}
	area := b[n.rare : n.rare+last+1] // where its rare byte can be
	if !letter(c) {
		for i := 0; i < len(area); i++ {
			k := bytes.IndexByte(area[i:], c)
			if k < 0 {
				return -1
			}
			if i += k; n.at(b[i:]) {
				return i
			}
		}
		return -1
	}
	const low7, ones = 0x7f7f7f7f7f7f7f7f, 0x0101010101010101
	x := uint64(c) * ones
	i := 0
	for ; len(area)-i >= 8; i += 8 {
		// Only the letter has its code with this bit set or not.
		p := (binary.LittleEndian.Uint64(area[i:]) | 0x2020202020202020) ^ x
		for m := ^(p&low7 + low7 | p) &^ low7; m != 0; m &= m - 1 {
			if k := i + bits.TrailingZeros64(m)/8; n.at(b[k:]) {
				return k
			}
		}
	}
	for ; i < len(area); i++ {
		if area[i]|0x20 == c && n.at(b[i:]) {
			return i
		}
	}
	return -1
}

// at reports whether b begins with the needle, case apart.
func (n *needle) at(b []byte) bool {
	for i, c := range n.s {
		if x := b[i]; x != c && (x|0x20 != c || !letter(c)) {
			return false
		}
	}
	return true
}
