// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// patterned returns n bytes of which every other 4 KiB page is zero.
func patterned(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		if i>>12&1 == 0 {
			b[i] = byte(i>>12) | 1
		}
	}
	return b
}

func testSnapshot(t testing.TB, n int) (*snapshot, []byte) {
	t.Helper()
	want := patterned(n)
	s, err := newSnapshot(want)
	require.NoError(t, err)
	t.Cleanup(s.close)
	require.True(t, bytes.Equal(want, s.bytes()))
	return s, want
}

func TestMemoryReset(t *testing.T) {
	const size = 64 * wasmPage
	snap, want := testSnapshot(t, size)
	m, err := newMemory(snap, size+16*wasmPage)
	require.NoError(t, err)
	defer m.free()
	b := m.Reallocate(wasmPage)
	require.Len(t, b, size, "a clone starts with the whole snapshot")
	require.True(t, bytes.Equal(want, b))

	tests := []struct {
		name  string
		pages int // dirtied
	}{
		{"none", 0}, {"one", 1}, {"some", 78}, {"more than one scan", 500}, {"nearly all", 900},
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for range 3 {
				for range tt.pages {
					b[r.IntN(size/4096)*4096+r.IntN(4096)] ^= 0x55
				}
				b[size-1], b[0] = 7, 7
				_, err := m.reset(snap)
				require.NoError(t, err)
				require.True(t, bytes.Equal(want, b))
			}
		})
	}
}

func TestMemoryResetKeepsLittle(t *testing.T) {
	const size = 64 * wasmPage
	snap, want := testSnapshot(t, size)
	m, err := newMemory(snap, size)
	require.NoError(t, err)
	defer m.free()
	b := m.Reallocate(size)
	for i := range b {
		b[i]++
	}
	kept, err := m.reset(snap)
	require.NoError(t, err)
	if mapped {
		require.LessOrEqual(t, kept, uint64(keepDirty))
	}
	require.True(t, bytes.Equal(want, b))
}

func TestMemoryIsPrivate(t *testing.T) {
	snap, want := testSnapshot(t, 4*wasmPage)
	a, err := newMemory(snap, 4*wasmPage)
	require.NoError(t, err)
	defer a.free()
	b, err := newMemory(snap, 4*wasmPage)
	require.NoError(t, err)
	defer b.free()
	for i, p := 0, a.Reallocate(0); i < len(p); i++ {
		p[i] = 0xee
	}
	require.True(t, bytes.Equal(want, b.Reallocate(0)))
	require.True(t, bytes.Equal(want, snap.bytes()))
}

func TestMemoryGrow(t *testing.T) {
	snap, want := testSnapshot(t, 2*wasmPage)
	m, err := newMemory(snap, 6*wasmPage)
	require.NoError(t, err)
	defer m.free()
	left := uint64(3 * wasmPage)
	m.grant = func(d uint64) bool {
		if d > left {
			return false
		}
		left -= d
		return true
	}
	require.Len(t, m.Reallocate(wasmPage), 2*wasmPage, "birth is not asked for")
	require.True(t, m.Reallocate(7*wasmPage) == nil, "past the reservation")
	require.True(t, m.Reallocate(6*wasmPage) == nil, "refused by the owner")
	require.False(t, m.grown())
	b := m.Reallocate(5 * wasmPage)
	require.Len(t, b, 5*wasmPage)
	require.True(t, bytes.Equal(want, b[:2*wasmPage]))
	require.Equal(t, make([]byte, 3*wasmPage), b[2*wasmPage:])
	b[5*wasmPage-1] = 1
	require.Zero(t, left)
	require.True(t, m.grown())
	_, err = m.reset(snap)
	require.Error(t, err)
	m.free()
	m.free()
	require.True(t, m.Reallocate(wasmPage) == nil)
}

func TestMemoryWithoutSnapshot(t *testing.T) {
	m, err := newMemory(nil, 3*wasmPage)
	require.NoError(t, err)
	defer m.free()
	b := m.Reallocate(2 * wasmPage)
	require.Equal(t, make([]byte, 2*wasmPage), b)
	b[0] = 1
	require.Len(t, m.Reallocate(3*wasmPage), 3*wasmPage)
	require.True(t, m.Reallocate(4*wasmPage) == nil)
}

func BenchmarkMemoryReset(b *testing.B) {
	for _, pages := range []int{0, 10, 78, 256} {
		b.Run(map[int]string{0: "clean", 10: "10", 78: "78", 256: "256"}[pages], func(b *testing.B) {
			const size = 80 * wasmPage
			snap, _ := testSnapshot(b, size)
			m, err := newMemory(snap, size)
			require.NoError(b, err)
			defer m.free()
			mem := m.Reallocate(size)
			for b.Loop() {
				for p := range pages {
					mem[p*12289] = 3
				}
				if _, err := m.reset(snap); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
