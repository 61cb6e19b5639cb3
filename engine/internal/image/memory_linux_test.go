// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mappings returns the number of mappings of the process.
func mappings(t testing.TB) int {
	t.Helper()
	b, err := os.ReadFile("/proc/self/maps")
	require.NoError(t, err)
	return bytes.Count(b, []byte("\n"))
}

// descriptors returns the number of open descriptors of the process.
func descriptors(t testing.TB) int {
	t.Helper()
	d, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(d)
}

func TestDirtyPagesAgree(t *testing.T) {
	const size = 64 * wasmPage
	snap, _ := testSnapshot(t, size)
	m, err := newMemory(snap, size)
	require.NoError(t, err)
	defer m.free()
	pm := pagemap()
	require.NotNil(t, pm.f)
	b := m.Reallocate(size)
	for i := 0; i < size; i += 5 * 4096 {
		b[i] = 1
		b[i+4096] = 1
	}
	sum := byte(0)
	for i := range b { // reading must not make a page dirty
		sum += b[i]
	}
	t.Log(sum)
	collect := func(pm pageMap) (r [][2]uint64) {
		require.NoError(t, m.forEachDirty(pm, b, func(from, to uint64) (bool, error) {
			if n := len(r); n > 0 && r[n-1][1] == from {
				r[n-1][1] = to
			} else {
				r = append(r, [2]uint64{from, to})
			}
			return true, nil
		}))
		return r
	}
	read := collect(pageMap{f: pm.f})
	require.Len(t, read, (size/4096+4)/5)
	require.Equal(t, [2]uint64{0, 8192}, read[0])
	require.Equal(t, [2]uint64{5 * 4096, 7 * 4096}, read[1])
	if pm.scan {
		require.Equal(t, read, collect(pm))
	}
}

func TestResetWithoutPagemap(t *testing.T) {
	const size = 4 * wasmPage
	snap, want := testSnapshot(t, size)
	m, err := newMemory(snap, size)
	require.NoError(t, err)
	defer m.free()
	b := m.Reallocate(size)
	b[100], b[size-1] = 9, 9
	require.ErrorIs(t, m.forEachDirty(pageMap{}, b, nil), os.ErrNotExist)
	require.NoError(t, mmapPrivate(b, snap.fd(), snap.off))
	require.True(t, bytes.Equal(want, b))
}

func TestSnapshotIsSealed(t *testing.T) {
	snap, _ := testSnapshot(t, wasmPage)
	_, err := snap.f.WriteAt([]byte{1}, 0)
	require.Error(t, err)
	require.Error(t, snap.f.Truncate(0))
}

func TestMemoryLeavesNoMapping(t *testing.T) {
	snap, _ := testSnapshot(t, 4*wasmPage)
	before := mappings(t)
	var all []*memory
	for range 200 {
		m, err := newMemory(snap, 1<<30)
		require.NoError(t, err)
		m.Reallocate(6 * wasmPage)[5*wasmPage] = 1
		all = append(all, m)
	}
	require.LessOrEqual(t, mappings(t)-before, 3*200+8)
	for _, m := range all {
		m.free()
	}
	require.LessOrEqual(t, mappings(t)-before, 8, "mappings of Go's heap may have come")
	b, err := os.ReadFile("/proc/self/maps")
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(b), "wsandbox-snapshot"))
}
