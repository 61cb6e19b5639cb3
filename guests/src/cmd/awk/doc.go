// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package awk holds awk: its command line, over package interp.
//
// POSIX: XCU awk. GNU: gawk 5.2.
package awk
