// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fields

import (
	"bytes"
	"strconv"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var columnSyntax = cmdkit.Syntax{
	Short: "tn:N:R:H:l:dLJc:o:s:xhV",
	Long: []cmdkit.Long{
		{Name: "table", Val: 't'}, {Name: "table-name", Arg: cmdkit.RequiredArg, Val: 'n'}, {Name: "table-columns", Arg: cmdkit.RequiredArg, Val: 'N'},
		{Name: "table-right", Arg: cmdkit.RequiredArg, Val: 'R'}, {Name: "table-hide", Arg: cmdkit.RequiredArg, Val: 'H'}, {Name: "table-columns-limit", Arg: cmdkit.RequiredArg, Val: 'l'},
		{Name: "table-noheadings", Val: 'd'}, {Name: "keep-empty-lines", Val: 'L'}, {Name: "json", Val: 'J'}, {Name: "output-width", Arg: cmdkit.RequiredArg, Val: 'c'},
		{Name: "output-separator", Arg: cmdkit.RequiredArg, Val: 'o'}, {Name: "separator", Arg: cmdkit.RequiredArg, Val: 's'}, {Name: "fillrows", Val: 'x'},
	},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help: `Arrange lines in columns.

  -t, --table                      create a table
  -n, --table-name NAME            table name for JSON output
  -N, --table-columns NAMES        comma separated columns names
  -l, --table-columns-limit NUM    maximal number of input columns
  -d, --table-noheadings           don't print header
  -H, --table-hide COLUMNS         don't print the columns
  -R, --table-right COLUMNS        right align text in these columns
  -L, --keep-empty-lines           don't ignore empty lines
  -J, --json                       use JSON output format for table
  -c, --output-width WIDTH         width of output in number of characters
  -o, --output-separator STRING    columns separator (default is two spaces)
  -s, --separator STRING           possible table delimiters
  -x, --fillrows                   fill rows before columns

`,
}

// maxColumns bounds the columns of a table.
const maxColumns = 1 << 16

// column is a run of column(1).
type column struct {
	p                       *cmdkit.Proc
	table, json             bool
	name                    string
	names                   []string
	right, hide             string
	limit                   int
	noHead, keepEmpty       bool
	rowsFirst               bool
	width                   int
	out                     string
	seps                    string
	separated, hasName, utf bool

	lines [][]byte
	rows  [][]string
}

// Column is column(1).
func Column(p *cmdkit.Proc) int {
	c := &column{p: p, out: "  ", seps: " \t", limit: maxColumns, utf: p.UTF8()}
	g := p.Options(&columnSyntax)
	for g.Next() {
		switch g.Opt {
		case 't':
			c.table = true
		case 'n':
			c.name, c.hasName = g.Arg, true
		case 'N':
			c.names = nil
			for _, s := range bytes.Split([]byte(g.Arg), []byte{','}) {
				c.names = append(c.names, string(s))
			}
		case 'R':
			c.right = g.Arg
		case 'H':
			c.hide = g.Arg
		case 'l', 'c':
			v, e := cmdkit.ParseUint(g.Arg, "")
			if e != cmdkit.NumOK || v == 0 && g.Opt == 'l' || v > 1<<30 {
				what := "invalid columns argument: "
				if g.Opt == 'l' {
					what = "invalid columns limit argument: "
				}
				return p.Warn(what, cmdkit.Quote(g.Arg))
			}
			if g.Opt == 'l' {
				c.limit = int(min(v, maxColumns))
			} else {
				c.width = int(v)
			}
		case 'd':
			c.noHead = true
		case 'L':
			c.keepEmpty = true
		case 'J':
			c.json, c.table = true, true
		case 'o':
			c.out = g.Arg
		case 's':
			c.seps, c.separated = g.Arg, true
		case 'x':
			c.rowsFirst = true
		case 'h':
			p.PrintHelp(&columnSyntax)
			return 0
		case 'V':
			p.PrintVersion()
			return 0
		}
	}
	if g.Stop {
		return g.Status
	}
	if c.json && len(c.names) == 0 {
		return p.Warn("option --table-columns required for --json")
	}
	if !c.table && (len(c.names) > 0 || c.right != "" || c.hide != "" || c.hasName) {
		return p.Warn("option --table required for all --table-*")
	}
	status := p.EachInput(g.Operands, func(_ string, r *cmdkit.Reader) bool {
		for {
			l, ok := r.Line('\n')
			if !ok {
				return true
			}
			if l[len(l)-1] == '\n' {
				l = l[:len(l)-1]
			}
			if len(bytes.TrimLeft(l, " \t")) == 0 {
				if c.keepEmpty {
					c.lines = append(c.lines, []byte{})
				}
				continue
			}
			c.lines = append(c.lines, append([]byte(nil), l...))
		}
	})
	switch {
	case c.table:
		if st := c.printTable(); st != 0 {
			return st
		}
	default:
		c.fill()
	}
	return status
}

// cells returns how many columns a text takes.
func (c *column) cells(s string) int {
	if c.utf {
		return cmdkit.Width(s)
	}
	return len(s)
}

// split cuts a line: at each separator, or where none were given at runs of
// blanks.
func (c *column) split(l []byte) (row []string) {
	sep := func(b byte) bool {
		for i := range len(c.seps) {
			if c.seps[i] == b {
				return true
			}
		}
		return false
	}
	i := 0
	if !c.separated {
		for i < len(l) && sep(l[i]) {
			i++
		}
	}
	for {
		if len(row)+1 == c.limit {
			return append(row, string(l[i:]))
		}
		from := i
		for i < len(l) && !sep(l[i]) {
			i++
		}
		row = append(row, string(l[from:i]))
		if i == len(l) {
			return row
		}
		i++
		if !c.separated {
			for i < len(l) && sep(l[i]) {
				i++
			}
			if i == len(l) {
				return row
			}
		}
	}
}

// pick marks the columns of a list: numbers from 1, names and ranges, 0 being
// the last. ok is false where one is not there.
func (c *column) pick(list string, n int) (marks []bool, ok bool) {
	marks = make([]bool, n)
	if list == "" {
		return marks, true
	}
	index := func(s string) int {
		for i, name := range c.names {
			if name == s {
				return i
			}
		}
		if v, err := strconv.Atoi(s); err == nil && v > 0 && v <= n {
			return v - 1
		} else if err == nil && v == 0 {
			return n - 1
		}
		return -1
	}
	for _, b := range bytes.Split([]byte(list), []byte{','}) {
		s := string(b)
		from, to := index(s), 0
		if to = from; from < 0 {
			k := bytes.IndexByte(b, '-')
			if k < 0 {
				c.p.Warn("undefined column name '", s, "'")
				return nil, false
			}
			from, to = 0, n-1
			if k > 0 {
				from = index(s[:k])
			}
			if k+1 < len(s) {
				to = index(s[k+1:])
			}
			if from < 0 || to < 0 {
				c.p.Warn("undefined column name '", s, "'")
				return nil, false
			}
		}
		for ; from <= to; from++ {
			marks[from] = true
		}
	}
	return marks, true
}

func (c *column) printTable() int {
	n := len(c.names)
	for i, l := range c.lines {
		row := []string(nil)
		if len(l) > 0 {
			row = c.split(l)
		}
		if c.json && len(row) > len(c.names) {
			return c.p.Warn("line ", strconv.Itoa(i+2), ": for JSON the name of the column ", strconv.Itoa(len(c.names)+1), " is required")
		}
		c.rows = append(c.rows, row)
		n = max(n, len(row))
	}
	if n == 0 {
		return 0
	}
	right, ok := c.pick(c.right, n)
	if !ok {
		return 1
	}
	hide, ok := c.pick(c.hide, n)
	if !ok {
		return 1
	}
	if c.json {
		c.printJSON(hide)
		return 0
	}
	if len(c.names) > 0 && !c.noHead {
		c.rows = append([][]string{c.names}, c.rows...)
	}
	widths := make([]int, n)
	for _, r := range c.rows {
		for i, s := range r {
			widths[i] = max(widths[i], c.cells(s))
		}
	}
	last := n - 1
	for last > 0 && hide[last] {
		last--
	}
	w := c.p.Stdout
	for _, r := range c.rows {
		for i := range n {
			if hide[i] {
				continue
			}
			s := ""
			if i < len(r) {
				s = r[i]
			}
			pad := widths[i] - c.cells(s)
			if right[i] {
				w.Pad(pad)
			}
			w.WriteString(s)
			if i == last {
				break
			}
			if !right[i] {
				w.Pad(pad)
			}
			w.WriteString(c.out)
		}
		w.WriteByte('\n')
	}
	return 0
}

// appendJSON appends s as a string of JSON.
func appendJSON(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c < ' ':
			b = append(b, `\u00`...)
			b = append(b, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

func (c *column) printJSON(hide []bool) {
	name := c.name
	if !c.hasName {
		name = "table"
	}
	b := append([]byte("{\n   "), appendJSON(nil, name)...)
	b = append(b, ": [\n      "...)
	for i, r := range c.rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, "{\n"...)
		first := true
		for k, n := range c.names {
			if hide[k] {
				continue
			}
			if !first {
				b = append(b, ",\n"...)
			}
			first = false
			b = append(b, "         "...)
			b = appendJSON(b, n)
			b = append(b, ": "...)
			if k < len(r) && r[k] != "" {
				b = appendJSON(b, r[k])
			} else {
				b = append(b, "null"...)
			}
		}
		b = append(b, "\n      }"...)
	}
	c.p.Stdout.Write(append(b, "\n   ]\n}\n"...))
}

// fill arranges whole lines side by side, with tabs between.
func (c *column) fill() {
	const tab = 8
	width := c.width
	if width == 0 {
		if v, e := cmdkit.ParseUint(c.p.Getenv("COLUMNS"), ""); e == cmdkit.NumOK && v > 0 && v < 1<<30 {
			width = int(v)
		} else if ws, err := wsys.TTYGetwinsize(c.p.Stdout.FD); err == nil && ws.Cols > 0 {
			width = int(ws.Cols)
		} else {
			width = 80
		}
	}
	w := c.p.Stdout
	longest := 0
	for _, l := range c.lines {
		longest = max(longest, c.cells(string(l)))
	}
	cell := (longest + tab) / tab * tab
	if longest >= width || cell >= width {
		for _, l := range c.lines {
			w.Write(l)
			w.WriteByte('\n')
		}
		return
	}
	cols := max(1, width/cell)
	rows := (len(c.lines) + cols - 1) / cols
	for row := range rows {
		at := 0
		for k := range cols {
			i := k*rows + row
			if c.rowsFirst {
				i = row*cols + k
			}
			if i >= len(c.lines) || k*rows >= len(c.lines) && !c.rowsFirst {
				break
			}
			if k > 0 {
				for next := (at + tab) / tab * tab; next <= k*cell; next = (at + tab) / tab * tab {
					w.WriteByte('\t')
					at = next
				}
			}
			w.Write(c.lines[i])
			at += c.cells(string(c.lines[i]))
		}
		w.WriteByte('\n')
	}
}
