// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package filemode reads and prints file modes as chmod and ls do.
//
// POSIX: XCU chmod, EXTENDED DESCRIPTION.
package filemode
