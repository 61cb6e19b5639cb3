// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package abi holds the numbers, names and memory layouts that WASI guests and
// the host share: those of wasi_snapshot_preview1 and those of our extension
// module wsandbox_v0. It has no behaviour beyond encoding and decoding.
//
// Inside the host the WASI error numbers are used everywhere, which makes the
// WASI edge an identity and leaves exactly one translation table, from the host
// operating system to these, in package hostfs.
package abi
