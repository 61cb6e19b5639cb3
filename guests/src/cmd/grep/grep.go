// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package grep

import (
	"math"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/posixre"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// Statuses.
const (
	selected = 0
	none     = 1
	trouble  = 2
)

// Long options without a short one.
const (
	optBinaryFiles rune = 256 + iota
	optColor
	optExclude
	optExcludeFrom
	optExcludeDir
	optInclude
	optLabel
	optLineBuffered
	optNoIgnoreCase
	optGroupSeparator
	optNoGroupSeparator
)

var syntax = cmdkit.Syntax{
	Short: "0123456789A:B:C:D:EFGHILPTUVXZabcd:e:f:hiLlm:noqRrsuvwxyz",
	Long: []cmdkit.Long{
		{Name: "basic-regexp", Val: 'G'},
		{Name: "extended-regexp", Val: 'E'},
		{Name: "fixed-strings", Val: 'F'},
		{Name: "fixed-regexp", Val: 'F'},
		{Name: "perl-regexp", Val: 'P'},
		{Name: "after-context", Arg: cmdkit.RequiredArg, Val: 'A'},
		{Name: "before-context", Arg: cmdkit.RequiredArg, Val: 'B'},
		{Name: "binary-files", Arg: cmdkit.RequiredArg, Val: optBinaryFiles},
		{Name: "binary", Val: 'U'},
		{Name: "byte-offset", Val: 'b'},
		{Name: "context", Arg: cmdkit.RequiredArg, Val: 'C'},
		{Name: "color", Arg: cmdkit.OptionalArg, Val: optColor},
		{Name: "colour", Arg: cmdkit.OptionalArg, Val: optColor},
		{Name: "count", Val: 'c'},
		{Name: "devices", Arg: cmdkit.RequiredArg, Val: 'D'},
		{Name: "directories", Arg: cmdkit.RequiredArg, Val: 'd'},
		{Name: "dereference-recursive", Val: 'R'},
		{Name: "exclude", Arg: cmdkit.RequiredArg, Val: optExclude},
		{Name: "exclude-from", Arg: cmdkit.RequiredArg, Val: optExcludeFrom},
		{Name: "exclude-dir", Arg: cmdkit.RequiredArg, Val: optExcludeDir},
		{Name: "file", Arg: cmdkit.RequiredArg, Val: 'f'},
		{Name: "files-with-matches", Val: 'l'},
		{Name: "files-without-match", Val: 'L'},
		{Name: "group-separator", Arg: cmdkit.RequiredArg, Val: optGroupSeparator},
		{Name: "include", Arg: cmdkit.RequiredArg, Val: optInclude},
		{Name: "ignore-case", Val: 'i'},
		{Name: "no-ignore-case", Val: optNoIgnoreCase},
		{Name: "initial-tab", Val: 'T'},
		{Name: "label", Arg: cmdkit.RequiredArg, Val: optLabel},
		{Name: "line-buffered", Val: optLineBuffered},
		{Name: "line-number", Val: 'n'},
		{Name: "line-regexp", Val: 'x'},
		{Name: "max-count", Arg: cmdkit.RequiredArg, Val: 'm'},
		{Name: "no-filename", Val: 'h'},
		{Name: "no-group-separator", Val: optNoGroupSeparator},
		{Name: "no-messages", Val: 's'},
		{Name: "null", Val: 'Z'},
		{Name: "null-data", Val: 'z'},
		{Name: "only-matching", Val: 'o'},
		{Name: "quiet", Val: 'q'},
		{Name: "recursive", Val: 'r'},
		{Name: "regexp", Arg: cmdkit.RequiredArg, Val: 'e'},
		{Name: "invert-match", Val: 'v'},
		{Name: "silent", Val: 'q'},
		{Name: "text", Val: 'a'},
		{Name: "unix-byte-offsets", Val: 'u'},
		{Name: "version", Val: 'V'},
		{Name: "with-filename", Val: 'H'},
		{Name: "word-regexp", Val: 'w'},
	},
	Usage:        []string{"[OPTION]... PATTERNS [FILE]..."},
	BadUsage:     trouble,
	UsageOnError: true,
	Help: `Search for PATTERNS in each FILE.
PATTERNS can contain several patterns separated by newlines.

Patterns:
  -E, --extended-regexp     PATTERNS are extended regular expressions
  -F, --fixed-strings       PATTERNS are strings
  -G, --basic-regexp        PATTERNS are basic regular expressions (the default)
  -e, --regexp=PATTERNS     use PATTERNS; may be repeated
  -f, --file=FILE           take PATTERNS from FILE; may be repeated
  -i, --ignore-case         ignore case in patterns and data
      --no-ignore-case      do not (the default)
  -w, --word-regexp         match only whole words
  -x, --line-regexp         match only whole lines
  -z, --null-data           lines end in a null byte

Miscellaneous:
  -s, --no-messages         suppress error messages about files
  -v, --invert-match        select the other lines

Output:
  -m, --max-count=NUM       stop after NUM selected lines
  -b, --byte-offset         print the byte offset of each line
  -n, --line-number         print line numbers
      --line-buffered       write after every line
  -H, --with-filename       print file names
  -h, --no-filename         do not print file names
      --label=LABEL         the name of standard input in output
  -o, --only-matching       print only the parts that match
  -q, --quiet, --silent     print nothing
      --binary-files=TYPE   take binary files as TYPE: binary, text or
                            without-match
  -a, --text                same as --binary-files=text
  -I                        same as --binary-files=without-match
  -d, --directories=ACTION  what to do with directories: read, recurse or skip
  -D, --devices=ACTION      what to do with devices, FIFOs and sockets: read or
                            skip
  -r, --recursive           same as --directories=recurse
  -R, --dereference-recursive  the same, following all symbolic links
      --include=GLOB        search only files that match GLOB
      --exclude=GLOB        skip files that match GLOB
      --exclude-from=FILE   skip files that match a pattern of FILE
      --exclude-dir=GLOB    skip directories that match GLOB
  -L, --files-without-match  print only names of files without selected lines
  -l, --files-with-matches  print only names of files with selected lines
  -c, --count               print only how many lines are selected
  -T, --initial-tab         align the lines with a tab
  -Z, --null                print a null byte behind file names

Context:
  -B, --before-context=NUM  print NUM lines before
  -A, --after-context=NUM   print NUM lines after
  -C, --context=NUM         print NUM lines before and after
  -NUM                      same as --context=NUM
      --group-separator=SEP  print SEP between groups of lines
      --no-group-separator  print nothing there
      --color[=WHEN]        colour the matches: always, never or auto
  -U, --binary              accepted, without effect here

Without FILE, standard input is searched, or with -r the working directory.
The exit status is 0 if a line is selected, 1 if none is, 2 after an error
(unless -q is given and a line is selected).

`,
}

type dirAction uint8

const (
	dirRead dirAction = iota
	dirSkip
	dirRecurse
)

type binaryType uint8

const (
	binaryFile binaryType = iota
	binaryText
	binaryWithoutMatch
)

// listMode says whether names are all that is printed.
type listMode uint8

const (
	listNone listMode = iota
	listMatching
	listOthers
)

type grep struct {
	p   *cmdkit.Proc
	out *cmdkit.Writer
	re  *posixre.Regexp

	eol            byte
	utf8           bool
	invert         bool
	count          bool
	list           listMode
	quiet          bool // print nothing, stop at the first match
	onlyMatching   bool
	lineNumber     bool
	byteOffset     bool
	withName       bool
	suppress       bool
	nullName       bool
	alignTabs      bool
	before, after  int // lines of context, -1 where not asked for
	max            int64
	binary         binaryType
	dirs           dirAction
	devicesSkip    bool
	devicesRead    bool
	follow         bool
	lineBuffered   bool
	label          string
	separator      string
	noSeparator    bool
	files, dirRule rules
	color          *colors

	outIno, outDev uint64
	outRegular     bool
	printed        bool // something has been printed, for separators
	status         int  // trouble after an error
	matched        bool

	buf []byte
	in  input

	// Lines found ahead in what is searched, and how far that is.
	found, room []uint32
	searched    int
	batch       batch
}

// Grep is grep.
func Grep(p *cmdkit.Proc) int { return run(p, 0) }

// Egrep is grep -E.
func Egrep(p *cmdkit.Proc) int { return run(p, posixre.Extended) }

// Fgrep is grep -F.
func Fgrep(p *cmdkit.Proc) int { return run(p, posixre.Fixed) }

func (g *grep) usage() int {
	g.p.Stderr.WriteString("Usage: " + g.p.Name + " [OPTION]... PATTERNS [FILE]...\n")
	return g.p.TryHelp(trouble)
}

func run(p *cmdkit.Proc, kind posixre.Flags) int {
	g := &grep{p: p, out: p.Stdout, eol: '\n', before: -1, after: -1, max: math.MaxInt64,
		label: "(standard input)", separator: "--", utf8: p.UTF8()}
	st := g.main(kind)
	p.Stdout.Flush()
	if p.Stdout.Err != nil && st != trouble && st != selected {
		st = trouble
	}
	return st
}

func (g *grep) main(kind posixre.Flags) int {
	p := g.p
	var flags posixre.Flags
	var patterns []string
	var havePatterns bool
	var withName, noName bool
	context, digitArg := -1, -1
	colorWhen := ""
	s := p.Options(&syntax)
	for s.Next() {
		switch s.Opt {
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			// Digits of one argument are one number.
			if rest := len(s.Rest()); digitArg != rest {
				digitArg, context = rest, 0
			}
			context = min(context*10+int(s.Opt-'0'), math.MaxInt32)
		case 'A', 'B', 'C':
			n, ok := contextLength(s.Arg)
			if !ok {
				p.Warn(s.Arg, ": invalid context length argument")
				return trouble
			}
			switch s.Opt {
			case 'A':
				g.after = n
			case 'B':
				g.before = n
			default:
				context, digitArg = n, -1
			}
		case 'D':
			switch s.Arg {
			case "read":
				g.devicesRead, g.devicesSkip = true, false
			case "skip":
				g.devicesRead, g.devicesSkip = false, true
			default:
				p.Warn("unknown devices method")
				return trouble
			}
		case 'E':
			kind = posixre.Extended
		case 'F':
			kind = posixre.Fixed
		case 'G':
			kind = 0
		case 'P':
			p.Warn("Perl matching not supported")
			return trouble
		case 'H':
			withName, noName = true, false
		case 'h':
			withName, noName = false, true
		case 'I':
			g.binary = binaryWithoutMatch
		case 'a':
			g.binary = binaryText
		case 'T':
			g.alignTabs = true
		case 'U', 'u':
		case 'V':
			p.PrintVersion()
			return 0
		case 'Z':
			g.nullName = true
		case 'b':
			g.byteOffset = true
		case 'c':
			g.count = true
		case 'd':
			n, ok := p.Choice("--directories", s.Arg, []string{"read", "recurse", "skip"}, []int{0, 2, 1})
			if !ok {
				g.usage()
				return 1
			}
			g.dirs = dirAction(n)
		case 'e':
			patterns = appendPatterns(patterns, s.Arg)
			havePatterns = true
		case 'f':
			b, err := g.readFile(s.Arg)
			if err != nil {
				p.Warn(s.Arg, ": ", cmdkit.Strerror(err))
				return trouble
			}
			havePatterns = true
			if n := len(b); n > 0 {
				if b[n-1] == '\n' {
					b = b[:n-1]
				}
				patterns = appendPatterns(patterns, string(b))
			}
		case 'i', 'y':
			flags |= posixre.ICase
		case optNoIgnoreCase:
			flags &^= posixre.ICase
		case 'L':
			g.list = listOthers
		case 'l':
			g.list = listMatching
		case 'm':
			n, ok := maxCount(s.Arg)
			if !ok {
				p.Warn("invalid max count")
				return trouble
			}
			g.max = n
		case 'n':
			g.lineNumber = true
		case 'o':
			g.onlyMatching = true
		case 'q':
			g.quiet = true
		case 'R', 'r':
			g.dirs, g.follow = dirRecurse, s.Opt == 'R'
		case 's':
			g.suppress = true
		case 'v':
			g.invert = true
		case 'w':
			flags |= posixre.WholeWord
		case 'x':
			flags |= posixre.WholeLine
		case 'z':
			g.eol = 0
		case optBinaryFiles:
			switch s.Arg {
			case "binary":
				g.binary = binaryFile
			case "text":
				g.binary = binaryText
			case "without-match":
				g.binary = binaryWithoutMatch
			default:
				p.Warn("unknown binary-files type")
				return trouble
			}
		case optColor:
			colorWhen = "auto"
			if s.HasArg {
				switch s.Arg {
				case "always", "yes", "force":
					colorWhen = "always"
				case "never", "no", "none":
					colorWhen = ""
				case "auto", "tty", "if-tty":
				default:
					return g.usage()
				}
			}
		case optExclude:
			g.files.add(s.Arg, false)
		case optInclude:
			g.files.add(s.Arg, true)
		case optExcludeFrom:
			b, err := g.readFile(s.Arg)
			if err != nil {
				p.Warn(s.Arg, ": ", cmdkit.Strerror(err))
				return trouble
			}
			for _, l := range appendPatterns(nil, string(b)) {
				if l != "" {
					g.files.add(l, false)
				}
			}
		case optExcludeDir:
			dir := s.Arg
			for len(dir) > 1 && dir[len(dir)-1] == '/' {
				dir = dir[:len(dir)-1]
			}
			g.dirRule.add(dir, false)
		case optLabel:
			g.label = s.Arg
		case optLineBuffered:
			g.lineBuffered = true
		case optGroupSeparator:
			g.separator, g.noSeparator = s.Arg, false
		case optNoGroupSeparator:
			g.noSeparator = true
		}
	}
	if s.Stop {
		return s.Status
	}
	files := s.Operands
	if !havePatterns {
		if len(files) == 0 {
			return g.usage()
		}
		patterns = appendPatterns(nil, files[0])
		files = files[1:]
	}
	if g.after < 0 {
		g.after = context
	}
	if g.before < 0 {
		g.before = context
	}
	if err := g.compile(patterns, flags|kind); err != nil {
		p.Warn(err.Error())
		return trouble
	}
	if g.max == 0 {
		return none
	}
	if g.count || g.list != listNone || g.quiet {
		g.before, g.after = -1, -1
	}
	if g.quiet || g.list != listNone {
		g.count = false
	}
	if g.lineBuffered {
		g.out.SetLineBuffered(true)
	}
	if colorWhen == "always" || colorWhen == "auto" && g.terminal() {
		g.color = newColors(p.Getenv("GREP_COLORS"))
	}
	if st, err := wsys.Fstat(g.out.FD); err == nil && st.Mode.IsRegular() {
		g.outRegular, g.outDev, g.outIno = true, st.Dev, st.Ino
	}
	g.withName = withName || !noName && (len(files) > 1 || g.dirs == dirRecurse)
	if len(files) == 1 && g.dirs == dirRecurse && !withName && !noName {
		// A single file named with -r goes without its name.
		st, err := wsys.StatAt(wsys.AtCwd, files[0], true)
		g.withName = files[0] != "-" && err == nil && st.Mode.IsDir()
	}
	switch {
	case len(files) > 0:
		for _, f := range files {
			if g.operand(f) {
				break
			}
		}
	case g.dirs == dirRecurse:
		g.tree(".", true)
	default:
		g.operand("-")
	}
	switch {
	case g.quiet && g.matched:
		return selected
	case g.status != 0:
		return g.status
	case g.matched:
		return selected
	}
	return none
}

func (g *grep) terminal() bool {
	t := g.p.Getenv("TERM")
	return t != "" && t != "dumb" && wsys.Isatty(g.out.FD)
}

func (g *grep) readFile(name string) ([]byte, error) {
	fd, err := g.p.Open(name)
	if err != nil {
		return nil, err
	}
	defer g.p.CloseInput(fd)
	return wsys.ReadAll(fd)
}

// appendPatterns appends the lines of s.
func appendPatterns(to []string, s string) []string {
	from := 0
	for i := 0; i < len(s); i++ {
		if s[i] == '\n' {
			to = append(to, s[from:i])
			from = i + 1
		}
	}
	return append(to, s[from:])
}

// contextLength parses a number of lines; large ones are as good as endless.
func contextLength(s string) (int, bool) {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = min(n*10+int(s[i]-'0'), math.MaxInt32)
	}
	return n, s != ""
}

// maxCount parses the argument of -m. A negative number is no limit.
func maxCount(s string) (int64, bool) {
	neg := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		neg = s[0] == '-'
		s = s[1:]
	}
	n, ok := contextLength(s)
	if !ok {
		return 0, false
	}
	if neg || n == math.MaxInt32 {
		return math.MaxInt64, true
	}
	return int64(n), true
}

// compile compiles the patterns, each once.
func (g *grep) compile(patterns []string, flags posixre.Flags) error {
	if !g.utf8 {
		flags |= posixre.Bytes
	}
	if g.eol == 0 {
		flags |= posixre.ZeroLines
	} else {
		flags |= posixre.Lines
	}
	flags |= posixre.Lenient | posixre.ParenLiteral
	if len(patterns) > 1 {
		seen := make(map[string]struct{}, len(patterns))
		list := patterns[:0:0]
		for _, s := range patterns {
			if _, ok := seen[s]; !ok {
				seen[s] = struct{}{}
				list = append(list, s)
			}
		}
		patterns = list
	}
	re, err := posixre.CompileSet(patterns, flags)
	if err != nil {
		return err
	}
	g.re = re
	return nil
}

// fileError reports an error about a file, unless -s says not to.
func (g *grep) fileError(name string, err error) {
	g.status = trouble
	if !g.suppress {
		g.p.Warn(name, ": ", cmdkit.Strerror(err))
	}
}
