// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"context"
	"hash"
	"time"

	"github.com/wsandbox/wsandbox/engine/accel"
	"github.com/wsandbox/wsandbox/engine/kernel"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// Context is the context.Context that a program is called with. It carries the
// process, and what the host functions keep between the calls of one program.
// It is never done: a process is ended by its kernel, not by its context.
//
// A Context serves one goroutine. It may be used again after Reset.
type Context struct {
	p       *kernel.Process
	boot    *boot           // in place of p before a program has a process
	parent  context.Context // for Value, may be nil
	sigFlag uint32          // guest address of the word that sig_flag registered
	// nonblock has bit n set where preview 1 made descriptor n non-blocking
	// and the description is not.
	nonblock uint64

	// words filters what a Go runtime writes when it dies; nil for programs
	// whose output is their own.
	words *lastWords

	// Scratch memory, kept for reuse.
	iov    [][]byte
	dirent []vfs.Dirent
	poll   []kernel.PollEntry
	hash   [len(hashes)]hash.Hash
	dfa    accel.Automaton
}

// NewContext returns the context for calling a program as process p.
func NewContext(p *kernel.Process) *Context { return &Context{p: p} }

// NewInitContext returns a context for the code that runs before a program has
// a process, while its image is made: the clocks stand still but for sleeping,
// random numbers are always the same ones, descriptors 0 to 2 read nothing and
// discard what is written, there are no arguments and no environment, and every
// function that needs a process returns ENOSYS.
func NewInitContext() *Context { return &Context{boot: newBoot()} }

// Reset makes c the context of a fresh program in process p. The scratch memory
// stays.
func (c *Context) Reset(p *kernel.Process) {
	c.p, c.boot, c.parent, c.sigFlag, c.nonblock, c.words = p, nil, nil, 0, 0, nil
}

// SetParent makes Value ask parent, for calls that look for wazero's own values
// in their context.
func (c *Context) SetParent(parent context.Context) { c.parent = parent }

// Process returns the process, or nil in a context made by NewInitContext.
func (c *Context) Process() *kernel.Process { return c.p }

// Deadline returns no deadline.
func (c *Context) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }

// Done returns nil: the context is never done.
func (c *Context) Done() <-chan struct{} { return nil }

// Err returns nil.
func (c *Context) Err() error { return nil }

// Value returns the parent's value for key, or nil.
func (c *Context) Value(key any) any {
	if c.parent == nil {
		return nil
	}
	return c.parent.Value(key)
}

var _ context.Context = (*Context)(nil)
