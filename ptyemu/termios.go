// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu

// NCCS is how many control characters a terminal has.
const NCCS = 19

// Termios holds the attributes of a terminal, with the values of Linux.
//
// POSIX: struct termios.
type Termios struct {
	Iflag, Oflag, Cflag, Lflag uint32
	Line                       uint8
	CC                         [NCCS]uint8
	Ispeed, Ospeed             uint32
}

// DefaultTermios returns the attributes that a new pseudoterminal of Linux has,
// with IUTF8.
func DefaultTermios() Termios {
	return Termios{
		Iflag: ICRNL | IXON | IUTF8,
		Oflag: OPOST | ONLCR,
		Cflag: 0o277, // 38400 bits a second, 8 bits, receiver on
		Lflag: ISIG | ICANON | ECHO | ECHOE | ECHOK | ECHOCTL | ECHOKE | IEXTEN,
		CC: [NCCS]uint8{
			VINTR: 'C' & 31, VQUIT: '\\' & 31, VERASE: 0x7f, VKILL: 'U' & 31, VEOF: 'D' & 31,
			VMIN: 1, VSTART: 'Q' & 31, VSTOP: 'S' & 31, VSUSP: 'Z' & 31, VREPRINT: 'R' & 31,
			VDISCARD: 'O' & 31, VWERASE: 'W' & 31, VLNEXT: 'V' & 31,
		},
		Ispeed: 38400, Ospeed: 38400,
	}
}

// MakeRaw changes t so that bytes pass unchanged both ways.
//
// BSD: cfmakeraw().
func (t *Termios) MakeRaw() {
	t.Iflag &^= IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON
	t.Oflag &^= OPOST
	t.Lflag &^= ECHO | ECHONL | ICANON | ISIG | IEXTEN
	t.Cflag = t.Cflag&^0o460 | 0o060
	t.CC[VMIN], t.CC[VTIME] = 1, 0
}

func (t *Termios) iflag(f uint32) bool { return t.Iflag&f != 0 }
func (t *Termios) oflag(f uint32) bool { return t.Oflag&f != 0 }
func (t *Termios) lflag(f uint32) bool { return t.Lflag&f != 0 }

// When says when a change of attributes takes effect. Output does not wait in
// the terminal itself, so that [Now] and [Drain] are the same.
//
// POSIX: tcsetattr() optional_actions.
type When uint8

// When a change of attributes takes effect.
const (
	Now   When = iota // at once
	Drain             // behind the output so far
	Flush             // likewise, throwing away input that was not read
)
