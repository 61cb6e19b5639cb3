// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package encode

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

const xxdUsage = ` [options] [infile [outfile]]
    or
       xxd -r [-s [-]offset] [-c cols] [-ps] [infile [outfile]]
Options:
    -a          toggle autoskip: A single '*' replaces nul-lines. Default off.
    -b          binary digit dump (incompatible with -ps,-i,-r). Default hex.
    -C          capitalize variable names in C include file style (-i).
    -c cols     format <cols> octets per line. Default 16 (-i: 12, -ps: 30).
    -E          show characters in EBCDIC. Default ASCII.
    -e          little-endian dump (incompatible with -ps,-i,-r).
    -g bytes    number of octets per group in normal output. Default 2 (-e: 4).
    -h          print this summary.
    -i          output in C include file style.
    -l len      stop after <len> octets.
    -n name     set the variable name used in C include output (-i).
    -o off      add <off> to the displayed file position.
    -ps         output in postscript plain hexdump style.
    -r          reverse operation: convert (or patch) hexdump into binary.
    -r -s off   revert with <off> added to file positions found in hexdump.
    -d          show offset in decimal instead of hex.
    -s [+][-]seek  start at <seek> bytes abs. (or +: rel.) infile offset.
    -u          use upper case hex letters.
    -v          show version.
`

// style of the dump.
type style uint8

const (
	normal style = iota
	plain
	include
	binaryDigits
	littleEndian
)

// maxColumns bounds what a line has.
const maxColumns = 256

type xxd struct {
	p        *cmdkit.Proc
	w        *cmdkit.Writer
	style    style
	cols     int // -1: the default
	group    int // -1: the default
	length   int64
	offset   int64 // added to what is shown
	seek     int64
	relative bool
	fromEnd  bool
	seeks    bool
	upper    bool
	decimal  bool
	ebcdic   bool
	autoskip bool
	capital  bool
	revert   bool
	name     string
	named    bool

	in    wsys.FD
	r     *cmdkit.Reader
	zeros int
	held  []byte // the second line of zeros in a row
	tail  []byte // the last one
	at    int64  // -r: where the output stands
}

// Xxd is xxd(1).
func Xxd(p *cmdkit.Proc) int {
	x := xxd{p: p, w: p.Stdout, cols: -1, group: -1, length: -1}
	args := p.Args
	usage := func() int {
		p.Stderr.WriteString("Usage:\n       xxd" + xxdUsage)
		return 1
	}
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		a := args[0]
		args = args[1:]
		if a == "--" {
			break
		}
		if a[1] == '-' {
			a = a[1:]
		}
		// value is the argument of an option: behind its letter, or the next one.
		value := func() (string, bool) {
			long := map[byte]string{'c': "-cols", 'g': "-groupsize", 'l': "-len", 'n': "-name", 's': "-seek"}[a[1]]
			if len(a) > 2 && a != long && (a[1] != 'c' || a[:min(len(a), 5)] != "-cols") {
				return a[2:], true
			}
			if len(args) == 0 {
				return "", false
			}
			v := args[0]
			args = args[1:]
			return v, true
		}
		number := func(to *int64) bool {
			v, ok := value()
			if !ok {
				return false
			}
			n, err := strconv.ParseInt(v, 0, 64)
			*to = n
			return err == nil
		}
		var n int64
		ok := true
		switch a[1] {
		case 'a':
			x.autoskip = !x.autoskip
		case 'b':
			x.style = binaryDigits
		case 'C':
			x.capital = true
		case 'c':
			if a == "-capitalize" {
				x.capital = true
				break
			}
			ok = number(&n)
			x.cols = int(min(max(n, -1), 1<<30))
		case 'd':
			x.decimal = true
		case 'E':
			x.ebcdic = true
		case 'e':
			x.style = littleEndian
		case 'g':
			ok = number(&n)
			x.group = int(min(max(n, -1), 1<<20))
		case 'h':
			return usage()
		case 'i':
			x.style = include
		case 'l':
			ok = number(&x.length)
		case 'n':
			x.name, ok = value()
			x.named = true
		case 'o':
			ok = number(&x.offset)
		case 'p':
			x.style = plain
		case 'r':
			x.revert = true
		case 's':
			v := ""
			if v, ok = value(); ok {
				x.seeks = true
				if v != "" && v[0] == '+' {
					x.relative, v = true, v[1:]
				}
				if v != "" && v[0] == '-' {
					x.fromEnd = true
				}
				var err error
				if x.seek, err = strconv.ParseInt(v, 0, 64); err != nil {
					ok = false
				}
			}
		case 'u':
			x.upper = true
		case 'v':
			p.PrintVersion()
			return 0
		default:
			ok = false
		}
		if !ok {
			return usage()
		}
	}
	if len(args) > 2 {
		return usage()
	}
	return x.run(args)
}

func (x *xxd) run(files []string) int {
	p := x.p
	if x.cols < 0 || x.cols == 0 && x.style != plain {
		x.cols = map[style]int{plain: 30, include: 12, binaryDigits: 6}[x.style]
		if x.cols == 0 {
			x.cols = 16
		}
	}
	if x.group < 0 {
		x.group = map[style]int{binaryDigits: 1, littleEndian: 4}[x.style]
		if x.group == 0 {
			x.group = 2
		}
	}
	if x.cols > maxColumns && x.style != plain {
		return x.p.Warn("invalid number of columns (max. " + strconv.Itoa(maxColumns) + ").")
	}
	if x.style == littleEndian && (x.group&(x.group-1) != 0 || x.group == 0) {
		p.Warn("number of octets per group must be a power of 2 with -e.")
		return 1
	}
	if x.group < 1 || x.group > x.cols {
		x.group = max(1, x.cols)
	}
	x.in = p.Stdin.FD
	if len(files) > 0 && files[0] != "-" {
		fd, err := wsys.Open(wsys.AtCwd, files[0], abi.ORdonly|abi.OCloexec, 0)
		if err != nil {
			p.Errno(err, files[0])
			return 2
		}
		defer wsys.Close(fd)
		x.in = fd
	}
	x.r = p.InputReader(x.in)
	if len(files) > 1 && files[1] != "-" {
		flags := abi.OWronly | abi.OCreat | abi.OCloexec
		if !x.revert {
			flags |= abi.OTrunc
		}
		fd, err := wsys.Open(wsys.AtCwd, files[1], flags, 0o666)
		if err != nil {
			p.Errno(err, files[1])
			return 3
		}
		defer wsys.Close(fd)
		x.w = cmdkit.NewWriter(fd)
	}
	status := 0
	if x.revert {
		if x.style != normal && x.style != plain {
			p.Warn("Sorry, cannot revert this type of hexdump")
			return 1
		}
		status = x.back()
	} else {
		if !x.skip() {
			p.Warn("Sorry, cannot seek.")
			return 4
		}
		switch x.style {
		case include:
			x.includeFile(files)
		case plain:
			x.plainDump()
		default:
			x.dump()
		}
	}
	if x.r.Err != nil {
		p.Errno(x.r.Err, "read error")
		status = 2
	}
	if x.w != p.Stdout {
		if err := x.w.Flush(); err != nil {
			p.Errno(err, files[1])
			return 3
		}
	}
	return status
}

// skip goes to where the dump begins.
func (x *xxd) skip() bool {
	if !x.seeks {
		return true
	}
	whence := abi.SeekSet
	switch {
	case x.relative:
		whence = abi.SeekCur
	case x.fromEnd:
		whence = abi.SeekEnd
	}
	if at, err := wsys.Seek(x.in, x.seek, whence); err == nil {
		x.offset += at
		return true
	}
	if x.seek < 0 {
		return false
	}
	for left := x.seek; left > 0; {
		b := x.r.Chunk()
		if len(b) == 0 {
			return false
		}
		if int64(len(b)) > left {
			x.r.Unread(len(b) - int(left))
			left = 0
			break
		}
		left -= int64(len(b))
	}
	x.offset += x.seek
	return true
}

// line reads up to len(b) bytes, fewer only at the end.
func (x *xxd) line(b []byte) int {
	if x.length >= 0 {
		b = b[:min(int64(len(b)), x.length)]
	}
	n := 0
	for n < len(b) {
		k, err := x.r.Read(b[n:])
		if k == 0 || err != nil {
			break
		}
		n += k
	}
	if x.length >= 0 {
		x.length -= int64(n)
	}
	return n
}

func (x *xxd) digits() string {
	if x.upper {
		return "0123456789ABCDEF"
	}
	return "0123456789abcdef"
}

func (x *xxd) plainDump() {
	size := x.cols
	if size == 0 || size > 4096 {
		size = 4096
	}
	b := make([]byte, size)
	d := x.digits()
	var out []byte
	col := 0
	for n := x.line(b); n > 0 && x.w.Err == nil; n = x.line(b) {
		out = out[:0]
		for _, c := range b[:n] {
			out = append(out, d[c>>4], d[c&15])
			if col++; col == x.cols {
				out = append(out, '\n')
				col = 0
			}
		}
		x.w.Write(out)
	}
	if col > 0 || x.cols == 0 {
		x.w.WriteByte('\n')
	}
}

// identifier makes a name of C from that of a file.
func (x *xxd) identifier(s string) string {
	b := make([]byte, 0, len(s)+2)
	if s != "" && s[0] >= '0' && s[0] <= '9' {
		b = append(b, '_', '_')
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z':
			if x.capital {
				c -= 32
			}
		case c >= 'A' && c <= 'Z' || c >= '0' && c <= '9':
		default:
			c = '_'
		}
		b = append(b, c)
	}
	return string(b)
}

func (x *xxd) includeFile(files []string) {
	name := ""
	switch {
	case x.named:
		name = x.identifier(x.name)
	case len(files) > 0 && files[0] != "-":
		name = x.identifier(files[0])
	}
	w, d := x.w, x.digits()
	if name != "" {
		w.WriteString("unsigned char " + name + "[] = {\n")
	}
	prefix := "0x"
	if x.upper {
		prefix = "0X"
	}
	b := make([]byte, x.cols)
	total := 0
	for n := x.line(b); n > 0 && w.Err == nil; n = x.line(b) {
		if total > 0 {
			w.WriteString(",\n")
		}
		for i, c := range b[:n] {
			if i == 0 {
				w.WriteString("  ")
			} else {
				w.WriteString(", ")
			}
			w.WriteString(prefix)
			w.WriteByte(d[c>>4])
			w.WriteByte(d[c&15])
		}
		total += n
	}
	if total > 0 {
		w.WriteByte('\n')
	}
	if name != "" {
		suffix := "_len"
		if x.capital {
			suffix = "_LEN"
		}
		w.WriteString("};\nunsigned int " + name + suffix + " = " + strconv.Itoa(total) + ";\n")
	}
}

func (x *xxd) dump() {
	b := make([]byte, x.cols)
	d := x.digits()
	per := 2
	if x.style == binaryDigits {
		per = 8
	}
	wide := per*x.group + 1
	var l []byte
	at := x.offset
	last := false
	for x.w.Err == nil {
		n := x.line(b)
		if n == 0 {
			break
		}
		l = l[:0]
		base := 16
		if x.decimal {
			base = 10
		}
		a := strconv.FormatUint(uint64(at), base)
		for i := len(a); i < 8; i++ {
			l = append(l, '0')
		}
		l = append(l, a...)
		l = append(l, ':', ' ')
		from := len(l)
		text := from + (wide*x.cols-1)/x.group + 2
		for len(l) < text {
			l = append(l, ' ')
		}
		zero := true
		for i, c := range b[:n] {
			k := i
			if x.style == littleEndian {
				k ^= x.group - 1
			}
			pos := from + wide*k/x.group
			// A group at the end of a line may be incomplete.
			for len(l) < pos+per {
				l = append(l, ' ')
			}
			if x.style == binaryDigits {
				for bit := range 8 {
					l[pos+bit] = '0' + c>>(7-bit)&1
				}
			} else {
				l[pos], l[pos+1] = d[c>>4], d[c&15]
			}
			zero = zero && c == 0
		}
		for _, c := range b[:n] {
			if x.ebcdic {
				c = fromEBCDIC(c)
			}
			if c < ' ' || c > '~' {
				c = '.'
			}
			l = append(l, c)
		}
		l = append(l, '\n')
		last = n < x.cols
		x.put(l, zero && !last)
		at += int64(n)
	}
	if x.zeros > 1 { // the last line is shown, whatever is in it
		switch x.zeros--; {
		case x.zeros == 2:
			x.w.Write(x.held)
		case x.zeros > 2:
			x.w.WriteString("*\n")
		}
		x.w.Write(x.tail)
	}
}

// put writes a line of the dump; -a leaves out those of zeros.
func (x *xxd) put(l []byte, zero bool) {
	if !x.autoskip {
		x.w.Write(l)
		return
	}
	if zero {
		if x.zeros++; x.zeros == 1 {
			x.w.Write(l)
		} else {
			if x.zeros == 2 {
				x.held = append(x.held[:0], l...)
			}
			x.tail = append(x.tail[:0], l...)
		}
		return
	}
	if x.zeros == 2 {
		x.w.Write(x.held)
	} else if x.zeros > 2 {
		x.w.WriteString("*\n")
	}
	x.zeros = 0
	x.w.Write(l)
}

// fromEBCDIC returns the letter, digit or sign of ASCII, or 0.
func fromEBCDIC(c byte) byte {
	const table = "" +
		"................................................................" + // 0x00
		" ...........<(+|&.........!$*);.-/.........,%_>?.........`:#@'=\"" + // 0x40
		".abcdefghi.......jklmnopqr.......~stuvwxyz......................" + // 0x80
		"{ABCDEFGHI......}JKLMNOPQR......\\.STUVWXYZ......0123456789......" // 0xc0
	if s := table[c]; s != '.' || c == 0x4b {
		return s
	}
	return 0
}

func hexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// back turns a dump into what it was made of.
func (x *xxd) back() int {
	var out []byte
	half := -1
	for x.w.Err == nil {
		l, ok := x.r.Line('\n')
		if !ok {
			break
		}
		out = out[:0]
		if x.style == plain {
			for _, c := range l {
				v := hexValue(c)
				switch {
				case v < 0:
					if c > ' ' {
						half = -1
					}
				case half < 0:
					half = v
				default:
					out = append(out, byte(half<<4|v))
					half = -1
				}
			}
			x.w.Write(out)
			continue
		}
		at, rest, ok := address(l)
		if !ok {
			continue
		}
		out = octets(out, rest, x.cols)
		if st := x.putAt(at+x.seek, out); st != 0 {
			return st
		}
	}
	return 0
}

// address parses the start of a line of a dump.
func address(l []byte) (at int64, rest []byte, ok bool) {
	i := 0
	for i < len(l) && (l[i] == ' ' || l[i] == '\t') {
		i++
	}
	from := i
	for i < len(l) && hexValue(l[i]) >= 0 && i-from < 15 {
		at = at<<4 | int64(hexValue(l[i]))
		i++
	}
	if i == from || i == len(l) || l[i] != ':' {
		return 0, nil, false
	}
	return at, l[i+1:], true
}

// octets parses at most n bytes of a dump, up to two blanks in a row.
func octets(out, l []byte, n int) []byte {
	i := 0
	for i < len(l) && (l[i] == ' ' || l[i] == '\t') {
		i++
	}
	for n > 0 && i+1 < len(l) {
		hi, lo := hexValue(l[i]), hexValue(l[i+1])
		if hi < 0 || lo < 0 {
			if l[i] == ' ' && l[i+1] != ' ' {
				i++
				continue
			}
			break
		}
		out = append(out, byte(hi<<4|lo))
		n--
		i += 2
	}
	return out
}

// maxGap bounds the zeros that are written where the output cannot be sought.
const maxGap = 1 << 32

// putAt writes b at an offset of the output.
func (x *xxd) putAt(at int64, b []byte) int {
	if at != x.at {
		x.w.Flush()
		if _, err := wsys.Seek(x.w.FD, at, abi.SeekSet); err != nil {
			if at < x.at || at-x.at > maxGap {
				x.p.Warn("Sorry, cannot seek backwards.")
				return 5
			}
			for ; x.at < at && x.w.Err == nil; x.at++ {
				x.w.WriteByte(0)
			}
		}
		x.at = at
	}
	x.w.Write(b)
	x.at += int64(len(b))
	return 0
}
