// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// compareObjectHandles is missing before Windows 10.
var compareObjectHandles = windows.NewLazySystemDLL("kernelbase.dll").NewProc("CompareObjectHandles")

// sameFile asks for the object behind the handles where that is no file of a
// disk: Windows tells nothing else of pipes that would differ.
func sameFile(a, b *os.File) bool {
	ha, hb := windows.Handle(a.Fd()), windows.Handle(b.Fd())
	ta, err := windows.GetFileType(ha)
	if err != nil {
		return false
	}
	tb, err := windows.GetFileType(hb)
	if err != nil || ta != tb {
		return false
	}
	if ta == windows.FILE_TYPE_DISK {
		return sameStat(a, b)
	}
	var mode uint32
	if windows.GetConsoleMode(ha, &mode) == nil && windows.GetConsoleMode(hb, &mode) == nil {
		return true // a process has one console
	}
	if compareObjectHandles.Find() != nil {
		return false
	}
	same, _, _ := compareObjectHandles.Call(uintptr(ha), uintptr(hb))
	return same != 0
}

// isBrokenPipe reports whether err says that nobody reads any more.
func isBrokenPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}
