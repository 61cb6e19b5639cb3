// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/wsandbox/wsandbox/guests/src/cmd/compare"

// compareApplets are the commands that compare files.
var compareApplets = []applet{
	{"cmp", compare.Cmp},
	{"diff", compare.Diff},
}
