// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"math"
	"strconv"
)

var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

func blank(c byte) bool { return c == ' ' || c-'\t' < 5 }

// toNum returns the number at the start of s, or 0.
func toNum(s string) float64 {
	n, _ := number(s)
	return n
}

// looksNumeric reports whether s is a number, apart from blanks around it.
func looksNumeric(s string) (float64, bool) {
	if s == "" || s[0] > '9' && s[0]|0x20 != 'i' && s[0]|0x20 != 'n' {
		return 0, false
	}
	n, end := number(s)
	if end == 0 {
		return 0, false
	}
	for end < len(s) && blank(s[end]) {
		end++
	}
	return n, end == len(s)
}

// number reads the number that s begins with, behind blanks, and returns where
// it ends, which is 0 where there is none. Besides decimal numbers those are
// "inf" and "nan" with a sign.
func number(s string) (float64, int) {
	i := 0
	for i < len(s) && blank(s[i]) {
		i++
	}
	start := i
	neg := false
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		neg = s[i] == '-'
		i++
	}
	var m uint64
	digits, dropped, exp := 0, 0, 0
	from := i
	for i < len(s) {
		c := s[i] - '0'
		if c > 9 {
			break
		}
		if digits < 19 {
			m = m*10 + uint64(c)
			if m > 0 {
				digits++
			}
		} else {
			dropped++
		}
		i++
	}
	some := i > from
	if i < len(s) && s[i] == '.' {
		k := i + 1
		for k < len(s) {
			c := s[k] - '0'
			if c > 9 {
				break
			}
			if digits < 19 {
				m = m*10 + uint64(c)
				if m > 0 {
					digits++
				}
				exp--
			}
			k++
		}
		if some || k > i+1 {
			some = true
			i = k
		}
	}
	if !some {
		if from > start {
			if n, ok := special(s[from:]); ok {
				if neg {
					n = math.Copysign(n, -1)
				}
				return n, from + 3
			}
		}
		return 0, 0
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		k := i + 1
		negExp := false
		if k < len(s) && (s[k] == '-' || s[k] == '+') {
			negExp = s[k] == '-'
			k++
		}
		if k < len(s) && s[k]-'0' <= 9 {
			e := 0
			for k < len(s) && s[k]-'0' <= 9 {
				if e < 10000 {
					e = e*10 + int(s[k]-'0')
				}
				k++
			}
			if negExp {
				e = -e
			}
			exp += e
			i = k
		}
	}
	exp += dropped
	var n float64
	switch {
	case m == 0:
	case m < 1<<53 && dropped == 0 && exp == 0:
		n = float64(m)
	case m < 1<<53 && dropped == 0 && exp < 0 && exp >= -22:
		n = float64(m) / pow10[-exp]
	case m < 1<<53 && dropped == 0 && exp > 0 && exp <= 22:
		n = float64(m) * pow10[exp]
	default:
		// A failure is a value out of range, which is what is returned then.
		n, _ = strconv.ParseFloat(s[from:i], 64)
	}
	if neg {
		n = -n
	}
	return n, i
}

// special returns infinity or not-a-number for "inf" and "nan", with nothing of
// a word behind it.
func special(s string) (float64, bool) {
	if len(s) < 3 || len(s) > 3 && !blank(s[3]) {
		return 0, false
	}
	switch string([]byte{s[0] | 0x20, s[1] | 0x20, s[2] | 0x20}) {
	case "inf":
		return math.Inf(1), true
	case "nan":
		return math.NaN(), true
	}
	return 0, false
}

// integral reports whether n is an integer that fits 64 bits with room to spare.
func integral(n float64) (int64, bool) {
	if n > -1e16 && n < 1e16 {
		i := int64(n)
		return i, float64(i) == n
	}
	return 0, false
}

// numText returns n as a string in the format CONVFMT.
func (in *interp) numText(n float64) string {
	if i, ok := integral(n); ok {
		if i >= 0 && i < int64(len(in.small)) {
			s := in.small[i]
			if s == "" {
				s = strconv.Itoa(int(i))
				in.small[i] = s
			}
			return s
		}
		return strconv.FormatInt(i, 10)
	}
	var room [40]byte
	return in.newText(in.appendNum(room[:0], n, &in.convFmt))
}

// appendNum appends n: an integer as one, anything else in the format f.
func (in *interp) appendNum(b []byte, n float64, f *numFormat) []byte {
	if i, ok := integral(n); ok {
		return strconv.AppendInt(b, i, 10)
	}
	if n != n || math.IsInf(n, 0) {
		return appendSpecial(b, n, true)
	}
	if n == math.Trunc(n) {
		return strconv.AppendFloat(b, n, 'f', 0, 64)
	}
	if f.prec >= 0 {
		return appendG(b, n, f.prec, false, 'e')
	}
	v := numValue(n)
	return in.formatOne(b, f.src, v)
}

func appendSpecial(b []byte, n float64, sign bool) []byte {
	if math.Signbit(n) {
		b = append(b, '-')
	} else if sign {
		b = append(b, '+')
	}
	if n != n {
		return append(b, "nan"...)
	}
	return append(b, "inf"...)
}

// numFormat is CONVFMT or OFMT.
type numFormat struct {
	src  string
	prec int // of %.<prec>g, or -1 for other formats
}

func (in *interp) newNumFormat(s string) numFormat {
	f := numFormat{s, -1}
	if len(s) >= 4 && len(s) <= 5 && s[:2] == "%." && s[len(s)-1] == 'g' {
		if n, err := strconv.Atoi(s[2 : len(s)-1]); err == nil && n >= 0 {
			f.prec = n
			return f
		}
	}
	for _, p := range in.parseFormat(nil, s) {
		if p.spec.conv == 's' {
			f.prec = 6 // a number as a string would need this very format
		}
	}
	return f
}

// appendG appends n as C's %.<prec>g does; alt keeps zeros at the end.
func appendG(b []byte, n float64, prec int, alt bool, e byte) []byte {
	if prec == 0 {
		prec = 1
	}
	from := len(b)
	b = strconv.AppendFloat(b, n, 'e', prec-1, 64)
	// [-]d[.ddd]e±dd[d]
	k := len(b) - 1
	for b[k] != 'e' {
		k--
	}
	exp, _ := strconv.Atoi(string(b[k+1:]))
	if exp >= -4 && exp < prec {
		b = strconv.AppendFloat(b[:from], n, 'f', prec-1-exp, 64)
		if alt {
			if prec-1-exp == 0 {
				b = append(b, '.')
			}
			return b
		}
		return trimZeros(b, from)
	}
	var tail [8]byte
	t := append(tail[:0], b[k:]...)
	t[0] = e
	b = b[:k]
	if alt {
		if prec == 1 {
			b = append(b, '.')
		}
	} else {
		b = trimZeros(b, from)
	}
	return append(b, t...)
}

// trimZeros cuts zeros behind the decimal point of b[from:].
func trimZeros(b []byte, from int) []byte {
	dot := false
	for _, c := range b[from:] {
		dot = dot || c == '.'
	}
	if !dot {
		return b
	}
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	if b[len(b)-1] == '.' {
		b = b[:len(b)-1]
	}
	return b
}
