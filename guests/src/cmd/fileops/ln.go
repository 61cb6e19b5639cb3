// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fileops

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var lnSyntax = cmdkit.Syntax{
	Short: "bdfinrst:vFLPS:T",
	Long: []cmdkit.Long{{Name: "backup", Arg: cmdkit.OptionalArg, Val: 'b'}, {Name: "directory", Val: 'd'}, {Name: "no-dereference", Val: 'n'},
		{Name: "no-target-directory", Val: 'T'}, {Name: "interactive", Val: 'i'}, {Name: "suffix", Arg: cmdkit.RequiredArg, Val: 'S'},
		{Name: "target-directory", Arg: cmdkit.RequiredArg, Val: 't'}, {Name: "logical", Val: 'L'}, {Name: "physical", Val: 'P'},
		{Name: "relative", Val: 'r'}, {Name: "symbolic", Val: 's'}, {Name: "force", Val: 'f'}, {Name: "verbose", Val: 'v'}},
	Usage: []string{"[OPTION]... [-T] TARGET LINK_NAME", "[OPTION]... TARGET", "[OPTION]... TARGET... DIRECTORY", "[OPTION]... -t DIRECTORY TARGET..."},
	Help: `Make links: to TARGET with the name LINK_NAME, with its own name in the
working directory, or to each TARGET in DIRECTORY. Hard links, unless -s.

  -b, --backup[=CONTROL]  keep a backup of each existing destination file
  -d, -F, --directory     allow hard links to directories (the system refuses)
  -f, --force             remove existing destination files
  -i, --interactive       ask before removing destinations
  -L, --logical           follow links among the TARGETs
  -n, --no-dereference    treat LINK_NAME as a file if it is a link to a directory
  -P, --physical          make hard links to symbolic links themselves (default)
  -r, --relative          with -s, make the links relative to their place
  -s, --symbolic          make symbolic links
  -S, --suffix=SUFFIX     the suffix of backups
  -t, --target-directory=DIRECTORY  the directory to make the links in
  -T, --no-target-directory  treat LINK_NAME as a file always
  -v, --verbose           tell about each link
`,
}

type linker struct {
	p                                                        *cmdkit.Proc
	backup                                                   backups
	symbolic, force, interactive, relative, logical, verbose bool
	made                                                     map[string]bool
}

// Ln makes links.
func Ln(p *cmdkit.Proc) int {
	l := &linker{p: p}
	var bo backupOptions
	to := targets{failure: "failed to access "}
	noDeref := false
	g := p.Options(&lnSyntax)
	for g.Next() {
		switch g.Opt {
		case 'b', 'S':
			bo.set(g)
		case 'f':
			l.force, l.interactive = true, false
		case 'i':
			l.force, l.interactive = false, true
		case 'L':
			l.logical = true
		case 'P':
			l.logical = false
		case 'n':
			noDeref = true
		case 'r':
			l.relative = true
		case 's':
			l.symbolic = true
		case 't', 'T':
			to.set(g)
		case 'v':
			l.verbose = true
		}
	}
	if g.Stop {
		return g.Status
	}
	ops := g.Operands
	if len(ops) == 0 {
		return p.UsageError(1, "missing file operand")
	}
	if l.relative && !l.symbolic {
		return p.Warn("cannot do --relative without --symbolic")
	}
	var ok bool
	if l.backup, ok = bo.resolve(p); !ok {
		return p.TryHelp(1)
	}
	switch {
	case to.noDir:
		if to.dirGiven {
			return p.Warn("cannot combine --target-directory and --no-target-directory")
		}
		if len(ops) != 2 {
			if len(ops) < 2 {
				return p.UsageError(1, "missing destination file operand after ", cmdkit.QuoteAF(ops[0]))
			}
			return p.ExtraOperandAF(1, ops[2])
		}
		to.files, to.dest = ops[:1], ops[1]
	case to.dirGiven:
		if !to.resolve(p, ops) {
			return 1
		}
	case len(ops) == 1:
		to.files, to.dir = ops, "."
	default:
		last := ops[len(ops)-1]
		st, err := wsys.StatAt(cwd, last, true)
		if err == nil && st.Mode.IsDir() && noDeref {
			if ls, lerr := wsys.StatAt(cwd, last, false); lerr == nil && ls.Mode.IsSymlink() {
				st.Mode = abi.ModeSymlink
			}
		}
		switch {
		case err == nil && st.Mode.IsDir():
			to.files, to.dir = ops[:len(ops)-1], last
		case len(ops) > 2:
			if err == nil {
				err = abi.ENOTDIR
			}
			return p.Errno(err, "target ", cmdkit.QuoteAF(last))
		default:
			to.files, to.dest = ops[:1], last
		}
	}
	if len(to.files) > 1 {
		l.made = map[string]bool{}
	}
	st := 0
	for _, f := range to.files {
		dst := to.dest
		if to.dir != "" {
			dst = join(to.dir, cmdkit.Base(f))
			if to.dir == "." {
				dst = "./" + cmdkit.Base(f)
			}
		}
		if !l.link(f, dst) {
			st = 1
		}
	}
	return st
}

func (l *linker) link(target, dst string) bool {
	p := l.p
	var st abi.Stat
	if !l.symbolic {
		var err error
		if st, err = wsys.StatAt(cwd, target, l.logical); err != nil {
			p.Errno(err, "failed to access ", cmdkit.QuoteAF(target))
			return false
		}
		if st.Mode.IsDir() {
			p.Warn(cmdkit.QuoteF(target), ": hard link not allowed for directory")
			return false
		}
	}
	if l.relative {
		target = relativeTo(target, dst)
	}
	bak := ""
	if l.force || l.interactive || l.backup.kind != backupNone {
		d, err := wsys.StatAt(cwd, dst, false)
		switch {
		case err == nil:
			if d.Mode.IsDir() {
				p.Warn(cmdkit.QuoteF(dst), ": cannot overwrite directory")
				return false
			}
			if l.made[dst] {
				p.Warn("will not overwrite just-created ", cmdkit.QuoteAF(dst), " with ", cmdkit.QuoteAF(target))
				return false
			}
			if !l.symbolic && same(&st, &d) && (l.backup.kind == backupNone || sameName(target, dst)) {
				if sameName(target, dst) {
					p.Warn(cmdkit.QuoteAF(target), " and ", cmdkit.QuoteAF(dst), " are the same file")
					return false
				}
			}
			if l.symbolic && l.backup.kind == backupNone && sameName(target, dst) {
				if t, err := wsys.StatAt(cwd, target, false); err == nil && same(&t, &d) {
					p.Warn(cmdkit.QuoteAF(target), " and ", cmdkit.QuoteAF(dst), " are the same file")
					return false
				}
			}
			if l.interactive && !ask(p, "replace ", cmdkit.QuoteAF(dst), "? ") {
				return true
			}
			if l.backup.kind != backupNone {
				bak = l.backup.name(dst)
				if err := wsys.Rename(cwd, dst, cwd, bak); err != nil {
					p.Errno(err, "cannot backup ", cmdkit.QuoteAF(dst))
					return false
				}
			} else if err := wsys.Unlink(cwd, dst); err != nil && err != abi.ENOENT {
				p.Errno(err, "cannot remove ", cmdkit.QuoteAF(dst))
				return false
			}
		case err != abi.ENOENT:
			p.Errno(err, "failed to access ", cmdkit.QuoteAF(dst))
			return false
		}
	}
	var err error
	arrow := " => "
	if l.symbolic {
		arrow = " -> "
		err = wsys.Symlink(target, cwd, dst)
	} else {
		err = wsys.Link(cwd, target, cwd, dst, l.logical)
	}
	if err != nil {
		if bak != "" {
			wsys.Rename(cwd, bak, cwd, dst)
		}
		switch {
		case l.symbolic && err != abi.ENAMETOOLONG && target != "":
			p.Errno(err, "failed to create symbolic link ", cmdkit.QuoteAF(dst))
		case l.symbolic:
			p.Errno(err, "failed to create symbolic link ", cmdkit.QuoteAF(dst), " -> ", cmdkit.QuoteAF(target))
		case err == abi.EMLINK:
			p.Errno(err, "failed to create hard link to ", cmdkit.QuoteAF(target))
		case err == abi.EDQUOT || err == abi.EEXIST || err == abi.ENOSPC || err == abi.EROFS:
			p.Errno(err, "failed to create hard link ", cmdkit.QuoteAF(dst))
		default:
			p.Errno(err, "failed to create hard link ", cmdkit.QuoteAF(dst), " => ", cmdkit.QuoteAF(target))
		}
		return false
	}
	if l.made != nil {
		l.made[dst] = true
	}
	if l.verbose {
		if bak != "" {
			p.Stdout.WriteString(cmdkit.QuoteAF(bak) + " ~ ")
		}
		say(p, cmdkit.QuoteAF(dst), arrow, cmdkit.QuoteAF(target))
	}
	return true
}

// relativeTo returns target as seen from the directory of the link dst.
func relativeTo(target, dst string) string {
	dir, err1 := cmdkit.Canonical(dirName(dst), cmdkit.AllMissing)
	t, err2 := cmdkit.Canonical(target, cmdkit.AllMissing)
	if err1 != nil || err2 != nil {
		return target
	}
	return cmdkit.Relative(t, dir)
}
