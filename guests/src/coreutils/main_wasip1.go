// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

func main() {}

// wsandboxMain runs one command; the process has been restored from the snapshot
// just before.
//
//go:wasmexport wsandbox_main
func wsandboxMain() int32 { return int32(run(wsys.Args())) }

// wsandboxWarm runs once, before the snapshot is taken: it touches what every
// command needs first, so that the allocator's first spans are in the snapshot.
//
//go:wasmexport wsandbox_warm
func wsandboxWarm() { warm() }
