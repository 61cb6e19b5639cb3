// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package source

import "strings"

// arithEnd returns the offset of the )) that ends the arithmetic whose second (
// is the first byte of s; 0 where the parentheses end otherwise, because it is
// a subshell in a subshell.
func arithEnd(s string) int {
	n := match(s, '(', ')')
	if n == 0 || n >= len(s) || s[n] != ')' {
		return 0
	}
	return n
}

// double passes over a double-quoted text.
func (s *scanner) double() bool {
	s.i++
	for s.i < len(s.src) {
		switch s.src[s.i] {
		case '"':
			s.i++
			return true
		case '\'':
			s.i++
		case '$':
			if !s.dollar() {
				return false
			}
		default:
			if !s.skip(s.src[s.i]) {
				return false
			}
		}
	}
	return false
}

// dollar passes over what begins with $.
func (s *scanner) dollar() bool {
	switch s.at(1) {
	case '(':
		if s.at(2) == '(' {
			if n := arithEnd(s.src[s.i+2:]); n > 0 {
				s.mask(s.i+3, s.i+1+n)
				s.i += n + 3
				return true
			}
			if s.edit {
				s.insert(s.i + 2)
			}
		}
		s.i += 2
		return s.commands(')')
	case '[':
		n := Bracket(s.src[s.i+1:])
		if n == 0 {
			s.i += 2
			return true
		}
		s.mask(s.i+2, s.i+n)
		s.i += n + 1
		return true
	case '{':
		s.i += 2
		return s.param()
	case '\'':
		n := skipDollar(s.src[s.i:])
		if n == 0 {
			s.i = len(s.src)
			return false
		}
		s.i += n
		return true
	case '"':
		s.i++
		return s.double()
	}
	s.i++
	return true
}

// param passes over a parameter expansion from behind its ${.
func (s *scanner) param() bool {
	start := s.i - 2
	length, names := false, s.at(0) == '!'
	if c := s.at(0); (c == '!' || c == '#') && isNameStart(s.at(1)) {
		length = c == '#'
		s.i++
	}
	k := s.i
	for s.i < len(s.src) && isNameByte(s.src[s.i]) {
		s.i++
	}
	if k == s.i && strings.IndexByte("@*#?-$!", s.at(0)) >= 0 && s.i < len(s.src) {
		s.i++
	}
	if s.at(0) == '[' {
		n := Bracket(s.src[s.i:])
		if n == 0 {
			s.i = len(s.src)
			return false
		}
		if sub := s.src[s.i+1 : s.i+n-1]; sub != "@" && sub != "*" {
			s.mask(s.i+1, s.i+n-1)
		}
		s.i += n
	}
	if bad := k == s.i || s.i < len(s.src) && strings.IndexByte("}:-=?+#%/^,@~*", s.src[s.i]) < 0 || length && s.at(0) != '}' ||
		s.at(0) == '*' && !names || s.at(0) == '@' && !(names && s.at(1) == '}') && (s.at(2) != '}' || strings.IndexByte("UuLQEPAKak", s.at(1)) < 0); bad {
		n := brace(s.src[start+1:])
		if n == 0 {
			s.i = len(s.src)
			return false
		}
		s.i = start + 1 + n
		s.bads = append(s.bads, span{start, s.i})
		return true
	}
	if s.at(0) == ':' && strings.IndexByte("-=?+", s.at(1)) < 0 {
		// A slice: masked as a whole.
		n := brace("{" + s.src[s.i:])
		if n == 0 {
			s.i = len(s.src)
			return false
		}
		s.mask(s.i+1, s.i+n-2)
		s.i += n - 1
		return true
	}
	for s.i < len(s.src) {
		switch s.src[s.i] {
		case '}':
			s.i++
			return true
		case '$':
			if !s.dollar() {
				return false
			}
		case '"':
			if !s.double() {
				return false
			}
		default:
			if s.src[s.i] == '`' {
				if !s.skip('`') {
					return false
				}
				continue
			}
			n := Skip(s.src[s.i:])
			if n == 0 {
				// A lone quote inside double quotes is literal.
				n = 1
			}
			s.i += n
		}
	}
	return false
}

// hereOp reads << or <<- and its delimiter.
func (s *scanner) hereOp() {
	s.i += 2
	d := heredoc{}
	if s.at(0) == '-' {
		d.tabs = true
		s.i++
	}
	for isBlank(s.at(0)) {
		s.i++
	}
	var b []byte
	for s.i < len(s.src) && strings.IndexByte(" \t\r\n;&|()<>", s.src[s.i]) < 0 {
		n := Skip(s.src[s.i:])
		if n == 0 {
			n = 1
		}
		t := s.src[s.i : s.i+n]
		switch t[0] {
		case '\\':
			d.quoted = true
			t = t[1:]
		case '\'', '"':
			d.quoted = true
			t = strings.Trim(t, t[:1])
		}
		b = append(b, t...)
		s.i += n
	}
	d.delim = string(b)
	s.docs = append(s.docs, d)
}

// heredocs passes over the bodies that begin at the position.
func (s *scanner) heredocs() {
	docs := s.docs
	s.docs = nil
	for _, d := range docs {
		start := s.i
		end := len(s.src)
		next := end
		for k := start; k < len(s.src); {
			e := strings.IndexByte(s.src[k:], '\n')
			line := s.src[k:]
			after := len(s.src)
			if e >= 0 {
				line = s.src[k : k+e]
				after = k + e + 1
			}
			if d.tabs {
				line = strings.TrimLeft(line, "\t")
			}
			if line == d.delim {
				end, next = k, after
				break
			}
			k = after
		}
		if !d.quoted {
			for s.i < end {
				switch s.src[s.i] {
				case '\\':
					s.i += 2
				case '`':
					if !s.skip('`') {
						s.i = end
					}
				case '$':
					before := len(s.src)
					if !s.dollar() {
						s.i = end
					}
					end += len(s.src) - before
					next += len(s.src) - before
				default:
					s.i++
				}
			}
		}
		s.i = min(next, len(s.src))
	}
}
