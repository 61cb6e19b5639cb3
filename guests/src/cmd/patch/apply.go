// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package patch

import "bytes"

// target is the file that a patch is applied to.
type target struct {
	lines  [][]byte // with their newlines
	spaces bool     // -l: blanks match any blanks
	frozen int      // lines that have been dealt with
	offset int      // by how much the hunk before was off
	out    [][]byte
}

func split(b []byte) [][]byte {
	lines := make([][]byte, 0, bytes.Count(b, []byte{'\n'})+1)
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\n') + 1
		if i == 0 {
			i = len(b)
		}
		lines = append(lines, b[:i])
		b = b[i:]
	}
	return lines
}

func (t *target) equal(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	if !t.spaces {
		return false
	}
	a, b = bytes.TrimRight(a, " \t\r\n"), bytes.TrimRight(b, " \t\r\n")
	i, k := 0, 0
	blank := func(c byte) bool { return c == ' ' || c == '\t' }
	for i < len(a) && k < len(b) {
		if blank(a[i]) && blank(b[k]) {
			for i < len(a) && blank(a[i]) {
				i++
			}
			for k < len(b) && blank(b[k]) {
				k++
			}
			continue
		}
		if a[i] != b[k] {
			return false
		}
		i, k = i+1, k+1
	}
	return i == len(a) && k == len(b)
}

// matches reports whether the old lines of h, but for some at the ends, stand at
// line at (from 1).
func (t *target) matches(h *hunk, at, skip, leave int) bool {
	from := at - 1 + skip
	n := len(h.old) - skip - leave
	if from < 0 || n < 0 || from+n > len(t.lines) {
		return false
	}
	for i := range n {
		if !t.equal(h.old[skip+i], t.lines[from+i]) {
			return false
		}
	}
	return true
}

// locate finds the line, from 1, where h applies with the given fuzz: the place
// nearest to where it is expected. A hunk with less context at one end belongs
// to that end of the file. It returns 0 where there is none.
func (t *target) locate(h *hunk, fuzz int) int {
	guess := h.oldStart + t.offset
	if len(h.old) == 0 {
		guess++ // behind the line that is named
		if guess-1 > len(t.lines) || guess <= t.frozen || h.oldStart == 0 && len(t.lines) > 0 {
			return 0
		}
		return guess
	}
	context := max(h.prefix, h.suffix)
	skip, leave := fuzz+h.prefix-context, fuzz+h.suffix-context
	if skip < 0 && h.oldStart <= 1 {
		if leave < 0 && len(h.old) != len(t.lines) {
			return 0
		}
		if t.frozen == 0 && t.matches(h, 1, 0, max(0, leave)) {
			return 1
		}
		return 0
	}
	skip = max(0, skip)
	if leave < 0 {
		at := len(t.lines) - len(h.old) + 1
		if at+skip > t.frozen && t.matches(h, at, skip, 0) {
			return at
		}
		return 0
	}
	last := len(t.lines) - (len(h.old) - leave) + 1
	first := max(1-skip, t.frozen+1-skip)
	for off := 0; guess+off <= last || guess-off >= first; off++ {
		if at := guess + off; at >= first && at <= last && t.matches(h, at, skip, leave) {
			return at
		}
		if at := guess - off; off > 0 && at >= first && at <= last && t.matches(h, at, skip, leave) {
			return at
		}
	}
	return 0
}

// apply puts the new lines of h in place at line at. Context that did not match
// stays as it is in the file.
func (t *target) apply(h *hunk, at, fuzz int) {
	skip, leave := 0, 0
	if len(h.old) > 0 {
		context := max(h.prefix, h.suffix)
		skip, leave = max(0, fuzz+h.prefix-context), max(0, fuzz+h.suffix-context)
	}
	from := at - 1 + skip
	t.out = append(t.out, t.lines[t.frozen:from]...)
	for i, l := range h.new[skip : len(h.new)-leave] {
		if k := h.same[skip+i]; k >= 0 && t.spaces {
			// What matched but for its blanks stays.
			l = bytes.TrimSuffix(t.lines[at-1+k], []byte{'\n'})
			if bytes.HasSuffix(h.new[skip+i], []byte{'\n'}) {
				l = append(bytes.Clone(l), '\n')
			}
		}
		t.out = append(t.out, l)
	}
	t.frozen = from + len(h.old) - skip - leave
	expected := h.oldStart
	if len(h.old) == 0 {
		expected++
	}
	t.offset = at - expected
}

// result returns the file with all that has been applied.
func (t *target) result() []byte {
	var b []byte
	for _, l := range append(t.out, t.lines[t.frozen:]...) {
		if n := len(b); n > 0 && b[n-1] != '\n' {
			b = append(b, '\n') // what was the last line is no longer
		}
		b = append(b, l...)
	}
	return b
}
