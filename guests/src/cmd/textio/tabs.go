// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package textio

import (
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// tabStops are the columns that tabs lead to.
type tabStops struct {
	stops  []uint64 // ascending
	every  uint64   // behind the last of them: multiples of this, 0: none
	offset uint64   // what those multiples count from
}

// next returns the first stop behind a column; ok is false behind the last.
func (t *tabStops) next(col uint64) (stop uint64, ok bool) {
	for _, s := range t.stops {
		if s > col {
			return s, true
		}
	}
	if t.every == 0 {
		return col, false
	}
	from := t.offset
	return from + (col-from)/t.every*t.every + t.every, true
}

// parseTabs adds the argument of -t to the stops.
func parseTabs(p *cmdkit.Proc, t *tabStops, arg string, list *[]uint64, extend *byte, every *uint64) bool {
	for i := 0; i < len(arg); {
		c := arg[i]
		switch {
		case c == ',' || c == ' ' || c == '\t':
			i++
		case c == '/' || c == '+':
			*extend = c
			i++
		case c >= '0' && c <= '9':
			from := i
			v := uint64(0)
			for i < len(arg) && arg[i] >= '0' && arg[i] <= '9' {
				if v > 1<<40 {
					for i < len(arg) && arg[i] >= '0' && arg[i] <= '9' {
						i++
					}
					p.Warn("tab stop is too large ", cmdkit.Quote(arg[from:i]))
					return false
				}
				v = v*10 + uint64(arg[i]-'0')
				i++
			}
			if *extend != 0 {
				if *every != 0 || i < len(arg) {
					p.Warn("'", string([]byte{*extend}), "' specifier only allowed with the last value")
					return false
				}
				*every = v
			} else {
				*list = append(*list, v)
			}
		default:
			p.Warn("tab size contains invalid character(s): ", cmdkit.Quote(arg[i:]))
			return false
		}
	}
	return true
}

// finishTabs makes stops of what was given.
func finishTabs(p *cmdkit.Proc, t *tabStops, list []uint64, extend byte, every uint64) bool {
	for i, v := range list {
		if v == 0 {
			p.Warn("tab size cannot be 0")
			return false
		}
		if i > 0 && v <= list[i-1] {
			p.Warn("tab sizes must be ascending")
			return false
		}
	}
	switch {
	case len(list) == 0 && every == 0:
		t.every = 8
	case len(list) == 1 && extend == 0:
		t.every = list[0]
	case len(list) == 0:
		t.every = every
	default:
		t.stops, t.every = list, every
		if extend == '+' {
			t.offset = list[len(list)-1]
		}
	}
	return true
}

var expandSyntax = cmdkit.Syntax{
	Short: "it:0::1::2::3::4::5::6::7::8::9::",
	Long:  []cmdkit.Long{{Name: "initial", Val: 'i'}, {Name: "tabs", Arg: cmdkit.RequiredArg, Val: 't'}},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help: `Convert tabs in each FILE to spaces, writing to standard output.

  -i, --initial    do not convert tabs after non blanks
  -t, --tabs=N     have tabs N characters apart, not 8
  -t, --tabs=LIST  use comma separated list of tab positions; the last may be
                     /N, for stops at multiples of N behind, or +N, for stops
                     that far apart
`,
}

// Expand is expand(1).
func Expand(p *cmdkit.Proc) int {
	t, initial, status := tabOptions(p, &expandSyntax, 'i')
	if t == nil {
		return status
	}
	var out []byte
	var at []uint32
	var spaces [256]byte
	for i := range spaces {
		spaces[i] = ' '
	}
	return p.EachInput(t.operands, func(_ string, r *cmdkit.Reader) bool {
		col, convert := uint64(0), true
		for b := r.Chunk(); len(b) > 0 && p.Stdout.Err == nil; b = r.Chunk() {
			out = out[:0]
			if !initial && len(b) > wsys.Worth && wsys.IndexByte(b, '\b') < 0 {
				// Only tabs and newlines matter: the rest is copied as it is.
				if at == nil {
					at = make([]uint32, 4096)
				}
				for len(b) > 0 {
					n := wsys.Positions(b, '\t', '\n', at)
					from := 0
					for _, i := range at[:n] {
						k := int(i)
						text := b[from:k]
						from = k + 1
						out = append(out, text...)
						if b[k] == '\n' {
							out = append(out, '\n')
							col = 0
							continue
						}
						col += uint64(len(text))
						stop, ok := t.next(col)
						if !ok {
							stop = col + 1
						}
						for n := stop - col; n > 0; {
							k := min(n, uint64(len(spaces)))
							out = append(out, spaces[:k]...)
							n -= k
							if len(out) > 64<<10 {
								p.Stdout.Write(out)
								out = out[:0]
							}
						}
						col = stop
					}
					if n < len(at) {
						out = append(out, b[from:]...)
						col += uint64(len(b) - from)
						from = len(b)
					}
					b = b[from:]
				}
				p.Stdout.Write(out)
				continue
			}
			for _, c := range b {
				switch c {
				case '\n':
					col, convert = 0, true
				case '\t':
					if !convert {
						break
					}
					stop, ok := t.next(col)
					if !ok {
						stop = col + 1
					}
					for n := stop - col; n > 0; {
						k := min(n, uint64(len(spaces)))
						out = append(out, spaces[:k]...)
						n -= k
						if len(out) > 64<<10 {
							p.Stdout.Write(out)
							out = out[:0]
						}
					}
					col = stop
					continue
				case '\b':
					if col > 0 {
						col--
					}
					convert = convert && !initial
				default:
					col++
					if c != ' ' {
						convert = convert && !initial
					}
				}
				out = append(out, c)
			}
			p.Stdout.Write(out)
		}
		return true
	})
}

// tabs is a parsed command line of expand or unexpand.
type tabs struct {
	tabStops
	operands []string
	given    bool // there were stops
}

// tabOptions parses the command line; flag reports the option of that letter.
// The result is nil where the command is to end with status.
func tabOptions(p *cmdkit.Proc, syntax *cmdkit.Syntax, letter rune) (t *tabs, flag bool, status int) {
	t = &tabs{}
	var list []uint64
	var extend byte
	var every uint64
	first := false
	obsolete := ""
	g := p.Options(syntax)
	for g.Next() {
		switch {
		case g.Opt == letter:
			flag = true
		case g.Opt == 't':
			t.given = true
			if !parseTabs(p, &t.tabStops, g.Arg, &list, &extend, &every) {
				return nil, false, 1
			}
		case g.Opt == optFirstOnly:
			first = true
		default:
			t.given = true
			obsolete += string(g.Opt) + g.Arg
		}
	}
	if g.Stop {
		return nil, false, g.Status
	}
	if obsolete != "" && !parseTabs(p, &t.tabStops, obsolete, &list, &extend, &every) || !finishTabs(p, &t.tabStops, list, extend, every) {
		return nil, false, 1
	}
	t.operands = g.Operands
	if letter == 'a' {
		flag = (flag || t.given) && !first
	}
	return t, flag, 0
}

const optFirstOnly = 256

var unexpandSyntax = cmdkit.Syntax{
	Short: "at:0::1::2::3::4::5::6::7::8::9::",
	Long:  []cmdkit.Long{{Name: "all", Val: 'a'}, {Name: "first-only", Val: optFirstOnly}, {Name: "tabs", Arg: cmdkit.RequiredArg, Val: 't'}},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help: `Convert blanks in each FILE to tabs, writing to standard output.

  -a, --all        convert all blanks, instead of just initial blanks
      --first-only convert only leading sequences of blanks (overrides -a)
  -t, --tabs=N     have tabs N characters apart instead of 8 (enables -a)
  -t, --tabs=LIST  use comma separated list of tab positions; the last may be
                     /N, for stops at multiples of N behind, or +N, for stops
                     that far apart
`,
}

// Unexpand is unexpand(1).
func Unexpand(p *cmdkit.Proc) int {
	t, all, status := tabOptions(p, &unexpandSyntax, 'a')
	if t == nil {
		return status
	}
	u := unexpander{t: t, all: all}
	return p.EachInput(t.operands, func(_ string, r *cmdkit.Reader) bool {
		u.begin()
		for b := r.Chunk(); len(b) > 0 && p.Stdout.Err == nil; b = r.Chunk() {
			u.out = u.out[:0]
			for _, c := range b {
				u.put(c)
			}
			p.Stdout.Write(u.out)
		}
		u.out = u.out[:0]
		u.flush()
		p.Stdout.Write(u.out)
		return true
	})
}

// unexpander replaces blanks. Those since the last stop are held back.
type unexpander struct {
	t       *tabs
	all     bool
	out     []byte
	col     uint64
	convert bool
	held    uint64 // spaces since the last stop
	lone    bool   // a single space leads to that stop: it is a tab if more follow
	after   bool   // the last character was a blank
}

func (u *unexpander) begin() { u.col, u.convert, u.held, u.lone, u.after = 0, true, 0, false, false }

// flush writes the blanks that are held, none of which became a tab.
func (u *unexpander) flush() {
	if u.lone {
		if u.held > 0 {
			u.out = append(u.out, '\t')
		} else {
			u.out = append(u.out, ' ')
		}
		u.lone = false
	}
	for ; u.held > 0; u.held-- {
		u.out = append(u.out, ' ')
	}
}

func (u *unexpander) put(c byte) {
	if !u.convert {
		if c == '\n' {
			u.begin()
		}
		u.out = append(u.out, c)
		return
	}
	if c == ' ' || c == '\t' {
		stop, ok := u.t.next(u.col)
		switch {
		case !ok: // behind the last stop everything stays
			u.convert = false
			u.flush()
			u.out = append(u.out, c)
		case c == '\t':
			if u.lone {
				u.out = append(u.out, '\t')
				u.lone = false
			}
			u.held = 0
			u.col = stop
			u.out = append(u.out, '\t')
		default:
			u.col++
			switch {
			case u.col < stop:
				u.held++
			case u.held == 0 && !u.lone && !u.after:
				u.lone = true // not worth a tab by itself
			default:
				if u.lone {
					u.out = append(u.out, '\t')
					u.lone = false
				}
				u.held = 0
				u.out = append(u.out, '\t')
			}
		}
		u.after = true
		return
	}
	u.flush()
	u.after = false
	switch c {
	case '\n':
		u.begin()
	case '\b':
		if u.col > 0 {
			u.col--
		}
		u.convert = u.all
	default:
		u.col++
		u.convert = u.all
	}
	u.out = append(u.out, c)
}
