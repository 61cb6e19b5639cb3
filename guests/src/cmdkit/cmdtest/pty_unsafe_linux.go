// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package cmdtest

import (
	"os"
	"strconv"
	"syscall"
	"testing"
	"unsafe"
)

// Pty opens a pair of the machine's pseudoterminals, which are closed at the
// end of the test. It skips the test where the machine has none.
func Pty(t testing.TB) (master, replica *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { master.Close() })
	ioctl := func(req uintptr, p *int32) {
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), req, uintptr(unsafe.Pointer(p))); e != 0 {
			t.Skip(e)
		}
	}
	var n, unlock int32
	ioctl(syscall.TIOCSPTLCK, &unlock)
	ioctl(syscall.TIOCGPTN, &n)
	replica, err = os.OpenFile("/dev/pts/"+strconv.Itoa(int(n)), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { replica.Close() })
	return master, replica
}
