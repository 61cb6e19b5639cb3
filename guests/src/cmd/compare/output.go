// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package compare

import (
	"github.com/wsandbox/wsandbox/guests/src/datetime"
)

const noNewline = "\\ No newline at end of file\n"

// lineOut writes a line with its prefix.
func (d *differ) lineOut(prefix string, s *side, i int, color string) {
	w := d.p.Stdout
	if d.color && color != "" {
		w.WriteString("\033[" + color + "m")
	}
	w.WriteString(prefix)
	if d.expand {
		col := 0
		for _, c := range s.lines[i] {
			if c == '\t' {
				n := 8 - col%8
				w.Pad(n)
				col += n
				continue
			}
			w.WriteByte(c)
			col++
		}
	} else {
		w.Write(s.lines[i])
	}
	if d.color && color != "" {
		w.WriteString("\033[0m")
	}
	w.WriteByte('\n')
	if i == len(s.lines)-1 && s.noEnd {
		w.WriteString(noNewline)
	}
}

func (d *differ) head(text, color string) {
	if d.color {
		text = "\033[" + color + "m" + text + "\033[0m"
	}
	d.p.Stdout.WriteString(text + "\n")
}

// span formats the lines from lo to hi (exclusive, from 0) as normal diffs do.
func span(lo, hi int) string {
	if hi-lo <= 1 {
		if hi == lo {
			return itoa(lo)
		}
		return itoa(lo + 1)
	}
	return itoa(lo+1) + "," + itoa(hi)
}

func (c *change) letter() string {
	switch {
	case c.a == c.aEnd:
		return "a"
	case c.b == c.bEnd:
		return "d"
	}
	return "c"
}

func (d *differ) normal(x, y *side, h []change) {
	prefixOld, prefixNew := "< ", "> "
	if d.initialTab {
		prefixOld, prefixNew = "<\t", ">\t"
	}
	for i := range h {
		c := &h[i]
		if c.ignored {
			continue
		}
		d.head(span(c.a, c.aEnd)+c.letter()+span(c.b, c.bEnd), "36")
		for k := c.a; k < c.aEnd; k++ {
			d.lineOut(prefixOld, x, k, "31")
		}
		if c.letter() == "c" {
			d.p.Stdout.WriteString("---\n")
		}
		for k := c.b; k < c.bEnd; k++ {
			d.lineOut(prefixNew, y, k, "32")
		}
	}
}

// ed writes the changes last first. A line that is a lone dot ends the input of
// ed too early, so it goes in doubled and is mended afterwards.
func (d *differ) ed(x, y *side, h []change) {
	w := d.p.Stdout
	for i := len(h) - 1; i >= 0; i-- {
		c := &h[i]
		if c.ignored {
			continue
		}
		w.WriteString(span(c.a, c.aEnd) + c.letter() + "\n")
		if c.b == c.bEnd {
			continue
		}
		open := true
		for k := c.b; k < c.bEnd; k++ {
			if !open {
				w.WriteString("a\n")
				open = true
			}
			if string(y.lines[k]) == "." {
				w.WriteString("..\n.\ns/.//\n")
				open = false
				continue
			}
			w.Write(y.lines[k])
			w.WriteByte('\n')
		}
		if open {
			w.WriteString(".\n")
		}
	}
}

// stamp returns the file's line of a header: the label, or name and time.
func (d *differ) stamp(s *side, i int) string {
	if i < len(d.labels) {
		return d.labels[i]
	}
	ns := s.stat.Mtim
	if s.absent {
		ns = 0
	}
	if d.zone == nil {
		tz, set := d.p.LookupEnv("TZ")
		d.zone = datetime.Load(tz, set)
	}
	sec := ns / 1e9
	if ns%1e9 < 0 {
		sec--
	}
	c := datetime.In(sec, d.zone)
	format := "%Y-%m-%d %H:%M:%S.%N %z"
	if d.style == styleContext {
		format = "%a %b %e %H:%M:%S %Y"
	}
	return s.name + "\t" + string(datetime.AppendFormat(nil, format, &c, sec, int(ns-sec*1e9)))
}

// groups joins changes whose context touches.
func (d *differ) groups(h []change) (l [][]change) {
	for i := 0; i < len(h); {
		j := i + 1
		for j < len(h) && h[j].a-h[j-1].aEnd <= 2*d.context {
			j++
		}
		group := h[i:j]
		i = j
		for k := range group {
			if !group[k].ignored {
				l = append(l, group)
				break
			}
		}
	}
	return l
}

// bounds returns the lines that a group shows with its context.
func (d *differ) bounds(g []change, x, y *side) (a, aEnd, b, bEnd int) {
	first, last := &g[0], &g[len(g)-1]
	before := min(d.context, first.a, first.b)
	after := min(d.context, len(x.lines)-last.aEnd, len(y.lines)-last.bEnd)
	return first.a - before, last.aEnd + after, first.b - before, last.bEnd + after
}

func (d *differ) unified(x, y *side, h []change) {
	d.head("--- "+d.stamp(x, 0), "1")
	d.head("+++ "+d.stamp(y, 1), "1")
	count := func(lo, hi int) string {
		switch hi - lo {
		case 0:
			return itoa(lo) + ",0"
		case 1:
			return itoa(lo + 1)
		}
		return itoa(lo+1) + "," + itoa(hi-lo)
	}
	for _, g := range d.groups(h) {
		a, aEnd, b, bEnd := d.bounds(g, x, y)
		d.head("@@ -"+count(a, aEnd)+" +"+count(b, bEnd)+" @@", "36")
		at := a
		for i := range g {
			c := &g[i]
			for ; at < c.a; at++ {
				d.lineOut(" ", x, at, "")
			}
			for ; at < c.aEnd; at++ {
				d.lineOut("-", x, at, "31")
			}
			for k := c.b; k < c.bEnd; k++ {
				d.lineOut("+", y, k, "32")
			}
		}
		for ; at < aEnd; at++ {
			d.lineOut(" ", x, at, "")
		}
	}
}

func (d *differ) contextual(x, y *side, h []change) {
	d.head("*** "+d.stamp(x, 0), "1")
	d.head("--- "+d.stamp(y, 1), "1")
	span := func(lo, hi int) string {
		if hi-lo <= 1 {
			return itoa(hi)
		}
		return itoa(lo+1) + "," + itoa(hi)
	}
	for _, g := range d.groups(h) {
		a, aEnd, b, bEnd := d.bounds(g, x, y)
		d.p.Stdout.WriteString("***************\n")
		d.head("*** "+span(a, aEnd)+" ****", "36")
		deletes, inserts := false, false
		for i := range g {
			deletes = deletes || g[i].a < g[i].aEnd
			inserts = inserts || g[i].b < g[i].bEnd
		}
		if deletes {
			at := a
			for i := range g {
				c := &g[i]
				for ; at < c.a; at++ {
					d.lineOut("  ", x, at, "")
				}
				mark := "- "
				if c.letter() == "c" {
					mark = "! "
				}
				for ; at < c.aEnd; at++ {
					d.lineOut(mark, x, at, "31")
				}
			}
			for ; at < aEnd; at++ {
				d.lineOut("  ", x, at, "")
			}
		}
		d.head("--- "+span(b, bEnd)+" ----", "36")
		if inserts {
			at := b
			for i := range g {
				c := &g[i]
				for ; at < c.b; at++ {
					d.lineOut("  ", y, at, "")
				}
				mark := "+ "
				if c.letter() == "c" {
					mark = "! "
				}
				for ; at < c.bEnd; at++ {
					d.lineOut(mark, y, at, "32")
				}
			}
			for ; at < bEnd; at++ {
				d.lineOut("  ", y, at, "")
			}
		}
	}
}

// sideBySide writes two columns with a mark between them, with tabs as GNU
// lays them out.
func (d *differ) sideBySide(x, y *side, h []change) {
	const tab, gutter = 8, 3
	// The second column begins at a multiple of tab.
	offset := (d.width + tab + gutter) / (2 * tab) * tab
	half := max(0, min(offset-gutter, d.width-offset))
	column2 := offset
	if half == 0 {
		column2 = d.width
	}
	row := func(l []byte, hasL bool, mark byte, r []byte, hasR bool) {
		w := d.p.Stdout
		col := 0
		if hasL {
			col = putHalf(d, l, half, 0)
		}
		if mark != ' ' {
			tabTo(d, col, half+1)
			w.WriteByte(mark)
			col = half + 2
		}
		if hasR {
			col = tabTo(d, col, column2)
			putHalf(d, r, half, column2)
		}
		w.WriteByte('\n')
	}
	i := 0
	common := func(to, j int) {
		for ; i < to; i, j = i+1, j+1 {
			if d.suppressCommon {
				continue
			}
			if d.leftColumn {
				row(x.lines[i], true, '(', nil, false)
			} else {
				row(x.lines[i], true, ' ', y.lines[j], len(y.lines[j]) > 0)
			}
		}
	}
	j := 0
	for k := range h {
		c := &h[k]
		common(c.a, j)
		a, b := c.a, c.b
		for a < c.aEnd && b < c.bEnd {
			mark := byte('|')
			row(x.lines[a], true, mark, y.lines[b], len(y.lines[b]) > 0)
			a, b = a+1, b+1
		}
		for ; b < c.bEnd; b++ {
			row(nil, false, '>', y.lines[b], len(y.lines[b]) > 0)
		}
		for ; a < c.aEnd; a++ {
			row(x.lines[a], true, '<', nil, false)
		}
		i, j = c.aEnd, c.bEnd
	}
	common(len(x.lines), j)
}

// tabTo moves from one column to another by tabs and blanks.
func tabTo(d *differ, from, to int) int {
	for from < to {
		if next := from + 8 - from%8; next <= to {
			d.p.Stdout.WriteByte('\t')
			from = next
			continue
		}
		d.p.Stdout.WriteByte(' ')
		from++
	}
	return from
}

// putHalf writes as much of a line as fits into width columns and returns the
// column reached. indent is the column it begins at.
func putHalf(d *differ, l []byte, width, indent int) int {
	in, out := 0, 0
	for _, c := range l {
		switch {
		case c == '\t':
			spaces := 8 - in%8
			if in == out { // no blank is owed
				if out+spaces <= width {
					tabTo(d, indent+out, indent+out+spaces)
					out += spaces
				}
			}
			in += spaces
		case c >= 0x80 && c < 0xc0: // inside a character
			if in <= width {
				d.p.Stdout.WriteByte(c)
			}
		default:
			in++
			if in <= width {
				d.p.Stdout.WriteByte(c)
				out = in
			}
		}
	}
	return out
}
