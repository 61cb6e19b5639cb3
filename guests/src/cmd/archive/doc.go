// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package archive has the commands that pack files: tar, gzip, gunzip and zcat.
package archive
