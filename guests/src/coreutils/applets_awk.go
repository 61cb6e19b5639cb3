// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/wsandbox/wsandbox/guests/src/cmd/awk"

// awkApplets are the names of awk.
var awkApplets = []applet{
	{"awk", awk.Awk},
	{"gawk", awk.Awk},
}
