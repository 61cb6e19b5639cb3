// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/wsandbox/wsandbox/guests/src/cmd/textio"

// textioApplets are the commands that pass text through.
var textioApplets = []applet{
	{"cat", textio.Cat},
	{"echo", textio.Echo},
	{"expand", textio.Expand},
	{"fold", textio.Fold},
	{"head", textio.Head},
	{"nl", textio.Nl},
	{"rev", textio.Rev},
	{"seq", textio.Seq},
	{"split", textio.Split},
	{"tac", textio.Tac},
	{"tail", textio.Tail},
	{"tee", textio.Tee},
	{"unexpand", textio.Unexpand},
	{"wc", textio.Wc},
	{"yes", textio.Yes},
}
