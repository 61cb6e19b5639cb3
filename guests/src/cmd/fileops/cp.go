// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fileops

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/fswalk"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var cpSyntax = cmdkit.Syntax{
	Short: "abdfHilLnprst:uvxPRS:TZ",
	Long: []cmdkit.Long{{Name: "archive", Val: 'a'}, {Name: "attributes-only", Val: 256}, {Name: "backup", Arg: cmdkit.OptionalArg, Val: 'b'},
		{Name: "copy-contents", Val: 257}, {Name: "dereference", Val: 'L'}, {Name: "force", Val: 'f'}, {Name: "interactive", Val: 'i'},
		{Name: "link", Val: 'l'}, {Name: "no-clobber", Val: 'n'}, {Name: "no-dereference", Val: 'P'},
		{Name: "no-preserve", Arg: cmdkit.RequiredArg, Val: 258}, {Name: "no-target-directory", Val: 'T'},
		{Name: "one-file-system", Val: 'x'}, {Name: "parents", Val: 259}, {Name: "path", Val: 259},
		{Name: "preserve", Arg: cmdkit.OptionalArg, Val: 260}, {Name: "recursive", Val: 'R'}, {Name: "remove-destination", Val: 261},
		{Name: "sparse", Arg: cmdkit.RequiredArg, Val: 262}, {Name: "reflink", Arg: cmdkit.OptionalArg, Val: 263},
		{Name: "strip-trailing-slashes", Val: 264}, {Name: "suffix", Arg: cmdkit.RequiredArg, Val: 'S'}, {Name: "symbolic-link", Val: 's'},
		{Name: "target-directory", Arg: cmdkit.RequiredArg, Val: 't'}, {Name: "update", Val: 'u'}, {Name: "verbose", Val: 'v'},
		{Name: "context", Arg: cmdkit.OptionalArg, Val: 'Z'}},
	Usage: []string{"[OPTION]... [-T] SOURCE DEST", "[OPTION]... SOURCE... DIRECTORY", "[OPTION]... -t DIRECTORY SOURCE..."},
	Help: `Copy SOURCE to DEST, or several to DIRECTORY.

  -a, --archive            same as -dR --preserve=all
      --attributes-only    copy the attributes, not the data
  -b, --backup[=CONTROL]   keep a backup of each existing destination file
  -d                       same as --no-dereference --preserve=links
  -f, --force              remove a destination that cannot be opened, try again
  -i, --interactive        ask before overwriting
  -H                       follow links given as operands
  -l, --link               make hard links instead of copies
  -L, --dereference        always follow links in SOURCE
  -n, --no-clobber         do not overwrite a file
  -P, --no-dereference     never follow links in SOURCE
  -p                       same as --preserve=mode,ownership,timestamps
      --preserve[=LIST]    keep attributes: mode, ownership, timestamps, links, all
      --no-preserve=LIST   do not keep them
      --parents            use the whole source name below DIRECTORY
  -R, -r, --recursive      copy directories and what is in them
      --remove-destination remove each existing destination file first
      --reflink[=WHEN], --sparse=WHEN  accepted; the file system decides
      --strip-trailing-slashes  remove slashes at the end of SOURCE
  -s, --symbolic-link      make symbolic links instead of copies
  -S, --suffix=SUFFIX      the suffix of backups
  -t, --target-directory=DIRECTORY  copy into DIRECTORY
  -T, --no-target-directory  treat DEST as a file
  -u, --update             copy only what is newer than the destination
  -v, --verbose            tell what is done
  -x, --one-file-system    stay on this file system
`,
}

var (
	keepNames = []string{"mode", "timestamps", "ownership", "links", "context", "xattr", "all"}
	keepVals  = []int{1, 2, 4, 8, 16, 32, 15}
)

// keep sets what --preserve or --no-preserve list.
func (c *copier) keep(option, list string, on bool) bool {
	for {
		i := 0
		for i < len(list) && list[i] != ',' {
			i++
		}
		v, ok := c.p.Choice(option, list[:i], keepNames, keepVals)
		if !ok {
			return false
		}
		if v&1 != 0 {
			c.keepMode = on
			c.noMode = !on
		}
		if v&2 != 0 {
			c.keepTimes = on
		}
		if v&4 != 0 {
			c.keepOwner = on
		}
		if v&8 != 0 {
			c.keepLinks = on
		}
		if i == len(list) {
			return true
		}
		list = list[i+1:]
	}
}

// Cp copies files.
func Cp(p *cmdkit.Proc) int {
	c := &copier{p: p}
	var bo backupOptions
	var to targets
	follow := rune(0)
	parents, strip := false, false
	g := p.Options(&cpSyntax)
	for g.Next() {
		switch g.Opt {
		case 'a':
			c.recursive, c.keepMode, c.keepOwner, c.keepTimes, c.keepLinks = true, true, true, true, true
			follow = 'P'
		case 'b', 'S':
			bo.set(g)
		case 'd':
			follow, c.keepLinks = 'P', true
		case 'f':
			c.force = true
		case 'i':
			c.interactive, c.noClobber = true, false
		case 'n':
			c.interactive, c.noClobber = false, true
		case 'H', 'L', 'P':
			follow = g.Opt
		case 'l':
			c.hardLink = true
		case 's':
			c.symLink = true
		case 'p':
			c.keepMode, c.keepOwner, c.keepTimes = true, true, true
		case 'r', 'R':
			c.recursive = true
		case 't', 'T':
			to.set(g)
		case 'u':
			c.update = true
		case 'v':
			c.verbose = true
		case 'x':
			c.oneDev = true
		case 256:
			c.attrOnly = true
		case 258:
			if !c.keep("--no-preserve", g.Arg, false) {
				return p.TryHelp(1)
			}
		case 259:
			parents = true
		case 260:
			if !g.HasArg {
				c.keepMode, c.keepOwner, c.keepTimes = true, true, true
			} else if !c.keep("--preserve", g.Arg, true) {
				return p.TryHelp(1)
			}
		case 261:
			c.removeDest = true
		case 262:
			if _, ok := p.Choice("--sparse", g.Arg, []string{"never", "auto", "always"}, []int{0, 1, 2}); !ok {
				return p.TryHelp(1)
			}
		case 263:
			if g.HasArg {
				if _, ok := p.Choice("--reflink", g.Arg, []string{"auto", "always", "never"}, []int{0, 1, 2}); !ok {
					return p.TryHelp(1)
				}
			}
		case 264:
			strip = true
		}
	}
	if g.Stop {
		return g.Status
	}
	if c.hardLink && c.symLink {
		return p.UsageError(1, "cannot make both hard and symbolic links")
	}
	if bo.wanted && c.noClobber {
		return p.UsageError(1, "options --backup and --no-clobber are mutually exclusive")
	}
	var ok bool
	if c.backup, ok = bo.resolve(p); !ok {
		return p.TryHelp(1)
	}
	switch follow {
	case 'P':
		c.follow = fswalk.FollowNone
	case 'H':
		c.follow = fswalk.FollowRoots
	case 'L':
		c.follow = fswalk.FollowAll
	default:
		if !c.recursive && !c.hardLink {
			c.follow = fswalk.FollowAll
		}
	}
	if !to.resolve(p, g.Operands) {
		return 1
	}
	if parents && to.dir == "" {
		return p.UsageError(1, "with --parents, the destination must be a directory")
	}
	if len(to.files) > 1 {
		c.created = map[fileID]bool{}
	}
	st := 0
	for _, src := range to.files {
		if strip {
			src = trimSlashes(src)
		}
		dst := to.dest
		if to.dir != "" {
			if parents {
				name := trimSlashes(src)
				for name != "" && name[0] == '/' {
					name = name[1:]
				}
				dst = join(to.dir, name)
				if !c.makeParents(src, to.dir, name) {
					st = 1
					continue
				}
			} else {
				dst = to.name(src)
			}
		}
		if !c.tree(src, dst) {
			st = 1
		}
	}
	return st
}

// makeParents makes the directories of name below dir like those of src.
func (c *copier) makeParents(src, dir, name string) bool {
	skip := len(trimSlashes(src)) - len(name)
	for i := 0; i < len(name); i++ {
		if name[i] != '/' || i > 0 && name[i-1] == '/' {
			continue
		}
		from, to := src[:skip+i], join(dir, name[:i])
		st, err := wsys.StatAt(cwd, from, true)
		if err != nil {
			c.p.Errno(err, "failed to get attributes of ", cmdkit.QuoteAF(from))
			return false
		}
		d, err := wsys.StatAt(cwd, to, true)
		if err == nil {
			if !d.Mode.IsDir() {
				c.p.Warn(cmdkit.QuoteAF(to), " exists but is not a directory")
				return false
			}
			continue
		}
		if err := wsys.Mkdir(cwd, to, st.Mode&0o777|0o700); err != nil {
			c.p.Errno(err, "cannot make directory ", cmdkit.QuoteAF(to))
			return false
		}
		if c.verbose {
			say(c.p, cmdkit.QuoteF(from), " -> ", cmdkit.QuoteF(to))
		}
		if !c.attributes(to, &st, true) {
			return false
		}
	}
	return true
}

// targets is where the operands of cp, mv, ln and install go.
type targets struct {
	dirGiven bool
	noDir    bool
	failure  string // what is said of a DIRECTORY of -t that is none

	files []string
	dir   string // not empty: the files go into it
	dest  string // else the one file goes here
}

// set takes the options -t and -T.
func (t *targets) set(g *cmdkit.Getopt) {
	if g.Opt == 'T' {
		t.noDir = true
		return
	}
	t.dirGiven, t.dir = true, g.Arg
}

// resolve sorts the operands. It reports what is wrong with them.
func (t *targets) resolve(p *cmdkit.Proc, ops []string) bool {
	need := 2
	if t.dirGiven {
		need = 1
	}
	switch {
	case len(ops) == 0:
		p.UsageError(1, "missing file operand")
		return false
	case len(ops) < need:
		p.UsageError(1, "missing destination file operand after ", cmdkit.QuoteAF(ops[0]))
		return false
	}
	if t.noDir {
		if t.dirGiven {
			p.Warn("cannot combine --target-directory (-t) and --no-target-directory (-T)")
			return false
		}
		if len(ops) > 2 {
			p.ExtraOperandAF(1, ops[2])
			return false
		}
		t.files, t.dest = ops[:1], ops[1]
		return true
	}
	if t.dirGiven {
		t.files = ops
		st, err := wsys.StatAt(cwd, t.dir, true)
		if err == nil && !st.Mode.IsDir() {
			err = abi.ENOTDIR
		}
		if err != nil {
			what := t.failure
			if what == "" {
				what = "target directory "
			}
			p.Errno(err, what, cmdkit.QuoteAF(t.dir))
			return false
		}
		return true
	}
	last := ops[len(ops)-1]
	st, err := wsys.StatAt(cwd, last, true)
	if err == nil && st.Mode.IsDir() {
		t.files, t.dir = ops[:len(ops)-1], last
		return true
	}
	if len(ops) > 2 {
		if err == nil {
			err = abi.ENOTDIR
		}
		p.Errno(err, "target ", cmdkit.QuoteAF(last))
		return false
	}
	t.files, t.dest = ops[:1], last
	return true
}

// name returns the destination of src in the directory.
func (t *targets) name(src string) string {
	return join(t.dir, cmdkit.Base(src))
}
