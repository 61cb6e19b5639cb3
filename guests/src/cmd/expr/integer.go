// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package expr

import "strconv"

// integer is an integer of any size: its sign and its digits in base 1e9, the
// least first, without leading zeros. Zero has no digits and is not negative.
type integer struct {
	neg bool
	mag []uint32
}

const base = 1e9

// parseInteger parses an optional minus and digits.
func parseInteger(s string) (integer, bool) {
	var n integer
	d := s
	if d != "" && d[0] == '-' {
		n.neg = true
		d = d[1:]
	}
	if d == "" {
		return n, false
	}
	for i := 0; i < len(d); i++ {
		if d[i] < '0' || d[i] > '9' {
			return n, false
		}
	}
	for len(d) > 0 {
		k := max(len(d)-9, 0)
		v := uint32(0)
		for i := k; i < len(d); i++ {
			v = v*10 + uint32(d[i]-'0')
		}
		n.mag = append(n.mag, v)
		d = d[:k]
	}
	return n.normal(), true
}

func (n integer) normal() integer {
	for len(n.mag) > 0 && n.mag[len(n.mag)-1] == 0 {
		n.mag = n.mag[:len(n.mag)-1]
	}
	if len(n.mag) == 0 {
		n.neg = false
	}
	return n
}

func (n integer) String() string {
	if len(n.mag) == 0 {
		return "0"
	}
	var b []byte
	if n.neg {
		b = append(b, '-')
	}
	for i := len(n.mag) - 1; i >= 0; i-- {
		from := len(b)
		b = strconv.AppendUint(b, uint64(n.mag[i]), 10)
		if i < len(n.mag)-1 {
			for w := len(b) - from; w < 9; w++ {
				b = append(b, 0)
				copy(b[from+1:], b[from:])
				b[from] = '0'
			}
		}
	}
	return string(b)
}

func cmpMag(a, b []uint32) int {
	if len(a) != len(b) {
		if len(a) < len(b) {
			return -1
		}
		return 1
	}
	for i := len(a) - 1; i >= 0; i-- {
		if a[i] != b[i] {
			if a[i] < b[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}

// cmp returns -1, 0 or 1.
func (n integer) cmp(m integer) int {
	switch {
	case n.neg != m.neg:
		if n.neg {
			return -1
		}
		return 1
	case n.neg:
		return cmpMag(m.mag, n.mag)
	}
	return cmpMag(n.mag, m.mag)
}

func addMag(a, b []uint32) []uint32 {
	if len(a) < len(b) {
		a, b = b, a
	}
	out := make([]uint32, 0, len(a)+1)
	carry := uint32(0)
	for i, x := range a {
		x += carry
		if i < len(b) {
			x += b[i]
		}
		carry = 0
		if x >= base {
			x -= base
			carry = 1
		}
		out = append(out, x)
	}
	if carry > 0 {
		out = append(out, carry)
	}
	return out
}

// subMag returns a-b, where a is not smaller.
func subMag(a, b []uint32) []uint32 {
	out := make([]uint32, 0, len(a))
	borrow := int64(0)
	for i, x := range a {
		v := int64(x) - borrow
		if i < len(b) {
			v -= int64(b[i])
		}
		borrow = 0
		if v < 0 {
			v += base
			borrow = 1
		}
		out = append(out, uint32(v))
	}
	return out
}

func (n integer) add(m integer) integer {
	if n.neg == m.neg {
		return integer{n.neg, addMag(n.mag, m.mag)}.normal()
	}
	if cmpMag(n.mag, m.mag) >= 0 {
		return integer{n.neg, subMag(n.mag, m.mag)}.normal()
	}
	return integer{m.neg, subMag(m.mag, n.mag)}.normal()
}

func (n integer) sub(m integer) integer {
	m.neg = !m.neg
	return n.add(m.normal())
}

func (n integer) mul(m integer) integer {
	out := make([]uint32, len(n.mag)+len(m.mag))
	for i, x := range n.mag {
		carry := uint64(0)
		for k, y := range m.mag {
			v := uint64(x)*uint64(y) + uint64(out[i+k]) + carry
			out[i+k] = uint32(v % base)
			carry = v / base
		}
		out[i+len(m.mag)] = uint32(carry)
	}
	return integer{n.neg != m.neg, out}.normal()
}

// mulSmall returns a*x.
func mulSmall(a []uint32, x uint32) []uint32 {
	return integer{mag: a}.mul(integer{mag: []uint32{x}}.normal()).mag
}

// div returns the quotient, rounded towards zero, and the remainder, which has
// the sign of n. m is not zero.
func (n integer) div(m integer) (quo, rem integer) {
	q := make([]uint32, len(n.mag))
	var r []uint32
	for i := len(n.mag) - 1; i >= 0; i-- {
		r = integer{mag: append([]uint32{n.mag[i]}, r...)}.normal().mag
		// The largest digit whose product is not above the rest.
		lo, hi := uint32(0), uint32(base-1)
		for lo < hi {
			mid := lo + (hi-lo+1)/2
			if cmpMag(mulSmall(m.mag, mid), r) <= 0 {
				lo = mid
			} else {
				hi = mid - 1
			}
		}
		q[i] = lo
		r = integer{mag: subMag(r, mulSmall(m.mag, lo))}.normal().mag
	}
	return integer{n.neg != m.neg, q}.normal(), integer{n.neg, r}.normal()
}

// int returns the value where it is small.
func (n integer) int() (int, bool) {
	if len(n.mag) > 1 {
		return 0, false
	}
	v := 0
	if len(n.mag) == 1 {
		v = int(n.mag[0])
	}
	if n.neg {
		v = -v
	}
	return v, true
}
