// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/wsandbox/wsandbox/guests/src/cmd/patch"

// patchApplets are the commands that change files as diffs say.
var patchApplets = []applet{{"patch", patch.Patch}}
