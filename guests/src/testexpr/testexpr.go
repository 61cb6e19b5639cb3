// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package testexpr

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// Host answers the questions an expression asks about its surroundings. A nil
// function makes the operators that need it unknown; for the file operators nil
// means the process's own.
type Host struct {
	Stat   func(path string, follow bool) (abi.Stat, error)
	Access func(path string, mode uint32) error
	Isatty func(fd int32) bool
	IDs    func() (uid, gid uint32)
	Var    func(name string) bool // -v: the shell variable is set
	Option func(name string) bool // -o: the shell option is on
}

func (h *Host) stat(path string, follow bool) (abi.Stat, bool) {
	var st abi.Stat
	var err error
	if h.Stat != nil {
		st, err = h.Stat(path, follow)
	} else {
		st, err = wsys.StatAt(wsys.AtCwd, path, follow)
	}
	return st, err == nil
}

func (h *Host) access(path string, mode uint32) bool {
	if h.Access != nil {
		return h.Access(path, mode) == nil
	}
	return wsys.Access(wsys.AtCwd, path, mode) == nil
}

func (h *Host) isatty(fd int32) bool {
	if h.Isatty != nil {
		return h.Isatty(fd)
	}
	return wsys.Isatty(fd)
}

func (h *Host) ids() (uid, gid uint32) {
	if h.IDs != nil {
		return h.IDs()
	}
	i, _ := wsys.Info(0)
	return i.EUID, i.EGID
}

// Kind says what is wrong with an expression.
type Kind uint8

// Kinds of errors.
const (
	MissingArgument Kind = iota + 1 // behind Arg
	ExtraArgument                   // Arg
	UnaryExpected                   // Arg is no unary operator
	BinaryExpected                  // Arg is no binary operator
	InvalidInteger                  // Arg
	ParenExpected                   // a ')' is missing; Arg stands there, or ""
)

// Error is a wrong expression.
type Error struct {
	Kind Kind
	Arg  string
}

// Error returns the wording of GNU test, with Arg between single quotes.
func (e *Error) Error() string {
	q := "'" + e.Arg + "'"
	switch e.Kind {
	case MissingArgument:
		return "missing argument after " + q
	case ExtraArgument:
		return "extra argument " + q
	case UnaryExpected:
		return q + ": unary operator expected"
	case BinaryExpected:
		return q + ": binary operator expected"
	case InvalidInteger:
		return "invalid integer " + q
	}
	if e.Arg == "" {
		return "')' expected"
	}
	return "')' expected, found " + q
}

// Eval evaluates the arguments of test, without the name and, for [, without
// the closing bracket. No arguments are false. The error is an [*Error].
func Eval(args []string, h *Host) (bool, error) {
	if h == nil {
		h = &Host{}
	}
	p := &parser{args: args, h: h}
	if len(args) == 0 {
		return false, nil
	}
	v := p.posix(len(args))
	if p.err == nil && p.pos != len(args) {
		p.fail(ExtraArgument, args[p.pos])
	}
	if p.err != nil {
		return false, p.err
	}
	return v, nil
}

type parser struct {
	args  []string
	pos   int
	depth int
	h     *Host
	err   error
}

// maxDepth bounds nested parentheses and negations.
const maxDepth = 1000

func (p *parser) fail(k Kind, arg string) bool {
	if p.err == nil {
		p.err = &Error{k, arg}
	}
	p.pos = len(p.args)
	return false
}

func (p *parser) missing() bool { return p.fail(MissingArgument, p.args[len(p.args)-1]) }

// posix evaluates the next n arguments by the rules that POSIX gives for each
// number of them.
func (p *parser) posix(n int) bool {
	if p.err != nil {
		return false
	}
	a := p.args[p.pos:]
	switch n {
	case 1:
		p.pos++
		return a[0] != ""
	case 2:
		switch {
		case a[0] == "!":
			p.pos++
			return !p.posix(1)
		case unaryShape(a[0]):
			if p.isUnary(a[0]) {
				return p.unary()
			}
			return p.fail(UnaryExpected, a[0])
		}
		return p.missing()
	case 3:
		switch {
		case isBinary(a[1]):
			return p.binary()
		case a[0] == "!":
			p.pos++
			return !p.posix(2)
		case a[0] == "(" && a[2] == ")":
			p.pos += 2
			v := a[1] != ""
			p.pos++
			return v
		case a[1] == "-a" || a[1] == "-o" || a[1] == ">" || a[1] == "<":
			return p.or()
		}
		return p.fail(BinaryExpected, a[1])
	case 4:
		switch {
		case a[0] == "!":
			p.pos++
			return !p.posix(3)
		case a[0] == "(" && a[3] == ")":
			p.pos++
			v := p.posix(2)
			p.pos++
			return v
		}
	}
	if n <= 0 {
		return p.missing()
	}
	return p.or()
}

func (p *parser) more() bool { return p.err == nil && p.pos < len(p.args) }

func (p *parser) or() bool {
	v := p.and()
	for p.more() && p.args[p.pos] == "-o" {
		p.pos++
		w := p.and()
		v = v || w
	}
	return v
}

func (p *parser) and() bool {
	v := p.term()
	for p.more() && p.args[p.pos] == "-a" {
		p.pos++
		w := p.term()
		v = v && w
	}
	return v
}

func (p *parser) term() bool {
	not := false
	for p.more() && p.args[p.pos] == "!" {
		p.pos++
		not = !not
	}
	if p.err != nil {
		return false
	}
	if p.pos == len(p.args) {
		return p.missing()
	}
	a := p.args[p.pos:]
	var v bool
	switch {
	case a[0] == "(":
		if p.depth++; p.depth > maxDepth {
			return p.fail(ParenExpected, "")
		}
		p.pos++
		if !p.more() {
			return p.missing()
		}
		n := 1
		for n < len(a)-1 && a[1+n] != ")" {
			if n++; n > 4 {
				n = len(a) - 1
				break
			}
		}
		v = p.posix(n)
		if p.err != nil {
			return false
		}
		if p.pos >= len(p.args) {
			return p.fail(ParenExpected, "")
		}
		if p.args[p.pos] != ")" {
			return p.fail(ParenExpected, p.args[p.pos])
		}
		p.pos++
		p.depth--
	case len(a) >= 4 && a[0] == "-l" && isBinary(a[2]), len(a) >= 3 && isBinary(a[1]):
		v = p.binary()
	case unaryShape(a[0]) && p.isUnary(a[0]):
		v = p.unary()
	case unaryShape(a[0]) && len(a) > 1 && a[1] != "-a" && a[1] != "-o" && a[1] != ")":
		return p.fail(UnaryExpected, a[0])
	default:
		p.pos++
		v = a[0] != ""
	}
	return v != not
}

func unaryShape(s string) bool { return len(s) == 2 && s[0] == '-' }

func (p *parser) isUnary(s string) bool {
	switch s[1] {
	case 'b', 'c', 'd', 'e', 'f', 'g', 'G', 'h', 'k', 'L', 'n', 'N', 'O', 'p', 'r', 's', 'S', 't', 'u', 'w', 'x', 'z':
		return true
	case 'a':
		return p.h.Var != nil // a shell's synonym of -e
	case 'v', 'R':
		return p.h.Var != nil
	case 'o':
		return p.h.Option != nil
	}
	return false
}

func isBinary(s string) bool {
	switch s {
	case "=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef":
		return true
	}
	return false
}

func (p *parser) unary() bool {
	if p.pos+1 >= len(p.args) {
		return p.missing()
	}
	op, a := p.args[p.pos][1], p.args[p.pos+1]
	p.pos += 2
	switch op {
	case 'n':
		return a != ""
	case 'z':
		return a == ""
	case 't':
		i, ok := integer(a)
		if !ok {
			return p.fail(InvalidInteger, a)
		}
		v, small := i.value()
		return small && v >= 0 && v < 1<<31 && p.h.isatty(int32(v))
	case 'r':
		return p.h.access(a, abi.AccessRead)
	case 'w':
		return p.h.access(a, abi.AccessWrite)
	case 'x':
		return p.h.access(a, abi.AccessExec)
	case 'v', 'R':
		return p.h.Var(a)
	case 'o':
		return p.h.Option(a)
	}
	st, ok := p.h.stat(a, op != 'h' && op != 'L')
	if !ok {
		return false
	}
	fmt := st.Mode & abi.ModeFmt
	switch op {
	case 'b':
		return fmt == abi.ModeBlock
	case 'c':
		return fmt == abi.ModeChar
	case 'd':
		return fmt == abi.ModeDir
	case 'f':
		return fmt == abi.ModeRegular
	case 'h', 'L':
		return fmt == abi.ModeSymlink
	case 'p':
		return fmt == abi.ModeFIFO
	case 'S':
		return fmt == abi.ModeSocket
	case 'g':
		return st.Mode&abi.ModeSetgid != 0
	case 'k':
		return st.Mode&abi.ModeSticky != 0
	case 'u':
		return st.Mode&abi.ModeSetuid != 0
	case 's':
		return st.Size > 0
	case 'G':
		_, gid := p.h.ids()
		return st.GID == gid
	case 'O':
		uid, _ := p.h.ids()
		return st.UID == uid
	case 'N':
		return st.Mtim > st.Atim
	}
	return true // -e, -a
}

// operand takes one side of an arithmetic comparison: a number, or -l STRING for
// a length.
func (p *parser) operand(length bool) (number, bool) {
	a := p.args[p.pos]
	p.pos++
	if length {
		return numberOf(len(p.args[p.pos-1])), true
	}
	n, ok := integer(a)
	if !ok {
		p.fail(InvalidInteger, a)
	}
	return n, ok
}

func (p *parser) binary() bool {
	lenLeft := p.args[p.pos] == "-l" && p.pos+3 < len(p.args) && isBinary(p.args[p.pos+2])
	if lenLeft {
		p.pos++
	}
	l, op := p.args[p.pos], p.args[p.pos+1]
	switch op {
	case "-eq", "-ne", "-lt", "-le", "-gt", "-ge":
		x, ok := p.operand(lenLeft)
		if !ok {
			return false
		}
		p.pos++
		lenRight := p.args[p.pos] == "-l" && p.pos+1 < len(p.args)
		if lenRight {
			p.pos++
		}
		y, ok := p.operand(lenRight)
		if !ok {
			return false
		}
		c := x.cmp(y)
		switch op {
		case "-eq":
			return c == 0
		case "-ne":
			return c != 0
		case "-lt":
			return c < 0
		case "-le":
			return c <= 0
		case "-gt":
			return c > 0
		}
		return c >= 0
	}
	r := p.args[p.pos+2]
	p.pos += 3
	switch op {
	case "=", "==":
		return l == r
	case "!=":
		return l != r
	case "<":
		return l < r
	case ">":
		return l > r
	}
	ls, lok := p.h.stat(l, true)
	rs, rok := p.h.stat(r, true)
	switch op {
	case "-nt":
		return lok && (!rok || ls.Mtim > rs.Mtim)
	case "-ot":
		return rok && (!lok || ls.Mtim < rs.Mtim)
	}
	return lok && rok && ls.Dev == rs.Dev && ls.Ino == rs.Ino
}
