// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"bytes"
	"regexp"
	"sync"
)

// maxWatched bounds what a watcher looks at: the end of a line that is longer.
const maxWatched = 8 << 10

// watcher looks for a pattern in the output of a session, line by line. The last
// line need not be complete.
type watcher struct {
	re   *regexp.Regexp
	tty  bool   // control sequences are left out
	line []byte // so far
	hit  chan struct{}
	once sync.Once
}

// controlSequence is what a terminal does not show as text.
//
// ECMA-48: 5.4 Control sequences, 5.6 Control strings.
var controlSequence = regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[ -/]*[0-~])")

// text returns the line as it is matched.
func (w *watcher) text() []byte {
	line := bytes.TrimRight(w.line, "\r")
	if !w.tty {
		return line
	}
	line = controlSequence.ReplaceAll(line, nil)
	return line[bytes.LastIndexByte(line, '\r')+1:]
}

func (w *watcher) feed(p []byte) {
	for len(p) > 0 {
		n := bytes.IndexByte(p, '\n')
		piece := p
		if n >= 0 {
			piece = p[:n]
		}
		w.line = append(w.line, piece...)
		if over := len(w.line) - maxWatched; over > 0 {
			w.line = append(w.line[:0], w.line[over:]...)
		}
		if w.re.Match(w.text()) {
			w.once.Do(func() { close(w.hit) })
			return
		}
		if n < 0 {
			return
		}
		w.line = w.line[:0]
		p = p[n+1:]
	}
}

// watch begins to look for a pattern, also in the output that no call has
// returned. The function ends it.
func (s *session) watch(re *regexp.Regexp) (*watcher, func()) {
	w := &watcher{re: re, tty: s.term != nil, hit: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	head, tail := s.pending.parts()
	w.feed(head)
	w.feed(tail)
	s.watchers[w] = struct{}{}
	return w, func() {
		s.mu.Lock()
		delete(s.watchers, w)
		s.mu.Unlock()
	}
}
