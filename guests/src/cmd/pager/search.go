// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pager

import (
	"bytes"

	"github.com/wsandbox/wsandbox/guests/src/posixre"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// pattern is what is searched for.
type pattern struct {
	re     *posixre.Regexp
	invert bool // lines that do not match
}

// newPattern compiles an extended regular expression, or with literal a string.
func newPattern(s string, literal, fold, invert, utf8 bool) (*pattern, error) {
	flags := posixre.Extended | posixre.ParenLiteral
	if literal {
		flags = posixre.Fixed
	}
	if fold {
		flags |= posixre.ICase
	}
	if !utf8 {
		flags |= posixre.Bytes
	}
	re, err := posixre.Compile(s, flags|posixre.Lines)
	if err != nil {
		return nil, err
	}
	return &pattern{re, invert}, nil
}

// hasUpper reports whether s has an upper case letter of ASCII.
func hasUpper(s string) bool {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			return true
		}
	}
	return false
}

// ranges returns the bounds of the matches in a line, at most 1000.
func (p *pattern) ranges(plain []byte) (out [][2]int) {
	if p.invert {
		return nil
	}
	var loc [2]int
	for pos := 0; pos <= len(plain) && len(out) < 1000; {
		ok, err := p.re.Find(plain, pos, 0, loc[:])
		if !ok || err != nil {
			break
		}
		if loc[1] > loc[0] {
			out = append(out, loc)
		}
		if pos = loc[1]; loc[1] == loc[0] {
			pos++
		}
	}
	return out
}

// matches reports whether a line is one of those searched for.
func (p *pattern) matches(s *style, line []byte) bool {
	if s.special(line) {
		_, line = s.glyphs(line)
	}
	return p.re.Match(line) != p.invert
}

// special reports whether b has more than its plain text.
func (s *style) special(b []byte) bool {
	return wsys.IndexByte(b, '\b') >= 0 || s.colors && wsys.IndexByte(b, 0x1b) >= 0
}

// forward returns the first line from off on that is searched for, or -1.
func (p *pattern) forward(t *text, s *style, off int64, stop func() bool) int64 {
	for !stop() {
		b := t.window(off, 0)
		if len(b) == 0 {
			return -1
		}
		n := bytes.LastIndexByte(b, '\n') + 1
		if n == 0 || n > maxPiece || p.invert || s.special(b[:n]) {
			line, next, ok := t.next(off)
			if !ok {
				return -1
			}
			if p.matches(s, line) {
				return off
			}
			off = next
			continue
		}
		start, _, err := p.re.FindLine(b[:n], 0)
		if err != nil {
			return -1
		}
		if start >= 0 {
			return off + int64(start)
		}
		off += int64(n)
	}
	return -1
}

// backward returns the last line before off that is searched for, or -1.
func (p *pattern) backward(t *text, s *style, off int64, stop func() bool) int64 {
	for off > 0 && !stop() {
		from := t.lineStart(max(0, off-maxPiece))
		last := int64(-1)
		for at := from; at < off && !stop(); {
			line, next, ok := t.next(at)
			if !ok {
				break
			}
			if p.matches(s, line) {
				last = at
			}
			at = next
		}
		if last >= 0 {
			return last
		}
		if from >= off {
			break
		}
		off = from
	}
	return -1
}
