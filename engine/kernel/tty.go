// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "github.com/wsandbox/wsandbox/engine/vfs"

// Winsize is the size of a terminal.
//
// POSIX: struct winsize.
type Winsize struct{ Rows, Cols, Xpixel, Ypixel uint16 }

// Terminal is a terminal's replica end: what descriptors 0, 1 and 2 of an
// interactive process are. A file that implements it is a terminal to the
// kernel, which adds job control: the controlling session, the foreground group
// and SIGTTIN and SIGTTOU. The terminal raises its own signals with
// [Session.SignalForeground] through the hook given to Attach.
type Terminal interface {
	vfs.Stream
	// Getattr fills b with the encoded attributes: EINVAL for a short b.
	Getattr(b []byte) error
	// Setattr sets the attributes (when is 0 now, 1 drain, 2 flush):
	// EINVAL.
	Setattr(when int, b []byte) error
	// Winsize returns the size.
	Winsize() Winsize
	// SetWinsize sets the size; the kernel sends SIGWINCH where it changed.
	SetWinsize(ws Winsize)
	// Tostop reports whether output of a background group raises SIGTTOU.
	Tostop() bool
	// Attach tells the terminal the session it controls, nil for none.
	Attach(s *Session)
}
