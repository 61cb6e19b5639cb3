// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package lineedit

import (
	"slices"
	"unicode"
)

// insert puts characters at the cursor.
func (e *Editor) insert(r ...rune) {
	if e.pos == len(e.buf) {
		e.buf = append(e.buf, r...)
	} else {
		e.buf = slices.Insert(e.buf, e.pos, r...)
	}
	e.pos += len(r)
}

// remove takes the characters from a to b away and moves the cursor there.
func (e *Editor) remove(a, b int) {
	e.buf = slices.Delete(e.buf, a, b)
	e.pos = a
}

// forget ends sequences of commands that depend on each other.
func (e *Editor) forget() {
	e.killing, e.yanked, e.lastArg = false, 0, -1
}

// Bounds of undo.
const (
	maxUndo     = 100
	maxUndoLine = 1 << 16
)

// save keeps the line for undo.
func (e *Editor) save() {
	if len(e.buf) > maxUndoLine {
		return
	}
	if len(e.undo) >= maxUndo {
		e.undo = e.undo[1:]
	}
	e.undo = append(e.undo, snapshot{slices.Clone(e.buf), e.pos})
}

// change runs f, which changes the text, and shows the result.
func (e *Editor) change(f func()) {
	e.forget()
	e.typing, e.tabs = false, 0
	e.save()
	f()
	e.draw()
}

func (e *Editor) undoLast() {
	e.forget()
	e.typing = false
	n := len(e.undo)
	if n == 0 {
		e.bell()
		return
	}
	e.buf, e.pos = e.undo[n-1].buf, e.undo[n-1].pos
	e.undo = e.undo[:n-1]
	e.draw()
}

// revert undoes all changes.
func (e *Editor) revert() {
	if len(e.undo) > 0 {
		e.undo = e.undo[:1]
	}
	e.undoLast()
}

func (e *Editor) move(p int) {
	e.forget()
	e.typing, e.tabs = false, 0
	e.pos = p
	e.draw()
}

// next and previous return the start of the character behind and before p, with
// those that combine with it.
func (e *Editor) next(p int) int {
	if p < len(e.buf) {
		p++
	}
	for p < len(e.buf) && width(e.buf[p], 0) == 0 {
		p++
	}
	return p
}

func (e *Editor) previous(p int) int {
	if p > 0 {
		p--
	}
	for p > 0 && width(e.buf[p], 0) == 0 {
		p--
	}
	return p
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// wordEnd returns the end of the word at or behind p.
func (e *Editor) wordEnd(p int) int {
	for p < len(e.buf) && !isWord(e.buf[p]) {
		p++
	}
	for p < len(e.buf) && isWord(e.buf[p]) {
		p++
	}
	return p
}

// wordStart returns the start of the word before p.
func (e *Editor) wordStart(p int) int {
	for p > 0 && !isWord(e.buf[p-1]) {
		p--
	}
	for p > 0 && isWord(e.buf[p-1]) {
		p--
	}
	return p
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }

// blankStart is wordStart for words between blanks.
func (e *Editor) blankStart(p int) int {
	for p > 0 && isBlank(e.buf[p-1]) {
		p--
	}
	for p > 0 && !isBlank(e.buf[p-1]) {
		p--
	}
	return p
}

func (e *Editor) backspace() {
	if e.pos == 0 {
		e.forget()
		e.bell()
		return
	}
	e.change(func() { e.remove(e.previous(e.pos), e.pos) })
}

func (e *Editor) deleteChar() {
	if e.pos == len(e.buf) {
		e.forget()
		e.bell()
		return
	}
	e.change(func() { e.remove(e.pos, e.next(e.pos)) })
}

func (e *Editor) deleteBlanks() {
	a, b := e.pos, e.pos
	for a > 0 && isBlank(e.buf[a-1]) {
		a--
	}
	for b < len(e.buf) && isBlank(e.buf[b]) {
		b++
	}
	e.change(func() { e.remove(a, b) })
}

// maxKills bounds the texts that are kept for yanking.
const maxKills = 10

// killTo takes the text between the cursor and p away and keeps it. Texts of
// commands that follow each other are kept as one.
func (e *Editor) killTo(p int, back bool) {
	a, b := min(p, e.pos), max(p, e.pos)
	if a == b {
		e.bell()
		return
	}
	t := slices.Clone(e.buf[a:b])
	n := len(e.kills)
	switch {
	case e.killing && n > 0 && back:
		e.kills[n-1] = append(t, e.kills[n-1]...)
	case e.killing && n > 0:
		e.kills[n-1] = append(e.kills[n-1], t...)
	default:
		if n == maxKills {
			e.kills = e.kills[1:]
		}
		e.kills = append(e.kills, t)
	}
	e.change(func() { e.remove(a, b) })
	e.killing = true
}

func (e *Editor) yank() {
	if len(e.kills) == 0 {
		e.bell()
		return
	}
	e.yankText(len(e.kills) - 1)
}

func (e *Editor) yankText(i int) {
	t := e.kills[i]
	if len(t) > MaxLine-len(e.buf) {
		e.bell()
		return
	}
	e.change(func() { e.insert(t...) })
	e.yanked, e.yankAt = len(t), i
}

// yankPop replaces what was yanked by what was killed before it.
func (e *Editor) yankPop() {
	if e.yanked == 0 {
		e.bell()
		return
	}
	i := (e.yankAt + len(e.kills) - 1) % len(e.kills)
	e.remove(e.pos-e.yanked, e.pos)
	e.yankText(i)
}

// yankLastArg inserts the last word of the line before; again, of the one
// before that.
func (e *Editor) yankLastArg() {
	i := e.lastArg
	if i < 0 {
		i = e.histLen()
		e.argLen = 0
	}
	if i == 0 {
		e.bell()
		return
	}
	i--
	l := runes(e.History.At(i))
	end := len(l)
	for end > 0 && isBlank(l[end-1]) {
		end--
	}
	start := end
	for start > 0 && !isBlank(l[start-1]) {
		start--
	}
	if end-start > MaxLine-len(e.buf) {
		e.bell()
		return
	}
	n := e.argLen
	e.change(func() {
		e.remove(e.pos-n, e.pos)
		e.insert(l[start:end]...)
	})
	e.lastArg, e.argLen = i, end-start
}

// transpose exchanges the characters around the cursor and moves it on.
func (e *Editor) transpose() {
	if e.pos == 0 || len(e.buf) < 2 {
		e.bell()
		return
	}
	e.change(func() {
		if e.pos < len(e.buf) {
			e.pos++
		}
		p := e.pos
		e.buf[p-2], e.buf[p-1] = e.buf[p-1], e.buf[p-2]
	})
}

// transposeWords exchanges the words around the cursor.
func (e *Editor) transposeWords() {
	b2 := e.wordEnd(e.pos)
	b1 := e.wordStart(b2)
	a1 := e.wordStart(b1)
	a2 := a1
	for a2 < len(e.buf) && isWord(e.buf[a2]) {
		a2++
	}
	if a2 > b1 || a1 == b1 || b1 == b2 {
		e.bell()
		return
	}
	t := slices.Concat(e.buf[b1:b2], e.buf[a2:b1], e.buf[a1:a2])
	e.change(func() {
		copy(e.buf[a1:], t)
		e.pos = b2
	})
}

type wordCase uint8

const (
	upper wordCase = iota
	lower
	capital
)

func (e *Editor) caseWord(c wordCase) {
	end := e.wordEnd(e.pos)
	e.change(func() {
		first := true
		for i := e.pos; i < end; i++ {
			r := e.buf[i]
			if !isWord(r) {
				continue
			}
			if c == upper || c == capital && first {
				e.buf[i] = unicode.ToUpper(r)
			} else {
				e.buf[i] = unicode.ToLower(r)
			}
			first = false
		}
		e.pos = end
	})
}
