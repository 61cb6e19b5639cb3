// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package compare

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestClasses gives equal texts equal numbers, and different ones different
// numbers, whatever the table's size and the texts' lengths are.
func TestClasses(t *testing.T) {
	for _, n := range []int{0, 1, 1000} {
		c := newClasses(n)
		var buf []byte
		for i := range n {
			buf = fmt.Appendf(buf[:0], "%d%*s", i, i%23, "")
			require.Equal(t, int32(i), c.number(buf, 0, true))
		}
		for i := range n {
			buf = fmt.Appendf(buf[:0], "%d%*s", i, i%23, "")
			require.Equal(t, int32(i), c.number(buf, 0, true))
		}
	}
	c := newClasses(4)
	require.Equal(t, int32(0), c.number(nil, 0, false))
	require.Equal(t, int32(1), c.number(nil, 1, false))
	require.Equal(t, int32(2), c.number([]byte{0}, 0, false))
	require.Equal(t, int32(3), c.number([]byte{0, 0}, 0, false))
	require.Equal(t, int32(0), c.number([]byte{}, 0, false))
}

func BenchmarkClasses(b *testing.B) {
	lines := make([][]byte, 10000)
	for i := range lines {
		lines[i] = fmt.Appendf(nil, "line %d of a text with some words", i/2)
		b.SetBytes(int64(len(lines[i]) * len(lines)))
	}
	for b.Loop() {
		c := newClasses(len(lines))
		for _, l := range lines {
			c.number(l, 0, false)
		}
	}
}
