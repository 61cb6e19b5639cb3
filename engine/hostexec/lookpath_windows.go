// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"os"
	"path/filepath"
	"strings"
)

func plainName(name string) bool {
	return strings.Trim(name, ". ") != "" && !strings.ContainsAny(name, `/\:*?"<>|`) && !strings.HasSuffix(name, ".") && !strings.HasSuffix(name, " ")
}

func candidates(file string) []string {
	if filepath.Ext(file) != "" {
		return []string{file, file + ".exe", file + ".com"}
	}
	return []string{file + ".exe", file + ".com", file + ".bat", file + ".cmd"}
}

func batchRefused(file string) bool { return isBatch(file) }

// mayExecute goes by the extension, as CreateProcess would run any file that
// holds a program, also a script-named one.
func mayExecute(file string, _ os.FileInfo) bool {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".exe", ".com":
		return true
	}
	return false
}
