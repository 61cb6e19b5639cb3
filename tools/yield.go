// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import "time"

// Windows of time of the contract.
const (
	defaultExecYield  = 10 * time.Second
	defaultWriteYield = 250 * time.Millisecond
	minYield          = 250 * time.Millisecond
	minPoll           = 5 * time.Second
	maxYield          = 30 * time.Second
	// writePause is between input and the window for its output.
	writePause = 100 * time.Millisecond
)

// execYield returns the window of exec_command for the milliseconds asked for.
func execYield(ms *int64) time.Duration {
	if ms == nil {
		return defaultExecYield
	}
	return clampYield(*ms)
}

// writeYield returns the window of write_stdin; polls get a longer one.
func writeYield(ms *int64, poll bool) time.Duration {
	d := defaultWriteYield
	if ms != nil {
		d = clampYield(*ms)
	}
	if poll {
		d = max(d, minPoll)
	}
	return d
}

func clampYield(ms int64) time.Duration {
	return time.Duration(max(minYield.Milliseconds(), min(maxYield.Milliseconds(), ms))) * time.Millisecond
}
