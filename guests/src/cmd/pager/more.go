// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pager

import (
	"strconv"
	"unicode/utf8"
)

// moreSettings are the options of more.
type moreSettings struct {
	help     bool // -d
	logical  bool // -f: lines count, not rows
	clean    bool // -c, -p: every page on an empty screen
	atEnd    bool // -e: do not wait at the end
	squeeze  bool
	plain    bool // -u
	lines    int  // -n; 0: the screen
	utf8     bool
	forBegin string // +5, +/pattern
}

// more is more(1) without its descriptors.
type more struct {
	view
	set   moreSettings
	files []string
	file  int
	open  func(name string) (source, error)

	pos      place  // what comes next
	ended    bool   // there is nothing behind pos
	began    int64  // where the last search began, for '
	last     key    // for .
	lastN    int    // its count
	input    []byte // a pattern being typed
	typing   bool
	prefix   bool // behind a colon
	count    []byte
	scroll   int // rows of d
	window   int // rows of z; 0: the screen
	step     int // rows of return
	decode   decoder
	prompted bool
	quit     bool
	err      func(name string, err error) // reports a file that cannot be shown
}

func newMore(c codes, rows, cols int, set moreSettings, files []string, open func(string) (source, error), interrupt func() bool) *more {
	m := &more{set: set, files: files, open: open, step: 1}
	m.codes, m.interrupt = c, interrupt
	m.resize(rows, cols)
	return m
}

// resize takes over another size.
func (m *more) resize(rows, cols int) {
	if rows <= 1 || rows > 10000 {
		rows = 24
	}
	if cols <= 1 || cols > 10000 {
		cols = 80
	}
	m.view.rows, m.cols, m.squeeze = rows, cols, m.set.squeeze
	m.view.style = style{utf8: m.set.utf8, colors: true, tabs: 8}
	if m.set.plain {
		m.bold, m.smul, m.rmul = "", "", ""
	}
	m.scroll = max(1, rows/2-1)
	m.forget()
}

func (m *more) page() int {
	if m.window > 0 {
		return m.window
	}
	if m.set.lines > 0 {
		return m.set.lines
	}
	return m.height()
}

func (m *more) take() []byte {
	b := m.out
	m.out = nil
	return b
}

// start shows the first page.
func (m *more) start() {
	m.file = -1
	m.next(1, m.begin)
}

// next goes to a file of the list and calls show with the rows that are left of
// the page; behind the last it quits.
func (m *more) next(by int, show func(rows int)) {
	for {
		m.file += by
		if m.file >= len(m.files) {
			m.quit = true
			return
		}
		if m.file < 0 {
			m.file, by = 0, 1
		}
		src, err := m.open(m.files[m.file])
		if err != nil {
			m.err(m.files[m.file], err)
			m.files = append(m.files[:m.file:m.file], m.files[m.file+1:]...)
			if by > 0 {
				m.file -= by
				by = 1
			}
			continue
		}
		if m.text != nil {
			m.text.src.close()
		}
		m.text = newText(src)
		m.forget()
		m.pos, m.ended, m.began = place{}, !m.lay(0).ok, 0
		rows := m.page()
		if len(m.files) > 1 {
			m.put("::::::::::::::\n" + m.files[m.file] + "\n::::::::::::::\n")
			rows = max(1, rows-3)
		}
		show(rows)
		return
	}
}

// begin shows the first page as the command line asks for.
func (m *more) begin(rows int) {
	switch s := m.set.forBegin; {
	case s == "":
	case s[0] == '/':
		m.find(s[1:], 1, false)
		return
	default:
		if n, err := strconv.Atoi(s); err == nil && n > 0 {
			off, _ := m.text.offset(int64(n), m.interrupt)
			m.pos = place{line: off}
		}
	}
	m.forward(rows)
}

// erase takes the prompt away.
func (m *more) erase() {
	if m.prompted {
		m.put("\r" + m.el)
		m.prompted = false
	}
}

// forward shows the next rows.
func (m *more) forward(n int) {
	m.erase()
	if m.set.clean && n >= m.page() && !m.dumb {
		m.put(m.clear)
	}
	for n > 0 && !m.ended && !m.interrupt() {
		m.row(m.pos)
		at := m.pos
		next, ok := m.after(at)
		if !ok {
			m.ended = true
		} else {
			m.pos = next
		}
		if !m.set.logical || next.line != at.line || !ok {
			n--
		}
	}
	m.tell()
}

// tell writes the prompt, or goes on where there is nothing to wait for.
func (m *more) tell() {
	m.erase()
	s := "--More--"
	if m.ended {
		switch {
		case m.file+1 < len(m.files):
			s += "(Next file: " + m.files[m.file+1] + ")"
		case m.set.atEnd || m.text.err == nil && m.lay(0).next == 0:
			m.quit = true
			return
		default:
			s = "(END)"
		}
	} else if n, complete := m.text.src.size(); complete && n > 0 {
		s += "(" + strconv.FormatInt(m.pos.line*100/n, 10) + "%)"
	}
	if m.set.help {
		s += "[Press space to continue, 'q' to quit.]"
	}
	m.notice(s)
}

// notice writes s in place of the prompt.
func (m *more) notice(s string) {
	m.erase()
	for len(s) >= m.cols {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	m.put(m.smso + s + m.rmso)
	m.prompted = true
}

// plain is notice without standout.
func (m *more) plain(s string) {
	m.erase()
	m.put(s[:min(len(s), m.cols-1)])
	m.prompted = true
}

func (m *more) key(b []byte) {
	for _, c := range b {
		if m.quit {
			return
		}
		if k := m.decode.feed(c); k != keyNone {
			m.press(k)
		}
	}
}

func (m *more) bad() {
	if m.set.help {
		m.notice("[Press 'h' for instructions.]")
	} else {
		m.put(m.bell)
	}
}

// press is one key.
func (m *more) press(k key) {
	switch {
	case m.typing:
		m.typed(k)
		return
	case k >= '0' && k <= '9':
		if len(m.count) < 9 {
			m.count = append(m.count, byte(k))
		}
		return
	}
	n, err := strconv.Atoi(string(m.count))
	if err != nil {
		n = 0
	}
	m.count = m.count[:0]
	if m.prefix {
		m.prefix = false
		m.colon(k, max(1, n))
		return
	}
	if k == '.' {
		k, n = m.last, m.lastN
	} else {
		m.last, m.lastN = k, n
	}
	m.command(k, n)
}

// command does what a key says; n is the count, 0 for none.
func (m *more) command(k key, n int) {
	pick := func(without int) int {
		if n > 0 {
			return n
		}
		return without
	}
	switch k {
	case 'q', 'Q':
		m.erase()
		m.quit = true
	case ' ', 'F' & 31, keyPageDown:
		m.advance(pick(m.page()))
	case 'z':
		if n > 0 {
			m.window = n
		}
		m.advance(m.page())
	case '\n', '\r', 'j', keyDown:
		if n > 0 {
			m.step = n
		}
		m.advance(m.step)
	case 'd', 'D' & 31:
		if n > 0 {
			m.scroll = n
		}
		m.advance(m.scroll)
	case 's', 'f':
		rows, what := pick(1), " line"
		if k == 'f' {
			rows *= m.page()
		}
		if rows != 1 {
			what += "s"
		}
		m.erase()
		m.put("\n...skipping " + strconv.Itoa(rows) + what + "\n\n")
		for ; rows > 0 && !m.ended && !m.interrupt(); rows-- {
			l := m.lay(m.pos.line)
			if !l.ok || !m.lay(l.next).ok {
				m.ended = true
				break
			}
			m.pos = place{line: l.next}
		}
		m.forward(m.page())
	case 'b', 'B' & 31, keyPageUp:
		m.back(pick(1))
	case '\'':
		m.erase()
		m.put("\n***Back***\n\n")
		m.pos, m.ended = place{line: m.began}, false
		m.forward(m.page())
	case '=':
		m.plain(strconv.FormatInt(m.lineNumber(), 10))
	case '/':
		m.erase()
		m.put("/")
		m.typing, m.input, m.prompted = true, m.input[:0], true
		m.lastN = pick(1)
	case 'n':
		m.find("", pick(1), true)
	case 'L' & 31:
		if !m.dumb {
			m.put(m.clear)
		}
		m.prompted = false
		p := m.pos
		for range m.page() {
			q, ok := m.prior(p)
			if !ok {
				break
			}
			p = q
		}
		m.pos, m.ended = p, false
		m.forward(m.page())
	case 'h', '?':
		m.erase()
		m.put(moreHelp)
		m.tell()
	case ':':
		m.prefix = true
	case 'v', '!':
		m.notice("Command not available")
	default:
		m.bad()
	}
}

// advance is forward that goes to the next file at the end of one.
func (m *more) advance(n int) {
	if !m.ended {
		m.forward(n)
		return
	}
	m.erase()
	m.next(1, m.forward)
}

// back shows an earlier page.
func (m *more) back(n int) {
	m.erase()
	what := " page"
	if n != 1 {
		what += "s"
	}
	m.put("...back " + strconv.Itoa(n) + what + "\n")
	p := m.pos
	rows := (n + 1) * m.page()
	if m.ended {
		rows-- // the last row shown is at pos
	}
	for ; rows > 0 && !m.interrupt(); rows-- {
		q, ok := m.prior(p)
		if !ok {
			break
		}
		p = q
	}
	m.pos, m.ended = p, false
	m.forward(m.page())
}

// lineNumber returns the number of the last line shown.
func (m *more) lineNumber() int64 {
	n := m.text.number(m.pos.line, m.interrupt)
	if !m.ended && m.pos.row == 0 {
		n--
	}
	return n
}

// typed is a key of a pattern.
func (m *more) typed(k key) {
	switch {
	case k == '\n' || k == '\r':
		m.typing = false
		m.find(string(m.input), max(1, m.lastN), false)
		return
	case k == '\b' || k == 0x7f:
		if len(m.input) == 0 {
			m.typing = false
			m.tell()
			return
		}
		_, n := utf8.DecodeLastRune(m.input)
		m.input = m.input[:len(m.input)-n]
	case k == 'U'&31:
		m.input = m.input[:0]
	case k == 'G'&31 || k == 'C'&31 || k > 0x110000:
		m.typing = false
		m.tell()
		return
	case len(m.input) < maxInput && k >= ' ':
		m.input = append(m.input, byte(k))
	}
	m.erase()
	s := append([]byte{'/'}, m.input...)
	for len(s) >= m.cols {
		_, n := utf8.DecodeRune(s)
		s = s[n:]
	}
	m.out = append(m.out, s...)
	m.prompted = true
}

// find looks for the n-th line that matches, and shows it with two before it.
func (m *more) find(s string, n int, again bool) {
	if s != "" {
		re, err := newPattern(s, false, false, false, m.set.utf8)
		if err != nil {
			m.notice("Invalid pattern: " + err.Error())
			return
		}
		m.found, m.hide = re, true
	} else if m.found == nil || !again && s == "" && m.found == nil {
		m.notice("No previous regular expression")
		return
	}
	m.began = m.pos.line
	at, off := m.pos.line, int64(-1)
	for ; n > 0; n-- {
		if off = m.found.forward(m.text, &m.style, at, m.interrupt); off < 0 {
			break
		}
		at = m.lay(off).next
	}
	if off < 0 || m.ended {
		m.notice("Pattern not found")
		return
	}
	m.erase()
	m.put("\n...skipping\n")
	p := place{line: off}
	for range 2 {
		if q, ok := m.prior(p); ok && !q.before(m.pos) {
			p = q
		}
	}
	m.pos, m.ended = p, false
	m.forward(max(1, m.page()))
}

// colon is the key behind a colon.
func (m *more) colon(k key, n int) {
	switch k {
	case 'f':
		name := "[Not a file]"
		if m.files[m.file] != "-" {
			name = "\"" + m.files[m.file] + "\""
		}
		m.plain(name + " line " + strconv.FormatInt(m.lineNumber(), 10))
	case 'n', 'p':
		m.erase()
		if k == 'p' {
			n = -n
		}
		if to := max(0, m.file+n); to < len(m.files) {
			m.put("\n...Skipping to file " + m.files[to] + "\n\n")
		}
		m.next(n, m.forward)
	case 'q', 'Q':
		m.erase()
		m.quit = true
	default:
		m.bad()
	}
}

const moreHelp = `Most commands optionally preceded by integer argument k.  Defaults in brackets.
Star (*) indicates argument becomes new default.
-------------------------------------------------------------------------------
<space>                 Display next k lines of text [current screen size]
z                       Display next k lines of text [current screen size]*
<return>                Display next k lines of text [1]*
d or ctrl-D             Scroll k lines [half a screen]*
q or Q or <interrupt>   Exit from more
s                       Skip forward k lines of text [1]
f                       Skip forward k screenfuls of text [1]
b or ctrl-B             Skip backwards k screenfuls of text [1]
'                       Go to place where previous search started
=                       Display current line number
/<regular expression>   Search for kth occurrence of regular expression [1]
n                       Search for kth occurrence of last r.e [1]
ctrl-L                  Redraw screen
:n                      Go to kth next file [1]
:p                      Go to kth previous file [1]
:f                      Display current file name and line number
.                       Repeat previous command
-------------------------------------------------------------------------------
`
