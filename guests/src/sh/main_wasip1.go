// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/wsandbox/wsandbox/guests/src/shell/interp"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

func main() {}

//go:wasmexport wsandbox_main
func wsandboxMain() int32 { return int32(interp.Main(wsys.Args())) }

//go:wasmexport wsandbox_warm
func wsandboxWarm() { interp.Warm() }
