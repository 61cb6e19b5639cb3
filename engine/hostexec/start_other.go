// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux && !darwin && !windows

package hostexec

import (
	"io"
	"os"
	"syscall"
)

type console struct{}

func openConsole(Winsize) (*console, io.WriteCloser, *os.File, error) {
	return nil, nil, nil, ErrUnsupported
}

func (*console) tty() *os.File { return nil }

func (*console) close() {}

func endOfTerminal(error) bool { return false }

func support() Report { return Report{Missing: []string{"everything: " + ErrUnsupported.Error()}} }

func start(*Cmd, *streams, func(native, Report) func()) error { return ErrUnsupported }

func signalName(syscall.Signal) string { return "" }
