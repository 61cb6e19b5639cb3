// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package lineedit

import (
	"slices"
	"strconv"
)

// Completion is what the word before the cursor may become.
type Completion struct {
	From  int // offset of the word in the text
	Words []Word
}

// Word is a completion.
type Word struct {
	Text string // replaces the word
	Show string // in lists
	End  string // follows where it is the only one
}

// maxListed is how many completions are listed without a question.
const maxListed = 100

// completions asks for the completions at the cursor.
func (e *Editor) completions() (from int, words []Word) {
	if e.Complete == nil {
		return 0, nil
	}
	t := text(e.buf[:e.pos])
	c := e.Complete(t, len(t))
	if c.From < 0 || c.From > len(t) {
		return 0, nil
	}
	return len(runes(t[:c.From])), c.Words
}

// complete is Tab: the word grows as far as all completions agree; where it does
// not, the second Tab lists them.
func (e *Editor) complete() {
	e.tabs++
	from, words := e.completions()
	switch {
	case len(words) == 0:
		e.forget()
		e.bell()
		e.tabs = 0
		return
	case len(words) == 1:
		e.replace(from, words[0].Text+words[0].End)
		e.tabs = 0
		return
	}
	common := runes(words[0].Text)
	for _, w := range words[1:] {
		r := runes(w.Text)
		n := 0
		for n < len(r) && n < len(common) && r[n] == common[n] {
			n++
		}
		common = common[:n]
	}
	if len(common) > e.pos-from {
		tabs := e.tabs
		e.replace(from, text(common))
		e.tabs = tabs
		return
	}
	if e.tabs < 2 {
		e.forget()
		e.bell()
		return
	}
	e.show(words)
}

// replace puts t in place of the text from from to the cursor.
func (e *Editor) replace(from int, t string) {
	r := runes(t)
	if len(r) > MaxLine-len(e.buf) {
		e.bell()
		return
	}
	e.change(func() {
		e.remove(from, e.pos)
		e.insert(r...)
	})
}

// list shows the completions at once.
func (e *Editor) list() {
	if _, words := e.completions(); len(words) > 0 {
		e.show(words)
		return
	}
	e.bell()
}

// show lists completions, after a question where they are many.
func (e *Editor) show(words []Word) {
	e.forget()
	e.typing = false
	if len(words) > maxListed && e.question == nil {
		e.question = words
		e.below()
		e.put("Display all " + strconv.Itoa(len(words)) + " possibilities? (y or n)")
		return
	}
	if e.question == nil {
		e.below()
	}
	e.question = nil
	l := make([]string, 0, len(words))
	for _, w := range words {
		l = append(l, printable(w.Show))
	}
	slices.Sort(l)
	e.out = append(e.out, columns(slices.Compact(l), e.cols)...)
	e.drawAll()
}

// printable replaces control characters, which names of files may have.
func printable(s string) string {
	r := runes(s)
	for i, c := range r {
		if c < ' ' || c == 0x7f || c >= 0x80 && c < 0xa0 || c >= invalid && c <= invalid+0xff {
			r[i] = '?'
		}
	}
	return text(r)
}

// answer takes the answer to the question.
func (e *Editor) answer(r rune) {
	switch r {
	case 'y', 'Y', ' ':
		e.put("\n")
		e.show(e.question)
	case 'n', 'N', 0x7f, 7:
		e.question = nil
		e.put("\n")
		e.drawAll()
	default:
		e.bell()
	}
}
