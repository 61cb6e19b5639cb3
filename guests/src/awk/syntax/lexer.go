// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"strconv"
	"unicode/utf8"
)

// lexer cuts one source into tokens.
type lexer struct {
	src  string
	pos  int // of what follows tok
	line int // of tok
	next int // line at pos

	tok  token
	at   int // where tok begins
	text string
	num  float64
	fn   Func
	last token // the token before
	warn func(line int, msg string)
}

func (l *lexer) fail(msg string) { panic(&Error{Line: l.line, Col: l.at, Msg: msg, src: l.src}) }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

// peek returns the byte n behind pos, or 0.
func (l *lexer) peek(n int) byte {
	if l.pos+n < len(l.src) {
		return l.src[l.pos+n]
	}
	return 0
}

// scan steps to the next token.
func (l *lexer) scan() {
	l.last = l.tok
	for {
		switch c := l.peek(0); {
		case c == ' ' || c == '\t' || c == '\r':
			l.pos++
			continue
		case c == '\\' && l.peek(1) == '\n':
			l.pos += 2
			l.next++
			continue
		case c == '\\' && l.peek(1) == '\r' && l.peek(2) == '\n':
			l.pos += 3
			l.next++
			continue
		case c == '#':
			for l.pos < len(l.src) && l.src[l.pos] != '\n' {
				l.pos++
			}
			continue
		}
		break
	}
	l.line, l.at = l.next, l.pos
	if l.pos >= len(l.src) {
		l.tok = tEOF
		return
	}
	c := l.src[l.pos]
	switch {
	case letter(c):
		l.name()
		return
	case digit(c) || c == '.' && digit(l.peek(1)):
		l.number()
		return
	case c == '"':
		l.string()
		return
	}
	l.pos++
	l.tok = l.punct(c)
}

// follow consumes c if it is next and reports whether it was.
func (l *lexer) follow(c byte) bool {
	if l.peek(0) == c {
		l.pos++
		return true
	}
	return false
}

func (l *lexer) either(c byte, yes, no token) token {
	if l.follow(c) {
		return yes
	}
	return no
}

func (l *lexer) punct(c byte) token {
	switch c {
	case '\n':
		l.next++
		return tNewline
	case '{':
		return tLbrace
	case '}':
		return tRbrace
	case '(':
		return tLparen
	case ')':
		return tRparen
	case '[':
		return tLbracket
	case ']':
		return tRbracket
	case ';':
		return tSemi
	case ',':
		return tComma
	case '+':
		if l.follow('+') {
			return tIncr
		}
		return l.either('=', tAddAssign, tPlus)
	case '-':
		if l.follow('-') {
			return tDecr
		}
		return l.either('=', tSubAssign, tMinus)
	case '*':
		if l.follow('*') {
			return l.either('=', tPowAssign, tCaret)
		}
		return l.either('=', tMulAssign, tStar)
	case '/':
		return l.either('=', tDivAssign, tSlash)
	case '%':
		return l.either('=', tModAssign, tPercent)
	case '^':
		return l.either('=', tPowAssign, tCaret)
	case '!':
		if l.follow('~') {
			return tNoMatch
		}
		return l.either('=', tNe, tNot)
	case '>':
		if l.follow('>') {
			return tAppend
		}
		return l.either('=', tGe, tGreater)
	case '<':
		return l.either('=', tLe, tLess)
	case '|':
		if l.follow('|') {
			return tOr
		}
		return l.either('&', tPipeAmp, tPipe)
	case '&':
		if l.follow('&') {
			return tAnd
		}
	case '?':
		return tQuestion
	case ':':
		return tColon
	case '~':
		return tTilde
	case '$':
		return tDollar
	case '=':
		return l.either('=', tEq, tAssign)
	}
	l.fail("syntax error at " + quoteByte(c))
	return tEOF
}

func quoteByte(c byte) string {
	if c < ' ' || c >= 0x7f {
		return "byte 0x" + strconv.FormatUint(uint64(c), 16)
	}
	return "`" + string(rune(c)) + "'"
}

func (l *lexer) name() {
	i := l.pos
	for i < len(l.src) && (letter(l.src[i]) || digit(l.src[i])) {
		i++
	}
	l.text = l.src[l.pos:i]
	l.pos = i
	if l.tok = keyword(l.text); l.tok != tEOF {
		return
	}
	if l.fn = builtin(l.text); l.fn != FnNone {
		l.tok = tBuiltin
		return
	}
	l.tok = tName
	if l.peek(0) == '(' {
		l.tok = tFuncName
	}
}

func (l *lexer) number() {
	l.tok = tNumber
	s := l.src[l.pos:]
	base, i := 10, 0
	if len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x' && hexDigit(s[2]) >= 0 {
		base, i = 16, 2
	} else if len(s) > 1 && s[0] == '0' {
		k := 1
		for k < len(s) && s[k] >= '0' && s[k] <= '7' {
			k++
		}
		if k > 1 && (k == len(s) || !digit(s[k]) && s[k] != '.' && s[k]|0x20 != 'e') {
			base, i = 8, 1
		}
	}
	if base != 10 {
		l.num = 0
		for ; i < len(s); i++ {
			d := hexDigit(s[i])
			if d < 0 || d >= base {
				break
			}
			l.num = l.num*float64(base) + float64(d)
		}
		l.pos += i
		return
	}
	for i < len(s) && digit(s[i]) {
		i++
	}
	if i < len(s) && s[i] == '.' {
		i++
		for i < len(s) && digit(s[i]) {
			i++
		}
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		k := i + 1
		if k < len(s) && (s[k] == '+' || s[k] == '-') {
			k++
		}
		if k < len(s) && digit(s[k]) {
			for k < len(s) && digit(s[k]) {
				k++
			}
			i = k
		}
	}
	l.num, _ = strconv.ParseFloat(s[:i], 64) // out of range is infinity
	l.pos += i
}

func hexDigit(c byte) int {
	switch {
	case digit(c):
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

func (l *lexer) string() {
	l.tok = tString
	i := l.pos + 1
	for i < len(l.src) && l.src[i] != '"' {
		switch l.src[i] {
		case '\n':
			l.fail("unterminated string")
		case '\\':
			i++
			if i < len(l.src) && l.src[i] == '\n' {
				l.next++
			}
		}
		i++
	}
	if i >= len(l.src) {
		l.fail("unterminated string")
	}
	l.text = unescape(l.src[l.pos+1:i], func(msg string) {
		if l.warn != nil {
			l.warn(l.line, msg)
		}
	})
	l.pos = i + 1
}

// Unescape replaces the escape sequences of a string constant, as in an
// assignment on the command line.
func Unescape(s string) string { return unescape(s, nil) }

func unescape(s string, warn func(string)) string {
	i := 0
	for i < len(s) && s[i] != '\\' {
		i++
	}
	if i == len(s) {
		return s
	}
	b := append(make([]byte, 0, len(s)), s[:i]...)
	for i < len(s) {
		c := s[i]
		i++
		if c != '\\' || i == len(s) {
			b = append(b, c)
			continue
		}
		var n int
		if b, n = Escape(b, s[i:]); n > 0 {
			i += n
			continue
		}
		c = s[i]
		i++
		switch {
		case c == '\n':
		case c == '"' || c == '/' || c == '\\':
			b = append(b, c)
		default:
			if warn != nil {
				warn("escape sequence `\\" + string(rune(c)) + "' treated as plain `" + string(rune(c)) + "'")
			}
			b = append(b, c)
		}
	}
	return string(b)
}

// Escape appends to b the character that an escape sequence, of which s is what
// follows the backslash, stands for, and returns how much of s that is: 0 where
// it is none of \a \b \f \n \r \t \v \ddd \xhh \uhhhh.
func Escape(b []byte, s string) ([]byte, int) {
	if s == "" {
		return b, 0
	}
	switch c := s[0]; c {
	case 'a':
		return append(b, 7), 1
	case 'b':
		return append(b, 8), 1
	case 'f':
		return append(b, 12), 1
	case 'n':
		return append(b, '\n'), 1
	case 'r':
		return append(b, '\r'), 1
	case 't':
		return append(b, '\t'), 1
	case 'v':
		return append(b, 11), 1
	case '0', '1', '2', '3', '4', '5', '6', '7':
		n, v := 0, 0
		for n < 3 && n < len(s) && s[n] >= '0' && s[n] <= '7' {
			v = v*8 + int(s[n]-'0')
			n++
		}
		return append(b, byte(v)), n
	case 'x', 'u':
		most := 2
		if c == 'u' {
			most = 8
		}
		n, v := 1, rune(0)
		for n <= most && n < len(s) && hexDigit(s[n]) >= 0 {
			v = v<<4 | rune(hexDigit(s[n]))
			n++
		}
		switch {
		case n == 1:
			return b, 0
		case c == 'x':
			return append(b, byte(v)), n
		}
		return utf8.AppendRune(b, v), n
	}
	return b, 0
}

// regex reads a regular expression whose opening slash is the current token and
// returns its source, in which only \/ has been replaced.
func (l *lexer) regex() string {
	i := l.at + 1
	var b []byte
	list := -1 // where a bracket expression began
	for {
		if i >= len(l.src) || l.src[i] == '\n' {
			l.fail("unterminated regexp")
		}
		c := l.src[i]
		switch {
		case c == '\\' && i+1 < len(l.src):
			i++
			if l.src[i] == '\n' {
				l.next++
				i++
				continue
			}
			if l.src[i] != '/' {
				b = append(b, c)
			}
			c = l.src[i]
		case list >= 0:
			if c == ']' && i > list+1 && (i != list+2 || l.src[list+1] != '^') {
				list = -1
			} else if c == '[' && i+1 < len(l.src) && (l.src[i+1] == ':' || l.src[i+1] == '.' || l.src[i+1] == '=') {
				// A class: its brackets do not count.
				for k := i + 2; k+1 < len(l.src) && l.src[k] != '\n' && l.src[k] != '/'; k++ {
					if l.src[k] == l.src[i+1] && l.src[k+1] == ']' {
						b = append(b, l.src[i:k+1]...)
						i, c = k+1, ']'
						break
					}
				}
			} else if c == '/' && !l.closes(i) {
				// No bracket behind it: the list was none.
				l.pos = i + 1
				l.scanned(b)
				return l.text
			}
		case c == '[':
			list = i
		case c == '/':
			l.pos = i + 1
			l.scanned(b)
			return l.text
		}
		b = append(b, c)
		i++
	}
}

func (l *lexer) scanned(b []byte) { l.text = string(b) }

// closes reports whether a bracket expression that holds src[i] ends in the same
// line and before a blank.
func (l *lexer) closes(i int) bool {
	for ; i < len(l.src) && l.src[i] != '\n'; i++ {
		if l.src[i] == ']' {
			return true
		}
	}
	return false
}
