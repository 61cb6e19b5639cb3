// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/guests/src/posixre"
	"github.com/wsandbox/wsandbox/guests/src/shell/pattern"
	"github.com/wsandbox/wsandbox/guests/src/testexpr"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

func escapePattern(s string) string { return pattern.Escape(s) }

func (sh *Shell) host() *testexpr.Host {
	if sh.tests == nil {
		sh.tests = sh.testHost()
	}
	return sh.tests
}

// testHost answers test's questions for this shell.
func (sh *Shell) testHost() *testexpr.Host {
	return &testexpr.Host{
		Stat: func(p string, follow bool) (wsys.Stat, error) { return sh.stat(p, follow) },
		Access: func(p string, mode uint32) error {
			if sh.devFD(p) >= 0 {
				_, err := sh.stat(p, true)
				return err
			}
			return wsys.Access(wsys.AtCwd, sh.path(p), mode)
		},
		Isatty: func(fd int32) bool {
			f := sh.fd(int(fd))
			return f != nil && f.mem == nil && wsys.Isatty(f.k)
		},
		Var: sh.isSetName,
		Option: func(name string) bool {
			p, ok := sh.optionByName(name)
			return ok && *p
		},
	}
}

// isSetName reports whether a name, which may have a subscript, is set.
func (sh *Shell) isSetName(name string) bool {
	if i := strings.IndexByte(name, '['); i > 0 && name[len(name)-1] == ']' {
		if !validName(name[:i]) {
			return false
		}
		id := sh.rt.intern(name[:i])
		sub := sh.rt.subscriptText(name[i+1 : len(name)-1])
		if sub.kind != subExpr {
			if v := sh.v(sh.deref(id).id); v != nil && v.flags&vAssoc != 0 {
				_, ok := v.m.get(sub.text)
				return ok || v.m.len() > 0
			}
			return sh.count(id) > 0
		}
		_, ok := sh.element(id, sub)
		return ok
	}
	if allDigits(name) {
		n, ok := canonicalInt(name)
		return ok && (n == 0 || n <= int64(len(sh.params)))
	}
	if !validName(name) {
		return false
	}
	_, ok := sh.getName(name)
	return ok
}

func biTest(sh *Shell, args []string) int {
	name := args[0]
	rest := args[1:]
	if name == "[" {
		if len(rest) == 0 || rest[len(rest)-1] != "]" {
			sh.errorf("[: missing `]'")
			return 2
		}
		rest = rest[:len(rest)-1]
	}
	ok, err := testexpr.Eval(rest, sh.host())
	if err != nil {
		msg := err.Error()
		if e, isErr := err.(*testexpr.Error); isErr {
			switch e.Kind {
			case testexpr.MissingArgument:
				msg = "argument expected"
			case testexpr.ExtraArgument:
				msg = "too many arguments"
			case testexpr.UnaryExpected:
				msg = e.Arg + ": unary operator expected"
			case testexpr.BinaryExpected:
				msg = e.Arg + ": binary operator expected"
			case testexpr.InvalidInteger:
				msg = e.Arg + ": integer expression expected"
			case testexpr.ParenExpected:
				msg = "`)' expected"
			}
		}
		sh.errorf(name + ": " + msg)
		return 2
	}
	if ok {
		return 0
	}
	return 1
}

// unaryTest evaluates a unary operator of [[.
func (sh *Shell) unaryTest(op, s string, cond bool) (ok, bad bool) {
	switch op {
	case "-z":
		return s == "", false
	case "-n":
		return s != "", false
	case "-v":
		return sh.isSetName(s), false
	case "-R":
		if id, known := sh.rt.syms[s]; known {
			v := sh.v(id)
			return v != nil && v.flags&vRef != 0 && v.flags&vSet != 0, false
		}
		return false, false
	}
	ok, err := testexpr.Eval([]string{op, s}, sh.host())
	if err != nil {
		if e, isErr := err.(*testexpr.Error); isErr && e.Kind == testexpr.InvalidInteger {
			return false, false
		}
		sh.errorf("[[: " + err.Error())
		return false, true
	}
	return ok, false
}

func (sh *Shell) fileCompare(op, a, b string) bool {
	ok, err := testexpr.Eval([]string{a, op, b}, sh.host())
	return err == nil && ok
}

// regexMatch matches s and sets BASH_REMATCH; bad is a wrong expression.
func (sh *Shell) regexMatch(s, re string) (ok, bad bool) {
	flags := posixre.Extended
	if sh.shopt.nocasematch {
		flags |= posixre.ICase
	}
	if !sh.utf8 {
		flags |= posixre.Bytes
	}
	r := sh.rt.regexps[regexKey{re, flags}]
	if r == nil {
		var err error
		if r, err = posixre.Compile(re, flags); err != nil {
			// bash is silent about a wrong expression; its status 2 tells.
			return false, true
		}
		if len(sh.rt.regexps) >= 64 {
			clear(sh.rt.regexps)
		}
		sh.rt.regexps[regexKey{re, flags}] = r
	}
	loc := make([]int, 2*(r.NumSubexp()+1))
	b := []byte(s)
	found, err := r.Find(b, 0, 0, loc)
	if err != nil {
		sh.errorf("[[: " + err.Error())
		return false, true
	}
	var l []string
	if found {
		for i := 0; i+1 < len(loc); i += 2 {
			if loc[i] < 0 {
				l = append(l, "")
			} else {
				l = append(l, s[loc[i]:loc[i+1]])
			}
		}
	}
	v := sh.own(sh.rt.id.rematch)
	v.arr = &array{vals: l}
	v.s = ""
	v.flags = v.flags&^(vValue|vReadonly) | vArray | vFilled
	return found, false
}
