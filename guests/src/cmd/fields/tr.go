// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fields

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var trSyntax = cmdkit.Syntax{
	Short: "+cCdst",
	Long: []cmdkit.Long{
		{Name: "complement", Val: 'c'}, {Name: "delete", Val: 'd'}, {Name: "squeeze-repeats", Val: 's'}, {Name: "truncate-set1", Val: 't'},
	},
	Usage: []string{"[OPTION]... STRING1 [STRING2]"},
	Help: "Translate, squeeze, and/or delete characters from standard input, writing to\nstandard output.\n\n" +
		"  -c, -C, --complement    use the complement of STRING1\n  -d, --delete            delete characters in STRING1, do not translate\n" +
		"  -s, --squeeze-repeats   replace each sequence of a repeated character that is\n                          listed in the last specified STRING by one\n  -t, --truncate-set1     first truncate STRING1 to length of STRING2\n\n" +
		"STRINGs may have ranges a-z, classes [:alpha:], equivalents [=c=], repeats\n[c*n] and escapes \\NNN, \\n, \\t, ...\n",
}

// trSet is a STRING of tr, expanded.
type trSet struct {
	chars   []byte
	kinds   []byte // what each character came from: 0, 'u'pper, 'l'ower or another 'c'lass
	fill    int    // where a [c*] repeat stands, or -1
	fillc   byte
	classes bool // a class other than upper and lower
	equiv   bool
}

// Tr is tr(1).
func Tr(p *cmdkit.Proc) int {
	complement, del, squeeze, truncate := false, false, false, false
	g := p.Options(&trSyntax)
	for g.Next() {
		switch g.Opt {
		case 'c', 'C':
			complement = true
		case 'd':
			del = true
		case 's':
			squeeze = true
		case 't':
			truncate = true
		}
	}
	if g.Stop {
		return g.Status
	}
	ops := g.Operands
	least, most := 2, 2
	if del && !squeeze {
		least, most = 1, 1
	} else if squeeze && !del {
		least = 1
	}
	switch {
	case len(ops) == 0:
		return p.MissingOperand(1)
	case len(ops) < least:
		p.Warn("missing operand after ", cmdkit.Quote(ops[len(ops)-1]))
		if squeeze {
			p.Stderr.WriteString("Two strings must be given when both deleting and squeezing repeats.\n")
		} else {
			p.Stderr.WriteString("Two strings must be given when translating.\n")
		}
		return p.TryHelp(1)
	case len(ops) > most:
		p.Warn("extra operand ", cmdkit.Quote(ops[most]))
		if most == 1 {
			p.Stderr.WriteString("Only one string may be given when deleting without squeezing repeats.\n")
		}
		return p.TryHelp(1)
	}
	set1, ok := parseTrSet(p, ops[0])
	if !ok {
		return 1
	}
	if set1.fill >= 0 {
		p.Warn("the [c*] repeat construct may not appear in string1")
		return 1
	}
	var in [256]bool
	for _, c := range set1.chars {
		in[c] = true
	}
	if complement {
		set1.chars = set1.chars[:0]
		for c := range 256 {
			in[c] = !in[c]
			if in[c] {
				set1.chars = append(set1.chars, byte(c))
			}
		}
	}
	var set2 trSet
	if len(ops) == 2 {
		if set2, ok = parseTrSet(p, ops[1]); !ok {
			return 1
		}
	}
	var table [256]byte
	var drop, repeat [256]bool
	for c := range table {
		table[c] = byte(c)
	}
	translate := len(ops) == 2 && !del
	if translate && !trTranslation(p, &set1, &set2, complement, truncate, &table) {
		return 1
	}
	if del {
		drop = in
	}
	if squeeze {
		last := &set2
		if len(ops) == 1 {
			last = &set1
		} else {
			trFill(&set2, len(set1.chars))
		}
		for _, c := range last.chars {
			repeat[c] = true
		}
	}
	var codes [256]uint16
	for c := range codes {
		codes[c] = uint16(table[c])
		if drop[c] {
			codes[c] |= abi.TranslateDrop
		}
		if repeat[table[c]] {
			codes[c] |= abi.TranslateSqueeze
		}
	}
	prev := int32(-1)
	for p.Stdout.Err == nil {
		b := p.Stdin.Chunk()
		if len(b) == 0 {
			break
		}
		p.Stdout.Write(b[:trBytes(b, &codes, &prev)])
	}
	if p.Stdin.Err != nil {
		return p.Errno(p.Stdin.Err, "read error")
	}
	return 0
}

// trBytes replaces the bytes of b in place and returns the new length. prev is
// the byte before b, or -1.
func trBytes(b []byte, codes *[256]uint16, prev *int32) int {
	if len(b) > wsys.Worth {
		return wsys.Translate(b, codes, prev)
	}
	n := 0
	for _, c := range b {
		e := codes[c]
		if e&abi.TranslateDrop != 0 || e&abi.TranslateSqueeze != 0 && int32(byte(e)) == *prev {
			continue
		}
		*prev = int32(byte(e))
		b[n] = byte(e)
		n++
	}
	return n
}

func trFill(s *trSet, n int) {
	if s.fill < 0 {
		return
	}
	add := max(0, n-len(s.chars))
	chars := append([]byte(nil), s.chars[:s.fill]...)
	kinds := append([]byte(nil), s.kinds[:s.fill]...)
	for range add {
		chars = append(chars, s.fillc)
		kinds = append(kinds, 0)
	}
	s.chars = append(chars, s.chars[s.fill:]...)
	s.kinds = append(kinds, s.kinds[s.fill:]...)
	s.fill = -1
}

func trTranslation(p *cmdkit.Proc, s1, s2 *trSet, complement, truncate bool, table *[256]byte) bool {
	trFill(s2, len(s1.chars))
	if s2.equiv {
		p.Warn("[=c=] expressions may not appear in string2 when translating")
		return false
	}
	if s2.classes {
		p.Warn("when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'")
		return false
	}
	if !complement {
		for i, k := range s2.kinds {
			if k != 0 && (i >= len(s1.kinds) || s1.kinds[i] != 'u' && s1.kinds[i] != 'l') {
				p.Warn("misaligned [:upper:] and/or [:lower:] construct")
				return false
			}
		}
	}
	if len(s2.chars) == 0 {
		if truncate || len(s1.chars) == 0 {
			return true
		}
		p.Warn("when not truncating set1, string2 must be non-empty")
		return false
	}
	for i, c := range s1.chars {
		switch {
		case i < len(s2.chars):
			table[c] = s2.chars[i]
		case truncate:
			return true
		default:
			table[c] = s2.chars[len(s2.chars)-1]
		}
	}
	return true
}

// trClasses are the classes of the C locale, in the order of their names.
var trClasses = [...]struct {
	name string
	in   func(c int) bool
}{
	{"alnum", func(c int) bool { return isAlpha(c) || c >= '0' && c <= '9' }},
	{"alpha", isAlpha},
	{"blank", func(c int) bool { return c == ' ' || c == '\t' }},
	{"cntrl", func(c int) bool { return c < 32 || c == 127 }},
	{"digit", func(c int) bool { return c >= '0' && c <= '9' }},
	{"graph", func(c int) bool { return c > 32 && c < 127 }},
	{"lower", func(c int) bool { return c >= 'a' && c <= 'z' }},
	{"print", func(c int) bool { return c >= 32 && c < 127 }},
	{"punct", func(c int) bool { return c > 32 && c < 127 && !isAlpha(c) && (c < '0' || c > '9') }},
	{"space", func(c int) bool { return c == ' ' || c >= 9 && c <= 13 }},
	{"upper", func(c int) bool { return c >= 'A' && c <= 'Z' }},
	{"xdigit", func(c int) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }},
}

func isAlpha(c int) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// trUnit reads one character or escape of s at i.
func trUnit(p *cmdkit.Proc, s string, i int) (c byte, next int, escaped bool) {
	if s[i] != '\\' {
		return s[i], i + 1, false
	}
	if i+1 == len(s) {
		p.Warn("warning: an unescaped backslash at end of string is not portable")
		return '\\', i + 1, false
	}
	switch e := s[i+1]; e {
	case 'a':
		return 7, i + 2, true
	case 'b':
		return 8, i + 2, true
	case 'f':
		return 12, i + 2, true
	case 'n':
		return 10, i + 2, true
	case 'r':
		return 13, i + 2, true
	case 't':
		return 9, i + 2, true
	case 'v':
		return 11, i + 2, true
	case '0', '1', '2', '3', '4', '5', '6', '7':
		v, j := 0, i+1
		for ; j < len(s) && j < i+4 && s[j] >= '0' && s[j] <= '7'; j++ {
			if v*8+int(s[j]-'0') > 255 {
				p.Warn("warning: the ambiguous octal escape \\", s[i+1:j+1], " is being\n\tinterpreted as the 2-byte sequence \\0", s[i+1:j], ", ", s[j:j+1])
				break
			}
			v = v*8 + int(s[j]-'0')
		}
		return byte(v), j, true
	default:
		return e, i + 2, true
	}
}

func parseTrSet(p *cmdkit.Proc, s string) (set trSet, ok bool) {
	set.fill = -1
	add := func(c, kind byte) {
		set.chars = append(set.chars, c)
		set.kinds = append(set.kinds, kind)
	}
	for i := 0; i < len(s); {
		if s[i] == '[' && i+1 < len(s) {
			if s[i+1] == ':' || s[i+1] == '=' {
				end := -1
				for j := i + 2; j+1 < len(s); j++ {
					if s[j] == s[i+1] && s[j+1] == ']' && (s[i+1] == ':' || j > i+2) {
						end = j
						break
					}
				}
				if end >= 0 {
					name := s[i+2 : end]
					if s[i+1] == '=' {
						c, n, _ := byte(0), 0, false
						if name != "" {
							c, n, _ = trUnit(p, name, 0)
						}
						if n != len(name) || name == "" {
							p.Warn(name, ": equivalence class operand must be a single character")
							return set, false
						}
						add(c, 0)
						set.equiv = true
						i = end + 2
						continue
					}
					found := false
					for _, cl := range trClasses {
						if cl.name != name {
							continue
						}
						found = true
						kind := byte('c')
						switch name {
						case "upper":
							kind = 'u'
						case "lower":
							kind = 'l'
						default:
							set.classes = true
						}
						for c := range 256 {
							if cl.in(c) {
								add(byte(c), kind)
							}
						}
					}
					if !found {
						if name == "" {
							p.Warn("missing character class name '[::]'")
						} else {
							p.Warn("invalid character class ", cmdkit.Quote(name))
						}
						return set, false
					}
					i = end + 2
					continue
				}
			}
			if c, j, _ := trUnit(p, s, i+1); j < len(s) && s[j] == '*' { // [c*n]
				k := j + 1
				for k < len(s) && isDigit(s[k]) {
					k++
				}
				if k < len(s) && s[k] == ']' {
					num := s[j+1 : k]
					n := uint64(0)
					if num != "" {
						base := 10
						if num[0] == '0' {
							base = 8
						}
						v, err := strconv.ParseUint(num, base, 64)
						if err != nil {
							p.Warn("invalid repeat count ", cmdkit.Quote(num), " in [c*n] construct")
							return set, false
						}
						n = v
					}
					if n == 0 {
						if set.fill >= 0 {
							p.Warn("only one [c*] repeat construct may appear in string2")
							return set, false
						}
						set.fill, set.fillc = len(set.chars), c
					}
					for range min(n, 1<<16) { // more cannot matter: there are 256 characters
						add(c, 0)
					}
					i = k + 1
					continue
				}
			}
		}
		c, j, _ := trUnit(p, s, i)
		if j+1 < len(s) && s[j] == '-' {
			hi, k, _ := trUnit(p, s, j+1)
			if hi < c {
				p.Warn("range-endpoints of '", s[i:j], "-", s[j+1:k], "' are in reverse collating sequence order")
				return set, false
			}
			for x := int(c); x <= int(hi); x++ {
				add(byte(x), 0)
			}
			i = k
			continue
		}
		add(c, 0)
		i = j
	}
	return set, true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
