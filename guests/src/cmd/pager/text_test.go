// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pager

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// memory is a source that hands out a few bytes at a time.
type memory struct {
	b     []byte
	step  int
	known int // so much has "arrived"
}

func (m *memory) read(b []byte, off int64) (int, error) {
	if off >= int64(len(m.b)) {
		m.known = len(m.b) + 1
		return 0, nil
	}
	n := copy(b[:min(len(b), m.step)], m.b[off:])
	m.known = max(m.known, int(off)+n)
	return n, nil
}

func (m *memory) size() (int64, bool) {
	return int64(min(m.known, len(m.b))), m.known > len(m.b)
}

func (m *memory) grow() bool {
	if m.known > len(m.b) {
		return false
	}
	m.known++
	return true
}

func (m *memory) close() {}

func never() bool { return false }

// TestLines walks through texts with lines of all lengths in both directions.
func TestLines(t *testing.T) {
	long := strings.Repeat("x", maxPiece)
	for name, c := range map[string]struct {
		text   string
		starts []int64
	}{
		"empty":       {"", nil},
		"no newline":  {"a\nb", []int64{0, 2}},
		"blank lines": {"\n\n\n", []int64{0, 1, 2}},
		"just whole":  {long[1:] + "\n" + "b\n", []int64{0, maxPiece}},
		"cut newline": {long + "\nb\n", []int64{0, maxPiece, maxPiece + 1}},
		"long":        {"a\n" + long + long + long + "\nb", []int64{0, 2, 2 * maxPiece, 3 * maxPiece, 3*maxPiece + 3}},
		"very long":   {long + long + long + long + long + long, []int64{0, maxPiece, 2 * maxPiece, 3 * maxPiece, 4 * maxPiece, 5 * maxPiece}},
	} {
		for _, step := range []int{1000, 1 << 20} {
			x := newText(&memory{b: []byte(c.text), step: step})
			var starts []int64
			off := int64(0)
			for {
				_, next, ok := x.next(off)
				if !ok {
					break
				}
				starts = append(starts, off)
				off = next
			}
			require.Equal(t, c.starts, starts, name)
			require.True(t, x.atEnd(off), name)
			for _, fresh := range []bool{false, true} {
				back := off
				for i := len(starts) - 1; i >= 0; i-- {
					if fresh {
						x.buf, x.base = nil, 0
					}
					s, ok := x.prev(back)
					require.True(t, ok, name)
					require.Equal(t, starts[i], s, name)
					back = s
				}
				_, ok := x.prev(back)
				require.False(t, ok, name)
			}
			for i, s := range starts {
				require.Equal(t, s, x.lineStart(s), name)
				end := off
				if i+1 < len(starts) {
					end = starts[i+1]
				}
				require.Equal(t, s, x.lineStart(end-1), name)
			}
		}
	}
}

func TestNumbers(t *testing.T) {
	var b []byte
	var starts []int64
	for i := range 40000 {
		starts = append(starts, int64(len(b)))
		b = append(b, strings.Repeat("y", i%37)...)
		b = append(b, '\n')
	}
	x := newText(&memory{b: b, step: 1 << 20})
	for _, i := range []int{39999, 0, 1, 20000, 7, 39000, 12345} {
		off, found := x.offset(int64(i+1), never)
		require.True(t, found)
		require.Equal(t, starts[i], off, i)
		require.Equal(t, int64(i+1), x.number(starts[i], never))
	}
	off, found := x.offset(50000, never)
	require.False(t, found)
	require.Equal(t, starts[39999], off)
	require.Equal(t, int64(40001), x.number(int64(len(b)), never))
	require.Equal(t, bytes.Count(b, []byte{'\n'}), 40000)
}
