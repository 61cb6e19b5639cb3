// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"math"
	"strconv"
	"strings"

	"github.com/wsandbox/wsandbox/guests/src/shell/arith"
)

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
