// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu

// Indexes of Termios.CC. A character of value 0 is off; VMIN counts bytes and
// VTIME tenths of a second.
const (
	VINTR    = 0
	VQUIT    = 1
	VERASE   = 2
	VKILL    = 3
	VEOF     = 4
	VTIME    = 5
	VMIN     = 6
	VSTART   = 8
	VSTOP    = 9
	VSUSP    = 10
	VEOL     = 11
	VREPRINT = 12
	VDISCARD = 13
	VWERASE  = 14
	VLNEXT   = 15
	VEOL2    = 16
)

// The classes of characters follow Latin-1, as the terminals of Linux do also
// where the text is UTF-8.

func isControl(c byte) bool { return c < ' ' || c == 0x7f }

func isLower(c byte) bool { return 'a' <= c && c <= 'z' || c >= 0xdf && c != 0xf7 }

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' || 0xc0 <= c && c <= 0xde && c != 0xd7 }

func isWord(c byte) bool { return isLower(c) || isUpper(c) || '0' <= c && c <= '9' || c == '_' }

func toLower(c byte) byte {
	if isUpper(c) {
		return c + 0x20
	}
	return c
}

func toUpper(c byte) byte {
	if isLower(c) {
		return c - 0x20
	}
	return c
}
