// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package abi

import "encoding/binary"

// NCCS is how many control characters a terminal has.
const NCCS = 19

// Termios holds the attributes of a terminal. Its flags and the indexes of its
// control characters have the values of Linux.
//
// POSIX: struct termios.
type Termios struct {
	Iflag, Oflag, Cflag, Lflag uint32
	Line                       uint8 // line discipline: 0
	CC                         [NCCS]uint8
	Ispeed, Ospeed             uint32 // bits a second
}

// TermiosSize is the size in bytes of the encoded Termios: input, output,
// control and local flags u32, line discipline u8, 19 control characters u8,
// input and output speed u32, little endian.
//
// Linux: struct termios2, as TCGETS2 has it; its first 36 bytes are those of
// TCGETS.
const TermiosSize = 4*4 + 1 + NCCS + 2*4

// When a change of attributes takes effect.
//
// POSIX: tcsetattr().
const (
	TCSANOW   = 0 // at once
	TCSADRAIN = 1 // when all output has been sent
	TCSAFLUSH = 2 // likewise, and input that was not read is thrown away
)

// Control characters: indexes of Termios.CC. A character whose value is
// [VDisable] is off; VMIN and VTIME are numbers.
const (
	VINTR    = 0
	VQUIT    = 1
	VERASE   = 2
	VKILL    = 3
	VEOF     = 4
	VTIME    = 5 // tenths of a second
	VMIN     = 6 // bytes
	VSWTC    = 7
	VSTART   = 8
	VSTOP    = 9
	VSUSP    = 10
	VEOL     = 11
	VREPRINT = 12
	VDISCARD = 13
	VWERASE  = 14
	VLNEXT   = 15
	VEOL2    = 16
)

// VDisable is the value of a control character that is off.
//
// POSIX: _POSIX_VDISABLE.
const VDisable = 0

// Input flags.
const (
	IGNBRK  uint32 = 0o000001
	BRKINT  uint32 = 0o000002
	IGNPAR  uint32 = 0o000004
	PARMRK  uint32 = 0o000010
	INPCK   uint32 = 0o000020
	ISTRIP  uint32 = 0o000040
	INLCR   uint32 = 0o000100
	IGNCR   uint32 = 0o000200
	ICRNL   uint32 = 0o000400
	IUCLC   uint32 = 0o001000
	IXON    uint32 = 0o002000
	IXANY   uint32 = 0o004000
	IXOFF   uint32 = 0o010000
	IMAXBEL uint32 = 0o020000
	IUTF8   uint32 = 0o040000
)

// Output flags.
const (
	OPOST  uint32 = 0o000001
	OLCUC  uint32 = 0o000002
	ONLCR  uint32 = 0o000004
	OCRNL  uint32 = 0o000010
	ONOCR  uint32 = 0o000020
	ONLRET uint32 = 0o000040
	OFILL  uint32 = 0o000100
	OFDEL  uint32 = 0o000200
	NLDLY  uint32 = 0o000400
	CRDLY  uint32 = 0o003000
	TABDLY uint32 = 0o014000
	TAB1   uint32 = 0o004000
	TAB2   uint32 = 0o010000
	TAB3   uint32 = 0o014000 // tabs become spaces
	XTABS  uint32 = TAB3
	BSDLY  uint32 = 0o020000
	VTDLY  uint32 = 0o040000
	FFDLY  uint32 = 0o100000
)

// Control flags.
const (
	CBAUD  uint32 = 0o010017
	CSIZE  uint32 = 0o000060
	CS5    uint32 = 0o000000
	CS6    uint32 = 0o000020
	CS7    uint32 = 0o000040
	CS8    uint32 = 0o000060
	CSTOPB uint32 = 0o000100
	CREAD  uint32 = 0o000200
	PARENB uint32 = 0o000400
	PARODD uint32 = 0o001000
	HUPCL  uint32 = 0o002000
	CLOCAL uint32 = 0o004000
	B38400 uint32 = 0o000017
)

// Local flags.
const (
	ISIG    uint32 = 0o000001
	ICANON  uint32 = 0o000002
	XCASE   uint32 = 0o000004
	ECHO    uint32 = 0o000010
	ECHOE   uint32 = 0o000020
	ECHOK   uint32 = 0o000040
	ECHONL  uint32 = 0o000100
	NOFLSH  uint32 = 0o000200
	TOSTOP  uint32 = 0o000400
	ECHOCTL uint32 = 0o001000
	ECHOPRT uint32 = 0o002000
	ECHOKE  uint32 = 0o004000
	FLUSHO  uint32 = 0o010000
	PENDIN  uint32 = 0o040000
	IEXTEN  uint32 = 0o100000
	EXTPROC uint32 = 0o200000
)

// DefaultTermios returns the attributes that a new terminal has: canonical
// input with echo and signals, UTF-8, newline output as carriage return and
// newline, 38400 bits a second.
//
// Linux: tty_std_termios of a pseudoterminal, with IUTF8 on.
func DefaultTermios() Termios {
	return Termios{
		Iflag: ICRNL | IXON | IUTF8,
		Oflag: OPOST | ONLCR,
		Cflag: B38400 | CS8 | CREAD,
		Lflag: ISIG | ICANON | ECHO | ECHOE | ECHOK | ECHOCTL | ECHOKE | IEXTEN,
		CC: [NCCS]uint8{
			VINTR: 'C' & 31, VQUIT: '\\' & 31, VERASE: 0x7f, VKILL: 'U' & 31, VEOF: 'D' & 31,
			VMIN: 1, VSTART: 'Q' & 31, VSTOP: 'S' & 31, VSUSP: 'Z' & 31, VREPRINT: 'R' & 31,
			VDISCARD: 'O' & 31, VWERASE: 'W' & 31, VLNEXT: 'V' & 31,
		},
		Ispeed: 38400, Ospeed: 38400,
	}
}

// MakeRaw changes t so that bytes pass unchanged both ways, one at a time and
// without echo, signals or flow control.
//
// BSD: cfmakeraw().
func (t *Termios) MakeRaw() {
	t.Iflag &^= IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON
	t.Oflag &^= OPOST
	t.Lflag &^= ECHO | ECHONL | ICANON | ISIG | IEXTEN
	t.Cflag = t.Cflag&^(CSIZE|PARENB) | CS8
	t.CC[VMIN], t.CC[VTIME] = 1, 0
}

// Put encodes t into the first TermiosSize bytes of b: EINVAL where b is
// shorter.
func (t *Termios) Put(b []byte) error {
	if len(b) < TermiosSize {
		return EINVAL
	}
	le := binary.LittleEndian
	le.PutUint32(b, t.Iflag)
	le.PutUint32(b[4:], t.Oflag)
	le.PutUint32(b[8:], t.Cflag)
	le.PutUint32(b[12:], t.Lflag)
	b[16] = t.Line
	copy(b[17:17+NCCS], t.CC[:])
	le.PutUint32(b[36:], t.Ispeed)
	le.PutUint32(b[40:], t.Ospeed)
	return nil
}

// ParseTermios decodes the first TermiosSize bytes of b: EINVAL where b is
// shorter. Any bytes are attributes.
func ParseTermios(b []byte) (Termios, error) {
	var t Termios
	if len(b) < TermiosSize {
		return t, EINVAL
	}
	le := binary.LittleEndian
	t.Iflag, t.Oflag, t.Cflag, t.Lflag = le.Uint32(b), le.Uint32(b[4:]), le.Uint32(b[8:]), le.Uint32(b[12:])
	t.Line = b[16]
	copy(t.CC[:], b[17:17+NCCS])
	t.Ispeed, t.Ospeed = le.Uint32(b[36:]), le.Uint32(b[40:])
	return t, nil
}
