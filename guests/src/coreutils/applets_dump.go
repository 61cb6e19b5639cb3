// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/wsandbox/wsandbox/guests/src/cmd/dump"
	"github.com/wsandbox/wsandbox/guests/src/cmd/filetype"
)

// dumpApplets are the commands that show or tell what bytes are.
var dumpApplets = []applet{
	{"file", filetype.File},
	{"od", dump.Od},
}
