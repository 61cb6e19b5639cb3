// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"slices"
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/fnmatch"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

const cwd = wsys.AtCwd

// Long options of ls without a letter.
const (
	lsAuthor = 256 + iota
	lsBlockSize
	lsColor
	lsDerefCmdDir
	lsFileType
	lsFormat
	lsFullTime
	lsGroupDirs
	lsHide
	lsIndicator
	lsQuotingStyle
	lsShowControl
	lsSI
	lsSort
	lsTime
	lsTimeStyle
	lsZero
	lsClassify
)

var lsSyntax = cmdkit.Syntax{
	Short:    "abcdfghiklmnopqrstuvw:xABCFGHI:LNQRST:UXZ1",
	BadUsage: 2,
	Long: []cmdkit.Long{
		{Name: "all", Val: 'a'}, {Name: "escape", Val: 'b'}, {Name: "directory", Val: 'd'}, {Name: "full-time", Val: lsFullTime},
		{Name: "group-directories-first", Val: lsGroupDirs}, {Name: "human-readable", Val: 'h'}, {Name: "inode", Val: 'i'},
		{Name: "kibibytes", Val: 'k'}, {Name: "numeric-uid-gid", Val: 'n'}, {Name: "no-group", Val: 'G'},
		{Name: "hide-control-chars", Val: 'q'}, {Name: "reverse", Val: 'r'}, {Name: "size", Val: 's'},
		{Name: "width", Arg: cmdkit.RequiredArg, Val: 'w'}, {Name: "almost-all", Val: 'A'}, {Name: "ignore-backups", Val: 'B'},
		{Name: "classify", Arg: cmdkit.OptionalArg, Val: lsClassify}, {Name: "file-type", Val: lsFileType}, {Name: "si", Val: lsSI},
		{Name: "dereference-command-line", Val: 'H'}, {Name: "dereference-command-line-symlink-to-dir", Val: lsDerefCmdDir},
		{Name: "hide", Arg: cmdkit.RequiredArg, Val: lsHide}, {Name: "ignore", Arg: cmdkit.RequiredArg, Val: 'I'},
		{Name: "indicator-style", Arg: cmdkit.RequiredArg, Val: lsIndicator}, {Name: "dereference", Val: 'L'}, {Name: "literal", Val: 'N'},
		{Name: "quote-name", Val: 'Q'}, {Name: "quoting-style", Arg: cmdkit.RequiredArg, Val: lsQuotingStyle},
		{Name: "recursive", Val: 'R'}, {Name: "format", Arg: cmdkit.RequiredArg, Val: lsFormat}, {Name: "show-control-chars", Val: lsShowControl},
		{Name: "sort", Arg: cmdkit.RequiredArg, Val: lsSort}, {Name: "tabsize", Arg: cmdkit.RequiredArg, Val: 'T'},
		{Name: "time", Arg: cmdkit.RequiredArg, Val: lsTime}, {Name: "time-style", Arg: cmdkit.RequiredArg, Val: lsTimeStyle},
		{Name: "zero", Val: lsZero}, {Name: "color", Arg: cmdkit.OptionalArg, Val: lsColor},
		{Name: "block-size", Arg: cmdkit.RequiredArg, Val: lsBlockSize}, {Name: "context", Val: 'Z'}, {Name: "author", Val: lsAuthor}},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help: `List the FILEs, or the working directory. Entries are sorted by name.

  -a, --all            do not leave out entries that start with .
  -A, --almost-all     likewise, but leave out . and ..
      --author         with -l, print the author of each file (its owner)
  -b, --escape         print C escapes for what does not print
      --block-size=SIZE  with -l, scale sizes by SIZE
  -B, --ignore-backups leave out names that end in ~
  -c                   sort by and show the time of the last status change
  -C                   list in columns
      --color[=WHEN]   colour the names: always, auto, never
  -d, --directory      list directories themselves
  -f                   do not sort; same as -aU, without -l, -s, --color
  -F, --classify[=WHEN]  append one of */=>@| to names
      --file-type      likewise, without *
      --format=WORD    across -x, commas -m, horizontal -x, long -l,
                       single-column -1, verbose -l, vertical -C
      --full-time      same as -l --time-style=full-iso
  -g                   like -l, without the owner
      --group-directories-first
  -G, --no-group       with -l, without the group
  -h, --human-readable with -l and -s, sizes such as 1K 234M 2G
      --si             likewise, by powers of 1000
  -H, --dereference-command-line  follow links given as operands
      --dereference-command-line-symlink-to-dir
      --hide=PATTERN   leave out names that match (unless -a or -A)
      --indicator-style=WORD  none, slash (-p), file-type, classify (-F)
  -i, --inode          print the inode number
  -I, --ignore=PATTERN leave out names that match
  -k, --kibibytes      blocks of 1024 bytes
  -l                   long format
  -L, --dereference    describe what links point to
  -m                   separate names by commas
  -n, --numeric-uid-gid  like -l, with numbers for owner and group
  -N, --literal        print names without quotes
  -o                   like -l, without the group
  -p                   append / to directories
  -q, --hide-control-chars  print ? for what does not print
      --show-control-chars  print it as it is
  -Q, --quote-name     put names in double quotes
      --quoting-style=WORD  literal, locale, shell, shell-always,
                       shell-escape, shell-escape-always, c, escape
  -r, --reverse        reverse the order
  -R, --recursive      list subdirectories too
  -s, --size           print the size in blocks
  -S                   sort by size, largest first
      --sort=WORD      none -U, size -S, time -t, version -v, extension -X, width
      --time=WORD      show and sort by: atime, access, use (-u); ctime, status
                       (-c); birth, creation (shown as the modification)
      --time-style=STYLE  full-iso, long-iso, iso, locale, +FORMAT
  -t                   sort by time, newest first
  -T, --tabsize=COLS   tab stops at every COLS
  -u                   sort by and show the time of the last access
  -U                   do not sort
  -v                   sort numbers in names by their value
  -w, --width=COLS     the width of the output; 0 is no limit
  -x                   list by lines
  -X                   sort by extension
  -Z, --context        print the security context, which is always ?
      --zero           end each line with NUL
  -1                   one file per line
`,
}

type lsFormatKind uint8

const (
	formatOne lsFormatKind = iota
	formatLong
	formatColumns
	formatAcross
	formatCommas
)

type lsSortKind uint8

const (
	sortName lsSortKind = iota
	sortExtension
	sortSize
	sortTime
	sortVersion
	sortNone
	sortWidth
)

type lsTimeKind uint8

const (
	timeMod lsTimeKind = iota
	timeChange
	timeAccess
)

type lsDeref uint8

const (
	derefUndecided lsDeref = iota
	derefNever
	derefCmdDir
	derefCmd
	derefAll
)

type indicator uint8

const (
	indicateNone indicator = iota
	indicateSlash
	indicateFileType
	indicateClassify
)

// lsEntry is a file to list.
type lsEntry struct {
	name     string
	st       abi.Stat
	hasStat  bool
	mode     abi.Mode // at least the type bits
	ino      uint64
	link     string // target of a link
	linkMode abi.Mode
	linkOK   bool
	shown    string // the name as printed
	width    int
	quoted   bool
}

type lister struct {
	p                                           *cmdkit.Proc
	o                                           *cmdkit.Writer
	format                                      lsFormatKind
	sort                                        lsSortKind
	time                                        lsTimeKind
	deref                                       lsDeref
	indicate                                    indicator
	quote                                       quoting
	all, almostAll, backups                     bool
	reverse, recursive, directory, inode, sizes bool
	numeric, noOwner, noGroup, author, context  bool
	hideControl, groupDirs                      bool
	outBlock, fileBlock                         cmdkit.BlockSize
	width, tab                                  int
	eol                                         byte
	ignore, hide                                []string
	color                                       *colors
	recent, old                                 string // formats of times
	now                                         int64
	zone                                        *datetime.Zone
	names                                       cmdkit.Names

	dirents  []wsys.Dirent
	needStat bool
	needLink bool
	printed  bool // something was written: a blank line goes before the next directory
	headings bool
	status   int
	pending  []pendingDir
}

type pendingDir struct {
	path    string
	operand bool
	leave   bool // marks the end of what is below path, for loops
}

// Ls lists files.
func Ls(p *cmdkit.Proc) int {
	l := &lister{p: p, o: p.Stdout, eol: '\n', tab: 8, width: -1}
	g := p.Options(&lsSyntax)
	formatSet, quoteSet := false, false
	hideControl := 0 // 1 hide, 2 show
	sortSet, timeSet := false, false
	timeStyle, hasTimeStyle := "", false
	blockSet, kibi := false, false
	colorWhen := 0
	setFormat := func(f lsFormatKind) { l.format, formatSet = f, true }
	setSort := func(s lsSortKind) { l.sort, sortSet = s, true }
	when := func(option string) (int, bool) {
		if !g.HasArg {
			return 1, true
		}
		return p.Choice(option, g.Arg, []string{"always", "yes", "force", "never", "no", "none", "auto", "tty", "if-tty"}, []int{1, 1, 1, 0, 0, 0, 2, 2, 2})
	}
	tty := func() bool { return wsys.Isatty(p.Stdout.FD) }
	for g.Next() {
		switch g.Opt {
		case 'a':
			l.all = true
		case 'A':
			l.all, l.almostAll = false, true
		case 'b':
			l.quote, quoteSet = quoteEscape, true
		case 'B':
			l.backups = true
		case 'c':
			l.time, timeSet = timeChange, true
		case 'u':
			l.time, timeSet = timeAccess, true
		case 'C':
			setFormat(formatColumns)
		case 'd':
			l.directory = true
		case 'f':
			l.all = true
			setSort(sortNone)
			if l.format == formatLong {
				formatSet = false
				l.format = formatOne
			}
			l.sizes, colorWhen = false, 0
		case 'F', lsClassify:
			v, ok := 1, true
			if g.Opt == lsClassify {
				if v, ok = when("--classify"); !ok {
					return p.TryHelp(1)
				}
			}
			if v == 1 || v == 2 && tty() {
				l.indicate = indicateClassify
			}
		case 'g':
			setFormat(formatLong)
			l.noOwner = true
		case 'G':
			l.noGroup = true
		case 'h', lsSI:
			l.outBlock = cmdkit.BlockSize{Size: 1, Human: true, SI: g.Opt == lsSI}
			l.fileBlock, blockSet = l.outBlock, true
		case 'H':
			l.deref = derefCmd
		case lsDerefCmdDir:
			l.deref = derefCmdDir
		case 'i':
			l.inode = true
		case 'I':
			l.ignore = append(l.ignore, g.Arg)
		case lsHide:
			l.hide = append(l.hide, g.Arg)
		case 'k':
			kibi = true
		case 'l':
			setFormat(formatLong)
		case 'L':
			l.deref = derefAll
		case 'm':
			setFormat(formatCommas)
		case 'n':
			l.numeric = true
			setFormat(formatLong)
		case 'N':
			l.quote, quoteSet = quoteLiteral, true
		case 'o':
			setFormat(formatLong)
			l.noGroup = true
		case 'p':
			l.indicate = indicateSlash
		case 'q':
			hideControl = 1
		case lsShowControl:
			hideControl = 2
		case 'Q':
			l.quote, quoteSet = quoteC, true
		case lsQuotingStyle:
			v, ok := p.Choice("--quoting-style", g.Arg, quotingNames, quotingVals)
			if !ok {
				return p.TryHelp(1)
			}
			l.quote, quoteSet = quoting(v), true
		case 'r':
			l.reverse = true
		case 'R':
			l.recursive = true
		case 's':
			l.sizes = true
		case 'S':
			setSort(sortSize)
		case 't':
			setSort(sortTime)
		case 'T':
			v, e := cmdkit.ParseUint(g.Arg, "")
			if e != cmdkit.NumOK || v > 1<<20 {
				p.Warn("invalid tab size: ", cmdkit.Quote(g.Arg))
				return 2
			}
			l.tab = int(v)
		case 'U':
			setSort(sortNone)
		case 'v':
			setSort(sortVersion)
		case 'w':
			w, ok := lineWidth(g.Arg)
			if !ok {
				p.Warn("invalid line width: ", cmdkit.Quote(g.Arg))
				return 2
			}
			l.width = w
		case 'x':
			setFormat(formatAcross)
		case 'X':
			setSort(sortExtension)
		case 'Z':
			l.context = true
		case '1':
			if l.format != formatLong {
				setFormat(formatOne)
			}
		case lsAuthor:
			l.author = true
		case lsBlockSize:
			b, ok := p.BlockSizeArg("--block-size", g.Arg)
			if !ok {
				return 2
			}
			l.outBlock, l.fileBlock, blockSet = b, b, true
		case lsColor:
			v, ok := when("--color")
			if !ok {
				return p.TryHelp(1)
			}
			colorWhen = v
		case lsFileType:
			l.indicate = indicateFileType
		case lsIndicator:
			v, ok := p.Choice("--indicator-style", g.Arg, []string{"none", "slash", "file-type", "classify"}, []int{0, 1, 2, 3})
			if !ok {
				return p.TryHelp(1)
			}
			l.indicate = indicator(v)
		case lsFormat:
			v, ok := p.Choice("--format", g.Arg, []string{"verbose", "long", "commas", "horizontal", "across", "vertical", "single-column"}, []int{1, 1, 4, 3, 3, 2, 0})
			if !ok {
				return p.TryHelp(1)
			}
			setFormat(lsFormatKind(v))
		case lsFullTime:
			setFormat(formatLong)
			timeStyle, hasTimeStyle = "full-iso", true
		case lsGroupDirs:
			l.groupDirs = true
		case lsSort:
			if g.Arg == "name" { // as later versions have it
				setSort(sortName)
				break
			}
			v, ok := p.Choice("--sort", g.Arg, []string{"none", "time", "size", "extension", "version", "width"}, []int{5, 3, 2, 1, 4, 6})
			if !ok {
				return p.TryHelp(1)
			}
			setSort(lsSortKind(v))
		case lsTime:
			if g.Arg == "mtime" || g.Arg == "modification" { // as later versions have it
				l.time, timeSet = timeMod, true
				break
			}
			v, ok := p.Choice("--time", g.Arg, []string{"atime", "access", "use", "ctime", "status", "birth", "creation"}, []int{2, 2, 2, 1, 1, 0, 0})
			if !ok {
				return p.TryHelp(1)
			}
			l.time, timeSet = lsTimeKind(v), true
		case lsTimeStyle:
			timeStyle, hasTimeStyle = g.Arg, true
		case lsZero:
			l.eol = 0
			if l.format != formatLong {
				setFormat(formatOne)
			}
			colorWhen = 0
			l.quote, quoteSet = quoteLiteral, true
			hideControl = 2
		}
	}
	if g.Stop {
		return g.Status
	}
	isTTY := false
	if !formatSet || colorWhen == 2 || hideControl == 0 || !quoteSet {
		isTTY = tty()
	}
	if !formatSet {
		l.format = formatOne
		if isTTY {
			l.format = formatColumns
		}
	}
	if !quoteSet {
		if s, ok := p.LookupEnv("QUOTING_STYLE"); ok {
			for i, n := range quotingNames {
				if n == s {
					l.quote, quoteSet = quoting(quotingVals[i]), true
				}
			}
			if !quoteSet {
				p.Warn("ignoring invalid value of environment variable QUOTING_STYLE: ", cmdkit.Quote(s))
			}
		}
		if !quoteSet && isTTY {
			l.quote = quoteShellEscape
		}
	}
	l.hideControl = hideControl == 1 || hideControl == 0 && isTTY && (l.quote == quoteLiteral || l.quote == quoteShell || l.quote == quoteShellAlways)
	if colorWhen == 1 || colorWhen == 2 && isTTY {
		if l.color = newColors(p); l.color != nil {
			l.tab = 0
		}
	}
	if timeSet && !sortSet && l.format != formatLong {
		l.sort = sortTime
	}
	if !blockSet {
		b, found := p.BlockSizeEnv("LS_BLOCK_SIZE")
		l.outBlock = b
		l.fileBlock = cmdkit.BlockSize{Size: 1}
		if _, ok := p.LookupEnv("LS_BLOCK_SIZE"); ok && found {
			l.fileBlock = b
		} else if _, ok := p.LookupEnv("BLOCK_SIZE"); ok && found {
			l.fileBlock = b
		}
		if kibi {
			l.outBlock = cmdkit.BlockSize{Size: 1024}
		}
	}
	if l.format == formatColumns || l.format == formatAcross || l.format == formatCommas {
		l.findWidth()
	}
	if l.format == formatLong && !l.timeFormats(timeStyle, hasTimeStyle) {
		return p.TryHelp(2)
	}
	if l.deref == derefUndecided {
		l.deref = derefCmdDir
		if l.directory || l.indicate == indicateClassify || l.format == formatLong {
			l.deref = derefNever
		}
	}
	l.needStat = l.format == formatLong || l.sizes || l.sort == sortSize || l.sort == sortTime || l.indicate == indicateClassify || l.color != nil
	l.needLink = l.format == formatLong || l.color != nil && l.color.orphan != "" || l.color != nil && l.color.linkAsTarget
	return l.run(g.Operands)
}

func lineWidth(s string) (int, bool) {
	v, e := cmdkit.ParseUint(s, "")
	if len(s) > 1 && s[0] == '0' {
		v8, ok := cmdkit.ParseOctal(s, 1<<30)
		return int(v8), ok
	}
	if e == cmdkit.NumOverflow || e == cmdkit.NumOK && v > 1<<30 {
		return 0, true
	}
	return int(v), e == cmdkit.NumOK
}

// findWidth sets the width: of -w, COLUMNS, the terminal, or 80.
func (l *lister) findWidth() {
	if l.width >= 0 {
		return
	}
	if s := l.p.Getenv("COLUMNS"); s != "" {
		if w, ok := lineWidth(s); ok {
			l.width = w
			return
		}
		l.p.Warn("ignoring invalid width in environment variable COLUMNS: ", cmdkit.Quote(s))
	}
	if ws, err := wsys.TTYGetwinsize(l.p.Stdout.FD); err == nil && ws.Cols > 0 {
		l.width = int(ws.Cols)
		return
	}
	l.width = 80
}

// timeFormats sets the formats of times.
func (l *lister) timeFormats(style string, given bool) bool {
	if !given {
		if style = l.p.Getenv("TIME_STYLE"); style == "" {
			style = "locale"
		}
	}
	for len(style) > 6 && style[:6] == "posix-" {
		style = "locale" // the locale is the POSIX one
	}
	if style != "" && style[0] == '+' {
		l.old = style[1:]
		l.recent = l.old
		for i := 1; i < len(style); i++ {
			if style[i] == '\n' {
				l.old, l.recent = style[1:i], style[i+1:]
				for k := i + 1; k < len(style); k++ {
					if style[k] == '\n' {
						l.p.Warn("invalid time style format ", cmdkit.Quote(style[1:]))
						return false
					}
				}
				break
			}
		}
	} else {
		v := -1
		names := []string{"full-iso", "long-iso", "iso", "locale"}
		for i, n := range names {
			if n == style || len(style) > 0 && len(style) < len(n) && n[:len(style)] == style {
				v = i
				break
			}
		}
		switch v {
		case 0:
			l.old, l.recent = "%Y-%m-%d %H:%M:%S.%N %z", "%Y-%m-%d %H:%M:%S.%N %z"
		case 1:
			l.old, l.recent = "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M"
		case 2:
			l.old, l.recent = "%Y-%m-%d ", "%m-%d %H:%M"
		case 3:
			l.old, l.recent = "%b %e  %Y", "%b %e %H:%M"
		default:
			l.p.Warn("invalid argument ", cmdkit.QuoteAF(style), " for ", cmdkit.Quote("time style"))
			l.p.Stderr.WriteString("Valid arguments are:\n  - [posix-]full-iso\n  - [posix-]long-iso\n  - [posix-]iso\n  - [posix-]locale\n  - +FORMAT (e.g., +%H:%M) for a 'date'-style format\n")
			return false
		}
	}
	tz, set := l.p.LookupEnv("TZ")
	l.zone = datetime.Load(tz, set)
	l.now = wsys.Now()
	return true
}

// fail reports an error about a file; serious ones make the status 2.
func (l *lister) fail(err error, serious bool, what, path string) {
	l.p.Errno(err, what, cmdkit.QuoteAF(path))
	if serious {
		l.status = 2
	} else if l.status == 0 {
		l.status = 1
	}
}

func (l *lister) run(ops []string) int {
	if len(ops) == 0 {
		if l.directory {
			ops = []string{"."}
		} else {
			l.pending = append(l.pending, pendingDir{path: ".", operand: true})
		}
	}
	var files []lsEntry
	for _, f := range ops {
		e, ok := l.operand(f)
		if !ok {
			continue
		}
		files = append(files, e)
	}
	if len(files) > 0 {
		l.sortEntries(files)
		if !l.directory {
			rest := files[:0]
			for _, e := range files {
				if e.mode.IsDir() {
					l.pending = append(l.pending, pendingDir{path: e.name, operand: true})
				} else {
					rest = append(rest, e)
				}
			}
			files = rest
		}
		if len(files) > 0 {
			l.print(files, "")
			l.printed = true
		}
	}
	l.headings = l.recursive || len(l.pending) > 1 || len(ops) > 1
	var active [][2]uint64 // directories being listed, against loops of links
	for i, k := 0, len(l.pending)-1; i < k; i, k = i+1, k-1 {
		l.pending[i], l.pending[k] = l.pending[k], l.pending[i]
	}
	for len(l.pending) > 0 && !l.p.WriteFailed() {
		d := l.pending[len(l.pending)-1]
		l.pending = l.pending[:len(l.pending)-1]
		if d.leave {
			active = active[:len(active)-1]
			continue
		}
		if l.recursive && l.deref == derefAll {
			st, err := wsys.StatAt(cwd, d.path, true)
			if err == nil {
				id := [2]uint64{st.Dev, st.Ino}
				loop := false
				for _, a := range active {
					loop = loop || a == id
				}
				if loop {
					l.p.Warn(cmdkit.QuoteF(d.path), ": not listing already-listed directory")
					l.status = 2
					continue
				}
				active = append(active, id)
				l.pending = append(l.pending, pendingDir{leave: true})
			}
		}
		l.list(d)
	}
	return l.status
}

// operand describes a file named on the command line.
func (l *lister) operand(f string) (lsEntry, bool) {
	e := lsEntry{name: f}
	follow := l.deref == derefAll || l.deref == derefCmd
	st, err := wsys.StatAt(cwd, f, follow || l.deref == derefCmdDir)
	if l.deref == derefCmdDir && (err == abi.ENOENT || err == nil && !st.Mode.IsDir()) {
		st, err = wsys.StatAt(cwd, f, false)
	}
	if err != nil {
		l.fail(err, true, "cannot access ", f)
		return e, false
	}
	e.st, e.hasStat, e.mode, e.ino = st, true, st.Mode, st.Ino
	l.readLink(&e, cwd, f, f)
	return e, true
}

// readLink reads where a link leads, if that is shown.
func (l *lister) readLink(e *lsEntry, dir wsys.FD, name, path string) {
	if !e.mode.IsSymlink() || !l.needLink && l.indicate == indicateNone && l.color == nil {
		return
	}
	if l.format == formatLong {
		t, err := wsys.Readlink(dir, name)
		if err != nil {
			l.fail(err, false, "cannot read symbolic link ", path)
		}
		e.link = t
	}
	if l.color != nil || l.format == formatLong && l.indicate != indicateNone {
		if st, err := wsys.StatAt(dir, name, true); err == nil {
			e.linkOK, e.linkMode = true, st.Mode
		}
	}
}

func (l *lister) ignored(name string) bool {
	if !l.all && name[0] == '.' && (!l.almostAll || name == "." || name == "..") {
		return true
	}
	if l.backups && name[len(name)-1] == '~' {
		return true
	}
	if !l.all && !l.almostAll {
		for _, h := range l.hide {
			if fnmatch.Match(h, name, fnmatch.Period) {
				return true
			}
		}
	}
	for _, i := range l.ignore {
		if fnmatch.Match(i, name, fnmatch.Period) {
			return true
		}
	}
	return false
}

func joinPath(dir, name string) string {
	if dir != "" && dir[len(dir)-1] == '/' {
		return dir + name
	}
	return dir + "/" + name
}

// list lists a directory.
func (l *lister) list(d pendingDir) {
	fd, err := wsys.Open(cwd, d.path, abi.ORdonly|abi.ODirectory|abi.OCloexec, 0)
	if err != nil {
		l.fail(err, d.operand, "cannot open directory ", d.path)
		return
	}
	var entries []lsEntry
	cookie := uint64(0)
	for {
		l.dirents, err = wsys.ReadDir(fd, l.dirents[:0], cookie, l.needStat && l.deref != derefAll)
		if err != nil {
			l.fail(err, d.operand, "reading directory ", d.path)
			break
		}
		if len(l.dirents) == 0 {
			break
		}
		cookie = l.dirents[len(l.dirents)-1].Cookie
		for i := range l.dirents {
			de := &l.dirents[i]
			if l.ignored(de.Name) {
				continue
			}
			e := lsEntry{name: de.Name, mode: de.Mode, ino: de.Ino, st: de.Stat, hasStat: de.StatOK}
			path := de.Name
			if d.path != "." {
				path = joinPath(d.path, de.Name)
			}
			if l.needStat && !e.hasStat || e.mode&abi.ModeFmt == 0 || l.deref == derefAll && e.mode.IsSymlink() &&
				(l.inode || l.recursive || l.groupDirs || l.indicate != indicateNone) ||
				l.inode && (de.Name == "." || de.Name == "..") {
				st, err := wsys.StatAt(fd, de.Name, l.deref == derefAll)
				if err != nil {
					l.fail(err, false, "cannot access ", path)
					entries = append(entries, e)
					continue
				}
				e.st, e.hasStat, e.mode, e.ino = st, true, st.Mode, st.Ino
			}
			l.readLink(&e, fd, de.Name, path)
			entries = append(entries, e)
		}
	}
	wsys.Close(fd)
	l.sortEntries(entries)
	if l.headings {
		if l.printed {
			l.o.WriteByte('\n')
		}
		s, _, _ := quoteName(d.path, l.quote, l.hideControl)
		l.o.WriteString(s)
		l.o.WriteString(":\n")
	}
	l.printed = true
	l.print(entries, d.path)
	if l.recursive {
		for i := len(entries) - 1; i >= 0; i-- {
			e := &entries[i]
			if e.mode.IsDir() && e.name != "." && e.name != ".." {
				l.pending = append(l.pending, pendingDir{path: joinPath(d.path, e.name)})
			}
		}
	}
}

func (l *lister) stamp(e *lsEntry) int64 {
	switch l.time {
	case timeAccess:
		return e.st.Atim
	case timeChange:
		return e.st.Ctim
	}
	return e.st.Mtim
}

func extension(s string) string {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '.' {
			return s[i:]
		}
	}
	return ""
}

func compareStrings(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (l *lister) sortEntries(list []lsEntry) {
	if l.sort == sortWidth {
		for i := range list {
			_, list[i].width, _ = quoteName(list[i].name, l.quote, l.hideControl)
		}
	}
	if l.sort == sortNone && !l.groupDirs {
		return
	}
	less := func(i, k int32) int {
		a, b := &list[i], &list[k]
		if l.groupDirs {
			ad, bd := a.mode.IsDir() || a.linkMode.IsDir(), b.mode.IsDir() || b.linkMode.IsDir()
			if ad != bd {
				if ad {
					return -1
				}
				return 1
			}
		}
		c := 0
		switch l.sort {
		case sortSize:
			c = compareInts(b.st.Size, a.st.Size)
		case sortTime:
			c = compareInts(l.stamp(b), l.stamp(a))
		case sortExtension:
			c = compareStrings(extension(a.name), extension(b.name))
		case sortVersion:
			c = compareVersions(a.name, b.name)
		case sortWidth:
			c = a.width - b.width
		case sortNone:
			return int(i - k)
		}
		if c == 0 {
			c = compareStrings(a.name, b.name)
		}
		if l.reverse {
			c = -c
		}
		return c
	}
	// Entries are large: their order is found first, then each is moved once.
	order := make([]int32, len(list))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, less)
	for i := range order {
		if order[i] < 0 {
			continue
		}
		k := int32(i)
		hold := list[k]
		for {
			from := order[k]
			order[k] = -1
			if from == int32(i) {
				list[k] = hold
				break
			}
			list[k] = list[from]
			k = from
		}
	}
}

func compareInts(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func itoa(v uint64) string { return strconv.FormatUint(v, 10) }
