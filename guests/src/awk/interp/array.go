// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import "strings"

// array is a table of values by key. It keeps its elements in the order in which
// they were added, which is the order of for (k in a).
type array struct {
	index   []int32 // open addressing: number of the entry plus one, 0 for none
	entries []entry
	live    int
	subs    map[string]*array // elements that are arrays
	listed  int               // the entries are those of the keys 1 to listed, and no others
}

type entry struct {
	key  string
	val  value
	hash uint32
	dead bool
}

// find returns the number of the entry of key, or -1.
func (a *array) find(key string, h uint32) int {
	if len(a.index) == 0 {
		return -1
	}
	mask := uint32(len(a.index) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		k := a.index[i]
		if k == 0 {
			return -1
		}
		if e := &a.entries[k-1]; e.hash == h && e.key == key && !e.dead {
			return int(k - 1)
		}
	}
}

// get returns the element, or nil.
func (a *array) get(key string) *value {
	if i := a.find(key, hashOf(key)); i >= 0 {
		return &a.entries[i].val
	}
	return nil
}

// cell returns the element and makes it if need be; fresh says that key may be
// kept. The pointer is valid until the next element is made.
func (a *array) cell(in *interp, key string, fresh bool) *value {
	h := hashOf(key)
	if i := a.find(key, h); i >= 0 {
		return &a.entries[i].val
	}
	return a.add(in, key, h, fresh)
}

// add makes the element of a key that has none.
func (a *array) add(in *interp, key string, h uint32, fresh bool) *value {
	a.listed = 0
	if len(a.entries) >= len(a.index)/2 {
		a.grow(in)
	}
	if !fresh {
		in.roomFor(len(key))
		key = strings.Clone(key)
	}
	if n := len(a.entries); n == cap(a.entries) && n > 2048 {
		in.room(n * entrySize * 3 / 2)
	}
	a.entries = append(a.entries, entry{key: key, hash: h})
	a.live++
	mask := uint32(len(a.index) - 1)
	i := h & mask
	for a.index[i] != 0 {
		i = (i + 1) & mask
	}
	a.index[i] = int32(len(a.entries))
	return &a.entries[len(a.entries)-1].val
}

const entrySize = 56

// grow makes room for more entries and forgets deleted ones.
func (a *array) grow(in *interp) {
	n := 8
	for n < 3*a.live+3 {
		n *= 2
	}
	if n > 4096 {
		in.room(n * 4)
	}
	if n > 1<<28 {
		in.fatal("array too large")
	}
	old := a.entries
	if a.live < len(old) {
		a.entries = make([]entry, 0, a.live+a.live/2+4)
		for i := range old {
			if !old[i].dead {
				a.entries = append(a.entries, old[i])
			}
		}
	}
	if len(a.index) == n {
		clear(a.index)
	} else {
		a.index = make([]int32, n)
	}
	mask := uint32(n - 1)
	for k := range a.entries {
		i := a.entries[k].hash & mask
		for a.index[i] != 0 {
			i = (i + 1) & mask
		}
		a.index[i] = int32(k + 1)
	}
}

// remove deletes the element of key.
func (a *array) remove(key string) {
	i := a.find(key, hashOf(key))
	if i < 0 {
		return
	}
	a.listed = 0
	if a.subs != nil {
		delete(a.subs, key)
	}
	// The key stays for the search that passes over it.
	e := &a.entries[i]
	e.dead, e.val = true, value{}
	if a.live--; a.live == 0 {
		a.clear()
	}
}

// clear deletes all elements.
func (a *array) clear() {
	clear(a.entries)
	a.entries = a.entries[:0]
	if len(a.index) > 4096 {
		a.index, a.entries = nil, nil
	} else {
		clear(a.index)
	}
	a.live, a.listed = 0, 0
	a.subs = nil
}

// keys returns the keys in order.
func (a *array) keys(in *interp) []string {
	if a.live > 4096 {
		in.room(a.live * 16)
	}
	keys := make([]string, 0, a.live)
	for i := range a.entries {
		if e := &a.entries[i]; !e.dead {
			keys = append(keys, e.key)
		}
	}
	return keys
}

// sub returns the array that is the element of key, which becomes one.
func (a *array) sub(in *interp, key string) *array {
	v := a.cell(in, key, false)
	switch v.k {
	case kArray:
		return a.subs[key]
	case kUninit:
	default:
		in.fatal("attempt to use a scalar value as array")
	}
	v.k = kArray
	if a.subs == nil {
		a.subs = make(map[string]*array)
	}
	s := new(array)
	a.subs[strings.Clone(key)] = s
	return s
}

// put sets the element of the key n.
func (a *array) put(in *interp, n int, v value) {
	if uint(n) < uint(len(in.small)) {
		*a.cell(in, in.numText(float64(n)), true) = v
		return
	}
	var room [20]byte
	*a.cell(in, textOf(appendInt(room[:0], n)), false) = v
}

// setList makes the array the pieces of s that pos has the bounds of, numbered
// from 1.
func (a *array) setList(in *interp, s string, pos []uint32) {
	n := len(pos) / 2
	if n == a.listed && n > 0 && a.subs == nil {
		// As the last time: only the values change.
		for i := range a.entries[:n] {
			v := &a.entries[i].val
			v.s, v.k = s[pos[2*i]:pos[2*i+1]], kInput
		}
		return
	}
	a.clear()
	// One copy serves all pieces.
	in.roomFor(len(s))
	s = strings.Clone(s)
	for i := 0; i < n; i++ {
		a.put(in, i+1, inputValue(s[pos[2*i]:pos[2*i+1]]))
	}
	a.listed = n
}
