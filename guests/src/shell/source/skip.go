// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package source

import "strings"

// Bracket returns the length of the bracketed text at the start of s, which
// begins with [: quotes and expansions inside are skipped. 0: it has no end.
func Bracket(s string) int { return match(s, '[', ']') }

// match returns the length of s up to the close that balances its first byte.
func match(s string, open, close byte) int {
	depth := 0
	for i := 0; i < len(s); {
		switch c := s[i]; c {
		case open:
			depth++
			i++
		case close:
			depth--
			i++
			if depth == 0 {
				return i
			}
		default:
			n := Skip(s[i:])
			if n == 0 {
				return 0
			}
			i += n
		}
	}
	return 0
}

// Skip returns the length of the quoted text, expansion or single character at
// the start of s; 0 where it has no end.
func Skip(s string) int {
	switch s[0] {
	case '\\':
		return min(2, len(s))
	case '\'':
		if i := strings.IndexByte(s[1:], '\''); i >= 0 {
			return i + 2
		}
		return 0
	case '"':
		return skipDouble(s)
	case '`':
		for i := 1; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
			case '`':
				return i + 1
			}
		}
		return 0
	case '$':
		return skipDollar(s)
	}
	return 1
}

func skipDouble(s string) int {
	for i := 1; i < len(s); {
		switch s[i] {
		case '"':
			return i + 1
		case '\'':
			i++
		default:
			n := Skip(s[i:])
			if n == 0 {
				return 0
			}
			i += n
		}
	}
	return 0
}

func skipDollar(s string) int {
	if len(s) < 2 {
		return 1
	}
	switch s[1] {
	case '\'':
		for i := 2; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
			case '\'':
				return i + 1
			}
		}
		return 0
	case '"':
		if n := skipDouble(s[1:]); n > 0 {
			return n + 1
		}
		return 0
	case '{':
		if n := brace(s[1:]); n > 0 {
			return n + 1
		}
		return 0
	case '(':
		if n := parens(s[1:]); n > 0 {
			return n + 1
		}
		return 0
	}
	return 1
}

// brace returns the length of the {...} of a parameter expansion.
func brace(s string) int {
	for i := 1; i < len(s); {
		if s[i] == '}' {
			return i + 1
		}
		n := Skip(s[i:])
		if n == 0 {
			return 0
		}
		i += n
	}
	return 0
}

// parens returns the length of the (...) of a command substitution.
func parens(s string) int {
	sc := scanner{src: s, i: 1}
	if !sc.commands(')') {
		return 0
	}
	return sc.i
}

// Join removes the line continuations of a text: backslashes before a newline
// outside single quotes and comments. A text with quoted here-documents, in
// which they are literal, stays as it is.
func Join(s string) string {
	if !strings.Contains(s, "\\\n") || strings.Contains(s, "<<'") || strings.Contains(s, "<<\"") || strings.Contains(s, "<<\\") ||
		strings.Contains(s, "<< '") || strings.Contains(s, "<<-'") || strings.Contains(s, "<< \"") || strings.Contains(s, "<<-\"") {
		return s
	}
	b := make([]byte, 0, len(s))
	word := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s):
			i++
			if s[i] != '\n' {
				b = append(b, c, s[i])
				word = true
			}
			continue
		case c == '\'':
			if e := strings.IndexByte(s[i+1:], c); e >= 0 {
				b = append(b, s[i:i+e+2]...)
				i += e + 1
				word = true
				continue
			}
		case c == '#' && !word:
			for i < len(s) && s[i] != '\n' {
				b = append(b, s[i])
				i++
			}
			i--
			continue
		}
		word = strings.IndexByte(" \t\n;&|()<>", c) < 0
		b = append(b, c)
	}
	return string(b)
}
