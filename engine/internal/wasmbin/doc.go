// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package wasmbin rewrites WebAssembly modules so that the engine can
// interrupt, meter and snapshot what it runs.
//
// [Rewrite] reads a module of the core specification 2.0 (plus tail calls,
// atomics, extended constants, exceptions and typed function references, which
// it passes on) and writes an equivalent one in which
//
//   - the function import wsandbox_v0.yield, of type () -> (), follows the
//     module's own function imports,
//   - a mutable i64 global exported as wsandbox_countdown is lowered by the
//     cost of the code that runs, and yield is called whenever it falls below
//     zero: at loop headers, at the entry of functions that call others and at
//     bulk memory and table instructions,
//   - small loops without calls are unrolled, so that the check does not slow
//     them down,
//   - a memory.copy or memory.fill of more than [BulkChunk] bytes runs in
//     pieces with a yield between them,
//   - tables cannot grow beyond [MaxTableEntries], since they live in host
//     memory that no allocator of ours counts,
//   - and, with [Options.Snapshot], every mutable global is exported and the
//     active data segments are applied by an exported function instead of at
//     instantiation.
//
// The cost unit is about one WebAssembly instruction. The function yield must
// set the countdown to at least [MaxCost] before it returns, or leave the guest.
// No code of the module can reach the countdown, since its index is beyond
// those the module knows.
//
// A module is hostile input here: work and memory are linear in its size and
// every count is checked against the bytes that are left. Encodings on which a
// compiler could disagree with this package (a vector opcode that is not in its
// shortest form) are refused, so that no instruction hides inside the immediate
// of another.
//
// Sources: WebAssembly Core Specification 2.0, chapter 5 (binary format), and
// the proposals named above.
package wasmbin
