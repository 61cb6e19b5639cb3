// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

// Forms of the check at the header of a loop that makes no calls.
type loopForm uint8

const (
	formSplit  loopForm = iota // cached in a local, yield in a loop around the loop, small loops unrolled
	formNoCopy                 // the same without unrolling
	formGlobal                 // as in loops that make calls
)

// Loops are unrolled up to maxCopies times while the weight of the copies is
// within unrollWeight, if their code is within unrollBytes. The check, which
// may take longer than the body of a tight loop, is then made once for all of
// them.
const (
	maxCopies    = 4
	unrollWeight = 64
	unrollBytes  = 128
)

// copies returns how many times the body of a loop is written.
func (w *rewriter) copies(l *loop, codeBytes int) int {
	if w.form != formSplit || l.nested || l.params || !l.atHeader() || codeBytes > unrollBytes {
		return 1
	}
	return max(1, min(maxCopies, unrollWeight/int(min(l.weight, unrollWeight)+1)))
}

// emit writes the instructions of a body, from codeAt to the end, with checks,
// shifted function indices and adjusted labels.
func (w *rewriter) emit(codeAt int) {
	w.frames = append(w.frames[:0], frame{loop: -1})
	w.labels, w.inSync, w.moved, w.last = 1, 0, false, codeAt
	w.replay(0, len(w.events))
	w.copyTo(w.r.pos)
}

// copyTo copies the code in front of at that was not written yet.
func (w *rewriter) copyTo(at int) {
	w.out = append(w.out, w.m.bin[w.last:at]...)
	w.last = at
}

// target maps a label of the original at this place to the rewritten body's.
func (w *rewriter) target(l uint32) uint32 {
	return w.labels - 1 - w.frames[len(w.frames)-1-int(l)].label
}

// open notes a label of the original in the rewritten body.
func (w *rewriter) open(f frame) {
	f.label = w.labels
	w.frames = append(w.frames, f)
	w.labels++
}

// replay writes the given events and the code between them.
func (w *rewriter) replay(from, to int) {
	m := w.m
	for i := from; i < to; i++ {
		ev := &w.events[i]
		w.copyTo(ev.start)
		w.last = ev.end
		whole := m.bin[ev.start:ev.end]
		switch ev.kind {
		case evOpen:
			if ev.arg == 0 || !w.moved {
				w.out = append(w.out, whole...)
			} else {
				w.catches(ev)
			}
			w.open(frame{loop: -1})
		case evLoop:
			i = w.loop(i)
		case evClose:
			f := w.frames[len(w.frames)-1]
			w.frames = w.frames[:len(w.frames)-1]
			w.labels--
			w.out = append(w.out, opEnd)
			if f.outer == splitLoop {
				w.labels--
				w.out = append(w.out, opEnd)
				w.inSync--
				w.moved = w.inSync > 0
			}
		case evBack:
			if l := &w.loops[w.dispatch.loop]; l.atBranches() {
				if l.calls || w.form == formGlobal {
					w.out = m.check(w.out, int64(ev.cost))
				} else {
					w.out = w.charge(w.out, int64(ev.cost), w.target(ev.arg)+1, false)
				}
			}
			w.out = appendOp(w.out, opBr, w.target(ev.arg))
		case evBranch:
			w.out = appendOp(w.out, m.bin[ev.start], w.target(ev.arg))
		case evTable:
			if !w.moved {
				w.out = append(w.out, whole...)
				break
			}
			r := reader{mod: m.bin, pos: ev.start + 1, end: ev.end}
			n := r.u32()
			w.out = appendOp(w.out, opBrTable, n)
			for range n + 1 {
				w.out = appendU32(w.out, w.target(r.u32()))
			}
		case evCall:
			w.out = appendOp(w.out, m.bin[ev.start], m.shift(ev.arg))
		case evBulk:
			w.bulk(ev)
		}
	}
}

// splitLoop marks, as outer of a frame, a loop that is written within another.
const splitLoop = 1

// loop writes the start of a loop, which is event i, or all of it when it is
// unrolled, and returns the last event written.
func (w *rewriter) loop(i int) int {
	m, ev := w.m, &w.events[i]
	l := &w.loops[ev.arg]
	whole := m.bin[ev.start:ev.end]
	if l.checked() {
		m.info.Loops++
	}
	if !l.checked() || l.calls || w.form == formGlobal {
		w.out = append(w.out, whole...)
		if l.atHeader() {
			w.out = m.check(w.out, cost(share(l.weight, l.targets)))
		}
		w.open(frame{loop: int(ev.arg)})
		return i
	}

	m.info.Checks++
	if w.inSync == 0 {
		w.out = appendOp(w.out, opGlobalGet, uint32(len(m.globals)))
		w.out = appendOp(w.out, opLocalSet, w.cached)
	}
	w.inSync++
	w.moved = true
	end := &w.events[l.end]
	n := w.copies(l, end.start-ev.end)
	if n > 1 {
		// Branching to this block ends the loop from a copy that is not the last.
		w.out = append(append(w.out, opBlock), whole[1:]...)
		w.labels++
	}
	w.out = append(w.out, whole...)
	w.out = w.yieldCached(w.out)
	w.labels++
	w.out = append(w.out, whole...)
	if l.atHeader() {
		w.out = w.charge(w.out, cost(share(l.weight, l.targets)*uint64(n)), 1, l.params)
	}
	if n == 1 {
		w.open(frame{loop: int(ev.arg), outer: splitLoop})
		return i
	}

	w.labels++ // the loop's own, which the last copy goes to
	for range n - 1 {
		w.out = append(w.out, opBlock, blockEmpty)
		w.open(frame{loop: int(ev.arg)})
		w.last = ev.end
		w.replay(i+1, l.end)
		w.copyTo(end.start)
		w.frames = w.frames[:len(w.frames)-1]
		w.out = append(w.out, opBr, 3, opEnd)
		w.labels--
	}
	w.labels--
	w.open(frame{loop: int(ev.arg)})
	w.last = ev.end
	w.replay(i+1, l.end)
	w.copyTo(end.start)
	w.frames = w.frames[:len(w.frames)-1]
	w.out = append(w.out, opEnd, opEnd, opEnd)
	w.labels -= 3
	w.last = end.end
	w.inSync--
	w.moved = w.inSync > 0
	return l.end
}

// bulk writes a bulk instruction with what charges for it.
func (w *rewriter) bulk(ev *event) {
	m := w.m
	whole := m.bin[ev.start:ev.end]
	switch ev.arg {
	case miscMemoryCopy, miscMemoryFill:
		h := helperCopy
		if ev.arg == miscMemoryFill {
			h = helperFill
		}
		f := m.helper(h)
		w.out = appendOp(w.out, opLocalTee, w.length)
		w.out = appendOp(w.out, opLocalGet, w.length)
		w.out = appendConst(w.out, freeBytes)
		w.out = append(w.out, opI32GtU, opIf)
		w.out = appendSigned(w.out, int64(m.addType([]ValType{I32, I32, I32}, nil)))
		w.out = appendOp(w.out, opCall, f)
		w.out = append(w.out, opElse)
		w.out = append(w.out, whole...)
		w.out = append(w.out, opEnd)
	default:
		h := helperEntries
		if ev.arg == miscMemoryInit {
			h = helperBytes
		}
		w.out = appendOp(w.out, opCall, m.helper(h))
		w.out = append(w.out, whole...)
	}
}

// catches writes a try_table whose labels change. They count from outside of
// the block.
func (w *rewriter) catches(ev *event) {
	r := reader{mod: w.m.bin, pos: ev.start + 1, end: ev.end}
	if t := r.signed(33); t == -28 || t == -29 {
		r.signed(33)
	}
	n := r.u32()
	w.out = append(w.out, w.m.bin[ev.start:r.pos]...)
	for range n {
		kind := r.byte()
		w.out = append(w.out, kind)
		if kind < 2 {
			w.out = appendU32(w.out, r.u32())
		}
		w.out = appendU32(w.out, w.target(r.u32()))
	}
}
