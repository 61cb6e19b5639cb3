// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package accel does the byte work that programs leave to the host: it finds
// bytes and strings, runs finite automata, translates and copies.
//
// WebAssembly made from Go spends some nanoseconds on every byte it looks at.
// What scans whole buffers is therefore done here, on slices of the program's
// memory, behind the accel_ functions of the extension. Everything is a pure
// function of its arguments, which come from programs: any slice may be of any
// length, hold anything and overlap any other. Nothing here panics, allocates,
// or works longer than its input is.
//
// Numbers in the program's memory are little endian, 32 bits each.
package accel
