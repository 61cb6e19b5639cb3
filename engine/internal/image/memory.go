// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"fmt"

	"github.com/tetratelabs/wazero/experimental"
)

// wasmPage is the unit of linear memory in bytes.
const wasmPage = 64 << 10

// keepDirty is how many bytes of dirtied pages a reset keeps resident by
// copying the snapshot over them, which saves the next process their page
// faults. What lies beyond is given back to the system.
const keepDirty = 1 << 20

// memory is the linear memory of one instance: a reserved range of addresses
// of which the first size bytes are accessible. The range is reserved once, so
// that growing never moves the memory, and released exactly once by free.
//
// It is used by one goroutine at a time. The operating system's part is region.
type memory struct {
	region
	size    uint64                  // accessible bytes
	reserve uint64                  // bytes that size may reach
	base    uint64                  // size at birth, which ends with the first Reallocate
	born    bool                    // whether that was
	grant   func(delta uint64) bool // asked before growth after birth; nil grants
	freed   bool
}

// newMemory reserves at most reserve bytes, starting with the contents of snap
// where that is not nil.
func newMemory(snap *snapshot, reserve uint64) (*memory, error) {
	m := &memory{reserve: reserve}
	if snap != nil {
		m.size = snap.size
		m.reserve = max(reserve, snap.size)
	}
	if err := m.region.open(snap, m.reserve); err != nil {
		return nil, fmt.Errorf("image: reserve %d bytes of memory: %w", m.reserve, err)
	}
	return m, nil
}

// Allocate returns m: each memory serves one instantiation. It implements
// experimental.MemoryAllocator.
func (m *memory) Allocate(_, _ uint64) experimental.LinearMemory { return m }

// Reallocate makes size bytes accessible, or returns nil where the reservation
// or the owner's account is exhausted, which makes memory.grow return -1. The
// first call, by which the runtime asks for the least that the module wants,
// gets the whole snapshot where there is one. It implements
// experimental.LinearMemory.
func (m *memory) Reallocate(size uint64) []byte {
	if m.freed {
		return nil
	}
	if size > m.size {
		if size > m.reserve || m.born && m.grant != nil && !m.grant(size-m.size) {
			return nil
		}
		if err := m.region.extend(m.size, size); err != nil {
			return nil
		}
		m.size = size
	}
	if !m.born {
		m.born, m.base = true, m.size
	}
	return m.region.bytes(m.size)
}

// Free does nothing: the instance that owns m frees it, also where
// instantiation fails, after which the runtime does not call Free. It
// implements experimental.LinearMemory.
func (m *memory) Free() {}

// grown reports whether the memory is larger than at birth.
func (m *memory) grown() bool { return m.born && m.size != m.base }

// reset restores the contents of the snapshot. It returns how many bytes of
// private pages the memory still holds.
func (m *memory) reset(snap *snapshot) (resident uint64, err error) {
	if m.freed || m.grown() {
		return 0, fmt.Errorf("image: reset of a memory that grew or is gone")
	}
	return m.region.restore(snap)
}

// free releases the reservation. Later calls do nothing.
func (m *memory) free() {
	if !m.freed {
		m.freed = true
		m.size = 0
		m.region.close()
	}
}
