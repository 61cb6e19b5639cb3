// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/sys"

	"github.com/wsandbox/wsandbox/engine/internal/wasmbin"
)

// The countdown between two yields, in the rewriter's units of about one
// instruction, adapts to the speed of the code so that a slice takes about
// sliceTarget. A kill and a garbage collection of the host wait for the end of
// a slice.
const (
	sliceTarget = 400 * time.Microsecond
	sliceStart  = 1 << 18
	sliceMin    = wasmbin.MaxCost
	sliceMax    = 1 << 23
)

// Instance is a program ready to run as one process. It serves one goroutine at
// a time.
type Instance struct {
	img      *Image
	rt       wazero.Runtime
	compiled wazero.CompiledModule
	mem      *memory
	ctx      context.Context // carries the instance and its allocator

	mod       api.Module
	entry     api.Function
	countdown api.MutableGlobal
	globals   []api.MutableGlobal
	first     bool            // not instantiated yet
	spoilt    bool            // not to be used again
	initCtx   context.Context // of an initialisation, whose end ends it

	budget     int64
	sliceBegan time.Time
	stack      [1]uint64
	resident   uint64    // bytes of private pages, while idle
	idleSince  time.Time // while idle
}

// instanceKey finds the instance in a context.
type instanceKey struct{}

func newInstance(rt wazero.Runtime, compiled wazero.CompiledModule, lay layout, snap *snapshot, reserve uint64) (*Instance, error) {
	reserve = min(reserve, uint64(lay.MaxPages)*wasmPage)
	if least := uint64(lay.MinPages) * wasmPage; least > reserve {
		return nil, fmt.Errorf("%w: it starts with %d bytes", ErrMemory, least)
	}
	mem, err := newMemory(snap, reserve)
	if err != nil {
		return nil, errors.Join(ErrMemory, err)
	}
	i := &Instance{rt: rt, compiled: compiled, mem: mem, budget: sliceStart}
	i.ctx = context.WithValue(experimental.WithMemoryAllocator(context.Background(), mem), instanceKey{}, i)
	return i, nil
}

// own makes grant answer for growth beyond what the memory has at birth.
func (i *Instance) own(grant func(delta int64) bool) {
	i.mem.grant = func(delta uint64) bool { return grant(int64(delta)) }
}

// Context returns what the context of a call must ask for values it does not
// have.
func (i *Instance) Context() context.Context { return i.ctx }

// moduleConfig gives programs nothing of the runtime's own system interface.
var moduleConfig = wazero.NewModuleConfig().WithName("").WithStartFunctions()

// instantiate links the module and runs its start function, if it has one, in
// ctx.
func (i *Instance) instantiate(ctx context.Context) (err error) {
	defer func() {
		// Such as a table that the system has no memory for.
		if r := recover(); r != nil {
			err = fmt.Errorf("instantiation: %v", r)
		}
	}()
	i.sliceBegan = time.Now()
	mod, err := i.rt.InstantiateModule(ctx, i.compiled, moduleConfig)
	if err != nil {
		return err
	}
	i.mod = mod
	if i.countdown == nil {
		i.countdown = countdownOf(mod)
	}
	i.entry = mod.ExportedFunction(guestMain)
	if i.entry == nil {
		i.entry = mod.ExportedFunction(moduleMain)
	}
	return nil
}

func countdownOf(mod api.Module) api.MutableGlobal {
	return mod.ExportedGlobal(wasmbin.Countdown).(api.MutableGlobal)
}

// Call runs the program in ctx, whose Value must ask [Instance.Context], and
// returns what its main function returned: 0 for a module, which returns
// nothing. The error is a *sys.ExitError where a host function left the program
// by panicking with one; [FaultOf] tells what any other means.
func (i *Instance) Call(ctx context.Context) (int32, error) {
	if i.first {
		i.first, i.spoilt = false, true
		if err := i.instantiate(ctx); err != nil {
			if _, left := err.(*sys.ExitError); !left && FaultOf(err).Signal == 0 {
				err = fmt.Errorf("%w: %w", ErrModule, err)
			}
			return 0, err
		}
	}
	i.beginSlice()
	i.stack[0] = 0
	err := i.entry.CallWithStack(ctx, i.stack[:])
	if _, left := err.(*sys.ExitError); err != nil && !left {
		i.spoilt = true
	}
	return int32(uint32(i.stack[0])), err
}

// Release ends the use of the instance: back into the pool, or away.
func (i *Instance) Release() {
	i.mem.grant = nil
	if i.spoilt || i.img.snap == nil || i.mem.grown() {
		i.close()
		return
	}
	i.img.c.pool.put(i)
}

// reset makes the instance as it was when it was cloned.
func (i *Instance) reset() (err error) {
	if i.resident, err = i.mem.reset(i.img.snap); err != nil {
		return err
	}
	i.setGlobals()
	// A function keeps the stack that it was called with, which grows to 80
	// MB where a program recurses deeply.
	i.entry = i.mod.ExportedFunction(guestMain)
	return nil
}

func (i *Instance) setGlobals() {
	for n, g := range i.globals {
		g.Set(i.img.globals[n])
	}
}

// close ends the instance. The memory goes last, when nothing can use it.
func (i *Instance) close() {
	if i.mod != nil {
		_ = i.mod.Close(context.Background())
		i.mod = nil
	}
	i.mem.free()
}

// beginSlice lets the program run until its next yield.
func (i *Instance) beginSlice() {
	i.sliceBegan = time.Now()
	i.countdown.Set(uint64(i.budget))
}

// Yield is what the host function yield calls to let the calling program run
// on. It first lets other goroutines run: a garbage collection of the host takes
// several steps, each of which would else wait for the scheduler to preempt a
// program, which it does after 10 ms.
func Yield(ctx context.Context, mod api.Module) {
	i, ok := ctx.Value(instanceKey{}).(*Instance)
	if !ok {
		panic(errors.New("image: a program was called without the context of its instance"))
	}
	if i.countdown == nil {
		i.countdown = countdownOf(mod) // in the start function
	}
	took := time.Since(i.sliceBegan)
	runtime.Gosched()
	switch {
	case i.initCtx != nil && i.initCtx.Err() != nil:
		panic(context.Cause(i.initCtx))
	case took > 2*sliceTarget:
		// Time spent waiting in the host counts as well, and makes the
		// next few slices shorter than need be.
		i.budget = max(i.budget/2, sliceMin)
	case took < sliceTarget/2:
		i.budget = min(i.budget*2, sliceMax)
	}
	i.beginSlice()
}
