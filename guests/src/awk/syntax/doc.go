// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package syntax parses awk programs into a tree whose names are resolved: each
// variable has a slot, each function a number, and what is an array is known
// before the program runs.
//
// POSIX: XCU awk, Grammar and Lexical Conventions, with the extensions of GNU
// awk 5.2 that programs use: switch, BEGINFILE and ENDFILE, nextfile, **, |&,
// arrays of arrays, @f() calls excepted.
package syntax
