// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sorting

import (
	"bytes"
	"strconv"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
)

const (
	optCheckOrder = 256 + iota
	optNoCheckOrder
	optHeader
)

var joinSyntax = cmdkit.Syntax{
	Short: "a:e:i1:2:j:o:t:v:z",
	Long: []cmdkit.Long{
		{Name: "ignore-case", Val: 'i'}, {Name: "check-order", Val: optCheckOrder}, {Name: "nocheck-order", Val: optNoCheckOrder},
		{Name: "zero-terminated", Val: 'z'}, {Name: "header", Val: optHeader},
	},
	Usage: []string{"[OPTION]... FILE1 FILE2"},
	Help: "For each pair of input lines with identical join fields, write a line to standard\noutput. The default join field is the first, delimited by blanks.\n\n" +
		"  -a FILENUM             also print unpairable lines from file FILENUM\n  -e STRING              replace missing (empty) input fields with STRING\n  -i, --ignore-case      ignore differences in case when comparing fields\n" +
		"  -j FIELD               equivalent to '-1 FIELD -2 FIELD'\n  -o FORMAT              obey FORMAT while constructing output line\n  -t CHAR                use CHAR as input and output field separator\n" +
		"  -v FILENUM             like -a FILENUM, but suppress joined output lines\n  -1 FIELD               join on this FIELD of file 1\n  -2 FIELD               join on this FIELD of file 2\n" +
		"      --check-order      check that the input is correctly sorted\n      --nocheck-order    do not check that the input is correctly sorted\n      --header           treat the first line in each file as field headers\n  -z, --zero-terminated  line delimiter is NUL\n",
}

// record is a line of join, split.
type record struct {
	line   []byte
	fields []bounds
	all    bool // else only those up to the join field
}

// bounds are offsets in a line.
type bounds struct{ begin, end int32 }

// outField is one entry of -o: file 0 is the join field.
type outField struct{ file, field int }

type join struct {
	p        *cmdkit.Proc
	fold     bool
	tab      int // -1: blanks; -2: the whole line
	delim    byte
	on       [2]int // join fields, from 0
	unpaired [2]bool
	paired   bool
	empty    string
	format   []outField
	auto     bool
	autoN    [2]int
	order    int // 0: where unpaired lines show it, 1: always, 2: never
	header   bool

	in     [2]*cmdkit.Reader
	names  [2]string
	lines  [2]int
	warned [2]bool
	last   [2][]byte // the join field of the line before
	hasOne [2]bool   // there is one
	seen   bool      // an unpairable line
	status int
	fatal  bool

	free []*record // to be used again
	out  []byte    // lines that are not written yet
}

// Join is join(1).
func Join(p *cmdkit.Proc) int {
	j := join{p: p, tab: -1, delim: '\n', on: [2]int{-1, -1}, paired: true}
	field := func(arg string, to *int) bool {
		v, e := cmdkit.ParseUint(arg, "")
		if e == cmdkit.NumOverflow {
			v = 1 << 40
		} else if e != cmdkit.NumOK || v == 0 {
			p.Warn("invalid field number: ", cmdkit.Quote(arg))
			return false
		}
		*to = int(min(v, 1<<40)) - 1
		return true
	}
	g := p.Options(&joinSyntax)
	for g.Next() {
		ok := true
		switch g.Opt {
		case 'a', 'v':
			switch g.Arg {
			case "1", "2":
				j.unpaired[g.Arg[0]-'1'] = true
			default:
				p.Warn("invalid field number: ", cmdkit.Quote(g.Arg))
				return 1
			}
			if g.Opt == 'v' {
				j.paired = false
			}
		case 'e':
			j.empty = g.Arg
		case 'i':
			j.fold = true
		case 'j':
			ok = field(g.Arg, &j.on[0])
			j.on[1] = j.on[0]
		case '1':
			ok = field(g.Arg, &j.on[0])
		case '2':
			ok = field(g.Arg, &j.on[1])
		case 'o':
			if g.Arg == "auto" {
				j.auto = true
			} else {
				ok = j.parseFormat(g.Arg)
			}
		case 't':
			switch {
			case g.Arg == "":
				j.tab = -2
			case g.Arg == "\\0":
				j.tab = 0
			case len(g.Arg) > 1:
				p.Warn("multi-character tab ", cmdkit.Quote(g.Arg))
				return 1
			default:
				j.tab = int(g.Arg[0])
			}
		case 'z':
			j.delim = 0
		case optCheckOrder:
			j.order = 1
		case optNoCheckOrder:
			j.order = 2
		case optHeader:
			j.header = true
		}
		if !ok {
			return 1
		}
	}
	if g.Stop {
		return g.Status
	}
	switch len(g.Operands) {
	case 0:
		return p.MissingOperand(1)
	case 1:
		return p.MissingOperand(1, g.Operands[0])
	case 2:
	default:
		return p.ExtraOperand(1, g.Operands[2])
	}
	for i := range 2 {
		j.on[i] = max(j.on[i], 0)
		j.names[i] = g.Operands[i]
		fd, err := p.Open(j.names[i])
		if err != nil {
			return p.Errno(err, j.names[i])
		}
		if fd == p.Stdin.FD {
			j.in[i] = p.Stdin
		} else {
			j.in[i] = cmdkit.NewReader(fd)
		}
	}
	if j.in[0] == p.Stdin && j.in[1] == p.Stdin {
		p.Warn("both files cannot be standard input")
		return 1
	}
	j.run()
	j.flush()
	if j.warned[0] || j.warned[1] {
		if !j.fatal {
			p.Warn("input is not in sorted order")
		}
		return 1
	}
	return j.status
}

func (j *join) parseFormat(s string) bool {
	for i := 0; i < len(s); {
		k := i
		for k < len(s) && s[k] != ',' && !blank(s[k]) {
			k++
		}
		w := s[i:k]
		i = k + 1
		switch {
		case w == "":
			continue
		case w == "0":
			j.format = append(j.format, outField{})
			continue
		case len(w) > 2 && (w[0] == '1' || w[0] == '2') && w[1] == '.':
			if n, err := strconv.Atoi(w[2:]); err == nil && n > 0 {
				j.format = append(j.format, outField{int(w[0] - '0'), n - 1})
				continue
			}
			j.p.Warn("invalid field number: ", cmdkit.Quote(w[2:]))
			return false
		}
		j.p.Warn("invalid file number in field spec: ", cmdkit.Quote(w))
		return false
	}
	return true
}

func (j *join) next(i int) *record {
	l, ok := j.in[i].Line(j.delim)
	if !ok {
		if j.in[i].Err != nil {
			j.flush()
			j.p.Errno(j.in[i].Err, j.names[i])
			j.status = 1
		}
		return nil
	}
	if l[len(l)-1] == j.delim {
		l = l[:len(l)-1]
	}
	if len(l) > maxRecord {
		j.flush()
		j.p.Warn(j.names[i], ": line too long")
		j.status = 1
		return nil
	}
	var r *record
	if n := len(j.free); n > 0 {
		r, j.free = j.free[n-1], j.free[:n-1]
	} else {
		r = new(record)
	}
	r.line = append(r.line[:0], l...)
	r.split(j.tab, j.on[i])
	j.lines[i]++
	key := r.get(j.on[i])
	if j.hasOne[i] && j.order != 2 && !j.warned[i] && !j.fatal && (j.order == 1 || j.seen) && !(j.header && j.lines[i] == 2) {
		if j.compare(j.last[i], key) > 0 {
			j.warned[i] = true
			j.flush()
			j.p.Warn(j.names[i], ":", strconv.Itoa(j.lines[i]), ": is not sorted: ", string(r.line))
			if j.order == 1 {
				j.fatal = true
				return nil
			}
		}
	}
	if j.order != 2 {
		j.last[i], j.hasOne[i] = append(j.last[i][:0], key...), true
	}
	return r
}

// maxRecord bounds a line, so that its offsets have 32 bits.
const maxRecord = 1<<31 - 1

// release gives back a record that is no longer used.
func (j *join) release(r *record) { j.free = append(j.free, r) }

// split finds the fields up to number last: tab is the separator, -1 blanks, -2
// none.
func (r *record) split(tab, last int) {
	b, f := r.line, r.fields[:0]
	r.all = true
	switch {
	case tab == -2:
		f = append(f, bounds{0, int32(len(b))})
	case tab >= 0:
		begin, sep := 0, byte(tab)
		for k := 0; ; k++ {
			if k == len(b) {
				f = append(f, bounds{int32(begin), int32(k)})
				break
			}
			if b[k] == sep {
				f = append(f, bounds{int32(begin), int32(k)})
				begin = k + 1
				if len(f) > last {
					r.all = false
					break
				}
			}
		}
	default:
		k := 0
		for k < len(b) && (b[k] == ' ' || b[k] == '\t' || b[k] == '\n') {
			k++
		}
		for len(b) > 0 {
			begin := k
			for k < len(b) && b[k] != ' ' && b[k] != '\t' && b[k] != '\n' {
				k++
			}
			f = append(f, bounds{int32(begin), int32(k)})
			if k == len(b) {
				break // a trailing blank has an empty field behind it
			}
			if len(f) > last {
				r.all = false
				break
			}
			for k < len(b) && (b[k] == ' ' || b[k] == '\t' || b[k] == '\n') {
				k++
			}
		}
	}
	r.fields = f
}

// at returns a field that is there.
func (r *record) at(i int) []byte { return r.line[r.fields[i].begin:r.fields[i].end] }

func (r *record) get(i int) []byte {
	if i < len(r.fields) {
		return r.at(i)
	}
	return nil
}

// flush hands over what is to be written.
func (j *join) flush() {
	if len(j.out) > 0 {
		j.p.Stdout.Write(j.out)
		j.out = j.out[:0]
	}
}

func (j *join) compare(a, b []byte) int {
	if !j.fold {
		return bytes.Compare(a, b)
	}
	for i := range min(len(a), len(b)) {
		if x, y := upper(a[i]), upper(b[i]); x != y {
			return sign(int(x) - int(y))
		}
	}
	return sign(len(a) - len(b))
}

func (j *join) run() {
	a, b := j.next(0), j.next(1)
	if j.auto {
		for i, r := range [2]*record{a, b} {
			if r != nil {
				r.split(j.tab, len(r.line)+1)
				j.autoN[i] = len(r.fields)
			}
		}
	}
	if j.header && (a != nil || b != nil) {
		x, y := a, b
		j.print(x, y)
		j.hasOne = [2]bool{}
		a, b = j.next(0), j.next(1)
	}
	var groupA, groupB []*record
	for a != nil && b != nil && j.p.Stdout.Err == nil && !j.fatal {
		c := j.compare(a.get(j.on[0]), b.get(j.on[1]))
		if c != 0 {
			if c < 0 {
				if j.unpaired[0] {
					j.print(a, nil)
				}
				j.release(a)
				a = j.next(0)
			} else {
				if j.unpaired[1] {
					j.print(nil, b)
				}
				j.release(b)
				b = j.next(1)
			}
			j.seen = true
			continue
		}
		for _, r := range groupA {
			j.release(r)
		}
		for _, r := range groupB {
			j.release(r)
		}
		key := a.get(j.on[0])
		groupA, groupB = groupA[:0], groupB[:0]
		for a != nil && j.compare(a.get(j.on[0]), key) == 0 {
			groupA = append(groupA, a)
			a = j.next(0)
		}
		for b != nil && j.compare(b.get(j.on[1]), key) == 0 {
			groupB = append(groupB, b)
			b = j.next(1)
		}
		if !j.paired || j.fatal {
			continue
		}
		for _, x := range groupA {
			for _, y := range groupB {
				j.print(x, y)
			}
		}
	}
	j.seen = j.seen || a != nil && b != nil
	for ; a != nil && !j.fatal && (j.unpaired[0] || j.order != 2); a = j.next(0) {
		if j.unpaired[0] {
			j.print(a, nil)
		}
	}
	for ; b != nil && !j.fatal && (j.unpaired[1] || j.order != 2); b = j.next(1) {
		if j.unpaired[1] {
			j.print(nil, b)
		}
	}
}

// batch is how much output is put together before it is written.
const batch = 32 << 10

// print adds one output line. Either side may be absent.
func (j *join) print(a, b *record) {
	sep := byte(' ')
	if j.tab >= 0 {
		sep = byte(j.tab)
	}
	start := len(j.out)
	for _, r := range [2]*record{a, b} {
		if r != nil && !r.all {
			r.split(j.tab, len(r.line)+1)
		}
	}
	put := func(f []byte) {
		if len(f) == 0 {
			j.out = append(j.out, j.empty...)
		} else {
			j.out = append(j.out, f...)
		}
		j.out = append(j.out, sep)
	}
	key := func() []byte {
		if a != nil {
			return a.get(j.on[0])
		}
		return b.get(j.on[1])
	}
	side := func(r *record, i int) []byte {
		if r == nil {
			return nil
		}
		return r.get(i)
	}
	switch {
	case len(j.format) > 0:
		for _, f := range j.format {
			switch f.file {
			case 0:
				put(key())
			case 1:
				put(side(a, f.field))
			default:
				put(side(b, f.field))
			}
		}
	case j.auto:
		put(key())
		for k, r := range [2]*record{a, b} {
			for i := range j.autoN[k] {
				if i != j.on[k] {
					put(side(r, i))
				}
			}
		}
	default:
		put(key())
		for k, r := range [2]*record{a, b} {
			if r != nil {
				j.rest(r, j.on[k], sep)
			}
		}
	}
	if len(j.out) > start {
		j.out[len(j.out)-1] = j.delim // in place of the last separator
	} else {
		j.out = append(j.out, j.delim)
	}
	if len(j.out) >= batch || j.p.Stdout.Interactive() {
		j.flush()
	}
}

// rest adds the fields of a record but one, each with the separator behind it.
func (j *join) rest(r *record, but int, sep byte) {
	for i := 0; i < len(r.fields); {
		if i == but {
			i++
			continue
		}
		// Fields that stand with just the separator between them are one text.
		k, f := i, r.fields[i]
		for f.end > f.begin && k+1 < len(r.fields) && k+1 != but {
			g := r.fields[k+1]
			if g.begin != r.fields[k].end+1 || g.end == g.begin || r.line[r.fields[k].end] != sep {
				break
			}
			k++
		}
		if f.end == f.begin {
			j.out = append(j.out, j.empty...)
		} else {
			j.out = append(j.out, r.line[f.begin:r.fields[k].end]...)
		}
		j.out = append(j.out, sep)
		i = k + 1
	}
}
