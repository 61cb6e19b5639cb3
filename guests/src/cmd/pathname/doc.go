// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package pathname has the commands on names of files: basename, dirname,
// readlink, realpath, which.
package pathname
