// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package testexpr

import "strconv"

// A number is a decimal integer of any size: its sign and its digits without
// leading zeros ("" is zero).
type number struct {
	neg    bool
	digits string
}

func blank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// integer parses a decimal integer between blanks.
func integer(s string) (number, bool) {
	for s != "" && blank(s[0]) {
		s = s[1:]
	}
	for s != "" && blank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	var n number
	if s != "" && (s[0] == '-' || s[0] == '+') {
		n.neg = s[0] == '-'
		s = s[1:]
	}
	if s == "" {
		return n, false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return n, false
		}
	}
	for s != "" && s[0] == '0' {
		s = s[1:]
	}
	n.digits = s
	n.neg = n.neg && s != ""
	return n, true
}

func numberOf(v int) number {
	n, _ := integer(strconv.Itoa(v))
	return n
}

// value returns the number where it fits.
func (n number) value() (int64, bool) {
	if n.digits == "" {
		return 0, true
	}
	v, err := strconv.ParseInt(n.digits, 10, 64)
	if n.neg {
		v = -v
	}
	return v, err == nil
}

func (n number) cmp(m number) int {
	sign := 1
	if n.neg {
		sign = -1
	}
	switch {
	case n.neg != m.neg:
		return sign
	case len(n.digits) != len(m.digits):
		if len(n.digits) < len(m.digits) {
			return -sign
		}
		return sign
	case n.digits < m.digits:
		return -sign
	case n.digits > m.digits:
		return sign
	}
	return 0
}
