// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package abi

// WaitStatus says how a process changed state, in the encoding of Linux.
//
// POSIX: waitpid().
type WaitStatus uint32

// ExitedWith returns the status of a process that exited with code (its low
// eight bits).
func ExitedWith(code int) WaitStatus { return WaitStatus(code&0xff) << 8 }

// KilledBy returns the status of a process ended by a signal.
func KilledBy(s Signal) WaitStatus { return WaitStatus(s) }

// StoppedBy returns the status of a process stopped by a signal.
func StoppedBy(s Signal) WaitStatus { return WaitStatus(s)<<8 | 0x7f }

// Continued is the status of a process that was resumed.
const ContinuedStatus WaitStatus = 0xffff

// Exited reports whether the process exited.
func (w WaitStatus) Exited() bool { return w&0x7f == 0 }

// Signaled reports whether a signal ended the process.
func (w WaitStatus) Signaled() bool { return w != ContinuedStatus && w&0x7f != 0 && w&0x7f != 0x7f }

// Stopped reports whether a signal stopped the process.
func (w WaitStatus) Stopped() bool { return w != ContinuedStatus && w&0xff == 0x7f }

// Continued reports whether the process was resumed.
func (w WaitStatus) Continued() bool { return w == ContinuedStatus }

// ExitStatus returns the exit code, or -1 where the process did not exit.
func (w WaitStatus) ExitStatus() int {
	if !w.Exited() {
		return -1
	}
	return int(w >> 8 & 0xff)
}

// Signal returns the signal that ended the process, or 0.
func (w WaitStatus) Signal() Signal {
	if !w.Signaled() {
		return 0
	}
	return Signal(w & 0x7f)
}

// StopSignal returns the signal that stopped the process, or 0.
func (w WaitStatus) StopSignal() Signal {
	if !w.Stopped() {
		return 0
	}
	return Signal(w >> 8 & 0xff)
}

// ShellStatus returns what a shell puts into $?: the exit code, or 128 plus the
// signal.
//
// POSIX: XCU 2.8.2 Exit Status for Commands.
func (w WaitStatus) ShellStatus() int {
	switch {
	case w.Exited():
		return w.ExitStatus()
	case w.Stopped():
		return 128 + int(w.StopSignal())
	}
	return 128 + int(w.Signal())
}
