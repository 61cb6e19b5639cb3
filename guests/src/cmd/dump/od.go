// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package dump has the command that shows bytes: od.
package dump

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

const optEndian = 256

var odSyntax = cmdkit.Syntax{
	Short: "A:abBcDdeFfHhIij:LlN:OoS:st:vw::Xx",
	Long: []cmdkit.Long{
		{Name: "address-radix", Arg: cmdkit.RequiredArg, Val: 'A'}, {Name: "skip-bytes", Arg: cmdkit.RequiredArg, Val: 'j'},
		{Name: "read-bytes", Arg: cmdkit.RequiredArg, Val: 'N'}, {Name: "strings", Arg: cmdkit.OptionalArg, Val: 'S'},
		{Name: "format", Arg: cmdkit.RequiredArg, Val: 't'}, {Name: "output-duplicates", Val: 'v'}, {Name: "width", Arg: cmdkit.OptionalArg, Val: 'w'},
		{Name: "endian", Arg: cmdkit.RequiredArg, Val: optEndian},
	},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help: "Write an unambiguous representation, octal bytes by default, of FILE to standard\noutput.\n\n" +
		"  -A, --address-radix=RADIX   output format for file offsets: d, o, x or n\n      --endian={big|little}   swap input bytes according to the given order\n  -j, --skip-bytes=BYTES      skip BYTES input bytes first\n" +
		"  -N, --read-bytes=BYTES      limit dump to BYTES input bytes\n  -t, --format=TYPE           select output format or formats\n  -v, --output-duplicates     do not use * to mark line suppression\n" +
		"  -w[BYTES], --width[=BYTES]  output BYTES bytes per output line (32 when omitted)\n\nTYPE is made up of: a (named characters), c (characters or escapes), d[SIZE]\n(signed decimal), f[SIZE] (floating point), o[SIZE] (octal), u[SIZE] (unsigned),\nx[SIZE] (hexadecimal); a z suffix shows printable characters.\n\n" +
		"  -a same as -t a, -b -t o1, -c -t c, -d -t u2, -f -t fF, -i -t dI, -l -t dL,\n  -o -t o2, -s -t d2, -x -t x2\n",
}

// format is one -t.
type format struct {
	kind  byte // a c d f o u x
	size  int
	width int // of a line
	tail  bool

	digits int          // of a number, at most
	ends   []int        // the columns behind the items
	texts  *[256]string // of items of one byte
}

type od struct {
	p       *cmdkit.Proc
	formats []format
	radix   int // 0: none
	digits  int
	line    int // bytes a line
	all     bool
	order   binary.ByteOrder
	skip    uint64
	limit   uint64
	hasMax  bool
	files   []string
	in      *cmdkit.Reader
	fd      wsys.FD
	status  int
	out     []byte // not written yet
}

// Od is od(1).
func Od(p *cmdkit.Proc) int {
	o := od{p: p, radix: 8, digits: 7, order: binary.LittleEndian}
	width := uint64(0)
	const suffixes = "bkKMGTPEZY0"
	number := func(s, what string, to *uint64) bool {
		base, body := 10, s
		if len(s) > 1 && s[0] == '0' {
			base = 8
			if s[1] == 'x' || s[1] == 'X' {
				base, body = 16, s[2:]
			}
		}
		if base != 10 {
			v, err := strconv.ParseUint(body, base, 62)
			if err == nil {
				*to = v
				return true
			}
		}
		v, e := cmdkit.ParseUint(s, suffixes)
		if e != cmdkit.NumOK {
			p.Warn("invalid ", what, " argument ", cmdkit.Quote(s))
			return false
		}
		*to = min(v, 1<<62)
		return true
	}
	add := func(spec string) bool { return o.parse(spec) }
	g := p.Options(&odSyntax)
	for g.Next() {
		ok := true
		switch g.Opt {
		case 'A':
			switch g.Arg {
			case "d":
				o.radix, o.digits = 10, 7
			case "o":
				o.radix, o.digits = 8, 7
			case "x":
				o.radix, o.digits = 16, 6
			case "n":
				o.radix = 0
			default:
				p.Warn("invalid output address radix '", g.Arg, "'; it must be one character from [doxn]")
				return 1
			}
		case 'j':
			ok = number(g.Arg, "-j", &o.skip)
		case 'N':
			o.hasMax = true
			ok = number(g.Arg, "-N", &o.limit)
		case 'S':
			p.Warn("option -S is not supported")
			return 1
		case 't':
			ok = add(g.Arg)
		case 'v':
			o.all = true
		case 'w':
			width = 32
			if g.HasArg {
				ok = number(g.Arg, "-w", &width)
			}
		case optEndian:
			v, valid := p.Choice("--endian", g.Arg, []string{"little", "big"}, []int{0, 1})
			if !valid {
				return 1
			}
			if v == 1 {
				o.order = binary.BigEndian
			}
		default:
			spec := map[rune]string{
				'a': "a", 'b': "o1", 'B': "o2", 'c': "c", 'D': "u4", 'd': "u2", 'e': "fD", 'F': "fD", 'f': "fF", 'H': "x4", 'h': "x2",
				'I': "dL", 'i': "dI", 'L': "dL", 'l': "dL", 'O': "o4", 'o': "o2", 's': "d2", 'X': "x4", 'x': "x2",
			}[g.Opt]
			ok = add(spec)
		}
		if !ok {
			return 1
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(o.formats) == 0 {
		o.parse("o2")
	}
	o.files = g.Operands
	if len(o.files) == 0 {
		o.files = []string{"-"}
	}
	unit := 1
	for _, f := range o.formats {
		unit = lcm(unit, f.size)
	}
	o.line = 16 / unit * unit
	if o.line == 0 {
		o.line = unit
	}
	if width > 0 {
		if width > 1<<16 || width%uint64(unit) != 0 {
			p.Warn("warning: invalid width ", strconv.FormatUint(width, 10), "; using ", strconv.Itoa(unit), " instead")
			width = uint64(unit)
		}
		o.line = int(width)
	}
	o.widths()
	o.run()
	return o.status
}

func lcm(a, b int) int {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// parse adds the formats of a TYPE string.
func (o *od) parse(s string) bool {
	bad := func(parts ...string) bool {
		o.p.Warn(parts...)
		return false
	}
	if s == "" {
		return bad("invalid type string ", cmdkit.Quote(s))
	}
	for i := 0; i < len(s); {
		f := format{kind: s[i], size: 1}
		i++
		switch f.kind {
		case 'a', 'c':
		case 'd', 'o', 'u', 'x', 'f':
			f.size = 4
			if f.kind == 'f' {
				f.size = 8
			}
			letters := map[byte]int{'C': 1, 'S': 2, 'I': 4, 'L': 8}
			if f.kind == 'f' {
				letters = map[byte]int{'F': 4, 'D': 8, 'L': 16}
			}
			if i < len(s) && letters[s[i]] != 0 {
				f.size = letters[s[i]]
				i++
				break
			}
			j := i
			for j < len(s) && s[j] >= '0' && s[j] <= '9' {
				j++
			}
			if j > i {
				n, err := strconv.Atoi(s[i:j])
				if err != nil {
					return bad("invalid type string ", cmdkit.Quote(s))
				}
				f.size = n
				i = j
			}
			switch {
			case f.kind == 'f' && f.size != 4 && f.size != 8:
				return bad("invalid type string ", cmdkit.Quote(s), ";\nthis system doesn't provide a ", strconv.Itoa(f.size), "-byte floating point type")
			case f.size != 1 && f.size != 2 && f.size != 4 && f.size != 8:
				return bad("invalid type string ", cmdkit.Quote(s), ";\nthis system doesn't provide a ", strconv.Itoa(f.size), "-byte integral type")
			}
		default:
			return bad("invalid character '", s[i-1:i], "' in type string ", cmdkit.Quote(s))
		}
		if i < len(s) && s[i] == 'z' {
			f.tail = true
			i++
		}
		o.formats = append(o.formats, f)
	}
	return true
}

// fieldWidth returns the columns of one item without its blank.
func (f *format) fieldWidth() int {
	switch f.kind {
	case 'a', 'c':
		return 3
	case 'o':
		return map[int]int{1: 3, 2: 6, 4: 11, 8: 22}[f.size]
	case 'x':
		return 2 * f.size
	case 'u':
		return map[int]int{1: 3, 2: 5, 4: 10, 8: 20}[f.size]
	case 'd':
		return map[int]int{1: 4, 2: 6, 4: 11, 8: 20}[f.size]
	}
	if f.size == 4 {
		return 15
	}
	return 24
}

// widths makes the items of all formats line up.
func (o *od) widths() {
	most := 0 // columns a line
	for i := range o.formats {
		f := &o.formats[i]
		most = max(most, (f.fieldWidth()+1)*(o.line/f.size))
	}
	for i := range o.formats {
		// A line's columns are shared out evenly, the larger shares last, as
		// GNU does.
		f := &o.formats[i]
		f.width, f.digits = most, f.fieldWidth()
		items := o.line / f.size
		f.ends = make([]int, items)
		for k := range items {
			f.ends[k] = most * (k + 1) / items
		}
	}
}

// next opens the next input that can be opened.
func (o *od) next() bool {
	if o.in != nil {
		if o.in.Err != nil {
			o.status = o.p.Errno(o.in.Err, o.files[0])
			o.in.Err = nil
		}
		o.p.CloseInput(o.fd)
		o.in = nil
		o.files = o.files[1:]
	}
	for len(o.files) > 0 {
		fd, err := o.p.Open(o.files[0])
		if err == nil {
			o.fd, o.in = fd, o.p.InputReader(fd)
			return true
		}
		o.status = o.p.FileErrno(err, o.files[0])
		o.files = o.files[1:]
	}
	return false
}

// read reads whole lines into b, as many as are at hand, at least one: only at
// the end of the inputs it is less.
func (o *od) read(b []byte) int {
	n := 0
	for n < len(b) && o.in != nil && (n == 0 || n%o.line != 0) {
		k, err := o.in.Read(b[n:])
		n += k
		if k == 0 || err != nil {
			o.next()
		}
	}
	return n
}

// batch is how much is read, and how much output is put together, at a time.
const batch = 16 << 10

func (o *od) run() {
	if !o.next() {
		return
	}
	offset := o.skip
	if !o.skipInput() {
		return
	}
	buf := make([]byte, max(1, batch/o.line)*o.line)
	var prev []byte
	starred := false
	for o.p.Stdout.Err == nil {
		want := len(buf)
		if o.hasMax {
			want = int(min(uint64(want), o.skip+o.limit-offset))
		}
		b := buf[:o.read(buf[:want])]
		if len(b) == 0 {
			break
		}
		last := prev
		for len(b) > 0 {
			line := b[:min(o.line, len(b))]
			b = b[len(line):]
			if len(line) == o.line && len(last) > 0 && !o.all && string(line) == string(last) {
				if !starred {
					o.out = append(o.out, "*\n"...)
				}
				starred = true
			} else {
				starred = false
				o.show(offset, line)
			}
			offset += uint64(len(line))
			last = line
		}
		prev = append(prev[:0], last...)
		o.flush()
	}
	if o.radix != 0 {
		o.address(offset)
		o.out = append(o.out, '\n')
	}
	o.flush()
}

func (o *od) flush() {
	o.p.Stdout.Write(o.out)
	o.out = o.out[:0]
}

// skipInput skips -j bytes of the concatenated inputs.
func (o *od) skipInput() bool {
	left := o.skip
	for left > 0 {
		if o.in == nil {
			o.p.Warn("cannot skip past end of combined input")
			o.status = 1
			return false
		}
		if st, err := wsys.Fstat(o.fd); err == nil && st.Mode.IsRegular() && st.Size > 0 && o.in.Buffered() == 0 {
			pos, err := wsys.Seek(o.fd, 0, abi.SeekCur)
			if err == nil {
				if rest := uint64(max(0, st.Size-pos)); rest <= left {
					left -= rest
					if left > 0 || !o.next() {
						if left > 0 {
							o.next()
						}
					}
					continue
				}
				if _, err := wsys.Seek(o.fd, int64(left), abi.SeekCur); err == nil {
					return true
				}
			}
		}
		b := o.in.Chunk()
		if len(b) == 0 {
			o.next()
			continue
		}
		if uint64(len(b)) > left {
			o.in.Unread(len(b) - int(left))
			return true
		}
		left -= uint64(len(b))
	}
	return true
}

func (o *od) address(n uint64) {
	var t [24]byte
	d := strconv.AppendUint(t[:0], n, o.radix)
	for i := len(d); i < o.digits; i++ {
		o.out = append(o.out, '0')
	}
	o.out = append(o.out, d...)
}

// blanks adds n spaces.
func blanks(dst []byte, n int) []byte {
	const some = "                                "
	for n > len(some) {
		dst = append(dst, some...)
		n -= len(some)
	}
	return append(dst, some[:max(0, n)]...)
}

func (o *od) show(offset uint64, b []byte) {
	out := o.out
	for i := range o.formats {
		f := &o.formats[i]
		if o.radix != 0 {
			if i == 0 {
				o.out = out
				o.address(offset)
				out = o.out
			} else {
				out = blanks(out, o.digits)
			}
		}
		fields := (len(b) + f.size - 1) / f.size
		col := 0
		if f.texts == nil && f.size == 1 && f.kind != 'f' {
			f.texts = new([256]string)
			for c := range f.texts {
				f.texts[c] = string(o.item(nil, f, []byte{byte(c)}))
			}
		}
		if f.texts != nil {
			for k, c := range b {
				end := f.ends[k]
				t := f.texts[c]
				for n := end - col - len(t); n > 0; n-- {
					out = append(out, ' ')
				}
				out = append(out, t...)
				col = end
			}
		} else {
			var unit [8]byte
			var text [64]byte
			for k := range fields {
				in := b[k*f.size:]
				if len(in) < f.size {
					clear(unit[:])
					copy(unit[:], in)
					in = unit[:]
				}
				t := o.item(text[:0], f, in[:f.size])
				end := f.ends[k]
				for n := end - col - len(t); n > 0; n-- {
					out = append(out, ' ')
				}
				out = append(out, t...)
				col = end
			}
		}
		if f.tail {
			out = blanks(out, f.width-col)
			out = append(out, "  >"...)
			for _, c := range b {
				if c < 32 || c > 126 {
					c = '.'
				}
				out = append(out, c)
			}
			out = append(out, '<')
		}
		out = append(out, '\n')
	}
	o.out = out
}

var charNames = [33]string{
	"nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "ht", "nl", "vt", "ff", "cr", "so", "si", "dle",
	"dc1", "dc2", "dc3", "dc4", "nak", "syn", "etb", "can", "em", "sub", "esc", "fs", "gs", "rs", "us", "sp",
}

// item appends the text of one item.
func (o *od) item(dst []byte, f *format, b []byte) []byte {
	switch f.kind {
	case 'a':
		c := b[0] & 0x7f
		switch {
		case c == 127:
			return append(dst, "del"...)
		case c <= 32:
			return append(dst, charNames[c]...)
		}
		return append(dst, c)
	case 'c':
		switch c := b[0]; {
		case c == 0:
			return append(dst, '\\', '0')
		case c >= 7 && c <= 13:
			return append(dst, '\\', "abtnvfr"[c-7])
		case c >= 32 && c < 127:
			return append(dst, c)
		default:
			return append(dst, '0'+c>>6, '0'+c>>3&7, '0'+c&7)
		}
	}
	var v uint64
	switch f.size {
	case 1:
		v = uint64(b[0])
	case 2:
		v = uint64(o.order.Uint16(b))
	case 4:
		v = uint64(o.order.Uint32(b))
	default:
		v = o.order.Uint64(b)
	}
	switch f.kind {
	case 'o':
		for n := 3 * (f.digits - 1); n >= 0; n -= 3 {
			dst = append(dst, '0'+byte(v>>n)&7)
		}
		return dst
	case 'x':
		for n := 4 * (f.digits - 1); n >= 0; n -= 4 {
			dst = append(dst, "0123456789abcdef"[v>>n&15])
		}
		return dst
	case 'u':
		return strconv.AppendUint(dst, v, 10)
	case 'd':
		shift := 64 - 8*f.size
		return strconv.AppendInt(dst, int64(v<<shift)>>shift, 10)
	}
	if f.size == 4 {
		return append(dst, cFloat(float64(math.Float32frombits(uint32(v))), 32)...)
	}
	return append(dst, cFloat(math.Float64frombits(v), 64)...)
}

// cFloat formats as %g of C with just the digits that tell the value apart.
func cFloat(x float64, bits int) string {
	switch {
	case math.IsNaN(x):
		if math.Signbit(x) {
			return "-nan"
		}
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	e := strconv.FormatFloat(x, 'e', -1, bits)
	i := len(e) - 1
	for e[i] != 'e' {
		i--
	}
	exp, err := strconv.Atoi(e[i+1:])
	digits := i
	for _, c := range e[:i] {
		if c == '.' || c == '-' {
			digits--
		}
	}
	if err == nil && exp >= -4 && exp < max(digits, minDigits(bits)) {
		return strconv.FormatFloat(x, 'f', -1, bits)
	}
	return e
}

// minDigits is the precision that GNU tries first: that of the type's decimal
// digits.
func minDigits(bits int) int {
	if bits == 32 {
		return 6
	}
	return 15
}
