// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"math"
	"strconv"
	"strings"

	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/shell/arith"
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

func (p *formatter) decimal(n int64, s spec) {
	sign := ""
	d := strconv.FormatInt(n, 10)
	switch {
	case n < 0:
		sign, d = "-", d[1:]
	case s.plus:
		sign = "+"
	case s.space:
		sign = " "
	}
	p.digits(sign, d, n == 0, s)
}

func (p *formatter) unsigned(n uint64, c byte, s spec) {
	prefix, d := "", ""
	switch c {
	case 'u':
		d = strconv.FormatUint(n, 10)
	case 'o':
		d = strconv.FormatUint(n, 8)
		if s.alt && d[0] != '0' {
			d = "0" + d
		}
	default:
		d = strconv.FormatUint(n, 16)
		if s.alt && n != 0 {
			prefix = "0x"
		}
		if c == 'X' {
			d, prefix = strings.ToUpper(d), strings.ToUpper(prefix)
		}
	}
	p.digits(prefix, d, n == 0, s)
}

func (p *formatter) digits(prefix, d string, zero bool, s spec) {
	if s.prec == 0 && zero {
		d = ""
	}
	if n := s.prec - len(d); n > 0 {
		d = strings.Repeat("0", n) + d
	}
	if n := s.width - len(prefix) - len(d); n > 0 && s.zero && !s.minus && s.prec < 0 {
		d = strings.Repeat("0", n) + d
	}
	p.pad(prefix+d, s.width-len(prefix)-len(d), s.minus, ' ')
}

// integer reads a numeric argument: a C constant or 'c for a character's code.
func (p *formatter) integer(a string) int64 { return p.number(a, false) }

func (p *formatter) number(a string, unsigned bool) int64 {
	t := strings.TrimLeft(a, " \t\n")
	if t != "" && (t[0] == '\'' || t[0] == '"') {
		return p.charCode(t[1:])
	}
	neg := false
	d := t
	if d != "" && (d[0] == '-' || d[0] == '+') {
		neg = d[0] == '-'
		d = d[1:]
	}
	base := 10
	switch {
	case len(d) > 1 && d[0] == '0' && d[1]|32 == 'x':
		base, d = 16, d[2:]
	case len(d) > 1 && d[0] == '0':
		base = 8
	}
	n, k := uint64(0), 0
	over := false
	for k < len(d) {
		v := hexDigit(d[k])
		if v < 0 || v >= base {
			break
		}
		if n > (math.MaxUint64-uint64(v))/uint64(base) {
			over = true
		}
		n = n*uint64(base) + uint64(v)
		k++
	}
	switch {
	case a == "":
		return 0
	case k < len(d) || k == 0:
		p.fail(a + ": invalid number")
	case !unsigned && (!neg && n > math.MaxInt64 || neg && n > 1<<63):
		over = true
	}
	if over {
		p.sh.errorf("printf: warning: " + a + ": Numerical result out of range")
		switch {
		case unsigned:
			return -1
		case neg:
			return math.MinInt64
		}
		return math.MaxInt64
	}
	if neg {
		return -int64(n)
	}
	return int64(n)
}

func (p *formatter) charCode(s string) int64 {
	if s == "" {
		return 0
	}
	if !p.sh.utf8 || s[0] < 0x80 {
		return int64(s[0])
	}
	for _, r := range s {
		if r == 0xfffd {
			return int64(s[0])
		}
		return int64(r)
	}
	return 0
}

func (p *formatter) float(a string) float64 {
	t := strings.TrimLeft(a, " \t\n")
	if t == "" {
		return 0
	}
	if t[0] == '\'' || t[0] == '"' {
		return float64(p.charCode(t[1:]))
	}
	if strings.IndexByte(t, '_') >= 0 {
		p.fail(a + ": invalid number")
		return 0
	}
	if n, msg := arith.Number(t); msg == "" && (strings.HasPrefix(t, "0x") || strings.HasPrefix(t, "0X")) && len(t) > 2 {
		return float64(n)
	}
	x, err := strconv.ParseFloat(t, 64)
	if err == nil || math.IsInf(x, 0) {
		return x
	}
	// The longest prefix that is a number counts.
	for k := len(t) - 1; k > 0; k-- {
		if x, err := strconv.ParseFloat(t[:k], 64); err == nil {
			p.fail(a + ": invalid number")
			return x
		}
	}
	p.fail(a + ": invalid number")
	return 0
}

func (p *formatter) floating(x float64, c byte, s spec) {
	prec := s.prec
	if prec < 0 && c|32 != 'a' {
		prec = 6
	}
	sign := ""
	if math.Signbit(x) {
		sign, x = "-", -x
	} else if s.plus {
		sign = "+"
	} else if s.space {
		sign = " "
	}
	var d string
	switch {
	case math.IsInf(x, 0):
		d, s.zero = "inf", false
	case math.IsNaN(x):
		d, s.zero = "nan", false
	case c|32 == 'g':
		d = formatG(x, max(prec, 1), s.alt)
	case c|32 == 'a':
		d = strconv.FormatFloat(x, 'x', prec, 64)
		d = trimExponent(d)
	default:
		d = strconv.FormatFloat(x, c|32, prec, 64)
		if s.alt && prec == 0 && c|32 == 'f' {
			d += "."
		}
	}
	if c >= 'A' && c <= 'Z' {
		d = strings.ToUpper(d)
	}
	if n := s.width - len(sign) - len(d); n > 0 && s.zero && !s.minus {
		d = strings.Repeat("0", n) + d
	}
	p.pad(sign+d, s.width-len(sign)-len(d), s.minus, ' ')
}

// trimExponent writes the exponent of %a without padding.
func trimExponent(d string) string {
	i := strings.IndexByte(d, 'p')
	if i < 0 || i+2 >= len(d) {
		return d
	}
	e := d[i+2:]
	for len(e) > 1 && e[0] == '0' {
		e = e[1:]
	}
	return d[:i+2] + e
}

// formatG is the conversion %g of C.
func formatG(x float64, prec int, alt bool) string {
	e := strconv.FormatFloat(x, 'e', prec-1, 64)
	i := strings.IndexByte(e, 'e')
	exp, _ := strconv.Atoi(e[i+1:])
	d, tail := "", ""
	if exp < -4 || exp >= prec {
		d, tail = e[:i], e[i:]
	} else {
		d = strconv.FormatFloat(x, 'f', prec-1-exp, 64)
	}
	if !alt && strings.IndexByte(d, '.') >= 0 {
		d = strings.TrimRight(strings.TrimRight(d, "0"), ".")
	}
	return d + tail
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
