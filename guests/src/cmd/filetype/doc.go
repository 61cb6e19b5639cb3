// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package filetype has the command file, which tells what is in files, by a
// small set of rules of its own.
package filetype
