// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
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
	seekable bool
	buf      []byte
	pos      int
	one      [1]byte
	deadline int64
	timedOut bool
	err      error
}

func (sh *Shell) newReader(fd int) *lineReader {
	r := &lineReader{sh: sh, fd: fd}
	if f := sh.fd(fd); f != nil && f.mem == nil {
		if _, err := wsys.Seek(f.k, 0, abi.SeekCur); err == nil {
			if st, err := wsys.Fstat(f.k); err == nil && st.Mode.IsRegular() {
				r.seekable = true
			}
		}
	}
	return r
}

// next returns the next byte; ok is false at the end, on an error, or when the
// time is up.
func (r *lineReader) next() (byte, bool) {
	if r.pos < len(r.buf) {
		c := r.buf[r.pos]
		r.pos++
		return c, true
	}
	b := r.one[:]
	if r.seekable {
		if cap(r.buf) == 0 {
			r.buf = make([]byte, 0, 512)
		}
		b = r.buf[:cap(r.buf)]
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
	if !r.seekable {
		return b[0], true
	}
	r.buf, r.pos = b[:n], 1
	return b[0], true
}

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

// close gives back what was read too much.
func (r *lineReader) close() {
	if r.seekable && r.pos < len(r.buf) {
		if f := r.sh.fd(r.fd); f != nil {
			wsys.Seek(f.k, int64(r.pos-len(r.buf)), abi.SeekCur)
		}
	}
	r.buf, r.pos = r.buf[:0], 0
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
			p := []wsys.PollFD{{FD: sh.fd(fd).k, Events: abi.PollIn}}
			wsys.Poll(p, 0)
			if p[0].Revents != 0 {
				return 0
			}
			return 1
		}
		r.deadline = wsys.Monotonic() + timeout
	}
	if p, ok := f.arg['p']; ok && sh.fd(0) != nil && wsys.Isatty(sh.fd(0).k) {
		sh.write(2, []byte(p))
	}
	line, quoted, got := r.record(delim, raw, limit, exact)
	r.close()
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

// setNamed assigns to a name that may have a subscript.
func (sh *Shell) setNamed(name, s string) bool {
	if i := strings.IndexByte(name, '['); i > 0 && name[len(name)-1] == ']' {
		return sh.setElement(sh.rt.intern(name[:i]), sh.rt.subscriptText(name[i+1:len(name)-1]), s, false)
	}
	return sh.setName(name, s)
}

// setArray makes a variable an indexed array of the given elements.
func (sh *Shell) setArray(id sym, l []string) bool {
	t := sh.deref(id)
	if t.id < 0 {
		return false
	}
	if v := sh.v(t.id); v != nil && v.flags&vReadonly != 0 {
		sh.readonlyError(t.id)
		return false
	} else if v != nil && v.flags&vAssoc != 0 {
		sh.errorf(sh.rt.names[t.id] + ": cannot convert associative to indexed array")
		return false
	}
	v := sh.own(t.id)
	v.arr = &array{vals: l}
	v.s = ""
	v.flags = v.flags&^vValue | vArray | vFilled
	for i := range l {
		s, ok := sh.attributed(v, l[i])
		if !ok {
			return false
		}
		l[i] = s
	}
	return true
}

func biMapfile(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "d:n:O:s:tu:C:c:")
	if !ok {
		return 2
	}
	num := func(c byte, dflt int64) (int64, bool) {
		s, ok := f.arg[c]
		if !ok {
			return dflt, true
		}
		n, ok := canonicalInt(s)
		if !ok || n < 0 {
			sh.errorf(args[0] + ": " + s + ": invalid number")
		}
		return n, ok && n >= 0
	}
	count, ok1 := num('n', 0)
	origin, ok2 := num('O', 0)
	skip, ok3 := num('s', 0)
	fd, ok4 := num('u', 0)
	quantum, ok5 := num('c', 5000)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 {
		return 1
	}
	if sh.fd(int(fd)) == nil {
		return sh.builtinError(args[0], itoa(fd)+": invalid file descriptor: Bad file descriptor")
	}
	name := "MAPFILE"
	if len(rest) > 0 {
		name = rest[0]
	}
	if !validName(name) {
		return sh.builtinError(args[0], "`"+name+"': not a valid identifier")
	}
	id := sh.rt.intern(name)
	delim := byte('\n')
	if d, ok := f.arg['d']; ok {
		delim = 0
		if d != "" {
			delim = d[0]
		}
	}
	if v := sh.v(sh.deref(id).id); v != nil && v.flags&vAssoc != 0 {
		return sh.builtinError(args[0], name+": not an indexed array")
	}
	if !f.on['O'] {
		if !sh.setArray(id, nil) {
			return 1
		}
	}
	r := sh.newReader(int(fd))
	at := origin
	for n := int64(0); count == 0 || n < count+skip; n++ {
		line, _, got := r.record(delim, true, -1, false)
		if !got && len(line) == 0 {
			break
		}
		if n < skip {
			if !got {
				break
			}
			continue
		}
		if got && !f.on['t'] && delim != 0 {
			line = append(line, delim)
		}
		if cb, ok := f.arg['C']; ok && (n-skip+1)%max(quantum, 1) == 0 {
			r.close()
			sh.evalString(cb + " " + itoa(at) + " " + singleQuoted(string(line)))
		}
		t := sh.own(sh.deref(id).id)
		t.toArray()
		t.arr.set(at, string(line))
		at++
		if !got || sh.ctl != ctlNone {
			break
		}
	}
	r.close()
	return 0
}

// evalString runs a text as eval does.
func (sh *Shell) evalString(text string) int {
	return biEval(sh, []string{"eval", text})
}

func biGetopts(sh *Shell, args []string) int {
	rest := args[1:]
	if len(rest) > 0 && rest[0] == "--" {
		rest = rest[1:]
	}
	if len(rest) < 2 {
		sh.errorf("getopts: usage: getopts optstring name [arg ...]")
		return 2
	}
	spec, name := rest[0], rest[1]
	list := sh.params
	if len(rest) > 2 {
		list = rest[2:]
	}
	silent := strings.HasPrefix(spec, ":")
	s, _ := sh.get(sh.rt.id.optind)
	n, ok := canonicalInt(s)
	if !ok || n < 1 {
		n = 1
	}
	ind := int(n)
	setInd := func() {
		pos := sh.optPos
		sh.set(sh.rt.id.optind, itoa(int64(ind)))
		sh.optPos = pos
	}
	finish := func() int {
		sh.optPos = 0
		setInd()
		sh.unset(sh.rt.id.optarg)
		sh.setName(name, "?")
		return 1
	}
	if !validName(name) {
		return sh.builtinError("getopts", "`"+name+"': not a valid identifier")
	}
	if ind > len(list) {
		ind = len(list) + 1
		return finish()
	}
	a := list[ind-1]
	if sh.optPos == 0 {
		if len(a) < 2 || a[0] != '-' {
			return finish()
		}
		if a == "--" {
			ind++
			return finish()
		}
		sh.optPos = 1
	}
	if sh.optPos >= len(a) {
		sh.optPos = 1
		ind++
		if ind > len(list) {
			return finish()
		}
		a = list[ind-1]
	}
	c := a[sh.optPos]
	sh.optPos++
	advance := func() {
		if sh.optPos >= len(a) {
			sh.optPos = 0
			ind++
		}
	}
	complain := func(msg string) {
		e, _ := sh.get(sh.rt.id.opterr)
		if e != "0" {
			sh.write(2, []byte(sh.name0+": "+msg+" -- "+string(rune(c))+"\n"))
		}
	}
	k := strings.IndexByte(spec, c)
	if k < 0 || c == ':' {
		advance()
		setInd()
		sh.setName(name, "?")
		if silent {
			sh.set(sh.rt.id.optarg, string(rune(c)))
		} else {
			sh.unset(sh.rt.id.optarg)
			complain("illegal option")
		}
		return 0
	}
	if k+1 >= len(spec) || spec[k+1] != ':' {
		advance()
		setInd()
		sh.unset(sh.rt.id.optarg)
		return sh.setOpt(name, c)
	}
	arg := ""
	if sh.optPos < len(a) {
		arg = a[sh.optPos:]
		ind++
	} else {
		ind++
		if ind > len(list) {
			sh.optPos = 0
			setInd()
			if silent {
				sh.setName(name, ":")
				sh.set(sh.rt.id.optarg, string(rune(c)))
			} else {
				sh.setName(name, "?")
				sh.unset(sh.rt.id.optarg)
				complain("option requires an argument")
			}
			return 0
		}
		arg = list[ind-1]
		ind++
	}
	sh.optPos = 0
	setInd()
	sh.set(sh.rt.id.optarg, arg)
	return sh.setOpt(name, c)
}

func (sh *Shell) setOpt(name string, c byte) int {
	if !sh.setName(name, string(rune(c))) {
		return 1
	}
	return 0
}
