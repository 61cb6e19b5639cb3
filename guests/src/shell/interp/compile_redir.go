// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

type redirOp uint8

const (
	rdOut     redirOp = iota // >
	rdAppend                 // >>
	rdIn                     // <
	rdInOut                  // <>
	rdDupIn                  // <&
	rdDupOut                 // >&
	rdClobber                // >|
	rdHeredoc                // << and <<<, in hdoc
	rdAll                    // &>
	rdAllApp                 // &>>
	rdBad
)

// redir is a redirection.
type redir struct {
	op      redirOp
	fd      int // the number before the operator, or the operator's default
	varName string
	word    *word
	hdoc    *word
	str     bool // <<<: a newline is added
	line    int32
	src     string
}

func (c *compiler) redirs(rs []*syntax.Redirect) []*redir {
	if len(rs) == 0 {
		return nil
	}
	out := make([]*redir, len(rs))
	for i, r := range rs {
		out[i] = c.redir(r)
	}
	return out
}

func (c *compiler) redir(x *syntax.Redirect) *redir {
	r := &redir{fd: 1, line: c.lineOf(x.Pos()), src: x.Op.String()}
	switch x.Op {
	case syntax.RdrOut:
		r.op = rdOut
	case syntax.AppOut:
		r.op = rdAppend
	case syntax.RdrIn:
		r.op, r.fd = rdIn, 0
	case syntax.RdrInOut:
		r.op, r.fd = rdInOut, 0
	case syntax.DplIn:
		r.op, r.fd = rdDupIn, 0
	case syntax.DplOut:
		r.op = rdDupOut
	case syntax.RdrClob:
		r.op = rdClobber
	case syntax.Hdoc, syntax.DashHdoc:
		r.op, r.fd = rdHeredoc, 0
		r.hdoc = c.heredoc(x)
	case syntax.WordHdoc:
		r.op, r.fd, r.str = rdHeredoc, 0, true
		r.hdoc = c.word(x.Word, ctxText)
	case syntax.RdrAll:
		r.op = rdAll
	case syntax.AppAll:
		r.op = rdAllApp
	default:
		r.op = rdBad
	}
	if x.N != nil {
		n := x.N.Value
		if len(n) > 1 && n[0] == '{' {
			r.varName = strings.Trim(n, "{}")
		} else {
			r.fd = 0
			for i := range len(n) {
				if r.fd = r.fd*10 + int(n[i]-'0'); r.fd > 1<<20 {
					break
				}
			}
		}
	}
	if r.op != rdHeredoc {
		r.word = c.word(x.Word, ctxText)
		r.src += " " + c.text(x.Word.Pos(), x.Word.End())
	}
	return r
}

// heredoc compiles a here-document's body.
func (c *compiler) heredoc(x *syntax.Redirect) *word {
	w := &word{}
	if x.Hdoc == nil {
		w.kind = wLit
		return w
	}
	quoted := false
	for _, p := range x.Word.Parts {
		switch l := p.(type) {
		case *syntax.SglQuoted, *syntax.DblQuoted:
			quoted = true
		case *syntax.Lit:
			quoted = quoted || strings.IndexByte(l.Value, '\\') >= 0
		}
	}
	parts := x.Hdoc.Parts
	if x.Op == syntax.DashHdoc {
		n := make([]syntax.WordPart, len(parts))
		start := true
		for i, p := range parts {
			if l, ok := p.(*syntax.Lit); ok {
				k := *l
				k.Value = stripTabs(l.Value, start)
				start = strings.HasSuffix(l.Value, "\n")
				n[i] = &k
			} else {
				n[i] = p
				start = false
			}
		}
		parts = n
	}
	if quoted {
		var b strings.Builder
		for _, p := range parts {
			if l, ok := p.(*syntax.Lit); ok {
				b.WriteString(l.Value)
			}
		}
		w.kind, w.lit = wLit, b.String()
		return w
	}
	c.parts(w, parts, true, true, false)
	w.finish()
	return w
}

// stripTabs removes the leading tabs of each line.
func stripTabs(s string, start bool) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if start && s[i] == '\t' {
			continue
		}
		start = s[i] == '\n'
		b = append(b, s[i])
	}
	return string(b)
}
