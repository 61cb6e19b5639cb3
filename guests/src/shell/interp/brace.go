// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import "strconv"

// maxBraces bounds the words one brace expansion may make.
const maxBraces = 4 << 20

// braceExp is a brace expansion within a word.
type braceExp struct {
	alts [][]part // {a,b}; each may hold further pBrace parts
	// else {from..to..step}
	from, to, step int64
	width          int
	char           bool
}

// count returns how many words the parts make, at most limit.
func braceCount(ps []part) int64 {
	n := int64(1)
	for i := range ps {
		if ps[i].kind != pBrace {
			continue
		}
		k := int64(0)
		if br := ps[i].br; br.alts != nil {
			for _, a := range br.alts {
				k += braceCount(a)
			}
		} else {
			k = br.steps()
		}
		if k > 0 && n > maxBraces*2/k {
			return maxBraces * 2
		}
		n *= k
	}
	return n
}

func (b *braceExp) steps() int64 {
	d := b.to - b.from
	if b.from > b.to {
		d = b.from - b.to
	}
	if d < 0 || d/b.step >= maxBraces {
		return maxBraces * 2
	}
	return d/b.step + 1
}

// item returns the i-th text of a sequence.
func (b *braceExp) item(i int64) string {
	n := b.from + i*b.step
	if b.from > b.to {
		n = b.from - i*b.step
	}
	if b.char {
		return string(rune(n))
	}
	s := strconv.FormatInt(n, 10)
	if len(s) < b.width {
		neg := n < 0
		if neg {
			s = s[1:]
		}
		z := make([]byte, 0, b.width)
		if neg {
			z = append(z, '-')
		}
		for len(z)+len(s) < b.width {
			z = append(z, '0')
		}
		s = string(append(z, s...))
	}
	return s
}

// atom is a byte of unquoted literal text or a whole other part.
type atom struct {
	c byte
	p *part
}

// braces finds brace expansions in the unquoted text of a word.
func (c *compiler) braces(w *word) {
	open := false
	for i := range w.parts {
		if p := &w.parts[i]; p.kind == pLit && !p.quoted && indexByte(p.lit, '{') >= 0 {
			open = true
		}
	}
	if !open {
		return
	}
	var as []atom
	for i := range w.parts {
		p := &w.parts[i]
		if p.kind == pLit && !p.quoted {
			for k := range len(p.lit) {
				as = append(as, atom{c: p.lit[k]})
			}
		} else {
			as = append(as, atom{p: p})
		}
	}
	parts, found := braceParts(as, 0)
	if !found {
		return
	}
	w.parts = parts
	w.brace = true
}

func braceParts(as []atom, depth int) ([]part, bool) {
	var out word
	found := false
	lit := func(from, to int) {
		var b []byte
		flush := func() {
			if len(b) > 0 {
				out.add(part{kind: pLit, lit: string(b), meta: hasMetaChars(string(b))})
				b = b[:0]
			}
		}
		for _, a := range as[from:to] {
			if a.p != nil {
				flush()
				out.add(*a.p)
			} else {
				b = append(b, a.c)
			}
		}
		flush()
	}
	start := 0
	for i := 0; i < len(as); i++ {
		if as[i].c != '{' || as[i].p != nil || depth > 50 {
			continue
		}
		br, n := braceAt(as[i:], depth)
		if br == nil {
			continue
		}
		lit(start, i)
		out.parts = append(out.parts, part{kind: pBrace, br: br})
		found = true
		i += n - 1
		start = i + 1
	}
	lit(start, len(as))
	return out.parts, found
}

// braceAt reads a brace expansion at the start of as and returns its length.
func braceAt(as []atom, depth int) (*braceExp, int) {
	level, start := 0, 1
	var alts [][]part
	var commas []int
	for i, a := range as {
		switch {
		case a.p != nil:
		case a.c == '{':
			level++
		case a.c == ',' && level == 1:
			commas = append(commas, i)
		case a.c == '}':
			if level--; level > 0 {
				continue
			}
			if len(commas) == 0 {
				if br := braceSeq(as[1:i]); br != nil {
					return br, i + 1
				}
				return nil, 0
			}
			for _, k := range append(commas, i) {
				ps, _ := braceParts(as[start:k], depth+1)
				alts = append(alts, ps)
				start = k + 1
			}
			return &braceExp{alts: alts}, i + 1
		}
	}
	return nil, 0
}

// braceSeq reads from..to or from..to..step.
func braceSeq(as []atom) *braceExp {
	b := make([]byte, len(as))
	for i, a := range as {
		if a.p != nil {
			return nil
		}
		b[i] = a.c
	}
	var f []string
	s := string(b)
	for {
		i := 0
		for i+1 < len(s) && (s[i] != '.' || s[i+1] != '.') {
			i++
		}
		if i+1 >= len(s) {
			f = append(f, s)
			break
		}
		f = append(f, s[:i])
		s = s[i+2:]
	}
	if len(f) < 2 || len(f) > 3 {
		return nil
	}
	br := &braceExp{step: 1}
	if len(f) == 3 {
		n, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil || n == -1<<63 {
			return nil
		}
		br.step = max(n, -n, 1)
	}
	x, errX := strconv.ParseInt(f[0], 10, 64)
	y, errY := strconv.ParseInt(f[1], 10, 64)
	switch {
	case errX == nil && errY == nil:
		br.from, br.to = x, y
		for _, t := range f[:2] {
			d := t
			if d != "" && (d[0] == '-' || d[0] == '+') {
				d = d[1:]
			}
			if len(d) > 1 && d[0] == '0' {
				br.width = max(br.width, len(f[0]), len(f[1]))
			}
		}
	case len(f[0]) == 1 && len(f[1]) == 1 && isLetter(f[0][0]) && isLetter(f[1][0]):
		br.char, br.from, br.to = true, int64(f[0][0]), int64(f[1][0])
	default:
		return nil
	}
	return br
}

func isLetter(c byte) bool { return c|32 >= 'a' && c|32 <= 'z' }
