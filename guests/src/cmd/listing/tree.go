// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"slices"
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/filemode"
	"github.com/wsandbox/wsandbox/guests/src/fnmatch"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

const (
	treeNoReport = 256 + iota
	treeInodes
	treeDirsFirst
	treePrune
	treeFileLimit
	treeIgnoreCase
	treeMatchDirs
	treeCharset
	treeTimefmt
	treeSI
	treeSort
	treeDu
)

var treeSyntax = cmdkit.Syntax{
	Short: "adfgilL:nNpqshuxCDFI:P:QrRStUvAo:cX",
	Long: []cmdkit.Long{{Name: "noreport", Val: treeNoReport}, {Name: "inodes", Val: treeInodes}, {Name: "dirsfirst", Val: treeDirsFirst},
		{Name: "prune", Val: treePrune}, {Name: "filelimit", Arg: cmdkit.RequiredArg, Val: treeFileLimit}, {Name: "ignore-case", Val: treeIgnoreCase},
		{Name: "matchdirs", Val: treeMatchDirs}, {Name: "charset", Arg: cmdkit.RequiredArg, Val: treeCharset},
		{Name: "timefmt", Arg: cmdkit.RequiredArg, Val: treeTimefmt}, {Name: "si", Val: treeSI}, {Name: "sort", Arg: cmdkit.RequiredArg, Val: treeSort},
		{Name: "du", Val: treeDu}},
	Usage: []string{"[OPTION]... [DIRECTORY]..."},
	Help: `List directories as a tree.

  -a             all files, also those that start with .
  -d             directories only
  -l             follow links to directories
  -f             print the whole path of each file
  -x             stay on one file system
  -L LEVEL       go down only LEVEL directories
  -P PATTERN     only files that match; --matchdirs, --ignore-case
  -I PATTERN     leave out what matches ("a|b" are two patterns)
      --prune    leave out empty directories
      --filelimit=N  do not go into directories of more than N entries
      --noreport no counts at the end
      --charset=X  ascii or UTF-8
  -q, -N         print what does not print as ?, or as it is
  -Q             quote names
  -p, -u, -g, -s, -h, --si, -D, --timefmt=F, --inodes  print permissions, owner,
                 group, size, readable size, date, inode
      --du       sizes of directories are those of what they hold
  -F             append one of */=@| to names
  -t, -c, -v, -U, -r, --sort=WORD, --dirsfirst  order: by modification, change,
                 version, none, reverse; name, size, mtime, ctime, version
  -i             no lines, -A and -S are accepted
  -C, -n         colour always, never
  -o FILE        is refused: redirect the output
`,
}

type treeEntry struct {
	name     string
	mode     abi.Mode
	st       abi.Stat
	hasStat  bool
	link     string
	target   abi.Mode // of a link; 0 where it leads nowhere
	children []treeEntry
	loaded   bool
	note     string
	size     int64
}

type treer struct {
	p                                                 *cmdkit.Proc
	all, dirsOnly, follow, fullPath, oneDev, noReport bool
	perms, user, group, size, human, si, date, inode  bool
	classify, noLines, quote, quest, du, matchDirs    bool
	reverse, dirsFirst, prune                         bool
	sort                                              byte
	depth, fileLimit                                  int
	include, exclude                                  []string
	fold                                              fnmatch.Flags
	ascii                                             bool
	timefmt                                           string
	zone                                              *datetime.Zone
	now                                               int64
	color                                             *colors
	names                                             cmdkit.Names
	dirs, files                                       int
	dev                                               uint64
	active                                            [][2]uint64
	dirents                                           []wsys.Dirent
	status                                            int
}

// Tree lists directories as a tree.
func Tree(p *cmdkit.Proc) int {
	t := &treer{p: p, sort: 'n'}
	charset, hasCharset := "", false
	color := 0
	g := p.Options(&treeSyntax)
	for g.Next() {
		switch g.Opt {
		case 'a':
			t.all = true
		case 'd':
			t.dirsOnly = true
		case 'l':
			t.follow = true
		case 'f':
			t.fullPath = true
		case 'x':
			t.oneDev = true
		case 'L':
			v, e := cmdkit.ParseUint(g.Arg, "")
			if e != cmdkit.NumOK || v == 0 {
				p.Stderr.WriteString("tree: Invalid level, must be greater than 0.\n")
				return 1
			}
			t.depth = int(min(v, 1<<30))
		case 'P':
			t.include = append(t.include, g.Arg)
		case 'I':
			t.exclude = append(t.exclude, g.Arg)
		case 'p':
			t.perms = true
		case 'u':
			t.user = true
		case 'g':
			t.group = true
		case 's':
			t.size = true
		case 'h', treeSI:
			t.size, t.human, t.si = true, true, g.Opt == treeSI
		case 'D':
			t.date = true
		case treeTimefmt:
			t.date, t.timefmt = true, g.Arg
		case treeInodes:
			t.inode = true
		case treeDu:
			t.du, t.size = true, true
		case 'F':
			t.classify = true
		case 'i':
			t.noLines = true
		case 'Q':
			t.quote = true
		case 'q':
			t.quest = true
		case 'N':
			t.quest = false
		case 'r':
			t.reverse = true
		case 't', 'c', 'v', 'U':
			t.sort = byte(g.Opt)
		case treeSort:
			v, ok := p.Choice("--sort", g.Arg, []string{"name", "version", "size", "mtime", "ctime", "none"}, []int{'n', 'v', 's', 't', 'c', 'U'})
			if !ok {
				return 1
			}
			t.sort = byte(v)
		case treeDirsFirst:
			t.dirsFirst = true
		case treePrune:
			t.prune = true
		case treeFileLimit:
			v, e := cmdkit.ParseUint(g.Arg, "")
			if e != cmdkit.NumOK {
				return p.Warn("invalid file limit ", cmdkit.Quote(g.Arg))
			}
			t.fileLimit = int(min(v, 1<<30))
		case treeIgnoreCase:
			t.fold = fnmatch.Casefold
		case treeMatchDirs:
			t.matchDirs = true
		case treeNoReport:
			t.noReport = true
		case treeCharset:
			charset, hasCharset = g.Arg, true
		case 'C':
			color = 1
		case 'n':
			color = -1
		case 'A', 'S', 'R':
		case 'o', 'X':
			return p.Warn("option ", g.Spelling(), " is not supported")
		}
	}
	if g.Stop {
		return g.Status
	}
	if !hasCharset {
		for _, v := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
			if charset = p.Getenv(v); charset != "" {
				hasCharset = true
				break
			}
		}
	}
	t.ascii = hasCharset && !isUTF8(charset)
	if color > 0 || color == 0 && wsys.Isatty(p.Stdout.FD) {
		t.color = newColors(p)
		if t.color == nil && color > 0 {
			t.color = defaultColors()
		}
	}
	if t.date {
		tz, set := p.LookupEnv("TZ")
		t.zone, t.now = datetime.Load(tz, set), wsys.Now()
	}
	ops := g.Operands
	if len(ops) == 0 {
		ops = []string{"."}
	}
	var total int64
	for _, dir := range ops {
		total += t.root(dir)
	}
	if !t.noReport {
		t.report(total)
	}
	return t.status
}

func isUTF8(s string) bool {
	for i := 0; i+4 < len(s)+1; i++ {
		if i+5 <= len(s) && fnmatch.Match("utf-8", s[i:i+5], fnmatch.Casefold) || fnmatch.Match("utf8", s[i:i+4], fnmatch.Casefold) {
			return true
		}
	}
	return false
}

func (t *treer) report(total int64) {
	o := t.p.Stdout
	o.WriteByte('\n')
	if t.du {
		var s string
		if t.human {
			s = string(cmdkit.AppendHuman(nil, uint64(total), 1, t.si, cmdkit.Nearest))
		} else {
			s = strconv.FormatInt(total, 10) + " bytes"
		}
		o.WriteString(s + " used in ")
	}
	plural := func(n int, one, many string) string {
		if n == 1 {
			return "1 " + one
		}
		return strconv.Itoa(n) + " " + many
	}
	o.WriteString(plural(t.dirs, "directory", "directories"))
	if !t.dirsOnly {
		o.WriteString(", " + plural(t.files, "file", "files"))
	}
	o.WriteByte('\n')
}

func (t *treer) root(dir string) int64 {
	st, err := wsys.StatAt(cwd, dir, true)
	e := treeEntry{name: dir, st: st, hasStat: err == nil, mode: st.Mode}
	t.dirs++
	if err != nil {
		e.mode = 0
		t.dirs--
		t.line("", &e, dir)
		t.p.Stdout.WriteString("  [error opening dir]\n")
		t.status = 2
		return 0
	}
	t.dev = st.Dev
	if !st.Mode.IsDir() {
		t.dirs--
		t.line("", &e, dir)
		t.p.Stdout.WriteString("  [error opening dir]\n")
		t.status = 2
		return 0
	}
	if t.du || t.prune {
		t.load(&e, dir, 1, true)
		if t.du {
			e.st.Size = e.size
		}
	}
	t.line("", &e, dir)
	if t.du || t.prune {
		t.p.Stdout.WriteString(e.note)
		t.p.Stdout.WriteByte('\n')
	} else {
		t.load(&e, dir, 1, false)
		t.p.Stdout.WriteString(e.note)
		t.p.Stdout.WriteByte('\n')
	}
	t.show(&e, dir, nil, 1)
	return e.size
}

func (t *treer) match(patterns []string, name string) bool {
	for _, pat := range patterns {
		for {
			i := 0
			for i < len(pat) && pat[i] != '|' {
				i++
			}
			if fnmatch.Match(pat[:i], name, t.fold) {
				return true
			}
			if i == len(pat) {
				break
			}
			pat = pat[i+1:]
		}
	}
	return false
}

// load reads the entries of a directory, and with deep those of all below it.
func (t *treer) load(e *treeEntry, path string, level int, deep bool) {
	e.loaded = true
	fd, err := wsys.Open(cwd, path, abi.ORdonly|abi.ODirectory|abi.OCloexec, 0)
	if err != nil {
		e.note = "  [error opening dir]"
		t.status = 2
		return
	}
	needStat := t.perms || t.user || t.group || t.size || t.date || t.classify || t.color != nil || t.oneDev || t.sort == 't' || t.sort == 'c' || t.sort == 's'
	cookie := uint64(0)
	n := 0
	for {
		t.dirents, err = wsys.ReadDir(fd, t.dirents[:0], cookie, needStat)
		if err != nil || len(t.dirents) == 0 {
			break
		}
		cookie = t.dirents[len(t.dirents)-1].Cookie
		for i := range t.dirents {
			d := &t.dirents[i]
			if d.Name == "." || d.Name == ".." || !t.all && d.Name[0] == '.' {
				continue
			}
			c := treeEntry{name: d.Name, mode: d.Mode, st: d.Stat, hasStat: d.StatOK}
			c.st.Ino = d.Ino
			if c.mode&abi.ModeFmt == 0 {
				if c.st, err = wsys.StatAt(fd, d.Name, false); err != nil {
					continue
				}
				c.hasStat, c.mode = true, c.st.Mode
			}
			if c.mode.IsSymlink() {
				c.link, _ = wsys.Readlink(fd, d.Name)
				if st, err := wsys.StatAt(fd, d.Name, true); err == nil {
					c.target = st.Mode
				}
			}
			isDir := c.mode.IsDir() || c.target.IsDir() && (t.follow || t.dirsOnly)
			if t.match(t.exclude, c.name) || t.dirsOnly && !isDir {
				continue
			}
			if len(t.include) > 0 && (!isDir || c.mode.IsSymlink() && !t.follow) && !t.match(t.include, c.name) {
				continue
			}
			n++
			e.children = append(e.children, c)
		}
	}
	wsys.Close(fd)
	if t.fileLimit > 0 && n > t.fileLimit {
		e.note = "  [" + strconv.Itoa(n) + " entries exceeds filelimit, not opening dir]"
		e.children = nil
		return
	}
	t.order(e.children)
	if !deep {
		return
	}
	e.size = e.st.Size
	kept := e.children[:0]
	for i := range e.children {
		c := &e.children[i]
		c.size = c.st.Size
		if t.enters(c, level) {
			t.load(c, joinPath(path, c.name), level+1, true)
			c.st.Size = c.size
			if t.prune && len(c.children) == 0 && c.note == "" && !(t.matchDirs && t.match(t.include, c.name)) {
				continue
			}
		}
		e.size += c.size
		kept = append(kept, *c)
	}
	e.children = kept
}

// enters reports whether the tree goes on below c, which is at level.
func (t *treer) enters(c *treeEntry, level int) bool {
	if t.depth > 0 && level >= t.depth {
		return false
	}
	if c.mode.IsDir() {
		return !t.oneDev || !c.hasStat || c.st.Dev == t.dev
	}
	return t.follow && c.target.IsDir()
}

func (t *treer) order(l []treeEntry) {
	if t.sort == 'U' && !t.dirsFirst {
		return
	}
	slices.SortStableFunc(l, func(a, b treeEntry) int {
		if t.dirsFirst {
			if x, y := a.mode.IsDir(), b.mode.IsDir(); x != y {
				if x {
					return -1
				}
				return 1
			}
		}
		c := 0
		switch t.sort {
		case 't':
			c = compareInts(a.st.Mtim, b.st.Mtim)
		case 'c':
			c = compareInts(a.st.Ctim, b.st.Ctim)
		case 's':
			c = compareInts(b.st.Size, a.st.Size)
		case 'v':
			c = compareVersions(a.name, b.name)
		case 'U':
			return 0
		}
		if c == 0 {
			c = compareStrings(a.name, b.name)
		}
		if t.reverse {
			c = -c
		}
		return c
	})
}

// show prints what is in a directory. last says for each level above whether it
// is at its last entry.
func (t *treer) show(e *treeEntry, path string, last []bool, level int) {
	o := t.p.Stdout
	for i := range e.children {
		if t.p.WriteFailed() {
			return
		}
		c := &e.children[i]
		isLast := i == len(e.children)-1
		full := joinPath(path, c.name)
		if !t.noLines {
			for _, l := range last {
				switch {
				case l:
					o.WriteString("    ")
				case t.ascii:
					o.WriteString("|   ")
				default:
					o.WriteString("│\u00a0\u00a0 ")
				}
			}
			switch {
			case isLast && t.ascii:
				o.WriteString("`-- ")
			case isLast:
				o.WriteString("└── ")
			case t.ascii:
				o.WriteString("|-- ")
			default:
				o.WriteString("├── ")
			}
		}
		t.line("", c, full)
		enters := t.enters(c, level)
		if c.mode.IsDir() || c.mode.IsSymlink() && c.target.IsDir() {
			t.dirs++
		} else {
			t.files++
		}
		var id [2]uint64
		if enters && c.mode.IsSymlink() {
			if st, err := wsys.StatAt(cwd, full, true); err == nil {
				id = [2]uint64{st.Dev, st.Ino}
				if slices.Contains(t.active, id) || t.above(path, id) {
					o.WriteString("  [recursive, not followed]")
					enters = false
				}
			}
		}
		if enters && !c.loaded {
			t.load(c, full, level+1, false)
		}
		o.WriteString(c.note)
		o.WriteByte('\n')
		if enters {
			t.active = append(t.active, id)
			t.show(c, full, append(last, isLast), level+1)
			t.active = t.active[:len(t.active)-1]
		}
		c.children = nil
	}
}

// above reports whether the directory of that identity is path or above it.
func (t *treer) above(path string, id [2]uint64) bool {
	for range 256 {
		st, err := wsys.StatAt(cwd, path, true)
		if err != nil {
			return true
		}
		if st.Dev == id[0] && st.Ino == id[1] {
			return true
		}
		up := path + "/.."
		pst, err := wsys.StatAt(cwd, up, true)
		if err != nil || pst.Dev == st.Dev && pst.Ino == st.Ino {
			return false
		}
		path = up
	}
	return true
}

// line prints an entry without its newline.
func (t *treer) line(indent string, e *treeEntry, path string) {
	o := t.p.Stdout
	o.WriteString(indent)
	var info []string
	if t.inode {
		info = append(info, pad(itoa(e.st.Ino), 7))
	}
	if t.perms {
		info = append(info, filemode.String(e.mode))
	}
	if t.user {
		info = append(info, padRight(t.names.User(e.st.UID), 8))
	}
	if t.group {
		info = append(info, padRight(t.names.Group(e.st.GID), 8))
	}
	if t.size {
		if t.human {
			info = append(info, pad(string(cmdkit.AppendHuman(nil, uint64(max(e.st.Size, 0)), 1, t.si, cmdkit.Nearest)), 4))
		} else {
			info = append(info, pad(strconv.FormatInt(e.st.Size, 10), 11))
		}
	}
	if t.date {
		sec, nsec := splitTime(e.st.Mtim)
		c := datetime.In(sec, t.zone)
		f := t.timefmt
		if f == "" {
			f = "%b %e %H:%M"
			if e.st.Mtim > t.now || e.st.Mtim < t.now-halfYear {
				f = "%b %e  %Y"
			}
		}
		info = append(info, string(datetime.AppendFormat(nil, f, &c, sec, nsec)))
	}
	if len(info) > 0 {
		o.WriteByte('[')
		for i, s := range info {
			if i > 0 {
				o.WriteByte(' ')
			}
			o.WriteString(s)
		}
		o.WriteString("]  ")
	}
	name := e.name
	if t.fullPath {
		name = path
	}
	t.name(name, e.name, e.mode, e.st.Nlink, e.mode.IsSymlink() && e.target == 0)
	if t.classify {
		m := e.mode
		if m.IsSymlink() {
			m = 0
		}
		t.mark(m)
	}
	if e.mode.IsSymlink() {
		o.WriteString(" -> ")
		t.name(e.link, e.link, e.target, 1, false)
		if t.classify {
			t.mark(e.target)
		}
	}
}

func (t *treer) mark(m abi.Mode) {
	l := lister{indicate: indicateClassify}
	if c := l.mark(m); c != 0 {
		t.p.Stdout.WriteByte(c)
	}
}

func (t *treer) name(s, base string, mode abi.Mode, nlink uint32, orphan bool) {
	switch {
	case t.quote:
		s = string(cmdkit.AppendCQuoted(nil, s))
	case t.quest:
		s = questionMarks(s)
	default:
		s, _, _ = quoteName(s, quoteTree, false)
	}
	if t.color != nil {
		t.color.put(t.p.Stdout, t.color.of(base, mode, nlink, orphan, false), s)
		return
	}
	t.p.Stdout.WriteString(s)
}

func pad(s string, n int) string {
	for len(s) < n {
		s = " " + s
	}
	return s
}

func padRight(s string, n int) string {
	for len(s) < n {
		s += " "
	}
	return s
}
