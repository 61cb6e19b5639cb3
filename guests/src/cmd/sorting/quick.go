// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sorting

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// item is a line in the sort: a prefix that orders most pairs by one
// comparison, and the line's number.
type item struct {
	pre uint64
	idx uint32
}

// quick sorts items by prefix, and by less where prefixes are equal. It falls
// back to heap sort where the partitions are bad.
func quick(l []item, less func(a, b uint32) bool, depth int) {
	before := func(a, b *item) bool {
		if a.pre != b.pre {
			return a.pre < b.pre
		}
		return less(a.idx, b.idx)
	}
	for len(l) > 16 {
		if depth == 0 {
			heap(l, before)
			return
		}
		depth--
		m := len(l) / 2
		if len(l) > 128 {
			n := len(l) / 8
			m = median(l, median(l, 0, n, 2*n, before), median(l, m-n, m, m+n, before), median(l, len(l)-1-2*n, len(l)-1-n, len(l)-1, before), before)
		} else {
			m = median(l, 0, m, len(l)-1, before)
		}
		pivot := l[m]
		i, j := 0, len(l)-1
		for i <= j {
			for before(&l[i], &pivot) {
				i++
			}
			for before(&pivot, &l[j]) {
				j--
			}
			if i <= j {
				l[i], l[j] = l[j], l[i]
				i, j = i+1, j-1
			}
		}
		if j+1 < len(l)-i { // the smaller side first: the depth of calls stays logarithmic
			quick(l[:j+1], less, depth)
			l = l[i:]
		} else {
			quick(l[i:], less, depth)
			l = l[:j+1]
		}
	}
	for i := 1; i < len(l); i++ {
		x := l[i]
		j := i
		for ; j > 0 && before(&x, &l[j-1]); j-- {
			l[j] = l[j-1]
		}
		l[j] = x
	}
}

func median(l []item, a, b, c int, before func(a, b *item) bool) int {
	if before(&l[b], &l[a]) {
		a, b = b, a
	}
	if before(&l[c], &l[b]) {
		b = c
		if before(&l[b], &l[a]) {
			b = a
		}
	}
	return b
}

func heap(l []item, before func(a, b *item) bool) {
	down := func(i, n int) {
		for {
			c := 2*i + 1
			if c >= n {
				return
			}
			if c+1 < n && before(&l[c], &l[c+1]) {
				c++
			}
			if !before(&l[i], &l[c]) {
				return
			}
			l[i], l[c] = l[c], l[i]
			i = c
		}
	}
	for i := len(l)/2 - 1; i >= 0; i-- {
		down(i, len(l))
	}
	for n := len(l) - 1; n > 0; n-- {
		l[0], l[n] = l[n], l[0]
		down(0, n)
	}
}

// multikey sorts lines by their texts bytewise: a three-way partition on eight bytes at once,
// the equal ones again by the next eight. Lines with equal texts end up in any
// order. depth is how many bytes the items have in common;
// budget bounds
// the recursion on bad partitions, after which quick takes over.
func (s *sorter) multikey(l []item, depth, budget int) {
	for len(l) > 1 {
		if budget--; budget < 0 {
			quick(l, func(a, b uint32) bool {
				return bytes.Compare(s.text(a)[depth:], s.text(b)[depth:]) < 0
			}, 64)
			return
		}
		if len(l) <= 12 {
			for i := 1; i < len(l); i++ {
				x := l[i]
				j := i
				for ; j > 0 && s.lineBefore(&x, &l[j-1], depth); j-- {
					l[j] = l[j-1]
				}
				l[j] = x
			}
			return
		}
		a, b, c := l[0].pre, l[len(l)/2].pre, l[len(l)-1].pre
		if len(l) > 200 {
			n := len(l) / 8
			a = middle(a, l[n].pre, l[2*n].pre)
			b = middle(l[3*n].pre, b, l[5*n].pre)
			c = middle(l[6*n].pre, l[7*n].pre, c)
		}
		pivot := middle(a, b, c)
		lt, i, gt := 0, 0, len(l)
		for i < gt {
			switch p := l[i].pre; {
			case p < pivot:
				l[lt], l[i] = l[i], l[lt]
				lt, i = lt+1, i+1
			case p > pivot:
				gt--
				l[i], l[gt] = l[gt], l[i]
			default:
				i++
			}
		}
		// The outer parts recurse, the largest part loops.
		s.multikey(l[:lt], depth, budget)
		s.multikey(l[gt:], depth, budget)
		l = l[lt:gt]
		if len(l) < 2 {
			return
		}
		depth += 8
		budget = 64 + bits.Len(uint(len(l)))
		// Lines that end here are equal so far: shorter ones come first.
		n := 0
		for i := range l {
			if len(s.text(l[i].idx)) <= depth {
				l[n], l[i] = l[i], l[n]
				n++
			}
		}
		ended := l[:n]
		same := true
		for i := range ended {
			if len(s.text(ended[i].idx)) != len(s.text(ended[0].idx)) {
				same = false // there are null bytes
				break
			}
		}
		if !same {
			quick(ended, func(a, b uint32) bool { return len(s.text(a)) < len(s.text(b)) }, 64)
		}
		l = l[n:]
		for i := range l {
			l[i].pre = prefix(s.text(l[i].idx)[depth:])
		}
	}
}

func (s *sorter) lineBefore(a, b *item, depth int) bool {
	if a.pre != b.pre {
		return a.pre < b.pre
	}
	x, y := s.text(a.idx), s.text(b.idx)
	x, y = x[min(depth, len(x)):], y[min(depth, len(y)):]
	n := min(len(x), len(y))
	for i := range n {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return len(x) < len(y)
}

func middle(a, b, c uint64) uint64 {
	if a > b {
		a, b = b, a
	}
	return max(a, min(b, c))
}

// prefix returns the first eight bytes of s as a big-endian number, zero filled.
func prefix(s []byte) uint64 {
	if len(s) >= 8 {
		return binary.BigEndian.Uint64(s)
	}
	v := uint64(0)
	for i, c := range s {
		v |= uint64(c) << (56 - 8*i)
	}
	return v
}
