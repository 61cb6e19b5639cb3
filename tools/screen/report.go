// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"bytes"
	"fmt"
	"strconv"
)

// Size of a character cell in pixels, for reports.
const (
	cellHeight = 16
	cellWidth  = 8
)

func (t *Terminal) deviceAttributes() { t.reply("\x1b[?62;22c") } // VT220 with colours

func (t *Terminal) deviceStatus(n int, private bool) {
	y := t.cur.y
	if t.cur.origin {
		y -= t.top
	}
	switch {
	case n == 6 && private:
		t.reply("\x1b[?%d;%d;1R", y+1, t.cur.x+1)
	case n == 6:
		t.reply("\x1b[%d;%dR", y+1, t.cur.x+1)
	case n == 5 && !private:
		t.reply("\x1b[0n")
	}
}

// window answers the reports among xterm's window operations. Titles are not
// reported: they would let the program type what it likes.
func (t *Terminal) window(s *sequence) {
	switch s.value(0) {
	case 11:
		t.reply("\x1b[1t")
	case 13:
		t.reply("\x1b[3;0;0t")
	case 14:
		t.reply("\x1b[4;%d;%dt", t.rows*cellHeight, t.cols*cellWidth)
	case 15:
		t.reply("\x1b[5;%d;%dt", t.rows*cellHeight, t.cols*cellWidth)
	case 16:
		t.reply("\x1b[6;%d;%dt", cellHeight, cellWidth)
	case 18:
		t.reply("\x1b[8;%d;%dt", t.rows, t.cols)
	case 19:
		t.reply("\x1b[9;%d;%dt", t.rows, t.cols)
	case 20:
		t.reply("\x1b]L\x1b\\")
	case 21:
		t.reply("\x1b]l\x1b\\")
	}
}

func (p *performer) str(cs controlString) {
	t := p.terminal()
	if cs.cut {
		return
	}
	switch cs.kind {
	case ']':
		t.osc(cs.data, cs.bell)
	case 'P':
		t.dcs(cs.data)
	}
}

func (t *Terminal) osc(data []byte, bell bool) {
	number, rest, _ := bytes.Cut(data, []byte{';'})
	end := "\x1b\\"
	if bell {
		end = "\a"
	}
	n, err := strconv.Atoi(string(number))
	if err != nil {
		return
	}
	switch n {
	case 0, 2:
		t.setTitle(rest)
	case 4:
		for len(rest) > 0 {
			var index, spec []byte
			index, rest, _ = bytes.Cut(rest, []byte{';'})
			spec, rest, _ = bytes.Cut(rest, []byte{';'})
			i, err := strconv.Atoi(string(index))
			if err != nil || i < 0 || i > 255 {
				return
			}
			if string(spec) == "?" {
				t.reply("\x1b]4;%d;%s%s", i, colourSpec(palette(i)), end)
			}
		}
	case 10, 11, 12, 13, 14, 15, 16, 17, 18, 19:
		// Further parameters are for the colours that follow.
		for ; n <= 19; n++ {
			var spec []byte
			spec, rest, _ = bytes.Cut(rest, []byte{';'})
			if string(spec) == "?" {
				c := uint32(0xe0e0e0)
				if n == 11 || n == 14 || n == 16 || n == 19 {
					c = 0
				}
				t.reply("\x1b]%d;%s%s", n, colourSpec(c), end)
			}
			if len(rest) == 0 {
				return
			}
		}
	}
}

// colourSpec is the form of X11 that terminals answer with.
func colourSpec(c uint32) string {
	r, g, b := c>>16&0xff, c>>8&0xff, c&0xff
	return fmt.Sprintf("rgb:%02x%02x/%02x%02x/%02x%02x", r, r, g, g, b, b)
}

// palette returns colour i of xterm's palette.
func palette(i int) uint32 {
	base := [16]uint32{
		0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
		0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	}
	switch {
	case i < 16:
		return base[i]
	case i < 232:
		level := func(n int) uint32 {
			if n == 0 {
				return 0
			}
			return uint32(55 + 40*n)
		}
		n := i - 16
		return level(n/36)<<16 | level(n/6%6)<<8 | level(n%6)
	}
	v := uint32(8 + 10*(i-232))
	return v<<16 | v<<8 | v
}

// dcs answers DECRQSS and XTGETTCAP; other device control strings have no
// effect. The name of the setting is not repeated unless it is known.
func (t *Terminal) dcs(data []byte) {
	switch {
	case bytes.HasPrefix(data, []byte("$q")):
		switch string(data[2:]) {
		case "m":
			t.reply("\x1bP1$r%sm\x1b\\", t.cur.attr.sgr())
		case "r":
			t.reply("\x1bP1$r%d;%dr\x1b\\", t.top+1, t.bot)
		case " q":
			t.reply("\x1bP1$r%d q\x1b\\", t.mode.style)
		case `"p`:
			t.reply("\x1bP1$r62;1\"p\x1b\\")
		default:
			t.reply("\x1bP0$r\x1b\\")
		}
	case bytes.HasPrefix(data, []byte("+q")):
		t.reply("\x1bP0+r\x1b\\")
	}
}

// sgr returns the parameters that set a.
func (a Attr) sgr() string {
	b := []byte{'0'}
	for i, n := range []string{"1", "2", "3", "4", "5", "7", "8", "9", "53"} {
		if a.Flags&(1<<i) != 0 {
			b = append(append(b, ';'), n...)
		}
	}
	b = a.Foreground.sgr(b, 38)
	b = a.Background.sgr(b, 48)
	return string(b)
}

func (c Color) sgr(b []byte, base int) []byte {
	switch c >> 24 {
	case 1:
		return fmt.Appendf(b, ";%d;5;%d", base, c&0xff)
	case 2:
		return fmt.Appendf(b, ";%d;2;%d;%d;%d", base, c>>16&0xff, c>>8&0xff, c&0xff)
	}
	return b
}
