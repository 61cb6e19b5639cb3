// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package lineedit

import "slices"

// search is an incremental search of the history.
type search struct {
	back   bool
	query  []rune
	failed bool
	at     int // history line that is shown
	was    snapshot
	wasAt  int
}

func (s *search) prompt() string {
	p := "("
	if s.failed {
		p += "failed "
	}
	if s.back {
		p += "reverse-i-search)`"
	} else {
		p += "i-search)`"
	}
	return p + text(s.query) + "': "
}

func (e *Editor) startSearch(back bool) {
	e.forget()
	e.typing = false
	e.keep()
	e.search = &search{back: back, at: e.histAt, was: snapshot{slices.Clone(e.buf), e.pos}, wasAt: e.histAt}
	e.draw()
}

// searchKey takes a key during a search. done is false where the search has
// ended and the key is to be obeyed.
func (e *Editor) searchKey(c byte) (ev Event, done bool) {
	s := e.search
	switch c {
	case ctrl('R'), ctrl('S'):
		s.back = c == ctrl('R')
		if len(s.query) == 0 {
			s.query = slices.Clone(e.query)
		}
		e.searchOn(true)
	case ctrl('H'), 0x7f:
		if len(s.query) == 0 {
			e.bell()
			break
		}
		s.query = s.query[:len(s.query)-1]
		s.at = s.wasAt
		e.searchOn(false)
	case ctrl('G'):
		e.buf, e.pos, e.histAt = s.was.buf, s.was.pos, s.wasAt
		e.search = nil
		e.bell()
		e.draw()
	default:
		if c >= ' ' {
			e.typed(rune(c))
			break
		}
		e.endSearch(true)
		return None, false
	}
	return None, true
}

// searchOn looks for the query from the line that is shown; onward from the
// next one.
func (e *Editor) searchOn(onward bool) {
	s := e.search
	step := 1
	if s.back {
		step = -1
	}
	i := s.at
	if onward {
		i += step
	}
	if len(s.query) == 0 {
		s.failed = false
		e.draw()
		return
	}
	for ; i >= 0 && i <= e.histLen(); i += step {
		l := e.histLine(i)
		if k := index(l, s.query, s.back); k >= 0 {
			s.failed, s.at = false, i
			e.histAt = i
			e.buf, e.pos = slices.Clone(l), k
			e.undo = nil
			e.draw()
			return
		}
	}
	s.failed = true
	e.bell()
	e.draw()
}

// index returns the first, or last, position of q in l, or -1.
func index(l, q []rune, last bool) int {
	found := -1
	for i := 0; i+len(q) <= len(l); i++ {
		if slices.Equal(l[i:i+len(q)], q) {
			if !last {
				return i
			}
			found = i
		}
	}
	return found
}

// endSearch leaves the search with the line found.
func (e *Editor) endSearch(show bool) {
	e.query, e.search = e.search.query, nil
	if show {
		e.draw()
	}
}
