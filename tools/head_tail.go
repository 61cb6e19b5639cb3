// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

// headTail keeps the head and the tail of a stream, half of max each, and counts
// what it drops between them. Its memory grows with what is written, up to max.
// It is not safe for concurrent use.
type headTail struct {
	max     int
	head    []byte
	tail    []byte // a ring, once it is as long as it may be
	start   int    // of the ring
	omitted int64
}

func (h *headTail) headMax() int { return h.max / 2 }
func (h *headTail) tailMax() int { return h.max - h.max/2 }

// write appends p.
func (h *headTail) write(p []byte) {
	if len(h.tail) == 0 && h.omitted == 0 {
		n := min(h.headMax()-len(h.head), len(p))
		h.head = append(h.head, p[:n]...)
		p = p[n:]
	}
	room := h.tailMax()
	if len(p) >= room { // replaces the tail
		h.omitted += int64(len(h.tail)) + int64(len(p)-room)
		h.tail = append(h.tail[:0], p[len(p)-room:]...)
		h.start = 0
		return
	}
	n := min(room-len(h.tail), len(p))
	h.tail = append(h.tail, p[:n]...)
	p = p[n:]
	h.omitted += int64(len(p))
	for len(p) > 0 {
		n := copy(h.tail[h.start:], p)
		h.start = (h.start + n) % len(h.tail)
		p = p[n:]
	}
}

// size returns the number of bytes kept.
func (h *headTail) size() int { return len(h.head) + len(h.tail) }

// total returns the number of bytes written.
func (h *headTail) total() int64 { return int64(h.size()) + h.omitted }

// parts returns copies of the head and of the tail. Where nothing was dropped,
// all is in the head.
func (h *headTail) parts() (head, tail []byte) {
	tail = append(append(make([]byte, 0, len(h.tail)), h.tail[h.start:]...), h.tail[:h.start]...)
	head = append(make([]byte, 0, h.size()), h.head...)
	if h.omitted == 0 {
		return append(head, tail...), nil
	}
	return head, tail
}

// reset empties h.
func (h *headTail) reset() { *h = headTail{max: h.max} }
