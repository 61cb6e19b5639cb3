// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"bytes"
	"strconv"
)

// Filter removes from a stream the queries that a terminal would answer:
// device status and attributes, version, modes and settings (DECRQM, DECRQSS,
// XTGETTCAP), window reports, colours and clipboard asked for with "?". All
// else passes as it is: colours, cursor movement, titles, links.
//
// An incomplete sequence at the end of what was written is held until it is
// complete. The zero value is ready for use.
type Filter struct {
	held  []byte
	state filterState
	pass  bool // the sequence is too long for a query and passes
	kind  byte // of the string
}

type filterState uint8

const (
	filterGround filterState = iota
	filterC2                 // behind 0xC2, which may begin a C1 control
	filterEscape
	filterEscapeInter
	filterCSI
	filterString
	filterStringEscape
	filterStringC2
)

// Filter appends to dst what passes of p and returns it.
func (f *Filter) Filter(dst, p []byte) []byte {
	for i := 0; i < len(p); i++ {
		c := p[i]
		if f.state == filterGround {
			n := i
			for n < len(p) && p[n] != 0x1b && p[n] != 0xc2 && p[n] != 0x05 {
				n++
			}
			dst = append(dst, p[i:n]...)
			if n == len(p) {
				break
			}
			i = n
			switch p[i] {
			case 0x1b:
				f.begin(filterEscape, p[i])
			case 0xc2:
				f.begin(filterC2, p[i])
			}
			continue // ENQ is a query
		}
		dst = f.next(dst, c)
	}
	return dst
}

// Flush returns what is held and forgets it: for the end of the stream.
func (f *Filter) Flush() []byte {
	b := bytes.Clone(f.held)
	*f = Filter{}
	return b
}

func (f *Filter) begin(s filterState, c byte) {
	f.state, f.pass = s, false
	f.held = append(f.held[:0], c)
}

// end ends the sequence, which passes unless it is a query.
func (f *Filter) end(dst []byte, query bool) []byte {
	f.state = filterGround
	if !query {
		dst = append(dst, f.held...)
	}
	f.held = f.held[:0]
	return dst
}

func (f *Filter) next(dst []byte, c byte) []byte {
	// A new sequence, or a cancel, ends one that is not complete.
	inString := f.state == filterString || f.state == filterStringC2
	switch {
	case (c == 0x18 || c == 0x1a) && f.state != filterC2:
		f.held = append(f.held, c)
		return f.end(dst, false)
	case c == 0x1b && !inString:
		dst = f.end(dst, false)
		f.begin(filterEscape, c)
		return dst
	}
	if f.state == filterStringEscape && c != '\\' {
		// The ESC that seemed to end the string began another sequence.
		f.held = f.held[:len(f.held)-1]
		dst = f.end(dst, false)
		f.begin(filterEscape, 0x1b)
	}
	f.held = append(f.held, c)
	switch f.state {
	case filterC2:
		switch c {
		case 0x9b:
			f.state = filterCSI
		case 0x9d, 0x90, 0x98, 0x9e, 0x9f:
			f.state, f.kind = filterString, c-0x40
		case 0x9a: // DECID
			return f.end(dst, true)
		case 0xc2:
			dst = append(dst, 0xc2)
			f.held = f.held[:1]
		case 0x05:
			dst = append(dst, 0xc2)
			f.held = f.held[:0]
			f.state = filterGround
		default:
			return f.end(dst, false)
		}
	case filterEscape:
		switch {
		case c == '[':
			f.state = filterCSI
		case c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_':
			f.state, f.kind = filterString, c
		case c >= 0x20 && c < 0x30:
			f.state = filterEscapeInter
		case c < 0x20:
			// Controls act within a sequence.
		case c == 'Z':
			return f.end(dst, true)
		default:
			return f.end(dst, false)
		}
	case filterEscapeInter:
		if c >= 0x30 {
			return f.end(dst, false)
		}
	case filterCSI:
		if c >= 0x40 {
			return f.end(dst, c < 0x7f && !f.pass && csiQuery(f.body()))
		}
	case filterString, filterStringC2:
		was := f.state
		f.state = filterString
		switch {
		case c == 0x1b:
			f.state = filterStringEscape
		case c == 0x07 && f.kind == ']':
			return f.end(dst, !f.pass && stringQuery(f.kind, f.body()[:len(f.body())-1]))
		case c == '\n' && f.kind == ']':
			return f.end(dst, false)
		case c == 0x9c && was == filterStringC2:
			return f.end(dst, !f.pass && stringQuery(f.kind, f.body()[:len(f.body())-2]))
		case c == 0xc2:
			f.state = filterStringC2
		}
	case filterStringEscape:
		return f.end(dst, !f.pass && stringQuery(f.kind, f.body()[:len(f.body())-2]))
	}
	if len(f.held) > maxString {
		// No query is that long. The last byte stays: it may begin the end.
		f.pass = true
	}
	if f.pass {
		n := len(f.held)
		if f.state == filterStringEscape || f.state == filterStringC2 {
			n--
		}
		dst = append(dst, f.held[:n]...)
		f.held = append(f.held[:0], f.held[n:]...)
	}
	return dst
}

// body returns what is held behind the introducer, nothing if it has passed.
func (f *Filter) body() []byte {
	if f.pass || len(f.held) < 2 {
		return nil
	}
	return f.held[2:]
}

// csiQuery reports whether the control sequence, without its introducer, is a
// query.
func csiQuery(b []byte) bool {
	// Controls may stand within the sequence; they do not make it another.
	clean := b[:0:0]
	for _, c := range b {
		if c >= 0x20 {
			clean = append(clean, c)
		}
	}
	b = clean
	final := b[len(b)-1]
	b = b[:len(b)-1]
	var private byte
	if len(b) > 0 && b[0] >= 0x3c && b[0] <= 0x3f {
		private, b = b[0], b[1:]
	}
	inter := ""
	for len(b) > 0 && b[len(b)-1] < 0x30 {
		inter = string(b[len(b)-1]) + inter
		b = b[:len(b)-1]
	}
	first, _, _ := bytes.Cut(b, []byte{';'})
	n := -1
	if v, err := strconv.Atoi(string(first)); err == nil {
		n = v
	} else if len(first) == 0 {
		n = 0
	}
	switch {
	case final == 'n' && inter == "":
		return private == 0 || private == '?'
	case final == 'c' && inter == "":
		return n == 0 && private != '<' && private != '?'
	case final == 'q' && inter == "":
		return private == '>'
	case final == 'p' && inter == "$":
		return true
	case final == 't' && inter == "" && private == 0:
		return n == 11 || n >= 13 && n <= 16 || n >= 18 && n <= 21
	case final == 'x' && inter == "":
		return private == 0 && n <= 1
	case final == 'u' && inter == "":
		return private == '?'
	}
	return false
}

// stringQuery reports whether the control string is a query.
func stringQuery(kind byte, b []byte) bool {
	switch kind {
	case 'P':
		return bytes.HasPrefix(b, []byte("$q")) || bytes.HasPrefix(b, []byte("+q"))
	case ']':
		number, rest, ok := bytes.Cut(b, []byte{';'})
		n, err := strconv.Atoi(string(number))
		if !ok || err != nil {
			return false
		}
		switch {
		case n == 4 || n == 5 || n >= 10 && n <= 19 || n == 50 || n == 52:
			for field := range bytes.SplitSeq(rest, []byte{';'}) {
				if string(field) == "?" {
					return true
				}
			}
		}
	case '_':
		return bytes.HasPrefix(b, []byte("G")) && bytes.Contains(b, []byte("a=q"))
	}
	return false
}
