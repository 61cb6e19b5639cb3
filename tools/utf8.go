// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"strings"
	"unicode/utf8"
)

// sequence tells of a lead byte how long its character is, and which bytes may
// come second. A length of 0 means that no character begins so.
//
// Unicode: table 3-7, Well-Formed UTF-8 Byte Sequences.
func sequence(lead byte) (n int, lo, hi byte) {
	switch {
	case lead < 0x80:
		return 1, 0, 0
	case lead >= 0xc2 && lead <= 0xdf:
		return 2, 0x80, 0xbf
	case lead == 0xe0:
		return 3, 0xa0, 0xbf
	case lead == 0xed:
		return 3, 0x80, 0x9f
	case lead >= 0xe1 && lead <= 0xef:
		return 3, 0x80, 0xbf
	case lead == 0xf0:
		return 4, 0x90, 0xbf
	case lead == 0xf4:
		return 4, 0x80, 0x8f
	case lead >= 0xf1 && lead <= 0xf3:
		return 4, 0x80, 0xbf
	}
	return 0, 0, 0
}

// subpart returns the length of the longest head of b that begins a character,
// and whether it is a whole one. b is not empty; the length is at least 1, also
// where nothing begins so.
func subpart(b []byte) (n int, whole bool) {
	need, lo, hi := sequence(b[0])
	if need == 0 {
		return 1, false
	}
	for n = 1; n < need; n++ {
		if n == len(b) || b[n] < lo || b[n] > hi {
			return n, false
		}
		lo, hi = 0x80, 0xbf
	}
	return n, true
}

// incompleteTail returns how many bytes at the end of b, at most 3, begin a
// character that the next bytes could complete.
func incompleteTail(b []byte) int {
	for i := len(b) - 1; i >= max(0, len(b)-3); i-- {
		if b[i]&0xc0 == 0x80 {
			continue
		}
		need, _, _ := sequence(b[i])
		if have := len(b) - i; have < need {
			if n, _ := subpart(b[i:]); n == have {
				return have
			}
		}
		return 0
	}
	return 0
}

// decode returns b as valid UTF-8. Each longest part of a character that is not
// completed, and each byte that none begins with, becomes U+FFFD.
//
// Unicode: 3.9, U+FFFD Substitution of Maximal Subparts.
func decode(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var s strings.Builder
	s.Grow(len(b) + 16)
	for len(b) > 0 {
		n, whole := subpart(b)
		if whole {
			s.Write(b[:n])
		} else {
			s.WriteRune(utf8.RuneError)
		}
		b = b[n:]
	}
	return s.String()
}
