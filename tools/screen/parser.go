// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package screen

import "unicode/utf8"

// Bounds of what the parser keeps of one sequence.
const (
	maxParams = 32    // parameters of a control sequence; more are ignored
	maxParam  = 65535 // value of one parameter
	maxInter  = 2     // intermediate bytes
	maxString = 4096  // bytes kept of a control string (OSC, DCS, APC, PM, SOS)
)

// sequence is an escape or control sequence (ECMA-48 5.4).
type sequence struct {
	private byte // '<', '=', '>', '?' or 0
	params  [maxParams]int
	sub     [maxParams]bool // the parameter was behind a colon
	n       int             // parameters given
	inter   [maxInter]byte
	ni      int
	final   byte
}

// param returns parameter i, or def where it is missing or zero.
func (s *sequence) param(i, def int) int {
	if i >= s.n || s.params[i] <= 0 {
		return def
	}
	return s.params[i]
}

// value returns parameter i, 0 where it is missing.
func (s *sequence) value(i int) int { return s.param(i, 0) }

// is reports whether the sequence has this private marker and these
// intermediate bytes.
func (s *sequence) is(private byte, inter string) bool {
	return s.private == private && string(s.inter[:s.ni]) == inter
}

// handler takes what the parser finds.
type handler interface {
	text(p []byte)        // printable ASCII; p is valid during the call
	char(r rune)          // a printable character beyond ASCII; U+FFFD for invalid bytes
	control(c byte)       // a C0 control but ESC, or a C1 control
	escape(s *sequence)   // ESC, intermediates, final
	csi(s *sequence)      // control sequence
	str(cs controlString) // a control string that was terminated
}

// controlString is an OSC, DCS, APC, PM or SOS.
type controlString struct {
	kind byte   // ']', 'P', '_', '^' or 'X'
	data []byte // valid during the call
	cut  bool   // longer than maxString
	bell bool   // terminated by BEL
}

type parserState uint8

const (
	stateGround parserState = iota
	stateEscape
	stateEscapeInter
	stateCSI
	stateCSIInter
	stateCSIIgnore
	stateString
	stateStringEscape // behind ESC in a string
)

// parser is the state machine of a terminal's input, after DEC's VT500 series,
// with UTF-8 in place of 8-bit characters.
type parser struct {
	state  parserState
	seq    sequence
	digits bool // the last parameter has begun
	kind   byte // of the string
	data   []byte
	cut    bool
	c2     bool // the last byte of the string was 0xC2
	hidden int64
	pend   [utf8.UTFMax]byte // an incomplete character
	np     int
}

func (p *parser) write(b []byte, h handler) {
	for i := 0; i < len(b); {
		if p.state == stateGround && p.np == 0 {
			n := i
			for n < len(b) && b[n] >= 0x20 && b[n] < 0x7f {
				n++
			}
			if n > i {
				h.text(b[i:n])
				i = n
				continue
			}
			if b[i] >= 0xc3 { // not C2, which leads C1 controls
				if r, size := utf8.DecodeRune(b[i:]); size > 1 {
					h.char(r)
					i += size
					continue
				}
			}
		}
		if p.state == stateString {
			if n := p.plain(b[i:]); n > 0 {
				i += n
				continue
			}
		}
		p.next(b[i], h)
		i++
	}
}

// plain takes what a string begins with that cannot end it.
func (p *parser) plain(b []byte) int {
	n := 0
	for n < len(b) && b[n] >= 0x20 && b[n] < 0x7f {
		n++
	}
	if n > 0 {
		p.keep(b[:n])
		p.c2 = false
	}
	return n
}

func (p *parser) keep(b []byte) {
	p.hidden += int64(len(b))
	if n := min(len(b), maxString-len(p.data)); n < len(b) {
		b = b[:n]
		p.cut = true
	}
	p.data = append(p.data, b...)
}

func (p *parser) next(c byte, h handler) {
	if p.np > 0 {
		p.pend[p.np] = c
		p.np++
		if !utf8.FullRune(p.pend[:p.np]) {
			return
		}
		r, size := utf8.DecodeRune(p.pend[:p.np])
		n := p.np
		p.np = 0
		if size == n {
			if r < 0xa0 {
				p.c1(byte(r), h)
				return
			}
			h.char(r)
			return
		}
		h.char(utf8.RuneError) // for the bytes before c
	}
	switch p.state {
	case stateString:
		p.inString(c, h)
		return
	case stateStringEscape:
		if c == '\\' {
			p.endString(false, h)
			return
		}
		p.state = stateEscape // the string is lost
		p.clear()
	}
	switch c {
	case 0x1b:
		p.state = stateEscape
		p.clear()
		return
	case 0x18, 0x1a: // CAN, SUB
		p.state = stateGround
		return
	case 0x7f:
		return
	}
	if c < 0x20 {
		h.control(c)
		return
	}
	if c >= 0x80 {
		p.state = stateGround
		p.pend[0], p.np = c, 1
		if utf8.FullRune(p.pend[:1]) {
			p.np = 0
			h.char(utf8.RuneError)
		}
		return
	}
	switch p.state {
	case stateGround:
		one := [1]byte{c}
		h.text(one[:])
	case stateEscape:
		switch {
		case c < 0x30:
			p.inter(c)
			p.state = stateEscapeInter
		case c == '[':
			p.state = stateCSI
		case c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_':
			p.beginString(c)
		default:
			p.state = stateGround
			p.seq.final = c
			h.escape(&p.seq)
		}
	case stateEscapeInter:
		if c < 0x30 {
			p.inter(c)
			return
		}
		p.state = stateGround
		p.seq.final = c
		h.escape(&p.seq)
	case stateCSI:
		switch {
		case c >= '0' && c <= '9':
			p.digit(c)
		case c == ';' || c == ':':
			p.separator(c)
		case c >= 0x3c && c <= 0x3f:
			if p.seq.private != 0 || p.seq.n > 0 {
				p.state = stateCSIIgnore
				return
			}
			p.seq.private = c
		case c < 0x30:
			p.inter(c)
			p.state = stateCSIInter
		default:
			p.endCSI(c, h)
		}
	case stateCSIInter:
		switch {
		case c < 0x30:
			p.inter(c)
		case c < 0x40:
			p.state = stateCSIIgnore
		default:
			p.endCSI(c, h)
		}
	case stateCSIIgnore:
		if c >= 0x40 {
			p.state = stateGround
		}
	}
}

func (p *parser) clear() {
	p.seq = sequence{}
	p.digits = false
}

func (p *parser) inter(c byte) {
	if p.seq.ni < maxInter {
		p.seq.inter[p.seq.ni] = c
		p.seq.ni++
		return
	}
	if p.state == stateCSIInter {
		p.state = stateCSIIgnore
		return
	}
	p.seq.inter[0] = 0xff // matches no sequence
}

func (p *parser) digit(c byte) {
	s := &p.seq
	if s.n == 0 {
		s.n = 1
		s.params[0] = -1
	}
	if s.n > maxParams {
		return
	}
	v := &s.params[s.n-1]
	*v = min(max(*v, 0)*10+int(c-'0'), maxParam)
}

func (p *parser) separator(c byte) {
	s := &p.seq
	if s.n == 0 {
		s.n = 1
		s.params[0] = -1
	}
	if s.n > maxParams {
		return
	}
	s.n++
	if s.n <= maxParams {
		s.params[s.n-1] = -1
		s.sub[s.n-1] = c == ':'
	}
}

func (p *parser) endCSI(c byte, h handler) {
	p.state = stateGround
	p.seq.n = min(p.seq.n, maxParams)
	p.seq.final = c
	h.csi(&p.seq)
}

// c1 takes a control of the range U+0080 to U+009F, which UTF-8 encodes in two
// bytes.
func (p *parser) c1(c byte, h handler) {
	switch c {
	case 0x9b:
		p.clear()
		p.state = stateCSI
	case 0x9d, 0x90, 0x98, 0x9e, 0x9f:
		p.beginString(c - 0x40)
	default:
		h.control(c)
	}
}

func (p *parser) beginString(kind byte) {
	p.state = stateString
	p.kind = kind
	p.data = p.data[:0]
	p.cut, p.c2 = false, false
}

func (p *parser) endString(bell bool, h handler) {
	p.state = stateGround
	h.str(controlString{p.kind, p.data, p.cut, bell})
	if cap(p.data) > 512 {
		p.data = nil
	}
}

func (p *parser) inString(c byte, h handler) {
	switch {
	case c == 0x1b:
		p.state = stateStringEscape
	case c == 0x18 || c == 0x1a:
		p.state = stateGround
	case c == 0x07 && p.kind == ']':
		p.endString(true, h)
	case c == 0x9c && p.c2:
		if !p.cut {
			p.data = p.data[:len(p.data)-1]
		}
		p.endString(false, h)
	case c == '\n' && p.kind == ']':
		// No operating system command has a line in it: the end was
		// forgotten, and what follows is text.
		p.state = stateGround
		h.control(c)
	default:
		p.keep([]byte{c})
		p.c2 = c == 0xc2
	}
}
