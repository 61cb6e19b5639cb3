// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu

// Flags of Termios.Iflag. IGNBRK, BRKINT, IGNPAR, INPCK, IXOFF and IMAXBEL do
// nothing on a pseudoterminal.
const (
	IGNBRK  uint32 = 0o000001
	BRKINT  uint32 = 0o000002
	IGNPAR  uint32 = 0o000004
	PARMRK  uint32 = 0o000010 // 0xff is read as two
	INPCK   uint32 = 0o000020
	ISTRIP  uint32 = 0o000040
	INLCR   uint32 = 0o000100
	IGNCR   uint32 = 0o000200
	ICRNL   uint32 = 0o000400
	IUCLC   uint32 = 0o001000 // with IEXTEN
	IXON    uint32 = 0o002000
	IXANY   uint32 = 0o004000
	IXOFF   uint32 = 0o010000
	IMAXBEL uint32 = 0o020000
	IUTF8   uint32 = 0o040000
)

// Flags of Termios.Oflag. Delays and filling do nothing.
const (
	OPOST  uint32 = 0o000001
	OLCUC  uint32 = 0o000002
	ONLCR  uint32 = 0o000004
	OCRNL  uint32 = 0o000010
	ONOCR  uint32 = 0o000020
	ONLRET uint32 = 0o000040
	TABDLY uint32 = 0o014000
	XTABS  uint32 = 0o014000
)

// Flags of Termios.Lflag. XCASE, FLUSHO, PENDIN and EXTPROC do nothing.
const (
	ISIG    uint32 = 0o000001
	ICANON  uint32 = 0o000002
	XCASE   uint32 = 0o000004
	ECHO    uint32 = 0o000010
	ECHOE   uint32 = 0o000020
	ECHOK   uint32 = 0o000040
	ECHONL  uint32 = 0o000100
	NOFLSH  uint32 = 0o000200
	TOSTOP  uint32 = 0o000400 // for the kernel
	ECHOCTL uint32 = 0o001000
	ECHOPRT uint32 = 0o002000
	ECHOKE  uint32 = 0o004000
	FLUSHO  uint32 = 0o010000
	PENDIN  uint32 = 0o040000
	IEXTEN  uint32 = 0o100000
	EXTPROC uint32 = 0o200000
)
