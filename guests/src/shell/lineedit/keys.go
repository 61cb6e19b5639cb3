// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package lineedit

import (
	"bytes"
	"unicode/utf8"
)

// input is the state of the decoder of keys.
type input struct {
	state state
	seq   []byte // of a control sequence or a paste
	char  []byte // of a character that is not complete
}

type state uint8

const (
	plain   state = iota
	escape        // behind ESC
	csi           // behind ESC [
	ss3           // behind ESC O
	quoted        // behind ^V
	paste         // behind the start of a bracketed paste
	control       // behind ^X
)

// maxSequence bounds control sequences.
const maxSequence = 32

// pasteEnd ends a bracketed paste.
var pasteEnd = []byte("\x1b[201~")

func ctrl(c byte) byte { return c & 0x1f }

// key takes one byte.
func (e *Editor) key(c byte) Event {
	in := &e.input
	switch in.state {
	case escape:
		in.state = plain
		switch c {
		case '[':
			in.state, in.seq = csi, in.seq[:0]
		case 'O':
			in.state = ss3
		default:
			return e.meta(c)
		}
		return None
	case csi:
		if c >= 0x40 && c <= 0x7e {
			in.state = plain
			return e.sequence(string(in.seq), c)
		}
		if in.seq = append(in.seq, c); c < ' ' || len(in.seq) > maxSequence {
			in.state = plain
		}
		return None
	case ss3:
		in.state = plain
		return e.sequence("", c)
	case quoted:
		in.state = plain
		if c < utf8.RuneSelf {
			e.change(func() { e.insert(rune(c)) })
			return None
		}
	case paste:
		return e.pasted(c)
	case control:
		in.state = plain
		if c == ctrl('U') {
			e.undoLast()
		} else if c == ctrl('X') {
			// Exchanging point and mark needs a mark.
			e.bell()
		}
		return None
	}
	if c >= utf8.RuneSelf || len(in.char) > 0 {
		return e.character(c)
	}
	return e.command(c)
}

// character takes a byte of a character that is not ASCII.
func (e *Editor) character(c byte) Event {
	in := &e.input
	if len(in.char) > 0 && (c < 0x80 || c >= 0xc0) {
		// The character before is not complete.
		e.flush()
		return e.key(c)
	}
	in.char = append(in.char, c)
	if utf8.FullRune(in.char) {
		e.flush()
	}
	return None
}

// flush types the bytes of a character.
func (e *Editor) flush() {
	for _, r := range runes(string(e.input.char)) {
		e.typed(r)
	}
	e.input.char = e.input.char[:0]
}

// typed takes a character that stands for itself.
func (e *Editor) typed(r rune) {
	switch {
	case e.question != nil:
		e.answer(r)
	case e.search != nil:
		e.search.query = append(e.search.query, r)
		e.searchOn(false)
	default:
		e.selfInsert(r)
	}
}

func (e *Editor) selfInsert(r rune) {
	e.forget()
	e.tabs = 0
	if len(e.buf) >= MaxLine {
		e.bell()
		return
	}
	if !e.typing || e.pos != len(e.buf) {
		e.save()
	}
	e.insert(r)
	e.typing = e.pos == len(e.buf)
	e.draw()
}

// pasted takes a byte of a bracketed paste.
func (e *Editor) pasted(c byte) Event {
	in := &e.input
	in.seq = append(in.seq, c)
	if !bytes.HasSuffix(in.seq, pasteEnd) {
		if len(in.seq) > 4*MaxLine {
			in.seq = in.seq[len(in.seq)-len(pasteEnd):]
			e.bell()
		}
		return None
	}
	b := bytes.ReplaceAll(in.seq[:len(in.seq)-len(pasteEnd)], []byte("\r\n"), []byte("\n"))
	r := runes(string(bytes.ReplaceAll(b, []byte("\r"), []byte("\n"))))
	in.state, in.seq = plain, nil
	if e.search != nil {
		e.endSearch(false)
	}
	if len(r) > MaxLine-len(e.buf) {
		r = r[:MaxLine-len(e.buf)]
		e.bell()
	}
	e.question = nil
	e.change(func() { e.insert(r...) })
	return None
}

// sequence runs the command of a control sequence.
func (e *Editor) sequence(params string, final byte) Event {
	if final == '~' && params == "200" {
		e.input.state, e.input.seq = paste, nil
		return None
	}
	if e.question != nil {
		return None
	}
	if e.search != nil {
		e.endSearch(false)
	}
	word := params == "1;5" || params == "1;3" || params == "5" || params == "3"
	switch {
	case final == 'A':
		e.history(-1)
	case final == 'B':
		e.history(1)
	case final == 'C' && word:
		e.move(e.wordEnd(e.pos))
	case final == 'C':
		e.move(e.next(e.pos))
	case final == 'D' && word:
		e.move(e.wordStart(e.pos))
	case final == 'D':
		e.move(e.previous(e.pos))
	case final == 'H', final == '~' && (params == "1" || params == "7"):
		e.move(0)
	case final == 'F', final == '~' && (params == "4" || params == "8"):
		e.move(len(e.buf))
	case final == '~' && params == "3":
		e.deleteChar()
	case final == '~' && (params == "3;5" || params == "3;3"):
		e.killTo(e.wordEnd(e.pos), false)
	case final == '~' && params == "5":
		e.historyTo(0)
	case final == '~' && params == "6":
		e.historyTo(e.histLen())
	}
	return None
}

// meta runs the command of a key behind ESC.
func (e *Editor) meta(c byte) Event {
	if e.question != nil {
		return None
	}
	if e.search != nil {
		e.endSearch(false)
		if c == 0x1b {
			return None
		}
	}
	switch c {
	case 0x1b:
		e.input.state = escape
	case 'b', 'B':
		e.move(e.wordStart(e.pos))
	case 'f', 'F':
		e.move(e.wordEnd(e.pos))
	case 'd', 'D':
		e.killTo(e.wordEnd(e.pos), false)
	case 0x7f, ctrl('H'):
		e.killTo(e.wordStart(e.pos), true)
	case 'u', 'U':
		e.caseWord(upper)
	case 'l', 'L':
		e.caseWord(lower)
	case 'c', 'C':
		e.caseWord(capital)
	case 't', 'T':
		e.transposeWords()
	case 'y', 'Y':
		e.yankPop()
	case '.', '_':
		e.yankLastArg()
	case '<':
		e.historyTo(0)
	case '>':
		e.historyTo(e.histLen())
	case 'r', 'R':
		e.revert()
	case '?', '=':
		e.list()
	case '\\':
		e.deleteBlanks()
	case ctrl('L'):
		e.clear()
	default:
		e.bell()
	}
	return None
}

// command runs the command of an ASCII key.
func (e *Editor) command(c byte) Event {
	if e.question != nil && c != ctrl('C') {
		e.answer(rune(c))
		return None
	}
	if e.search != nil {
		if ev, done := e.searchKey(c); done {
			return ev
		}
	}
	if c != '\t' {
		e.tabs = 0
	}
	switch c {
	case '\r', '\n':
		return Accept
	case ctrl('C'):
		e.question = nil
		return Interrupt
	case ctrl('D'):
		if len(e.buf) == 0 {
			return EOF
		}
		e.deleteChar()
	case ctrl('A'):
		e.move(0)
	case ctrl('E'):
		e.move(len(e.buf))
	case ctrl('B'):
		e.move(e.previous(e.pos))
	case ctrl('F'):
		e.move(e.next(e.pos))
	case ctrl('P'):
		e.history(-1)
	case ctrl('N'):
		e.history(1)
	case ctrl('K'):
		e.killTo(len(e.buf), false)
	case ctrl('U'):
		e.killTo(0, true)
	case ctrl('W'):
		e.killTo(e.blankStart(e.pos), true)
	case ctrl('Y'):
		e.yank()
	case ctrl('T'):
		e.transpose()
	case ctrl('L'):
		e.clear()
	case ctrl('R'):
		e.startSearch(true)
	case ctrl('S'):
		e.startSearch(false)
	case ctrl('_'):
		e.undoLast()
	case ctrl('X'):
		e.input.state = control
	case ctrl('V'), ctrl('Q'):
		e.input.state = quoted
	case ctrl('G'):
		e.forget()
		e.bell()
	case ctrl('H'), 0x7f:
		e.backspace()
	case '\t':
		e.complete()
	case 0x1b:
		e.input.state = escape
	default:
		if c >= ' ' {
			e.typed(rune(c))
		}
	}
	return None
}
