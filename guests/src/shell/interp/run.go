// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// runCommand runs the text of -c, whose last command may replace the shell.
func (sh *Shell) runCommand(text string) int {
	sh.source = ""
	u := sh.parse(text, 0)
	if n := len(u.list); n > 0 && u.after == nil && !sh.opts.interactive {
		switch u.list[n-1].n.(type) {
		case *simpleCmd:
			sh.lastNode = u.list[n-1].n
		}
	}
	return sh.runGroups(text, u, 0)
}

// runText runs a whole text as a script: line by line, a syntax error ends it
// where it stands.
func (sh *Shell) runText(text string, line int32) int {
	return sh.runGroups(text, sh.parse(text, line), line)
}

// runGroups runs the commands of a text, those that begin on one line
// together. Where a command changed aliases the rest is parsed again.
func (sh *Shell) runGroups(text string, u *unit, line int32) int {
	st := 0
	if len(u.list) == 0 && u.after == nil {
		sh.status = 0
		return 0
	}
	gen, loops, noErr := sh.aliasGen, sh.loops, sh.noErr
	i := 0
	for {
		for i < len(u.list) {
			end := u.list[i].end
			k := i + 1
			for k < len(u.list) && u.list[k].line <= end {
				end = max(end, u.list[k].end)
				k++
			}
			// A syntax error on the same line comes before its commands.
			if k == len(u.list) && u.after != nil && u.after.at <= end {
				return sh.syntaxFailed(u.after)
			}
			for _, s := range u.list[i:k] {
				if s.n == sh.lastNode {
					sh.noFork = true
				}
				if sh.opts.noexec {
					continue
				}
				st = s.n.exec(sh)
				sh.noFork = false
				if sh.ctl != ctlNone {
					break
				}
			}
			if sh.ctl != ctlNone && (sh.opts.interactive && sh == sh.rt.main || !sh.recover()) {
				return sh.status
			}
			if sh.ctl == ctlNone && sh.aborted {
				st, sh.aborted = sh.status, false
				sh.loops, sh.noErr = loops, noErr
			}
			i = k
			if sh.aliasGen != gen && i < len(u.list)+b2i(u.after != nil) {
				break
			}
		}
		if sh.aliasGen == gen {
			break
		}
		gen = sh.aliasGen
		// Parse what follows the line again, with the new aliases.
		if i == 0 {
			break
		}
		rest, lines := u.rest(i - 1)
		if rest == "" {
			break
		}
		line += lines
		u = sh.parse(rest, line)
		i = 0
		if len(u.list) == 0 {
			break
		}
	}
	if u.after != nil {
		return sh.syntaxFailed(u.after)
	}
	return st
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// recover decides whether a script goes on behind an error that ended a
// command line. It does in bash's own mode.
func (sh *Shell) recover() bool {
	if sh.ctl != ctlAbort {
		return false
	}
	if sh.opts.posix && !sh.opts.interactive {
		return false
	}
	sh.status = sh.ctlN
	sh.ctl = ctlNone
	sh.expandFailed = false
	sh.aborted = true
	if sh.opts.errexit && sh.noErr == 0 {
		sh.ctl = ctlExit
		return false
	}
	return true
}

func (sh *Shell) syntaxFailed(e *syntaxError) int {
	line := sh.line
	sh.line = e.line + sh.lineShift
	sh.errorf(e.msg)
	sh.line = line
	sh.status = 2
	if sh.opts.posix && !sh.opts.interactive && sh.depth > 0 {
		sh.fail(2)
	}
	return 2
}

// runUnit runs a compiled text within the running commands.
func (sh *Shell) runUnit(u *unit) int { return sh.runUnitAs(u, "") }

func (sh *Shell) runUnitAs(u *unit, name string) int {
	st := 0
	gen := sh.aliasGen
	for i, s := range u.list {
		if i == len(u.list)-1 && u.after != nil && u.after.at <= s.end {
			break
		}
		if st = s.n.exec(sh); sh.ctl != ctlNone {
			return st
		}
		if sh.aliasGen != gen && i+1 < len(u.list) && u.list[i+1].line > s.end {
			if rest, lines := u.rest(i); rest != "" {
				return sh.runUnitAs(sh.parse(rest, lines), name)
			}
		}
	}
	if u.after != nil {
		prefix := sh.prefix
		if name != "" {
			sh.prefix += ": " + name
		}
		st = sh.syntaxFailed(u.after)
		sh.prefix = prefix
		sh.usageError = true
	}
	if len(u.list) == 0 && u.after == nil {
		sh.status = 0
	}
	return st
}

// runScript runs a script file.
func (sh *Shell) runScript(name string, inv *invocation) int {
	file := name
	f, err := sh.open(file, abi.ORdonly)
	if err == abi.ENOENT && strings.IndexByte(name, '/') < 0 {
		path, _ := sh.get(sh.rt.id.path)
		if p, e := sh.searchPath(name, path); e == nil {
			file = p
			f, err = sh.open(file, abi.ORdonly)
		}
	}
	sh.name0 = file
	if err != nil {
		sh.write(2, []byte(sh.prefix+": "+name+": "+errText(err)+"\n"))
		if err == abi.ENOENT {
			return 127
		}
		return 126
	}
	if st, err := wsys.Fstat(f.k); err == nil && st.Mode.IsDir() {
		sh.write(2, []byte(sh.prefix+": "+name+": Is a directory\n"))
		return 126
	}
	b, err := wsys.ReadAll(f.k)
	f.release()
	if err != nil {
		sh.write(2, []byte(sh.prefix+": "+name+": "+errText(err)+"\n"))
		return 126
	}
	if isBinary(b) {
		sh.write(2, []byte(sh.prefix+": "+name+": cannot execute binary file\n"))
		return 126
	}
	sh.prefix, sh.source, sh.script0 = file, file, file
	sh.startup(inv)
	if sh.opts.verbose {
		sh.write(2, b)
	}
	return sh.runText(string(b), 0)
}

// runStdin runs commands as they are read from standard input, from which the
// commands may read too.
func (sh *Shell) runStdin() int {
	st := 0
	var text []byte
	line := int32(0)
	r := sh.newReader(0)
	eof := false
	for !eof {
		l, _, got := r.record('\n', true, -1, false)
		if sh.fatalPending() || r.err == abi.EINTR {
			sh.rt.collect()
			sh.deliver()
			if sh.ctl == ctlExit {
				return sh.status
			}
			sh.ctl, r.err = ctlNone, nil
			text = nil
			continue
		}
		eof = !got
		if eof && len(l) == 0 && len(text) == 0 {
			break
		}
		text = append(text, l...)
		if got {
			text = append(text, '\n')
		}
		if sh.opts.verbose {
			sh.write(2, append(l, '\n'))
		}
		if !eof && openEnded(text) {
			continue
		}
		u := sh.parseStdin(string(text), line, eof)
		if u == nil {
			continue
		}
		line += int32(strings.Count(string(text), "\n"))
		text = text[:0]
		st = sh.runGroups(u.text, u, line)
		if sh.ctl != ctlNone {
			return sh.status
		}
		if u.after != nil {
			return 2
		}
	}
	return st
}

// openEnded reports whether a line ends in a backslash that joins the next.
func openEnded(text []byte) bool {
	n := 0
	for i := len(text) - 2; i >= 0 && text[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// parseStdin parses what has been read; nil asks for more.
func (sh *Shell) parseStdin(text string, line int32, eof bool) *unit {
	if !eof {
		if _, perr := parseStmts(text); perr != nil {
			e := sh.syntaxErrorOf(perr, text, line)
			_, hdoc := unclosedHeredoc(perr)
			if e.eof || hdoc {
				return nil
			}
		}
	}
	u := sh.parse(text, line)
	if u.after != nil && u.after.eof && !eof {
		return nil
	}
	return u
}
