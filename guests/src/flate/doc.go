// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package flate compresses and decompresses the DEFLATE format (RFC 1951) and
// its wrapping by gzip (RFC 1952).
//
// It is for programs to which the standard library's is too large, because that
// one formats its errors. Memory is bounded: some 100 KiB to read, some 700 KiB
// to write.
package flate
