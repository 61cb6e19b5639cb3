// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package textio

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var catSyntax = cmdkit.Syntax{
	Short: "benstuvAET",
	Long: []cmdkit.Long{
		{Name: "number-nonblank", Val: 'b'}, {Name: "number", Val: 'n'}, {Name: "squeeze-blank", Val: 's'},
		{Name: "show-nonprinting", Val: 'v'}, {Name: "show-ends", Val: 'E'}, {Name: "show-tabs", Val: 'T'}, {Name: "show-all", Val: 'A'},
	},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help: "Concatenate FILEs to standard output. With no FILE, or when FILE is -, read\nstandard input.\n\n" +
		"  -A, --show-all           like -vET\n  -b, --number-nonblank    number lines that are not empty, overrides -n\n" +
		"  -e                       like -vE\n  -E, --show-ends          show $ at the end of each line\n  -n, --number             number all lines\n" +
		"  -s, --squeeze-blank      suppress repeated empty lines\n  -t                       like -vT\n  -T, --show-tabs          show TAB as ^I\n" +
		"  -u                       ignored\n  -v, --show-nonprinting   use ^ and M- notation, except for LFD and TAB\n",
}

type cat struct {
	numberAll, numberFull, squeeze bool
	ends, tabs, visible            bool

	number   []byte // right-aligned decimal of the last line's number
	newlines int    // newlines at the end of what was written, as GNU counts
	began    bool   // the current line has output
	cr       bool   // a CR is held back, for -E

	// For whole lines: where they end, and pieces of output.
	at, pieces []uint32
	alt        []byte
}

// Cat is cat(1).
func Cat(p *cmdkit.Proc) int {
	var c cat
	g := p.Options(&catSyntax)
	for g.Next() {
		switch g.Opt {
		case 'b':
			c.numberFull, c.numberAll = true, false
		case 'n':
			c.numberAll = !c.numberFull
		case 's':
			c.squeeze = true
		case 'v':
			c.visible = true
		case 'E':
			c.ends = true
		case 'T':
			c.tabs = true
		case 'A':
			c.visible, c.ends, c.tabs = true, true, true
		case 'e':
			c.visible, c.ends = true, true
		case 't':
			c.visible, c.tabs = true, true
		}
	}
	if g.Stop {
		return g.Status
	}
	plain := !(c.numberAll || c.numberFull || c.squeeze || c.visible || c.ends || c.tabs)
	c.newlines = 1
	out, outErr := wsys.Fstat(p.Stdout.FD)
	status := 0
	st := p.EachInput(g.Operands, func(name string, r *cmdkit.Reader) bool {
		if in, err := wsys.Fstat(r.FD); err == nil && outErr == nil && out.Mode.IsRegular() && sameFile(&in, &out) {
			// As GNU: reading what is being appended would not end.
			pos, e1 := wsys.Seek(r.FD, 0, abi.SeekCur)
			if info, e2 := wsys.FDInfo(p.Stdout.FD); e1 == nil && e2 == nil && (pos < in.Size || info.Flags&abi.OAppend != 0) && in.Size > 0 {
				p.Warn(name, ": input file is output file")
				status = 1
				return true
			}
		}
		if plain {
			copyAll(p, r)
			return true
		}
		for p.Stdout.Err == nil {
			b := r.Chunk()
			if len(b) == 0 {
				break
			}
			if c.visible || c.tabs || c.ends || len(b) <= wsys.Worth {
				c.write(p.Stdout, b)
			} else {
				c.lines(p.Stdout, b)
			}
			p.Stdout.Flush()
		}
		return true
	})
	if c.cr {
		p.Stdout.WriteByte('\r')
	}
	return max(status, st)
}

func (c *cat) next() []byte {
	if c.number == nil {
		c.number = append(make([]byte, 0, 24), "     0\t"...)
	}
	i := len(c.number) - 2
	for ; i >= 0 && c.number[i] == '9'; i-- {
		c.number[i] = '0'
	}
	switch {
	case i < 0:
		c.number = append([]byte{'1'}, c.number...)
	case c.number[i] == ' ':
		c.number[i] = '1'
	default:
		c.number[i]++
	}
	return c.number
}

// lines is write for what is only numbered and squeezed. Lines are copied by the
// host, with their numbers from another buffer.
func (c *cat) lines(w *cmdkit.Writer, b []byte) {
	const ahead = 1024
	if c.at == nil {
		c.at = make([]uint32, ahead)
	}
	for len(b) > 0 && w.Err == nil {
		n := wsys.Positions(b, '\n', '\n', c.at)
		pieces, alt, total := c.pieces[:0], c.alt[:0], 0
		begin := uint32(0)
		line := func(end uint32, blank bool) {
			if !c.began && (c.numberAll || c.numberFull && !blank) {
				from := len(alt)
				alt = append(alt, c.next()...)
				pieces = append(pieces, abi.GatherAlt|uint32(from), uint32(len(alt)-from))
				total += len(alt) - from
			}
			pieces = append(pieces, begin, end-begin)
			total += int(end - begin)
			begin = end
		}
		for _, at := range c.at[:n] {
			blank := !c.began && at == begin
			if blank {
				c.newlines++
				if c.newlines > 2 && c.squeeze {
					begin++
					continue
				}
			} else {
				c.newlines = 1
			}
			line(at+1, blank)
			c.began = false
		}
		if n < len(c.at) && int(begin) < len(b) {
			line(uint32(len(b)), false)
			c.began, c.newlines = true, 0
		}
		w.Gather(b, alt, pieces, total)
		c.pieces, c.alt = pieces, alt
		b = b[begin:]
	}
}

func (c *cat) write(w *cmdkit.Writer, b []byte) {
	for _, ch := range b {
		if c.cr { // a CR before the end of a line shows as ^M with -E
			c.cr = false
			if ch == '\n' {
				w.WriteString("^M")
			} else {
				w.WriteByte('\r')
			}
		}
		if ch == '\n' {
			if !c.began {
				c.newlines++
				if c.newlines > 2 && c.squeeze {
					continue
				}
				if c.numberAll {
					w.Write(c.next())
				}
			} else {
				c.newlines = 1
			}
			if c.ends {
				w.WriteByte('$')
			}
			w.WriteByte('\n')
			c.began = false
			continue
		}
		if !c.began {
			c.began = true
			c.newlines = 0
			if c.numberAll || c.numberFull {
				w.Write(c.next())
			}
		}
		switch {
		case ch == '\t':
			if c.tabs {
				w.WriteString("^I")
			} else {
				w.WriteByte(ch)
			}
		case ch == '\r' && c.ends && !c.visible:
			c.cr = true
		case !c.visible || ch >= 32 && ch < 127:
			w.WriteByte(ch)
		default:
			if ch >= 128 {
				w.WriteString("M-")
				ch -= 128
			}
			switch {
			case ch < 32:
				w.WriteByte('^')
				w.WriteByte(ch + 64)
			case ch == 127:
				w.WriteString("^?")
			default:
				w.WriteByte(ch)
			}
		}
	}
}
