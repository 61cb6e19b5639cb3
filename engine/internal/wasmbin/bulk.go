// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

// addedFunc is a function the rewriter adds behind those of the module.
type addedFunc struct {
	typ  uint32
	body []byte // locals and code, without its size
}

// Functions that stand in for bulk instructions or charge for them. They are
// added when first used.
const (
	helperBytes   = iota // (n) -> (n): charges for n bytes
	helperEntries        // (n) -> (n): charges for n table entries
	helperCopy           // (dst, src, n) -> (): memory.copy
	helperFill           // (dst, value, n) -> (): memory.fill
	numHelpers
)

// BulkChunk is the largest number of bytes that memory.copy and memory.fill
// handle between two checks.
const BulkChunk = 1 << 20

// freeBytes is the largest length of a memory.copy or memory.fill that the
// weight of the instruction covers.
const freeBytes = 4096

// Eight bytes, or one table entry, are charged as one unit.
const (
	bytesShift = 3
	chunkCost  = BulkChunk >> bytesShift
)

// helper returns the function index of a helper and adds it when it is new.
func (m *module) helper(h int) uint32 {
	if m.helpers[h] != 0 {
		return m.helpers[h]
	}
	var f addedFunc
	switch h {
	case helperBytes:
		f = addedFunc{m.addType([]ValType{I32}, []ValType{I32}), m.chargeBody(bytesShift)}
	case helperEntries:
		f = addedFunc{m.addType([]ValType{I32}, []ValType{I32}), m.chargeBody(0)}
	case helperCopy:
		f = addedFunc{m.addType([]ValType{I32, I32, I32}, nil), m.copyBody()}
	case helperFill:
		f = addedFunc{m.addType([]ValType{I32, I32, I32}, nil), m.fillBody()}
	}
	m.helpers[h] = m.addFunc(f)
	return m.helpers[h]
}

func (m *module) addFunc(f addedFunc) uint32 {
	m.added = append(m.added, f)
	return uint32(len(m.funcTypes)) + uint32(len(m.added)) // behind yield and the module's own
}

func appendConst(b []byte, v int64) []byte {
	return appendSigned(append(b, opI32Const), v)
}

// chargeLocal appends a check that charges the unsigned value of an i32 local,
// shifted right.
func (m *module) chargeLocal(b []byte, local uint32, shift int64) []byte {
	b = append(b, opI64Const, 0)
	b = appendOp(b, opLocalGet, local)
	b = append(b, opI64ExtendI32U)
	if shift != 0 {
		b = append(b, opI64Const)
		b = appendSigned(b, shift)
		b = append(b, opI64ShrU)
	}
	b = append(b, opI64Sub)
	return m.checkSum(b)
}

func (m *module) chargeBody(shift int64) []byte {
	b := m.chargeLocal([]byte{0}, 0, shift)
	b = appendOp(b, opLocalGet, 0)
	return append(b, opEnd)
}

// addTo appends local += by.
func addTo(b []byte, local uint32, by int64) []byte {
	b = appendOp(b, opLocalGet, local)
	b = appendConst(b, by)
	b = append(b, opI32Add)
	return appendOp(b, opLocalSet, local)
}

// get3 appends local.get of 0, 1 and 2.
func get3(b []byte) []byte {
	for i := range uint32(3) {
		b = appendOp(b, opLocalGet, i)
	}
	return b
}

// small appends code that runs op on the parameters and returns when the length
// in local 2 is at most a chunk, or when one of the addresses in the given
// locals is out of bounds, in which case op traps and leaves memory as it is.
func (m *module) small(b []byte, op []byte, addresses ...uint32) []byte {
	b = appendOp(b, opLocalGet, 2)
	b = appendConst(b, BulkChunk)
	b = append(b, opI32LeU, opIf, blockEmpty)
	b = m.chargeLocal(b, 2, bytesShift)
	b = get3(b)
	b = append(b, op...)
	b = append(b, opReturn, opEnd)
	for i, a := range addresses {
		b = appendOp(b, opLocalGet, a)
		b = append(b, opI64ExtendI32U)
		b = appendOp(b, opLocalGet, 2)
		b = append(b, opI64ExtendI32U, opI64Add)
		b = append(b, opMemorySize, 0, opI64ExtendI32U, opI64Const, 16, opI64Shl, opI64GtU)
		if i > 0 {
			b = append(b, opI32Or)
		}
	}
	b = append(b, opIf, blockEmpty)
	b = get3(b)
	b = append(b, op...)
	return append(b, opUnreachable, opEnd)
}

// whileLarge appends the end of a loop that is repeated while the length in
// local 2 exceeds a chunk, and op on what is left.
func whileLarge(b []byte, op []byte) []byte {
	b = appendOp(b, opLocalGet, 2)
	b = appendConst(b, BulkChunk)
	b = append(b, opI32GtU, opBrIf, 0, opEnd)
	b = get3(b)
	b = append(b, op...)
	return append(b, opReturn)
}

func (m *module) fillBody() []byte {
	op := []byte{opMisc, miscMemoryFill, 0}
	b := m.small([]byte{0}, op, 0)
	b = append(b, opLoop, blockEmpty)
	b = m.check(b, chunkCost)
	b = appendOp(b, opLocalGet, 0)
	b = appendOp(b, opLocalGet, 1)
	b = appendConst(b, BulkChunk)
	b = append(b, op...)
	b = addTo(b, 0, BulkChunk)
	b = addTo(b, 2, -BulkChunk)
	b = whileLarge(b, op)
	return append(b, opEnd)
}

func (m *module) copyBody() []byte {
	op := []byte{opMisc, miscMemoryCopy, 0, 0}
	b := m.small([]byte{0}, op, 0, 1)
	// Towards higher addresses when the destination is below the source, else
	// from the end, so that overlapping pieces are read before written.
	b = appendOp(b, opLocalGet, 0)
	b = appendOp(b, opLocalGet, 1)
	b = append(b, opI32LeU, opIf, blockEmpty, opLoop, blockEmpty)
	b = m.check(b, chunkCost)
	b = appendOp(b, opLocalGet, 0)
	b = appendOp(b, opLocalGet, 1)
	b = appendConst(b, BulkChunk)
	b = append(b, op...)
	b = addTo(b, 0, BulkChunk)
	b = addTo(b, 1, BulkChunk)
	b = addTo(b, 2, -BulkChunk)
	b = whileLarge(b, op)
	b = append(b, opEnd, opLoop, blockEmpty)
	b = m.check(b, chunkCost)
	b = addTo(b, 2, -BulkChunk)
	for i := range uint32(2) {
		b = appendOp(b, opLocalGet, i)
		b = appendOp(b, opLocalGet, 2)
		b = append(b, opI32Add)
	}
	b = appendConst(b, BulkChunk)
	b = append(b, op...)
	b = whileLarge(b, op)
	return append(b, opEnd)
}
