// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// Runner makes images of programs. Methods are safe for concurrent use.
type Runner interface {
	// LoadGuest returns the built-in guest image, set up to run as applet:
	// ENOENT where there is none of that name, ENOMEM.
	LoadGuest(guest, applet string) (Image, error)
	// LoadModule returns an image of the WebAssembly module in f, which
	// stays open only during the call. path is its canonical name, for
	// messages and caches: ENOEXEC for a file that is no usable module,
	// ENOMEM, EIO.
	LoadModule(f vfs.RegularFile, path string) (Image, error)
}

// Image is a program ready to run as one process.
type Image interface {
	// Run runs the program to its end on the calling goroutine and returns
	// its status. After a system call or yield returned [ErrExiting], and
	// after [Process.Exec] or [Process.Exit], it leaves the guest and
	// returns; the status it returns is then not used.
	//
	// An image that is not run (the process was killed first) gets no
	// call; images hold nothing before Run that the collector cannot free.
	Run(p *Process) abi.WaitStatus
}
