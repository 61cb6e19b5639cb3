// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"os"
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
	if p.Done {
		fmt.Fprintf(w, "\r\033[Kwsandbox: compiled %s in %v\n", p.Name, p.Elapsed.Round(100*time.Millisecond))
		return
	}
	fmt.Fprintf(w, "\r\033[Kwsandbox: compiling %s, %v (first use only)", p.Name, p.Elapsed.Round(100*time.Millisecond))
}

// isTerminal reports whether w is a character device, which is enough to decide
// whether a person may be reading.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&(os.ModeDevice|os.ModeCharDevice) == os.ModeDevice|os.ModeCharDevice
}
