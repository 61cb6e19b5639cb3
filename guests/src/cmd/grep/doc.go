// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package grep holds grep, egrep and fgrep.
//
// Input is searched a buffer of whole lines at a time, not line by line: the
// bounds of a line are looked for only around a match.
//
// POSIX: XCU grep. GNU: grep 3.8.
package grep
