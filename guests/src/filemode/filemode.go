// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package filemode

import "github.com/wsandbox/wsandbox/engine/abi"

const (
	allRead  abi.Mode = 0o444
	allWrite abi.Mode = 0o222
	allExec  abi.Mode = 0o111
)

type change struct {
	op                         byte
	copyBits, condExec         bool
	affected, value, mentioned abi.Mode
}

// Changes are what a mode argument does to a mode.
type Changes struct{ list []change }

// Parse reads a mode: octal, with an optional operator in front, or symbolic
// such as "u=rwx,go-w". It reports false for anything else.
func Parse(s string) (Changes, bool) {
	if s != "" && s[0] >= '0' && s[0] <= '7' {
		m, n := octal(s)
		if n != len(s) {
			return Changes{}, false
		}
		mentioned := abi.ModeAll
		if len(s) < 5 {
			mentioned = m&(abi.ModeSetuid|abi.ModeSetgid|abi.ModeSticky) | abi.ModePerm
		}
		return Changes{[]change{{op: '=', affected: abi.ModeAll, value: m, mentioned: mentioned}}}, true
	}
	var c Changes
	for {
		affected := abi.Mode(0)
	who:
		for ; s != ""; s = s[1:] {
			switch s[0] {
			case 'u':
				affected |= abi.ModeSetuid | 0o700
			case 'g':
				affected |= abi.ModeSetgid | 0o070
			case 'o':
				affected |= abi.ModeSticky | 0o007
			case 'a':
				affected |= abi.ModeAll
			default:
				break who
			}
		}
		if s == "" || !isOp(s[0]) {
			return Changes{}, false
		}
		for s != "" && isOp(s[0]) {
			ch := change{op: s[0], affected: affected}
			s = s[1:]
			switch {
			case s != "" && s[0] >= '0' && s[0] <= '7':
				m, n := octal(s)
				if n == 0 || n < len(s) && s[n] != ',' || affected != 0 {
					return Changes{}, false
				}
				ch.value, ch.affected, ch.mentioned = m, abi.ModeAll, abi.ModeAll
				s = s[n:]
			case s != "" && (s[0] == 'u' || s[0] == 'g' || s[0] == 'o'):
				ch.copyBits = true
				ch.value = map3(s[0])
				s = s[1:]
			default:
			bits:
				for ; s != ""; s = s[1:] {
					switch s[0] {
					case 'r':
						ch.value |= allRead
					case 'w':
						ch.value |= allWrite
					case 'x':
						ch.value |= allExec
					case 'X':
						ch.condExec = true
					case 's':
						ch.value |= abi.ModeSetuid | abi.ModeSetgid
					case 't':
						ch.value |= abi.ModeSticky
					default:
						break bits
					}
				}
			}
			if ch.mentioned == 0 {
				if ch.mentioned = ch.value; affected != 0 {
					ch.mentioned &= affected
				}
			}
			c.list = append(c.list, ch)
		}
		if s == "" {
			return c, true
		}
		if s[0] != ',' {
			return Changes{}, false
		}
		s = s[1:]
	}
}

func map3(c byte) abi.Mode {
	switch c {
	case 'u':
		return 0o700
	case 'g':
		return 0o070
	}
	return 0o007
}

func isOp(c byte) bool { return c == '=' || c == '+' || c == '-' }

// octal reads octal digits; n is 0 where the number is too large.
func octal(s string) (m abi.Mode, n int) {
	for n < len(s) && s[n] >= '0' && s[n] <= '7' {
		if m = m*8 + abi.Mode(s[n]-'0'); m > abi.ModeAll {
			return 0, 0
		}
		n++
	}
	return m, n
}

// Adjust applies the changes to the permission bits of old. dir says that the
// file is a directory, whose setuid and setgid bits stay unless mentioned. The
// umask holds back bits where no user class was given.
func (c Changes) Adjust(old abi.Mode, dir bool, umask abi.Mode) abi.Mode {
	m := old & abi.ModeAll
	for _, ch := range c.list {
		omit := abi.Mode(0)
		if dir {
			omit = (abi.ModeSetuid | abi.ModeSetgid) &^ ch.mentioned
		}
		v := ch.value
		if ch.copyBits {
			v &= m
			for _, bits := range [...]abi.Mode{allRead, allWrite, allExec} {
				if v&bits != 0 {
					v |= bits
				}
			}
		}
		if ch.condExec && (m&allExec != 0 || dir) {
			v |= allExec
		}
		if ch.affected != 0 {
			v &= ch.affected
		} else {
			v &^= umask
		}
		v &^= omit
		switch ch.op {
		case '+':
			m |= v
		case '-':
			m &^= v
		default:
			keep := omit
			if ch.affected != 0 {
				keep |= abi.ModeAll &^ ch.affected
			}
			m = m&keep | v
		}
	}
	return m
}

// String returns the mode as ls prints it: "drwxr-xr-x".
func String(m abi.Mode) string { return string(Append(nil, m)) }

// TypeLetter returns the letter of the file's type in String.
func TypeLetter(m abi.Mode) byte {
	switch m & abi.ModeFmt {
	case abi.ModeRegular:
		return '-'
	case abi.ModeDir:
		return 'd'
	case abi.ModeSymlink:
		return 'l'
	case abi.ModeChar:
		return 'c'
	case abi.ModeBlock:
		return 'b'
	case abi.ModeFIFO:
		return 'p'
	case abi.ModeSocket:
		return 's'
	}
	return '?'
}

// Append appends what String returns.
func Append(b []byte, m abi.Mode) []byte {
	b = append(b, TypeLetter(m))
	for i := 6; i >= 0; i -= 3 {
		for k, c := range [...]byte{'r', 'w'} {
			if m>>(i+2-k)&1 == 0 {
				c = '-'
			}
			b = append(b, c)
		}
		x := m>>i&1 != 0
		special, letter := m&abi.ModeSticky != 0, byte('t')
		switch i {
		case 6:
			special, letter = m&abi.ModeSetuid != 0, 's'
		case 3:
			special, letter = m&abi.ModeSetgid != 0, 's'
		}
		switch {
		case special && x:
			b = append(b, letter)
		case special:
			b = append(b, letter&^0x20)
		case x:
			b = append(b, 'x')
		default:
			b = append(b, '-')
		}
	}
	return b
}

// AppendOctal appends the permission bits as at least width octal digits.
func AppendOctal(b []byte, m abi.Mode, width int) []byte {
	n := 1
	for v := m >> 3; v != 0; v >>= 3 {
		n++
	}
	for i := max(n, width) - 1; i >= 0; i-- {
		b = append(b, '0'+byte(m>>(3*i)&7))
	}
	return b
}

// TypeName returns the file's type in words, as stat and rm say it. size tells
// an empty regular file.
func TypeName(m abi.Mode, size int64) string {
	switch m & abi.ModeFmt {
	case abi.ModeRegular:
		if size == 0 {
			return "regular empty file"
		}
		return "regular file"
	case abi.ModeDir:
		return "directory"
	case abi.ModeSymlink:
		return "symbolic link"
	case abi.ModeChar:
		return "character special file"
	case abi.ModeBlock:
		return "block special file"
	case abi.ModeFIFO:
		return "fifo"
	case abi.ModeSocket:
		return "socket"
	}
	return "weird file"
}
