// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	kernel32        = windows.NewLazySystemDLL("kernel32.dll")
	getWriteWatch   = kernel32.NewProc("GetWriteWatch")
	resetWriteWatch = kernel32.NewProc("ResetWriteWatch")
)

const memWriteWatch = 0x00200000

func (r *region) reserve(n uint64) error {
	a, err := windows.VirtualAlloc(0, uintptr(n), windows.MEM_RESERVE|memWriteWatch, windows.PAGE_READWRITE)
	if err != nil {
		return err
	}
	r.addr = a
	r.mem = unsafe.Slice((*byte)(pointer(a)), n)
	return nil
}

// pointer makes a pointer of an address outside of Go's heap.
func pointer(a uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&a)) }

// written stores the addresses of pages from from to to that were written to
// since the watch was reset, in rising order, and returns how many and the size
// of a page.
func (r *region) written(from, to uint64, pages []uintptr) (n int, page uint32, err error) {
	count := uintptr(len(pages))
	ret, _, _ := syscall.SyscallN(getWriteWatch.Addr(), 0, r.addr+uintptr(from), uintptr(to-from),
		uintptr(unsafe.Pointer(&pages[0])), uintptr(unsafe.Pointer(&count)), uintptr(unsafe.Pointer(&page)))
	if ret != 0 {
		return 0, 0, windows.ERROR_INVALID_PARAMETER
	}
	return int(count), page, nil
}

func (r *region) resetWatch(size uint64) error {
	if ret, _, _ := syscall.SyscallN(resetWriteWatch.Addr(), r.addr, uintptr(size)); ret != 0 {
		return windows.ERROR_INVALID_PARAMETER
	}
	return nil
}
