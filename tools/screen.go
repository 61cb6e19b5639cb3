// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

// Winsize is the size of a terminal in characters.
type Winsize struct{ Rows, Cols uint16 }

// Screen emulates the terminal of one session. Its methods are called one at a
// time. Whatever a program writes, none of them panics or blocks, and their
// memory is bounded.
type Screen interface {
	// Write takes the next output of the session. It does not keep p, and
	// returns len(p), nil.
	Write(p []byte) (int, error)
	// Resize sets the size.
	Resize(size Winsize)
	// Text returns what the screen shows: a line for each row, without
	// blanks at the ends of lines and without empty lines at the end.
	Text() string
	// Cursor returns the cursor's position, from 0.
	Cursor() (row, col int)
}

// CleanScreen is a [Screen] that gives the output as plain text, too.
type CleanScreen interface {
	Screen
	// Take returns, as plain text without control sequences, the output
	// written since the last Take: lines that scrolled off or are final,
	// and, where last is set, the rest.
	Take(last bool) string
}
