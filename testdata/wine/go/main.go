// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Command go stands in for the go command under Wine, where tests build guests
// with it: "go build … -o OUT PACKAGE" copies the guest that .ci/wine has built
// on the host. WINE_ROOT is the source tree and WINE_GUESTS the directory with
// the guests, each named by the path of its package with "-" for "/".
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "go:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	o := slices.Index(args, "-o")
	if len(args) == 0 || args[0] != "build" || o < 0 || o+2 >= len(args) {
		return fmt.Errorf("only \"go build -o OUT PACKAGE\" works under Wine, not %q", args)
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(os.Getenv("WINE_ROOT"), filepath.Join(dir, args[len(args)-1]))
	if err != nil {
		return err
	}
	name := strings.ReplaceAll(filepath.ToSlash(rel), "/", "-") + ".wasm"
	b, err := os.ReadFile(filepath.Join(os.Getenv("WINE_GUESTS"), name))
	if err != nil {
		return err
	}
	return os.WriteFile(args[o+1], b, 0o644)
}
