// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sorting

import (
	"bytes"
	"strconv"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
)

var commSyntax = cmdkit.Syntax{
	Short: "123z",
	Long: []cmdkit.Long{
		{Name: "check-order", Val: 256}, {Name: "nocheck-order", Val: 257}, {Name: "output-delimiter", Arg: cmdkit.RequiredArg, Val: 258},
		{Name: "total", Val: 259}, {Name: "zero-terminated", Val: 'z'},
	},
	Usage: []string{"[OPTION]... FILE1 FILE2"},
	Help: "Compare sorted files FILE1 and FILE2 line by line.\n\n" +
		"  -1                      suppress column 1 (lines unique to FILE1)\n  -2                      suppress column 2 (lines unique to FILE2)\n  -3                      suppress column 3 (lines that appear in both files)\n" +
		"      --check-order       check that the input is correctly sorted\n      --nocheck-order     do not check\n      --output-delimiter=STR  separate columns with STR\n      --total             output a summary\n  -z, --zero-terminated   line delimiter is NUL\n",
}

// commInput is one side.
type commInput struct {
	r          *cmdkit.Reader
	name       string
	line, prev []byte
	ok         bool
	lines      int
	bad        bool // disorder was reported
}

// Comm is comm(1).
func Comm(p *cmdkit.Proc) int {
	var hide [3]bool
	delim, sep, total := byte('\n'), "\t", false
	order := 0 // 0: checked where the files differ, 1: always and fatal, 2: never
	g := p.Options(&commSyntax)
	for g.Next() {
		switch g.Opt {
		case '1', '2', '3':
			hide[g.Opt-'1'] = true
		case 'z':
			delim = 0
		case 256:
			order = 1
		case 257:
			order = 2
		case 258:
			if sep = g.Arg; sep == "" {
				sep = "\x00"
			}
		case 259:
			total = true
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
	var in [2]commInput
	for i, name := range g.Operands {
		fd, err := p.Open(name)
		if err != nil {
			return p.Errno(err, name)
		}
		in[i].name = name
		if fd == p.Stdin.FD {
			in[i].r = p.Stdin
		} else {
			in[i].r = cmdkit.NewReader(fd)
		}
	}
	status := 0
	differ := false
	var out []byte
	write := func() {
		p.Stdout.Write(out)
		out = out[:0]
	}
	next := func(i int) bool {
		c := &in[i]
		had := c.lines > 0
		if order != 2 && !c.bad {
			c.prev = append(c.prev[:0], c.line...)
		}
		l, ok := c.r.Line(delim)
		c.ok = ok
		if !ok {
			if c.r.Err != nil {
				write()
				status = p.Errno(c.r.Err, c.name)
			}
			return true
		}
		c.lines++
		if l[len(l)-1] == delim {
			l = l[:len(l)-1]
		}
		c.line = l // until the next one is read
		if order != 2 && had && !c.bad && (order == 1 || differ) && bytes.Compare(c.prev, c.line) > 0 {
			c.bad = true
			write()
			p.Warn("file ", strconv.Itoa(i+1), " is not in sorted order")
			status = 1
			return order != 1
		}
		return true
	}
	var counts [3]int
	prefix := func(col int) {
		for k := range col {
			if !hide[k] {
				out = append(out, sep...)
			}
		}
	}
	if !next(0) || !next(1) {
		return 1
	}
	for (in[0].ok || in[1].ok) && p.Stdout.Err == nil {
		c := 0
		switch {
		case !in[0].ok:
			c = 1
		case !in[1].ok:
			c = -1
		default:
			c = bytes.Compare(in[0].line, in[1].line)
		}
		col := c + 1 // 0: only first; 1: both; 2: only second
		where := [3]int{0, 2, 1}[col]
		counts[where]++
		differ = differ || c != 0
		if !hide[where] {
			prefix(where)
			if c <= 0 {
				out = append(out, in[0].line...)
			} else {
				out = append(out, in[1].line...)
			}
			if out = append(out, delim); len(out) >= batch || p.Stdout.Interactive() {
				write()
			}
		}
		if c <= 0 && !next(0) || c >= 0 && !next(1) {
			return 1
		}
	}
	write()
	if total {
		for i, n := range counts {
			if i > 0 {
				p.Stdout.WriteString(sep)
			}
			p.Stdout.WriteString(strconv.Itoa(n))
		}
		p.Stdout.WriteString(sep + "total")
		p.Stdout.WriteByte(delim)
	}
	if in[0].bad || in[1].bad {
		p.Warn("input is not in sorted order")
	}
	return status
}
