// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/tetratelabs/wazero/sys"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/internal/image"
	"github.com/wsandbox/wsandbox/engine/internal/wasihost"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// notExecutable is the status of a process whose program cannot be run.
//
// POSIX: XCU 2.8.2 Exit Status for Commands.
const notExecutable = 126

// run runs img as proc to its end. It calls release when nothing uses img any
// more, which is later: the program's instance goes back to the pool behind the
// end of the process.
func (e *Engine) run(proc *kernel.Process, img *image.Image, builtin bool, release func()) abi.WaitStatus {
	i, err := img.Get(proc.GrowMemory)
	if err != nil {
		release()
		return e.fault(proc, err, builtin)
	}
	proc.Behind(func() {
		i.Release()
		release()
	})
	c := e.contexts.Get().(*wasihost.Context)
	c.Reset(proc)
	c.SetParent(i.Context())
	if builtin {
		c.Terse()
	}
	status, err := i.Call(c)
	c.Reset(nil)
	e.contexts.Put(c)
	if err == nil {
		return abi.ExitedWith(int(status))
	}
	if _, ok := err.(*sys.ExitError); ok {
		// The kernel knows how it ends.
		return 0
	}
	return e.fault(proc, err, builtin)
}

// fault ends proc for an error of its program.
func (e *Engine) fault(proc *kernel.Process, err error, builtin bool) abi.WaitStatus {
	f := image.FaultOf(err)
	if f.Signal == 0 {
		return e.refuse(proc, err)
	}
	if builtin && f.Signal == abi.SIGILL {
		// How the Go runtime of a reactor ends after a fatal error, which
		// it has described on standard error.
		f.Signal = abi.SIGABRT
	}
	if f.Host && e.trace != nil {
		fmt.Fprintf(e.trace, "%d panic in a host function: %s\n", proc.PID(), strings.ReplaceAll(err.Error(), "\n", "\n\t"))
	}
	say(proc, f.Signal.Description()+": "+f.Reason)
	if f.Limit != abi.LimitNone {
		proc.Fault(f.Signal, f.Limit)
	}
	// Otherwise the kernel knows the last limit that refused the process
	// something.
	return abi.KilledBy(f.Signal)
}

// refuse ends proc as its program cannot be run.
func (e *Engine) refuse(proc *kernel.Process, err error) abi.WaitStatus {
	switch {
	case errors.Is(err, kernel.ErrExiting), errors.Is(err, ErrClosed), errors.Is(err, image.ErrClosed), errors.Is(err, context.Canceled):
		// It is being killed, or the engine is being closed.
		return abi.KilledBy(abi.SIGKILL)
	}
	say(proc, withoutPath(err))
	return abi.ExitedWith(notExecutable)
}

// withoutPath is the text of err for those inside, whom paths of the host, such as
// those of the cache, do not concern.
func withoutPath(err error) string {
	const what = "cannot load the program: "
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return what + path.Err.Error()
	case errors.As(err, &link):
		return what + link.Err.Error()
	}
	return err.Error()
}

// maxMessage bounds a line about a process, in bytes.
const maxMessage = 1000

// say writes a line to the process's standard error, if that takes it without
// waiting.
func say(proc *kernel.Process, text string) {
	name := proc.Path()
	if a := proc.Args(); len(a) > 0 && a[0] != "" {
		name = a[0]
	}
	name = name[strings.LastIndexByte(name, '/')+1:]
	text, _, _ = strings.Cut(text, "\n")
	line := name + ": " + text
	if len(line) > maxMessage {
		line = line[:maxMessage]
	}
	_, _ = proc.Write(2, []byte(strings.ToValidUTF8(line, "?")+"\n"), abi.IONonblock)
}
