// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "time"

// Clock tells the time and wakes sleepers. The sandbox sees no other clock, so
// that a virtual one makes a run repeatable. Methods are safe for concurrent
// use.
type Clock interface {
	// Now returns nanoseconds since the Unix epoch.
	Now() int64
	// Monotonic returns nanoseconds of a clock that only moves forward.
	Monotonic() int64
	// NewTimer returns a stopped timer that calls f, which does not block,
	// from any goroutine when it fires.
	NewTimer(f func()) Timer
}

// Timer is a timer of a [Clock].
type Timer interface {
	// Reset arranges for one call after d, replacing an earlier one.
	Reset(d time.Duration)
	// Stop takes the arrangement back. A call that has begun may still be
	// running.
	Stop()
}

// SystemClock returns the clock of the host.
func SystemClock() Clock { return systemClock{base: time.Now()} }

type systemClock struct{ base time.Time }

func (systemClock) Now() int64         { return time.Now().UnixNano() }
func (c systemClock) Monotonic() int64 { return int64(time.Since(c.base)) }

func (systemClock) NewTimer(f func()) Timer {
	t := time.AfterFunc(1<<62, f)
	t.Stop()
	return (*systemTimer)(t)
}

type systemTimer time.Timer

func (t *systemTimer) Reset(d time.Duration) { (*time.Timer)(t).Reset(d) }
func (t *systemTimer) Stop()                 { (*time.Timer)(t).Stop() }
