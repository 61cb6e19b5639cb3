// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

import "math"

// ValType is the first byte of a value type in the binary format. Typed
// references are reported without their heap type.
type ValType byte

// Value types.
const (
	I32        ValType = 0x7f
	I64        ValType = 0x7e
	F32        ValType = 0x7d
	F64        ValType = 0x7c
	V128       ValType = 0x7b
	FuncRef    ValType = 0x70
	ExternRef  ValType = 0x6f
	ExnRef     ValType = 0x69
	refNull    ValType = 0x63
	refNonNull ValType = 0x64
)

// String returns the type's name in the text format.
func (t ValType) String() string {
	switch t {
	case I32:
		return "i32"
	case I64:
		return "i64"
	case F32:
		return "f32"
	case F64:
		return "f64"
	case V128:
		return "v128"
	case FuncRef:
		return "funcref"
	case ExternRef:
		return "externref"
	case ExnRef:
		return "exnref"
	case refNull, refNonNull:
		return "ref"
	}
	return "invalid"
}

// ExternKind tells what an import or export is.
type ExternKind byte

// Kinds, numbered as in the binary format.
const (
	ExternFunc ExternKind = iota
	ExternTable
	ExternMemory
	ExternGlobal
	ExternTag
)

// String returns the kind's name in the text format.
func (k ExternKind) String() string {
	switch k {
	case ExternFunc:
		return "func"
	case ExternTable:
		return "table"
	case ExternMemory:
		return "memory"
	case ExternGlobal:
		return "global"
	case ExternTag:
		return "tag"
	}
	return "invalid"
}

// FuncType is the signature of a function.
type FuncType struct {
	Params, Results []ValType
}

// Import is something the module takes from its host.
type Import struct {
	Module, Name string
	Kind         ExternKind
	Func         FuncType // of a function
}

// Export is something the module offers to its host.
type Export struct {
	Name string
	Kind ExternKind
	Func FuncType // of a function
}

// Features is a set of constructs beyond the core specification 2.0 that a
// module uses. A compiler has to be told to accept them.
type Features uint8

// Features.
const (
	TailCalls Features = 1 << iota
	Atomics
	ExtendedConst
	Exceptions
	TypedReferences
)

// Info describes a module that was rewritten. Names and indices are those of
// the original; what the rewriter added is not listed.
type Info struct {
	// Globals are the export names of the mutable globals in index order, with
	// their types in GlobalTypes; empty without Options.Snapshot.
	Globals     []string
	GlobalTypes []ValType

	Imports []Import
	Exports []Export

	HasMemory      bool
	MemoryImported bool
	MemoryMin      uint64 // pages of 64 KiB
	MemoryMax      uint64 // pages of 64 KiB; 65536 where the module names none

	Functions    int // defined by the module
	DataSegments int
	DataBytes    int  // in all data segments
	HasStart     bool // whether a start section was present

	Loops  int // loops that can be repeated; each has a check
	Checks int // places that can call yield, helper functions included

	Features Features
}

// valType reads a value type; types is how many types a typed reference may
// refer to.
func (r *reader) valType(types int) ValType {
	at := r.pos
	t := ValType(r.byte())
	switch t {
	case I32, I64, F32, F64, V128, FuncRef, ExternRef, ExnRef:
	case refNull, refNonNull:
		r.heapType(types)
	default:
		r.fail(Malformed, at, "invalid value type %#x", byte(t))
	}
	return t
}

// heapType reads what a typed reference refers to. Negative numbers are
// abstract types.
func (r *reader) heapType(types int) {
	at := r.pos
	if t := r.signed(33); r.err == nil && t >= int64(types) {
		r.fail(Malformed, at, "type index %d of %d types", t, types)
	}
}

func (r *reader) valTypes() []ValType {
	at := r.pos
	n := r.count("value types", 1)
	if n > maxFuncTypeLen {
		r.fail(Limit, at, "%d parameters or results, at most %d are accepted", n, maxFuncTypeLen)
	}
	if r.err != nil || n == 0 {
		return nil
	}
	ts := make([]ValType, n)
	for i := range ts {
		ts[i] = r.valType(math.MaxInt32) // the compiler knows how far they may refer
	}
	return ts
}

// limits reads minimum and maximum of a table or memory.
func (r *reader) limits() (min, max uint32, hasMax, shared bool) {
	at := r.pos
	flag := r.byte()
	if flag > 3 {
		if flag <= 7 {
			r.fail(Unsupported, at, "64-bit memory or table")
		} else {
			r.fail(Malformed, at, "invalid limits flag %#x", flag)
		}
		return
	}
	min = r.u32()
	if flag&1 != 0 {
		max, hasMax = r.u32(), true
	}
	return min, max, hasMax, flag&2 != 0
}
