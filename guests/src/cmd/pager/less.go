// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pager

import (
	"strconv"
	"unicode/utf8"
)

// settings are the options of less that may change while it runs.
type settings struct {
	chop, numbers, colors, raw   bool
	ignoreCase, ignoreAll        bool
	noInit, oneScreen, quitAtEnd bool // -X, -F, -E
	quitSecond                   bool // -e
	quiet                        bool // -q
	prompt                       int  // 0 short, 1 -m, 2 -M
	noHighlight                  bool // -G
	squeeze                      bool
	tabs                         int
	window                       int // lines to scroll, 0: the screen
	shift                        int
	utf8                         bool
}

// mode says what keys mean.
type mode uint8

const (
	modeCommand mode = iota
	modeMessage      // a message waits for a key
	modeInput        // a line is being typed
	modePrefix       // one more key belongs to a command
	modeHelp         // the commands are shown instead of the text
	modeFollow       // F: the end of the text is shown as it grows
)

// document is a file of the list.
type document struct {
	name string
	text *text
	top  place // where it was left
	seen bool
	err  error
}

// pager is less without its descriptors: keys in, bytes for the terminal out.
type pager struct {
	view
	set   settings
	files []document
	file  int
	open  func(name string) (source, error)

	mode     mode
	count    []byte // digits typed before a command
	prefix   key
	input    []byte
	inputFor string // what is typed: "/", "?", ":e", "-"
	inverted bool
	literal  bool
	lastDir  int // of the last search: 1 forwards, -1 backwards
	last     string
	half     int  // rows of d and u; 0: half a screen
	page     int  // rows of space and b; 0: a screen
	fresh    bool // the prompt names the file
	endHits  int  // how often the end was reached, for -e
	marks    map[byte]filePlace
	before   filePlace // ''
	saved    *document // what help hides
	decode   decoder
	quit     bool
	status   int
}

type filePlace struct {
	file int
	at   place
}

// maxInput bounds what can be typed, maxCount the number before a command.
const (
	maxInput = 1024
	maxCount = 1 << 40
)

func newPager(c codes, rows, cols int, set settings, open func(string) (source, error), interrupt func() bool) *pager {
	p := &pager{set: set, open: open, marks: map[byte]filePlace{}}
	p.codes, p.interrupt = c, interrupt
	p.resize(rows, cols)
	return p
}

// resize takes over another size. The caller redraws.
func (p *pager) resize(rows, cols int) {
	if rows <= 1 || rows > 10000 {
		rows = 24
	}
	if cols <= 1 || cols > 10000 {
		cols = 80
	}
	p.view.rows, p.cols = rows, cols
	p.apply()
}

// redraw draws everything, as after another size.
func (p *pager) redraw() {
	if p.mode == modeMessage {
		if p.mode = modeCommand; p.saved != nil {
			p.mode = modeHelp
		}
	}
	if p.text != nil {
		p.fill(p.top())
		p.paint()
	}
	p.tell()
}

// apply takes over what the settings say.
func (p *pager) apply() {
	v := &p.view
	v.chop, v.numbers, v.squeeze, v.hide = p.set.chop, p.set.numbers, p.set.squeeze, p.set.noHighlight
	v.style = style{utf8: p.set.utf8, colors: p.set.colors, raw: p.set.raw, tabs: max(1, p.set.tabs)}
	if !v.chop {
		v.left = 0
	}
	v.forget()
}

// take returns what the terminal is to be sent and forgets it.
func (p *pager) take() []byte {
	b := p.out
	p.out = nil
	return b
}

// start shows the first file that can be read. It reports false where there is
// none.
func (p *pager) start() bool {
	for i := range p.files {
		if p.load(i) == nil {
			p.file = i
			return true
		}
	}
	return false
}

// load opens a file of the list and makes it the text.
func (p *pager) load(i int) error {
	d := &p.files[i]
	if d.text == nil {
		src, err := p.open(d.name)
		if err != nil {
			d.err = err
			return err
		}
		d.text = newText(src)
	}
	p.text = d.text
	p.view.left = 0
	p.forget()
	p.shown = nil
	p.fresh = true
	p.endHits = 0
	return nil
}

// first draws the first screen of the current file.
func (p *pager) first() {
	p.fill(p.files[p.file].top)
	p.files[p.file].seen = true
	if len(p.shown) == p.height() && !p.dumb {
		p.put("\r")
		p.rest(p.shown)
	} else {
		p.paint()
	}
}

// fits reports whether the whole text is on the screen.
func (p *pager) fits() bool {
	return len(p.files) == 1 && (len(p.shown) == 0 || p.top() == place{}) && p.atEnd()
}

// tell writes the last row: the prompt, or what is being typed.
func (p *pager) tell() {
	p.line("")
	switch p.mode {
	case modeInput:
		s := []byte(p.inputFor)
		if p.inverted {
			s = append(s, "Non-match "...)
		}
		s = append(s, p.input...)
		for len(s) >= p.cols { // what was typed last is shown
			_, n := utf8.DecodeRune(s)
			s = s[n:]
		}
		for _, c := range s {
			if c < ' ' || c == 0x7f {
				c = '^'
			}
			p.out = append(p.out, c)
		}
		return
	case modePrefix:
		switch {
		case p.prefix == ':':
			p.put(" :")
		case p.prefix == '-' || p.prefix == '_':
			p.put(string(rune(p.prefix)))
		case p.prefix == 'm':
			p.put("set mark: ")
		case p.prefix == '\'':
			p.put("goto mark: ")
		}
		return
	case modeFollow:
		p.emphasise("Waiting for data... (interrupt to abort)")
		return
	case modeMessage:
		return
	}
	if len(p.count) > 0 {
		p.put(":" + string(p.count))
		return
	}
	if s := p.prompt(); s == "" {
		p.put(":")
	} else {
		p.emphasise(s)
	}
}

// emphasise writes s in standout, cut to the screen.
func (p *pager) emphasise(s string) {
	for len(s) >= p.cols {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	b := []byte(s)
	for i, c := range b {
		if c < ' ' || c == 0x7f {
			b[i] = '?'
		}
	}
	p.put(p.smso + string(b) + p.rmso)
}

// list returns " (file 1 of 2)" where there are several.
func (p *pager) list() string {
	if len(p.files) < 2 {
		return ""
	}
	return " (file " + strconv.Itoa(p.file+1) + " of " + strconv.Itoa(len(p.files)) + ")"
}

// prompt returns the prompt, "" for the usual colon.
func (p *pager) prompt() string {
	if p.mode == modeHelp {
		if p.atEnd() {
			return "HELP -- END -- Press g to see it again, or q when done"
		}
		return "HELP -- Press RETURN for more, or q when done"
	}
	s := ""
	name := p.files[p.file].name
	if p.fresh || p.set.prompt == 2 {
		if name != "-" {
			s = name
		}
		s += p.list()
	}
	switch p.set.prompt {
	case 1:
		if !p.atEnd() {
			s += " " + p.percent()
		}
	case 2:
		s += " " + p.where()
		if !p.atEnd() {
			s += " " + p.percent()
		}
	}
	if p.atEnd() {
		s += " (END)"
		if p.file+1 < len(p.files) {
			s += " - Next: " + p.files[p.file+1].name
		}
	}
	for s != "" && s[0] == ' ' {
		s = s[1:]
	}
	return s
}

// percent returns how much of the text is above the last row.
func (p *pager) percent() string {
	n, complete := p.text.src.size()
	if !complete || n == 0 {
		return "byte " + strconv.FormatInt(p.end(), 10)
	}
	return strconv.FormatInt(p.end()*100/n, 10) + "%"
}

// where returns which lines are on the screen.
func (p *pager) where() string {
	if len(p.shown) == 0 {
		return ""
	}
	a := p.text.number(p.top().line, p.interrupt)
	b := p.text.number(p.shown[len(p.shown)-1].line, p.interrupt)
	s := "lines " + strconv.FormatInt(a, 10) + "-" + strconv.FormatInt(b, 10)
	if n, complete := p.text.src.size(); complete {
		if last, ok := p.text.prev(n); ok {
			s += "/" + strconv.FormatInt(p.text.number(last, p.interrupt), 10)
		}
	}
	return s
}

// message shows s until a key is pressed.
func (p *pager) message(s string) {
	p.line("")
	p.emphasise(s + "  (press RETURN)")
	p.mode = modeMessage
}

func (p *pager) beep() {
	if !p.set.quiet {
		p.put(p.bell)
	}
}

// key takes what was typed.
func (p *pager) key(b []byte) {
	for _, c := range b {
		if p.quit {
			return
		}
		if k := p.decode.feed(c); k != keyNone {
			p.press(k)
		}
	}
}

// press is one key.
func (p *pager) press(k key) {
	switch p.mode {
	case modeMessage:
		p.mode = modeCommand
		if p.saved != nil {
			p.mode = modeHelp
		}
		if k == '\n' || k == '\r' || k == ' ' {
			p.tell()
			return
		}
	case modeInput:
		p.typed(k)
		return
	case modePrefix:
		p.second(k)
		return
	case modeFollow:
		p.mode = modeCommand
		p.tell()
		return
	}
	p.command(k)
}

// number returns the count before a command, or what it is without one.
func (p *pager) number(without int) int {
	if len(p.count) == 0 {
		return without
	}
	n, err := strconv.Atoi(string(p.count))
	if err != nil || n > maxCount {
		n = maxCount
	}
	return n
}

// command is a key in command mode.
func (p *pager) command(k key) {
	if k >= '0' && k <= '9' {
		if len(p.count) < 12 {
			p.count = append(p.count, byte(k))
		}
		p.tell()
		return
	}
	given := len(p.count) > 0
	page := p.height()
	if p.set.window > 0 {
		page = p.set.window
	}
	if p.page > 0 {
		page = p.page
	}
	half := max(1, p.view.rows/2)
	if p.half > 0 {
		half = p.half
	}
	switch k {
	case 'q', 'Q':
		if p.mode == modeHelp {
			p.leaveHelp()
			break
		}
		p.quit = true
		return
	case 'j', 'e', '\n', '\r', 'E' & 31, 'N' & 31, keyDown:
		p.forward(p.number(1), false)
	case 'J':
		p.forward(p.number(1), true)
	case 'k', 'y', 'Y' & 31, 'K' & 31, 'P' & 31, 'K', 'Y', keyUp:
		p.backward(p.number(1))
	case ' ', 'f', 'F' & 31, 'V' & 31, keyPageDown:
		p.forward(p.number(page), false)
	case keyEsc + ' ':
		p.forward(p.number(page), true)
	case 'b', 'B' & 31, keyEsc + 'v', keyPageUp:
		p.backward(p.number(page))
	case 'z', 'w':
		if given {
			p.page = p.number(1)
			page = p.page
		}
		if k == 'z' {
			p.forward(page, false)
		} else {
			p.backward(page)
		}
	case 'd', 'D' & 31, 'u', 'U' & 31:
		if given {
			p.half = p.number(1)
			half = p.half
		}
		if k == 'd' || k == 'D'&31 {
			p.forward(half, false)
		} else {
			p.backward(half)
		}
	case 'g', '<', keyEsc + '<', keyHome:
		off, found := int64(0), true
		if given {
			off, found = p.text.offset(int64(p.number(1)), p.interrupt)
		}
		p.jump(place{line: off})
		if !found {
			p.complain("Cannot seek to line number " + strconv.Itoa(p.number(1)))
			return
		}
	case 'G', '>', keyEsc + '>', keyEnd:
		if given {
			off, found := p.text.offset(int64(p.number(1)), p.interrupt)
			p.jump(place{line: off})
			if !found {
				p.complain("Cannot seek to line number " + strconv.Itoa(p.number(1)))
				return
			}
			break
		}
		p.jump(p.bottom())
	case 'p', '%':
		n := p.text.all(p.interrupt)
		p.jump(place{line: p.text.lineStart(min(n*int64(min(p.number(0), 100))/100, max(0, n-1)))})
	case 'r', 'R' & 31, 'L' & 31, 'R':
		if k == 'R' {
			p.text.src.grow()
			p.text.buf, p.text.base = nil, 0
			p.forget()
		}
		p.fill(p.top())
		p.paint()
	case keyRight, keyEsc + ')':
		p.shift(1)
	case keyLeft, keyEsc + '(':
		p.shift(-1)
	case '/', '?':
		p.begin(string(rune(k)))
		return
	case 'n', keyEsc + 'n':
		p.again(p.lastDir)
		return
	case 'N', keyEsc + 'N':
		p.again(-p.lastDir)
		return
	case keyEsc + 'u':
		p.set.noHighlight = !p.set.noHighlight
		p.apply()
		p.fill(p.top())
		p.paint()
	case '=', 'G' & 31:
		p.count = p.count[:0]
		p.info()
		return
	case 'm', '\'', ':', '-', '_', 'X' & 31, 'Z':
		p.prefix, p.mode = k, modePrefix
		p.tell()
		return
	case 'h', 'H':
		p.help()
	case 'F':
		p.jump(p.bottom())
		p.mode = modeFollow
	case 'V':
		p.complain("less (wsandbox)")
		return
	case 'v', '!', '|', 's', '&', '#':
		p.complain("Command not available")
		return
	default:
		p.beep()
	}
	p.count = p.count[:0]
	if !p.quit && p.mode != modeMessage {
		p.tell()
	}
}

func (p *pager) complain(s string) {
	p.count = p.count[:0]
	p.message(s)
}

// jump shows another place of the text.
func (p *pager) jump(at place) {
	p.before = filePlace{p.file, p.top()}
	p.moved()
	p.show(at)
}

func (p *pager) moved() {
	p.fresh = false
	p.endHits = 0
}

// forward scrolls down by n rows, or with force behind the end.
func (p *pager) forward(n int, force bool) {
	if p.atEnd() || len(p.shown) < p.height() {
		p.endHits++
		if p.mode != modeHelp && (p.set.quitAtEnd || p.set.quitSecond && p.endHits > 1) {
			if p.file+1 == len(p.files) {
				p.quit = true
				return
			}
			p.change(1)
			return
		}
		if !force {
			p.beep()
			return
		}
	}
	p.fresh = false
	old := append([]place(nil), p.shown...)
	if len(old) == 0 {
		return
	}
	top, last := p.top(), old[len(old)-1]
	moved := 0
	for moved < n && !p.interrupt() {
		next, ok := p.after(last)
		if !ok {
			break
		}
		last = next
		if top, ok = p.after(top); !ok {
			break
		}
		moved++
	}
	if moved == 0 {
		return
	}
	p.fill(top)
	p.scroll(old)
	if p.set.quitAtEnd && p.atEnd() && p.file+1 == len(p.files) && p.mode != modeHelp {
		p.quit = true
	}
}

func (p *pager) backward(n int) {
	top := p.top()
	moved := false
	for ; n > 0 && !p.interrupt(); n-- {
		q, ok := p.prior(top)
		if !ok {
			break
		}
		top, moved = q, true
	}
	if !moved {
		p.beep()
		return
	}
	p.moved()
	p.show(top)
}

// shift moves the window sideways, by half a screen or as the count says.
func (p *pager) shift(dir int) {
	n := p.cols / 2
	if p.set.shift > 0 {
		n = p.set.shift
	}
	if len(p.count) > 0 {
		n = p.number(n)
		p.set.shift = min(n, 1<<20)
	}
	p.view.left = min(max(0, p.view.left+dir*min(n, 1<<20)), maxPiece*4)
	p.set.chop = p.set.chop || p.view.left > 0
	left := p.view.left
	p.apply()
	p.view.left = left
	p.fill(place{line: p.top().line})
	p.paint()
}

// begin starts to read a line for a command.
func (p *pager) begin(what string) {
	p.mode, p.inputFor = modeInput, what
	p.input, p.inverted, p.literal = p.input[:0], false, false
	p.tell()
}

// typed is a key while a line is being typed.
func (p *pager) typed(k key) {
	switch {
	case k == '\n' || k == '\r':
		p.mode = modeCommand
		if p.saved != nil {
			p.mode = modeHelp
		}
		p.entered(p.inputFor, string(p.input))
		return
	case k == '\b' || k == 0x7f:
		if len(p.input) == 0 {
			p.cancel()
			return
		}
		_, n := utf8.DecodeLastRune(p.input)
		p.input = p.input[:len(p.input)-n]
	case k == 'U'&31:
		p.input = p.input[:0]
	case k == 'G'&31 || k == 'C'&31 || k > 0x110000:
		p.cancel()
		return
	case len(p.input) == 0 && (p.inputFor == "/" || p.inputFor == "?") && (k == 'N'&31 || k == '!'):
		p.inverted = !p.inverted
	case len(p.input) == 0 && (p.inputFor == "/" || p.inputFor == "?") && k == 'R'&31:
		p.literal = !p.literal
	case len(p.input) < maxInput:
		p.input = append(p.input, byte(k))
	}
	p.tell()
}

// cancel goes back to commands.
func (p *pager) cancel() {
	p.mode, p.count = modeCommand, p.count[:0]
	if p.saved != nil {
		p.mode = modeHelp
	}
	p.tell()
}

// entered runs a command whose line is complete.
func (p *pager) entered(what, s string) {
	switch what {
	case "/", "?":
		dir := 1
		if what == "?" {
			dir = -1
		}
		if s != "" {
			fold := p.set.ignoreAll || p.set.ignoreCase && !hasUpper(s)
			re, err := newPattern(s, p.literal, fold, p.inverted, p.set.utf8)
			if err != nil {
				p.complain("Invalid pattern: " + err.Error())
				return
			}
			p.found, p.last = re, s
			p.forget()
			p.lastDir = dir
			p.look(dir, true)
			return
		}
		p.lastDir = dir
		p.again(dir)
		return
	case "Examine: ":
		for s != "" && s[0] == ' ' {
			s = s[1:]
		}
		if s == "" {
			break
		}
		p.files = append(p.files[:p.file+1], append([]document{{name: s}}, p.files[p.file+1:]...)...)
		if at := p.file; !p.change(1) {
			p.files = append(p.files[:at+1], p.files[at+2:]...)
		}
	}
	p.count = p.count[:0]
	if !p.quit && p.mode != modeMessage {
		p.tell()
	}
}

// again repeats the last search.
func (p *pager) again(dir int) {
	if p.found == nil {
		p.complain("No previous regular expression")
		return
	}
	p.look(dir, false)
}

// look searches in a direction, as often as the count says. A new search looks
// at what is on the screen too.
func (p *pager) look(dir int, fresh bool) {
	n := p.number(1)
	p.count = p.count[:0]
	at := p.top().line
	if fresh && len(p.shown) > 0 {
		if dir < 0 {
			at = p.end()
		}
	} else if dir > 0 && len(p.shown) > 0 {
		at = p.lay(at).next
	}
	off := int64(-1)
	for ; n > 0; n-- {
		if dir > 0 {
			off = p.found.forward(p.text, &p.style, at, p.interrupt)
			if off < 0 {
				break
			}
			at = p.lay(off).next
		} else {
			off = p.found.backward(p.text, &p.style, at, p.interrupt)
			if off < 0 {
				break
			}
			at = off
		}
	}
	if off < 0 {
		p.fill(p.top())
		p.paint()
		p.message("Pattern not found")
		return
	}
	p.before = filePlace{p.file, p.top()}
	p.moved()
	p.fill(place{line: off})
	p.paint() // with what matches
	p.tell()
}

// info says where in the text the screen is.
func (p *pager) info() {
	s := p.files[p.file].name
	if s == "-" {
		s = ""
	}
	s += p.list()
	if w := p.where(); w != "" {
		if s != "" {
			s += " "
		}
		s += w
		s += " byte " + strconv.FormatInt(p.end(), 10)
		if n, complete := p.text.src.size(); complete {
			s += "/" + strconv.FormatInt(n, 10) + " "
			if p.atEnd() {
				s += "(END)"
			} else {
				s += p.percent()
			}
		}
	}
	p.message(s)
}

// second is the key behind a prefix.
func (p *pager) second(k key) {
	p.mode = modeCommand
	if p.saved != nil {
		p.mode = modeHelp
	}
	switch p.prefix {
	case ':':
		switch k {
		case 'n':
			p.change(p.number(1))
		case 'p':
			p.change(-p.number(1))
		case 'x':
			p.change(p.number(1) - 1 - p.file)
		case 'd':
			p.drop()
		case 'e':
			p.begin("Examine: ")
			return
		case 'f':
			p.count = p.count[:0]
			p.info()
			return
		case 'q', 'Q':
			p.quit = true
		default:
			p.beep()
		}
	case 'Z':
		p.quit = k == 'Z'
	case 'm':
		if k >= 'a' && k <= 'z' || k >= 'A' && k <= 'Z' {
			p.marks[byte(k)] = filePlace{p.file, p.top()}
		} else {
			p.beep()
		}
	case '\'', 'X' & 31:
		p.toMark(k)
	case '-', '_':
		p.toggle(k, p.prefix == '-')
	}
	p.count = p.count[:0]
	if !p.quit && p.mode != modeMessage {
		p.tell()
	}
}

func (p *pager) toMark(k key) {
	switch {
	case k == '^':
		p.jump(place{})
	case k == '$':
		p.jump(p.bottom())
	default:
		m, ok := p.before, true
		if k != '\'' && k != 'X'&31 {
			m, ok = p.marks[byte(k)]
		}
		if !ok || k > 255 {
			p.complain("Mark not set")
			return
		}
		if m.file != p.file && m.file < len(p.files) {
			p.change(m.file - p.file)
		}
		if m.file == p.file {
			p.jump(m.at)
		}
	}
}

// toggle flips an option, or with set false only says what it is.
func (p *pager) toggle(k key, set bool) {
	flip := func(b *bool, off, on string) {
		if set {
			*b = !*b
		}
		s := off
		if *b {
			s = on
		}
		p.apply()
		if set {
			p.fill(place{line: p.top().line})
			p.paint()
		}
		p.message(s)
	}
	s := &p.set
	switch k {
	case 'S':
		flip(&s.chop, "Fold long lines", "Chop long lines")
	case 'N':
		flip(&s.numbers, "Don't use line numbers", "Constantly display line numbers")
	case 'n':
		if set {
			s.numbers = false
		}
		p.apply()
		p.fill(p.top())
		p.paint()
	case 'i':
		flip(&s.ignoreCase, "Case is significant in searches", "Ignore case in searches")
	case 'I':
		flip(&s.ignoreAll, "Case is significant in searches", "Ignore case in searches and in patterns")
	case 'R':
		flip(&s.colors, "Display control characters as ^X", "Display ANSI sequences directly, other control characters as ^X")
	case 'r':
		flip(&s.raw, "Display control characters as ^X", "Display control characters directly")
	case 'G':
		flip(&s.noHighlight, "Highlight matches for search pattern", "Don't highlight matches for search pattern")
	case 'E':
		flip(&s.quitAtEnd, "Don't quit at end-of-file", "Quit immediately at end-of-file")
	case 'e':
		flip(&s.quitSecond, "Don't quit at end-of-file", "Quit at end-of-file")
	case 'q':
		flip(&s.quiet, "Ring the bell for errors AND at eof/bof", "Never ring the bell")
	case 's':
		flip(&s.squeeze, "Display all blank lines", "Squeeze multiple blank lines")
	case 'm', 'M':
		if set {
			s.prompt = map[key]int{'m': 1, 'M': 2}[k]
		}
		p.message([...]string{"Short prompt", "Medium prompt", "Long prompt"}[s.prompt])
	default:
		if k > 255 || k < ' ' {
			k = '?'
		}
		p.message("There is no " + string([]byte{'-', byte(k)}) + " option")
	}
}

// change goes to another file of the list and reports whether it did.
func (p *pager) change(by int) bool {
	i := p.file + by
	if i < 0 || i >= len(p.files) {
		if by < 0 {
			p.complain("No previous file")
		} else {
			p.complain("No next file")
		}
		return false
	}
	old := p.file
	p.files[old].top = p.top()
	p.before = filePlace{old, p.top()}
	if err := p.load(i); err != nil {
		p.complain(p.files[i].name + ": " + err.Error())
		return false
	}
	p.file = i
	p.fill(p.files[i].top)
	p.paint()
	return true
}

// drop takes the current file out of the list.
func (p *pager) drop() {
	if len(p.files) < 2 {
		p.complain("Cannot remove the last file")
		return
	}
	i := p.file
	by := 1
	if i+1 == len(p.files) {
		by = -1
	}
	if p.change(by); p.mode == modeMessage {
		return
	}
	p.files[i].text.src.close()
	p.files = append(p.files[:i], p.files[i+1:]...)
	if by > 0 {
		p.file--
	}
	p.marks = map[byte]filePlace{}
	p.before = filePlace{}
}

// help shows what the keys do.
func (p *pager) help() {
	if p.saved != nil {
		p.beep()
		return
	}
	d := p.files[p.file]
	d.top = p.top()
	p.saved = &d
	p.files[p.file] = document{name: "HELP", text: newText(bytesSource(helpText))}
	_ = p.load(p.file) // it is in memory
	p.mode = modeHelp
	p.fill(place{})
	p.paint()
}

func (p *pager) leaveHelp() {
	top := p.saved.top
	p.files[p.file], p.saved = *p.saved, nil
	p.mode = modeCommand
	_ = p.load(p.file) // it is open
	p.fresh = false
	p.fill(top)
	p.paint()
}

// follow looks for more text in follow mode and shows it.
func (p *pager) follow() {
	if !p.text.src.grow() {
		return
	}
	p.forget()
	p.text.buf, p.text.base = nil, 0
	n, _ := p.text.src.size()
	s, ok := p.text.prev(n)
	if ok {
		p.show(place{s, max(0, len(p.lay(s).rows)-1)})
		p.tell()
	}
}

// abort ends what is waiting, as an interrupt does.
func (p *pager) abort() {
	if p.mode == modeInput || p.mode == modePrefix {
		p.cancel()
		return
	}
	if p.mode == modeFollow {
		p.mode = modeCommand
	}
	p.count = p.count[:0]
	p.tell()
}

// bytesSource is a source in memory.
type bytesSource string

func (b bytesSource) read(to []byte, off int64) (int, error) {
	if off >= int64(len(b)) {
		return 0, nil
	}
	return copy(to, b[off:]), nil
}

func (b bytesSource) size() (int64, bool) { return int64(len(b)), true }
func (b bytesSource) grow() bool          { return false }
func (b bytesSource) close()              {}

const helpText = `                   SUMMARY OF LESS COMMANDS

  h  H                 Display this help.
  q  :q  Q  :Q  ZZ     Exit.

                           MOVING
  e  ^E  j  ^N  CR     Forward  one line   (or N lines).
  y  ^Y  k  ^K  ^P     Backward one line   (or N lines).
  f  ^F  ^V  SPACE     Forward  one window (or N lines).
  b  ^B  ESC-v         Backward one window (or N lines).
  z  w                 Forward, backward one window, and set it to N.
  d  ^D  u  ^U         Forward, backward half a window, and set it to N.
  RightArrow  ESC-)    Right half a screen width (or N columns).
  LeftArrow   ESC-(    Left  half a screen width (or N columns).
  F                    Forward forever; like "tail -f".
  r  ^R  ^L  R         Repaint the screen; R reads the file again.

                          SEARCHING
  /pattern             Search forward for (N-th) matching line.
  ?pattern             Search backward for (N-th) matching line.
                       Before the pattern: ! or ^N for lines that do not
                       match, ^R for no regular expression.
  n  N                 Repeat the search, in the other direction.
  ESC-u                Undo (toggle) search highlighting.

                           JUMPING
  g  <  ESC-<  Home    Go to the first line in the file (or line N).
  G  >  ESC->  End     Go to the last line in the file (or line N).
  p  %                 Go to the beginning of the file (or N percent into it).
  m<letter>  '<letter> Mark the current position, go to a mark.
  ''                   Go to the previous position.

                        CHANGING FILES
  :e name              Examine a new file.
  :n  :p  :x           Examine the next, previous, first file.
  :d                   Delete the current file from the list.
  =  ^G  :f            Print the current file name and position.

                           OPTIONS
  -<flag>  _<flag>     Toggle or display a command line option:
      -N line numbers     -S chop long lines    -R colours     -r raw
      -i -I ignore case   -G no highlighting    -e -E quit at the end
      -m -M longer prompts                      -q no bell
`
