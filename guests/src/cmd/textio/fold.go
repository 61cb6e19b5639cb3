// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package textio

import (
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var foldSyntax = cmdkit.Syntax{
	Short: "bsw:0::1::2::3::4::5::6::7::8::9::",
	Long:  []cmdkit.Long{{Name: "bytes", Val: 'b'}, {Name: "spaces", Val: 's'}, {Name: "width", Arg: cmdkit.RequiredArg, Val: 'w'}},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help: "Wrap input lines in each FILE, writing to standard output.\n\n" +
		"  -b, --bytes         count bytes rather than columns\n  -s, --spaces        break at spaces\n  -w, --width=WIDTH   use WIDTH columns instead of 80\n",
}

// Fold is fold(1). Unlike GNU's it counts the columns of UTF-8 characters, as
// POSIX asks, and never cuts one.
func Fold(p *cmdkit.Proc) int {
	width, bytes, spaces := uint64(80), false, false
	g := p.Options(&foldSyntax)
	for g.Next() {
		arg := g.Arg
		switch g.Opt {
		case 'b':
			bytes = true
			continue
		case 's':
			spaces = true
			continue
		case 'w':
		default:
			arg = string(g.Opt) + arg
		}
		v, e := cmdkit.ParseUint(arg, "")
		if e != cmdkit.NumOK || v == 0 || v > 1<<40 {
			p.Warn("invalid number of columns: ", cmdkit.Quote(arg), outOfRange(e))
			return 1
		}
		width = v
	}
	if g.Stop {
		return g.Status
	}
	f := folder{w: p.Stdout, width: int(width), bytes: bytes, spaces: spaces}
	return p.EachInput(g.Operands, func(name string, r *cmdkit.Reader) bool {
		for p.Stdout.Err == nil {
			b := r.Chunk()
			if b == nil {
				break
			}
			f.feed(b, false)
		}
		f.feed(nil, true)
		return true
	})
}

type folder struct {
	w             *cmdkit.Writer
	width         int
	bytes, spaces bool

	rest []byte // of the line being filled
	seen int    // how much of rest has been looked at
	col  int    // the column behind that

	special *[256]uint8 // bytes that do not take one column each
	ends    []uint32
	pieces  []uint32
}

// blockWorth is how much input is worth a look at it as a whole.
const blockWorth = 512

// block folds the whole lines of b and returns the rest, if every byte of b
// takes one column; otherwise it does nothing.
func (f *folder) block(b []byte) []byte {
	if f.special == nil {
		f.special = new([256]uint8)
		if !f.bytes {
			for c := range f.special {
				if c >= utf8.RuneSelf || c == '\t' || c == '\b' || c == '\r' {
					f.special[c] = 1
				}
			}
		}
		f.ends = make([]uint32, 4096)
	}
	in := false
	if wsys.Runs(b, f.special, &in) > 0 {
		return b
	}
	n := wsys.Positions(b, '\n', '\n', f.ends)
	if n == 0 {
		return b
	}
	newline := []byte{'\n'}
	start, begin, total := 0, 0, 0 // of what is to be written, of the line
	flush := func() {
		f.w.Gather(b, newline, f.pieces, total)
		f.pieces, total = f.pieces[:0], 0
	}
	piece := func(to int) {
		f.pieces = append(f.pieces, uint32(start), uint32(to-start))
		total += to - start
		start = to
	}
	for _, e := range f.ends[:n] {
		end := int(e)
		for end-begin > f.width {
			cut := begin + f.width
			if f.spaces {
				for k := cut; k > begin; k-- {
					if b[k-1] == ' ' {
						cut = k
						break
					}
				}
			}
			piece(cut)
			f.pieces = append(f.pieces, abi.GatherAlt, 1)
			total++
			begin = cut
			if total >= 32<<10 {
				flush()
			}
		}
		begin = end + 1
	}
	piece(begin)
	flush()
	return b[begin:]
}

// advance returns the column behind a character.
func (f *folder) advance(col int, c []byte) int {
	if f.bytes {
		return col + len(c)
	}
	switch c[0] {
	case '\b':
		return max(0, col-1)
	case '\r':
		return 0
	case '\t':
		return col + 8 - col%8
	}
	if len(c) > 1 {
		return col + cmdkit.Width(string(c))
	}
	return col + 1
}

// size returns the length of the character at the start of b.
func (f *folder) size(b []byte) int {
	if b[0] < 0x80 || f.bytes {
		return 1
	}
	_, n := utf8.DecodeRune(b)
	return n
}

// feed folds what follows in the input. Nothing but the line being filled is kept,
// however long the input's lines are.
func (f *folder) feed(b []byte, last bool) {
	if len(b) > blockWorth && f.width < 1<<30 {
		if len(f.rest) > 0 {
			if i := wsys.IndexByte(b[:len(b)-blockWorth], '\n'); i >= 0 {
				f.feed(b[:i+1], false)
				b = b[i+1:]
			}
		}
		if len(f.rest) == 0 {
			b = f.block(b)
		}
	}
	start, i, col := 0, f.seen, f.col
	if len(f.rest) > 0 {
		f.rest = append(f.rest, b...)
		b = f.rest
	}
	for i < len(b) {
		if b[i] == '\n' {
			i++
			f.w.Write(b[start:i])
			start, col = i, 0
			continue
		}
		if b[i] >= 0x80 && !f.bytes && !last && !utf8.FullRune(b[i:]) {
			break
		}
		n := f.size(b[i:])
		next := f.advance(col, b[i:i+n])
		if next <= f.width || i == start {
			col = next
			i += n
			continue
		}
		cut := i
		if f.spaces {
			for k := i; k > start; k-- {
				if b[k-1] == ' ' || b[k-1] == '\t' {
					cut = k
					break
				}
			}
		}
		f.w.Write(b[start:cut])
		f.w.WriteByte('\n')
		start, col = cut, 0
		for k := cut; k < i; {
			m := f.size(b[k:])
			col = f.advance(col, b[k:k+m])
			k += m
		}
	}
	if last {
		f.w.Write(b[start:])
		start, i, col = len(b), len(b), 0
	}
	f.rest = append(f.rest[:0], b[start:]...)
	f.seen, f.col = i-start, col
}
