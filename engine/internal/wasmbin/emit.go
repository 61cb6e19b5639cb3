// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

// Forms of the check at the header of a loop that makes no calls.
type loopForm uint8

const (
	formSplit  loopForm = iota // cached in a local, yield in a loop around the loop
	formLocal                  // cached in a local, yield in the loop
	formGlobal                 // as in loops that make calls
)

// emit writes the instructions of a body, from codeAt to the end, with checks,
// shifted function indices and adjusted labels.
func (w *rewriter) emit(codeAt int) {
	m, out := w.m, w.out
	countdown := uint32(len(m.globals))
	w.frames = append(w.frames[:0], frame{loop: -1})
	labels := uint32(1) // open in the rewritten body
	inSync := 0         // open loops in which the local mirrors the countdown
	moved := false      // whether some open loop has two labels
	last := codeAt
	target := func(l uint32) uint32 {
		return labels - 1 - w.frames[len(w.frames)-1-int(l)].label
	}
	for i := range w.events {
		ev := &w.events[i]
		out = append(out, m.bin[last:ev.start]...)
		last = ev.end
		switch ev.kind {
		case evOpen:
			if ev.arg == 0 || !moved {
				out = append(out, m.bin[ev.start:ev.end]...)
			} else {
				out = w.catches(out, ev, target)
			}
			w.frames = append(w.frames, frame{loop: -1, label: labels})
			labels++
		case evLoop:
			l := &w.loops[ev.arg]
			f := frame{loop: int(ev.arg), label: labels}
			whole := m.bin[ev.start:ev.end]
			if l.checked() {
				m.info.Loops++
			}
			switch {
			case !l.checked():
				out = append(out, whole...)
			case l.calls || m.opt.form == formGlobal:
				out = append(out, whole...)
				if l.atHeader() {
					out = m.check(out, clampCost(l.share()))
				}
			default:
				m.info.Checks++
				if inSync == 0 {
					out = appendOp(out, opGlobalGet, countdown)
					out = appendOp(out, opLocalSet, w.cached)
				}
				inSync++
				if m.opt.form == formSplit {
					out = append(out, whole...)
					out = w.yieldCached(out)
					labels++
					f.label, f.outer = labels, 1
					moved = true
				}
				out = append(out, whole...)
				if l.atHeader() {
					out = w.charge(out, clampCost(l.share()), 1, l.params)
				}
			}
			w.frames = append(w.frames, f)
			labels++
		case evClose:
			f := w.frames[len(w.frames)-1]
			w.frames = w.frames[:len(w.frames)-1]
			labels--
			out = append(out, opEnd)
			if f.loop >= 0 {
				l := &w.loops[f.loop]
				if l.checked() && !l.calls && m.opt.form != formGlobal {
					inSync--
				}
				if f.outer == 1 {
					labels--
					out = append(out, opEnd)
				}
				moved = moved && (inSync > 0)
			}
		case evBack:
			if l := &w.loops[w.dispatch.loop]; l.atBranches() {
				if l.calls || m.opt.form == formGlobal {
					out = m.check(out, int64(ev.cost))
				} else {
					out = w.charge(out, int64(ev.cost), target(ev.arg)+1, false)
				}
			}
			out = appendOp(out, opBr, target(ev.arg))
		case evBranch:
			out = appendOp(out, m.bin[ev.start], target(ev.arg))
		case evTable:
			if !moved {
				out = append(out, m.bin[ev.start:ev.end]...)
				break
			}
			r := reader{mod: m.bin, pos: ev.start + 1, end: ev.end}
			n := r.u32()
			out = appendOp(out, opBrTable, n)
			for range n + 1 {
				out = appendU32(out, target(r.u32()))
			}
		case evCall:
			out = appendOp(out, m.bin[ev.start], m.shift(ev.arg))
		case evBulk:
			switch ev.arg {
			case miscMemoryCopy:
				out = appendOp(out, opCall, m.helper(helperCopy))
			case miscMemoryFill:
				out = appendOp(out, opCall, m.helper(helperFill))
			default:
				h := helperEntries
				if ev.arg == miscMemoryInit {
					h = helperBytes
				}
				out = appendOp(out, opCall, m.helper(h))
				out = append(out, m.bin[ev.start:ev.end]...)
			}
		}
	}
	w.out = append(out, m.bin[last:w.r.pos]...)
}

// catches writes a try_table whose labels change. They count from outside of
// the block.
func (w *rewriter) catches(out []byte, ev *event, target func(uint32) uint32) []byte {
	m := w.m
	r := reader{mod: m.bin, pos: ev.start + 1, end: ev.end}
	if t := r.signed(33); t == -28 || t == -29 {
		r.signed(33)
	}
	n := r.u32()
	out = append(out, m.bin[ev.start:r.pos]...)
	for range n {
		kind := r.byte()
		out = append(out, kind)
		if kind < 2 {
			out = appendU32(out, r.u32())
		}
		out = appendU32(out, target(r.u32()))
	}
	return out
}

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
	if w.m.opt.form != formSplit {
		return w.yieldCached(out)
	}
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
