// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package binfs is a read-only directory of built-in programs, such as a
// sandbox's /bin. Its files implement [vfs.Executable].
package binfs
