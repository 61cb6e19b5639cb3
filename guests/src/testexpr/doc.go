// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package testexpr evaluates the expressions of test and [, for the command and
// for the shell.
//
// POSIX: XCU test.
package testexpr
