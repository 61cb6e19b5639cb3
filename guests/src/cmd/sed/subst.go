// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sed

import (
	"unicode"
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/guests/src/posixre"
)

// caseMode is a case conversion of a replacement.
type caseMode uint8

const (
	caseNone caseMode = iota
	caseUpper
	caseLower
	caseOnceUpper
	caseOnceLower
	caseEnd
)

// part is a piece of a replacement: a conversion that begins, a text, then a
// group.
type part struct {
	conv  caseMode
	text  []byte
	group int // -1: none
}

// subst is the s command.
type subst struct {
	re     *posixre.Regexp // nil: the last one used
	parts  []part
	conv   bool // some part converts
	groups int  // largest group used
	whole  bool // & is used
	global bool
	print  int
	eval   bool
	nth    int
	out    *output
	loc    []int
}

// substitute parses the rest of an s command.
func (p *parser) substitute(c *command) {
	delim := p.get()
	if delim == eof || delim == '\n' || delim == '\\' {
		p.bad("unterminated `s' command")
	}
	pat, ok := p.delimited(delim, true)
	if !ok {
		p.bad("unterminated `s' command")
	}
	repl, ok := p.delimited(delim, false)
	if !ok {
		p.bad("unterminated `s' command")
	}
	u := &subst{}
	c.sub = u
	p.replacement(u, repl)
	var flags posixre.Flags
	for done := false; !done; {
		ch := p.get()
		switch ch {
		case 'i', 'I':
			flags |= posixre.ICase
		case 'm', 'M':
			flags |= posixre.Newline
		case 'e':
			if p.s.sandbox {
				p.bad("e/r/w commands disabled in sandbox mode")
			}
			u.eval = true
		case 'p':
			if u.print != 0 {
				p.bad("multiple `p' options to `s' command")
			}
			u.print = 1
			if u.eval {
				u.print = 2
			}
		case 'g':
			if u.global {
				p.bad("multiple `g' options to `s' command")
			}
			u.global = true
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			if u.nth != 0 {
				p.bad("multiple number options to `s' command")
			}
			if u.nth = int(min(p.number(ch), 1<<30)); u.nth == 0 {
				p.bad("number option to `s' command may not be zero")
			}
		case 'w':
			u.out = p.s.openOutput(p, p.fileName())
			done = true
		case '}', '#':
			p.unget(ch)
			done = true
		case eof, '\n', ';':
			done = true
		case ' ', '\t':
		case '\r':
			if ch = p.get(); ch == '\n' || ch == eof {
				done = true
				break
			}
			p.bad("unknown option to `s'")
		default:
			p.bad("unknown option to `s'")
		}
	}
	u.re = p.compile(pat, flags)
	if u.re != nil && u.groups > u.re.NumSubexp() {
		p.bad("invalid reference \\", itoa(u.groups), " on `s' command's RHS")
	}
	u.loc = make([]int, 2*u.groups+2)
}

// replacement parses the right-hand side.
func (p *parser) replacement(u *subst, s string) {
	cur := part{group: -1}
	flush := func() {
		if cur.conv != caseNone || len(cur.text) > 0 || cur.group >= 0 {
			u.parts = append(u.parts, cur)
		}
		cur = part{group: -1}
	}
	group := func(n int) {
		cur.group = n
		u.whole = u.whole || n == 0
		u.groups = max(u.groups, n)
		flush()
	}
	conv := func(m caseMode) {
		flush()
		cur.conv = m
		u.conv = true
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '&' {
			group(0)
			continue
		}
		if c != '\\' || i+1 == len(s) {
			cur.text = append(cur.text, c)
			continue
		}
		i++
		c = s[i]
		if c >= '0' && c <= '9' {
			group(int(c - '0'))
			continue
		}
		if !p.s.posix {
			switch c {
			case 'U':
				conv(caseUpper)
				continue
			case 'L':
				conv(caseLower)
				continue
			case 'u':
				conv(caseOnceUpper)
				continue
			case 'l':
				conv(caseOnceLower)
				continue
			case 'E':
				conv(caseEnd)
				continue
			}
			if v, n := escapeAt(s[i:]); n > 0 {
				cur.text = append(cur.text, v)
				i += n - 1
				continue
			}
		} else if c == 'n' {
			c = '\n'
		}
		cur.text = append(cur.text, c)
	}
	flush()
}

// converter applies case conversions across the parts of a replacement.
type converter struct {
	mode, once caseMode
	utf8       bool
}

func (v *converter) set(m caseMode) {
	switch m {
	case caseUpper, caseLower:
		v.mode, v.once = m, caseNone // as GNU: \u before \L is lost
	case caseOnceUpper, caseOnceLower:
		v.once = m
	case caseEnd:
		v.mode, v.once = caseNone, caseNone
	}
}

func (v *converter) append(to, b []byte) []byte {
	for len(b) > 0 {
		m := v.mode
		switch v.once {
		case caseOnceUpper:
			m = caseUpper
		case caseOnceLower:
			m = caseLower
		}
		v.once = caseNone
		if m == caseNone {
			return append(to, b...)
		}
		c := b[0]
		if c < utf8.RuneSelf || !v.utf8 {
			if m == caseUpper && c >= 'a' && c <= 'z' {
				c -= 'a' - 'A'
			} else if m == caseLower && c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			to = append(to, c)
			b = b[1:]
			continue
		}
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n <= 1 {
			to = append(to, c)
		} else if m == caseUpper {
			to = utf8.AppendRune(to, unicode.ToUpper(r))
		} else {
			to = utf8.AppendRune(to, unicode.ToLower(r))
		}
		b = b[n:]
	}
	return to
}

// expand appends the replacement for the match in b.
func (s *sed) expand(to []byte, u *subst, b []byte) []byte {
	if !u.conv {
		for i := range u.parts {
			p := &u.parts[i]
			to = append(to, p.text...)
			if p.group >= 0 && u.loc[2*p.group] >= 0 {
				to = append(to, b[u.loc[2*p.group]:u.loc[2*p.group+1]]...)
			}
		}
		return to
	}
	v := converter{utf8: s.utf8}
	for i := range u.parts {
		p := &u.parts[i]
		v.set(p.conv)
		to = v.append(to, p.text)
		if p.group >= 0 && u.loc[2*p.group] >= 0 {
			to = v.append(to, b[u.loc[2*p.group]:u.loc[2*p.group+1]])
		}
	}
	return to
}

// substituteIn runs an s command.
func (s *sed) substituteIn(c *command) {
	u := c.sub
	re := s.regex(u.re, c)
	if u.re == nil && u.groups > re.NumSubexp() {
		panic(scriptError(place{expr: c.where.expr, file: c.where.file, line: c.where.line}.prefix() +
			"invalid reference \\" + itoa(u.groups) + " on `s' command's RHS"))
	}
	b := s.ps
	out := s.tmp[:0]
	pos, copied, count := 0, 0, 0
	last := -1 // end of the match before
	done := false
	for pos <= len(b) {
		ok, err := re.Find(b, pos, 0, u.loc)
		if err != nil {
			s.fatal(exitPanic, "regex: ", err.Error())
		}
		if !ok {
			break
		}
		from, to := u.loc[0], u.loc[1]
		if from != to || from != last {
			count++
			if count >= u.nth {
				out = append(out, b[copied:from]...)
				out = s.expand(out, u, b)
				copied = to
				done = true
				if !u.global {
					break
				}
			}
		}
		last = to
		pos = to
		if from == to {
			pos += s.charLen(b, pos)
		}
	}
	if !done {
		return
	}
	out = append(out, b[copied:]...)
	s.tmp = out
	s.swapTmp()
	s.replaced = true
	if u.print == 1 && u.eval {
		s.write(s.out, s.ps, true)
	}
	if u.eval {
		s.evaluate()
	}
	if u.print == 2 || u.print == 1 && !u.eval {
		s.write(s.out, s.ps, s.nl)
	}
	if u.out != nil {
		s.write(u.out, s.ps, s.nl)
	}
}

// charLen returns the length of the character at b[i]; 1 at the end.
func (s *sed) charLen(b []byte, i int) int {
	if !s.utf8 || i >= len(b) || b[i] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeRune(b[i:])
	return n
}

// table is the y command.
type table struct {
	bytes [256]byte
	runes map[rune]rune // nil: bytes only
}

// translate parses the rest of a y command.
func (p *parser) translate(c *command) {
	delim := p.get()
	if delim == eof || delim == '\n' || delim == '\\' {
		p.bad("unterminated `y' command")
	}
	from, ok := p.delimited(delim, false)
	if !ok {
		p.bad("unterminated `y' command")
	}
	to, ok := p.delimited(delim, false)
	if !ok {
		p.bad("unterminated `y' command")
	}
	a, b := p.yString(from), p.yString(to)
	if len(a) != len(b) {
		p.bad("strings for `y' command are different lengths")
	}
	p.endOfCommand()
	t := &table{}
	for i := range t.bytes {
		t.bytes[i] = byte(i)
	}
	for i := len(a) - 1; i >= 0; i-- { // the first of equal ones counts
		x, y := a[i], b[i]
		if x < utf8.RuneSelf && y < utf8.RuneSelf || !p.s.utf8 || x < 0 && y < 0 {
			t.bytes[byte(x)] = byte(y)
			if x >= 0 && t.runes != nil {
				delete(t.runes, x)
			}
			continue
		}
		if t.runes == nil {
			t.runes = map[rune]rune{}
		}
		t.runes[x] = y
	}
	if t.runes != nil {
		for i := 0; i < utf8.RuneSelf; i++ {
			if _, ok := t.runes[rune(i)]; !ok {
				t.runes[rune(i)] = rune(t.bytes[i])
			}
		}
	}
	c.table = t
}

// yString resolves the escapes of a string of y. Bytes that are no characters
// are negative.
func (p *parser) yString(s string) []rune {
	var out []rune
	for i := 0; i < len(s); {
		if s[i] == '\\' && i+1 < len(s) {
			if s[i+1] == '\\' {
				out = append(out, '\\')
				i += 2
				continue
			}
			if s[i+1] == 'n' {
				out = append(out, '\n')
				i += 2
				continue
			}
			if !p.s.posix {
				if v, n := escapeAt(s[i+1:]); n > 0 {
					out = append(out, rune(v))
					i += 1 + n
					continue
				}
			}
		}
		if !p.s.utf8 {
			out = append(out, rune(s[i]))
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n <= 1 {
			r = -256 + rune(s[i])
		}
		out = append(out, r)
		i += n
	}
	return out
}

func (s *sed) translateIn(t *table) {
	if t.runes == nil {
		s.own()
		for i, c := range s.ps {
			s.ps[i] = t.bytes[c]
		}
		return
	}
	out := s.tmp[:0]
	for b := s.ps; len(b) > 0; {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n <= 1 {
			r = -256 + rune(b[0])
		}
		if y, ok := t.runes[r]; ok {
			if y < 0 {
				out = append(out, byte(y))
			} else {
				out = utf8.AppendRune(out, y)
			}
		} else if n == 1 {
			out = append(out, t.bytes[b[0]])
		} else {
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	s.tmp = out
	s.swapTmp()
}
