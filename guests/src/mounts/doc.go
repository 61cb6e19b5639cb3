// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package mounts reads the table of mounted file systems from /proc/mounts.
package mounts
