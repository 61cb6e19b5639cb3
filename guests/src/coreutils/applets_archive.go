// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/wsandbox/wsandbox/guests/src/cmd/archive"

// archiveApplets are the commands that pack files.
var archiveApplets = []applet{
	{"gunzip", archive.Gunzip},
	{"gzip", archive.Gzip},
	{"tar", archive.Tar},
	{"zcat", archive.Zcat},
}
