// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package pattern matches shell patterns: ?, *, bracket expressions and the
// extended forms ?( *( +( @( !(.
//
// A pattern is text in which a backslash makes the next character literal; the
// shell writes its quoting in that form. Every operation takes time polynomial
// in the lengths of pattern and text, so that no pattern can hang the shell.
//
// POSIX: XCU 2.14 Pattern Matching Notation.
package pattern
