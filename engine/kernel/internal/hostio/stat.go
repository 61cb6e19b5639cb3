// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostio

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel/internal/pipe"
)

// Stat describes every host stream: to processes it is a pipe.
func Stat() abi.Stat {
	return abi.Stat{Dev: pipe.Dev, Ino: 1, Mode: abi.ModeFIFO | 0o600, Nlink: 1, Blksize: pipe.Buf}
}
