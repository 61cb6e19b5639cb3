// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package textio

import (
	"bytes"
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var tacSyntax = cmdkit.Syntax{
	Short: "bs:",
	Long:  []cmdkit.Long{{Name: "before", Val: 'b'}, {Name: "separator", Arg: cmdkit.RequiredArg, Val: 's'}},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help: "Write each FILE to standard output, last line first.\n\n" +
		"  -b, --before             attach the separator before instead of after\n  -s, --separator=STRING   use STRING as the separator instead of newline\n",
}

// Tac is tac(1). Separators are plain strings: -r is not supported.
func Tac(p *cmdkit.Proc) int {
	sep, before := []byte{'\n'}, false
	g := p.Options(&tacSyntax)
	for g.Next() {
		switch g.Opt {
		case 'b':
			before = true
		case 's':
			if sep = []byte(g.Arg); len(sep) == 0 {
				sep = []byte{0}
			}
		}
	}
	if g.Stop {
		return g.Status
	}
	return p.EachInput(g.Operands, func(name string, r *cmdkit.Reader) bool {
		var all []byte
		for b := r.Chunk(); len(b) > 0; b = r.Chunk() {
			all = append(all, b...)
		}
		if r.Err == nil {
			tac(p.Stdout, all, sep, before)
		}
		return true
	})
}

func tac(w *cmdkit.Writer, b, sep []byte, before bool) {
	if len(sep) == 1 && !before && len(b) > wsys.Worth {
		tacLines(w, b, sep[0])
		return
	}
	for len(b) > 0 && w.Err == nil {
		var at int
		if before {
			at = bytes.LastIndex(b, sep)
			at = max(at, 0)
		} else {
			at = bytes.LastIndex(b[:max(0, len(b)-len(sep))], sep)
			if at < 0 {
				at = 0
			} else {
				at += len(sep)
			}
		}
		w.Write(b[at:])
		b = b[:at]
	}
}

// tacLines is tac for lines, which the host finds and copies.
func tacLines(w *cmdkit.Writer, b []byte, sep byte) {
	const flush = 32 << 10
	at := make([]uint32, wsys.CountByte(b, sep))
	wsys.Positions(b, sep, sep, at)
	var pieces []uint32
	total, end := uint32(0), uint32(len(b))
	for i := len(at) - 1; i >= -1 && w.Err == nil; i-- {
		begin := uint32(0)
		if i >= 0 {
			begin = at[i] + 1
		}
		if begin == end {
			continue // behind the last line
		}
		pieces = append(pieces, begin, end-begin)
		total += end - begin
		end = begin
		if total >= flush || len(pieces) == 4096 {
			w.Gather(b, nil, pieces, int(total))
			pieces, total = pieces[:0], 0
		}
	}
	w.Gather(b, nil, pieces, int(total))
}

var revSyntax = cmdkit.Syntax{
	Short: "0",
	Long:  []cmdkit.Long{{Name: "zero", Val: '0'}},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help:  "Reverse the characters of every line.\n\n  -0, --zero   lines end in NUL\n",
}

// Rev is rev(1) of util-linux. Invalid UTF-8 is reversed byte by byte.
func Rev(p *cmdkit.Proc) int {
	delim := byte('\n')
	g := p.Options(&revSyntax)
	for g.Next() {
		delim = 0
	}
	if g.Stop {
		return g.Status
	}
	var out []byte
	return p.EachInput(g.Operands, func(name string, r *cmdkit.Reader) bool {
		for p.Stdout.Err == nil {
			line, ok := r.Line(delim)
			if !ok {
				break
			}
			ended := line[len(line)-1] == delim
			if ended {
				line = line[:len(line)-1]
			}
			out = out[:0]
			for len(line) > 0 {
				_, n := utf8.DecodeLastRune(line)
				out = append(out, line[len(line)-n:]...)
				line = line[:len(line)-n]
			}
			if ended {
				out = append(out, delim)
			}
			p.Stdout.Write(out)
		}
		return true
	})
}
