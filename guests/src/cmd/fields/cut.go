// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fields

import (
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
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
	return p.EachInput(g.Operands, func(name string, r *cmdkit.Reader) bool {
		for p.Stdout.Err == nil {
			line, ok := r.Line(c.line)
			if !ok {
				break
			}
			if line[len(line)-1] == c.line {
				line = line[:len(line)-1]
			}
			if c.fields {
				c.printFields(p.Stdout, line)
			} else {
				c.printBytes(p.Stdout, line)
			}
		}
		return true
	})
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
