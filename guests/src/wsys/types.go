// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wsys

import "github.com/wsandbox/wsandbox/engine/abi"

// Types of the kernel's interface.
type (
	FD         = int32
	PID        = int32
	Errno      = abi.Errno
	Mode       = abi.Mode
	Stat       = abi.Stat
	Statfs     = abi.Statfs
	OpenFlag   = abi.OpenFlag
	Signal     = abi.Signal
	SignalSet  = abi.SignalSet
	WaitStatus = abi.WaitStatus
	WaitResult = abi.WaitResult
	SpawnSpec  = abi.SpawnSpec
	FDAction   = abi.FDAction
)

// Standard descriptors.
const (
	Stdin  FD = 0
	Stdout FD = 1
	Stderr FD = 2
)

// AtCwd in place of a directory descriptor means the working directory.
const AtCwd = abi.AtCwd

// PollFD is an entry of [Poll].
type PollFD struct {
	FD      FD // -1: ignored; abi.PollChild: any child's state change
	Events  abi.PollEvents
	Revents abi.PollEvents
}

// Dirent is an entry of a directory.
type Dirent struct {
	Name   string
	Cookie uint64 // of the position behind this entry
	Ino    uint64
	Mode   Mode // type bits; complete where StatOK
	StatOK bool
	Stat   Stat
}

// Times are the processor times of a process and of its reaped children, in
// nanoseconds.
type Times struct{ Utime, Stime, ChildUtime, ChildStime int64 }

// DFA is a finite automaton and the text it runs over; abi.DFASize says what the
// fields mean. Everything that the slices refer to must stay as it is during
// Run.
type DFA struct {
	Trans, Wide  []int32 // rows of 256, and of Columns; as many as there are Flags
	Columns      int32
	Classes      *[256]uint8
	Multi        int32
	Low, Class   []int32
	Flags        []uint8
	Text, Needle []byte
	Mode         uint32
	EOL          byte
	Start, Inner int32

	Pos   int
	State int32
	Last  int

	Out []uint32
	N   int
}

// Winsize is the size of a terminal.
type Winsize struct{ Rows, Cols, Xpixel, Ypixel uint16 }

// Tcgetattr returns the attributes of the terminal fd: EBADF, ENOTTY.
//
// POSIX: tcgetattr().
func Tcgetattr(fd FD) (abi.Termios, error) {
	var b [abi.TermiosSize]byte
	if err := TTYGetattr(fd, b[:]); err != nil {
		return abi.Termios{}, err
	}
	return abi.ParseTermios(b[:])
}

// Tcsetattr sets the attributes of the terminal fd; when is abi.TCSANOW,
// TCSADRAIN or TCSAFLUSH: EBADF, ENOTTY, EINVAL, EINTR, and EIO for a process
// in the background that nobody can stop.
//
// POSIX: tcsetattr().
func Tcsetattr(fd FD, when int, t *abi.Termios) error {
	var b [abi.TermiosSize]byte
	if err := t.Put(b[:]); err != nil {
		return err
	}
	return TTYSetattr(fd, when, b[:])
}

// WriteString writes all of s to fd.
func WriteString(fd FD, s string) error { return WriteAll(fd, []byte(s)) }

// WriteAll writes all of p to fd, waiting as needed.
func WriteAll(fd FD, p []byte) error {
	for len(p) > 0 {
		n, err := Write(fd, p)
		p = p[n:]
		if err != nil && err != abi.EINTR {
			return err
		}
	}
	return nil
}

// ReadFile reads the whole file called path.
func ReadFile(path string) ([]byte, error) {
	fd, err := Open(AtCwd, path, abi.ORdonly|abi.OCloexec, 0)
	if err != nil {
		return nil, err
	}
	defer Close(fd)
	return ReadAll(fd)
}

// ReadAll reads fd to its end.
func ReadAll(fd FD) ([]byte, error) {
	var b []byte
	for {
		if cap(b)-len(b) < 4096 {
			b = append(make([]byte, 0, 2*cap(b)+8192), b...)
		}
		n, err := Read(fd, b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == abi.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return b, err
		}
	}
}

// Getenv returns the value of a variable of the process's initial environment.
func Getenv(name string) (string, bool) {
	for _, kv := range Environ() {
		if len(kv) > len(name) && kv[len(name)] == '=' && kv[:len(name)] == name {
			return kv[len(name)+1:], true
		}
	}
	return "", false
}

// A Main is the body of a guest program. Its result is the exit status.
type Main func(args []string) int
