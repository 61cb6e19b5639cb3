// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package expr holds expr, with integers of any size.
//
// POSIX: XCU expr. GNU: coreutils 9.1.
package expr
