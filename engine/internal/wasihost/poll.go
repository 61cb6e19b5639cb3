// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"math"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// Bounds of a poll.
const (
	pollMax  = 1 << 16 // subscriptions or entries. Linux: RLIMIT_NOFILE
	pollKeep = 1 << 10 // entries of scratch memory that stay with the Context
)

// pollOneoff waits until one of several things happens.
//
// # Parameters
//
//   - in: array of subscriptions, 48 bytes each: to clocks, to readable and to
//     writable descriptors
//   - out: where events go, 32 bytes each, at most one a subscription
//   - n: the number of subscriptions
//   - nevents: where the number of events goes
//
// # Errors
//
//   - EINVAL: no subscription, or more than 65536
//   - EINTR: a handled signal
//   - EFAULT
//
// An event carries its own error: EBADF, ENOTCAPABLE (poll_fd_readwrite),
// EINVAL for an unknown kind, flag or clock, ENOTSUP for a processor clock.
//
// # Notes
//
// The hang-up flag is set where the other end of a pipe is closed: on a reader
// beside the data that is left, on a writer that would get EPIPE. The number of
// bytes is 1 where it is not known how many can be moved.
//
// WASI: poll_oneoff.
func pollOneoff(c *Context, m memory, a []uint64) error {
	n := uint32(a[2])
	if n == 0 || n > pollMax {
		return abi.EINVAL
	}
	in, err := m.view(uint32(a[0]), n*abi.SubscriptionSize)
	if err != nil {
		return err
	}
	out, err := m.view(uint32(a[1]), n*abi.EventSize)
	if err == nil {
		err = m.check(uint32(a[3]), 4)
	}
	if err != nil {
		return err
	}
	for {
		k, err := c.pollOnce(in, out)
		if err != nil {
			return err
		}
		// None means that a clock was set back meanwhile.
		if k > 0 {
			return m.putU32(uint32(a[3]), uint32(k))
		}
	}
}

// pollOnce waits once and stores the events.
func (c *Context) pollOnce(in, out []byte) (int, error) {
	start, err := c.clock(abi.ClockMonotonic)
	if err != nil {
		return 0, err
	}
	timeout := time.Duration(-1)
	wait := func(d time.Duration) {
		if timeout < 0 || d < timeout {
			timeout = d
		}
	}
	entries := c.poll[:0]
	for b := in; len(b) > 0; b = b[abi.SubscriptionSize:] {
		s, err := abi.DecodeSubscription(b)
		switch {
		case err != nil:
			wait(0)
		case s.Type == abi.EventClock:
			d, err := c.until(&s, start)
			if err != nil {
				d = 0
			}
			wait(d)
		default:
			e := kernel.PollEntry{FD: s.FD, Events: abi.PollIn}
			if s.Type == abi.EventFDWrite {
				e.Events = abi.PollOut
			}
			if c.pollable(s.FD) != nil {
				e.FD = -1
				wait(0)
			}
			entries = append(entries, e)
		}
	}
	if cap(entries) <= pollKeep {
		c.poll = entries
	}
	ready, err := c.pollWait(entries, timeout)
	if err != nil {
		return 0, err
	}
	now, err := c.clock(abi.ClockMonotonic)
	if err != nil {
		return 0, err
	}
	passed := time.Duration(now - start)
	if ready == 0 {
		// The kernel's timer and the clock may differ by a little.
		passed = max(passed, timeout)
	}
	k := 0
	for b := in; len(b) > 0; b = b[abi.SubscriptionSize:] {
		s, err := abi.DecodeSubscription(b)
		ev := abi.Event{Userdata: s.Userdata, Type: s.Type}
		switch {
		case err != nil:
		case s.Type == abi.EventClock:
			var d time.Duration
			if d, err = c.until(&s, start); err == nil && d > passed {
				continue
			}
		default:
			e := entries[0]
			entries = entries[1:]
			if e.FD < 0 {
				err = c.pollable(s.FD)
				break
			}
			if e.Revents == 0 {
				continue
			}
			if e.Revents&abi.PollNval != 0 {
				err = abi.EBADF
				break
			}
			if e.Revents&(abi.PollHup|abi.PollErr) != 0 {
				ev.Flags |= abi.EventFDReadwriteHangup
			}
			ev.Nbytes = c.pollBytes(s.FD, e.Revents, s.Type)
		}
		ev.Errno = errnoOf(err)
		ev.Put(out[k*abi.EventSize:])
		k++
	}
	return k, nil
}

// until returns how long after start, on the monotonic clock, a clock
// subscription ends.
func (c *Context) until(s *abi.Subscription, start int64) (time.Duration, error) {
	switch s.Clock {
	case abi.ClockRealtime, abi.ClockMonotonic:
	case abi.ClockProcessCPU, abi.ClockThreadCPU:
		return 0, abi.ENOTSUP
	default:
		return 0, abi.EINVAL
	}
	d := int64(min(s.Timeout, math.MaxInt64))
	if s.Flags&abi.SubclockAbstime != 0 {
		base := start
		if s.Clock == abi.ClockRealtime {
			now, err := c.clock(abi.ClockRealtime)
			if err != nil {
				return 0, err
			}
			mono, err := c.clock(abi.ClockMonotonic)
			if err != nil {
				return 0, err
			}
			base = now - (mono - start)
		}
		d = max(d-base, 0)
	}
	return time.Duration(d), nil
}

// pollable returns why fd cannot be polled.
func (c *Context) pollable(fd int32) error {
	if c.p == nil {
		return c.boot.stdio(fd)
	}
	return c.need(fd, abi.RightPollFDReadwrite)
}

// pollWait waits in the kernel; while an image is made, time passes instead.
func (c *Context) pollWait(e []kernel.PollEntry, timeout time.Duration) (int, error) {
	if c.p != nil {
		return c.p.Poll(e, timeout)
	}
	n := 0
	for i := range e {
		if e[i].FD >= 0 {
			e[i].Revents = e[i].Events
			n++
		}
	}
	if n == 0 && timeout > 0 {
		c.boot.sleep(int64(timeout))
	}
	return n, nil
}

// pollBytes returns the number of bytes for an event.
func (c *Context) pollBytes(fd int32, got abi.PollEvents, t abi.Eventtype) uint64 {
	if got&(abi.PollIn|abi.PollOut) == 0 || c.p == nil {
		return 0
	}
	if t == abi.EventFDRead {
		if n, err := c.p.Buffered(fd); err == nil && n > 0 {
			return uint64(n)
		}
	}
	return 1
}
