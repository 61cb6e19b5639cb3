// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package binfs is a read-only directory of built-in programs, such as a
// sandbox's /bin. Its files implement [vfs.Executable]; read, each is a shell script
// that runs the program.
package binfs
