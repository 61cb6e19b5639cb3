// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package hostexec

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// console is a pseudo-terminal. The master is the input's writer and the
// output's reader as two descriptors, so that each closes when it is done.
type console struct {
	in    *os.File
	slave *os.File
	name  string
}

func openConsole(size Winsize) (_ *console, in io.WriteCloser, out *os.File, err error) {
	master, slave, err := pty.Open()
	if err != nil {
		return nil, nil, nil, fmt.Errorf("hostexec: terminal: %w", err)
	}
	fail := func(err error) (*console, io.WriteCloser, *os.File, error) {
		_ = master.Close()
		_ = slave.Close()
		return nil, nil, nil, fmt.Errorf("hostexec: terminal: %w", err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Rows: size.Rows, Cols: size.Cols}); err != nil {
		return fail(err)
	}
	second, err := duplicate(master)
	if err != nil {
		return fail(err)
	}
	return &console{in: second, slave: slave, name: slave.Name()}, second, master, nil
}

// duplicate makes a second, close-on-exec descriptor.
func duplicate(f *os.File) (*os.File, error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	var fd int
	var dup error
	if err := conn.Control(func(old uintptr) {
		fd, dup = unix.FcntlInt(old, unix.F_DUPFD_CLOEXEC, 3)
	}); err != nil {
		return nil, err
	}
	if dup != nil {
		return nil, dup
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}

func (t *console) tty() *os.File { return t.slave }

func (t *console) close() {}

func (t *console) resize(size Winsize) error {
	return pty.Setsize(t.in, &pty.Winsize{Rows: size.Rows, Cols: size.Cols})
}

// endInput writes the terminal's end-of-file character.
func (t *console) endInput(w io.Writer) error {
	conn, err := t.in.SyscallConn()
	if err != nil {
		return err
	}
	eof := byte(4)
	if err := conn.Control(func(fd uintptr) {
		if termios, err := unix.IoctlGetTermios(int(fd), getTermios); err == nil {
			eof = termios.Cc[unix.VEOF]
		}
	}); err != nil {
		return err
	}
	_, err = w.Write([]byte{eof})
	return err
}

// endOfTerminal tells the end of a terminal's output: reading the master gives
// EIO on Linux when the last descriptor of the other side has been closed and
// everything has been read.
func endOfTerminal(err error) bool { return errors.Is(err, syscall.EIO) }
