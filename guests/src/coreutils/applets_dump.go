// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/wsandbox/wsandbox/guests/src/cmd/dump"

// dumpApplets are the commands that show bytes.
var dumpApplets = []applet{{"od", dump.Od}}
