// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package compare

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/fnmatch"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

const (
	optLabel = 256 + iota
	optNormal
	optStripCR
	optColor
	optNoDeref
	optSuppressCommon
	optLeftColumn
	optNoIgnoreCaseNames
	optIgnoreCaseNames
	optUnidirectional
	optSpeed
	optTabSize
)

var diffSyntax = cmdkit.Syntax{
	Short: "0123456789abBcC:dEeF:hHiI:lL:nNpPqrsS:tTuU:wW:x:X:yZ",
	Long: []cmdkit.Long{
		{Name: "normal", Val: optNormal}, {Name: "brief", Val: 'q'}, {Name: "report-identical-files", Val: 's'},
		{Name: "context", Arg: cmdkit.OptionalArg, Val: 'C'}, {Name: "unified", Arg: cmdkit.OptionalArg, Val: 'U'},
		{Name: "ed", Val: 'e'}, {Name: "side-by-side", Val: 'y'}, {Name: "width", Arg: cmdkit.RequiredArg, Val: 'W'},
		{Name: "left-column", Val: optLeftColumn}, {Name: "suppress-common-lines", Val: optSuppressCommon},
		{Name: "label", Arg: cmdkit.RequiredArg, Val: optLabel}, {Name: "recursive", Val: 'r'}, {Name: "new-file", Val: 'N'},
		{Name: "unidirectional-new-file", Val: 'P'}, {Name: "exclude", Arg: cmdkit.RequiredArg, Val: 'x'}, {Name: "exclude-from", Arg: cmdkit.RequiredArg, Val: 'X'},
		{Name: "ignore-case", Val: 'i'}, {Name: "ignore-tab-expansion", Val: 'E'}, {Name: "ignore-trailing-space", Val: 'Z'},
		{Name: "ignore-space-change", Val: 'b'}, {Name: "ignore-all-space", Val: 'w'}, {Name: "ignore-blank-lines", Val: 'B'},
		{Name: "text", Val: 'a'}, {Name: "strip-trailing-cr", Val: optStripCR}, {Name: "expand-tabs", Val: 't'}, {Name: "initial-tab", Val: 'T'},
		{Name: "minimal", Val: 'd'}, {Name: "speed-large-files", Val: optSpeed}, {Name: "color", Arg: cmdkit.OptionalArg, Val: optColor},
		{Name: "no-dereference", Val: optNoDeref}, {Name: "starting-file", Arg: cmdkit.RequiredArg, Val: 'S'},
		{Name: "show-c-function", Val: 'p'},
	},
	Usage: []string{"[OPTION]... FILES"},
	Help: "Compare FILES line by line.\n\n" +
		"      --normal                  output a normal diff (the default)\n  -q, --brief                   report only when files differ\n  -s, --report-identical-files  report when two files are the same\n" +
		"  -c, -C NUM, --context[=NUM]   output NUM (default 3) lines of copied context\n  -u, -U NUM, --unified[=NUM]   output NUM (default 3) lines of unified context\n  -e, --ed                      output an ed script\n" +
		"  -y, --side-by-side            output in two columns\n  -W, --width=NUM               output at most NUM (default 130) print columns\n      --left-column             output only the left column of common lines\n      --suppress-common-lines   do not output common lines\n" +
		"      --label LABEL             use LABEL instead of file name and timestamp\n  -r, --recursive               recursively compare any subdirectories found\n      --no-dereference          don't follow symbolic links\n" +
		"  -N, --new-file                treat absent files as empty\n  -x, --exclude=PAT             exclude files that match PAT\n  -X, --exclude-from=FILE       exclude files that match any pattern in FILE\n  -S, --starting-file=FILE      start with FILE when comparing directories\n" +
		"  -i, --ignore-case             ignore case differences\n  -Z, --ignore-trailing-space   ignore white space at line end\n  -b, --ignore-space-change     ignore changes in the amount of white space\n  -w, --ignore-all-space        ignore all white space\n" +
		"  -B, --ignore-blank-lines      ignore changes where lines are all blank\n  -a, --text                    treat all files as text\n      --strip-trailing-cr       strip trailing carriage return on input\n" +
		"  -d, --minimal                 accepted\n      --color[=WHEN]            never, always or auto\n",
	BadUsage: 2,
}

type style uint8

const (
	styleNormal style = iota
	styleContext
	styleUnified
	styleEd
	styleSide
)

// differ is a run of diff(1).
type differ struct {
	p              *cmdkit.Proc
	style          style
	context        int
	brief, same    bool
	recursive      bool
	newFile        bool
	newFirst       bool // -P: only absent first files count as empty
	noDeref        bool
	text, stripCR  bool
	fold           bool
	allSpace       bool
	spaceChange    bool
	trailing       bool
	tabs           bool // -E: tabs and the blanks they stand for are equal
	expand         bool // -t: tabs of the output are expanded
	blankLines     bool
	color          bool
	labels         []string
	exclude        []string
	start          string
	width          int
	leftColumn     bool
	suppressCommon bool
	args           string // options, as the header of -r shows them
	initialTab     bool
	zone           *datetime.Zone
	inTree         int // depth of directories being compared
}

// Diff is diff(1).
func Diff(p *cmdkit.Proc) int {
	d := differ{p: p, context: 3, width: 130}
	chosen := false
	set := func(s style) bool {
		if chosen && d.style != s {
			p.Warn("conflicting output style options")
			tryHelp(p)
			return false
		}
		d.style, chosen = s, true
		return true
	}
	var opts []string
	digits := ""
	g := p.Options(&diffSyntax)
	for g.Next() {
		ok := true
		switch g.Opt {
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			digits += string(g.Opt)
		case 'a':
			d.text = true
		case 'b':
			d.spaceChange = true
		case 'B':
			d.blankLines = true
		case 'c':
			ok = set(styleContext)
		case 'C', 'U':
			if g.HasArg {
				v, e := cmdkit.ParseUint(g.Arg, "")
				if e != cmdkit.NumOK {
					p.Warn("invalid context length ", cmdkit.Quote(g.Arg))
					return tryHelp(p)
				}
				d.context = int(min(v, 1<<40))
			}
			if g.Opt == 'C' {
				ok = set(styleContext)
			} else {
				ok = set(styleUnified)
			}
		case 'd', 'h', 'H', optSpeed: // how hard to search: nothing here depends on it
		case 'E':
			d.tabs = true
		case 't':
			d.expand = true
		case 'e':
			ok = set(styleEd)
		case 'i':
			d.fold = true
		case 'L', optLabel:
			d.labels = append(d.labels, g.Arg)
		case 'N':
			d.newFile = true
		case 'P':
			d.newFirst = true
		case 'q':
			d.brief = true
		case 'r':
			d.recursive = true
		case 's':
			d.same = true
		case 'S':
			d.start = g.Arg
		case 'T':
			d.initialTab = true
		case 'u':
			ok = set(styleUnified)
		case 'w':
			d.allSpace = true
		case 'W':
			v, e := cmdkit.ParseUint(g.Arg, "")
			if e != cmdkit.NumOK || v == 0 || v > 1<<20 {
				p.Warn("invalid width ", cmdkit.Quote(g.Arg))
				return tryHelp(p)
			}
			d.width = int(v)
		case 'x':
			d.exclude = append(d.exclude, g.Arg)
		case 'X':
			b, err := wsys.ReadFile(g.Arg)
			if err != nil {
				p.Errno(err, g.Arg)
				return 2
			}
			for _, l := range bytes.Split(b, []byte{'\n'}) {
				if len(l) > 0 {
					d.exclude = append(d.exclude, string(l))
				}
			}
		case 'y':
			ok = set(styleSide)
		case 'Z':
			d.trailing = true
		case optNormal:
			ok = set(styleNormal)
		case optStripCR:
			d.stripCR = true
		case optNoDeref:
			d.noDeref = true
		case optLeftColumn:
			d.leftColumn = true
		case optSuppressCommon:
			d.suppressCommon = true
		case optColor:
			when := 2
			if g.HasArg {
				if when, ok = p.Choice("--color", g.Arg, []string{"never", "always", "auto"}, []int{0, 2, 1}); !ok {
					return 2
				}
			} else {
				when = 1
			}
			d.color = when == 2 || when == 1 && wsys.Isatty(p.Stdout.FD)
		default: // -F -I -l -n -p: real features that are not there
			p.Warn("option -", string(g.Opt), " is not supported")
			return 2
		}
		if !ok {
			return 2
		}
	}
	if g.Stop {
		return g.Status
	}
	if digits != "" {
		v, e := cmdkit.ParseUint(digits, "")
		if e != cmdkit.NumOK {
			p.Warn("invalid context length ", cmdkit.Quote(digits))
			return 2
		}
		d.context = int(min(v, 1<<40))
	}
	ops := g.Operands
	switch {
	case len(ops) < 2:
		after := p.Name
		if len(p.Args) > 0 {
			after = p.Args[len(p.Args)-1]
		}
		p.Warn("missing operand after ", cmdkit.Quote(after))
		return tryHelp(p)
	case len(ops) > 2:
		p.Warn("extra operand ", cmdkit.Quote(ops[2]))
		return tryHelp(p)
	}
	for _, a := range p.Args {
		if a == ops[0] || a == ops[1] {
			continue
		}
		opts = append(opts, a)
	}
	for _, o := range opts {
		d.args += " " + shellWord(o)
	}
	return d.paths(ops[0], ops[1], true)
}

func shellWord(s string) string { return string(cmdkit.AppendShellQuoted(nil, s, false, false)) }

// side is one of the two files.
type side struct {
	name   string
	stat   wsys.Stat
	absent bool
	data   []byte
	lines  [][]byte // without their ends
	noEnd  bool     // the last line has no newline
}

// paths compares two names and returns the exit status.
func (d *differ) paths(a, b string, top bool) int {
	x, y := side{name: a}, side{name: b}
	st := 0
	for i, s := range []*side{&x, &y} {
		var err error
		if s.name == "-" && top {
			s.stat, err = wsys.Fstat(d.p.Stdin.FD)
		} else {
			s.stat, err = wsys.StatAt(wsys.AtCwd, s.name, !d.noDeref)
		}
		if err == abi.ENOENT && (d.newFile || d.newFirst && i == 0) {
			s.absent = true
			continue
		}
		if err != nil {
			st = 2
			d.p.Errno(err, s.name)
		}
	}
	if st != 0 {
		return st
	}
	if x.absent && y.absent {
		d.p.Errno(abi.ENOENT, a)
		d.p.Errno(abi.ENOENT, b)
		return 2
	}
	dirX, dirY := x.stat.Mode.IsDir() && !x.absent, y.stat.Mode.IsDir() && !y.absent
	if top && dirX != dirY && !x.absent && !y.absent { // FILE DIR means FILE DIR/FILE
		if a == "-" || b == "-" {
			d.p.Warn("cannot compare ", cmdkit.Quote("-"), " to a directory")
			return 2
		}
		if dirX {
			return d.paths(join(a, cmdkit.Base(b)), b, false)
		}
		return d.paths(a, join(b, cmdkit.Base(a)), false)
	}
	switch {
	case dirX && (dirY || y.absent) || dirY && x.absent:
		return d.directories(a, b, x.absent, y.absent, top)
	case dirX != dirY:
		d.p.Stdout.WriteString("File " + quoteName(a) + " is a " + typeName(&x.stat) + " while file " + quoteName(b) + " is a " + typeName(&y.stat) + "\n")
		return 1
	}
	if d.noDeref && (x.stat.Mode.IsSymlink() || y.stat.Mode.IsSymlink()) && !x.absent && !y.absent {
		if x.stat.Mode.IsSymlink() && y.stat.Mode.IsSymlink() {
			l, errL := wsys.Readlink(wsys.AtCwd, a)
			m, errM := wsys.Readlink(wsys.AtCwd, b)
			if errL == nil && errM == nil && l == m {
				return 0
			}
			d.p.Stdout.WriteString("Symbolic links " + quoteName(a) + " and " + quoteName(b) + " differ\n")
			return 1
		}
		d.p.Stdout.WriteString("File " + quoteName(a) + " is a " + typeName(&x.stat) + " while file " + quoteName(b) + " is a " + typeName(&y.stat) + "\n")
		return 1
	}
	return d.files(&x, &y, top)
}

func typeName(st *wsys.Stat) string {
	switch st.Mode & abi.ModeFmt {
	case abi.ModeDir:
		return "directory"
	case abi.ModeSymlink:
		return "symbolic link"
	case abi.ModeFIFO:
		return "fifo"
	case abi.ModeChar:
		return "character special file"
	case abi.ModeBlock:
		return "block special file"
	case abi.ModeSocket:
		return "socket"
	}
	if st.Size == 0 {
		return "regular empty file"
	}
	return "regular file"
}

// quoteName quotes a name as diff does, only where it must.
func quoteName(s string) string { return string(cmdkit.AppendShellQuoted(nil, s, false, false)) }

func join(dir, name string) string {
	if dir != "" && dir[len(dir)-1] == '/' {
		return dir + name
	}
	return dir + "/" + name
}

func (d *differ) entries(dir string) ([]string, bool) {
	fd, err := wsys.Open(wsys.AtCwd, dir, abi.ORdonly|abi.ODirectory|abi.OCloexec, 0)
	if err != nil {
		d.p.Errno(err, dir)
		return nil, false
	}
	defer wsys.Close(fd)
	var names []string
	var buf []wsys.Dirent
	for cookie := uint64(0); ; {
		if buf, err = wsys.ReadDir(fd, buf[:0], cookie, false); err != nil {
			d.p.Errno(err, dir)
			return nil, false
		}
		if len(buf) == 0 {
			break
		}
		for _, e := range buf {
			cookie = e.Cookie
			if e.Name == "." || e.Name == ".." || d.excluded(e.Name) {
				continue
			}
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	return names, true
}

func (d *differ) excluded(name string) bool {
	return slices.ContainsFunc(d.exclude, func(pat string) bool { return fnmatch.Match(pat, name, 0) })
}

func (d *differ) directories(a, b string, absentA, absentB, top bool) int {
	var na, nb []string
	ok := true
	if !absentA {
		na, ok = d.entries(a)
	}
	okB := true
	if !absentB {
		nb, okB = d.entries(b)
	}
	if !ok || !okB {
		return 2
	}
	d.inTree++
	defer func() { d.inTree-- }()
	status := 0
	for len(na) > 0 || len(nb) > 0 {
		c := 0
		switch {
		case len(na) == 0:
			c = 1
		case len(nb) == 0:
			c = -1
		case na[0] < nb[0]:
			c = -1
		case na[0] > nb[0]:
			c = 1
		}
		name := ""
		if c <= 0 {
			name, na = na[0], na[1:]
		}
		if c >= 0 {
			name, nb = nb[0], nb[1:]
		}
		if top && d.start != "" && name < d.start {
			continue
		}
		x, y := join(a, name), join(b, name)
		if c < 0 && !d.newFile || c > 0 && !d.newFile && !d.newFirst {
			where := a
			if c > 0 {
				where = b
			}
			d.p.Stdout.WriteString("Only in " + quoteName(where) + ": " + quoteName(name) + "\n")
			status = max(status, 1)
			continue
		}
		if !d.recursive {
			sx, ex := wsys.StatAt(wsys.AtCwd, x, !d.noDeref)
			sy, ey := wsys.StatAt(wsys.AtCwd, y, !d.noDeref)
			if (ex != nil || sx.Mode.IsDir()) && (ey != nil || sy.Mode.IsDir()) && (ex == nil || ey == nil) {
				if c == 0 || ex == nil && ey == nil {
					d.p.Stdout.WriteString("Common subdirectories: " + quoteName(x) + " and " + quoteName(y) + "\n")
				} else {
					where := a
					if c > 0 {
						where = b
					}
					d.p.Stdout.WriteString("Only in " + quoteName(where) + ": " + quoteName(name) + "\n")
					status = max(status, 1)
				}
				continue
			}
		}
		status = max(status, d.paths(x, y, false))
		if d.p.WriteFailed() {
			break
		}
	}
	return status
}

func (d *differ) read(s *side, top bool) bool {
	if s.absent {
		return true
	}
	fd, err := d.p.Stdin.FD, error(nil)
	if s.name != "-" || !top {
		if fd, err = wsys.Open(wsys.AtCwd, s.name, abi.ORdonly|abi.OCloexec, 0); err == nil {
			defer wsys.Close(fd)
		}
	}
	if err == nil {
		s.data, err = readSized(fd, s.stat.Size)
	}
	if err != nil {
		d.p.Errno(err, s.name)
		return false
	}
	return true
}

// maxHint bounds the memory that is taken because a file says it is large.
const maxHint = 64 << 20

// readSized reads fd to its end. size is what the file is said to have.
func readSized(fd wsys.FD, size int64) ([]byte, error) {
	b := make([]byte, 0, min(max(size, 0), maxHint)+512)
	for {
		if len(b) == cap(b) {
			b = append(make([]byte, 0, 2*cap(b)), b...)
		}
		n, err := wsys.Read(fd, b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == abi.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return b, err
		}
	}
}

func (s *side) split(stripCR bool) {
	b := s.data
	add := func(l []byte) {
		if stripCR && len(l) > 0 && l[len(l)-1] == '\r' {
			l = l[:len(l)-1]
		}
		s.lines = append(s.lines, l)
	}
	s.lines = make([][]byte, 0, wsys.CountByte(b, '\n')+1)
	ends := make([]uint32, 4096)
	for len(b) > 0 {
		block := b[:min(len(b), 1<<20)] // offsets have 32 bits
		n := wsys.Positions(block, '\n', '\n', ends)
		begin := 0
		for _, end := range ends[:n] {
			add(b[begin:end])
			begin = int(end) + 1
		}
		if n == 0 { // a long line, or the last
			i := bytes.IndexByte(b, '\n')
			if i < 0 {
				add(b)
				s.noEnd = true
				return
			}
			add(b[:i])
			begin = i + 1
		}
		b = b[begin:]
	}
}

// files compares two files that are no directories.
func (d *differ) files(x, y *side, top bool) int {
	equal := !x.absent && !y.absent && x.stat.Dev == y.stat.Dev && x.stat.Ino == y.stat.Ino && x.stat.Ino != 0 && x.stat.Mode.IsRegular()
	if !equal {
		if !d.read(x, top) || !d.read(y, top) {
			return 2
		}
		equal = bytes.Equal(x.data, y.data)
	}
	if equal && (d.style != styleSide || d.same) {
		if d.same {
			d.p.Stdout.WriteString("Files " + quoteName(d.shown(x, 0)) + " and " + quoteName(d.shown(y, 1)) + " are identical\n")
		}
		return 0
	}
	if !d.text && (binary(x.data) || binary(y.data)) {
		if d.brief {
			d.p.Stdout.WriteString("Files " + quoteName(d.shown(x, 0)) + " and " + quoteName(d.shown(y, 1)) + " differ\n")
			return 1
		}
		d.p.Stdout.WriteString("Binary files " + quoteName(d.shown(x, 0)) + " and " + quoteName(d.shown(y, 1)) + " differ\n")
		return 1
	}
	plain := !d.tabs && !d.fold && !d.allSpace && !d.spaceChange && !d.trailing && !d.blankLines && !d.stripCR
	if d.brief && plain {
		d.p.Stdout.WriteString("Files " + quoteName(d.shown(x, 0)) + " and " + quoteName(d.shown(y, 1)) + " differ\n")
		return 1
	}
	x.split(d.stripCR)
	y.split(d.stripCR)
	a, b, classes := d.classify(x, y)
	horizon := 0
	if d.style == styleUnified || d.style == styleContext {
		horizon = d.context
	}
	delA, insB := changes(a, b, classes, horizon)
	h := hunks(delA, insB)
	if d.blankLines {
		h = d.markBlank(h, x, y)
	}
	significant := slices.ContainsFunc(h, func(c change) bool { return !c.ignored })
	if !significant && d.style != styleSide {
		if d.same {
			d.p.Stdout.WriteString("Files " + quoteName(d.shown(x, 0)) + " and " + quoteName(d.shown(y, 1)) + " are identical\n")
		}
		return 0
	}
	if d.brief {
		d.p.Stdout.WriteString("Files " + quoteName(d.shown(x, 0)) + " and " + quoteName(d.shown(y, 1)) + " differ\n")
		return 1
	}
	if d.inTree > 0 {
		d.p.Stdout.WriteString("diff" + d.args + " " + shellWord(x.name) + " " + shellWord(y.name) + "\n")
	}
	switch d.style {
	case styleNormal:
		d.normal(x, y, h)
	case styleEd:
		d.ed(x, y, h)
	case styleUnified:
		d.unified(x, y, h)
	case styleContext:
		d.contextual(x, y, h)
	case styleSide:
		d.sideBySide(x, y, h)
	}
	if !significant {
		return 0
	}
	return 1
}

func (d *differ) shown(s *side, i int) string {
	if i < len(d.labels) {
		return d.labels[i]
	}
	return s.name
}

// binary reports whether the beginning of a file has a NUL.
func binary(b []byte) bool { return bytes.IndexByte(b[:min(len(b), 32<<10)], 0) >= 0 }

// classify numbers lines so that equal ones, under the options, have equal
// numbers.
func (d *differ) classify(x, y *side) (a, b []int32, classes int) {
	t := newClasses(len(x.lines) + len(y.lines))
	plain := !d.tabs && !d.fold && !d.allSpace && !d.spaceChange && !d.trailing
	var buf []byte
	number := func(s *side) []int32 {
		out := make([]int32, len(s.lines))
		for i, l := range s.lines {
			mark := uint32(0)
			if i == len(s.lines)-1 && s.noEnd && !d.allSpace && !d.spaceChange && !d.trailing {
				mark = 1
			}
			if plain {
				out[i] = t.number(l, mark, false)
				continue
			}
			buf = d.canonical(buf[:0], l)
			out[i] = t.number(buf, mark, true)
		}
		return out
	}
	a, b = number(x), number(y)
	return a, b, len(t.lines)
}

func isSpace(c byte) bool { return c == ' ' || c >= 9 && c <= 13 }

// canonical appends what of a line counts.
func (d *differ) canonical(dst, l []byte) []byte {
	if d.trailing || d.spaceChange {
		for len(l) > 0 && isSpace(l[len(l)-1]) {
			l = l[:len(l)-1]
		}
	}
	begin := len(dst)
	for i := 0; i < len(l); i++ {
		c := l[i]
		if c == '\t' && d.tabs && !d.allSpace && !d.spaceChange {
			for n := 8 - (len(dst)-begin)%8; n > 0; n-- {
				dst = append(dst, ' ')
			}
			continue
		}
		if isSpace(c) {
			if d.allSpace {
				continue
			}
			if d.spaceChange {
				for i+1 < len(l) && isSpace(l[i+1]) {
					i++
				}
				c = ' '
			}
		}
		if d.fold && c >= 'A' && c <= 'Z' {
			c += 32
		}
		dst = append(dst, c)
	}
	return dst
}

// change is a run of lines: those from a to aEnd of the first file are replaced
// by those from b to bEnd of the second. Lines count from 0.
type change struct {
	a, aEnd, b, bEnd int
	ignored          bool
}

func hunks(delA, insB []bool) (l []change) {
	i, j := 0, 0
	for i < len(delA) || j < len(insB) {
		if (i >= len(delA) || !delA[i]) && (j >= len(insB) || !insB[j]) {
			i, j = i+1, j+1
			continue
		}
		c := change{a: i, b: j}
		for i < len(delA) && delA[i] {
			i++
		}
		for j < len(insB) && insB[j] {
			j++
		}
		c.aEnd, c.bEnd = i, j
		l = append(l, c)
	}
	return l
}

// markBlank marks the changes that consist of blank lines only.
func (d *differ) markBlank(h []change, x, y *side) []change {
	blank := func(l []byte) bool {
		if d.spaceChange || d.allSpace || d.trailing {
			return len(bytes.TrimSpace(l)) == 0
		}
		return len(l) == 0
	}
	for i := range h {
		c := &h[i]
		c.ignored = true
		for _, l := range x.lines[c.a:c.aEnd] {
			c.ignored = c.ignored && blank(l)
		}
		for _, l := range y.lines[c.b:c.bEnd] {
			c.ignored = c.ignored && blank(l)
		}
	}
	return h
}

func itoa(n int) string { return strconv.Itoa(n) }
