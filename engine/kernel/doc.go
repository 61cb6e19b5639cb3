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
// # Lock order
//
//	Kernel.mu (process table, family tree, groups, sessions, jobs, signal
//	           state, wait state)
//	  then Process.mu (working directory, arguments, descriptor table)
//	    then OpenFile.mu (file offset)
//	      then the mutex of a pipe, host file or FIFO table
//
// No lock is held while calling an Image, a Runner, a file system or a host
// reader or writer, with one exception: OpenFile.mu is held around the
// RegularFile operation of a Read, Write or Seek, which makes the use of a
// shared offset atomic. Wake functions take no lock. A file system method may
// itself look up kernel state (procfs), and so is called with neither
// Kernel.mu nor Process.mu held.
package kernel
