// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"strings"
	"unicode/utf8"
)

// Flags modify how a pattern is read and matched.
type Flags uint8

// Pattern flags.
const (
	NoCase  Flags = 1 << iota // letters match either case
	ExtGlob                   // ?( *( +( @( !( are operators
	Bytes                     // characters are bytes (the C locale)
)

type opcode uint8

const (
	opLit   opcode = iota // the bytes of lit
	opAny                 // one character
	opSet                 // one character of a bracket expression
	opStar                // any text
	opGroup               // an extended form
)

type op struct {
	code opcode
	lit  string
	set  *set
	kind byte // ? * + @ ! of a group
	alts [][]op
}

// Pattern is a compiled pattern. It is immutable but for a lazily built graph,
// and not safe for use by several goroutines at once.
type Pattern struct {
	ops   []op
	flags Flags
	group bool // has an extended form
	nstar int
	g     *graph
}

// Compile compiles pat. Every text is a pattern: a bracket or an extended form
// without its end stands for itself.
func Compile(pat string, flags Flags) *Pattern {
	p := &Pattern{flags: flags}
	c := compiler{p: p}
	p.ops = c.seq(pat)
	return p
}

type compiler struct {
	p   *Pattern
	buf []byte
}

func (c *compiler) seq(pat string) []op {
	var ops []op
	var buf []byte
	flush := func() {
		if len(buf) > 0 {
			l := string(buf)
			if c.p.flags&NoCase != 0 {
				l = foldString(l)
			}
			ops = append(ops, op{code: opLit, lit: l})
			buf = buf[:0]
		}
	}
	for i := 0; i < len(pat); {
		ch := pat[i]
		if c.p.flags&ExtGlob != 0 && i+1 < len(pat) && pat[i+1] == '(' && isGroupOp(ch) {
			if alts, n, ok := splitGroup(pat[i+1:]); ok {
				flush()
				g := op{code: opGroup, kind: ch}
				for _, a := range alts {
					g.alts = append(g.alts, c.seq(a))
				}
				ops = append(ops, g)
				c.p.group = true
				i += 1 + n
				continue
			}
		}
		switch ch {
		case '\\':
			if i+1 < len(pat) {
				i++
			}
			buf = append(buf, pat[i])
			i++
		case '?':
			flush()
			ops = append(ops, op{code: opAny})
			i++
		case '*':
			flush()
			if n := len(ops); n == 0 || ops[n-1].code != opStar {
				ops = append(ops, op{code: opStar})
				c.p.nstar++
			}
			i++
		case '[':
			s, n := parseSet(pat[i:], c.p.flags)
			if n == 0 {
				buf = append(buf, '[')
				i++
				continue
			}
			flush()
			ops = append(ops, op{code: opSet, set: s})
			i += n
		default:
			buf = append(buf, ch)
			i++
		}
	}
	flush()
	return ops
}

func isGroupOp(c byte) bool { return c == '?' || c == '*' || c == '+' || c == '@' || c == '!' }

// splitGroup splits "(a|b)..." into its alternatives and the length read.
func splitGroup(s string) (alts []string, n int, ok bool) {
	depth, start := 0, 1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			if _, n := parseSet(s[i:], 0); n > 0 {
				i += n - 1
			}
		case '(':
			depth++
		case '|':
			if depth == 1 {
				alts = append(alts, s[start:i])
				start = i + 1
			}
		case ')':
			depth--
			if depth == 0 {
				return append(alts, s[start:i]), i + 1, true
			}
		}
	}
	return nil, 0, false
}

// HasMeta reports whether pat has an active special character, so that
// pathname expansion applies to it.
func HasMeta(pat string, flags Flags) bool {
	for i := 0; i < len(pat); i++ {
		switch c := pat[i]; c {
		case '\\':
			i++
		case '*', '?':
			return true
		case '[':
			if _, n := parseSet(pat[i:], flags); n > 0 {
				return true
			}
		case '+', '@', '!':
			if flags&ExtGlob != 0 && i+1 < len(pat) && pat[i+1] == '(' {
				if _, _, ok := splitGroup(pat[i+1:]); ok {
					return true
				}
			}
		}
	}
	return false
}

// Escape returns a pattern that matches exactly s.
func Escape(s string) string {
	if !strings.ContainsAny(s, `\*?[]()|!+@-^`) {
		return s
	}
	return string(AppendEscaped(nil, s))
}

// AppendEscaped appends Escape(s) to b.
func AppendEscaped(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\', '*', '?', '[', ']', '(', ')', '|', '!', '+', '@', '-', '^':
			b = append(b, '\\')
		}
		b = append(b, s[i])
	}
	return b
}

// Unescape removes the backslashes from a pattern without special characters.
func Unescape(pat string) string {
	if strings.IndexByte(pat, '\\') < 0 {
		return pat
	}
	b := make([]byte, 0, len(pat))
	for i := 0; i < len(pat); i++ {
		if pat[i] == '\\' && i+1 < len(pat) {
			i++
		}
		b = append(b, pat[i])
	}
	return string(b)
}

// StartsWithDot reports whether the pattern can only or also match a leading
// period explicitly, as file name matching demands.
func (p *Pattern) StartsWithDot() bool { return startsWithDot(p.ops) }

func startsWithDot(ops []op) bool {
	for _, o := range ops {
		switch o.code {
		case opLit:
			return o.lit[0] == '.'
		case opGroup:
			if o.kind == '!' {
				return false
			}
			for _, a := range o.alts {
				if startsWithDot(a) {
					return true
				}
			}
			if o.kind == '?' || o.kind == '*' {
				continue
			}
			return false
		default:
			return false
		}
	}
	return false
}

// Literal returns the text when the pattern has no special character.
func (p *Pattern) Literal() (string, bool) {
	switch {
	case p.flags&NoCase != 0:
		return "", false
	case len(p.ops) == 0:
		return "", true
	case len(p.ops) == 1 && p.ops[0].code == opLit:
		return p.ops[0].lit, true
	}
	return "", false
}

// char returns the length of the first character of s, which is not empty.
func (p *Pattern) char(s string) (rune, int) {
	if s[0] < utf8.RuneSelf || p.flags&Bytes != 0 {
		return rune(s[0]), 1
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		return rune(s[0]) | invalidBit, 1
	}
	return r, n
}

// invalidBit marks a byte that is not part of a valid character.
const invalidBit = 1 << 30
