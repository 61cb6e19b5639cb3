// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

type token uint8

const (
	tEOF token = iota
	tNewline
	tLbrace
	tRbrace
	tLparen
	tRparen
	tLbracket
	tRbracket
	tSemi
	tComma
	tPlus
	tMinus
	tStar
	tSlash
	tPercent
	tCaret
	tNot
	tGreater
	tLess
	tPipe
	tPipeAmp
	tQuestion
	tColon
	tTilde
	tNoMatch
	tDollar
	tAssign
	tAddAssign
	tSubAssign
	tMulAssign
	tDivAssign
	tModAssign
	tPowAssign
	tEq
	tNe
	tLe
	tGe
	tAnd
	tOr
	tIncr
	tDecr
	tAppend
	tNumber
	tString
	tName     // a variable
	tFuncName // a name with ( right behind it
	tBuiltin

	tBegin
	tEnd
	tBeginFile
	tEndFile
	tBreak
	tCase
	tContinue
	tDefault
	tDelete
	tDo
	tElse
	tExit
	tFor
	tFunction
	tGetline
	tIf
	tIn
	tNext
	tNextFile
	tPrint
	tPrintf
	tReturn
	tSwitch
	tWhile
)

// keyword returns the token of a reserved word, or tEOF.
func keyword(s string) token {
	switch s {
	case "BEGIN":
		return tBegin
	case "END":
		return tEnd
	case "BEGINFILE":
		return tBeginFile
	case "ENDFILE":
		return tEndFile
	case "break":
		return tBreak
	case "case":
		return tCase
	case "continue":
		return tContinue
	case "default":
		return tDefault
	case "delete":
		return tDelete
	case "do":
		return tDo
	case "else":
		return tElse
	case "exit":
		return tExit
	case "for":
		return tFor
	case "function", "func":
		return tFunction
	case "getline":
		return tGetline
	case "if":
		return tIf
	case "in":
		return tIn
	case "next":
		return tNext
	case "nextfile":
		return tNextFile
	case "print":
		return tPrint
	case "printf":
		return tPrintf
	case "return":
		return tReturn
	case "switch":
		return tSwitch
	case "while":
		return tWhile
	}
	return tEOF
}

// Func is a built-in function.
type Func uint8

// Built-in functions.
const (
	FnNone Func = iota
	FnAnd
	FnAsort
	FnAsorti
	FnAtan2
	FnClose
	FnCompl
	FnCos
	FnExp
	FnFflush
	FnGensub
	FnGsub
	FnIndex
	FnInt
	FnIsarray
	FnLength
	FnLog
	FnLshift
	FnMatch
	FnMktime
	FnOr
	FnPatsplit
	FnRand
	FnRshift
	FnSin
	FnSplit
	FnSprintf
	FnSqrt
	FnSrand
	FnStrftime
	FnStrtonum
	FnSub
	FnSubstr
	FnSystem
	FnSystime
	FnTolower
	FnToupper
	FnTypeof
	FnXor
)

// builtins has the names and the least and the most arguments.
var builtins = [...]struct {
	name     string
	min, max int
}{
	FnAnd: {"and", 2, maxArgs}, FnAsort: {"asort", 1, 3}, FnAsorti: {"asorti", 1, 3}, FnAtan2: {"atan2", 2, 2},
	FnClose: {"close", 1, 2}, FnCompl: {"compl", 1, 1}, FnCos: {"cos", 1, 1}, FnExp: {"exp", 1, 1},
	FnFflush: {"fflush", 0, 1}, FnGensub: {"gensub", 3, 4}, FnGsub: {"gsub", 2, 3}, FnIndex: {"index", 2, 2},
	FnInt: {"int", 1, 1}, FnIsarray: {"isarray", 1, 1}, FnLength: {"length", 0, 1}, FnLog: {"log", 1, 1},
	FnLshift: {"lshift", 2, 2}, FnMatch: {"match", 2, 3}, FnMktime: {"mktime", 1, 2}, FnOr: {"or", 2, maxArgs},
	FnPatsplit: {"patsplit", 2, 4}, FnRand: {"rand", 0, 0}, FnRshift: {"rshift", 2, 2}, FnSin: {"sin", 1, 1},
	FnSplit: {"split", 2, 4}, FnSprintf: {"sprintf", 1, maxArgs}, FnSqrt: {"sqrt", 1, 1}, FnSrand: {"srand", 0, 1},
	FnStrftime: {"strftime", 0, 3}, FnStrtonum: {"strtonum", 1, 1}, FnSub: {"sub", 2, 3}, FnSubstr: {"substr", 2, 3},
	FnSystem: {"system", 1, 1}, FnSystime: {"systime", 0, 0}, FnTolower: {"tolower", 1, 1}, FnToupper: {"toupper", 1, 1},
	FnTypeof: {"typeof", 1, 1}, FnXor: {"xor", 2, maxArgs},
}

func builtin(s string) Func {
	for i := range builtins {
		if builtins[i].name == s && s != "" {
			return Func(i)
		}
	}
	return FnNone
}

// String returns the function's name.
func (f Func) String() string { return builtins[f].name }
