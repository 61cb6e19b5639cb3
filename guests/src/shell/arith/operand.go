// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package arith

import "strings"

func (p *parser) name() {
	i := p.pos
	for i < len(p.src) && isNameByte(p.src[i]) {
		i++
	}
	r := &Ref{Name: p.src[p.pos:i]}
	if i < len(p.src) && p.src[i] == '$' && p.opt.Params {
		p.err = ErrDynamic
	}
	if p.opt.Intern != nil {
		r.Sym = p.opt.Intern(r.Name)
	}
	if i < len(p.src) && p.src[i] == '[' {
		n := subscriptEnd(p.src[i:])
		if n == 0 {
			p.pos = i
			p.tok = tName
			p.fail("bad array subscript")
			return
		}
		r.Sub, r.HasSub = p.src[i+1:i+n-1], true
		if p.opt.Params && strings.ContainsAny(r.Sub, "$`\"'\\") {
			p.err = ErrDynamic
		}
		i += n
	}
	p.pos = i
	p.ref = r
	p.tok = tName
}

// subscriptEnd returns the length of the bracketed text at the start of s.
func subscriptEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"', '\'':
			j := strings.IndexByte(s[i+1:], s[i])
			if j >= 0 {
				i += j + 1
			}
		case '[':
			depth++
		case ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

func (p *parser) param() {
	s := p.src[p.pos:]
	name, n := "", 0
	switch {
	case len(s) < 2:
	case s[1] == '{':
		e := strings.IndexByte(s, '}')
		if e > 2 && (validName(s[2:e]) || len(s[2:e]) < 4 && allDigits(s[2:e])) {
			name, n = s[2:e], e+1
		}
	case isNameStart(s[1]):
		n = 2
		for n < len(s) && isNameByte(s[n]) {
			n++
		}
		name = s[1:n]
		if n < len(s) && s[n] == '[' {
			name = "" // $a[1] is text
		}
	case isDigit(s[1]) || s[1] == '#' || s[1] == '?' || s[1] == '!':
		name, n = s[1:2], 2
	}
	if name == "" || n < len(s) && (isNameByte(s[n]) || s[n] == '$' || s[n] == '#' || s[n] == '[' || s[n] == '"' || s[n] == '`') {
		p.err = ErrDynamic
		p.tok = tEOF
		return
	}
	p.pos += n
	p.tok = tParam
	p.num = int64(len(p.e.Params))
	p.e.Params = append(p.e.Params, name)
}

func validName(s string) bool {
	if s == "" || !isNameStart(s[0]) {
		return false
	}
	for i := range len(s) {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return true
}

func allDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

func (p *parser) number() {
	i := p.pos
	for i < len(p.src) && (isNameByte(p.src[i]) || p.src[i] == '#' || p.src[i] == '@') {
		i++
	}
	if i < len(p.src) && p.src[i] == '$' && p.opt.Params {
		p.err = ErrDynamic
		p.tok = tEOF
		return
	}
	text := p.src[p.pos:i]
	p.tok = tNum
	n, msg := Number(text)
	if msg != "" {
		p.err = &Error{msg + " (error token is \"" + text + "\")"}
		p.tok = tEOF
		return
	}
	p.num = n
	p.pos = i
}

// Number reads an integer constant: decimal, 0octal, 0xhex or base#digits with
// a base of 2 to 64. msg is empty or says what is wrong.
func Number(s string) (n int64, msg string) {
	base := int64(10)
	digits := s
	switch h := strings.IndexByte(s, '#'); {
	case h > 1 && s[0] == '0':
		return 0, "invalid number"
	case h > 0:
		base = 0
		for i := range h {
			if !isDigit(s[i]) || base > 64 {
				return 0, "invalid arithmetic base"
			}
			base = base*10 + int64(s[i]-'0')
		}
		if base < 2 || base > 64 {
			return 0, "invalid arithmetic base"
		}
		digits = s[h+1:]
		if digits == "" {
			return 0, "invalid integer constant"
		}
	case len(s) > 1 && s[0] == '0' && s[1]|32 == 'x':
		base, digits = 16, s[2:]
		if digits == "" {
			return 0, ""
		}
	case len(s) > 1 && s[0] == '0':
		base, digits = 8, s[1:]
	}
	for i := range len(digits) {
		c := digits[i]
		var d int64
		switch {
		case isDigit(c):
			d = int64(c - '0')
		case c >= 'a' && c <= 'z':
			d = int64(c-'a') + 10
		case c >= 'A' && c <= 'Z' && base <= 36:
			d = int64(c-'A') + 10
		case c >= 'A' && c <= 'Z':
			d = int64(c-'A') + 36
		case c == '@':
			d = 62
		case c == '_':
			d = 63
		default:
			return 0, "invalid number"
		}
		if d >= base {
			return 0, "value too great for base"
		}
		n = n*base + d
	}
	return n, ""
}
