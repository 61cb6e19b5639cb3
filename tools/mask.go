// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"bytes"
	"slices"
	"strings"
)

// secretMask stands in the output for a secret.
const secretMask = "<secret-hidden>"

// secretSet is an immutable set of values that no output shows. A value that
// spans lines counts with the line ends of a terminal, too.
type secretSet struct {
	values [][]byte // longest first
	first  [256]bool
}

func newSecretSet(values []string) *secretSet {
	if len(values) == 0 {
		return nil
	}
	s := &secretSet{}
	add := func(v string) {
		if v != "" {
			s.values = append(s.values, []byte(v))
			s.first[v[0]] = true
		}
	}
	for _, v := range values {
		add(v)
		if crlf := strings.ReplaceAll(strings.ReplaceAll(v, "\r\n", "\n"), "\n", "\r\n"); crlf != v {
			add(crlf)
		}
	}
	slices.SortStableFunc(s.values, func(a, b []byte) int { return len(b) - len(a) })
	return s
}

// match returns the length of the longest value that b begins with, and whether
// b might become a longer one with more bytes.
func (s *secretSet) match(b []byte) (n int, partial bool) {
	if !s.first[b[0]] {
		return 0, false
	}
	for _, v := range s.values {
		if len(v) > len(b) {
			partial = partial || bytes.HasPrefix(v, b)
			continue
		}
		if bytes.HasPrefix(b, v) {
			return len(v), partial
		}
	}
	return 0, partial
}

// text returns t with all secrets masked.
func (s *secretSet) text(t string) string {
	if s == nil {
		return t
	}
	m := masker{set: s}
	return string(append(m.mask([]byte(t)), m.flush()...))
}

// masker masks the secrets of a stream, wherever its pieces are cut. It holds
// back the end of what it got as long as that may be the beginning of one. The
// zero masker passes all. It is not safe for concurrent use.
type masker struct {
	set  *secretSet
	held []byte // shorter than the longest value
}

// mask takes a piece and returns what may be shown. The result is valid until
// the next call, or shares its memory with p.
func (m *masker) mask(p []byte) []byte {
	if m.set == nil {
		return p
	}
	if len(m.held) > 0 {
		p = append(m.held, p...)
		m.held = nil
	}
	out, rest := m.scan(p, false)
	m.held = append([]byte(nil), rest...)
	return out
}

// flush returns what was held back: nothing follows.
func (m *masker) flush() []byte {
	if len(m.held) == 0 {
		return nil
	}
	out, _ := m.scan(m.held, true)
	m.held = nil
	return out
}

func (m *masker) scan(p []byte, last bool) (out, rest []byte) {
	from := 0 // p[from:i] is to be shown
	i := 0
	for i < len(p) {
		n, partial := m.set.match(p[i:])
		if partial && !last {
			break
		}
		if n == 0 {
			i++
			continue
		}
		out = append(append(out, p[from:i]...), secretMask...)
		i += n
		from = i
	}
	if out == nil {
		return p[from:i:i], p[i:]
	}
	return append(out, p[from:i]...), p[i:]
}
