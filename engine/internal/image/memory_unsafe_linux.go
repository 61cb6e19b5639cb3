// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"encoding/binary"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The PAGEMAP_SCAN request of Linux 6.7.
const (
	pagemapScan = 0xc0606610 // _IOWR('f', 16, struct pm_scan_arg)

	pageIsFile    = 1 << 2
	pageIsPresent = 1 << 3
	pageIsSwapped = 1 << 4
)

type pmScanArg struct {
	size, flags, start, end, walkEnd        uint64
	vec, vecLen, maxPages                   uint64
	inverted, mask, anyofMask, returnedMask uint64
}

type pageRegion struct{ start, end, categories uint64 }

// scanArea is what PAGEMAP_SCAN reads and writes. It lives on the heap, which
// does not move, as it holds its own address.
type scanArea struct {
	arg pmScanArg
	vec [40]pageRegion
}

func (s *scanArea) run(fd, start, end uintptr) (n int, err error) {
	s.arg = pmScanArg{
		size:         uint64(unsafe.Sizeof(s.arg)),
		start:        uint64(start),
		end:          uint64(end),
		vec:          uint64(uintptr(unsafe.Pointer(&s.vec[0]))),
		vecLen:       uint64(len(s.vec)),
		inverted:     pageIsFile,
		mask:         pageIsFile,
		anyofMask:    pageIsPresent | pageIsSwapped,
		returnedMask: pageIsFile,
	}
	r, _, e := unix.Syscall(unix.SYS_IOCTL, fd, pagemapScan, uintptr(unsafe.Pointer(&s.arg)))
	if e != 0 {
		return 0, e
	}
	return int(r), nil
}

// scanKnown reports whether the system knows PAGEMAP_SCAN.
func scanKnown(f *os.File) bool {
	s := new(scanArea)
	_, err := s.run(f.Fd(), 0, uintptr(os.Getpagesize()))
	return err == nil
}

// forEachDirty calls f with the ranges of b that hold private pages, in rising
// order, until it wants no more.
func (r *region) forEachDirty(pm pageMap, b []byte, f func(from, to uint64) (bool, error)) error {
	if pm.f == nil {
		return os.ErrNotExist
	}
	if !pm.scan {
		return readDirty(pm.f, b, f)
	}
	if r.scan == nil {
		r.scan = new(scanArea)
	}
	base := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	end := base + uintptr(len(b))
	for at := base; at < end; {
		n, err := r.scan.run(pm.f.Fd(), at, end)
		if err != nil {
			return err
		}
		for _, v := range r.scan.vec[:n] {
			if more, err := f(v.start-uint64(base), v.end-uint64(base)); err != nil || !more {
				return err
			}
		}
		if uintptr(r.scan.arg.walkEnd) <= at {
			return unix.EIO
		}
		at = uintptr(r.scan.arg.walkEnd)
	}
	return nil
}

// readDirty is forEachDirty for systems before Linux 6.7.
//
// Linux: Documentation/admin-guide/mm/pagemap.rst.
func readDirty(pm *os.File, b []byte, f func(from, to uint64) (bool, error)) error {
	const (
		file    = 1 << 61
		swapped = 1 << 62
		present = 1 << 63
	)
	page := uint64(os.Getpagesize())
	first := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) / page
	n := uint64(len(b)) / page
	var buf [4096]byte
	start, run := uint64(0), false
	for i := uint64(0); i < n; {
		k := min(n-i, uint64(len(buf))/8)
		if _, err := pm.ReadAt(buf[:k*8], int64(first+i)*8); err != nil {
			return err
		}
		for j := range k {
			v := binary.NativeEndian.Uint64(buf[j*8:])
			dirty := v&(present|swapped) != 0 && v&file == 0
			if dirty && !run {
				start, run = i+j, true
			} else if !dirty && run {
				run = false
				if more, err := f(start*page, (i+j)*page); err != nil || !more {
					return err
				}
			}
		}
		i += k
	}
	if run {
		_, err := f(start*page, n*page)
		return err
	}
	return nil
}
