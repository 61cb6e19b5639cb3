// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/wsandbox/wsandbox/guests/src/cmd/terminal"

// terminalApplets are the commands on the terminal.
var terminalApplets = []applet{
	{"clear", terminal.Clear},
	{"reset", terminal.Reset},
	{"stty", terminal.Stty},
	{"tput", terminal.Tput},
}
