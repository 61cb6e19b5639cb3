// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/wsandbox/wsandbox/wasishell"
)

// newRuntime loads the guests; on a terminal a long first compile is reported.
func newRuntime(ctx context.Context, o *options, std stdio) (*wasishell.Runtime, error) {
	cfg := wasishell.RuntimeConfig{CacheDir: o.cacheDir}
	if isTerminal(std.err) {
		cfg.Progress = func(p wasishell.Progress) { printProgress(std.err, p) }
	}
	return wasishell.NewRuntime(ctx, cfg)
}

func printProgress(w io.Writer, p wasishell.Progress) {
	elapsed := p.Elapsed.Round(100 * time.Millisecond)
	text, end := fmt.Sprintf("wsandbox: compiling %s, %v (first use only)", p.Name, elapsed), ""
	if p.Done {
		text, end = fmt.Sprintf("wsandbox: compiled %s in %v", p.Name, elapsed), "\n"
	}
	// Blanks, as not every console of Windows knows how to clear a line.
	fmt.Fprintf(w, "\r%-60s%s", text, end)
}
