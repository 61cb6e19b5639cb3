// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"slices"
	"sync"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel/internal/hostio"
)

// Collector is an output that keeps what processes write, up to a bound, in
// memory. Methods are safe for concurrent use.
type Collector struct {
	max int // immutable

	mu    sync.Mutex
	b     []byte // guarded by mu
	total int64  // guarded by mu
}

// NewCollector returns a collector that keeps the first max bytes and counts
// the rest.
func NewCollector(max int) *Collector { return &Collector{max: max} }

// File returns a new file that writes to the collector. Its bytes count
// against [Limits].Output.
func (c *Collector) File() *OpenFile {
	return NewFile(&collectorFile{c: c}, "host:[output]", abi.OWronly)
}

// Bytes returns a copy of what was kept.
func (c *Collector) Bytes() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.b)
}

// Total returns how many bytes were written.
func (c *Collector) Total() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total
}

// Truncated reports whether more was written than kept.
func (c *Collector) Truncated() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total > int64(len(c.b))
}

// collectorFile is a stream that is always ready.
type collectorFile struct{ c *Collector }

func (f *collectorFile) Write(b []byte) (int, error) {
	c := f.c
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total += int64(len(b))
	c.b = append(c.b, b[:min(len(b), max(c.max-len(c.b), 0))]...)
	return len(b), nil
}

func (f *collectorFile) Read([]byte) (int, error)                       { return 0, abi.EBADF }
func (f *collectorFile) Ready(mask abi.PollEvents) abi.PollEvents       { return mask & abi.PollOut }
func (f *collectorFile) Subscribe(abi.PollEvents, func()) (stop func()) { return func() {} }
func (f *collectorFile) Stat() (abi.Stat, error)                        { return hostio.Stat(), nil }
func (f *collectorFile) Close() error                                   { return nil }
func (f *collectorFile) Counted() bool                                  { return true }
func (f *collectorFile) Settled() error                                 { return nil }
