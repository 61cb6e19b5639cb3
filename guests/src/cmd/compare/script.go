// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package compare

// edit finds a shortest script of deletions and insertions between two
// sequences of line classes, with the divide and conquer of Myers, "An O(ND)
// Difference Algorithm and its Variations" (1986), which needs linear space.
// Where several shortest scripts exist it takes diagonals in the order that GNU
// diff does, so that the usual result is the same.
type edit struct {
	a, b         []int32
	delA, insB   []bool
	fwd, bwd     []int // furthest reaching points by diagonal
	mid          int   // index of diagonal 0
	cost, budget int   // bounds the search on large, very different inputs
}

func newEdit(a, b []int32) *edit {
	n := len(a) + len(b) + 3
	e := &edit{a: a, b: b, delA: make([]bool, len(a)), insB: make([]bool, len(b)), fwd: make([]int, n), bwd: make([]int, n), mid: len(b) + 1}
	e.budget = 256
	for d := n; d > 0; d >>= 2 { // about the square root of the number of diagonals
		e.budget <<= 1
	}
	e.budget = max(e.budget>>8, 4096)
	return e
}

func (e *edit) compare(xoff, xlim, yoff, ylim int) {
	for {
		for xoff < xlim && yoff < ylim && e.a[xoff] == e.b[yoff] {
			xoff, yoff = xoff+1, yoff+1
		}
		for xoff < xlim && yoff < ylim && e.a[xlim-1] == e.b[ylim-1] {
			xlim, ylim = xlim-1, ylim-1
		}
		switch {
		case xoff == xlim:
			for ; yoff < ylim; yoff++ {
				e.insB[yoff] = true
			}
			return
		case yoff == ylim:
			for ; xoff < xlim; xoff++ {
				e.delA[xoff] = true
			}
			return
		}
		x, y := e.midpoint(xoff, xlim, yoff, ylim)
		e.compare(xoff, x, yoff, y)
		xoff, yoff = x, y
	}
}

// midpoint returns a point on a shortest path, found from both ends at once.
func (e *edit) midpoint(xoff, xlim, yoff, ylim int) (int, int) {
	fd, bd := e.fwd, e.bwd
	m := e.mid
	dmin, dmax := xoff-ylim, xlim-yoff
	fmid, bmid := xoff-yoff, xlim-ylim
	fmin, fmax, bmin, bmax := fmid, fmid, bmid, bmid
	odd := (fmid-bmid)&1 != 0
	fd[m+fmid], bd[m+bmid] = xoff, xlim
	for c := 1; ; c++ {
		if fmin > dmin {
			fmin--
			fd[m+fmin-1] = -1
		} else {
			fmin++
		}
		if fmax < dmax {
			fmax++
			fd[m+fmax+1] = -1
		} else {
			fmax--
		}
		for d := fmax; d >= fmin; d -= 2 {
			lo, hi := fd[m+d-1], fd[m+d+1]
			x := lo + 1
			if lo < hi {
				x = hi
			}
			y := x - d
			for x < xlim && y < ylim && e.a[x] == e.b[y] {
				x, y = x+1, y+1
			}
			fd[m+d] = x
			if odd && bmin <= d && d <= bmax && bd[m+d] <= x {
				return x, y
			}
		}
		const far = int(^uint(0) >> 1)
		if bmin > dmin {
			bmin--
			bd[m+bmin-1] = far
		} else {
			bmin++
		}
		if bmax < dmax {
			bmax++
			bd[m+bmax+1] = far
		} else {
			bmax--
		}
		for d := bmax; d >= bmin; d -= 2 {
			lo, hi := bd[m+d-1], bd[m+d+1]
			x := lo
			if lo >= hi {
				x = hi - 1
			}
			y := x - d
			for xoff < x && yoff < y && e.a[x-1] == e.b[y-1] {
				x, y = x-1, y-1
			}
			bd[m+d] = x
			if !odd && fmin <= d && d <= fmax && x <= fd[m+d] {
				return x, y
			}
		}
		if c < e.budget {
			continue
		}
		// Too different: take the best point so far, so that time stays
		// bounded. The script is right, if no longer the shortest.
		best, bx := -1, 0
		for d := fmax; d >= fmin; d -= 2 {
			x := min(fd[m+d], xlim)
			y := x - d
			if y > ylim {
				x, y = ylim+d, ylim
			}
			if x+y > best {
				best, bx = x+y, x
			}
		}
		worst, wx := far, 0
		for d := bmax; d >= bmin; d -= 2 {
			x := max(xoff, bd[m+d])
			y := x - d
			if y < yoff {
				x, y = yoff+d, yoff
			}
			if x+y < worst {
				worst, wx = x+y, x
			}
		}
		if xlim+ylim-worst < best-(xoff+yoff) {
			return bx, best - bx
		}
		return wx, worst - wx
	}
}

// discard marks lines that occur on one side only: they are changes, whatever
// the rest is, and leaving them out makes the search short. Lines that match
// many others are left out provisionally where they stand between such lines.
func discard(cls []int32, count []int32, gone []bool) (kept []int32, index []int) {
	n := len(cls)
	mark := make([]byte, n)
	many := 5
	for t := n / 64; t > 0; t >>= 2 {
		many *= 2
	}
	for i, c := range cls {
		switch k := int(count[c]); {
		case k == 0:
			mark[i] = 1
		case k > many:
			mark[i] = 2
		}
	}
	// A provisional line goes only in a run of discardable lines that begins
	// and ends with a line that goes for good and is mostly such lines.
	for i := 0; i < n; i++ {
		if mark[i] == 2 {
			mark[i] = 0
			continue
		}
		if mark[i] == 0 {
			continue
		}
		j, provisional := i, 0
		for ; j < n && mark[j] != 0; j++ {
			if mark[j] == 2 {
				provisional++
			}
		}
		for j > i && mark[j-1] == 2 {
			j--
			mark[j] = 0
			provisional--
		}
		length := j - i
		if 4*provisional > length {
			for k := i; k < j; k++ {
				if mark[k] == 2 {
					mark[k] = 0
				}
			}
			i = j - 1
			continue
		}
		least := 1
		for t := length >> 2; t > 0; t >>= 2 {
			least <<= 1
		}
		least++
		for k, run := i, 0; k < j; k++ { // a run of many provisional lines stays
			if mark[k] != 2 {
				run = 0
				continue
			}
			if run++; run == least {
				for b := k - run + 1; b <= k; b++ {
					mark[b] = 0
				}
			} else if run > least {
				mark[k] = 0
			}
		}
		for dir := 0; dir < 2; dir++ { // and so do those near either end
			sure := 0
			for k := range length {
				at := i + k
				if dir == 1 {
					at = j - 1 - k
				}
				if k >= 8 && mark[at] == 1 {
					break
				}
				switch mark[at] {
				case 2:
					sure = 0
					mark[at] = 0
				case 0:
					sure = 0
				default:
					sure++
				}
				if sure == 3 {
					break
				}
			}
		}
		i = j - 1
	}
	for i, c := range cls {
		if mark[i] == 1 || mark[i] == 2 {
			gone[i] = true
			continue
		}
		kept = append(kept, c)
		index = append(index, i)
	}
	return kept, index
}

// changes returns which lines of each side are no part of the common
// subsequence. Equal lines at both ends are left out of the search but for
// context lines of them, as in GNU diff, whose placement of changes near the
// ends depends on it.
func changes(a, b []int32, classes, context int) (delA, insB []bool) {
	delA, insB = make([]bool, len(a)), make([]bool, len(b))
	n := min(len(a), len(b))
	pre := 0
	for pre < n && a[pre] == b[pre] {
		pre++
	}
	suf := 0
	for suf < n-pre && a[len(a)-1-suf] == b[len(b)-1-suf] {
		suf++
	}
	pre = max(0, pre-context)
	suf = max(0, suf-context)
	a, b = a[pre:len(a)-suf], b[pre:len(b)-suf]
	windowA, windowB := delA[pre:pre+len(a)], insB[pre:pre+len(b)]
	countA, countB := make([]int32, classes), make([]int32, classes)
	for _, c := range a {
		countA[c]++
	}
	for _, c := range b {
		countB[c]++
	}
	keptA, indexA := discard(a, countB, windowA)
	keptB, indexB := discard(b, countA, windowB)
	e := newEdit(keptA, keptB)
	e.compare(0, len(keptA), 0, len(keptB))
	for i, d := range e.delA {
		if d {
			windowA[indexA[i]] = true
		}
	}
	for i, d := range e.insB {
		if d {
			windowB[indexB[i]] = true
		}
	}
	slide(a, windowA, windowB)
	slide(b, windowB, windowA)
	return delA, insB
}

// slide moves each run of changed lines, where equal lines let it, first up to
// join the run before, then down, and back to where the other side has a change
// too.
func slide(cls []int32, changed, other []bool) {
	i, j := 0, 0
	n := len(cls)
	at := func(c []bool, i int) bool { return i >= 0 && i < len(c) && c[i] }
	for {
		for i < n && !changed[i] {
			for at(other, j) {
				j++
			}
			j++
			i++
		}
		if i == n {
			return
		}
		start := i
		for i++; at(changed, i); {
			i++
		}
		for at(other, j) {
			j++
		}
		var length, match int
		for {
			length = i - start
			for start > 0 && cls[start-1] == cls[i-1] {
				start--
				i--
				changed[start], changed[i] = true, false
				for at(changed, start-1) {
					start--
				}
				for j--; at(other, j); {
					j--
				}
			}
			match = n
			if at(other, j-1) {
				match = i
			}
			for i != n && cls[start] == cls[i] {
				changed[start], changed[i] = false, true
				start++
				i++
				for at(changed, i) {
					i++
				}
				for j++; at(other, j); {
					j++
					match = i
				}
			}
			if length == i-start {
				break
			}
		}
		for match < i {
			start--
			i--
			changed[start], changed[i] = true, false
			for j--; at(other, j); {
				j--
			}
		}
	}
}
