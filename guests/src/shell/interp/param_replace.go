// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/shell/pattern"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// stringOp returns the function that an operation applies to each value.
func (sh *Shell) stringOp(e *paramExp) func(string) string {
	switch e.op {
	case opRemPrefix, opRemSuffix:
		pat := sh.pattern(e.word)
		if pat == "" {
			return nil
		}
		p := sh.rt.pattern(pat, sh.patFlags())
		if e.op == opRemPrefix {
			return func(s string) string {
				if n, ok := p.Prefix(s, e.long); ok {
					return s[n:]
				}
				return s
			}
		}
		return func(s string) string {
			if n, ok := p.Suffix(s, e.long); ok {
				return s[:n]
			}
			return s
		}
	case opReplace:
		return sh.replaceOp(e)
	case opCaseUp, opCaseDown, opCaseTog:
		var p *pattern.Pattern
		if e.word != nil {
			if pat := sh.pattern(e.word); pat != "" {
				p = sh.rt.pattern(pat, sh.patFlags())
			}
		}
		return func(s string) string { return changeCase(s, e.op, e.long, p) }
	}
	return nil
}

func (sh *Shell) replaceOp(e *paramExp) func(string) string {
	flags := sh.patFlags()
	if sh.shopt.nocasematch {
		flags |= pattern.NoCase
	}
	p := sh.rt.pattern(sh.pattern(e.word), flags)
	rep := ""
	amp := false
	if e.repl != nil {
		// An unquoted & stands for the match, a quoted one for itself.
		if sh.shopt.patsubReplacement {
			rep, amp = sh.replacement(e.repl)
		} else {
			rep = sh.text(e.repl)
		}
	}
	put := func(b []byte, match string) []byte {
		if !amp {
			return append(b, rep...)
		}
		for i := 0; i < len(rep); i++ {
			switch {
			case rep[i] == '\\' && i+1 < len(rep) && (rep[i+1] == '&' || rep[i+1] == '\\'):
				i++
				b = append(b, rep[i])
			case rep[i] == '&':
				b = append(b, match...)
			default:
				b = append(b, rep[i])
			}
		}
		return b
	}
	return func(s string) string {
		switch e.anchor {
		case '#':
			if n, ok := p.Prefix(s, true); ok {
				return string(put(nil, s[:n])) + s[n:]
			}
			return s
		case '%':
			if n, ok := p.Suffix(s, true); ok {
				return s[:n] + string(put(nil, s[n:]))
			}
			return s
		}
		var b []byte
		at := 0
		for at <= len(s) {
			from, to, ok := p.Find(s, at)
			if !ok {
				break
			}
			if to == from { // an empty match replaces nothing but the empty value
				if s == "" {
					return string(put(nil, ""))
				}
				if from == len(s) {
					break
				}
				b = append(b, s[at:from+1]...)
				at = from + 1
				continue
			}
			b = append(b, s[at:from]...)
			b = put(b, s[from:to])
			at = to
			if !e.long {
				break
			}
			if len(b) > maxString {
				sh.expandError("replacement: result too long")
				return ""
			}
		}
		if at == 0 {
			return s
		}
		return string(append(b, s[at:]...))
	}
}

// maxString bounds what one expansion may build; limitStrings lowers it to what
// fits into the process's memory.
var maxString = 256 << 20

func limitStrings() {
	if soft, _, err := wsys.Getrlimit(abi.RlimitAS); err == nil && soft/8 < uint64(maxString) {
		maxString = max(int(soft/8), 1<<20)
	}
}

// replacement expands the replacement of ${x/...}; amp says that it has an
// active &. Quoted & are escaped then.
func (sh *Shell) replacement(w *word) (string, bool) {
	if w.kind == wLit && len(w.parts) <= 1 {
		quoted := len(w.parts) == 1 && w.parts[0].quoted
		return w.lit, !quoted && strings.IndexByte(w.lit, '&') >= 0
	}
	base := len(sh.buf)
	amp := false
	ps := w.partsFor()
	for i := range ps {
		at := len(sh.buf)
		sh.appendText(ps[i:i+1], false)
		s := string(sh.buf[at:])
		if ps[i].quoted {
			if strings.ContainsAny(s, "&\\") {
				sh.buf = sh.buf[:at]
				for k := range len(s) {
					if s[k] == '&' || s[k] == '\\' {
						sh.buf = append(sh.buf, '\\')
					}
					sh.buf = append(sh.buf, s[k])
				}
			}
		} else {
			amp = amp || strings.IndexByte(s, '&') >= 0
		}
	}
	s := string(sh.buf[base:])
	sh.buf = sh.buf[:base]
	if !amp && strings.IndexByte(s, '\\') >= 0 {
		return sh.text(w), false
	}
	return s, amp
}
