// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// spec is a conversion of a format.
type spec struct {
	minus, plus, space, alt, zero bool
	width, prec                   int // prec is -1 where there is none
	conv                          byte
}

// maxWidth is the largest width and precision.
const maxWidth = 1 << 20

// piece is a part of a format: text, then perhaps a conversion.
type piece struct {
	text     string
	spec     spec
	position int // of the argument by number, or 0
	widthArg bool
	precArg  bool
	at       int // where the conversion is in the format
}

// parseFormat cuts a format into pieces. The last one may have no conversion.
func (in *interp) parseFormat(pieces []piece, f string) []piece {
	start := 0
	for i := 0; i < len(f); {
		k := i
		for k < len(f) && f[k] != '%' {
			k++
		}
		if k == len(f) {
			break
		}
		i = k + 1
		p := piece{spec: spec{prec: -1}}
		s := &p.spec
		// An argument by number.
		for j, n := i, 0; j < len(f); j++ {
			if c := f[j] - '0'; c <= 9 && n < 1<<20 {
				n = 10*n + int(c)
				continue
			}
			if f[j] == '$' && n > 0 {
				p.position = n
				i = j + 1
			}
			break
		}
	flags:
		for ; i < len(f); i++ {
			switch f[i] {
			case '-':
				s.minus = true
			case '+':
				s.plus = true
			case ' ':
				s.space = true
			case '#':
				s.alt = true
			case '0':
				s.zero = true
			case '\'':
			default:
				break flags
			}
		}
		number := func() (n int, arg bool) {
			if i < len(f) && f[i] == '*' {
				i++
				return 0, true
			}
			for ; i < len(f) && f[i]-'0' <= 9; i++ {
				if n = 10*n + int(f[i]-'0'); n > maxWidth {
					in.fatal("printf: width or precision too large")
				}
			}
			return n, false
		}
		p.at = i
		s.width, p.widthArg = number()
		if i < len(f) && f[i] == '.' {
			i++
			s.prec, p.precArg = number()
		}
		for i < len(f) && (f[i] == 'l' || f[i] == 'h' || f[i] == 'L' || f[i] == 'q') {
			i++
		}
		if i == len(f) {
			break
		}
		s.conv = f[i]
		p.at = i
		i++
		switch s.conv {
		case '%':
			pieces = append(pieces, piece{text: f[start : k+1]})
			start = i
			continue
		case 'd', 'i', 'o', 'x', 'X', 'u', 'c', 's', 'e', 'E', 'f', 'F', 'g', 'G', 'a', 'A':
		default:
			continue // stands for itself
		}
		p.text = f[start:k]
		start = i
		pieces = append(pieces, p)
	}
	if start < len(f) {
		pieces = append(pieces, piece{text: f[start:]})
	}
	return pieces
}

// formatter remembers the pieces of the format it was used with last.
type formatter struct {
	f      string
	pieces []piece
}

// format appends to in.buf what printf makes of the format and its arguments.
//
// POSIX: XCU awk, Output Statements; XBD 5 File Format Notation.
func (x *formatter) format(in *interp, f string, args []expr) {
	base := len(in.stack)
	for _, a := range args {
		v := a.val(in)
		in.stack = append(in.stack, v)
	}
	// The arguments may have used the same formatter.
	if x.f != f {
		x.f = string(append([]byte(nil), f...))
		x.pieces = in.parseFormat(x.pieces[:0], x.f)
	}
	used := 0
	for i := range x.pieces {
		p := &x.pieces[i]
		in.buf = append(in.buf, p.text...)
		if p.spec.conv == 0 {
			continue
		}
		s := p.spec
		if p.widthArg {
			s.width = in.widthOf(f, p, base, len(args), &used)
			if s.width < 0 {
				s.minus, s.width = true, -s.width
			}
		}
		if p.precArg {
			s.prec = max(in.widthOf(f, p, base, len(args), &used), -1)
		}
		n := used
		if p.position > 0 {
			if n = p.position - 1; n >= len(args) {
				in.fatal("printf: argument number " + itoa(p.position) + " greater than the number of arguments")
			}
		} else {
			if used >= len(args) {
				in.tooFew(f, p.at)
			}
			used++
		}
		v := &in.stack[base+n]
		if len(in.buf)+s.width+s.prec+len(v.s) > 1<<18 {
			in.roomFor(2 * (len(in.buf) + len(v.s) + s.width + max(s.prec, 0)))
		}
		in.convert(&s, v)
	}
	in.stack = in.stack[:base]
}

// widthOf takes a width or precision from the arguments.
func (in *interp) widthOf(f string, p *piece, base, count int, used *int) int {
	if *used >= count {
		in.tooFew(f, p.at)
	}
	n := in.stack[base+*used].num()
	*used++
	if n != n || math.Abs(n) > maxWidth {
		in.fatal("printf: width or precision too large")
	}
	return int(n)
}

func (in *interp) tooFew(f string, at int) {
	pad := make([]byte, 0, at+1)
	for i := 0; i < at && i < len(f); i++ {
		pad = append(pad, ' ')
	}
	in.fatal("not enough arguments to satisfy format string\n\t`" + f + "'\n\t" + string(pad) + "^ ran out for this one")
}

// formatOne appends v in a format with one conversion.
func (in *interp) formatOne(b []byte, f string, v value) []byte {
	start := len(in.buf)
	in.single.format(in, f, []expr{&literal{v}})
	b = append(b, in.buf[start:]...)
	in.buf = in.buf[:start]
	return b
}

// literal is a value that is there already.
type literal struct{ v value }

func (x *literal) num(*interp) float64 { return x.v.num() }
func (x *literal) str(*interp) string  { return x.v.s }
func (x *literal) val(*interp) value   { return x.v }
func (x *literal) cond(*interp) bool   { return x.v.cond() }

func (in *interp) convert(s *spec, v *value) {
	switch s.conv {
	case 's':
		t := in.text(v)
		if s.width == 0 && s.prec < 0 {
			in.buf = append(in.buf, t...)
			return
		}
		if s.prec >= 0 && s.prec < len(t) {
			if in.utf8 {
				t = t[:skipChars(t, s.prec)]
			} else {
				t = t[:s.prec]
			}
		}
		in.padText(s, t)
		return
	case 'c':
		var room [4]byte
		v.resolve()
		t := ""
		switch {
		case v.k == kNum || v.k == kNumText || v.k == kUninit:
			n := v.num()
			b := room[:0]
			if in.utf8 && n >= 0 && n <= utf8.MaxRune && utf8.ValidRune(rune(n)) {
				b = utf8.AppendRune(b, rune(n))
			} else {
				b = append(b, byte(int64(n)))
			}
			t = string(b)
		case v.s == "":
			t = "\x00"
		default:
			t = v.s[:in.charLen(v.s, 0)]
		}
		in.padText(s, t)
		return
	}
	v.resolve()
	n := v.num()
	if n != n || math.IsInf(n, 0) {
		var room [8]byte
		z := *s
		z.zero = false
		in.pad(&z, appendSpecial(room[:0], n, true), 0)
		return
	}
	plain := s.width == 0 && !s.plus && !s.space && !s.alt
	switch {
	case !plain:
	case s.conv == 'd' || s.conv == 'i':
		if i := math.Trunc(n); s.prec < 0 && i > -1e16 && i < 1e16 {
			in.buf = strconv.AppendInt(in.buf, int64(i), 10)
			return
		}
	case s.conv == 'f' && s.prec >= 0:
		in.buf = strconv.AppendFloat(in.buf, n, 'f', s.prec, 64)
		return
	}
	b := in.numRoom[:0]
	if n < 0 || n == 0 && math.Signbit(n) && s.conv >= 'A' && indexByte("eEfFgGaA", s.conv) >= 0 {
		b = append(b, '-')
	} else if s.plus {
		b = append(b, '+')
	} else if s.space {
		b = append(b, ' ')
	}
	switch s.conv {
	case 'd', 'i':
		n = math.Trunc(n)
		if n == 0 && len(b) > 0 && b[0] == '-' {
			b = b[:0]
		}
		sign := len(b)
		n = math.Abs(n)
		if n < 1<<63 {
			b = s.digits(b, strconv.AppendUint(b[sign:sign:cap(b)], uint64(n), 10), sign)
		} else {
			b = strconv.AppendFloat(b, n, 'f', 0, 64)
		}
		if s.prec >= 0 {
			s.zero = false
		}
		in.pad(s, b, sign)
		return
	case 'o', 'x', 'X', 'u':
		n = math.Trunc(n)
		if n >= 1<<64 || n < -1<<63 {
			// As C's %g.
			g := *s
			g.conv = 'g'
			in.convert(&g, v)
			return
		}
		var u uint64
		if n < 0 {
			u = uint64(int64(n))
		} else {
			u = uint64(n)
		}
		base := 10
		b = in.numRoom[:0]
		switch s.conv {
		case 'o':
			base = 8
		case 'x', 'X':
			base = 16
			if s.alt && u != 0 {
				b = append(b, '0', s.conv)
			}
		}
		prefix := len(b)
		var dig [70]byte
		d := strconv.AppendUint(dig[:0], u, base)
		if s.conv == 'X' {
			upper(d)
		}
		if s.conv == 'o' && s.alt && s.prec <= len(d) && (d[0] != '0' || s.prec == 0) {
			zeros := s.prec < 0 && s.zero && !s.minus
			if s.prec = len(d); d[0] != '0' {
				s.prec++
			}
			if zeros && s.width > s.prec {
				s.prec = s.width
			}
		}
		b = s.digits(b, d, prefix)
		if s.prec >= 0 {
			s.zero = false
		}
		in.pad(s, b, prefix)
		return
	}
	sign := len(b)
	n = math.Abs(n)
	prec := s.prec
	if prec < 0 {
		prec = 6
	}
	switch s.conv {
	case 'e', 'E':
		b = strconv.AppendFloat(b, n, s.conv, prec, 64)
		if s.alt && prec == 0 {
			b = append(b[:sign+1], append([]byte{'.'}, b[sign+1:]...)...)
		}
	case 'f', 'F':
		b = strconv.AppendFloat(b, n, 'f', prec, 64)
		if s.alt && prec == 0 {
			b = append(b, '.')
		}
	case 'g', 'G':
		b = appendG(b, n, prec, s.alt, s.conv-'g'+'e')
	default:
		b = appendHex(b, n, s.prec, s.conv)
		if s.zero && s.width > len(b) {
			// Zeros go behind 0x.
			in.pad(s, b, sign+2)
			return
		}
	}
	in.pad(s, b, sign)
}

func upper(b []byte) {
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c &^ 0x20
		}
	}
}

// appendHex appends n as C's %a does.
func appendHex(b []byte, n float64, prec int, conv byte) []byte {
	from := len(b)
	b = strconv.AppendFloat(b, n, 'x', prec, 64)
	// The exponent has no leading zero in C.
	for i := from; i < len(b)-2; i++ {
		if b[i] == 'p' && b[i+2] == '0' && i+3 < len(b) {
			b = append(b[:i+2], b[i+3:]...)
			break
		}
	}
	if conv == 'A' {
		upper(b[from:])
	}
	return b
}

// digits appends d with as many zeros in front as the precision asks for.
func (s *spec) digits(b, d []byte, sign int) []byte {
	b = b[:sign:sign] // d may share its room
	if s.prec == 0 && len(d) == 1 && d[0] == '0' {
		return b
	}
	for n := s.prec - len(d); n > 0; n-- {
		b = append(b, '0')
	}
	return append(b, d...)
}

// pad appends b, of which sign bytes are a sign or prefix, with padding.
func (in *interp) pad(s *spec, b []byte, sign int) {
	n := s.width - len(b)
	if n > 0 && !s.minus {
		if s.zero {
			in.buf = append(in.buf, b[:sign]...)
			b = b[sign:]
			for ; n > 0; n-- {
				in.buf = append(in.buf, '0')
			}
		} else {
			in.spaces(n)
		}
	}
	in.buf = append(in.buf, b...)
	if s.minus {
		in.spaces(n)
	}
}

func (in *interp) padText(s *spec, t string) {
	n := 0
	if s.width > 0 {
		n = s.width - in.chars(t)
	}
	if !s.minus {
		in.spaces(n)
	}
	in.buf = append(in.buf, t...)
	if s.minus {
		in.spaces(n)
	}
}

func (in *interp) spaces(n int) {
	for ; n > 0; n-- {
		in.buf = append(in.buf, ' ')
	}
}
