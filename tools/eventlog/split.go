// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package eventlog

import "unicode/utf8"

// Split returns the first at most max bytes of b and the rest, cut so that the
// piece is valid UTF-8 where b begins with any. An invalid byte is a piece of
// its own, so that the caller advances. It is empty for an empty b or a max
// below 1.
func Split(b []byte, max int) (piece, rest []byte) {
	n := min(len(b), max)
	if n <= 0 {
		return nil, b
	}
	for k := n; k > 0 && n-k <= utf8.UTFMax; k-- {
		if utf8.Valid(b[:k]) {
			return b[:k], b[k:]
		}
	}
	return b[:1], b[1:]
}

// chunk returns the first at most max bytes of b, cut at a character: unlike
// Split it does not stop at invalid bytes.
func chunk(b []byte, max int) (piece, rest []byte) {
	if len(b) <= max {
		return b, nil
	}
	n := max
	for n > max-utf8.UTFMax && n > 1 && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n], b[n:]
}

// incomplete returns how many bytes at the end of b begin a character that the
// next bytes could complete.
func incomplete(b []byte) int {
	for n := 1; n <= min(len(b), utf8.UTFMax-1); n++ {
		tail := b[len(b)-n:]
		if utf8.RuneStart(tail[0]) {
			if tail[0] >= utf8.RuneSelf && !utf8.FullRune(tail) {
				return n
			}
			return 0
		}
	}
	return 0
}
