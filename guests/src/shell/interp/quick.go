// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxQuick bounds the texts that quickStmts looks at.
const maxQuick = 4096

// quickStmts parses the plain texts that most commands are: lists and pipelines
// of simple commands, whose words are literal, quoted or plain parameters. It
// returns what the parser would, or false for everything it does not know. The
// parser is large, and a new process that runs one command would spend most of
// its time on going through it for the first time.
func quickStmts(text string) ([]*syntax.Stmt, bool) {
	if len(text) > maxQuick {
		return nil, false
	}
	q := quick{s: text, line: 1}
	var l []*syntax.Stmt
	for {
		q.blanks()
		for q.peek() == '\n' {
			q.newline()
			q.blanks()
		}
		if q.i == len(q.s) {
			return l, len(l) > 0
		}
		s := q.andOr()
		if s == nil {
			return nil, false
		}
		q.blanks()
		switch q.peek() {
		case 0:
			if q.i < len(q.s) {
				return nil, false
			}
		case '\n':
		case ';':
			s.Semicolon = q.pos(q.i)
			q.i++
			if q.peek() == ';' || q.peek() == '&' || q.peek() == '|' {
				return nil, false
			}
		default:
			return nil, false
		}
		l = append(l, s)
	}
}

// quick is the state of quickStmts. Its methods return nil for what they do not
// know.
type quick struct {
	s      string
	i      int // next byte
	line   int // of i, from 1
	lineAt int // where that line starts
}

func (q *quick) peek() byte {
	if q.i < len(q.s) {
		return q.s[q.i]
	}
	return 0
}

func (q *quick) peek2() byte {
	if q.i+1 < len(q.s) {
		return q.s[q.i+1]
	}
	return 0
}

func (q *quick) pos(at int) syntax.Pos {
	return syntax.NewPos(uint(at), uint(q.line), uint(at-q.lineAt+1))
}

func (q *quick) blanks() {
	for q.i < len(q.s) && (q.s[q.i] == ' ' || q.s[q.i] == '\t') {
		q.i++
	}
}

func (q *quick) newline() {
	q.i++
	q.line++
	q.lineAt = q.i
}

// andOr reads pipelines joined by && and ||.
func (q *quick) andOr() *syntax.Stmt {
	s := q.pipeline()
	for s != nil {
		q.blanks()
		c := q.peek()
		if c != '&' && c != '|' || q.peek2() != c {
			break
		}
		b := &syntax.BinaryCmd{OpPos: q.pos(q.i), Op: syntax.AndStmt, X: s}
		if c == '|' {
			b.Op = syntax.OrStmt
		}
		q.i += 2
		q.blanks()
		if b.Y = q.pipeline(); b.Y == nil {
			return nil
		}
		s = &syntax.Stmt{Position: s.Position, Cmd: b}
	}
	return s
}

// pipeline reads commands joined by |.
func (q *quick) pipeline() *syntax.Stmt {
	s := q.simple()
	for s != nil {
		q.blanks()
		if q.peek() != '|' || q.peek2() == '|' {
			break
		}
		if q.peek2() == '&' {
			return nil
		}
		b := &syntax.BinaryCmd{OpPos: q.pos(q.i), Op: syntax.Pipe, X: s}
		q.i++
		q.blanks()
		if b.Y = q.simple(); b.Y == nil {
			return nil
		}
		s = &syntax.Stmt{Position: s.Position, Cmd: b}
	}
	return s
}

// quickReserved are the first words that begin more than a simple command.
func quickReserved(w string) bool {
	switch w {
	case "if", "then", "elif", "else", "fi", "while", "until", "do", "done", "for", "case", "esac", "select", "in", "function",
		"[[", "]]", "time", "coproc", "let", "declare", "local", "export", "readonly", "typeset", "nameref":
		return true
	}
	return false
}

// simple reads a simple command.
func (q *quick) simple() *syntax.Stmt {
	s := &syntax.Stmt{Position: q.pos(q.i)}
	c := &syntax.CallExpr{}
	for {
		q.blanks()
		switch q.peek() {
		case 0, '\n', ';', '|', '&':
			if len(c.Args) == 0 {
				return nil
			}
			s.Cmd = c
			return s
		}
		n := q.i
		for n < len(q.s) && q.s[n] >= '0' && q.s[n] <= '9' {
			n++
		}
		if n < len(q.s) && (q.s[n] == '<' || q.s[n] == '>') {
			if len(c.Args) == 0 || !q.redirect(s, n) {
				return nil
			}
			continue
		}
		from := q.i
		w := q.word()
		if w == nil {
			return nil
		}
		if len(c.Args) == 0 {
			t := q.s[from:q.i]
			if len(w.Parts) != 1 || quickReserved(t) || t != "[" && !quickName(t) {
				return nil
			}
		}
		c.Args = append(c.Args, w)
	}
}

// quickName reports whether a first word can be nothing but a command's name.
func quickName(t string) bool {
	for i := 0; i < len(t); i++ {
		switch c := t[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-', c == '.', c == '/', c == ':':
		default:
			return false
		}
	}
	return true
}

// redirect reads a redirection whose operator is at n, behind a descriptor.
func (q *quick) redirect(s *syntax.Stmt, n int) bool {
	r := &syntax.Redirect{}
	if n > q.i {
		r.N = &syntax.Lit{ValuePos: q.pos(q.i), ValueEnd: q.pos(n), Value: q.s[q.i:n]}
	}
	r.OpPos = q.pos(n)
	q.i = n + 1
	switch c := q.s[n]; {
	case c == '<':
		r.Op = syntax.RdrIn
		if p := q.peek(); p == '<' || p == '>' || p == '&' {
			return false
		}
	case q.peek() == '>':
		r.Op = syntax.AppOut
		q.i++
	case q.peek() == '&':
		r.Op = syntax.DplOut
		q.i++
	default:
		r.Op = syntax.RdrOut
		if q.peek() == '|' {
			return false
		}
	}
	q.blanks()
	if p := q.peek(); p == '<' || p == '>' {
		return false
	}
	if r.Word = q.word(); r.Word == nil {
		return false
	}
	s.Redirs = append(s.Redirs, r)
	return true
}

// quickPlain reports whether c stands for itself in a word.
func quickPlain(c byte) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		return true
	}
	switch c {
	case '_', '-', '.', '/', ':', ',', '+', '@', '%', '=', '*', '?', '~', '^', '!':
		return true
	}
	return false
}

// quickEnd reports whether c, 0 for the end of the text, ends a word.
func quickEnd(c byte) bool {
	switch c {
	case 0, ' ', '\t', '\n', ';', '|', '&':
		return true
	}
	return false
}

// word reads a word.
func (q *quick) word() *syntax.Word {
	w := &syntax.Word{}
	for {
		switch c := q.peek(); {
		case quickEnd(c) && (c != 0 || q.i == len(q.s)):
			if len(w.Parts) == 0 {
				return nil
			}
			return w
		case c == '<' || c == '>':
			return nil
		case c == '\'':
			end := strings.IndexByte(q.s[q.i+1:], '\'')
			if end < 0 {
				return nil
			}
			v := q.s[q.i+1 : q.i+1+end]
			if !quickText(v) {
				return nil
			}
			w.Parts = append(w.Parts, &syntax.SglQuoted{Left: q.pos(q.i), Right: q.pos(q.i + 1 + end), Value: v})
			q.i += end + 2
		case c == '"':
			d := q.quoted()
			if d == nil {
				return nil
			}
			w.Parts = append(w.Parts, d)
		case c == '$':
			p := q.param()
			if p == nil {
				return nil
			}
			w.Parts = append(w.Parts, p)
		case (c == '[' || c == ']') && len(w.Parts) == 0 && quickEnd(q.peek2()):
			q.i++
			w.Parts = append(w.Parts, q.lit(q.i-1))
		case quickPlain(c):
			from := q.i
			for q.i < len(q.s) && quickPlain(q.s[q.i]) {
				q.i++
			}
			w.Parts = append(w.Parts, q.lit(from))
		default:
			return nil
		}
	}
}

func (q *quick) lit(from int) *syntax.Lit {
	return &syntax.Lit{ValuePos: q.pos(from), ValueEnd: q.pos(q.i), Value: q.s[from:q.i]}
}

// quickText reports whether s is printable text of one line.
func quickText(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' && s[i] != '\t' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// quoted reads a string in double quotes.
func (q *quick) quoted() *syntax.DblQuoted {
	d := &syntax.DblQuoted{Left: q.pos(q.i)}
	q.i++
	from := q.i
	flush := func() {
		if q.i > from {
			d.Parts = append(d.Parts, q.lit(from))
		}
	}
	for {
		switch c := q.peek(); {
		case c == '"':
			flush()
			d.Right = q.pos(q.i)
			q.i++
			return d
		case c == '$':
			flush()
			p := q.param()
			if p == nil {
				return nil
			}
			d.Parts = append(d.Parts, p)
			from = q.i
		case c == '\\' || c == '`' || c < ' ' && c != '\t' || c >= 0x7f:
			return nil
		default:
			q.i++
		}
	}
}

// param reads $name, $1 and the like.
func (q *quick) param() *syntax.ParamExp {
	p := &syntax.ParamExp{Dollar: q.pos(q.i), Short: true}
	q.i++
	from := q.i
	switch c := q.peek(); {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_':
		for q.i < len(q.s) && (q.s[q.i] == '_' || q.s[q.i] >= 'a' && q.s[q.i] <= 'z' || q.s[q.i] >= 'A' && q.s[q.i] <= 'Z' || q.s[q.i] >= '0' && q.s[q.i] <= '9') {
			q.i++
		}
	case c >= '0' && c <= '9', c == '?', c == '@', c == '#':
		q.i++
	default:
		return nil
	}
	if q.peek() == '[' {
		return nil
	}
	p.Param = q.lit(from)
	return p
}
