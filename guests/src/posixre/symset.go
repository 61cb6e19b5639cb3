// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package posixre

import (
	"unicode"
	"unicode/utf8"
)

// A symbol is one element of text: in single-byte text a byte; in UTF-8 text a
// code point, or badByte plus the byte where the text is not valid there.
const (
	badByte   int32 = utf8.MaxRune + 1
	maxSymbol int32 = badByte + 0xff
)

// span is a range of symbols, both ends included.
type span struct{ lo, hi int32 }

// symset is a set of symbols: sorted spans that do not touch.
type symset []span

func (s symset) single() (int32, bool) {
	if len(s) == 1 && s[0].lo == s[0].hi {
		return s[0].lo, true
	}
	return 0, false
}

func (s symset) has(c int32) bool {
	lo, hi := 0, len(s)
	for lo < hi {
		m := (lo + hi) / 2
		if s[m].hi < c {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo < len(s) && s[lo].lo <= c
}

// normal sorts and joins spans.
func (s symset) normal() symset {
	for i := 1; i < len(s); i++ { // mostly sorted already
		for k := i; k > 0 && s[k].lo < s[k-1].lo; k-- {
			s[k], s[k-1] = s[k-1], s[k]
		}
	}
	n := 0
	for _, r := range s {
		if n > 0 && r.lo <= s[n-1].hi+1 {
			s[n-1].hi = max(s[n-1].hi, r.hi)
			continue
		}
		s[n] = r
		n++
	}
	return s[:n]
}

// complement returns the symbols of all that are not in s.
func (s symset) complement(all symset) symset {
	var out symset
	i := 0
	for _, a := range all {
		lo := a.lo
		for i < len(s) && s[i].hi < lo {
			i++
		}
		for k := i; k < len(s) && s[k].lo <= a.hi; k++ {
			if s[k].lo > lo {
				out = append(out, span{lo, s[k].lo - 1})
			}
			lo = s[k].hi + 1
		}
		if lo <= a.hi {
			out = append(out, span{lo, a.hi})
		}
	}
	return out
}

func (s symset) union(t symset) symset {
	return append(append(make(symset, 0, len(s)+len(t)), s...), t...).normal()
}

// foldSpans calls f with the ranges beyond ASCII that hold letters of two cases.
func foldSpans(f func(lo, hi int32)) {
	for _, r := range unicode.CaseRanges {
		if r.Hi >= 0x80 {
			f(max(int32(r.Lo), 0x80), int32(r.Hi))
		}
	}
}

// fold returns s with every case variant of its members.
func (s symset) fold(bytes bool) symset {
	out := append(symset(nil), s...)
	add := func(c int32) {
		for r := unicode.SimpleFold(rune(c)); r != rune(c); r = unicode.SimpleFold(r) {
			if !bytes || r < 0x80 {
				out = append(out, span{int32(r), int32(r)})
			}
		}
	}
	wide := false
	for _, r := range s {
		for c := r.lo; c <= min(r.hi, 0x7f); c++ {
			if c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
				add(c)
			}
		}
		wide = wide || r.hi >= 0x80 && r.lo <= unicode.MaxRune
	}
	if wide && !bytes {
		if c, ok := s.single(); ok {
			add(c)
		} else {
			foldSpans(func(lo, hi int32) {
				for c := lo; c <= hi; c++ {
					if s.has(c) {
						add(c)
					}
				}
			})
		}
	}
	sortSpans(out)
	return out.normal()
}

func sortSpans(s symset) {
	// Shell sort: the lists are short or nearly sorted, and package sort would
	// be the only reason to link it.
	for gap := len(s) / 2; gap > 0; gap /= 2 {
		for i := gap; i < len(s); i++ {
			for k := i; k >= gap && s[k].lo < s[k-gap].lo; k -= gap {
				s[k], s[k-gap] = s[k-gap], s[k]
			}
		}
	}
}

func tableSet(tables ...*unicode.RangeTable) symset {
	var s symset
	add := func(lo, hi, stride int32) {
		if stride == 1 {
			s = append(s, span{lo, hi})
			return
		}
		for c := lo; c <= hi; c += stride {
			s = append(s, span{c, c})
		}
	}
	for _, t := range tables {
		for _, r := range t.R16 {
			add(int32(r.Lo), int32(r.Hi), int32(r.Stride))
		}
		for _, r := range t.R32 {
			add(int32(r.Lo), int32(r.Hi), int32(r.Stride))
		}
	}
	sortSpans(s)
	return s.normal()
}

var asciiClasses = []struct {
	name string
	set  symset
}{
	{"alnum", symset{{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
	{"alpha", symset{{'A', 'Z'}, {'a', 'z'}}},
	{"blank", symset{{'\t', '\t'}, {' ', ' '}}},
	{"cntrl", symset{{0, 31}, {127, 127}}},
	{"digit", symset{{'0', '9'}}},
	{"graph", symset{{'!', '~'}}},
	{"lower", symset{{'a', 'z'}}},
	{"print", symset{{' ', '~'}}},
	{"punct", symset{{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
	{"space", symset{{'\t', '\r'}, {' ', ' '}}},
	{"upper", symset{{'A', 'Z'}}},
	{"xdigit", symset{{'0', '9'}, {'A', 'F'}, {'a', 'f'}}},
}

// wideSpace is what the GNU C library's UTF-8 locales call white space beyond
// ASCII: Unicode's, without the spaces that do not break.
var wideSpace = symset{{0x1680, 0x1680}, {0x2000, 0x2006}, {0x2008, 0x200a},
	{0x2028, 0x2029}, {0x205f, 0x205f}, {0x3000, 0x3000}}

var wideBlank = symset{{0x1680, 0x1680}, {0x2000, 0x2006}, {0x2008, 0x200a},
	{0x205f, 0x205f}, {0x3000, 0x3000}}

// above returns the members of s from lo on.
func (s symset) above(lo int32) symset {
	var out symset
	for _, r := range s {
		if r.hi >= lo {
			out = append(out, span{max(r.lo, lo), r.hi})
		}
	}
	return out
}

// class returns the members of a named class, or nil.
func class(name string, bytes bool) symset {
	for i := range asciiClasses {
		c := &asciiClasses[i]
		if c.name != name {
			continue
		}
		if bytes {
			return c.set
		}
		return c.set.union(wideClass(name))
	}
	return nil
}

func wideAlpha() symset {
	return tableSet(unicode.L, unicode.Nl, unicode.Nd, unicode.Other_Alphabetic).above(0x80)
}

func widePrint() symset {
	return tableSet(unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Zs, unicode.Cf, unicode.Co).above(0x80)
}

// wideClass returns the members of a class beyond ASCII.
func wideClass(name string) symset {
	switch name {
	case "alnum", "alpha":
		return wideAlpha()
	case "blank":
		return wideBlank
	case "cntrl":
		return symset{{0x80, 0x9f}, {0x2028, 0x2029}}
	case "graph":
		return wideSpace.complement(widePrint())
	case "lower":
		return tableSet(unicode.Ll, unicode.Other_Lowercase).above(0x80)
	case "print":
		return widePrint()
	case "punct":
		return wideAlpha().union(wideSpace).complement(widePrint())
	case "space":
		return wideSpace
	case "upper":
		return tableSet(unicode.Lu, unicode.Other_Uppercase).above(0x80)
	}
	return nil
}
