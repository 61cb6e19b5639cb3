// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import "strconv"

// Limits.
const (
	maxDepth = 3000    // nested expressions and statements
	maxArgs  = 1 << 12 // arguments of a call
	maxChain = 4000    // operators of one statement
)

type parser struct {
	lexer
	prog  *Program
	pos0  Pos
	depth int
	loops int
	cases int

	globals map[string]*Symbol
	order   []*Symbol // of globals, as they come
	params  map[string]*Symbol
	inFunc  bool
	funcs   map[string]*Function
	calls   []*Call
	owner   string // name of the source
	noGT    bool
	lists   int // parenthesised lists not yet used
	chain   int // operators in this statement
}

// Parse parses the sources as one program. Its error is an [*Error].
func Parse(sources []Source) (prog *Program, err error) {
	p := &parser{prog: &Program{Sources: sources}, globals: map[string]*Symbol{}, funcs: map[string]*Function{}}
	defer func() {
		if e := recover(); e != nil {
			pe, ok := e.(*Error)
			if !ok {
				panic(e)
			}
			if pe.Name == "" {
				pe.Name = p.owner
			}
			prog, err = nil, pe
		}
	}()
	if len(sources) > 100 {
		p.failAt(1, "too many program files")
	}
	for i, s := range sources {
		p.owner = s.Name
		p.lexer = lexer{src: s.Text, next: 1, warn: p.warning}
		p.pos0 = Pos(i) << lineBits
		p.source()
	}
	p.resolve()
	return p.prog, nil
}

func (p *parser) warning(line int, msg string) {
	if len(p.prog.Warnings) < 20 {
		p.prog.Warnings = append(p.prog.Warnings, p.prog.Where(p.pos0+Pos(line))+": warning: "+msg)
	}
}

func (p *parser) failAt(line int, msg string) { panic(&Error{Line: line, Col: -1, Msg: msg}) }

func (p *parser) failPos(pos Pos, msg string) {
	panic(&Error{Name: p.prog.Sources[pos>>lineBits].Name, Line: pos.Line(), Col: -1, Msg: msg, Meant: true})
}

// unexpected fails at the current token.
func (p *parser) unexpected() {
	switch {
	case p.tok == tEOF || p.tok == tNewline:
		p.fail("unexpected newline or end of string")
	case p.tok == tString:
		p.fail("syntax error at a string")
	}
	p.fail("syntax error")
}

func (p *parser) pos() Pos {
	if p.line > maxLine {
		p.failAt(maxLine, "program too long")
	}
	return p.pos0 + Pos(p.line)
}

func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		p.fail("nested too deeply")
	}
}

// link counts an operator.
func (p *parser) link() {
	if p.chain++; p.chain > maxChain {
		p.fail("expression too long")
	}
}

func (p *parser) expect(t token) {
	if p.tok != t {
		p.unexpected()
	}
	p.scan()
}

func (p *parser) accept(t token) bool {
	if p.tok == t {
		p.scan()
		return true
	}
	return false
}

func (p *parser) newlines() {
	for p.tok == tNewline {
		p.scan()
	}
}

func (p *parser) terminators() {
	for p.tok == tNewline || p.tok == tSemi {
		p.scan()
	}
}

func (p *parser) source() {
	p.scan()
	p.terminators()
	for p.tok != tEOF {
		p.item()
		p.terminators()
	}
}

func (p *parser) item() {
	p.chain = 0
	r := &Rule{Pos: p.pos()}
	var list *[]*Rule
	switch p.tok {
	case tFunction:
		p.function()
		return
	case tBegin:
		list = &p.prog.Begin
	case tEnd:
		list = &p.prog.End
	case tBeginFile:
		list = &p.prog.BeginFile
	case tEndFile:
		list = &p.prog.EndFile
	default:
		if p.tok != tLbrace {
			r.Pattern = p.expr()
			if p.accept(tComma) {
				p.newlines()
				r.Pattern2 = p.expr()
			}
		}
		if p.tok == tLbrace {
			r.Body = p.block()
		} else {
			r.Print = true
			if p.tok != tNewline && p.tok != tSemi && p.tok != tEOF {
				p.unexpected()
			}
		}
		p.prog.Rules = append(p.prog.Rules, r)
		return
	}
	p.scan()
	if p.tok != tLbrace {
		p.unexpected()
	}
	r.Body = p.block()
	*list = append(*list, r)
}

func (p *parser) function() {
	p.scan()
	if p.tok != tName && p.tok != tFuncName {
		p.fail("function name expected")
	}
	name := p.text
	f := p.funcRef(name)
	if f.defined {
		p.fail("function name `" + name + "' previously defined")
	}
	if SpecialByName(name) != NotSpecial {
		p.fail("function `" + name + "': cannot use a special variable as a function")
	}
	f.defined, f.Pos = true, p.pos()
	p.scan()
	p.expect(tLparen)
	p.params = map[string]*Symbol{}
	for p.tok != tRparen {
		if p.tok != tName {
			p.unexpected()
		}
		switch {
		case p.params[p.text] != nil:
			first := 1
			for f.Params[first-1].Name != p.text {
				first++
			}
			p.failAt(p.line, "error: function `"+name+"': parameter #"+strconv.Itoa(len(f.Params)+1)+", `"+p.text+"', duplicates parameter #"+strconv.Itoa(first))
		case p.text == name:
			p.fail("function `" + name + "': cannot use function name as parameter name")
		case SpecialByName(p.text) != NotSpecial:
			p.fail("function `" + name + "': parameter `" + p.text + "': a special variable cannot be a parameter")
		case len(f.Params) >= maxArgs:
			p.fail("too many parameters")
		}
		s := &Symbol{Name: p.text, Local: true, pos: p.pos()}
		p.params[p.text] = s
		f.Params = append(f.Params, s)
		p.scan()
		if p.tok != tComma {
			break
		}
		p.scan()
		p.newlines()
	}
	p.expect(tRparen)
	p.newlines()
	if p.tok != tLbrace {
		p.unexpected()
	}
	p.inFunc = true
	f.Body = p.block()
	p.inFunc, p.params = false, nil
}

func (p *parser) funcRef(name string) *Function {
	f := p.funcs[name]
	if f == nil {
		f = &Function{Name: name, Index: len(p.prog.Funcs)}
		p.funcs[name] = f
		p.prog.Funcs = append(p.prog.Funcs, f)
	}
	return f
}

// block parses { statements }.
func (p *parser) block() []Stmt {
	p.enter()
	p.expect(tLbrace)
	body := []Stmt{}
	for {
		p.terminators()
		if p.tok == tRbrace {
			break
		}
		if p.tok == tEOF {
			p.unexpected()
		}
		body = append(body, p.stmt())
	}
	p.scan()
	p.depth--
	return body
}

// body parses the statement behind the head of a loop or condition.
func (p *parser) body() []Stmt {
	p.newlines()
	switch p.tok {
	case tSemi:
		p.scan()
		return nil
	case tLbrace:
		return p.block()
	}
	p.enter()
	s := []Stmt{p.stmt()}
	p.depth--
	return s
}

// end consumes what ends a simple statement.
func (p *parser) end() {
	switch p.tok {
	case tSemi, tNewline:
		p.scan()
	case tRbrace, tEOF:
	default:
		p.unexpected()
	}
}

func (p *parser) loopBody() []Stmt {
	p.loops++
	b := p.body()
	p.loops--
	return b
}

func (p *parser) condition() Expr {
	p.expect(tLparen)
	x := p.inParens()
	p.expect(tRparen)
	return x
}

// inParens parses an expression in which > has its usual meaning.
func (p *parser) inParens() Expr {
	gt := p.noGT
	p.noGT = false
	x := p.expr()
	p.noGT = gt
	return x
}

func (p *parser) stmt() Stmt {
	pos := p.pos()
	p.chain = 0
	switch p.tok {
	case tLbrace:
		return &Block{p.block()}
	case tIf:
		p.scan()
		s := &If{Cond: p.condition(), Pos: pos}
		s.Then = p.body()
		// An else may follow a semicolon and newlines.
		saved := p.lexer
		p.terminators()
		if p.tok == tElse {
			p.scan()
			s.Else = p.body()
			if s.Else == nil {
				s.Else = []Stmt{}
			}
		} else {
			p.lexer = saved
		}
		return s
	case tWhile:
		p.scan()
		c := p.condition()
		if p.tok == tSemi {
			p.scan()
			return &While{c, nil, pos}
		}
		return &While{c, p.loopBody(), pos}
	case tDo:
		p.scan()
		s := &Do{Pos: pos}
		s.Body = p.loopBody()
		p.terminators()
		p.expect(tWhile)
		s.Cond = p.condition()
		p.end()
		return s
	case tFor:
		return p.forStmt(pos)
	case tSwitch:
		return p.switchStmt(pos)
	case tSemi:
		p.scan()
		return &Block{}
	}
	s := p.simple()
	p.end()
	return s
}

func (p *parser) forStmt(pos Pos) Stmt {
	p.scan()
	p.expect(tLparen)
	if p.tok == tName {
		// for (k in a)
		saved := p.lexer
		name := p.text
		p.scan()
		if p.tok == tIn {
			p.scan()
			if p.tok == tName {
				arr := p.text
				p.scan()
				if p.tok == tRparen || p.tok == tLbracket {
					v := p.use(name, Scalar)
					var a Expr
					if p.tok == tLbracket {
						a = p.subscripts(p.use(arr, Array))
					} else {
						a = p.use(arr, Array)
					}
					if p.tok == tRparen {
						p.scan()
						return &ForIn{v, a, p.loopBody(), pos}
					}
				}
			}
		}
		p.lexer = saved
	}
	s := &For{Pos: pos}
	if p.tok != tSemi {
		s.Init = p.simple()
	}
	p.expect(tSemi)
	p.newlines()
	if p.tok != tSemi {
		s.Cond = p.inParens()
	}
	p.expect(tSemi)
	p.newlines()
	if p.tok != tRparen {
		s.Step = p.simple()
	}
	p.expect(tRparen)
	if p.tok == tSemi {
		p.scan()
		return s
	}
	s.Body = p.loopBody()
	return s
}

func (p *parser) switchStmt(pos Pos) Stmt {
	p.scan()
	s := &Switch{X: p.condition(), Pos: pos}
	p.newlines()
	p.expect(tLbrace)
	p.enter()
	p.cases++
	hasDefault := false
	for {
		p.terminators()
		if p.tok == tRbrace {
			break
		}
		var c Case
		switch p.tok {
		case tDefault:
			if hasDefault {
				p.fail("duplicate `default' in switch body")
			}
			hasDefault = true
			p.scan()
		case tCase:
			p.scan()
			switch p.tok {
			case tSlash, tDivAssign, tNumber, tString, tMinus, tPlus:
				c.Label = p.unary()
			default:
				p.unexpected()
			}
		default:
			p.unexpected()
		}
		p.expect(tColon)
		for {
			p.terminators()
			if p.tok == tCase || p.tok == tDefault || p.tok == tRbrace {
				break
			}
			if p.tok == tEOF {
				p.unexpected()
			}
			c.Body = append(c.Body, p.stmt())
		}
		s.Cases = append(s.Cases, c)
	}
	p.scan()
	p.cases--
	p.depth--
	return s
}

// simple parses a statement that ends with its line.
func (p *parser) simple() Stmt {
	pos := p.pos()
	switch p.tok {
	case tPrint, tPrintf:
		return p.print(pos)
	case tNext, tNextFile:
		file := p.tok == tNextFile
		p.scan()
		return &Next{file}
	case tExit:
		p.scan()
		s := &Exit{Pos: pos}
		if !p.atEnd() {
			s.Status = p.expr()
		}
		return s
	case tReturn:
		if !p.inFunc {
			p.fail("`return' used outside function context")
		}
		p.scan()
		s := &Return{Pos: pos}
		if !p.atEnd() {
			s.X = p.expr()
		}
		return s
	case tBreak:
		if p.loops == 0 && p.cases == 0 {
			p.failAt(p.line, "error: `break' is not allowed outside a loop or switch")
		}
		p.scan()
		return &Break{}
	case tContinue:
		if p.loops == 0 {
			p.failAt(p.line, "error: `continue' is not allowed outside a loop")
		}
		p.scan()
		return &Continue{}
	case tDelete:
		p.scan()
		paren := p.accept(tLparen)
		if p.tok != tName {
			p.unexpected()
		}
		name := p.text
		p.scan()
		s := &Delete{Pos: pos, Array: p.use(name, Array)}
		if p.tok == tLbracket {
			x := p.subscripts(s.Array).(*Index)
			s.Array, s.Keys = x.Array, x.Keys
		}
		if paren {
			p.expect(tRparen)
		}
		return s
	}
	return &ExprStmt{p.expr(), pos}
}

func (p *parser) atEnd() bool {
	return p.tok == tSemi || p.tok == tNewline || p.tok == tRbrace || p.tok == tEOF
}

func (p *parser) redirection() bool {
	return p.tok == tGreater || p.tok == tAppend || p.tok == tPipe || p.tok == tPipeAmp
}

func (p *parser) print(pos Pos) Stmt {
	s := &Print{Format: p.tok == tPrintf, Pos: pos}
	p.scan()
	gt := p.noGT
	p.noGT = true
	if !p.atEnd() && !p.redirection() && p.tok != tRparen {
		for {
			s.Args = append(s.Args, p.ternary()) // or the whole list in parentheses
			if len(s.Args) > maxArgs {
				p.fail("too many arguments")
			}
			if p.tok != tComma {
				break
			}
			p.scan()
			p.newlines()
		}
		if len(s.Args) == 1 {
			if l, ok := s.Args[0].(*List); ok {
				s.Args = l.X
				p.lists--
			}
		}
		if p.lists > 0 {
			p.unexpected()
		}
	}
	if s.Format && len(s.Args) == 0 {
		p.fail("printf: no arguments")
	}
	switch p.tok {
	case tGreater:
		s.Redir = '>'
	case tAppend:
		s.Redir = 'a'
	case tPipe:
		s.Redir = '|'
	case tPipeAmp:
		s.Redir = '&'
	}
	if s.Redir != 0 {
		p.scan()
		s.Dest = p.concat(true)
	}
	p.noGT = gt
	return s
}

// expr parses an expression, which is not a list.
func (p *parser) expr() Expr {
	x := p.ternary()
	if p.lists > 0 {
		p.unexpected()
	}
	return x
}

func isLvalue(x Expr) bool {
	switch x.(type) {
	case *Var, *Index, *Field:
		return true
	}
	return false
}

func assignOp(t token) byte {
	if t >= tAssign && t <= tPowAssign {
		return [...]byte{'=', '+', '-', '*', '/', '%', '^'}[t-tAssign]
	}
	return 0
}

func (p *parser) ternary() Expr {
	p.enter()
	x := p.choice()
	p.depth--
	return x
}

func (p *parser) choice() Expr {
	x := p.or()
	if p.tok == tQuestion {
		p.scan()
		p.newlines()
		c := &Cond{If: x}
		c.Then = p.ternary()
		p.newlines()
		p.expect(tColon)
		p.newlines()
		c.Else = p.ternary()
		return c
	}
	return x
}

// assignment turns x, the end of what has been parsed, into an assignment where
// one follows. It is looked for wherever an operand may stand, so that
// "a && b = c" is "a && (b = c)".
func (p *parser) assignment(x Expr) Expr {
	op := assignOp(p.tok)
	if op == 0 || !isLvalue(x) {
		return x
	}
	pos := p.pos()
	p.scan()
	p.newlines()
	r := p.ternary()
	p.assigned(x)
	return &Assign{op, x, r, pos}
}

func (p *parser) assigned(x Expr) {
	if v, ok := x.(*Var); ok {
		p.mark(v.Sym, Scalar)
	}
}

func (p *parser) or() Expr {
	x := p.and()
	for p.tok == tOr {
		p.link()
		p.scan()
		p.newlines()
		x = &Logic{true, x, p.and()}
	}
	return x
}

func (p *parser) and() Expr {
	x := p.in()
	for p.tok == tAnd {
		p.link()
		p.scan()
		p.newlines()
		x = &Logic{false, x, p.in()}
	}
	return x
}

func (p *parser) in() Expr {
	x := p.match()
	for p.tok == tIn {
		p.link()
		p.scan()
		keys := []Expr{x}
		if l, ok := x.(*List); ok {
			keys = l.X
			p.lists--
		}
		x = &In{keys, p.arrayName()}
	}
	return x
}

// arrayName parses a name that must be an array, or an element that is one.
func (p *parser) arrayName() Expr {
	if p.tok != tName {
		p.unexpected()
	}
	name := p.text
	p.scan()
	a := p.use(name, Array)
	if p.tok == tLbracket {
		return p.subscripts(a)
	}
	return a
}

func (p *parser) match() Expr {
	x := p.compare()
	for p.tok == tTilde || p.tok == tNoMatch {
		p.link()
		not := p.tok == tNoMatch
		p.scan()
		x = &Match{not, x, p.compare()}
	}
	return x
}

func (p *parser) compare() Expr {
	x := p.concat(false)
	for {
		var op byte
		switch p.tok {
		case tLess:
			op = '<'
		case tLe:
			op = 'l'
		case tEq:
			op = '='
		case tNe:
			op = '!'
		case tGe:
			op = 'g'
		case tGreater:
			if p.noGT {
				return x
			}
			op = '>'
		default:
			return x
		}
		p.link()
		p.scan()
		x = &Compare{op, x, p.concat(false)}
	}
}

// concat parses concatenations and what reads from commands. In the destination
// of a redirection a pipe is not the latter's.
func (p *parser) concat(dest bool) Expr {
	x := p.additive()
	for {
		switch p.tok {
		case tPipe, tPipeAmp:
			if dest {
				return x
			}
			saved := p.lexer
			from := byte('|')
			if p.tok == tPipeAmp {
				from = '&'
			}
			pos := p.pos()
			p.scan()
			if p.tok != tGetline {
				p.lexer = saved
				return x
			}
			p.link()
			p.scan()
			// What has been read is an operand: it may be calculated with.
			x = p.sums(p.products(&Getline{From: from, Src: x, Target: p.target(), Pos: pos}))
		case tNumber, tString, tName, tFuncName, tBuiltin, tDollar, tNot, tLparen, tIncr, tDecr:
			p.link()
			x = &Concat{x, p.additive()}
		case tMinus, tPlus:
			return x // taken by additive
		case tIn:
			return x
		default:
			return x
		}
	}
}

func (p *parser) additive() Expr { return p.sums(p.multiplicative()) }

// sums parses what is added to x.
func (p *parser) sums(x Expr) Expr {
	for {
		var op byte
		switch p.tok {
		case tPlus:
			op = '+'
		case tMinus:
			op = '-'
		default:
			return x
		}
		p.link()
		p.scan()
		x = &Arith{op, x, p.multiplicative()}
	}
}

func (p *parser) multiplicative() Expr { return p.products(p.unary()) }

// products parses what x is multiplied with.
func (p *parser) products(x Expr) Expr {
	for {
		var op byte
		switch p.tok {
		case tStar:
			op = '*'
		case tSlash:
			op = '/'
		case tPercent:
			op = '%'
		default:
			return x
		}
		p.link()
		p.scan()
		x = &Arith{op, x, p.unary()}
	}
}

func (p *parser) unary() Expr {
	p.enter()
	var x Expr
	switch p.tok {
	case tNot:
		p.scan()
		x = &Unary{'!', p.unary()}
	case tMinus:
		p.scan()
		x = &Unary{'-', p.unary()}
	case tPlus:
		p.scan()
		x = &Unary{'+', p.unary()}
	default:
		x = p.power()
	}
	p.depth--
	return x
}

func (p *parser) power() Expr {
	x := p.postfix()
	if p.tok == tCaret {
		p.scan()
		// Right associative, and its right operand may have a sign.
		switch p.tok {
		case tMinus, tPlus, tNot:
			return &Arith{'^', x, p.unary()}
		}
		p.enter()
		x = &Arith{'^', x, p.power()}
		p.depth--
	}
	return x
}

func (p *parser) postfix() Expr {
	x := p.primary()
	if isLvalue(x) {
		switch p.tok {
		case tIncr, tDecr:
			dec := p.tok == tDecr
			p.scan()
			p.assigned(x)
			return &IncDec{X: x, Dec: dec}
		}
		return p.assignment(x)
	}
	return x
}

// use returns a variable that is known to be of a kind, or Unknown.
func (p *parser) use(name string, k Kind) *Var {
	s := p.params[name]
	if s == nil {
		s = p.globals[name]
	}
	if s == nil {
		s = &Symbol{Name: name, Special: SpecialByName(name), pos: p.pos()}
		switch {
		case s.Special != NotSpecial:
			s.Kind = Scalar
			p.prog.Uses[s.Special] = true
		case name == "ENVIRON" || name == "ARGV" || name == "PROCINFO":
			s.Kind = Array
		}
		p.globals[name] = s
		p.order = append(p.order, s)
	}
	if k != Unknown {
		p.mark(s, k)
	}
	return &Var{s}
}

func (p *parser) mark(s *Symbol, k Kind) {
	if s.Kind == Unknown {
		s.Kind = k
	}
	if s.Kind != k {
		p.failPos(p.pos(), kindMessage(s))
	}
}

func kindMessage(s *Symbol) string {
	what := " `"
	if s.Local {
		what = " parameter `"
	}
	if s.Kind == Array {
		return "attempt to use array" + what + s.Name + "' in a scalar context"
	}
	return "attempt to use scalar" + what + s.Name + "' as an array"
}

// subscripts parses [keys] behind an array, and those of arrays within it.
func (p *parser) subscripts(a Expr) Expr {
	for n := 0; p.tok == tLbracket; n++ {
		if n > 100 {
			p.fail("too many subscripts")
		}
		p.scan()
		x := &Index{Array: a}
		gt := p.noGT
		p.noGT = false
		for {
			x.Keys = append(x.Keys, p.expr())
			if p.tok != tComma {
				break
			}
			p.scan()
			p.newlines()
		}
		p.noGT = gt
		p.expect(tRbracket)
		a = x
	}
	return a
}

// target parses the target of getline and of ++, if one is there.
func (p *parser) target() Expr {
	switch p.tok {
	case tDollar:
		return p.field()
	case tName:
		name := p.text
		p.scan()
		if p.tok == tLbracket {
			return p.subscripts(p.use(name, Array))
		}
		return p.use(name, Scalar)
	}
	return nil
}

// field parses $ and its operand.
func (p *parser) field() Expr {
	p.enter()
	p.scan()
	f := new(Field)
	switch p.tok {
	case tIncr, tDecr:
		f.X = p.prefix()
	case tMinus, tPlus, tNot:
		f.X = p.unary()
	case tDollar:
		// In $$x++ it is $x that grows.
		x := p.field()
		if p.tok == tIncr || p.tok == tDecr {
			dec := p.tok == tDecr
			p.scan()
			x = &IncDec{X: x, Dec: dec}
		}
		f.X = x
	default:
		f.X = p.primary()
	}
	p.depth--
	return f
}

func (p *parser) prefix() Expr {
	dec := p.tok == tDecr
	p.scan()
	x := p.target()
	if x == nil && p.tok == tLparen {
		// ++(x)
		if g, ok := p.primary().(*Group); ok && isLvalue(g.X) {
			x = g.X
		}
	}
	if x == nil {
		p.unexpected()
	}
	p.assigned(x)
	return &IncDec{X: x, Dec: dec, Prefix: true}
}

func (p *parser) primary() Expr {
	pos := p.pos()
	switch p.tok {
	case tNumber:
		x := &Num{p.num}
		p.scan()
		return x
	case tString:
		x := &Str{p.text}
		p.scan()
		return x
	case tSlash, tDivAssign:
		x := &Regex{Src: p.regex(), Pos: pos}
		p.scan()
		return x
	case tDollar:
		return p.field()
	case tIncr, tDecr:
		return p.prefix()
	case tNot, tMinus, tPlus:
		return p.unary()
	case tLparen:
		p.enter()
		p.scan()
		p.newlines()
		x := p.inParens()
		if p.tok == tComma {
			l := &List{X: []Expr{x}}
			for p.tok == tComma {
				p.scan()
				p.newlines()
				l.X = append(l.X, p.inParens())
				if len(l.X) > maxArgs {
					p.fail("too many arguments")
				}
			}
			p.newlines()
			p.expect(tRparen)
			p.depth--
			p.lists++
			// Good only in front of "in", or as all arguments of print.
			if p.tok != tIn && !p.noGT {
				p.unexpected()
			}
			return l
		}
		p.newlines()
		p.expect(tRparen)
		p.depth--
		return &Group{x}
	case tGetline:
		p.scan()
		g := &Getline{Target: p.target(), Pos: pos}
		if p.tok == tLess {
			p.scan()
			g.From = '<'
			g.Src = p.fileOperand()
		}
		return g
	case tBuiltin:
		return p.builtin(pos)
	case tFuncName:
		name := p.text
		p.scan()
		c := &Call{Pos: pos, Args: p.args()}
		if p.params[name] != nil {
			p.failPos(pos, "attempt to use non-function `"+name+"' in function call")
		}
		c.Fn = p.funcRef(name)
		p.calls = append(p.calls, c)
		return c
	case tName:
		name := p.text
		p.scan()
		if p.tok == tLbracket {
			return p.subscripts(p.use(name, Array))
		}
		return p.use(name, Unknown)
	}
	p.unexpected()
	return nil
}

// fileOperand parses the file of a getline: an operand without operators of
// lower precedence than $ and ++.
func (p *parser) fileOperand() Expr {
	x := p.primary()
	if isLvalue(x) && (p.tok == tIncr || p.tok == tDecr) {
		dec := p.tok == tDecr
		p.scan()
		x = &IncDec{X: x, Dec: dec}
	}
	return x
}

// args parses a list of arguments in parentheses.
func (p *parser) args() []Expr {
	p.enter()
	p.expect(tLparen)
	p.newlines()
	var args []Expr
	for p.tok != tRparen {
		args = append(args, p.inParens())
		if len(args) > maxArgs {
			p.fail("too many arguments")
		}
		p.newlines()
		if p.tok != tComma {
			break
		}
		p.scan()
		p.newlines()
	}
	p.expect(tRparen)
	p.depth--
	return args
}

func (p *parser) builtin(pos Pos) Expr {
	c := &BuiltinCall{Fn: p.fn, Pos: pos}
	p.scan()
	if c.Fn == FnLength && p.tok != tLparen {
		return c
	}
	c.Args = p.args()
	b := &builtins[c.Fn]
	if n := len(c.Args); n < b.min || n > b.max {
		p.failAt(pos.Line(), "wrong number of arguments of `"+b.name+"'")
	}
	array := func(i int) {
		if i >= len(c.Args) {
			return
		}
		switch x := c.Args[i].(type) {
		case *Var:
			p.mark(x.Sym, Array)
		case *Index:
		default:
			p.failAt(pos.Line(), b.name+": argument "+string(rune('1'+i))+" is not an array")
		}
	}
	switch c.Fn {
	case FnSplit, FnPatsplit:
		array(1)
		array(3)
	case FnMatch:
		array(2)
	case FnAsort, FnAsorti:
		array(0)
		array(1)
		if len(c.Args) > 1 {
			if _, ok := c.Args[1].(*Var); !ok {
				p.failAt(pos.Line(), b.name+": argument 2 is not an array")
			}
		}
	}
	return c
}
