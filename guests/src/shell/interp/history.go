// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// history holds the command lines that an interactive shell has read.
type history struct {
	list  []histLine
	first int // number of list[0]
	file  int // lines of list that the history file has
}

type histLine struct {
	text string
	time int64 // seconds of the Unix epoch; 0: not known
}

// Bounds of the history, whatever HISTSIZE says.
const (
	defaultHistory = 500
	maxHistory     = 100_000
	maxHistoryText = 1 << 20 // of one line
)

// Len and At are what the line editor needs.
func (h *history) Len() int        { return len(h.list) }
func (h *history) At(i int) string { return h.list[i].text }

// number returns the number of the next line.
func (h *history) number() int { return max(h.first, 1) + len(h.list) }

// find returns the index of the line with a number, or -1.
func (h *history) find(n int) int {
	if i := n - max(h.first, 1); i >= 0 && i < len(h.list) {
		return i
	}
	return -1
}

// size returns the bound that a variable sets, or -1 where the history is off.
func (sh *Shell) histSize(name string) int {
	v, ok := sh.getName(name)
	if !ok {
		return defaultHistory
	}
	n, ok := canonicalInt(v)
	switch {
	case !ok || n < 0 || n > maxHistory:
		return maxHistory
	}
	return int(n)
}

// addHistory adds a command line as HISTCONTROL and HISTIGNORE have it.
func (sh *Shell) addHistory(text string) {
	h := &sh.rt.hist
	if !sh.opts.history || strings.TrimSpace(text) == "" || len(text) > maxHistoryText {
		return
	}
	ctl, _ := sh.getName("HISTCONTROL")
	erase := false
	for _, c := range strings.Split(ctl, ":") {
		if (c == "ignorespace" || c == "ignoreboth") && (text[0] == ' ' || text[0] == '\t') {
			return
		}
		if (c == "ignoredups" || c == "ignoreboth") && len(h.list) > 0 && h.list[len(h.list)-1].text == text {
			return
		}
		erase = erase || c == "erasedups"
	}
	if v, ok := sh.getName("HISTIGNORE"); ok && v != "" {
		for _, p := range strings.Split(v, ":") {
			if p == "&" && len(h.list) > 0 {
				p = quotePattern(h.list[len(h.list)-1].text)
			}
			if sh.rt.pattern(p, sh.patFlags()).Match(text) {
				return
			}
		}
	}
	if erase {
		for i := len(h.list) - 1; i >= 0; i-- {
			if h.list[i].text == text {
				h.remove(i)
			}
		}
	}
	h.list = append(h.list, histLine{text, wsys.Now() / 1e9})
	h.trim(sh.histSize("HISTSIZE"))
}

// quotePattern returns a pattern that matches s alone.
func quotePattern(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte("*?[]\\!@+()|", s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func (h *history) remove(i int) {
	h.list = append(h.list[:i], h.list[i+1:]...)
	if i < h.file {
		h.file--
	}
}

func (h *history) trim(n int) {
	if k := len(h.list) - n; k > 0 {
		h.list = append([]histLine(nil), h.list[k:]...)
		h.first = max(h.first, 1) + k
		h.file = max(h.file-k, 0)
	}
}

// histFile returns the name of the history file, or "".
func (sh *Shell) histFile() string { f, _ := sh.getName("HISTFILE"); return f }

// readHistory appends the lines of a file.
func (sh *Shell) readHistory(file string) error {
	f, err := sh.open(file, abi.ORdonly)
	if err != nil {
		return err
	}
	b, err := wsys.ReadAll(f.k)
	f.release()
	if err != nil {
		return err
	}
	h := &sh.rt.hist
	at := int64(0)
	for l := range strings.SplitSeq(strings.TrimSuffix(string(b), "\n"), "\n") {
		if len(l) > 1 && l[0] == '#' {
			if n, ok := canonicalInt(l[1:]); ok {
				at = n
				continue
			}
		}
		if l != "" && len(l) <= maxHistoryText {
			h.list = append(h.list, histLine{l, at})
		}
		at = 0
	}
	h.trim(sh.histSize("HISTSIZE"))
	return nil
}

// writeHistory writes lines to a file, behind what it holds or instead of it.
func (sh *Shell) writeHistory(file string, lines []histLine, add bool) error {
	fl := abi.OWronly | abi.OCreat
	if add {
		fl |= abi.OAppend
	} else {
		fl |= abi.OTrunc
	}
	k, err := wsys.Open(wsys.AtCwd, sh.path(file), fl|abi.OCloexec, 0o600)
	if err != nil {
		return err
	}
	defer wsys.Close(k)
	_, times := sh.getName("HISTTIMEFORMAT")
	var b []byte
	for _, l := range lines {
		if times && l.time != 0 {
			b = append(append(append(b, '#'), itoa(l.time)...), '\n')
		}
		b = append(append(b, l.text...), '\n')
	}
	return wsys.WriteAll(k, b)
}

// load reads the history file of a new shell.
func (h *history) load(sh *Shell) {
	if f := sh.histFile(); f != "" {
		sh.readHistory(f)
		h.file = len(h.list)
	}
}

// save writes the history file of a shell that ends.
func (h *history) save(sh *Shell) {
	f := sh.histFile()
	if !sh.opts.interactive || !sh.opts.history || f == "" || len(h.list) == h.file {
		return
	}
	if sh.shopt.histappend || h.file == 0 && h.first > 1 {
		sh.writeHistory(f, h.list[h.file:], true)
	} else {
		l := h.list
		if n := sh.histSize("HISTFILESIZE"); len(l) > n {
			l = l[len(l)-n:]
		}
		sh.writeHistory(f, l, false)
	}
	h.file = len(h.list)
}
