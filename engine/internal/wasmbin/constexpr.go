// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

// constExpr reads a constant expression to its end and appends it to out with
// function indices shifted.
func (m *module) constExpr(r *reader, out []byte) []byte {
	return m.constExprOf(r, out, uint32(len(m.globals)))
}

// constExprOf is constExpr for an expression that may use the first globals
// only.
func (m *module) constExprOf(r *reader, out []byte, globals uint32) []byte {
	for {
		at := r.pos
		op := r.byte()
		if r.err != nil {
			return out
		}
		switch op {
		case opEnd:
			return append(out, op)
		case opI32Const:
			r.signed(32)
		case opI64Const:
			r.signed(64)
		case opF32Const:
			r.bytes(4)
		case opF64Const:
			r.bytes(8)
		case opVec:
			if sub := r.byte(); r.err == nil && sub != vecConst {
				r.fail(Malformed, at, "vector instruction %#x in a constant expression", sub)
			}
			r.bytes(16)
		case opI32Add, opI32Sub, opI32Mul, opI64Add, opI64Sub, opI64Mul:
			m.info.Features |= ExtendedConst
		case opGlobalGet:
			g := r.u32()
			if r.err == nil && g >= globals {
				r.fail(Malformed, at, "global index %d of %d in a constant expression", g, globals)
			}
			if g >= m.importedGlobals {
				m.info.Features |= ExtendedConst
			}
		case opRefNull:
			m.heapType(r)
		case opRefFunc:
			f := m.funcIndex(r)
			if r.err == nil {
				out = append(out, op)
				out = appendU32(out, m.shift(f))
			}
			continue
		default:
			r.fail(Malformed, at, "instruction %#x in a constant expression", op)
		}
		if r.err == nil {
			out = append(out, m.bin[at:r.pos]...)
		}
	}
}

// heapType reads the operand of ref.null.
func (m *module) heapType(r *reader) {
	if r.pos < r.end {
		switch ValType(r.mod[r.pos]) {
		case FuncRef, ExternRef, ExnRef:
			r.byte()
			return
		}
	}
	m.typeIndex(r)
	m.info.Features |= TypedReferences
}
