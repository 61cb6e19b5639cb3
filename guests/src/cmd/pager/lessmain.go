// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pager

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

const (
	optTilde = 256 + iota
	optIgnored
	optIgnoredArg
)

var lessSyntax = cmdkit.Syntax{
	Short: "?aAb:BcCdD:eEfFgGh:iIj:JkKLmMnNo:O:p:P:qQrRsSt:T:uUVwWx:Xy:z:~#:",
	Long: []cmdkit.Long{
		{Name: "chop-long-lines", Val: 'S'}, {Name: "line-numbers", Val: 'n'}, {Name: "LINE-NUMBERS", Val: 'N'}, {Name: "RAW-CONTROL-CHARS", Val: 'R'},
		{Name: "raw-control-chars", Val: 'r'}, {Name: "quit-if-one-screen", Val: 'F'}, {Name: "no-init", Val: 'X'}, {Name: "QUIT-AT-EOF", Val: 'E'},
		{Name: "quit-at-eof", Val: 'e'}, {Name: "ignore-case", Val: 'i'}, {Name: "IGNORE-CASE", Val: 'I'}, {Name: "quiet", Val: 'q'}, {Name: "silent", Val: 'q'},
		{Name: "QUIET", Val: 'q'}, {Name: "SILENT", Val: 'q'}, {Name: "squeeze-blank-lines", Val: 's'}, {Name: "long-prompt", Val: 'm'}, {Name: "LONG-PROMPT", Val: 'M'},
		{Name: "hilite-search", Val: 'g'}, {Name: "HILITE-SEARCH", Val: 'G'}, {Name: "force", Val: 'f'}, {Name: "pattern", Arg: cmdkit.RequiredArg, Val: 'p'},
		{Name: "tabs", Arg: cmdkit.RequiredArg, Val: 'x'}, {Name: "window", Arg: cmdkit.RequiredArg, Val: 'z'}, {Name: "shift", Arg: cmdkit.RequiredArg, Val: '#'},
		{Name: "quit-on-intr", Val: 'K'}, {Name: "tilde", Val: '~'}, {Name: "mouse", Val: optIgnored}, {Name: "no-keypad", Val: optIgnored},
		{Name: "use-color", Val: optIgnored}, {Name: "incsearch", Val: optIgnored}, {Name: "follow-name", Val: optIgnored}, {Name: "clear-screen", Val: 'c'},
		{Name: "CLEAR-SCREEN", Val: 'C'}, {Name: "prompt", Arg: cmdkit.RequiredArg, Val: 'P'}, {Name: "jump-target", Arg: cmdkit.RequiredArg, Val: 'j'},
	},
	Usage: []string{"[OPTION]... [+COMMAND] [FILE]..."},
	Help: `Show FILEs, or standard input, a screen at a time. Where standard output is no
terminal, copy them.

  -e, -E             quit when the end is reached the second, the first time
  -F                 quit if everything is on the first screen
  -g, -G             highlight matches (default), or do not
  -i, -I             ignore case in searches without capitals, in all searches
  -K                 quit on an interrupt
  -m, -M             say in the prompt how far the text is read
  -N                 number the lines
  -p PATTERN         start at the first match
  -q, -Q             do not ring the bell
  -R, -r             send colours, or all control characters, to the terminal
  -s                 show several blank lines as one
  -S                 cut long lines instead of folding them
  -x N               tab stops every N columns
  -X                 do not use the terminal's other screen
  -z N, -# N         scroll N lines, shift N columns at a time
  +COMMAND           do COMMAND first: +G, +100, +/PATTERN, +F

The variable LESS has further options. The key h shows what the keys do.

`,
}

// lessOptions are what the command line of less says.
type lessOptions struct {
	set      settings
	commands []string // to begin with
	quitIntr bool
	files    []string
}

// parse reads options. It reports false where the command is to end.
func (o *lessOptions) parse(p *cmdkit.Proc, args []string) (status int, ok bool) {
	var rest []string
	for i, a := range args {
		if a == "--" {
			rest = args[i+1:]
			args = args[:i]
			break
		}
	}
	g := p.OptionsOf(&lessSyntax, args)
	number := func(to *int) bool {
		v, e := cmdkit.ParseUint(g.Arg, "")
		if e != cmdkit.NumOK || v == 0 || v > 10000 {
			p.Stderr.WriteString("Number is required after -" + string(g.Opt) + "\n")
			return false
		}
		*to = int(v)
		return true
	}
	s := &o.set
	for g.Next() {
		ok := true
		switch g.Opt {
		case '?':
			p.PrintHelp(&lessSyntax)
			return 0, false
		case 'V':
			p.PrintVersion()
			return 0, false
		case 'e':
			s.quitSecond = true
		case 'E':
			s.quitAtEnd = true
		case 'F':
			s.oneScreen = true
		case 'g':
			s.noHighlight = false
		case 'G':
			s.noHighlight = true
		case 'i':
			s.ignoreCase = true
		case 'I':
			s.ignoreAll = true
		case 'K':
			o.quitIntr = true
		case 'm':
			s.prompt = 1
		case 'M':
			s.prompt = 2
		case 'n':
			s.numbers = false
		case 'N':
			s.numbers = true
		case 'p':
			o.commands = append(o.commands, "/"+g.Arg)
		case 'q', 'Q':
			s.quiet = true
		case 'R':
			s.colors = true
		case 'r':
			s.raw = true
		case 's':
			s.squeeze = true
		case 'S':
			s.chop = true
		case 'x':
			ok = number(&s.tabs)
		case 'X':
			s.noInit = true
		case 'z':
			ok = number(&s.window)
		case '#':
			ok = number(&s.shift)
		}
		if !ok {
			return 1, false
		}
	}
	if g.Stop {
		return g.Status, false
	}
	for _, a := range g.Operands {
		switch {
		case len(a) > 2 && a[:2] == "++":
			o.commands = append(o.commands, a[2:])
		case len(a) > 1 && a[0] == '+':
			o.commands = append(o.commands, a[1:])
		case a == "+":
		default:
			o.files = append(o.files, a)
		}
	}
	o.files = append(o.files, rest...)
	return 0, true
}

// textUTF8 reports whether text is shown as UTF-8: unless the locale says that
// it is not.
func textUTF8(p *cmdkit.Proc) bool {
	for _, name := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if p.Getenv(name) != "" {
			return p.UTF8()
		}
	}
	return true
}

// inputError is an error with words of its own.
type inputError string

func (e inputError) Error() string { return string(e) }

// openSource opens a file, or standard input for "-".
func openSource(p *cmdkit.Proc, name string) (source, error) {
	stdin := name == "-"
	fd, err := p.Open(name)
	if err != nil {
		return nil, inputError(cmdkit.Strerror(err))
	}
	st, err := wsys.Fstat(fd)
	if err == nil && st.Mode.IsDir() {
		err = abi.EISDIR
	}
	if err != nil {
		p.CloseInput(fd)
		return nil, inputError(cmdkit.Strerror(err))
	}
	if st.Mode.IsRegular() && st.Size > 0 {
		f, err := newFile(fd, stdin)
		if err != nil {
			return nil, inputError(cmdkit.Strerror(err))
		}
		return f, nil
	}
	dir := p.Getenv("TMPDIR")
	if dir == "" {
		dir = "/tmp"
	}
	return newSpool(fd, stdin, dir), nil
}

// sayError reports a file that cannot be shown, in the words of less.
func sayError(p *cmdkit.Proc, name string, err error) {
	p.Stdout.Flush()
	if err.Error() == abi.EISDIR.Strerror() {
		p.Stderr.WriteString(name + " is a directory\n")
		return
	}
	p.Stderr.WriteString(name + ": " + err.Error() + "\n")
}

// copyFiles copies the files to standard output.
func copyFiles(p *cmdkit.Proc, files []string) int {
	return p.EachInputReporting(files, func(err error, name string, _ bool) int {
		sayError(p, name, inputError(cmdkit.Strerror(err)))
		return 1
	}, func(_ string, r *cmdkit.Reader) bool {
		for b := r.Chunk(); len(b) > 0 && !p.WriteFailed(); b = r.Chunk() {
			p.Stdout.Write(b)
		}
		return true
	})
}

// followEvery is how often F looks for more, in nanoseconds.
const followEvery = 250e6

// Less is less(1).
func Less(p *cmdkit.Proc) int {
	o := lessOptions{set: settings{tabs: 8, utf8: textUTF8(p)}}
	if v := p.Getenv("LESS"); v != "" {
		var args []string
		for i := 0; i < len(v); {
			k := i
			for k < len(v) && v[k] != ' ' && v[k] != '$' {
				k++
			}
			if w := v[i:k]; w != "" {
				if w[0] != '-' && w[0] != '+' {
					w = "-" + w
				}
				args = append(args, w)
			}
			i = k + 1
		}
		if st, ok := o.parse(p, args); !ok {
			return st
		}
		o.files = nil
	}
	if st, ok := o.parse(p, p.Args); !ok {
		return st
	}
	if len(o.files) == 0 {
		if wsys.Isatty(p.Stdin.FD) {
			p.Stderr.WriteString("Missing filename (\"less --help\" for help)\n")
			return 1
		}
		o.files = []string{"-"}
	}
	if !wsys.Isatty(p.Stdout.FD) {
		return copyFiles(p, o.files)
	}
	c, ok := openConsole(p)
	if !ok {
		return copyFiles(p, o.files)
	}
	rows, cols := c.size()
	g := newPager(c.codes, rows, cols, o.set, func(name string) (source, error) { return openSource(p, name) }, c.interrupt)
	for _, name := range o.files {
		g.files = append(g.files, document{name: name})
	}
	started := g.start()
	failed := 0
	for i := range g.files {
		if err := g.files[i].err; err != nil {
			sayError(p, g.files[i].name, err)
			failed = 1
		}
	}
	if !started {
		c.close()
		return 1
	}
	write := func(b []byte) {
		p.Stdout.Write(b)
		p.Stdout.Flush()
	}
	if o.set.oneScreen {
		g.fill(place{})
		if g.fits() {
			for _, at := range g.shown {
				g.row(at)
			}
			write(g.take())
			c.close()
			return failed
		}
	}
	c.enter, c.leave = c.codes.smkx, c.codes.rmkx
	if !o.set.noInit {
		c.enter, c.leave = c.codes.smcup+c.enter, c.leave+c.codes.rmcup
	}
	if !c.codes.dumb {
		c.leave = "\r" + c.codes.el + c.leave // of the prompt
	}
	c.keys()
	g.first()
	for _, cmd := range o.commands {
		g.key([]byte(cmd))
		if g.mode == modeInput {
			g.press('\n')
		} else if len(g.count) > 0 {
			g.press('g')
		}
	}
	if g.mode != modeMessage {
		g.tell()
	}
	var buf [1]byte // what is typed behind the last key is for the next program
	for {
		write(g.take())
		if g.quit || p.WriteFailed() {
			break
		}
		timeout := int64(-1)
		if g.mode == modeFollow {
			timeout = followEvery
		}
		n, ok := c.wait(buf[:], timeout)
		if !ok || c.ended != 0 {
			break
		}
		if c.resumed {
			if c.keys(); c.ended != 0 {
				break
			}
			c.resized = true
		}
		if c.interrupted {
			c.interrupted = false
			if o.quitIntr {
				g.status = 2
				break
			}
			g.abort()
		}
		if c.resized {
			c.resized = false
			g.resize(c.size())
			g.redraw()
		}
		if n == 0 && g.mode == modeFollow {
			g.follow()
		}
		g.key(buf[:n])
		if c.interrupted { // while a command ran
			c.interrupted = false
			g.abort()
		}
	}
	if c.raw {
		g.line("")
		write(g.take())
	}
	return c.status(g.status)
}
