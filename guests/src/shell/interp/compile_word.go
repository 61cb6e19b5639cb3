// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/guests/src/shell/pattern"
	"mvdan.cc/sh/v3/syntax"
)

// wordCtx says where a word stands, which decides about tildes and braces.
type wordCtx uint8

const (
	ctxFields  wordCtx = iota // an argument: braces, tilde at the start
	ctxText                   // case words, redirections: tilde at the start
	ctxAssign                 // a value: tildes behind colons too
	ctxDecl                   // an argument that may be an assignment
	ctxHeredoc                // quoted text
	ctxPattern                // within ${x#...}
	ctxDquote                 // within "${x:-...}": quoted
)

// word compiles a word.
func (c *compiler) word(w *syntax.Word, ctx wordCtx) *word {
	out := &word{}
	if w == nil {
		out.kind = wLit
		return out
	}
	c.parts(out, w.Parts, ctx == ctxHeredoc || ctx == ctxDquote, ctx == ctxHeredoc, ctx == ctxDquote)
	if (ctx == ctxFields || ctx == ctxDecl) && c.sh.opts.braceexpand {
		c.braces(out)
	}
	if out.brace { // tildes come behind braces
		out.finish()
		return out
	}
	switch ctx {
	case ctxDecl:
		if i := strings.IndexByte(out.firstLit(), '='); i > 0 && validName(out.firstLit()[:i]) {
			tildes(out, true)
		} else {
			tildes(out, false)
		}
	case ctxAssign:
		tildes(out, true)
	case ctxFields:
		// bash expands x=~ as an argument too.
		l := out.firstLit()
		i := strings.IndexByte(l, '=')
		tildes(out, !c.sh.opts.posix && i > 0 && validName(l[:i]))
	case ctxText, ctxPattern:
		tildes(out, false)
	}
	out.finish()
	return out
}

func (w *word) firstLit() string {
	if len(w.parts) > 0 && w.parts[0].kind == pLit && !w.parts[0].quoted {
		return w.parts[0].lit
	}
	return ""
}

// finish finds the cheap forms.
func (w *word) finish() {
	if len(w.parts) == 0 {
		w.kind = wLit
		return
	}
	if len(w.parts) == 1 {
		p := &w.parts[0]
		switch p.kind {
		case pLit:
			w.kind, w.lit = wLit, p.lit
			w.meta = p.meta && pattern.HasMeta(p.lit, pattern.ExtGlob)
			p.meta = w.meta
		case pVar:
			w.kind, w.id = wVar, p.id
			if p.quoted {
				w.kind = wQVar
			}
		}
		return
	}
	// Neighbouring constants make one constant where no pattern is active.
	for i := range w.parts {
		if w.parts[i].kind != pLit || w.parts[i].meta {
			return
		}
	}
	var b strings.Builder
	for i := range w.parts {
		b.WriteString(w.parts[i].lit)
	}
	w.kind, w.lit = wLit, b.String()
}

// pure reports whether expanding the word changes nothing in the shell.
func (w *word) pure() bool {
	if w == nil {
		return true
	}
	for i := range w.parts {
		switch p := &w.parts[i]; p.kind {
		case pCmd, pArith, pProc, pBrace:
			return false
		case pParam:
			e := p.pe
			if e.op == opAssign || e.op == opError || e.sub != nil || e.op == opSlice || e.indirect || !e.word.pure() || !e.repl.pure() {
				return false
			}
		}
	}
	return true
}

func (w *word) add(p part) {
	if p.kind == pLit && len(w.parts) > 0 {
		// Runs of equally quoted text are one part.
		if l := &w.parts[len(w.parts)-1]; l.kind == pLit && l.quoted == p.quoted {
			l.lit += p.lit
			l.meta = l.meta || p.meta
			return
		}
	}
	w.parts = append(w.parts, p)
}

func hasMetaChars(s string) bool { return strings.ContainsAny(s, "*?[") }

func (c *compiler) parts(w *word, ps []syntax.WordPart, quoted, hdoc, inDq bool) {
	for _, wp := range ps {
		switch x := wp.(type) {
		case *syntax.Lit:
			switch {
			case hdoc:
				w.add(part{kind: pLit, quoted: true, lit: unescape(x.Value, "$`\\")})
			case quoted && inDq:
				w.add(part{kind: pLit, quoted: true, lit: unescape(x.Value, "$`\\\"}")})
			case quoted:
				w.add(part{kind: pLit, quoted: true, lit: unescape(x.Value, "$`\\\"")})
			default:
				c.unquotedLit(w, x.Value)
			}
		case *syntax.SglQuoted:
			switch {
			case x.Dollar:
				w.add(part{kind: pLit, quoted: true, lit: ansiC(x.Value)})
			case inDq: // "${x-'a'}" keeps the quotes
				w.add(part{kind: pLit, quoted: true, lit: "'"})
				if x.Value != "" {
					c.sh.document(w, x.Value, true, c.lineOf(x.Pos()))
				}
				w.add(part{kind: pLit, quoted: true, lit: "'"})
			default:
				w.add(part{kind: pLit, quoted: true, lit: x.Value})
			}
		case *syntax.DblQuoted:
			n := len(w.parts)
			c.parts(w, x.Parts, true, false, false)
			if len(w.parts) == n {
				w.add(part{kind: pLit, quoted: true})
			}
		case *syntax.ParamExp:
			w.add(c.param(x, quoted))
		case *syntax.CmdSubst:
			if src := c.text(x.Pos(), x.End()); strings.HasPrefix(src, "${") {
				w.add(part{kind: pParam, quoted: quoted, pe: &paramExp{op: opBad, src: src}})
				continue
			}
			w.add(part{kind: pCmd, quoted: quoted, cmd: c.cmdSubst(x, quoted)})
		case *syntax.ArithmExp:
			left := 3
			if x.Bracket {
				left = 2
			}
			src := c.text(x.Left, x.Right)
			w.add(part{kind: pArith, quoted: quoted, ar: c.arith(src[min(left, len(src)):])})
		case *syntax.ProcSubst:
			body := c.list(x.Stmts)
			w.add(part{kind: pProc, quoted: true, cmd: &cmdSubst{body: body, out: x.Op == syntax.CmdOut, src: c.text(x.Pos(), x.End()), line: c.lineOf(x.Pos())}})
		case *syntax.ExtGlob:
			c.extGlob(w, x)
		default:
			w.add(part{kind: pParam, quoted: quoted, pe: &paramExp{op: opBad, src: c.text(wp.Pos(), wp.End())}})
		}
	}
}

// unquotedLit adds literal text in which backslashes quote.
func (c *compiler) unquotedLit(w *word, s string) {
	if strings.IndexByte(s, '\\') < 0 {
		w.add(part{kind: pLit, lit: s, meta: hasMetaChars(s)})
		return
	}
	for s != "" {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i == len(s)-1 {
			w.add(part{kind: pLit, lit: s, meta: hasMetaChars(s)})
			return
		}
		if i > 0 {
			w.add(part{kind: pLit, lit: s[:i], meta: hasMetaChars(s[:i])})
		}
		if s[i+1] != '\n' {
			w.add(part{kind: pLit, quoted: true, lit: s[i+1 : i+2]})
		}
		s = s[i+2:]
	}
}

// unescape removes backslashes before the characters of set, and escaped
// newlines.
func unescape(s, set string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if s[i+1] == '\n' {
				i++
				continue
			}
			if strings.IndexByte(set, s[i+1]) >= 0 {
				i++
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

// tildes marks tilde prefixes: at the start, and in assignments behind each
// unquoted colon and the equals sign.
func tildes(w *word, assign bool) {
	any := false
	for i := range w.parts {
		if p := &w.parts[i]; p.kind == pLit && !p.quoted && strings.IndexByte(p.lit, '~') >= 0 {
			any = true
		}
	}
	if !any {
		return
	}
	var out []part
	add := func(p part) { out = append(out, p) }
	for i, p := range w.parts {
		if p.kind != pLit || p.quoted {
			add(p)
			continue
		}
		s := p.lit
		start := i == 0
		for s != "" {
			at := -1
			if start && s[0] == '~' {
				at = 0
			} else if assign {
				for k := 0; k+1 < len(s); k++ {
					if (s[k] == ':' || s[k] == '=' && i == 0) && s[k+1] == '~' {
						at = k + 1
						break
					}
				}
				if at < 0 && len(out) > 0 && s[0] == '~' && out[len(out)-1].kind == pLit && strings.HasSuffix(out[len(out)-1].lit, ":") && !out[len(out)-1].quoted {
					at = 0
				}
			}
			if at < 0 {
				break
			}
			end := at + 1
			for end < len(s) && s[end] != '/' && (!assign || s[end] != ':') {
				end++
			}
			if end == len(s) && i+1 < len(w.parts) {
				break // the prefix has quoted or expanded parts: no tilde
			}
			if at > 0 {
				add(part{kind: pLit, lit: s[:at], meta: hasMetaChars(s[:at])})
			}
			add(part{kind: pTilde, lit: s[at:end]})
			s = s[end:]
			start = false
		}
		if s != "" {
			add(part{kind: pLit, lit: s, meta: hasMetaChars(s)})
		}
	}
	w.parts = out
}

func (c *compiler) extGlob(w *word, x *syntax.ExtGlob) {
	w.add(part{kind: pLit, lit: x.Op.String(), meta: true})
	alts := splitAlternatives(x.Pattern.Value)
	for i, a := range alts {
		if i > 0 {
			w.add(part{kind: pLit, lit: "|", meta: true})
		}
		for _, p := range c.sh.parseText(a, c.lineOf(x.Pos())).parts {
			w.add(p)
		}
	}
	w.add(part{kind: pLit, lit: ")", meta: true})
}

func splitAlternatives(s string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\'', '"':
			if j := strings.IndexByte(s[i+1:], s[i]); j >= 0 {
				i += j + 1
			}
		case '(', '{':
			depth++
		case ')', '}':
			depth--
		case '|':
			if depth == 0 {
				out = append(out, s[start:i])
				start = i + 1
			}
		}
	}
	return append(out, s[start:])
}

func (c *compiler) cmdSubst(x *syntax.CmdSubst, dquoted bool) *cmdSubst {
	line := c.lineOf(x.Pos())
	s := &cmdSubst{src: c.text(x.Pos(), x.End()), line: line}
	switch {
	case x.TempFile || x.ReplyVar:
		s.body = &errorNode{line, "${ command substitution of mksh: not supported"}
		return s
	case x.Backquotes:
		// The text has another level of quoting, so parse it on its own.
		text := s.src
		if len(text) >= 2 {
			text = text[1 : len(text)-1]
		}
		set := "$`\\"
		if dquoted {
			set += "\""
		}
		u := c.sh.parse(unescapeKeepNewlines(text, set), line-1)
		s.body = u.asNode()
	default:
		s.body = c.list(x.Stmts)
	}
	if n, ok := s.body.(*simpleCmd); ok && len(n.words) == 0 && len(n.redirs) == 1 {
		if r := n.redirs[0]; r.op == rdIn && r.fd == 0 && r.varName == "" {
			s.file = r.word
		}
	}
	return s
}

func unescapeKeepNewlines(s, set string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(set, s[i+1]) >= 0 {
			i++
		}
		b = append(b, s[i])
	}
	return string(b)
}
