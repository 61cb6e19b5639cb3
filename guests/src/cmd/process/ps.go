// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package process

import (
	"slices"
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var psSyntax = cmdkit.Syntax{
	Short: "AaC:defFhlNo:p:q:r:s:t:u:U:g:G:wxjHk:",
	Long: []cmdkit.Long{{Name: "format", Arg: cmdkit.RequiredArg, Val: 'o'}, {Name: "pid", Arg: cmdkit.RequiredArg, Val: 'p'},
		{Name: "ppid", Arg: cmdkit.RequiredArg, Val: 256}, {Name: "no-headers", Val: 'h'}, {Name: "no-heading", Val: 'h'},
		{Name: "headers", Val: 257}, {Name: "sort", Arg: cmdkit.RequiredArg, Val: 'k'}, {Name: "user", Arg: cmdkit.RequiredArg, Val: 'u'},
		{Name: "cols", Arg: cmdkit.RequiredArg, Val: 258}, {Name: "columns", Arg: cmdkit.RequiredArg, Val: 258}, {Name: "width", Arg: cmdkit.RequiredArg, Val: 258},
		{Name: "forest", Val: 'H'}, {Name: "deselect", Val: 'N'}},
	Usage: []string{"[OPTION]..."},
	Help: `Show the processes of the sandbox: those of the terminal, unless told otherwise.

  -A, -e, ax        every process; -a those with a terminal
  -C NAME, -p PID, --ppid PID, -u USER, -s SESSION, -g GROUP  only these
  -N, --deselect    all but these
  -f, -F, -l, -j    more columns; u, aux: the columns of BSD
  -o, --format LIST the columns: pid ppid pgid sid user uid group gid stat s comm
                    args cmd command time cputime etime etimes start stime tty pcpu
                    pmem vsz rss nice ni pri, each with =HEADING
  -h, --no-headers  without headings
  --sort, k LIST    order by columns, with - in front from the highest
  -w                wide lines; lines are cut at the width of a terminal only
`,
}

// psProc is a process as /proc tells of it.
type psProc struct {
	pid, ppid, pgrp, sid int64
	uid, gid             uint32
	state                byte
	comm, args           string
	tty                  int64
	utime, stime         int64 // ticks of 10 ms
	start                int64 // ticks since the boot
	vsz, rss             int64 // bytes, pages
	nice, priority       int64
	leader               bool
}

type psColumn struct {
	name, head string
	right      bool
	width      int
	value      func(s *pser, p *psProc) string
}

type pser struct {
	p      *cmdkit.Proc
	names  cmdkit.Names
	now    int64
	boot   int64 // seconds since the Unix epoch
	uptime int64 // ticks
	zone   *datetime.Zone
	mem    int64
}

const ticks = 100

func num(v int64) string { return strconv.FormatInt(v, 10) }

func two(v int64) string {
	if v < 10 {
		return "0" + num(v)
	}
	return num(v)
}

// clockText prints seconds as [DD-]HH:MM:SS; short leaves out empty hours.
func clockText(s int64, short bool) string {
	d, h, m := s/86400, s/3600%24, s/60%60
	t := two(m) + ":" + two(s%60)
	if !short || h > 0 || d > 0 {
		t = two(h) + ":" + t
	}
	if d > 0 {
		t = num(d) + "-" + t
	}
	return t
}

func (s *pser) age(p *psProc) int64 { return max(s.uptime-p.start, 0) / ticks }

func (s *pser) started(p *psProc, recent, old string) string {
	t := s.boot + p.start/ticks
	c := datetime.In(t, s.zone)
	f := recent
	if n := datetime.In(s.now, s.zone); n.Yearday != c.Yearday || n.Year != c.Year {
		f = old
	}
	return string(datetime.AppendFormat(nil, f, &c, t, 0))
}

func (s *pser) cpu(p *psProc) string {
	age := s.uptime - p.start
	v := int64(0)
	if age > 0 {
		v = (p.utime + p.stime) * 1000 / age
	}
	return num(v/10) + "." + num(v%10)
}

func (s *pser) stat(p *psProc) string {
	st := string(p.state)
	if p.sid == p.pid {
		st += "s"
	}
	return st
}

func (s *pser) ttyName(p *psProc) string {
	if p.tty == 0 {
		return "?"
	}
	if p.tty>>8&0xfff == 136 {
		return "pts/" + num(p.tty&0xff)
	}
	return "tty" + num(p.tty&0xff)
}

var psColumns = []psColumn{
	{"pid", "PID", true, 5, func(_ *pser, p *psProc) string { return num(p.pid) }},
	{"ppid", "PPID", true, 5, func(_ *pser, p *psProc) string { return num(p.ppid) }},
	{"pgid", "PGID", true, 5, func(_ *pser, p *psProc) string { return num(p.pgrp) }},
	{"sid", "SID", true, 5, func(_ *pser, p *psProc) string { return num(p.sid) }},
	{"uid", "UID", true, 5, func(_ *pser, p *psProc) string { return num(int64(p.uid)) }},
	{"gid", "GID", true, 5, func(_ *pser, p *psProc) string { return num(int64(p.gid)) }},
	{"user", "USER", false, 8, func(s *pser, p *psProc) string { return s.names.User(p.uid) }},
	{"group", "GROUP", false, 8, func(s *pser, p *psProc) string { return s.names.Group(p.gid) }},
	{"stat", "STAT", false, 4, (*pser).stat},
	{"s", "S", false, 1, func(_ *pser, p *psProc) string { return string(p.state) }},
	{"comm", "COMMAND", false, 15, func(_ *pser, p *psProc) string { return p.comm }},
	{"args", "COMMAND", false, 27, func(_ *pser, p *psProc) string { return p.args }},
	{"cmd", "CMD", false, 27, func(_ *pser, p *psProc) string { return p.args }},
	{"ucmd", "CMD", false, 15, func(_ *pser, p *psProc) string { return p.comm }},
	{"time", "TIME", true, 8, func(_ *pser, p *psProc) string { return clockText((p.utime+p.stime)/ticks, false) }},
	{"bsdtime", "TIME", true, 6, func(_ *pser, p *psProc) string {
		t := (p.utime + p.stime) / ticks
		return num(t/60) + ":" + two(t%60)
	}},
	{"etime", "ELAPSED", true, 11, func(s *pser, p *psProc) string { return clockText(s.age(p), true) }},
	{"etimes", "ELAPSED", true, 7, func(s *pser, p *psProc) string { return num(s.age(p)) }},
	{"stime", "STIME", false, 5, func(s *pser, p *psProc) string { return s.started(p, "%H:%M", "%b%d") }},
	{"start", "STARTED", true, 8, func(s *pser, p *psProc) string { return s.started(p, "%H:%M:%S", "%b %d") }},
	{"bsdstart", "START", true, 6, func(s *pser, p *psProc) string { return s.started(p, "%H:%M", "%b %d") }},
	{"lstart", "STARTED", true, 24, func(s *pser, p *psProc) string {
		return s.started(p, "%a %b %e %H:%M:%S %Y", "%a %b %e %H:%M:%S %Y")
	}},
	{"tty", "TTY", false, 8, (*pser).ttyName},
	{"tt", "TT", false, 8, (*pser).ttyName},
	{"pcpu", "%CPU", true, 4, (*pser).cpu},
	{"c", "C", true, 2, func(s *pser, p *psProc) string {
		v := s.cpu(p)
		return v[:len(v)-2]
	}},
	{"pmem", "%MEM", true, 4, func(s *pser, p *psProc) string {
		v := int64(0)
		if s.mem > 0 {
			v = p.rss * 4 * 1000 / s.mem
		}
		return num(v/10) + "." + num(v%10)
	}},
	{"vsz", "VSZ", true, 6, func(_ *pser, p *psProc) string { return num(p.vsz / 1024) }},
	{"rss", "RSS", true, 5, func(_ *pser, p *psProc) string { return num(p.rss * 4) }},
	{"sz", "SZ", true, 5, func(_ *pser, p *psProc) string { return num(p.vsz / 4096) }},
	{"ni", "NI", true, 3, func(_ *pser, p *psProc) string { return num(p.nice) }},
	{"pri", "PRI", true, 3, func(_ *pser, p *psProc) string { return num(100 - p.priority) }},
	{"f", "F", true, 1, func(*pser, *psProc) string { return "0" }},
	{"addr", "ADDR", true, 4, func(*pser, *psProc) string { return "-" }},
	{"wchan", "WCHAN", false, 6, func(*pser, *psProc) string { return "-" }},
}

var psAliases = [...][2]string{{"pgrp", "pgid"}, {"sess", "sid"}, {"session", "sid"}, {"euser", "user"}, {"ruser", "user"}, {"uname", "user"},
	{"euid", "uid"}, {"ruid", "uid"}, {"egid", "gid"}, {"rgid", "gid"}, {"egroup", "group"}, {"rgroup", "group"}, {"state", "s"},
	{"ucomm", "comm"}, {"command", "args"}, {"cputime", "time"}, {"start_time", "stime"}, {"tname", "tty"}, {"%cpu", "pcpu"}, {"%mem", "pmem"},
	{"vsize", "vsz"}, {"rssize", "rss"}, {"rsz", "rss"}, {"nice", "ni"}, {"flag", "f"}, {"flags", "f"}}

func findColumn(name string) (psColumn, bool) {
	for _, a := range psAliases {
		if a[0] == name {
			name = a[1]
		}
	}
	for _, c := range psColumns {
		if c.name == name {
			return c, true
		}
	}
	return psColumn{}, false
}

// psFilter selects processes.
type psFilter struct {
	all, bsdAll, withTTY, noTTY, invert bool
	pids, ppids, sids, pgrps            []int64
	uids                                []uint32
	names                               []string
}

func (f *psFilter) selects() bool {
	return len(f.pids)+len(f.ppids)+len(f.sids)+len(f.pgrps)+len(f.uids)+len(f.names) > 0
}

func (f *psFilter) match(p *psProc, self *psProc) bool {
	switch {
	case f.all:
		return true
	case f.selects():
		return slices.Contains(f.pids, p.pid) || slices.Contains(f.ppids, p.ppid) || slices.Contains(f.sids, p.sid) ||
			slices.Contains(f.pgrps, p.pgrp) || slices.Contains(f.uids, p.uid) || slices.Contains(f.names, p.comm)
	case f.withTTY && f.noTTY:
		return true
	case f.withTTY:
		return p.tty != 0
	}
	return p.uid == self.uid && (p.tty == self.tty && self.tty != 0 || p.sid == self.sid)
}

// Ps shows processes.
func Ps(p *cmdkit.Proc) int {
	s := &pser{p: p, now: wsys.Now() / 1e9}
	var f psFilter
	var cols []psColumn
	style := ""
	heading := true
	var order []string
	args := p.Args
	number := func(list string, to *[]int64) bool {
		for _, w := range words(list) {
			v, ok := cmdkit.ParseInt(w)
			if !ok {
				p.Stderr.WriteString("error: process ID list syntax error\n\n")
				return false
			}
			*to = append(*to, v)
		}
		return true
	}
	// Options without a dash, as BSD has them.
	var rest []string
	for i, a := range args {
		if a == "" || a[0] == '-' {
			rest = append(rest, a)
			continue
		}
		if i > 0 && takesArgument(args[i-1]) {
			rest = append(rest, a)
			continue
		}
		if digit(a[0]) {
			if !number(a, &f.pids) {
				return 1
			}
			continue
		}
		for k := 0; k < len(a); k++ {
			switch a[k] {
			case 'a':
				f.withTTY = true
			case 'x':
				f.noTTY = true
			case 'u', 'l', 'j', 'v':
				style = "bsd-" + a[k:k+1]
			case 'h':
				heading = false
			case 'w', 'f', 'e', 'c', 'r':
			default:
				return p.UsageError(1, "unsupported option ", cmdkit.Quote(a))
			}
		}
	}
	g := p.OptionsOf(&psSyntax, rest)
	for g.Next() {
		switch g.Opt {
		case 'A', 'e':
			f.all = true
		case 'a', 'd':
			f.withTTY = true
			if g.Opt == 'd' {
				f.noTTY = true
			}
		case 'C':
			f.names = append(f.names, words(g.Arg)...)
		case 'f', 'F':
			style = "f"
		case 'l':
			style = "l"
		case 'j':
			style = "j"
		case 'h':
			heading = false
		case 'N':
			f.invert = true
		case 'o':
			if !s.format(g.Arg, &cols) {
				return 1
			}
		case 'p', 'q':
			if !number(g.Arg, &f.pids) {
				return 1
			}
		case 256:
			if !number(g.Arg, &f.ppids) {
				return 1
			}
		case 's':
			if !number(g.Arg, &f.sids) {
				return 1
			}
		case 'g':
			if !number(g.Arg, &f.pgrps) {
				return 1
			}
		case 'u', 'U':
			for _, w := range words(g.Arg) {
				if u, ok := cmdkit.UserByName(w); ok {
					f.uids = append(f.uids, u.UID)
				} else if v, err := strconv.ParseUint(w, 10, 32); err == nil {
					f.uids = append(f.uids, uint32(v))
				} else {
					p.Stderr.WriteString("error: user name does not exist\n\n")
					return 1
				}
			}
		case 'x':
			f.noTTY = true
		case 'k':
			order = append(order, words(g.Arg)...)
		case 'G', 't', 'r':
			return p.UsageError(1, "unsupported option ", g.Spelling())
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(cols) == 0 {
		list := "pid,tty,time,ucmd"
		switch style {
		case "f":
			list = "user=UID,pid,ppid,c,stime,tty,time,cmd"
		case "l":
			list = "f,s,uid,pid,ppid,c,pri,ni,addr,sz,wchan,tty,time,ucmd"
		case "j":
			list = "pid,pgid,sid,tty,time,ucmd"
		case "bsd-u":
			list = "user,pid,pcpu,pmem,vsz,rss,tty,stat,bsdstart,bsdtime,args"
		case "bsd-l":
			list = "f,uid,pid,ppid,pri,ni,vsz,rss,wchan,stat,tty,bsdtime,args"
		case "bsd-j":
			list = "ppid,pid,pgid,sid,tty,stat,uid,bsdtime,args"
		default:
			if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
				list = "pid,tty,stat,bsdtime,args"
			}
		}
		s.format(list, &cols)
	}
	if tty := wsys.Isatty(p.Stdout.FD); tty || len(cols) > 0 {
		tz, set := p.LookupEnv("TZ")
		s.zone = datetime.Load(tz, set)
	}
	s.load()
	list, err := readProcs()
	if err != nil {
		return p.Errno(err, "cannot read /proc")
	}
	self := &psProc{}
	info, _ := wsys.Info(0)
	for i := range list {
		if list[i].pid == int64(info.PID) {
			self = &list[i]
		}
	}
	var shown []*psProc
	for i := range list {
		if f.match(&list[i], self) != f.invert {
			shown = append(shown, &list[i])
		}
	}
	for i := len(order) - 1; i >= 0; i-- {
		if !s.sort(shown, order[i]) {
			return 1
		}
	}
	s.print(shown, cols, heading)
	if len(shown) == 0 {
		return 1
	}
	return 0
}

// takesArgument reports whether an option is followed by its argument.
func takesArgument(a string) bool {
	if len(a) < 2 || a[0] != '-' {
		return false
	}
	switch a {
	case "--format", "--pid", "--ppid", "--sort", "--user", "--cols", "--columns", "--width":
		return true
	}
	if a[1] == '-' {
		return false
	}
	switch a[len(a)-1] {
	case 'C', 'o', 'p', 'q', 's', 't', 'u', 'U', 'g', 'G', 'k', 'r':
		return true
	}
	return false
}

// words splits at commas and blanks.
func words(s string) []string {
	var l []string
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] != ',' && s[j] != ' ' && s[j] != '\t' && s[j] != '\n' {
			j++
		}
		if j > i {
			l = append(l, s[i:j])
		}
		i = j + 1
	}
	return l
}

// format adds the columns of a list; NAME=HEADING gives a heading, which reaches
// to the end of the list.
func (s *pser) format(list string, cols *[]psColumn) bool {
	for list != "" {
		i := 0
		for i < len(list) && list[i] != ',' && list[i] != ' ' && list[i] != '=' {
			i++
		}
		name, head, hasHead := list[:i], "", false
		if i < len(list) && list[i] == '=' {
			hasHead = true
			rest := list[i+1:]
			k := 0
			for k < len(rest) && rest[k] != ',' {
				k++
			}
			head = rest[:k]
			list = rest[k:]
		} else {
			list = list[i:]
		}
		for list != "" && (list[0] == ',' || list[0] == ' ') {
			list = list[1:]
		}
		if name == "" {
			continue
		}
		c, ok := findColumn(name)
		if !ok {
			s.p.Stderr.WriteString("error: unknown user-defined format specifier \"" + name + "\"\n")
			s.p.TryHelp(1)
			return false
		}
		if hasHead {
			c.head = head
		}
		*cols = append(*cols, c)
	}
	return true
}

// load reads what all processes have in common.
func (s *pser) load() {
	if b, err := wsys.ReadFile("/proc/uptime"); err == nil {
		v, frac, after := int64(0), int64(0), 0
		for _, c := range b {
			switch {
			case c == '.' && after == 0:
				after = 1
			case c >= '0' && c <= '9' && after == 0:
				v = v*10 + int64(c-'0')
			case c >= '0' && c <= '9' && after < 3:
				frac = frac*10 + int64(c-'0')
				after++
			default:
				after = 3
			}
			if after == 3 {
				break
			}
		}
		s.uptime = v*ticks + frac
	}
	s.boot = s.now - s.uptime/ticks
	if b, err := wsys.ReadFile("/proc/meminfo"); err == nil {
		s.mem = field(b, "MemTotal:", 0)
	}
}

// field returns the nth number of the line of b that starts with name.
func field(b []byte, name string, n int) int64 {
	for len(b) > 0 {
		i := 0
		for i < len(b) && b[i] != '\n' {
			i++
		}
		line := string(b[:i])
		b = b[min(i+1, len(b)):]
		if len(line) > len(name) && line[:len(name)] == name {
			w := words(line[len(name):])
			if n < len(w) {
				v, _ := strconv.ParseInt(w[n], 10, 64)
				return v
			}
		}
	}
	return 0
}

// readProcs reads every process of /proc.
func readProcs() ([]psProc, error) {
	fd, err := wsys.Open(wsys.AtCwd, "/proc", abi.ORdonly|abi.ODirectory|abi.OCloexec, 0)
	if err != nil {
		return nil, err
	}
	defer wsys.Close(fd)
	var list []psProc
	var l []wsys.Dirent
	cookie := uint64(0)
	for {
		if l, err = wsys.ReadDir(fd, l[:0], cookie, false); err != nil || len(l) == 0 {
			break
		}
		cookie = l[len(l)-1].Cookie
		for i := range l {
			if digit(l[i].Name[0]) {
				if p, ok := readProc(l[i].Name); ok {
					list = append(list, p)
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b psProc) int { return int(a.pid - b.pid) })
	return list, err
}

// readProc reads one process, which may end meanwhile.
//
// Linux: proc(5).
func readProc(pid string) (psProc, bool) {
	var p psProc
	b, err := wsys.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return p, false
	}
	open, end := -1, -1
	for i, c := range b {
		if c == '(' && open < 0 {
			open = i
		} else if c == ')' {
			end = i
		}
	}
	if open < 0 || end < open {
		return p, false
	}
	p.comm = string(b[open+1 : end])
	w := words(string(b[end+1:]))
	at := func(n int) int64 {
		if n >= len(w) {
			return 0
		}
		v, _ := strconv.ParseInt(w[n], 10, 64)
		return v
	}
	p.pid, _ = strconv.ParseInt(pid, 10, 64)
	if len(w) == 0 {
		return p, false
	}
	p.state = w[0][0]
	p.ppid, p.pgrp, p.sid, p.tty = at(1), at(2), at(3), at(4)
	p.utime, p.stime, p.priority, p.nice, p.start, p.vsz, p.rss = at(11), at(12), at(15), at(16), at(19), at(20), at(21)
	if b, err := wsys.ReadFile("/proc/" + pid + "/status"); err == nil {
		p.uid, p.gid = uint32(field(b, "Uid:", 1)), uint32(field(b, "Gid:", 1))
	}
	if b, err := wsys.ReadFile("/proc/" + pid + "/cmdline"); err == nil {
		for len(b) > 0 && b[len(b)-1] == 0 {
			b = b[:len(b)-1]
		}
		for i, c := range b {
			if c == 0 {
				b[i] = ' '
			}
		}
		p.args = string(b)
	}
	if p.args == "" {
		p.args = "[" + p.comm + "]"
		if p.state == 'Z' {
			p.args = p.args + " <defunct>"
		}
	}
	if p.state == 'Z' {
		p.comm += " <defunct>"
	}
	return p, true
}

func (s *pser) sort(l []*psProc, key string) bool {
	desc := false
	if key != "" && (key[0] == '-' || key[0] == '+') {
		desc = key[0] == '-'
		key = key[1:]
	}
	c, ok := findColumn(key)
	if !ok {
		s.p.Stderr.WriteString("error: unknown sort specifier\n\n")
		return false
	}
	slices.SortStableFunc(l, func(a, b *psProc) int {
		x, y := c.value(s, a), c.value(s, b)
		r := 0
		if c.right {
			switch {
			case len(x) != len(y):
				r = len(x) - len(y)
			case x < y:
				r = -1
			case x > y:
				r = 1
			}
		} else if x < y {
			r = -1
		} else if x > y {
			r = 1
		}
		if desc {
			r = -r
		}
		return r
	})
	return true
}

func (s *pser) print(l []*psProc, cols []psColumn, heading bool) {
	limit := 0
	if ws, err := wsys.TTYGetwinsize(s.p.Stdout.FD); err == nil {
		limit = int(ws.Cols)
	}
	widths := make([]int, len(cols))
	any := false
	for i, c := range cols {
		widths[i] = c.width
		if heading {
			widths[i] = max(widths[i], len(c.head))
		}
		any = any || c.head != ""
		for _, p := range l {
			// Columns of numbers and names grow; commands are last or cut.
			if c.right || c.name == "user" || c.name == "group" {
				widths[i] = max(widths[i], cmdkit.Width(c.value(s, p)))
			}
		}
	}
	row := func(text func(i int) string) {
		var b []byte
		for i, c := range cols {
			t := text(i)
			if i > 0 {
				b = append(b, ' ')
			}
			n := widths[i] - cmdkit.Width(t)
			last := i == len(cols)-1
			if !c.right && !last && n < 0 && c.name != "user" && c.name != "group" {
				t = t[:widths[i]]
				n = 0
			}
			if c.right {
				for ; n > 0; n-- {
					b = append(b, ' ')
				}
				b = append(b, t...)
				continue
			}
			b = append(b, t...)
			for ; n > 0 && !last; n-- {
				b = append(b, ' ')
			}
		}
		if limit > 0 && len(b) > limit {
			b = b[:limit]
		}
		s.p.Stdout.Write(append(b, '\n'))
	}
	if heading && any {
		row(func(i int) string { return cols[i].head })
	}
	for _, p := range l {
		row(func(i int) string { return cols[i].value(s, p) })
	}
}
