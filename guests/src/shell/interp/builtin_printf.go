// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// maxWidth bounds widths and precisions of printf.
const maxWidth = 1 << 20

// formatter is one run of printf.
type formatter struct {
	sh   *Shell
	args []string
	used bool // an argument has been taken in this round
	out  []byte
	st   int
	stop bool
}

func biPrintf(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "v:")
	if !ok {
		return 2
	}
	if len(rest) == 0 {
		sh.write(2, []byte("printf: usage: printf [-v var] format [arguments]\n"))
		return 2
	}
	if v, ok := f.arg['v']; ok {
		n := v
		if i := strings.IndexByte(n, '['); i > 0 && n[len(n)-1] == ']' {
			n = n[:i]
		}
		if !validName(n) {
			sh.errorf("printf: `" + v + "': not a valid identifier")
			return 2
		}
	}
	p := formatter{sh: sh, args: rest[1:], out: sh.out}
	base := len(sh.out)
	for {
		p.used = false
		p.format(rest[0])
		if p.stop || len(p.args) == 0 || !p.used || len(p.out) > maxString {
			break
		}
	}
	if v, ok := f.arg['v']; ok {
		s := string(p.out[base:])
		sh.out = p.out[:base]
		if !sh.setNamed(v, s) {
			return 1
		}
		return p.st
	}
	sh.out = p.out
	return p.st
}

func (p *formatter) arg() (string, bool) {
	p.used = true
	if len(p.args) == 0 {
		return "", false
	}
	a := p.args[0]
	p.args = p.args[1:]
	return a, true
}

func (p *formatter) fail(msg string) {
	p.sh.errorf("printf: " + msg)
	p.st = 1
}

// spec is a conversion specification.
type spec struct {
	minus, plus, space, alt, zero bool
	width, prec                   int // prec -1: none
}

func (p *formatter) format(f string) {
	for i := 0; i < len(f) && !p.stop; {
		switch f[i] {
		case '\\':
			n := 0
			p.out, n, p.stop = appendEscape(p.out, f[i:], escFormat)
			i += n
		case '%':
			i += p.conversion(f[i:])
		default:
			p.out = append(p.out, f[i])
			i++
		}
	}
}

// conversion formats the conversion at the start of f and returns its length.
func (p *formatter) conversion(f string) int {
	s := spec{prec: -1}
	i := 1
flags:
	for ; i < len(f); i++ {
		switch f[i] {
		case '-':
			s.minus = true
		case '+':
			s.plus = true
		case ' ':
			s.space = true
		case '#':
			s.alt = true
		case '0':
			s.zero = true
		case '\'':
		default:
			break flags
		}
	}
	number := func() (int, bool) {
		if i < len(f) && f[i] == '*' {
			i++
			a, _ := p.arg()
			n := p.integer(a)
			return int(max(min(n, maxWidth+1), -maxWidth-1)), true
		}
		n, any := 0, false
		for i < len(f) && isDigit(f[i]) {
			n, any = min(n*10+int(f[i]-'0'), maxWidth+1), true
			i++
		}
		return n, any
	}
	s.width, _ = number()
	if s.width < 0 {
		s.minus, s.width = true, -s.width
	}
	if i < len(f) && f[i] == '.' {
		i++
		if i < len(f) && f[i] == '-' {
			i++
			number()
			s.prec = -1
		} else if s.prec, _ = number(); s.prec < 0 {
			s.prec = -1
		}
	}
	if s.width > maxWidth || s.prec > maxWidth {
		p.fail("field width too large")
		p.stop = true
		return len(f)
	}
	for i < len(f) && strings.IndexByte("hlLqjzt", f[i]) >= 0 {
		if f[i] == 'q' {
			break
		}
		i++
	}
	if i >= len(f) {
		p.fail("`" + f + "': missing format character")
		p.stop = true
		return len(f)
	}
	c := f[i]
	i++
	switch c {
	case '%':
		p.out = append(p.out, '%')
	case 's':
		a, _ := p.arg()
		p.text(a, s)
	case 'c':
		a, _ := p.arg()
		if a != "" {
			a = a[:1]
		} else {
			a = "\x00"
		}
		s.prec = -1
		p.text(a, s)
	case 'b':
		a, _ := p.arg()
		b, stop := appendPercentB(nil, a)
		p.text(string(b), s)
		p.stop = stop
	case 'q', 'Q':
		a, _ := p.arg()
		if c == 'Q' && s.prec >= 0 {
			a = p.sh.cut(a, s.prec)
			s.prec = -1
		}
		p.text(backslashed(a), s)
	case 'd', 'i':
		a, ok := p.arg()
		n := int64(0)
		if ok {
			n = p.integer(a)
		}
		p.decimal(n, s)
	case 'u', 'o', 'x', 'X':
		a, ok := p.arg()
		n := int64(0)
		if ok {
			n = p.number(a, true)
		}
		p.unsigned(uint64(n), c, s)
	case 'e', 'E', 'f', 'F', 'g', 'G', 'a', 'A':
		a, ok := p.arg()
		x := 0.0
		if ok {
			x = p.float(a)
		}
		p.floating(x, c, s)
	case '(':
		e := strings.IndexByte(f[i:], ')')
		if e < 0 || i+e+1 >= len(f) || f[i+e+1] != 'T' {
			p.fail("`" + f + "': invalid time format specification")
			p.stop = true
			return len(f)
		}
		p.time(f[i:i+e], s)
		i += e + 2
	case 'n':
		if a, ok := p.arg(); ok && validName(a) {
			p.sh.setName(a, itoa(int64(len(p.out))))
		}
	default:
		p.fail("`" + string(rune(c)) + "': invalid format character")
		p.stop = true
	}
	return i
}

// appendPercentB is the text of %b, where \c ends all output.
func appendPercentB(b []byte, a string) ([]byte, bool) {
	for k := 0; k < len(a); {
		if a[k] != '\\' {
			b = append(b, a[k])
			k++
			continue
		}
		n, stop := 0, false
		if b, n, stop = appendEscape(b, a[k:], escArg); stop {
			return b, true
		}
		k += n
	}
	return b, false
}

// cut returns the first n bytes... of a string in characters.
func (sh *Shell) cut(s string, n int) string {
	if n >= sh.charLen(s) {
		return s
	}
	return sh.substr(s, 0, n)
}

func (p *formatter) text(a string, s spec) {
	if s.prec >= 0 && s.prec < len(a) {
		a = a[:s.prec]
	}
	p.pad(a, s.width-len(a), s.minus, ' ') // bytes, as in C
}

func (p *formatter) pad(a string, n int, left bool, c byte) {
	if !left {
		for ; n > 0; n-- {
			p.out = append(p.out, c)
		}
	}
	p.out = append(p.out, a...)
	for ; n > 0; n-- {
		p.out = append(p.out, ' ')
	}
}

func (p *formatter) time(f string, s spec) {
	a, ok := p.arg()
	sec := wsys.Now() / 1e9
	if ok && a != "" && a != "-1" {
		if a == "-2" {
			sec -= (wsys.Monotonic() - p.sh.secBase) / 1e9
		} else {
			sec = p.integer(a)
		}
	}
	if f == "" {
		f = "%X"
	}
	c := datetime.In(sec, p.sh.zone())
	p.text(string(datetime.AppendFormat(nil, f, &c, sec, 0)), s)
}
