// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// runVersion is "wsandbox version".
func runVersion(args []string, std stdio) int {
	if len(args) > 0 {
		return fail(std, fmt.Errorf("version takes no arguments, got %q", args))
	}
	version := "(devel)"
	wazero := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			version = info.Main.Version
		}
		for _, d := range info.Deps {
			if d.Path == "github.com/tetratelabs/wazero" {
				wazero = ", wazero " + d.Version
			}
		}
	}
	return say(std, fmt.Sprintf("wsandbox %s (%s %s/%s%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH, wazero))
}
