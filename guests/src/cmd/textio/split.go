// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package textio

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

const (
	optAdditional = 256 + iota
	optNumeric
	optHex
	optVerbose
)

var splitSyntax = cmdkit.Syntax{
	Short: "a:b:C:del:n:t:ux0::1::2::3::4::5::6::7::8::9::",
	Long: []cmdkit.Long{
		{Name: "suffix-length", Arg: cmdkit.RequiredArg, Val: 'a'}, {Name: "additional-suffix", Arg: cmdkit.RequiredArg, Val: optAdditional},
		{Name: "bytes", Arg: cmdkit.RequiredArg, Val: 'b'}, {Name: "line-bytes", Arg: cmdkit.RequiredArg, Val: 'C'},
		{Name: "numeric-suffixes", Arg: cmdkit.OptionalArg, Val: optNumeric}, {Name: "hex-suffixes", Arg: cmdkit.OptionalArg, Val: optHex},
		{Name: "elide-empty-files", Val: 'e'}, {Name: "lines", Arg: cmdkit.RequiredArg, Val: 'l'}, {Name: "number", Arg: cmdkit.RequiredArg, Val: 'n'},
		{Name: "separator", Arg: cmdkit.RequiredArg, Val: 't'}, {Name: "unbuffered", Val: 'u'}, {Name: "verbose", Val: optVerbose},
	},
	Usage: []string{"[OPTION]... [FILE [PREFIX]]"},
	Help: "Output pieces of FILE to PREFIXaa, PREFIXab, ...; default size is 1000 lines,\nand default PREFIX is 'x'.\n\n" +
		"  -a, --suffix-length=N   generate suffixes of length N (default 2)\n      --additional-suffix=SUFFIX  append an additional SUFFIX to file names\n  -b, --bytes=SIZE        put SIZE bytes per output file\n" +
		"  -C, --line-bytes=SIZE   put at most SIZE bytes of records per output file\n  -d                      use numeric suffixes starting at 0\n      --numeric-suffixes[=FROM]  same as -d, but allow setting the start value\n" +
		"  -x                      use hex suffixes\n      --hex-suffixes[=FROM]  same as -x, but allow setting the start value\n  -e, --elide-empty-files do not generate empty output files with '-n'\n" +
		"  -l, --lines=NUMBER      put NUMBER lines/records per output file\n  -n, --number=CHUNKS     generate CHUNKS output files: N, l/N, r/N\n  -t, --separator=SEP     use SEP instead of newline as the record separator\n" +
		"  -u, --unbuffered        ignored\n      --verbose           print a diagnostic just before each output file is opened\n",
}

// splitter writes the pieces.
type splitter struct {
	p         *cmdkit.Proc
	prefix    string
	suffix    string
	digits    string // of the suffix
	length    int
	auto      bool // the suffix grows
	first     uint64
	n         uint64
	verbose   bool
	out       *cmdkit.Writer
	outName   string
	exhausted bool
}

// name returns the name of piece n.
func (s *splitter) name(n uint64) (string, bool) {
	n += s.first
	base := uint64(len(s.digits))
	length := s.length
	if s.auto {
		// As GNU: xaa … xyz, then xzaaa …: the last leading digit is kept
		// to lengthen the suffix, so that names stay sorted.
		lead := ""
		size := base
		for range length - 1 {
			size *= base
		}
		for {
			room := size - size/base
			if n < room {
				break
			}
			n -= room
			lead += s.digits[base-1:]
			size *= base
			length++
			if length > 60 {
				return "", false
			}
		}
		return s.prefix + lead + s.number(n, length) + s.suffix, true
	}
	text := s.number(n, length)
	if len(text) > length {
		return "", false
	}
	return s.prefix + text + s.suffix, true
}

func (s *splitter) number(n uint64, length int) string {
	base := uint64(len(s.digits))
	var b []byte
	for n > 0 || len(b) < length {
		b = append(b, s.digits[n%base])
		n /= base
	}
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}

// next closes the current piece and opens the next.
func (s *splitter) next() bool {
	if !s.close() {
		return false
	}
	name, ok := s.name(s.n)
	if !ok {
		s.p.Warn("output file suffixes exhausted")
		s.exhausted = true
		return false
	}
	s.n++
	if s.verbose {
		s.p.Stdout.WriteString("creating file " + cmdkit.QuoteAF(name) + "\n")
	}
	fd, err := wsys.Open(wsys.AtCwd, name, abi.OWronly|abi.OCreat|abi.OTrunc|abi.OCloexec, 0o666)
	if err != nil {
		s.p.Errno(err, name)
		return false
	}
	s.out, s.outName = cmdkit.NewWriter(fd), name
	s.out.SetLineBuffered(false)
	return true
}

func (s *splitter) close() bool {
	if s.out == nil {
		return true
	}
	s.out.Flush()
	err := s.out.Err
	if e := wsys.Close(s.out.FD); err == nil {
		err = e
	}
	s.out = nil
	if err != nil {
		s.p.Errno(err, s.outName)
	}
	return err == nil
}

// Split is split(1).
func Split(p *cmdkit.Proc) int {
	s := splitter{p: p, prefix: "x", digits: "abcdefghijklmnopqrstuvwxyz", length: 2, auto: true}
	kind, size, sep, elide := rune('l'), uint64(1000), byte('\n'), false
	given := false
	chunks := ""
	set := func(k rune, what, arg string) bool {
		v, e := cmdkit.ParseUint(arg, sizeSuffixes)
		if e != cmdkit.NumOK || v == 0 {
			p.Warn(what, ": ", cmdkit.Quote(arg), outOfRange(e))
			return false
		}
		if given {
			p.Warn("cannot split in more than one way")
			p.TryHelp(1)
			return false
		}
		kind, size, given = k, min(v, 1<<62), true
		return true
	}
	g := p.Options(&splitSyntax)
	for g.Next() {
		ok := true
		switch g.Opt {
		case 'a':
			v, e := cmdkit.ParseUint(g.Arg, "")
			if e != cmdkit.NumOK || v > 255 {
				p.Warn("invalid suffix length: ", cmdkit.Quote(g.Arg))
				return 1
			}
			if v > 0 {
				s.length, s.auto = int(v), false
			}
		case 'b':
			ok = set('b', "invalid number of bytes", g.Arg)
		case 'C':
			ok = set('C', "invalid number of bytes", g.Arg)
		case 'l':
			ok = set('l', "invalid number of lines", g.Arg)
		case 'd':
			s.digits = "0123456789"
		case 'x':
			s.digits = "0123456789abcdef"
		case optNumeric, optHex:
			base := 10
			s.digits = "0123456789"
			if g.Opt == optHex {
				base = 16
				s.digits = "0123456789abcdef"
			}
			if g.HasArg {
				v, err := strconv.ParseUint(g.Arg, base, 62)
				if err != nil {
					p.Warn(cmdkit.Quote(g.Arg), ": invalid start value for numerical suffix")
					return p.TryHelp(1)
				}
				s.first, s.auto = v, false
			}
		case 'e':
			elide = true
		case 'n':
			if given {
				return p.UsageError(1, "cannot split in more than one way")
			}
			kind, chunks, given = 'n', g.Arg, true
		case 't':
			switch {
			case g.Arg == "\\0":
				sep = 0
			case len(g.Arg) != 1:
				p.Warn("multi-character separator ", cmdkit.Quote(g.Arg))
				return 1
			default:
				sep = g.Arg[0]
			}
		case optAdditional:
			for i := range len(g.Arg) {
				if g.Arg[i] == '/' {
					p.Warn("invalid suffix ", cmdkit.Quote(g.Arg), ", contains directory separator")
					return p.TryHelp(1)
				}
			}
			s.suffix = g.Arg
		case optVerbose:
			s.verbose = true
		case 'u':
		default: // -NUM, the obsolete form of -l NUM
			ok = set('l', "invalid number of lines", string(g.Opt)+g.Arg)
		}
		if !ok {
			return 1
		}
	}
	if g.Stop {
		return g.Status
	}
	ops := g.Operands
	switch {
	case len(ops) > 2:
		return p.ExtraOperand(1, ops[2])
	case len(ops) == 0:
		ops = []string{"-"}
	}
	if len(ops) == 2 {
		s.prefix = ops[1]
	}
	fd, err := p.Open(ops[0])
	if err != nil {
		return p.Errno(err, "cannot open ", cmdkit.QuoteAF(ops[0]), " for reading")
	}
	r := p.InputReader(fd)
	ok := false
	switch kind {
	case 'b':
		ok = s.bytes(r, size)
	case 'C':
		ok = s.lineBytes(r, size, sep)
	case 'l':
		ok = s.lines(r, size, sep)
	default:
		ok = s.chunks(r, chunks, sep, elide)
	}
	if !s.close() || !ok {
		return 1
	}
	if r.Err != nil {
		return p.FileErrno(r.Err, ops[0])
	}
	return 0
}

func (s *splitter) bytes(r *cmdkit.Reader, size uint64) bool {
	left := uint64(0)
	for {
		b := r.Chunk()
		if len(b) == 0 {
			return true
		}
		for len(b) > 0 {
			if left == 0 {
				if !s.next() {
					return false
				}
				left = size
			}
			n := min(uint64(len(b)), left)
			s.out.Write(b[:n])
			b, left = b[n:], left-n
		}
	}
}

func (s *splitter) lines(r *cmdkit.Reader, size uint64, sep byte) bool {
	left := uint64(0)
	for {
		b := r.Chunk()
		if len(b) == 0 {
			return true
		}
		for len(b) > 0 {
			if left == 0 {
				if !s.next() {
					return false
				}
				left = size
			}
			i := 0
			for i < len(b) && left > 0 {
				if b[i] == sep {
					left--
				}
				i++
			}
			s.out.Write(b[:i])
			b = b[i:]
		}
	}
}

func (s *splitter) lineBytes(r *cmdkit.Reader, size uint64, sep byte) bool {
	left := uint64(0)
	for {
		l, ok := r.Line(sep)
		if !ok {
			return true
		}
		for len(l) > 0 {
			if left == 0 || uint64(len(l)) > left && left < size {
				if !s.next() {
					return false
				}
				left = size
			}
			n := min(uint64(len(l)), left)
			s.out.Write(l[:n])
			l, left = l[n:], left-n
		}
	}
}

// chunks is -n: N by size, l/N by size without cutting records, r/N round robin.
func (s *splitter) chunks(r *cmdkit.Reader, spec string, sep byte, elide bool) bool {
	how := byte('b')
	num := spec
	if len(spec) > 2 && spec[1] == '/' && (spec[0] == 'l' || spec[0] == 'r') {
		how, num = spec[0], spec[2:]
	}
	n, e := cmdkit.ParseUint(num, sizeSuffixes)
	if e != cmdkit.NumOK || n == 0 {
		s.p.Warn("invalid number of chunks: ", cmdkit.Quote(num), outOfRange(e))
		return false
	}
	if n > 1<<16 {
		s.p.Warn("invalid number of chunks: ", cmdkit.Quote(num), ": Value too large for defined data type")
		return false
	}
	if s.auto {
		s.auto = false
		for size := uint64(len(s.digits)) * uint64(len(s.digits)); size < n; size *= uint64(len(s.digits)) {
			s.length++
		}
	}
	var all []byte
	for b := r.Chunk(); len(b) > 0; b = r.Chunk() {
		all = append(all, b...)
	}
	if r.Err != nil {
		return true // reported by the caller
	}
	pieces := make([][]byte, n)
	total := uint64(len(all))
	switch how {
	case 'r':
		for i := uint64(0); len(all) > 0; i = (i + 1) % n {
			k := 0
			for k < len(all) && all[k] != sep {
				k++
			}
			k = min(k+1, len(all))
			pieces[i] = append(pieces[i], all[:k]...)
			all = all[k:]
		}
	default:
		begin := uint64(0)
		for i := range n {
			end := total / n * (i + 1)
			if i == n-1 {
				end = total
			}
			if end < begin {
				end = begin
			}
			if how == 'l' && end > begin {
				for end < total && all[end-1] != sep {
					end++
				}
			}
			pieces[i] = all[begin:end]
			begin = end
		}
	}
	for _, piece := range pieces {
		if elide && len(piece) == 0 {
			continue
		}
		if !s.next() {
			return false
		}
		s.out.Write(piece)
	}
	return true
}
