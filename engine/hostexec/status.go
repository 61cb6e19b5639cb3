// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"strconv"
	"syscall"
)

// Status tells how a program ended: exactly one of Exited and Signaled is set.
type Status struct {
	Exited   bool
	Code     int // exit status, 0 to 255, on Windows to 2^32-1
	Signaled bool
	Signal   syscall.Signal // in the host's numbers; SignalName is portable
	Core     bool           // a core was dumped
}

// SignalName returns the signal's name, such as "SIGTERM", or "" for a program
// that exited.
func (s Status) SignalName() string {
	if !s.Signaled {
		return ""
	}
	return signalName(s.Signal)
}

// Shell returns the status as a shell's $? has it: the exit status, or 128 and
// the signal's number (POSIX.1-2024 XCU 2.8.2).
func (s Status) Shell() int {
	if s.Signaled {
		return 128 + int(s.Signal)
	}
	return s.Code
}

// String returns "exit status 3" or "killed by SIGTERM".
func (s Status) String() string {
	switch {
	case s.Exited:
		return "exit status " + strconv.Itoa(s.Code)
	case s.Signaled:
		name := s.SignalName()
		if name == "" {
			name = "signal " + strconv.Itoa(int(s.Signal))
		}
		return "killed by " + name
	}
	return "not ended"
}
