// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pager

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var moreSyntax = cmdkit.Syntax{
	Short: "dflcpesun:Vh",
	Long: []cmdkit.Long{
		{Name: "silent", Val: 'd'}, {Name: "logical", Val: 'f'}, {Name: "no-pause", Val: 'l'}, {Name: "print-over", Val: 'c'}, {Name: "clean-print", Val: 'p'},
		{Name: "exit-on-eof", Val: 'e'}, {Name: "squeeze", Val: 's'}, {Name: "plain", Val: 'u'}, {Name: "lines", Arg: cmdkit.RequiredArg, Val: 'n'},
	},
	Usage: []string{"[OPTION]... [+NUMBER|+/PATTERN] [FILE]..."},
	Help: `Show FILEs, or standard input, a screen at a time. Where standard output is no
terminal, copy them.

  -d, --silent          display help instead of ringing bell
  -f, --logical         count logical rather than screen lines
  -l, --no-pause        accepted: form feeds do not pause
  -c, --print-over      show every page on an empty screen
  -p, --clean-print     likewise
  -e, --exit-on-eof     exit on end-of-file
  -s, --squeeze         squeeze multiple blank lines into one
  -u, --plain           suppress underlining and bold
  -n, --lines NUMBER    the number of lines per screenful; also -NUMBER
  +NUMBER               display file beginning from line number
  +/PATTERN             display file beginning from pattern match
  -h, -V                like --help and --version
`,
}

// More is more(1).
func More(p *cmdkit.Proc) int {
	set := moreSettings{utf8: textUTF8(p)}
	var args, files []string
	for i, a := range p.Args {
		if a == "--" {
			files = p.Args[i+1:]
			break
		}
		if len(a) > 1 && (a[0] == '-' || a[0] == '+') {
			if n, err := strconv.ParseUint(a[1:], 10, 31); err == nil {
				if a[0] == '-' {
					set.lines = int(min(n, 10000))
				} else {
					set.forBegin = a[1:]
				}
				continue
			}
			if a[:2] == "+/" {
				set.forBegin = a[1:]
				continue
			}
		}
		args = append(args, a)
	}
	g := p.OptionsOf(&moreSyntax, args)
	for g.Next() {
		switch g.Opt {
		case 'd':
			set.help = true
		case 'f':
			set.logical = true
		case 'c', 'p':
			set.clean = true
		case 'e':
			set.atEnd = true
		case 's':
			set.squeeze = true
		case 'u':
			set.plain = true
		case 'n':
			n, e := cmdkit.ParseUint(g.Arg, "")
			if e != cmdkit.NumOK || n > 10000 {
				return p.Warn("argument error: ", cmdkit.Quote(g.Arg))
			}
			set.lines = int(n)
		case 'h':
			p.PrintHelp(&moreSyntax)
			return 0
		case 'V':
			p.PrintVersion()
			return 0
		}
	}
	if g.Stop {
		return g.Status
	}
	files = append(g.Operands, files...)
	if len(files) == 0 {
		if wsys.Isatty(p.Stdin.FD) {
			p.Warn("bad usage")
			return p.TryHelp(1)
		}
		files = []string{"-"}
	}
	if !wsys.Isatty(p.Stdout.FD) {
		return moreCopy(p, files)
	}
	c, ok := openConsole(p)
	if !ok {
		return moreCopy(p, files)
	}
	rows, cols := c.size()
	m := newMore(c.codes, rows, cols, set, files, func(name string) (source, error) { return openSource(p, name) }, c.interrupt)
	m.err = func(name string, err error) { m.put(moreError(name, err)) }
	c.keys()
	m.start()
	var buf [1]byte // what is typed behind the last key is for the next program
	for {
		p.Stdout.Write(m.take())
		p.Stdout.Flush()
		if m.quit || p.WriteFailed() {
			break
		}
		n, ok := c.wait(buf[:], -1)
		if c.resumed && c.ended == 0 {
			if c.keys(); c.ended == 0 {
				m.tell()
			}
		}
		if !ok || c.ended != 0 || c.interrupted {
			if c.raw {
				m.erase()
				p.Stdout.Write(m.take())
			}
			break
		}
		if c.resized {
			c.resized = false
			m.resize(c.size())
		}
		m.key(buf[:n])
	}
	return c.status(0)
}

// moreError is what more says of a file that it cannot show.
func moreError(name string, err error) string {
	if err.Error() == abi.EISDIR.Strerror() {
		return "\n*** " + name + ": directory ***\n\n"
	}
	return "more: cannot open " + name + ": " + err.Error() + "\n"
}

// moreCopy copies the files to standard output, each with its name where there
// are several.
func moreCopy(p *cmdkit.Proc, files []string) int {
	fail := func(err error, name string, _ bool) int {
		s := moreError(name, inputError(cmdkit.Strerror(err)))
		if err == abi.EISDIR {
			p.Stdout.WriteString(s)
		} else {
			p.Stdout.Flush()
			p.Stderr.WriteString(s)
		}
		return 0
	}
	for _, name := range files {
		if st, err := wsys.StatAt(wsys.AtCwd, name, true); err == nil && st.Mode.IsDir() {
			fail(abi.EISDIR, name, true)
			continue
		}
		p.EachInputReporting([]string{name}, fail, func(_ string, r *cmdkit.Reader) bool {
			if len(files) > 1 {
				p.Stdout.WriteString("::::::::::::::\n" + name + "\n::::::::::::::\n")
			}
			for b := r.Chunk(); len(b) > 0 && !p.WriteFailed(); b = r.Chunk() {
				p.Stdout.Write(b)
			}
			return true
		})
	}
	return 0
}
