// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package abi

import "encoding/binary"

// Sizes in bytes of the preview 1 poll records.
const (
	SubscriptionSize = 48
	EventSize        = 32
)

// Eventtype is the kind of a subscription.
//
// WASI: eventtype.
type Eventtype uint8

// Event types.
const (
	EventClock Eventtype = iota
	EventFDRead
	EventFDWrite
)

// SubclockAbstime says that a timeout is absolute.
const SubclockAbstime uint16 = 1

// EventFDReadwriteHangup says that the peer has closed.
const EventFDReadwriteHangup uint16 = 1

// Subscription is one entry of poll_oneoff's input.
//
// WASI: subscription.
type Subscription struct {
	Userdata  uint64
	Type      Eventtype
	Clock     ClockID // EventClock
	Timeout   uint64  // EventClock, nanoseconds
	Precision uint64  // EventClock, nanoseconds
	Flags     uint16  // EventClock
	FD        int32   // EventFDRead, EventFDWrite
}

// DecodeSubscription decodes a subscription record of SubscriptionSize bytes.
// It returns EINVAL for an unknown type, clock flag or a short record; Userdata
// is decoded in any case where the record is long enough.
func DecodeSubscription(b []byte) (Subscription, error) {
	var s Subscription
	if len(b) < SubscriptionSize {
		return s, EINVAL
	}
	le := binary.LittleEndian
	s.Userdata = le.Uint64(b[0:])
	s.Type = Eventtype(b[8])
	switch s.Type {
	case EventClock:
		s.Clock = ClockID(le.Uint32(b[16:]))
		s.Timeout = le.Uint64(b[24:])
		s.Precision = le.Uint64(b[32:])
		s.Flags = le.Uint16(b[40:])
		if s.Flags&^SubclockAbstime != 0 {
			return s, EINVAL
		}
	case EventFDRead, EventFDWrite:
		s.FD = int32(le.Uint32(b[16:]))
	default:
		return s, EINVAL
	}
	return s, nil
}

// Event is one entry of poll_oneoff's output.
//
// WASI: event.
type Event struct {
	Userdata uint64
	Errno    Errno
	Type     Eventtype
	Nbytes   uint64
	Flags    uint16
}

// Put writes the record of EventSize bytes.
func (e *Event) Put(b []byte) {
	le := binary.LittleEndian
	_ = b[EventSize-1]
	clear(b[:EventSize])
	le.PutUint64(b[0:], e.Userdata)
	le.PutUint16(b[8:], uint16(e.Errno))
	b[10] = byte(e.Type)
	le.PutUint64(b[16:], e.Nbytes)
	le.PutUint16(b[24:], e.Flags)
}

// PollEvents are the readiness bits of the extension's poll, with the values of
// Linux.
//
// POSIX: poll().
type PollEvents uint16

// Readiness bits.
const (
	PollIn   PollEvents = 0x01
	PollOut  PollEvents = 0x04
	PollErr  PollEvents = 0x08
	PollHup  PollEvents = 0x10
	PollNval PollEvents = 0x20
)

// PollChild in the fd field of a poll record waits for a state change of any
// child instead of a descriptor.
const PollChild int32 = -2

// PollFDSize is the size in bytes of a poll record: fd i32, events u16,
// revents u16. An fd of -1 is ignored.
const PollFDSize = 8
