// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

// event is an instruction of a body that is not copied as it stands.
type event struct {
	start, end int // in the module
	kind       eventKind
	arg        uint32
	cost       uint32 // of evBack
}

type eventKind uint8

const (
	evOpen   eventKind = iota // block, if, or try_table with arg catches
	evLoop                    // arg: index into loops
	evClose                   // end
	evBranch                  // arg: label
	evBack                    // br backwards to the dispatch loop; arg: label
	evTable                   // br_table
	evCall                    // call, return_call, ref.func; arg: function
	evBulk                    // arg: opcode behind the 0xfc prefix
)

// loop is a loop instruction of the body in hand.
type loop struct {
	weight    uint64 // of the instructions in it, those of inner loops apart
	targets   uint64 // of the jump tables in it, likewise
	params    bool   // its block type has parameters
	repeated  bool   // something branches to it
	calls     bool   // it or an inner loop can change the countdown otherwise
	nested    bool   // there is a loop in it
	end       int    // event that closes it
	first     bool   // control reaches it whenever the function is entered
	dispatch  bool   // it begins with a jump table, see dispatch
	irregular bool   // a dispatch loop with branches that dispatch cannot place
	backs     int    // evBack branches to it
}

// atHeader reports whether the check is at the loop's header.
func (l *loop) atHeader() bool { return l.repeated && (!l.dispatch || l.irregular) }

// atBranches reports whether there are checks at branches back to the loop.
func (l *loop) atBranches() bool { return l.dispatch && !l.irregular && l.backs > 0 }

// checked reports whether turns of the loop are charged.
func (l *loop) checked() bool { return l.atHeader() || l.atBranches() }

// frame is an open block.
type frame struct {
	loop  int    // index into loops, or -1
	label uint32 // its index among the labels of the rewritten body
	outer int    // enclosing loop
}

// rewriter holds what the rewriting of one function body needs; its slices are
// used again for the next.
type rewriter struct {
	m      *module
	r      reader
	out    []byte
	events []event
	loops  []loop
	frames []frame

	dispatch dispatch

	total   uint64 // weight of all instructions so far
	weight  uint64 // of the instructions outside of loops
	targets uint64 // of the jump tables outside of loops
	edges   uint64 // blocks, branches and targets of tables
	calls   bool
	locals  uint32
	moves   bool   // there is a memory.copy or memory.fill
	cached  uint32 // local that mirrors the countdown
	length  uint32 // local for the length of a memory.copy or memory.fill

	// Of the writing.
	form   loopForm
	labels uint32 // open in the rewritten body
	inSync int    // open loops in which the local mirrors the countdown
	moved  bool   // there are such loops, so that labels change
	last   int    // end of what was written, in the module
}

// walk reads the instructions of a body and gathers events and loops.
func (w *rewriter) walk() {
	m, r := w.m, &w.r
	w.events, w.loops = w.events[:0], w.loops[:0]
	w.frames = append(w.frames[:0], frame{loop: -1, outer: -1})
	w.weight, w.targets, w.total, w.calls, w.moves = 0, 0, 1, false, false
	w.edges = 0
	w.dispatch.loop = -1
	inner := -1      // innermost open loop
	straight := true // no branch or call so far
	var recent [3]operation
	header := -1 // loop whose header was followed by blocks only
	for len(w.frames) > 0 {
		at := r.pos
		op := r.byte()
		if r.err != nil {
			return
		}
		weight := uint64(1)
		now := operation{op: op}
		switch operands[op] {
		case none:
			if op == opReturn || op == opUnreachable || op == opThrowRef {
				straight = false
			}
		case blockType:
			params := w.blockType()
			if op == opLoop {
				if inner >= 0 {
					w.loops[inner].nested = true
				}
				w.loops = append(w.loops, loop{first: straight, params: params})
				l := len(w.loops) - 1
				w.frames = append(w.frames, frame{loop: l, outer: inner})
				inner, header = l, l
				w.event(evLoop, at, uint32(l))
				break
			}
			if op == opIf {
				straight = false
			}
			w.frames = append(w.frames, frame{loop: -1, outer: inner})
			w.event(evOpen, at, 0)
		case tryTable:
			m.info.Features |= Exceptions
			w.blockType()
			n := r.count("catch clauses", 2)
			for i := 0; i < n && r.err == nil; i++ {
				kindAt := r.pos
				switch kind := r.byte(); kind {
				case 0, 1:
					r.u32() // tag
				case 2, 3:
				default:
					r.fail(Malformed, kindAt, "invalid catch kind %#x", kind)
				}
				w.irregular(w.label())
			}
			straight = false
			w.frames = append(w.frames, frame{loop: -1, outer: inner})
			w.event(evOpen, at, uint32(n))
		case elseOp:
		case endOp:
			f := w.frames[len(w.frames)-1]
			w.frames = w.frames[:len(w.frames)-1]
			w.passed(len(w.frames))
			if f.loop >= 0 {
				w.loops[f.loop].end = len(w.events)
				w.close(f)
				inner = f.outer
			}
			w.event(evClose, at, 0)
			weight = 0
		case label:
			if op == opBrOnNull || op == opBrOnNonNull {
				m.info.Features |= TypedReferences
			}
			straight = false
			l := w.label()
			w.event(evBranch, at, l)
			w.branch(op, l, &recent)
		case labelTable:
			n := r.count("labels", 1)
			if uint64(n)+1 > uint64(r.left()) {
				r.fail(Malformed, at, "%d labels cannot fit in the %d bytes left", n, r.left())
			}
			entry := header >= 0 && header == inner && straight && recent[0].op == opLocalGet && recent[1].op == opBlock
			if entry = entry && w.dispatch.loop < 0 && !w.loops[header].params; entry {
				w.enter(header, recent[0].arg)
			}
			for i := 0; i <= n && r.err == nil; i++ {
				l := w.label()
				w.irregular(l)
				if entry {
					w.dispatch.table = append(w.dispatch.table, len(w.frames)-1-int(l)-w.dispatch.base)
				}
			}
			straight = false
			if inner >= 0 {
				w.loops[inner].targets += uint64(n)
			} else {
				w.targets += uint64(n)
			}
			w.event(evTable, at, 0)
			w.edges += uint64(n)
		case function:
			f := m.funcIndex(r)
			if op != opRefFunc {
				if op == opReturnCall {
					m.info.Features |= TailCalls
				}
				w.call(inner)
				weight, straight = weightCall, false
			}
			w.event(evCall, at, f)
		case typeAndTable, typeIdx:
			m.typeIndex(r)
			switch op {
			case opCallIndirect:
				r.u32()
			case opReturnCallIndirect:
				r.u32()
				m.info.Features |= TailCalls
			case opReturnCallRef:
				m.info.Features |= TailCalls | TypedReferences
			case opCallRef:
				m.info.Features |= TypedReferences
			}
			w.call(inner)
			weight, straight = weightCall, false
		case local:
			now.arg = r.u32()
			if r.err == nil && now.arg >= w.locals {
				r.fail(Malformed, at, "local %d of %d", now.arg, w.locals)
			}
		case global:
			m.globalIndex(r)
		case index:
			r.u32()
			switch op {
			case opThrow:
				m.info.Features |= Exceptions
				straight = false
			case opTableSet:
				w.tableChange(at, "table.set")
			}
		case memArg:
			w.memArg()
		case const32:
			now.arg = uint32(r.signed(32))
		case const64:
			r.signed(64)
		case float32Const:
			r.bytes(4)
		case float64Const:
			r.bytes(8)
		case zeroByte:
			w.memoryIndex()
			if op == opMemoryGrow {
				weight = weightGrow
			}
		case selectTypes:
			if n := r.byte(); r.err == nil && n != 1 {
				r.fail(Malformed, at, "select with %d types", n)
			}
			if t := r.valType(m.known); t == refNull || t == refNonNull {
				m.info.Features |= TypedReferences
			}
		case heap:
			m.heapType(r)
		case misc:
			weight = w.misc(at, inner)
		case vec:
			w.vec(at)
		case atomic:
			m.info.Features |= Atomics
			switch sub := r.byte(); {
			case sub == atomicFence:
				if b := r.byte(); r.err == nil && b != 0 {
					r.fail(Malformed, at, "invalid operand of atomic.fence")
				}
			case sub <= atomicWait64, sub >= 0x10 && sub <= 0x4e:
				w.memArg()
			default:
				r.fail(Malformed, at, "invalid atomic instruction %#x", sub)
			}
		case invalid:
			switch op {
			case 0x06, 0x07, 0x09, 0x18, 0x19:
				r.fail(Unsupported, at, "legacy exception handling (instruction %#x)", op)
			case 0xfb:
				r.fail(Unsupported, at, "garbage-collected types (instruction %#x)", op)
			default:
				r.fail(Malformed, at, "invalid instruction %#x", op)
			}
		}
		if op != opLoop && op != opBlock && (op != opLocalGet || recent[0].op != opBlock) {
			header = -1
		}
		recent = [3]operation{now, recent[0], recent[1]}
		w.total += weight
		if inner >= 0 {
			w.loops[inner].weight += weight
		} else {
			w.weight += weight
		}
	}
	if r.err == nil && r.pos != r.end {
		r.fail(Malformed, r.pos, "%d bytes behind the end of a function", r.left())
	}
}

// close passes on to the code around a loop that has ended what it has to know.
func (w *rewriter) close(f frame) {
	l := &w.loops[f.loop]
	weight := uint64(0)
	if !l.atHeader() {
		// Entering the loop is not charged by the loop itself.
		weight = share(l.weight, l.targets)
	}
	if f.outer < 0 {
		w.weight += weight
		return
	}
	outer := &w.loops[f.outer]
	outer.weight += weight
	outer.calls = outer.calls || l.calls
}

func (w *rewriter) event(kind eventKind, at int, arg uint32) {
	w.events = append(w.events, event{start: at, end: w.r.pos, kind: kind, arg: arg})
	if kind == evOpen || kind == evLoop || kind == evBranch {
		w.edges++
	}
}

// call notes that the code in hand can change the countdown by what it calls.
func (w *rewriter) call(inner int) {
	w.calls = true
	if inner >= 0 {
		w.loops[inner].calls = true
	}
}

// blockType reads the type of a block and reports whether it has parameters.
func (w *rewriter) blockType() (params bool) {
	r := &w.r
	at := r.pos
	switch t := r.signed(33); t {
	case -64, -1, -2, -3, -4, -5, -16, -17, -23: // empty, i32 i64 f32 f64 v128 funcref externref exnref
	case -28, -29: // typed references
		r.heapType(w.m.known)
		w.m.info.Features |= TypedReferences
	default:
		if r.err == nil && (t < 0 || t >= int64(w.m.known)) {
			r.fail(Malformed, at, "invalid block type %d", t)
		}
		params = r.err == nil && len(w.m.types[t].Params) > 0
	}
	return params
}

// label reads a label and notes when it is that of a loop.
func (w *rewriter) label() uint32 {
	at := w.r.pos
	l := w.r.u32()
	if w.r.err != nil {
		return 0
	}
	if uint64(l) >= uint64(len(w.frames)) {
		w.r.fail(Malformed, at, "label %d of %d", l, len(w.frames))
		return 0
	}
	if t := w.frames[len(w.frames)-1-int(l)].loop; t >= 0 {
		w.loops[t].repeated = true
	}
	return l
}

func (w *rewriter) memArg() {
	at := w.r.pos
	if align := w.r.u32(); w.r.err == nil && align >= 32 {
		if align&0x40 != 0 {
			w.r.fail(Unsupported, at, "more than one memory")
		} else {
			w.r.fail(Malformed, at, "alignment 2^%d", align)
		}
	}
	w.r.u32()
}

// memoryIndex reads the index of the one memory.
func (w *rewriter) memoryIndex() {
	at := w.r.pos
	if b := w.r.byte(); w.r.err == nil && b != 0 {
		w.r.fail(Unsupported, at, "more than one memory")
	}
}

// tableChange refuses what changes a table, which a snapshot does not hold.
func (w *rewriter) tableChange(at int, what string) {
	if w.m.opt.Snapshot {
		w.r.fail(Unsupported, at, "%s in a module to be snapshot: tables are not part of it", what)
	}
}

// misc reads the rest of an instruction with the prefix 0xfc.
func (w *rewriter) misc(at, inner int) uint64 {
	m, r := w.m, &w.r
	sub := r.u32()
	segment := func(need byte, what string) {
		r.u32()
		if !m.sections[need].present && r.err == nil {
			r.fail(Malformed, at, "%s without a %s section", what, sectionNames[need])
		}
	}
	switch sub {
	case 0, 1, 2, 3, 4, 5, 6, 7: // saturating conversions
		return 1
	case miscMemoryInit:
		segment(secDataCount, "memory.init")
		w.memoryIndex()
	case miscDataDrop:
		segment(secDataCount, "data.drop")
		return 1
	case miscMemoryCopy:
		w.memoryIndex()
		w.memoryIndex()
		w.moves = true
	case miscMemoryFill:
		w.memoryIndex()
		w.moves = true
	case miscTableInit:
		r.u32()
		r.u32()
		w.tableChange(at, "table.init")
	case miscElemDrop:
		r.u32()
		return 1
	case miscTableCopy:
		r.u32()
		r.u32()
		w.tableChange(at, "table.copy")
	case miscTableGrow:
		r.u32()
		w.tableChange(at, "table.grow")
	case miscTableSize:
		r.u32()
		return 1
	case miscTableFill:
		r.u32()
		w.tableChange(at, "table.fill")
	default:
		r.fail(Malformed, at, "invalid instruction 0xfc %#x", sub)
		return 1
	}
	// These call a helper, which changes the countdown but checks it itself:
	// they do not make a function one that calls others.
	if inner >= 0 {
		w.loops[inner].calls = true
	}
	w.event(evBulk, at, sub)
	return weightBulk
}

// vec reads the rest of a vector instruction. The opcode is a LEB128 number;
// wazero takes its first byte only, so nothing but the shortest form will do.
func (w *rewriter) vec(at int) {
	r := &w.r
	sub := r.byte()
	if sub >= 0x80 {
		if next := r.byte(); r.err == nil && next != 1 {
			if next >= 2 && next < 0x80 {
				r.fail(Unsupported, at, "relaxed or unknown vector instruction %#x", uint32(sub&0x7f)|uint32(next)<<7)
			} else {
				r.fail(Malformed, at, "vector instruction number is not in its shortest form")
			}
		}
	}
	switch {
	case sub == vecConst:
		r.bytes(16)
		return
	case sub == vecConst+1: // i8x16.shuffle
		r.bytes(16)
		return
	}
	o, lane := vecOperand(sub)
	if o == memArg {
		w.memArg()
	}
	if lane {
		r.byte()
	}
}

// function rewrites one entry of the code section.
func (w *rewriter) function(typ uint32) {
	m, r := w.m, &w.r
	at := r.pos
	if r.left() > maxBody {
		r.fail(Limit, at, "function of %d bytes, at most %d are accepted", r.left(), maxBody)
	}
	groups := r.count("groups of locals", 2)
	params := uint32(len(m.types[typ].Params))
	total := uint64(0)
	localsAt := r.pos
	for i := 0; i < groups && r.err == nil; i++ {
		n := r.u32()
		r.valType(m.known)
		if total += uint64(n); total > maxLocals {
			r.fail(Limit, at, "function with %d locals, at most %d are accepted", total, maxLocals)
		}
	}
	if m.locals += total; m.locals > baseLocals+uint64(len(m.bin)) {
		r.fail(Limit, at, "%d locals in all functions, at most %d are accepted", m.locals, baseLocals+len(m.bin))
	}
	if r.err != nil {
		return
	}
	w.locals = params + uint32(total)
	codeAt := r.pos
	w.walk()
	if n := w.edges * uint64(w.locals+1); w.edges > maxEdges || n > maxEdgeLocals {
		r.fail(Limit, at, "function of %d blocks and branches over %d locals is too complex", w.edges, w.locals)
	}
	if r.err != nil {
		return
	}

	covered, cached := false, false
	for i := range w.loops {
		l := &w.loops[i]
		if l.checked() {
			covered = covered || l.first && l.atHeader()
			if w.form != formGlobal && !l.calls {
				cached = true
			}
		}
	}
	extra, added := w.locals, make([]byte, 0, 4)
	if cached {
		w.cached = extra
		added = append(added, 1, byte(I64))
		extra++
	}
	if w.moves {
		w.length = extra
		added = append(added, 1, byte(I32))
	}
	w.out = appendU32(w.out[:0], uint32(groups+len(added)/2))
	w.out = append(w.out, m.bin[localsAt:codeAt]...)
	w.out = append(w.out, added...)
	if !covered && (w.calls || w.weight >= leafWeight) {
		w.out = m.check(w.out, cost(share(w.weight, w.targets)))
	}
	w.emit(codeAt)
}
