// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sysinfo

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

func self() (uid, gid uint32) {
	i, _ := wsys.Info(0)
	return i.UID, i.GID
}

func itoa(v uint32) string { return strconv.FormatUint(uint64(v), 10) }

var whoamiSyntax = cmdkit.Syntax{Usage: []string{"[OPTION]..."}, Help: "Print the name of the user. The same as id -un.\n\n"}

// Whoami prints the user's name.
func Whoami(p *cmdkit.Proc) int {
	if st, done := plain(p, &whoamiSyntax); done {
		return st
	}
	uid, _ := self()
	u, ok := cmdkit.UserByID(uid)
	if !ok {
		return p.Warn("cannot find name for user ID ", itoa(uid))
	}
	p.Stdout.WriteString(u.Name + "\n")
	return 0
}

var lognameSyntax = cmdkit.Syntax{Usage: []string{"[OPTION]"}, Help: "Print the name the user logged in with.\n\n"}

// Logname prints the user's login name.
func Logname(p *cmdkit.Proc) int {
	if st, done := plain(p, &lognameSyntax); done {
		return st
	}
	name, ok := p.LookupEnv("LOGNAME")
	if !ok || name == "" {
		uid, _ := self()
		u, ok := cmdkit.UserByID(uid)
		if !ok {
			return p.Warn("no login name")
		}
		name = u.Name
	}
	p.Stdout.WriteString(name + "\n")
	return 0
}

// groupsOf returns the groups of a user: the primary one and those of
// /etc/group that list it.
func groupsOf(name string, gid uint32) []uint32 {
	l := []uint32{gid}
	cmdkit.EachGroup(func(_ []byte, g uint32, members []byte) bool {
		for len(members) > 0 {
			i := 0
			for i < len(members) && members[i] != ',' {
				i++
			}
			if string(members[:i]) == name && name != "" {
				dup := false
				for _, have := range l {
					dup = dup || have == g
				}
				if !dup {
					l = append(l, g)
				}
			}
			if i < len(members) {
				i++
			}
			members = members[i:]
		}
		return false
	})
	return l
}

var groupsSyntax = cmdkit.Syntax{Usage: []string{"[OPTION]... [USERNAME]..."}, Help: "Print the groups of each user, or of the process.\n\n"}

// Groups prints the names of a user's groups.
func Groups(p *cmdkit.Proc) int {
	g := p.Options(&groupsSyntax)
	for g.Next() {
	}
	if g.Stop {
		return g.Status
	}
	st := 0
	list := func(l []uint32) {
		for i, gid := range l {
			if i > 0 {
				p.Stdout.WriteByte(' ')
			}
			if gr, ok := cmdkit.GroupByID(gid); ok {
				p.Stdout.WriteString(gr.Name)
			} else {
				st = p.Warn("cannot find name for group ID ", itoa(gid))
				p.Stdout.WriteString(itoa(gid))
			}
		}
		p.Stdout.WriteByte('\n')
	}
	if len(g.Operands) == 0 {
		uid, gid := self()
		u, _ := cmdkit.UserByID(uid)
		list(groupsOf(u.Name, gid))
		return st
	}
	for _, name := range g.Operands {
		u, ok := cmdkit.UserByName(name)
		if !ok {
			st = p.Warn(cmdkit.Quote(name), ": no such user")
			continue
		}
		p.Stdout.WriteString(name + " : ")
		list(groupsOf(u.Name, u.GID))
	}
	return st
}

var idSyntax = cmdkit.Syntax{
	Short: "aZgGnruz",
	Long: []cmdkit.Long{{Name: "context", Val: 'Z'}, {Name: "group", Val: 'g'}, {Name: "groups", Val: 'G'},
		{Name: "name", Val: 'n'}, {Name: "real", Val: 'r'}, {Name: "user", Val: 'u'}, {Name: "zero", Val: 'z'}},
	Usage: []string{"[OPTION]... [USER]..."},
	Help: `Print user and group numbers and names of each USER, or of the process.

  -a             ignored
  -g, --group    only the group number
  -G, --groups   all group numbers
  -n, --name     names instead of numbers, for -u, -g, -G
  -r, --real     the real number instead of the effective one (they are equal)
  -u, --user     only the user number
  -z, --zero     separate entries with NUL; not in the default format
`,
}

// ID prints user and group numbers.
func ID(p *cmdkit.Proc) int {
	g := p.Options(&idSyntax)
	var what rune
	n, names, real, zero := 0, false, false, false
	for g.Next() {
		switch g.Opt {
		case 'a':
		case 'Z':
			return p.Warn("--context (-Z) works only on an SELinux-enabled kernel")
		case 'g', 'G', 'u':
			if what != g.Opt {
				n++
			}
			what = g.Opt
		case 'n':
			names = true
		case 'r':
			real = true
		case 'z':
			zero = true
		}
	}
	if g.Stop {
		return g.Status
	}
	switch {
	case n > 1:
		return p.Warn("cannot print \"only\" of more than one choice")
	case what == 0 && (names || real):
		return p.Warn("cannot print only names or real IDs in default format")
	case what == 0 && zero:
		return p.Warn("option --zero not permitted in default format")
	}
	st := 0
	end := "\n"
	if zero {
		end = "\x00"
	}
	show := func(name string, uid, gid uint32) {
		group := func(id uint32) {
			if names {
				if gr, ok := cmdkit.GroupByID(id); ok {
					p.Stdout.WriteString(gr.Name)
					return
				}
				st = p.Warn("cannot find name for group ID ", itoa(id))
			}
			p.Stdout.WriteString(itoa(id))
		}
		switch what {
		case 'u':
			u, ok := cmdkit.UserByID(uid)
			switch {
			case names && ok:
				p.Stdout.WriteString(u.Name)
			case names:
				st = p.Warn("cannot find name for user ID ", itoa(uid))
				fallthrough
			default:
				p.Stdout.WriteString(itoa(uid))
			}
		case 'g':
			group(gid)
		case 'G':
			for i, id := range groupsOf(name, gid) {
				if i > 0 {
					if zero {
						p.Stdout.WriteByte(0)
					} else {
						p.Stdout.WriteByte(' ')
					}
				}
				group(id)
			}
			if zero && len(g.Operands) > 1 {
				p.Stdout.WriteByte(0)
			}
		default:
			p.Stdout.WriteString("uid=" + itoa(uid))
			if u, ok := cmdkit.UserByID(uid); ok {
				p.Stdout.WriteString("(" + u.Name + ")")
			}
			for i, id := range append([]uint32{gid}, groupsOf(name, gid)...) {
				switch i {
				case 0:
					p.Stdout.WriteString(" gid=")
				case 1:
					p.Stdout.WriteString(" groups=")
				default:
					p.Stdout.WriteByte(',')
				}
				p.Stdout.WriteString(itoa(id))
				if gr, ok := cmdkit.GroupByID(id); ok {
					p.Stdout.WriteString("(" + gr.Name + ")")
				}
			}
		}
		p.Stdout.WriteString(end)
	}
	if len(g.Operands) == 0 {
		uid, gid := self()
		u, _ := cmdkit.UserByID(uid)
		show(u.Name, uid, gid)
		return st
	}
	for _, name := range g.Operands {
		u, ok := cmdkit.UserByName(name)
		if !ok {
			if v, e := cmdkit.ParseUint(name, ""); e == cmdkit.NumOK && v <= 1<<32-1 {
				u, ok = cmdkit.UserByID(uint32(v))
			}
		}
		if !ok {
			st = p.Warn(cmdkit.Quote(name), ": no such user")
			continue
		}
		show(u.Name, u.UID, u.GID)
	}
	return st
}

var pwdSyntax = cmdkit.Syntax{
	Short: "LP",
	Long:  []cmdkit.Long{{Name: "logical", Val: 'L'}, {Name: "physical", Val: 'P'}},
	Usage: []string{"[OPTION]..."},
	Help: `Print the working directory.

  -L, --logical   PWD of the environment, even with links in it
  -P, --physical  without links (the default)
`,
}

// Pwd prints the working directory.
func Pwd(p *cmdkit.Proc) int {
	_, logical := p.LookupEnv("POSIXLY_CORRECT")
	g := p.Options(&pwdSyntax)
	for g.Next() {
		logical = g.Opt == 'L'
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) > 0 {
		p.Warn("ignoring non-option arguments")
	}
	if logical {
		if dir := p.Getenv("PWD"); logicalPath(dir) {
			a, err1 := wsys.StatAt(wsys.AtCwd, dir, true)
			b, err2 := wsys.StatAt(wsys.AtCwd, ".", true)
			if err1 == nil && err2 == nil && a.Dev == b.Dev && a.Ino == b.Ino {
				p.Stdout.WriteString(dir + "\n")
				return 0
			}
		}
	}
	dir, err := wsys.Getcwd()
	if err == nil {
		dir, err = wsys.Realpath(wsys.AtCwd, dir)
	}
	if err != nil {
		if err == abi.ENOENT {
			return p.Warn("couldn't find directory entry in '..' with matching i-node")
		}
		return p.Errno(err, "cannot determine the working directory")
	}
	p.Stdout.WriteString(dir + "\n")
	return 0
}

// logicalPath reports whether path is absolute and has no "." or ".." element.
func logicalPath(path string) bool {
	if path == "" || path[0] != '/' {
		return false
	}
	for i := 0; i < len(path); {
		j := i + 1
		for j < len(path) && path[j] != '/' {
			j++
		}
		if e := path[i+1 : j]; e == "." || e == ".." {
			return false
		}
		i = j
	}
	return true
}
