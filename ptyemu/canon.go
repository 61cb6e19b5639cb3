// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu

// edit does what c does to the line in canonical mode, and reports whether it
// does anything else than becoming a part of it.
//
// POSIX: XBD 11.1.6 Canonical Mode Input Processing, 11.1.9 Special Characters.
func (d *Discipline) edit(c byte) bool {
	t := &d.tio
	extended := t.lflag(IEXTEN)
	switch {
	case c == t.CC[VERASE]:
		d.erase()
	case c == t.CC[VKILL]:
		d.kill()
	case c == t.CC[VWERASE] && extended:
		d.eraseWord()
	case c == t.CC[VLNEXT] && extended:
		d.literal = true
		if t.lflag(ECHO) {
			d.finishErasing()
			if t.lflag(ECHOCTL) {
				d.echoRaw('^')
				d.echoRaw('\b')
			}
		}
	case c == t.CC[VREPRINT] && t.lflag(ECHO) && extended:
		d.finishErasing()
		d.echoByte(c)
		d.echoRaw('\n')
		for i := d.in.ready; i != d.in.wr; i++ {
			d.echoByte(d.in.at(i))
		}
	case c == '\n':
		if t.lflag(ECHO | ECHONL) {
			d.echoRaw(c)
		}
		d.in.end(c)
	case c == t.CC[VEOF]:
		d.in.end(0)
	case c == t.CC[VEOL], c == t.CC[VEOL2] && extended:
		if t.lflag(ECHO) {
			d.noteFirst()
			d.echoByte(c)
		}
		if c == 0xff && t.iflag(PARMRK) {
			d.in.put(c)
		}
		d.in.end(c)
	default:
		return false
	}
	return true
}

// lastChar returns where the last character of the line starts, and reports
// false where its first byte is missing or there is none.
func (d *Discipline) lastChar() (uint32, bool) {
	i := d.in.wr
	for i != d.in.ready {
		i--
		if !d.continues(d.in.at(i)) {
			return i, true
		}
	}
	return i, false
}

// erase takes the last character away.
func (d *Discipline) erase() {
	if d.in.editing() == 0 {
		return
	}
	if i, ok := d.lastChar(); ok {
		d.takeBack(i, true)
	}
	d.erased()
}

// eraseWord takes the last word away, and what is behind it.
func (d *Discipline) eraseWord() {
	if d.in.editing() == 0 {
		return
	}
	word := false
	for {
		i, ok := d.lastChar()
		if !ok {
			break
		}
		if isWord(d.in.at(i)) {
			word = true
		} else if word {
			break
		}
		d.takeBack(i, false)
	}
	d.erased()
}

// kill takes the line away.
func (d *Discipline) kill() {
	t := &d.tio
	if d.in.editing() == 0 {
		return
	}
	if !t.lflag(ECHO) {
		d.in.wr = d.in.ready
		return
	}
	if !t.lflag(ECHOK) || !t.lflag(ECHOKE) || !t.lflag(ECHOE) {
		d.in.wr = d.in.ready
		d.finishErasing()
		d.echoByte(t.CC[VKILL])
		if t.lflag(ECHOK) {
			d.echoRaw('\n')
		}
		return
	}
	for {
		i, ok := d.lastChar()
		if !ok {
			break
		}
		d.takeBack(i, false)
	}
	d.erased()
}

// erased ends what ECHOPRT shows once nothing is left.
func (d *Discipline) erased() {
	if d.in.editing() == 0 && d.tio.lflag(ECHO) {
		d.finishErasing()
	}
}

// takeBack takes the character from i on away and shows it; single says that it
// is the only one.
func (d *Discipline) takeBack(i uint32, single bool) {
	t := &d.tio
	end := d.in.wr
	d.in.wr = i
	if !t.lflag(ECHO) {
		return
	}
	c := d.in.at(i)
	switch {
	case t.lflag(ECHOPRT):
		if !d.erasing {
			d.echoRaw('\\')
			d.erasing = true
		}
		d.echoByte(c)
		for i++; i != end; i++ {
			d.echoRaw(d.in.at(i))
			d.add(escape, opBack)
		}
	case single && !t.lflag(ECHOE):
		d.echoByte(t.CC[VERASE])
	case c == '\t':
		d.eraseTab()
	default:
		if isControl(c) && t.lflag(ECHOCTL) {
			d.rubOut()
		}
		if !isControl(c) || t.lflag(ECHOCTL) {
			d.rubOut()
		}
	}
}

// eraseTab moves back over a tab at the end of the line, by as many columns as
// it took: counted from the tab before it, or from where the line began.
func (d *Discipline) eraseTab() {
	width := uint32(0)
	tab := false
	for i := d.in.wr; i != d.in.ready && !tab; {
		i--
		switch c := d.in.at(i); {
		case c == '\t':
			tab = true
		case isControl(c):
			if d.tio.lflag(ECHOCTL) {
				width += 2
			}
		case !d.continues(c):
			width++
		}
	}
	width &= 7
	if !tab {
		width |= fromFirst
	}
	d.add(escape, opTab, byte(width))
}
