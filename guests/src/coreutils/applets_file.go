// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

// fileApplets are the commands on files and directories.
var fileApplets = []applet{}
