// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu

// continues reports whether c is a byte of a UTF-8 character that is not its
// first.
func (d *Discipline) continues(c byte) bool { return c&0xc0 == 0x80 && d.tio.iflag(IUTF8) }

// emit adds a byte of echo.
func (d *Discipline) emit(c byte) {
	switch {
	case !d.stopped:
		d.echo = append(d.echo, c)
	case len(d.held) < maxHeld:
		d.held = append(d.held, c)
	}
}

// moveBack notes that the last byte of echo did not move.
func (d *Discipline) moveBack() {
	if d.column > 0 {
		d.column--
	}
}

// echoByte echoes a byte, a control character as two with ECHOCTL.
func (d *Discipline) echoByte(c byte) {
	if isControl(c) && c != '\t' && d.tio.lflag(ECHOCTL) {
		d.emit('^')
		d.emit(c ^ 0x40)
		d.column += 2
		return
	}
	d.echoRaw(c)
}

// echoRaw echoes a byte as output.
func (d *Discipline) echoRaw(c byte) {
	switch {
	case c == 0xff:
		d.emit(c)
		d.column++
	case !d.tio.oflag(OPOST):
		d.emit(c)
	case d.stopped:
		d.held = d.post(d.held, c)
		d.held = d.held[:min(len(d.held), maxHeld)]
	default:
		d.echo = d.post(d.echo, c)
	}
}

// rubOut shows that one column is blank now.
func (d *Discipline) rubOut() {
	d.echoRaw('\b')
	d.echoRaw(' ')
	d.echoRaw('\b')
}

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
		d.first = d.column
	}
}
