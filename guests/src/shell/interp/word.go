// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

type partKind uint8

const (
	pLit   partKind = iota // text
	pVar                   // $name
	pParam                 // any other parameter expansion
	pCmd                   // $(commands)
	pArith                 // $((expression))
	pProc                  // <(commands)
	pTilde                 // ~ or ~user in lit
	pBrace                 // a brace expansion
)

// part is a piece of a word.
type part struct {
	kind   partKind
	quoted bool
	meta   bool // pLit: unquoted and with characters special in patterns
	lit    string
	id     sym
	pe     *paramExp
	cmd    *cmdSubst
	ar     *arithNode
	br     *braceExp
}

type wordKind uint8

const (
	wGeneral wordKind = iota
	wLit              // the constant lit
	wVar              // $name alone, unquoted
	wQVar             // "$name" alone
)

// word is a compiled word.
type word struct {
	kind  wordKind
	meta  bool // wLit: pathname expansion applies
	lit   string
	id    sym
	parts []part
	brace bool
	src   string
}

// cmdSubst is a command substitution or the list of a process substitution.
type cmdSubst struct {
	body node
	src  string
	out  bool  // >( )
	file *word // $(<file)
	line int32
}

type subKind uint8

const (
	subExpr subKind = iota
	subAt
	subStar
)

// subscript is the text between the brackets of an array element.
type subscript struct {
	kind subKind
	text string
	ar   *arithNode // compiled on first use
	key  *word
	keyS string
	lit  bool // keyS is the key
}

type paramOp uint8

const (
	opNone      paramOp = iota
	opDefault           // - :-
	opAssign            // = :=
	opError             // ? :?
	opAlt               // + :+
	opRemPrefix         // # ##
	opRemSuffix         // % %%
	opReplace           // / // /# /%
	opSlice
	opCaseUp   // ^ ^^
	opCaseDown // , ,,
	opCaseTog  // ~ ~~
	opTransform
	opBad
)

// paramExp is a parameter expansion.
type paramExp struct {
	name     string
	id       sym  // of a variable
	special  byte // @ * # ? - $ ! or 0
	pos      int  // positional; -1: none
	sub      *subscript
	length   bool
	indirect bool
	names    byte // ${!prefix*}, ${!prefix@}
	keys     bool // ${!name[@]}
	op       paramOp
	colon    bool // with the colon: also when null
	long     bool // doubled operator
	anchor   byte // opReplace: '#' or '%'
	word     *word
	repl     *word
	off, ln  *arithNode
	transf   byte
	src      string
	line     int32
}
