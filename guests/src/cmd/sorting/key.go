// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sorting

import (
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
)

// kind is how a key is compared.
type kind uint8

const (
	kindText kind = iota
	kindNumeric
	kindGeneral
	kindHuman
	kindMonth
	kindVersion
	kindRandom
)

// position is one end of a key: a field, counted from 1 (0: none), and a
// character in it.
type position struct {
	field, char uint64
	skipBlanks  bool
}

// order says how to compare.
type order struct {
	kind                kind
	reverse             bool
	dictionary, noPrint bool // -d, -i
	fold                bool // -f
	blankStart          bool // -b given as an ordering option of the key or globally
	given               bool // any ordering option
}

// key is a -k.
type key struct {
	from, to position
	order
}

// set applies an ordering letter and reports whether it is one.
func (o *order) set(c byte) bool {
	switch c {
	case 'd':
		o.dictionary = true
	case 'f':
		o.fold = true
	case 'g':
		o.kind = kindGeneral
	case 'h':
		o.kind = kindHuman
	case 'i':
		o.noPrint = true
	case 'M':
		o.kind = kindMonth
	case 'n':
		o.kind = kindNumeric
	case 'R':
		o.kind = kindRandom
	case 'r':
		o.reverse = true
	case 'V':
		o.kind = kindVersion
	default:
		return false
	}
	o.given = true
	return true
}

// parseKey parses POS1[OPTS][,POS2[OPTS]].
func parseKey(p *cmdkit.Proc, s string) (k key, ok bool) {
	rest := s
	bad := func(why string) (key, bool) {
		p.Warn(why, ": invalid field specification ", cmdkit.Quote(s))
		return k, false
	}
	number := func(what string) (uint64, bool) {
		i := 0
		for i < len(rest) && rest[i] >= '0' && rest[i] <= '9' {
			i++
		}
		if i == 0 {
			p.Warn("invalid number ", what, ": invalid count at start of ", cmdkit.Quote(rest))
			return 0, false
		}
		v, e := cmdkit.ParseUint(rest[:i], "")
		if e == cmdkit.NumOverflow {
			v = 1<<63 - 1 // past every line's end
		}
		rest = rest[i:]
		return min(v, 1<<63-1), true
	}
	options := func(pos *position) {
		for rest != "" {
			if rest[0] == 'b' {
				pos.skipBlanks = true
				k.given = true
			} else if !k.set(rest[0]) {
				return
			}
			rest = rest[1:]
		}
	}
	if k.from.field, ok = number("at field start"); !ok {
		return k, false
	}
	if k.from.field == 0 {
		return bad("field number is zero")
	}
	k.from.char = 1
	if rest != "" && rest[0] == '.' {
		rest = rest[1:]
		if k.from.char, ok = number("after '.'"); !ok {
			return k, false
		}
		if k.from.char == 0 {
			return bad("character offset is zero")
		}
	}
	options(&k.from)
	if rest != "" && rest[0] == ',' {
		rest = rest[1:]
		if k.to.field, ok = number("after ','"); !ok {
			return k, false
		}
		if k.to.field == 0 {
			return bad("field number is zero")
		}
		if rest != "" && rest[0] == '.' {
			rest = rest[1:]
			if k.to.char, ok = number("after '.'"); !ok {
				return k, false
			}
		}
		options(&k.to)
	}
	if rest != "" {
		return bad("stray character in field spec")
	}
	return k, true
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// extract returns the part of a line that the key means. tab is the separator,
// or -1 for the empty string between a non-blank and a blank.
//
// POSIX: sort, -k.
func (k *key) extract(line []byte, tab int) []byte {
	begin := skipFields(line, k.from.field-1, tab)
	if k.from.skipBlanks {
		for begin < len(line) && blank(line[begin]) {
			begin++
		}
	}
	if c := k.from.char - 1; c < uint64(len(line)-begin) {
		begin += int(c)
	} else {
		begin = len(line)
	}
	end := len(line)
	if k.to.field != 0 {
		if k.to.char == 0 { // to the end of the field
			end = fieldEnd(line, k.to.field, tab)
		} else {
			end = skipFields(line, k.to.field-1, tab)
			if k.to.skipBlanks {
				for end < len(line) && blank(line[end]) {
					end++
				}
			}
			if c := k.to.char; c < uint64(len(line)-end) {
				end += int(c)
			} else {
				end = len(line)
			}
		}
	}
	if end < begin {
		end = begin
	}
	return line[begin:end]
}

// skipFields returns where the field behind n others begins.
func skipFields(line []byte, n uint64, tab int) int {
	i := 0
	if tab >= 0 {
		for ; n > 0 && i < len(line); n-- {
			for i < len(line) && line[i] != byte(tab) {
				i++
			}
			if i < len(line) {
				i++
			}
		}
		return i
	}
	for ; n > 0 && i < len(line); n-- {
		for i < len(line) && blank(line[i]) {
			i++
		}
		for i < len(line) && !blank(line[i]) {
			i++
		}
	}
	return i
}

// fieldEnd returns where field n ends.
func fieldEnd(line []byte, n uint64, tab int) int {
	if tab < 0 {
		return skipFields(line, n, tab)
	}
	i := 0
	for {
		for i < len(line) && line[i] != byte(tab) {
			i++
		}
		if n--; n == 0 || i >= len(line) {
			return i
		}
		i++
	}
}
