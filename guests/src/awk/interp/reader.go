// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"bytes"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/posixre"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// reader cuts the input of a descriptor into records. What it has returned stays
// as it is: a block that is used up is left to the collector.
type reader struct {
	fd   wsys.FD
	err  error
	buf  []byte
	r, w int
	eof  bool
	some bool // a record has been read
	size int  // of the next block

	delim   byte
	scanned int // buf is searched for delim up to here
	base    int // what ends counts from
	ends    []uint32
	used    int // of ends
	changes int // of what ends are

	// The separators of fields are among ends: those of the record found last
	// are ends[sepFrom:sepTo], its end among them.
	separated      bool
	plain          bool // not in this block
	sepFrom, sepTo int

	// Lines that the only pattern of the program matches, and where the search
	// for them is to go on.
	hits      []uint32
	hit       int
	hitsNext  int
	hitsLimit int
}

const (
	firstBlock = 8 << 10
	block      = 64 << 10
	endsAhead  = 2048
	hitsAhead  = 512
)

// more reads behind what is there and reports whether there was something.
func (r *reader) more(in *interp) bool {
	if r.eof {
		return false
	}
	if len(r.buf)-r.w < 512 {
		rest := r.w - r.r
		if r.size == 0 {
			r.size = firstBlock
		}
		for r.size < 2*rest {
			r.size *= 2
			in.room(r.size)
		}
		b := make([]byte, r.size)
		copy(b, r.buf[r.r:r.w])
		r.forget()
		r.buf, r.r, r.w = b, 0, rest
		if r.size < block {
			r.size *= 2
		} else {
			r.size = block
		}
	}
	for {
		n, err := wsys.Read(r.fd, r.buf[r.w:])
		if err == abi.EINTR && n == 0 {
			continue
		}
		if n > 0 {
			r.w += n
			return true
		}
		r.eof, r.err = true, err
		return false
	}
}

// forget gives up what is known about delimiters.
func (r *reader) forget() {
	r.changes++
	r.ends, r.used, r.scanned = nil, 0, 0
	r.separated, r.plain, r.sepTo = false, false, 0
	r.hits, r.hit, r.hitsNext, r.hitsLimit = nil, 0, 0, 0
}

// next returns where delim is next, or -1 where it is not in what has been read.
func (r *reader) next(in *interp, delim byte) int {
	if delim != r.delim {
		r.forget()
		r.delim = delim
	}
	r.sepTo = 0
	if in.fieldsAhead && r == in.main && !r.plain {
		if i, ok := r.nextSeparated(in); ok {
			return i
		}
	}
	for {
		for r.used < len(r.ends) {
			end := r.base + int(r.ends[r.used])
			r.used++
			if end >= r.r {
				return end
			}
		}
		from := max(r.r, r.scanned)
		if r.w-from > wsys.Worth {
			n := wsys.Positions(r.buf[from:r.w], delim, delim, in.endsRoom(r))
			r.base, r.ends, r.used, r.scanned = from, r.ends[:n], 0, r.w
			if n == endsAhead {
				r.scanned = from + int(r.ends[n-1]) + 1
			}
			if n > 0 {
				continue
			}
			return -1
		}
		r.scanned = r.w
		for i := from; i < r.w; i++ {
			if r.buf[i] == delim {
				r.scanned = i + 1
				return i
			}
		}
		return -1
	}
}

// nextSeparated is next together with the separators of fields, where they can
// be found by the host.
func (r *reader) nextSeparated(in *interp) (end int, ok bool) {
	if !r.separated {
		r.ends, r.used, r.separated = nil, 0, true
	}
	for again := false; ; again = true {
		start := r.used
		for i, e := range r.ends[start:] {
			p := r.base + int(e)
			if p < r.r {
				start = r.used + i + 1
			} else if r.buf[p] == r.delim {
				r.sepFrom = start
				r.used += i + 1
				r.sepTo = r.used
				return p, true
			}
		}
		sep := byte(' ')
		if in.split == splitByte {
			sep = in.splitByte
		}
		if again || r.w-r.r <= wsys.Worth || sep == ' ' && wsys.IndexByte(r.buf[r.r:r.w], '\t') >= 0 {
			// A record longer than what has been looked through, the rest of a
			// block, or tabs: this block goes on without.
			r.plain = r.w-r.r > wsys.Worth && !again
			r.ends, r.used, r.separated, r.scanned = nil, 0, false, 0
			return 0, false
		}
		n := wsys.Positions(r.buf[r.r:r.w], r.delim, sep, in.mainEnds[:])
		r.changes++
		r.base, r.ends, r.used = r.r, in.mainEnds[:n], 0
	}
}

// skipLines steps over lines that the only pattern of the program does not
// match, as far as they have been read, and reports whether it has come to one
// that does.
func (in *interp) skipLines() bool {
	r := in.main
	if r == nil || in.rsMode != rsChar || in.rsByte != '\n' || in.ignoreCase {
		return false
	}
	for {
		for r.hit < len(r.hits) {
			at := int(r.hits[r.hit])
			r.hit += 2
			if at >= r.r {
				in.pass(at)
				return true
			}
		}
		if r.hitsNext < r.r {
			r.hitsNext = r.r
		}
		if r.hitsNext >= r.hitsLimit {
			// Nothing more in the lines searched so far.
			if r.r < r.hitsLimit {
				in.pass(r.hitsLimit)
			}
			if r.w-r.r <= wsys.Worth {
				return false
			}
			end := bytes.LastIndexByte(r.buf[r.r:r.w], '\n')
			if end < 0 {
				return false
			}
			r.hitsLimit = r.r + end + 1
		}
		if r.hits == nil {
			r.hits = make([]uint32, hitsAhead)
		}
		n, next, err := in.onlyRegex.FindLines(r.buf[:r.hitsLimit], r.hitsNext, r.hits[:hitsAhead])
		if err != nil {
			in.fatal(err.Error())
		}
		r.hits, r.hit, r.hitsNext = r.hits[:n], 0, next
	}
}

// pass steps to the start of a line and counts those before.
func (in *interp) pass(at int) {
	r := in.main
	if at == r.r {
		return
	}
	b := r.buf[r.r:at]
	n := 0
	if len(b) > wsys.Worth {
		n = wsys.CountByte(b, '\n')
	} else {
		for _, c := range b {
			if c == '\n' {
				n++
			}
		}
	}
	in.nr += float64(n)
	in.fnr += float64(n)
	r.r = at
}

// endsRoom gives r room for delimiters found ahead. Readers other than the main
// input's have room of their own.
func (in *interp) endsRoom(r *reader) []uint32 {
	if r == in.main {
		r.ends = in.mainEnds[:]
	} else {
		r.ends = make([]uint32, endsAhead)
	}
	return r.ends
}

// record returns the next record, as RS says; ok is false at the end and after
// an error.
func (r *reader) record(in *interp) (rec string, ok bool) {
	switch in.rsMode {
	case rsChar:
		for {
			if i := r.next(in, in.rsByte); i >= 0 {
				rec = textOf(r.buf[r.r:i])
				if in.usesRT {
					in.special[rtVar] = strValue(textOf(r.buf[i : i+1]))
				}
				r.r = i + 1
				return rec, true
			}
			if !r.more(in) {
				return r.rest(in)
			}
		}
	case rsParagraph:
		return r.paragraph(in)
	}
	return r.regexRecord(in)
}

// rest returns what is left at the end of the input.
func (r *reader) rest(in *interp) (string, bool) {
	if in.usesRT {
		in.special[rtVar] = strValue("")
	}
	rec := textOf(r.buf[r.r:r.w])
	r.r = r.w
	return rec, rec != "" && r.err == nil
}

func (r *reader) paragraph(in *interp) (string, bool) {
	r.forget()
	for {
		for r.r < r.w && r.buf[r.r] == '\n' {
			r.r++
		}
		if r.r < r.w {
			break
		}
		if !r.more(in) {
			return r.rest(in)
		}
	}
	seen := 0
	for {
		b := r.buf[r.r:r.w]
		if i := bytes.Index(b[seen:], []byte("\n\n")); i >= 0 {
			i += seen
			k := i + 2
			for k < len(b) && b[k] == '\n' {
				k++
			}
			if in.usesRT {
				in.special[rtVar] = strValue(textOf(b[i:k]))
			}
			r.r += k
			return textOf(b[:i]), true
		}
		seen = max(0, len(b)-1)
		if !r.more(in) {
			rec, ok := r.rest(in)
			if n := len(rec); n > 0 && rec[n-1] == '\n' {
				if in.usesRT {
					in.special[rtVar] = strValue(rec[n-1:])
				}
				rec = rec[:n-1]
			}
			return rec, ok
		}
	}
}

func (r *reader) regexRecord(in *interp) (string, bool) {
	r.forget()
	re := in.rsRegex.get(in)
	var flags posixre.ExecFlags
	if r.some {
		flags = posixre.NotBOL // ^ is the start of the input
	}
	r.some = true
	var loc [2]int
	for {
		b := r.buf[r.r:r.w]
		for pos := 0; len(b) > 0; {
			ok, err := re.Find(b, pos, flags, loc[:])
			if err != nil {
				in.fatal(err.Error())
			}
			if !ok {
				break
			}
			if loc[1] == loc[0] {
				if pos = loc[0] + 1; pos > len(b) {
					break
				}
				continue
			}
			if loc[1] == len(b) && !r.eof {
				break // it may go on
			}
			if in.usesRT {
				in.special[rtVar] = strValue(textOf(b[loc[0]:loc[1]]))
			}
			r.r += loc[1]
			return textOf(b[:loc[0]]), true
		}
		if !r.more(in) {
			if len(b) > 0 && r.w-r.r == len(b) && r.err == nil {
				// Once more, now that the end is known.
				if ok, _ := re.Find(b, 0, flags, loc[:]); ok && loc[1] > loc[0] {
					r.r += loc[1]
					if in.usesRT {
						in.special[rtVar] = strValue(textOf(b[loc[0]:loc[1]]))
					}
					return textOf(b[:loc[0]]), true
				}
			}
			rec, ok := r.rest(in)
			return rec, ok
		}
	}
}

// regex is a regular expression, compiled when it is used: once for each value
// of IGNORECASE.
type regex struct {
	src string
	re  [2]*posixre.Regexp
}

func (x *regex) get(in *interp) *posixre.Regexp {
	k := 0
	if in.ignoreCase {
		k = 1
	}
	if x.re[k] == nil {
		x.re[k] = in.compileRegex(x.src)
	}
	return x.re[k]
}
