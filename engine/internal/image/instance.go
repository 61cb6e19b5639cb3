// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"fmt"
	"reflect"
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
	spoilt    bool            // not to be used again
	initCtx   context.Context // of an initialisation, whose end ends it

	running   api.Function // being called
	stackSize int64        // bytes of its stack that the owner accounts for

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

// instantiate links the module. No code of the module runs.
func (i *Instance) instantiate() (err error) {
	defer func() {
		// Such as a table that the system has no memory for.
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: instantiation: %v", ErrModule, r)
		}
	}()
	mod, err := i.rt.InstantiateModule(i.ctx, i.compiled, moduleConfig)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrModule, err)
	}
	i.mod = mod
	i.countdown = mod.ExportedGlobal(wasmbin.Countdown).(api.MutableGlobal)
	return nil
}

// Call runs the program in ctx, whose Value must ask [Instance.Context], and
// returns what its main function returned: 0 for a module, which returns
// nothing. The error is a *sys.ExitError where a host function left the program
// by panicking with one; [FaultOf] tells what any other means.
func (i *Instance) Call(ctx context.Context) (int32, error) {
	if i.mod == nil {
		i.spoilt = true
		if err := i.instantiate(); err != nil {
			return 0, err
		}
		if i.img.layout.Start {
			if err := i.call(ctx, i.mod.ExportedFunction(startExport)); err != nil {
				return 0, err
			}
		}
		i.entry = i.mod.ExportedFunction(moduleMain)
	}
	err := i.call(ctx, i.entry)
	return int32(uint32(i.stack[0])), err
}

func (i *Instance) call(ctx context.Context, f api.Function) error {
	i.running, i.stackSize, i.stack[0] = f, 0, 0
	i.beginSlice()
	err := f.CallWithStack(ctx, i.stack[:])
	i.running = nil
	if _, left := err.(*sys.ExitError); err != nil && !left {
		i.spoilt = true
	}
	return err
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
	// A function keeps the stack that it was called with. Another one each
	// time would be most of what a small program has the host allocate, but
	// the stack grows to 80 MB where a program recurses deeply.
	if n := stackSize(i.entry); n == 0 || n > stackFree {
		i.entry = i.mod.ExportedFunction(guestMain)
	}
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
func Yield(ctx context.Context) {
	i, ok := ctx.Value(instanceKey{}).(*Instance)
	if !ok {
		panic(errors.New("image: a program was called without the context of its instance"))
	}
	took := time.Since(i.sliceBegan)
	runtime.Gosched()
	i.chargeStack()
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

// stackFree is the size of a stack that is not accounted for.
const stackFree = 64 << 10

// chargeStack has the owner of the memory account for the stack of the running
// function as well, which lies in the host's memory and may grow to 80 MB. A
// recursion comes by here often.
func (i *Instance) chargeStack() {
	n := stackSize(i.running) - stackFree
	if n <= i.stackSize {
		return
	}
	if !i.mem.grant(uint64(n - i.stackSize)) {
		panic(errStack)
	}
	i.stackSize = n
}

// stackSize returns the size of the stack that a function is called with. The
// runtime does not tell, and has no limit to set, so this looks into its
// structures; where they differ from those of the version in use, which a test
// checks, stacks are not accounted for.
func stackSize(f api.Function) int64 {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return 0
	}
	if s := v.Elem().FieldByName("stack"); s.IsValid() && s.Kind() == reflect.Slice {
		return int64(s.Len())
	}
	return 0
}
