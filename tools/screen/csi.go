// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package screen

func (p *performer) csi(s *sequence) {
	t := p.terminal()
	switch {
	case s.ni == 0 && s.private == 0:
		t.control(s)
	case s.is('?', ""):
		switch s.final {
		case 'h', 'l':
			for i := range s.n {
				t.setPrivate(s.value(i), s.final == 'h')
			}
		case 'J':
			t.eraseDisplay(s.value(0))
		case 'K':
			t.eraseLine(s.value(0))
		case 'n':
			t.deviceStatus(s.value(0), true)
		case 'u':
			t.reply("\x1b[?0u") // no keyboard enhancements
		}
	case s.is('>', ""):
		switch s.final {
		case 'c':
			if s.value(0) == 0 {
				t.reply("\x1b[>1;10;0c")
			}
		case 'q':
			if s.value(0) == 0 {
				t.reply("\x1bP>|%s\x1b\\", t.opt.Name)
			}
		}
	case s.is('=', ""):
		if s.final == 'c' && s.value(0) == 0 {
			t.reply("\x1bP!|00000000\x1b\\")
		}
	case s.is(0, "!"):
		if s.final == 'p' {
			t.softReset()
		}
	case s.is(0, "$"), s.is('?', "$"):
		if s.final == 'p' {
			t.requestMode(s.value(0), s.private == '?')
		}
	case s.is(0, " "):
		if s.final == 'q' {
			t.mode.style = min(s.value(0), 6)
		}
	}
}

// control carries out a control sequence without private marker.
func (t *Terminal) control(s *sequence) {
	n := s.param(0, 1)
	switch s.final {
	case '@':
		t.row().shift(t.cur.x, t.cols, n, t.cur.attr.Background)
		t.cur.wrap = false
	case 'A', 'F', 'k':
		top := 0
		if t.cur.y >= t.top {
			top = t.top
		}
		t.cur.y = max(t.cur.y-n, top)
		t.cur.wrap = false
		if s.final == 'F' {
			t.cur.x = 0
		}
	case 'B', 'E', 'e':
		bot := t.rows - 1
		if t.cur.y < t.bot {
			bot = t.bot - 1
		}
		t.cur.y = min(t.cur.y+n, bot)
		t.cur.wrap = false
		if s.final == 'E' {
			t.cur.x = 0
		}
	case 'C', 'a':
		t.column(t.cur.x + n)
	case 'D', 'j':
		t.column(t.cur.x - n)
	case 'G', '`':
		t.column(n - 1)
	case 'd':
		t.position(n-1, t.cur.x)
	case 'H', 'f':
		t.position(n-1, s.param(1, 1)-1)
	case 'I':
		for range min(n, t.cols) {
			t.cur.x = t.nextTab(t.cur.x)
		}
	case 'Z':
		for range min(n, t.cols) {
			for t.cur.x = max(t.cur.x-1, 0); t.cur.x > 0 && !t.tabs[t.cur.x]; t.cur.x-- {
			}
		}
		t.cur.wrap = false
	case 'J':
		t.eraseDisplay(s.value(0))
	case 'K':
		t.eraseLine(s.value(0))
	case 'L', 'M':
		if t.cur.y < t.top || t.cur.y >= t.bot {
			return
		}
		if s.final == 'L' {
			t.scrollDown(t.cur.y, t.bot, n)
		} else {
			t.scrollUp(t.cur.y, t.bot, n, false)
		}
		t.cur.x, t.cur.wrap = 0, false
	case 'P':
		t.row().shift(t.cur.x, t.cols, -n, t.cur.attr.Background)
		t.cur.wrap = false
	case 'S':
		t.scrollUp(t.top, t.bot, n, true)
	case 'T':
		if s.n <= 1 { // more parameters are mouse highlighting
			t.scrollDown(t.top, t.bot, n)
		}
	case 'X':
		t.row().erase(t.cur.x, min(t.cur.x+n, t.cols), t.cur.attr.Background)
		t.cur.wrap = false
	case 'b': // REP, of one line at the most
		if t.last != 0 {
			for range min(n, t.cols) {
				t.print(t.last, max(runeWidth(t.last), 1))
			}
		}
	case 'c':
		if s.value(0) == 0 {
			t.deviceAttributes()
		}
	case 'g':
		switch s.value(0) {
		case 0:
			t.tabs[t.cur.x] = false
		case 3:
			clear(t.tabs)
		}
	case 'h', 'l':
		for i := range s.n {
			switch s.value(i) {
			case 4:
				t.mode.insert = s.final == 'h'
			case 20:
				t.mode.newline = s.final == 'h' || t.opt.Newline
			}
		}
	case 'm':
		t.cur.attr.apply(s)
	case 'n':
		t.deviceStatus(s.value(0), false)
	case 'r':
		top, bot := n-1, s.param(1, t.rows)
		bot = min(bot, t.rows)
		if top < bot-1 {
			t.top, t.bot = top, bot
			t.position(0, 0)
		}
	case 's':
		t.save()
	case 'u':
		t.restore()
	case 't':
		t.window(s)
	case 'x':
		if v := s.value(0); v < 2 {
			t.reply("\x1b[%d;1;1;128;128;1;0x", v+2)
		}
	}
}

// column moves the cursor within its line.
func (t *Terminal) column(x int) {
	t.cur.x, t.cur.wrap = min(max(x, 0), t.cols-1), false
}

// position moves the cursor, relative to the region in origin mode.
func (t *Terminal) position(y, x int) {
	top, bot := 0, t.rows
	if t.cur.origin {
		top, bot = t.top, t.bot
	}
	t.cur.y = min(max(top+y, top), bot-1)
	t.column(x)
}

func (t *Terminal) eraseLine(mode int) {
	a, b := t.cur.x, t.cols
	switch mode {
	case 0:
	case 1:
		a, b = 0, t.cur.x+1
	case 2:
		a = 0
	default:
		return
	}
	t.row().erase(a, b, t.cur.attr.Background)
	t.cur.wrap = false
	if b == t.cols {
		t.row().wrapped = false
	}
}

func (t *Terminal) eraseDisplay(mode int) {
	bg := t.cur.attr.Background
	switch mode {
	case 0:
		if t.cur.x == 0 && t.cur.y == 0 {
			t.clearScreen()
			return
		}
		t.eraseLine(0)
		for _, r := range t.g.rows[t.cur.y+1:] {
			t.eraseRow(r, bg)
		}
	case 1:
		for _, r := range t.g.rows[:t.cur.y] {
			t.eraseRow(r, bg)
		}
		t.eraseLine(1)
	case 2:
		t.clearScreen()
	}
	t.cur.wrap = false
}

func (t *Terminal) eraseRow(r *row, bg Color) {
	r.erase(0, t.cols, bg)
	r.wrapped, r.ended, r.after = false, false, 0
}

// clearScreen erases all. What is printed then is new, whatever it says.
func (t *Terminal) clearScreen() {
	bg := t.cur.attr.Background
	for _, r := range t.g.rows {
		if bg == 0 && r.pristine() {
			continue
		}
		if t.g == &t.primary {
			t.forget(r)
		}
		r.reset(t.cols, bg, t.id())
	}
}

// setPrivate sets or resets a DEC private mode.
func (t *Terminal) setPrivate(n int, on bool) {
	switch n {
	case 1:
		t.mode.AppCursor = on
	case 5:
		t.mode.reverse = on
	case 6:
		t.cur.origin = on
		t.position(0, 0)
	case 7:
		t.mode.noWrap = !on
		t.cur.wrap = false
	case 9, 1000, 1002, 1003:
		t.mode.Mouse = 0
		if on {
			t.mode.Mouse = n
		}
	case 25:
		t.mode.hidden = !on
	case 47, 1047:
		if on {
			t.enterAlternate(false)
		} else {
			t.leaveAlternate()
		}
	case 66:
		t.mode.AppKeypad = on
	case 1004:
		t.mode.Focus = on
	case 1006:
		t.mode.MouseSGR = on
	case 1048:
		if on {
			t.save()
		} else {
			t.restore()
		}
	case 1049:
		if on {
			t.enterAlternate(true)
		} else {
			t.leaveAlternate()
		}
	case 2004:
		t.mode.BracketedPaste = on
	case 2026:
		t.mode.sync = on
	}
}

// enterAlternate shows the alternate screen, a blank one if fresh is set.
func (t *Terminal) enterAlternate(fresh bool) {
	if t.mode.Alternate {
		return
	}
	t.back = t.cur
	if t.alternate.rows == nil {
		t.alternate = t.newGrid()
	}
	t.g = &t.alternate
	t.mode.Alternate = true
	t.frameHash, t.frameLines = 0, nil
	if fresh {
		t.clearScreen()
	}
}

func (t *Terminal) leaveAlternate() {
	if !t.mode.Alternate {
		return
	}
	if t.frames < maxFrames {
		t.sync()
		t.frame(true)
	}
	t.g = &t.primary
	t.mode.Alternate = false
	t.cur = t.back
}

// mode values of DECRQM's answer.
func (t *Terminal) requestMode(n int, private bool) {
	flag := func(on bool) int {
		if on {
			return 1
		}
		return 2
	}
	v := 0
	if private {
		switch n {
		case 1:
			v = flag(t.mode.AppCursor)
		case 5:
			v = flag(t.mode.reverse)
		case 6:
			v = flag(t.cur.origin)
		case 7:
			v = flag(!t.mode.noWrap)
		case 9, 1000, 1002, 1003:
			v = flag(t.mode.Mouse == n)
		case 25:
			v = flag(!t.mode.hidden)
		case 47, 1047, 1049:
			v = flag(t.mode.Alternate)
		case 66:
			v = flag(t.mode.AppKeypad)
		case 1004:
			v = flag(t.mode.Focus)
		case 1006:
			v = flag(t.mode.MouseSGR)
		case 2004:
			v = flag(t.mode.BracketedPaste)
		case 2026:
			v = flag(t.mode.sync)
		}
		t.reply("\x1b[?%d;%d$y", n, v)
		return
	}
	switch n {
	case 4:
		v = flag(t.mode.insert)
	case 20:
		v = flag(t.mode.newline)
	}
	t.reply("\x1b[%d;%d$y", n, v)
}

// apply changes the attributes by SGR (ECMA-48 8.3.117, ISO 8613-6 colours).
func (a *Attr) apply(s *sequence) {
	if s.n == 0 {
		*a = Attr{}
		return
	}
	for i := 0; i < s.n; i++ {
		v := s.value(i)
		switch {
		case v == 0:
			*a = Attr{}
		case v == 1:
			a.Flags |= Bold
		case v == 2:
			a.Flags |= Faint
		case v == 3:
			a.Flags |= Italic
		case v == 4:
			a.Flags |= Underline
			if i+1 < s.n && s.sub[i+1] && s.value(i+1) == 0 {
				a.Flags &^= Underline
			}
		case v == 5, v == 6:
			a.Flags |= Blink
		case v == 7:
			a.Flags |= Reverse
		case v == 8:
			a.Flags |= Conceal
		case v == 9:
			a.Flags |= Strike
		case v == 21:
			a.Flags |= Underline
		case v == 22:
			a.Flags &^= Bold | Faint
		case v == 23:
			a.Flags &^= Italic
		case v == 24:
			a.Flags &^= Underline
		case v == 25:
			a.Flags &^= Blink
		case v == 27:
			a.Flags &^= Reverse
		case v == 28:
			a.Flags &^= Conceal
		case v == 29:
			a.Flags &^= Strike
		case v == 53:
			a.Flags |= Overline
		case v == 55:
			a.Flags &^= Overline
		case v >= 30 && v <= 37:
			a.Foreground = 1<<24 | Color(v-30)
		case v >= 40 && v <= 47:
			a.Background = 1<<24 | Color(v-40)
		case v >= 90 && v <= 97:
			a.Foreground = 1<<24 | Color(v-90+8)
		case v >= 100 && v <= 107:
			a.Background = 1<<24 | Color(v-100+8)
		case v == 39:
			a.Foreground = 0
		case v == 49:
			a.Background = 0
		case v == 38, v == 48, v == 58:
			c, n, ok := extended(s, i+1)
			i += n
			switch {
			case !ok || v == 58:
			case v == 38:
				a.Foreground = c
			default:
				a.Background = c
			}
		}
		for i+1 < s.n && s.sub[i+1] {
			i++
		}
	}
}

// extended reads an indexed or direct colour at parameter i and returns how
// many parameters it takes.
func extended(s *sequence, i int) (c Color, n int, ok bool) {
	if i >= s.n {
		return 0, 0, false
	}
	if s.sub[i] { // colons: 38:5:n, 38:2:r:g:b, 38:2:space:r:g:b
		end := i
		for end < s.n && s.sub[end] {
			end++
		}
		switch k := end - i; {
		case s.value(i) == 5 && k >= 2:
			return 1<<24 | Color(s.value(i+1)&0xff), k, true
		case s.value(i) == 2 && k == 4:
			return rgb(s, i+1), k, true
		case s.value(i) == 2 && k >= 5:
			return rgb(s, i+2), k, true
		default:
			return 0, k, false
		}
	}
	switch {
	case s.value(i) == 5 && i+1 < s.n:
		return 1<<24 | Color(s.value(i+1)&0xff), 2, true
	case s.value(i) == 2 && i+3 < s.n:
		return rgb(s, i+1), 4, true
	}
	return 0, 1, false
}

func rgb(s *sequence, i int) Color {
	return 2<<24 | Color(s.value(i)&0xff)<<16 | Color(s.value(i+1)&0xff)<<8 | Color(s.value(i+2)&0xff)
}
