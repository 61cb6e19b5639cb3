// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package wasihost serves the host modules wasi_snapshot_preview1 and
// wsandbox_v0 to guests: it decodes their arguments, calls the process's kernel
// and encodes the results.
//
// Every function is a row of a table ([preview1] and [extension]), which is the
// support matrix as well: name, arguments, implementation and what is partial.
// Functions never allocate by a number that a guest chose beyond a fixed bound,
// check every pointer and length (EFAULT), and read and write guest memory in
// place.
//
// A host function finds its process by asserting that the context.Context of
// the call is a [Context], so programs must be called with one. To end a
// program, a host function panics with wazero's *sys.ExitError, which the call
// returns; the process's wait status is the kernel's.
package wasihost
