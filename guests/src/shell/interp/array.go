// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import "slices"

// array is an indexed array: without holes a plain slice, else sorted keys.
type array struct {
	vals []string
	keys []int64 // nil: vals[i] has the index i
}

func (a *array) clone() *array {
	return &array{vals: slices.Clone(a.vals), keys: slices.Clone(a.keys)}
}

func (a *array) len() int { return len(a.vals) }

// find returns the position of index i in vals.
func (a *array) find(i int64) (int, bool) {
	if a.keys == nil {
		if i < int64(len(a.vals)) {
			return int(i), true
		}
		return len(a.vals), false
	}
	return slices.BinarySearch(a.keys, i)
}

func (a *array) get(i int64) (string, bool) {
	if i < 0 {
		return "", false
	}
	p, ok := a.find(i)
	if !ok {
		return "", false
	}
	return a.vals[p], true
}

func (a *array) key(p int) int64 {
	if a.keys == nil {
		return int64(p)
	}
	return a.keys[p]
}

// end returns one more than the highest index.
func (a *array) end() int64 {
	if len(a.vals) == 0 {
		return 0
	}
	return a.key(len(a.vals)-1) + 1
}

func (a *array) sparse() {
	if a.keys != nil {
		return
	}
	a.keys = make([]int64, len(a.vals), len(a.vals)+1)
	for i := range a.keys {
		a.keys[i] = int64(i)
	}
}

func (a *array) set(i int64, s string) {
	p, ok := a.find(i)
	switch {
	case ok:
		a.vals[p] = s
	case a.keys == nil && i == int64(len(a.vals)):
		a.vals = append(a.vals, s)
	default:
		a.sparse()
		p, _ = a.find(i)
		a.keys = slices.Insert(a.keys, p, i)
		a.vals = slices.Insert(a.vals, p, s)
	}
}

func (a *array) del(i int64) {
	p, ok := a.find(i)
	if !ok {
		return
	}
	if a.keys == nil && p == len(a.vals)-1 {
		a.vals = a.vals[:p]
		return
	}
	a.sparse()
	a.keys = slices.Delete(a.keys, p, p+1)
	a.vals = slices.Delete(a.vals, p, p+1)
}

// assoc is an associative array, which keeps the order of insertion.
type assoc struct {
	index map[string]int
	keys  []string
	vals  []string
	dead  int // deleted entries still in keys
}

const deadKey = "\x00"

func newAssoc() *assoc { return &assoc{index: map[string]int{}} }

func (m *assoc) clone() *assoc {
	c := newAssoc()
	for i, k := range m.keys {
		if j, ok := m.index[k]; ok && j == i {
			c.set(k, m.vals[i])
		}
	}
	return c
}

func (m *assoc) len() int { return len(m.index) }

func (m *assoc) get(k string) (string, bool) {
	i, ok := m.index[k]
	if !ok {
		return "", false
	}
	return m.vals[i], true
}

func (m *assoc) set(k, v string) {
	if i, ok := m.index[k]; ok {
		m.vals[i] = v
		return
	}
	m.index[k] = len(m.keys)
	m.keys = append(m.keys, k)
	m.vals = append(m.vals, v)
}

func (m *assoc) del(k string) {
	i, ok := m.index[k]
	if !ok {
		return
	}
	delete(m.index, k)
	m.keys[i], m.vals[i] = deadKey, ""
	if m.dead++; m.dead > 32 && m.dead > len(m.keys)/2 {
		*m = *m.clone()
	}
}

// lists returns keys and values in order.
func (m *assoc) lists() (keys, vals []string) {
	for i, k := range m.keys {
		if k == deadKey {
			if _, ok := m.index[k]; !ok {
				continue
			}
		}
		if j, ok := m.index[k]; ok && j == i {
			keys = append(keys, k)
			vals = append(vals, m.vals[i])
		}
	}
	return keys, vals
}
