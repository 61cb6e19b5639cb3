// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/guests/src/shell/pattern"
)

// text expands a word to one string, without field splitting.
func (sh *Shell) text(w *word) string {
	switch w.kind {
	case wLit:
		return w.lit
	case wVar, wQVar:
		s, set := sh.get(w.id)
		if !set && sh.opts.nounset {
			sh.unbound(sh.rt.names[w.id])
		}
		return s
	}
	if len(w.parts) == 1 && w.parts[0].kind == pCmd {
		return sh.substitute(w.parts[0].cmd)
	}
	base := len(sh.buf)
	sh.appendText(w.parts, false)
	s := string(sh.buf[base:])
	sh.buf = sh.buf[:base]
	return s
}

// pattern expands a word to a pattern: quoted text is escaped.
func (sh *Shell) pattern(w *word) string {
	if w == nil {
		return ""
	}
	if w.kind == wLit {
		if len(w.parts) == 1 && !w.parts[0].quoted {
			return w.lit
		}
		if len(w.parts) < 2 {
			return pattern.Escape(w.lit)
		}
	}
	base := len(sh.buf)
	sh.appendText(w.parts, true)
	s := string(sh.buf[base:])
	sh.buf = sh.buf[:base]
	return s
}

// appendText appends the parts to sh.buf; with pat the quoted ones are escaped.
func (sh *Shell) appendText(ps []part, pat bool) {
	add := func(s string, quoted bool) {
		if len(sh.buf)+len(s) > maxString {
			sh.expandError("expansion: result too long")
			return
		}
		if pat && quoted {
			sh.buf = pattern.AppendEscaped(sh.buf, s)
		} else {
			sh.buf = append(sh.buf, s...)
		}
	}
	for i := range ps {
		p := &ps[i]
		if sh.expandFailed || sh.ctl == ctlExit {
			return
		}
		switch p.kind {
		case pLit:
			add(p.lit, p.quoted)
		case pVar:
			s, set := sh.get(p.id)
			if !set && sh.opts.nounset {
				sh.unbound(sh.rt.names[p.id])
				return
			}
			add(s, p.quoted)
		case pParam:
			v := sh.evalParam(p.pe, p.quoted)
			switch {
			case v.word != nil:
				sh.appendText(v.word.partsFor(), pat)
			case v.list && v.star:
				add(joinStrings(v.l, sh.ifs.first), p.quoted)
			case v.list:
				add(joinStrings(v.l, " "), p.quoted)
			default:
				add(v.s, p.quoted)
			}
		case pCmd:
			add(sh.substitute(p.cmd), p.quoted)
		case pArith:
			n, ok := sh.evalArith(p.ar)
			if !ok {
				sh.arithFailed()
				return
			}
			add(itoa(n), p.quoted)
		case pTilde:
			add(sh.tilde(p.lit), true)
		case pProc:
			add(sh.procSubst(p.cmd), true)
		}
	}
}

// fieldsOf returns the fields of words in a list of its own.
func (sh *Shell) fieldsOf(ws []*word) ([]string, bool) {
	base := len(sh.args)
	ok := sh.expandWords(ws)
	l := append([]string(nil), sh.args[base:]...)
	sh.args = sh.args[:base]
	return l, ok
}

// tilde expands ~, ~+, ~-, ~N and ~user; what it does not know stays.
func (sh *Shell) tilde(s string) string {
	switch s {
	case "~":
		if h, ok := sh.get(sh.rt.id.home); ok {
			return h
		}
		if h, ok := sh.homeOf(""); ok {
			return h
		}
		return s
	case "~+":
		if d, ok := sh.get(sh.rt.id.pwd); ok {
			return d
		}
		return s
	case "~-":
		if d, ok := sh.get(sh.rt.id.oldpwd); ok {
			return d
		}
		return s
	}
	name := s[1:]
	if n, ok := canonicalInt(strings.TrimLeft(name, "+-")); ok && name != "" && !sh.shArgv {
		if name[0] == '-' {
			n = int64(len(sh.dirs)) - n
		}
		if d, ok := sh.dirAt(int(n)); ok {
			return d
		}
		return s
	}
	if h, ok := sh.homeOf(name); ok {
		return h
	}
	return s
}

// expandError reports an expansion error, which ends the command.
func (sh *Shell) expandError(msg string) {
	if sh.expandFailed {
		return
	}
	sh.errorf(msg)
	sh.fail(1)
}

// fail makes the running commands end because of an error: all of a
// non-interactive POSIX shell, else the whole command line.
func (sh *Shell) fail(status int) {
	if sh.expandFailed && sh.ctl != ctlNone {
		return
	}
	sh.expandFailed = true
	sh.status = status
	if sh.ctl == ctlNone {
		sh.ctl = ctlAbort
		sh.ctlN = status
	}
}

// unbound is the error of set -u, which ends a non-interactive shell.
func (sh *Shell) unbound(name string) {
	if sh.expandFailed {
		return
	}
	sh.errorf(name + ": unbound variable")
	sh.fatal(sh.fatalStatus())
}

// fatal ends a non-interactive shell because of an expansion error.
func (sh *Shell) fatal(status int) {
	sh.fail(status)
	if !sh.opts.interactive {
		sh.ctl = ctlExit
	}
}

func (sh *Shell) fatalStatus() int {
	if sh.opts.posix {
		return 2
	}
	if sh.opts.cmdstring && !sh.opts.errexit && !sh.subst && sh.nested == 0 {
		return 127
	}
	return 1
}

func (sh *Shell) arithFailed() { sh.fail(1) }

func joinStrings(l []string, sep string) string {
	if len(l) == 1 {
		return l[0]
	}
	return strings.Join(l, sep)
}

func (sh *Shell) patFlags() pattern.Flags {
	f := pattern.Flags(0)
	if sh.shopt.extglob {
		f |= pattern.ExtGlob
	}
	if !sh.utf8 {
		f |= pattern.Bytes
	}
	return f
}

// matchFlags are the flags of case and [[.
func (sh *Shell) matchFlags() pattern.Flags {
	f := sh.patFlags() | pattern.ExtGlob
	if sh.shopt.nocasematch {
		f |= pattern.NoCase
	}
	return f
}
