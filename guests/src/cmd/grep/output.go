// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package grep

import (
	"strconv"
	"unicode/utf8"
)

// name writes a file name.
func (g *grep) name(s string) {
	if g.color != nil {
		g.begin(g.color.name)
	}
	g.out.WriteString(s)
	if g.color != nil {
		g.end(g.color.name)
	}
}

func (g *grep) sep(c byte) {
	if g.color != nil {
		g.begin(g.color.sep)
	}
	g.out.WriteByte(c)
	if g.color != nil {
		g.end(g.color.sep)
	}
}

func (g *grep) number(n int64, width int) {
	var b [20]byte
	s := strconv.AppendInt(b[:0], n, 10)
	g.out.Pad(width - len(s))
	g.out.Write(s)
}

// countTo counts the lines up to buf[at].
func (g *grep) countTo(at int) {
	in := &g.in
	if at > in.counted {
		in.lines += int64(countByte(g.buf[in.counted:at], g.eol))
		in.counted = at
	}
}

// head writes what stands before a line, which begins at buf[at]; at most for
// offset more for -b.
func (g *grep) head(line, at int, c byte) {
	any := false
	if g.withName {
		g.name(g.in.name)
		if g.nullName {
			g.out.WriteByte(0)
		} else {
			g.sep(c)
		}
		any = true
	}
	width := 0
	if g.alignTabs {
		width = 19
	}
	if g.lineNumber {
		g.countTo(line)
		if g.color != nil {
			g.begin(g.color.line)
		}
		g.number(g.in.lines+1, width)
		if g.color != nil {
			g.end(g.color.line)
		}
		g.sep(c)
		any = true
	}
	if g.byteOffset {
		if g.color != nil {
			g.begin(g.color.offset)
		}
		g.number(g.in.base+int64(at), width)
		if g.color != nil {
			g.end(g.color.offset)
		}
		g.sep(c)
		any = true
	}
	if g.alignTabs && any {
		g.out.WriteByte('\t')
	}
}

// print prints the line buf[s:e], which is selected where c is ':'.
func (g *grep) print(s, e int, c byte) {
	in := &g.in
	line := g.buf[s:e]
	if !g.onlyMatching && !g.valid(line) {
		in.invalid = true
		in.done = c == ':'
		return
	}
	begin := in.base + int64(s)
	if g.before >= 0 || g.after >= 0 {
		if g.printed && in.last != begin && !g.noSeparator {
			if g.color != nil {
				g.begin(g.color.sep)
			}
			g.out.WriteString(g.separator)
			if g.color != nil {
				g.end(g.color.sep)
			}
			g.out.WriteByte('\n')
		}
	}
	g.printed = true
	in.last = in.base + int64(e)
	complete := len(line) > 0 && line[len(line)-1] == g.eol
	text := line
	if complete {
		text = line[:len(line)-1]
	}
	if g.onlyMatching {
		if (c == ':') != g.invert {
			g.parts(s, text, c)
		}
		return
	}
	g.head(s, s, c)
	if g.color != nil {
		g.coloured(text, c)
		g.out.WriteByte(g.eol)
		return
	}
	g.out.Write(line)
	if !complete {
		g.out.WriteByte(g.eol)
	}
}

// parts prints the matches in a line that begins at buf[s].
func (g *grep) parts(s int, text []byte, c byte) {
	var loc [2]int
	for pos := 0; pos <= len(text); {
		ok, err := g.re.Find(text, pos, 0, loc[:])
		if !ok || err != nil {
			return
		}
		if loc[0] == loc[1] {
			pos = g.skip(text, loc[1])
			continue
		}
		part := text[loc[0]:loc[1]]
		if !g.valid(part) {
			g.in.invalid, g.in.done = true, true
			return
		}
		g.head(s, s+loc[0], c)
		if g.color != nil {
			g.begin(g.color.selectedMatch)
		}
		g.out.Write(part)
		if g.color != nil {
			g.end(g.color.selectedMatch)
		}
		g.out.WriteByte(g.eol)
		pos = loc[1]
	}
}

// skip returns the position behind the character at text[pos].
func (g *grep) skip(text []byte, pos int) int {
	if !g.utf8 || pos >= len(text) {
		return pos + 1
	}
	_, n := utf8.DecodeRune(text[pos:])
	return pos + n
}

// coloured prints the text of a line with its matches marked.
func (g *grep) coloured(text []byte, c byte) {
	col := g.color
	isSelected := c == ':'
	line, match := col.contextLine, col.contextMatch
	if isSelected {
		line = col.selectedLine
	}
	if col.reverse && g.invert {
		line = col.selectedLine
		if isSelected {
			line = col.contextLine
		}
	}
	if isSelected != g.invert {
		match = col.selectedMatch
	}
	done := 0
	if isSelected != g.invert {
		var loc [2]int
		for pos := 0; pos <= len(text); {
			ok, err := g.re.Find(text, pos, 0, loc[:])
			if !ok || err != nil {
				break
			}
			if loc[0] == loc[1] {
				pos = g.skip(text, loc[1])
				continue
			}
			g.begin(line)
			g.out.Write(text[done:loc[0]])
			g.begin(match)
			g.out.Write(text[loc[0]:loc[1]])
			g.end(match)
			done = loc[1]
			pos = done
		}
	}
	if done < len(text) {
		g.begin(line)
		g.out.Write(text[done:])
		g.end(line)
	}
}
