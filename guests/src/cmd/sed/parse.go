// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sed

import (
	"github.com/wsandbox/wsandbox/guests/src/posixre"
)

// addrKind is the kind of an address.
type addrKind uint8

const (
	addrLine  addrKind = iota // n
	addrStep                  // first~step
	addrLast                  // $
	addrRegex                 // /re/
	addrPlus                  // ,+n
	addrMulti                 // ,~n
)

type addr struct {
	kind    addrKind
	n, step int64
	re      *posixre.Regexp // nil: the last one used
}

// command is one command of a script.
type command struct {
	name   byte
	a1, a2 *addr
	bang   bool

	active bool  // within the range
	closed bool  // behind a range that begins at a line number
	end    int64 // last line of the range, where its end is a number

	text  []byte // a c i, and of the shell for e
	file  string // r R
	out   *output
	label string // b t T :
	jump  int    // index of the command to continue with: b t T {
	n     int    // q Q l L; -1 where not given
	sub   *subst
	table *table
	where place
}

// place is where something stands in the script, for messages.
type place struct {
	expr, char int
	file       string
	line       int
}

// parser reads scripts. Fragments follow each other; only blocks and the text
// of a, i and c reach over their ends.
type parser struct {
	s       *sed
	src     string
	pos     int
	exprs   int
	file    string
	line    int
	first   bool // this is the first fragment
	blocks  []int
	pending *command // whose text continues with the next fragment
}

const eof = -1

// scriptError is a fault of the script; its text is the whole message.
type scriptError string

func (e scriptError) Error() string { return string(e) }

func (w place) prefix() string {
	if w.file != "" {
		return "file " + w.file + " line " + itoa(w.line) + ": "
	}
	return "-e expression #" + itoa(w.expr) + ", char " + itoa(w.char) + ": "
}

func (p *parser) place() place { return place{p.exprs, p.pos, p.file, p.line} }

// bad gives up with a message about the current position.
func (p *parser) bad(msg ...string) {
	s := p.place().prefix()
	for _, m := range msg {
		s += m
	}
	panic(scriptError(s))
}

func (p *parser) get() int {
	if p.pos >= len(p.src) {
		return eof
	}
	c := p.src[p.pos]
	p.pos++
	if c == '\n' {
		p.line++
	}
	return int(c)
}

// unget steps back over c, which get returned.
func (p *parser) unget(c int) {
	if c == eof {
		return
	}
	p.pos--
	if c == '\n' {
		p.line--
	}
}

func blank(c int) bool { return c == ' ' || c == '\t' }
func space(c int) bool { return blank(c) || c >= '\n' && c <= '\r' }
func digit(c int) bool { return c >= '0' && c <= '9' }

func (p *parser) nonblank() int {
	c := p.get()
	for blank(c) {
		c = p.get()
	}
	return c
}

// number reads the rest of a number that begins with c.
func (p *parser) number(c int) int64 {
	n := int64(0)
	for digit(c) {
		if n < 1<<58 {
			n = n*10 + int64(c-'0')
		}
		c = p.get()
	}
	p.unget(c)
	return n
}

// fragment parses an -e argument or, with file, a script file. It panics with a
// scriptError.
func (p *parser) fragment(src, file string) {
	p.src, p.pos, p.file, p.line = src, 0, file, 1
	if file == "" {
		p.exprs++
	}
	if p.pending != nil {
		p.text(p.pending)
	}
	for p.command() {
	}
	p.first = false
}

// finish checks what can only be checked at the end, and resolves labels.
func (p *parser) finish() {
	s := p.s
	if n := len(p.blocks); n > 0 {
		w := s.prog[p.blocks[n-1]].where
		w.char = 0
		panic(scriptError(w.prefix() + "unmatched `{'"))
	}
	if p.pending != nil {
		// A trailing backslash leaves an empty text.
		p.pending = nil
	}
	labels := map[string]int{}
	for i, c := range s.prog {
		if c.name == ':' {
			if _, dup := labels[c.label]; dup {
				panic(scriptError(c.where.prefix() + "duplicate label"))
			}
			labels[c.label] = i
		}
	}
	for _, c := range s.prog {
		switch c.name {
		case 'b', 't', 'T':
			if c.label == "" {
				c.jump = len(s.prog)
				continue
			}
			to, ok := labels[c.label]
			if !ok {
				s.fatal(exitPanic, "can't find label for jump to `", c.label, "'")
			}
			c.jump = to
		}
	}
}

// command parses the next command and reports whether there was one.
func (p *parser) command() bool {
	s := p.s
	ch := p.get()
	for ch == ';' || space(ch) {
		ch = p.get()
	}
	if ch == eof {
		return false
	}
	c := &command{n: -1}
	if a := p.address(ch); a != nil {
		if a.kind == addrPlus || a.kind == addrMulti {
			p.bad("invalid usage of +N or ~N as first address")
		}
		c.a1 = a
		ch = p.nonblank()
		if ch == ',' {
			c.a2 = p.address(p.nonblank())
			if c.a2 == nil {
				p.bad("unexpected `,'")
			}
			ch = p.nonblank()
		}
		if a.kind == addrLine && a.n == 0 && (c.a2 == nil || c.a2.kind != addrRegex || s.posix) {
			p.bad("invalid usage of line address 0")
		}
	}
	if ch == '!' {
		c.bang = true
		ch = p.nonblank()
		if ch == '!' {
			p.bad("multiple `!'s")
		}
	}
	c.where = p.place()
	if ch == eof || ch == '\n' && c.a1 != nil {
		p.bad("missing command")
	}
	c.name = byte(ch)
	switch ch {
	case '#':
		if c.a1 != nil {
			p.bad("comments don't accept any addresses")
		}
		start := p.pos
		for ch != eof && ch != '\n' {
			ch = p.get()
		}
		if p.first && start == 1 && len(p.src) > 1 && p.src[1] == 'n' {
			s.quiet = true
		}
		return true
	case 'v':
		p.version(p.label())
		p.endOfCommand()
		return true
	case '{':
		p.blocks = append(p.blocks, len(s.prog))
	case '}':
		n := len(p.blocks)
		if n == 0 {
			p.bad("unexpected `}'")
		}
		if c.a1 != nil {
			p.bad("`}' doesn't want any addresses")
		}
		p.endOfCommand()
		s.prog[p.blocks[n-1]].jump = len(s.prog)
		p.blocks = p.blocks[:n-1]
		return true
	case 'a', 'i', 'c':
		ch = p.nonblank()
		if ch == eof {
			p.bad("expected \\ after `a', `c' or `i'")
		}
		if ch == '\\' {
			// Blanks up to a newline are dropped; before text they are part of it.
			at := p.pos
			if ch = p.nonblank(); ch == eof {
				p.pos = at
			} else if ch != '\n' {
				p.unget(ch)
				p.pos = at
			}
		} else {
			if s.posix {
				p.bad("expected \\ after `a', `c' or `i'")
			}
			p.unget(ch)
		}
		p.text(c)
	case 'e':
		if s.sandbox {
			p.bad("e/r/w commands disabled in sandbox mode")
		}
		if ch = p.nonblank(); ch != eof && ch != '\n' {
			p.unget(ch)
			p.text(c)
		}
	case ':':
		if c.a1 != nil {
			p.bad(": doesn't want any addresses")
		}
		if c.label = p.label(); c.label == "" {
			p.bad("\":\" lacks a label")
		}
	case 'b', 't', 'T':
		c.label = p.label()
		p.endOfCommand()
	case 'q', 'Q':
		if c.a2 != nil {
			p.bad("command only uses one address")
		}
		p.exitCode(c)
	case 'l', 'L':
		p.exitCode(c)
	case '=', 'd', 'D', 'F', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z':
		p.endOfCommand()
	case 'r', 'R', 'w', 'W':
		name := p.fileName()
		if ch == 'w' || ch == 'W' {
			c.out = s.openOutput(p, name)
		} else {
			c.file = name
		}
	case 's':
		p.substitute(c)
	case 'y':
		p.translate(c)
	default:
		p.bad("unknown command: `", string([]byte{byte(ch)}), "'")
	}
	s.prog = append(s.prog, c)
	return true
}

// exitCode parses the optional number of q, Q, l and L.
func (p *parser) exitCode(c *command) {
	ch := p.nonblank()
	if digit(ch) {
		c.n = int(min(p.number(ch), 1<<30))
	} else {
		p.unget(ch)
	}
	p.endOfCommand()
}

func (p *parser) endOfCommand() {
	switch c := p.nonblank(); c {
	case '}', '#':
		p.unget(c)
	case eof, '\n', ';':
	case '\r':
		if c := p.get(); c == '\n' || c == eof {
			return
		}
		p.bad("extra characters after command")
	default:
		p.bad("extra characters after command")
	}
}

// label reads a word up to a blank, a semicolon or the end of the line.
func (p *parser) label() string {
	c := p.nonblank()
	from := p.pos
	if c != eof {
		from--
	}
	for c != eof && !space(c) && c != ';' && c != '}' {
		c = p.get()
	}
	p.unget(c)
	return p.src[from:p.pos]
}

func (p *parser) version(v string) {
	have := [3]int{4, 9, 0}
	i := 0
	n := 0
	for k := 0; k <= len(v) && i < 3; k++ {
		if k < len(v) && digit(int(v[k])) {
			n = min(n*10+int(v[k]-'0'), 1<<20)
			continue
		}
		if k < len(v) && v[k] != '.' {
			p.bad("invalid version number")
		}
		if n > have[i] {
			p.bad("expected newer version of sed")
		}
		if n < have[i] {
			return
		}
		n = 0
		i++
	}
}

// fileName reads the rest of the line.
func (p *parser) fileName() string {
	if p.s.sandbox {
		p.bad("e/r/w commands disabled in sandbox mode")
	}
	c := p.nonblank()
	from := p.pos
	if c != eof {
		from--
	}
	for c != eof && c != '\n' {
		c = p.get()
	}
	end := p.pos
	if c == '\n' {
		end--
	}
	if from >= end {
		p.unget(c)
		p.bad("missing filename in r/R/w/W commands")
	}
	return p.src[from:end]
}

// text reads the text of a, i, c and e up to a newline without backslash. Where
// the fragment ends with a backslash, the next one continues it.
func (p *parser) text(c *command) {
	p.pending = nil
	b := c.text
	for {
		ch := p.get()
		if ch == '\\' {
			if ch = p.get(); ch == eof {
				p.pending = c
				c.text = b
				return
			}
			if ch == '\n' {
				b = append(b, '\n')
				continue
			}
			p.unget(ch)
			var e [4]byte
			if r, ok := p.escape(e[:0]); ok {
				b = append(b, r...)
				continue
			}
			b = append(b, byte(p.get()))
			continue
		}
		if ch == eof || ch == '\n' {
			if ch == eof && len(b) == 0 && p.pos > 0 && p.src[p.pos-1] == '\\' {
				p.pending = c // a\ at the end: the text may be in the next fragment
				return
			}
			c.text = append(b, '\n')
			return
		}
		b = append(b, byte(ch))
	}
}

// escape reads the rest of an escape sequence that stands for a byte.
func (p *parser) escape(b []byte) ([]byte, bool) {
	if p.s.posix {
		return nil, false
	}
	v, n := escapeAt(p.src[p.pos:])
	if n == 0 {
		return nil, false
	}
	p.pos += n
	return append(b, v), true
}

// escapeAt decodes an escape sequence without its backslash. n is its length, 0
// where s begins with none.
func escapeAt(s string) (v byte, n int) {
	if s == "" {
		return 0, 0
	}
	base, digits := 0, 0
	switch s[0] {
	case 'a':
		return '\a', 1
	case 'f':
		return '\f', 1
	case 'n':
		return '\n', 1
	case 'r':
		return '\r', 1
	case 't':
		return '\t', 1
	case 'v':
		return '\v', 1
	case 'c':
		if len(s) < 2 {
			return 0, 0
		}
		c := s[1]
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		return c ^ 0x40, 2
	case 'd':
		base, digits = 10, 3
	case 'o':
		base, digits = 8, 3
	case 'x':
		base, digits = 16, 2
	default:
		return 0, 0
	}
	x := 0
	n = 1
	for n <= digits && n < len(s) {
		d := int(s[n]) - '0'
		if c := s[n] | 0x20; c >= 'a' && c <= 'f' {
			d = int(c-'a') + 10
		}
		if d < 0 || d >= base {
			break
		}
		x = x*base + d
		n++
	}
	if n == 1 {
		return 0, 0
	}
	return byte(x), n
}

// address parses an address that begins with ch, or returns nil.
func (p *parser) address(ch int) *addr {
	switch {
	case ch == '/' || ch == '\\':
		if ch == '\\' {
			if ch = p.get(); ch == eof {
				p.bad("unexpected `,'")
			}
		}
		pat, ok := p.delimited(ch, true)
		if !ok {
			p.bad("unterminated address regex")
		}
		var flags posixre.Flags
		for {
			switch ch = p.nonblank(); {
			case ch == 'I' && !p.s.posix:
				flags |= posixre.ICase
				continue
			case ch == 'M' && !p.s.posix:
				flags |= posixre.Newline
				continue
			}
			p.unget(ch)
			return &addr{kind: addrRegex, re: p.compile(pat, flags)}
		}
	case digit(ch):
		a := &addr{n: p.number(ch)}
		ch = p.nonblank()
		if ch != '~' || p.s.posix {
			p.unget(ch)
			return a
		}
		ch = p.nonblank()
		if !digit(ch) {
			p.unget(ch)
			ch = '0'
			a.kind = addrStep
			return a
		}
		a.kind = addrStep
		a.step = p.number(ch)
		return a
	case (ch == '+' || ch == '~') && !p.s.posix:
		a := &addr{kind: addrPlus}
		if ch == '~' {
			a.kind = addrMulti
		}
		ch = p.nonblank()
		if !digit(ch) {
			p.bad("expected a number after +/~") // as GNU's "unexpected ,"
		}
		a.n = p.number(ch)
		return a
	case ch == '$':
		return &addr{kind: addrLast}
	}
	return nil
}

// delimited reads up to delim, which a backslash quotes, or in a regular
// expression brackets. There \n becomes a newline.
func (p *parser) delimited(delim int, regex bool) (string, bool) {
	var b []byte
	for {
		c := p.get()
		switch {
		case c == eof:
			return "", false
		case c == '\n':
			p.unget(c)
			return "", false
		case c == delim:
			return string(b), true
		case c == '[' && regex:
			from := p.pos
			if !p.brackets() {
				return "", false
			}
			b = append(b, '[')
			for s := p.src[from:p.pos]; s != ""; s = s[1:] {
				if len(s) > 1 && s[0] == '\\' && s[1] == 'n' {
					b = append(b, '\n')
					s = s[1:]
					continue
				}
				if len(s) > 1 && s[0] == '\\' && s[1] == '\\' {
					b = append(b, '\\')
					s = s[1:]
				}
				b = append(b, s[0])
			}
			continue
		case c == '\\':
			c = p.get()
			switch {
			case c == eof:
				return "", false
			case c == 'n' && regex && delim != 'n':
				c = '\n'
			case c != '\n' && (c != delim || !regex && c == '&'):
				b = append(b, '\\')
			}
		}
		b = append(b, byte(c))
	}
}

// brackets reads the rest of a bracket expression and reports whether it ends.
func (p *parser) brackets() bool {
	c := p.get()
	if c == '^' {
		c = p.get()
	}
	if c == ']' {
		c = p.get()
	}
	for c != ']' {
		switch c {
		case eof:
			return false
		case '\n':
			p.unget(c)
			return false
		case '[':
			k := p.get()
			if k != '.' && k != ':' && k != '=' {
				c = k
				continue
			}
			// A class ends with its own sign and a bracket.
			at := p.pos
			for p.pos+1 < len(p.src) && p.src[p.pos] != '\n' && (int(p.src[p.pos]) != k || p.src[p.pos+1] != ']') {
				p.pos++
			}
			if p.pos+1 >= len(p.src) || p.src[p.pos] == '\n' {
				p.pos = at
			} else {
				p.pos += 2
			}
		}
		c = p.get()
	}
	return true
}

// compile compiles a regular expression of the script; an empty one is nil.
func (p *parser) compile(pat string, flags posixre.Flags) *posixre.Regexp {
	if pat == "" {
		if flags != 0 {
			p.bad("cannot specify modifiers on empty regexp")
		}
		return nil
	}
	s := p.s
	if !s.posix {
		pat = escapes(pat)
	} else {
		flags |= posixre.NoGNU
	}
	if s.extended {
		flags |= posixre.Extended
	}
	if !s.utf8 {
		flags |= posixre.Bytes
	}
	if s.eol == 0 {
		flags &^= posixre.LineAnchors // there are no newlines at the ends of lines
	}
	re, err := posixre.Compile(pat, flags)
	if err != nil {
		p.bad(err.Error())
	}
	return re
}

// escapes replaces escape sequences in a regular expression by their bytes.
func escapes(s string) string {
	i := 0
	for i+1 < len(s) && s[i] != '\\' {
		i++
	}
	if i+1 >= len(s) {
		return s
	}
	b := append([]byte(nil), s[:i]...)
	for i < len(s) {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			i++
			continue
		}
		if s[i+1] != 'n' {
			if v, n := escapeAt(s[i+1:]); n > 0 {
				if v == '\\' {
					b = append(b, '\\')
				}
				b = append(b, v)
				i += 1 + n
				continue
			}
		}
		b = append(b, s[i], s[i+1])
		i += 2
	}
	return string(b)
}
