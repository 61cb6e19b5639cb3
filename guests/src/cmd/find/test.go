// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package find

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/filemode"
	"github.com/wsandbox/wsandbox/guests/src/fnmatch"
	"github.com/wsandbox/wsandbox/guests/src/fswalk"
	"github.com/wsandbox/wsandbox/guests/src/mounts"
	"github.com/wsandbox/wsandbox/guests/src/posixre"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

const (
	minute = int64(60e9)
	day    = int64(86400e9)
)

// comparison is the N, +N or -N of many tests.
type comparison struct {
	op byte // '+', '-' or '='
	n  uint64
}

func (c comparison) holds(v uint64) bool {
	switch c.op {
	case '+':
		return v > c.n
	case '-':
		return v < c.n
	}
	return v == c.n
}

// parseComparison parses [+-]N. It reports false for anything else.
func parseComparison(s string) (comparison, bool) {
	c := comparison{op: '='}
	if s != "" && (s[0] == '+' || s[0] == '-') {
		c.op, s = s[0], s[1:]
	}
	if s == "" || s[0] < '0' || s[0] > '9' {
		return c, false
	}
	var e cmdkit.NumError
	c.n, e = cmdkit.ParseUint(s, "")
	return c, e == cmdkit.NumOK
}

func (p *parser) invalid(a, name string) pred {
	return p.fail("invalid argument ", old(a), " to ", old(name))
}

// number makes a test that compares what value returns.
func (p *parser) number(name, a string, value func(st *abi.Stat) uint64) pred {
	c, ok := parseComparison(a)
	if !ok {
		return p.invalid(a, name)
	}
	p.needStat()
	return func(f *finder, e *fswalk.Entry) bool {
		st, ok := f.stat(e)
		return ok && c.holds(value(&st))
	}
}

// time makes a test of an age in units.
func (p *parser) time(name, a string, unit int64, value func(st *abi.Stat) int64) pred {
	op := byte('=')
	s := a
	if s != "" && (s[0] == '+' || s[0] == '-') {
		op, s = s[0], s[1:]
	}
	n, ok := parseFraction(s, unit)
	if !ok {
		return p.invalid(a, name)
	}
	origin := p.f.dayStart
	if unit == minute {
		origin += day
	} else if op == '-' {
		origin += day - 1e9
	}
	t := origin - n
	p.needStat()
	return func(f *finder, e *fswalk.Entry) bool {
		st, ok := f.stat(e)
		if !ok {
			return false
		}
		v := value(&st)
		switch op {
		case '+':
			return v < t
		case '-':
			return v > t
		}
		return v > t && v-t <= unit
	}
}

// parseFraction parses a decimal fraction of a unit.
func parseFraction(s string, unit int64) (int64, bool) {
	v, i, digits := int64(0), 0, false
	const most = int64(1) << 60
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		if v = v*10 + int64(s[i]-'0'); v > most/unit {
			v = most / unit
		}
		digits = true
	}
	v *= unit
	if i < len(s) && s[i] == '.' {
		for i++; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
			unit /= 10
			v += unit * int64(s[i]-'0')
			digits = true
		}
	}
	return v, digits && i == len(s)
}

func stampOf(st *abi.Stat, which byte) int64 {
	switch which {
	case 'a':
		return st.Atim
	case 'c':
		return st.Ctim
	}
	return st.Mtim
}

// newer makes a test against the time of a file, or a date.
func (p *parser) newer(name, ref string, x, y byte) pred {
	f := p.f
	p.needStat()
	var t int64
	if y == 't' {
		sec, nsec, ok := datetime.Parse(ref, floorSec(f.now), int(f.now-floorSec(f.now)*1e9), f.loadZone())
		if !ok || sec > 9223372036 || sec < -9223372036 {
			return p.fail("I cannot figure out how to interpret ", cmdkit.Quote(ref), " as a date or time")
		}
		t = sec*1e9 + int64(nsec)
	} else {
		st, err := wsys.StatAt(cwd, ref, f.walk.Follow != fswalk.FollowNone)
		if err != nil && f.walk.Follow != fswalk.FollowNone {
			st, err = wsys.StatAt(cwd, ref, false)
		}
		if err != nil {
			p.failed = true
			f.fail(err, ref)
			return nil
		}
		t = stampOf(&st, y)
	}
	return func(f *finder, e *fswalk.Entry) bool {
		st, ok := f.stat(e)
		return ok && stampOf(&st, x) > t
	}
}

func matcher(pattern string, fold bool, subject func(f *finder, e *fswalk.Entry) string) pred {
	fl := fnmatch.Flags(0)
	if fold {
		fl = fnmatch.Casefold
	}
	return func(f *finder, e *fswalk.Entry) bool { return fnmatch.Match(pattern, subject(f, e), fl) }
}

// test makes a test with its argument.
func (p *parser) test(name string) pred {
	f := p.f
	switch name {
	case "-empty":
		p.needStat()
		return (*finder).isEmpty
	case "-executable", "-readable", "-writable":
		mode := map1(name)
		return func(f *finder, e *fswalk.Entry) bool { return wsys.Access(e.Dir, e.Name, mode) == nil }
	case "-nouser":
		return func(f *finder, e *fswalk.Entry) bool {
			st, ok := f.stat(e)
			if !ok {
				return false
			}
			_, known := cmdkit.UserByID(st.UID)
			return !known
		}
	case "-nogroup":
		return func(f *finder, e *fswalk.Entry) bool {
			st, ok := f.stat(e)
			if !ok {
				return false
			}
			_, known := cmdkit.GroupByID(st.GID)
			return !known
		}
	}
	known := false
	for _, n := range withArgument {
		known = known || n == name
	}
	newerXY := len(name) == 8 && name[:6] == "-newer" && within("aBcm", name[6]) && within("aBcmt", name[7])
	if !known && !newerXY && len(name) == 8 && name[:6] == "-newer" {
		return p.fail("invalid predicate ", old(name))
	}
	if !known && !newerXY {
		return p.fail("unknown predicate ", old(name))
	}
	a, ok := p.arg(name)
	if !ok {
		return nil
	}
	if newerXY {
		if name[6] == 'B' || name[7] == 'B' {
			return p.fail("This system does not provide a way to find the birth time of a file.")
		}
		return p.newer(name, a, name[6], name[7])
	}
	switch name {
	case "-user", "-group":
		p.needStat()
	case "-name", "-iname", "-path", "-wholename", "-ipath", "-iwholename", "-lname", "-ilname", "-regex", "-iregex", "-inum", "-samefile":
		defer func() { p.selective = true }()
	}
	switch name {
	case "-name", "-iname":
		return matcher(a, name == "-iname", func(_ *finder, e *fswalk.Entry) string { return e.Base() })
	case "-path", "-wholename", "-ipath", "-iwholename":
		return matcher(a, name[1] == 'i', func(f *finder, e *fswalk.Entry) string { return string(f.pathOf(e)) })
	case "-lname", "-ilname":
		fold := name == "-ilname"
		m := matcher(a, fold, func(_ *finder, e *fswalk.Entry) string {
			s, _ := wsys.Readlink(e.Dir, e.Name)
			return s
		})
		return func(f *finder, e *fswalk.Entry) bool { return e.Mode.IsSymlink() && m(f, e) }
	case "-regex", "-iregex":
		return p.regex(a, name == "-iregex")
	case "-type", "-xtype":
		return p.fileType(a, name)
	case "-size":
		return p.size(a)
	case "-perm":
		return p.perm(a)
	case "-links":
		return p.number(name, a, func(st *abi.Stat) uint64 { return uint64(st.Nlink) })
	case "-inum":
		c, ok := parseComparison(a)
		if !ok {
			return p.invalid(a, name)
		}
		return func(f *finder, e *fswalk.Entry) bool {
			// What a directory says of a mount point is not its inode.
			if e.Mode.IsDir() {
				if _, ok := f.stat(e); !ok {
					return false
				}
			}
			return c.holds(e.Ino)
		}
	case "-uid":
		return p.number(name, a, func(st *abi.Stat) uint64 { return uint64(st.UID) })
	case "-gid":
		return p.number(name, a, func(st *abi.Stat) uint64 { return uint64(st.GID) })
	case "-user":
		id := uint64(0)
		if u, found := cmdkit.UserByName(a); found {
			id = uint64(u.UID)
		} else {
			v, e := cmdkit.ParseUint(a, "")
			if e != cmdkit.NumOK {
				return p.fail(cmdkit.Quote(a), " is not the name of a known user")
			}
			id = v
		}
		return func(f *finder, e *fswalk.Entry) bool {
			st, ok := f.stat(e)
			return ok && uint64(st.UID) == id
		}
	case "-group":
		id := uint64(0)
		if g, found := cmdkit.GroupByName(a); found {
			id = uint64(g.GID)
		} else {
			v, e := cmdkit.ParseUint(a, "")
			if e != cmdkit.NumOK {
				return p.fail(cmdkit.Quote(a), " is not the name of an existing group")
			}
			id = v
		}
		return func(f *finder, e *fswalk.Entry) bool {
			st, ok := f.stat(e)
			return ok && uint64(st.GID) == id
		}
	case "-mtime", "-atime", "-ctime":
		return p.time(name, a, day, func(st *abi.Stat) int64 { return stampOf(st, name[1]) })
	case "-mmin", "-amin", "-cmin":
		return p.time(name, a, minute, func(st *abi.Stat) int64 { return stampOf(st, name[1]) })
	case "-newer":
		return p.newer(name, a, 'm', 'm')
	case "-anewer":
		return p.newer(name, a, 'a', 'm')
	case "-cnewer":
		return p.newer(name, a, 'c', 'm')
	case "-used":
		c, ok := parseComparison(a)
		if !ok {
			return p.invalid(a, name)
		}
		return func(f *finder, e *fswalk.Entry) bool {
			st, ok := f.stat(e)
			if !ok || st.Atim < st.Ctim {
				return false
			}
			d, n := st.Atim-st.Ctim, int64(min(c.n, 1<<16))*day
			switch c.op {
			case '+':
				return d > n
			case '-':
				return d < n
			}
			return d > n && d <= n+day
		}
	case "-samefile":
		st, err := wsys.StatAt(cwd, a, f.walk.Follow != fswalk.FollowNone)
		if err != nil {
			p.failed = true
			f.fail(err, a)
			return nil
		}
		return func(f *finder, e *fswalk.Entry) bool {
			if e.Ino != st.Ino && !e.Mode.IsDir() && !e.Mode.IsSymlink() {
				return false
			}
			s, ok := f.stat(e)
			return ok && s.Dev == st.Dev && s.Ino == st.Ino
		}
	case "-fstype":
		if f.mounts == nil {
			l, err := mounts.List()
			if err != nil {
				return p.fail("Cannot read mounted file system list: ", cmdkit.Strerror(err))
			}
			f.mounts = l
		}
		return func(f *finder, e *fswalk.Entry) bool {
			path, err := cmdkit.Canonical(string(f.pathOf(e)), cmdkit.LastMissing)
			if err != nil {
				return a == "unknown"
			}
			m, ok := mounts.Of(f.mounts, path)
			return ok && m.Type == a
		}
	}
	return p.fail("unknown predicate ", old(name))
}

var withArgument = [...]string{"-name", "-iname", "-path", "-wholename", "-ipath", "-iwholename", "-lname", "-ilname", "-regex", "-iregex",
	"-type", "-xtype", "-size", "-perm", "-links", "-inum", "-uid", "-gid", "-user", "-group", "-mtime", "-atime", "-ctime", "-mmin",
	"-amin", "-cmin", "-newer", "-anewer", "-cnewer", "-used", "-samefile", "-fstype"}

func within(s string, c byte) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return true
		}
	}
	return false
}

func map1(name string) uint32 {
	switch name {
	case "-readable":
		return abi.AccessRead
	case "-writable":
		return abi.AccessWrite
	}
	return abi.AccessExec
}

func (f *finder) isEmpty(e *fswalk.Entry) bool {
	switch {
	case e.Mode.IsRegular():
		st, ok := f.stat(e)
		return ok && st.Size == 0
	case e.Mode.IsDir():
		fd, err := wsys.Open(e.Dir, e.Name, abi.ORdonly|abi.ODirectory|abi.OCloexec, 0)
		if err != nil {
			f.fail(err, e.Path())
			return false
		}
		defer wsys.Close(fd)
		cookie := uint64(0)
		for {
			l, err := wsys.ReadDir(fd, nil, cookie, false)
			if err != nil {
				f.fail(err, e.Path())
				return false
			}
			if len(l) == 0 {
				return true
			}
			for i := range l {
				if l[i].Name != "." && l[i].Name != ".." {
					return false
				}
			}
			cookie = l[len(l)-1].Cookie
		}
	}
	return false
}

func (p *parser) regex(a string, fold bool) pred {
	flags, emacs, _ := regexFlags(p.regextype)
	if fold {
		flags |= posixre.ICase
	}
	src := a
	if emacs {
		src = fromEmacs(a)
	}
	re, err := posixre.Compile(src, flags)
	if err != nil {
		return p.fail("failed to compile regular expression '", a, "': ", err.Error())
	}
	loc := make([]int, 2)
	return func(f *finder, e *fswalk.Entry) bool {
		path := f.pathOf(e)
		ok, err := re.Find(path, 0, 0, loc)
		if err != nil {
			f.status = f.p.Warn("error matching regular expression: ", err.Error())
			f.quit = true
			return false
		}
		return ok && loc[0] == 0 && loc[1] == len(path)
	}
}

func (p *parser) fileType(a, name string) pred {
	if a == "" {
		return p.fail("Arguments to ", name, " should contain at least one letter")
	}
	var want [16]bool
	for i := 0; i < len(a); i++ {
		m := abi.Mode(0)
		switch a[i] {
		case 'b':
			m = abi.ModeBlock
		case 'c':
			m = abi.ModeChar
		case 'd':
			m = abi.ModeDir
		case 'f':
			m = abi.ModeRegular
		case 'l':
			m = abi.ModeSymlink
		case 'p':
			m = abi.ModeFIFO
		case 's':
			m = abi.ModeSocket
		case 'D':
			return p.fail(name, " D is not supported because Solaris doors are not supported on the platform find was compiled on.")
		default:
			return p.fail("Unknown argument to ", name, ": ", string(a[i]))
		}
		want[m>>12&15] = true
		if i++; i < len(a) && a[i] != ',' {
			return p.fail("Must separate multiple arguments to ", name, " using: ','")
		}
		if i == len(a)-1 {
			return p.fail("Last file type in list argument to ", name, " is missing, i.e., list is ending on: ','")
		}
	}
	if name == "-type" {
		return func(_ *finder, e *fswalk.Entry) bool { return want[e.Mode>>12&15] }
	}
	return func(f *finder, e *fswalk.Entry) bool {
		// The other way round than -type: what a link leads to, or with -L the
		// link itself.
		follow := f.walk.Follow != fswalk.FollowAll
		st, err := wsys.StatAt(e.Dir, e.Name, follow)
		if err != nil && follow {
			st, err = wsys.StatAt(e.Dir, e.Name, false)
		}
		if err != nil {
			f.fail(err, e.Path())
			return false
		}
		return want[st.Mode>>12&15]
	}
}

func (p *parser) size(a string) pred {
	s := a
	if s == "" {
		return p.fail("invalid null argument to -size")
	}
	unit := uint64(512)
	switch c := s[len(s)-1]; c {
	case 'b':
		s = s[:len(s)-1]
	case 'c':
		unit, s = 1, s[:len(s)-1]
	case 'w':
		unit, s = 2, s[:len(s)-1]
	case 'k':
		unit, s = 1<<10, s[:len(s)-1]
	case 'M':
		unit, s = 1<<20, s[:len(s)-1]
	case 'G':
		unit, s = 1<<30, s[:len(s)-1]
	default:
		if c < '0' || c > '9' {
			return p.fail("invalid -size type ", old(string(c)))
		}
	}
	c, ok := parseComparison(s)
	if !ok {
		return p.fail("Invalid argument ", old(a), " to -size")
	}
	p.needStat()
	return func(f *finder, e *fswalk.Entry) bool {
		st, ok := f.stat(e)
		if !ok {
			return false
		}
		n := uint64(st.Size) / unit
		if uint64(st.Size)%unit != 0 {
			n++
		}
		return c.holds(n)
	}
}

func (p *parser) perm(a string) pred {
	s := a
	kind := byte(0)
	if s != "" && (s[0] == '-' || s[0] == '/') {
		kind, s = s[0], s[1:]
	}
	c, ok := filemode.Parse(s)
	if !ok && kind == '-' {
		// "-u+x" is no prefix but an operator.
		c, ok = filemode.Parse(a)
		kind = 0
	}
	if !ok {
		return p.fail("invalid mode ", cmdkit.Quote(a))
	}
	if kind == '/' && s != "" && c.Adjust(0, false, 0) == 0 {
		p.f.p.Warn("warning: you have specified a mode pattern ", a, " (which is equivalent to /000). The meaning of -perm /000 has now been changed to be consistent with -perm -000; that is, while it used to match no files, it now matches all files.")
	}
	p.needStat()
	file, dir := c.Adjust(0, false, 0), c.Adjust(0, true, 0)
	return func(f *finder, e *fswalk.Entry) bool {
		st, ok := f.stat(e)
		if !ok {
			return false
		}
		want := file
		if st.Mode.IsDir() {
			want = dir
		}
		have := st.Mode & abi.ModeAll
		switch kind {
		case '-':
			return have&want == want
		case '/':
			return want == 0 || have&want != 0
		}
		return have == want
	}
}
