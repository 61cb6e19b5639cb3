// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Controls says what becomes of characters that change how text reads without
// being seen: bidirectional controls, line and paragraph separators, invisible
// operators, tags and variation selectors beyond the first sixteen.
type Controls uint8

// Ways of Controls.
const (
	ControlsEscape Controls = iota // shown as <U+202E>
	ControlsDrop                   // left out
	ControlsKeep                   // left as they are
)

// hiding reports whether r belongs to the characters of Controls. Joiners and
// the first variation selectors do not: scripts and emoji need them.
func hiding(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r < 0x61c, r >= 0x2500 && r < 0x3164, r >= 0x4e00 && r < 0xd800:
		return false
	case r == 0x200c, r == 0x200d:
		return false
	case r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0: // Hangul fillers
		return true
	case r >= 0xe0100 && r <= 0xe01ef:
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// appendRune appends r by the rule c.
func (c Controls) appendRune(b []byte, r rune) []byte {
	if r < utf8.RuneSelf && r >= 0x20 && r != 0x7f {
		return append(b, byte(r))
	}
	if c == ControlsKeep || !hiding(r) {
		return utf8.AppendRune(b, r)
	}
	if c == ControlsDrop {
		return b
	}
	return fmt.Appendf(b, "<U+%04X>", r)
}

// Visible returns s with the characters of c treated by its rule. Newline and
// tab stay; other control characters and invalid bytes count as hiding too
// (invalid bytes become U+FFFD). It suits names and messages that a person or a
// model reads.
func Visible(s string, c Controls) string {
	clean := true
	for _, r := range s {
		if r == utf8.RuneError || (hiding(r) && r != '\n' && r != '\t') {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	b := make([]byte, 0, len(s)+16)
	for _, r := range s {
		if r == '\n' || r == '\t' {
			b = append(b, byte(r))
			continue
		}
		b = c.appendRune(b, r)
	}
	return string(b)
}

// oneLine is Visible for what must stay in a line.
func oneLine(s string, c Controls) string {
	return Visible(strings.NewReplacer("\n", " ", "\t", " ").Replace(s), c)
}
