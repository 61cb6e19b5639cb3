// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package engine compiles, caches and runs WebAssembly programs as processes of
// a kernel.
//
// An [Engine] implements [kernel.Runner]. One engine serves any number of
// kernels at the same time: they share compiled code and idle instances, and
// nothing else. An instance that goes from one process to another is restored
// byte for byte in between.
//
// # Programs
//
// Built-in programs are reactors that export
//
//	wsandbox_main() i32   runs one process and returns its exit status
//	wsandbox_warm()       optional; called once, before the snapshot is taken
//
// They are initialised once, see engine/internal/image. Any other module is a
// WASI preview 1 command with a _start function, instantiated for each process,
// whose descriptors from 3 on become preopens: "/", "." (the working directory)
// and directories in the root.
//
// # How processes end
//
// By returning, by proc_exit, or by a signal. What WebAssembly traps on becomes
// the signal that an ordinary process would die by, with one line on the
// process's standard error ("name: Segmentation fault: out of bounds memory
// access"):
//
//	out of bounds memory or table access, wrong type of an indirect call   SIGSEGV
//	stack overflow                                                          SIGSEGV, LimitStack
//	unreachable                                                             SIGILL; in built-in programs SIGABRT
//	division by zero, overflow, no integer                                  SIGFPE
//	no memory to start with                                                 SIGKILL, LimitMemory
//	panic in a function of the host                                         SIGSYS
//
// The last is a defect of this project. It ends that process alone, and is
// reported to [Config.Trace] with the stack.
//
// A file that is no runnable module ends with status 126 and the reason on
// standard error.
//
// # Interruption
//
// Programs count down as they run, see engine/internal/wasmbin, and call the
// host about every millisecond. There they notice signals, and let the
// garbage collector of the host program stop them.
package engine
