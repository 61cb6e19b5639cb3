// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"strconv"
	"unicode/utf8"
)

// bytesPerToken is the measure of a token.
const bytesPerToken = 4

// Tokens returns how many tokens n bytes count for: a token for every four
// bytes begun, 0 where n is not positive.
func Tokens(n int) int {
	if n <= 0 {
		return 0
	}
	return (n-1)/bytesPerToken + 1
}

// Truncate cuts valid UTF-8 text to maxTokens tokens, header and marker
// included, and returns the number of tokens that the text had. A text that
// fits is returned as it is, with 0; a negative limit is 0.
//
// What remains is a line that counts the lines of the whole, where there is
// room for it, the head of the text, a marker that counts the tokens between,
// and the tail. Characters are not cut apart.
func Truncate(text string, maxTokens int) (string, int) {
	maxTokens = max(maxTokens, 0)
	if len(text) <= bytesPerToken*min(maxTokens, len(text)) { // which cannot overflow
		return text, 0
	}
	count, budget := Tokens(len(text)), bytesPerToken*maxTokens
	if budget == 0 {
		return "", count
	}
	header := "Total output lines: " + strconv.Itoa(countLines(text)) + "\n\n"
	marker := tokenMarker(count)
	if len(header)+len(marker) > budget {
		header = ""
	}
	room := budget - len(header) - len(marker)
	if room < 0 {
		return wholeChars(marker[:budget]), count
	}
	_, head, tail := splitText(text, room/2, room-room/2)
	return header + head + tokenMarker(Tokens(len(text)-len(head)-len(tail))) + tail, count
}

func tokenMarker(n int) string { return "…" + strconv.Itoa(n) + " tokens truncated…" }

// wholeChars returns s without a character that is cut off at its end.
func wholeChars(s string) string { return s[:len(s)-incompleteTail([]byte(s))] }

// splitText returns the longest head of whole characters of at most headBytes,
// the tail that begins with the first character at or after the last tailBytes,
// and the number of characters between them.
func splitText(s string, headBytes, tailBytes int) (removed int, head, tail string) {
	h := min(max(headBytes, 0), len(s))
	for h > 0 && h < len(s) && !utf8.RuneStart(s[h]) {
		h--
	}
	t := max(len(s)-max(tailBytes, 0), h)
	for t < len(s) && !utf8.RuneStart(s[t]) {
		t++
	}
	return utf8.RuneCountInString(s[h:t]), s[:h], s[t:]
}

// countLines counts the lines of s by every line separator of Unicode and the
// information separators of ASCII. One at the end begins no further line.
func countLines(s string) int {
	n, open := 0, false
	for i := 0; i < len(s); i++ {
		size := 0
		switch c := s[i]; {
		case c == '\r' && i+1 < len(s) && s[i+1] == '\n':
			size = 2
		case c >= '\n' && c <= '\r', c >= 0x1c && c <= 0x1e:
			size = 1
		case c == 0xc2 && i+1 < len(s) && s[i+1] == 0x85: // NEL
			size = 2
		case c == 0xe2 && i+2 < len(s) && s[i+1] == 0x80 && (s[i+2] == 0xa8 || s[i+2] == 0xa9): // LS, PS
			size = 3
		}
		if size == 0 {
			open = true
			continue
		}
		n++
		open = false
		i += size - 1
	}
	if open {
		n++
	}
	return n
}
