// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pipe

import "github.com/wsandbox/wsandbox/engine/abi"

// Entry is a place in a [Queue]. It belongs to one sleeper, which reuses it and
// changes its fields only while it is in no queue.
type Entry struct {
	W    Waker          // woken
	Fn   func()         // called instead, where not nil
	Mask abi.PollEvents // what is waited for
	Need int            // for PollOut: bytes of room

	next, prev *Entry
	queued     bool
}

// Queue lists the sleepers of a stream. It is guarded by its owner's mutex.
type Queue struct{ head *Entry }

// Add puts e into the queue unless it is there.
func (q *Queue) Add(e *Entry) {
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

// Del takes e out of the queue if it is there.
func (q *Queue) Del(e *Entry) {
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

// Wake wakes every sleeper whose mask meets mask and, for PollOut, whose need
// is met by room.
func (q *Queue) Wake(mask abi.PollEvents, room int) {
	for e := q.head; e != nil; e = e.next {
		if e.Mask&mask == 0 || mask == abi.PollOut && room < e.Need {
			continue
		}
		if e.Fn != nil {
			e.Fn()
		} else {
			e.W.Wake()
		}
	}
}

// Waitable is a stream that can be waited for without the allocation that
// vfs.Poller's Subscribe costs.
type Waitable interface {
	Enlist(e *Entry)
	Delist(e *Entry)
}

// Subscribe implements vfs.Poller's Subscribe for a Waitable.
func Subscribe(s Waitable, mask abi.PollEvents, wake func()) (cancel func()) {
	e := &Entry{Fn: wake, Mask: mask | abi.PollErr | abi.PollHup, Need: Buf}
	s.Enlist(e)
	return func() { s.Delist(e) }
}
