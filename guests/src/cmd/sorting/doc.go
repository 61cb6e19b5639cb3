// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package sorting has the commands that order lines or rely on their order:
// sort, uniq, comm, join and tsort. Text is compared byte by byte, as in the C
// locale.
package sorting
