// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sed

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/posixre"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// appendix is something to be printed at the end of the cycle.
type appendix struct {
	text []byte // of a, or a line of R
	file string // of r
}

// reset prepares the commands for the start of an input.
func (s *sed) reset() {
	for _, c := range s.prog {
		c.active = c.a1 != nil && c.a1.kind == addrLine && c.a1.n == 0
		c.end, c.closed = 0, c.active
	}
}

// own makes the pattern space a buffer of its own.
func (s *sed) own() {
	if s.alias {
		s.ps = append(s.spare[:0], s.ps...)
		s.spare = nil
		s.alias = false
	}
}

// swapTmp makes tmp the pattern space.
func (s *sed) swapTmp() {
	old := s.ps
	s.ps = s.tmp
	switch {
	case !s.alias:
		s.tmp = old
	case s.spare != nil:
		s.tmp, s.spare = s.spare, nil
	default:
		s.tmp = nil
	}
	s.alias = false
}

// set makes a slice of the input the pattern space.
func (s *sed) set(line []byte) {
	if !s.alias && cap(s.ps) > cap(s.spare) {
		s.spare = s.ps[:0]
	}
	s.ps, s.alias = line, true
}

// read reads the next line into the pattern space.
func (s *sed) read() bool {
	if len(s.appended) > 0 {
		s.flushAppended()
	}
	if s.in.open {
		// A whole line is at hand, most often.
		r := &s.in.r
		if k := r.end(s.eol); k >= 0 {
			if !s.alias {
				s.set(nil)
			}
			s.ps, s.nl = r.bufs[r.cur][r.r:k], true
			r.r = k + 1
			s.line++
			s.replaced = false
			return true
		}
	}
	line, nl, ok := s.in.next()
	if !ok {
		return false
	}
	s.set(line)
	s.nl = nl
	s.line++
	s.replaced = false
	return true
}

// readMore appends the next line to the pattern space.
func (s *sed) readMore() bool {
	s.own()
	s.flushAppended()
	line, nl, ok := s.in.next()
	if !ok {
		return false
	}
	s.ps = append(append(s.ps, s.eol), line...)
	s.nl = nl
	s.line++
	return true
}

func (s *sed) run() {
	if s.preparePasses(); s.passes == nil {
		s.prepareSkip()
		s.prepareCount()
	}
	for s.noReading || s.bulk() && s.skip() && s.count() && s.read() {
		s.noReading = false
		s.cycle()
		if s.quit {
			break
		}
		if s.out == s.stdout && s.p.WriteFailed() {
			break
		}
	}
	s.flushAppended()
	s.in.finish(s.quit)
}

// regex returns re, or the last one used in place of nil, and notes it as used.
func (s *sed) regex(re *posixre.Regexp, c *command) *posixre.Regexp {
	if re == nil {
		if s.last == nil {
			w := c.where
			w.char = 0
			panic(scriptError(w.prefix() + "no previous regular expression"))
		}
		return s.last
	}
	s.last = re
	return re
}

// matches reports whether an address matches the current line.
func (s *sed) matches(a *addr, c *command) bool {
	switch a.kind {
	case addrLine:
		return s.line == a.n
	case addrStep:
		if a.step <= 0 {
			return s.line == a.n
		}
		return s.line >= a.n && (s.line-a.n)%a.step == 0
	case addrLast:
		return s.in.last()
	case addrRegex:
		re := s.regex(a.re, c)
		if re.HasBackrefs() {
			ok, err := re.Find(s.ps, 0, 0, nil)
			if err != nil {
				s.fatal(exitPanic, "regex: ", err.Error())
			}
			return ok
		}
		return re.Match(s.ps)
	}
	return false
}

// selected reports whether the addresses of c select the current line.
func (s *sed) selected(c *command) bool {
	if c.a2 == nil {
		return s.matches(c.a1, c)
	}
	if !c.active {
		if c.a1.kind == addrLine {
			// Commands may have skipped the first line.
			if c.closed || s.line < c.a1.n {
				return false
			}
			c.closed = true
		} else if !s.matches(c.a1, c) {
			return false
		}
		switch c.a2.kind {
		case addrLine:
			c.end = c.a2.n
			if c.a1.kind == addrLine && s.line > c.end {
				return s.line == c.a1.n
			}
		case addrPlus:
			c.end = s.line + c.a2.n
		case addrMulti:
			c.end = s.line
			if n := c.a2.n; n > 0 {
				c.end = (s.line/n + 1) * n // as GNU, beyond this line
			}
		case addrLast:
			c.active = !s.in.last()
			return true
		default:
			c.active = true
			return true
		}
		c.active = s.line < c.end
		return true
	}
	switch c.a2.kind {
	case addrLine, addrPlus, addrMulti:
		c.active = s.line < c.end
		return s.line <= c.end
	}
	c.active = !s.matches(c.a2, c)
	return true
}

// cycle runs the script on the pattern space.
func (s *sed) cycle() {
	for pc := 0; pc < len(s.prog); {
		c := s.prog[pc]
		pc++
		if c.a1 != nil && s.selected(c) == c.bang || c.a1 == nil && c.bang {
			if c.name == '{' {
				pc = c.jump
			}
			continue
		}
		switch c.name {
		case '{', ':':
		case 's':
			s.substituteIn(c)
		case 'p':
			s.write(s.out, s.ps, s.nl)
		case 'd':
			s.endCycle()
			return
		case 'b':
			pc = c.jump
		case 't':
			if s.replaced {
				s.replaced = false
				pc = c.jump
			}
		case 'T':
			if !s.replaced {
				pc = c.jump
			}
			s.replaced = false
		case 'n':
			if s.in.last() {
				if s.posix {
					s.endCycle()
					s.quit = true
					return
				}
				s.quit = true
				pc = len(s.prog)
				continue
			}
			if !s.quiet {
				s.write(s.out, s.ps, s.nl)
			}
			if !s.read() {
				s.quit = true
				return
			}
		case 'N':
			if s.in.last() {
				s.quit = true
				if s.posix {
					s.endCycle()
					return
				}
				pc = len(s.prog)
				continue
			}
			if !s.readMore() {
				s.quit = true
				return
			}
		case 'D':
			k := indexByte(s.ps, s.eol)
			if k < 0 {
				s.endCycle()
				return
			}
			s.ps = s.ps[k+1:]
			s.noReading = true
			s.endCycle()
			return
		case 'P':
			if k := indexByte(s.ps, s.eol); k >= 0 {
				s.write(s.out, s.ps[:k], true)
			} else {
				s.write(s.out, s.ps, true)
			}
		case 'g':
			s.tmp = append(s.tmp[:0], s.hold...)
			s.swapTmp()
			s.nl = s.nl || len(s.hold) > 0 && s.holdNL
		case 'G':
			s.own()
			s.ps = append(append(s.ps, s.eol), s.hold...)
		case 'h':
			s.hold = append(s.hold[:0], s.ps...)
		case 'H':
			s.hold = append(append(s.hold, s.eol), s.ps...)
		case 'x':
			s.own()
			s.ps, s.hold = s.hold, s.ps
			s.nl, s.holdNL = s.holdNL, s.nl
		case 'a':
			s.appended = append(s.appended, appendix{text: c.text})
		case 'i':
			s.writeRaw(s.out, c.text)
		case 'c':
			if !c.active || c.a2 == nil || c.bang {
				s.writeRaw(s.out, c.text)
			}
			s.endCycle()
			return
		case '=':
			s.writeRaw(s.out, append(append([]byte(nil), itoa64(s.line)...), '\n'))
		case 'l':
			s.list(c.n)
		case 'q', 'Q':
			s.quit = true
			if s.quitCode = c.n; c.n < 0 {
				s.quitCode = 0
			}
			if c.name == 'q' && !s.quiet {
				s.write(s.out, s.ps, s.nl)
			}
			if c.name == 'Q' {
				s.appended = s.appended[:0]
			}
			return
		case 'r':
			s.appended = append(s.appended, appendix{file: c.file})
		case 'R':
			if line, ok := s.lineOf(c.file); ok {
				s.appended = append(s.appended, appendix{text: line})
			}
		case 'w':
			s.write(c.out, s.ps, s.nl)
		case 'W':
			if k := indexByte(s.ps, s.eol); k >= 0 {
				s.write(c.out, s.ps[:k], true)
			} else {
				s.write(c.out, s.ps, true)
			}
		case 'y':
			s.translateIn(c.table)
		case 'z':
			s.own()
			s.ps = s.ps[:0]
		case 'F':
			s.writeRaw(s.out, []byte(s.in.name+"\n"))
		case 'e':
			if c.text == nil {
				s.evaluate()
			} else {
				s.writeRaw(s.out, s.shell(c.text))
			}
		}
	}
	if !s.quiet {
		s.write(s.out, s.ps, s.nl)
	}
	s.endCycle()
}

func itoa64(n int64) string { return itoa(int(n)) }

// endCycle prints what is to be printed at the end of a cycle.
func (s *sed) endCycle() {
	if len(s.appended) > 0 {
		s.flushAppended()
	}
}

func (s *sed) flushAppended() {
	if len(s.appended) == 0 {
		return
	}
	for _, a := range s.appended {
		if a.file == "" {
			s.writeRaw(s.out, a.text)
			continue
		}
		fd, err := wsys.Stdin, error(nil)
		if a.file != "/dev/stdin" {
			// A file that is not there is no error.
			if fd, err = wsys.Open(wsys.AtCwd, a.file, abi.ORdonly|abi.OCloexec, 0); err != nil {
				continue
			}
		}
		b, _ := wsys.ReadAll(fd)
		if a.file != "/dev/stdin" {
			wsys.Close(fd)
		}
		if len(b) > 0 {
			s.writeRaw(s.out, b)
		}
	}
	s.appended = s.appended[:0]
}

// lineOf returns the next line of a file of R.
func (s *sed) lineOf(name string) ([]byte, bool) {
	r, ok := s.readers[name]
	if !ok {
		if s.readers == nil {
			s.readers = map[string]*reader{}
		}
		fd := wsys.Stdin
		if name != "/dev/stdin" {
			var err error
			if fd, err = wsys.Open(wsys.AtCwd, name, abi.ORdonly|abi.OCloexec, 0); err != nil {
				fd = -1
			}
		}
		if fd >= 0 {
			r = &reader{fd: fd}
		}
		s.readers[name] = r
	}
	if r == nil {
		return nil, false
	}
	line, nl, ok := r.line(s.eol)
	line = append([]byte(nil), line...)
	if nl {
		line = append(line, s.eol)
	}
	return line, ok
}

// evaluate runs the pattern space as a shell command and puts its output there.
func (s *sed) evaluate() {
	out := s.shell(s.ps)
	if n := len(out); n > 0 && out[n-1] == s.eol {
		out = out[:n-1]
	}
	s.tmp = append(s.tmp[:0], out...)
	s.swapTmp()
}

// shell runs a command and returns what it wrote.
func (s *sed) shell(command []byte) []byte {
	s.flushStdout()
	s.p.Stdout.Flush()
	r, w, err := wsys.Pipe(abi.OCloexec)
	if err != nil {
		s.fatal(exitPanic, "couldn't run a command: ", cmdkit.Strerror(err))
	}
	spec := &wsys.SpawnSpec{
		Path: cmdkit.Shell, Args: []string{"sh", "-c", string(command)}, Env: s.p.Environ(), Umask: -1,
		Actions: []wsys.FDAction{{FD: 1, Src: w}},
	}
	pid, err := wsys.Spawn(spec)
	wsys.Close(w)
	if err != nil {
		wsys.Close(r)
		s.fatal(exitPanic, "couldn't run a command: ", cmdkit.Strerror(err))
	}
	b, err := wsys.ReadAll(r)
	wsys.Close(r)
	cmdkit.Wait(pid)
	if err != nil {
		s.fatal(exitPanic, "couldn't read from a command: ", cmdkit.Strerror(err))
	}
	return b
}

// list prints the pattern space unambiguously, wrapped at width columns, or as
// -l says where width is negative.
func (s *sed) list(width int) {
	if width < 0 {
		width = s.wrap
	}
	var b []byte
	col := 0
	for _, c := range s.ps {
		var e []byte
		switch {
		case c == '\\':
			e = []byte(`\\`)
		case c >= ' ' && c < 0x7f:
			e = []byte{c}
		default:
			e = cmdkit.AppendEscaped(nil, c)
		}
		if width > 0 && col+len(e) > width-1 {
			b = append(b, "\\\n"...)
			col = 0
		}
		b = append(b, e...)
		col += len(e)
	}
	s.writeRaw(s.out, append(b, "$\n"...))
}
