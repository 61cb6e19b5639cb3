// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package vfstest checks that a file system keeps the contract of package vfs.
// Only tests import it.
package vfstest
