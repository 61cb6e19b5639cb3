// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package find

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/filemode"
	"github.com/wsandbox/wsandbox/guests/src/fswalk"
	"github.com/wsandbox/wsandbox/guests/src/mounts"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

func itoa(v int64) string { return strconv.FormatInt(v, 10) }

// printer makes -print and its kin.
func (f *finder) printer(w *cmdkit.Writer, end byte) pred {
	return func(f *finder, e *fswalk.Entry) bool {
		path := f.pathOf(e)
		if end == '\n' && f.toTerminal(w) {
			path = questionMarks(path)
		}
		w.Write(path)
		w.WriteByte(end)
		return true
	}
}

// toTerminal reports whether w is standard output and that a terminal.
func (f *finder) toTerminal(w *cmdkit.Writer) bool {
	if w != f.p.Stdout {
		return false
	}
	if !f.askedTT {
		f.askedTT, f.tty = true, wsys.Isatty(w.FD)
	}
	return f.tty
}

// questionMarks returns a name as it is safe for a terminal.
func questionMarks(b []byte) []byte {
	s := string(b)
	out := make([]byte, 0, len(s))
	for s != "" {
		n, printable := cmdkit.RuneLen(s)
		if printable {
			out = append(out, s[:n]...)
		} else {
			out = append(out, '?')
		}
		s = s[n:]
	}
	return out
}

// halfYear is how old a file may be for -ls to print the hour.
const halfYear = 31556952 / 2 * int64(1e9)

// lister makes -ls.
func (f *finder) lister(w *cmdkit.Writer) pred {
	return func(f *finder, e *fswalk.Entry) bool {
		st, ok := f.stat(e)
		if !ok {
			return false
		}
		right := func(s string, n int) {
			w.Pad(n - len(s))
			w.WriteString(s)
		}
		left := func(s string, n int) {
			w.WriteString(s)
			w.Pad(n - len(s))
		}
		right(strconv.FormatUint(st.Ino, 10), 9)
		w.WriteByte(' ')
		blocks, unit := uint64(max(st.Blocks, 0)), uint64(2)
		if _, posix := f.p.LookupEnv("POSIXLY_CORRECT"); posix {
			unit = 1
		}
		right(strconv.FormatUint((blocks+unit-1)/unit, 10), 6)
		w.WriteByte(' ')
		w.WriteString(filemode.String(st.Mode))
		w.WriteByte(' ')
		right(strconv.FormatUint(uint64(st.Nlink), 10), 3)
		w.WriteByte(' ')
		left(f.names.User(st.UID), 8)
		w.WriteByte(' ')
		left(f.names.Group(st.GID), 8)
		w.WriteByte(' ')
		if t := st.Mode & abi.ModeFmt; t == abi.ModeChar || t == abi.ModeBlock {
			right(strconv.FormatUint(st.Rdev>>8&0xfff|st.Rdev>>32&^0xfff, 10), 3)
			w.WriteString(", ")
			right(strconv.FormatUint(st.Rdev&0xff|st.Rdev>>12&^0xff, 10), 3)
		} else {
			right(itoa(st.Size), 8)
		}
		w.WriteByte(' ')
		format := "%b %e  %Y"
		if st.Mtim > f.now-halfYear && st.Mtim <= f.now {
			format = "%b %e %H:%M"
		}
		c := datetime.In(floorSec(st.Mtim), f.loadZone())
		w.Write(datetime.AppendFormat(nil, format, &c, 0, 0))
		w.WriteByte(' ')
		w.WriteString(escaped(string(f.pathOf(e))))
		if st.Mode.IsSymlink() {
			if t, err := wsys.Readlink(e.Dir, e.Name); err == nil {
				w.WriteString(" -> " + escaped(t))
			}
		}
		w.WriteByte('\n')
		return true
	}
}

// escaped writes a name as -ls does.
func escaped(s string) string {
	out := make([]byte, 0, len(s))
	for s != "" {
		n, printable := cmdkit.RuneLen(s)
		switch {
		case s[0] == '\\' || s[0] == ' ' || s[0] == '"':
			out = append(out, '\\', s[0])
		case printable:
			out = append(out, s[:n]...)
		default:
			for i := range n {
				out = cmdkit.AppendEscaped(out, s[i])
			}
		}
		s = s[n:]
	}
	return string(out)
}

// A piece is a part of a -printf format: a text, or a conversion.
type piece struct {
	text  string
	flags string // width and precision
	conv  byte   // 0: only text
	sub   byte   // of A, C and T
	stop  bool   // \c
}

// printf parses a format and makes -printf.
func (p *parser) printf(w *cmdkit.Writer, format string) pred {
	var l []piece
	var text []byte
	flush := func() {
		if len(text) > 0 {
			l = append(l, piece{text: string(text)})
			text = text[:0]
		}
	}
	for i := 0; i < len(format); i++ {
		c := format[i]
		switch {
		case c == '\\' && i+1 < len(format):
			i++
			switch c = format[i]; {
			case c >= '0' && c <= '7':
				v, n := 0, 0
				for n < 3 && i+n < len(format) && format[i+n] >= '0' && format[i+n] <= '7' {
					v = v*8 + int(format[i+n]-'0')
					n++
				}
				text = append(text, byte(v))
				i += n - 1
			case c == 'c':
				flush()
				l = append(l, piece{stop: true})
			default:
				const from, to = "abfnrtv\\", "\a\b\f\n\r\t\v\\"
				known := false
				for k := 0; k < len(from); k++ {
					if from[k] == c {
						text = append(text, to[k])
						known = true
					}
				}
				if !known {
					p.f.p.Warn("warning: unrecognized escape ", old("\\"+string(c)))
					text = append(text, '\\', c)
				}
			}
		case c == '\\':
			p.f.p.Warn("warning: escape ", old("\\"), " followed by nothing at all")
			text = append(text, c)
		case c == '%':
			k := i + 1
			for k < len(format) && within("-+ #0", format[k]) {
				k++
			}
			for k < len(format) && (format[k] >= '0' && format[k] <= '9' || format[k] == '.') {
				k++
			}
			if k == len(format) {
				if k == i+1 {
					return p.fail("error: % at end of format string")
				}
				return p.fail("error: the format directive `%' is reserved for future use")
			}
			conv := format[k]
			if conv == '%' {
				text = append(text, '%')
				i = k
				break
			}
			pc := piece{flags: format[i+1 : k], conv: conv}
			switch {
			case within("abcdDfFgGhHiklmMnpPsStuUyY", conv):
			case within("ABCT", conv):
				if k++; k == len(format) {
					p.f.p.Warn("warning: format directive ", old("%"+string(conv)), " should be followed by another character")
					text = append(text, '%', conv)
					i = k
					continue
				}
				pc.sub = format[k]
			case conv == 'Z':
			case conv == '{' || conv == '[' || conv == '(':
				return p.fail("error: the format directive ", old("%"+string(conv)), " is reserved for future use")
			default:
				p.f.p.Warn("warning: unrecognized format directive ", old("%"+string(conv)))
				text = append(text, '%', conv)
				i = k
				continue
			}
			if within("actAbCgGiDkmMnsSTuU", conv) {
				p.needStat()
			}
			flush()
			l = append(l, pc)
			i = k
		default:
			text = append(text, c)
		}
	}
	flush()
	return func(f *finder, e *fswalk.Entry) bool {
		for i := range l {
			switch {
			case l[i].stop:
				w.Flush()
				return true
			case l[i].conv == 0:
				w.WriteString(l[i].text)
			default:
				f.convert(w, e, &l[i])
			}
		}
		return true
	}
}

// pad writes s with the flags, width and precision of a conversion.
func pad(w *cmdkit.Writer, s, flags string, number bool) {
	left, zero, plus, space, alt := false, false, false, false, false
	i := 0
	for ; i < len(flags) && within("-+ #0", flags[i]); i++ {
		switch flags[i] {
		case '-':
			left = true
		case '0':
			zero = true
		case '+':
			plus = true
		case ' ':
			space = true
		case '#':
			alt = true
		}
	}
	num := func() int {
		v := 0
		for ; i < len(flags) && flags[i] >= '0' && flags[i] <= '9'; i++ {
			v = min(v*10+int(flags[i]-'0'), 4096)
		}
		return v
	}
	width := num()
	if i < len(flags) && flags[i] == '.' {
		i++
		prec := num()
		if number {
			for len(s) < prec {
				s = "0" + s
			}
			zero = false
		} else if prec < len(s) {
			s = s[:prec]
		}
	}
	if number && alt && s != "" && s[0] != '0' {
		s = "0" + s // only %m is octal
	}
	if number && plus {
		s = "+" + s
	} else if number && space {
		s = " " + s
	}
	n := width - len(s)
	switch {
	case left:
		w.WriteString(s)
		w.Pad(n)
	case zero && number:
		for ; n > 0; n-- {
			w.WriteByte('0')
		}
		w.WriteString(s)
	default:
		w.Pad(n)
		w.WriteString(s)
	}
}

// convert writes one conversion of -printf.
func (f *finder) convert(w *cmdkit.Writer, e *fswalk.Entry, c *piece) {
	text := func(s string) { pad(w, s, c.flags, false) }
	switch c.conv {
	case 'p':
		if c.flags == "" && !f.toTerminal(w) {
			w.Write(f.pathOf(e))
			return
		}
		text(f.shown(w, string(f.pathOf(e))))
		return
	case 'f':
		b := e.Base()
		if e.Depth == 0 && b != "/" && e.Name[len(e.Name)-1] == '/' {
			b += "/"
		}
		text(f.shown(w, b))
		return
	case 'h':
		text(f.shown(w, parent(string(f.pathOf(e)))))
		return
	case 'H':
		text(f.shown(w, f.root))
		return
	case 'P':
		s := string(f.pathOf(e))[len(f.root):]
		for s != "" && s[0] == '/' {
			s = s[1:]
		}
		text(f.shown(w, s))
		return
	case 'd':
		pad(w, itoa(int64(e.Depth)), c.flags, true)
		return
	case 'y':
		text(typeLetter(e.Mode))
		return
	case 'Y':
		text(f.targetType(e))
		return
	case 'l':
		s := ""
		if e.Mode.IsSymlink() {
			s, _ = wsys.Readlink(e.Dir, e.Name)
		}
		text(f.shown(w, s))
		return
	case 'Z':
		text("")
		return
	case 'F':
		if f.mounts == nil {
			f.mounts, _ = mounts.List()
		}
		s := "unknown"
		if path, err := cmdkit.Canonical(string(f.pathOf(e)), cmdkit.LastMissing); err == nil {
			if m, ok := mounts.Of(f.mounts, path); ok {
				s = m.Type
			}
		}
		text(s)
		return
	}
	st, ok := f.stat(e)
	if !ok {
		return
	}
	u := func(v uint64) string { return strconv.FormatUint(v, 10) }
	switch c.conv {
	case 'a', 'c', 't':
		which := c.conv
		if which == 't' {
			which = 'm'
		}
		text(f.ctime(stampOf(&st, which)))
	case 'A', 'C', 'T', 'B':
		which := c.conv | 0x20
		if c.conv == 'B' {
			text("")
			return
		}
		text(f.time(stampOf(&st, which), c.sub))
	case 'b':
		text(u(uint64(max(st.Blocks, 0))))
	case 'k':
		text(u(uint64(max(st.Blocks, 0)+1) / 2))
	case 'D':
		text(u(st.Dev))
	case 'g':
		text(f.names.Group(st.GID))
	case 'G':
		text(u(uint64(st.GID)))
	case 'i':
		text(u(st.Ino))
	case 'm':
		pad(w, string(filemode.AppendOctal(nil, st.Mode&abi.ModeAll, 1)), c.flags, true)
	case 'M':
		text(filemode.String(st.Mode))
	case 'n':
		text(u(uint64(st.Nlink)))
	case 's':
		text(itoa(st.Size))
	case 'S':
		v := 1.0
		if st.Size != 0 {
			v = float64(st.Blocks) * 512 / float64(st.Size)
		}
		text(strconv.FormatFloat(v, 'g', 6, 64))
	case 'u':
		text(f.names.User(st.UID))
	case 'U':
		text(u(uint64(st.UID)))
	}
}

// shown returns a name as printed: made safe for a terminal.
func (f *finder) shown(w *cmdkit.Writer, s string) string {
	if f.toTerminal(w) {
		return string(questionMarks([]byte(s)))
	}
	return s
}

// parent returns what is before the last element of a path, "." where there is
// nothing.
func parent(s string) string {
	i := len(s) - 1
	for i >= 0 && s[i] != '/' {
		i--
	}
	if i < 0 {
		return "."
	}
	return s[:i]
}

func typeLetter(m abi.Mode) string {
	c := filemode.TypeLetter(m)
	switch c {
	case '-':
		c = 'f'
	case '?':
		c = 'U'
	}
	return string(c)
}

func (f *finder) targetType(e *fswalk.Entry) string {
	if !e.Mode.IsSymlink() {
		return typeLetter(e.Mode)
	}
	st, err := wsys.StatAt(e.Dir, e.Name, true)
	switch err {
	case nil:
		return typeLetter(st.Mode)
	case abi.ENOENT, abi.ENOTDIR:
		return "N"
	case abi.ELOOP:
		return "L"
	}
	return "?"
}

// fraction returns a point and the nanoseconds with the zero that find adds.
func fraction(ns int64) string {
	n := ns - floorSec(ns)*1e9
	b := []byte{'.'}
	for d := int64(100000000); d > 0; d /= 10 {
		b = append(b, '0'+byte(n/d%10))
	}
	return string(append(b, '0'))
}

func (f *finder) strftime(ns int64, format string) string {
	sec := floorSec(ns)
	c := datetime.In(sec, f.loadZone())
	return string(datetime.AppendFormat(nil, format, &c, sec, int(ns-sec*1e9)))
}

func (f *finder) ctime(ns int64) string {
	return f.strftime(ns, "%a %b %e %H:%M:%S") + fraction(ns) + f.strftime(ns, " %Y")
}

// time formats a time by the letter behind %A, %C or %T.
func (f *finder) time(ns int64, k byte) string {
	switch k {
	case '@':
		return itoa(floorSec(ns)) + fraction(ns)
	case '+':
		return f.strftime(ns, "%Y-%m-%d+%H:%M:%S") + fraction(ns)
	case 'S', 'T', 'X':
		f2 := "%" + string(k)
		return f.strftime(ns, f2) + fraction(ns)
	}
	return f.strftime(ns, "%"+string(k))
}
