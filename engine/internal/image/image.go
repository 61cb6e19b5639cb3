// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wsandbox/wsandbox/engine/internal/wasmbin"
)

// ErrMemory is returned where the owner of an instance refuses the memory that
// it starts with, or the system has none.
var ErrMemory = errors.New("image: not enough memory")

// errStack ends a program whose stack grew beyond what its owner allows.
var errStack = errors.New("stack overflow")

// errInitTime ends an initialisation that does not end by itself.
var errInitTime = errors.New("image: initialisation takes too long")

// initLimit bounds the time of a guest's initialisation.
const initLimit = time.Minute

func grantAny(int64) bool { return true }

// Image is a compiled module, and for a guest its snapshot. Methods are safe
// for concurrent use.
type Image struct {
	c        *Compiler
	rt       wazero.Runtime // that compiled it
	name     string
	compiled wazero.CompiledModule
	layout   layout
	snap     *snapshot // nil: a module that is instantiated for each process
	globals  []uint64  // values of layout.Globals in the snapshot

	closed bool // guarded by c.pool.mu
}

func (c *Compiler) newImage(rt wazero.Runtime, s *source, compiled wazero.CompiledModule, lay layout, snap *snapshot, globals []uint64) *Image {
	return &Image{c: c, rt: rt, name: s.name, compiled: compiled, layout: lay, snap: snap, globals: globals}
}

// Name returns the name that the image was made with.
func (img *Image) Name() string { return img.name }

// MemorySize returns the size in bytes of the memory that a process starts
// with.
func (img *Image) MemorySize() int64 {
	if img.snap != nil {
		return int64(img.snap.size)
	}
	return int64(img.layout.MinPages) * wasmPage
}

// Get returns an instance for one process, which gets its memory from grant:
// what it starts with at once, more whenever it grows. It returns ErrMemory
// where that is refused. The caller ends with [Instance.Release].
func (img *Image) Get(grant func(delta int64) bool) (*Instance, error) {
	if !grant(img.MemorySize()) {
		return nil, ErrMemory
	}
	if img.snap == nil {
		i, err := newInstance(img.rt, img.compiled, img.layout, nil, img.c.pool.opt.Reserve)
		if err != nil {
			return nil, err
		}
		i.img = img
		i.own(grant)
		return i, nil
	}
	i := img.c.pool.take(img)
	if i == nil {
		var err error
		if i, err = img.clone(); err != nil {
			return nil, err
		}
	}
	i.own(grant)
	return i, nil
}

// clone makes an instance from the snapshot.
func (img *Image) clone() (*Instance, error) {
	i, err := newInstance(img.rt, img.compiled, img.layout, img.snap, img.c.pool.opt.Reserve)
	if err != nil {
		return nil, err
	}
	i.img = img
	if err := i.instantiate(); err != nil {
		i.close()
		return nil, err
	}
	i.entry = i.mod.ExportedFunction(guestMain)
	for _, name := range img.layout.Globals {
		g, ok := i.mod.ExportedGlobal(name).(api.MutableGlobal)
		if !ok {
			i.close()
			return nil, fmt.Errorf("image: %s: no global %s", img.name, name)
		}
		i.globals = append(i.globals, g)
	}
	i.setGlobals()
	return i, nil
}

// Close releases the image. Instances in use stay valid, and are dropped when
// they are released.
func (img *Image) Close(ctx context.Context) error {
	img.c.pool.dropImage(img)
	if img.snap != nil {
		img.snap.close()
	}
	return img.compiled.Close(ctx)
}

// initialize runs the start of a guest and returns its memory and globals.
func (c *Compiler) initialize(ctx context.Context, rt wazero.Runtime, compiled wazero.CompiledModule, m *rewritten) (*snapshot, []uint64, error) {
	lay := m.layout
	i, err := newInstance(rt, compiled, lay, nil, c.pool.opt.Reserve)
	if err != nil {
		return nil, nil, err
	}
	defer i.close()
	i.own(grantAny)
	var cancel context.CancelFunc
	i.initCtx, cancel = context.WithTimeoutCause(ctx, initLimit, errInitTime)
	defer cancel()
	host := c.opt.Host.InitContext(i.ctx)
	if err := i.instantiate(); err != nil {
		return nil, nil, err
	}
	mem := i.mem.Reallocate(0)
	for _, d := range m.data {
		if uint64(d.at)+uint64(len(d.data)) > uint64(len(mem)) {
			return nil, nil, fmt.Errorf("%w: data out of bounds of memory", ErrModule)
		}
		copy(mem[d.at:], d.data)
	}
	steps := []string{guestInit}
	if m.apply {
		steps = []string{wasmbin.MemInit, guestInit}
	}
	if lay.Warm {
		steps = append(steps, guestWarm)
	}
	for _, name := range steps {
		if err := i.call(host, i.mod.ExportedFunction(name)); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	globals := make([]uint64, len(lay.Globals))
	for n, name := range lay.Globals {
		globals[n] = i.mod.ExportedGlobal(name).Get()
	}
	snap, err := newSnapshot(i.mem.Reallocate(0))
	return snap, globals, err
}
