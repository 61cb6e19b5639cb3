// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sorting

import (
	"bytes"
	"math"
	"strconv"
)

// compareText compares under -d, -f and -i.
func compareText(a, b []byte, o *order) int {
	if !o.dictionary && !o.noPrint && !o.fold {
		return bytes.Compare(a, b)
	}
	i, j := 0, 0
	for {
		for i < len(a) && o.ignored(a[i]) {
			i++
		}
		for j < len(b) && o.ignored(b[j]) {
			j++
		}
		if i == len(a) || j == len(b) {
			switch {
			case i < len(a):
				return 1
			case j < len(b):
				return -1
			}
			return 0
		}
		x, y := a[i], b[j]
		if o.fold {
			x, y = upper(x), upper(y)
		}
		if x != y {
			if x < y {
				return -1
			}
			return 1
		}
		i, j = i+1, j+1
	}
}

func (o *order) ignored(c byte) bool {
	if o.dictionary && !blank(c) && !alnum(c) {
		return true
	}
	return o.noPrint && (c < 32 || c > 126)
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - 32
	}
	return c
}

func alnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// number is the leading decimal number of a key.
type number struct {
	neg        bool
	whole, dec []byte // digits without leading zeros, without trailing zeros
	rest       []byte
}

func scanNumber(s []byte) (n number) {
	for len(s) > 0 && blank(s[0]) {
		s = s[1:]
	}
	if len(s) > 0 && s[0] == '-' {
		n.neg = true
		s = s[1:]
	}
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	n.whole = s[:i]
	for len(n.whole) > 0 && n.whole[0] == '0' {
		n.whole = n.whole[1:]
	}
	s = s[i:]
	if len(s) > 0 && s[0] == '.' {
		i = 1
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		n.dec = s[1:i]
		for len(n.dec) > 0 && n.dec[len(n.dec)-1] == '0' {
			n.dec = n.dec[:len(n.dec)-1]
		}
		s = s[i:]
	}
	if len(n.whole) == 0 && len(n.dec) == 0 {
		n.neg = false // minus zero is zero
	}
	n.rest = s
	return n
}

// compareNumbers compares exactly, whatever the number of digits.
func compareNumbers(a, b *number) int {
	if a.neg != b.neg {
		if a.neg {
			return -1
		}
		return 1
	}
	c := len(a.whole) - len(b.whole)
	if c == 0 {
		if c = bytes.Compare(a.whole, b.whole); c == 0 {
			c = bytes.Compare(a.dec, b.dec)
		}
	}
	if a.neg {
		c = -c
	}
	return sign(c)
}

func sign(c int) int {
	switch {
	case c < 0:
		return -1
	case c > 0:
		return 1
	}
	return 0
}

// humanUnit returns the rank of a size suffix.
func humanUnit(n *number) int {
	if len(n.rest) == 0 {
		return 0
	}
	for i, c := range []byte("KMGTPEZYRQ") {
		if n.rest[0] == c || c == 'K' && n.rest[0] == 'k' {
			return i + 1
		}
	}
	return 0
}

func compareHuman(a, b []byte) int {
	x, y := scanNumber(a), scanNumber(b)
	ux, uy := humanUnit(&x), humanUnit(&y)
	rank := func(n *number, u int) int { // sign, then unit, as GNU
		switch {
		case len(n.whole) == 0 && len(n.dec) == 0:
			return 0
		case n.neg:
			return -1 - u
		}
		return 1 + u
	}
	if c := rank(&x, ux) - rank(&y, uy); c != 0 {
		return sign(c)
	}
	return compareNumbers(&x, &y)
}

// general returns the value of -g: what strtod reads, and a class that sorts
// text that is no number first and NaN second.
func general(s []byte) (float64, int) {
	for len(s) > 0 && (blank(s[0]) || s[0] >= 11 && s[0] <= 13) {
		s = s[1:]
	}
	n := 0
	for n < len(s) && n < 400 && (alnum(s[n]) || s[n] == '.' || s[n] == '+' || s[n] == '-') {
		n++
	}
	for ; n > 0; n-- { // the longest prefix that is a number
		if f, err := strconv.ParseFloat(string(s[:n]), 64); err == nil || math.IsInf(f, 0) {
			if math.IsNaN(f) {
				return 0, 1
			}
			return f, 2
		}
	}
	return 0, 0
}

func compareGeneral(a, b []byte) int {
	x, cx := general(a)
	y, cy := general(b)
	switch {
	case cx != cy:
		return sign(cx - cy)
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// month returns 1 to 12, or 0 for what is none.
func month(s []byte) int {
	for len(s) > 0 && blank(s[0]) {
		s = s[1:]
	}
	if len(s) < 3 {
		return 0
	}
	name := string([]byte{upper(s[0]), upper(s[1]), upper(s[2])})
	for i := range 12 {
		if "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"[3*i:3*i+3] == name {
			return i + 1
		}
	}
	return 0
}

// compareVersions compares as GNU filevercmp: digits by value, letters before
// other characters, "~" before everything, file suffixes last.
func compareVersions(a, b []byte) int {
	// The empty string, "." and ".." come first, then hidden names.
	special := func(s []byte) int {
		switch {
		case len(s) == 0:
			return 0
		case string(s) == ".":
			return 1
		case string(s) == "..":
			return 2
		case s[0] == '.':
			return 3
		}
		return 4
	}
	if x, y := special(a), special(b); x != y || x < 3 {
		return sign(x - y)
	}
	pa, pb := versionPrefix(a), versionPrefix(b)
	if len(pa) == len(a) && len(pb) == len(b) || !bytes.Equal(pa, pb) {
		if c := compareVersionParts(pa, pb); c != 0 {
			return c
		}
	}
	return compareVersionParts(a, b)
}

// versionPrefix cuts off the suffixes (\.[A-Za-z~][A-Za-z0-9~]*)*.
func versionPrefix(s []byte) []byte {
	cut := len(s)
	for i := 0; i < len(s); {
		if i > 0 && s[i] == '.' && i+1 < len(s) && (s[i+1] == '~' || alnum(s[i+1]) && (s[i+1] < '0' || s[i+1] > '9')) {
			j := i + 2
			for j < len(s) && (alnum(s[j]) || s[j] == '~') {
				j++
			}
			if cut == len(s) {
				cut = i
			}
			i = j
			continue
		}
		cut = len(s)
		i++
	}
	return s[:cut]
}

func compareVersionParts(a, b []byte) int {
	rank := func(s []byte, i int) int {
		if i >= len(s) {
			return -1
		}
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			return 0
		case c == '~':
			return -2
		case alnum(c):
			return int(c)
		default:
			return int(c) + 256
		}
	}
	digit := func(s []byte, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		for i < len(a) && !digit(a, i) || j < len(b) && !digit(b, j) {
			x, y := rank(a, i), rank(b, j)
			if x != y {
				return sign(x - y)
			}
			i, j = i+1, j+1
		}
		for i < len(a) && a[i] == '0' {
			i++
		}
		for j < len(b) && b[j] == '0' {
			j++
		}
		first := 0
		for digit(a, i) && digit(b, j) {
			if first == 0 {
				first = sign(int(a[i]) - int(b[j]))
			}
			i, j = i+1, j+1
		}
		switch {
		case digit(a, i):
			return 1
		case digit(b, j):
			return -1
		case first != 0:
			return first
		}
	}
	return 0
}

// hash orders keys for -R: equal keys come together.
func hash(s []byte, seed uint64) uint64 {
	h := 14695981039346656037 ^ seed
	for _, c := range s {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}

// compareKeys compares two extracted keys without regard to reverse.
func (s *sorter) compareKeys(a, b []byte, o *order) int {
	switch o.kind {
	case kindNumeric:
		x, y := scanNumber(a), scanNumber(b)
		return compareNumbers(&x, &y)
	case kindHuman:
		return compareHuman(a, b)
	case kindGeneral:
		return compareGeneral(a, b)
	case kindMonth:
		return sign(month(a) - month(b))
	case kindVersion:
		return compareVersions(a, b)
	case kindRandom:
		x, y := hash(a, s.seed), hash(b, s.seed)
		if x != y {
			if x < y {
				return -1
			}
			return 1
		}
	}
	return compareText(a, b, o)
}
