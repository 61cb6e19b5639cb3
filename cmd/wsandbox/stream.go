// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"
)

// sameStream reports whether a and b are one file, such as one terminal.
func sameStream(a, b io.Writer) bool {
	fa, ok := a.(*os.File)
	if !ok {
		return a == b
	}
	fb, ok := b.(*os.File)
	return ok && (fa == fb || sameFile(fa, fb))
}

// sameStat reports whether a and b are one file by what the operating system
// tells of them.
func sameStat(a, b *os.File) bool {
	sa, err := a.Stat()
	if err != nil {
		return false
	}
	sb, err := b.Stat()
	return err == nil && os.SameFile(sa, sb)
}
