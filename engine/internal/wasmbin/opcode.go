// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

// Opcodes this package names.
const (
	opUnreachable        = 0x00
	opBlock              = 0x02
	opLoop               = 0x03
	opIf                 = 0x04
	opElse               = 0x05
	opThrow              = 0x08
	opThrowRef           = 0x0a
	opEnd                = 0x0b
	opBr                 = 0x0c
	opBrIf               = 0x0d
	opBrTable            = 0x0e
	opReturn             = 0x0f
	opCall               = 0x10
	opCallIndirect       = 0x11
	opReturnCall         = 0x12
	opReturnCallIndirect = 0x13
	opCallRef            = 0x14
	opReturnCallRef      = 0x15
	opSelectTyped        = 0x1c
	opTryTable           = 0x1f
	opLocalGet           = 0x20
	opLocalSet           = 0x21
	opLocalTee           = 0x22
	opGlobalGet          = 0x23
	opGlobalSet          = 0x24
	opTableSet           = 0x26
	opMemorySize         = 0x3f
	opMemoryGrow         = 0x40
	opI32Const           = 0x41
	opI64Const           = 0x42
	opF32Const           = 0x43
	opF64Const           = 0x44
	opI32GtU             = 0x4b
	opI32LeU             = 0x4d
	opI64LtS             = 0x53
	opI64GtU             = 0x56
	opI32Add             = 0x6a
	opI32Sub             = 0x6b
	opI32Mul             = 0x6c
	opI32Or              = 0x72
	opI64Add             = 0x7c
	opI64Sub             = 0x7d
	opI64Mul             = 0x7e
	opI64Shl             = 0x86
	opI64ShrU            = 0x88
	opI64ExtendI32U      = 0xad
	opRefNull            = 0xd0
	opRefFunc            = 0xd2
	opBrOnNull           = 0xd5
	opBrOnNonNull        = 0xd6
	opMisc               = 0xfc
	opVec                = 0xfd
	opAtomic             = 0xfe

	miscMemoryInit = 8
	miscDataDrop   = 9
	miscMemoryCopy = 10
	miscMemoryFill = 11
	miscTableInit  = 12
	miscElemDrop   = 13
	miscTableCopy  = 14
	miscTableGrow  = 15
	miscTableSize  = 16
	miscTableFill  = 17

	vecConst = 0x0c

	atomicNotify = 0x00
	atomicWait64 = 0x02
	atomicFence  = 0x03

	blockEmpty = 0x40
)

// operand tells how the immediate operands of an instruction are encoded.
type operand uint8

const (
	invalid operand = iota
	none
	blockType
	label
	labelTable
	function
	typeAndTable
	typeIdx
	local
	global
	index  // any other index that does not change
	memArg // alignment and offset
	const32
	const64
	float32Const
	float64Const
	zeroByte // reserved
	selectTypes
	heap
	misc
	vec
	atomic
	tryTable
	elseOp
	endOp
)

// operands is the table of single-byte opcodes.
var operands = func() (t [256]operand) {
	set := func(from, to int, o operand) {
		for i := from; i <= to; i++ {
			t[i] = o
		}
	}
	set(0x00, 0x01, none) // unreachable, nop
	set(0x02, 0x04, blockType)
	t[opElse] = elseOp
	t[opThrow] = index
	t[opThrowRef] = none
	t[opEnd] = endOp
	set(0x0c, 0x0d, label)
	t[opBrTable] = labelTable
	t[opReturn] = none
	t[opCall], t[opReturnCall] = function, function
	t[opCallIndirect], t[opReturnCallIndirect] = typeAndTable, typeAndTable
	t[opCallRef], t[opReturnCallRef] = typeIdx, typeIdx
	set(0x1a, 0x1b, none) // drop, select
	t[opSelectTyped] = selectTypes
	t[opTryTable] = tryTable
	set(opLocalGet, opLocalTee, local)
	set(opGlobalGet, opGlobalSet, global)
	set(0x25, opTableSet, index)
	set(0x28, 0x3e, memArg)
	set(opMemorySize, opMemoryGrow, zeroByte)
	t[opI32Const], t[opI64Const] = const32, const64
	t[opF32Const], t[opF64Const] = float32Const, float64Const
	set(0x45, 0xc4, none) // comparisons, arithmetic, conversions, sign extension
	t[opRefNull] = heap
	t[0xd1] = none // ref.is_null
	t[opRefFunc] = function
	t[0xd4] = none // ref.as_non_null
	t[opBrOnNull], t[opBrOnNonNull] = label, label
	t[opMisc], t[opVec], t[opAtomic] = misc, vec, atomic
	return t
}()

// vecOperand returns how the operands of a vector instruction are encoded.
func vecOperand(sub byte) (o operand, lane bool) {
	switch {
	case sub <= 0x0b, sub == 0x5c, sub == 0x5d: // loads and stores
		return memArg, false
	case sub >= 0x54 && sub <= 0x5b: // of one lane
		return memArg, true
	case sub >= 0x15 && sub <= 0x22: // extract and replace lane
		return none, true
	}
	return none, false
}
