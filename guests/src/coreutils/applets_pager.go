// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/wsandbox/wsandbox/guests/src/cmd/pager"

// pagerApplets are the commands that show text a screen at a time.
var pagerApplets = []applet{
	{"less", pager.Less},
	{"more", pager.More},
}
