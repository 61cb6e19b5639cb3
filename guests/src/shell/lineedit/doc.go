// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package lineedit edits a line of text at a terminal with the keys of Emacs.
//
// It is pure: the bytes that come from the terminal go in one by one, the bytes
// that go to the terminal come out, and nothing waits.
//
//	out := e.Start("$ ", "", 80)
//	out, ev := e.Type(b) // until ev is not None
//
// The terminal must pass bytes unchanged to the program, without echo, and move
// to the start of a line at a newline (ONLCR). Control sequences are those of
// ECMA-48 that every terminal since the VT100 has.
//
//	keys.go    bytes to commands     screen.go  layout, and what changed of it
//	edit.go    commands              search.go  incremental search
//	history.go lines before          complete.go completion
package lineedit
