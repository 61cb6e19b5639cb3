// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix && !windows

package image

// region is an ordinary allocation: there is no memory to map.
type region struct{ mem []byte }

func (r *region) open(snap *snapshot, reserve uint64) error {
	r.mem = make([]byte, 0, min(reserve, wasmPage))
	if snap != nil {
		r.mem = append(r.mem, snap.view...)
	}
	return nil
}

func (r *region) bytes(n uint64) []byte { return r.mem[:n:n] }

func (r *region) extend(from, to uint64) error {
	r.mem = append(r.mem, make([]byte, to-from)...)
	return nil
}

func (r *region) close() { r.mem = nil }

// restore copies the whole snapshot.
func (r *region) restore(snap *snapshot) (uint64, error) {
	return uint64(copy(r.mem, snap.view)), nil
}
