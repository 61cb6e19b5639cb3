// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package datetime

import "strconv"

// AppendFormat appends the date and time c, nsec nanoseconds into its second,
// which is sec seconds after the Unix epoch, in a format of GNU date:
// conversions start with '%', optional flags (- no padding, _ spaces, 0 zeros,
// + zeros and a sign, ^ upper case, # opposite case), a width, and an ignored E
// or O. Unknown conversions are copied.
//
// GNU: coreutils, date invocation. POSIX: strftime().
func AppendFormat(dst []byte, format string, c *Civil, sec int64, nsec int) []byte {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			dst = append(dst, format[i])
			continue
		}
		n := 0
		dst, n = appendConversion(dst, format[i:], c, sec, nsec)
		i += n - 1
	}
	return dst
}

// A conversion's flags.
type convFlags struct {
	pad         byte // 0, or one of - _ 0 +
	upper, swap bool
	width       int
	hasWidth    bool
}

// maxWidth bounds the width of a field.
const maxWidth = 4096

// appendConversion appends the conversion at the start of f and returns its
// length.
func appendConversion(dst []byte, f string, c *Civil, sec int64, nsec int) ([]byte, int) {
	var fl convFlags
	i := 1
flags:
	for ; i < len(f); i++ {
		switch f[i] {
		case '-', '_', '0', '+':
			fl.pad = f[i]
		case '^':
			fl.upper = true
		case '#':
			fl.swap = true
		default:
			break flags
		}
	}
	for ; i < len(f) && digit(f[i]); i++ {
		fl.hasWidth = true
		if fl.width = fl.width*10 + int(f[i]-'0'); fl.width > maxWidth {
			fl.width = maxWidth
		}
	}
	if i < len(f) && (f[i] == 'E' || f[i] == 'O') {
		i++
	}
	colons := 0
	for i < len(f) && f[i] == ':' && colons < 3 {
		colons++
		i++
	}
	if i == len(f) {
		return append(dst, f...), len(f)
	}
	conv := f[i]
	n := i + 1
	if colons > 0 && conv != 'z' {
		return append(dst, f[:n]...), n
	}
	text := func(s string) []byte { return fl.text(dst, s) }
	num := func(v int64, width int, pad byte) []byte { return fl.number(dst, v, width, pad) }
	sub := func(format string) []byte {
		return fl.text(dst, string(AppendFormat(nil, format, c, sec, nsec)))
	}
	h12 := int64((c.Hour+11)%12 + 1)
	switch conv {
	case '%':
		return text("%"), n
	case 'n':
		return text("\n"), n
	case 't':
		return text("\t"), n
	case 'a':
		fl.swapUpper()
		return fl.text(dst, dayNames[c.Weekday][:3]), n
	case 'A':
		fl.swapUpper()
		return fl.text(dst, dayNames[c.Weekday]), n
	case 'b', 'h':
		fl.swapUpper()
		return fl.text(dst, monthNames[c.Month-1][:3]), n
	case 'B':
		fl.swapUpper()
		return fl.text(dst, monthNames[c.Month-1]), n
	case 'c':
		return sub("%a %b %e %H:%M:%S %-Y"), n
	case 'C':
		return num(floorDiv(c.Year, 100), 2, '0'), n
	case 'd':
		return num(int64(c.Day), 2, '0'), n
	case 'D', 'x':
		return sub("%m/%d/%y"), n
	case 'e':
		return num(int64(c.Day), 2, '_'), n
	case 'F':
		if fl.pad == 0 && !fl.hasWidth {
			dst = (&convFlags{pad: '+'}).number(dst, c.Year, 4, '0')
			return AppendFormat(dst, "-%m-%d", c, sec, nsec), n
		}
		y := fl
		if y.width -= 6; y.width < 0 {
			y.width = 0
		}
		dst = y.number(dst, c.Year, 4, '0')
		return AppendFormat(dst, "-%m-%d", c, sec, nsec), n
	case 'g':
		y, _ := c.ISOWeek()
		return num(floorMod(y, 100), 2, '0'), n
	case 'G':
		y, _ := c.ISOWeek()
		return num(y, 4, '0'), n
	case 'H':
		return num(int64(c.Hour), 2, '0'), n
	case 'I':
		return num(h12, 2, '0'), n
	case 'j':
		return num(int64(c.Yearday)+1, 3, '0'), n
	case 'k':
		return num(int64(c.Hour), 2, '_'), n
	case 'l':
		return num(h12, 2, '_'), n
	case 'm':
		return num(int64(c.Month), 2, '0'), n
	case 'M':
		return num(int64(c.Min), 2, '0'), n
	case 'N':
		return fl.nanoseconds(dst, nsec), n
	case 'p', 'P':
		s := "AM"
		if c.Hour >= 12 {
			s = "PM"
		}
		if conv == 'P' || fl.swap {
			s = string([]byte{s[0] | 0x20, 'm'})
			if conv == 'P' {
				fl.upper = false
			}
			fl.swap = false
		}
		return fl.text(dst, s), n
	case 'q':
		return num(int64((c.Month-1)/3)+1, 1, '0'), n
	case 'r':
		return sub("%I:%M:%S %p"), n
	case 'R':
		return sub("%H:%M"), n
	case 's':
		return num(sec, 1, '0'), n
	case 'S':
		return num(int64(c.Sec), 2, '0'), n
	case 'T', 'X':
		return sub("%H:%M:%S"), n
	case 'u':
		return num(int64((c.Weekday+6)%7)+1, 1, '0'), n
	case 'U':
		return num(int64((c.Yearday-c.Weekday+7)/7), 2, '0'), n
	case 'V':
		_, w := c.ISOWeek()
		return num(int64(w), 2, '0'), n
	case 'w':
		return num(int64(c.Weekday), 1, '0'), n
	case 'W':
		return num(int64((c.Yearday-(c.Weekday+6)%7+7)/7), 2, '0'), n
	case 'y':
		return num(floorMod(c.Year, 100), 2, '0'), n
	case 'Y':
		return num(c.Year, 4, '0'), n
	case 'z':
		return fl.zone(dst, c.Offset, colons), n
	case 'Z':
		if fl.swap {
			fl.upper, fl.swap = false, false
			return fl.text(dst, lower(c.Zone)), n
		}
		return fl.text(dst, c.Zone), n
	}
	return append(dst, f[:n]...), n
}

func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// swapUpper makes the '#' flag mean upper case, as for names.
func (fl *convFlags) swapUpper() {
	if fl.swap {
		fl.upper = true
	}
}

// text appends a text, padded to the width.
func (fl *convFlags) text(dst []byte, s string) []byte {
	if fl.hasWidth && fl.pad != '-' {
		pad := byte(' ')
		if fl.pad == '0' || fl.pad == '+' {
			pad = '0'
		}
		for i := len(s); i < fl.width; i++ {
			dst = append(dst, pad)
		}
	}
	from := len(dst)
	dst = append(dst, s...)
	if fl.upper {
		for i := from; i < len(dst); i++ {
			if c := dst[i]; c >= 'a' && c <= 'z' {
				dst[i] = c &^ 0x20
			}
		}
	}
	return dst
}

// number appends a number of at least width digits.
func (fl *convFlags) number(dst []byte, v int64, width int, pad byte) []byte {
	plus := fl.pad == '+'
	switch fl.pad {
	case '-', '_', '0':
		pad = fl.pad
	case '+':
		pad = '0'
	}
	fieldWidth := width
	if fl.hasWidth && fl.width > width {
		fieldWidth = fl.width
	}
	var buf [20]byte
	neg := v < 0
	u := uint64(v)
	if neg {
		u = -u
	}
	d := strconv.AppendUint(buf[:0], u, 10)
	sign := byte(0)
	if neg {
		sign = '-'
	} else if plus && (len(d) > width || fieldWidth > width && width > 2) {
		sign = '+'
	}
	n := len(d)
	if sign != 0 {
		n++
	}
	if pad == '_' {
		for ; n < fieldWidth; n++ {
			dst = append(dst, ' ')
		}
	}
	if sign != 0 {
		dst = append(dst, sign)
	}
	if pad == '0' {
		// The sign takes one of the places.
		for ; n < fieldWidth; n++ {
			dst = append(dst, '0')
		}
	}
	return append(dst, d...)
}

// nanoseconds appends the fraction: nine digits, or as many as the width says.
func (fl *convFlags) nanoseconds(dst []byte, nsec int) []byte {
	var d [9]byte
	for i := 8; i >= 0; i-- {
		d[i] = '0' + byte(nsec%10)
		nsec /= 10
	}
	width := 9
	if fl.hasWidth && fl.width > 0 {
		width = fl.width
	}
	end := min(width, 9)
	if fl.pad == '_' || fl.pad == '-' && fl.hasWidth {
		for end > 1 && d[end-1] == '0' {
			end--
		}
		dst = append(dst, d[:end]...)
		for ; fl.pad == '_' && end < width; end++ {
			dst = append(dst, ' ')
		}
		return dst
	}
	dst = append(dst, d[:end]...)
	for ; end < width; end++ {
		dst = append(dst, '0')
	}
	return dst
}

// zone appends the offset: +hhmm, or with colons +hh:mm, +hh:mm:ss, or as short
// as possible.
func (fl *convFlags) zone(dst []byte, off, colons int) []byte {
	sign := byte('+')
	if off < 0 {
		sign, off = '-', -off
	}
	h, m, s := off/3600, off/60%60, off%60
	var b []byte
	two := func(v int) { b = append(b, '0'+byte(v/10), '0'+byte(v%10)) }
	two(m)
	switch colons {
	case 0:
		if fl.pad == '-' && h == 0 {
			b = strconv.AppendInt(b[:0], int64(m), 10)
			return append(append(dst, sign), b...)
		}
	case 1:
		b = append([]byte{':'}, b...)
	case 2:
		b = append([]byte{':'}, b...)
		b = append(b, ':')
		two(s)
	case 3:
		switch {
		case s != 0:
			b = append([]byte{':'}, b...)
			b = append(b, ':')
			two(s)
		case m != 0:
			b = append([]byte{':'}, b...)
		default:
			b = b[:0]
		}
	}
	hours := strconv.Itoa(h)
	if h < 10 && fl.pad != '-' && fl.pad != '_' {
		hours = "0" + hours
	}
	n := 1 + len(hours) + len(b)
	want := 0
	if fl.hasWidth {
		want = fl.width
	}
	switch fl.pad {
	case '_':
		if want == 0 && h < 10 {
			want = n + 1
		}
		for ; n < want; n++ {
			dst = append(dst, ' ')
		}
		dst = append(dst, sign)
	case '-':
		dst = append(dst, sign)
	default:
		dst = append(dst, sign)
		for ; n < want; n++ {
			dst = append(dst, '0')
		}
	}
	dst = append(dst, hours...)
	return append(dst, b...)
}
