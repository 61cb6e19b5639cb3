// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Command paths prints each file named, or that it is not there.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

func main() {
	for _, name := range os.Args[1:] {
		b, err := os.ReadFile(name)
		switch {
		case err == nil:
			fmt.Printf("%s: %s\n", name, b)
		case errors.Is(err, fs.ErrNotExist):
			fmt.Printf("%s: No such file or directory\n", name)
		default:
			fmt.Println(err)
		}
	}
}
