// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package cmdkit

import (
	"bytes"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// Reader is buffered input from a descriptor. Reset points it at another one and
// keeps the buffer.
type Reader struct {
	FD  wsys.FD
	Err error // the first read error; the end of input is none

	buf  []byte
	r, w int
	eof  bool

	// Delimiters found ahead, for Line.
	delim   byte
	scanned int      // buf is searched up to here
	base    int      // what ends counts from
	ends    []uint32 // those not used yet
	room    []uint32
}

// NewReader returns a Reader with a buffer of 64 KiB.
func NewReader(fd wsys.FD) *Reader { return &Reader{FD: fd, buf: make([]byte, 64<<10)} }

// Reset empties the buffer and continues with fd.
func (r *Reader) Reset(fd wsys.FD) { *r = Reader{FD: fd, buf: r.buf, room: r.room} }

// fill reads more behind what is buffered and reports whether there was more.
// Room must be there.
func (r *Reader) fill() bool {
	for !r.eof && r.Err == nil {
		n, err := wsys.Read(r.FD, r.buf[r.w:])
		if n > 0 {
			r.w += n
			return true
		}
		if err == abi.EINTR {
			continue
		}
		if err != nil {
			r.Err = err
		} else {
			r.eof = true
		}
	}
	return false
}

// Chunk returns the next bytes, as many as are at hand, and none at the end or
// after an error (see Err). They are valid until the next call.
func (r *Reader) Chunk() []byte {
	if r.r == r.w {
		r.forget()
		r.r, r.w = 0, 0
		if !r.fill() {
			return nil
		}
	}
	b := r.buf[r.r:r.w]
	r.r = r.w
	return b
}

// Line returns the next line with its delimiter, which only the last may lack.
// ok is false at the end or after an error (see Err). The line is valid until
// the next call.
func (r *Reader) Line(delim byte) (line []byte, ok bool) {
	if delim != r.delim {
		r.forget()
		r.delim = delim
	}
	for {
		for len(r.ends) > 0 {
			end := r.base + int(r.ends[0]) + 1
			r.ends = r.ends[1:]
			if end > r.r { // else other methods have passed it
				line = r.buf[r.r:end]
				r.r = end
				return line, true
			}
		}
		from := max(r.r, r.scanned)
		if r.w-from > wsys.Worth {
			r.findEnds(from)
			if len(r.ends) > 0 {
				continue
			}
		} else if i := indexByte(r.buf[from:r.w], delim); i >= 0 {
			line = r.buf[r.r : from+i+1]
			r.r = from + i + 1
			return line, true
		}
		r.scanned = r.w
		if !r.more() {
			line = r.buf[r.r:r.w]
			r.r = r.w
			return line, len(line) > 0 && r.Err == nil
		}
	}
}

// linesAhead is how many delimiters Line looks for at a time.
const linesAhead = 1024

// findEnds finds the delimiters from buf[from] on.
func (r *Reader) findEnds(from int) {
	if r.room == nil {
		r.room = make([]uint32, linesAhead)
	}
	n := wsys.Positions(r.buf[from:r.w], r.delim, r.delim, r.room)
	r.base, r.ends, r.scanned = from, r.room[:n], r.w
	if n == len(r.room) {
		r.scanned = from + int(r.room[n-1]) + 1
	}
}

// forget gives up what is known about delimiters.
func (r *Reader) forget() { r.ends, r.scanned = nil, 0 }

// more reads more behind what is not consumed yet, making room for it.
func (r *Reader) more() bool {
	if r.w > len(r.buf)/2 || r.r == r.w {
		if r.r > 0 {
			copy(r.buf, r.buf[r.r:r.w])
			r.scanned = max(0, r.scanned-r.r)
			r.ends = nil
			r.w -= r.r
			r.r = 0
		}
		if r.w > len(r.buf)/2 {
			b := make([]byte, 2*len(r.buf))
			copy(b, r.buf[:r.w])
			r.buf = b
		}
	}
	return r.fill()
}

// Block returns the next lines, as many as are at hand, at least one. Only the
// last line of all may lack its delimiter. The result is empty at the end or
// after an error (see Err). It is valid until the next call and may be changed.
func (r *Reader) Block(delim byte) []byte {
	r.forget()
	from := r.r
	for {
		if i := bytes.LastIndexByte(r.buf[from:r.w], delim); i >= 0 {
			b := r.buf[r.r : from+i+1]
			r.r = from + i + 1
			return b
		}
		seen := r.w - r.r
		if !r.more() {
			b := r.buf[r.r:r.w]
			r.r = r.w
			if r.Err != nil {
				return nil
			}
			return b
		}
		from = r.r + seen
	}
}

func indexByte(b []byte, c byte) int {
	for i, x := range b {
		if x == c {
			return i
		}
	}
	return -1
}

// Byte returns the next byte; ok is false at the end or after an error.
func (r *Reader) Byte() (c byte, ok bool) {
	if r.r == r.w {
		r.forget()
		r.r, r.w = 0, 0
		if !r.fill() {
			return 0, false
		}
	}
	c = r.buf[r.r]
	r.r++
	return c, true
}

// Read reads up to len(b) bytes; 0, nil is the end.
func (r *Reader) Read(b []byte) (int, error) {
	if r.r == r.w {
		r.forget()
		r.r, r.w = 0, 0
		if !r.fill() {
			return 0, r.Err
		}
	}
	n := copy(b, r.buf[r.r:r.w])
	r.r += n
	return n, nil
}

// Unread moves back over the last n bytes returned, which must still be in the
// buffer.
func (r *Reader) Unread(n int) {
	r.forget()
	r.r -= n
}

// Buffered returns how many bytes are read but not returned yet.
func (r *Reader) Buffered() int { return r.w - r.r }
