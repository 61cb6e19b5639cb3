// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package compare

import (
	"bytes"
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var cmpSyntax = cmdkit.Syntax{
	Short: "bi:ln:s",
	Long: []cmdkit.Long{
		{Name: "print-bytes", Val: 'b'}, {Name: "ignore-initial", Arg: cmdkit.RequiredArg, Val: 'i'}, {Name: "verbose", Val: 'l'},
		{Name: "bytes", Arg: cmdkit.RequiredArg, Val: 'n'}, {Name: "quiet", Val: 's'}, {Name: "silent", Val: 's'},
	},
	Usage: []string{"[OPTION]... FILE1 [FILE2 [SKIP1 [SKIP2]]]"},
	Help: "Compare two files byte by byte.\n\n" +
		"  -b, --print-bytes            print differing bytes\n  -i, --ignore-initial=SKIP[:SKIP2]  skip first SKIP bytes of both inputs\n  -l, --verbose                output byte numbers and differing byte values\n" +
		"  -n, --bytes=LIMIT            compare at most LIMIT bytes\n  -s, --quiet, --silent        suppress all normal output\n",
	BadUsage: 2,
}

const cmpSuffixes = "kKMGTPEZY0"

// Cmp is cmp(1).
func Cmp(p *cmdkit.Proc) int {
	printBytes, verbose, silent := false, false, false
	limit := uint64(1<<64 - 1)
	var skip [2]uint64
	number := func(what, s string, to *uint64) bool {
		v, e := cmdkit.ParseUint(s, cmpSuffixes)
		if e != cmdkit.NumOK {
			p.Warn("invalid ", what, " value ", cmdkit.Quote(s))
			tryHelp(p)
			return false
		}
		*to = min(v, 1<<62)
		return true
	}
	g := p.Options(&cmpSyntax)
	for g.Next() {
		switch g.Opt {
		case 'b':
			printBytes = true
		case 'i':
			a, b := g.Arg, ""
			for i := range len(a) {
				if a[i] == ':' {
					a, b = a[:i], a[i+1:]
					break
				}
			}
			if !number("--ignore-initial", a, &skip[0]) {
				return 2
			}
			skip[1] = skip[0]
			if b != "" && !number("--ignore-initial", b, &skip[1]) {
				return 2
			}
		case 'l':
			verbose = true
		case 'n':
			if !number("--bytes", g.Arg, &limit) {
				return 2
			}
		case 's':
			silent = true
		}
	}
	if g.Stop {
		return g.Status
	}
	if verbose && silent {
		p.Warn("options -l and -s are incompatible")
		return tryHelp(p)
	}
	ops := g.Operands
	switch {
	case len(ops) == 0:
		p.Warn("missing operand after ", cmdkit.Quote(p.Name))
		return tryHelp(p)
	case len(ops) > 4:
		p.Warn("extra operand ", cmdkit.Quote(ops[4]))
		return tryHelp(p)
	case len(ops) == 1:
		ops = append(ops, "-")
	}
	for i, s := range ops[2:] {
		if !number("SKIP", s, &skip[i]) {
			return 2
		}
	}
	if ops[0] == "-" && ops[1] == "-" && skip[0] == skip[1] {
		return 0 // one input is equal to itself
	}
	var fds [2]wsys.FD
	var r [2]*cmdkit.Reader
	for i := range 2 {
		fd, err := p.Open(ops[i])
		if err != nil {
			if !silent {
				p.Errno(err, ops[i])
			}
			return 2
		}
		fds[i] = fd
		r[i] = cmdkit.NewReader(fd)
	}
	a, errA := wsys.Fstat(fds[0])
	b, errB := wsys.Fstat(fds[1])
	if errA == nil && errB == nil && a.Mode.IsRegular() && b.Mode.IsRegular() {
		if a.Dev == b.Dev && a.Ino == b.Ino && skip[0] == skip[1] {
			return 0
		}
		if silent && limit == 1<<64-1 && a.Size > 0 && b.Size > 0 && a.Size-int64(skip[0]) != b.Size-int64(skip[1]) {
			return 1
		}
	}
	for i := range 2 {
		if !skipBytes(r[i], fds[i], skip[i]) {
			if !silent {
				p.Errno(r[i].Err, ops[i])
			}
			return 2
		}
	}
	c := comparison{p: p, names: [2]string{ops[0], ops[1]}, printBytes: printBytes, verbose: verbose, silent: silent}
	c.width = 1
	if verbose {
		size := limit
		if errA == nil && a.Mode.IsRegular() {
			size = min(size, uint64(a.Size))
		}
		if errB == nil && b.Mode.IsRegular() {
			size = min(size, uint64(b.Size))
		}
		c.width = len(strconv.FormatUint(size, 10))
	}
	return c.run(r, limit)
}

func skipBytes(r *cmdkit.Reader, fd wsys.FD, n uint64) bool {
	if n == 0 {
		return true
	}
	if st, err := wsys.Fstat(fd); err == nil && st.Mode.IsRegular() {
		if _, err := wsys.Seek(fd, int64(n), abi.SeekCur); err == nil {
			return true
		}
	}
	for n > 0 {
		b := r.Chunk()
		if len(b) == 0 {
			return r.Err == nil
		}
		if uint64(len(b)) > n {
			r.Unread(len(b) - int(n))
			return true
		}
		n -= uint64(len(b))
	}
	return true
}

type comparison struct {
	p                           *cmdkit.Proc
	names                       [2]string
	printBytes, verbose, silent bool
	width                       int
}

func (c *comparison) run(r [2]*cmdkit.Reader, limit uint64) int {
	w := c.p.Stdout
	offset, line := uint64(0), uint64(1)
	status := 0
	lastNewline := true
	for limit > 0 {
		a, b := r[0].Chunk(), r[1].Chunk()
		for i := range 2 {
			if r[i].Err != nil {
				if !c.silent {
					c.p.Errno(r[i].Err, c.names[i])
				}
				return 2
			}
		}
		n := min(len(a), len(b))
		n = int(min(uint64(n), limit))
		if n == 0 {
			if len(a) == len(b) || limit == 0 {
				return status
			}
			short := 0
			if len(b) == 0 {
				short = 1
			}
			if !c.silent {
				c.eof(short, offset, line, lastNewline)
			}
			return 1
		}
		r[0].Unread(len(a) - n)
		r[1].Unread(len(b) - n)
		a, b = a[:n], b[:n]
		if n > wsys.Worth && bytes.Equal(a, b) {
			line += uint64(wsys.CountByte(a, '\n'))
			n = 0
		}
		for i := range n {
			if a[i] == b[i] {
				if a[i] == '\n' {
					line++
				}
				continue
			}
			if c.silent {
				return 1
			}
			status = 1
			if !c.verbose {
				unit := "char"
				if c.printBytes {
					unit = "byte"
				}
				w.WriteString(c.names[0] + " " + c.names[1] + " differ: " + unit + " " + strconv.FormatUint(offset+uint64(i)+1, 10) + ", line " + strconv.FormatUint(line, 10))
				if c.printBytes {
					w.WriteString(" is " + octal(a[i]) + " " + visible(a[i], 0) + " " + octal(b[i]) + " " + visible(b[i], 0))
				}
				w.WriteByte('\n')
				return 1
			}
			num := strconv.FormatUint(offset+uint64(i)+1, 10)
			w.Pad(c.width - len(num))
			w.WriteString(num + " " + octal(a[i]) + " ")
			if c.printBytes {
				w.WriteString(visible(a[i], 4) + " " + octal(b[i]) + " " + visible(b[i], 0))
			} else {
				w.WriteString(octal(b[i]))
			}
			w.WriteByte('\n')
			if a[i] == '\n' {
				line++
			}
		}
		n = len(a)
		lastNewline = a[n-1] == '\n'
		offset += uint64(n)
		limit -= uint64(n)
	}
	return status
}

func (c *comparison) eof(short int, offset, line uint64, lastNewline bool) {
	c.p.Stdout.Flush()
	msg := "EOF on " + c.names[short]
	switch {
	case offset == 0:
		msg += " which is empty"
	case c.verbose:
		msg += " after byte " + strconv.FormatUint(offset, 10)
	case lastNewline:
		msg += " after byte " + strconv.FormatUint(offset, 10) + ", line " + strconv.FormatUint(line-1, 10)
	default:
		msg += " after byte " + strconv.FormatUint(offset, 10) + ", in line " + strconv.FormatUint(line, 10)
	}
	c.p.Warn(msg)
}

// octal formats a byte in three columns.
func octal(c byte) string {
	s := strconv.FormatUint(uint64(c), 8)
	for len(s) < 3 {
		s = " " + s
	}
	return s
}

// visible shows a byte as cat -t does, filled up to width.
func visible(c byte, width int) string {
	s := ""
	if c >= 128 {
		s, c = "M-", c-128
	}
	switch {
	case c < 32:
		s += "^" + string(rune(c+64))
	case c == 127:
		s += "^?"
	default:
		s += string(rune(c))
	}
	for len(s) < width {
		s += " "
	}
	return s
}

// tryHelp ends a message on wrong usage as diffutils does, which put the name
// before that line too.
func tryHelp(p *cmdkit.Proc) int {
	return p.Warn("Try '", p.Name, " --help' for more information.") + 1
}
