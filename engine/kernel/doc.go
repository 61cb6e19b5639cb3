// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package kernel is the process kernel of a sandbox: processes, descriptors,
// open file descriptions, pipes, process groups, sessions, signals, waits,
// limits and the procfs that shows them.
//
// A [Kernel] serves one sandbox. Each running process is one goroutine, on
// which its [Image] runs; the methods of [Process] that are system calls are
// called by that goroutine only, take Go values and never see guest memory.
// [Process.Done], [Process.Result], [Process.PID], [Process.Job] and the
// methods of [Kernel] and [Job] are for everyone.
//
// # Errors
//
// System calls return [abi.Errno] values. Those that wait return EINTR when a
// handled signal is pending. When the process must end they return
// [ErrExiting], which is not an errno: the caller leaves the guest and returns
// from Image.Run, without another system call.
//
// # Blocking
//
// A process has one wake channel of capacity one. A system call that would
// block enlists with what it waits for, looks again, and sleeps on the channel.
// Data, child exits, signals, timers and Close all put a token into it; a token
// too many costs one more look. A sleeping process uses no CPU.
//
// Everything that must be noticed at a yield is a bit of one atomic word, so a
// yield without news is one atomic load.
//
// A system call on a pipe or host stream without a partner to wait for takes one
// or two uncontended mutexes and allocates nothing.
//
// # One package
//
// Family tree, groups, sessions, jobs and signals change together under
// Kernel.mu, and every system call touches several of them, so they stay one
// package of small files. What has a lock of its own is apart: package pipe
// holds byte queues and wait queues, package hostio the streams of the host.
//
// # Lock order
//
//	Kernel.mu: process table, family tree, groups, sessions, jobs, signals,
//	           dispositions, wait state
//	  then one of
//	    Process.mu: working directory, arguments, umask, for other processes
//	    fdTable.mu: descriptors
//	      then fifoTable.mu
//	      then the mutex of a pipe, host stream or collector, each a leaf
//
// OpenFile.mu (the file offset) is taken without any of these. It is held
// around the file system call of a Read, Write or Seek, which makes the use of
// a shared offset atomic; a file of procfs looks nothing up once it is open. No
// other lock is held while calling an Image, a Runner, a file system, a
// Terminal or a host reader or writer. Wake functions take no lock of this
// package, but for that of a PTY the leaf that guards its sleepers. A PTY takes
// Kernel.mu to signal, with the lock of its terminal that orders signals held.
package kernel
