// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sed

import (
	"bytes"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

func indexByte(b []byte, c byte) int { return bytes.IndexByte(b, c) }

// reader reads lines. A line stays valid while one more buffer is read, so that
// looking for the end of the input does not touch the current line.
type reader struct {
	fd   wsys.FD
	slow bool // read a byte at a time, so as to leave the rest to others
	bufs [2][]byte
	cur  int
	r, w int
	eof  bool
	err  error

	ends, room []uint32 // of lines found ahead, counted from base
	base       int
}

const readSize = 64 << 10

var staticBuffer [readSize]byte

// more reads behind what is not consumed yet, moving that into the other
// buffer, and reports whether there was more.
func (r *reader) more() bool {
	if r.eof || r.err != nil {
		return false
	}
	rest := r.bufs[r.cur][r.r:r.w]
	r.cur = 1 - r.cur
	r.ends = nil
	if need := 2 * len(rest); len(r.bufs[r.cur]) < max(need, readSize) {
		r.bufs[r.cur] = make([]byte, max(need, readSize))
	}
	b := r.bufs[r.cur]
	n := copy(b, rest)
	r.r, r.w = 0, n
	b = b[n:]
	if r.slow {
		b = b[:1]
	}
	for {
		n, err := wsys.Read(r.fd, b)
		if err == abi.EINTR {
			continue
		}
		r.w += n
		r.err = err
		r.eof = err == nil && n == 0
		return n > 0
	}
}

// line returns the next line without its end, and whether it had one.
func (r *reader) line(eol byte) (line []byte, nl, ok bool) {
	seen := 0
	for {
		b := r.bufs[r.cur][r.r:r.w]
		if k := indexByte(b[seen:], eol); k >= 0 {
			r.r += seen + k + 1
			return b[:seen+k], true, true
		}
		seen = len(b)
		if !r.more() {
			b = r.bufs[r.cur][r.r:r.w]
			r.r = r.w
			return b, false, len(b) > 0
		}
	}
}

// atEnd reports whether there is nothing more to read.
func (r *reader) atEnd() bool { return r.r == r.w && !r.more() }

// input is the sequence of input files.
type input struct {
	s     *sed
	files []string // still to come
	r     reader
	open  bool
	name  string // of the open file

	ahead     *reader // the next file, where it is open already
	aheadName string

	edit *edit // where the open file is edited in place
}

func (in *input) openFile(name string) (wsys.FD, bool) {
	s := in.s
	if name == "-" && !s.inPlace {
		return s.p.Stdin.FD, true
	}
	fd, err := wsys.Open(wsys.AtCwd, name, abi.ORdonly|abi.OCloexec, 0)
	if err != nil {
		s.warn("can't read ", name, ": ", cmdkit.Strerror(err))
		s.status = exitInput
		return -1, false
	}
	return fd, true
}

func (in *input) reader(fd wsys.FD) *reader {
	r := &reader{fd: fd}
	if in.s.unbuffered {
		st, err := wsys.Fstat(fd)
		r.slow = err != nil || !st.Mode.IsRegular()
	}
	return r
}

// advance opens the next file that can be opened.
func (in *input) advance() bool {
	s := in.s
	if in.ahead != nil {
		in.r, in.name, in.ahead, in.open = *in.ahead, in.aheadName, nil, true
		return true
	}
	for len(in.files) > 0 {
		name := in.files[0]
		in.files = in.files[1:]
		fd, ok := in.openFile(name)
		if !ok {
			continue
		}
		if s.inPlace {
			e := s.beginEdit(name, fd)
			if e == nil {
				wsys.Close(fd)
				continue
			}
			in.edit = e
			s.out = &output{w: cmdkit.NewWriter(e.fd), name: e.tmp}
		}
		bufs, room := in.r.bufs, in.r.room
		if bufs[0] == nil {
			bufs[0] = staticBuffer[:]
		}
		in.r = *in.reader(fd)
		in.r.bufs, in.r.room = bufs, room
		in.name, in.open = name, true
		if s.separate {
			s.line = 0
			s.reset()
		}
		return true
	}
	return false
}

// close ends the open file.
func (in *input) close() {
	s := in.s
	if in.r.fd != s.p.Stdin.FD {
		wsys.Close(in.r.fd)
	}
	in.open = false
	if in.edit != nil {
		e := in.edit
		in.edit = nil
		s.finishEdit(e)
		s.out = s.stdout
	}
}

// failed reports a read error of the open file.
func (in *input) failed() {
	s := in.s
	if in.r.err != nil {
		s.fatal(exitPanic, "read error on ", in.name, ": ", cmdkit.Strerror(in.r.err))
	}
}

// next returns the next line.
func (in *input) next() (line []byte, nl, ok bool) {
	for {
		if !in.open && !in.advance() {
			return nil, false, false
		}
		line, nl, ok = in.r.line(in.s.eol)
		if ok {
			if !nl && in.r.err == nil && !in.s.separate && in.more() {
				// Only the last line of all may lack its newline.
				nl = true
			}
			return line, nl, true
		}
		in.failed()
		in.close()
	}
}

// more reports whether a file with something in it follows the open one, which
// is at its end. It opens that file but leaves the current line as it is.
func (in *input) more() bool {
	if in.ahead != nil {
		return true
	}
	for len(in.files) > 0 {
		name := in.files[0]
		in.files = in.files[1:]
		fd, ok := in.openFile(name)
		if !ok {
			continue
		}
		r := in.reader(fd)
		if !r.atEnd() || r.err != nil {
			in.ahead, in.aheadName = r, name
			return true
		}
		if fd != in.s.p.Stdin.FD {
			wsys.Close(fd)
		}
	}
	return false
}

// last reports whether the current line is the last one.
func (in *input) last() bool {
	if !in.open {
		return in.s.separate || !in.more()
	}
	if !in.r.atEnd() {
		return false
	}
	return in.s.separate || !in.more()
}

// finish ends the input. After q, what was read too much from standard input is
// given back; the rest of a file edited in place is lost, as with GNU sed.
func (in *input) finish(quit bool) {
	if !in.open {
		return
	}
	if n := in.r.w - in.r.r; quit && n > 0 && in.r.fd == in.s.p.Stdin.FD {
		wsys.Seek(in.r.fd, int64(-n), abi.SeekCur)
	}
	in.close()
}

// discard gives up an edit that was not finished.
func (in *input) discard() {
	if in.edit != nil {
		wsys.Close(in.edit.fd)
		wsys.Unlink(wsys.AtCwd, in.edit.tmp)
		in.edit = nil
	}
}
