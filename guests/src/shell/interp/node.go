// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/guests/src/shell/arith"
	"github.com/wsandbox/wsandbox/guests/src/shell/source"
)

// node is a compiled command.
type node interface {
	// exec runs the command and returns its status, which it also stores in
	// $?. Where sh.ctl is set afterwards, the commands around it end too.
	exec(sh *Shell) int
}

// unit is a compiled text.
type unit struct {
	list  []stmt
	after *syntaxError // ends the text behind list
	src   string       // with aliases expanded
	text  string       // as it was given
	edits []source.Edit
}

// rest returns what follows the line of the i-th command in the given text,
// and how many lines come before it.
func (u *unit) rest(i int) (string, int32) {
	off := source.Original(u.edits, u.list[i].off)
	if off < 0 || off > len(u.text) {
		return "", 0
	}
	nl := strings.IndexByte(u.text[off:], '\n')
	if nl < 0 {
		return "", 0
	}
	off += nl + 1
	return u.text[off:], int32(strings.Count(u.text[:off], "\n"))
}

// stmt is a complete command of a unit.
type stmt struct {
	n         node
	line, end int32 // lines it covers
	off       int   // offset behind it in the text
}

type syntaxError struct {
	line int32
	at   int32 // where the construct begins
	msg  string
	eof  bool // more text could complete the command
}

type (
	seqNode struct{ list []node }

	// simpleCmd is a command with words.
	simpleCmd struct {
		line    int32
		assigns []*assign
		words   []*word
		redirs  []*redir
		name    string // where it is constant
		id      sym
		bi      *builtin
		decl    *declArgs // for declare and its kin
		pure    bool      // expanding it changes nothing
		src     string
	}

	assignCmd struct {
		line    int32
		assigns []*assign
		redirs  []*redir
		src     string
	}

	testCmd struct {
		*simpleCmd
		op   testOp
		x, y *word
	}

	arithCmd struct {
		line int32
		x    *arithNode
		src  string
	}

	letCmd struct {
		line  int32
		words []*word
		src   string
	}

	andOrNode struct {
		or   bool
		x, y node
	}

	notNode struct{ x node }

	pipeNode struct {
		line   int32
		stages []node
		both   []bool // |&: stage i sends stderr too
		src    string
	}

	ifNode struct {
		cond, then, els node
	}

	whileNode struct {
		cond, body node
		until      bool
	}

	forNode struct {
		line  int32
		id    sym
		name  string
		words []*word
		args  bool // over "$@"
		sel   bool
		body  node
		src   string
	}

	cforNode struct {
		line             int32
		init, cond, post *arithNode
		body             node
	}

	caseNode struct {
		line  int32
		w     *word
		items []caseItem
		src   string
	}

	subshellNode struct {
		line int32
		body node
		src  string
	}

	redirNode struct {
		line   int32
		x      node
		redirs []*redir
	}

	bgNode struct {
		line int32
		x    node
		src  string
	}

	funcNode struct {
		line int32
		fn   *function
		bad  string
	}

	condNode struct {
		line int32
		x    *condExpr
		src  string
	}

	timeNode struct {
		posix bool
		x     node
	}

	coprocNode struct {
		line int32
		name string
		x    node
		src  string
	}

	// errorNode reports a construct that cannot run.
	errorNode struct {
		line int32
		msg  string
	}
)

type caseItem struct {
	pats []*word
	body node
	next caseNext
}

type caseNext uint8

const (
	caseBreak caseNext = iota
	caseFall
	caseResume
)

// assign is an assignment.
type assign struct {
	id     sym
	name   string
	append bool
	sub    *subscript
	val    *word
	arr    *arrayLit
}

type arrayLit struct{ elems []arrayElem }

type arrayElem struct {
	sub    *subscript
	append bool
	val    *word
}

// declArgs are the arguments of declare, export and so on, which may be
// assignments with arrays.
type declArgs struct{ args []declArg }

type declArg struct {
	asg *assign // name=value
	w   *word   // anything else
}

// arithNode is an arithmetic expression.
type arithNode struct {
	text   string
	expr   *arith.Expr // parsed; nil: expand and parse at run time
	params []paramRef
	dyn    *word // textual form
	err    error
}

// paramRef is a $ operand of an arithmetic expression.
type paramRef struct {
	id      sym  // variable
	special byte // else this special parameter
	pos     int  // else this positional parameter
}
