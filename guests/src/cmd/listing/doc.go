// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package listing has the commands that show files: ls, stat, du, df, tree.
package listing
