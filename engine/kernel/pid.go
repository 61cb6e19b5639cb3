// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "github.com/wsandbox/wsandbox/engine/abi"

// PID numbers a process, process group or session.
type PID = int32

// maxPID is the largest process number. Numbers are given in ascending order
// and start again only behind it, so that a script that remembers one for long
// does not meet a stranger.
const maxPID PID = 4194303

// allocPIDLocked returns a number that is used by no process, zombies included,
// no group and no session.
//
// Preconditions: k.mu is held.
func (k *Kernel) allocPIDLocked() (PID, error) {
	for range 3*len(k.procs) + 2 {
		k.lastPID++
		if k.lastPID > maxPID {
			k.lastPID = 2
		}
		pid := k.lastPID
		if k.procs[pid] == nil && k.groups[pid] == nil && k.sessions[pid] == nil {
			return pid, nil
		}
	}
	// A process holds at most a pid, a group and a session, so this many in
	// a row cannot be taken.
	return 0, abi.EAGAIN
}
