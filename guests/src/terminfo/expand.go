// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package terminfo

import "strconv"

// A Param is a parameter of a string capability.
type Param struct {
	Text  string // for %s and %l
	Value int
}

// IntParam returns a numeric parameter.
func IntParam(v int) Param { return Param{Text: strconv.Itoa(v), Value: v} }

const (
	maxParams = 9
	maxStack  = 32
	maxOutput = 64 << 10
	maxWidth  = 1 << 10
)

// machine evaluates a parametrised string.
type machine struct {
	s      string
	i      int
	params [maxParams]Param
	vars   [52]int
	stack  [maxStack]Param
	n      int
	out    []byte
}

func (m *machine) push(v int) { m.pushParam(IntParam(v)) }

func (m *machine) pushParam(p Param) {
	if m.n < maxStack {
		m.stack[m.n] = p
		m.n++
	}
}

func (m *machine) pop() int { return m.popParam().Value }

func (m *machine) popParam() Param {
	if m.n == 0 {
		return Param{Text: "0"}
	}
	m.n--
	return m.stack[m.n]
}

// Expand fills the parameters into the string capability s: what is missing is
// 0. Anything that is not well formed is left out; the result has at most 64 KiB.
//
// X/Open Curses: tparm().
func Expand(s string, params ...Param) string {
	m := machine{s: s}
	for i := range m.params {
		m.params[i] = Param{Text: "0"}
	}
	copy(m.params[:], params)
	for m.i < len(s) && len(m.out) < maxOutput {
		c := s[m.i]
		m.i++
		if c != '%' {
			m.out = append(m.out, c)
			continue
		}
		if m.i == len(s) {
			break
		}
		c = s[m.i]
		m.i++
		m.operation(c)
	}
	return string(m.out)
}

func (m *machine) next() byte {
	if m.i == len(m.s) {
		return 0
	}
	m.i++
	return m.s[m.i-1]
}

func (m *machine) operation(c byte) {
	switch c {
	case '%':
		m.out = append(m.out, '%')
	case 'c':
		m.out = append(m.out, byte(m.pop()))
	case 's':
		m.out = append(m.out, m.popParam().Text...)
	case 'i':
		for k := range 2 {
			m.params[k] = IntParam(m.params[k].Value + 1)
		}
	case 'p':
		if k := int(m.next()) - '1'; k >= 0 && k < maxParams {
			m.pushParam(m.params[k])
		}
	case 'P', 'g':
		k := int(m.next())
		switch {
		case k >= 'a' && k <= 'z':
			k -= 'a'
		case k >= 'A' && k <= 'Z':
			k += 26 - 'A'
		default:
			return
		}
		if c == 'g' {
			m.push(m.vars[k])
		} else {
			m.vars[k] = m.pop()
		}
	case '\'':
		m.push(int(m.next()))
		m.next()
	case '{':
		v := 0
		for d := m.next(); d >= '0' && d <= '9'; d = m.next() {
			v = (v*10 + int(d-'0')) & 0x7fffffff
		}
		m.push(v)
	case 'l':
		m.push(len(m.popParam().Text))
	case '+', '-', '*', '/', 'm', '&', '|', '^', '=', '<', '>', 'A', 'O':
		b, a := m.pop(), m.pop()
		m.push(binary(c, a, b))
	case '!':
		m.push(truth(m.pop() == 0))
	case '~':
		m.push(^m.pop())
	case 't':
		if m.pop() == 0 {
			m.skip(true)
		}
	case 'e':
		m.skip(false)
	case '?', ';':
	default:
		m.i--
		m.format()
	}
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func binary(c byte, a, b int) int {
	switch c {
	case '+':
		return a + b
	case '-':
		return a - b
	case '*':
		return a * b
	case '/':
		if b == 0 {
			return 0
		}
		return a / b
	case 'm':
		if b == 0 {
			return 0
		}
		return a % b
	case '&':
		return a & b
	case '|':
		return a | b
	case '^':
		return a ^ b
	case '=':
		return truth(a == b)
	case '<':
		return truth(a < b)
	case '>':
		return truth(a > b)
	case 'A':
		return truth(a != 0 && b != 0)
	}
	return truth(a != 0 || b != 0)
}

// skip moves behind the end of the conditional, or with orElse behind its
// alternative.
func (m *machine) skip(orElse bool) {
	for depth := 0; m.i+1 < len(m.s); m.i++ {
		if m.s[m.i] != '%' {
			continue
		}
		m.i++
		switch m.s[m.i] {
		case '?':
			depth++
		case ';':
			if depth == 0 {
				m.i++
				return
			}
			depth--
		case 'e':
			if depth == 0 && orElse {
				m.i++
				return
			}
		}
	}
	m.i = len(m.s)
}

// format is a conversion of printf: [:flags][width[.precision]][doxXs].
func (m *machine) format() {
	var left, plus, space, alt, zero bool
	colon := false
flags:
	for m.i < len(m.s) {
		switch c := m.s[m.i]; {
		case c == ':' && !colon:
			colon = true
		case c == '#':
			alt = true
		case c == ' ':
			space = true
		case c == '0':
			zero = true
		case c == '-' && colon:
			left = true
		case c == '+' && colon:
			plus = true
		default:
			break flags
		}
		m.i++
	}
	width, prec := 0, -1
	number := func() int {
		v := 0
		for m.i < len(m.s) && m.s[m.i] >= '0' && m.s[m.i] <= '9' {
			v = min(v*10+int(m.s[m.i]-'0'), maxWidth)
			m.i++
		}
		return v
	}
	width = number()
	if m.i < len(m.s) && m.s[m.i] == '.' {
		m.i++
		prec = number()
	}
	var text, sign string
	switch c := m.next(); c {
	case 'd':
		v := int32(m.pop())
		text = strconv.FormatInt(int64(v), 10)
		switch {
		case v < 0:
			text, sign = text[1:], "-"
		case plus:
			sign = "+"
		case space:
			sign = " "
		}
	case 'o':
		text = strconv.FormatUint(uint64(uint32(m.pop())), 8)
		if alt && text[0] != '0' {
			text = "0" + text
		}
	case 'x', 'X':
		v := uint64(uint32(m.pop()))
		text = strconv.FormatUint(v, 16)
		if alt && v != 0 {
			sign = "0x"
		}
		if c == 'X' {
			text, sign = upper(text), upper(sign)
		}
	case 's':
		text = m.popParam().Text
		if prec >= 0 && prec < len(text) {
			text = text[:prec]
		}
		prec, zero = -1, false
	default:
		return
	}
	for len(text) < prec {
		text = "0" + text
	}
	pad := width - len(sign) - len(text)
	fill := func(c byte) {
		for ; pad > 0; pad-- {
			m.out = append(m.out, c)
		}
	}
	if !left && !(zero && prec < 0) {
		fill(' ')
	}
	m.out = append(m.out, sign...)
	if !left {
		fill('0')
	}
	m.out = append(m.out, text...)
	fill(' ')
}

func upper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 32
		}
	}
	return string(b)
}

// Plain returns s without the padding "$<...>" that slow terminals needed.
func Plain(s string) string {
	for i := 0; i+1 < len(s); i++ {
		if s[i] != '$' || s[i+1] != '<' {
			continue
		}
		k := i + 2
		for k < len(s) && (s[k] >= '0' && s[k] <= '9' || s[k] == '.' || s[k] == '*' || s[k] == '/') {
			k++
		}
		if k < len(s) && s[k] == '>' && k > i+2 {
			s = s[:i] + s[k+1:]
			i--
		}
	}
	return s
}
