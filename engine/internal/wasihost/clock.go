// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import "github.com/wsandbox/wsandbox/engine/abi"

// clockResGet stores the resolution of a clock in nanoseconds.
//
// # Parameters
//
//   - id: the clock
//   - res: where the resolution goes, 64 bits
//
// # Errors
//
//   - EINVAL: no such clock
//   - EFAULT
//
// WASI: clock_res_get.
func clockResGet(c *Context, m memory, a []uint64) error {
	id := abi.ClockID(a[0])
	res := int64(1)
	var err error
	if c.p == nil {
		_, err = c.boot.clock(id)
	} else {
		res, err = c.p.ClockRes(id)
	}
	if err != nil {
		return err
	}
	return m.putU64(uint32(a[1]), uint64(res))
}

// clockTimeGet stores the time of a clock in nanoseconds.
//
// # Parameters
//
//   - id: the clock
//   - precision: ignored; the time is as precise as the clock is
//   - time: where the time goes, 64 bits
//
// # Errors
//
//   - EINVAL: no such clock
//   - EFAULT
//
// WASI: clock_time_get.
func clockTimeGet(c *Context, m memory, a []uint64) error {
	t, err := c.clock(abi.ClockID(a[0]))
	if err != nil {
		return err
	}
	return m.putU64(uint32(a[2]), uint64(t))
}

func (c *Context) clock(id abi.ClockID) (int64, error) {
	if c.p == nil {
		return c.boot.clock(id)
	}
	return c.p.Clock(id)
}
