// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu

// Discipline is a line discipline: what makes a terminal of two streams of
// bytes. It is not safe for concurrent use; the zero value is not usable.
type Discipline struct {
	tio     Termios
	special [256]bool // input bytes that more is done with than echo
	raw     bool      // input passes unchanged
	runs    bool      // input that is not special becomes data as it is

	in      inputQueue
	erasing bool // inside "\...", as ECHOPRT shows what is erased
	literal bool // the next byte is not special
	stopped bool // output waits for the start character

	column uint32 // where output has come to
	first  uint32 // column of the line's first byte

	pending []byte // echo to come, as echo.go encodes it
	echo    []byte // output of this call
}

// maxHeld is how much echo, encoded, is kept while output is stopped.
const maxHeld = 4096

// maxEcho is how much echo, encoded, a call of Input makes before it ends: each reprint
// character repeats the whole line.
const maxEcho = 4096

// Effects are what input does besides filling the queue.
type Effects struct {
	// Signal is raised by the last byte taken; 0 for none.
	Signal Signal
	// Flush asks to throw away output that the master has not got.
	Flush bool
	// Echo is output for the master, behind the flush. It is valid until
	// the next call.
	Echo []byte
}

// NewDiscipline returns a discipline with the given attributes.
func NewDiscipline(t Termios) *Discipline {
	d := &Discipline{tio: t}
	d.classify()
	return d
}

// Termios returns the attributes.
func (d *Discipline) Termios() Termios { return d.tio }

// SetTermios sets the attributes. Leaving canonical mode makes what was typed of
// a line readable; entering it makes a line of what was not read. The echo of a
// call is output that a stop character had held and is free now.
func (d *Discipline) SetTermios(t Termios) (echo []byte) {
	old := d.tio
	d.tio = t
	if (old.Lflag^t.Lflag)&ICANON != 0 {
		q := &d.in
		q.clearMarks()
		q.ready = q.wr
		if t.lflag(ICANON) && q.readable() > 0 {
			q.setMark(q.wr - 1)
		}
		d.erasing, d.literal = false, false
	}
	d.classify()
	d.echo = d.echo[:0]
	if old.iflag(IXON) && !t.iflag(IXON) {
		d.start()
	}
	return d.echo
}

// classify finds out what input bytes need attention.
func (d *Discipline) classify() {
	t := &d.tio
	d.special = [256]bool{}
	set := func(index ...int) {
		for _, i := range index {
			d.special[t.CC[i]] = true
		}
	}
	if t.iflag(IGNCR | ICRNL) {
		d.special['\r'] = true
	}
	if t.iflag(INLCR) {
		d.special['\n'] = true
	}
	if t.lflag(ICANON) {
		d.special['\n'] = true
		set(VERASE, VKILL, VEOF, VEOL)
		if t.lflag(IEXTEN) {
			set(VWERASE, VLNEXT, VEOL2)
			if t.lflag(ECHO) {
				set(VREPRINT)
			}
		}
	}
	if t.iflag(IXON) {
		set(VSTART, VSTOP)
	}
	if t.lflag(ISIG) {
		set(VINTR, VQUIT, VSUSP)
	}
	d.special[0] = false // what is off
	d.runs = !t.iflag(ISTRIP | IUCLC | PARMRK)
	d.raw = !t.iflag(ISTRIP|IUCLC|IGNCR|ICRNL|INLCR|IXON|PARMRK) && !t.lflag(ICANON|ISIG|ECHO)
}

// Input takes input of the master: as many bytes of p as there is room for, up
// to one that raises a signal, and not more than has an echo of a few kilobytes.
func (d *Discipline) Input(p []byte) (n int, e Effects) {
	d.echo = d.echo[:0]
	if d.raw && !d.literal {
		n = d.in.write(p)
		d.in.ready = d.in.wr
		return n, e
	}
	for n < len(p) && e.Signal == 0 && len(d.pending) < maxEcho {
		if k := d.run(p[n:]); k > 0 {
			n += k
			continue
		}
		if !d.makeRoom() {
			break
		}
		c := p[n]
		n++
		e.Signal, e.Flush = d.receive(c)
	}
	if !d.tio.lflag(ICANON) {
		d.in.ready = d.in.wr
	}
	d.release()
	e.Echo = d.echo
	return n, e
}

// run takes the printable bytes that p begins with, as plain does one by one,
// and returns how many: 0 where that is not possible.
func (d *Discipline) run(p []byte) int {
	if !d.runs || d.literal || d.stopped || d.erasing || len(p) == 0 || d.special[p[0]] {
		return 0
	}
	p = p[:min(len(p), max(d.room(), 0))]
	n := 0
	for n < len(p) && p[n] >= ' ' && p[n] < 0x7f && !d.special[p[n]] {
		n++
	}
	if n == 0 {
		return 0
	}
	if d.tio.lflag(ECHO) {
		d.noteFirst()
		d.pending = append(d.pending, p[:n]...)
	}
	return d.in.write(p[:n])
}

// Urgent returns the index of the first byte of p that raises a signal which
// flushes input, or -1.
func (d *Discipline) Urgent(p []byte) int {
	t := &d.tio
	if !t.lflag(ISIG) || t.lflag(NOFLSH) {
		return -1
	}
	literal := d.literal
	for i, c := range p {
		switch {
		case literal:
			literal = false
		case c == 0:
		case c == t.CC[VINTR], c == t.CC[VQUIT], c == t.CC[VSUSP]:
			return i
		case c == t.CC[VLNEXT]:
			literal = t.lflag(ICANON) && t.lflag(IEXTEN)
		}
	}
	return -1
}

// room returns how many bytes fit for sure.
func (d *Discipline) room() int {
	n := InputSize - d.in.used()
	if d.tio.iflag(PARMRK) {
		n = (n + 2) / 3
	}
	return n - 1
}

// overflows reports that the whole queue is one line that is being edited: then
// its end must still get in.
func (d *Discipline) overflows() bool { return d.tio.lflag(ICANON) && d.in.readable() == 0 }

// makeRoom makes room for a byte, in a line that is too long for it at the cost
// of its last one. It reports false where the reader has to read first.
func (d *Discipline) makeRoom() bool {
	if d.room() > 0 {
		return true
	}
	if !d.overflows() {
		return false
	}
	if d.in.used() == InputSize {
		d.in.wr--
	}
	return true
}

// receive takes one byte.
func (d *Discipline) receive(c byte) (s Signal, flush bool) {
	if d.tio.iflag(ISTRIP) {
		c &= 0x7f
	}
	if d.tio.Iflag&IUCLC != 0 && d.tio.lflag(IEXTEN) {
		c = toLower(c)
	}
	if d.literal {
		d.literal = false
		d.plain(c)
		return 0, false
	}
	if !d.special[c] {
		d.plain(c)
		return 0, false
	}
	return d.act(c)
}

// plain takes a byte that is data.
func (d *Discipline) plain(c byte) {
	d.restart()
	if d.tio.lflag(ECHO) {
		d.finishErasing()
		d.noteFirst()
		d.echoByte(c)
	}
	d.store(c)
}

// store puts a data byte into the line.
func (d *Discipline) store(c byte) {
	if c == 0xff && d.tio.iflag(PARMRK) {
		d.in.put(c)
	}
	d.in.put(c)
}

// act does what a special byte asks for.
func (d *Discipline) act(c byte) (s Signal, flush bool) {
	t := &d.tio
	if t.iflag(IXON) {
		switch c {
		case t.CC[VSTART]:
			d.start()
			return 0, false
		case t.CC[VSTOP]:
			d.stopped = true
			return 0, false
		}
	}
	if t.lflag(ISIG) {
		switch c {
		case t.CC[VINTR]:
			s = Interrupt
		case t.CC[VQUIT]:
			s = Quit
		case t.CC[VSUSP]:
			s = Suspend
		}
		if s != 0 {
			return s, d.raise(c)
		}
	}
	d.restart()
	switch {
	case c == '\r' && t.iflag(IGNCR):
		return 0, false
	case c == '\r' && t.iflag(ICRNL):
		c = '\n'
	case c == '\n' && t.iflag(INLCR):
		c = '\r'
	}
	if t.lflag(ICANON) && d.edit(c) {
		return 0, false
	}
	if t.lflag(ECHO) {
		d.finishErasing()
		if c == '\n' {
			d.echoRaw(c)
		} else {
			d.noteFirst()
			d.echoByte(c)
		}
	}
	d.store(c)
	return 0, false
}

// raise does what a signal character does besides the signal, and reports
// whether it flushes.
func (d *Discipline) raise(c byte) (flush bool) {
	if !d.tio.lflag(NOFLSH) {
		flush = true
		d.in.clear()
		d.erasing = false
		// Echo of this call cannot have reached the master yet.
		d.echo, d.pending = d.echo[:0], d.pending[:0]
	}
	if d.tio.iflag(IXON) {
		d.start()
	}
	if d.tio.lflag(ECHO) {
		d.echoByte(c)
	}
	return flush
}

// start lets output go on.
func (d *Discipline) start() {
	d.stopped = false
	d.release()
}

// restart lets output go on with any byte, where that is set.
func (d *Discipline) restart() {
	if d.stopped && d.tio.iflag(IXON) && d.tio.iflag(IXANY) {
		d.start()
	}
}

// Stopped reports whether output waits for the start character.
func (d *Discipline) Stopped() bool { return d.stopped }

// FlushInput throws away input that was not read.
//
// POSIX: tcflush() TCIFLUSH.
func (d *Discipline) FlushInput() {
	d.in.clear()
	d.erasing = false
}

// EndInput ends the line that is being edited as the end-of-file character
// does, so that what there is of it can be read.
func (d *Discipline) EndInput() {
	if d.tio.lflag(ICANON) && d.in.editing() > 0 {
		d.makeRoom()
		d.in.end(0)
	}
}

// Readable returns how many bytes Read could return, ends of file included, or 0
// where a line is not finished.
func (d *Discipline) Readable() int { return d.in.readable() }

// Read moves input into p: in canonical mode at most a line. 0 is an end of file
// where Readable was not 0.
func (d *Discipline) Read(p []byte) int {
	if len(p) == 0 {
		return 0
	}
	if d.tio.lflag(ICANON) {
		return d.in.readLine(p)
	}
	return d.in.read(p)
}
