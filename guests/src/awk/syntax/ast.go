// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import "strconv"

// Pos is a place in a program: the number of the source in the top bits and the
// line below.
type Pos uint32

const (
	lineBits = 24
	maxLine  = 1<<lineBits - 1
)

// Line returns the line, from 1 on.
func (p Pos) Line() int { return int(p & maxLine) }

// Source is a text that is part of a program. Name is empty for text from the
// command line.
type Source struct{ Name, Text string }

// Program is a parsed program.
type Program struct {
	Sources   []Source
	Begin     []*Rule // in order; as are the others
	Rules     []*Rule
	End       []*Rule
	BeginFile []*Rule
	EndFile   []*Rule
	Funcs     []*Function

	Scalars  []*Symbol // global variables by index
	Arrays   []*Symbol // global arrays by index
	Warnings []string  // without the name of the program
	Uses     [NumSpecials]bool
}

// Where returns the place in words, "cmd. line:3" or "file:3".
func (p *Program) Where(pos Pos) string {
	name := "cmd. line"
	if i := int(pos >> lineBits); i < len(p.Sources) && p.Sources[i].Name != "" {
		name = p.Sources[i].Name
	}
	return name + ":" + strconv.Itoa(pos.Line())
}

// Rule is a pattern with its action.
type Rule struct {
	Pos      Pos
	Pattern  Expr // nil: always
	Pattern2 Expr // end of a range, or nil
	Body     []Stmt
	Print    bool // there is no action: print the record
}

// Function is a user-defined function.
type Function struct {
	Pos     Pos
	Name    string
	Params  []*Symbol
	Scalars int // local scalars; parameters among them
	Arrays  int // local arrays; parameters among them
	Body    []Stmt
	Index   int
	defined bool
}

// Kind is what a name stands for.
type Kind uint8

// Kinds. Unknown ones are scalars once the program has been parsed.
const (
	Unknown Kind = iota
	Scalar
	Array
)

// Special is a variable with a meaning of its own.
type Special uint8

// Special variables. Those up to NumSpecials are not among the scalars of the
// program.
const (
	NotSpecial Special = iota
	NF
	NR
	FNR
	FS
	OFS
	ORS
	RS
	SUBSEP
	CONVFMT
	OFMT
	RSTART
	RLENGTH
	FILENAME
	RT
	IGNORECASE
	FPAT
	FIELDWIDTHS
	ERRNO
	ARGIND
	ARGC
	NumSpecials
)

var specialNames = [...]string{NF: "NF", NR: "NR", FNR: "FNR", FS: "FS", OFS: "OFS", ORS: "ORS", RS: "RS", SUBSEP: "SUBSEP", CONVFMT: "CONVFMT",
	OFMT: "OFMT", RSTART: "RSTART", RLENGTH: "RLENGTH", FILENAME: "FILENAME", RT: "RT", IGNORECASE: "IGNORECASE", FPAT: "FPAT",
	FIELDWIDTHS: "FIELDWIDTHS", ERRNO: "ERRNO", ARGIND: "ARGIND", ARGC: "ARGC"}

// SpecialByName returns the special variable of that name, or NotSpecial.
func SpecialByName(s string) Special {
	for i, n := range specialNames {
		if n == s && s != "" {
			return Special(i)
		}
	}
	return NotSpecial
}

// Symbol is a variable, an array or a parameter.
type Symbol struct {
	Name    string
	Kind    Kind
	Special Special
	Index   int // among the scalars or arrays, of the program or of its function
	Local   bool
	pos     Pos
}

// Expr is an expression.
type Expr interface{}

// Expressions.
type (
	Num   struct{ Val float64 }
	Str   struct{ Val string }
	Regex struct { // matched against the record unless used as a regular expression
		Src string
		Pos Pos
	}
	Var   struct{ Sym *Symbol }
	Index struct { // of an array
		Array Expr // *Var or *Index
		Keys  []Expr
	}
	Field  struct{ X Expr }
	Assign struct { // Op is '=', or that of an assignment with an operation
		Op   byte
		L, R Expr
		Pos  Pos
	}
	Cond  struct{ If, Then, Else Expr }
	Logic struct { // And or Or
		Or   bool
		L, R Expr
	}
	Arith struct { // Op is one of + - * / % ^
		Op   byte
		L, R Expr
	}
	Compare struct { // Op is < l (<=) = ! (!=) > g (>=)
		Op   byte
		L, R Expr
	}
	Concat struct{ L, R Expr }
	Unary  struct { // Op is one of ! - +
		Op byte
		X  Expr
	}
	IncDec struct {
		X      Expr
		Dec    bool
		Prefix bool
	}
	Group struct{ X Expr }   // in parentheses
	List  struct{ X []Expr } // in parentheses, of several
	In    struct {
		Keys  []Expr
		Array Expr
	}
	Match struct {
		Not  bool
		L, R Expr
	}
	Call struct {
		Fn   *Function
		Args []Expr
		Pos  Pos
	}
	BuiltinCall struct {
		Fn   Func
		Args []Expr
		Pos  Pos
	}
	Getline struct {
		From   byte // 0: the main input, '<': a file, '|': a command, '&': a coprocess
		Src    Expr
		Target Expr // or nil
		Pos    Pos
	}
)

// Stmt is a statement.
type Stmt interface{}

// Statements.
type (
	ExprStmt struct {
		X   Expr
		Pos Pos
	}
	Print struct {
		Args   []Expr
		Format bool // printf
		Redir  byte // 0, '>', 'a' (append), '|' or '&'
		Dest   Expr
		Pos    Pos
	}
	If struct {
		Cond       Expr
		Then, Else []Stmt
		Pos        Pos
	}
	While struct {
		Cond Expr
		Body []Stmt
		Pos  Pos
	}
	Do struct {
		Body []Stmt
		Cond Expr
		Pos  Pos
	}
	For struct {
		Init Stmt
		Cond Expr
		Step Stmt
		Body []Stmt
		Pos  Pos
	}
	ForIn struct {
		Var   Expr
		Array Expr
		Body  []Stmt
		Pos   Pos
	}
	Block struct{ Body []Stmt }
	Next  struct{ File bool }
	Exit  struct {
		Status Expr
		Pos    Pos
	}
	Return struct {
		X   Expr
		Pos Pos
	}
	Break    struct{}
	Continue struct{}
	Delete   struct {
		Array Expr
		Keys  []Expr // nil: all of it
		Pos   Pos
	}
	Switch struct {
		X     Expr
		Cases []Case
		Pos   Pos
	}
)

// Case is one label of a switch with what follows it.
type Case struct {
	Label Expr // nil: default
	Body  []Stmt
}

// Error is a mistake in a program.
type Error struct {
	Name string // of the source, empty for the command line
	Line int
	Col  int // offset into the source, or -1
	Msg  string

	// Meant is set where the text is well formed but what it says cannot be.
	Meant bool

	src string
}

// maxShown is how much of a line is shown before and behind a mistake.
const maxShown = 200

// Error returns the message: the place, and where it is known the line with a
// mark below it.
func (e *Error) Error() string { return e.Text("") }

// Text returns the message with the name of the program, and ": ", in front of
// each of its lines.
func (e *Error) Text(program string) string {
	name := e.Name
	if name == "" {
		name = "cmd. line"
	}
	head := program + name + ":" + strconv.Itoa(e.Line) + ": "
	if e.Meant {
		head += "fatal: "
	}
	if e.Col < 0 || e.Col > len(e.src) {
		return head + e.Msg
	}
	at := e.Col
	if at > 0 && (at == len(e.src) || e.src[at] == '\n') && e.src[at-1] == '\n' && at == len(e.src) {
		at--
	}
	start, end := at, at
	for start > 0 && e.src[start-1] != '\n' {
		start--
	}
	for end < len(e.src) && e.src[end] != '\n' {
		end++
	}
	// Of a long line only what is around the mark.
	start, end = max(start, at-maxShown), min(end, at+maxShown)
	pad := make([]byte, 0, at-start)
	for _, c := range []byte(e.src[start:at]) {
		switch {
		case c == '\t':
			pad = append(pad, c)
		case c&0xc0 != 0x80:
			pad = append(pad, ' ')
		}
	}
	return head + e.src[start:end] + "\n" + head + string(pad) + "^ " + e.Msg
}
