// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/wsandbox/wsandbox/guests/src/cmd/fields"

// fieldsApplets are the commands on fields and characters.
var fieldsApplets = []applet{
	{"column", fields.Column},
	{"cut", fields.Cut},
	{"paste", fields.Paste},
	{"tr", fields.Tr},
}
