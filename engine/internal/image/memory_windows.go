// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import "golang.org/x/sys/windows"

// region is a range of reserved addresses of which the system records the pages
// that are written to.
type region struct {
	addr  uintptr
	mem   []byte
	pages []uintptr // of restore
}

func (r *region) open(snap *snapshot, reserve uint64) error {
	if err := r.reserve(max(reserve, wasmPage)); err != nil || snap == nil || snap.size == 0 {
		return err
	}
	err := r.extend(0, snap.size)
	if err == nil {
		copy(r.mem, snap.view)
		err = r.resetWatch(snap.size)
	}
	if err != nil {
		r.close()
	}
	return err
}

func (r *region) bytes(n uint64) []byte { return r.mem[:n:n] }

func (r *region) extend(from, to uint64) error {
	_, err := windows.VirtualAlloc(r.addr+uintptr(from), uintptr(to-from), windows.MEM_COMMIT, windows.PAGE_READWRITE)
	return err
}

func (r *region) close() {
	if r.addr != 0 {
		_ = windows.VirtualFree(r.addr, 0, windows.MEM_RELEASE)
	}
	*r = region{}
}

// restore copies the snapshot over the pages that were written to.
func (r *region) restore(snap *snapshot) (uint64, error) {
	if r.pages == nil {
		r.pages = make([]uintptr, 256)
	}
	// Copying counts as writing, so each round looks only behind the last.
	for from := uint64(0); from < snap.size; {
		n, page, err := r.written(from, snap.size, r.pages)
		if err != nil {
			return 0, err
		}
		if n == 0 {
			break
		}
		for _, a := range r.pages[:n] {
			off := uint64(a - r.addr)
			from = min(off+uint64(page), snap.size)
			copy(r.mem[off:from], snap.view[off:])
		}
	}
	return snap.size, r.resetWatch(snap.size)
}
