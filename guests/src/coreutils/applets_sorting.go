// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/wsandbox/wsandbox/guests/src/cmd/sorting"

// sortingApplets are the commands that order lines or rely on their order.
var sortingApplets = []applet{
	{"comm", sorting.Comm},
	{"join", sorting.Join},
	{"shuf", sorting.Shuf},
	{"sort", sorting.Sort},
	{"tsort", sorting.Tsort},
	{"uniq", sorting.Uniq},
}
