// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build darwin

package hostfs

import "golang.org/x/sys/unix"

// From <sys/stat.h>.
const (
	utimeNow  = -1
	utimeOmit = -2
)

// appendAll appends p.
func appendAll(fd int, p []byte) (int, error) {
	if len(p) == 0 {
		_, err := unix.Seek(fd, 0, unix.SEEK_END)
		return 0, errnoOf(err)
	}
	return appendSlow(fd, p)
}

// futimens changes the times of an open file, to the microsecond: x/sys has no
// futimens for macOS.
func futimens(fd int, ts [2]unix.Timespec) error {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	old := [2]unix.Timespec{st.Atim, st.Mtim}
	var tv [2]unix.Timeval
	for i, t := range ts {
		switch t.Nsec {
		case utimeNow:
			var now unix.Timeval
			if err := unix.Gettimeofday(&now); err != nil {
				return err
			}
			tv[i] = now
			continue
		case utimeOmit:
			t = old[i]
		}
		tv[i] = unix.NsecToTimeval(t.Nano())
	}
	return unix.Futimes(fd, tv[:])
}
