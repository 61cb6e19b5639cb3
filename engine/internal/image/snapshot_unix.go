// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package image

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// snapshot is the memory of an initialised guest: size bytes at off of a file,
// which may be deleted but is never changed.
type snapshot struct {
	f    *os.File
	off  int64
	size uint64
	view []byte // read-only mapping
}

// newSnapshot copies mem, whose length is a multiple of wasmPage, into a
// snapshot without a name.
func newSnapshot(mem []byte) (*snapshot, error) {
	f, err := snapshotFile()
	if err != nil {
		return nil, fmt.Errorf("image: snapshot: %w", err)
	}
	if err := writeSparse(f, 0, mem); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("image: snapshot: %w", err)
	}
	if err := sealSnapshot(f); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("image: snapshot: %w", err)
	}
	return openSnapshot(f, 0, uint64(len(mem)))
}

// openSnapshot takes over f.
func openSnapshot(f *os.File, off int64, size uint64) (*snapshot, error) {
	s := &snapshot{f: f, off: off, size: size}
	if size > 0 {
		v, err := unix.Mmap(int(f.Fd()), off, int(size), unix.PROT_READ, unix.MAP_PRIVATE)
		if err != nil {
			_ = f.Close()
			return nil, os.NewSyscallError("mmap", err)
		}
		s.view = v
	}
	return s, nil
}

func (s *snapshot) fd() int { return int(s.f.Fd()) }

func (s *snapshot) bytes() []byte { return s.view }

// close releases the snapshot. Memories made from it live on but can no longer
// be reset.
func (s *snapshot) close() {
	if s.view != nil {
		_ = unix.Munmap(s.view)
		s.view = nil
	}
	_ = s.f.Close()
}
