// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package abi

import "strconv"

// Signal is a signal number, with the values of Linux.
type Signal uint8

// Signals.
const (
	SIGHUP Signal = iota + 1
	SIGINT
	SIGQUIT
	SIGILL
	SIGTRAP
	SIGABRT
	SIGBUS
	SIGFPE
	SIGKILL
	SIGUSR1
	SIGSEGV
	SIGUSR2
	SIGPIPE
	SIGALRM
	SIGTERM
	SIGSTKFLT
	SIGCHLD
	SIGCONT
	SIGSTOP
	SIGTSTP
	SIGTTIN
	SIGTTOU
	SIGURG
	SIGXCPU
	SIGXFSZ
	SIGVTALRM
	SIGPROF
	SIGWINCH
	SIGIO
	SIGPWR
	SIGSYS

	// NSIG is one more than the highest signal number.
	NSIG = 32
)

// SignalSet is a set of signals; signal n is bit n.
type SignalSet uint64

// Has reports whether s is in the set.
func (t SignalSet) Has(s Signal) bool { return t>>s&1 != 0 }

// Add puts s into the set.
func (t *SignalSet) Add(s Signal) { *t |= 1 << s }

// Del takes s out of the set.
func (t *SignalSet) Del(s Signal) { *t &^= 1 << s }

// SigAction is what a process does with a signal.
//
// POSIX: sigaction().
type SigAction uint8

// Dispositions.
const (
	SigDefault SigAction = iota
	SigIgnore
	SigHandle // kept pending for the guest to poll
)

// Valid reports whether s is a signal number.
func (s Signal) Valid() bool { return s >= 1 && s < NSIG }

// Name returns the name without the SIG prefix, such as "INT", or the number.
func (s Signal) Name() string {
	if s.Valid() {
		return signalName[s]
	}
	return strconv.Itoa(int(s))
}

// String returns the name with the SIG prefix.
func (s Signal) String() string { return "SIG" + s.Name() }

// Description returns the text of strsignal(3), such as "Terminated".
func (s Signal) Description() string {
	if s.Valid() {
		return signalText[s]
	}
	return "Unknown signal " + strconv.Itoa(int(s))
}

// SignalByName returns the signal called name, with or without the SIG prefix
// and in upper case.
func SignalByName(name string) (Signal, bool) {
	if len(name) > 3 && name[:3] == "SIG" {
		name = name[3:]
	}
	for i := Signal(1); i < NSIG; i++ {
		if signalName[i] == name {
			return i, true
		}
	}
	switch name {
	case "IOT":
		return SIGABRT, true
	case "CLD":
		return SIGCHLD, true
	case "POLL":
		return SIGIO, true
	}
	return 0, false
}

var signalName = [NSIG]string{
	SIGHUP:    "HUP",
	SIGINT:    "INT",
	SIGQUIT:   "QUIT",
	SIGILL:    "ILL",
	SIGTRAP:   "TRAP",
	SIGABRT:   "ABRT",
	SIGBUS:    "BUS",
	SIGFPE:    "FPE",
	SIGKILL:   "KILL",
	SIGUSR1:   "USR1",
	SIGSEGV:   "SEGV",
	SIGUSR2:   "USR2",
	SIGPIPE:   "PIPE",
	SIGALRM:   "ALRM",
	SIGTERM:   "TERM",
	SIGSTKFLT: "STKFLT",
	SIGCHLD:   "CHLD",
	SIGCONT:   "CONT",
	SIGSTOP:   "STOP",
	SIGTSTP:   "TSTP",
	SIGTTIN:   "TTIN",
	SIGTTOU:   "TTOU",
	SIGURG:    "URG",
	SIGXCPU:   "XCPU",
	SIGXFSZ:   "XFSZ",
	SIGVTALRM: "VTALRM",
	SIGPROF:   "PROF",
	SIGWINCH:  "WINCH",
	SIGIO:     "IO",
	SIGPWR:    "PWR",
	SIGSYS:    "SYS",
}

var signalText = [NSIG]string{
	SIGHUP:    "Hangup",
	SIGINT:    "Interrupt",
	SIGQUIT:   "Quit",
	SIGILL:    "Illegal instruction",
	SIGTRAP:   "Trace/breakpoint trap",
	SIGABRT:   "Aborted",
	SIGBUS:    "Bus error",
	SIGFPE:    "Floating point exception",
	SIGKILL:   "Killed",
	SIGUSR1:   "User defined signal 1",
	SIGSEGV:   "Segmentation fault",
	SIGUSR2:   "User defined signal 2",
	SIGPIPE:   "Broken pipe",
	SIGALRM:   "Alarm clock",
	SIGTERM:   "Terminated",
	SIGSTKFLT: "Stack fault",
	SIGCHLD:   "Child exited",
	SIGCONT:   "Continued",
	SIGSTOP:   "Stopped (signal)",
	SIGTSTP:   "Stopped",
	SIGTTIN:   "Stopped (tty input)",
	SIGTTOU:   "Stopped (tty output)",
	SIGURG:    "Urgent I/O condition",
	SIGXCPU:   "CPU time limit exceeded",
	SIGXFSZ:   "File size limit exceeded",
	SIGVTALRM: "Virtual timer expired",
	SIGPROF:   "Profiling timer expired",
	SIGWINCH:  "Window changed",
	SIGIO:     "I/O possible",
	SIGPWR:    "Power failure",
	SIGSYS:    "Bad system call",
}
