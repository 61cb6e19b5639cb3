// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Bounds and defaults of a Terminal.
const (
	DefaultRows    = 40
	DefaultCols    = 120
	MaxRows        = 500
	MaxCols        = 1000
	DefaultMaxText = 1 << 20

	maxTitle   = 1024    // bytes
	maxReplies = 4 << 10 // bytes of replies not taken yet
	maxFrames  = 16      // pictures of the alternate screen in one poll
)

// Frames says how Poll shows a program on the alternate screen.
type Frames uint8

// Ways of Frames.
const (
	FramesShow   Frames = iota // its picture, below a heading
	FramesNotice               // the heading only
	FramesOmit                 // nothing
)

// Options of a Terminal. The zero value is usable.
type Options struct {
	Rows, Cols int  // size, 0 for the default; clamped to MaxRows and MaxCols
	MaxText    int  // bytes of text kept between two polls, 0 for DefaultMaxText; the middle goes first
	Newline    bool // a line feed also returns the cursor: for streams that passed no line discipline
	Controls   Controls
	Frames     Frames
	Name       string // answer to XTVERSION, "wsandbox" if empty
}

// Terminal is an emulated terminal. It is not safe for concurrent use.
type Terminal struct {
	opt    Options
	parser parser

	rows, cols int
	primary    grid
	alternate  grid // its rows are made when they are needed
	g          *grid
	cur        cursor
	savedMain  cursor
	savedAlt   cursor
	back       cursor // of the primary screen while the alternate one is shown
	top, bot   int    // scrolling region, bot exclusive
	tabs       []bool
	mode       Modes
	last       rune // for REP
	title      string
	replies    []byte
	nextID     uint64

	// What Poll has given and will give.
	out        headTail
	mid        bool   // the text ends within a line
	open       uint64 // the row in which it ends, if it does
	wraps      bool   // that row goes on in the next
	cleared    int64
	frameHash  uint64
	frameLines []string // of the picture given last of this program
	frames     int      // since the last poll
	scratch    []byte
}

type grid struct{ rows []*row }

// cursor is what DECSC saves.
type cursor struct {
	x, y   int
	wrap   bool // the next character goes to the next line
	attr   Attr
	origin bool
	gl     int     // G0 or G1
	graph  [2]bool // G0, G1 are DEC special graphics
}

// Modes are states of the terminal that concern its input.
type Modes struct {
	AppCursor      bool // DECCKM: arrows and Home, End send SS3
	AppKeypad      bool // DECKPAM
	BracketedPaste bool
	Focus          bool
	Mouse          int // 0, or the number of the tracking mode: 9, 1000, 1002, 1003
	MouseSGR       bool
	Alternate      bool // the alternate screen is shown

	insert, newline, noWrap, hidden, reverse, sync bool
	style                                          int // DECSCUSR
}

// New returns a terminal with a blank screen.
func New(o Options) *Terminal {
	if o.Rows <= 0 {
		o.Rows = DefaultRows
	}
	if o.Cols <= 0 {
		o.Cols = DefaultCols
	}
	if o.MaxText <= 0 {
		o.MaxText = DefaultMaxText
	}
	if o.Name == "" {
		o.Name = "wsandbox"
	}
	t := &Terminal{opt: o, rows: min(o.Rows, MaxRows), cols: min(o.Cols, MaxCols), nextID: 1}
	t.out.max = o.MaxText
	t.primary = t.newGrid()
	t.g = &t.primary
	t.setTabs()
	t.bot = t.rows
	t.mode.newline = o.Newline
	return t
}

func (t *Terminal) newGrid() grid {
	g := grid{rows: make([]*row, t.rows)}
	for i := range g.rows {
		g.rows[i] = &row{cells: make([]cell, t.cols), id: t.id()}
	}
	return g
}

func (t *Terminal) id() uint64 { t.nextID++; return t.nextID }

func (t *Terminal) setTabs() {
	t.tabs = make([]bool, t.cols)
	for i := 8; i < t.cols; i += 8 {
		t.tabs[i] = true
	}
}

// Write takes output of the program. It takes all of p and never fails.
func (t *Terminal) Write(p []byte) (int, error) {
	t.parser.write(p, (*performer)(t))
	return len(p), nil
}

// Replies returns the answers to what the program has asked so far and forgets
// them. They are to be written to the master side as input. At most 4 KiB wait;
// an answer that has no room is dropped.
func (t *Terminal) Replies() []byte {
	r := t.replies
	t.replies = nil
	return r
}

func (t *Terminal) reply(format string, args ...any) {
	b := fmt.Appendf(nil, format, args...)
	if len(t.replies)+len(b) > maxReplies {
		return
	}
	t.replies = append(t.replies, b...)
}

// Title returns the title that the program has set, made visible by
// Options.Controls, at most 1 KiB.
func (t *Terminal) Title() string { return t.title }

// Modes returns the states that concern input.
func (t *Terminal) Modes() Modes { return t.mode }

// Size returns the size in characters.
func (t *Terminal) Size() (rows, cols int) { return t.rows, t.cols }

// Resize changes the size, clamped to [1, MaxRows] and [1, MaxCols]. Lines are
// cut or extended, not wrapped anew. Where the screen gets lower, lines leave
// it at the top as far as the cursor needs the room. What is cut off was given
// to the text first.
func (t *Terminal) Resize(rows, cols int) {
	rows, cols = min(max(rows, 1), MaxRows), min(max(cols, 1), MaxCols)
	if rows == t.rows && cols == t.cols {
		return
	}
	t.sync()
	cur := &t.cur
	if t.mode.Alternate {
		cur = &t.back
	}
	if over := cur.y - rows + 1; over > 0 {
		// The rows were given by sync: dropping them loses nothing.
		t.primary.rows = append(t.primary.rows[over:], t.primary.rows[:over]...)
		for _, r := range t.primary.rows[len(t.primary.rows)-over:] {
			r.reset(t.cols, 0, t.id())
		}
		cur.y -= over
	}
	t.rows, t.cols = rows, cols
	for _, g := range []*grid{&t.primary, &t.alternate} {
		if g.rows == nil {
			continue
		}
		if len(g.rows) > rows {
			clear(g.rows[rows:])
			g.rows = g.rows[:rows]
		}
		for _, r := range g.rows {
			r.resize(cols)
			if r.given {
				r.shown = t.rowText(r, cols)
			}
		}
		for len(g.rows) < rows {
			g.rows = append(g.rows, &row{cells: make([]cell, cols), id: t.id()})
		}
	}
	t.top, t.bot = 0, rows
	old := len(t.tabs)
	if cols < old {
		t.tabs = t.tabs[:cols]
	}
	for i := old; i < cols; i++ {
		t.tabs = append(t.tabs, i%8 == 0)
	}
	for _, c := range []*cursor{&t.cur, &t.savedMain, &t.savedAlt, &t.back} {
		c.x, c.y, c.wrap = min(c.x, cols-1), min(c.y, rows-1), false
	}
}

// Snapshot is the picture of a moment.
type Snapshot struct {
	Rows, Cols int
	Lines      []string // one for each row, without blanks at the end
	Row, Col   int      // position of the cursor, from 0
	Hidden     bool     // the cursor is hidden
	Alternate  bool     // the alternate screen is shown
	Title      string
	Spans      [][]Span // for each row, if asked for
}

// Span is a run of cells with the same attributes.
type Span struct {
	Start, End int // columns, End exclusive
	Attr       Attr
}

// Snapshot returns what the screen shows, with the attributes of all cells that
// differ from the default if spans is set.
func (t *Terminal) Snapshot(spans bool) Snapshot {
	s := Snapshot{Rows: t.rows, Cols: t.cols, Row: t.cur.y, Col: t.cur.x, Hidden: t.mode.hidden,
		Alternate: t.mode.Alternate, Title: t.title, Lines: make([]string, t.rows)}
	for i, r := range t.g.rows {
		s.Lines[i] = trimmed(r.text(t.opt.Controls, 0, false))
	}
	if spans {
		s.Spans = make([][]Span, t.rows)
		for i, r := range t.g.rows {
			s.Spans[i] = r.spans()
		}
	}
	return s
}

func (r *row) spans() []Span {
	var all []Span
	for x := 0; x < r.used; {
		end := x + 1
		for end < r.used && r.cells[end].attr == r.cells[x].attr {
			end++
		}
		if r.cells[x].attr != (Attr{}) {
			all = append(all, Span{x, end, r.cells[x].attr})
		}
		x = end
	}
	return all
}

// row returns the row of the cursor.
func (t *Terminal) row() *row { return t.g.rows[t.cur.y] }

// scrollUp moves the rows of [top, bot) up by n. Rows of the primary screen
// that leave are final.
func (t *Terminal) scrollUp(top, bot, n int, final bool) {
	n = min(n, bot-top)
	if n <= 0 {
		return
	}
	rows := t.g.rows[top:bot]
	for _, r := range rows[:n] {
		if t.g == &t.primary {
			if final {
				t.finish(r)
			} else {
				t.forget(r)
			}
		}
		r.reset(t.cols, t.cur.attr.Background, t.id())
	}
	rotate(rows, n)
}

// scrollDown moves the rows of [top, bot) down by n.
func (t *Terminal) scrollDown(top, bot, n int) {
	n = min(n, bot-top)
	if n <= 0 {
		return
	}
	rows := t.g.rows[top:bot]
	for _, r := range rows[len(rows)-n:] {
		if t.g == &t.primary {
			t.forget(r)
		}
		r.reset(t.cols, t.cur.attr.Background, t.id())
	}
	rotate(rows, len(rows)-n)
}

// rotate moves the first n rows behind the others.
func rotate(rows []*row, n int) {
	if n == 1 {
		first := rows[0]
		copy(rows, rows[1:])
		rows[len(rows)-1] = first
		return
	}
	all := make([]*row, 0, len(rows))
	all = append(append(all, rows[n:]...), rows[:n]...)
	copy(rows, all)
}

// clip returns the first n bytes of b, cut at a character.
func clip(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n]
}

func (t *Terminal) setTitle(b []byte) {
	t.title = string(clip([]byte(oneLine(string(bytes.ToValidUTF8(clip(b, maxTitle), []byte("\ufffd"))), t.opt.Controls)), maxTitle))
}
