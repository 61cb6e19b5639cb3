// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package sed holds sed.
//
// A script is parsed to a list of commands whose jumps are indices into it. The
// pattern space is a slice of the input buffer as long as no command changes
// it.
//
// POSIX: XCU sed. GNU: sed 4.9.
package sed
