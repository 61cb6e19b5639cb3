// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package cmdkit

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// errReported replaces a write error that has been reported.
const errReported = abi.ECANCELED

// Writer is buffered output to a descriptor. To a terminal it writes at every
// newline. The first error is kept in Err, and everything behind it is dropped.
// The zero value with an FD is unbuffered.
type Writer struct {
	FD  wsys.FD
	Err error

	buf     []byte
	n       int
	line    bool
	lazyTTY bool // the terminal question is still open
}

// NewWriter returns a buffered Writer.
func NewWriter(fd wsys.FD) *Writer {
	return &Writer{FD: fd, buf: make([]byte, 64<<10), lazyTTY: true}
}

// SetLineBuffered makes the Writer write at every newline, or not.
func (w *Writer) SetLineBuffered(on bool) { w.line, w.lazyTTY = on, false }

func (w *Writer) tty() {
	w.lazyTTY = false
	w.line = wsys.Isatty(w.FD)
}

// Interactive reports whether the Writer writes at every newline.
func (w *Writer) Interactive() bool {
	if w.lazyTTY {
		w.tty()
	}
	return w.line
}

func (w *Writer) put(b []byte) {
	for len(b) > 0 && w.Err == nil {
		n, err := wsys.Write(w.FD, b)
		b = b[n:]
		if err != nil && err != abi.EINTR {
			w.Err = err
		}
	}
}

// Write appends b. It returns len(b) and the Writer's error.
func (w *Writer) Write(b []byte) (int, error) {
	if w.lazyTTY {
		w.tty()
	}
	n := len(b)
	if len(b) > len(w.buf)-w.n {
		w.Flush()
		if len(b) >= len(w.buf) {
			w.put(b)
			return n, w.Err
		}
	}
	w.n += copy(w.buf[w.n:], b)
	if w.line {
		w.flushLines(b)
	}
	return n, w.Err
}

func (w *Writer) flushLines(b []byte) {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] == '\n' {
			w.Flush()
			return
		}
	}
}

// WriteString appends s. It returns len(s) and the Writer's error.
func (w *Writer) WriteString(s string) (int, error) {
	if w.lazyTTY {
		w.tty()
	}
	if len(s) > len(w.buf)-w.n || w.line {
		return w.Write([]byte(s))
	}
	w.n += copy(w.buf[w.n:], s)
	return len(s), w.Err
}

// WriteByte appends c. It returns the Writer's error.
func (w *Writer) WriteByte(c byte) error {
	if w.n == len(w.buf) {
		w.Flush()
		if len(w.buf) == 0 {
			w.put([]byte{c})
			return w.Err
		}
	}
	if w.lazyTTY {
		w.tty()
	}
	w.buf[w.n] = c
	w.n++
	if c == '\n' && w.line {
		w.Flush()
	}
	return w.Err
}

// Gather appends pieces of src, or of alt where the offset has abi.GatherAlt
// set. A piece is an offset and a length; total is the sum of the lengths. It
// returns the Writer's error.
func (w *Writer) Gather(src, alt []byte, pieces []uint32, total int) error {
	if w.lazyTTY {
		w.tty()
	}
	if total > len(w.buf)-w.n && len(w.buf) > 0 {
		w.Flush()
	}
	if total > len(w.buf)-w.n || total < wsys.Worth || w.line {
		for ; len(pieces) >= 2 && w.Err == nil; pieces = pieces[2:] {
			from, off := src, pieces[0]
			if off&abi.GatherAlt != 0 {
				from, off = alt, off&^abi.GatherAlt
			}
			w.Write(from[off : off+pieces[1]])
		}
		return w.Err
	}
	w.n += wsys.Gather(w.buf[w.n:], src, alt, pieces)
	return w.Err
}

// Pad appends n spaces.
func (w *Writer) Pad(n int) {
	for ; n > 0; n-- {
		w.WriteByte(' ')
	}
}

// Available returns the free rest of the buffer, for functions that append:
// w.Write(strconv.AppendInt(w.Available(), v, 10)) does not allocate.
func (w *Writer) Available() []byte {
	if len(w.buf)-w.n < 64 {
		w.Flush()
	}
	return w.buf[w.n:w.n]
}

// Flush writes what is buffered. It returns the Writer's error.
func (w *Writer) Flush() error {
	if w.n > 0 {
		n := w.n
		w.n = 0
		w.put(w.buf[:n])
	}
	return w.Err
}
