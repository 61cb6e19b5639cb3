// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package image turns WebAssembly modules into process images that start in
// tens of microseconds.
//
// A guest (see [Compiler.Guest]) is a reactor prepared once: the module is
// rewritten, compiled, initialised, and its linear memory and globals are kept
// as a snapshot. A process then runs in an [Instance] whose memory is a private
// copy-on-write view of that snapshot. When the process ends, the [Pool] copies
// back the pages it dirtied, sets the globals and hands the instance to the
// next process:
//
//	module ─rewrite─► compile ─► _initialize, wsandbox_warm ─► snapshot
//	                                                              │ map privately
//	   ┌───────────────── reset: dirty pages, globals ◄──┐        ▼
//	   └──► idle in the pool ──Get──► run wsandbox_main ─┴──── instance
//
// An instance whose memory grew, which trapped or which was unwound is dropped,
// never reused.
//
// Any other module (see [Compiler.Module]) is rewritten without a snapshot and
// instantiated once per process.
//
// With a [Cache] the work is done once per machine: the compiled code, a
// stripped module and the snapshot are kept on disk, keyed by everything that
// they depend on.
//
// # What a snapshot captures
//
// The state of the Go runtime of a guest after its package initialisation: heap
// arenas, the scheduler, type tables and the seeds of its hash functions. The
// initialisation runs against fixed clocks and a fixed source of randomness, so
// that images are reproducible. Consequences, and why they are acceptable:
//
//   - Map hash seeds and the state behind math/rand and select's order are the
//     same in each process. Each process handles only its own user's input and
//     dies soon, so hash flooding gains nothing over a plain endless loop, which
//     limits stop. Guests take randomness that matters from random_get, which
//     is never captured.
//   - time.Now and timers are right: Go on wasip1 asks the host at each call and
//     keeps no clock state of its own but the process start used for monotonic
//     differences, which cancels out.
//   - Arguments, environment, working directory and descriptors are never
//     captured, as guests ask for them through wsandbox_v0.
package image
