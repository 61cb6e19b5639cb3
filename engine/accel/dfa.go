// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package accel

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Automaton runs a table over a text. The exported fields are those of
// abi.DFASize, pointers with lengths being slices.
type Automaton struct {
	Trans   []byte // numbers of 32 bits; filled in from Wide
	Wide    []byte // numbers of 32 bits
	Columns uint32
	Classes []byte // 256, else nothing is known
	Multi   uint32
	Low     []byte // numbers of 32 bits
	Class   []byte // as many
	Flags   []byte // by state
	Text    []byte
	Needle  []byte
	Fold    bool // Needle is in lower case and stands for all cases of ASCII letters
	Out     []byte
	Mode    uint32
	EOL     byte
	Start   uint32
	Inner   uint32
	Pos     int
	State   uint32
	Last    int
	N       int

	find  needle
	waste int       // DFAMatches: bytes that were read for nothing
	line  int       // DFALines: start of a line that holds or precedes Pos
	leave [256]bool // bytes that lead out of the state start
	skips bool      // leave is filled in
}

// skipWorth is the length of texts that are worth finding out which bytes lead
// out of the state start.
const skipWorth = 1 << 10

// at returns an entry of a table, 0 where it is not there.
func at(table []byte, i uint64) int32 {
	if i >= uint64(len(table))/4 {
		return 0
	}
	return int32(binary.LittleEndian.Uint32(table[4*i:]))
}

// look returns the transition for the symbol at Pos, in text, and its size.
func (a *Automaton) look(text []byte) (t int32, size int) {
	b := text[a.Pos]
	c, size := uint32(a.Classes[b]), 1
	long := c == a.Multi
	if long {
		c, size = a.symbol(text[a.Pos:])
	}
	t = at(a.Wide, uint64(a.State>>8)*uint64(a.Columns)+uint64(c))
	if k := uint64(a.State) + uint64(b); !long && k < uint64(len(a.Trans))/4 {
		binary.LittleEndian.PutUint32(a.Trans[4*k:], uint32(t))
	}
	return t, size
}

// Begin is to be called once the fields are set, before Run.
func (a *Automaton) Begin() {
	a.find = newNeedle(a.Needle, a.Fold)
	a.N, a.skips, a.line, a.waste = 0, false, 0, 0
	if a.State == 0 {
		a.line = a.Pos
	}
}

// Run works on about limit bytes and returns why it stopped; more is true where
// limit is the only reason.
//
// A table made to harm does no more than make Run return early: every step
// reads entries inside the tables and moves forward in the text.
func (a *Automaton) Run(limit int) (reason uint32, more bool) {
	if len(a.Classes) < 256 || a.Pos > len(a.Text) {
		return abi.DFAUnknown, false
	}
	stop := len(a.Text)
	if stop-a.Pos > limit {
		stop = a.Pos + limit
	}
	switch a.Mode {
	case abi.DFALines:
		return a.lines(stop)
	case abi.DFAMatches, abi.DFAMatchesOnce:
		return a.matches(limit)
	}
	reason = a.run(len(a.Text), stop)
	return reason, reason == abi.DFAEnd && a.Pos < len(a.Text)
}

// lines is Run for abi.DFALines.
func (a *Automaton) lines(stop int) (reason uint32, more bool) {
	for a.Pos < len(a.Text) {
		if a.Pos >= stop {
			return abi.DFAEnd, true
		}
		if words(a.Out)-a.N < 2 {
			return abi.DFAFull, false
		}
		end := len(a.Text)
		if len(a.Needle) > 0 {
			if a.State == 0 { // between lines
				k := a.find.index(a.Text[a.Pos:min(end, stop+len(a.Needle)-1)])
				if k < 0 {
					a.Pos = stop
					continue
				}
				k += a.Pos
				a.Pos = a.line + bytes.LastIndexByte(a.Text[a.line:k], a.EOL) + 1
			}
			// Only this line, with the byte that ends it.
			if k := bytes.IndexByte(a.Text[a.Pos:], a.EOL); k >= 0 {
				end = a.Pos + k + 1
			}
		}
		if a.State == 0 {
			a.line, a.State = a.Pos, a.Start
		}
		// The stop may be inside the needle's line already.
		stop = max(stop, a.Pos+1)
		switch reason = a.run(end, min(end, stop)); reason {
		case abi.DFAMatch:
			from := min(a.line, a.Pos)
			from += bytes.LastIndexByte(a.Text[from:a.Pos], a.EOL) + 1
			if from == len(a.Text) {
				return abi.DFADone, false // behind the last line
			}
			e := len(a.Text)
			if k := bytes.IndexByte(a.Text[a.Pos:], a.EOL); k >= 0 {
				e = a.Pos + k
			}
			put(a.Out, a.N, uint32(from))
			put(a.Out, a.N+1, uint32(e))
			a.N += 2
			a.Pos = min(e+1, len(a.Text))
			a.line, a.State = a.Pos, 0
		case abi.DFAEnd:
			if a.Pos == end && len(a.Needle) > 0 && a.Text[end-1] == a.EOL {
				a.line, a.State = a.Pos, 0 // no match in the line
			}
		default:
			return reason, false
		}
	}
	return abi.DFAEnd, false
}

// matches is Run for abi.DFAMatches.
func (a *Automaton) matches(limit int) (reason uint32, more bool) {
	if !a.skips {
		a.skips = true
		for c := range a.leave {
			a.leave[c] = at(a.Trans, uint64(a.Inner)+uint64(c)) != deadEntry || a.Inner != a.Start && byte(c) == a.EOL
		}
	}
	text := a.Text
	i := a.Pos
	tr := a.Trans
	n := uint64(len(tr)) / 4
	lineStart := i == 0 || text[i-1] == a.EOL
	for stop := i + limit; i < len(text); {
		if i >= stop {
			a.Pos = i
			return abi.DFAEnd, true
		}
		s := a.Inner
		if lineStart {
			s = a.Start
		} else if !a.leave[text[i]] {
			i++
			continue
		}
		if words(a.Out)-a.N < 2 {
			a.Pos = i
			return abi.DFAFull, false
		}
		last := -1
		k := i
		for {
			if k == len(text) {
				a.Pos, a.State, a.Last = k, s, i
				return abi.DFAEnd, false
			}
			t := int32(0)
			if x := uint64(s) + uint64(text[k]); x < n {
				t = int32(binary.LittleEndian.Uint32(tr[4*x:]))
			}
			if t > 0 {
				s = uint32(t)
				k++
				continue
			}
			size := 1
			if t == 0 {
				a.Pos, a.State = k, s
				if t, size = a.look(text); t == 0 {
					a.Last = i
					return abi.DFAUnknown, false
				}
				if t > 0 {
					s = uint32(t)
					k += size
					continue
				}
			}
			s = -uint32(t)
			f := uint32(abi.DFADead)
			if x := int(s >> 8); x < len(a.Flags) {
				f = uint32(a.Flags[x])
			}
			if f&abi.DFAMatched != 0 {
				last = k
			}
			if f&abi.DFADead != 0 {
				break
			}
			k += size
		}
		if last < 0 {
			// What has been read ahead is read again.
			if a.waste += k - i; a.waste > 4*i+4096 && k-i > 64 {
				a.Pos = i
				return abi.DFACostly, false
			}
			stop -= k - i
			i = a.step(text, i)
			lineStart = text[i-1] == a.EOL
			continue
		}
		put(a.Out, a.N, uint32(i))
		put(a.Out, a.N+1, uint32(last))
		a.N += 2
		stop -= k - last
		switch {
		case a.Mode == abi.DFAMatchesOnce:
			e := bytes.IndexByte(text[last:], a.EOL)
			if e < 0 {
				i = len(text)
			} else {
				i = last + e + 1
			}
		case last == i:
			i = a.step(text, i)
		default:
			i = last
		}
		lineStart = text[i-1] == a.EOL
	}
	a.Pos, a.State = i, 0
	return abi.DFAEnd, false
}

// deadEntry is the transition to the state that nothing leads out of, by
// convention the first one that is used.
const deadEntry = -256

// step returns the position behind the symbol at i.
func (a *Automaton) step(text []byte, i int) int {
	if uint32(a.Classes[text[i]]) != a.Multi {
		return i + 1
	}
	_, size := a.symbol(text[i:])
	return i + size
}

// run runs until stop, or a symbol that reaches behind it, but not behind end.
func (a *Automaton) run(end, stop int) uint32 {
	text := a.Text[:end]
	for a.Pos < stop {
		if a.State == a.Start && (a.skips || stop-a.Pos >= skipWorth) {
			if a.Pos = a.skip(a.Pos, stop); a.Pos >= stop {
				break
			}
		}
		t := a.span(stop)
		if t > 0 {
			continue
		}
		size := 1
		if t == 0 {
			if t, size = a.look(text); t == 0 {
				return abi.DFAUnknown
			}
			if t > 0 {
				a.State = uint32(t)
				a.Pos += size
				continue
			}
		}
		a.State = -uint32(t)
		f := uint32(0)
		if k := int(a.State >> 8); k < len(a.Flags) {
			f = uint32(a.Flags[k])
		}
		if f&abi.DFAMatched != 0 {
			a.Last = a.Pos
			if a.Mode != abi.DFALongest {
				return abi.DFAMatch
			}
		}
		if f&abi.DFADead != 0 {
			return abi.DFADone
		}
		a.Pos += size
		if f&abi.DFAStart != 0 && len(a.Needle) > 0 && a.Mode != abi.DFALines && a.Pos < stop {
			k := a.find.index(text[a.Pos:min(end, stop+len(a.Needle)-1)])
			switch {
			case k >= 0:
				a.Pos += k
			case stop == end:
				a.Pos = end
				return abi.DFADone
			default:
				a.Pos = stop
			}
			a.State = a.Start
		}
	}
	return abi.DFAEnd
}

// span takes transitions from Pos and State on until stop, the state start, or
// a transition that is not positive, which it returns; the symbol of that is
// not consumed.
func (a *Automaton) span(stop int) int32 {
	tr := a.Trans
	n := uint64(len(tr)) / 4
	s, start := a.State, uint32(0)
	if a.skips {
		start = a.Start
	}
	text := a.Text[a.Pos:stop]
	for i, c := range text {
		k := uint64(s) + uint64(c)
		if k >= n {
			a.Pos, a.State = a.Pos+i, s
			return 0
		}
		t := int32(binary.LittleEndian.Uint32(tr[4*k:]))
		if t <= 0 {
			a.Pos, a.State = a.Pos+i, s
			return t
		}
		if s = uint32(t); s == start {
			a.Pos, a.State = a.Pos+i+1, s
			return t
		}
	}
	a.Pos, a.State = stop, s
	return 1
}

// symbol returns the class and the size of the symbol that begins s, all ones
// where there is none for it.
func (a *Automaton) symbol(s []byte) (class uint32, size int) {
	r, size := utf8.DecodeRune(s)
	c := uint32(r)
	if r == utf8.RuneError && size <= 1 {
		c, size = utf8.MaxRune+1+uint32(s[0]), 1
	}
	lo, hi := 0, min(len(a.Low), len(a.Class))/4
	if hi == 0 {
		return ^uint32(0), 1
	}
	for lo+1 < hi {
		m := (lo + hi) / 2
		if binary.LittleEndian.Uint32(a.Low[4*m:]) <= c {
			lo = m
		} else {
			hi = m
		}
	}
	return binary.LittleEndian.Uint32(a.Class[4*lo:]), size
}

// skip returns the position of the first byte from i on that leads out of the
// state start, or stop.
func (a *Automaton) skip(i, stop int) int {
	if !a.skips {
		a.skips = true
		for c := range a.leave {
			a.leave[c] = at(a.Trans, uint64(a.Start)+uint64(c)) != int32(a.Start)
		}
	}
	s := a.Text[i:stop]
	for len(s) >= 4 {
		if a.leave[s[0]] {
			return stop - len(s)
		}
		if a.leave[s[1]] {
			return stop - len(s) + 1
		}
		if a.leave[s[2]] {
			return stop - len(s) + 2
		}
		if a.leave[s[3]] {
			return stop - len(s) + 3
		}
		s = s[4:]
	}
	for k, c := range s {
		if a.leave[c] {
			return stop - len(s) + k
		}
	}
	return stop
}
