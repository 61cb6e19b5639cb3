// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu

// InputSize is how many bytes of input wait at most, and so the length of the
// longest line of canonical mode with its end. What is typed behind 4095 bytes
// of a line is lost.
//
// POSIX: MAX_CANON, MAX_INPUT.
const InputSize = 4096

// inputQueue is a ring of input. rd <= ready <= wr count bytes since the start:
// from rd to ready they can be read, and from there to wr is the line that is
// being edited.
type inputQueue struct {
	buf   [InputSize]byte
	mark  [InputSize / 64]uint64 // bytes that end a line; a marked 0 is an end of file
	rd    uint32
	ready uint32
	wr    uint32
}

func (q *inputQueue) used() int     { return int(q.wr - q.rd) }
func (q *inputQueue) readable() int { return int(q.ready - q.rd) }
func (q *inputQueue) editing() int  { return int(q.wr - q.ready) }

func (q *inputQueue) at(i uint32) byte { return q.buf[i%InputSize] }

func (q *inputQueue) marked(i uint32) bool {
	i %= InputSize
	return q.mark[i/64]>>(i%64)&1 != 0
}

func (q *inputQueue) setMark(i uint32) {
	i %= InputSize
	q.mark[i/64] |= 1 << (i % 64)
}

func (q *inputQueue) clearMark(i uint32) {
	i %= InputSize
	q.mark[i/64] &^= 1 << (i % 64)
}

// put adds a byte to the line; one that does not fit replaces the last.
func (q *inputQueue) put(c byte) {
	if q.used() == InputSize {
		q.wr--
	}
	q.buf[q.wr%InputSize] = c
	q.wr++
}

// end adds a byte that ends the line.
func (q *inputQueue) end(c byte) {
	q.put(c)
	q.setMark(q.wr - 1)
	q.ready = q.wr
}

// write adds as much of p as fits, leaving one byte of room.
func (q *inputQueue) write(p []byte) int {
	n := min(len(p), InputSize-1-q.used())
	if n <= 0 {
		return 0
	}
	i := q.wr % InputSize
	m := copy(q.buf[i:], p[:n])
	copy(q.buf[:], p[m:n])
	q.wr += uint32(n)
	return n
}

// readLine moves up to a line into p, and reports whether p holds its end or
// the end of file.
func (q *inputQueue) readLine(p []byte) (n int) {
	for n < len(p) && q.rd != q.ready {
		c, end := q.at(q.rd), q.marked(q.rd)
		q.clearMark(q.rd)
		q.rd++
		if end && c == 0 {
			return n
		}
		p[n] = c
		n++
		if end {
			return n
		}
	}
	// A full buffer is no reason to report the end of file that is next.
	if n > 0 && q.rd != q.ready && q.marked(q.rd) && q.at(q.rd) == 0 {
		q.clearMark(q.rd)
		q.rd++
	}
	return n
}

// read moves bytes into p.
func (q *inputQueue) read(p []byte) int {
	n := min(len(p), q.readable())
	i := q.rd % InputSize
	m := copy(p[:n], q.buf[i:])
	copy(p[m:n], q.buf[:])
	q.rd += uint32(n)
	return n
}

// clear drops everything.
func (q *inputQueue) clear() {
	q.clearMarks()
	q.rd, q.ready = q.wr, q.wr
}

func (q *inputQueue) clearMarks() { q.mark = [InputSize / 64]uint64{} }

// OutputSize is how many bytes wait for the master before processes that write
// have to.
const OutputSize = 64 << 10

// outputQueue is a queue of output. Its buffer starts small, and is given back
// when empty.
type outputQueue struct {
	buf []byte // ring, a power of 2
	r   int    // position of the first byte
	n   int    // bytes held
}

const smallOutput = 4096

func (q *outputQueue) free() int { return OutputSize - q.n }

// write adds p, whatever its size.
func (q *outputQueue) write(p []byte) {
	if len(p) == 0 {
		return
	}
	if q.n+len(p) > len(q.buf) {
		size := max(len(q.buf), smallOutput)
		for size < q.n+len(p) {
			size *= 2
		}
		b := make([]byte, size)
		q.peek(b[:q.n])
		q.buf, q.r = b, 0
	}
	i := (q.r + q.n) & (len(q.buf) - 1)
	m := copy(q.buf[i:], p)
	copy(q.buf, p[m:])
	q.n += len(p)
}

// peek copies the first len(p) bytes, which there are.
func (q *outputQueue) peek(p []byte) {
	if len(p) == 0 {
		return
	}
	m := copy(p, q.buf[q.r:min(len(q.buf), q.r+q.n)])
	copy(p[m:], q.buf)
}

func (q *outputQueue) read(p []byte) int {
	n := min(len(p), q.n)
	q.peek(p[:n])
	if q.n -= n; q.n == 0 {
		q.r = 0
		if len(q.buf) > OutputSize {
			q.buf = nil
		}
	} else {
		q.r = (q.r + n) & (len(q.buf) - 1)
	}
	return n
}

// keep drops all but the first n bytes and returns how many those were.
func (q *outputQueue) keep(n int) int {
	lost := max(q.n-n, 0)
	q.n -= lost
	return lost
}
