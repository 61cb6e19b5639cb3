// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package cmdkit

import (
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
}

// NewReader returns a Reader with a buffer of 64 KiB.
func NewReader(fd wsys.FD) *Reader { return &Reader{FD: fd, buf: make([]byte, 64<<10)} }

// Reset empties the buffer and continues with fd.
func (r *Reader) Reset(fd wsys.FD) { *r = Reader{FD: fd, buf: r.buf} }

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
	from := r.r
	for {
		if i := indexByte(r.buf[from:r.w], delim); i >= 0 {
			line = r.buf[r.r : from+i+1]
			r.r = from + i + 1
			return line, true
		}
		from = r.w
		if r.w == len(r.buf) {
			if r.r > 0 {
				copy(r.buf, r.buf[r.r:r.w])
				r.w -= r.r
				from -= r.r
				r.r = 0
			}
			if r.w > len(r.buf)/2 {
				b := make([]byte, 2*len(r.buf))
				copy(b, r.buf[:r.w])
				r.buf = b
			}
		}
		if !r.fill() {
			line = r.buf[r.r:r.w]
			r.r = r.w
			return line, len(line) > 0 && r.Err == nil
		}
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
func (r *Reader) Unread(n int) { r.r -= n }

// Buffered returns how many bytes are read but not returned yet.
func (r *Reader) Buffered() int { return r.w - r.r }
