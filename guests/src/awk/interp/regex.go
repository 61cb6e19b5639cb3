// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/guests/src/awk/syntax"
	"github.com/wsandbox/wsandbox/guests/src/posixre"
)

// maxRegexes is how many dynamic regular expressions are kept.
const maxRegexes = 200

// dynamic returns the regular expression that a string stands for.
func (in *interp) dynamic(s string) *posixre.Regexp {
	k := 0
	if in.ignoreCase {
		k = 1
	}
	m := in.regexes[k]
	if re := m[s]; re != nil {
		return re
	}
	if m == nil || len(m) >= maxRegexes {
		m = make(map[string]*posixre.Regexp)
		in.regexes[k] = m
	}
	re := in.compileRegex(s)
	m[string(append([]byte(nil), s...))] = re
	return re
}

func (in *interp) compileRegex(src string) *posixre.Regexp { return in.compileFlags(src, 0) }

func (in *interp) compileFlags(src string, flags posixre.Flags) *posixre.Regexp {
	flags |= posixre.Extended | posixre.ParenLiteral | posixre.ListEscapes | posixre.NoBackrefs | posixre.Lenient
	if in.ignoreCase {
		flags |= posixre.ICase
	}
	if !in.utf8 {
		flags |= posixre.Bytes
	}
	re, err := posixre.Compile(translate(src, in.utf8), flags)
	if err != nil {
		in.fatal("invalid regexp: " + err.Error() + ": /" + src + "/")
	}
	return re
}

// translate turns awk's regular expressions into those of package posixre:
// escape sequences become characters, \y becomes \b, and operators without
// operand stand for themselves.
func translate(s string, utf bool) string {
	var b []byte
	start := true // an operand must come
	list := -1    // where a bracket expression began
	for i := 0; i < len(s); {
		c := s[i]
		i++
		if list >= 0 {
			switch {
			case c == '\\' && i < len(s):
				var ch []byte
				n := 1
				if ch, n = syntax.Escape(nil, s[i:]); n == 0 {
					ch, n = append(ch, s[i]), 1
				}
				i += n
				b = appendLiteral(b, ch, utf, true)
			case c == ']' && i-1 > list+1 && (i-1 != list+2 || s[list+1] != '^'):
				list = -1
				b = append(b, c)
			case c == '[' && i < len(s) && (s[i] == ':' || s[i] == '.' || s[i] == '='):
				k := i + 1
				for k+1 < len(s) && (s[k] != s[i] || s[k+1] != ']') {
					k++
				}
				if k+1 < len(s) {
					b = append(b, s[i-1:k+2]...)
					i = k + 2
				} else {
					b = append(b, c)
				}
			case c == '\\':
				b = append(b, '\\', '\\')
			default:
				b = append(b, c)
			}
			continue
		}
		was := start
		start = false
		switch c {
		case '\\':
			if i == len(s) {
				b = append(b, '\\', '\\')
				continue
			}
			if ch, n := syntax.Escape(nil, s[i:]); n > 0 {
				i += n
				b = appendLiteral(b, ch, utf, false)
				continue
			}
			c = s[i]
			i++
			switch c {
			case 'y':
				b = append(b, `\b`...)
			case '"', '/', '\'', '&':
				if c == '\'' {
					b = append(b, '\\')
				}
				b = append(b, c)
			default:
				b = append(b, '\\', c)
			}
		case '[':
			list = i - 1
			b = append(b, c)
		case '(', '|':
			start = true
			b = append(b, c)
		case '^':
			start = was
			b = append(b, c)
		case '*', '+', '?':
			if was && (len(b) == 0 || b[len(b)-1] != '^') {
				b = append(b, '\\')
			}
			b = append(b, c)
		case '{':
			if was || !interval(s[i:]) {
				b = append(b, '\\')
			}
			b = append(b, c)
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// interval reports whether s goes on like a repetition count behind its brace.
func interval(s string) bool {
	i, digits := 0, 0
	comma := false
	for ; i < len(s) && s[i] != '}'; i++ {
		switch {
		case s[i] == ',' && !comma:
			comma = true
		case s[i]-'0' <= 9:
			digits++
		default:
			return false
		}
	}
	return i < len(s) && (digits > 0 || comma)
}

// appendLiteral appends a character that stands for itself.
func appendLiteral(b, ch []byte, utf, list bool) []byte {
	if len(ch) == 1 {
		c := ch[0]
		switch {
		case list && (c == '\\' || c == ']' || c == '^' || c == '-' || c == '['):
			return append(b, '\\', c)
		case !list && indexByte(`\.[]()*+?{}|^$`, c) >= 0:
			return append(b, '\\', c)
		case c >= utf8.RuneSelf && utf:
			return append(b, c)
		}
	}
	return append(b, ch...)
}

func indexByte(s string, c byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return i
		}
	}
	return -1
}

// replacement is what sub and gsub put in: parts between which the match
// stands.
type replacement struct {
	src   string
	plain bool // one part, no match
	parts []string
	ok    bool
}

// set reads a replacement.
func (r *replacement) set(s string) {
	if r.ok && r.src == s {
		return
	}
	r.src, r.ok = string(append([]byte(nil), s...)), true
	r.parts, r.plain = r.parts[:0], true
	var part []byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '&':
			r.parts = append(r.parts, string(part))
			part = part[:0]
			r.plain = false
			continue
		case c == '\\' && i+1 < len(s) && s[i+1] == '&':
			c = '&'
			i++
		case c == '\\' && i+3 < len(s) && s[i+1:i+4] == `\\\`:
			part = append(part, '\\')
			i += 3
		case c == '\\' && i+3 < len(s) && s[i+1:i+4] == `\\&`:
			part = append(part, '\\')
			c = '&'
			i += 3
		case c == '\\' && i+2 < len(s) && s[i+1:i+3] == `\&`:
			i++ // the match follows a backslash
		}
		part = append(part, c)
	}
	r.parts = append(r.parts, string(part))
}

// substitute replaces the first match in s, or all, and returns how many there
// were. The result is what is behind start in in.buf where there was one.
func (in *interp) substitute(re *posixre.Regexp, r *replacement, s string, all bool) (n, start int) {
	b := bytesOf(s)
	start = len(in.buf)
	var loc [2]int
	from, last := 0, -1 // what is copied; where the last match ended
	for pos := 0; pos <= len(b); {
		ok, err := re.Find(b, pos, 0, loc[:])
		if err != nil {
			in.fatal(err.Error())
		}
		if !ok {
			break
		}
		if loc[0] == loc[1] && loc[0] == last {
			// An empty match does not touch the one before.
			if pos = loc[1]; pos < len(b) {
				pos += in.charLen(s, pos)
			} else {
				pos++
			}
			last = -1
			continue
		}
		n++
		in.buf = append(in.buf, b[from:loc[0]]...)
		for i, p := range r.parts {
			if i > 0 {
				in.buf = append(in.buf, b[loc[0]:loc[1]]...)
			}
			in.buf = append(in.buf, p...)
		}
		if len(in.buf)-start > 1<<18 && cap(in.buf)-len(in.buf) < 1<<17 {
			in.room(2 * cap(in.buf))
		}
		from, last = loc[1], loc[1]
		if !all {
			break
		}
		pos = loc[1]
		if loc[0] == loc[1] {
			if pos < len(b) {
				pos += in.charLen(s, pos)
			} else {
				pos++
			}
			last = -1
		}
	}
	if n > 0 {
		in.buf = append(in.buf, b[from:]...)
	}
	return n, start
}
