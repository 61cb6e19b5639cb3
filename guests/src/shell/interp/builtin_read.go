// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"bytes"
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/shell/sched"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// lineReader reads delimited records from a descriptor of the shell without
// taking more than it gives out: from files it reads blocks and moves the
// offset back, from anything else single bytes.
type lineReader struct {
	sh       *Shell
	fd       int
	ahead    *file // read in blocks
	one      [1]byte
	deadline int64
	timedOut bool
	err      error
}

func (sh *Shell) newReader(fd int) *lineReader {
	r := &lineReader{sh: sh, fd: fd}
	if f := sh.fd(fd); f != nil && f.isRegular() {
		r.ahead = f
	}
	return r
}

// next returns the next byte; ok is false at the end, on an error, or when the
// time is up.
func (r *lineReader) next() (byte, bool) {
	f := r.ahead
	if f != nil && len(f.ahead) > 0 {
		c := f.ahead[0]
		f.ahead = f.ahead[1:]
		return c, true
	}
	b := r.one[:]
	if f != nil {
		if f.block == nil {
			f.block = make([]byte, readBlock)
		}
		b = f.block
	}
	if r.deadline != 0 && !r.wait() {
		return 0, false
	}
	n, err := r.sh.read(r.fd, b)
	if err != nil {
		r.err = err
		return 0, false
	}
	if n == 0 {
		return 0, false
	}
	if f != nil {
		f.ahead = b[1:n]
	}
	return b[0], true
}

// readBlock is how much is read ahead of regular files.
const readBlock = 2048

// wait waits for input until the deadline.
func (r *lineReader) wait() bool {
	f := r.sh.fd(r.fd)
	if f == nil || f.mem != nil {
		return true
	}
	for {
		w := sched.Wait{FD: f.k, Events: abi.PollIn, Deadline: r.deadline}
		r.sh.parked()
		r.sh.rt.sched.Block(&w)
		if w.Revents != 0 {
			return true
		}
		if w.TimedOut {
			r.timedOut = true
			return false
		}
		r.sh.rt.collect()
		if r.sh.doomed() || r.sh.trapPending() {
			r.err = abi.EINTR
			return false
		}
	}
}

// parseSeconds reads a time in seconds with a fraction.
func parseSeconds(s string) (int64, bool) {
	i := strings.IndexByte(s, '.')
	whole, frac := s, ""
	if i >= 0 {
		whole, frac = s[:i], s[i+1:]
	}
	n, ok := int64(0), true
	if whole != "" {
		n, ok = canonicalInt(trimZeros(whole))
	}
	if !ok || n < 0 || n > 1<<30 || whole == "" && frac == "" {
		return 0, false
	}
	ns := n * 1e9
	scale := int64(1e8)
	for k := range len(frac) {
		if !isDigit(frac[k]) {
			return 0, false
		}
		ns += int64(frac[k]-'0') * scale
		scale /= 10
	}
	return ns, true
}

func biRead(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "ersa:d:i:n:N:p:t:u:")
	if !ok {
		return 2
	}
	fd := 0
	if u, ok := f.arg['u']; ok {
		n, ok := canonicalInt(u)
		if !ok || n < 0 || n >= maxFD {
			return sh.builtinError("read", u+": invalid file descriptor specification")
		}
		fd = int(n)
	}
	if sh.fd(fd) == nil {
		return sh.builtinError("read", itoa(int64(fd))+": invalid file descriptor: Bad file descriptor")
	}
	for _, n := range rest {
		if i := strings.IndexByte(n, '['); i > 0 && n[len(n)-1] == ']' {
			n = n[:i]
		}
		if !validName(n) {
			return sh.builtinError("read", "`"+n+"': not a valid identifier")
		}
	}
	delim, raw := byte('\n'), f.on['r']
	if d, ok := f.arg['d']; ok {
		delim = 0
		if d != "" {
			delim = d[0]
		}
	}
	limit, exact := -1, false
	for _, c := range []byte{'n', 'N'} {
		if s, ok := f.arg[c]; ok {
			n, ok := canonicalInt(trimZeros(s))
			if !ok || n < 0 || n > int64(maxString) {
				return sh.builtinError("read", s+": invalid number")
			}
			limit, exact = int(n), c == 'N'
		}
	}
	r := sh.newReader(fd)
	timeout := int64(-1)
	if s, ok := f.arg['t']; ok {
		if timeout, ok = parseSeconds(s); !ok {
			return sh.builtinError("read", s+": invalid timeout specification")
		}
		if timeout == 0 {
			// Only ask whether there is input.
			if len(sh.fd(fd).ahead) > 0 {
				return 0
			}
			p := []wsys.PollFD{{FD: sh.fd(fd).k, Events: abi.PollIn}}
			wsys.Poll(p, 0)
			if p[0].Revents != 0 {
				return 0
			}
			return 1
		}
		r.deadline = wsys.Monotonic() + timeout
	}
	var m *readModes
	if limit != 0 {
		m, r.err = sh.setReadModes(sh.fd(fd), f.on['s'], limit > 0 || delim != '\n')
	}
	if p, ok := f.arg['p']; ok && r.err == nil && sh.fd(0) != nil && wsys.Isatty(sh.fd(0).k) {
		sh.write(2, []byte(p))
	}
	var line []byte
	var quoted []bool
	got := false
	if r.err == nil {
		line, quoted, got = r.record(delim, raw, limit, exact)
	}
	m.undo()
	st := 0
	switch {
	case r.timedOut:
		st = 128 + int(abi.SIGALRM)
	case r.err == abi.EINTR:
		sh.rt.collect()
		if sh.rt.pend {
			sh.deliver()
		}
		if sh.ctl != ctlNone {
			return sh.status
		}
		st = 1
		if sh.trapped != 0 {
			st = 128 + int(sh.trapped)
			sh.trapped = 0
		}
	case r.err != nil:
		return sh.builtinError("read", "read error: "+itoa(int64(fd))+": "+errText(r.err))
	case !got:
		st = 1
	}
	if a, ok := f.arg['a']; ok {
		if !validName(a) {
			return sh.builtinError("read", "`"+a+"': not a valid identifier")
		}
		if !sh.setArray(sh.rt.intern(a), sh.splitRead(line, quoted, -1)) {
			return 1
		}
		return st
	}
	if len(rest) == 0 {
		if !sh.set(sh.rt.id.reply, string(line)) {
			return 1
		}
		return st
	}
	var vals []string
	if exact {
		vals = []string{string(line)}
	} else {
		vals = sh.splitRead(line, quoted, len(rest))
	}
	for i, n := range rest {
		s := ""
		if i < len(vals) {
			s = vals[i]
		}
		if !sh.setNamed(n, s) {
			return 1
		}
	}
	return st
}

// record reads one record. quoted marks bytes that a backslash protected.
func (r *lineReader) record(delim byte, raw bool, limit int, exact bool) (line []byte, quoted []bool, got bool) {
	chars := 0
	if limit == 0 {
		return nil, nil, true
	}
	var esc []bool
	put := func(c byte, q bool) {
		if q && esc == nil {
			esc = make([]bool, len(line), len(line)+64)
		}
		line = append(line, c)
		if esc != nil {
			esc = append(esc, q)
		}
	}
	more := 0 // bytes of a character still to come
	for len(line) < maxString {
		if limit < 0 && esc == nil {
			line = r.plain(line, delim, raw)
		}
		c, ok := r.next()
		if !ok {
			return line, esc, false
		}
		if c == delim && !exact {
			return line, esc, true
		}
		q := false
		if c == '\\' && !raw {
			if c, ok = r.next(); !ok {
				return line, esc, false
			}
			if c == '\n' {
				continue
			}
			q = true
		}
		if c == 0 {
			continue
		}
		put(c, q)
		if limit < 0 {
			continue
		}
		if r.sh.utf8 && c >= 0x80 {
			switch {
			case c >= 0xf0:
				more = 3
			case c >= 0xe0:
				more = 2
			case c >= 0xc0:
				more = 1
			case more > 0:
				more--
			}
			if more > 0 {
				continue
			}
		}
		if chars++; chars >= limit {
			return line, esc, true
		}
	}
	return line, esc, true
}

// plain appends the bytes at hand that record takes as they are.
func (r *lineReader) plain(line []byte, delim byte, raw bool) []byte {
	f := r.ahead
	if f == nil || len(f.ahead) < 16 {
		return line
	}
	b := f.ahead
	if k := bytes.IndexByte(b, delim); k >= 0 {
		b = b[:k]
	}
	if k := bytes.IndexByte(b, 0); k >= 0 {
		b = b[:k]
	}
	if !raw {
		if k := bytes.IndexByte(b, '\\'); k >= 0 {
			b = b[:k]
		}
	}
	b = b[:min(len(b), maxString-len(line))]
	f.ahead = f.ahead[len(b):]
	return append(line, b...)
}

// splitRead splits a line as read does: into n fields, the last of which takes
// the rest; -1 is no limit.
func (sh *Shell) splitRead(line []byte, quoted []bool, n int) []string {
	cl := &sh.ifs.class
	class := func(i int) uint8 {
		if quoted != nil && quoted[i] {
			return 0
		}
		return cl[line[i]] & (chSpace | chDelim)
	}
	i := 0
	for i < len(line) && class(i) == chSpace {
		i++
	}
	var out []string
	for i < len(line) {
		if n > 0 && len(out) == n-1 {
			// The rest, without trailing white space; one trailing separator
			// goes too where nothing but it follows the last field.
			end := len(line)
			for end > i && class(end-1) == chSpace {
				end--
			}
			j := i
			for j < end && class(j) == 0 {
				j++
			}
			k := j
			for k < end && class(k) == chSpace {
				k++
			}
			if k < end && class(k) == chDelim {
				k++
				for k < end && class(k) == chSpace {
					k++
				}
				if k == end {
					end = j
				}
			}
			return append(out, string(line[i:end]))
		}
		j := i
		for j < len(line) && class(j) == 0 {
			j++
		}
		out = append(out, string(line[i:j]))
		i = j
		for i < len(line) && class(i) == chSpace {
			i++
		}
		if i < len(line) && class(i) == chDelim {
			i++
			for i < len(line) && class(i) == chSpace {
				i++
			}
		}
	}
	return out
}
