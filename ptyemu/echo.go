// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu

// Echo is worked out as output only at the end of a call of Input, or when
// output goes on: then the columns are those that the output before it has come
// to, and the attributes those of that time. Until then it is encoded: bytes
// stand for themselves, but for escape, which an operation follows.
const (
	escape  = 0xff
	opByte  = iota // a byte 0xff
	opPair         // "^" and the byte that follows, of a control character
	opBack         // the last byte did not move
	opFirst        // the line begins here
	opTab          // back over a tab; the columns before it follow
)

// fromFirst says that the columns of an opTab count from where the line begins,
// and not from another tab.
const fromFirst = 0x80

// continues reports whether c is a byte of a UTF-8 character that is not its
// first.
func (d *Discipline) continues(c byte) bool { return c&0xc0 == 0x80 && d.tio.iflag(IUTF8) }

// add encodes echo, unless output is stopped and there is a good deal of it.
func (d *Discipline) add(b ...byte) {
	if !d.stopped || len(d.pending)+len(b) <= maxHeld {
		d.pending = append(d.pending, b...)
	}
}

// echoByte echoes a byte, a control character as two with ECHOCTL.
func (d *Discipline) echoByte(c byte) {
	if isControl(c) && c != '\t' && d.tio.lflag(ECHOCTL) {
		d.add(escape, opPair, c)
		return
	}
	d.echoRaw(c)
}

// echoRaw echoes a byte as output.
func (d *Discipline) echoRaw(c byte) {
	if c == escape {
		d.add(escape, opByte)
		return
	}
	d.add(c)
}

// rubOut shows that one column is blank now.
func (d *Discipline) rubOut() { d.add('\b', ' ', '\b') }

// finishErasing ends what ECHOPRT shows.
func (d *Discipline) finishErasing() {
	if d.erasing {
		d.erasing = false
		d.echoRaw('/')
	}
}

// noteFirst notes where the first byte of a line is about to be shown.
func (d *Discipline) noteFirst() {
	if d.in.editing() == 0 {
		d.add(escape, opFirst)
	}
}

// release makes output of the pending echo, unless output is stopped.
func (d *Discipline) release() {
	if d.stopped {
		return
	}
	p := d.pending
	for len(p) > 0 {
		c := p[0]
		if c != escape {
			n := 1
			for n < len(p) && p[n] != escape {
				n++
			}
			d.echo, _ = d.Output(d.echo, p[:n], maxPost*n)
			p = p[n:]
			continue
		}
		op := p[1]
		p = p[2:]
		switch op {
		case opByte:
			d.echo = append(d.echo, escape)
			d.column++
		case opPair:
			d.echo = append(d.echo, '^', p[0]^0x40)
			d.column += 2
			p = p[1:]
		case opBack:
			d.moveBack()
		case opFirst:
			d.first = d.column
		case opTab:
			width := uint32(p[0] &^ fromFirst)
			if p[0]&fromFirst != 0 {
				width += d.first
			}
			for n := 8 - width&7; n > 0; n-- {
				d.echo = append(d.echo, '\b')
				d.moveBack()
			}
			p = p[1:]
		}
	}
	d.pending = d.pending[:0]
}

// moveBack moves the column back.
func (d *Discipline) moveBack() {
	if d.column > 0 {
		d.column--
	}
}
