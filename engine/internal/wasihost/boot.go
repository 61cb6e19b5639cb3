// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"math/rand/v2"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// boot stands in for the process while an image is made. What a program sees
// then is the same on every machine and every time, as it becomes part of the
// image.
type boot struct {
	now int64 // nanoseconds slept so far
	rng *rand.ChaCha8
}

// bootEpoch is the time at which images are made: 2020-01-01T00:00:00Z.
const bootEpoch = 1577836800 * int64(1e9)

// bootMax bounds the time slept, so that clocks do not overflow.
const bootMax = int64(1) << 61

// bootEnviron is the environment in which images are made. A Go program that
// runs out of memory says so; the stacks of all its goroutines say nothing to who
// set the limit.
func bootEnviron() []string { return []string{"GOTRACEBACK=none"} }

func newBoot() *boot { return &boot{rng: rand.NewChaCha8([32]byte{})} }

func (b *boot) clock(id abi.ClockID) (int64, error) {
	switch id {
	case abi.ClockRealtime:
		return bootEpoch + b.now, nil
	case abi.ClockMonotonic, abi.ClockProcessCPU, abi.ClockThreadCPU:
		// Not zero, which the Go runtime takes for a broken clock.
		return 1 + b.now, nil
	}
	return 0, abi.EINVAL
}

// sleep lets d nanoseconds pass.
func (b *boot) sleep(d int64) {
	if d < bootMax-b.now {
		b.now += d
	}
}

func (b *boot) random(p []byte) { b.rng.Read(p) }

// stdio returns EBADF for what is not one of the standard descriptors.
func (b *boot) stdio(fd int32) error {
	if fd < 0 || fd > 2 {
		return abi.EBADF
	}
	return nil
}
