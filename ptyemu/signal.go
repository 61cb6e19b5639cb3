// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu

// Signal is what a terminal tells the processes that it controls.
type Signal uint8

// Signals of a terminal.
const (
	Interrupt    Signal = iota + 1 // SIGINT to the foreground group
	Quit                           // SIGQUIT to the foreground group
	Suspend                        // SIGTSTP to the foreground group
	WindowChange                   // SIGWINCH to the foreground group
	HangUp                         // SIGHUP and SIGCONT to the session's leader
)
