// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

// dispatch describes the shape that Go's compiler gives to a function: a loop
// that begins with blocks and a jump table over the number of the next basic
// block, held in a local. A jump sets the local and branches to the loop. Where
// the number is a constant, the block it stands for tells a jump forward, which
// needs no check, from one backward.
type dispatch struct {
	loop   int      // index into loops, or -1
	base   int      // index of the first block's frame
	local  uint32   // holds the number
	table  []int    // number to block, counted from base; -1: none of them
	passed []uint64 // per block: weight of the body up to its end, 0 while it is open
}

// operation is an instruction with its operand, as far as dispatch needs it.
type operation struct {
	op  byte
	arg uint32
}

// enter notes that the jump table in hand is the one at the header of loop l.
func (w *rewriter) enter(l int, local uint32) {
	d := &w.dispatch
	d.loop, d.local = l, local
	d.base = len(w.frames)
	for w.frames[d.base-1].loop != l {
		d.base--
	}
	d.table = d.table[:0]
	d.passed = append(d.passed[:0], make([]uint64, len(w.frames)-d.base)...)
	w.loops[l].dispatch = true
}

// passed notes that the frame with the given index has ended.
func (w *rewriter) passed(index int) {
	d := &w.dispatch
	// Later frames may have the same index, so that only the first counts.
	if i := index - d.base; d.loop >= 0 && i >= 0 && i < len(d.passed) && d.passed[i] == 0 {
		d.passed[i] = w.total
	}
}

// irregular notes a branch to label l whose place dispatch cannot tell.
func (w *rewriter) irregular(l uint32) {
	if w.r.err != nil {
		return
	}
	if t := w.frames[len(w.frames)-1-int(l)].loop; t >= 0 {
		w.loops[t].irregular = true
	}
}

// branch sorts a branch to label l, which is the last event.
func (w *rewriter) branch(op byte, l uint32, recent *[3]operation) {
	d := &w.dispatch
	if w.r.err != nil || d.loop < 0 || w.frames[len(w.frames)-1-int(l)].loop != d.loop {
		return
	}
	if op != opBr {
		w.loops[d.loop].irregular = true
		return
	}
	from := uint64(0)
	if recent[0] == (operation{opLocalSet, d.local}) && recent[1].op == opI32Const {
		number := min(int64(recent[1].arg), int64(len(d.table)-1))
		if b := d.table[number]; b >= 0 && b < len(d.passed) {
			if d.passed[b] == 0 {
				return // forward
			}
			from = d.passed[b]
		}
	}
	w.loops[d.loop].backs++
	ev := &w.events[len(w.events)-1]
	ev.kind, ev.cost = evBack, uint32(cost(share(w.total-from, 0)))
}
