// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package flate

import (
	"encoding/binary"
	"hash/crc32"
)

// Header is what a gzip member says of its contents.
type Header struct {
	Name  string // without directories; "" for none
	Mtime uint32 // seconds since 1970; 0 for none
}

// ErrTrailing says that something that is not gzip follows the data. What stands
// before was right.
const ErrTrailing = Error("decompression OK, trailing garbage ignored")

// Flags of a gzip member.
const (
	flagHCRC    = 1 << 1
	flagExtra   = 1 << 2
	flagName    = 1 << 3
	flagComment = 1 << 4
	flagUnknown = 0xe0
)

// maxName bounds the name that is kept.
const maxName = 4096

// Reader decompresses the gzip format, members one after the other.
type Reader struct {
	Header // of the first member

	in       bitReader
	z        *inflater
	crc      uint32
	size     uint32
	inMember bool
	members  int
	total    int64
	err      error
}

// NewReader returns a Reader of the bytes that next returns piece by piece: an
// empty piece is their end. A piece must stay as it is until the next call.
func NewReader(next func() []byte) *Reader {
	r := &Reader{in: bitReader{next: next}}
	r.z = newInflater(&r.in)
	return r
}

// CompressedSize returns how many bytes have been taken from the input, and
// Size how many have been returned.
func (r *Reader) CompressedSize() int64 { return r.in.read }

// Size returns how many bytes Read has returned.
func (r *Reader) Size() int64 { return r.total }

// Read returns the next bytes, none at the end. They are valid until the next
// call. The error is an [Error].
func (r *Reader) Read() ([]byte, error) {
	for r.err == nil {
		if !r.inMember {
			more, err := r.header()
			if err != nil || !more {
				r.err = err
				return nil, err
			}
			r.inMember = true
			r.z.reset()
			r.crc, r.size = 0, 0
		}
		b, err := r.z.read()
		if err != nil {
			r.err = err
			break
		}
		if len(b) > 0 {
			r.crc = crc32.Update(r.crc, crc32.IEEETable, b)
			r.size += uint32(len(b))
			r.total += int64(len(b))
			return b, nil
		}
		r.in.align()
		var t [8]byte
		for i := range t {
			c, ok := r.in.byte()
			if !ok {
				r.err = ErrTruncated
				return nil, r.err
			}
			t[i] = c
		}
		switch {
		case binary.LittleEndian.Uint32(t[:]) != r.crc:
			r.err = ErrCRC
		case binary.LittleEndian.Uint32(t[4:]) != r.size:
			r.err = ErrLength
		}
		r.inMember = false
		r.members++
	}
	return nil, r.err
}

// header reads the head of a member. more is false at the end of the input.
func (r *Reader) header() (more bool, err error) {
	c, ok := r.in.byte()
	if r.members > 0 { // zeros may fill up the file
		for ok && c == 0 {
			c, ok = r.in.byte()
		}
	}
	if !ok {
		if r.members > 0 {
			return false, nil
		}
		return false, ErrTruncated
	}
	d, ok := r.in.byte()
	if !ok || c != 0x1f || d != 0x8b {
		switch {
		case r.members > 0:
			return false, ErrTrailing
		case !ok && c == 0x1f:
			return false, ErrTruncated
		}
		return false, ErrMagic
	}
	var h [8]byte
	for i := range h {
		if h[i], ok = r.in.byte(); !ok {
			return false, ErrTruncated
		}
	}
	if h[0] != 8 || h[1]&flagUnknown != 0 {
		return false, ErrMethod
	}
	flags := h[1]
	if flags&flagExtra != 0 {
		lo, _ := r.in.byte()
		hi, _ := r.in.byte()
		for n := int(lo) | int(hi)<<8; n > 0; n-- {
			if _, ok := r.in.byte(); !ok {
				return false, ErrTruncated
			}
		}
	}
	for _, f := range [...]byte{flagName, flagComment} {
		if flags&f == 0 {
			continue
		}
		var text []byte
		for {
			c, ok := r.in.byte()
			if !ok {
				return false, ErrTruncated
			}
			if c == 0 {
				break
			}
			if len(text) < maxName {
				text = append(text, c)
			}
		}
		if f == flagName && r.members == 0 {
			r.Name = string(text)
		}
	}
	if flags&flagHCRC != 0 {
		r.in.byte()
		if _, ok := r.in.byte(); !ok {
			return false, ErrTruncated
		}
	}
	if r.members == 0 {
		r.Mtime = binary.LittleEndian.Uint32(h[2:])
	}
	return true, nil
}

// Writer compresses to one gzip member.
type Writer struct {
	d       *deflater
	out     func([]byte)
	crc     uint32
	total   int64
	written int64
}

// NewWriter returns a Writer of a level, from 1 (fast) to 9 (small), or 0 for no
// compression, that hands its output to out.
func NewWriter(level int, h Header, out func([]byte)) *Writer {
	w := &Writer{}
	w.out = func(b []byte) {
		w.written += int64(len(b))
		out(b)
	}
	head := make([]byte, 10, 10+len(h.Name)+1)
	copy(head, "\x1f\x8b\x08")
	binary.LittleEndian.PutUint32(head[4:], h.Mtime)
	switch level {
	case 1:
		head[8] = 4
	case 9:
		head[8] = 2
	}
	head[9] = 3 // Unix
	if h.Name != "" {
		head[3] = flagName
		head = append(append(head, h.Name...), 0)
	}
	w.out(head)
	w.d = newDeflater(level, w.out)
	return w
}

// Write compresses b.
func (w *Writer) Write(b []byte) {
	w.crc = crc32.Update(w.crc, crc32.IEEETable, b)
	w.total += int64(len(b))
	w.d.write(b)
}

// Close ends the member. Sizes are complete afterwards.
func (w *Writer) Close() {
	w.d.close()
	var t [8]byte
	binary.LittleEndian.PutUint32(t[:], w.crc)
	binary.LittleEndian.PutUint32(t[4:], uint32(w.total))
	w.out(t[:])
}

// Size returns how many bytes have been written, and CompressedSize what they
// became.
func (w *Writer) Size() int64 { return w.total }

// CompressedSize returns how many bytes have been handed out.
func (w *Writer) CompressedSize() int64 { return w.written }
