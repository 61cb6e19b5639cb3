// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"strings"
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// checkWindowsName refuses the names of which Windows would make something other
// than a file of that name: devices, streams, separators, drives, wildcards,
// and what it strips from the end. It returns EINVAL, or EILSEQ for what is not
// UTF-8. The name has passed checkName.
//
// It is compiled everywhere so that its tests run everywhere.
func checkWindowsName(name string) error {
	if name == "." {
		return nil
	}
	if !utf8.ValidString(name) {
		return abi.EILSEQ
	}
	for c := range strings.SplitSeq(name, "/") {
		if !windowsComponent(c) {
			return abi.EINVAL
		}
	}
	return nil
}

func windowsComponent(c string) bool {
	for i := 0; i < len(c); i++ {
		// ':' begins the name of a stream or ends that of a drive; '\' is a
		// separator; '<', '>' and '"' are wildcards of the kernel.
		if c[i] < 0x20 || strings.IndexByte(`<>:"|?*\`, c[i]) >= 0 {
			return false
		}
	}
	if last := c[len(c)-1]; last == '.' || last == ' ' {
		return false
	}
	return !windowsDevice(c)
}

// windowsDevice reports whether c names a device. The name counts up to the
// first dot, without blanks at its end, in any case. The superscript digits one
// to three count as digits.
func windowsDevice(c string) bool {
	base, _, _ := strings.Cut(c, ".")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	}
	if rest, ok := strings.CutPrefix(base, "COM"); ok {
		return windowsPort(rest)
	}
	if rest, ok := strings.CutPrefix(base, "LPT"); ok {
		return windowsPort(rest)
	}
	return false
}

func windowsPort(s string) bool {
	switch s {
	case "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "\u00b9", "\u00b2", "\u00b3":
		return true
	}
	return false
}

// windowsShortName reports whether the component c looks like one of the names
// of eight and three characters that Windows gives to files with longer ones,
// such as GIT~1. A file reached by one would get past rules about its name.
func windowsShortName(c string) bool {
	base, ext, _ := strings.Cut(c, ".")
	i := strings.LastIndexByte(base, '~')
	if i < 0 || len(base) > 8 || len(ext) > 3 || strings.Contains(ext, ".") || i+1 == len(base) {
		return false
	}
	for _, d := range base[i+1:] {
		if d < '0' || d > '9' {
			return false
		}
	}
	return true
}

// checkWindowsTarget refuses targets of symbolic links that Windows would take
// for a drive, a stream or another machine. Making such a link would also turn
// the drive's current directory, a path of the host, into a part of it.
func checkWindowsTarget(target string) error {
	if !utf8.ValidString(target) {
		return abi.EILSEQ
	}
	if strings.HasPrefix(target, "//") || strings.ContainsAny(target, `:\`) {
		return abi.EINVAL
	}
	for i := 0; i < len(target); i++ {
		if target[i] < 0x20 {
			return abi.EINVAL
		}
	}
	return nil
}
