// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package compare

import (
	"bytes"
	le "encoding/binary"
	"math/bits"

	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// classes numbers texts so that equal ones have equal numbers, from 0. It is a
// hash table with open addressing; its seed is random, so that no file can be
// made to fill it badly.
type classes struct {
	seed  uint64
	slots []int32 // numbers and 1, 0 being free; a power of two, at most half full
	lines []class
}

type class struct {
	hash uint64 // with the mark
	text []byte
}

// newClasses returns a table with room for n texts.
func newClasses(n int) *classes {
	var r [8]byte
	wsys.Random(r[:])
	t := &classes{seed: le.LittleEndian.Uint64(r[:]) | 1}
	t.slots = make([]int32, 1<<bits.Len(uint(2*n+1)))
	t.lines = make([]class, 0, n/2+16)
	return t
}

const mixer = 0x9e3779b97f4a7c15

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// hash returns a number that depends on all bytes and the mark.
func (t *classes) hash(b []byte, mark uint32) uint64 {
	h := t.seed ^ uint64(len(b))<<1 ^ uint64(mark)
	for len(b) >= 8 {
		h = mix(h^le.LittleEndian.Uint64(b), mixer)
		b = b[8:]
	}
	tail := uint64(0)
	for i, c := range b {
		tail |= uint64(c) << (8 * i)
	}
	h = mix(h^tail, mixer^t.seed)
	return h&^1 | uint64(mark)
}

// number returns the number of a text. With reused the caller will change b.
// Texts with different marks, 0 or 1, are different.
func (t *classes) number(b []byte, mark uint32, reused bool) int32 {
	h := t.hash(b, mark)
	m := uint64(len(t.slots) - 1)
	for i := h >> 7 & m; ; i = (i + 1) & m {
		k := t.slots[i]
		if k == 0 {
			if reused {
				b = append([]byte(nil), b...)
			}
			t.lines = append(t.lines, class{h, b})
			t.slots[i] = int32(len(t.lines))
			return int32(len(t.lines) - 1)
		}
		if c := &t.lines[k-1]; c.hash == h && bytes.Equal(c.text, b) {
			return k - 1
		}
	}
}
