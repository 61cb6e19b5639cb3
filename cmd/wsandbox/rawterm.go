// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"

	"golang.org/x/term"

	"github.com/wsandbox/wsandbox/wasishell"
)

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// terminalSize returns the size of the terminal f.
func terminalSize(f *os.File) (wasishell.Winsize, bool) {
	cols, rows, err := term.GetSize(int(f.Fd()))
	if err != nil || cols <= 0 || rows <= 0 || cols > 1<<15 || rows > 1<<15 {
		return wasishell.Winsize{}, false
	}
	return wasishell.Winsize{Rows: uint16(rows), Cols: uint16(cols)}, true
}
