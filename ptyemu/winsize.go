// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu

// Winsize is the size of a terminal in characters and in pixels.
//
// POSIX: struct winsize.
type Winsize struct{ Rows, Cols, Xpixel, Ypixel uint16 }
