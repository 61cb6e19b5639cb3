// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package condition

import (
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/testexpr"
)

var bracketSyntax = cmdkit.Syntax{
	Usage: []string{"EXPRESSION ]", "]", "OPTION"},
	Help: `Exit with 0 where EXPRESSION is true, 1 where it is false or missing.

  ( EXPR )  ! EXPR  EXPR1 -a EXPR2  EXPR1 -o EXPR2
  -n STRING  STRING  -z STRING  STRING1 = STRING2  STRING1 != STRING2
  INT1 -eq INT2, -ne, -gt, -ge, -lt, -le; -l STRING is its length
  FILE1 -ef FILE2  FILE1 -nt FILE2  FILE1 -ot FILE2
  -b -c -d -e -f -g -G -h -k -L -N -O -p -r -s -S -u -w -x FILE
  -t FD
`,
}

// Test evaluates an expression.
func Test(p *cmdkit.Proc) int { return eval(p, p.Args) }

// Bracket is test under its name "[", which ends in "]".
func Bracket(p *cmdkit.Proc) int {
	if p.HelpOnly(&bracketSyntax) {
		return 0
	}
	n := len(p.Args) - 1
	if n < 0 || p.Args[n] != "]" {
		p.Warn("missing ", cmdkit.Quote("]"))
		return 2
	}
	return eval(p, p.Args[:n])
}

func eval(p *cmdkit.Proc, args []string) int {
	ok, err := testexpr.Eval(args, nil)
	switch {
	case err != nil:
		p.Warn(err.Error())
		return 2
	case ok:
		return 0
	}
	return 1
}
