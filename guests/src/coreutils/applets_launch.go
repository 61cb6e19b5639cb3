// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/wsandbox/wsandbox/guests/src/cmd/launch"

// launchApplets are the commands that build command lines for others.
var launchApplets = []applet{{"xargs", launch.Xargs}}
