// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fields

import (
	"bytes"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var cutSyntax = cmdkit.Syntax{
	Short: "b:c:d:f:nsz",
	Long: []cmdkit.Long{
		{Name: "bytes", Arg: cmdkit.RequiredArg, Val: 'b'}, {Name: "characters", Arg: cmdkit.RequiredArg, Val: 'c'},
		{Name: "fields", Arg: cmdkit.RequiredArg, Val: 'f'}, {Name: "delimiter", Arg: cmdkit.RequiredArg, Val: 'd'},
		{Name: "only-delimited", Val: 's'}, {Name: "output-delimiter", Arg: cmdkit.RequiredArg, Val: 256},
		{Name: "complement", Val: 257}, {Name: "zero-terminated", Val: 'z'},
	},
	Usage: []string{"OPTION... [FILE]..."},
	Help: "Print selected parts of lines from each FILE to standard output.\n\n" +
		"  -b, --bytes=LIST        select only these bytes\n  -c, --characters=LIST   select only these characters (as GNU: bytes)\n" +
		"  -d, --delimiter=DELIM   use DELIM instead of TAB for field delimiter\n  -f, --fields=LIST       select only these fields; also print lines without\n                          delimiter, unless -s is given\n" +
		"  -n                      ignored\n      --complement        complement the set of selected bytes or fields\n  -s, --only-delimited    do not print lines not containing delimiters\n" +
		"      --output-delimiter=STRING  use STRING as the output delimiter\n  -z, --zero-terminated   line delimiter is NUL\n\n" +
		"LIST is made up of ranges N, N-, N-M and -M, separated by commas.\n",
}

// cut is a run of cut(1).
type cut struct {
	spans  []span
	delim  byte
	line   byte
	only   bool
	out    string
	hasOut bool
	fields bool

	alt    []byte   // out and the end of a line
	at     []uint32 // where delimiters are
	pieces []uint32 // of output
}

// Cut is cut(1).
func Cut(p *cmdkit.Proc) int {
	c := cut{delim: '\t', line: '\n'}
	list, kind, hasDelim, complement := "", rune(0), false, false
	g := p.Options(&cutSyntax)
	for g.Next() {
		switch g.Opt {
		case 'b', 'c', 'f':
			if kind != 0 {
				return p.UsageError(1, "only one list may be specified")
			}
			kind, list = g.Opt, g.Arg
		case 'd':
			if len(g.Arg) > 1 {
				return p.UsageError(1, "the delimiter must be a single character")
			}
			hasDelim = true
			c.delim = 0
			if g.Arg != "" {
				c.delim = g.Arg[0]
			}
		case 's':
			c.only = true
		case 'z':
			c.line = 0
		case 256:
			c.out, c.hasOut = g.Arg, true
			if c.out == "" {
				c.out = "\x00"
			}
		case 257:
			complement = true
		}
	}
	if g.Stop {
		return g.Status
	}
	switch {
	case kind == 0:
		return p.UsageError(1, "you must specify a list of bytes, characters, or fields")
	case kind != 'f' && hasDelim:
		return p.UsageError(1, "an input delimiter may be specified only when operating on fields")
	case kind != 'f' && c.only:
		return p.UsageError(1, "suppressing non-delimited lines makes sense\n\tonly when operating on fields")
	}
	c.fields = kind == 'f'
	what := "byte/character position"
	if c.fields {
		what = "field"
	}
	spans, ok := parseSpans(p, list, what, complement)
	if !ok {
		return 1
	}
	c.spans = spans
	if !c.hasOut && c.fields {
		c.out = string([]byte{c.delim})
	}
	c.alt = append([]byte(c.out), c.line)
	return p.EachInput(g.Operands, func(name string, r *cmdkit.Reader) bool {
		for p.Stdout.Err == nil {
			b := r.Block(c.line)
			if len(b) == 0 {
				break
			}
			c.block(p.Stdout, b)
		}
		return true
	})
}

// cutAhead is how many delimiters are looked for at a time.
const cutAhead = 16 << 10

// cutFlush is how many bytes of output are put together at least.
const cutFlush = 32 << 10

// block prints what is selected of the lines in b.
func (c *cut) block(w *cmdkit.Writer, b []byte) {
	for len(b) > 0 && w.Err == nil {
		n := 0
		if (!c.fields || c.delim != c.line) && len(b) > wsys.Worth {
			if c.at == nil {
				c.at = make([]uint32, cutAhead)
			}
			if k := c.first(); c.fields && k > 0 {
				n = wsys.Split(b, c.delim, c.line, k, c.at)
				n = c.printFirst(w, b, c.at[:n], k)
			} else if c.fields {
				n = wsys.Positions(b, c.delim, c.line, c.at)
				n = c.printLines(w, b, c.at[:n])
			} else {
				n = wsys.Positions(b, c.line, c.line, c.at)
				n = c.printRanges(w, b, c.at[:n])
			}
		}
		if n > 0 {
			b = b[n:]
			continue
		}
		// Line by line: few bytes, many fields, or the rest without an end.
		line, rest := b, []byte(nil)
		if k := bytes.IndexByte(b, c.line); k >= 0 {
			line, rest = b[:k], b[k+1:]
		}
		if c.fields {
			c.printFields(w, line)
		} else {
			c.printBytes(w, line)
		}
		b = rest
	}
}

// first returns how many delimiters of a line must be known to print its fields
// as they stand in the text, or 0 where all must be.
func (c *cut) first() int {
	last := c.spans[len(c.spans)-1]
	k := last.hi
	if k == endless {
		k = last.lo - 1
	}
	if k == 0 {
		k = 1 // to tell the lines without delimiter
	}
	if k > 64 || len(c.out) != 1 || c.out[0] != c.delim {
		return 0
	}
	return int(k)
}

// printFirst prints the selected fields of the lines of b whose first k
// delimiters and ends are at the offsets at, and returns how many bytes those
// lines are.
func (c *cut) printFirst(w *cmdkit.Writer, b []byte, at []uint32, k int) int {
	pieces := c.pieces[:0]
	total, begin := uint32(0), uint32(0)
	for ; len(at) > k; at = at[k+1:] {
		end := at[k]
		first := len(pieces)
		if at[0] == end { // no delimiter
			if !c.only {
				pieces = append(pieces, begin, end-begin+1)
				total += end - begin + 1
			}
			begin = end + 1
			continue
		}
		to := begin
		for _, s := range c.spans {
			from := begin
			if s.lo > 1 {
				if from = at[s.lo-2]; from == end {
					break
				}
				from++
			}
			to = end
			if s.hi <= uint64(k) {
				to = at[s.hi-1]
			}
			// The delimiter behind the field comes along, and is wrong for the
			// last one only.
			pieces = append(pieces, from, to-from+1)
			total += to - from + 1
		}
		switch n := len(pieces); {
		case n == first:
			pieces = append(pieces, end, 1)
			total++
		case to < end:
			pieces[n-1]--
			pieces = append(pieces, abi.GatherAlt|1, 1)
		}
		begin = end + 1
		if total > cutFlush {
			w.Gather(b, c.alt, pieces, int(total))
			pieces, total = pieces[:0], 0
		}
	}
	w.Gather(b, c.alt, pieces, int(total))
	c.pieces = pieces[:0]
	return int(begin)
}

// printRanges prints the selected bytes of the lines of b that end at the
// offsets at, and returns how many bytes those lines are.
func (c *cut) printRanges(w *cmdkit.Writer, b []byte, at []uint32) int {
	pieces := c.pieces[:0]
	total, begin := uint32(0), uint32(0)
	out := uint32(len(c.out))
	for _, end := range at {
		size := uint64(end - begin)
		for i, s := range c.spans {
			if s.lo > size {
				break
			}
			if i > 0 && out > 0 {
				pieces = append(pieces, abi.GatherAlt, out)
				total += out
			}
			n := uint32(min(s.hi, size) - s.lo + 1)
			pieces = append(pieces, begin+uint32(s.lo-1), n)
			total += n
		}
		begin = end + 1
		pieces = append(pieces, abi.GatherAlt|out, 1)
		total++
		if total > cutFlush {
			w.Gather(b, c.alt, pieces, int(total))
			pieces, total = pieces[:0], 0
		}
	}
	w.Gather(b, c.alt, pieces, int(total))
	c.pieces = pieces[:0]
	return int(begin)
}

// printLines prints the selected fields of the lines of b whose delimiters are
// all at the offsets at, and returns how many bytes those lines are.
func (c *cut) printLines(w *cmdkit.Writer, b []byte, at []uint32) int {
	pieces := c.pieces[:0]
	total, begin := uint32(0), uint32(0)
	out := uint32(len(c.out))
	keep := len(c.out) == 1 && c.out[0] == c.delim
	for {
		// The fields of a line end at at[:n].
		n := 0
		for n < len(at) && b[at[n]] != c.line {
			n++
		}
		if n == len(at) {
			break
		}
		ends := at[:n+1]
		at = at[n+1:]
		first := len(pieces)
		if n == 0 { // no delimiter
			if c.only {
				begin = ends[0] + 1
				continue
			}
			pieces = append(pieces, begin, ends[0]-begin)
			total += ends[0] - begin
		} else {
			for _, s := range c.spans {
				if s.lo > uint64(len(ends)) {
					break
				}
				lo, hi := int(s.lo), int(min(s.hi, uint64(len(ends))))
				for lo <= hi {
					from, to := begin, ends[lo-1]
					if lo > 1 {
						from = ends[lo-2] + 1
					}
					if keep { // the delimiters in between are right already
						to = ends[hi-1]
						lo = hi
					}
					lo++
					if len(pieces) > first {
						if keep {
							pieces[len(pieces)-1]++
						} else {
							pieces = append(pieces, abi.GatherAlt, out)
						}
						total += out
					}
					pieces = append(pieces, from, to-from)
					total += to - from
				}
			}
		}
		begin = ends[n] + 1
		pieces = append(pieces, abi.GatherAlt|out, 1)
		total++
		if total > cutFlush {
			w.Gather(b, c.alt, pieces, int(total))
			pieces, total = pieces[:0], 0
		}
	}
	w.Gather(b, c.alt, pieces, int(total))
	c.pieces = pieces[:0]
	return int(begin)
}

func (c *cut) printBytes(w *cmdkit.Writer, line []byte) {
	for i, s := range c.spans {
		if s.lo > uint64(len(line)) {
			break
		}
		if i > 0 && c.hasOut {
			w.WriteString(c.out)
		}
		w.Write(line[s.lo-1 : min(s.hi, uint64(len(line)))])
	}
	w.WriteByte(c.line)
}

func (c *cut) printFields(w *cmdkit.Writer, line []byte) {
	d := c.delim
	i := 0
	for i < len(line) && line[i] != d {
		i++
	}
	if i == len(line) { // no delimiter
		if !c.only {
			w.Write(line)
			w.WriteByte(c.line)
		}
		return
	}
	k := 0 // current span
	field, begin := uint64(1), 0
	any := false
	for k < len(c.spans) {
		for i < len(line) && line[i] != d {
			i++
		}
		for k < len(c.spans) && field > c.spans[k].hi {
			k++
		}
		if k < len(c.spans) && field >= c.spans[k].lo {
			if c.spans[k].hi == endless && c.out == string([]byte{d}) {
				i = len(line) // the rest as it stands
			}
			if any {
				w.WriteString(c.out)
			}
			w.Write(line[begin:i])
			any = true
		}
		if i >= len(line) {
			break
		}
		i++
		field, begin = field+1, i
	}
	w.WriteByte(c.line)
}
