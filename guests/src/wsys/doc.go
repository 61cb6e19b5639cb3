// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package wsys is what guest programs call instead of package os: processes,
// descriptors, paths and terminals of the sandbox kernel, through the extension
// module wsandbox_v0.
//
// Package os is avoided on purpose: it captures arguments, environment and
// standard streams when a program starts, while our programs start once and
// then run many times from a snapshot; and it costs half a megabyte of module.
//
// On Linux outside WebAssembly the same functions are served by the host's
// system calls, so that commands and their tests also run natively.
//
// Every error is an [abi.Errno]. A call that waits is ended by a signal only
// where a handler is set (EINTR); a fatal signal ends the process inside it.
package wsys
