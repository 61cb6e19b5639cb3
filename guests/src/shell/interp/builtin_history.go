// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

func biHistory(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "acd:nprsw")
	if !ok {
		return 2
	}
	h := &sh.rt.hist
	modes := 0
	for _, c := range "anrw" {
		modes += b2i(f.on[c])
	}
	if modes > 1 {
		return sh.builtinError("history", "cannot use more than one of -anrw")
	}
	if f.on['c'] {
		*h = history{}
		if len(rest) == 0 && modes == 0 && !f.on['s'] {
			return 0
		}
	}
	switch {
	case f.on['s']:
		if len(rest) > 0 {
			sh.dropOwnLine()
			h.list = append(h.list, histLine{strings.Join(rest, " "), wsys.Now() / 1e9})
			h.trim(sh.histSize("HISTSIZE"))
		}
		return 0
	case f.on['p']:
		sh.dropOwnLine()
		for _, a := range rest {
			s, _, err := sh.expandHistory(a)
			if err != "" {
				return sh.builtinError("history", a+": history expansion failed")
			}
			sh.print(s + "\n")
		}
		return 0
	case f.arg['d'] != "":
		return sh.deleteHistory(f.arg['d'])
	case modes == 1:
		file := sh.histFile()
		if len(rest) > 0 {
			file = rest[0]
		}
		if file == "" {
			return 0
		}
		var err error
		switch {
		case f.on['a']:
			if err = sh.writeHistory(file, h.list[h.file:], true); err == nil {
				h.file = len(h.list)
			}
		case f.on['w']:
			if err = sh.writeHistory(file, h.list, false); err == nil {
				h.file = len(h.list)
			}
		default: // -n reads all too: nobody else adds to the file
			if err = sh.readHistory(file); err == nil {
				h.file = len(h.list)
			}
		}
		if err != nil {
			return sh.builtinError("history", file+": cannot open: "+errText(err))
		}
		return 0
	}
	from := 0
	if len(rest) > 0 {
		n, ok := canonicalInt(trimZeros(rest[0]))
		switch {
		case !ok:
			return sh.builtinError("history", rest[0]+": numeric argument required")
		case len(rest) > 1:
			return sh.builtinError("history", "too many arguments")
		}
		if n < 0 {
			n = -n
		}
		from = max(len(h.list)-int(min(n, maxHistory)), 0)
	}
	format, times := sh.getName("HISTTIMEFORMAT")
	for i, l := range h.list[from:] {
		t := ""
		if times && format != "" && l.time != 0 {
			cv := datetime.In(l.time, sh.zone())
			t = string(datetime.AppendFormat(nil, format, &cv, l.time, 0))
		}
		sh.print(padLeft(itoa(int64(max(h.first, 1)+from+i)), 5) + "  " + t + l.text + "\n")
	}
	return 0
}

// dropOwnLine removes the line of the running command from the history.
func (sh *Shell) dropOwnLine() {
	h := &sh.rt.hist
	if n := len(h.list); n > 0 && sh.rt.ownLine && sh.opts.interactive {
		sh.rt.ownLine = false
		h.remove(n - 1)
	}
}

// deleteHistory deletes a line or, of the form N-M, several.
func (sh *Shell) deleteHistory(spec string) int {
	h := &sh.rt.hist
	index := func(s string) int {
		n, ok := canonicalInt(trimZeros(s))
		if !ok {
			return -1
		}
		if n < 0 {
			n += int64(h.number())
		}
		if n < 0 || n > 1<<30 {
			return -1
		}
		return h.find(int(n))
	}
	lo, hi := spec, spec
	if i := strings.IndexByte(spec[1:], '-'); i >= 0 {
		lo, hi = spec[:i+1], spec[i+2:]
	}
	a, b := index(lo), index(hi)
	if a < 0 || b < a {
		return sh.builtinError("history", spec+": history position out of range")
	}
	for i := b; i >= a; i-- {
		h.remove(i)
	}
	return 0
}

// historyIndex finds the line that an operand of fc means, or returns -1.
func (sh *Shell) historyIndex(s string, dflt int) int {
	h := &sh.rt.hist
	if s == "" {
		return dflt
	}
	last := len(h.list) - 1
	if sh.rt.ownLine {
		last--
	}
	if n, ok := canonicalInt(s); ok {
		switch {
		case n < 0:
			return max(last+1+int(max(n, -maxHistory)), 0)
		case n == 0:
			return last
		}
		switch i := int(min(n, 1<<30)) - max(h.first, 1); {
		case i < 0:
			return 0
		case i > last:
			return last
		default:
			return i
		}
	}
	for i := last; i >= 0; i-- {
		if strings.HasPrefix(h.list[i].text, s) {
			return i
		}
	}
	return -1
}

func biFc(sh *Shell, args []string) int {
	// Negative numbers are operands.
	n := 1
	for n < len(args) && len(args[n]) > 1 && args[n][0] == '-' && !isDigit(args[n][1]) {
		if args[n] == "--" || args[n] == "-e" {
			n++
		}
		n++
	}
	n = min(n, len(args))
	f, rest, ok := sh.flags(args[:n:n], "e:lnrs")
	if !ok {
		return 2
	}
	rest = append(rest, args[n:]...)
	h := &sh.rt.hist
	if f.on['s'] || f.arg['e'] == "-" {
		return sh.fcAgain(rest)
	}
	last := len(h.list) - 1
	if sh.rt.ownLine {
		last--
	}
	if last < 0 {
		if f.on['l'] {
			return 0
		}
		return sh.builtinError("fc", "history specification out of range")
	}
	op := func(i int) string {
		if i < len(rest) {
			return rest[i]
		}
		return ""
	}
	var a, b int
	if f.on['l'] {
		a = sh.historyIndex(op(0), max(last-15, 0))
		b = sh.historyIndex(op(1), last)
	} else {
		a = sh.historyIndex(op(0), last)
		b = sh.historyIndex(op(1), a)
	}
	if a < 0 || b < 0 {
		return sh.builtinError("fc", "no command found")
	}
	if a > b {
		a, b = b, a
		f.on['r'] = !f.on['r']
	}
	var l []int
	for i := a; i <= b; i++ {
		l = append(l, i)
	}
	if f.on['r'] {
		for i, k := 0, len(l)-1; i < k; i, k = i+1, k-1 {
			l[i], l[k] = l[k], l[i]
		}
	}
	if f.on['l'] {
		for _, i := range l {
			if !f.on['n'] {
				sh.print(itoa(int64(max(h.first, 1) + i)))
			}
			sh.print("\t " + h.list[i].text + "\n")
		}
		return 0
	}
	var text strings.Builder
	for _, i := range l {
		text.WriteString(h.list[i].text + "\n")
	}
	return sh.fcEdit(f.arg['e'], text.String())
}

// fcAgain is fc -s: it runs a line again, with replacements.
func (sh *Shell) fcAgain(rest []string) int {
	h := &sh.rt.hist
	var subs [][2]string
	for len(rest) > 0 && strings.IndexByte(rest[0], '=') > 0 {
		from, to, _ := strings.Cut(rest[0], "=")
		subs = append(subs, [2]string{from, to})
		rest = rest[1:]
	}
	spec := ""
	if len(rest) > 0 {
		spec = rest[0]
	}
	last := len(h.list) - 1 - b2i(sh.rt.ownLine)
	i := sh.historyIndex(spec, last)
	if i < 0 || last < 0 {
		return sh.builtinError("fc", "no command found")
	}
	text := h.list[i].text
	for _, s := range subs {
		text = strings.ReplaceAll(text, s[0], s[1])
		if len(text) > maxHistoryText {
			return sh.builtinError("fc", "replacement too long")
		}
	}
	return sh.fcRun(text)
}

// fcRun runs a line, which takes the place of fc's own in the history.
func (sh *Shell) fcRun(text string) int {
	sh.dropOwnLine()
	sh.addHistory(strings.TrimSuffix(text, "\n"))
	sh.write(2, []byte(strings.TrimSuffix(text, "\n")+"\n"))
	return sh.evalString(text)
}

// fcEdit lets a program edit the text and runs the result.
func (sh *Shell) fcEdit(editor, text string) int {
	for _, v := range [...]string{"FCEDIT", "EDITOR"} {
		if editor == "" {
			editor, _ = sh.getName(v)
		}
	}
	if editor == "" {
		editor = "ed"
	}
	var r [8]byte
	wsys.Random(r[:])
	name := "/tmp/bash-fc."
	for _, c := range r {
		name += string(rune('a' + c%26))
	}
	k, err := wsys.Open(wsys.AtCwd, name, abi.OWronly|abi.OCreat|abi.OExcl|abi.OCloexec, 0o600)
	if err != nil {
		return sh.builtinError("fc", name+": cannot open temp file: "+errText(err))
	}
	err = wsys.WriteAll(k, []byte(text))
	wsys.Close(k)
	defer wsys.Unlink(wsys.AtCwd, name)
	if err != nil {
		return sh.builtinError("fc", name+": "+errText(err))
	}
	if st := sh.evalString(editor + " " + name); st != 0 {
		return st
	}
	b, err := wsys.ReadFile(name)
	if err != nil {
		return sh.builtinError("fc", name+": "+errText(err))
	}
	return sh.fcRun(string(b))
}
