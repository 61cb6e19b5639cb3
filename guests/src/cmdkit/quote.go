// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package cmdkit

// Base returns the last element of a path.
//
// POSIX: basename().
func Base(path string) string {
	n := len(path)
	for n > 1 && path[n-1] == '/' {
		n--
	}
	path = path[:n]
	for i := n - 1; i >= 0; i-- {
		if path[i] == '/' && n > 1 {
			return path[i+1:]
		}
	}
	return path
}

// Quote quotes as GNU's quote() does in the C locale: always between single
// quotes, with backslash escapes.
func Quote(s string) string { return string(appendC(make([]byte, 0, len(s)+2), s, '\'')) }

// QuoteAF quotes as GNU's quoteaf() does: always, in the syntax of a shell.
func QuoteAF(s string) string { return string(AppendShellQuoted(nil, s, true, false)) }

// QuoteF quotes as GNU's quotef() does: in the syntax of a shell, and only where
// the name needs it (a colon counts).
func QuoteF(s string) string { return string(AppendShellQuoted(nil, s, false, true)) }

// QuoteArg quotes in the syntax of a shell where that is needed.
func QuoteArg(s string) string { return string(AppendShellQuoted(nil, s, false, false)) }

// escapeLetter returns the letter behind the backslash for a control
// character, or 0.
func escapeLetter(c byte) byte {
	switch c {
	case '\a':
		return 'a'
	case '\b':
		return 'b'
	case '\f':
		return 'f'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	case '\v':
		return 'v'
	}
	return 0
}

func appendOctal(b []byte, c byte) []byte {
	return append(b, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
}

// AppendEscaped appends the backslash escape of a byte: \n and so on, or three
// octal digits.
func AppendEscaped(b []byte, c byte) []byte {
	if l := escapeLetter(c); l != 0 {
		return append(b, '\\', l)
	}
	return appendOctal(b, c)
}

// AppendCQuoted appends s as a C string literal between double quotes.
func AppendCQuoted(b []byte, s string) []byte { return appendC(b, s, '"') }

func appendC(b []byte, s string, q byte) []byte {
	b = append(b, q)
	for i := 0; i < len(s); {
		n, printable := runeAt(s, i)
		c := s[i]
		switch {
		case n == 1 && (c == q || c == '\\'):
			b = append(b, '\\', c)
		case printable:
			b = append(b, s[i:i+n]...)
		default:
			for k := i; k < i+n; k++ {
				b = AppendEscaped(b, s[k])
			}
		}
		i += n
	}
	return append(b, q)
}

// NeedsShellQuotes reports whether a shell would not take s literally. With
// colon a ':' counts too.
func NeedsShellQuotes(s string, colon bool) bool {
	if s == "" {
		return true
	}
	for i := 0; i < len(s); {
		n, printable := runeAt(s, i)
		if !printable {
			return true
		}
		switch s[i] {
		case '{', '}':
			if len(s) == 1 {
				return true
			}
		case '#', '~':
			if i == 0 {
				return true
			}
		case ':':
			if colon {
				return true
			}
		case ' ', '!', '"', '$', '&', '(', ')', '*', ';', '<', '=', '>', '[', '^', '`', '|', '\'', '?', '\\':
			return true
		}
		i += n
	}
	return false
}

// AppendShellQuoted appends s in the syntax of a shell, with $'…' for bytes that
// do not print: always quoted, or only where needed.
func AppendShellQuoted(b []byte, s string, always, colon bool) []byte {
	if !always && !NeedsShellQuotes(s, colon) {
		return append(b, s...)
	}
	if doubleQuotes(s) {
		b = append(b, '"')
		b = append(b, s...)
		return append(b, '"')
	}
	b = append(b, '\'')
	esc := false
	for i := 0; i < len(s); {
		n, printable := runeAt(s, i)
		switch {
		case !printable:
			if !esc {
				b = append(b, `'$'`...)
				esc = true
			}
			for k := i; k < i+n; k++ {
				b = AppendEscaped(b, s[k])
			}
		case s[i] == '\'':
			b = append(b, `'\''`...)
			esc = false
		default:
			if esc {
				b = append(b, `''`...)
				esc = false
			}
			b = append(b, s[i:i+n]...)
		}
		i += n
	}
	return append(b, '\'')
}

// doubleQuotes reports whether s has a single quote and reads the same between
// double quotes in C and in a shell.
func doubleQuotes(s string) bool {
	single := false
	for i := 0; i < len(s); {
		n, printable := runeAt(s, i)
		if !printable {
			return false
		}
		switch c := s[i]; {
		case c == '\'':
			single = true
		case n > 1, c == ' ', c >= '0' && c <= ':', c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z',
			c == '%', c == '+', c == ',', c == '-', c == '.', c == '/', c == ']', c == '_':
		case (c == '#' || c == '~') && i == 0:
		default:
			return false
		}
		i += n
	}
	return single
}
