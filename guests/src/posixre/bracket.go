// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package posixre

// bracket parses a bracket expression behind its '['.
//
// POSIX: XBD 9.3.5 RE Bracket Expression.
func (p *parser) bracket() (*node, error) {
	open := p.pos
	negate := false
	if p.pos < len(p.src) && p.src[p.pos] == '^' {
		negate = true
		p.pos++
	}
	var set symset
	first := true
	for {
		if p.pos >= len(p.src) {
			return nil, ErrBracket
		}
		c := p.src[p.pos]
		if c == ']' && !first {
			p.pos++
			break
		}
		if c == '-' && !first && p.pos+1 < len(p.src) && p.src[p.pos+1] != ']' {
			// A hyphen that neither starts, ends nor makes a range.
			return nil, ErrRange
		}
		first = false
		lo, members, err := p.bracketElement()
		if err != nil {
			return nil, err
		}
		ranged := p.pos+1 < len(p.src) && p.src[p.pos] == '-' && p.src[p.pos+1] != ']'
		if p.pos < len(p.src) && p.src[p.pos] == '-' && p.pos+1 >= len(p.src) {
			return nil, ErrBracket
		}
		if members != nil {
			if ranged {
				return nil, ErrRange
			}
			set = append(set, members...)
			continue
		}
		if !ranged {
			set = append(set, span{lo, lo})
			continue
		}
		p.pos++
		hi, members, err := p.bracketElement()
		if err != nil {
			return nil, err
		}
		if members != nil || hi < lo {
			return nil, ErrRange
		}
		set = append(set, span{lo, hi})
	}
	if p.flags&Lenient != 0 && !negate {
		// grep refuses [:name:] and alike.
		s := p.src[open : p.pos-1]
		if n := len(s); n > 2 && s[0] == s[n-1] && s[0] == ':' {
			return nil, ErrClassBracket
		}
	}
	sortSpans(set)
	set = append(symset(nil), set...).normal()
	if p.flags&ICase != 0 {
		set = set.fold(p.flags&Bytes != 0)
	}
	if negate {
		set = set.complement(p.all())
		if p.flags&NotNewline != 0 {
			set = symset{{'\n', '\n'}}.complement(set)
		}
	}
	return p.setNode(set)
}

// bracketElement parses a character, [.x.], [=x=] or [:name:]. members is set
// for the last two, which cannot bound a range.
func (p *parser) bracketElement() (c int32, members symset, err error) {
	bytes := p.flags&Bytes != 0
	if p.src[p.pos] == '\\' && p.flags&ListEscapes != 0 && p.pos+1 < len(p.src) {
		p.pos++
	}
	if p.src[p.pos] == '[' && p.pos+1 < len(p.src) {
		switch k := p.src[p.pos+1]; k {
		case '.', '=', ':':
			from := p.pos + 2
			to := from
			for {
				if to+1 >= len(p.src) || to-from > 32 {
					return 0, nil, ErrBracket
				}
				if p.src[to] == k && p.src[to+1] == ']' && to > from {
					break
				}
				to++
			}
			name := p.src[from:to]
			p.pos = to + 2
			if k == ':' {
				if p.flags&ICase != 0 && (name == "upper" || name == "lower") {
					name = "alpha"
				}
				if members = class(name, bytes); members == nil {
					return 0, nil, ErrClass
				}
				return 0, members, nil
			}
			c, n := symbol(name, 0, bytes)
			if n != len(name) {
				return 0, nil, ErrCollate
			}
			if k == '=' {
				return 0, symset{{c, c}}, nil
			}
			return c, nil, nil
		}
	}
	c, n := symbol(p.src, p.pos, bytes)
	p.pos += n
	return c, nil, nil
}
