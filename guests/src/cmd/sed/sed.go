// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sed

import (
	"strconv"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/posixre"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// Statuses.
const (
	exitUsage = 1 // bad command line or script
	exitInput = 2 // an input file could not be read
	exitPanic = 4 // an I/O error
)

const (
	optDebug rune = 256 + iota
	optPosix
	optSandbox
	optFollow
)

var syntax = cmdkit.Syntax{
	LostOutput: 4,
	Short:      "bsnrzuEe:f:l:i::V:s",
	Long: []cmdkit.Long{
		{Name: "binary", Val: 'b'},
		{Name: "regexp-extended", Val: 'r'},
		{Name: "debug", Val: optDebug},
		{Name: "in-place", Arg: cmdkit.OptionalArg, Val: 'i'},
		{Name: "expression", Arg: cmdkit.RequiredArg, Val: 'e'},
		{Name: "file", Arg: cmdkit.RequiredArg, Val: 'f'},
		{Name: "line-length", Arg: cmdkit.RequiredArg, Val: 'l'},
		{Name: "null-data", Val: 'z'},
		{Name: "zero-terminated", Val: 'z'},
		{Name: "quiet", Val: 'n'},
		{Name: "posix", Val: optPosix},
		{Name: "silent", Val: 'n'},
		{Name: "sandbox", Val: optSandbox},
		{Name: "separate", Val: 's'},
		{Name: "unbuffered", Val: 'u'},
		{Name: "follow-symlinks", Val: optFollow},
	},
	Usage:        []string{usageLine},
	UsageOnError: true,
	Help: `
  -n, --quiet, --silent      do not print the pattern space by itself
  -e, --expression=SCRIPT    add SCRIPT to the commands
  -f, --file=FILE            add the commands in FILE
  -E, -r, --regexp-extended  use extended regular expressions
  -i[SUFFIX], --in-place[=SUFFIX]
                             edit files in place, with a backup if SUFFIX is
                             given
      --follow-symlinks      follow symbolic links when editing in place
  -l, --line-length=N        wrap lines of the l command at N
      --posix                without extensions
  -s, --separate             take files as separate, not as one input
      --sandbox              refuse the commands e, r and w
  -u, --unbuffered           read and write a line at a time
  -z, --null-data            lines end in a null byte
  -b, --binary               accepted, without effect here

Without -e and -f, the first operand is the script. Without files, standard
input is read.

`,
}

const usageLine = "[OPTION]... {script-only-if-no-other-script} [input-file]..."

func itoa(n int) string { return strconv.Itoa(n) }

// sed is one run.
type sed struct {
	p *cmdkit.Proc

	// Options.
	quiet, extended, posix, sandbox bool
	separate, unbuffered, follow    bool
	inPlace, utf8                   bool
	suffix                          string
	eol                             byte
	wrap                            int

	prog []*command

	// The pattern space: a slice of the input while alias is set.
	ps         []byte
	alias      bool
	nl         bool // the line had its newline
	spare, tmp []byte
	hold       []byte
	holdNL     bool

	replaced bool // for t
	last     *posixre.Regexp
	appended []appendix

	in        input
	out       *output
	stdout    *output
	outputs   []*output
	readers   map[string]*reader // of R
	line      int64
	status    int
	quit      bool
	quitCode  int
	waits     []*command // for numbers of lines, where all commands do
	gather    gatherer
	alt       []byte // replacements
	skipped   *skipper
	passes    []pass
	passBufs  [2][]byte
	noReading bool // D: the next cycle keeps the pattern space
}

// exit is how a run ends from within, with a status; the message is written.
type exit int

// Sed is sed.
func Sed(p *cmdkit.Proc) (status int) {
	s := &sed{p: p, eol: '\n', wrap: 70, utf8: p.UTF8(), holdNL: true}
	_, s.posix = p.LookupEnv("POSIXLY_CORRECT")
	s.stdout = &output{w: p.Stdout, eager: wsys.Isatty(p.Stdout.FD)}
	s.out = s.stdout
	defer func() {
		switch e := recover().(type) {
		case nil:
		case exit:
			status = int(e)
		case scriptError:
			s.flushStdout()
			p.Warn(string(e))
			status = exitUsage
		default:
			panic(e)
		}
		s.in.discard()
	}()
	return s.main()
}

// flushStdout hands on what is collected for standard output, so that messages
// come after it.
func (s *sed) flushStdout() {
	if o := s.stdout; len(o.buf) > 0 {
		o.w.Write(o.buf)
		o.buf = o.buf[:0]
	}
}

// warn writes a message.
func (s *sed) warn(msg ...string) {
	s.flushStdout()
	s.p.Warn(msg...)
}

// fatal writes a message and ends the run.
func (s *sed) fatal(status int, msg ...string) {
	s.flushStdout()
	s.p.Warn(msg...)
	panic(exit(status))
}

func (s *sed) usage() int {
	s.p.Stderr.WriteString("Usage: " + s.p.Name + " " + usageLine + "\n" + syntax.Help)
	return exitUsage
}

func (s *sed) main() int {
	p := s.p
	ps := parser{s: s, first: true}
	scripts := false
	g := p.Options(&syntax)
	for g.Next() {
		switch g.Opt {
		case 'n':
			s.quiet = true
		case 'e':
			scripts = true
			ps.fragment(g.Arg, "")
		case 'f':
			scripts = true
			ps.fragment(s.readScript(g.Arg), g.Arg)
		case 'E', 'r':
			s.extended = true
		case 'i':
			s.inPlace, s.separate, s.suffix = true, true, g.Arg
		case optFollow:
			s.follow = true
		case 'l':
			n, ok := cmdkit.ParseInt(g.Arg)
			if !ok || n < 0 {
				p.Warn("invalid line length: ", g.Arg)
				return exitUsage
			}
			s.wrap = int(min(n, 1<<30))
		case optPosix:
			s.posix = true
		case 's':
			s.separate = true
		case optSandbox:
			s.sandbox = true
		case 'u':
			s.unbuffered = true
		case 'z':
			s.eol = 0
		case 'b':
		case optDebug:
			p.Warn("--debug is not supported")
			return exitUsage
		}
	}
	if g.Stop {
		return g.Status
	}
	files := g.Operands
	if !scripts {
		if len(files) == 0 {
			return s.usage()
		}
		ps.fragment(files[0], "")
		files = files[1:]
	}
	ps.finish()
	if s.inPlace && len(files) == 0 {
		p.Warn("no input files")
		return exitPanic
	}
	if s.unbuffered {
		s.stdout.eager = true
	}
	s.in = input{s: s, files: files}
	if len(files) == 0 {
		s.in.files = []string{"-"}
	}
	s.reset()
	s.run()
	s.closeOutputs()
	if s.quit && s.quitCode > 0 {
		return s.quitCode
	}
	return s.status
}

// readScript reads a script file; a trailing newline does not count.
func (s *sed) readScript(name string) string {
	fd, err := s.p.Open(name)
	if err != nil {
		s.fatal(exitPanic, "couldn't open file ", name, ": ", cmdkit.Strerror(err))
	}
	b, err := wsys.ReadAll(fd)
	s.p.CloseInput(fd)
	if err != nil {
		s.fatal(exitPanic, "couldn't read ", name, ": ", cmdkit.Strerror(err))
	}
	if n := len(b); n > 0 && b[n-1] == '\n' {
		b = b[:n-1]
	}
	return string(b)
}
