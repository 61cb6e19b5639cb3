// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/wsandbox/wsandbox/guests/src/shell/interp"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

func main() { wsys.Exit(interp.Main(wsys.Args())) }
