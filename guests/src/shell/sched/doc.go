// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package sched runs the concurrent parts of one shell: background lists,
// stages of pipelines and substitutions.
//
// Each part is a [Thread], a goroutine of which exactly one runs at a time; the
// others wait on their own channel. A thread gives up its turn in
// [Scheduler.Yield] and [Scheduler.Block] only. When no thread can run, the
// last one makes the one blocking call to the kernel for all of them:
//
//	Block ── other runnable ──> hand over, sleep on own channel
//	      └─ none ──> wsys.Poll over all waits ──> wake those that are ready
//
// So the code of the shell needs no locks, on any platform, and a shell with a
// single thread never switches.
package sched
