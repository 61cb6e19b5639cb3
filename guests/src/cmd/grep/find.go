// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package grep

// linesAhead is how many matching lines are looked for at a time.
const linesAhead = 1024

// find returns the bounds of the next line of b with a match from pos on, or
// -1, -1. They are looked for ahead, as many as will be asked for.
func (g *grep) find(b []byte, pos int) (start, end int, err error) {
	ahead := linesAhead
	switch {
	case g.quiet || g.list != listNone:
		ahead = 1
	case g.in.left < linesAhead:
		ahead = int(g.in.left)
	}
	for {
		for len(g.found) > 0 {
			start, end = int(g.found[0]), int(g.found[1])
			g.found = g.found[2:]
			if start >= pos {
				return start, end, nil
			}
		}
		if g.searched >= len(b) {
			return -1, -1, nil
		}
		if g.room == nil {
			g.room = make([]uint32, 2*linesAhead)
		}
		n, next, err := g.re.FindLines(b, max(pos, g.searched), g.room[:2*ahead])
		if err != nil {
			return -1, -1, err
		}
		g.found, g.searched = g.room[:n], next
	}
}
