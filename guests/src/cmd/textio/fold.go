// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package textio

import (
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
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
			line, ok := r.Line('\n')
			if !ok {
				break
			}
			ended := line[len(line)-1] == '\n'
			if ended {
				line = line[:len(line)-1]
			}
			f.line(line)
			if ended {
				p.Stdout.WriteByte('\n')
			}
		}
		return true
	})
}

type folder struct {
	w             *cmdkit.Writer
	width         int
	bytes, spaces bool
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

func (f *folder) line(b []byte) {
	start, col := 0, 0
	for i := 0; i < len(b); {
		n := 1
		if b[i] >= 0x80 && !f.bytes {
			_, n = utf8.DecodeRune(b[i:])
		}
		next := f.advance(col, b[i:i+n])
		if next > f.width && i > start {
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
				m := 1
				if b[k] >= 0x80 && !f.bytes {
					_, m = utf8.DecodeRune(b[k:])
				}
				col = f.advance(col, b[k:k+m])
				k += m
			}
			continue
		}
		col = next
		i += n
	}
	f.w.Write(b[start:])
}
