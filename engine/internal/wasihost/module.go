// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// Preview1Module is the import module of WASI preview 1.
const Preview1Module = "wasi_snapshot_preview1"

// yieldName is the function that the rewriter makes programs call when their
// countdown runs out.
const yieldName = "yield"

// Config configures the host modules of a runtime.
type Config struct {
	// Yield is called at every yield point of a program, on the program's
	// goroutine and with the calling module, before the host looks whether
	// the process must stop or end. The Context is one of NewInitContext
	// where the program has no process yet. It may be nil.
	Yield func(c *Context, mod api.Module)

	// Trace, where not nil, receives a line for every call but yield, in
	// one Write each: "12 path_open(3, \"x\", ...) = 44 ENOENT".
	Trace io.Writer
}

// hostFunc is a function of a host module: a row of the support matrix.
type hostFunc struct {
	name string
	// args has a letter for each argument: i and I an integer of 32 and 64
	// bits, f a descriptor, p a pointer, o a pointer to a 32-bit result; s
	// a path or other string and b a buffer, each of two parameters (pointer
	// and length).
	args string
	call func(c *Context, m memory, a []uint64) error
	// void is set where the function has no result.
	void bool
	// init is set where the function works without a process.
	init bool
	// note says what is partial or particular; empty where all is as
	// specified.
	note string
}

// signature returns the parameters in the letters of abi.ExtFunc.
func (f *hostFunc) signature() string {
	var s []byte
	for _, a := range []byte(f.args) {
		switch a {
		case 'f':
			s = append(s, 'i')
		case 'o':
			s = append(s, 'p')
		case 's', 'b':
			s = append(s, 'p', 'i')
		default:
			s = append(s, a)
		}
	}
	return string(s)
}

// params returns the types of the parameters.
func (f *hostFunc) params() []api.ValueType {
	var t []api.ValueType
	for _, s := range []byte(f.signature()) {
		if s == 'I' {
			t = append(t, api.ValueTypeI64)
		} else {
			t = append(t, api.ValueTypeI32)
		}
	}
	return t
}

// Instantiate registers both host modules in rt, once for all programs of the
// runtime.
func Instantiate(ctx context.Context, rt wazero.Runtime, cfg Config) error {
	h := &host{cfg: cfg}
	for _, m := range []struct {
		name  string
		funcs []hostFunc
	}{{Preview1Module, preview1()}, {abi.ExtModule, extension()}} {
		b := rt.NewHostModuleBuilder(m.name)
		for i := range m.funcs {
			f := &m.funcs[i]
			var result []api.ValueType
			if !f.void {
				result = []api.ValueType{api.ValueTypeI32}
			}
			b.NewFunctionBuilder().WithGoModuleFunction(h.wrap(f), f.params(), result).
				WithName(f.name).Export(f.name)
		}
		if m.name == abi.ExtModule {
			b.NewFunctionBuilder().WithGoModuleFunction(h.yield(), nil, nil).
				WithName(yieldName).Export(yieldName)
		}
		mod, err := b.Instantiate(ctx)
		if err != nil {
			return fmt.Errorf("wasihost: %s: %w", m.name, err)
		}
		h.none = mod.Memory()
	}
	return nil
}

// host is what the functions of a runtime share. It is immutable once the
// modules are registered.
type host struct {
	cfg  Config
	none api.Memory // what wazero returns for a module without a memory
}

// memory returns the memory of mod.
func (h *host) memory(mod api.Module) memory {
	if mem := mod.Memory(); mem != h.none {
		return memory{mem}
	}
	return memory{}
}

// wrap returns the function that wazero calls for f.
func (h *host) wrap(f *hostFunc) api.GoModuleFunc {
	call := f.call
	if !f.init {
		call = func(c *Context, m memory, a []uint64) error {
			if c.p == nil {
				return abi.ENOSYS
			}
			return f.call(c, m, a)
		}
	}
	if h.cfg.Trace != nil {
		call = trace(h.cfg.Trace, f, call)
	}
	return func(ctx context.Context, mod api.Module, stack []uint64) {
		c := contextOf(ctx)
		m := h.memory(mod)
		err := call(c, m, stack)
		c.leave(m, err)
		if len(stack) > 0 {
			stack[0] = uint64(errnoOf(err))
		}
	}
}

// yield returns the function of the yield points.
func (h *host) yield() api.GoModuleFunc {
	return func(ctx context.Context, mod api.Module, _ []uint64) {
		c := contextOf(ctx)
		if h.cfg.Yield != nil {
			h.cfg.Yield(c, mod)
		}
		c.leave(h.memory(mod), nil)
	}
}

// contextOf returns the Context of a call. That there is none is an error of
// the embedder, which its call returns.
func contextOf(ctx context.Context) *Context {
	c, ok := ctx.(*Context)
	if !ok {
		panic(errors.New("wasihost: a program was called without a wasihost.Context"))
	}
	return c
}

// leave is the end of every call: it ends the program where its process must
// exit, waits while it is stopped, and shows pending signals to the guest.
func (c *Context) leave(m memory, err error) {
	if len(c.iov) > 0 {
		// A Context outlives the memory of its program.
		clear(c.iov)
		c.iov = c.iov[:0]
	}
	if c.p == nil {
		return
	}
	if err == kernel.ErrExiting || c.p.Yield() != nil {
		unwind()
	}
	if c.sigFlag != 0 {
		if bits := c.p.FlagBits(); bits != 0 {
			// The word was there when it was registered, and
			// memories never shrink.
			if w, err := m.view(c.sigFlag, 4); err == nil {
				binary.LittleEndian.PutUint32(w, binary.LittleEndian.Uint32(w)|bits)
			}
		}
	}
}

// unwind leaves the program.
func unwind() { panic(sys.NewExitError(0)) }

// errnoOf returns the number for the guest.
func errnoOf(err error) abi.Errno {
	if e, ok := err.(abi.Errno); ok || err == nil {
		return e
	}
	return abi.ErrnoOf(err)
}
