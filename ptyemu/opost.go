// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu

// maxPost is how many bytes one byte of output becomes at most: a tab.
const maxPost = 8

// Output appends the output p of a process to dst, as the master sees it, and
// returns how many bytes of p it took: not more than make dst grow by max.
// Nothing is taken while output is stopped.
//
// POSIX: XBD 11.2.3 Output Modes.
func (d *Discipline) Output(dst, p []byte, max int) (out []byte, n int) {
	if d.stopped {
		return dst, 0
	}
	limit := len(dst) + max
	if !d.tio.oflag(OPOST) {
		n = min(len(p), max)
		return append(dst, p[:n]...), n
	}
	plain := !d.tio.oflag(OLCUC)
	utf8 := d.tio.iflag(IUTF8)
	for n < len(p) {
		if plain {
			// A run of characters that only move the column.
			i, column := n, d.column
			for end := min(len(p), n+limit-len(dst)); i < end && p[i] >= ' ' && p[i] != 0x7f; i++ {
				if p[i]&0xc0 != 0x80 || !utf8 {
					column++
				}
			}
			d.column = column
			dst = append(dst, p[n:i]...)
			if n = i; n == len(p) {
				break
			}
		}
		size, column, first := len(dst), d.column, d.first
		dst = d.post(dst, p[n])
		if len(dst) > limit {
			d.column, d.first = column, first
			return dst[:size], n
		}
		n++
	}
	return dst, n
}

// post appends a byte of output to dst.
func (d *Discipline) post(dst []byte, c byte) []byte {
	t := &d.tio
	switch c {
	case '\n':
		if t.oflag(ONLRET) {
			d.column = 0
		}
		if t.oflag(ONLCR) {
			d.column, d.first = 0, 0
			return append(dst, '\r', '\n')
		}
		d.first = d.column
	case '\r':
		if t.oflag(ONOCR) && d.column == 0 {
			return dst
		}
		if t.oflag(OCRNL) {
			c = '\n'
			if t.oflag(ONLRET) {
				d.column, d.first = 0, 0
			}
			break
		}
		d.column, d.first = 0, 0
	case '\t':
		n := 8 - d.column&7
		d.column += n
		if t.Oflag&TABDLY == XTABS {
			return append(dst, "        "[:n]...)
		}
	case '\b':
		d.moveBack()
	default:
		if !isControl(c) {
			if t.oflag(OLCUC) {
				c = toUpper(c)
			}
			if !d.continues(c) {
				d.column++
			}
		}
	}
	return append(dst, c)
}
