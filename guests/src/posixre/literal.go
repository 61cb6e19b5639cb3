// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package posixre

import "unicode/utf8"

func walk(n *node, f func(*node)) {
	f(n)
	for _, s := range n.sub {
		walk(s, f)
	}
}

// analyse finds what can be known about every match from the tree.
func (re *Regexp) analyse() {
	l := literalScan{re: re, first: true, exact: true}
	l.node(re.tree)
	exact := l.exact
	l.cut()
	re.prefix, re.must = l.prefix, l.must
	re.exact = exact && len(re.prefix) > 0 && re.backrefs == 0
	if re.flags&ICase != 0 {
		f := literalScan{re: re, fold: true, first: true, exact: true}
		f.node(re.tree)
		exact := f.exact
		f.cut()
		if len(f.must) > len(re.must) {
			re.folded = f.must
			re.foldedExact = exact && re.backrefs == 0
		}
	}
	re.anchored = re.flags&(LineAnchors|Lines|ZeroLines) == 0 && anchored(re.tree)
	if w, ok := re.fixedWidth(re.tree); ok {
		re.width = w
	}
}

// anchored reports whether every match begins with ^ or \`.
func anchored(n *node) bool {
	switch n.op {
	case opAssert:
		return n.n == assertBOL || n.n == assertBegin
	case opCat:
		for _, s := range n.sub {
			if s.op != opAssert {
				return anchored(s)
			}
			if anchored(s) {
				return true
			}
		}
	case opGroup:
		return anchored(n.sub[0])
	case opAlt:
		for _, s := range n.sub {
			if !anchored(s) {
				return false
			}
		}
		return true
	}
	return false
}

// fixedWidth returns the number of bytes n always takes.
func (re *Regexp) fixedWidth(n *node) (int, bool) {
	w := 0
	switch n.op {
	case opEmpty, opAssert:
	case opSet:
		s := re.sets.list[n.n]
		if re.flags&Bytes == 0 && s[len(s)-1].hi >= utf8.RuneSelf {
			return 0, false
		}
		w = 1
	case opCat:
		for _, s := range n.sub {
			x, ok := re.fixedWidth(s)
			if w += x; !ok || w > 1<<20 {
				return 0, false
			}
		}
	case opAlt:
		for i, s := range n.sub {
			x, ok := re.fixedWidth(s)
			if !ok || i > 0 && x != w {
				return 0, false
			}
			w = x
		}
	case opGroup:
		return re.fixedWidth(n.sub[0])
	case opRepeat:
		x, ok := re.fixedWidth(n.sub[0])
		if w = x * int(n.min); !ok || n.min != n.max || w > 1<<20 {
			return 0, false
		}
	default:
		return 0, false
	}
	return w, true
}

// literalScan collects the strings a match begins with and contains.
type literalScan struct {
	re           *Regexp
	run          []byte
	first        bool // run is at the start
	exact        bool
	prefix, must []byte
	fold         bool // take letters of both cases, and note them in lower case
}

// cut ends the current string.
func (l *literalScan) cut() {
	if l.first {
		l.prefix = l.run
	}
	if len(l.run) > len(l.must) {
		l.must = l.run
	}
	l.run, l.first, l.exact = nil, false, false
}

// bothCases returns the lower case of the ASCII letter whose two cases are the
// members of s.
func bothCases(s symset) (int32, bool) {
	if len(s) != 2 || s[0].lo != s[0].hi || s[1].lo != s[1].hi || s[0].lo < 'A' || s[0].lo > 'Z' || s[1].lo != s[0].lo+'a'-'A' {
		return 0, false
	}
	return s[1].lo, true
}

func (l *literalScan) node(n *node) {
	switch n.op {
	case opEmpty:
	case opSet:
		set := l.re.sets.list[n.n]
		c, ok := set.single()
		if l.fold {
			lower := c >= 'a' && c <= 'z'
			if ok && c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
				lower = true
			}
			if lower {
				l.exact = false // only one of the cases
			} else if both, is := bothCases(set); is {
				c, ok = both, true
			}
		}
		switch {
		case !ok || c >= badByte:
			l.cut()
		case l.re.flags&Bytes != 0:
			l.run = append(l.run, byte(c))
		default:
			l.run = utf8.AppendRune(l.run, rune(c))
		}
	case opCat:
		for _, s := range n.sub {
			l.node(s)
		}
	case opGroup:
		l.node(n.sub[0])
	case opAssert:
		l.exact = false
	case opRepeat:
		for i := int32(0); i < n.min && i < 8 && len(l.run) < 64; i++ {
			l.node(n.sub[0])
		}
		if n.min != n.max || n.min > 8 || len(l.run) >= 64 {
			l.cut()
		}
	default:
		l.cut()
	}
}
