// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package abi

// ClockID names a clock.
//
// WASI: clockid.
type ClockID uint32

// Clocks.
const (
	ClockRealtime ClockID = iota
	ClockMonotonic
	ClockProcessCPU
	ClockThreadCPU
)
