// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// kept are the capabilities that a confined program of root keeps: those over
// files, which Landlock narrows, and over its own identity. The others reach
// around it: CAP_PERFMON alone reads the environment of every process, whatever
// Landlock says.
const kept = uint64(1)<<unix.CAP_CHOWN | 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_FOWNER | 1<<unix.CAP_FSETID |
	1<<unix.CAP_KILL | 1<<unix.CAP_SETGID | 1<<unix.CAP_SETUID | 1<<unix.CAP_NET_BIND_SERVICE

// dropCapabilities sees to it that what the calling thread executes has no
// capability but the kept ones. An exec gives a program of root what is in the
// bounding and the inheritable set, and any program what is in the ambient one
// (capabilities(7)); set-user-ID programs and file capabilities give nothing
// under no_new_privs.
func dropCapabilities() error {
	fail := func(what string, err error) error {
		return fmt.Errorf("%w: capabilities: %s: %w", ErrConfinement, what, err)
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fail("ambient set", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&header, &sets[0]); err != nil {
		return fail("reading", err)
	}
	if unix.Geteuid() == 0 || unix.Getuid() == 0 {
		for c := uintptr(0); c < 64; c++ {
			if kept&(1<<c) != 0 {
				continue
			}
			has, err := unix.PrctlRetInt(unix.PR_CAPBSET_READ, c, 0, 0, 0)
			if err != nil { // past the last one
				break
			}
			if has == 0 {
				continue
			}
			if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil {
				return fail("bounding set", err)
			}
		}
	}
	if sets[0].Inheritable|sets[1].Inheritable != 0 {
		sets[0].Inheritable, sets[1].Inheritable = 0, 0
		if err := unix.Capset(&header, &sets[0]); err != nil {
			return fail("inheritable set", err)
		}
	}
	return nil
}
