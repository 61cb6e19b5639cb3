// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// checkName refuses names that break the contract of [vfs.FS]. The namespace
// never passes one, so that this is the second line of defence.
func checkName(name string) error {
	if name == "." {
		return nil
	}
	start := 0
	for i := 0; i <= len(name); i++ {
		if i < len(name) {
			switch name[i] {
			case 0:
				return abi.EINVAL
			case '/':
			default:
				continue
			}
		}
		switch n := i - start; {
		case n == 0, n == 1 && name[start] == '.', n == 2 && name[start] == '.' && name[start+1] == '.':
			return abi.EINVAL
		case n > 255:
			return abi.ENAMETOOLONG
		}
		start = i + 1
	}
	return nil
}

// splitName cuts name into its directory, "." for the root, and its last
// component.
func splitName(name string) (dir, base string) {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return ".", name
}
