// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/wsandbox/wsandbox/guests/src/cmd/expr"
	"github.com/wsandbox/wsandbox/guests/src/cmd/grep"
	"github.com/wsandbox/wsandbox/guests/src/cmd/sed"
)

// regexApplets are the commands on regular expressions.
var regexApplets = []applet{
	{"egrep", grep.Egrep},
	{"expr", expr.Expr},
	{"fgrep", grep.Fgrep},
	{"grep", grep.Grep},
	{"sed", sed.Sed},
}
