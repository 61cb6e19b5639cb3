// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import "golang.org/x/sys/unix"

// Offsets in struct seccomp_data (seccomp(2)).
const (
	seccompNr   = 0
	seccompCPU  = 4
	seccompArg0 = 16 // low half on a little-endian processor
)

// noSockets is the filter that takes the network: socket(2) gives EACCES for
// every family, with local for all but AF_UNIX, io_uring_setup(2), whose rings
// make sockets too, gives ENOSYS, and so does every call made by another
// processor mode's numbers. socketpair(2) stays.
func noSockets(local bool) []unix.SockFilter {
	const (
		load   = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal  = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		above  = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
		give   = unix.BPF_RET | unix.BPF_K
		nosys  = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
		denied = unix.SECCOMP_RET_ERRNO | uint32(unix.EACCES)
		x32    = 0x40000000
	)
	family := uint32(unix.AF_UNIX)
	if !local {
		family = ^uint32(0) // no such family
	}
	return []unix.SockFilter{
		{Code: load, K: seccompCPU},
		{Code: equal, Jf: 4, K: seccompArch}, // else nosys
		{Code: load, K: seccompNr},
		{Code: above, Jt: 2, K: x32}, // nosys
		{Code: equal, Jt: 1, K: unix.SYS_IO_URING_SETUP},
		{Code: equal, Jt: 1, Jf: 4, K: unix.SYS_SOCKET},
		{Code: give, K: nosys},
		{Code: load, K: seccompArg0},
		{Code: equal, Jt: 1, K: family},
		{Code: give, K: denied},
		{Code: give, K: unix.SECCOMP_RET_ALLOW},
	}
}
