// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import "github.com/wsandbox/wsandbox/engine/abi"

// group says which of the flag words a mode belongs to.
type group uint8

const (
	control group = iota
	input
	output
	local
)

// What there is to know of a mode.
const (
	saneSet   = 1 << iota // "sane" turns it on
	saneUnset             // "sane" turns it off
	rev                   // "-name" turns it off
	omit                  // another name of a mode, which is not printed
)

// mode is a setting of one flag, or of a field of several.
type mode struct {
	name  string
	group group
	flags uint8
	bits  uint32
	mask  uint32 // of the field; 0: the bits
}

// Flags of Linux that the terminal of the sandbox stores without a meaning.
const (
	cmspar  = 0o10000000000
	crtscts = 0o20000000000
)

// modes are in the order they are printed in.
var modes = [...]mode{
	{"parenb", control, rev, abi.PARENB, 0}, {"parodd", control, rev, abi.PARODD, 0}, {"cmspar", control, rev, cmspar, 0},
	{"cs5", control, 0, abi.CS5, abi.CSIZE}, {"cs6", control, 0, abi.CS6, abi.CSIZE}, {"cs7", control, 0, abi.CS7, abi.CSIZE}, {"cs8", control, 0, abi.CS8, abi.CSIZE},
	{"hupcl", control, rev, abi.HUPCL, 0}, {"hup", control, rev | omit, abi.HUPCL, 0}, {"cstopb", control, rev, abi.CSTOPB, 0},
	{"cread", control, saneSet | rev, abi.CREAD, 0}, {"clocal", control, rev, abi.CLOCAL, 0}, {"crtscts", control, rev, crtscts, 0},

	{"ignbrk", input, saneUnset | rev, abi.IGNBRK, 0}, {"brkint", input, saneSet | rev, abi.BRKINT, 0}, {"ignpar", input, rev, abi.IGNPAR, 0},
	{"parmrk", input, rev, abi.PARMRK, 0}, {"inpck", input, rev, abi.INPCK, 0}, {"istrip", input, rev, abi.ISTRIP, 0},
	{"inlcr", input, saneUnset | rev, abi.INLCR, 0}, {"igncr", input, saneUnset | rev, abi.IGNCR, 0}, {"icrnl", input, saneSet | rev, abi.ICRNL, 0},
	{"ixon", input, rev, abi.IXON, 0}, {"ixoff", input, saneUnset | rev, abi.IXOFF, 0}, {"tandem", input, rev | omit, abi.IXOFF, 0},
	{"iuclc", input, saneUnset | rev, abi.IUCLC, 0}, {"ixany", input, saneUnset | rev, abi.IXANY, 0}, {"imaxbel", input, saneSet | rev, abi.IMAXBEL, 0},
	{"iutf8", input, saneUnset | rev, abi.IUTF8, 0},

	{"opost", output, saneSet | rev, abi.OPOST, 0}, {"olcuc", output, saneUnset | rev, abi.OLCUC, 0}, {"ocrnl", output, saneUnset | rev, abi.OCRNL, 0},
	{"onlcr", output, saneSet | rev, abi.ONLCR, 0}, {"onocr", output, saneUnset | rev, abi.ONOCR, 0}, {"onlret", output, saneUnset | rev, abi.ONLRET, 0},
	{"ofill", output, saneUnset | rev, abi.OFILL, 0}, {"ofdel", output, saneUnset | rev, abi.OFDEL, 0},
	{"nl1", output, saneUnset, abi.NLDLY, abi.NLDLY}, {"nl0", output, saneSet, 0, abi.NLDLY},
	{"cr3", output, saneUnset, 0o3000, abi.CRDLY}, {"cr2", output, saneUnset, 0o2000, abi.CRDLY}, {"cr1", output, saneUnset, 0o1000, abi.CRDLY}, {"cr0", output, saneSet, 0, abi.CRDLY},
	{"tab3", output, saneUnset, abi.TAB3, abi.TABDLY}, {"tab2", output, saneUnset, abi.TAB2, abi.TABDLY}, {"tab1", output, saneUnset, abi.TAB1, abi.TABDLY}, {"tab0", output, saneSet, 0, abi.TABDLY},
	{"bs1", output, saneUnset, abi.BSDLY, abi.BSDLY}, {"bs0", output, saneSet, 0, abi.BSDLY},
	{"vt1", output, saneUnset, abi.VTDLY, abi.VTDLY}, {"vt0", output, saneSet, 0, abi.VTDLY},
	{"ff1", output, saneUnset, abi.FFDLY, abi.FFDLY}, {"ff0", output, saneSet, 0, abi.FFDLY},

	{"isig", local, saneSet | rev, abi.ISIG, 0}, {"icanon", local, saneSet | rev, abi.ICANON, 0}, {"iexten", local, saneSet | rev, abi.IEXTEN, 0},
	{"echo", local, saneSet | rev, abi.ECHO, 0}, {"echoe", local, saneSet | rev, abi.ECHOE, 0}, {"crterase", local, rev | omit, abi.ECHOE, 0},
	{"echok", local, saneSet | rev, abi.ECHOK, 0}, {"echonl", local, saneUnset | rev, abi.ECHONL, 0}, {"noflsh", local, saneUnset | rev, abi.NOFLSH, 0},
	{"xcase", local, saneUnset | rev, abi.XCASE, 0}, {"tostop", local, saneUnset | rev, abi.TOSTOP, 0},
	{"echoprt", local, saneUnset | rev, abi.ECHOPRT, 0}, {"prterase", local, rev | omit, abi.ECHOPRT, 0},
	{"echoctl", local, saneSet | rev, abi.ECHOCTL, 0}, {"ctlecho", local, rev | omit, abi.ECHOCTL, 0},
	{"echoke", local, saneSet | rev, abi.ECHOKE, 0}, {"crtkill", local, rev | omit, abi.ECHOKE, 0},
	{"flusho", local, saneUnset | rev, abi.FLUSHO, 0}, {"extproc", local, saneUnset | rev, abi.EXTPROC, 0},
}

// word returns the flags of a group.
func word(t *abi.Termios, g group) *uint32 {
	switch g {
	case control:
		return &t.Cflag
	case input:
		return &t.Iflag
	case output:
		return &t.Oflag
	}
	return &t.Lflag
}

// on reports whether the terminal is in the mode.
func (m *mode) on(t *abi.Termios) bool {
	return *word(t, m.group)&(m.mask|m.bits) == m.bits
}

// set turns the mode on or off.
func (m *mode) set(t *abi.Termios, on bool) {
	w := word(t, m.group)
	*w &^= m.mask | m.bits
	if on {
		*w |= m.bits
	}
}

// character is a control character.
type character struct {
	name  string
	index int
	sane  byte
}

// characters are in the order they are printed in.
var characters = [...]character{
	{"intr", abi.VINTR, 'C' & 31}, {"quit", abi.VQUIT, '\\' & 31}, {"erase", abi.VERASE, 0x7f}, {"kill", abi.VKILL, 'U' & 31}, {"eof", abi.VEOF, 'D' & 31},
	{"eol", abi.VEOL, 0}, {"eol2", abi.VEOL2, 0}, {"swtch", abi.VSWTC, 0}, {"start", abi.VSTART, 'Q' & 31}, {"stop", abi.VSTOP, 'S' & 31},
	{"susp", abi.VSUSP, 'Z' & 31}, {"rprnt", abi.VREPRINT, 'R' & 31}, {"werase", abi.VWERASE, 'W' & 31}, {"lnext", abi.VLNEXT, 'V' & 31},
	{"discard", abi.VDISCARD, 'O' & 31}, {"min", abi.VMIN, 1}, {"time", abi.VTIME, 0},
}

// sane sets all modes and characters to what suits a person at the keyboard.
func sane(t *abi.Termios) {
	for i := range characters {
		t.CC[characters[i].index] = characters[i].sane
	}
	for i := range modes {
		if m := &modes[i]; m.flags&(saneSet|saneUnset) != 0 {
			m.set(t, m.flags&saneSet != 0)
		}
	}
}

// combinations are settings of several modes at once. Those with reversible
// have an inverse.
var combinations = [...]struct {
	name       string
	reversible bool
	apply      func(t *abi.Termios, on bool)
}{
	{"evenp", true, evenParity}, {"parity", true, evenParity},
	{"oddp", true, func(t *abi.Termios, on bool) {
		evenParity(t, on)
		if on {
			t.Cflag |= abi.PARODD
		}
	}},
	{"nl", true, func(t *abi.Termios, on bool) {
		if on {
			t.Iflag &^= abi.ICRNL
			t.Oflag &^= abi.ONLCR
			return
		}
		t.Iflag = t.Iflag&^(abi.INLCR|abi.IGNCR) | abi.ICRNL
		t.Oflag = t.Oflag&^(abi.OCRNL|abi.ONLRET) | abi.ONLCR
	}},
	{"ek", false, func(t *abi.Termios, _ bool) { t.CC[abi.VERASE], t.CC[abi.VKILL] = 0x7f, 'U'&31 }},
	{"sane", false, func(t *abi.Termios, _ bool) { sane(t) }},
	{"cooked", true, func(t *abi.Termios, on bool) { raw(t, !on) }},
	{"raw", true, raw},
	{"pass8", true, func(t *abi.Termios, on bool) {
		size(t, on)
		flip(&t.Iflag, abi.ISTRIP, !on)
	}},
	{"litout", true, func(t *abi.Termios, on bool) {
		size(t, on)
		flip(&t.Iflag, abi.ISTRIP, !on)
		flip(&t.Oflag, abi.OPOST, !on)
	}},
	{"cbreak", true, func(t *abi.Termios, on bool) { flip(&t.Lflag, abi.ICANON, !on) }},
	{"decctlq", true, func(t *abi.Termios, on bool) { flip(&t.Iflag, abi.IXANY, !on) }},
	{"tabs", true, func(t *abi.Termios, on bool) { flip(&t.Oflag, abi.TAB3, !on) }},
	{"lcase", true, lowerCase}, {"LCASE", true, lowerCase},
	{"crt", false, func(t *abi.Termios, _ bool) { t.Lflag |= abi.ECHOE | abi.ECHOCTL | abi.ECHOKE }},
	{"dec", false, func(t *abi.Termios, _ bool) {
		t.CC[abi.VINTR], t.CC[abi.VERASE], t.CC[abi.VKILL] = 'C'&31, 0x7f, 'U'&31
		t.Lflag |= abi.ECHOE | abi.ECHOCTL | abi.ECHOKE
		t.Iflag &^= abi.IXANY
	}},
}

func flip(w *uint32, bits uint32, on bool) {
	if *w &^= bits; on {
		*w |= bits
	}
}

func evenParity(t *abi.Termios, on bool) {
	if on {
		t.Cflag = t.Cflag&^(abi.PARODD|abi.CSIZE) | abi.PARENB | abi.CS7
	} else {
		t.Cflag = t.Cflag&^(abi.PARENB|abi.CSIZE) | abi.CS8
	}
}

// size sets characters of eight bits without parity, or of seven with it.
func size(t *abi.Termios, eight bool) {
	if eight {
		t.Cflag = t.Cflag&^(abi.PARENB|abi.CSIZE) | abi.CS8
	} else {
		t.Cflag = t.Cflag&^abi.CSIZE | abi.CS7 | abi.PARENB
	}
}

func raw(t *abi.Termios, on bool) {
	if on {
		t.Iflag = 0
		t.Oflag &^= abi.OPOST
		t.Lflag &^= abi.ISIG | abi.ICANON | abi.XCASE
		t.CC[abi.VMIN], t.CC[abi.VTIME] = 1, 0
		return
	}
	t.Iflag |= abi.BRKINT | abi.IGNPAR | abi.ISTRIP | abi.ICRNL | abi.IXON
	t.Oflag |= abi.OPOST
	t.Lflag |= abi.ISIG | abi.ICANON
}

func lowerCase(t *abi.Termios, on bool) {
	flip(&t.Lflag, abi.XCASE, on)
	flip(&t.Iflag, abi.IUCLC, on)
	flip(&t.Oflag, abi.OLCUC, on)
}

// speeds are the rates that have a code in the control flags.
var speeds = [...]struct{ baud, code uint32 }{
	{0, 0}, {50, 1}, {75, 2}, {110, 3}, {134, 4}, {150, 5}, {200, 6}, {300, 7}, {600, 8}, {1200, 9}, {1800, 10}, {2400, 11}, {4800, 12},
	{9600, 13}, {19200, 14}, {38400, 15}, {57600, 0o10001}, {115200, 0o10002}, {230400, 0o10003}, {460800, 0o10004}, {500000, 0o10005},
	{576000, 0o10006}, {921600, 0o10007}, {1000000, 0o10010}, {1152000, 0o10011}, {1500000, 0o10012}, {2000000, 0o10013},
	{2500000, 0o10014}, {3000000, 0o10015}, {3500000, 0o10016}, {4000000, 0o10017},
}

// inputShift is where the control flags have the code of the input speed.
const inputShift = 16

// parseSpeed returns the index of a rate in speeds, or -1.
func parseSpeed(s string) int {
	switch s {
	case "exta":
		s = "19200"
	case "extb":
		s = "38400"
	case "134.5":
		s = "134"
	}
	for i := range speeds {
		if itoa(speeds[i].baud) == s {
			return i
		}
	}
	return -1
}

func setSpeed(t *abi.Termios, i int, in, out bool) {
	if in {
		t.Ispeed = speeds[i].baud
		t.Cflag = t.Cflag&^(abi.CBAUD<<inputShift) | speeds[i].code<<inputShift
	}
	if out {
		t.Ospeed = speeds[i].baud
		t.Cflag = t.Cflag&^abi.CBAUD | speeds[i].code
	}
}
