// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// compiler turns syntax trees of one text into nodes.
type compiler struct {
	sh   *Shell
	rt   *Runtime
	src  string // the text, to which positions refer
	line int32  // added to the lines of src
}

func (c *compiler) lineOf(p syntax.Pos) int32 { return int32(p.Line()) + c.line }

// text returns the source between two positions.
func (c *compiler) text(from, to syntax.Pos) string {
	a, b := int(from.Offset()), int(to.Offset())
	if a > b || b > len(c.src) {
		return ""
	}
	return c.src[a:b]
}

// stmtText returns the text of a command without what separates it from the
// next one.
func (c *compiler) stmtText(s *syntax.Stmt) string {
	end := s.End()
	if s.Semicolon.IsValid() {
		end = s.Semicolon
	}
	return strings.TrimRight(c.text(s.Pos(), end), " \t")
}

func (c *compiler) list(l []*syntax.Stmt) node {
	if len(l) == 1 {
		return c.stmt(l[0])
	}
	s := &seqNode{list: make([]node, len(l))}
	for i, x := range l {
		s.list[i] = c.stmt(x)
	}
	return s
}

func (c *compiler) stmt(s *syntax.Stmt) node {
	line := c.lineOf(s.Pos())
	var n node
	bad := ""
	switch {
	case s.Coprocess:
		bad = "|& coprocess of mksh"
	case s.Disown:
		bad = "&| of zsh"
	}
	if bad != "" {
		return &errorNode{line, bad + ": not supported"}
	}
	redirs := c.redirs(s.Redirs)
	simple := false
	switch cmd := s.Cmd.(type) {
	case nil:
		n, simple = &simpleCmd{line: line, redirs: redirs, src: c.stmtText(s)}, true
	case *syntax.CallExpr:
		n, simple = c.call(cmd, redirs, line, c.stmtText(s)), true
	case *syntax.DeclClause:
		n, simple = c.decl(cmd, redirs, line, c.stmtText(s)), true
	default:
		n = c.command(cmd)
	}
	if !simple && len(redirs) > 0 {
		if f, ok := n.(*funcNode); ok {
			f.fn.redirs = redirs
		} else {
			n = &redirNode{line, n, redirs}
		}
	}
	if s.Negated {
		n = &notNode{n}
	}
	if s.Background {
		src := c.text(s.Pos(), s.Semicolon)
		n = &bgNode{line, n, strings.TrimRight(src, " \t")}
	}
	return n
}

func (c *compiler) command(cmd syntax.Command) node {
	line := c.lineOf(cmd.Pos())
	switch x := cmd.(type) {
	case *syntax.Block:
		return c.list(x.Stmts)
	case *syntax.Subshell:
		return &subshellNode{line, c.list(x.Stmts), c.text(x.Pos(), x.End())}
	case *syntax.IfClause:
		return c.ifClause(x)
	case *syntax.WhileClause:
		return &whileNode{c.list(x.Cond), c.list(x.Do), x.Until}
	case *syntax.ForClause:
		return c.forClause(x)
	case *syntax.CaseClause:
		n := &caseNode{line: line, w: c.word(x.Word, ctxText), src: "case " + c.text(x.Word.Pos(), x.Word.End()) + " in "}
		for _, it := range x.Items {
			ci := caseItem{body: c.list(it.Stmts)}
			for _, p := range it.Patterns {
				ci.pats = append(ci.pats, c.word(p, ctxText))
			}
			switch it.Op {
			case syntax.Fallthrough:
				ci.next = caseFall
			case syntax.Resume, syntax.ResumeKorn:
				ci.next = caseResume
			}
			n.items = append(n.items, ci)
		}
		return n
	case *syntax.BinaryCmd:
		return c.binary(x)
	case *syntax.FuncDecl:
		return c.funcDecl(x)
	case *syntax.ArithmCmd:
		src := c.text(x.Left, x.Right)
		if len(src) >= 2 {
			src = src[2:]
		}
		return &arithCmd{line, c.arith(src), "((" + src + "))"}
	case *syntax.LetClause:
		src := c.text(x.Let, x.End())
		n := &letCmd{line: line, src: src}
		ws, err := c.sh.parseWords(src[min(3, len(src)):], line)
		if err != "" {
			return &errorNode{line, "let: " + err}
		}
		n.words = ws
		return n
	case *syntax.TestClause:
		return &condNode{line, c.cond(x.X), c.text(x.Pos(), x.End())}
	case *syntax.TimeClause:
		n := &timeNode{posix: x.PosixFormat}
		if x.Stmt != nil {
			n.x = c.stmt(x.Stmt)
		}
		return n
	case *syntax.CoprocClause:
		n := &coprocNode{line: line, name: "COPROC", src: c.text(x.Pos(), x.End())}
		st := x.Stmt
		switch {
		case x.Name == nil:
		case st.Cmd == nil && len(st.Redirs) > 0:
			// "coproc cat 2>file": the parser takes the command for a name.
			call := *st
			call.Cmd = &syntax.CallExpr{Args: []*syntax.Word{x.Name}}
			st = &call
		default:
			n.name = x.Name.Lit()
		}
		n.x = c.stmt(st)
		return n
	case *syntax.CallExpr:
		return c.call(x, nil, line, c.text(x.Pos(), x.End()))
	case *syntax.DeclClause:
		return c.decl(x, nil, line, c.text(x.Pos(), x.End()))
	}
	return &errorNode{line, "syntax error: unsupported command"}
}

func (c *compiler) ifClause(x *syntax.IfClause) node {
	n := &ifNode{cond: c.list(x.Cond), then: c.list(x.Then)}
	if e := x.Else; e != nil {
		if e.ThenPos.IsValid() {
			n.els = c.ifClause(e)
		} else {
			n.els = c.list(e.Then)
		}
	}
	return n
}

func (c *compiler) forClause(x *syntax.ForClause) node {
	line := c.lineOf(x.Pos())
	body := c.list(x.Do)
	switch l := x.Loop.(type) {
	case *syntax.WordIter:
		n := &forNode{line: line, name: l.Name.Value, sel: x.Select, body: body}
		n.id = c.rt.intern(l.Name.Value)
		n.args = !l.InPos.IsValid()
		for _, w := range l.Items {
			n.words = append(n.words, c.word(w, ctxFields))
		}
		n.src = "for " + l.Name.Value
		if x.Select {
			n.src = "select " + l.Name.Value
		}
		if !n.args && len(l.Items) > 0 {
			n.src += " in " + c.text(l.Items[0].Pos(), l.Items[len(l.Items)-1].End())
		}
		if !validName(n.name) {
			return &errorNode{line, "`" + n.name + "': not a valid identifier"}
		}
		return n
	case *syntax.CStyleLoop:
		src := c.text(l.Lparen, l.Rparen)
		if len(src) >= 2 {
			src = src[2:]
		}
		f := splitSemicolons(src)
		if len(f) != 3 {
			return &errorNode{line, "syntax error: arithmetic expression required"}
		}
		n := &cforNode{line: line, body: body}
		for i, p := range [...]**arithNode{&n.init, &n.cond, &n.post} {
			if strings.TrimSpace(f[i]) != "" {
				*p = c.arith(f[i])
			}
		}
		return n
	}
	return &errorNode{line, "syntax error: unsupported loop"}
}

func splitSemicolons(s string) []string {
	var f []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			depth--
		case '"', '\'':
			if j := strings.IndexByte(s[i+1:], s[i]); j >= 0 {
				i += j + 1
			}
		case ';':
			if depth == 0 {
				f = append(f, s[start:i])
				start = i + 1
			}
		}
	}
	return append(f, s[start:])
}

func (c *compiler) binary(x *syntax.BinaryCmd) node {
	switch x.Op {
	case syntax.AndStmt:
		return &andOrNode{false, c.stmt(x.X), c.stmt(x.Y)}
	case syntax.OrStmt:
		return &andOrNode{true, c.stmt(x.X), c.stmt(x.Y)}
	}
	n := &pipeNode{line: c.lineOf(x.Pos()), src: c.text(x.Pos(), x.End())}
	// The tree leans to either side; flatten it.
	var walk func(s *syntax.Stmt, both bool)
	walk = func(s *syntax.Stmt, both bool) {
		if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) && !s.Negated && len(s.Redirs) == 0 {
			walk(b.X, b.Op == syntax.PipeAll)
			walk(b.Y, both)
			return
		}
		n.stages = append(n.stages, c.stmt(s))
		n.both = append(n.both, both)
	}
	walk(x.X, x.Op == syntax.PipeAll)
	walk(x.Y, false)
	return n
}

func (c *compiler) funcDecl(x *syntax.FuncDecl) node {
	line := c.lineOf(x.Pos())
	if x.Name == nil {
		return &errorNode{line, "syntax error: function without a name"}
	}
	name := x.Name.Value
	f := &function{name: name, id: c.rt.intern(name), line: c.lineOf(x.Body.Pos())}
	f.src = c.text(x.Body.Pos(), x.Body.End())
	n := &funcNode{line: line, fn: f}
	body := x.Body
	f.redirs = c.redirs(body.Redirs)
	switch cmd := body.Cmd.(type) {
	case *syntax.CallExpr, *syntax.DeclClause, nil:
		f.body = c.stmt(&syntax.Stmt{Cmd: body.Cmd, Position: body.Position})
	default:
		f.body = c.command(cmd)
	}
	if strings.ContainsAny(name, "$`\"'\\<>&|;()") || name == "" {
		n.bad = "`" + name + "': not a valid identifier"
	}
	return n
}

// isAssignable names the builtins whose arguments may be assignments.
func isDeclName(s string) bool {
	switch s {
	case "declare", "typeset", "local", "export", "readonly":
		return true
	}
	return false
}

func (c *compiler) call(x *syntax.CallExpr, redirs []*redir, line int32, src string) node {
	var assigns []*assign
	for _, a := range x.Assigns {
		assigns = append(assigns, c.assign(a))
	}
	if len(x.Args) == 0 {
		return &assignCmd{line, assigns, redirs, src}
	}
	n := &simpleCmd{line: line, assigns: assigns, redirs: redirs, src: src, pure: len(assigns) == 0}
	for i, a := range x.Args {
		// command export x=~ and the like take assignments too.
		ctx := ctxFields
		if i > 1 || i == 1 && !isDeclName(n.words[0].lit) {
			if n.words[0].kind == wLit && (n.words[0].lit == "command" || n.words[0].lit == "builtin") {
				for _, w := range n.words[1:i] {
					if w.kind == wLit && isDeclName(w.lit) {
						ctx = ctxDecl
					}
				}
			}
		}
		w := c.word(a, ctx)
		n.words = append(n.words, w)
		n.pure = n.pure && w.pure()
	}
	for _, r := range redirs {
		n.pure = n.pure && r.word.pure() && r.varName == "" && (r.hdoc == nil || r.hdoc.pure())
	}
	if n.words[0].lit == "lEt" && n.words[0].kind == wLit {
		// See source.Prepare.
		if at := int(x.Args[0].Pos().Offset()); at+3 <= len(c.src) && c.src[at:at+3] == "let" {
			n.words[0].lit = "let"
		}
	}
	c.named(n)
	return c.test(n)
}

// named resolves a constant command name.
func (c *compiler) named(n *simpleCmd) {
	if w := n.words[0]; w.kind == wLit && !w.meta && !w.brace {
		n.name = w.lit
		n.id = c.rt.intern(w.lit)
		n.bi = builtins[w.lit]
	}
}

func (c *compiler) decl(x *syntax.DeclClause, redirs []*redir, line int32, src string) node {
	n := &simpleCmd{line: line, redirs: redirs, src: src, decl: &declArgs{}}
	name := x.Variant.Value
	n.words = []*word{{kind: wLit, lit: name}}
	c.named(n)
	for _, a := range x.Args {
		switch {
		case a.Name == nil:
			n.decl.args = append(n.decl.args, declArg{w: c.word(a.Value, ctxFields)})
		case a.Naked:
			lit := c.text(a.Pos(), a.End())
			if a.Index == nil {
				lit = a.Name.Value
			}
			n.decl.args = append(n.decl.args, declArg{w: &word{kind: wLit, lit: lit}})
		default:
			n.decl.args = append(n.decl.args, declArg{asg: c.assign(a)})
		}
	}
	return n
}

func (c *compiler) assign(x *syntax.Assign) *assign {
	a := &assign{append: x.Append}
	if x.Name != nil {
		a.name = x.Name.Value
		a.id = c.rt.intern(a.name)
	}
	if x.Index != nil {
		a.sub = c.subscript(int(x.Name.End().Offset()))
	}
	switch {
	case x.Array != nil:
		a.arr = c.arrayLit(x.Array)
	case x.Value != nil:
		a.val = c.word(x.Value, ctxAssign)
	default:
		a.val = &word{kind: wLit}
	}
	return a
}

func (c *compiler) arrayLit(x *syntax.ArrayExpr) *arrayLit {
	l := &arrayLit{}
	for _, e := range x.Elems {
		var el arrayElem
		if e.Index != nil {
			// The bracket stands before the index, perhaps with blanks between.
			i := int(e.Index.Pos().Offset()) - 1
			for i > 0 && c.src[i] != '[' {
				i--
			}
			var end int
			el.sub, end = c.subscriptEnd(i)
			el.append = end < len(c.src) && c.src[end] == '+'
			if e.Value != nil {
				el.val = c.word(e.Value, ctxAssign)
			} else {
				el.val = &word{kind: wLit}
			}
		} else {
			el.val = c.word(e.Value, ctxFields)
		}
		l.elems = append(l.elems, el)
	}
	return l
}
