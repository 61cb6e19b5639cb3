// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sed

import (
	"bytes"

	"github.com/wsandbox/wsandbox/guests/src/posixre"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// pass is a command applied to a whole buffer of lines at once: a substitution,
// or the deletion of lines. A script that consists of such commands needs no
// cycle for each line.
type pass struct {
	re   *posixre.Regexp // over whole buffers of lines
	sub  *subst          // nil: d
	keep bool            // !d, or p with -n
}

// lineRegexp compiles re for buffers of lines, or returns nil.
func (s *sed) lineRegexp(re *posixre.Regexp) *posixre.Regexp {
	if re == nil || re.HasBackrefs() {
		return nil
	}
	pattern, flags := re.Source()
	lines := posixre.Lines
	if s.eol == 0 {
		lines = posixre.ZeroLines
	}
	re, err := posixre.Compile(pattern, flags|lines)
	if err != nil {
		return nil // too big in this form only
	}
	return re
}

// preparePasses decides whether the script can be run as passes.
func (s *sed) preparePasses() {
	var passes []pass
	quiet := s.quiet
	for _, c := range s.prog {
		var p pass
		switch {
		case c.name == 's' && c.a1 == nil && !c.bang:
			u := c.sub
			if u.print != 0 || u.eval || u.out != nil || u.nth > 1 {
				return
			}
			// A line that became two would still be one for the commands behind.
			for i := range u.parts {
				if bytes.IndexByte(u.parts[i].text, s.eol) >= 0 && len(s.prog) > 1 {
					return
				}
			}
			p.sub = u
			p.re = s.lineRegexp(u.re)
		case c.name == 'd' && c.a1 != nil && c.a2 == nil && c.a1.kind == addrRegex:
			p.re, p.keep = s.lineRegexp(c.a1.re), c.bang
		case c.name == 'p' && s.quiet && len(s.prog) == 1 && c.a1 != nil && c.a2 == nil && c.a1.kind == addrRegex:
			p.re, p.keep = s.lineRegexp(c.a1.re), !c.bang
			quiet = false
		default:
			return
		}
		if p.re == nil {
			return
		}
		passes = append(passes, p)
	}
	if !quiet && !s.unbuffered {
		s.passes = passes
	}
}

// bulk runs the passes over the lines in the buffer, and over the following
// buffers. It returns true.
func (s *sed) bulk() bool {
	if len(s.passes) == 0 || !s.in.open {
		return true
	}
	r := &s.in.r
	for {
		b := r.bufs[r.cur][r.r:r.w]
		n := bytes.LastIndexByte(b, s.eol) + 1
		if n == 0 {
			return true
		}
		out := b[:n]
		for i := range s.passes {
			p := &s.passes[i]
			dst := s.passBufs[i&1][:0]
			switch {
			case p.sub != nil && len(out) > wsys.Worth:
				dst = s.subAll(dst, out, p)
			case p.sub != nil:
				dst = s.subPass(dst, out, p)
			case len(out) > wsys.Worth:
				dst = s.selectLines(dst, out, p)
			default:
				dst = s.deletePass(dst, out, p)
			}
			s.passBufs[i&1] = dst
			out = dst
		}
		r.r += n
		if len(out) > 0 {
			s.writeRaw(s.out, out)
		}
		if s.out == s.stdout && s.p.WriteFailed() || !r.more() {
			return true
		}
	}
}

// subPass appends the lines b with substitutions to dst.
func (s *sed) subPass(dst, b []byte, p *pass) []byte {
	u := p.sub
	copied, last := 0, -1
	for pos := 0; pos < len(b); {
		ok, err := p.re.Find(b, pos, 0, u.loc)
		if err != nil {
			s.fatal(exitPanic, "regex: ", err.Error())
		}
		from, to := u.loc[0], u.loc[1]
		if !ok || from == len(b) {
			break
		}
		if from != to || from != last {
			dst = append(dst, b[copied:from]...)
			dst = s.expand(dst, u, b)
			copied = to
			if !u.global {
				pos = to + indexByte(b[to:], s.eol) + 1
				continue
			}
		}
		last = to
		pos = to
		if from == to {
			pos += s.charLen(b, pos)
		}
	}
	return append(dst, b[copied:]...)
}

// deletePass appends the lines of b that are not deleted to dst.
func (s *sed) deletePass(dst, b []byte, p *pass) []byte {
	for pos := 0; pos < len(b); {
		from, to, err := p.re.FindLine(b, pos)
		if err != nil {
			s.fatal(exitPanic, "regex: ", err.Error())
		}
		if from < 0 {
			from, to = len(b), len(b)-1
		}
		if p.keep {
			dst = append(dst, b[from:to+1]...)
		} else {
			dst = append(dst, b[pos:from]...)
		}
		pos = to + 1
	}
	return dst
}
