// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package screen

// performer carries out what the parser finds.
type performer Terminal

func (p *performer) terminal() *Terminal { return (*Terminal)(p) }

// text prints ASCII.
func (p *performer) text(b []byte) {
	t := p.terminal()
	if t.mode.insert || t.cur.graph[t.cur.gl] {
		for _, c := range b {
			t.print(rune(c), 1)
		}
		return
	}
	t.last = rune(b[len(b)-1])
	for len(b) > 0 {
		if t.cur.wrap {
			t.wrapLine()
		}
		r := t.row()
		n := min(len(b), t.cols-t.cur.x)
		x := t.cur.x
		if x < r.used {
			r.split(x)
			r.split(x + n)
			r.unmark(x, x+n)
		}
		for i, c := range b[:n] {
			r.cells[x+i] = cell{rune(c), t.cur.attr}
		}
		r.used = max(r.used, x+n)
		t.advance(n)
		b = b[n:]
		if t.mode.noWrap && len(b) > 0 {
			b = b[len(b)-1:] // each overwrites the last column
		}
	}
}

// advance moves the cursor behind n columns that were written.
func (t *Terminal) advance(n int) {
	t.cur.x += n
	if t.cur.x >= t.cols {
		t.cur.x = t.cols - 1
		t.cur.wrap = !t.mode.noWrap
	}
}

// wrapLine goes to the next line because the last column is full.
func (t *Terminal) wrapLine() {
	r := t.row()
	r.wrapped = true
	id := r.id
	t.cur.x, t.cur.wrap = 0, false
	if !t.index() {
		return
	}
	next := t.row()
	next.after = id
}

// index moves the cursor down, scrolling at the bottom of the region. It
// reports whether the cursor is on another row now.
func (t *Terminal) index() bool {
	switch {
	case t.cur.y == t.bot-1:
		t.scrollUp(t.top, t.bot, 1, true)
	case t.cur.y < t.rows-1:
		t.cur.y++
	default:
		return false
	}
	return true
}

// lineFeed ends the row of the cursor and goes to the next.
func (t *Terminal) lineFeed() {
	r := t.row()
	r.ended = true
	t.cur.wrap = false
	t.index()
	if t.mode.newline {
		t.cur.x = 0
	}
}

func (p *performer) char(r rune) {
	t := p.terminal()
	w := runeWidth(r)
	if w == 0 {
		t.combine(r)
		return
	}
	t.print(r, w)
}

// print writes a character that is w columns wide.
func (t *Terminal) print(r rune, w int) {
	if r < 0x7f && t.cur.graph[t.cur.gl] {
		r = graphic(r)
	}
	t.last = r
	if w > t.cols {
		r, w = '\ufffd', 1
	}
	if t.cur.wrap {
		t.wrapLine()
	}
	if t.cur.x+w > t.cols {
		if t.mode.noWrap {
			t.cur.x = t.cols - w
		} else {
			t.row().erase(t.cur.x, t.cols, 0)
			t.wrapLine()
		}
	}
	row, x := t.row(), t.cur.x
	if t.mode.insert {
		row.shift(x, t.cols, w, 0)
	}
	row.split(x)
	row.split(x + w)
	row.unmark(x, x+w)
	row.cells[x] = cell{r, t.cur.attr}
	if w == 2 {
		row.cells[x+1] = cell{wideTail, t.cur.attr}
	}
	row.used = max(row.used, x+w)
	t.advance(w)
}

// combine adds a character without width to the one before the cursor.
func (t *Terminal) combine(m rune) {
	x := t.cur.x - 1
	if t.cur.wrap {
		x = t.cur.x
	}
	r := t.row()
	if x >= 0 && x < r.used && r.cells[x].r == wideTail {
		x--
	}
	switch {
	case hiding(m): // must be told wherever it stands, also in front of the line
		r.used = max(r.used, x+1)
	case x < 0, x >= r.used, r.cells[x].r <= 0, r.cells[x].r == '\t':
		return
	}
	r.mark(x, m)
}

// graphic maps a character of DEC's special graphics.
func graphic(r rune) rune {
	const table = " ◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·"
	if r < 0x5f || r > 0x7e {
		return r
	}
	n := r - 0x5f
	for _, g := range table {
		if n == 0 {
			return g
		}
		n--
	}
	return r
}

func (p *performer) control(c byte) {
	t := p.terminal()
	switch c {
	case '\b':
		if t.cur.x > 0 {
			t.cur.x--
		}
		t.cur.wrap = false
	case '\t':
		t.tab()
	case '\n', '\v', '\f':
		t.lineFeed()
	case '\r':
		t.cur.x, t.cur.wrap = 0, false
	case 0x0e:
		t.cur.gl = 1
	case 0x0f:
		t.cur.gl = 0
	case 0x84: // IND
		t.index()
	case 0x85: // NEL
		t.cur.x = 0
		t.lineFeed()
	case 0x88: // HTS
		t.tabs[t.cur.x] = true
	case 0x8d: // RI
		t.reverseIndex()
	case 0x9a: // DECID
		t.deviceAttributes()
	}
}

// tab moves to the next tab stop. A tab over cells that were never written is
// kept as such in the text, and so is one at the margin, which moves nothing.
func (t *Terminal) tab() {
	r, x := t.row(), t.cur.x
	end := t.nextTab(x)
	if end == x {
		if !t.cur.wrap {
			x--
		}
		r.used = max(r.used, x+1)
		r.mark(x, '\t')
		return
	}
	fresh := true
	for i := x; i < min(end, r.used) && fresh; i++ {
		fresh = r.cells[i].r == blank
	}
	if fresh {
		for i := x; i < end; i++ {
			r.cells[i] = cell{tabTail, t.cur.attr}
		}
		r.cells[x].r = '\t'
		r.used = max(r.used, end)
	}
	t.cur.x = end
}

func (t *Terminal) nextTab(x int) int {
	for x++; x < t.cols-1 && !t.tabs[x]; x++ {
	}
	return min(x, t.cols-1)
}

func (t *Terminal) reverseIndex() {
	switch {
	case t.cur.y == t.top:
		t.scrollDown(t.top, t.bot, 1)
	case t.cur.y > 0:
		t.cur.y--
	}
	t.cur.wrap = false
}

func (p *performer) escape(s *sequence) {
	t := p.terminal()
	if s.ni == 1 {
		switch s.inter[0] {
		case '(', ')':
			t.cur.graph[s.inter[0]-'('] = s.final == '0'
		case '#':
			if s.final == '8' { // DECALN
				t.align()
			}
		}
		return
	}
	if s.ni > 0 {
		return
	}
	switch s.final {
	case '7':
		t.save()
	case '8':
		t.restore()
	case '=':
		t.mode.AppKeypad = true
	case '>':
		t.mode.AppKeypad = false
	case 'D':
		t.index()
		t.cur.wrap = false
	case 'E':
		t.cur.x = 0
		t.lineFeed()
	case 'H':
		t.tabs[t.cur.x] = true
	case 'M':
		t.reverseIndex()
	case 'Z':
		t.deviceAttributes()
	case 'c':
		t.fullReset()
	}
}

func (t *Terminal) align() {
	t.cur = cursor{attr: t.cur.attr}
	t.top, t.bot = 0, t.rows
	for _, r := range t.g.rows {
		for i := range r.cells {
			r.cells[i] = cell{r: 'E'}
		}
		r.used = t.cols
		r.marks = nil
	}
}

// saved returns where the cursor of the screen shown is saved.
func (t *Terminal) saved() *cursor {
	if t.mode.Alternate {
		return &t.savedAlt
	}
	return &t.savedMain
}

func (t *Terminal) save() { *t.saved() = t.cur }

func (t *Terminal) restore() { t.cur = *t.saved() }

func (t *Terminal) fullReset() {
	if t.mode.Alternate {
		t.leaveAlternate()
	}
	t.clearScreen()
	t.softReset()
	t.cur = cursor{}
	t.savedMain, t.savedAlt = cursor{}, cursor{}
	t.mode = Modes{newline: t.opt.Newline}
	t.setTabs()
	t.title = ""
	t.last = 0
}

func (t *Terminal) softReset() {
	t.top, t.bot = 0, t.rows
	t.cur.attr, t.cur.origin, t.cur.gl, t.cur.graph, t.cur.wrap = Attr{}, false, 0, [2]bool{}, false
	t.mode.insert, t.mode.noWrap, t.mode.hidden, t.mode.AppCursor, t.mode.AppKeypad = false, false, false, false, false
	*t.saved() = cursor{}
}
