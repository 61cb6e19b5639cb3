// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sed

import (
	"bytes"

	"github.com/wsandbox/wsandbox/guests/src/posixre"
)

// skipper passes lines that the script leaves alone, a buffer at a time. That is
// possible where every command of the script needs a match of one and the same
// regular expression to do anything.
type skipper struct {
	re    *posixre.Regexp // over whole buffers of lines
	count bool            // line numbers matter
	lines int             // matching lines met of late, and how many bytes
	bytes int             // were skipped before them
	pause int             // how many more lines to read without
}

// prepareSkip decides whether lines can be skipped.
func (s *sed) prepareSkip() {
	var used *posixre.Regexp
	var key string
	count := false
	inside := 0 // up to here commands run only for matching lines
	for i, c := range s.prog {
		if c.name == '=' || c.a1 != nil && c.a1.kind != addrRegex || c.a2 != nil {
			count = true
		}
		if i < inside {
			continue
		}
		var re *posixre.Regexp
		switch {
		case c.name == ':':
			continue
		case c.bang || c.a2 != nil:
			return
		case c.a1 != nil && c.a1.kind == addrRegex:
			re = c.a1.re
			if c.name == '{' {
				inside = c.jump
			}
		case c.a1 == nil && c.name == 's':
			re = c.sub.re
		default:
			return
		}
		if re == nil || re.HasBackrefs() {
			return
		}
		pattern, flags := re.Source()
		k := pattern + "\x00" + itoa(int(flags))
		if used != nil && k != key {
			return
		}
		used, key = re, k
	}
	if used == nil {
		return
	}
	if re := s.lineRegexp(used); re != nil {
		s.skipped = &skipper{re: re, count: count}
	}
}

// skip passes buffered lines without a match. It returns true.
func (s *sed) skip() bool {
	k := s.skipped
	if k == nil || !s.in.open || s.in.r.slow {
		return true
	}
	if k.pause > 0 {
		k.pause--
		return true
	}
	r := &s.in.r
	for {
		b := r.bufs[r.cur][r.r:r.w]
		if k.lines++; k.lines == 64 {
			if k.bytes < 64*32 {
				k.pause = 1024
			}
			k.lines, k.bytes = 0, 0
		}
		start, _, err := k.re.FindLine(b, 0)
		if err != nil {
			s.skipped = nil
			return true
		}
		if start < 0 {
			// What follows the last newline is not complete.
			start = bytes.LastIndexByte(b, s.eol) + 1
		}
		if start == 0 {
			return true
		}
		s.flushAppended()
		k.bytes += start
		if k.count {
			s.line += int64(bytes.Count(b[:start], []byte{s.eol}))
		}
		if !s.quiet {
			s.writeRaw(s.out, b[:start])
		}
		r.r += start
		if r.r < r.w || s.unbuffered {
			return true
		}
		// The whole buffer is done: go on with the next, unless something must
		// be looked at in between.
		if s.out == s.stdout && s.p.WriteFailed() || !r.more() {
			return true
		}
	}
}
