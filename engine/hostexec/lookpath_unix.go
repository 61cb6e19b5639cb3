// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package hostexec

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

func plainName(name string) bool {
	return name != "." && name != ".." && strings.IndexByte(name, '/') < 0
}

func candidates(file string) []string { return []string{file} }

func batchRefused(string) bool { return false }

func mayExecute(file string, info os.FileInfo) bool {
	return info.Mode().Perm()&0o111 != 0 && unix.Access(file, unix.X_OK) == nil
}
