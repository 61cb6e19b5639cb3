// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "github.com/wsandbox/wsandbox/engine/abi"

// waker is what one sleeper waits on: a channel that holds one token.
type waker struct{ ch chan struct{} }

func newWaker() waker { return waker{ch: make(chan struct{}, 1)} }

// wake ends the current or the next sleep. It never blocks.
func (w waker) wake() {
	select {
	case w.ch <- struct{}{}:
	default:
	}
}

// A waitEntry is a place in a waitQueue. It belongs to one sleeper, which
// reuses it.
type waitEntry struct {
	next, prev *waitEntry
	queued     bool
	w          waker
	fn         func() // instead of w where not nil
	mask       abi.PollEvents
	need       int // bytes of room that a writer waits for
}

func (e *waitEntry) wake() {
	if e.fn != nil {
		e.fn()
		return
	}
	e.w.wake()
}

// A waitQueue lists the sleepers of one event. It is guarded by its owner's
// mutex.
type waitQueue struct{ head *waitEntry }

func (q *waitQueue) add(e *waitEntry) {
	if e.queued {
		return
	}
	e.queued = true
	e.prev, e.next = nil, q.head
	if q.head != nil {
		q.head.prev = e
	}
	q.head = e
}

func (q *waitQueue) del(e *waitEntry) {
	if !e.queued {
		return
	}
	e.queued = false
	if e.prev != nil {
		e.prev.next = e.next
	} else {
		q.head = e.next
	}
	if e.next != nil {
		e.next.prev = e.prev
	}
	e.next, e.prev = nil, nil
}

// wake wakes every sleeper whose mask meets mask and, for PollOut, whose need
// is met by room.
func (q *waitQueue) wake(mask abi.PollEvents, room int) {
	for e := q.head; e != nil; e = e.next {
		if e.mask&mask != 0 && (mask != abi.PollOut || room >= e.need) {
			e.wake()
		}
	}
}

// waitable is a stream of this package, which can be waited for without the
// allocation that Subscribe costs.
type waitable interface {
	enlist(e *waitEntry)
	delist(e *waitEntry)
}

// subscribe implements vfs.Poller's Subscribe for a waitable.
func subscribe(s waitable, mask abi.PollEvents, wake func()) (cancel func()) {
	e := &waitEntry{fn: wake, mask: mask | abi.PollErr | abi.PollHup, need: PipeBuf}
	s.enlist(e)
	return func() { s.delist(e) }
}
