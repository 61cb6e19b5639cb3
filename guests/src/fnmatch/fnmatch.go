// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fnmatch

import "unicode/utf8"

// Flags change how a pattern matches.
type Flags uint8

// Flags of Match.
const (
	// Pathname makes a slash match only a slash in the pattern.
	Pathname Flags = 1 << iota
	// Period makes a leading period match only a period in the pattern;
	// with Pathname also one behind a slash.
	Period
	// Casefold ignores case.
	Casefold
	// LeadingDir matches also where the pattern matches what is before a
	// slash of the name.
	LeadingDir
	// NoEscape makes the backslash an ordinary character.
	NoEscape
)

// Match reports whether name matches pattern. '?' and brackets take one UTF-8
// character, or one byte that is not part of one. A bracket expression that is
// not closed is taken literally. The time is at most the product of the
// lengths.
func Match(pattern, name string, f Flags) bool {
	p, n := 0, 0
	starP, starN := -1, 0 // where to go on after a mismatch: behind the last star
	for {
		if p == len(pattern) {
			if n == len(name) || f&LeadingDir != 0 && name[n] == '/' {
				return true
			}
		} else if c := pattern[p]; c == '*' {
			if leadingPeriod(name, n, f) {
				return false
			}
			for p < len(pattern) && pattern[p] == '*' {
				p++
			}
			if f == 0 && literal(pattern[p:]) {
				// Nothing but an end to compare, as of "*.go".
				rest := pattern[p:]
				return len(name)-n >= len(rest) && name[len(name)-len(rest):] == rest
			}
			starP, starN = p, n
			continue
		} else if n < len(name) {
			if pn, nn, ok := one(pattern, p, name, n, f); ok {
				p, n = pn, nn
				continue
			}
		}
		// A mismatch: let the last star take one more character.
		if starP < 0 || starN == len(name) || f&Pathname != 0 && name[starN] == '/' {
			return false
		}
		_, w := char(name, starN)
		starN += w
		p, n = starP, starN
	}
}

// literal reports whether s matches only itself, also in the midst of a
// character.
func literal(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '*' || c == '?' || c == '[' || c == '\\':
			return false
		case c >= utf8.RuneSelf:
			return false
		}
	}
	return true
}

// HasMeta reports whether s has a character that is special in a pattern.
func HasMeta(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '*', '?', '[', '\\':
			return true
		}
	}
	return false
}

// leadingPeriod reports whether name[n] is a period that only a period matches.
func leadingPeriod(name string, n int, f Flags) bool {
	return f&Period != 0 && n < len(name) && name[n] == '.' &&
		(n == 0 || f&Pathname != 0 && name[n-1] == '/')
}

// char returns the character of s at i and its length; a byte that is no valid
// UTF-8 is a value of its own.
func char(s string, i int) (rune, int) {
	if c := s[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	if r == utf8.RuneError && n == 1 {
		return rune(s[i]) - 0x200, 1 // negative: equal only to the same byte
	}
	return r, n
}

// one matches the pattern element at p, which is not a star, with the character
// at n, and returns the positions behind both.
func one(pattern string, p int, name string, n int, f Flags) (pn, nn int, ok bool) {
	r, w := char(name, n)
	switch pattern[p] {
	case '?':
		return p + 1, n + w, !(f&Pathname != 0 && r == '/') && !leadingPeriod(name, n, f)
	case '[':
		if end, in, closed := bracket(pattern, p, r, f); closed {
			return end, n + w, in && !(f&Pathname != 0 && r == '/') && !leadingPeriod(name, n, f)
		}
	case '\\':
		if f&NoEscape == 0 {
			if p++; p == len(pattern) {
				return p, n, false // nothing matches a lone backslash
			}
		}
	}
	c, cw := char(pattern, p)
	return p + cw, n + w, c == r || f&Casefold != 0 && fold(c) == fold(r)
}

// bracket matches r with the bracket expression at p. closed says whether there
// is one at all.
func bracket(pattern string, p int, r rune, f Flags) (end int, in, closed bool) {
	p++
	not := false
	if p < len(pattern) && (pattern[p] == '!' || pattern[p] == '^') {
		not = true
		p++
	}
	for first := true; ; first = false {
		if p >= len(pattern) {
			return 0, false, false
		}
		if pattern[p] == ']' && !first {
			return p + 1, in != not, true
		}
		if pattern[p] == '[' && p+1 < len(pattern) && pattern[p+1] == ':' {
			if name, next, ok := delimited(pattern, p, ':'); ok {
				if class(name, r) || f&Casefold != 0 && (name == "upper" || name == "lower") && class("alpha", r) {
					in = true
				}
				p = next
				continue
			}
		}
		lo, next, ok := element(pattern, p, f)
		if !ok {
			return 0, false, false
		}
		p = next
		hi := lo
		if p+1 < len(pattern) && pattern[p] == '-' && pattern[p+1] != ']' {
			if hi, p, ok = element(pattern, p+1, f); !ok {
				return 0, false, false
			}
		}
		if lo <= r && r <= hi {
			in = true
		} else if f&Casefold != 0 {
			if u, l := upper(r), fold(r); lo <= u && u <= hi || lo <= l && l <= hi {
				in = true
			}
		}
	}
}

// element returns the character of a bracket expression at p: itself, escaped,
// or as [.x.] or [=x=].
func element(pattern string, p int, f Flags) (r rune, next int, ok bool) {
	switch c := pattern[p]; {
	case c == '\\' && f&NoEscape == 0:
		if p++; p == len(pattern) {
			return 0, 0, false
		}
	case c == '[' && p+1 < len(pattern) && (pattern[p+1] == '.' || pattern[p+1] == '='):
		if name, next, ok := delimited(pattern, p, pattern[p+1]); ok {
			if r, w := char(name+" ", 0); w == len(name) {
				return r, next, true
			}
			return 0, 0, false
		}
	}
	r, w := char(pattern, p)
	return r, p + w, true
}

// delimited returns what stands between "[d" at p and "d]".
func delimited(pattern string, p int, d byte) (name string, next int, ok bool) {
	for i := p + 2; i+1 < len(pattern); i++ {
		if pattern[i] == d && pattern[i+1] == ']' {
			return pattern[p+2 : i], i + 2, true
		}
	}
	return "", 0, false
}

// fold and upper change the case of ASCII, Latin-1, Greek and Cyrillic letters.
func fold(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z', r >= 0xc0 && r <= 0xde && r != 0xd7, r >= 0x391 && r <= 0x3a9, r >= 0x410 && r <= 0x42f:
		return r + 32
	case r >= 0x400 && r <= 0x40f:
		return r + 80
	}
	return r
}

func upper(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z', r >= 0xe0 && r <= 0xfe && r != 0xf7, r >= 0x3b1 && r <= 0x3c9 && r != 0x3c2, r >= 0x430 && r <= 0x44f:
		return r - 32
	case r >= 0x450 && r <= 0x45f:
		return r - 80
	}
	return r
}

// class reports whether r is in the character class of that name.
func class(name string, r rune) bool {
	isUpper, isLower := fold(r) != r, upper(r) != r
	digit := r >= '0' && r <= '9'
	alpha := isUpper || isLower || r >= 0xaa && r != 0xd7 && r != 0xf7 && r >= 0xc0
	switch name {
	case "alpha":
		return alpha
	case "digit":
		return digit
	case "alnum":
		return alpha || digit
	case "upper":
		return isUpper
	case "lower":
		return isLower
	case "space":
		return r == ' ' || r >= '\t' && r <= '\r'
	case "blank":
		return r == ' ' || r == '\t'
	case "punct":
		return r > ' ' && r < 0x7f && !alpha && !digit
	case "print":
		return r >= ' ' && r != 0x7f && !(r >= 0x80 && r < 0xa0)
	case "graph":
		return r > ' ' && r != 0x7f && !(r >= 0x80 && r <= 0xa0)
	case "cntrl":
		return r >= 0 && r < ' ' || r >= 0x7f && r < 0xa0
	case "xdigit":
		return digit || r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F'
	}
	return false
}
