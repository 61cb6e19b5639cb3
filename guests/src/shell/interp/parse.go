// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/guests/src/shell/source"
	"mvdan.cc/sh/v3/syntax"
)

// maxCachedScript bounds the texts of eval, traps and the like that are kept
// compiled.
const maxCachedScript = 4096

// parse compiles a text whose first line is line+1. A syntax error is part of
// the unit.
func (sh *Shell) parse(text string, line int32) *unit {
	var alias func(string) (string, bool)
	if len(sh.aliases) > 0 && sh.expandsAliases() {
		alias = func(n string) (string, bool) { v, ok := sh.aliases[n]; return v, ok }
	}
	cache := alias == nil && len(text) <= maxCachedScript && line == sh.lineBase && sh.opts.braceexpand
	if cache {
		if u, ok := sh.rt.scripts[text]; ok {
			return u
		}
	}
	u := sh.parseUnit(text, line, alias)
	if cache && u.after == nil && line == 0 {
		if len(sh.rt.scripts) >= 64 {
			clear(sh.rt.scripts)
		}
		sh.rt.scripts[text] = u
	}
	return u
}

func (sh *Shell) parseUnit(text string, line int32, alias func(string) (string, bool)) *unit {
	src, masked := text, text
	if i := strings.IndexByte(text, 0); i >= 0 {
		// NUL bytes are not text; the shells drop them.
		src = strings.ReplaceAll(text, "\x00", "")
		masked = src
	}
	plain := src
	bang := !sh.shopt.extglob && strings.Contains(plain, "!(")
	var edits []source.Edit
	if alias != nil || bang {
		src, masked, edits = source.Prepare(plain, source.Options{Alias: alias, SplitBang: bang})
	}
	stmts, perr := parseStmts(masked)
	if perr != nil {
		src, masked, edits = source.Prepare(plain, source.Options{Alias: alias, Mask: true, SplitBang: bang})
		stmts, perr = parseStmts(masked)
		if perr != nil {
			// The parser knows no line continuation within operators.
			if j := source.Join(plain); j != plain {
				s, m, e := source.Prepare(j, source.Options{Alias: alias, Mask: true, SplitBang: bang})
				if st, err := parseStmts(m); err == nil {
					src, masked, edits, stmts, perr = s, m, e, st, nil
					text = j
				}
			}
		}
	}
	for range 20 {
		delim, ok := unclosedHeredoc(perr)
		if !ok {
			break
		}
		nl := "\n"
		if strings.HasSuffix(src, "\n") {
			nl = ""
		}
		src += nl + delim + "\n"
		masked += nl + delim + "\n"
		sh.hdocWarning(delim, line)
		stmts, perr = parseStmts(masked)
	}
	u := &unit{src: src, text: text, edits: edits}
	c := &compiler{sh: sh, rt: sh.rt, src: src, line: line}
	for _, s := range stmts {
		end := s.End()
		u.list = append(u.list, stmt{
			n: c.stmt(s), line: c.lineOf(s.Pos()), end: c.lineOf(end), off: int(end.Offset()),
		})
	}
	if perr != nil {
		u.after = sh.syntaxErrorOf(perr, src, line)
	}
	return u
}

func (sh *Shell) hdocWarning(delim string, line int32) {
	if sh.rt.main != nil {
		sh.warn("warning: here-document delimited by end-of-file (wanted `" + delim + "')")
	}
}

func unclosedHeredoc(err error) (string, bool) {
	pe, ok := err.(syntax.ParseError)
	if !ok || !strings.HasPrefix(pe.Text, "unclosed here-document ") {
		return "", false
	}
	d := strings.TrimPrefix(pe.Text, "unclosed here-document ")
	if len(d) < 2 || d[0] != '`' {
		return "", false
	}
	return strings.Trim(d, "`"), true
}

// parseStmts parses a text.
func parseStmts(text string) ([]*syntax.Stmt, error) {
	if stmts, ok := quickStmts(text); ok {
		return stmts, nil
	}
	return slowStmts(text)
}

// slowStmts parses any text, with protection against faults of the parser.
func slowStmts(text string) (stmts []*syntax.Stmt, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = syntax.ParseError{Text: "the parser cannot read this text"}
		}
	}()
	valid := utf8.ValidString(text)
	clean := text
	if !valid {
		clean = asciiForInvalid(text)
	}
	p := syntax.NewParser(syntax.Variant(syntax.LangBash))
	for s, e := range p.StmtsSeq(strings.NewReader(clean)) {
		if e != nil {
			return stmts, e
		}
		if !valid {
			restoreBytes(s, text)
		}
		stmts = append(stmts, s)
	}
	return stmts, nil
}

// asciiForInvalid replaces the bytes that are no UTF-8, which the parser
// refuses, by a letter.
func asciiForInvalid(s string) string {
	b := []byte(s)
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			b[i] = 'X'
		}
		i += n
	}
	return string(b)
}

// restoreBytes puts the original bytes back into the literals of a tree.
func restoreBytes(n syntax.Node, text string) {
	at := func(from, to syntax.Pos) (string, bool) {
		a, b := int(from.Offset()), int(to.Offset())
		if a > b || b > len(text) {
			return "", false
		}
		return text[a:b], true
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.Lit:
			if s, ok := at(x.ValuePos, x.ValueEnd); ok {
				if s = strings.ReplaceAll(s, "\\\n", ""); len(s) == len(x.Value) {
					x.Value = s
				}
			}
		case *syntax.SglQuoted:
			if s, ok := at(x.Left, x.Right); ok {
				if i := strings.IndexByte(s, '\''); i >= 0 && len(s[i+1:]) == len(x.Value) {
					x.Value = s[i+1:]
				}
			}
		}
		return true
	})
}

func (sh *Shell) syntaxErrorOf(err error, src string, line int32) *syntaxError {
	e := &syntaxError{line: line + 1, at: line + 1, msg: "syntax error: " + err.Error()}
	switch pe := err.(type) {
	case syntax.ParseError:
		e.line = int32(pe.Pos.Line()) + line
		e.at = e.line
		e.eof = pe.Incomplete
		e.msg = "syntax error: " + pe.Text
		switch {
		case pe.Incomplete:
			e.line = int32(strings.Count(strings.TrimRight(src, "\n"), "\n")) + 1 + line
			if q := quoteOf(pe.Text); q != "" {
				e.msg = "unexpected EOF while looking for matching `" + q + "'"
			} else {
				e.msg = "syntax error: unexpected end of file (" + pe.Text + ")"
			}
		default:
			if tok := tokenAt(src, int(pe.Pos.Offset())); tok != "" && !strings.Contains(pe.Text, "expansion") && !strings.Contains(pe.Text, "arithmetic") {
				e.msg = "syntax error near unexpected token `" + tok + "' (" + pe.Text + ")"
			}
		}
	case syntax.LangError:
		e.line = int32(pe.Pos.Line()) + line
		e.at = e.line
		e.msg = "syntax error: " + pe.Feature + ": not supported"
	}
	return e
}

func quoteOf(text string) string {
	i := strings.Index(text, "without closing quote ")
	if i < 0 {
		return ""
	}
	return strings.Trim(text[i+len("without closing quote "):], "`")
}

// tokenAt returns the token at an offset of the text, for messages.
func tokenAt(src string, at int) string {
	if at >= len(src) {
		return ""
	}
	if src[at] == '\n' {
		return "newline"
	}
	for _, op := range [...]string{";;&", "&>>", "<<<", ";;", ";&", "&&", "||", "|&", "<<", ">>", "((", "))"} {
		if strings.HasPrefix(src[at:], op) {
			return op
		}
	}
	if strings.IndexByte(";&|()<>", src[at]) >= 0 {
		return src[at : at+1]
	}
	e := at
	for e < len(src) && e < at+40 && strings.IndexByte(" \t\n;&|()<>", src[e]) < 0 {
		e++
	}
	return src[at:e]
}

// asNode returns the unit as one command.
func (u *unit) asNode() node {
	s := &seqNode{}
	for _, x := range u.list {
		s.list = append(s.list, x.n)
	}
	if u.after != nil {
		s.list = append(s.list, &errorNode{u.after.line, u.after.msg})
	}
	if len(s.list) == 1 {
		return s.list[0]
	}
	return s
}

// parseWords compiles the words of a command line without its name.
func (sh *Shell) parseWords(text string, line int32) ([]*word, string) {
	src := ": " + text
	masked := src
	stmts, err := parseStmts(masked)
	if err != nil {
		src, masked, _ = source.Prepare(src, source.Options{Mask: true})
		stmts, err = parseStmts(masked)
	}
	if err != nil {
		return nil, err.Error()
	}
	if len(stmts) != 1 {
		return nil, "not a list of words"
	}
	call, ok := stmts[0].Cmd.(*syntax.CallExpr)
	if !ok {
		return nil, "not a list of words"
	}
	c := &compiler{sh: sh, rt: sh.rt, src: src, line: line - 1}
	var ws []*word
	for _, w := range call.Args[1:] {
		ws = append(ws, c.word(w, ctxFields))
	}
	return ws, ""
}

// document compiles text as the inside of double quotes or a here-document.
func (sh *Shell) document(w *word, text string, quoted bool, line int32) {
	masked := text
	dw, err := parseDocument(masked)
	if err != nil {
		_, m, _ := source.Prepare("\""+text+"\"", source.Options{Mask: true})
		if len(m) == len(text)+2 {
			masked = m[1 : len(m)-1]
		}
		dw, err = parseDocument(masked)
	}
	if err != nil {
		e := sh.syntaxErrorOf(err, text, line-1)
		w.add(part{kind: pParam, quoted: quoted, pe: &paramExp{op: opBad, src: text, name: e.msg}})
		return
	}
	if dw == nil {
		return
	}
	c := &compiler{sh: sh, rt: sh.rt, src: text, line: line - 1}
	if quoted {
		c.parts(w, dw.Parts, true, false, false)
		return
	}
	for _, p := range dw.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			w.add(part{kind: pLit, lit: l.Value, meta: hasMetaChars(l.Value)})
			continue
		}
		c.parts(w, []syntax.WordPart{p}, false, false, false)
	}
}

func parseDocument(text string) (w *syntax.Word, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = syntax.ParseError{Text: "the parser cannot read this text"}
		}
	}()
	p := syntax.NewParser(syntax.Variant(syntax.LangBash))
	if utf8.ValidString(text) {
		return p.Document(strings.NewReader(text))
	}
	if w, err = p.Document(strings.NewReader(asciiForInvalid(text))); err == nil && w != nil {
		restoreBytes(w, text)
	}
	return w, err
}

// parseText compiles text as a word in which blanks and operators are literal,
// such as a subscript.
func (sh *Shell) parseText(text string, line int32) *word {
	w := &word{}
	sh.textParts(w, text, line, false)
	w.finish()
	return w
}

// parseArith compiles the text of an arithmetic expression with expansions:
// double quotes are removed, single ones stay.
func (sh *Shell) parseArith(text string, line int32) *word {
	w := &word{}
	sh.textParts(w, text, line, true)
	w.finish()
	return w
}

func (sh *Shell) textParts(w *word, text string, line int32, arith bool) {
	for text != "" {
		i := strings.IndexAny(text, "\\'\"$`")
		if i < 0 {
			w.add(part{kind: pLit, lit: text, meta: hasMetaChars(text)})
			return
		}
		if i > 0 {
			w.add(part{kind: pLit, lit: text[:i], meta: hasMetaChars(text[:i])})
			text = text[i:]
		}
		n := source.Skip(text)
		if n == 0 {
			n = len(text)
			if text[0] == '$' || text[0] == '`' {
				w.add(part{kind: pParam, pe: &paramExp{op: opBad, src: text}})
				return
			}
		}
		t := text[:n]
		text = text[n:]
		switch t[0] {
		case '\\':
			if len(t) == 2 {
				w.add(part{kind: pLit, quoted: true, lit: t[1:]})
			}
		case '\'':
			if arith || len(t) < 2 {
				w.add(part{kind: pLit, lit: t})
			} else {
				w.add(part{kind: pLit, quoted: true, lit: t[1 : len(t)-1]})
			}
		case '"':
			if len(t) < 2 {
				w.add(part{kind: pLit, lit: t})
			} else if len(t) == 2 {
				w.add(part{kind: pLit, quoted: true})
			} else {
				sh.document(w, t[1:len(t)-1], true, line)
			}
		default:
			if strings.HasPrefix(t, "$'") && len(t) >= 3 {
				w.add(part{kind: pLit, quoted: true, lit: ansiC(t[2 : len(t)-1])})
				continue
			}
			if t == "$" {
				// A name follows or the dollar is literal.
				k := 0
				switch {
				case text != "" && isNameStart(text[0]):
					for k < len(text) && isNameByte(text[k]) {
						k++
					}
				case text != "" && strings.IndexByte("0123456789@*#?-$!", text[0]) >= 0:
					k = 1
				case text != "" && text[0] == '[' && source.Bracket(text) > 0:
					k = source.Bracket(text)
				}
				if k == 0 {
					w.add(part{kind: pLit, lit: "$"})
					continue
				}
				t += text[:k]
				text = text[k:]
			}
			sh.document(w, t, false, line)
		}
	}
}
