// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"unicode"

	"golang.org/x/text/width"
)

// runeWidth returns the columns that a character takes: 0 for one that changes
// its neighbour, 2 for East Asian wide ones (Unicode UAX #11), 1 otherwise.
func runeWidth(r rune) int {
	if r < 0x300 {
		return 1
	}
	switch { // the frequent ones first
	case r >= 0x370 && r < 0x483, r >= 0x2500 && r < 0x25fd:
		return 1
	case r >= 0x3041 && r < 0x3097, r >= 0x30a1 && r < 0x3100, r >= 0x4e00 && r < 0xa000, r >= 0xac00 && r < 0xd7a4:
		return 2
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Zl, unicode.Zp),
		r >= 0x1160 && r <= 0x11ff, r >= 0xd7b0 && r <= 0xd7ff: // vowels and finals of Hangul
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
