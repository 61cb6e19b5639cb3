// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package listing

// compareVersions orders names as ls -v and sort -V do: runs of digits by their
// value, a tilde before everything, and suffixes such as ".tar.gz" last.
//
// GNU: coreutils, Version sort ordering.
func compareVersions(a, b string) int {
	if a == b {
		return 0
	}
	rank := func(s string) int {
		switch {
		case s == "":
			return 0
		case s == ".":
			return 1
		case s == "..":
			return 2
		case s[0] == '.':
			return 3
		}
		return 4
	}
	if x, y := rank(a), rank(b); x != y {
		return x - y
	} else if x == 3 {
		a, b = a[1:], b[1:]
	}
	pa, pb := prefixLen(a), prefixLen(b)
	c := 0
	if a[:pa] != b[:pb] {
		c = compareRevisions(a[:pa], b[:pb])
	}
	if c == 0 {
		c = compareRevisions(a, b)
	}
	if c != 0 {
		return c
	}
	if a < b {
		return -1
	}
	return 1
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// prefixLen returns the length of s without its suffix: the longest end that
// matches (\.[A-Za-z~][A-Za-z0-9~]*)*.
func prefixLen(s string) int {
	n := 0
	for i := 0; i < len(s); {
		i++
		n = i
		for i+1 < len(s) && s[i] == '.' && (isAlpha(s[i+1]) || s[i+1] == '~') {
			for i += 2; i < len(s) && (isAlpha(s[i]) || isDigit(s[i]) || s[i] == '~'); i++ {
			}
		}
	}
	return n
}

func versionOrder(s string, i int) int {
	if i == len(s) {
		return -1
	}
	switch c := s[i]; {
	case isDigit(c):
		return 0
	case isAlpha(c):
		return int(c)
	case c == '~':
		return -2
	default:
		return int(c) + 256
	}
}

func compareRevisions(a, b string) int {
	i, k := 0, 0
	for i < len(a) || k < len(b) {
		for i < len(a) && !isDigit(a[i]) || k < len(b) && !isDigit(b[k]) {
			if x, y := versionOrder(a, i), versionOrder(b, k); x != y {
				return x - y
			}
			i++
			k++
		}
		for i < len(a) && a[i] == '0' {
			i++
		}
		for k < len(b) && b[k] == '0' {
			k++
		}
		first := 0
		for i < len(a) && k < len(b) && isDigit(a[i]) && isDigit(b[k]) {
			if first == 0 {
				first = int(a[i]) - int(b[k])
			}
			i++
			k++
		}
		switch {
		case i < len(a) && isDigit(a[i]):
			return 1
		case k < len(b) && isDigit(b[k]):
			return -1
		case first != 0:
			return first
		}
	}
	return 0
}
