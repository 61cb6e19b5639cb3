// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package textio

import (
	"strconv"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/posixre"
)

var nlSyntax = cmdkit.Syntax{
	Short: "b:d:f:h:i:l:n:ps:v:w:",
	Long: []cmdkit.Long{
		{Name: "body-numbering", Arg: cmdkit.RequiredArg, Val: 'b'}, {Name: "section-delimiter", Arg: cmdkit.RequiredArg, Val: 'd'},
		{Name: "footer-numbering", Arg: cmdkit.RequiredArg, Val: 'f'}, {Name: "header-numbering", Arg: cmdkit.RequiredArg, Val: 'h'},
		{Name: "line-increment", Arg: cmdkit.RequiredArg, Val: 'i'}, {Name: "join-blank-lines", Arg: cmdkit.RequiredArg, Val: 'l'},
		{Name: "number-format", Arg: cmdkit.RequiredArg, Val: 'n'}, {Name: "no-renumber", Val: 'p'},
		{Name: "number-separator", Arg: cmdkit.RequiredArg, Val: 's'}, {Name: "starting-line-number", Arg: cmdkit.RequiredArg, Val: 'v'},
		{Name: "number-width", Arg: cmdkit.RequiredArg, Val: 'w'},
	},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help: "Write each FILE to standard output, with line numbers added.\n\n" +
		"  -b, --body-numbering=STYLE      use STYLE for numbering body lines\n  -d, --section-delimiter=CC      use CC for logical page delimiters\n  -f, --footer-numbering=STYLE    use STYLE for numbering footer lines\n" +
		"  -h, --header-numbering=STYLE    use STYLE for numbering header lines\n  -i, --line-increment=NUMBER     line number increment at each line\n  -l, --join-blank-lines=NUMBER   group of NUMBER empty lines counted as one\n" +
		"  -n, --number-format=FORMAT      ln, rn or rz\n  -p, --no-renumber               do not reset line numbers for each section\n  -s, --number-separator=STRING   add STRING after (possible) line number\n" +
		"  -v, --starting-line-number=NUMBER  first line number for each section\n  -w, --number-width=NUMBER       use NUMBER columns for line numbers\n\nSTYLE is a (all lines), t (nonempty lines), n (none) or pBRE (lines that match).\n",
}

// nlStyle says which lines of a section get a number.
type nlStyle struct {
	how byte // a, t, n, p
	re  *posixre.Regexp
}

// Nl is nl(1).
func Nl(p *cmdkit.Proc) int {
	styles := [3]nlStyle{{how: 'n'}, {how: 't'}, {how: 'n'}} // header, body, footer
	start, step, join, width := int64(1), int64(1), int64(1), int64(6)
	format, sep, renumber, delim := "rn", "\t", true, "\\:"
	bad := func(what, arg string) int {
		p.Warn("invalid ", what, ": ", cmdkit.Quote(arg))
		return p.TryHelp(1)
	}
	style := func(s *nlStyle, arg string) bool {
		switch {
		case arg == "a" || arg == "t" || arg == "n":
			*s = nlStyle{how: arg[0]}
			return true
		case arg != "" && arg[0] == 'p':
			re, err := posixre.Compile(arg[1:], 0)
			if err != nil {
				p.Warn(err.Error())
				return false
			}
			*s = nlStyle{how: 'p', re: re}
			return true
		}
		return false
	}
	g := p.Options(&nlSyntax)
	for g.Next() {
		ok := true
		switch g.Opt {
		case 'b':
			if !style(&styles[1], g.Arg) {
				return bad("body numbering style", g.Arg)
			}
		case 'd':
			switch len(g.Arg) {
			case 1:
				delim = g.Arg + ":"
			default:
				delim = g.Arg
			}
		case 'f':
			if !style(&styles[2], g.Arg) {
				return bad("footer numbering style", g.Arg)
			}
		case 'h':
			if !style(&styles[0], g.Arg) {
				return bad("header numbering style", g.Arg)
			}
		case 'i':
			if step, ok = cmdkit.ParseInt(g.Arg); !ok {
				p.Warn("invalid line number increment: ", cmdkit.Quote(g.Arg))
				return 1
			}
		case 'l':
			if join, ok = cmdkit.ParseInt(g.Arg); !ok || join < 1 {
				p.Warn("invalid line number of blank lines: ", cmdkit.Quote(g.Arg))
				return 1
			}
		case 'n':
			if g.Arg != "ln" && g.Arg != "rn" && g.Arg != "rz" {
				return bad("line numbering format", g.Arg)
			}
			format = g.Arg
		case 'p':
			renumber = false
		case 's':
			sep = g.Arg
		case 'v':
			if start, ok = cmdkit.ParseInt(g.Arg); !ok {
				p.Warn("invalid starting line number: ", cmdkit.Quote(g.Arg))
				return 1
			}
		case 'w':
			if width, ok = cmdkit.ParseInt(g.Arg); !ok || width < 1 || width > 1<<20 {
				why := ""
				if ok {
					why = outOfRange(cmdkit.NumOK)
				}
				p.Warn("invalid line number field width: ", cmdkit.Quote(g.Arg), why)
				return 1
			}
		}
	}
	if g.Stop {
		return g.Status
	}
	number, section, blanks := start, 1, int64(0)
	w := p.Stdout
	tty := w.Interactive()
	var out []byte
	unnumbered := make([]byte, int(width)+len(sep))
	for i := range unnumbered {
		unnumbered[i] = ' '
	}
	const batch = 32 << 10
	write := func() {
		w.Write(out)
		out = out[:0]
	}
	return p.EachInput(g.Operands, func(name string, r *cmdkit.Reader) bool {
		defer write()
		for w.Err == nil {
			line, ok := r.Line('\n')
			if !ok {
				break
			}
			if line[len(line)-1] == '\n' {
				line = line[:len(line)-1]
			}
			if n := sectionOf(line, delim); n >= 0 {
				section = n
				if renumber {
					number = start
				}
				out = append(out, '\n')
				if tty {
					write()
				}
				continue
			}
			s := &styles[section]
			show := false
			switch s.how {
			case 'a':
				show = true
				if join > 1 && len(line) == 0 {
					blanks++
					if show = blanks == join; show {
						blanks = 0
					}
				} else {
					blanks = 0
				}
			case 't':
				show = len(line) > 0
			case 'p':
				show = s.re.Match(line)
			}
			if show {
				var digits [24]byte
				num := strconv.AppendInt(digits[:0], number, 10)
				number += step
				pad := max(0, int(width)-len(num))
				switch format {
				case "ln":
					out = append(out, num...)
					out = append(out, unnumbered[:pad]...)
				case "rn":
					out = append(out, unnumbered[:pad]...)
					out = append(out, num...)
				default:
					if num[0] == '-' {
						out = append(out, '-')
						num = num[1:]
					}
					for ; pad > 0; pad-- {
						out = append(out, '0')
					}
					out = append(out, num...)
				}
				out = append(out, sep...)
			} else {
				out = append(out, unnumbered...)
			}
			out = append(out, line...)
			out = append(out, '\n')
			if len(out) >= batch || tty {
				write()
			}
		}
		return true
	})
}

// sectionOf returns which section a delimiter line begins: 0 header, 1 body, 2
// footer, or -1.
func sectionOf(line []byte, delim string) int {
	n := len(delim)
	if n == 0 || len(line) == 0 || len(line)%n != 0 || len(line) > 3*n {
		return -1
	}
	for i := 0; i < len(line); i += n {
		if string(line[i:i+n]) != delim {
			return -1
		}
	}
	return 3 - len(line)/n
}
