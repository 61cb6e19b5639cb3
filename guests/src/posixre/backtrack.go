// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package posixre

import "unicode/utf8"

// Limits of a search with back-references.
const (
	maxSteps   = 1 << 24
	maxStack   = 1 << 22 // entries
	memoSteps  = 1 << 11 // before states are remembered
	maxMemo    = 1 << 20
	maxVisited = 1 << 28 // pairs of instruction and position
)

// backtracker explores a program with captures.
type backtracker struct {
	prog    *prog
	slots   []int
	best    []int
	stack   []choice
	visited []uint64
	choices []int32 // number of each iSplit among them
	splits  int
	memo    map[uint64]struct{}
	steps   int
}

// choice is what is left to try: instruction pc at pos, or with pc < 0, after
// which slot -pc-1 gets back its value pos.
type choice struct {
	pc  int32
	pos int
}

func (re *Regexp) backtrack() error {
	t := &re.bt
	if t.prog != nil {
		return nil
	}
	if re.capture == nil {
		p, err := re.comp.compile(re.tree, false, true, re.groups)
		if err != nil {
			return err
		}
		re.capture = p
	}
	t.prog = re.capture
	t.choices = make([]int32, len(t.prog.inst))
	t.splits = 0
	for i := range t.prog.inst {
		if t.prog.inst[i].op == iSplit {
			t.choices[i] = int32(t.splits)
			t.splits++
		}
	}
	t.slots = make([]int, t.prog.slots)
	t.best = make([]int, t.prog.marks)
	return nil
}

// captures finds the bounds of the groups in the match b[s:e].
func (re *Regexp) captures(b []byte, s, e int, loc []int) error {
	if err := re.backtrack(); err != nil {
		return err
	}
	t := &re.bt
	n := e - s + 1
	bits := t.splits * n
	if t.splits > 0 && n > maxVisited/t.splits {
		return ErrTooComplex
	}
	words := (bits + 63) / 64
	if cap(t.visited) < words {
		t.visited = make([]uint64, words)
	} else {
		t.visited = t.visited[:words]
		clear(t.visited)
	}
	for i := range t.slots {
		t.slots[i] = -1
	}
	t.stack = t.stack[:0]
	abc := re.abc
	pc, pos := t.prog.start, s
	for {
		in := &t.prog.inst[pc]
		ok := true
		switch in.op {
		case iSym, iSet:
			if pos >= e {
				ok = false
				break
			}
			col, w := abc.next(b, pos)
			if in.op == iSym {
				ok = in.arg == col
			} else {
				ok = re.setBits[in.arg][col/64]>>(col%64)&1 != 0
			}
			pos += w
			pc = in.out
		case iSplit:
			k := int(t.choices[pc])*n + pos - s
			if t.visited[k/64]>>(k%64)&1 != 0 {
				ok = false
				break
			}
			t.visited[k/64] |= 1 << (k % 64)
			t.stack = append(t.stack, choice{in.arg, pos})
			pc = in.out
		case iAssert:
			ok = holds(in.arg, re.factsBefore(b, pos), re.factsAfter(b, pos))
			pc = in.out
		case iSave, iMark:
			t.save(in.arg, pos)
			pc = in.out
		case iCheck:
			ok = t.slots[in.arg] != pos
			pc = in.out
		case iMatch:
			if pos == e {
				re.store(loc, t.slots[:t.prog.marks], s, e)
				return nil
			}
			ok = false
		default:
			ok = false
		}
		if ok {
			continue
		}
		if pc, pos, ok = t.pop(); !ok {
			// The automata have found this match, so this is not reached.
			return ErrBadPattern
		}
	}
}

func (t *backtracker) save(slot int32, pos int) {
	if len(t.stack) > 0 {
		t.stack = append(t.stack, choice{-slot - 1, t.slots[slot]})
	}
	t.slots[slot] = pos
}

func (t *backtracker) pop() (pc int32, pos int, ok bool) {
	for len(t.stack) > 0 {
		c := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		if c.pc >= 0 {
			return c.pc, c.pos, true
		}
		t.slots[-c.pc-1] = c.pos
	}
	return 0, 0, false
}

// findBackref searches as Find does for a pattern with back-references.
func (re *Regexp) findBackref(b []byte, pos int, loc []int) (bool, error) {
	if re.anchored && pos > 0 {
		return false, nil
	}
	if err := re.backtrack(); err != nil {
		return false, err
	}
	t := &re.bt
	t.steps = 0
	if re.firstEnd(re.test, b, pos) < 0 {
		return false, nil
	}
	for {
		if len(re.prefix) > 0 {
			if pos = re.prefixAt(b, pos); pos < 0 {
				return false, nil
			}
		}
		end, err := re.longestAt(b, pos)
		if err != nil {
			return false, err
		}
		if end >= 0 {
			re.store(loc, t.best, pos, end)
			return true, nil
		}
		if pos == len(b) || re.anchored {
			return false, nil
		}
		_, w := re.abc.next(b, pos)
		pos += w
	}
}

// longestAt returns the end of the longest match that begins at b[s], or -1, and
// leaves its groups in best.
func (re *Regexp) longestAt(b []byte, s int) (int, error) {
	t := &re.bt
	abc := re.abc
	for i := range t.slots {
		t.slots[i] = -1
	}
	t.stack = t.stack[:0]
	clear(t.memo)
	began := t.steps
	last := -1
	pc, pos := t.prog.start, s
	for {
		t.steps++
		in := &t.prog.inst[pc]
		ok := true
		switch in.op {
		case iSym, iSet:
			if pos >= len(b) {
				ok = false
				break
			}
			col, w := abc.next(b, pos)
			if in.op == iSym {
				ok = in.arg == col
			} else {
				ok = re.setBits[in.arg][col/64]>>(col%64)&1 != 0
			}
			pos += w
			pc = in.out
		case iSplit:
			if t.steps > maxSteps || len(t.stack) > maxStack {
				return -1, ErrTooComplex
			}
			if t.steps-began > memoSteps && t.seen(re.backrefs, pc, pos) {
				ok = false
				break
			}
			t.stack = append(t.stack, choice{in.arg, pos})
			pc = in.out
		case iAssert:
			ok = holds(in.arg, re.factsBefore(b, pos), re.factsAfter(b, pos))
			pc = in.out
		case iSave, iMark:
			t.save(in.arg, pos)
			pc = in.out
		case iCheck:
			// A group that a back-reference names may well be empty.
			if pc = in.out; t.slots[in.arg] == pos {
				pc = t.prog.exits[in.arg-t.prog.marks]
			}
		case iBackref:
			from, to := t.slots[2*in.arg], t.slots[2*in.arg+1]
			var w int
			if ok = from >= 0 && to >= from; ok {
				w, ok = re.sameText(b[from:to], b[pos:])
				pos += w
			}
			pc = in.out
		case iMatch:
			if pos > last {
				last = pos
				copy(t.best, t.slots)
			}
			if pos == len(b) {
				return last, nil
			}
			ok = false
		default:
			ok = false
		}
		if ok {
			continue
		}
		if pc, pos, ok = t.pop(); !ok {
			return last, nil
		}
	}
}

// seen reports whether the search was in this state before, in which case it can
// only find the same ends again, and notes it.
func (t *backtracker) seen(backrefs uint32, pc int32, pos int) bool {
	h := uint64(14695981039346656037)
	mix := func(v uint64) {
		h = (h ^ v) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	mix(uint64(pc))
	mix(uint64(pos))
	for i := int32(0); i < t.prog.slots; i++ {
		if i >= t.prog.marks || i/2 > 30 || backrefs>>(i/2)&1 != 0 {
			mix(uint64(t.slots[i]))
		}
	}
	if _, ok := t.memo[h]; ok {
		return true
	}
	if len(t.memo) < maxMemo {
		if t.memo == nil {
			t.memo = make(map[uint64]struct{})
		}
		t.memo[h] = struct{}{}
	}
	return false
}

// sameText reports whether b begins with the text s, apart from case with
// ICase, and returns how much of b that is.
func (re *Regexp) sameText(s, b []byte) (int, bool) {
	if re.flags&ICase == 0 {
		if len(s) > len(b) {
			return 0, false
		}
		return len(s), string(s) == string(b[:len(s)])
	}
	n := 0
	for len(s) > 0 {
		if n >= len(b) {
			return 0, false
		}
		x, y := s[0], b[n]
		if x < utf8.RuneSelf && y < utf8.RuneSelf || re.flags&Bytes != 0 {
			if x != y && (x|0x20 != y|0x20 || x|0x20 < 'a' || x|0x20 > 'z') {
				return 0, false
			}
			s = s[1:]
			n++
			continue
		}
		r, w := utf8.DecodeRune(s)
		q, v := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && w <= 1 || q == utf8.RuneError && v <= 1 {
			if x != y || w != v {
				return 0, false
			}
		} else if r != q && !(symset{{int32(r), int32(r)}}).fold(false).has(int32(q)) {
			return 0, false
		}
		s = s[w:]
		n += v
	}
	return n, true
}
