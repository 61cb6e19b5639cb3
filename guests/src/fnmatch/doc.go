// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package fnmatch matches names against the wildcard patterns of the shell.
//
// POSIX: XCU 2.14 Pattern Matching Notation, fnmatch().
package fnmatch
