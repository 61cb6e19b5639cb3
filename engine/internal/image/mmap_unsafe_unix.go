// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package image

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// mmapReserve reserves addresses without memory behind them.
func mmapReserve(n uint64) ([]byte, error) {
	n = max(n, wasmPage)
	p, err := unix.MmapPtr(-1, 0, nil, uintptr(n), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|mapNoReserve)
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(p), n), nil
}

// mmapPrivate replaces the pages of b, which lie in a reservation, by a private
// writable mapping of the file.
func mmapPrivate(b []byte, fd int, off int64) error {
	_, err := unix.MmapPtr(fd, off, unsafe.Pointer(unsafe.SliceData(b)), uintptr(len(b)),
		unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_FIXED)
	return err
}

func munmap(b []byte) {
	if len(b) != 0 {
		_ = unix.MunmapPtr(unsafe.Pointer(unsafe.SliceData(b)), uintptr(len(b)))
	}
}
