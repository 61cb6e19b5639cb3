// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/guests/src/shell/pattern"
)

// singleQuoted returns s in single quotes, or as $'...' where it has control
// characters.
func singleQuoted(s string) string {
	if hasControl(s) {
		return ansiQuoted(s)
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// inSingle returns s in single quotes, whatever it holds.
func inSingle(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// quotedIfNeeded quotes s only where the shell would not read it back as it is.
func quotedIfNeeded(s string) string {
	if s == "" {
		return "''"
	}
	if hasControl(s) {
		return ansiQuoted(s)
	}
	if strings.ContainsAny(s, " \t\n'\"\\$`|&;()<>*?[]{}!^~#") {
		if s[0] != '~' && s[0] != '#' && !strings.ContainsAny(s, " \t\n'\"\\$`|&;()<>*?[]{}!^") {
			return s
		}
		return singleQuoted(s)
	}
	return s
}

// backslashed returns s quoted by backslashes, as printf %q does.
func backslashed(s string) string {
	if s == "" {
		return "''"
	}
	if hasControl(s) {
		return ansiQuoted(s)
	}
	b := make([]byte, 0, len(s)+8)
	for i := range len(s) {
		switch c := s[i]; c {
		case ' ', '\'', '"', '\\', '|', '&', ';', '(', ')', '<', '>', '!', '{', '}', '*', '[', ']', '?', '^', '$', '`', ',':
			b = append(b, '\\')
		case '#':
			if i == 0 {
				b = append(b, '\\')
			}
		case '~':
			if i == 0 || s[i-1] == ':' || s[i-1] == '=' {
				b = append(b, '\\')
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

// declQuoted returns s in double quotes, as declare -p does.
func declQuoted(s string) string {
	if hasControl(s) {
		return ansiQuoted(s)
	}
	b := make([]byte, 0, len(s)+2)
	b = append(b, '"')
	for i := range len(s) {
		switch s[i] {
		case '"', '\\', '$', '`':
			b = append(b, '\\')
		}
		b = append(b, s[i])
	}
	return string(append(b, '"'))
}

func hasControl(s string) bool {
	for i := 0; i < len(s); {
		c := s[i]
		if c < ' ' || c == 127 {
			return true
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 || !unicode.IsPrint(r) {
				return true
			}
			i += n
			continue
		}
		i++
	}
	return false
}

func ansiQuoted(s string) string {
	b := append(make([]byte, 0, len(s)+8), "$'"...)
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '\'' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c == 7:
			b = append(b, `\a`...)
		case c == '\b':
			b = append(b, `\b`...)
		case c == '\v':
			b = append(b, `\v`...)
		case c == '\f':
			b = append(b, `\f`...)
		case c == 27:
			b = append(b, `\E`...)
		case c < ' ' || c == 127:
			b = append(b, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 || !unicode.IsPrint(r) {
				for k := range n {
					d := s[i+k]
					b = append(b, '\\', '0'+d>>6, '0'+d>>3&7, '0'+d&7)
				}
			} else {
				b = append(b, s[i:i+n]...)
			}
			i += n
			continue
		default:
			b = append(b, c)
		}
		i++
	}
	return string(append(b, '\''))
}

// ansiC decodes the text of $'...'.
func ansiC(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b []byte
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			i++
			continue
		}
		n, stop := 0, false
		b, n, stop = appendEscape(b, s[i:], escQuote)
		i += n
		if stop {
			break
		}
	}
	if i := indexByteSlice(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

func indexByteSlice(b []byte, c byte) int {
	for i, x := range b {
		if x == c {
			return i
		}
	}
	return -1
}

// escMode says whose backslash escapes are meant.
type escMode uint8

const (
	escQuote  escMode = iota // $'...'
	escEcho                  // echo -e and %b: \0nnn, \c
	escFormat                // a format of printf
	escArg                   // %b of printf: \nnn too
)

// appendEscape appends what the escape at the start of s stands for and returns
// the length read; stop is set by \c.
func appendEscape(b []byte, s string, mode escMode) (_ []byte, n int, stop bool) {
	if len(s) < 2 {
		return append(b, '\\'), 1, false
	}
	oct := func(from, max int) ([]byte, int, bool) {
		v, k := 0, from
		for k < len(s) && k < from+max && s[k] >= '0' && s[k] <= '7' {
			v = v*8 + int(s[k]-'0')
			k++
		}
		return append(b, byte(v)), k, false
	}
	hex := func(max int) (rune, int) {
		v, k := rune(0), 2
		for k < len(s) && k < 2+max {
			d := hexDigit(s[k])
			if d < 0 {
				break
			}
			v = v<<4 | rune(d)
			k++
		}
		return v, k
	}
	switch c := s[1]; c {
	case 'a':
		return append(b, 7), 2, false
	case 'b':
		return append(b, '\b'), 2, false
	case 'e', 'E':
		return append(b, 27), 2, false
	case 'f':
		return append(b, '\f'), 2, false
	case 'n':
		return append(b, '\n'), 2, false
	case 'r':
		return append(b, '\r'), 2, false
	case 't':
		return append(b, '\t'), 2, false
	case 'v':
		return append(b, '\v'), 2, false
	case '\\':
		return append(b, '\\'), 2, false
	case '\'', '"', '?':
		if mode == escEcho || mode == escArg && c == '?' || mode == escFormat && c == '?' {
			break
		}
		return append(b, c), 2, false
	case '0':
		if mode == escEcho || mode == escArg {
			return oct(2, 3)
		}
		return oct(1, 3)
	case '1', '2', '3', '4', '5', '6', '7':
		if mode == escEcho {
			break
		}
		return oct(1, 3)
	case 'x':
		v, k := hex(2)
		if k == 2 {
			break
		}
		return append(b, byte(v)), k, false
	case 'u', 'U':
		max := 4
		if c == 'U' {
			max = 8
		}
		v, k := hex(max)
		if k == 2 {
			break
		}
		return utf8.AppendRune(b, v), k, false
	case 'c':
		if mode == escQuote {
			if len(s) < 3 {
				break
			}
			if s[2] == '?' {
				return append(b, 127), 3, false
			}
			return append(b, s[2]&31), 3, false
		}
		if mode == escEcho || mode == escArg {
			return b, 2, true
		}
	}
	return append(b, '\\', s[1]), 2, false
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|32 >= 'a' && c|32 <= 'f':
		return int(c|32-'a') + 10
	}
	return -1
}

func changeCase(s string, op paramOp, all bool, p *pattern.Pattern) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || i > 0 && !all || p != nil && !p.Match(s[i:i+n]) {
			b = append(b, s[i:i+n]...)
		} else {
			switch {
			case op == opCaseUp || op == opCaseTog && unicode.IsLower(r):
				r = unicode.ToUpper(r)
			default:
				r = unicode.ToLower(r)
			}
			b = utf8.AppendRune(b, r)
		}
		i += n
	}
	return string(b)
}

func lowerString(s string) string   { return changeCase(s, opCaseDown, true, nil) }
func upperString(s string) string   { return changeCase(s, opCaseUp, true, nil) }
func capitalString(s string) string { return changeCase(lowerString(s), opCaseUp, false, nil) }
