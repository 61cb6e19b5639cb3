// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package encode

import (
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
)

// encoding is one of RFC 4648.
type encoding struct {
	alphabet string
	bits     uint // of a character
	in, out  int  // bytes and characters of a group
	values   [256]int8
}

func newEncoding(alphabet string, bits uint, in, out int) *encoding {
	e := &encoding{alphabet: alphabet, bits: bits, in: in, out: out}
	for i := range e.values {
		e.values[i] = -1
	}
	for i := range len(alphabet) {
		e.values[alphabet[i]] = int8(i)
	}
	return e
}

// encode appends the characters for b, which only at the end of the input is no
// whole number of groups: padding follows.
func (e *encoding) encode(dst, b []byte) []byte {
	if e.bits == 6 {
		for ; len(b) >= 3; b = b[3:] {
			v := uint(b[0])<<16 | uint(b[1])<<8 | uint(b[2])
			dst = append(dst, e.alphabet[v>>18&63], e.alphabet[v>>12&63], e.alphabet[v>>6&63], e.alphabet[v&63])
		}
	}
	for len(b) > 0 {
		n := min(len(b), e.in)
		v := uint64(0)
		for i := range e.in {
			v <<= 8
			if i < n {
				v |= uint64(b[i])
			}
		}
		used := (n*8 + int(e.bits) - 1) / int(e.bits)
		for i := range e.out {
			if i < used {
				dst = append(dst, e.alphabet[v>>(e.bits*uint(e.out-1-i))&(1<<e.bits-1)])
			} else {
				dst = append(dst, '=')
			}
		}
		b = b[n:]
	}
	return dst
}

// decoder decodes a stream.
type decoder struct {
	*encoding
	garbage bool // what is no character is ignored
	group   [8]byte
	n       int // characters in group
	pad     int // of these padding
}

// decode appends the bytes for what comes next. It reports false where that is
// wrong; what stands before has been decoded.
func (d *decoder) decode(dst, b []byte) ([]byte, bool) {
	for i := 0; i < len(b); i++ {
		if d.n == 0 && d.bits == 6 { // whole groups
			for ; i+4 <= len(b); i += 4 {
				v0, v1, v2, v3 := d.values[b[i]], d.values[b[i+1]], d.values[b[i+2]], d.values[b[i+3]]
				if v0|v1|v2|v3 < 0 {
					break
				}
				v := uint(v0)<<18 | uint(v1)<<12 | uint(v2)<<6 | uint(v3)
				dst = append(dst, byte(v>>16), byte(v>>8), byte(v))
			}
			if i == len(b) {
				break
			}
		}
		c := b[i]
		switch {
		case c == '\n':
			continue
		case c == '=' && d.n > 0:
			d.pad++
		case d.values[c] < 0:
			if d.garbage && c != '=' {
				continue
			}
			dst, _ = d.finish(dst)
			return dst, false
		case d.pad > 0:
			dst, _ = d.finish(dst)
			return dst, false
		}
		d.group[d.n] = c
		if d.n++; d.n == d.out {
			var ok bool
			if dst, ok = d.finish(dst); !ok {
				return dst, false
			}
		}
	}
	return dst, true
}

// finish decodes the current group, which at the end of the input may lack
// characters. It reports false where it does.
func (d *decoder) finish(dst []byte) ([]byte, bool) {
	if d.n == 0 {
		return dst, true
	}
	if d.bits == 5 && d.n < d.out {
		d.n, d.pad = 0, 0
		return dst, false
	}
	chars := d.n - d.pad
	v := uint64(0)
	for i := range d.out {
		v <<= d.bits
		if i < chars {
			v |= uint64(d.values[d.group[i]])
		}
	}
	n := chars * int(d.bits) / 8
	for i := range n {
		dst = append(dst, byte(v>>(8*uint(d.in-1-i))))
	}
	// Whole bytes, and as few characters as they take.
	ok := d.n == d.out && n > 0 && chars == (n*8+int(d.bits)-1)/int(d.bits)
	d.n, d.pad = 0, 0
	return dst, ok
}

var baseSyntax = cmdkit.Syntax{
	Short: "diw:",
	Long:  []cmdkit.Long{{Name: "decode", Val: 'd'}, {Name: "ignore-garbage", Val: 'i'}, {Name: "wrap", Arg: cmdkit.RequiredArg, Val: 'w'}},
	Usage: []string{"[OPTION]... [FILE]"},
	Help: `Encode or decode FILE, or standard input, to standard output.

  -d, --decode          decode data
  -i, --ignore-garbage  when decoding, ignore non-alphabet characters
  -w, --wrap=COLS       wrap encoded lines after COLS characters (default 76).
                          Use 0 to disable line wrapping
`,
}

// Base64 is base64(1).
func Base64(p *cmdkit.Proc) int {
	return base(p, newEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 6, 3, 4))
}

// Base32 is base32(1).
func Base32(p *cmdkit.Proc) int {
	return base(p, newEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 5, 5, 8))
}

func base(p *cmdkit.Proc, e *encoding) int {
	wrap, decode, garbage := uint64(76), false, false
	g := p.Options(&baseSyntax)
	for g.Next() {
		switch g.Opt {
		case 'd':
			decode = true
		case 'i':
			garbage = true
		case 'w':
			v, err := cmdkit.ParseUint(g.Arg, "")
			if err == cmdkit.NumOverflow {
				v = 0
			} else if err != cmdkit.NumOK {
				return p.Warn("invalid wrap size: ", cmdkit.Quote(g.Arg))
			}
			wrap = v
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) > 1 {
		return p.ExtraOperand(1, g.Operands[1])
	}
	name := "-"
	if len(g.Operands) == 1 {
		name = g.Operands[0]
	}
	fd, err := p.Open(name)
	if err != nil {
		return p.FileErrno(err, name)
	}
	defer p.CloseInput(fd)
	r := p.InputReader(fd)
	status := 0
	if decode {
		status = e.decodeAll(p, r, garbage)
	} else {
		e.encodeAll(p, r, wrap)
	}
	if r.Err != nil {
		return p.Errno(r.Err, "read error")
	}
	return status
}

func (e *encoding) decodeAll(p *cmdkit.Proc, r *cmdkit.Reader, garbage bool) int {
	d := decoder{encoding: e, garbage: garbage}
	var out []byte
	ok := true
	for b := r.Chunk(); ok && len(b) > 0 && !p.WriteFailed(); b = r.Chunk() {
		out, ok = d.decode(out[:0], b)
		p.Stdout.Write(out)
	}
	if ok && r.Err == nil {
		out, ok = d.finish(out[:0])
		p.Stdout.Write(out)
	}
	if !ok {
		return p.Warn("invalid input")
	}
	return 0
}

func (e *encoding) encodeAll(p *cmdkit.Proc, r *cmdkit.Reader, wrap uint64) {
	var held [8]byte
	n := 0 // in held: less than a group
	var out []byte
	col := uint64(0)
	emit := func(b []byte) {
		out = e.encode(out[:0], b)
		for s := out; len(s) > 0; {
			k := len(s)
			if wrap > 0 {
				k = int(min(uint64(k), wrap-col))
			}
			p.Stdout.Write(s[:k])
			s = s[k:]
			if col += uint64(k); wrap > 0 && col == wrap {
				p.Stdout.WriteByte('\n')
				col = 0
			}
		}
	}
	for b := r.Chunk(); len(b) > 0 && !p.WriteFailed(); b = r.Chunk() {
		if n > 0 {
			k := copy(held[n:e.in], b)
			n += k
			b = b[k:]
			if n < e.in {
				continue
			}
			emit(held[:n])
			n = 0
		}
		whole := len(b) / e.in * e.in
		emit(b[:whole])
		n = copy(held[:], b[whole:])
	}
	emit(held[:n])
	if wrap > 0 && col > 0 {
		p.Stdout.WriteByte('\n')
	}
}
