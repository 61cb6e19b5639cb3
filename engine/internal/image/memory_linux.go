// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// mapNoReserve keeps reservations out of the system's commit accounting.
const mapNoReserve = unix.MAP_NORESERVE

// region is a range of reserved addresses. The first bytes are a private
// mapping of the snapshot's file, the rest is inaccessible until extended.
type region struct {
	mem  []byte
	scan *scanArea
}

func (r *region) open(snap *snapshot, reserve uint64) (err error) {
	r.mem, err = mmapReserve(reserve)
	if err != nil || snap == nil || snap.size == 0 {
		return err
	}
	if err = mmapPrivate(r.mem[:snap.size], snap.fd(), snap.off); err != nil {
		r.close()
	}
	return err
}

func (r *region) bytes(n uint64) []byte { return r.mem[:n:n] }

func (r *region) extend(from, to uint64) error {
	return unix.Mprotect(r.mem[from:to], unix.PROT_READ|unix.PROT_WRITE)
}

func (r *region) close() {
	munmap(r.mem)
	r.mem = nil
}

// restore finds the pages that differ from the snapshot as those that are
// present or swapped out but do not belong to a file: writing to a page of a
// private file mapping replaces it by an anonymous one. It copies the snapshot
// over the first of them and gives the rest back.
func (r *region) restore(snap *snapshot) (uint64, error) {
	mem := r.mem[:snap.size]
	var kept uint64
	err := r.forEachDirty(pagemap(), mem, func(from, to uint64) (more bool, err error) {
		n := min(to-from, keepDirty-kept)
		copy(mem[from:from+n], snap.view[from:])
		kept += n
		if from+n == to {
			return true, nil
		}
		return false, unix.Madvise(mem[from+n:], unix.MADV_DONTNEED)
	})
	if err != nil {
		// Without /proc the whole mapping is renewed, which drops every
		// private page.
		return 0, mmapPrivate(mem, snap.fd(), snap.off)
	}
	return kept, nil
}

// pageMap says how to ask for the state of pages.
type pageMap struct {
	f    *os.File // /proc/self/pagemap, or nil
	scan bool     // PAGEMAP_SCAN is known (Linux 6.7)
}

// pagemap opens the page map once for the life of the program.
var pagemap = sync.OnceValue(func() pageMap {
	f, err := os.Open("/proc/self/pagemap")
	if err != nil {
		return pageMap{}
	}
	return pageMap{f, scanKnown(f)}
})
