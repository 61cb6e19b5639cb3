// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fields

import (
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var pasteSyntax = cmdkit.Syntax{
	Short: "d:sz",
	Long: []cmdkit.Long{
		{Name: "delimiters", Arg: cmdkit.RequiredArg, Val: 'd'}, {Name: "serial", Val: 's'}, {Name: "zero-terminated", Val: 'z'},
	},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help: "Write lines consisting of the sequentially corresponding lines from each FILE,\nseparated by TABs, to standard output.\n\n" +
		"  -d, --delimiters=LIST   reuse characters from LIST instead of TABs\n  -s, --serial            paste one file at a time instead of in parallel\n  -z, --zero-terminated   line delimiter is NUL\n",
}

// Paste is paste(1).
func Paste(p *cmdkit.Proc) int {
	delims, serial, line := []string{"\t"}, false, byte('\n')
	g := p.Options(&pasteSyntax)
	for g.Next() {
		switch g.Opt {
		case 'd':
			l, ok := pasteDelimiters(g.Arg)
			if !ok {
				p.Warn("delimiter list ends with an unescaped backslash: ", g.Arg)
				return 1
			}
			delims = l
		case 's':
			serial = true
		case 'z':
			line = 0
		}
	}
	if g.Stop {
		return g.Status
	}
	if serial {
		return p.EachInput(g.Operands, func(name string, r *cmdkit.Reader) bool {
			for n := 0; ; n++ {
				l, ok := r.Line(line)
				if !ok {
					break
				}
				if n > 0 {
					p.Stdout.WriteString(delims[(n-1)%len(delims)])
				}
				p.Stdout.Write(trimEnd(l, line))
			}
			p.Stdout.WriteByte(line)
			return true
		})
	}
	return pasteParallel(p, g.Operands, delims, line)
}

func trimEnd(l []byte, c byte) []byte {
	if len(l) > 0 && l[len(l)-1] == c {
		return l[:len(l)-1]
	}
	return l
}

// pasteDelimiters splits -d's list; "\\0" is the empty string.
func pasteDelimiters(s string) ([]string, bool) {
	if s == "" {
		return []string{""}, true
	}
	var l []string
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			l = append(l, s[i:i+1])
			continue
		}
		if i++; i == len(s) {
			return nil, false
		}
		switch s[i] {
		case '0':
			l = append(l, "")
		case 'b':
			l = append(l, "\b")
		case 'f':
			l = append(l, "\f")
		case 'n':
			l = append(l, "\n")
		case 'r':
			l = append(l, "\r")
		case 't':
			l = append(l, "\t")
		case 'v':
			l = append(l, "\v")
		default:
			l = append(l, s[i:i+1])
		}
	}
	return l, true
}

func pasteParallel(p *cmdkit.Proc, operands, delims []string, line byte) int {
	if len(operands) == 0 {
		operands = []string{"-"}
	}
	status := 0
	var ins []*cmdkit.Reader
	for _, name := range operands {
		fd, err := p.Open(name)
		if err != nil {
			return p.FileErrno(err, name)
		}
		r := p.Stdin
		if fd != p.Stdin.FD {
			r = cmdkit.NewReader(fd)
		}
		ins = append(ins, r)
	}
	open := make([]bool, len(ins))
	for i := range open {
		open[i] = true
	}
	for p.Stdout.Err == nil {
		any := false
		held := 0 // files at their end before the first line of this row
		delim := func(i int) { p.Stdout.WriteString(delims[i%len(delims)]) }
		for i, r := range ins {
			var l []byte
			ok := false
			if open[i] {
				if l, ok = r.Line(line); !ok {
					open[i] = false
					if r.Err != nil {
						status = p.FileErrno(r.Err, operands[i])
						r.Err = nil
					}
					if r != p.Stdin {
						wsys.Close(r.FD)
					}
				}
			}
			if ok && !any {
				any = true
				for k := range held {
					delim(k)
				}
			}
			switch {
			case any:
				if i > 0 && i > held {
					delim(i - 1)
				}
				p.Stdout.Write(trimEnd(l, line))
			default:
				held++
			}
		}
		if !any {
			break
		}
		p.Stdout.WriteByte(line)
	}
	return status
}
