// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package expr

import (
	"strconv"
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/posixre"
)

// Statuses.
const (
	exitNull    = 1 // the value is null or zero
	exitInvalid = 2 // the expression is not valid
	exitFailure = 3 // an error occurred
)

// maxDepth bounds nested parentheses and prefix keywords.
const maxDepth = 10000

var syntax = cmdkit.Syntax{
	Usage: []string{"EXPRESSION", "OPTION"},
	Help: `
Print the value of EXPRESSION. In order of growing precedence:

  ARG1 | ARG2       ARG1 if it is neither null nor 0, otherwise ARG2
  ARG1 & ARG2       ARG1 if neither argument is null or 0, otherwise 0
  ARG1 < ARG2       less; also <= = == != >= >; numbers if both are, else strings
  ARG1 + ARG2       sum; also -
  ARG1 * ARG2       product; also / and %
  STRING : REGEXP   match of REGEXP at the start of STRING
  match STRING REGEXP
  substr STRING POS LENGTH
  index STRING CHARS
  length STRING
  + TOKEN           TOKEN as a string, even if it is a keyword
  ( EXPRESSION )

A match returns what is between \( and \), or null; without \( the number of
characters matched, or 0. The exit status is 0 if the value is neither null nor
0, 1 if it is, 2 if the expression is not valid, 3 after an error.

`,
}

// value is a string or an integer.
type value struct {
	num   bool
	str   string
	n     integer
	known bool // the string was tried as a number
	isNum bool
}

func text(s string) *value    { return &value{str: s} }
func number(n integer) *value { return &value{num: true, n: n} }
func small(n int) *value      { v, _ := parseInteger(strconv.Itoa(n)); return number(v) }
func (v *value) String() string {
	if v.num {
		return v.n.String()
	}
	return v.str
}

// integer returns the value as an integer where it is one.
func (v *value) integer() (integer, bool) {
	if v.num {
		return v.n, true
	}
	if !v.known {
		v.known = true
		v.n, v.isNum = parseInteger(v.str)
	}
	return v.n, v.isNum
}

// null reports whether the value is the empty string or zero.
func (v *value) null() bool {
	if v.num {
		return len(v.n.mag) == 0
	}
	if v.str == "" {
		return true
	}
	n, ok := v.integer()
	return ok && len(n.mag) == 0
}

type evaluator struct {
	p     *cmdkit.Proc
	args  []string
	pos   int
	depth int
	utf8  bool
}

// failure ends an evaluation; the message is written.
type failure int

func (e *evaluator) fail(msg ...string) {
	e.p.Warn(msg...)
	panic(failure(exitInvalid))
}

// Expr is expr.
func Expr(p *cmdkit.Proc) (status int) {
	if p.HelpOnly(&syntax) {
		return 0
	}
	args := p.Args
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return p.MissingOperand(exitInvalid)
	}
	defer func() {
		switch f := recover().(type) {
		case nil:
		case failure:
			status = int(f)
		default:
			panic(f)
		}
	}()
	e := &evaluator{p: p, args: args, utf8: p.UTF8()}
	v := e.or(true)
	if e.pos < len(e.args) {
		e.fail("syntax error: unexpected argument ", cmdkit.Quote(e.args[e.pos]))
	}
	p.Stdout.WriteString(v.String())
	p.Stdout.WriteByte('\n')
	if v.null() {
		status = exitNull
	}
	if p.Stdout.Flush() != nil {
		status = exitFailure
	}
	return status
}

// next takes the next argument if it is s.
func (e *evaluator) next(s string) bool {
	if e.pos < len(e.args) && e.args[e.pos] == s {
		e.pos++
		return true
	}
	return false
}

func (e *evaluator) needMore() {
	if e.pos >= len(e.args) {
		e.fail("syntax error: missing argument after ", cmdkit.Quote(e.args[e.pos-1]))
	}
}

// The functions below parse and, where eval is set, evaluate.

func (e *evaluator) or(eval bool) *value {
	l := e.and(eval)
	for e.next("|") {
		r := e.and(eval && l.null())
		if l.null() {
			if l = r; l.null() {
				l = small(0)
			}
		}
	}
	return l
}

func (e *evaluator) and(eval bool) *value {
	l := e.compare(eval)
	for e.next("&") {
		r := e.compare(eval && !l.null())
		if l.null() || r.null() {
			l = small(0)
		}
	}
	return l
}

func (e *evaluator) compare(eval bool) *value {
	l := e.sum(eval)
	for {
		var holds func(c int) bool
		switch {
		case e.next("<"):
			holds = func(c int) bool { return c < 0 }
		case e.next("<="):
			holds = func(c int) bool { return c <= 0 }
		case e.next("="), e.next("=="):
			holds = func(c int) bool { return c == 0 }
		case e.next("!="):
			holds = func(c int) bool { return c != 0 }
		case e.next(">="):
			holds = func(c int) bool { return c >= 0 }
		case e.next(">"):
			holds = func(c int) bool { return c > 0 }
		default:
			return l
		}
		r := e.sum(eval)
		if !eval {
			l = small(0)
			continue
		}
		c := 0
		a, ok1 := l.integer()
		b, ok2 := r.integer()
		if ok1 && ok2 {
			c = a.cmp(b)
		} else if s, t := l.String(), r.String(); s < t {
			c = -1
		} else if s > t {
			c = 1
		}
		l = small(0)
		if holds(c) {
			l = small(1)
		}
	}
}

// operands returns both sides as integers.
func (e *evaluator) operands(l, r *value) (a, b integer) {
	a, ok1 := l.integer()
	b, ok2 := r.integer()
	if !ok1 || !ok2 {
		e.fail("non-integer argument")
	}
	return a, b
}

func (e *evaluator) sum(eval bool) *value {
	l := e.product(eval)
	for {
		minus := false
		switch {
		case e.next("+"):
		case e.next("-"):
			minus = true
		default:
			return l
		}
		r := e.product(eval)
		if !eval {
			continue
		}
		if a, b := e.operands(l, r); minus {
			l = number(a.sub(b))
		} else {
			l = number(a.add(b))
		}
	}
}

func (e *evaluator) product(eval bool) *value {
	l := e.match(eval)
	for {
		var op byte
		switch {
		case e.next("*"):
			op = '*'
		case e.next("/"):
			op = '/'
		case e.next("%"):
			op = '%'
		default:
			return l
		}
		r := e.match(eval)
		if !eval {
			continue
		}
		a, b := e.operands(l, r)
		if op == '*' {
			l = number(a.mul(b))
			continue
		}
		if len(b.mag) == 0 {
			e.fail("division by zero")
		}
		q, m := a.div(b)
		if op == '/' {
			l = number(q)
		} else {
			l = number(m)
		}
	}
}

func (e *evaluator) match(eval bool) *value {
	l := e.keyword(eval)
	for e.next(":") {
		r := e.keyword(eval)
		if eval {
			l = e.matchString(l.String(), r.String())
		}
	}
	return l
}

func (e *evaluator) keyword(eval bool) *value {
	if e.depth++; e.depth > maxDepth {
		e.fail("expression nested too deeply")
	}
	defer func() { e.depth-- }()
	switch {
	case e.next("+"):
		e.needMore()
		e.pos++
		return text(e.args[e.pos-1])
	case e.next("length"):
		r := e.keyword(eval)
		return small(e.count(r.String()))
	case e.next("match"):
		l := e.keyword(eval)
		r := e.keyword(eval)
		if !eval {
			return l
		}
		return e.matchString(l.String(), r.String())
	case e.next("index"):
		l := e.keyword(eval)
		r := e.keyword(eval)
		return small(e.index(l.String(), r.String()))
	case e.next("substr"):
		l := e.keyword(eval)
		from := e.keyword(eval)
		n := e.keyword(eval)
		return text(e.substr(l.String(), from, n))
	}
	return e.primary(eval)
}

func (e *evaluator) primary(eval bool) *value {
	e.needMore()
	if e.next("(") {
		v := e.or(eval)
		if e.pos >= len(e.args) {
			e.fail("syntax error: expecting ')' after ", cmdkit.Quote(e.args[e.pos-1]))
		}
		if !e.next(")") {
			e.fail("syntax error: expecting ')' instead of ", cmdkit.Quote(e.args[e.pos]))
		}
		return v
	}
	if e.next(")") {
		e.fail("syntax error: unexpected ')'")
	}
	e.pos++
	return text(e.args[e.pos-1])
}

// width returns the length of the character at s[i].
func (e *evaluator) width(s string, i int) int {
	if !e.utf8 || s[i] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeRuneInString(s[i:])
	return n
}

func (e *evaluator) count(s string) int {
	n := 0
	for i := 0; i < len(s); i += e.width(s, i) {
		n++
	}
	return n
}

// index returns the position of the first character of s that is in chars.
func (e *evaluator) index(s, chars string) int {
	n := 0
	for i := 0; i < len(s); {
		w := e.width(s, i)
		n++
		for k := 0; k < len(chars); k += e.width(chars, k) {
			if s[i:i+w] == chars[k:k+e.width(chars, k)] {
				return n
			}
		}
		i += w
	}
	return 0
}

// substr returns the characters of s from the position from, counted from 1, n
// of them. It is empty where either is no positive integer.
func (e *evaluator) substr(s string, from, n *value) string {
	f, ok := from.integer()
	c, ok2 := n.integer()
	if !ok || !ok2 || f.neg || c.neg || len(f.mag) == 0 || len(c.mag) == 0 {
		return ""
	}
	first, ok := f.int()
	if !ok {
		return ""
	}
	count, ok := c.int()
	if !ok {
		count = len(s)
	}
	start, pos, i := -1, 1, 0
	for i < len(s) {
		if pos == first {
			start = i
		}
		if start >= 0 && pos-first >= count {
			break
		}
		i += e.width(s, i)
		pos++
	}
	if start < 0 {
		return ""
	}
	return s[start:i]
}

// matchString matches a basic regular expression at the start of s.
func (e *evaluator) matchString(s, pattern string) *value {
	var flags posixre.Flags
	if !e.utf8 {
		flags |= posixre.Bytes
	}
	re, err := posixre.Compile(pattern, flags)
	if err != nil {
		e.fail(err.Error())
	}
	var loc [4]int
	ok, err := re.FindAt([]byte(s), 0, 0, loc[:])
	if err != nil {
		e.p.Warn(err.Error())
		panic(failure(exitFailure))
	}
	switch {
	case re.NumSubexp() > 0:
		if !ok || loc[2] < 0 {
			return text("")
		}
		return text(s[loc[2]:loc[3]])
	case !ok:
		return small(0)
	}
	return small(e.count(s[:loc[1]]))
}
