// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// set is a bracket expression.
type set struct {
	neg     bool
	ascii   [2]uint64
	ranges  []runeRange
	classes []string
}

type runeRange struct{ lo, hi rune }

func (s *set) add(lo, hi rune) {
	for r := lo; r <= hi && r < 128; r++ {
		s.ascii[r>>6] |= 1 << (r & 63)
	}
	if hi >= 128 {
		s.ranges = append(s.ranges, runeRange{max(lo, 128), hi})
	}
}

func (s *set) has(r rune, nocase bool) bool {
	return s.has1(r, nocase) != s.neg
}

func (s *set) has1(r rune, nocase bool) bool {
	if s.has0(r) {
		return true
	}
	if nocase {
		if u := toUpper(r); u != r && s.has0(u) {
			return true
		}
		if l := toLower(r); l != r && s.has0(l) {
			return true
		}
	}
	return false
}

func (s *set) has0(r rune) bool {
	if r < 128 {
		return s.ascii[r>>6]>>(r&63)&1 != 0
	}
	for _, g := range s.ranges {
		if g.lo <= r && r <= g.hi {
			return true
		}
	}
	for _, c := range s.classes {
		if inClass(c, r) {
			return true
		}
	}
	return false
}

// parseSet reads the bracket expression at the start of pat and returns its
// length, or 0 where there is none.
func parseSet(pat string, flags Flags) (*set, int) {
	s := &set{}
	i := 1
	if i < len(pat) && (pat[i] == '!' || pat[i] == '^') {
		s.neg = true
		i++
	}
	first := true
	for i < len(pat) {
		c := pat[i]
		if c == ']' && !first {
			return s, i + 1
		}
		first = false
		if c == '[' && i+1 < len(pat) && pat[i+1] == ':' {
			if e := strings.Index(pat[i+2:], ":]"); e >= 0 {
				name := pat[i+2 : i+2+e]
				if !validClass(name) {
					// An unknown class matches nothing.
					i += e + 4
					continue
				}
				for r := rune(0); r < 128; r++ {
					if inClass(name, r) {
						s.add(r, r)
					}
				}
				s.classes = append(s.classes, name)
				i += e + 4
				continue
			}
		}
		lo, n := element(pat[i:], flags)
		if n == 0 {
			return nil, 0
		}
		i += n
		if i+1 < len(pat) && pat[i] == '-' && pat[i+1] != ']' {
			hi, n := element(pat[i+1:], flags)
			if n == 0 {
				return nil, 0
			}
			i += 1 + n
			if lo <= hi {
				s.add(lo, hi)
			}
			continue
		}
		s.add(lo, lo)
	}
	return nil, 0
}

// element reads one character, escaped character, [.x.] or [=x=].
func element(p string, flags Flags) (rune, int) {
	if p == "" {
		return 0, 0
	}
	if p[0] == '[' && len(p) > 1 && (p[1] == '.' || p[1] == '=') {
		if e := strings.Index(p[2:], p[1:2]+"]"); e > 0 {
			r, n := utf8.DecodeRuneInString(p[2:])
			if n == e {
				return r, e + 4
			}
		}
	}
	k := 0
	if p[0] == '\\' && len(p) > 1 {
		k = 1
	}
	if flags&Bytes != 0 {
		return rune(p[k]), k + 1
	}
	r, n := utf8.DecodeRuneInString(p[k:])
	if r == utf8.RuneError && n == 1 {
		return rune(p[k]) | invalidBit, k + 1
	}
	return r, k + n
}

func validClass(name string) bool {
	switch name {
	case "alpha", "digit", "alnum", "upper", "lower", "space", "blank", "punct", "print", "graph", "cntrl", "xdigit", "word", "ascii":
		return true
	}
	return false
}

// inClass reports whether r is in the named character class.
func inClass(name string, r rune) bool {
	if r >= invalidBit {
		return false
	}
	switch name {
	case "alpha":
		return r|32 >= 'a' && r|32 <= 'z' || r >= 128 && unicode.IsLetter(r)
	case "digit":
		return r >= '0' && r <= '9'
	case "alnum":
		return r >= '0' && r <= '9' || inClass("alpha", r)
	case "word":
		return r == '_' || inClass("alnum", r)
	case "upper":
		return r >= 'A' && r <= 'Z' || r >= 128 && unicode.IsUpper(r)
	case "lower":
		return r >= 'a' && r <= 'z' || r >= 128 && unicode.IsLower(r)
	case "space":
		return r == ' ' || r >= '\t' && r <= '\r' || r >= 128 && unicode.IsSpace(r)
	case "blank":
		return r == ' ' || r == '\t'
	case "punct":
		return r < 128 && r > ' ' && r != 127 && !inClass("alnum", r) || r >= 128 && (unicode.IsPunct(r) || unicode.IsSymbol(r))
	case "print":
		return r >= ' ' && r < 127 || r >= 160 && unicode.IsGraphic(r)
	case "graph":
		return r > ' ' && r < 127 || r >= 160 && unicode.IsGraphic(r) && !unicode.IsSpace(r)
	case "cntrl":
		return r < ' ' || r >= 127 && r < 160
	case "xdigit":
		return r >= '0' && r <= '9' || r|32 >= 'a' && r|32 <= 'f'
	case "ascii":
		return r < 128
	}
	return false
}

func toUpper(r rune) rune {
	if r < 128 {
		if r >= 'a' && r <= 'z' {
			return r - 32
		}
		return r
	}
	return unicode.ToUpper(r)
}

func toLower(r rune) rune {
	if r < 128 {
		if r >= 'A' && r <= 'Z' {
			return r + 32
		}
		return r
	}
	return unicode.ToLower(r)
}

func foldString(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			b = append(b, s[i])
		} else {
			b = utf8.AppendRune(b, toLower(r))
		}
		i += n
	}
	return string(b)
}
