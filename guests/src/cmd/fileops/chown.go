// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fileops

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/fswalk"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var chownLong = []cmdkit.Long{{Name: "recursive", Val: 'R'}, {Name: "changes", Val: 'c'}, {Name: "dereference", Val: 256},
	{Name: "from", Arg: cmdkit.RequiredArg, Val: 257}, {Name: "no-dereference", Val: 'h'}, {Name: "no-preserve-root", Val: 258},
	{Name: "preserve-root", Val: 259}, {Name: "quiet", Val: 'f'}, {Name: "silent", Val: 'f'},
	{Name: "reference", Arg: cmdkit.RequiredArg, Val: 260}, {Name: "verbose", Val: 'v'}}

const chownHelp = `
  -c, --changes          tell about each change
  -f, --silent, --quiet  suppress most error messages
  -v, --verbose          tell about each file
      --dereference      change what a link points to (default)
  -h, --no-dereference   change links themselves
      --from=CURRENT_OWNER:CURRENT_GROUP  only files of these
      --no-preserve-root do not treat '/' specially (default)
      --preserve-root    do not work recursively on '/'
      --reference=RFILE  use RFILE's owner and group
  -R, --recursive        change directories and what is in them
  -H, -L, -P             with -R, follow links among the operands, all, none (default)
`

var chownSyntax = cmdkit.Syntax{
	Short: "HLPRcfhv",
	Long:  chownLong,
	Usage: []string{"[OPTION]... [OWNER][:[GROUP]] FILE...", "[OPTION]... --reference=RFILE FILE..."},
	Help:  "Change the owner and group of each FILE. The sandbox user can only do so\nwhere the file system lets it.\n" + chownHelp,
}

var chgrpSyntax = cmdkit.Syntax{
	Short: "HLPRcfhv",
	Long:  chownLong,
	Usage: []string{"[OPTION]... GROUP FILE...", "[OPTION]... --reference=RFILE FILE..."},
	Help:  "Change the group of each FILE. The sandbox user can only do so where the\nfile system lets it.\n" + chownHelp,
}

// Chown changes owners and groups.
func Chown(p *cmdkit.Proc) int { return chown(p, &chownSyntax, false) }

// Chgrp changes groups.
func Chgrp(p *cmdkit.Proc) int { return chown(p, &chgrpSyntax, true) }

// parseID reads a user or group, by name or number.
func parseID(s string, group bool) (int, bool) {
	if group {
		if g, ok := cmdkit.GroupByName(s); ok {
			return int(g.GID), true
		}
	} else if u, ok := cmdkit.UserByName(s); ok {
		return int(u.UID), true
	}
	if s != "" && s[0] == '+' {
		s = s[1:]
	}
	v, err := strconv.ParseUint(s, 10, 32)
	return int(v), err == nil && v < 1<<32-1
}

// parseOwner reads OWNER, OWNER:GROUP, OWNER: (their login group) or :GROUP;
// -1 stands for what is not given.
func parseOwner(p *cmdkit.Proc, s string) (uid, gid int, ok bool) {
	i := 0
	for i < len(s) && s[i] != ':' {
		i++
	}
	if i == len(s) {
		// The old separator, where the whole is no name.
		if _, found := parseID(s, false); !found {
			for k := 0; k < len(s); k++ {
				if s[k] == '.' {
					p.Warn("warning: '.' should be ':': ", cmdkit.Quote(s))
					i = k
					break
				}
			}
		}
	}
	uid, gid = -1, -1
	if i > 0 {
		if uid, ok = parseID(s[:i], false); !ok {
			p.Warn("invalid user: ", cmdkit.Quote(s))
			return 0, 0, false
		}
	}
	if i < len(s) {
		switch {
		case i+1 < len(s):
			if gid, ok = parseID(s[i+1:], true); !ok {
				p.Warn("invalid group: ", cmdkit.Quote(s))
				return 0, 0, false
			}
		case i > 0:
			u, found := cmdkit.UserByID(uint32(uid))
			if !found {
				p.Warn("invalid spec: ", cmdkit.Quote(s))
				return 0, 0, false
			}
			gid = int(u.GID)
		}
	}
	return uid, gid, true
}

type owner struct {
	p                            *cmdkit.Proc
	uid, gid                     int
	fromUID, fromGID             int
	quiet, verbose, changes, grp bool
	follow                       bool
	spec                         string // the new owner and group, in the caller's words
	status                       int
}

func chown(p *cmdkit.Proc, s *cmdkit.Syntax, group bool) int {
	o := &owner{p: p, fromUID: -1, fromGID: -1, follow: true, grp: group, uid: -1, gid: -1}
	recursive, preserveRoot := false, false
	ref, hasRef := "", false
	walk := fswalk.FollowNone
	g := p.Options(s)
	for g.Next() {
		switch g.Opt {
		case 'R':
			recursive = true
		case 'c':
			o.changes = true
		case 'f':
			o.quiet = true
		case 'v':
			o.verbose = true
		case 'h':
			o.follow = false
		case 'H':
			walk = fswalk.FollowRoots
		case 'L':
			walk = fswalk.FollowAll
		case 'P':
			walk = fswalk.FollowNone
		case 256:
			o.follow = true
		case 257:
			var ok bool
			if o.fromUID, o.fromGID, ok = parseOwner(p, g.Arg); !ok {
				return 1
			}
		case 258, 259:
			preserveRoot = g.Opt == 259
		case 260:
			ref, hasRef = g.Arg, true
		}
	}
	if g.Stop {
		return g.Status
	}
	files := g.Operands
	need := 2
	if hasRef {
		need = 1
	}
	if len(files) < need {
		return p.MissingOperand(1, files...)
	}
	if hasRef {
		st, err := wsys.StatAt(cwd, ref, true)
		if err != nil {
			return p.Errno(err, "failed to get attributes of ", cmdkit.QuoteAF(ref))
		}
		var names cmdkit.Names
		o.gid, o.spec = int(st.GID), names.Group(st.GID)
		if !group {
			o.uid, o.spec = int(st.UID), names.User(st.UID)+":"+o.spec
		}
	} else {
		spec := files[0]
		files = files[1:]
		var ok bool
		o.spec = spec
		if !group && spec != "" && spec[0] == ':' {
			o.spec = spec[1:]
		}
		if group {
			if spec != "" {
				if o.gid, ok = parseID(spec, true); !ok {
					return p.Warn("invalid group: ", cmdkit.Quote(spec))
				}
			}
		} else if o.uid, o.gid, ok = parseOwner(p, spec); !ok {
			return 1
		}
	}
	w := fswalk.Walker{Follow: walk, Stat: true}
	for _, f := range files {
		if recursive && preserveRoot && isRoot(f) {
			p.Warn("it is dangerous to operate recursively on ", cmdkit.QuoteAF("/"))
			o.status = p.Warn("use --no-preserve-root to override this failsafe")
			continue
		}
		if !recursive {
			o.change(wsys.AtCwd, f, f, o.follow)
			continue
		}
		w.Start(f)
		for e := w.Next(); e != nil; e = w.Next() {
			switch e.Kind {
			case fswalk.Missing:
				o.failed(e.Err, "cannot access ", e.Path())
			case fswalk.Unreadable:
				o.failed(e.Err, "cannot read directory ", e.Path())
			case fswalk.File, fswalk.Post:
				o.change(e.Dir, e.Name, e.Path(), walk == fswalk.FollowAll || walk == fswalk.FollowRoots && e.Depth == 0)
			}
		}
	}
	return o.status
}

func (o *owner) failed(err error, what, path string) {
	o.status = 1
	if !o.quiet {
		o.p.Errno(err, what, cmdkit.QuoteAF(path))
	}
}

func (o *owner) change(dir wsys.FD, name, path string, follow bool) {
	st, err := wsys.StatAt(dir, name, follow)
	if err != nil {
		what := "cannot access "
		if follow {
			if _, lerr := wsys.StatAt(dir, name, false); lerr == nil {
				what = "cannot dereference "
			}
		}
		o.failed(err, what, path)
		return
	}
	if o.fromUID >= 0 && uint32(o.fromUID) != st.UID || o.fromGID >= 0 && uint32(o.fromGID) != st.GID {
		return
	}
	changed := o.uid >= 0 && uint32(o.uid) != st.UID || o.gid >= 0 && uint32(o.gid) != st.GID
	if changed || o.uid >= 0 || o.gid >= 0 {
		if err := wsys.Chown(dir, name, o.uid, o.gid, follow); err != nil {
			what := "changing ownership of "
			if o.grp || o.uid < 0 {
				what = "changing group of "
			}
			o.failed(err, what, path)
			return
		}
	}
	if !o.verbose && !(o.changes && changed) {
		return
	}
	var names cmdkit.Names
	show := func(st *abi.Stat) string {
		switch {
		case o.grp || o.uid < 0:
			return names.Group(st.GID)
		case o.gid < 0:
			return names.User(st.UID)
		}
		return names.User(st.UID) + ":" + names.Group(st.GID)
	}
	what := "ownership of "
	if o.grp || o.uid < 0 {
		what = "group of "
	}
	if changed {
		say(o.p, "changed ", what, cmdkit.QuoteAF(path), " from ", show(&st), " to ", o.spec)
	} else {
		say(o.p, what, cmdkit.QuoteAF(path), " retained as ", show(&st))
	}
}
