// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pattern

import "strings"

// Match reports whether the pattern matches all of s.
func (p *Pattern) Match(s string) bool {
	if p.flags&NoCase != 0 {
		s = foldString(s)
	}
	if p.group {
		_, ok := p.graph().run(s, 0, wantWhole)
		return ok
	}
	return p.simple(p.ops, s)
}

// Match compiles pat and matches it once.
func Match(pat, s string, flags Flags) bool { return Compile(pat, flags).Match(s) }

// simple matches a pattern without extended forms: on a mismatch it resumes
// behind the last star, so the time is at most len(ops) times len(s).
func (p *Pattern) simple(ops []op, s string) bool {
	i, k := 0, 0
	starOp, starPos := -1, 0
	for {
		if i < len(ops) {
			o := &ops[i]
			switch o.code {
			case opStar:
				if i == len(ops)-1 {
					return true
				}
				starOp, starPos = i, k
				i++
				continue
			case opLit:
				if strings.HasPrefix(s[k:], o.lit) {
					k += len(o.lit)
					i++
					continue
				}
			case opAny:
				if k < len(s) {
					_, n := p.char(s[k:])
					k += n
					i++
					continue
				}
			case opSet:
				if k < len(s) {
					if r, n := p.char(s[k:]); o.set.has(r, p.flags&NoCase != 0) {
						k += n
						i++
						continue
					}
				}
			}
		} else if k == len(s) {
			return true
		}
		if starOp < 0 || starPos >= len(s) {
			return false
		}
		_, n := p.char(s[starPos:])
		starPos += n
		// A literal behind the star is found by a search.
		if o := &ops[starOp+1]; o.code == opLit {
			j := strings.Index(s[starPos:], o.lit)
			if j < 0 {
				return false
			}
			starPos += j
		}
		i, k = starOp+1, starPos
	}
}

// Prefix returns the length of the longest or shortest prefix of s that
// matches.
func (p *Pattern) Prefix(s string, longest bool) (int, bool) {
	if lit, ok := p.Literal(); ok {
		return len(lit), strings.HasPrefix(s, lit)
	}
	if len(p.ops) == 2 && p.flags&NoCase == 0 && !p.group {
		a, b := &p.ops[0], &p.ops[1]
		switch {
		case a.code == opStar && b.code == opLit:
			i := strings.Index(s, b.lit)
			if longest {
				i = strings.LastIndex(s, b.lit)
			}
			return i + len(b.lit), i >= 0
		case a.code == opLit && b.code == opStar:
			if !strings.HasPrefix(s, a.lit) {
				return 0, false
			}
			if longest {
				return len(s), true
			}
			return len(a.lit), true
		}
	}
	if p.flags&NoCase != 0 {
		f := foldString(s)
		if len(f) != len(s) {
			return p.slowPrefix(s, longest)
		}
		s = f
	}
	w := wantShortest
	if longest {
		w = wantLongest
	}
	return p.graph().run(s, 0, w)
}

// slowPrefix serves texts that change their length in another case.
func (p *Pattern) slowPrefix(s string, longest bool) (int, bool) {
	best, ok := 0, false
	for i := 0; ; {
		if p.Match(s[:i]) {
			best, ok = i, true
			if !longest {
				return best, ok
			}
		}
		if i == len(s) {
			return best, ok
		}
		_, n := p.char(s[i:])
		i += n
	}
}

// Suffix returns the start of the longest or shortest suffix of s that
// matches.
func (p *Pattern) Suffix(s string, longest bool) (int, bool) {
	if lit, ok := p.Literal(); ok {
		return len(s) - len(lit), strings.HasSuffix(s, lit)
	}
	if len(p.ops) == 2 && p.flags&NoCase == 0 && !p.group {
		a, b := &p.ops[0], &p.ops[1]
		switch {
		case a.code == opLit && b.code == opStar:
			i := strings.LastIndex(s, a.lit)
			if longest {
				i = strings.Index(s, a.lit)
			}
			return i, i >= 0
		case a.code == opStar && b.code == opLit:
			if !strings.HasSuffix(s, b.lit) {
				return 0, false
			}
			if longest {
				return 0, true
			}
			return len(s) - len(b.lit), true
		}
	}
	best, ok := 0, false
	for i := 0; ; {
		if p.Match(s[i:]) {
			if longest {
				return i, true
			}
			best, ok = i, true
		}
		if i == len(s) {
			return best, ok
		}
		_, n := p.char(s[i:])
		i += n
	}
}

// Find returns the first and there longest match in s at or behind from.
func (p *Pattern) Find(s string, from int) (start, end int, ok bool) {
	if lit, isLit := p.Literal(); isLit {
		if lit == "" {
			return 0, 0, false
		}
		i := strings.Index(s[from:], lit)
		return from + i, from + i + len(lit), i >= 0
	}
	if p.flags&NoCase != 0 {
		if f := foldString(s); len(f) == len(s) {
			s = f
		}
	}
	first := ""
	if len(p.ops) > 0 && p.ops[0].code == opLit {
		first = p.ops[0].lit
	}
	g := p.graph()
	for i := from; i <= len(s); {
		if first != "" {
			j := strings.Index(s[i:], first)
			if j < 0 {
				return 0, 0, false
			}
			i += j
		}
		if n, ok := g.run(s, i, wantLongest); ok {
			return i, n, true
		}
		if i == len(s) {
			break
		}
		_, n := p.char(s[i:])
		i += n
	}
	return 0, 0, false
}
