// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell

import "github.com/wsandbox/wsandbox/engine/abi"

// Signals, by their Linux numbers.
const (
	SIGHUP  = abi.SIGHUP
	SIGINT  = abi.SIGINT
	SIGQUIT = abi.SIGQUIT
	SIGKILL = abi.SIGKILL
	SIGTERM = abi.SIGTERM
	SIGSTOP = abi.SIGSTOP
	SIGCONT = abi.SIGCONT
	SIGUSR1 = abi.SIGUSR1
	SIGUSR2 = abi.SIGUSR2
)

// Limits that end a command, as [Result.Limit] and [ExitError.Limit] name them.
const (
	LimitNone      = abi.LimitNone
	LimitMemory    = abi.LimitMemory
	LimitCPU       = abi.LimitCPU
	LimitWall      = abi.LimitWall
	LimitProcesses = abi.LimitProcesses
	LimitFiles     = abi.LimitFiles
	LimitOutput    = abi.LimitOutput
	LimitFileSize  = abi.LimitFileSize
	LimitDisk      = abi.LimitDisk
	LimitStack     = abi.LimitStack
)
