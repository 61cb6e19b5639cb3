// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package lineedit

import "unicode/utf8"

// Event says what has become of the line.
type Event uint8

const (
	None      Event = iota
	Accept          // it is complete: Line
	EOF             // ^D on an empty line
	Interrupt       // ^C
)

// History has the lines before, oldest first.
type History interface {
	Len() int
	At(i int) string
}

// MaxLine bounds the line in characters. More is refused with a bell.
const MaxLine = 1 << 20

// Editor edits lines, one after the other.
type Editor struct {
	// History may be nil.
	History History
	// Complete may be nil. It returns what the word of text that ends at byte
	// at may become.
	Complete func(text string, at int) Completion
	// Paste switches the terminal's bracketed paste on while a line is edited.
	Paste bool

	buf  []rune // bytes that are no UTF-8 are invalid+byte
	pos  int
	cols int
	out  []byte

	prompt string
	screen screen
	input  input
	undo   []snapshot
	typing bool // the last command inserted a character at the end

	kills    [][]rune // newest last
	killing  bool     // the last command killed
	yanked   int      // length of what the last command yanked, 0: none
	yankAt   int      // index into kills of it
	lastArg  int      // history line of the last M-., -1: none
	argLen   int
	histAt   int // index into the history; its length is the line itself
	edits    map[int][]rune
	search   *search
	query    []rune // of the last search
	tabs     int    // completions without progress, one after the other
	question []Word
}

type snapshot struct {
	buf []rune
	pos int
}

// invalid + b stands for the byte b that is no character, as a surrogate, which
// no text has.
const invalid = 0xdc00

// Start begins a line that holds text, on a terminal of cols columns, and
// returns what shows it. The bytes 1 and 2 enclose parts of the prompt that take
// no room.
func (e *Editor) Start(prompt, text string, cols int) []byte {
	e.out = nil
	e.prompt = prompt
	e.buf = runes(text)
	e.pos = len(e.buf)
	e.setCols(cols)
	e.undo, e.typing = nil, false
	e.killing, e.yanked, e.lastArg = false, 0, -1
	e.histAt, e.edits = e.histLen(), nil
	e.search, e.question, e.tabs = nil, nil, 0
	e.input = input{}
	if e.Paste {
		e.put("\x1b[?2004h")
	}
	e.screen = screen{}
	e.drawAll()
	return e.out
}

// Type takes a byte of input. It returns what is to be written, which is valid
// until the next call, and what has become of the line.
func (e *Editor) Type(c byte) ([]byte, Event) {
	e.out = e.out[:0]
	ev := e.key(c)
	if ev != None {
		e.leave(ev)
	}
	return e.out, ev
}

// leave moves behind the line that is done.
func (e *Editor) leave(ev Event) {
	if e.search != nil {
		e.endSearch(false)
	}
	e.pos = len(e.buf)
	e.draw()
	if ev == Interrupt {
		e.put("^C")
	}
	if ev != EOF {
		e.put("\n")
	}
	if e.Paste {
		e.put("\x1b[?2004l\r")
	}
}

// Line returns the text of the line.
func (e *Editor) Line() string { return text(e.buf) }

// Resize tells of another width of the terminal.
func (e *Editor) Resize(cols int) []byte {
	e.out = e.out[:0]
	if cols == e.cols || cols < 1 {
		return nil
	}
	e.setCols(cols)
	// The terminal has wrapped the line anew: the cursor is where the new
	// layout says.
	s := e.screen
	s.layout(e.shownPrompt(), e.buf, e.cols)
	e.up(s.at(min(e.pos, len(e.buf))).row)
	e.put("\r\x1b[J")
	e.screen = screen{}
	e.drawAll()
	return e.out
}

// Redraw shows the line anew, on a fresh line of the terminal.
func (e *Editor) Redraw() []byte {
	e.out = e.out[:0]
	e.screen = screen{}
	e.drawAll()
	return e.out
}

func (e *Editor) setCols(cols int) {
	if cols < 1 {
		cols = 80
	}
	e.cols = max(cols, 2) // for wide characters
}

func (e *Editor) put(s string) { e.out = append(e.out, s...) }

func (e *Editor) bell() { e.put("\a") }

// runes converts text.
func runes(s string) []rune {
	r := make([]rune, 0, len(s))
	for i := 0; i < len(s); {
		c, n := utf8.DecodeRuneInString(s[i:])
		if c == utf8.RuneError && n == 1 {
			c = invalid + rune(s[i])
		}
		r = append(r, c)
		i += n
	}
	return r
}

// text converts back.
func text(r []rune) string {
	b := make([]byte, 0, len(r)+8)
	for _, c := range r {
		if c >= invalid && c <= invalid+0xff {
			b = append(b, byte(c-invalid))
		} else {
			b = utf8.AppendRune(b, c)
		}
	}
	return string(b)
}
