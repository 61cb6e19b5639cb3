// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sorting

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

const optRandomSource = 256

var shufSyntax = cmdkit.Syntax{
	Short: "ei:n:o:rz",
	Long: []cmdkit.Long{
		{Name: "echo", Val: 'e'}, {Name: "input-range", Arg: cmdkit.RequiredArg, Val: 'i'}, {Name: "head-count", Arg: cmdkit.RequiredArg, Val: 'n'},
		{Name: "output", Arg: cmdkit.RequiredArg, Val: 'o'}, {Name: "random-source", Arg: cmdkit.RequiredArg, Val: optRandomSource}, {Name: "repeat", Val: 'r'}, {Name: "zero-terminated", Val: 'z'},
	},
	Usage: []string{"[OPTION]... [FILE]", "-e [OPTION]... [ARG]...", "-i LO-HI [OPTION]..."},
	Help: `Write a random permutation of the input lines to standard output.

  -e, --echo                treat each ARG as an input line
  -i, --input-range=LO-HI   treat each number LO through HI as an input line
  -n, --head-count=COUNT    output at most COUNT lines
  -o, --output=FILE         write result to FILE instead of standard output
      --random-source=FILE  get random bytes from FILE
  -r, --repeat              output lines can be repeated
  -z, --zero-terminated     line delimiter is NUL, not newline
`,
}

// dice makes evenly distributed numbers out of random bytes, and wastes as few
// of them as it can: what one number leaves is used for the next.
type dice struct {
	p     *cmdkit.Proc
	from  *cmdkit.Reader // nil: the kernel
	name  string
	value uint64 // evenly distributed up to most
	most  uint64
	pool  []byte
	dead  bool // the source is at its end, which has been said
}

func (d *dice) byte() byte {
	if d.from != nil {
		c, ok := d.from.Byte()
		if !ok && !d.dead {
			d.dead = true
			if d.from.Err != nil {
				d.p.Errno(d.from.Err, cmdkit.QuoteAF(d.name), ": read error")
			} else {
				d.p.Warn(cmdkit.QuoteAF(d.name), ": end of file")
			}
		}
		return c
	}
	if len(d.pool) == 0 {
		d.pool = make([]byte, 1024)
		wsys.Random(d.pool)
	}
	c := d.pool[0]
	d.pool = d.pool[1:]
	return c
}

// below returns a number from 0 to n-1; n is at least 1.
func (d *dice) below(n uint64) uint64 {
	last := n - 1
	for {
		for d.most < last {
			d.value = d.value<<8 + uint64(d.byte())
			d.most = d.most<<8 + 255
		}
		if d.most == last {
			v := d.value
			d.value, d.most = 0, 0
			return v
		}
		spare := d.most - last
		uneven := spare % n // values at the top that would favour some
		v := d.value
		if v <= d.most-uneven {
			d.value, d.most = v/n, spare/n
			return v % n
		}
		d.value, d.most = v%n, uneven-1
	}
}

// Shuf is shuf(1).
func Shuf(p *cmdkit.Proc) int {
	echo, ranged, repeat, delim := false, false, false, byte('\n')
	var lo, hi uint64
	count, limited := ^uint64(0), false
	output, hasOutput := "", false
	d := &dice{p: p}
	g := p.Options(&shufSyntax)
	for g.Next() {
		switch g.Opt {
		case 'e':
			echo = true
		case 'i':
			if ranged {
				return p.Warn("multiple -i options specified")
			}
			ranged = true
			i := 0
			for i < len(g.Arg) && g.Arg[i] != '-' {
				i++
			}
			ok := i < len(g.Arg)
			if ok {
				var e1, e2 cmdkit.NumError
				lo, e1 = cmdkit.ParseUint(g.Arg[:i], "")
				hi, e2 = cmdkit.ParseUint(g.Arg[i+1:], "")
				ok = e1 == cmdkit.NumOK && e2 == cmdkit.NumOK && (lo <= hi) != (hi-lo+1 == 0) && (lo <= hi || lo == hi+1)
			}
			if !ok {
				return p.Warn("invalid input range: ", cmdkit.Quote(g.Arg))
			}
		case 'n':
			v, e := cmdkit.ParseUint(g.Arg, "")
			if e != cmdkit.NumOK && e != cmdkit.NumOverflow {
				return p.Warn("invalid line count: ", cmdkit.Quote(g.Arg))
			}
			count, limited = min(count, v), true
		case 'o':
			if hasOutput && output != g.Arg {
				return p.Warn("multiple output files specified")
			}
			output, hasOutput = g.Arg, true
		case 'r':
			repeat = true
		case 'z':
			delim = 0
		case optRandomSource:
			if d.name != "" && d.name != g.Arg {
				return p.Warn("multiple random sources specified")
			}
			d.name = g.Arg
		}
	}
	if g.Stop {
		return g.Status
	}
	if echo && ranged {
		return p.UsageError(1, "cannot combine -e and -i options")
	}
	if ranged && len(g.Operands) > 0 {
		return p.ExtraOperand(1, g.Operands[0])
	}
	if !echo && len(g.Operands) > 1 {
		return p.ExtraOperand(1, g.Operands[1])
	}
	if d.name != "" {
		fd, err := wsys.Open(wsys.AtCwd, d.name, abi.ORdonly|abi.OCloexec, 0)
		if err != nil {
			return p.FileErrno(err, d.name)
		}
		d.from = cmdkit.NewReader(fd)
	}
	s := shuffler{p: p, d: d, w: p.Stdout, delim: delim, count: count}
	name := "-"
	switch {
	case echo:
		for _, a := range g.Operands {
			s.lines = append(s.lines, []byte(a))
		}
	case ranged:
		s.numbers, s.lo, s.n = true, lo, hi-lo+1
	default:
		if len(g.Operands) == 1 {
			name = g.Operands[0]
		}
		fd, err := p.Open(name)
		if err != nil {
			return p.FileErrno(err, name)
		}
		r := p.InputReader(fd)
		if limited && !repeat && !small(fd) {
			s.sample(r)
		} else {
			s.read(r)
		}
		if r.Err != nil {
			return p.Errno(r.Err, "read error")
		}
		p.CloseInput(fd)
	}
	if !s.numbers {
		s.n = uint64(len(s.lines))
	}
	if hasOutput {
		fd, err := wsys.Open(wsys.AtCwd, output, abi.OWronly|abi.OCreat|abi.OTrunc|abi.OCloexec, 0o666)
		if err != nil {
			return p.FileErrno(err, output)
		}
		s.w = cmdkit.NewWriter(fd)
	}
	switch {
	case repeat && s.n == 0 && count > 0:
		return p.Warn("no lines to repeat")
	case repeat:
		for i := uint64(0); i < count && s.w.Err == nil && !d.dead; i++ {
			s.put(d.below(s.n))
		}
	default:
		s.permute()
	}
	if d.dead {
		return 1
	}
	if hasOutput {
		if err := s.w.Flush(); err != nil {
			return p.FileErrno(err, output)
		}
	}
	return 0
}

// small reports whether the input is a file that may well be read whole.
func small(fd wsys.FD) bool {
	st, err := wsys.Fstat(fd)
	return err == nil && st.Mode.IsRegular() && st.Size <= 8<<20
}

// shuffler has what is to be shuffled: lines, or numbers from lo on.
type shuffler struct {
	p       *cmdkit.Proc
	d       *dice
	w       *cmdkit.Writer
	delim   byte
	count   uint64
	lines   [][]byte
	numbers bool
	lo, n   uint64
}

func (s *shuffler) line(r *cmdkit.Reader) ([]byte, bool) {
	l, ok := r.Line(s.delim)
	if !ok {
		return nil, false
	}
	if l[len(l)-1] == s.delim {
		l = l[:len(l)-1]
	}
	return l, true
}

// read takes all lines.
func (s *shuffler) read(r *cmdkit.Reader) {
	var block []byte // lines stand one behind the other in few allocations
	for {
		l, ok := s.line(r)
		if !ok {
			return
		}
		if len(l) > cap(block)-len(block) {
			block = make([]byte, 0, max(64<<10, len(l)))
		}
		from := len(block)
		block = append(block, l...)
		s.lines = append(s.lines, block[from:len(block):len(block)])
	}
}

// sample takes count lines at random: each further line replaces one of them, or
// none, so that no more are ever held.
func (s *shuffler) sample(r *cmdkit.Reader) {
	for uint64(len(s.lines)) < s.count {
		l, ok := s.line(r)
		if !ok {
			return
		}
		s.lines = append(s.lines, append([]byte(nil), l...))
	}
	if s.count == 0 {
		return
	}
	for n := s.count; !s.d.dead; n++ {
		at := s.d.below(n + 1)
		l, ok := s.line(r)
		if !ok {
			return
		}
		if at < s.count {
			s.lines[at] = append(s.lines[at][:0], l...)
		}
	}
}

func (s *shuffler) put(i uint64) {
	if s.numbers {
		s.w.Write(strconv.AppendUint(s.w.Available(), s.lo+i, 10))
	} else {
		s.w.Write(s.lines[i])
	}
	s.w.WriteByte(s.delim)
}

// permute writes the first count of a random permutation. Where they are few of
// many only those that have been exchanged are remembered.
func (s *shuffler) permute() {
	count := min(s.count, s.n)
	at := func(i uint64) uint64 { return i }
	set := func(uint64, uint64) {}
	if s.n < 1<<16 || count > s.n/32 {
		if s.n > 1<<31 {
			s.p.Warn("memory exhausted")
			s.d.dead = true
			return
		}
		all := make([]uint32, s.n)
		for i := range all {
			all[i] = uint32(i)
		}
		at = func(i uint64) uint64 { return uint64(all[i]) }
		set = func(i, v uint64) { all[i] = uint32(v) }
	} else {
		moved := map[uint64]uint64{}
		at = func(i uint64) uint64 {
			if v, ok := moved[i]; ok {
				return v
			}
			return i
		}
		set = func(i, v uint64) { moved[i] = v }
	}
	// All is chosen before anything is written, which may go to the input.
	chosen := make([]uint64, 0, min(count, 1<<20))
	for i := uint64(0); i < count; i++ {
		k := i + s.d.below(s.n-i)
		v := at(k)
		set(k, at(i))
		chosen = append(chosen, v)
	}
	for _, v := range chosen {
		if s.w.Err != nil || s.d.dead {
			return
		}
		s.put(v)
	}
}
