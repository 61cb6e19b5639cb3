// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package arith parses and evaluates the shell's arithmetic: 64-bit integers
// that wrap around, with C's operators, ** and number bases.
//
// A text is parsed once to an [Expr] and evaluated often against an [Env],
// which knows the variables.
//
// POSIX: XCU 2.6.4 Arithmetic Expansion.
package arith
