// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sorting

import (
	"bytes"
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var uniqSyntax = cmdkit.Syntax{
	Short: "cdDf:is:uw:z",
	Long: []cmdkit.Long{
		{Name: "count", Val: 'c'}, {Name: "repeated", Val: 'd'}, {Name: "all-repeated", Arg: cmdkit.OptionalArg, Val: 'D'},
		{Name: "skip-fields", Arg: cmdkit.RequiredArg, Val: 'f'}, {Name: "group", Arg: cmdkit.OptionalArg, Val: 256},
		{Name: "ignore-case", Val: 'i'}, {Name: "skip-chars", Arg: cmdkit.RequiredArg, Val: 's'}, {Name: "unique", Val: 'u'},
		{Name: "check-chars", Arg: cmdkit.RequiredArg, Val: 'w'}, {Name: "zero-terminated", Val: 'z'},
	},
	Usage: []string{"[OPTION]... [INPUT [OUTPUT]]"},
	Help: "Filter adjacent matching lines from INPUT (or standard input), writing to OUTPUT\n(or standard output).\n\n" +
		"  -c, --count           prefix lines by the number of occurrences\n  -d, --repeated        only print duplicate lines, one for each group\n  -D, --all-repeated[=METHOD]  print all duplicate lines; METHOD: none, prepend,\n                        separate\n" +
		"  -f, --skip-fields=N   avoid comparing the first N fields\n      --group[=METHOD]  show all items, groups separated by an empty line; METHOD:\n                        separate, prepend, append, both\n" +
		"  -i, --ignore-case     ignore differences in case\n  -s, --skip-chars=N    avoid comparing the first N characters\n  -u, --unique          only print unique lines\n" +
		"  -w, --check-chars=N   compare no more than N characters\n  -z, --zero-terminated line delimiter is NUL\n",
}

type uniq struct {
	count, fold               bool
	first, repeated, unrepeat bool // which lines are printed
	all                       bool
	method                    int // of -D or --group: 0 none, 1 prepend, 2 separate, 3 append, 4 both
	group                     bool
	fields, chars, width      uint64
	hasWidth                  bool
	delim                     byte
}

// Uniq is uniq(1).
func Uniq(p *cmdkit.Proc) int {
	u := uniq{delim: '\n'}
	only, dup := false, false
	num := func(what string, to *uint64, arg string) bool {
		v, e := cmdkit.ParseUint(arg, "")
		if e == cmdkit.NumOverflow {
			v, e = 1<<62, cmdkit.NumOK
		}
		if e != cmdkit.NumOK {
			p.Warn(arg, ": ", what)
			return false
		}
		*to = min(v, 1<<62)
		return true
	}
	g := p.Options(&uniqSyntax)
	for g.Next() {
		ok := true
		switch g.Opt {
		case 'c':
			u.count = true
		case 'd':
			dup = true
		case 'D':
			u.all, dup = true, true
			if g.HasArg {
				u.method, ok = p.Choice("--all-repeated", g.Arg, []string{"none", "prepend", "separate"}, []int{0, 1, 2})
			}
		case 'f':
			ok = num("invalid number of fields to skip", &u.fields, g.Arg)
		case 256:
			u.group, u.method = true, 2
			if g.HasArg {
				u.method, ok = p.Choice("--group", g.Arg, []string{"prepend", "append", "separate", "both"}, []int{1, 3, 2, 4})
			}
		case 'i':
			u.fold = true
		case 's':
			ok = num("invalid number of bytes to skip", &u.chars, g.Arg)
		case 'u':
			only = true
		case 'w':
			u.hasWidth = true
			ok = num("invalid number of bytes to compare", &u.width, g.Arg)
		case 'z':
			u.delim = 0
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
	case u.group && (u.count || dup || only):
		return p.UsageError(1, "--group is mutually exclusive with -c/-d/-D/-u")
	case u.all && u.count:
		return p.UsageError(1, "printing all duplicated lines and repeat counts is meaningless")
	}
	u.unrepeat, u.first, u.repeated = !dup, !only, !only
	if dup && only {
		u.unrepeat, u.first, u.repeated = false, false, false
	}
	if len(ops) == 0 {
		ops = []string{"-"}
	}
	out := p.Stdout
	fd, err := p.Open(ops[0])
	if err != nil {
		return p.Errno(err, ops[0])
	}
	if len(ops) == 2 && ops[1] != "-" {
		o, err := wsys.Open(wsys.AtCwd, ops[1], abi.OWronly|abi.OCreat|abi.OTrunc|abi.OCloexec, 0o666)
		if err != nil {
			return p.Errno(err, ops[1])
		}
		out = cmdkit.NewWriter(o)
	}
	r := p.InputReader(fd)
	if u.all || u.group || out.Interactive() {
		u.run(out, r)
	} else {
		u.runBlocks(out, r)
	}
	if r.Err != nil {
		return p.Errno(r.Err, "error reading ", cmdkit.Quote(ops[0]))
	}
	if out != p.Stdout {
		out.Flush()
		if out.Err != nil {
			return p.Errno(out.Err, "write error")
		}
	}
	return 0
}

// part returns what of a line is compared.
func (u *uniq) part(l []byte) []byte {
	i := 0
	for n := u.fields; n > 0 && i < len(l); n-- {
		for i < len(l) && blank(l[i]) {
			i++
		}
		for i < len(l) && !blank(l[i]) {
			i++
		}
	}
	l = l[i:]
	l = l[min(u.chars, uint64(len(l))):]
	if u.hasWidth {
		l = l[:min(u.width, uint64(len(l)))]
	}
	return l
}

func (u *uniq) equal(a, b []byte) bool {
	a, b = u.part(a), u.part(b)
	if !u.fold {
		return bytes.Equal(a, b)
	}
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if upper(a[i]) != upper(b[i]) {
			return false
		}
	}
	return true
}

func (u *uniq) run(w *cmdkit.Writer, r *cmdkit.Reader) {
	var prev []byte
	n := 0      // lines in the current group
	groups := 0 // groups printed
	blankLine := func() { w.WriteByte(u.delim) }
	begin := func() {
		if u.method == 1 || u.method == 4 && groups == 0 || (u.method == 2 || u.method == 3 || u.method == 4) && groups > 0 {
			if !(u.method == 3) {
				blankLine()
			}
		}
		groups++
	}
	put := func(l []byte) {
		w.Write(l)
		w.WriteByte(u.delim)
	}
	end := func() {
		switch {
		case n == 0 || u.all || u.group:
			if n > 0 && u.group && u.method == 3 {
				blankLine()
			}
			return
		case n == 1 && !u.unrepeat, n > 1 && !u.repeated:
			return
		}
		if u.count {
			s := strconv.Itoa(n)
			w.Pad(7 - len(s))
			w.WriteString(s)
			w.WriteByte(' ')
		}
		put(prev)
	}
	for w.Err == nil {
		l, ok := r.Line(u.delim)
		if !ok {
			break
		}
		if l[len(l)-1] == u.delim {
			l = l[:len(l)-1]
		}
		if n > 0 && u.equal(prev, l) {
			n++
			switch {
			case u.group:
				put(l)
			case u.all && u.first:
				if n == 2 {
					begin()
					put(prev)
				}
				put(l)
			}
			continue
		}
		end()
		n = 1
		prev = append(prev[:0], l...)
		if u.group {
			begin()
			put(l)
		}
	}
	end()
	if u.group && u.method == 4 && groups > 0 {
		blankLine()
	}
}

// runBlocks is run for output of one line for each group: lines are looked at
// where they lie in the input and copied by the host.
func (u *uniq) runBlocks(w *cmdkit.Writer, r *cmdkit.Reader) {
	const ahead, flush = 1024, 32 << 10
	var (
		at     = make([]uint32, ahead)
		pieces []uint32
		alt    []byte // the line from the block before with its end, then numbers
		total  int
		prev   []byte     // the first line of the group, without its end
		from   uint32     // where it is, as a piece
		n      int        // lines in the group
		known  [10]uint32 // where small numbers are in alt
	)
	plain := u.fields == 0 && u.chars == 0 && !u.hasWidth && !u.fold
	emit := func() {
		if n == 0 || n == 1 && !u.unrepeat || n > 1 && !u.repeated {
			return
		}
		if u.count && n < len(known) && known[n] != 0 {
			pieces = append(pieces, known[n], 8)
			total += 8
		} else if u.count {
			k := len(alt)
			if n < len(known) {
				known[n] = abi.GatherAlt | uint32(k)
			}
			alt = strconv.AppendInt(alt, int64(n), 10)
			if pad := 7 - (len(alt) - k); pad > 0 {
				alt = append(alt[:k], "       "[:pad]...)
				alt = strconv.AppendInt(alt, int64(n), 10)
			}
			alt = append(alt, ' ')
			pieces = append(pieces, abi.GatherAlt|uint32(k), uint32(len(alt)-k))
			total += len(alt) - k
		}
		size := len(prev) + 1
		if k := len(pieces) - 2; k >= 0 && pieces[k]+pieces[k+1] == from {
			pieces[k+1] += uint32(size)
		} else {
			pieces = append(pieces, from, uint32(size))
		}
		total += size
	}
	for w.Err == nil {
		b := r.Block(u.delim)
		if len(b) == 0 {
			break
		}
		if b[len(b)-1] != u.delim {
			b = append(b[:len(b):len(b)], u.delim) // the last line
		}
		for begin := 0; begin < len(b); {
			base := begin
			k := wsys.Positions(b[base:], u.delim, u.delim, at)
			for _, end := range at[:k] {
				end := base + int(end)
				line := b[begin:end]
				same := false
				switch {
				case n == 0:
				case plain:
					same = len(prev) == len(line) && (len(line) == 0 || prev[0] == line[0] && bytes.Equal(prev, line))
				default:
					same = u.equal(prev, line)
				}
				if same {
					n++
				} else {
					emit()
					prev, from, n = line, uint32(begin), 1
				}
				begin = end + 1
			}
			if total >= flush {
				w.Gather(b, alt, pieces, total)
				// The line before this block stays.
				keep := 0
				if from&abi.GatherAlt != 0 {
					keep = len(prev) + 1
				}
				pieces, alt, total = pieces[:0], alt[:keep], 0
				known = [10]uint32{}
			}
		}
		w.Gather(b, alt, pieces, total)
		alt = append(append(alt[:0], prev...), u.delim)
		known = [10]uint32{}
		pieces, total = pieces[:0], 0
		prev, from = alt[:len(alt)-1:len(alt)-1], abi.GatherAlt
	}
	emit()
	w.Gather(nil, alt, pieces, total)
}
