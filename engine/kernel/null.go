// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel/internal/pipe"
)

// NewNullFile makes a file like /dev/null, open for reading and writing, for a
// process started without an input or output.
func NewNullFile() *OpenFile { return NewFile(nullFile{}, "/dev/null", abi.ORdwr) }

type nullFile struct{}

func (nullFile) Read([]byte) (int, error)    { return 0, nil }
func (nullFile) Write(b []byte) (int, error) { return len(b), nil }
func (nullFile) Close() error                { return nil }

func (nullFile) Ready(mask abi.PollEvents) abi.PollEvents {
	return mask & (abi.PollIn | abi.PollOut)
}

func (nullFile) Subscribe(abi.PollEvents, func()) (cancel func()) { return func() {} }

func (nullFile) Stat() (abi.Stat, error) {
	return abi.Stat{Dev: pipe.Dev, Ino: 2, Mode: abi.ModeChar | 0o666, Nlink: 1, Rdev: 1<<8 | 3, Blksize: pipe.Buf}, nil
}
