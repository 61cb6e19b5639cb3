// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

// appendOp appends an instruction with one index.
func appendOp(b []byte, op byte, index uint32) []byte {
	return appendU32(append(b, op), index)
}

// charge appends code that lowers the countdown, and the local that mirrors it,
// and yields when it is negative then: at the header of the loop around the loop,
// which is label outer and has parameters or not.
func (w *rewriter) charge(out []byte, cost int64, outer uint32, params bool) []byte {
	out = appendOp(out, opLocalGet, w.cached)
	out = append(out, opI64Const)
	out = appendSigned(out, cost)
	out = append(out, opI64Sub)
	out = appendOp(out, opLocalTee, w.cached)
	out = appendOp(out, opGlobalSet, uint32(len(w.m.globals)))
	out = appendOp(out, opLocalGet, w.cached)
	out = append(out, opI64Const, 0, opI64LtS)
	if params {
		return appendOp(out, opBrIf, outer)
	}
	// Better than br_if: wazero joins the comparison with the branch of an if.
	out = append(out, opIf, blockEmpty)
	out = appendOp(out, opBr, outer+1)
	return append(out, opEnd)
}

// yieldCached appends a call of yield when the local that mirrors the countdown
// is negative, and a load of its new value.
func (w *rewriter) yieldCached(out []byte) []byte {
	m := w.m
	out = appendOp(out, opLocalGet, w.cached)
	out = append(out, opI64Const, 0, opI64LtS, opIf, blockEmpty)
	out = appendOp(out, opCall, m.importedFuncs)
	out = appendOp(out, opGlobalGet, uint32(len(m.globals)))
	out = appendOp(out, opLocalSet, w.cached)
	return append(out, opEnd)
}

// check appends code that lowers the countdown by cost and calls yield when it
// is negative then.
func (m *module) check(out []byte, cost int64) []byte {
	out = append(out, opI64Const)
	out = appendSigned(out, -cost)
	return m.checkSum(out)
}

// checkSum appends code that adds the i64 on the stack to the countdown and
// calls yield when it is negative then.
func (m *module) checkSum(out []byte) []byte {
	m.info.Checks++
	countdown := uint32(len(m.globals))
	out = appendOp(out, opGlobalGet, countdown)
	out = append(out, opI64Add)
	out = appendOp(out, opGlobalSet, countdown)
	out = appendOp(out, opGlobalGet, countdown)
	out = append(out, opI64Const, 0, opI64LtS, opIf, blockEmpty)
	out = appendOp(out, opCall, m.importedFuncs)
	return append(out, opEnd)
}
