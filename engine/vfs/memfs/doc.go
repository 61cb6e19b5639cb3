// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package memfs is a file system in memory with the semantics of POSIX: mode
// bits, owners, times, symbolic and hard links, FIFOs, sparse files, files that
// live on while open, and directory cookies that survive changes.
//
// Inode numbers and the order of listings depend only on the order of the calls
// made, so that equal runs see equal trees.
//
// Everything a guest can make the file system remember is charged against
// [Options.MaxBytes]: data, names, link targets and a flat amount for each inode.
package memfs
