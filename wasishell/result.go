// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell

import (
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Result describes a command that has ended.
type Result struct {
	Status abi.WaitStatus
	// Limit is the limit that ended the command, or abi.LimitNone.
	Limit abi.Limit
	// Reached holds the limits that refused something to the command or to
	// what it started, or ended it, in numeric order: also where the command
	// went on, as a shell does after the end of a pipeline's stage.
	Reached []abi.Limit
	// Wall is the time from start to end; CPU the processor time of the
	// command's first process and those it waited for.
	Wall, CPU time.Duration
	// MaxMemory is the largest linear memory of one process in bytes.
	MaxMemory int64
}

// ExitCode returns the exit status, or 128 plus the signal.
func (r Result) ExitCode() int { return r.Status.ShellStatus() }
