// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package cmdkit

import "math/bits"

// NumError says what is wrong with a number.
type NumError uint8

// What can be wrong with a number.
const (
	NumOK       NumError = iota
	NumInvalid           // no number
	NumSuffix            // a number with something unknown behind it
	NumOverflow          // too large; the value is the largest
)

// ParseUint parses a decimal number with an optional multiplier, as GNU's
// xstrtoumax does. suffixes has the letters allowed, such as "bkKmMGTPEZY0":
// b is 512, c is 1, w is 2, B is 1024, k K M G T P E Z Y are powers of 1024. A
// '0' among them allows a second letter: kB is a power of 1000, KiB one of
// 1024. Leading blanks and one plus sign are accepted. A multiplier alone
// stands for 1 of it.
func ParseUint(s, suffixes string) (uint64, NumError) {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] >= '\t' && s[i] <= '\r') {
		i++
	}
	if i < len(s) && s[i] == '-' {
		return 0, NumInvalid
	}
	if i < len(s) && s[i] == '+' {
		i++
	}
	from := i
	v, over := uint64(0), false
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		hi, lo := bits.Mul64(v, 10)
		sum, carry := bits.Add64(lo, uint64(s[i]-'0'), 0)
		if hi != 0 || carry != 0 {
			over = true
		}
		v = sum
	}
	if over {
		v = ^uint64(0)
	}
	if i == from {
		if i == len(s) || !hasByte(suffixes, s[i]) {
			return 0, NumInvalid
		}
		v = 1
	}
	if i < len(s) {
		n, base, power := suffixOf(s[i:], suffixes)
		if n == 0 || i+n != len(s) {
			return v, NumSuffix
		}
		for ; power > 0; power-- {
			hi, lo := bits.Mul64(v, base)
			if hi != 0 {
				over = true
			}
			v = lo
		}
	}
	if over {
		return ^uint64(0), NumOverflow
	}
	return v, NumOK
}

// suffixOf returns how long the multiplier at the start of s is, its base and
// power; 0 where there is none.
func suffixOf(s, allowed string) (n int, base uint64, power int) {
	c := s[0]
	if !hasByte(allowed, c) {
		return 0, 0, 0
	}
	n, base = 1, 1024
	switch c {
	case 'b':
		return 1, 512, 1
	case 'B':
		return 1, 1024, 1
	case 'c':
		return 1, 1, 0
	case 'w':
		return 1, 2, 1
	case 'k', 'K':
		power = 1
	case 'm', 'M':
		power = 2
	case 'g', 'G':
		power = 3
	case 't', 'T':
		power = 4
	case 'P':
		power = 5
	case 'E':
		power = 6
	case 'Z':
		power = 7
	case 'Y':
		power = 8
	default:
		return 0, 0, 0
	}
	if hasByte(allowed, '0') {
		switch {
		case len(s) > 2 && s[1] == 'i' && s[2] == 'B':
			n = 3
		case len(s) > 1 && (s[1] == 'B' || s[1] == 'D'):
			n, base = 2, 1000
		}
	}
	return n, base, power
}

func hasByte(s string, c byte) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return true
		}
	}
	return false
}

// Count parses a number as ParseUint does and reports a wrong one as
// "NAME: what: 'arg'", with the wording GNU programs add for an overflow.
func (p *Proc) Count(what, arg, suffixes string) (uint64, bool) {
	v, e := ParseUint(arg, suffixes)
	switch e {
	case NumOK:
		return v, true
	case NumOverflow:
		p.Warn(what, ": ", Quote(arg), ": Value too large for defined data type")
	default:
		p.Warn(what, ": ", Quote(arg))
	}
	return v, false
}

// ParseInt parses a decimal number with an optional sign. It reports false for
// anything else or an overflow.
func ParseInt(s string) (int64, bool) {
	neg := false
	d := s
	if d != "" && (d[0] == '-' || d[0] == '+') {
		neg = d[0] == '-'
		d = d[1:]
	}
	if d == "" || d[0] < '0' || d[0] > '9' {
		return 0, false
	}
	v, e := ParseUint(d, "")
	if e != NumOK {
		return 0, false
	}
	if neg {
		if v > 1<<63 {
			return 0, false
		}
		return -int64(v), true
	}
	return int64(v), v < 1<<63
}

// ParseOctal parses an octal number up to max.
func ParseOctal(s string, max uint32) (uint32, bool) {
	v := uint32(0)
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '7' {
			return 0, false
		}
		if v = v*8 + uint32(s[i]-'0'); v > max {
			return 0, false
		}
	}
	return v, s != ""
}

// ParseSeconds parses a duration: a decimal fraction of seconds, or with one of
// the suffixes s, m, h, d. The result is in nanoseconds, rounded up, at most
// 1<<62. "inf" and "infinity" are accepted.
func ParseSeconds(s string) (int64, bool) {
	const most = int64(1) << 62
	unit := int64(1e9)
	if s == "inf" || s == "infinity" {
		return most, true
	}
	if n := len(s) - 1; n >= 0 {
		switch s[n] {
		case 's':
			s = s[:n]
		case 'm':
			unit, s = 60*unit, s[:n]
		case 'h':
			unit, s = 3600*unit, s[:n]
		case 'd':
			unit, s = 86400*unit, s[:n]
		}
	}
	s = plainDecimal(s)
	v, digits := int64(0), false
	i := 0
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		digits = true
		if v < most/unit+1 {
			v = v*10 + int64(s[i]-'0')
		}
	}
	if v > most/unit {
		v = most / unit
	}
	v *= unit
	if i < len(s) && s[i] == '.' {
		for i++; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
			digits = true
			// The remainder is carried exactly for the units above.
			if unit%10 == 0 {
				unit /= 10
				v += unit * int64(s[i]-'0')
			} else if s[i] != '0' {
				v += (unit*int64(s[i]-'0') + 9) / 10
				unit = 0
			}
		}
	}
	if v > most {
		v = most
	}
	return v, digits && i == len(s)
}

// plainDecimal writes a decimal number with an exponent of up to three digits
// without it. Other texts are returned unchanged.
func plainDecimal(s string) string {
	e := -1
	for i := 0; i < len(s); i++ {
		if s[i]|0x20 == 'e' {
			e = i
			break
		}
	}
	if e < 1 {
		return s
	}
	exp, ok := ParseInt(s[e+1:])
	if !ok || exp > 999 || exp < -999 {
		return s
	}
	var digits []byte
	point := -1
	for i := 0; i < e; i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits = append(digits, c)
		case c == '.' && point < 0:
			point = len(digits)
		default:
			return s
		}
	}
	if len(digits) == 0 {
		return s
	}
	if point < 0 {
		point = len(digits)
	}
	point += int(exp)
	var b []byte
	for i := point; i < 0; i++ {
		b = append(b, '0')
	}
	if point <= 0 {
		return "." + string(append(b, digits...))
	}
	for len(digits) < point {
		digits = append(digits, '0')
	}
	return string(digits[:point]) + "." + string(digits[point:])
}
