// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package image

import (
	"bytes"
	"errors"
	"os"
)

// snapshot is the memory of an initialised guest.
type snapshot struct {
	size uint64
	view []byte
}

// newSnapshot copies mem, whose length is a multiple of wasmPage.
func newSnapshot(mem []byte) (*snapshot, error) {
	return &snapshot{size: uint64(len(mem)), view: bytes.Clone(mem)}, nil
}

// openSnapshot reads size bytes at off of f, which it closes.
func openSnapshot(f *os.File, off int64, size uint64) (*snapshot, error) {
	s := &snapshot{size: size, view: make([]byte, size)}
	n, err := f.ReadAt(s.view, off)
	if n == len(s.view) {
		err = nil
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *snapshot) bytes() []byte { return s.view }

// close releases the snapshot. Memories made from it live on but can no longer
// be reset.
func (s *snapshot) close() { s.view = nil }
