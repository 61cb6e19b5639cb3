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

func (l *literalScan) node(n *node) {
	switch n.op {
	case opEmpty:
	case opSet:
		c, ok := l.re.sets.list[n.n].single()
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
